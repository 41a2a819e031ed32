package intervention_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

// An agent plays some months in one call, sees both arms, and acts on what it saw.
func TestPlayInOneCall(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"live","control":"baseline","pause_at_month":2,"wait_seconds":60}`)
	d.Refused("start_simulation", `{"experiment_name":"same","control":"baseline"}`, fault.Conflict, "control") // unless it pauses
	a := d.Call("resume_simulation", `{"months":3}`).Want(map[string]any{"month": 5.0, "running": false, "run_status": "paused"})
	for _, arm := range []string{"control", "treatment"} {
		s := d.Call("get_economic_indicators", `{"month":5,"arm":"`+arm+`","indicators":["unemployment_rate"]}`)
		if got, want := a.Number("arms."+arm+".unemployment_rate"), s.Number("indicators.unemployment_rate.value"); got != want {
			t.Errorf("%s: %g, want %g", arm, got, want)
		}
	}
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":6,"parameters":{"vat_rate":0.3}}`).
		Want(map[string]any{"applies_to": "live/treatment"})
	a = d.Call("resume_simulation", `{"months":2,"indicators":["cpi","tax_vat"]}`).Want(map[string]any{"month": 7.0})
	if names := slices.Sorted(maps.Keys(a.At("arms.control").(map[string]any))); !slices.Equal(names, []string{"cpi", "tax_vat"}) {
		t.Errorf("indicators %v", names)
	}
	if up, down := a.Number("arms.treatment.tax_vat"), a.Number("arms.control.tax_vat"); up < down*1.2 {
		t.Errorf("VAT brings %g, in the control %g", up, down)
	}
	d.Refused("resume_simulation", `{"months":2,"pause_at_month":9}`, fault.Conflict, "months")
	d.Refused("resume_simulation", `{"months":2,"indicators":["gini"]}`, fault.NotFound, "indicators")
	d.Call("get_simulation_status", `{}`).Want(map[string]any{"month": 7.0, "run_status": "paused"})
	d.Call("resume_simulation", `{"months":100}`).Want(map[string]any{"month": 12.0, "run_status": "completed"})

	// What another process left goes on from where it was.
	d.Call("start_simulation", `{"experiment_name":"left","pause_at_month":4,"wait_seconds":60}`)
	d.Close()
	d.Open()
	d.Call("resume_simulation", `{"name":"left","months":1}`).Want(map[string]any{"month": 5.0, "run_status": "paused"})
}

// With several treatments an intervention says which one it is for; nothing is guessed.
func TestInterventionsSayTheArm(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"three","pause_at_month":2,"wait_seconds":60,"inquiry":{
		"background":{"set":{"num_households":500}},"design":{"months":6,"replications":1,"burn_in":3},
		"arms":{"vat":{"events":[{"set":{"vat_rate":"3%"}}]},"wage":{"events":[{"set":{"minimum_wage":"60%"}}]}}}}`)
	const change = `"intervention_type":"parameter_change","target_month":4,"parameters":{"income_tax_rate":0.3}`
	if e := d.Refused("inject_intervention", `{`+change+`}`, fault.Required, "arm"); !slices.Equal(e.Allowed, []string{"control", "vat", "wage"}) ||
		!strings.Contains(e.Hint, "control, vat, wage") {
		t.Error(e)
	}
	d.Call("inject_intervention", `{`+change+`,"arm":"vat"}`).Want(map[string]any{"applies_to": "three/vat"})

	// What is for the next start is not for what runs, and is the next start's alone.
	d.Refused("inject_intervention", `{`+change+`,"next_start":true,"experiment_name":"three"}`, fault.Conflict, "next_start")
	d.Refused("inject_intervention", `{`+change+`,"next_start":true,"arm":"vat"}`, fault.InvalidState, "arm")
	d.Call("inject_intervention", `{`+change+`,"next_start":true}`).Want(map[string]any{"applies_to": "next start",
		"intervention_id": "planned/1"})
	d.Call("list_pending_interventions", `{"experiment_name":"three"}`).Want(map[string]any{"count": 1.0})
	d.Call("resume_simulation", `{}`)
	d.Wait("three", "completed")
	d.Call("start_simulation", `{"experiment_name":"asked","wait_seconds":60,"inquiry":{
		"background":{"set":{"num_households":500}},"design":{"months":3,"replications":1,"burn_in":3}}}`).
		Want(map[string]any{"interventions_taken": []any{}})
	d.Call("list_pending_interventions", `{}`).Want(map[string]any{"interventions.0.applies_to": "next start"})
	d.Call("start_simulation", `{"experiment_name":"next","wait_seconds":60}`).Want(map[string]any{"interventions_taken": []any{"planned/1"}})
	d.Call("list_pending_interventions", `{"experiment_name":"next","include_done":true}`).
		Want(map[string]any{"interventions.0.status": "executed"})
	d.Call("list_pending_interventions", `{}`).Want(map[string]any{"count": 0.0})
}

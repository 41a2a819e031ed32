package intervention_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

// one of each type, for target_month %d.
var ofEachType = []string{
	`{"intervention_type":"parameter_change","target_month":%d,"parameters":{"vat_rate":0.2,"income_tax_rate":0.25},` +
		`"description":"taxes up","ramp_months":2,"duration_months":3}`,
	`{"intervention_type":"policy","target_month":%d,"parameters":{"policy":"minimum_wage","level":0.6}}`,
	`{"intervention_type":"shock","target_month":%d,"parameters":{"shock":"productivity","size":-0.05,"persistence":0.5}}`,
	`{"intervention_type":"injection","target_month":%d,"parameters":{"group":"bottom_decile","amount":300}}`,
	`{"intervention_type":"shock","target_month":%d,"parameters":{"shock":"disaster","size":0.1}}`,
	`{"intervention_type":"injection","target_month":%d,"parameters":{"group":"industry:03","amount":50},"duration_months":2}`,
}

// states lists id or applies_to and status of each row.
func states(a toolstest.Answer) (list []string) {
	for _, row := range a.List("interventions") {
		r := row.(map[string]any)
		list = append(list, fmt.Sprint(r["intervention_id"], " ", r["status"]))
	}
	return list
}

func want(t *testing.T, a toolstest.Answer, rows ...string) {
	t.Helper()
	if got := states(a); !slices.Equal(got, rows) {
		t.Errorf("%q\nwant %q", got, rows)
	}
	a.Want(map[string]any{"count": float64(len(rows)), "next_cursor": ""})
}

// What is planned before a start goes into its treatment, in the order of planning, and
// its ids name that place; over the months it is pending, active, executed or reverted.
func TestPlannedBeforeTheStart(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	for k, v := range ofEachType {
		d.Call("inject_intervention", fmt.Sprintf(v, 3+k%2)).Want(map[string]any{
			"intervention_id": fmt.Sprintf("planned/%d", k+1), "status": "pending", "target_month": float64(3 + k%2), "applies_to": "next start",
		})
	}
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":2,"parameters":{"vat_rate":0.3},"arm":"treatment"}`)
	d.Call("cancel_intervention", `{"intervention_id":"planned/7"}`).Want(map[string]any{"intervention_id": "planned/7",
		"status": "cancelled"})
	d.Refused("cancel_intervention", `{"intervention_id":"planned/7"}`, fault.NotFound, "intervention_id")
	if e := d.Refused("inject_intervention", `{"intervention_type":"parameter_change","target_month":2,"parameters":{"vat_rate":0.3},`+
		`"arm":"control"}`, fault.InvalidState, "arm"); !strings.Contains(e.Hint, "pause_at_month") {
		t.Error(e)
	}
	a := d.Call("list_pending_interventions", `{}`)
	want(t, a, "planned/1 pending", "planned/2 pending", "planned/3 pending", "planned/4 pending", "planned/5 pending", "planned/6 pending")
	a.Want(map[string]any{
		"interventions.0.type": "parameter_change", "interventions.0.applies_to": "next start", "interventions.0.ramp_months": 2.0,
		"interventions.0.duration_months": 3.0,
		"interventions.0.parameters":      map[string]any{"vat_rate": .2, "income_tax_rate": .25}, "interventions.0.description": "taxes up",
		"interventions.0.executed_month": nil,
		"interventions.1.parameters":     map[string]any{"policy": "minimum_wage", "level": .6},
		"interventions.2.parameters":     map[string]any{"shock": "productivity", "size": -.05, "persistence": .5},
		"interventions.3.parameters":     map[string]any{"group": "bottom_decile", "amount": 300.0},
	})
	if text := a.Text("interventions.3.effect"); !strings.Contains(text, "300") {
		t.Errorf("effect %q", text)
	}

	d.Call("start_simulation", `{"experiment_name":"x","control":"baseline","pause_at_month":1}`)
	d.Wait("x", "paused").Want(map[string]any{"month": 1.0, "pending_interventions": 6.0})
	want(t, d.Call("list_pending_interventions", `{"experiment_name":"x","include_done":true}`),
		"x/treatment/1 pending", "x/treatment/2 pending", "x/treatment/3 pending", "x/treatment/4 pending", "x/treatment/5 pending",
		"x/treatment/6 pending")
	play := func(month int, rows ...string) {
		t.Helper()
		d.Call("resume_simulation", fmt.Sprintf(`{"pause_at_month":%d}`, month)).Want(map[string]any{"running": true, "experiment_name": "x"})
		d.Wait("x", "paused").Want(map[string]any{"month": float64(month)})
		want(t, d.Call("list_pending_interventions", `{"include_done":true}`), rows...)
	}
	play(2, "x/treatment/1 pending", "x/treatment/2 pending", "x/treatment/3 pending", "x/treatment/4 pending", "x/treatment/5 pending",
		"x/treatment/6 pending")
	play(3, "x/treatment/1 active", "x/treatment/2 pending", "x/treatment/3 executed", "x/treatment/4 pending", "x/treatment/5 executed",
		"x/treatment/6 pending")
	play(4, "x/treatment/1 active", "x/treatment/2 executed", "x/treatment/3 executed", "x/treatment/4 executed", "x/treatment/5 executed",
		"x/treatment/6 active")
	play(5, "x/treatment/1 reverted", "x/treatment/2 executed", "x/treatment/3 executed", "x/treatment/4 executed", "x/treatment/5 executed",
		"x/treatment/6 executed")
	d.Call("list_pending_interventions", `{"include_done":true}`).Want(map[string]any{
		"interventions.0.executed_month": 3.0, "interventions.1.executed_month": 4.0, "interventions.0.applies_to": "x/treatment", "total": 6.0})
	want(t, d.Call("list_pending_interventions", `{}`))

	// What comes while one is paused is planned for it, not for the next start.
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":9,"parameters":{"vat_rate":0.1}}`).
		Want(map[string]any{"intervention_id": "x/treatment/7", "applies_to": "x/treatment"})
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":9,"parameters":{"vat_rate":0.1},"arm":"control"}`).
		Want(map[string]any{"intervention_id": "x/control/1", "applies_to": "x/control"})
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":9,"parameters":{"vat_rate":0.11},`+
		`"when":"unemployment_rate > 99%"}`)
	d.Call("cancel_intervention", `{"intervention_id":"x/treatment/7"}`)
	d.Refused("cancel_intervention", `{"intervention_id":"x/treatment/7"}`, fault.InvalidState, "intervention_id")
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":10,"parameters":{"vat_rate":0.12}}`).
		Want(map[string]any{"intervention_id": "x/treatment/9"})
	want(t, d.Call("list_pending_interventions", `{}`), "x/control/1 pending", "x/treatment/8 pending", "x/treatment/9 pending")
	d.Call("resume_simulation", `{}`)
	d.Wait("x", "completed").Want(map[string]any{"pending_interventions": 0.0})
	done := []string{"x/control/1 executed", "x/treatment/1 reverted", "x/treatment/2 executed", "x/treatment/3 executed",
		"x/treatment/4 executed",
		"x/treatment/5 executed", "x/treatment/6 executed", "x/treatment/7 cancelled", "x/treatment/8 failed", "x/treatment/9 executed"}
	want(t, d.Call("list_pending_interventions", `{"include_done":true}`), done...)
	want(t, d.Call("list_pending_interventions", `{}`))
	d.Close()
	d.Open()
	want(t, d.Call("list_pending_interventions", `{"include_done":true}`), done...)

	// The next plan is of the next start, and stands beside what became of the last.
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":9,`+
		`"parameters":{"vat_rate":0.1}}`).Want(map[string]any{"applies_to": "next start"})
	want(t, d.Call("list_pending_interventions", `{}`), "planned/8 pending")
	want(t, d.Call("list_pending_interventions", `{"include_done":true}`), append(done, "planned/8 pending")...)
	want(t, d.Call("list_pending_interventions", `{"experiment_name":"x","include_done":true}`), done...)
}

// What is injected on the way has the bits of what was planned from the start, for all
// types and with conditions, in whatever portions the months are played; what was
// cancelled leaves no trace.
func TestInjectedHasTheBitsOfPlanned(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	list := append(slices.Clone(ofEachType), `{"intervention_type":"policy","target_month":%d,"parameters":{"policy":"stimulus",`+
		`"level":0.05},"when":"unemployment_rate > 0.01 and month >= 7"}`)
	for _, v := range list {
		d.Call("inject_intervention", fmt.Sprintf(v, 5))
	}
	d.Run("planned", `"replications":2`)

	d.Call("start_simulation", `{"experiment_name":"injected","replications":2,"pause_at_month":2}`)
	d.Wait("injected", "paused")
	for k, v := range list {
		d.Call("inject_intervention", fmt.Sprintf(v, 5))
		if k == 2 {
			id := d.Call("inject_intervention", `{"intervention_type":"policy","target_month":4,"parameters":{"policy":"austerity",`+
				`"level":0.3}}`).Text("intervention_id")
			d.Call("cancel_intervention", `{"intervention_id":"`+id+`"}`)
			d.Call("resume_simulation", `{"pause_at_month":3}`)
			d.Wait("injected", "paused")
		}
	}
	d.Call("resume_simulation", `{}`)
	d.Wait("injected", "completed")
	a, err := d.Store.Experiment(context.Background(), "planned")
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Store.Experiment(context.Background(), "injected")
	if err != nil {
		t.Fatal(err)
	}
	if a.Arms[0].Hash != b.Arms[0].Hash {
		t.Errorf("scenario hash %s, planned from the start %s", b.Arms[0].Hash, a.Arms[0].Hash)
	}
	for r := range a.Runs {
		if a.Runs[r].StateHash != b.Runs[r].StateHash {
			t.Errorf("replication %d has other bits", r+1)
		}
	}
	if began := a.Runs[0].Began; began[6] != 8 { // the first month after the condition held
		t.Errorf("began %v", began)
	}
	d.Call("list_pending_interventions", `{"include_done":true}`).Want(map[string]any{"interventions.7.executed_month": 8.0,
		"interventions.7.status": "executed"})
	d.Run("nothing", `"replications":2`)
	if x, err := d.Store.Experiment(context.Background(), "nothing"); err != nil || x.Runs[0].StateHash == a.Runs[0].StateHash {
		t.Errorf("the interventions did nothing (%v)", err)
	}
}

// Pause, play month by month, stop.
func TestPauseAndResume(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Run("straight", "")
	d.Call("start_simulation", `{"experiment_name":"steps","pause_at_month":1}`)
	for month := 1; month < 12; month++ {
		d.Wait("steps", "paused").Want(map[string]any{"month": float64(month), "paused": true, "running": false, "total_months": 12.0})
		d.Call("get_economic_indicators", `{"indicators":["cpi"]}`).Want(map[string]any{"month": float64(month)})
		d.Call("resume_simulation", fmt.Sprintf(`{"pause_at_month":%d}`, month+1)).Want(map[string]any{"running": true})
	}
	d.Wait("steps", "completed") // after the last month there is nothing to pause before
	a, _ := d.Store.Experiment(context.Background(), "straight")
	b, err := d.Store.Experiment(context.Background(), "steps")
	if err != nil || a.Runs[0].StateHash != b.Runs[0].StateHash {
		t.Errorf("other bits month by month (%v)", err)
	}

	d.Call("start_simulation", `{"experiment_name":"endless","months":6000}`)
	month := d.Call("pause_simulation", `{}`).Want(map[string]any{"paused": true, "experiment_name": "endless"}).Number("month")
	d.Call("pause_simulation", `{}`).Want(map[string]any{"paused": true, "month": month})
	d.Call("get_simulation_status", `{"wait_seconds":60}`).Want(map[string]any{"paused": true, "run_status": "paused", "month": month})
	d.Call("resume_simulation", `{}`).Want(map[string]any{"running": true})
	d.Call("pause_simulation", `{}`)
	d.Call("stop_simulation", `{}`).Want(map[string]any{"stopped": true})
	d.Refused("pause_simulation", `{}`, fault.InvalidState, "experiment_name")
	d.Refused("stop_simulation", `{}`, fault.InvalidState, "experiment_name")
	if e := d.Refused("resume_simulation", `{}`, fault.InvalidState, "experiment_name"); !strings.Contains(e.Hint, "start_simulation") {
		t.Error(e)
	}
}

// A thousand plans with long descriptions come page by page, each within an answer.
func TestLongPlan(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	long := strings.Repeat("\u2028", 1000) // six bytes each in JSON
	for k := range 120 {
		d.Call("inject_intervention", fmt.Sprintf(`{"intervention_type":"parameter_change","target_month":%d,"parameters":{"vat_rate":0.2},`+
			`"description":%q}`, k%12+1, long))
	}
	d.Run("x", "")
	cursor, seen := "", []string{}
	for {
		a := d.Call("list_pending_interventions", `{"include_done":true,"limit":200,"cursor":"`+cursor+`"}`).Want(map[string]any{"total": 120.0})
		seen = append(seen, states(a)...)
		if cursor = a.Text("next_cursor"); cursor == "" {
			break
		}
	}
	if len(seen) != 120 || seen[119] != "x/main/120 executed" {
		t.Errorf("%d rows, the last %q", len(seen), seen[len(seen)-1])
	}
}

// An experiment may be called planned: its interventions are told from those of the next
// start.
func TestAnExperimentCalledPlanned(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"planned","pause_at_month":2}`)
	d.Wait("planned", "paused")
	id := d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":9,`+
		`"parameters":{"vat_rate":0.2}}`).Text("intervention_id")
	d.Call("cancel_intervention", fmt.Sprintf(`{"intervention_id":%q}`, id)).Want(map[string]any{"intervention_id": id, "status": "cancelled"})
	next := d.PlanAhead(9)
	d.Call("cancel_intervention", fmt.Sprintf(`{"intervention_id":%q}`, next)).Want(map[string]any{"intervention_id": next,
		"status": "cancelled"})
}

// An experiment that its server left need not be gone on with to be ended.
func TestStopOfWhatWasInterrupted(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"left","months":6000,"pause_at_month":4}`)
	d.Wait("left", "paused")
	d.Close()
	d.Open()
	if _, err := d.Database().Exec("UPDATE experiment SET model_version = 'another'"); err != nil {
		t.Fatal(err)
	}
	if e := d.Refused("resume_simulation", `{"experiment_name":"left"}`, fault.InvalidState, "experiment_name"); !strings.Contains(
		e.Hint, "stop_simulation") {
		t.Error(e)
	}
	d.Call("stop_simulation", `{"experiment_name":"left"}`).Want(map[string]any{"stopped": true, "month": 4.0, "kept_months": 4.0})
	d.Wait("left", "stopped")
	d.Refused("stop_simulation", `{"experiment_name":"left"}`, fault.InvalidState, "experiment_name")
}

// A rule is switched on and off by two conditions with units; the list says in which months it was.
func TestRules(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	rule := `{"intervention_type":"policy","target_month":1,"parameters":{"policy":"stimulus","level":0.05},"when":%q,"until":%q}`
	for _, wrong := range [][4]string{
		{"unemployment_rate > 8", "unemployment_rate < 6%", "when", "8%"}, {"unemployment_rate > 8%", "unemployment_rate < 6", "until", "6%"},
		{"unemployment_rate > 8%", "unemployment_rate < 9%", "until", "overlap"}, {"", "unemployment_rate < 6%", "when", "switches it on"},
		{"cpi > 120%", "cpi < 110", "when", "index"},
	} {
		kind := fault.OutOfRange
		switch wrong[3] {
		case "overlap":
			kind = fault.Conflict
		case "switches it on":
			kind = fault.Required
		case "index":
			kind = fault.WrongType
		}
		if e := d.Refused("inject_intervention", fmt.Sprintf(rule, wrong[0], wrong[1]), kind, wrong[2]); !strings.Contains(e.Error(), wrong[3]) {
			t.Errorf("%v: %v", wrong, e)
		}
	}
	want(t, d.Call("list_pending_interventions", `{}`))
	d.Call("inject_intervention", fmt.Sprintf(rule, "month == 2 or month==7 and unemployment_rate>=0%", "month == 4")).
		Want(map[string]any{"warnings": []any{}})
	d.Call("inject_intervention", `{"intervention_type":"policy","target_month":1,"parameters":{"policy":"robot_tax","level":0.5}}`).
		Want(map[string]any{"warnings": []any{"policy robot_tax does nothing without an ai_adoption_rate above 0"}})
	d.Call("start_simulation", `{"experiment_name":"x","control":"baseline","months":9,"replications":2,"pause_at_month":4}`).
		Want(map[string]any{"warnings": []any{"arm treatment: policy robot_tax does nothing without an ai_adoption_rate above 0"}})
	d.Wait("x", "paused")
	d.Call("list_pending_interventions", `{"include_done":true}`).Want(map[string]any{
		"interventions.0.status": "active", "interventions.0.when": "month == 2 or month == 7 and unemployment_rate >= 0",
		"interventions.0.until": "month == 4", "interventions.0.months": "3–4", "interventions.0.executed_month": 3.0,
	})
	d.Call("inject_intervention", `{"intervention_type":"policy","target_month":8,"parameters":{"policy":"robot_tax","level":0.6}}`).
		Want(map[string]any{"warnings": []any{"policy robot_tax does nothing without an ai_adoption_rate above 0"}})
	d.Call("resume_simulation", `{}`)
	d.Wait("x", "completed")
	d.Call("list_pending_interventions", `{"include_done":true}`).Want(map[string]any{
		"interventions.0.status": "executed", "interventions.0.months": "3–4, 8–9", "interventions.0.replications_on": 2.0,
		"interventions.0.replications": 2.0, "interventions.0.months_on": 4.0, "interventions.1.months": "1–9",
	})
	e := d.Refused("start_simulation", `{"inquiry":{"arms":{"a":{"rules":[{"when":"inflation > 4","until":"inflation < 2%",`+
		`"do":{"policy":"stimulus","level":0.05}}]}}}}`, fault.WrongType, "inquiry.when")
	if !strings.Contains(e.Hint, "write 4%") {
		t.Error(e)
	}
}

package lab_test

import (
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

const asked = `"inquiry":{"background":{"set":{"num_households":600}},
	"arms":{"vat":{"events":[{"set":{"vat_rate":0.1},"from":1}]}},
	"outcomes":[{"metric":"real_consumption","window":[1,4]},{"metric":"deficit_to_gdp","window":[1,4]}],
	"design":{"months":4,"replications":1,"burn_in":6}},
	"factors":{"arms.vat.events[0].set.vat_rate":{"from":0.02,"to":0.25},"wage_adjustment_rate":{"from":0.05,"to":0.1}}`

func TestSweepTools(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Refused("get_sweep", `{}`, fault.NotFound, "sweep_name")
	d.Refused("run_sweep", `{}`, fault.Required, "inquiry")
	d.Refused("run_sweep", `{"sweep_name":"none"}`, fault.NotFound, "sweep_name")
	d.Refused("run_sweep", `{`+asked+`,"design":{"kind":"sobol","points":1000000000}}`, fault.LimitExceeded, "max_runs")
	d.Refused("run_sweep", `{`+asked+`,"design":{"kind":"sobel"}}`, fault.NotFound, "sobel")

	dry := d.Call("run_sweep", `{"dry_run":true,`+asked+`,"design":{"kind":"sobol_indices","points":8}}`)
	dry.Want(map[string]any{"run_status": "dry_run", "points": 32., "running": false})
	if dry.Number("eta_seconds") <= 0 {
		t.Errorf("a dry run that takes %v seconds", dry.At("eta_seconds"))
	}
	d.Refused("get_sweep", `{}`, fault.NotFound, "sweep_name")

	done := d.Call("run_sweep", `{"sweep_name":"vat","wait_seconds":60,`+asked+`,"design":{"kind":"sobol_indices","points":32}}`)
	done.Want(map[string]any{"sweep_name": "vat", "run_status": "completed", "points": 128., "kind": "sobol_indices", "error": ""})
	if len(done.List("outcomes")) != 2 {
		t.Errorf("outcomes %v", done.At("outcomes"))
	}
	d.Call("get_sweep", `{}`).Want(map[string]any{"sweep_name": "vat", "run_status": "completed"})

	found := d.Call("get_sensitivity", `{"metric":"real_consumption"}`)
	found.Want(map[string]any{"sweep_name": "vat", "count": 1.})
	if found.Text("outcomes.0.factors.0.factor") != "arms.vat.events[0].set.vat_rate" || found.At("outcomes.0.factors.0.matters") != true ||
		len(found.List("outcomes.0.factors")) != 2 {
		t.Errorf("factors %v", found.At("outcomes.0.factors"))
	}
	if len(found.List("outcomes.0.regions")) < 2 || !strings.Contains(found.Text("outcomes.0.regions.0.conditions.0"), "vat_rate <= 0.") {
		t.Errorf("a tax that is cut below and raised above its usual rate flips the sign: %v", found.At("outcomes.0.regions"))
	}
	d.Refused("get_sensitivity", `{"metric":"real_consumtion"}`, fault.NotFound, "metric")
	d.Refused("get_sensitivity", `{"sweep_name":"vta"}`, fault.NotFound, "sweep_name")
	d.Refused("run_sweep", `{"sweep_name":"vat","stop":true}`, fault.InvalidState, "sweep_name")
	d.Refused("run_sweep", `{"sweep_name":"vat",`+asked+`,"design":{"kind":"sobol","points":8}}`, fault.Conflict, "sweep_name")

	for _, link := range tools.SweepLinks("vat") {
		c, err := d.Resource(t.Context(), link.URI)
		if err != nil || c.MIMEType != link.MIMEType || len(c.Text) < 100 {
			t.Errorf("%s: %v, %.100q", link.URI, err, c.Text)
		}
	}
	for _, uri := range []string{tools.SweepsURI + "vat/runs", tools.SweepsURI + "../vat/points.csv", tools.SweepsURI + "vta/points.csv"} {
		if c, err := d.Resource(t.Context(), uri); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v, %.100q", uri, err, c.Text)
		}
	}

	// What runs when the server ends goes on when it is called again by its name.
	long := strings.NewReplacer(`"months":4`, `"months":200`, "[1,4]", "[1,100]").Replace(asked)
	d.Call("run_sweep", `{"sweep_name":"long",`+long+`,"design":{"kind":"sobol","points":64}}`).Want(map[string]any{"running": true})
	d.Close()
	d.Open()
	d.Call("get_sweep", `{"sweep_name":"long"}`).Want(map[string]any{"run_status": "interrupted", "running": false})
	d.Refused("get_sensitivity", `{"sweep_name":"long"}`, fault.InvalidState, "sweep_name")
	d.Call("run_sweep", `{"sweep_name":"long"}`).Want(map[string]any{"running": true})
	d.Call("run_sweep", `{"sweep_name":"long","stop":true}`).Want(map[string]any{"run_status": "stopped"})
}

// The toolset is offered beside the 39 where it is asked for.
func TestToolsetOnRequest(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	if _, err := d.Server(mcpserver.Config{Tools: d.Toolset("+lab")}); err != nil {
		t.Error(err)
	}
	if len(d.Toolset("+lab")) != 3 || d.Toolset("+none") != nil {
		t.Error("toolsets")
	}
}

package simulation_test

import (
	"fmt"
	"math"
	"testing"

	"econ-mcp/tools/toolstest"
)

func TestProbe(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.15}`)
	a := d.Run("x", `"control":"baseline","replications":3`)
	t.Log(string(a.JSON))
	for _, c := range []string{
		"get_simulation_status {}", "get_economic_indicators {}", "get_all_economic_indicators {}", "get_household_summary {}",
		`get_household_summary {"by":"income_decile"}`,
		`get_household_summary {"by":"family_size"}`, `get_household_summary {"by":"skill","month":5}`,
		"get_firm_summary {}", `get_firm_summary {"by":"industry"}`, `get_firm_summary {"by":"size"}`,
		`get_experiment_summary {"experiment_name":"x"}`, `get_monthly_statistics {"experiment_name":"x","stat_type":"household"}`,
		`get_monthly_statistics {"experiment_name":"x","stat_type":"firm"}`,
		`compare_experiments {"experiment_names":["x"]}`, `analyze_experiment {"experiment_name":"x"}`,
		`generate_experiment_report {"experiment_name":"x"}`, `generate_experiment_report {"experiment_name":"x","format":"html"}`,
		`generate_experiment_report {"experiment_name":"x","format":"json"}`,
		`generate_experiment_report {"experiment_name":"x","language":"zh"}`,
		`list_history_experiments {}`, `list_experiments {}`,
		`get_experiment_timeseries {"experiment_name":"x","metric":"cpi","aggregate":"all"}`,
	} {
		var tool, args string
		fmt.Sscanf(c, "%s %s", &tool, &args)
		a := d.Call(tool, c[len(tool)+1:])
		t.Logf("%s: %d bytes, links %d: %.150s", c, len(a.JSON), len(a.Links), a.JSON)
	}
	_ = math.Pi
	for _, f := range []string{"html", "json", "markdown"} {
		s, err := d.Lab.Report("x", f, "en")
		t.Log(f, len(s), err)
	}
}

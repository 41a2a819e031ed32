package toolstest_test

import (
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/report"
	"econ-mcp/tools/toolstest"
)

// What is said of a comparison and of an analysis leaves room in a model's window: no more than
// 6 kB, with all comparisons of the primary outcome, the others by size and a count of those that
// are left out. The whole is there on request.
func TestBriefAnswers(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run("usual", `"control":"baseline","replications":3,"months":36`)
	const background = `"background":{"set":{"num_households":500}},"design":{"months":36,"replications":3,"seed":7,"burn_in":3}`
	d.Call("start_simulation", `{"experiment_name":"three","wait_seconds":60,"inquiry":{"question":"What does the wage do?",`+background+`,
		"arms":{"vat_cut":{"events":[{"set":{"vat_rate":"3%"}}]},"wage":{"events":[{"set":{"minimum_wage":"60%"}}]}}}}`)
	d.Call("start_simulation", `{"experiment_name":"eight","wait_seconds":60,"inquiry":{"question":"What does the wage do?",`+background+`,
		"outcomes":[{"metric":"real_wage_mean"},{"metric":"unemployment_rate"},{"metric":"real_gdp"},{"metric":"debt_to_gdp"}],
		"arms":{"vat_cut":{"events":[{"set":{"vat_rate":"3%"}}]},
			"wage":{"doses":{"parameter":"minimum_wage","values":["50%","60%","70%","80%"]}}},
		"compare":["vat_cut - control","wage_0.5 - control","wage_0.6 - control","wage_0.7 - control","wage_0.8 - control",
			"wage_0.6 - wage_0.5","wage_0.7 - wage_0.6","vat_cut - wage_0.6"]}}`)
	for _, c := range []struct {
		name    string
		primary string
		rows    int // of the primary outcome
	}{{"usual", "real_gdp", 1}, {"three", "", 4}, {"eight", "real_wage_mean", 16}} {
		whole := d.Call("compare_experiments", fmt.Sprintf(`{"experiment_names":[%q],"detail":"full"}`, c.name))
		brief := d.Call("compare_experiments", fmt.Sprintf(`{"experiment_names":[%q]}`, c.name))
		if len(brief.JSON) > report.BriefBytes {
			t.Errorf("the comparison of %s has %d bytes", c.name, len(brief.JSON))
		}
		told, all := brief.List("rows"), whole.List("rows")
		if n := int(brief.Number("rows_left_out")); len(told)+n != len(all) {
			t.Errorf("%s: %d rows of %d, %d left out", c.name, len(told), len(all), n)
		}
		n := 0
		for k := range all {
			if brief.Text("rows.0.metric") == whole.Text(fmt.Sprintf("rows.%d.metric", k)) {
				n++
			}
		}
		for k := range n {
			at := fmt.Sprintf("rows.%d.", k)
			for _, same := range []string{"metric", "arm", "from_month", "to_month", "verdict"} {
				if brief.At(at+same) != whole.At(at+same) && len(all) == n {
					t.Errorf("%s: %s%s is %v, in full %v", c.name, at, same, brief.At(at+same), whole.At(at+same))
				}
			}
			if brief.Text(at+"metric") != brief.Text("rows.0.metric") {
				t.Errorf("%s: row %d is not of the primary outcome", c.name, k)
			}
		}
		if n != c.rows || c.primary != "" && brief.Text("rows.0.metric") != c.primary {
			t.Errorf("%s: %d rows of %s, want %d of %s", c.name, n, brief.Text("rows.0.metric"), c.rows, c.primary)
		}
		paths := brief.List("dynamic_effects")
		if len(paths) == 0 || len(brief.List("dynamic_effects.0.months")) != 12 || brief.Number("dynamic_effects.0.months.11") != 36 {
			t.Errorf("%s: paths %v", c.name, paths)
		}
		analysis := d.Call("analyze_experiment", fmt.Sprintf(`{"experiment_name":%q}`, c.name))
		if len(analysis.JSON) > report.BriefBytes {
			t.Errorf("the analysis of %s has %d bytes", c.name, len(analysis.JSON))
		}
		stored := d.Call("get_analysis_result", fmt.Sprintf(`{"experiment_name":%q,"part":"effects"}`, c.name))
		if n := int(analysis.Number("effects_left_out")); len(analysis.List("treatment_effects"))+n != len(stored.List("table.rows")) {
			t.Errorf("%s: %d effects are said to be left out", c.name, n)
		}
		if text := analysis.Text("conclusion"); text == "" || text != stored.Text("conclusion") {
			t.Errorf("%s concludes %q, stored %q", c.name, text, stored.Text("conclusion"))
		}
		t.Logf("%s: comparison %d bytes with %d of %d rows and %d paths, full %d; analysis %d bytes with %d effects, without %v, full %d", c.name,
			len(brief.JSON), len(told), len(all), len(paths), len(whole.JSON), len(analysis.JSON), len(analysis.List("treatment_effects")),
			analysis.List("left_out"), len(stored.JSON))
	}
	table := d.Call("compare_experiments", `{"experiment_names":["three"],"format":"markdown"}`)
	if len(table.List("rows")) != 0 || !strings.Contains(table.Text("text"), "| ") {
		t.Errorf("as Markdown: %.300s", table.JSON)
	}
	if text := d.Call("analyze_experiment", `{"experiment_name":"three","language":"zh"}`).Text("conclusion"); !strings.Contains(text, "相比") {
		t.Errorf("in Chinese %q", text)
	}
}

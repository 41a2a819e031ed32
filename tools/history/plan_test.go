package history_test

import (
	"context"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// What start_simulation was told decides what compare_experiments and analyze_experiment
// say: outcomes, window, test, direction and smallest effect.
func TestComparedByThePlan(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	controlled(d, "x", `"replications":6,"plan":{"outcomes":["cpi","firms"],"window":[3,12],"family":"permutation",`+
		`"direction":"lower","smallest_effect":0.5}`)
	want := map[string]any{
		"from_month": 3.0, "to_month": 12.0,
		"rows.0.metric": "cpi", "rows.0.test": "sign-flip permutation", "rows.0.smallest_effect": .5, "rows.0.verdict": "contradicted",
		"rows.0.exploratory": nil, "rows.1.metric": "firms", "rows.1.exploratory": nil,
		"rows.2": nil, "asked": 0.0,
	}
	d.Call("compare_experiments", `{"experiment_names":["x"],"detail":"full"}`).Want(want)
	d.Call("analyze_experiment", `{"experiment_name":"x"}`).Want(map[string]any{
		"from_month": 3.0, "to_month": 12.0, "treatment_effects.0.metric": "cpi", "treatment_effects.0.verdict": "contradicted",
		"treatment_effects.2": nil,
	})

	eve := tools.Call{Caller: access.Caller{Principal: "eve", Role: access.ReadOnly}}
	// What was not planned is said to be exploratory, under the caller's name.
	for n, arguments := range []string{`"metrics":["imports"]`, `"window":[4,12],"metrics":["cpi"]`, `"test":"t","metrics":["cpi"]`,
		`"test":"t","metrics":["cpi"]`} {
		d.CallAs(eve, "compare_experiments", `{"experiment_names":["x"],`+arguments+`}`).
			Want(map[string]any{"rows.0.exploratory": true, "asked": float64(min(n+1, 3))})
	}
	all, err := d.Store.Ask(context.Background(), []string{"x"}, nil, "")
	if err != nil || len(all) != 3 || all[0].By != "eve" {
		t.Errorf("counted %+v, %v", all, err)
	}
	want["asked_by_others"], want["rows.0.verdict"] = 3.0, "inconclusive"
	d.Call("compare_experiments", `{"experiment_names":["x"],"adjustment":"holm","detail":"full"}`).Want(want)
}

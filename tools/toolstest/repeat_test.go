package toolstest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

// Another agent repeats an experiment with what the tools say of it, in a folder that knows neither
// its config nor its preset: the same bits.
func TestAnotherAgentRepeats(t *testing.T) {
	first, second := toolstest.New(t, toolstest.Settings{}), toolstest.New(t, toolstest.Settings{})
	first.Call("start_simulation", `{"experiment_name":"asked","wait_seconds":60,"inquiry":{"question":"最低工资有何影响？",
		"background":{"set":{"num_households":500},"events":[{"shock":"demand","size":-0.1}]},
		"arms":{"wage":{"events":[{"set":{"minimum_wage":"60%"},"from":2}]},"vat_cut":{"set":{"vat_rate":"3%"}}},
		"outcomes":[{"metric":"real_wage_mean","window":[2,6],"smallest_effect":"1%"}],
		"design":{"months":6,"replications":2,"seed":7,"burn_in":3}}}`).Want(map[string]any{"arms": []any{"control", "wage", "vat_cut"}})
	summary := first.Call("get_experiment_summary", `{"experiment_name":"asked"}`)
	inquiry := members(t, summary, "inquiry")
	if resource := read(t, first, "econ://experiments/asked/inquiry"); resource != inquiry {
		t.Errorf("the resource is %s, the tool says %s", resource, inquiry)
	}
	again := second.Call("start_simulation", `{"experiment_name":"again","wait_seconds":60,"inquiry":`+inquiry+`}`)
	if text := again.Text("read_back"); !strings.Contains(text, "wage") || !strings.Contains(text, "个月") {
		t.Errorf("understood in the language of the question: %s", text)
	}
	if again.At("plan_hash") == "" {
		t.Error("no hash of the plan")
	}
	same(t, first, "asked", second, "again")

	// One that was set by hand is its scenarios, which are the same thing whatever presets are called there.
	first.Call("batch_set_parameters", `{"parameters":{"vat_rate":0.2,"income_smoothing":0.5}}`)
	first.PlanAhead(3)
	first.Call("save_preset", `{"name":"ours","parameters":{"tariff_rate":0.3,"enable_trade":true}}`)
	first.Run("set", `"control":"ours","replications":2,"months":6`)
	first.Refused("get_experiment_summary", `{"experiment_name":"set","scenario":true}`, fault.UnknownParameter, "scenario")
	summary = first.Call("get_experiment_summary", `{"experiment_name":"set","scenarios":true}`).Want(map[string]any{"inquiry": nil})
	arms := members(t, summary, "scenarios")
	if len(arms) > 2_000 {
		t.Errorf("two scenarios have %d bytes", len(arms))
	}
	for k, arm := range []string{"control", "treatment"} {
		if name := summary.Text(fmt.Sprintf("scenarios.%d.name", k)); name != arm {
			t.Errorf("arm %d is %s, want %s", k, name, arm)
		}
	}
	second.Call("start_simulation", `{"name":"set_again","wait_seconds":60,"replications":2,"arms":`+arms+`}`).Want(map[string]any{
		"arms": []any{"control", "treatment"}, "months": 6.0, "interventions_taken": []any{}})
	same(t, first, "set", second, "set_again")
	whole, err := json.Marshal([]map[string]string{
		{"name": "control", "scenario": read(t, first, "econ://experiments/set/scenario/control")},
		{"name": "treatment", "scenario": read(t, first, "econ://experiments/set/scenario/treatment")},
	})
	if err != nil {
		t.Fatal(err)
	}
	second.Call("start_simulation", `{"name":"read","wait_seconds":60,"replications":2,"arms":`+string(whole)+`}`)
	same(t, first, "set", second, "read")

	// Wrong ones say where they are wrong, and begin nothing.
	for arguments, want := range map[string]struct {
		kind  fault.Kind
		field string
	}{
		`{"arms":` + arms + `,"control":"baseline"}`:                                            {fault.Conflict, "control"},
		`{"arms":` + arms + `,"inquiry":` + inquiry + `}`:                                       {fault.Conflict, "arms"},
		`{"arms":[{"name":"a","scenario":"parameters: {vat_rat: 3}"}]}`:                         {fault.UnknownParameter, "arms[0].scenario"},
		`{"arms":[{"name":"a","scenario":"a: ["}]}`:                                             {fault.WrongType, "arms[0].scenario"},
		`{"arms":[{"name":"a","scenario":"parameters: {}"},{"name":"a","scenario":"name: b"}]}`: {fault.Conflict, "arms[1].name"},
		`{"arms":[]}`: {fault.OutOfRange, "arms"},
	} {
		second.Refused("start_simulation", arguments, want.kind, want.field)
	}
	if n := len(second.Call("list_history_experiments", `{}`).List("experiments")); n != 3 {
		t.Errorf("%d experiments", n)
	}
}

// members is a member of an answer as JSON, in the order in which it stands there.
func members(t *testing.T, a toolstest.Answer, name string) string {
	t.Helper()
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(a.JSON, &whole); err != nil || len(whole[name]) == 0 {
		t.Fatalf("no %s in %.500s: %v", name, a.JSON, err)
	}
	return string(whole[name])
}

func read(t *testing.T, d *toolstest.Harness, uri string) string {
	t.Helper()
	content, err := d.Resource(context.Background(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return content.Text
}

// same wants the final states of all runs of two experiments to have the same bits.
func same(t *testing.T, a *toolstest.Harness, first string, b *toolstest.Harness, second string) {
	t.Helper()
	x, err := a.Store.Experiment(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Store.Experiment(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Runs) != len(y.Runs) || len(x.Arms) != len(y.Arms) {
		t.Fatalf("%d runs of %d arms, %d of %d", len(x.Runs), len(x.Arms), len(y.Runs), len(y.Arms))
	}
	for k := range x.Arms {
		if x.Arms[k].Hash != y.Arms[k].Hash || x.Arms[k].Name != y.Arms[k].Name {
			t.Errorf("arm %s has the hash %s, again as %s %s", x.Arms[k].Name, x.Arms[k].Hash, y.Arms[k].Name, y.Arms[k].Hash)
		}
	}
	for k := range x.Runs {
		if x.Runs[k].StateHash == "" || x.Runs[k].StateHash != y.Runs[k].StateHash {
			t.Errorf("run %d ends in %s, again in %s", k, x.Runs[k].StateHash, y.Runs[k].StateHash)
		}
	}
}

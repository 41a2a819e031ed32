package analysis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

var zone = time.FixedZone("", 8*3600)

func now() time.Time { return time.Date(2026, 3, 1, 4, 30, 0, 123456789, zone) }

// Capturing marks an experiment as research; capturing again updates what is given and
// keeps the rest, and the analyses.
func TestCapture(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{Now: now})
	d.Run("x", `"question":"first?"`)
	d.Run("y", "")
	d.Call("list_experiments", `{}`).Want(map[string]any{"total": 0.0})
	d.Call("capture_experiment", `{"experiment_name":"x"}`).Want(map[string]any{
		"success": true, "experiment_name": "x", "status": "completed", "question": "first?", "hypothesis": "", "tags": []any{},
		"captured_at": "2026-02-28T20:30:00Z"})
	d.Call("capture_experiment", `{"experiment_name":"x","status":"running","question":"second?","hypothesis":"Up.",`+
		`"expected_outcome":"More.","tags":["b","a"],"notes":"n"}`)
	d.Call("analyze_experiment", `{"experiment_name":"x"}`)
	d.Call("capture_experiment", `{"experiment_name":"x","hypothesis":""}`).Want(map[string]any{
		"status": "completed", "question": "second?", "hypothesis": "", "expected_outcome": "More.", "tags": []any{"b", "a"}})
	d.Call("capture_experiment", `{"experiment_name":"x","tags":[]}`).Want(map[string]any{"tags": []any{}})
	d.Call("capture_experiment", `{"experiment_name":"x","tags":["c","c"]}`)
	d.Call("get_analysis_result", `{"experiment_name":"x"}`).Want(map[string]any{"version": 1.0})
	d.Call("capture_experiment", `{"experiment_name":"y","status":"pending"}`)
	d.Call("update_experiment_status", `{"experiment_name":"y","status":"archived"}`).Want(map[string]any{"success": true,
		"status": "archived", "previous_status": "pending"})
	d.Call("list_experiments", `{}`).Want(map[string]any{
		"total": 2.0, "experiments.0.experiment_name": "y", "experiments.0.analysis_status": "not_analyzed", "experiments.0.status": "archived",
		"experiments.1.experiment_name": "x", "experiments.1.analysis_status": "analyzed", "experiments.1.question": "second?",
		"experiments.1.tags":        []any{"c"},
		"experiments.1.captured_at": "2026-02-28T20:30:00Z", "experiments.1.created_time": "2026-02-28T20:30:00Z",
	})
	d.Call("list_experiments", `{"tag":"c"}`).Want(map[string]any{"total": 1.0, "experiments.0.experiment_name": "x"})
	d.Call("list_experiments", `{"status":"archived"}`).Want(map[string]any{"total": 1.0, "experiments.0.experiment_name": "y"})
	d.Call("list_experiments", `{"status":"failed"}`).Want(map[string]any{"total": 0.0})
	page := d.Call("list_experiments", `{"limit":1}`)
	d.Call(
		"list_experiments", `{"limit":1,"cursor":"`+page.Text("next_cursor")+`"}`,
	).Want(map[string]any{"experiments.0.experiment_name": "x", "next_cursor": ""})

	// The longest texts are kept whole, and the answer stays short.
	long := strings.Repeat("<", 4000)
	tags := strings.Repeat(`"`+strings.Repeat("<", 98)+`%d",`, 50)
	args := make([]any, 50)
	for k := range args {
		args[k] = k % 10
	}
	arguments, err := json.Marshal(map[string]any{"experiment_name": "y", "question": long, "hypothesis": long, "expected_outcome": long,
		"notes": strings.Repeat("<", 20_000),
		"tags":  json.RawMessage("[" + strings.TrimSuffix(fmt.Sprintf(tags, args...), ",") + "]")})
	if err != nil {
		t.Fatal(err)
	}
	d.Call("capture_experiment", string(arguments))
	x, err := d.Store.Experiment(context.Background(), "y")
	if err != nil || x.Captured.Question != long || len(x.Captured.Notes) != 20_000 {
		t.Errorf("question of %d bytes, notes of %d, %v", len(x.Captured.Question), len(x.Captured.Notes), err)
	}
}

// What is analysed is stored, version by version, and comes back as it was answered, with
// absent numbers absent, in another process too.
func TestAnalysesAreKept(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{Now: now})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run("one", "")
	d.Run("two", `"control":"baseline","replications":3`)
	d.Refused("get_analysis_result", `{"experiment_name":"two"}`, fault.InvalidState, "experiment_name")
	calls := []string{
		`{"experiment_name":"two"}`,
		`{"experiment_name":"two","include_innovation":false,"window":[2,9],"confidence":0.9}`,
		`{"experiment_name":"two","innovation_types":["price","margin"]}`,
	}
	var answers []toolstest.Answer
	for k, arguments := range calls {
		a := d.Call("analyze_experiment", arguments).Want(map[string]any{"version": float64(k + 1), "analyzed_at": "2026-02-28T20:30:00Z",
			"code_version": "test"})
		answers = append(answers, a)
	}
	single := d.Call("analyze_experiment", `{"experiment_name":"one"}`).Want(map[string]any{
		"version": 1.0, "control": "", "treatment_effects": []any{}, "macro_metrics.gdp.control": nil, "macro_metrics.gdp.ci_low": nil,
		"replications": 1.0})
	check := func() {
		t.Helper()
		for k, want := range answers {
			got := d.Call("get_analysis_result", fmt.Sprintf(`{"experiment_name":"two","version":%d}`, k+1))
			if string(got.JSON) != string(want.JSON) {
				t.Errorf("version %d comes back otherwise:\n%.600s\n%.600s", k+1, got.JSON, want.JSON)
			}
		}
		last := d.Call("get_analysis_result", `{"experiment_name":"two"}`)
		if !reflect.DeepEqual(last.Members, answers[2].Members) {
			t.Error("the last is not the last")
		}
		if got := d.Call("get_analysis_result", `{"experiment_name":"one"}`); string(got.JSON) != string(single.JSON) {
			t.Errorf("one arm comes back otherwise:\n%s\n%s", got.JSON, single.JSON)
		}
	}
	check()
	d.Close()
	d.Open()
	check()

	answers[0].Want(map[string]any{
		"experiment_name": "two", "arm": "treatment", "control": "control", "from_month": 7.0, "to_month": 12.0, "replications": 3.0,
		"settings": map[string]any{"include_innovation": true, "innovation_types": []any{}, "window": []any{7.0, 12.0}, "confidence": .95},
	})
	answers[1].Want(map[string]any{"innovation_metrics": nil, "from_month": 2.0, "to_month": 9.0, "confidence": .9})
	if n := len(answers[2].At("innovation_metrics.events_by_kind").(map[string]any)); n != 2 {
		t.Errorf("%d kinds of innovation", n)
	}
	if rows := answers[0].List("distribution_effects.rows"); len(rows) != 10+10+2+3 {
		t.Errorf("%d groups", len(rows))
	}

	// Its numbers are those of the other tools.
	compared := d.Call("compare_experiments", `{"experiment_names":["two"]}`)
	if !reflect.DeepEqual(compared.At("rows"), answers[0].At("treatment_effects")) {
		t.Error("treatment effects are not those of the comparison")
	}
	for metric, path := range map[string]string{"real_gdp": "macro_metrics.real_gdp", "unemployment_rate": "macro_metrics.unemployment",
		"income_gini": "consumer_metrics.income_gini", "hhi": "micro_metrics.hhi"} {
		for k := range compared.List("rows") {
			row := fmt.Sprintf("rows.%d.", k)
			if compared.At(row+"metric") != metric {
				continue
			}
			for member, column := range map[string]string{"value": "treatment", "control": "control"} {
				got, want := answers[0].Number(path+"."+member), compared.Number(row+column)
				if d := got - want; d > 1e-9*want || d < -1e-9*want {
					t.Errorf("%s.%s = %g, %g in the comparison", path, member, got, want)
				}
			}
		}
	}
	events := answers[0].Number("innovation_metrics.total_innovation_events")
	series := d.Call("get_experiment_timeseries", `{"experiment_name":"two","metric":"innovation_events"}`)
	sum := 0.0
	for m := range 12 {
		sum += series.Number(fmt.Sprintf("data.%d", m))
	}
	if d := events - sum; d > 1e-9 || d < -1e-9 {
		t.Errorf("%g innovations, %g in the series", events, sum)
	}
}

// An experiment that is under way can be captured and analysed as far as it is.
func TestAnalysisOnTheWay(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"x","replications":2,"pause_at_month":6}`)
	d.Wait("x", "paused")
	d.Call("capture_experiment", `{"experiment_name":"x","status":"running"}`)
	d.Call("analyze_experiment", `{"experiment_name":"x"}`).Want(map[string]any{"from_month": 4.0, "to_month": 6.0})
	d.Refused("analyze_experiment", `{"experiment_name":"x","window":[4,7]}`, fault.OutOfRange, "window")
	d.Call("get_experiment_summary", `{"experiment_name":"x"}`).Want(map[string]any{"total_months": 6.0, "planned_months": 12.0,
		"run_status": "paused"})
}

package analysis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
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

// part are the rows of a table of an analysis.
func part(d *toolstest.Harness, version int, name string) (rows []map[string]any) {
	a := d.Call("get_analysis_result", fmt.Sprintf(`{"experiment_name":"two","version":%d,"part":%q}`, version, name))
	for _, cells := range a.List("table.rows") {
		row := map[string]any{}
		for k, cell := range cells.([]any) {
			row[a.Text(fmt.Sprintf("table.columns.%d", k))] = cell
		}
		rows = append(rows, row)
	}
	return rows
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
	var answers, briefs []toolstest.Answer
	for k, arguments := range calls {
		a := d.Call("analyze_experiment", arguments).Want(map[string]any{"version": float64(k + 1), "analyzed_at": "2026-02-28T20:30:00Z"})
		whole := d.Call("get_analysis_result", `{"experiment_name":"two"}`).Want(map[string]any{"code_version": "test"})
		if whole.Text("conclusion") != a.Text("conclusion") {
			t.Errorf("%s concludes %s, stored %s", arguments, a.Text("conclusion"), whole.Text("conclusion"))
		}
		answers, briefs = append(answers, whole), append(briefs, a)
	}
	d.Call("analyze_experiment", `{"experiment_name":"one"}`)
	single := d.Call("get_analysis_result", `{"experiment_name":"one"}`).Want(map[string]any{
		"version": 1.0, "control": "", "treatment_effects": []any{},
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
	if n := len(part(d, 3, "innovation")); n != 2 {
		t.Errorf("%d kinds of innovation", n)
	}
	if n := len(part(d, 2, "innovation")) + len(part(d, 2, "market_share")); n != 0 {
		t.Errorf("%d rows of innovation where none was asked for", n)
	}
	if n := len(part(d, 1, "groups")); n != 10+10+2+3 {
		t.Errorf("%d groups", n)
	}
	for _, p := range []string{"budget", "power", "consumer", "macro", "micro"} {
		if len(part(d, 1, p)) == 0 {
			t.Errorf("no %s", p)
		}
	}

	// Its numbers are those of the other tools.
	compared := d.Call("compare_experiments", `{"experiment_names":["two"],"detail":"full"}`)
	effects := part(d, 1, "effects")
	if len(effects) != 14 || len(compared.List("rows")) != 14 {
		t.Errorf("%d effects, %d rows of the comparison", len(effects), len(compared.List("rows")))
	}
	for k, row := range effects {
		for name, want := range compared.At(fmt.Sprintf("rows.%d", k)).(map[string]any) {
			if !reflect.DeepEqual(row[name], want) {
				t.Errorf("effect %d: %s is %v, %v in the comparison", k, name, row[name], want)
			}
		}
	}
	for metric, at := range map[string][2]string{"real_gdp": {"macro", "real_gdp"}, "unemployment_rate": {"macro", "unemployment"},
		"income_gini": {"consumer", "income_gini"}, "hhi": {"micro", "hhi"}} {
		rows := part(d, 1, at[0])
		k := slices.IndexFunc(rows, func(row map[string]any) bool { return row["metric"] == at[1] })
		brief := briefs[0].Number(at[0] + "_metrics." + at[1] + ".value")
		for _, effect := range effects {
			if effect["metric"] != metric {
				continue
			}
			for member, column := range map[string]string{"value": "treatment", "control": "control"} {
				got, want := rows[k][member].(float64), effect[column].(float64)
				if d := got - want; d > 1e-9*want || d < -1e-9*want {
					t.Errorf("%s of %s = %g, %g in the comparison", member, metric, got, want)
				}
			}
			if d := brief/rows[k]["value"].(float64) - 1; d > 5e-4 || d < -5e-4 {
				t.Errorf("%s is %g in brief, %v", metric, brief, rows[k]["value"])
			}
		}
	}
	events := briefs[0].Number("innovation_metrics.total_innovation_events")
	series := d.Call("get_experiment_timeseries", `{"experiment_name":"two","metric":"innovation_events"}`)
	sum := 0.0
	for m := range 12 {
		sum += series.Number(fmt.Sprintf("data.%d", m))
	}
	if d := events/sum - 1; d > 5e-4 || d < -5e-4 { // four digits
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

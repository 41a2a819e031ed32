package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
)

// small is an inquiry that takes a second: two arms, two outcomes, an event in the middle.
const small = `
question: Who pays for a VAT rise?
background: {set: {num_households: 500}}
arms: {vat: {events: [{set: {vat_rate: 12%}, from: 3}]}}
outcomes: [{metric: real_consumption, window: [3, 12]}, {metric: unemployment_rate, window: [3, 12]}]
design: {months: 12, replications: 3, burn_in: 12}
`

// mustExperiment runs an inquiry to its end, under a name.
func (o *opened) mustExperiment(t testing.TB, name, text string) {
	t.Helper()
	q, err := inquiry.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := o.app.Lab.Inquire(q, name, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Ask(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	if s, err := o.app.Lab.Wait(t.Context(), name, func(lab.Status) {}); err != nil || s.State != "completed" {
		t.Fatalf("%s: %s, %v", name, s.State, err)
	}
}

// long is an inquiry that does not end while it is steered.
const long = `{"arms":{"vat":{"events":[{"set":{"vat_rate":0.12},"from":3}]}},"outcomes":[{"metric":"real_gdp"}],` +
	`"background":{"set":{"num_households":2000}},"design":{"months":600,"replications":1,"burn_in":12}}`

// calls are good calls of each operation, in this order, after an experiment "vat" has ended. Those that name an error are refused with it; one
// that waits is repeated until its answer holds a text.
var calls = []struct{ operation, path, body, refused, until string }{
	{operation: "who_am_i", path: "/session"},
	{operation: "sign_in", path: "/session", body: `{"code":"wrong"}`, refused: "forbidden"},
	{operation: "sign_out", path: "/session/end", body: `{}`},
	{operation: "list_experiments", path: "/experiments?limit=5"},
	{operation: "list_experiments", path: "/experiments?limit=0", refused: "out_of_range"},
	{operation: "list_experiments", path: "/experiments?serch=x", refused: "unknown_parameter"},
	{operation: "read_question", path: "/ask/read", body: `{"question":"What happens to unemployment if VAT rises from 8% to 15%?"}`},
	{operation: "read_question", path: "/ask/read", body: `{"question":"What happens if taxes rise?"}`},
	{operation: "read_question", path: "/ask/read", body: `{"question":"Who wins the world cup?"}`},
	{operation: "read_question", path: "/ask/read", body: `{"question":"VAT","months":0}`, refused: "out_of_range"},
	{operation: "plan_inquiry", path: "/ask/plan", body: `{"inquiry":` + long + `}`},
	{operation: "plan_inquiry", path: "/ask/plan", body: `{"inquiry":{"arms":{"x":{"events":[{"set":{"vat":0.1}}]}}}}`, refused: "unknown_parameter"},
	{operation: "start_experiment", path: "/experiments", body: `{"experiment_name":"run","inquiry":` + long + `}`},
	{operation: "start_experiment", path: "/experiments", body: `{"experiment_name":"vat","inquiry":` + long + `}`, refused: "conflict"},
	{operation: "pause_experiment", path: "/experiments/run/pause", body: `{}`},
	{operation: "experiment_state", path: "/experiments/run/state", until: `"paused"`},
	{operation: "step_experiment", path: "/experiments/run/step", body: `{}`},
	{operation: "experiment_state", path: "/experiments/run/state", until: `"paused"`},
	{operation: "list_levers", path: "/experiments/run/levers?language=zh"},
	{operation: "inject_intervention", path: "/experiments/run/interventions",
		body: `{"arm":"vat","intervention_type":"parameter_change","parameters":{"vat_rate":0.2},"target_month":590}`},
	{operation: "list_interventions", path: "/experiments/run/interventions"},
	{operation: "get_experiment_changes", path: "/experiments/run/changes"},
	{operation: "cancel_intervention", path: "/experiments/run/interventions/vat/2/cancel", body: `{}`},
	{operation: "resume_experiment", path: "/experiments/run/resume", body: `{"pause_at_month":599}`},
	{operation: "stop_experiment", path: "/experiments/run/stop", body: `{}`},
	{operation: "experiment_state", path: "/experiments/run/state", until: `"stopped"`},
	{operation: "experiment_state", path: "/experiments/nowhere/state", refused: "not_found"},
	{operation: "follow_experiment", path: "/experiments/vat/events"},
	{operation: "get_experiment", path: "/experiments/vat?language=zh"},
	{operation: "get_experiment", path: "/experiments/vta", refused: "not_found"},
	{operation: "get_experiment_answer", path: "/experiments/vat/answer"},
	{operation: "get_experiment_effects", path: "/experiments/vat/effects"},
	{operation: "get_experiment_effects", path: "/experiments/vat/effects?metrics=real_gdp&window=4,9"},
	{operation: "get_experiment_effects", path: "/experiments/vat/effects?window=9,99", refused: "out_of_range"},
	{operation: "get_experiment_path", path: "/experiments/vat/path?metric=real_gdp"},
	{operation: "get_experiment_path", path: "/experiments/vat/path?metric=gdp", refused: "not_found"},
	{operation: "get_experiment_gains", path: "/experiments/vat/gains"},
	{operation: "get_experiment_budget", path: "/experiments/vat/budget"},
	{operation: "get_experiment_firms", path: "/experiments/vat/firms?by=size"},
	{operation: "get_experiment_scenarios", path: "/experiments/vat/scenarios"},
	{operation: "get_experiment_provenance", path: "/experiments/vat/provenance"},
	{operation: "list_experiment_files", path: "/experiments/vat/files"},
	{operation: "get_analysis_json", path: "/experiments/vat/files/analysis.json"},
	{operation: "get_inquiry_yaml", path: "/experiments/vat/files/inquiry.yaml"},
	{operation: "get_package_zip", path: "/experiments/vat/files/package.zip"},
	{operation: "get_plan_json", path: "/experiments/vat/files/plan.json"},
	{operation: "get_report_html", path: "/experiments/vat/files/report.html?language=zh"},
	{operation: "get_report_json", path: "/experiments/vat/files/report.json"},
	{operation: "get_report_md", path: "/experiments/vat/files/report.md"},
	{operation: "get_results_csv", path: "/experiments/vat/files/results.csv"},
	{operation: "get_results_parquet", path: "/experiments/vat/files/results.parquet"},
	{operation: "get_scenario_yaml", path: "/experiments/vat/files/scenarios/vat"},
	{operation: "get_scenario_yaml", path: "/experiments/vat/files/scenarios/tav", refused: "not_found"},
	{operation: "get_summary_json", path: "/experiments/vat/files/summary.json"},
	{operation: "get_timeseries_csv", path: "/experiments/vat/files/timeseries.csv"},
	{operation: "list_experiments", path: "/experiments?sort=name&run_status=completed"},
	{operation: "list_headlines", path: "/headlines?experiment_names=vat,none&language=zh"},
	{operation: "list_headlines", path: "/headlines", refused: "required"},
	{operation: "list_indicators", path: "/indicators?language=zh"},
	{operation: "get_series", path: "/experiments/vat/series?metric=real_gdp"},
	{operation: "get_series", path: "/experiments/vat/series?metric=gdp", refused: "not_found"},
	{operation: "list_figures", path: "/experiments/vat/figures"},
	{operation: "get_figure", path: "/experiments/vat/figures/effects"},
	{operation: "get_figure", path: "/experiments/vat/figures/nothing", refused: "not_found"},
	{operation: "compare_experiments", path: "/compare?experiment=vat"},
	{operation: "compare_experiments", path: "/compare?experiment=nowhere", refused: "not_found"},
	{operation: "compare_series", path: "/compare/series?experiment=vat&metric=cpi"},
	{operation: "describe_model", path: "/model"},
	{operation: "search_model", path: "/model/parameters?search=vat"},
	{operation: "read_model_section", path: "/model/sections/7.3"},
	{operation: "read_model_section", path: "/model/sections/nothing", refused: "not_found"},
	{operation: "read_books", path: "/model/books?experiment_name=vat"},
	{operation: "read_books", path: "/model/books?experiment_name=vat&month=13", refused: "out_of_range"},
	{operation: "list_sweeps", path: "/sweeps"},
	{operation: "read_sweep", path: "/sweeps/nowhere", refused: "not_found"},
	{operation: "read_question", path: "/ask/read", body: `{"question":"Raise VAT to 12%","households":500,"language":"zh"}`},
	{operation: "read_question", path: "/ask/read", body: `{"question":" "}`, refused: "required"},
	{operation: "plan_inquiry", path: "/ask/plan", body: `{"inquiry":{"arms":{"vat":{"set":{"vat_rate":0.12}}}}}`},
	{operation: "plan_inquiry", path: "/ask/plan", body: `{"inquiry":{"arms":{"vat":{"set":{"vat_rate":2}}}}}`, refused: "out_of_range"},
	{
		operation: "start_experiment", path: "/experiments",
		body: `{"inquiry":{"background":{"set":{"num_households":500}},"design":{"months":3,"burn_in":1,"replications":1}},
			"experiment_name":"one"}`,
	},
	{operation: "get_figure", path: "/experiments/vat/figures/effects?language=zh"},
	{operation: "get_figure", path: "/experiments/vat/figures/none", refused: "not_found"},
	{operation: "compare_experiments", path: "/compare?experiment=vat&metrics=real_gdp&window=1,6&language=zh"},
	{operation: "compare_experiments", path: "/compare?experiment=vat,vat", refused: "conflict"},
	{operation: "compare_series", path: "/compare/series?experiment=vat&metric=unemployment_rate"},
	{operation: "read_sweep", path: "/sweeps/vat"},
	{operation: "read_sweep", path: "/sweeps/vta", refused: "not_found"},
	{operation: "read_sensitivity", path: "/sweeps/vat/sensitivity?metric=inflation"},
	{operation: "read_points", path: "/sweeps/vat/points"},
	{operation: "read_points", path: "/sweeps/vat/points?outcome=9", refused: "out_of_range"},
	{operation: "read_map", path: "/sweeps/vat/map?x=consumption_habit"},
	{operation: "list_sweep_figures", path: "/sweeps/vat/figures"},
	{operation: "read_sweep_figure", path: "/sweeps/vat/figures/inflation-1-4-vat-tornado"},
	{operation: "read_sweep_file", path: "/sweeps/vat/files/points.csv"},
	{operation: "plan_sweep", path: "/sweeps/plan", body: sweepBody},
	{operation: "run_sweep", path: "/sweeps", body: sweepBody},
	{operation: "resume_sweep", path: "/sweeps/vat/resume", body: `{}`},
	{operation: "stop_sweep", path: "/sweeps/vat/stop", body: `{}`, refused: "invalid_state"},
	{operation: "get_experiment", path: "/experiments/vatt", refused: "not_found"},
	{operation: "get_experiment_effects", path: "/experiments/vat/effects?window=1,6&metrics=real_gdp&language=zh"},
	{operation: "get_experiment_effects", path: "/experiments/vat/effects?window=6,1", refused: "out_of_range"},
	{operation: "get_experiment_path", path: "/experiments/vat/path?metric=real_gpd", refused: "not_found"},
	{operation: "get_experiment_firms", path: "/experiments/vat/firms?by=size&arm=control"},
	{operation: "get_experiment_firms", path: "/experiments/vat/firms?by=colour", refused: "out_of_range"},
	{operation: "get_scenario_yaml", path: "/experiments/vat/files/scenarios/vta", refused: "not_found"},
	{operation: "get_package_zip", path: "/experiments/nowhere/files/package.zip", refused: "not_found"},
}

// What the API answers is what its document says, of every operation; what it refuses, too.
func TestContract(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	o.mustSweep(t, "vat", aloneDesign)
	_, text := o.send(t, request{path: "/api/v1/openapi.json"})
	var document struct {
		Paths map[string]map[string]struct {
			ID        string `json:"operationId"`
			Responses map[string]struct {
				Content map[string]json.RawMessage `json:"content"`
			} `json:"responses"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	schemas, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", schemas); err != nil {
		t.Fatal(err)
	}
	type described struct {
		method, at string // pointer to its responses
		kind       string // of the answer
	}
	operations, called := map[string]described{}, map[string]bool{}
	for path, methods := range document.Paths {
		for method, of := range methods {
			at := fmt.Sprintf("openapi.json#/paths/%s/%s/responses", strings.ReplaceAll(strings.ReplaceAll(path, "~", "~0"), "/", "~1"), method)
			for kind := range of.Responses["200"].Content {
				operations[of.ID] = described{strings.ToUpper(method), at, kind}
			}
		}
	}
	for _, c := range calls {
		of, known := operations[c.operation]
		if !known {
			t.Errorf("%s is not in the document", c.operation)
			continue
		}
		q := request{method: of.method, path: "/api/v1" + c.path}
		if of.method == http.MethodPost {
			q.body = c.body
		}
		r, body := o.send(t, q)
		for c.until != "" && r.StatusCode == http.StatusOK && !strings.Contains(body, c.until) && t.Context().Err() == nil {
			runtime.Gosched()
			r, body = o.send(t, q)
		}
		at := of.at + "/200/content/application~1json/schema"
		switch {
		case c.refused != "":
			at = of.at + "/default/content/application~1json/schema"
			if r.StatusCode < 400 || code(body) != c.refused {
				t.Errorf("%s %s: %d %.300s, want %s", c.operation, c.path, r.StatusCode, body, c.refused)
				continue
			}
		case r.StatusCode != http.StatusOK:
			t.Errorf("%s %s: %d %.300s", c.operation, c.path, r.StatusCode, body)
			continue
		default:
			called[c.operation] = true
			if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != of.kind {
				t.Errorf("%s: %s, and the document says %s", c.operation, kind, of.kind)
			}
			if of.kind != "application/json" {
				continue
			}
		}
		schema, err := compiler.Compile(at)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Errorf("%s: %v", c.operation, err)
			continue
		}
		if err := schema.Validate(answer); err != nil {
			t.Errorf("%s %s: %v\n%.300s", c.operation, c.path, err, body)
		}
	}
	for id := range operations {
		if !called[id] && id != "sign_in" && id != "stop_sweep" { // TestCode signs in, TestSweepsRefuse stops
			t.Errorf("no good call of %s", id)
		}
	}
}

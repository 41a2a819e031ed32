package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// mustPause begins an inquiry, under a name, and waits until it has paused after a month.
func (o *opened) mustPause(t *testing.T, name, text string, month int) {
	t.Helper()
	q, err := inquiry.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := o.app.Lab.Inquire(q, name, "")
	if err != nil {
		t.Fatal(err)
	}
	asked.Order.PauseAt = month
	if _, err := o.app.Lab.Start(t.Context(), asked.Order); err != nil {
		t.Fatal(err)
	}
	if s, err := o.app.Lab.Wait(t.Context(), name, nil); err != nil || s.State != "paused" {
		t.Fatalf("%s: %s, %v", name, s.State, err)
	}
}

// calls are one good call of each operation, in this order, after an experiment "vat" has ended and another, "live", has paused after month 2;
// paths are filled in. Those that name an error are refused with it.
var calls = []struct {
	operation, path, body, refused string
}{
	{operation: "who_am_i", path: "/session"},
	{operation: "list_experiments", path: "/experiments?limit=5"},
	{operation: "list_experiments", path: "/experiments?limit=0", refused: "out_of_range"},
	{operation: "list_experiments", path: "/experiments?serch=x", refused: "unknown_parameter"},
	{operation: "list_experiments", path: "/experiments?sort=name&run_status=completed"},
	{operation: "list_headlines", path: "/headlines?experiment_names=vat,none&language=zh"},
	{operation: "list_headlines", path: "/headlines", refused: "required"},
	{operation: "list_indicators", path: "/indicators?language=zh"},
	{operation: "get_series", path: "/experiments/vat/series?metric=real_consumption&from_month=2"},
	{operation: "get_series", path: "/experiments/vat/series?metric=consumption", refused: "not_found"},
	{operation: "get_series", path: "/experiments/vat/series?metric=cpi&to_month=13", refused: "out_of_range"},
	{operation: "list_figures", path: "/experiments/vat/figures"},
	{operation: "get_figure", path: "/experiments/vat/figures/effects?language=zh"},
	{operation: "get_figure", path: "/experiments/vat/figures/none", refused: "not_found"},
	{operation: "experiment_state", path: "/experiments/live/state"},
	{operation: "follow_experiment", path: "/experiments/vat/events?indicators=cpi,real_gdp&language=zh"},
	{operation: "follow_experiment", path: "/experiments/vat/events?indicators=gdp", refused: "out_of_range"},
	{operation: "list_levers", path: "/experiments/live/levers?language=zh"},
	{operation: "inject_intervention", path: "/experiments/live/interventions", body: `{"arm":"vat","intervention_type":"shock","shock":"demand",` +
		`"size":-0.1,"persistence":0.5,"target_month":11}`},
	{operation: "inject_intervention", path: "/experiments/vat/interventions", body: `{"intervention_type":"injection","group":"all","amount":5,` +
		`"target_month":11}`, refused: "invalid_state"},
	{operation: "list_interventions", path: "/experiments/live/interventions?language=zh"},
	{operation: "cancel_intervention", path: "/experiments/live/interventions/vat/2/cancel", body: `{}`},
	{operation: "step_experiment", path: "/experiments/live/step", body: `{}`},
	{operation: "resume_experiment", path: "/experiments/live/resume", body: `{"pause_at_month":10}`},
	{operation: "pause_experiment", path: "/experiments/live/pause", body: `{}`},
	{operation: "stop_experiment", path: "/experiments/live/stop", body: `{}`},
	{operation: "stop_experiment", path: "/experiments/vat/stop", body: `{}`, refused: "invalid_state"},
	{operation: "sign_in", path: "/session", body: `{"code":"wrong"}`, refused: "forbidden"},
	{operation: "sign_out", path: "/session/end", body: `{}`},
}

// What the API answers is what its document says, of every operation; what it refuses, too.
func TestContract(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	o.mustPause(t, "live", small, 2)
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
		if !called[id] && id != "sign_in" { // TestCode signs in
			t.Errorf("no good call of %s", id)
		}
	}
}

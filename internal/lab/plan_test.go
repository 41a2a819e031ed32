package lab_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

// small is an order of two arms that are simulated in no time.
func small(tb testing.TB, name string) lab.Order {
	tb.Helper()
	return lab.Order{
		Name: name, Scenario: mustScenario(tb, "num_households", 500, "vat_rate", .2), Control: "baseline", Months: 6, Replications: 4,
	}
}

// Every experiment is judged by a plan that was stored before it ran: the standard one
// where the caller said nothing. The same order has the same hash, another one another.
func TestEveryExperimentHasAPlan(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "first")
	first, err := w.Start(context.Background(), order)
	if err != nil {
		t.Fatal(err)
	}
	x, err := w.Store.Experiment(context.Background(), "first")
	if err != nil {
		t.Fatal(err)
	}
	r, ok := lab.RegistrationOf(x)
	if !ok || r.FromQuestion() || len(first.PlanHash) != 64 || lab.PlanHash(x.Plan) != first.PlanHash {
		t.Fatalf("plan %s under %q", x.Plan, first.PlanHash)
	}
	var standard []string
	for _, i := range inference.Outcomes {
		standard = append(standard, i.String())
	}
	if !slices.Equal(r.Outcomes, standard) || !slices.Equal(r.Window, []int{4, 6}) || r.Family != inference.TestT ||
		r.Direction != lab.Either || r.SmallestEffect != nil {
		t.Errorf("the standard plan is %+v", r.Plan)
	}
	if r.Replications != 4 || r.Months != 6 || len(r.Arms) != 2 || r.Arms[1].Hash != x.Arms[1].Hash || r.Arms[0].Hash != x.Arms[0].Hash {
		t.Errorf("registered %+v", r)
	}
	var plain any
	if err := json.Unmarshal(x.Plan, &plain); err != nil {
		t.Fatal(err)
	}
	if sorted, _ := json.Marshal(plain); string(sorted) != string(x.Plan) {
		t.Errorf("not canonical: %s", x.Plan)
	}
	w.wait("first", run.StateCompleted)

	order.Name = "again"
	order.Plan = &lab.Plan{Outcomes: standard, Window: []int{4, 6}, Family: "t", Direction: "either"} // in words what was left open
	again, err := w.Start(context.Background(), order)
	if err != nil || again.PlanHash != first.PlanHash {
		t.Errorf("the same order again has hash %s, %v, before: %s", again.PlanHash, err, first.PlanHash)
	}
	w.wait("again", run.StateCompleted)
	smallest := .5
	for name, plan := range map[string]*lab.Plan{
		"outcomes":  {Outcomes: []string{"cpi"}},
		"window":    {Window: []int{3, 6}},
		"family":    {Family: inference.TestRank},
		"direction": {Outcomes: []string{"cpi"}, Direction: lab.Higher},
		"smallest":  {Outcomes: []string{"cpi"}, SmallestEffect: &smallest},
	} {
		order.Name, order.Plan = name, plan
		other, err := w.Start(context.Background(), order)
		if err != nil || other.PlanHash == first.PlanHash {
			t.Errorf("%s: hash %s, %v", name, other.PlanHash, err)
		}
		w.wait(name, run.StateCompleted)
	}
}

// What cannot be a plan is refused before anything is stored.
func TestWrongPlans(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		plan  lab.Plan
		kind  fault.Kind
		field string
		said  string
	}{
		{lab.Plan{Outcomes: []string{"unemployment"}}, fault.NotFound, "plan.outcomes", "unemployment_rate"},
		{lab.Plan{Window: []int{1, 7}}, fault.OutOfRange, "plan.window", "1 to 6"},
		{lab.Plan{Window: []int{3}}, fault.OutOfRange, "plan.window", "two months"},
		{lab.Plan{Window: []int{5, 4}}, fault.OutOfRange, "plan.window", "two months"},
		{lab.Plan{Outcomes: []string{"cpi"}, SmallestEffect: number(-1)}, fault.OutOfRange, "plan.smallest_effect", "above 0"},
		{lab.Plan{Outcomes: []string{"cpi"}, SmallestEffect: number(0)}, fault.OutOfRange, "plan.smallest_effect", "leave it out"},
		{lab.Plan{SmallestEffect: number(1)}, fault.InvalidState, "plan.smallest_effect", "names no outcomes"},
		{lab.Plan{Direction: lab.Lower}, fault.InvalidState, "plan.direction", "names no outcomes"},
		{lab.Plan{Family: "bayes"}, fault.OutOfRange, "plan.family", "permutation"},
		{lab.Plan{Outcomes: []string{"cpi"}, Direction: "up"}, fault.OutOfRange, "plan.direction", "higher"},
	} {
		order := small(t, "x")
		order.Plan = &c.plan
		_, err := w.Start(context.Background(), order)
		e, ok := err.(*fault.Error)
		if !ok || e.Kind != c.kind || e.Field != c.field || !strings.Contains(e.Error()+strings.Join(e.Allowed, " "), c.said) {
			t.Errorf("%+v: %v", c.plan, err)
		}
	}
	if _, total, _, err := w.List(context.Background(), store.Filter{}); total != 0 || err != nil {
		t.Errorf("%d experiments are stored, %v", total, err)
	}
}

// TestPlansOfOlderPrograms: before there were families of tests, plans said in words which
// were corrected together, and the hypothesis was a member of its own.
func TestPlansOfOlderPrograms(t *testing.T) {
	r, ok := lab.RegistrationOf(
		store.Experiment{
			Plan: []byte(
				`{"outcomes":["cpi","real_gdp"],"window":[13,24],"family":"all outcomes of the plan (Holm)","expected":{"outcome":"real_gdp","sign":-1},"change":"VAT"}`,
			),
		},
	)
	outcome, sign := r.Expected()
	if !ok || r.Family != inference.TestT || outcome != "real_gdp" || sign != -1 || len(r.Outcomes) != 2 || !r.FromQuestion() {
		t.Errorf("%+v, %t", r, ok)
	}
}

package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// compared compares experiments for a principal.
func (w *workshop) compared(by string, c inference.Choice, names ...string) inference.Comparison {
	w.tb.Helper()
	out, err := w.Compare(context.Background(), names, c, "", by)
	if err != nil {
		w.tb.Fatal(err)
	}
	return out
}

// asked are the hypotheses that were counted of an experiment.
func (w *workshop) counted(name string) []store.Asked {
	w.tb.Helper()
	all, err := w.Store.Ask(context.Background(), []string{name}, nil, "")
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

func encoded(tb testing.TB, v any) string {
	tb.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

// What was planned is confirmatory and stays as it is, whatever else is asked. What was
// not is exploratory, counts once, and says the less the more was asked before.
func TestLedger(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Plan = &lab.Plan{Outcomes: []string{"cpi", "unemployment_rate"}, Window: []int{2, 6}}
	w.start(order)
	w.wait("x", run.StateCompleted)

	planned := w.compared("ada", inference.Choice{}, "x")
	if len(planned.Rows) != 2 || planned.Rows[0].Metric != "cpi" || planned.From != 2 || planned.To != 6 || planned.Asked != 0 {
		t.Fatalf("by the plan: %s", encoded(t, planned))
	}
	for _, row := range planned.Rows {
		if row.Exploratory {
			t.Errorf("%s was planned", row.Metric)
		}
	}
	// The same outcome alone is corrected for all that was planned, not for itself.
	alone := w.compared("ada", inference.Choice{Metrics: []sim.Indicator{sim.UnemploymentRate}}, "x")
	if encoded(t, alone.Rows[0]) != encoded(t, planned.Rows[1]) {
		t.Errorf("asked alone: %s, together: %s", encoded(t, alone.Rows), encoded(t, planned.Rows[1]))
	}
	if list := w.counted("x"); len(list) != 0 {
		t.Errorf("what was planned is counted: %+v", list)
	}

	exports := inference.Choice{Metrics: []sim.Indicator{sim.Exports}}
	last := w.compared("ada", exports, "x")
	if row := last.Rows[0]; !row.Exploratory || last.Asked != 1 || !(row.PAdjusted > row.P) || !(row.P > 0) {
		t.Fatalf("beyond the plan: %s", encoded(t, last))
	}
	if again := w.compared("ada", exports, "x"); encoded(t, again) != encoded(t, last) {
		t.Errorf("asked twice: %s, once: %s", encoded(t, again), encoded(t, last))
	}
	if list := w.counted("x"); len(list) != 1 || list[0].Times != 2 || list[0].By != "ada" || list[0].P != float64(last.Rows[0].P) {
		t.Errorf("counted %+v", list)
	}
	for n, c := range []inference.Choice{
		{Metrics: []sim.Indicator{sim.CPI}, Windows: []inference.Window{{From: 3, To: 6}}},        // another window
		{Metrics: []sim.Indicator{sim.CPI}, Test: inference.TestRank},                             // another test
		{Metrics: []sim.Indicator{sim.CPI, sim.CreditStock}},                                      // one of two was planned
		{Metrics: []sim.Indicator{sim.MoneyStock}, Confidence: .9},                                // a level is no other hypothesis
		{Metrics: []sim.Indicator{sim.Imports}, Test: inference.TestT},                            // the planned test is no other
		{Metrics: []sim.Indicator{sim.BankEquity}, Windows: []inference.Window{{From: 2, To: 6}}}, // the planned window is no other
		// how planned ones are corrected does not matter
		{Metrics: []sim.Indicator{sim.LabourShare}, Adjustment: "holm"},
		{Metrics: []sim.Indicator{sim.PovertyRate, sim.Exports}, Windows: []inference.Window{{From: 2}}}, // to the last month
	} {
		if got := w.compared("ada", c, "x"); got.Asked != n+2 {
			t.Errorf("%+v: %d were asked, want %d", c, got.Asked, n+2)
		}
		now := w.compared("ada", exports, "x")
		if encoded(t, now.Rows) != encoded(t, last.Rows) {
			t.Errorf("after %+v, %s; before %s", c, encoded(t, now.Rows), encoded(t, last.Rows))
		}
		last = now
	}
	if now := w.compared("ada", inference.Choice{}, "x"); encoded(t, now.Rows) != encoded(t, planned.Rows) {
		t.Errorf("what was planned changes with what was not: %s", encoded(t, now.Rows))
	}

	// What others ask, however much, weakens nobody's finding and is told beside it.
	strangers := inference.Choice{Metrics: []sim.Indicator{sim.CPI, sim.CreditStock, sim.MoneyStock, sim.Imports, sim.TaxVAT, sim.HHI}}
	for from := 1; from <= 5; from++ {
		strangers.Windows = []inference.Window{{From: from, To: 6}}
		w.compared("eve", strangers, "x")
	}
	now := w.compared("ada", exports, "x")
	if encoded(t, now.Rows) != encoded(t, last.Rows) || now.Asked != last.Asked || now.ByOthers < 20 {
		t.Errorf("after %d questions of another: %s, before %s", now.ByOthers, encoded(t, now), encoded(t, last))
	}
	if hers := w.compared("eve", exports, "x"); hers.Asked != now.ByOthers+1 || hers.ByOthers != now.Asked {
		t.Errorf("who asks much is corrected for it: %s, ada's %s", encoded(t, hers), encoded(t, now.Rows))
	}
	text, err := w.Report(context.Background(), "x", "markdown", "en", "ada")
	if err != nil || !strings.Contains(text, fmt.Sprintf("others asked %d", now.ByOthers+1)) {
		t.Errorf("the report says nothing of what others asked: %v", err)
	}

	// Analyses are counted like comparisons; reports by the plan and looks are not.
	before := len(w.counted("x"))
	if _, err := w.Analyse(context.Background(), "x", lab.AnalysisSettings{}, "eve"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Report(context.Background(), "x", "markdown", "en", "eve"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Series(context.Background(), "x", "", "exports", "mean", 1, 6, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Summary(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	if n := len(w.counted("x")); n != before {
		t.Errorf("%d hypotheses, before a look %d", n, before)
	}
	stored, err := w.Analyse(context.Background(), "x", lab.AnalysisSettings{Window: []int{1, 5}}, "eve")
	// gains and budget are one each
	if rows := stored.Analysis.Treatment; err != nil || len(rows) != 2 || !rows[0].Exploratory || len(w.counted("x")) != before+4 {
		t.Errorf("%v, %s, %d hypotheses, before %d", err, encoded(t, rows), len(w.counted("x")), before)
	}

	// What was asked of the experiment is asked of what it simulates, though it is gone.
	if _, err := w.Delete(context.Background(), "x", access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.start(order)
	w.wait("x", run.StateCompleted)
	if again := w.compared("ada", exports, "x"); encoded(t, again.Rows) != encoded(t, last.Rows) || again.Asked != last.Asked {
		t.Errorf("asked of it again: %s, before %s", encoded(t, again), encoded(t, last))
	}
}

// The plan decides by what tools and commands judge: outcomes, window, test, direction and
// smallest effect all change what comes out.
func TestPlanJudges(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "lower")
	large := .9
	for name, plan := range map[string]lab.Plan{
		"lower":  {Outcomes: []string{"cpi"}, Direction: lab.Lower},
		"higher": {Outcomes: []string{"cpi"}, Direction: lab.Higher},
		"rank":   {Outcomes: []string{"cpi"}, Family: inference.TestRank, Window: []int{1, 3}},
		"same":   {Outcomes: []string{"firms"}, SmallestEffect: &large},
	} {
		order.Name, order.Plan = name, &plan
		w.start(order)
		w.wait(name, run.StateCompleted)
	}
	for name, want := range map[string]inference.Verdict{"lower": "contradicted", "higher": "supported", "same": "inconclusive"} { // nothing in four pairs is no proof
		row := w.compared("", inference.Choice{}, name).Rows[0]
		stored, err := w.Analyse(context.Background(), name, lab.AnalysisSettings{}, "")
		if err != nil {
			t.Fatal(err)
		}
		if row.Verdict != want || stored.Analysis.Treatment[0].Verdict != want {
			t.Errorf("%s: compared %s, analysed %s, want %s", name, encoded(t, row), stored.Analysis.Treatment[0].Verdict, want)
		}
		if n := len(w.counted(name)); n != 0 {
			t.Errorf("%s: %d hypotheses are counted", name, n)
		}
	}
	t1, rank := w.compared("", inference.Choice{}, "higher"), w.compared("", inference.Choice{}, "rank")
	if rank.From != 1 || rank.To != 3 || rank.Rows[0].Test == t1.Rows[0].Test || t1.From != 4 {
		t.Errorf("months %d to %d by %s; planned 1 to 3 by ranks", rank.From, rank.To, rank.Rows[0].Test)
	}
}

// Who looks at the effect before the planned months are over has asked.
func TestPeekingCounts(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Plan, order.PauseAt = &lab.Plan{Outcomes: []string{"cpi"}}, 4
	w.start(order)
	w.wait("x", run.StatePaused)
	if early := w.compared("", inference.Choice{}, "x"); early.From != 3 || early.To != 4 || !early.Rows[0].Exploratory || early.Asked != 1 {
		t.Errorf("in month 4: %s", encoded(t, early))
	}
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if end := w.compared("", inference.Choice{}, "x"); end.From != 4 || end.To != 6 || end.Rows[0].Exploratory || end.Asked != 1 {
		t.Errorf("at the end: %s", encoded(t, end))
	}
}

// A comparison of experiments was planned by none of them, and counts for each.
func TestLedgerOfSeveral(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	cpi := inference.Choice{Metrics: []sim.Indicator{sim.CPI}}
	for k, name := range []string{"a", "b", "c"} {
		order := small(t, name)
		order.Scenario = mustScenario(t, "num_households", 500, "vat_rate", .2-.03*float64(k))
		order.Plan = &lab.Plan{Outcomes: []string{"cpi"}}
		w.start(order)
		w.wait(name, run.StateCompleted)
	}
	for n, c := range []struct {
		names []string
		asked int
	}{
		{[]string{"a", "b"}, 1},
		{[]string{"b", "a"}, 1}, // the same, seen from the other side
		{[]string{"a", "b", "c"}, 2},
		{[]string{"c", "a"}, 2},
		{[]string{"b", "c"}, 3},
	} {
		got := w.compared("", cpi, c.names...)
		if got.Asked != c.asked || !got.Rows[0].Exploratory {
			t.Errorf("%d. %v: %d were asked, want %d", n, c.names, got.Asked, c.asked)
		}
	}
	for name, want := range map[string]int{"a": 2, "b": 3, "c": 3} {
		if n := len(w.counted(name)); n != want {
			t.Errorf("%d hypotheses are counted of %s, want %d", n, name, want)
		}
		// Of its own arms nothing was asked beyond the plan.
		if own := w.compared("", cpi, name); own.Rows[0].Exploratory {
			t.Errorf("%s: %s", name, encoded(t, own.Rows))
		}
	}
}

// Two processes that compare at once count all that either asks.
func TestLedgerOfTwoProcesses(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Plan = &lab.Plan{Outcomes: []string{"cpi"}}
	w.start(order)
	w.wait("x", run.StateCompleted)
	other, err := store.Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	laboratories := []*lab.Laboratory{w.Laboratory, {Runs: w.Runs, Store: other, Scenarios: w.Scenarios, Version: "test"}}
	metrics := slices.DeleteFunc(slices.Clone(inference.Outcomes), func(i sim.Indicator) bool { return i == sim.CPI })
	var comparing sync.WaitGroup
	for k, i := range metrics {
		comparing.Go(func() {
			c, err := laboratories[k%2].Compare(t.Context(), []string{"x"}, inference.Choice{Metrics: []sim.Indicator{i}}, "", fmt.Sprint(k))
			if err != nil || c.Asked > 1 || c.Asked < 1 && c.Rows[0].P == c.Rows[0].P {
				t.Errorf("%s: %d were asked, %v", i, c.Asked, err)
			}
		})
	}
	comparing.Wait()
	tested := 0 // bankruptcies may not differ at all, which gives no p-value
	all := w.compared("", inference.Choice{Metrics: metrics}, "x")
	for _, row := range all.Rows {
		if row.P == row.P {
			tested++
		}
	}
	if all.Asked != tested || all.ByOthers != tested {
		t.Errorf("%d hypotheses are counted, %d by others, want %d each", all.Asked, all.ByOthers, tested)
	}
}

// What repeats or hands on an experiment keeps its plan.
func TestPlanIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Replications, order.Plan = 2, &lab.Plan{Outcomes: []string{"cpi"}, Direction: lab.Higher}
	started, err := w.Start(context.Background(), order)
	if err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if err := w.Rerun(t.Context(), "x", 0, func(r lab.Rerun) {
		if !r.Same() {
			t.Errorf("%+v", r)
		}
	}); err != nil {
		t.Fatal(err)
	}
	w.close()
	w.open()
	x, err := w.Store.Experiment(context.Background(), "x")
	if err != nil || lab.PlanHash(x.Plan) != started.PlanHash {
		t.Errorf("plan %s, %v", x.Plan, err)
	}
	files, err := w.Package(context.Background(), "x", "", "")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(files, func(f lab.File) bool { return f.Path == "plan.json" })
	if at < 0 || lab.PlanHash(files[at].Data) != started.PlanHash {
		t.Error("the package has not the plan")
	}
	if s, err := w.Summary(context.Background(), "x"); err != nil || s.PlanHash != started.PlanHash {
		t.Errorf("the summary has the hash %q, %v", s.PlanHash, err)
	}
}

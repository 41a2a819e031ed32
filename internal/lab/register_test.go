package lab_test

import (
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// planned runs an order to its end and compares by its plan, for a principal.
func (w *workshop) planned(o lab.Order, by string) inference.Comparison {
	w.tb.Helper()
	started, err := w.Start(w.tb.Context(), o)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.wait(started.Name, run.StateCompleted)
	return w.compared(by, inference.Choice{}, started.Name)
}

// exploratory says whether all rows of a comparison are, and that a warning has such words.
func exploratory(c inference.Comparison, words string) bool {
	for _, row := range c.Rows {
		if !row.Exploratory {
			return false
		}
	}
	return c.Family == 0 && strings.Contains(strings.Join(c.Warnings, "\n"), words)
}

// A plan that is made after somebody has seen its data is exploratory, whatever the experiment is called, whoever
// looked, in whatever way, and whether or not what was seen is still there.
func TestPlansAfterALook(t *testing.T) {
	cpi := &lab.Plan{Outcomes: []string{"cpi"}, Window: []int{1, 6}}
	for name, look := range map[string]func(w *workshop, x string){
		"a comparison of another window": func(w *workshop, x string) {
			w.compared("ada", inference.Choice{Windows: []inference.Window{{From: 1, To: 6}}}, x)
		},
		"a comparison by another principal": func(w *workshop, x string) { w.compared("eve", inference.Choice{}, x) },
		"a series": func(w *workshop, x string) {
			if _, err := w.Series(t.Context(), x, "", "cpi", "mean", 1, 6, 1); err != nil {
				t.Fatal(err)
			}
		},
		"the latest indicators": func(w *workshop, x string) {
			if _, err := w.Latest(t.Context(), x, nil); err != nil {
				t.Fatal(err)
			}
		},
		"a report of what was then deleted": func(w *workshop, x string) {
			if _, err := w.Report(t.Context(), x, "markdown", "en", "ada"); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Delete(t.Context(), x, access.Operator()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, run.Settings{})
			first := small(t, "x")
			w.start(first)
			w.wait("x", run.StateCompleted)
			look(w, "x")
			second := small(t, "y")
			second.Plan, second.Replications = cpi, 6 // more of the same seeds
			if c := w.planned(second, "ada"); !exploratory(c, "made after its data were looked at (experiment x, ") {
				t.Errorf("%s", encoded(t, c))
			}
			text, err := w.Report(t.Context(), "y", "markdown", "en", "ada")
			if err != nil || !strings.Contains(text, "The plan was made after its data were looked at (experiment x, ") {
				t.Errorf("the report does not say so: %v", err)
			}
			// Seeds that nobody looked at confirm, with what a later plan of the same principal has of the level.
			seed := uint64(7)
			third := small(t, "z")
			third.Plan, third.Seed = cpi, &seed
			if c := w.planned(third, "ada"); c.Rows[0].Exploratory || c.Family != 1 || c.Share >= .05 {
				t.Errorf("other seeds: %s", encoded(t, c))
			}
		})
	}
}

// What nobody looked at spoils nothing, and the same plan again is the plan that it was.
func TestPlansThatStay(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	cpi := &lab.Plan{Outcomes: []string{"cpi"}}
	other := small(t, "unread")
	w.start(other)
	w.wait("unread", run.StateCompleted)
	order := small(t, "second")
	order.Plan = cpi
	if c := w.planned(order, "ada"); c.Rows[0].Exploratory || c.Share > .05 {
		t.Fatalf("beside one that nobody looked at, and that somebody may look at: %s", encoded(t, c))
	}
	for _, name := range []string{"unread", "second"} {
		if _, err := w.Delete(t.Context(), name, access.Operator()); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(5)
	order.Name, order.Seed = "third", &seed
	first := w.planned(order, "ada") // unread is gone, second was seen
	order.Name = "again"
	if again := w.planned(order, "ada"); encoded(t, again.Rows) != encoded(t, first.Rows) || again.Share != first.Share {
		t.Errorf("the same plan again: %s, before %s", encoded(t, again), encoded(t, first))
	}
	// Another treatment is another question.
	order.Name, order.Scenario = "stronger", mustScenario(t, "num_households", 500, "vat_rate", .25)
	if c := w.planned(order, "ada"); c.Rows[0].Exploratory || c.Share < .69 {
		t.Errorf("another treatment: %s", encoded(t, c))
	}
}

// The difference of two arms has been seen when both have, on a seed that they share, in whatever experiments; one alone
// says nothing of it.
func TestArmsThatWereSeenApart(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	alone := small(t, "baseline")
	alone.Scenario, alone.Control = mustScenario(t, "num_households", 500), ""
	w.start(alone)
	w.wait("baseline", run.StateCompleted)
	if _, err := w.Series(t.Context(), "baseline", "", "cpi", "mean", 1, 6, 1); err != nil {
		t.Fatal(err)
	}
	vat := small(t, "vat")
	if c := w.planned(vat, "ada"); c.Rows[0].Exploratory || c.Share < .69 {
		t.Errorf("after a look at the control alone: %s", encoded(t, c))
	}
	stronger := small(t, "stronger")
	stronger.Scenario = mustScenario(t, "num_households", 500, "vat_rate", .25)
	w.planned(stronger, "ada")
	arms := small(t, "both")
	arms.Control, arms.Arms = "", []lab.Arm{
		{Name: "vat", Scenario: vat.Scenario}, {Name: "stronger", Scenario: stronger.Scenario},
	}
	if c := w.planned(arms, "ada"); !exploratory(c, "made after its data were looked at (experiment stronger, ") {
		t.Errorf("of two arms that were both compared with a third: %s", encoded(t, c))
	}
}

// The same question with one seed after the other is asked as often as it is registered: the shares of the level fall.
func TestOneQuestionWithManySeeds(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	sum, last := 0.0, 1.0
	for seed := range uint64(4) {
		order := small(t, "x")
		order.Rename, order.Seed, order.Replications, order.Plan = true, &seed, 2, &lab.Plan{Outcomes: []string{"cpi"}}
		c := w.planned(order, "ada")
		if sum += c.Share; c.Rows[0].Exploratory || c.Share >= last || sum >= 1 {
			t.Errorf("seed %d has %g of the level, all so far %g", seed, c.Share, sum)
		}
		last = c.Share
	}
	// It is another one's first.
	seed := uint64(9)
	order := small(t, "hers")
	order.Seed, order.Replications, order.Principal = &seed, 2, "eve"
	if c := w.planned(order, "ada"); c.Share < .69 {
		t.Errorf("the first plan of another has %g of the level", c.Share)
	}
}

// What is done by hand is an amendment: with month, author and time, and nothing is as planned any more.
func TestAmendments(t *testing.T) {
	for _, arm := range []string{"control", "treatment"} {
		w := newWorkshop(t, run.Settings{})
		order := small(t, "x")
		order.Plan, order.PauseAt = &lab.Plan{Outcomes: []string{"cpi"}}, 3
		w.start(order)
		w.wait("x", run.StatePaused)
		if _, err := w.Series(t.Context(), "x", "", "cpi", "mean", 1, 3, 1); err != nil {
			t.Fatal(err)
		}
		ada := access.Caller{Principal: "ada", Role: access.Admin}
		v := sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 4, Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .3}}}
		if _, err := w.Inject(t.Context(), "x", arm, v, ada); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
			t.Fatal(err)
		}
		w.wait("x", run.StateCompleted)
		if c := w.compared("ada", inference.Choice{}, "x"); !exploratory(c, "amended in "+arm+" after month 3, by ada on ") ||
			c.Asked != 1 {
			t.Errorf("%s: %s", arm, encoded(t, c))
		}
		// What it simulated from then on has been seen, too, though the first look came before.
		again := small(t, "again")
		if arm == "treatment" {
			again.Scenario.Interventions = []sim.Intervention{v}
			if c := w.planned(again, "ada"); !exploratory(c, "made after its data were looked at (experiment x, ") {
				t.Errorf("planned as it was amended: %s", encoded(t, c))
			}
		}
		text, err := w.Report(t.Context(), "x", "markdown", "en", "ada")
		if err != nil || !strings.Contains(text, "The plan was amended in "+arm+" after month 3, by ada on ") {
			t.Errorf("the report does not say so: %v", err)
		}
		w.close()
	}
}

// What somebody notes of an experiment is no plan: reports say when it was noted, and when results were first read.
func TestNotesAreDated(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Question = "Does VAT matter?"
	w.start(order)
	w.wait("x", run.StateCompleted)
	w.compared("ada", inference.Choice{}, "x")
	said := "Prices rise"
	if _, err := w.Capture(t.Context(), "x", lab.Note{Status: "completed", Hypothesis: &said}, access.Operator()); err != nil {
		t.Fatal(err)
	}
	text, err := w.Report(t.Context(), "x", "markdown", "en", "ada")
	if err != nil || !strings.Contains(text, "Prices rise (noted 20") || !strings.Contains(text, "; results were first read 20") {
		t.Errorf("%v:\n%.3000s", err, text)
	}
}

// Twenty questions about nothing, asked one by one, are supported in no more experiments than the level says: see
// TestSequences of internal/inference for the rate.
func TestAskingOnAndOn(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := small(t, "x")
	order.Plan = &lab.Plan{Outcomes: []string{"cpi"}}
	w.planned(order, "ada")
	last := 0.0
	for k, i := range []sim.Indicator{sim.Exports, sim.Imports, sim.RealGDP, sim.LabourShare} {
		c := w.compared("ada", inference.Choice{Metrics: []sim.Indicator{i}}, "x")
		factor := float64(c.Rows[0].PAdjusted / c.Rows[0].P)
		if c.Questions != k+1 || factor <= last && c.Rows[0].PAdjusted < 1 {
			t.Errorf("question %d of %d: p times %g, before %g", k+1, c.Questions, factor, last)
		}
		last = factor
	}
}

package lab_test

import (
	"fmt"
	"slices"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Every outcome is judged in every window, and all of it is one family of tests, with one
// treatment and with two.
func TestTwoWindows(t *testing.T) {
	const months = 9
	w := newWorkshop(t, run.Settings{})
	w.start(lab.Order{Name: "x", Months: months, Replications: 8, Arms: []lab.Arm{
		{Name: "control", Scenario: mustScenario(t, "num_households", 500)},
		{Name: "vat", Scenario: mustScenario(t, "num_households", 500, "vat_rate", .15)},
		{Name: "wage", Scenario: mustScenario(t, "num_households", 500, "minimum_wage", .8)},
	}})
	w.wait("x", run.StateCompleted)
	three, err := w.Study(t.Context(), "x", inference.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	two := *three
	two.Arms = three.Arms[:2]

	outcomes := []sim.Indicator{sim.Inflation, sim.HHI, sim.UnemploymentRate}
	transition, end := inference.Window{From: 1, To: 3}, inference.Window{From: 7, To: months}
	both := []inference.Window{transition, end}
	for _, study := range []*tables.Study{&two, three} {
		for _, adjustment := range []inference.Adjustment{inference.AdjustRomanoWolf, inference.AdjustHolm} {
			planned := func(shown []inference.Window, windows ...inference.Window) inference.Comparison {
				c, err := inference.Compare(t.Context(), []*tables.Study{study}, inference.Choice{
					Windows: shown, Adjustment: adjustment, Plan: &inference.Planned{Outcomes: outcomes, Windows: windows},
				})
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			name := fmt.Sprintf("%d arms, %s", len(study.Arms), adjustment)
			family := (len(study.Arms) - 1) * len(outcomes) * len(both)
			together := planned(nil, both...)
			if len(together.Rows) != family || together.Family != family || together.Asked != 0 || together.Adjustment != adjustment ||
				together.From != transition.From || together.To != transition.To || len(together.DynamicEffects) != family/len(both) {
				t.Fatalf("%s: %d rows, %d paths, months %d to %d, %+v", name, len(together.Rows), len(together.DynamicEffects),
					together.From, together.To, together.Method)
			}
			alone := map[inference.Window]inference.Comparison{transition: planned(nil, transition), end: planned(nil, end)}
			adjusted := 0
			for k, row := range together.Rows {
				if of := study.Arms[1+k/2/len(outcomes)].Name; row.Arm != of || row.Metric != outcomes[k/2%len(outcomes)].String() ||
					row.Window != both[k%2] || row.Exploratory {
					t.Errorf("%s: row %d is %s of %s in %v", name, k, row.Metric, row.Arm, row.Window)
				}
				one := alone[row.Window].Rows[k/2]
				if row.Difference != one.Difference || row.P != one.P || row.CILow != one.CILow {
					t.Errorf("%s: %s in %v is %+v, by itself %+v", name, row.Metric, row.Window, row, one)
				}
				if row.PAdjusted < one.PAdjusted || row.PEquivalence < one.PEquivalence {
					t.Errorf("%s: %s in %v is clearer in the larger family", name, row.Metric, row.Window)
				}
				if row.PAdjusted > one.PAdjusted {
					adjusted++
				}
			}
			if adjusted == 0 {
				t.Errorf("%s: a family of %d costs nothing", name, family)
			}
			// A planned window that is shown alone is judged among all that were planned.
			shown := planned(both[1:], both...)
			if len(shown.Rows) != family/2 || shown.Family != family {
				t.Fatalf("%s: %d rows of a family of %d", name, len(shown.Rows), shown.Family)
			}
			for k, row := range shown.Rows {
				if encoded(t, row) != encoded(t, together.Rows[2*k+1]) {
					t.Errorf("%s: shown alone %+v, with the other window %+v", name, row, together.Rows[2*k+1])
				}
			}
			// Before all planned windows have been simulated, nothing is confirmatory.
			early := planned(both[:1], transition, inference.Window{From: 10, To: 12})
			if slices.ContainsFunc(early.Rows, func(row inference.ComparisonRow) bool { return !row.Exploratory }) ||
				!slices.ContainsFunc(early.Notes, func(n inference.Note) bool { return n.Kind == inference.PlannedWindowAhead }) {
				t.Errorf("%s: before the second window: %v", name, early.Notes)
			}
		}
	}

	// An analysis is about the first window, with the effects in both.
	a, err := inference.Analyse(t.Context(), three, inference.Choice{Metrics: outcomes, Windows: both}, nil)
	if err != nil || a.From != transition.From || a.To != transition.To || len(a.Treatment) != 12 {
		t.Errorf("an analysis of months %d to %d has %d effects, %v", a.From, a.To, len(a.Treatment), err)
	}

	// Beside what was planned, the other window is exploratory, and each of its hypotheses counts.
	whole := inference.Window{From: 5, To: months} // as the standard plan has it
	c := w.compared("ada", inference.Choice{Metrics: outcomes, Windows: []inference.Window{transition, whole, transition}}, "x")
	standard := w.compared("ada", inference.Choice{Metrics: outcomes}, "x")
	if len(c.Rows) != 12 || c.Asked != 6 || len(w.counted("x")) != 6 || standard.Family != c.Family {
		t.Fatalf("%d rows, %d asked, %d counted; families of %d and %d", len(c.Rows), c.Asked, len(w.counted("x")), c.Family, standard.Family)
	}
	for k, row := range c.Rows {
		if row.Exploratory != (row.Window == transition) || row.Window == whole && encoded(t, row) != encoded(t, standard.Rows[k/2]) {
			t.Errorf("%s of %s in %v: %+v", row.Metric, row.Arm, row.Window, row)
		}
	}
}

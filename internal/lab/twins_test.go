package lab_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// twinMonth is the month in which the interventions of these tests begin.
const twinMonth = 4

// twinOrder is an experiment of six months in a tiny economy.
func twinOrder(s scenario.Scenario, control string) lab.Order {
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		p.NumHouseholds, p.BurnInMonths = 500, burnInMonths
	}
	return lab.Order{Scenario: s, Control: control, Replications: 1, Months: 6}
}

// lateInterventions are one of each type and of each way to begin, none of which does
// anything before twinMonth. The condition holds in every month, so that it is met at the
// end of the one before.
func lateInterventions() map[string]sim.Intervention {
	vat := []sim.ParameterChange{{Name: "vat_rate", Value: .33}}
	return map[string]sim.Intervention{
		"change":      {Type: sim.TypeParameterChange, TargetMonth: twinMonth, Parameters: vat},
		"gradual":     {Type: sim.TypeParameterChange, TargetMonth: twinMonth, RampMonths: 3, Parameters: vat},
		"conditional": {Type: sim.TypeParameterChange, TargetMonth: twinMonth - 1, When: "unemployment_rate >= 0", Parameters: vat},
		"policy": {
			Type: sim.TypePolicy, TargetMonth: twinMonth, DurationMonths: 2, Policy: sim.PolicyChange{Policy: "minimum_wage", Level: .9},
		},
		"shock":     {Type: sim.TypeShock, TargetMonth: twinMonth, Shock: sim.Shock{Shock: "productivity", Size: -.1, Persistence: .9}},
		"injection": {Type: sim.TypeInjection, TargetMonth: twinMonth, Injection: sim.Injection{Group: "all", Amount: 500}},
	}
}

// partsIn is the first month in which the two arms of an experiment of one replication differ
// in any bit of what is stored of it, and the first field; 0 = they are the same.
func (w *workshop) partsIn(name string) (month int, field string) {
	w.tb.Helper()
	w.wait(name, run.StateCompleted)
	x, err := w.Store.Experiment(context.Background(), name)
	if err != nil || len(x.Arms) != 2 || x.Arms[0].Name != lab.ControlArm {
		w.tb.Fatalf("arms of %s: %+v, %v", name, x.Arms, err)
	}
	control, err := w.Store.Records(context.Background(), name, lab.ControlArm, 1, 0, 0, 0)
	if err != nil || len(control) != 6 {
		w.tb.Fatalf("%d months of the control of %s, %v", len(control), name, err)
	}
	if month, field, err = w.Store.Compare(context.Background(), name, x.Arms[1].Name, 1, control); err != nil {
		w.tb.Fatal(err)
	}
	return month, field
}

// Twins are the same to the last bit until the month of the intervention, whatever the
// economy that both are and whatever the intervention, as start_simulation(control=…)
// starts them; and in that month they part.
func TestTwinsOfEveryPreset(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{Workers: 2})
	var names []string
	for _, preset := range presets.Names() {
		for kind, v := range lateInterventions() {
			s, err := presets.Load(preset)
			if err != nil {
				t.Fatal(err)
			}
			s.Interventions = append(slices.Clone(s.Interventions), v)
			o := twinOrder(s, preset)
			o.Name = fmt.Sprintf("%s-%s", preset, kind)
			names = append(names, w.start(o))
		}
	}
	for _, name := range names {
		if month, field := w.partsIn(name); month != twinMonth {
			t.Errorf("%s: the twins part in month %d (%s), want %d", name, month, field, twinMonth)
		}
	}
}

// A condition that is never met leaves twins that never part.
func TestTwinsWithoutOccasion(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	s := mustScenario(t)
	s.Interventions = []sim.Intervention{lateInterventions()["conditional"]}
	s.Interventions[0].When = "unemployment_rate > 0.9"
	if month, field := w.partsIn(w.start(twinOrder(s, "baseline"))); month != 0 {
		t.Errorf("the twins part in month %d (%s) although nothing happened", month, field)
	}
}

// The twins of a question about any preset part when its lever moves, not before.
func TestTwinsOfAQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{Workers: 2})
	for _, question := range []string{
		"What happens if VAT rises by 5 percentage points in month 4?",
		"What happens if VAT rises by 5 percentage points gradually over 3 months, starting in month 4?",
	} {
		for _, preset := range presets.Names() {
			p, err := w.Propose(lab.Question{Text: question, Base: preset, Households: 500, Months: 6, Replications: 1})
			if err != nil {
				t.Fatal(err)
			}
			if l := p.Levers(); len(l) != 1 || l[0].Month != twinMonth {
				t.Fatalf("%s: levers %+v", preset, l)
			}
			started, err := w.Ask(context.Background(), p.Inquired)
			if err != nil {
				t.Fatal(err)
			}
			if month, field := w.partsIn(started.Name); month != twinMonth {
				t.Errorf("%s: the twins part in month %d (%s), want %d", preset, month, field, twinMonth)
			}
		}
	}
}

// Twins of as many households may differ in how many work for a firm: a question may ask
// what fewer firms do. Of another size, the control takes the treatment's.
func TestTwinsDifferInFirms(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	p, err := w.Propose(lab.Question{Text: "What if mergers halve the number of firms?", Households: 1200, Months: 6, Replications: 1})
	if err != nil {
		t.Fatal(err)
	}
	started, err := w.Ask(context.Background(), p.Inquired)
	if err != nil {
		t.Fatal(err)
	}
	w.wait(started.Name, run.StateCompleted)
	x, err := w.Store.Experiment(context.Background(), started.Name)
	if err != nil || len(x.Arms) != 2 || len(x.Arms[1].BurntInApart) != 1 {
		t.Errorf("arms %+v, %v", x.Arms, err)
	}
	arms, err := lab.Twins(mustScenario(t, "households_per_firm", 10, "vat_rate", .2), mustScenario(t, "num_households", 2000))
	if err != nil || arms[0].Scenario.Params.HouseholdsPerFirm != 10 {
		t.Errorf("a control of another size: %+v, %v", arms, err)
	}
}

// What econ-mcp run --control simulates is what start_simulation(control=…) does: the same
// arms, and the same bits at the end of both.
func TestTwinsWhoeverRunsThem(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	for _, preset := range []string{"baseline", "us_like", "pandemic"} {
		s, err := presets.Load(preset)
		if err != nil {
			t.Fatal(err)
		}
		s.Interventions = append(slices.Clone(s.Interventions), lateInterventions()["gradual"])
		o := twinOrder(s, preset)
		control, err := presets.Load(preset)
		if err != nil {
			t.Fatal(err)
		}
		arms, err := lab.Twins(o.Scenario, control)
		if err != nil {
			t.Fatal(err)
		}
		name := w.start(o)
		w.wait(name, run.StateCompleted)
		x, err := w.Store.Experiment(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		result := mustRun(t, lab.Experiment{Arms: arms, Replications: 1, Seed: x.Seed, Months: 6})
		for i, r := range x.Runs {
			if got := result.Arms[i].Replications[0].StateHash; got != r.StateHash || r.Arm != arms[i].Name {
				t.Errorf("%s, %s: state %s, and %s in the laboratory", preset, arms[i].Name, got, r.StateHash)
			}
		}
	}
}

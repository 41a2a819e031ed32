package trials_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// leverBase is an economy in which a setting can be tried in no time.
func leverBase(households, burnIn int) sim.Params {
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.MaxConcurrentTasks = households, burnIn, 0
	return p
}

func mustLevers(tb testing.TB, x trials.LeverRun) []trials.LeverEffect {
	tb.Helper()
	effects, err := x.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return effects
}

func TestEveryParameterHasALever(t *testing.T) {
	var missing []string
	for _, row := range sim.Catalogue() {
		has := slices.ContainsFunc(trials.Levers(), func(l trials.Lever) bool { return l.Parameter == row.Name })
		if row.Technical && has {
			t.Errorf("%s is technical and has a setting", row.Name)
		}
		if !row.Technical && !has {
			missing = append(missing, row.Name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d parameters have no setting in lever_table_*.go: %s", len(missing), strings.Join(missing, ", "))
	}
}

// deadParameters are those that change nothing in any of their settings: tried
// in a small economy and a short time first, and what seems dead there again in a
// larger one.
func deadParameters(tb testing.TB, levers []trials.Lever) []string {
	tb.Helper()
	for _, size := range []struct{ households, burnIn, months, replications int }{
		{2000, 12, 6, 1}, {2000, 24, 36, 2}, {4000, 36, 120, 2},
	} {
		x := trials.LeverRun{Base: leverBase(size.households, size.burnIn), Replications: size.replications}
		for _, l := range levers {
			l.Months = trials.Window{From: 1, To: min(l.Months.To, size.months)}
			x.Levers = append(x.Levers, l)
		}
		alive := make(map[string]bool)
		for _, e := range mustLevers(tb, x) {
			alive[e.Parameter] = alive[e.Parameter] || !e.Dead
		}
		levers = slices.DeleteFunc(slices.Clone(levers), func(l trials.Lever) bool { return alive[l.Parameter] })
		if len(levers) == 0 {
			break
		}
	}
	var dead []string
	for _, l := range levers {
		dead = append(dead, l.Parameter)
	}
	return slices.Compact(dead)
}

func TestNoParameterIsDead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	if dead := deadParameters(t, trials.Levers()); len(dead) > 0 {
		t.Errorf("%d parameters change nothing in their documented settings: %s", len(dead), strings.Join(dead, ", "))
	}
}

// A parameter that changes nothing is seen: a technical one, one set to what it
// is, and one that does not act where it is tried.
func TestDeadParametersAreSeen(t *testing.T) {
	window := trials.Window{From: 1, To: 6}
	levers := []trials.Lever{
		{Parameter: "enable_monitoring", To: false, Months: window},
		{Parameter: "vat_rate", To: sim.Defaults().VATRate, Months: window},
		{Parameter: "fixed_policy_rate", To: .2, Months: window}, // under the Taylor rule
		{Parameter: "income_tax_rate", To: .3, Months: window},
	}
	got := fmt.Sprint(deadParameters(t, levers))
	if want := "[enable_monitoring vat_rate fixed_policy_rate]"; got != want {
		t.Errorf("dead: %s, want %s", got, want)
	}
}

// Every row of the tables can be simulated, changes something, and says why it
// expects what it expects.
func TestLeversAreWellFormed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	all := slices.Concat(trials.Signs(), trials.Levers())
	x := trials.LeverRun{Base: leverBase(2000, 0), Replications: 1, Levers: slices.Clone(all)}
	for i := range x.Levers {
		x.Levers[i].Months = trials.Window{From: 1, To: 1}
	}
	for i, e := range mustLevers(t, x) {
		l := all[i]
		if e.From == e.To {
			t.Errorf("%s: the setting leaves it at %v", l.Parameter, e.From)
		}
		if l.Months.From < 1 || l.Months.To < l.Months.From || l.Months.To > 120 {
			t.Errorf("%s: months %d to %d", l.Parameter, l.Months.From, l.Months.To)
		}
		seen := make(map[sim.Indicator]bool)
		for _, expected := range l.Expect {
			if seen[expected.Outcome] || expected.Source == "" || expected.Sign != trials.Rises && expected.Sign != trials.Falls {
				t.Errorf("%s: expectation %+v is double or not complete", l.Parameter, expected)
			}
			seen[expected.Outcome] = true
		}
	}
	for _, l := range trials.Signs() {
		if l.Claim == "" || len(l.Expect) == 0 {
			t.Errorf("the sign of %s claims nothing", l.Parameter)
		}
	}
}

// someLevers share controls, have others, windows of their own, a burn-in of
// their own, another seed, and an end of their own.
func someLevers() []trials.Lever {
	early, late := trials.Window{From: 1, To: 4}, trials.Window{From: 5, To: 8}
	return []trials.Lever{
		{Parameter: "vat_rate", To: .13, Months: late, Expect: []trials.Expectation{{Outcome: sim.CPI, Sign: trials.Rises, Source: "test"}}},
		{
			Parameter: "minimum_wage", To: .6, Months: early,
			Expect: []trials.Expectation{{Outcome: trials.WageGini, Sign: trials.Falls, Source: "test"}},
		},
		{Parameter: "fixed_policy_rate", To: .05, Months: early, Context: []sim.ParameterChange{{Name: "policy_rate_rule", Value: "fixed"}}},
		{Parameter: "inherent_market_consumption_rate", To: .12, Months: early, Band: &trials.Band{Low: .4, High: 2}},
		{Parameter: "num_households", Times: 2, Months: early},
		{Parameter: "skill_dispersion", To: .8, Months: early},
		{Parameter: "random_state", To: 2, Months: early},
		{Parameter: "burn_in_months", To: 3, Months: early},
		{Parameter: "num_iterations", To: 5, Months: late},
	}
}

func TestLeversAreThoseOfTheirExperiments(t *testing.T) {
	x := trials.LeverRun{Base: leverBase(1000, burnInMonths), Replications: 3, Levers: someLevers()}
	effects := mustLevers(t, x)

	// The first lever alone, as an experiment of two arms.
	for i, months := range []int{8, 4} {
		change := []any{effects[i].Parameter, effects[i].To}
		result := mustRun(t, lab.Experiment{
			Arms:         []lab.Arm{{Name: "control", Scenario: mustScenario(t)}, {Name: "treatment", Scenario: mustScenario(t, change...)}},
			Replications: 3, Seed: 1, Months: months, From: effects[i].Months.From, To: effects[i].Months.To, Threads: 2,
		})
		for k, want := range result.Effects {
			got := effects[i].Effects[k]
			got.Arm, got.PAdjusted, got.Smallest, got.Verdict, got.Tiny = want.Arm, want.PAdjusted, want.Smallest, want.Verdict, want.Tiny
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %+v, want %+v", effects[i].Parameter, got, want)
			}
		}
	}
	cpi := effects[0].Checks[0]
	if cpi.Verdict != trials.VerdictExpected || cpi.Effect.Percent < 2 || cpi.Effect.Percent > 6 {
		t.Errorf("CPI with 5 points more VAT: %+v", cpi)
	}
	if wages := effects[1].Checks[0]; wages.Verdict != trials.VerdictExpected || wages.Effect.Metric != "wage_gini" {
		t.Errorf("wage Gini under a minimum wage: %+v", wages)
	}
	if m := effects[3].Multiplier; !(m.CILow < m.Difference && m.Difference < m.CIHigh) || m.N != 3 {
		t.Errorf("multiplier %+v", m)
	}
	for i, apart := range []bool{false, false, false, false, true, true, true, true, false} {
		if effects[i].Apart != apart || effects[i].Dead {
			t.Errorf("%s: burnt in apart %v, dead %v", effects[i].Parameter, effects[i].Apart, effects[i].Dead)
		}
	}
	if households := effects[4]; households.From != 1000 || households.To != 2000 {
		t.Errorf("households %v to %v", households.From, households.To)
	}
	// Months 5 to 8 of one economy, beside month 5 of the same.
	for _, e := range effects[8].Effects {
		if e.Metric == "firms" && math.Abs(e.Difference) > 2 { // of 81, some of which come and go
			t.Errorf("the length of an experiment changed its firms: %+v", e)
		}
		if e.Metric == "nominal_wage_mean" && e.Difference >= 0 {
			t.Errorf("wages of month 5 are not below the mean of months 5 to 8: %+v", e)
		}
	}
}

func TestLeversOnAnyThreads(t *testing.T) {
	var first []byte
	for _, threads := range []int{1, 3} {
		study := trials.LeverStudy{
			Base: leverBase(1000, 3), Only: []string{"vat_rate", "tax_allowance", "first_month_job_rate"},
			Replications: 2, SignReplications: 2,
		}
		study.Base.MaxConcurrentTasks = threads
		done, of := 0, 0
		study.Progress = func(p run.Progress) {
			if p.Done <= done || of != 0 && p.Of != of {
				t.Errorf("%d of %d months done after %d of %d", p.Done, p.Of, done, of)
			}
			done, of = p.Done, p.Of
		}
		report, err := study.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if done != of || done == 0 {
			t.Errorf("%d of %d months done at the end", done, of)
		}
		data, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		text := append(data, report.Markdown()...)
		if first == nil {
			first = text
		}
		if string(text) != string(first) {
			t.Errorf("%d threads gave another report", threads)
		}
	}
}

func TestLeverStudyRefusesAndStops(t *testing.T) {
	base := leverBase(1000, 2)
	for _, tt := range []struct {
		study trials.LeverStudy
		kind  fault.Kind
	}{
		{trials.LeverStudy{Base: base, Only: []string{"vat"}, Replications: 1}, fault.UnknownParameter},
		{trials.LeverStudy{Base: base, Only: []string{"enable_monitoring"}, Replications: 1}, fault.Conflict},
		{trials.LeverStudy{Base: base, Only: []string{"vat_rate"}, SignsOnly: true, Replications: 1}, fault.Conflict},
		{trials.LeverStudy{Base: base, Only: []string{"vat_rate"}}, fault.OutOfRange},
	} {
		if _, err := tt.study.Run(t.Context()); fault.KindOf(err) != tt.kind {
			t.Errorf("%v: error %v, want %s", tt.study.Only, err, tt.kind)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	study := trials.LeverStudy{Base: base, Only: []string{"vat_rate"}, Replications: 2, Progress: func(p run.Progress) {
		if p.Phase == run.PhaseRunning {
			cancel()
		}
	}}
	_, err := study.Run(ctx)
	if _, ok := errors.AsType[*run.Interrupted](err); !ok {
		t.Errorf("error %v after a cancellation", err)
	}
}

// The signs that the economy must get right, in an economy of a fifth of the
// usual size on few seeds: none may be otherwise. docs/LEVERS.md has them with
// all seeds.
func TestSigns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	x := trials.LeverRun{Base: leverBase(1000, 60), Replications: 10, Levers: trials.Signs()}
	expected := 0
	for _, e := range mustLevers(t, x) {
		for _, c := range e.Checks {
			if c.Verdict == trials.VerdictOtherwise || c.Verdict == trials.VerdictNotComputed {
				t.Errorf("%s: %s %s", e.Claim, c.Effect.Metric, trials.EffectText(c.Effect))
			}
			if c.Verdict == trials.VerdictExpected {
				expected++
			}
		}
		if e.Band != nil && (e.Multiplier.Difference < e.Band.Low || e.Multiplier.Difference > e.Band.High) {
			t.Errorf("%s: multiplier %s", e.Claim, trials.EffectText(e.Multiplier))
		}
	}
	if expected < 8 {
		t.Errorf("%d signs could be told from chance", expected)
	}
}

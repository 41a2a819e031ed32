package lab_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

const burnInMonths = 6

// mustScenario is a small economy; changes are pairs of a name and a value.
func mustScenario(tb testing.TB, changes ...any) scenario.Scenario {
	tb.Helper()
	p := sim.Defaults()
	changes = append([]any{"num_households", 1000, "burn_in_months", burnInMonths}, changes...)
	for i := 0; i < len(changes); i += 2 {
		if err := p.Set(changes[i].(string), changes[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	return scenario.New("test", p)
}

func mustRun(tb testing.TB, x lab.Experiment) *lab.Result {
	tb.Helper()
	result, err := x.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return result
}

func policy(tb testing.TB) lab.Experiment {
	return lab.Experiment{
		Arms: []lab.Arm{
			{Name: "control", Scenario: mustScenario(tb)},
			{Name: "vat", Scenario: mustScenario(tb, "vat_rate", .13)},
		},
		Replications: 3, Seed: 1, Months: 6, Threads: 2,
	}
}

// sameOutcomes compares bit for bit; NaN equals NaN.
func sameOutcomes(a, b []lab.Replication) bool {
	if len(a) != len(b) {
		return false
	}
	for r := range a {
		if a[r].Seed != b[r].Seed || a[r].StateHash != b[r].StateHash {
			return false
		}
		for i := range a[r].Series {
			if len(a[r].Series[i]) != len(b[r].Series[i]) {
				return false
			}
			for m, v := range a[r].Series[i] {
				if math.Float64bits(v) != math.Float64bits(b[r].Series[i][m]) {
					return false
				}
			}
		}
	}
	return true
}

func TestEqualArms(t *testing.T) {
	x := policy(t)
	x.Arms[1].Scenario = x.Arms[0].Scenario
	result := mustRun(t, x)
	if !sameOutcomes(result.Arms[0].Replications, result.Arms[1].Replications) {
		t.Error("two equal arms differ")
	}
	if result.Arms[0].ScenarioHash != result.Arms[1].ScenarioHash {
		t.Error("two equal arms have different scenario hashes")
	}
	if len(result.Effects) != int(sim.NumIndicators) {
		t.Fatalf("%d effects, want one per indicator", len(result.Effects))
	}
	for _, e := range result.Effects {
		if e.N == 0 {
			continue // undefined in so short a run
		}
		if e.N != x.Replications || e.Difference != 0 || !math.IsNaN(e.CILow) || e.Verdict == inference.Supported { // three pairs are no proof of more
			t.Errorf("%s: difference %g [%g, %g], n %d; want 0 without an interval, n %d", e.Metric, e.Difference, e.CILow, e.CIHigh, e.N, x.Replications)
		}
	}
}

// Until an intervention begins, an arm that plans it is the control, bit for bit.
func TestInterventionInAnArm(t *testing.T) {
	const month = 4
	x := policy(t)
	x.Arms[1].Scenario = x.Arms[0].Scenario
	x.Arms[1].Scenario.Interventions = []sim.Intervention{{
		Type:        sim.TypeParameterChange,
		TargetMonth: month, Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .2}},
	}}
	result := mustRun(t, x)
	for r, control := range result.Arms[0].Replications {
		treatment := result.Arms[1].Replications[r]
		if control.StateHash == treatment.StateHash {
			t.Errorf("replication %d: the intervention did nothing", r+1)
		}
		for i := range control.Series {
			for m := range month - 1 {
				if math.Float64bits(control.Series[i][m]) != math.Float64bits(treatment.Series[i][m]) {
					t.Errorf("replication %d: %s differs in month %d", r+1, sim.Indicator(i), m+1)
				}
			}
		}
		if m := month - 1; treatment.Series[sim.CPI][m] <= control.Series[sim.CPI][m] {
			t.Errorf("replication %d: CPI %g with more VAT, %g without", r+1, treatment.Series[sim.CPI][m], control.Series[sim.CPI][m])
		}
	}
	if result.Arms[0].ScenarioHash == result.Arms[1].ScenarioHash {
		t.Error("an arm with an intervention has the scenario hash of the control")
	}
}

func TestPairs(t *testing.T) {
	x := policy(t)
	result := mustRun(t, x)
	control, vat := result.Arms[0], result.Arms[1]
	seeds := make(map[uint64]bool)
	for r := range control.Replications {
		a, b := control.Replications[r], vat.Replications[r]
		if a.Seed != b.Seed || a.Seed != run.ReplicationSeed(x.Seed, r) {
			t.Errorf("replication %d: seeds %d and %d", r+1, a.Seed, b.Seed)
		}
		seeds[a.Seed] = true
		if a.StateHash == b.StateHash {
			t.Errorf("replication %d: the treatment changed nothing", r+1)
		}
		if n := len(a.Series[sim.CPI]); n != x.Months {
			t.Errorf("replication %d: %d months", r+1, n)
		}
	}
	if len(seeds) != x.Replications || control.Replications[0].Seed != x.Seed {
		t.Errorf("seeds %v; want %d, the first of them %d", seeds, x.Replications, x.Seed)
	}
	if vat.BurntInApart != nil {
		t.Errorf("burnt in apart for %v, although VAT is live", vat.BurntInApart)
	}
	if len(result.Months) != x.Months || result.Months[0] != 1 || len(control.Mean[sim.CPI]) != x.Months {
		t.Errorf("months %v, %d means", result.Months, len(control.Mean[sim.CPI]))
	}
	if lower, mean, upper := control.Lower[sim.RealGDP][0], control.Mean[sim.RealGDP][0], control.Upper[sim.RealGDP][0]; !(lower < mean &&
		mean < upper) {
		t.Errorf("real GDP in month 1: %g not within %g to %g", mean, lower, upper)
	}

	// Five points of VAT on top of 8 % raise what consumers pay at once: the
	// mean CPI over the window rises by less than 5/108 and more than half.
	var cpi *lab.Effect
	for i := range result.Effects {
		if result.Effects[i].Metric == "cpi" {
			cpi = &result.Effects[i]
		}
	}
	if cpi == nil || cpi.Percent < 2.3 || cpi.Percent > 5.5 || cpi.CILow <= 0 {
		t.Errorf("effect on cpi: %+v", cpi)
	}
}

func TestThreadsChangeNothing(t *testing.T) {
	x := policy(t)
	x.Threads = 1
	one := mustRun(t, x)
	for _, threads := range []int{2, 3, 8} {
		x.Threads = threads
		many := mustRun(t, x)
		for i := range one.Arms {
			if !sameOutcomes(one.Arms[i].Replications, many.Arms[i].Replications) {
				t.Errorf("arm %q differs between 1 and %d threads", one.Arms[i].Name, threads)
			}
		}
		for i := range one.Effects {
			if one.Effects[i].Metric != many.Effects[i].Metric {
				t.Errorf("effect %d is %s on 1 thread and %s on %d", i, one.Effects[i].Metric, many.Effects[i].Metric, threads)
			}
		}
	}
}

func TestAloneOrInAnExperiment(t *testing.T) {
	x := policy(t)
	together := mustRun(t, x)
	alone := mustRun(t, lab.Experiment{Arms: x.Arms[:1], Replications: 1, Seed: run.ReplicationSeed(x.Seed, 2), Months: x.Months})
	if !sameOutcomes(alone.Arms[0].Replications, together.Arms[0].Replications[2:]) {
		t.Error("a replication run by itself with its seed differs")
	}
	if len(alone.Effects) != 0 {
		t.Errorf("one arm has %d effects", len(alone.Effects))
	}
	if !math.IsNaN(alone.Arms[0].Lower[sim.CPI][0]) || alone.Arms[0].Mean[sim.CPI][0] != alone.Arms[0].Replications[0].Series[sim.CPI][0] {
		t.Error("one replication has an interval, or another mean than itself")
	}
}

func TestBurntInApart(t *testing.T) {
	x := policy(t)
	x.Replications = 1
	x.Arms = append(x.Arms, lab.Arm{Name: "smaller", Scenario: mustScenario(t, "num_households", 900)})
	result := mustRun(t, x)
	if got := result.Arms[2].BurntInApart; !reflect.DeepEqual(got, []string{"num_households"}) {
		t.Errorf("burnt in apart for %v, want num_households", got)
	}
	if result.Arms[1].BurntInApart != nil {
		t.Errorf("the live arm was burnt in apart for %v", result.Arms[1].BurntInApart)
	}
	if n := len(result.Effects); n != 2*int(sim.NumIndicators) {
		t.Errorf("%d effects, want those of two treatments", n)
	}
	for _, e := range result.Effects {
		if e.N > 1 || !math.IsNaN(e.CILow) {
			t.Errorf("%s of %s: interval from %g with one replication", e.Metric, e.Arm, e.CILow)
		}
	}
}

// TestOwnBurnIn: an arm that differs in live parameters only starts from the
// control's burnt-in state, whatever burn-in its scenario has, and is named
// after what was simulated.
func TestOwnBurnIn(t *testing.T) {
	x := policy(t)
	x.Replications = 1
	own := x.Arms[1].Scenario
	own.BurnIn = own.Params
	x.Arms = append(x.Arms, lab.Arm{Name: "own", Scenario: own})
	result := mustRun(t, x)
	vat, ownBurnIn := result.Arms[1], result.Arms[2]
	if !sameOutcomes(vat.Replications, ownBurnIn.Replications) {
		t.Fatal("the arm with a burn-in of its own did not start from the control's state")
	}
	if vat.ScenarioHash != ownBurnIn.ScenarioHash || ownBurnIn.ScenarioHash == own.Hash() {
		t.Errorf("scenario hashes %s and %s of the same simulation", vat.ScenarioHash, ownBurnIn.ScenarioHash)
	}
	if vat.BurntInAs != "" || ownBurnIn.BurntInAs != "control" || ownBurnIn.BurntInApart != nil {
		t.Errorf("burnt in as %q and %q, apart for %v", vat.BurntInAs, ownBurnIn.BurntInAs, ownBurnIn.BurntInApart)
	}
	alone := mustRun(t, lab.Experiment{Arms: x.Arms[2:], Replications: 1, Seed: x.Seed, Months: x.Months})
	if alone.Arms[0].ScenarioHash != own.Hash() || alone.Arms[0].BurntInAs != "" ||
		sameOutcomes(alone.Arms[0].Replications, vat.Replications) {
		t.Error("alone, the arm has not its own burn-in")
	}
}

func TestCache(t *testing.T) {
	x := policy(t)
	x.Cache = run.Cache{Dir: t.TempDir()}
	first, second := mustRun(t, x), mustRun(t, x)
	if first.CachedBurnIn || !second.CachedBurnIn {
		t.Errorf("burn-in cached: %v, then %v", first.CachedBurnIn, second.CachedBurnIn)
	}
	for i := range first.Arms {
		if !sameOutcomes(first.Arms[i].Replications, second.Arms[i].Replications) {
			t.Errorf("arm %q differs when its burn-in is cached", first.Arms[i].Name)
		}
	}
}

func TestProgress(t *testing.T) {
	x := policy(t)
	x.Cache = run.Cache{Dir: t.TempDir()}
	all := x.Replications * (burnInMonths + len(x.Arms)*x.Months)
	for _, wantBurnIns := range []int{x.Replications * burnInMonths, x.Replications} { // simulated, then cached
		done, burnIns := 0, 0
		begun := make(map[int]bool)         // replications that are burnt in
		x.Progress = func(p run.Progress) { // not synchronised: the race detector watches
			if p.Done <= done || p.Of != all {
				t.Errorf("%d of %d after %d of %d", p.Done, p.Of, done, all)
			}
			done = p.Done
			if p.Phase == run.PhaseBurnIn {
				burnIns++
				begun[p.Replication] = p.Month == p.Total
				if p.Cached != (wantBurnIns == x.Replications) {
					t.Errorf("month %d of burn-in, cached %v", p.Month, p.Cached)
				}
				return
			}
			if !begun[p.Replication] || p.Latest.Month != p.Month || p.Total != x.Months || p.Replication < 1 || p.Arm == "" {
				t.Errorf("progress %+v", p)
			}
		}
		mustRun(t, x)
		if done != all || burnIns != wantBurnIns || len(begun) != x.Replications {
			t.Errorf("%d of %d months done, %d reports of burn-in; want all and %d", done, all, burnIns, wantBurnIns)
		}
	}
}

func TestCancel(t *testing.T) {
	x := policy(t)
	x.Months = 6000
	ctx, cancel := context.WithCancel(t.Context())
	x.Progress = func(p run.Progress) {
		if p.Phase == run.PhaseRunning && p.Month == 2 {
			cancel()
		}
	}
	result, err := x.Run(ctx)
	if !errors.Is(err, context.Canceled) || result != nil {
		t.Fatalf("result %v, error %v; want a cancellation", result != nil, err)
	}
	if !strings.Contains(err.Error(), `arm "`) || !strings.Contains(err.Error(), "replication ") ||
		!strings.HasPrefix(err.Error(), "interrupted in month ") {
		t.Errorf("error %q does not say where", err)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name   string
		change func(*lab.Experiment)
		kind   fault.Kind
		says   []string
	}{
		{"no arms", func(x *lab.Experiment) { x.Arms = nil }, fault.InvalidState, []string{"at least one arm"}},
		{"no replications", func(x *lab.Experiment) { x.Replications = 0 }, fault.OutOfRange, []string{"--replications", "1 or more"}},
		{"no months", func(x *lab.Experiment) { x.Months = 0 }, fault.OutOfRange, []string{"--months"}},
		{"window beyond the horizon", func(x *lab.Experiment) { x.From, x.To = 3, 7 }, fault.OutOfRange, []string{"--window = 3:7", "6:6"}},
		{"window before the first month", func(x *lab.Experiment) { x.From, x.To = 0, 3 }, fault.OutOfRange, []string{"--window"}},
		{"window backwards", func(x *lab.Experiment) { x.From, x.To = 4, 3 }, fault.OutOfRange, []string{"--window"}},
		{"equal names", func(x *lab.Experiment) { x.Arms[1].Name = "control" }, fault.Conflict, []string{`"control"`}},
		{"confidence", func(x *lab.Experiment) { x.Confidence = 95 }, fault.OutOfRange, []string{"--confidence"}},
		{"confidence is not a number", func(x *lab.Experiment) { x.Confidence = math.NaN() }, fault.OutOfRange, []string{"--confidence"}},
		{"threads", func(x *lab.Experiment) { x.Threads = -1 }, fault.OutOfRange, []string{"--threads"}},
		{"seed", func(x *lab.Experiment) { x.Seed = 1 << 53 }, fault.OutOfRange, []string{"--seed"}},
		{
			"parameter", func(x *lab.Experiment) { x.Arms[1].Scenario.Params.VATRate = math.NaN() }, fault.OutOfRange,
			[]string{`arm "vat"`, "vat_rate"},
		},
		{"an intervention that is none", func(x *lab.Experiment) {
			x.Arms[1].Scenario.Interventions = []sim.Intervention{{Type: sim.TypeParameterChange, TargetMonth: 2}}
		}, fault.WrongType, []string{`arm "vat"`, "intervention 1", "changes no parameter"}},
		{"an intervention after the end", func(x *lab.Experiment) {
			x.Arms[1].Scenario.Interventions = []sim.Intervention{
				{Type: sim.TypeParameterChange, TargetMonth: 7, Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .1}}},
			}
		}, fault.OutOfRange, []string{`arm "vat"`, "intervention 1", "target_month = 7", "1 to 6"}},
		{
			"a size that changes after burn-in", func(x *lab.Experiment) { x.Arms[0].Scenario.BurnIn.NumIndustries-- }, fault.Conflict,
			[]string{"num_industries", "burn-in"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := policy(t)
			x.Progress = func(run.Progress) { t.Error("something was simulated") }
			tt.change(&x)
			_, err := x.Run(t.Context())
			if fault.KindOf(err) != tt.kind {
				t.Fatalf("error %v, want %s", err, tt.kind)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("error %q does not say %q", err, s)
				}
			}
		})
	}
}

// TestMemoryIsCheckedFirst lowers the memory limit of this process, so that no
// economy fits.
func TestMemoryIsCheckedFirst(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1))
	s := scenario.New("test", sim.Defaults())
	simulated := func(run.Progress) { t.Error("something was simulated") }
	x := lab.Experiment{Arms: []lab.Arm{{Name: "test", Scenario: s}}, Replications: 1, Months: 1, Progress: simulated}
	_, err := x.Run(t.Context())
	if fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("Run: %v, want limit_exceeded", err)
	}
	x.Arms = append(x.Arms, lab.Arm{Name: "same", Scenario: s})
	_, err = x.Run(t.Context())
	if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "2 times 10000 households") {
		t.Errorf("Run of two arms: %v, want limit_exceeded for two economies", err)
	}
}

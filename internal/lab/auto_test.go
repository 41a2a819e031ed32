package lab_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

const autoHouseholds, autoMonths = 500, 18

// autoOrder is an experiment of two small arms whose effect on real GDP is looked for until
// its interval is narrow.
func autoOrder(tb testing.TB, halfWidth float64, most int) lab.Order {
	s := mustScenario(tb, "num_households", autoHouseholds)
	s.Interventions = []sim.Intervention{vat(3, "")}
	smallest := 1. // so that the relative half-width decides
	return lab.Order{
		Name: "x", Scenario: s, Control: lab.BurnInControl, Replications: lab.Auto, Months: autoMonths,
		Plan: &lab.Plan{
			Outcomes: []string{"real_consumption", "cpi"}, Window: []int{10, autoMonths}, HalfWidth: &halfWidth, MaxReplications: &most, SmallestEffect: &smallest,
		},
	}
}

// halfWidthOf is the relative half-width of the interval of the effect of an experiment's first
// replications, from what is stored.
func (w *workshop) halfWidthOf(name string, replications int) float64 {
	w.tb.Helper()
	var means [2][]float64
	for i, arm := range []string{lab.ControlArm, lab.TreatmentArm} {
		s, err := w.Store.Series(context.Background(), name, arm, []sim.Indicator{sim.RealConsumption}, 10, autoMonths, 1)
		if err != nil {
			w.tb.Fatal(err)
		}
		for r := range replications {
			means[i] = append(means[i], stats.Mean(s.Values[r][0]))
		}
	}
	return stats.PairedInterval(means[0], means[1], .95).RelativeHalfWidth()
}

// memoryFor is the memory in which so many replications of a plan live at a time.
func memoryFor(tb testing.TB, o lab.Order, replications int) int64 {
	tb.Helper()
	arms, err := lab.Twins(o.Scenario, lab.Continued(o.Scenario))
	if err != nil {
		tb.Fatal(err)
	}
	plan := run.Task{
		Arms: arms, Seeds: make([]uint64, replications), Months: cmp.Or(o.Months, arms[0].Scenario.Params.NumIterations),
		Footprint: lab.Footprint,
	}
	var low, high int64 = 0, 1 << 40
	for high-low > 1 {
		if mid := (low + high) / 2; run.NewManager(run.Settings{Threads: 1, MemoryBytes: mid}).Fit(plan) == replications {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// added waits until some replications are done and others are simulated, and pauses.
func (w *workshop) added(name string) lab.Status {
	w.tb.Helper()
	ctx, cancel := context.WithCancel(w.tb.Context())
	defer cancel()
	_, err := w.Wait(ctx, name, func(s lab.Status) {
		if s.ReplicationsDone > 0 {
			cancel()
		}
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	s, err := w.Pause(w.tb.Context(), name, access.Operator())
	if err != nil || s.State != run.StatePaused || s.ReplicationsDone < lab.FirstReplications || s.Replications <= s.ReplicationsDone {
		w.tb.Fatalf("%+v, %v", s, err)
	}
	return s
}

// Replications are added until the interval is narrow, whatever the number of threads, the
// memory that decides how many live at a time, or an end of the process in between; and
// the experiment is one of that many replications to everyone who reads it.
func TestAutoReplications(t *testing.T) {
	const target, most = .03, 60
	var want []string
	check := func(how string, l *workshop) {
		t.Helper()
		end := l.wait("x", run.StateCompleted)
		x, err := l.Store.Experiment(context.Background(), "x")
		if err != nil {
			t.Fatal(err)
		}
		n := x.Replications
		if n <= lab.FirstReplications || n >= most || len(x.Runs) != 2*n || len(x.Underway) > 0 || end.Replications != n ||
			end.ReplicationsDone != n || end.Progress != 1 || end.Month != autoMonths {
			t.Fatalf("%s: %d replications with %d runs, %d under way; %+v", how, n, len(x.Runs), len(x.Underway), end)
		}
		width := l.halfWidthOf("x", n)
		told := fmt.Sprintf("stopped at %d replications: the relative half-width of the effect on real_consumption is %.3g, under 0.03", n, width)
		if !(width <= target) || !(l.halfWidthOf("x", lab.FirstReplications) > target) || x.Message != told || end.Message != told {
			t.Errorf("%s: half-width %g of %d: %q, %q", how, width, n, x.Message, end.Message)
		}
		hashes := l.hashes("x")
		if want == nil {
			want = hashes
		}
		if !slices.Equal(hashes, want) {
			t.Errorf("%s: %d replications, or other bits, where there were %d", how, n, len(want)/2)
		}
	}

	l := newWorkshop(t, run.Settings{})
	order := autoOrder(t, target, most)
	if started, err := l.Start(context.Background(), order); err != nil || len(started.RunIDs) != 2*lab.FirstReplications {
		t.Fatalf("%v, %v", started.RunIDs, err)
	}
	check("as it comes", l)
	if err := l.Rerun(t.Context(), "x", 1, func(r lab.Rerun) {
		if !r.Same() {
			t.Errorf("other bits: %+v", r)
		}
	}); err != nil {
		t.Error(err)
	}
	study, err := l.Study(context.Background(), "x", inference.Choice{})
	if n := len(want) / 2; err != nil || len(study.Arms[1].Panel) != n || len(study.Arms[1].Innovation) != n ||
		len(study.Arms[0].Sizes) != n || len(study.Seeds) != n {
		t.Errorf("a study of other than %d replications, %v", n, err)
	}

	l = newWorkshop(t, run.Settings{})
	l.close()
	l.Settings.Threads, l.MemoryBytes = 1, memoryFor(t, order, 3)
	l.open()
	if started, err := l.Start(context.Background(), order); err != nil || len(started.RunIDs) != 2*3 {
		t.Fatalf("in memory for three: %v, %v", started.RunIDs, err)
	}
	check("three at a time", l)

	for how, s := range map[string]run.Settings{"resumed": {}, "resumed from a checkpoint": {CheckpointEvery: time.Millisecond}} {
		l = newWorkshop(t, s)
		l.start(order)
		l.added("x")
		l.close()
		l.open()
		left, err := l.Status(context.Background(), "x")
		if err != nil || left.State != run.StateInterrupted || left.ReplicationsDone < lab.FirstReplications ||
			left.Replications <= left.ReplicationsDone || left.Month != autoMonths {
			t.Fatalf("%s: %+v, %v", how, left, err)
		}
		if _, err := l.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
			t.Fatal(err)
		}
		check(how, l)
	}
}

// While replications are added, what is read is of those that are complete: nothing can be
// planned for them any more, and an experiment that is stopped keeps them.
func TestWhileReplicationsAreAdded(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	order := autoOrder(t, .001, 200)
	l.start(order)
	s := l.added("x")
	n := s.ReplicationsDone
	if s.Month != autoMonths || s.Latest.Month != autoMonths || s.Latest.Replications != n || !(s.Progress > .3 && s.Progress < 1) ||
		!(s.ETASeconds >= 0) ||
		!strings.HasPrefix(s.Message, fmt.Sprintf("replications %d to %d are ", n+1, s.Replications)) {
		t.Errorf("%+v", s)
	}
	if _, err := l.Inject(t.Context(), "x", "", vat(autoMonths, ""), access.Operator()); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "replications of \"x\" have ended") {
		t.Errorf("injected: %v", err)
	}
	if _, err := l.Cancel(t.Context(), "x/treatment/1", access.Operator()); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := l.Resume(t.Context(), "x", autoMonths-1, access.Operator()); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("to pause in a month that is over: %v", err)
	}
	now, err := l.Indicators(context.Background(), "x", "", 0, 0, nil)
	if err != nil || now.Month != autoMonths || now.Replications != n {
		t.Errorf("indicators of %d replications in month %d, %v", now.Replications, now.Month, err)
	}
	if _, err := l.Indicators(context.Background(), "x", "", 0, n+1, nil); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("indicators of a replication under way: %v", err)
	}
	series, err := l.Series(context.Background(), "x", "", "cpi", "all", 1, 0, 1)
	if err != nil || len(series.Replications) != n || len(series.Months) != autoMonths {
		t.Errorf("series of %d replications, %v", len(series.Replications), err)
	}
	place, _, err := l.Households(t.Context(), "x", "", 0, "income_decile")
	if err != nil || place.Month != autoMonths || place.Replications != n || place.Partial {
		t.Errorf("a table of %+v, %v", place, err)
	}
	c, err := l.Compare(context.Background(), []string{"x"}, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, "", "tester")
	if err != nil || c.Rows[0].N != n || !c.Rows[0].Exploratory || !strings.Contains(c.Text, "its rule") {
		t.Errorf("a comparison of %+v, %v", c.Rows, err)
	}
	if _, err := l.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	stopped, err := l.Stop(t.Context(), "x", access.Operator())
	if err != nil {
		t.Fatal(err)
	}
	x, err := l.Store.Experiment(context.Background(), "x")
	if err != nil || stopped.State != run.StateStopped || x.State != "stopped" || x.Replications < n ||
		x.Replications != stopped.Replications || x.Month != autoMonths ||
		len(x.Runs) != 2*x.Replications || len(x.Underway) > 0 || stopped.ReplicationsDone != x.Replications ||
		!strings.Contains(x.Message, "those under way were dropped") {
		t.Errorf(
			"%+v\n%d replications with %d runs and %d under way, month %d, %q, %v", stopped, x.Replications, len(x.Runs), len(x.Underway), x.Month,
			x.Message, err,
		)
	}
	if c, err = l.Compare(context.Background(), []string{"x"}, inference.Choice{}, "", "tester"); err != nil || !c.Rows[0].Exploratory {
		t.Errorf("after somebody stopped it: %+v, %v", c.Rows, err)
	}
	l.hashes("x")
	var runs int
	if err := l.database().QueryRow("SELECT count(*) FROM run").Scan(&runs); err != nil || runs != len(x.Runs) {
		t.Errorf("%d runs are stored, %v", runs, err)
	}
}

// The cap ends what no number of replications would; limits of a principal lower it.
func TestAutoLimits(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	order := autoOrder(t, .001, 12)
	order.Name = "capped"
	l.start(order)
	if s := l.wait("capped", run.StateCompleted); s.Replications != 12 ||
		!strings.HasPrefix(s.Message, "12 replications reached, the cap of the plan: the relative half-width of the effect on real_consumption is ") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}

	one := int64(autoHouseholds * autoMonths * 2)
	l.Limits.HouseholdMonths = 11*one + 1
	order = autoOrder(t, .001, 100)
	l.start(order)
	if s := l.wait("x", run.StateCompleted); s.Replications != 11 || !strings.Contains(s.Message, "limit household_months") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}
	l.Limits.HouseholdMonths = 10*one - 1
	if _, err := l.Start(context.Background(), autoOrder(t, .001, 100)); fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("its first replications are beyond the limit: %v", err)
	}
	small := 1. // currency units of real consumption, so that no interval is narrow enough
	order.Name, order.Plan.SmallestEffect = "stored", &small
	account, err := l.Store.Account(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	l.Limits = lab.Limits{}
	l.Store.Limits.Bytes = account.Bytes() + 2*lab.FirstReplications*l.Store.RunBytes(autoMonths, 0, 100_000) // of the first ones alone
	l.start(order)
	if s := l.wait("stored", run.StateCompleted); s.Replications >= 100 ||
		!strings.Contains(s.Message, "limit stored_bytes") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}
}

// An effect near zero has no relative width worth the name: where the plan says what would
// matter, an interval of half of that is narrow enough; and what never varies is known.
func TestAutoSmallestEffect(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	l := newWorkshop(t, run.Settings{})
	order := autoOrder(t, .001, 100)
	large := 1e9
	order.Plan.SmallestEffect = &large
	l.start(order)
	if s := l.wait("x", run.StateCompleted); s.Replications != lab.FirstReplications ||
		!strings.Contains(s.Message, "at most half of the smallest effect of interest") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}
	// Without a stated one, it is the usual one: half a point of a share.
	order = autoOrder(t, .001, 100)
	order.Name, order.Plan.Outcomes, order.Plan.SmallestEffect = "usual", []string{"vacancy_rate"}, nil
	l.start(order)
	if s := l.wait("usual", run.StateCompleted); !strings.Contains(s.Message, "at most half of the smallest effect of interest, 0.005") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}
	order = autoOrder(t, .001, 100)
	order.Name, order.Plan.Outcomes, order.Plan.SmallestEffect = "same", []string{"bank_failures"}, nil
	l.start(order)
	if s := l.wait("same", run.StateCompleted); s.Replications != lab.FirstReplications ||
		!strings.Contains(s.Message, "is the same in all of them") {
		t.Errorf("%d replications: %q", s.Replications, s.Message)
	}
}

// A plan that says when to stop adding wants replications that are added.
func TestAutoPlan(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	for want, change := range map[fault.Kind]func(o *lab.Order, width *float64, most *int){
		fault.Conflict:   func(o *lab.Order, _ *float64, _ *int) { o.Replications = 20 },
		fault.OutOfRange: func(_ *lab.Order, width *float64, _ *int) { *width = 0 },
	} {
		o := autoOrder(t, .06, 100)
		change(&o, o.Plan.HalfWidth, o.Plan.MaxReplications)
		if _, err := l.Start(context.Background(), o); fault.KindOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "1.5", "AUTO"} {
		if n, err := lab.ParseReplications("n", text); err == nil {
			t.Errorf("%q are %d replications", text, n)
		}
	}
}

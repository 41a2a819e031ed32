package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

func mustReport(tb testing.TB, l *Laboratory, name, language string) *report.Report {
	tb.Helper()
	r, err := l.report(tb.Context(), name, language, "")
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// A report is made once for each language, until something that it rests on changes.
func TestReportIsKept(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &Laboratory{Runs: run.NewManager(run.Settings{}), Store: s}
	defer l.Runs.Close(t.Context())
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.NumIterations = 500, 3, 8
	start := func(name string, pauseAt int, plan *Plan) {
		t.Helper()
		p.RandomState++ // what was found of one says nothing of the other
		treatment := p
		treatment.VATRate = .2
		arms := []Arm{{Name: ControlArm, Scenario: scenario.New(name, p)}, {Name: TreatmentArm, Scenario: scenario.New(name, treatment)}}
		o := Order{Name: name, Arms: arms, Replications: 2, PauseAt: pauseAt, Plan: plan}
		if _, err := l.Start(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Wait(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	start("x", 4, nil)

	paused := mustReport(t, l, "x", "en")
	if mustReport(t, l, "x", "en") != paused {
		t.Error("a second format or figure made a new report")
	}
	chinese := mustReport(t, l, "x", "zh")
	if chinese.Language != "zh" || mustReport(t, l, "x", "zh") != chinese || mustReport(t, l, "x", "en") != paused {
		t.Errorf("in %s, or not both languages are kept", chinese.Language)
	}
	if _, err := l.Compare(t.Context(), []string{"x"}, inference.Choice{Windows: []inference.Window{{From: 1, To: 2}}}, "", ""); err != nil {
		t.Fatal(err)
	}
	asked := mustReport(t, l, "x", "en")
	if asked == paused || asked.Analysis.Method.Asked <= paused.Analysis.Method.Asked {
		t.Errorf("the report rests on %d hypotheses after more were asked, %d before", asked.Analysis.Method.Asked, paused.Analysis.Method.Asked)
	}
	question := "why?"
	if _, err := l.Capture(t.Context(), "x", Note{Status: "pending", Question: &question}, access.Operator()); err != nil {
		t.Fatal(err)
	}
	if r := mustReport(t, l, "x", "en"); r.Title != question {
		t.Errorf("its title is %q after another question was noted", r.Title)
	}
	if _, err := l.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Wait(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
	ended := mustReport(t, l, "x", "en")
	if ended.Analysis.To != 8 || ended == asked {
		t.Errorf("the report of month 8 is about months %d to %d", ended.Analysis.From, ended.Analysis.To)
	}

	start("y", 0, &Plan{Window: []int{2, 3}})
	if r := mustReport(t, l, "y", "en"); r.Analysis.To != 3 || mustReport(t, l, "x", "en") != ended {
		t.Errorf("another plan: months %d to %d", r.Analysis.From, r.Analysis.To)
	}
}

// Callers who ask for the same while it is made wait for it; where the one who makes it is
// cancelled, the next makes it.
func TestCallersShareAReport(t *testing.T) {
	var k kept[report.Report]
	want := &report.Report{}
	began, release := make(chan struct{}), make(chan struct{})
	made := 0
	var mu sync.Mutex
	state := "before"
	present := func() (string, error) {
		mu.Lock()
		defer mu.Unlock()
		return state, nil
	}
	ask := func(ctx context.Context, write func() (*report.Report, string, error)) chan error {
		answered := make(chan error, 1)
		go func() {
			r, err := k.get(ctx, present, write)
			if err == nil && r != want {
				err = errors.New("another report")
			}
			answered <- err
		}()
		return answered
	}
	cancelled, cancel := context.WithCancel(t.Context())
	first := ask(cancelled, func() (*report.Report, string, error) {
		close(began)
		<-cancelled.Done()
		return nil, "", cancelled.Err()
	})
	<-began
	left, leave := context.WithCancel(t.Context())
	waiting := ask(left, nil)
	leave()
	if err := <-waiting; !errors.Is(err, context.Canceled) { // while the first still makes it
		t.Errorf("cancelled while it waits: %v", err)
	}
	write := func() (*report.Report, string, error) {
		made++
		<-release
		mu.Lock()
		defer mu.Unlock()
		state = "after" // what a report asks is counted, which changes what the next rests on
		return want, state, nil
	}
	second, third := ask(t.Context(), write), ask(t.Context(), write)
	cancel()
	close(release)
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, answered := range []chan error{second, third} {
		if err := <-answered; err != nil {
			t.Error(err)
		}
	}
	if made != 1 {
		t.Errorf("made %d times, want once", made)
	}
}

// A mistake of the program shows where the report was asked for, and the next caller does not wait
// for ever.
func TestReportPanics(t *testing.T) {
	var k kept[report.Report]
	present := func() (string, error) { return "state", nil }
	func() {
		defer func() {
			if p := recover(); p == nil {
				t.Error("the mistake is not seen")
			}
		}()
		k.get(t.Context(), present, func() (*report.Report, string, error) { panic("mistake") })
	}()
	want := &report.Report{}
	write := func() (*report.Report, string, error) { return want, "state", nil }
	if r, err := k.get(t.Context(), present, write); r != want || err != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// What was not used for longest is given up.
func TestMostKept(t *testing.T) {
	var k kept[report.Report]
	for n := range mostKept {
		k.keep(fmt.Sprint(n), &report.Report{})
	}
	used := k.find("0")
	k.keep("more", &report.Report{})
	if k.find("1") != nil || len(k.list) != mostKept {
		t.Errorf("%d reports, with the oldest: %v", len(k.list), k.find("1") != nil)
	}
	if k.find("0") != used || used == nil || k.find("more") == nil {
		t.Error("one that was used lately is gone")
	}
}

// A page in one language has the other made from the same analysis, and what was asked before is neither computed nor counted again.
func TestPagesAreKept(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &Laboratory{Runs: run.NewManager(run.Settings{}), Store: s}
	defer l.Runs.Close(t.Context())
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.NumIterations = 500, 3, 8
	treatment := p
	treatment.VATRate = .2
	arms := []Arm{{Name: ControlArm, Scenario: scenario.New("x", p)}, {Name: TreatmentArm, Scenario: scenario.New("x", treatment)}}
	if _, err := l.Start(t.Context(), Order{Name: "x", Arms: arms, Replications: 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Wait(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
	told := func(language string) *report.Report {
		t.Helper()
		r, err := l.Told(t.Context(), "x", language, "")
		if err != nil || r.Language != language {
			t.Fatalf("%v, %v", r, err)
		}
		return r
	}
	english, chinese := told("en"), told("zh")
	if &english.Analysis.Treatment[0] != &chinese.Analysis.Treatment[0] || mustReport(t, l, "x", "zh") != chinese || told("en") != english {
		t.Error("the languages have analyses of their own")
	}
	if part, ok := chinese.Section("budget"); !ok || part.Title != "公共预算" {
		t.Errorf("the part on the budget: %q", part.Title)
	}
	if _, ok := english.Section("nothing"); ok {
		t.Error("a part that there is not")
	}

	c := inference.Choice{Windows: []inference.Window{{From: 1, To: 3}}}
	effects := func(c inference.Choice) *inference.Comparison {
		t.Helper()
		compared, err := l.Effects(t.Context(), "x", c, "")
		if err != nil {
			t.Fatal(err)
		}
		return compared
	}
	first := effects(c)
	if first.Asked == 0 || effects(c) != first || effects(inference.Choice{Metrics: []sim.Indicator{sim.CPI}}) == first {
		t.Errorf("%d hypotheses are counted, or another choice has the same effects", first.Asked)
	}
	if _, err := l.Compare(t.Context(), []string{"x"}, inference.Choice{Windows: []inference.Window{{From: 2, To: 4}}}, "", ""); err != nil {
		t.Fatal(err)
	}
	if now := effects(c); now == first || now.Asked <= first.Asked {
		t.Errorf("after more was asked the effects rest on %d hypotheses, %d before", now.Asked, first.Asked)
	}

	paths, err := l.EffectPaths(t.Context(), "x", "tax_vat")
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.EffectPaths(t.Context(), "x", "tax_vat")
	if err != nil || again != paths || len(paths.Arms) != 1 {
		t.Errorf("the path is computed again, %v", err)
	}
	before, err := l.Series(t.Context(), "x", ControlArm, "tax_vat", "mean", 0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	after, err := l.Series(t.Context(), "x", TreatmentArm, "tax_vat", "mean", 0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k, difference := range paths.Arms[0].Difference {
		want := after.Data[k] - before.Data[k]
		if math.Abs(float64(difference-want)) > 1e-6*math.Abs(float64(want)) || !(paths.Arms[0].CILow[k] < difference && difference < paths.Arms[0].CIHigh[k]) {
			t.Errorf("month %d: %v (%v to %v), want %v", k+1, difference, paths.Arms[0].CILow[k], paths.Arms[0].CIHigh[k], want)
		}
	}
	counted, err := s.Ask(t.Context(), []string{"x"}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.EffectPaths(t.Context(), "x", "real_gdp"); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Ask(t.Context(), []string{"x"}, nil, ""); err != nil || len(all) != len(counted) {
		t.Errorf("a path counted hypotheses: %d before, %d after, %v", len(counted), len(all), err)
	}
}

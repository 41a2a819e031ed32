package lab

import (
	"context"
	"errors"
	"fmt"
	"testing"

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

// sameAnalysis reports whether two reports tell one analysis, in whichever language.
func sameAnalysis(a, b *report.Report) bool {
	return &a.Analysis.Treatment[0] == &b.Analysis.Treatment[0]
}

// A report is computed once for its language, and its analysis once for all languages, until
// something that it rests on changes.
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
	if chinese == paused || !sameAnalysis(chinese, paused) || chinese.Language != "zh" {
		t.Errorf("a second language (%s) analysed again", chinese.Language)
	}
	if mustReport(t, l, "x", "zh") != chinese {
		t.Error("the second language is not kept")
	}
	if _, err := l.Compare(t.Context(), []string{"x"}, inference.Choice{Windows: []inference.Window{{From: 1, To: 2}}}, ""); err != nil {
		t.Fatal(err)
	}
	asked := mustReport(t, l, "x", "en")
	if sameAnalysis(asked, paused) || asked.Analysis.Method.Asked <= paused.Analysis.Method.Asked {
		t.Errorf("the report rests on %d hypotheses after more were asked, %d before", asked.Analysis.Method.Asked, paused.Analysis.Method.Asked)
	}
	question := "why?"
	if _, err := l.Capture(t.Context(), "x", Note{Status: "pending", Question: &question}); err != nil {
		t.Fatal(err)
	}
	if r := mustReport(t, l, "x", "en"); r.Title != question {
		t.Errorf("its title is %q after another question was noted", r.Title)
	}
	if _, err := l.Resume(t.Context(), "x", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Wait(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
	ended := mustReport(t, l, "x", "en")
	if ended.Analysis.To != 8 || sameAnalysis(ended, asked) {
		t.Errorf("the report of month 8 is about months %d to %d", ended.Analysis.From, ended.Analysis.To)
	}

	start("y", 0, &Plan{Window: []int{2, 3}})
	if r := mustReport(t, l, "y", "en"); r.Analysis.To != 3 || mustReport(t, l, "x", "en") != ended {
		t.Errorf("another plan: months %d to %d", r.Analysis.From, r.Analysis.To)
	}
}

// Callers wait for one computation together, which ends when all of them have been cancelled
// and not before; who comes then begins anew.
func TestCallersShareAReport(t *testing.T) {
	var k keptReports
	want := &report.Report{}
	began, release := make(chan context.Context, 1), make(chan struct{})
	computed := 0
	write := func(ctx context.Context) (*report.Report, string, error) {
		computed++
		began <- ctx
		select {
		case <-release:
			return want, "rested", nil
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	type answer struct {
		r   *report.Report
		err error
	}
	ask := func() (cancel func(), answered chan answer) {
		ctx, cancel := context.WithCancel(t.Context())
		answered = make(chan answer, 1)
		go func() {
			r, err := k.report(ctx, "state", write)
			answered <- answer{r, err}
		}()
		return cancel, answered
	}
	waiting := func(n int) {
		for have := -1; have != n; {
			k.mu.Lock()
			if m := k.underWay["state"]; m != nil {
				have = m.waiting
			}
			k.mu.Unlock()
		}
	}

	first, one := ask()
	shared := <-began
	second, two := ask()
	waiting(2)
	first()
	if a := <-one; !errors.Is(a.err, context.Canceled) || shared.Err() != nil {
		t.Errorf("the first caller has %v, and what both wait for %v", a.err, shared.Err())
	}
	second()
	if a := <-two; !errors.Is(a.err, context.Canceled) || shared.Err() == nil {
		t.Errorf("the last caller has %v, and what nobody waits for goes on", a.err)
	}

	_, three := ask()
	<-began
	_, four := ask()
	waiting(2)
	close(release)
	for _, answered := range []chan answer{three, four} {
		if a := <-answered; a.r != want || a.err != nil {
			t.Errorf("%v, %v", a.r, a.err)
		}
	}
	r, err := k.report(t.Context(), "rested", write)
	if r != want || err != nil || computed != 2 {
		t.Errorf("%v, %v after %d computations, want 2", r, err, computed)
	}
}

// A mistake of the program shows where the report was asked for, as any other does.
func TestReportPanics(t *testing.T) {
	var k keptReports
	defer func() {
		if p := recover(); p == nil {
			t.Error("the mistake is not seen")
		}
		if len(k.underWay) > 0 {
			t.Error("the next caller waits for ever")
		}
	}()
	k.report(t.Context(), "state", func(context.Context) (*report.Report, string, error) { panic("mistake") })
}

// What was not used for longest is given up.
func TestRecent(t *testing.T) {
	var list recent[int]
	for n := range mostKept {
		list.keep(fmt.Sprint(n), n)
	}
	list.get("0")
	list.keep("more", mostKept)
	list.keep("more", mostKept+1)
	if _, ok := list.get("1"); ok || len(list) != mostKept {
		t.Errorf("%d values, with the oldest: %v", len(list), ok)
	}
	if n, ok := list.get("0"); n != 0 || !ok {
		t.Error("the one that was used again is gone")
	}
	if n, _ := list.get("more"); n != mostKept+1 {
		t.Errorf("the value is %d", n)
	}
}

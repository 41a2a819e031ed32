package design_test

import (
	"fmt"
	"testing"

	"econ-mcp/internal/design"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// TestLeversAreAlive: in a small economy the arms of every kind of labelled question part,
// and not before the month in which the question moves something.
func TestLeversAreAlive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	small := sim.Defaults()
	small.NumHouseholds, small.BurnInMonths = 1200, 6
	base := scenario.New(design.Baseline, small)
	done := map[string]bool{}
	for _, q := range questions(t) {
		p, err := design.Read(q.Question, base)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Levers) == 0 {
			continue
		}
		key, start := "", p.Levers[0].StartMonth
		for _, l := range p.Levers {
			key += l.Parameter + string(l.Direction) + fmt.Sprint(l.StartMonth > 1)
			start = min(start, l.StartMonth)
		}
		if done[key] {
			continue
		}
		done[key] = true
		control, treatment, err := p.Arms()
		if err != nil {
			t.Fatalf("%s: %v", q.Question, err)
		}
		a, b := live(t, control, start+18), live(t, treatment, start+18)
		parted := 0
		for m := range a {
			if fmt.Sprint(a[m].Values) != fmt.Sprint(b[m].Values) {
				parted = m + 1
				break
			}
		}
		apart := len(sim.DiffNotLive(control.Params, treatment.Params)) > 0
		waits := p.Levers[0].When != ""
		if parted == 0 && !waits || parted > 0 && parted < start && !apart {
			t.Errorf("%s: the arms part in month %d; %v begins in month %d", q.Question, parted, p.Levers[0].Parameter, start)
		}
	}
}

// live burns a scenario in and simulates months of it.
func live(tb testing.TB, s scenario.Scenario, months int) []sim.Record {
	tb.Helper()
	e, err := sim.New(s.BurnIn, 1)
	if err != nil {
		tb.Fatal(err)
	}
	step := func() {
		if err := e.Step(); err != nil {
			tb.Fatal(err)
		}
	}
	for range s.BurnIn.BurnInMonths {
		step()
	}
	e.BeginExperiment()
	p := s.Params
	p.NumIterations = s.BurnIn.NumIterations
	if err := e.SetParams(p); err != nil {
		tb.Fatal(err)
	}
	if err := e.Plan(s.Interventions); err != nil {
		tb.Fatal(err)
	}
	var list []sim.Record
	for range months {
		step()
		list = append(list, *e.Latest())
	}
	return list
}

package tables_test

import (
	"math"
	"slices"
	"testing"

	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// When a rule was on follows from the series of each replication, and is added up over them.
func TestInForce(t *testing.T) {
	series := func(u ...float64) *[sim.NumOutcomes][]float64 {
		s := new([sim.NumOutcomes][]float64)
		s[sim.UnemploymentRate] = u
		return s
	}
	panel := tables.Panel{
		series(.09, .07, .05, .09, .07, .07, .05, .05), series(.05, .05, .05, .05, .05, .05, .05, .05),
		series(.05, .09, .09, .09, .09, .09, .05, .05),
	}
	policy := sim.PolicyChange{Policy: "minimum_wage", Level: .5}
	rule := sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, When: "unemployment_rate > 0.08", Until: "unemployment_rate < 0.06", Policy: policy}
	once := sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, DurationMonths: 3, When: "unemployment_rate > 0.08", Policy: policy}
	list := tables.NewInForce([]sim.Intervention{rule, once}, [][]int{{2, 2}, {0, 0}, {3, 3}}, panel, panel.Months())
	on, single := list[0], list[1]
	for r, want := range [][]sim.Span{{{From: 2, To: 3}, {From: 5, To: 7}}, nil, {{From: 3, To: 7}}} {
		if !slices.Equal(on.Spans[r], want) {
			t.Errorf("replication %d: %v, want %v", r+1, on.Spans[r], want)
		}
	}
	if n, mean, months := on.Replications(), on.Mean(), tables.MonthsText(on.Any()); n != 2 || mean != 5 || months != "2–7" {
		t.Errorf("on in %d replications for %g months, %s", n, mean, months)
	}
	if !slices.Equal(single.Spans[2], []sim.Span{{From: 3, To: 5}}) || single.Mean() != 3 {
		t.Errorf("once: %v", single.Spans)
	}
	if never := tables.NewInForce([]sim.Intervention{rule}, [][]int{{0}}, panel[:1], 8)[0]; never.Replications() != 0 || !math.IsNaN(never.Mean()) ||
		never.Any() != nil {
		t.Errorf("never: %+v", never)
	}
	if got := tables.MonthsText([]sim.Span{{From: 1, To: 1}, {From: 3, To: 4}}); got != "1, 3–4" {
		t.Error(got)
	}
}

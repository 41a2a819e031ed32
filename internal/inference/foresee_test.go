package inference_test

import (
	"math"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/sim"
)

// What a plan can find depends on what it tests, and in how many economies, of what size.
func TestForesee(t *testing.T) {
	plan := inference.Planned{Outcomes: []sim.Indicator{sim.RealGDP}, Windows: []inference.Window{{From: 1, To: 20}}}
	foreseen := func(p inference.Planned, arms, households, n int) inference.Foreseen {
		t.Helper()
		list, err := p.Foresee(arms, households, n)
		if err != nil || len(list) == 0 {
			t.Fatalf("%v, %v", list, err)
		}
		return list[0]
	}
	base := foreseen(plan, 1, 10_000, 20)
	if !(0 < base.Least && base.Least < base.Most) || !base.Relative || base.Smallest != .01 || base.Households != 10_000 {
		t.Errorf("base: %+v", base)
	}
	more := plan
	more.Outcomes, more.Windows = inference.Outcomes, []inference.Window{{From: 1, To: 20}, {From: 41, To: 60}}
	later := plan
	later.Earlier = 1
	late := plan
	late.Windows = more.Windows[1:]
	for name, x := range map[string]inference.Foreseen{
		"more hypotheses": foreseen(more, 1, 10_000, 20), "more arms": foreseen(plan, 3, 10_000, 20),
		"a later plan": foreseen(later, 1, 10_000, 20), "fewer pairs": foreseen(plan, 1, 10_000, 10),
		"smaller economies": foreseen(plan, 1, 2000, 20), "a later window": foreseen(late, 1, 10_000, 20),
	} {
		if !(x.Least > base.Least && x.Most > base.Most && x.Needed >= base.Needed) {
			t.Errorf("%s: %+v, and else %+v", name, x, base)
		}
	}
	own := plan
	own.Smallest = map[sim.Indicator]inference.Smallest{sim.RealGDP: {Effect: .002, Relative: true}}
	if x := foreseen(own, 1, 10_000, 20); x.Smallest != .002 || x.Needed <= base.Needed {
		t.Errorf("a smaller effect of interest: %+v", x)
	}
	own.Smallest[sim.RealGDP] = inference.Smallest{Effect: 1e6}
	if x := foreseen(own, 1, 10_000, 20); !math.IsNaN(float64(x.Smallest)) || !math.IsNaN(float64(x.Needed)) {
		t.Errorf("an effect in currency, which depends on the size of the economy: %+v", x)
	}
	all, err := more.Foresee(1, 10_000, 20)
	if err != nil || len(all) < 2*len(inference.Outcomes)-4 {
		t.Errorf("%d of the main outcomes in both windows, %v", len(all), err)
	}
	if list, err := (&inference.Planned{Outcomes: []sim.Indicator{sim.Deficit}, Windows: plan.Windows}).Foresee(1, 10_000, 20); err != nil ||
		len(list) > 0 && !math.IsNaN(float64(list[0].Needed)) {
		t.Errorf("deficit in currency: %v, %v", list, err)
	}
}

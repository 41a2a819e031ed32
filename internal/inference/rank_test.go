package inference

import (
	"math"
	"testing"

	"econ-mcp/sim"
)

func TestModerate(t *testing.T) {
	nan := math.NaN()
	effect := func(size, sd float64, n int) scaledEffect {
		return scaledEffect{Effect: Effect{N: n}, size: size, sd: sd}
	}
	effects := []scaledEffect{
		effect(0.001, 1e-6, 4), // tiny scatter by accident
		effect(0.10, 0.02, 4),
		effect(0.02, 0.02, 4),
		effect(0, 0, 4),     // nothing moved it
		effect(0.5, nan, 1), // one pair
		effect(nan, nan, 0),
	}
	moderate(effects)
	// By hand: the median of the variances 1e-12, 4e-4 and 4e-4 is 4e-4.
	for i, want := range []float64{0.001 / math.Sqrt((1e-12+4e-4)/2/4), 10, 2, 0, nan, nan} {
		if got := effects[i].t; math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-12 {
			t.Errorf("moderated t of effect %d = %g, want %g", i, got, want)
		}
	}
	same := []scaledEffect{effect(0.1, 0, 3), effect(0, 0, 3)}
	if moderate(same); !math.IsInf(same[0].t, 1) || same[1].t != 0 {
		t.Errorf("no scatter at all: %v", same)
	}
}

func TestScaleOf(t *testing.T) {
	for _, c := range []struct {
		indicator          sim.Indicator
		control, treatment float64
		want               float64
	}{
		{sim.UnemploymentRate, .06, .08, 1}, // percentage points
		{sim.RealGDP, -200, 100, 200},
		{sim.IncomeGini, .3, .4, .3},
		{sim.InnovationEvents, 0, 4, 4},
		{sim.Exports, 0, 0, 1},
	} {
		if got := scaleOf(c.indicator, c.control, c.treatment); got != c.want {
			t.Errorf("scale of %s = %g, want %g", c.indicator, got, c.want)
		}
	}
}

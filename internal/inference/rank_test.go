package inference

import (
	"math"
	"testing"

	"econ-mcp/sim"
)

func TestMostTelling(t *testing.T) {
	nan := math.NaN()
	effects := []scaledEffect{
		{difference: 0.001, sd: 1e-6, n: 4}, // tiny scatter by accident
		{difference: -0.10, sd: 0.02, n: 4},
		{difference: 0.02, sd: 0.02, n: 4},
		{difference: 0, sd: 0, n: 4},      // nothing moved it
		{difference: -0.5, sd: nan, n: 1}, // one pair
		{difference: nan, sd: nan, n: 0},
	}
	paired, plain := mostTelling(effects)
	// By hand: the median of the variances 1e-12, 4e-4 and 4e-4 is 4e-4.
	for i, want := range []float64{0.001 / math.Sqrt((1e-12+4e-4)/2/4), 10, 2, 0, nan, nan} {
		if got := paired[i]; math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-12 {
			t.Errorf("moderated t of effect %d = %g, want %g", i, got, want)
		}
	}
	if plain[4] != 0.5 || !math.IsNaN(plain[5]) {
		t.Errorf("without pairs: %v", plain)
	}
	if same, _ := mostTelling([]scaledEffect{{0.1, 0, 3}, {0, 0, 3}}); !math.IsInf(same[0], 1) || same[1] != 0 {
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

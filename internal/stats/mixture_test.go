package stats_test

import (
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

func TestTwoGroups(t *testing.T) {
	g, ok := stats.TwoGroups([]float64{9, 0, 1, 0, 1, 0, 1, 0, 1, 10})
	if !ok || g.N != 2 || g.Of != 10 {
		t.Errorf("%+v, %v", g, ok)
	}
	checkNear(t, "smaller group", g.Mean, 9.5)
	checkNear(t, "others", g.Rest, .5)
	for name, x := range map[string][]float64{
		"one outlier": {0, 1, 0, 1, 0, 1, 0, 1, 0, 10}, "equal": make([]float64, 10), "nine": {0, 0, 0, 0, 0, 9, 9, 9, 9}, "gap": {0, 0, 0, 0, 0, 9, 9, 9, 9, nan},
	} {
		if g, ok := stats.TwoGroups(x); ok {
			t.Errorf("%s: %+v", name, g)
		}
	}
	mixed := func(r *rand.Rand) float64 {
		if r.Float64() < .3 {
			return 8 + r.NormFloat64()
		}
		return r.NormFloat64()
	}
	for _, c := range []struct {
		name      string
		n         int
		low, high float64
		draw      draw
	}{
		{"ten normal", 10, 0, .002, normal},
		{"twenty normal", 20, 0, .001, normal},
		{"ten exponential", 10, 0, .012, skewed},
		{"twenty exponential", 20, 0, .016, skewed},
		{"ten of two groups", 10, .35, .43, mixed},
		{"twenty of two groups", 20, .91, .945, mixed},
	} {
		checkRate(t, c.name, 1, c.low, c.high, func(r *rand.Rand) bool {
			_, found := stats.TwoGroups(sample(r, c.n, c.draw))
			return found
		})
	}
}

package stats_test

import (
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

// The values are those of binom.test in R 4.3, conf.int.
func TestProportionInterval(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{10, 100, .04900469, .17622260}, {5, 10, .1870860, .8129140}, {0, 20, 0, .1684335}, {20, 20, .8315665, 1}, {0, 0, 0, 1},
	} {
		low, high := stats.ProportionInterval(c.k, c.n, .95)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("%d of %d: %g to %g, want %g to %g", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

package stats_test

import (
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

func TestRelative(t *testing.T) {
	// By hand: means 2 and 3, so +50 %; x = a 1.5/2, y = b/2 + .5.
	x, y := stats.Relative([]float64{1, 3}, []float64{2, 4})
	for i, want := range []float64{.75, 2.25} {
		checkNear(t, "x", x[i], want)
	}
	for i, want := range []float64{1.5, 2.5} {
		checkNear(t, "y", y[i], want)
	}
	checkNear(t, "share", stats.Mean(y)-stats.Mean(x), .5)
	x, y = stats.Relative([]float64{-1, -3}, []float64{-2, -4})
	checkNear(t, "of a negative mean", stats.Mean(y)-stats.Mean(x), -.5)
	x, y = stats.Relative([]float64{-1, 1}, []float64{2, 4})
	checkNear(t, "of nothing", x[0]+y[0], nan)
}

// Relative effects of 5 % on controls that scatter by a fifth, and with them: the interval covers the ratio of the means,
// and one that takes the control's mean for known is far too wide.
func TestRelativeCovers(t *testing.T) {
	covers := func(relative bool) func(r *rand.Rand) bool {
		return func(r *rand.Rand) bool {
			a, b := sample(r, 20, normal), make([]float64, 20)
			for i := range a {
				a[i] = 1 + .2*a[i]
				b[i] = 1.5*a[i] + .02*r.NormFloat64()
			}
			if relative {
				x, y := stats.Relative(a, b)
				iv := stats.PairedInterval(x, y, .95)
				return iv.Low <= .5 && .5 <= iv.High
			}
			iv := stats.PairedInterval(a, b, .95)
			return iv.Low <= .5*stats.Mean(a) && .5*stats.Mean(a) <= iv.High
		}
	}
	checkRate(t, "ratio", 1, .945, .96, covers(true))
	checkRate(t, "control taken for known", 1, .99, 1, covers(false))
}

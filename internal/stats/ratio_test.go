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

func TestRelativeInterval(t *testing.T) {
	a, b := []float64{101.2, 98.7, 104.1, 95.3, 100.9, 99.8}, []float64{104.0, 103.1, 105.9, 99.9, 103.2, 104.6}
	x, y := stats.Relative(a, b)
	// R 4.2.2: r <- mean(b)/mean(a); u <- (b - r*a)/mean(a); r - 1 + c(-1, 1) * qt(.975, 5) * sd(u)/sqrt(6)
	checkInterval(t, stats.PairedInterval(x, y, .95), stats.Interval{Mean: .0345, Low: .01993222453454513, High: .04906777546545482, N: 6})
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

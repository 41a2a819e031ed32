package stats_test

import (
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

// ilocos are the incomes of the example of ineq::Gini and acid::gini in R.
var ilocos = []float64{541, 1463, 2445, 3438, 4437, 5401, 6392, 8304, 11904, 22261}

func TestQuantile(t *testing.T) {
	// Python 3: statistics.quantiles(x, n=10, method='inclusive'), which is R's and
	// NumPy's default: 1370.8, …, 4919.0, …, 12939.7
	for q, want := range map[float64]float64{0: 541, .1: 1370.8, .5: 4919, .9: 12939.7, 1: 22261} {
		near(t, "quantile", stats.Quantile(ilocos, q), want, 1e-9)
	}
	if !math.IsNaN(stats.Quantile(nil, .5)) {
		t.Error("quantile of nothing")
	}
}

func TestGini(t *testing.T) {
	near(t, "gini", stats.Gini(ilocos), .4620911, 5e-8) // R: acid::gini(x)$Gini
	near(t, "equal", stats.Gini([]float64{2, 2, 2}), 0, 1e-15)
	near(t, "one has all", stats.Gini([]float64{0, 0, 0, 1}), .75, 1e-15)
	// By hand: the 9 absolute differences of -1, 1, 3 sum to 16; over 2·9·mean 1.
	near(t, "with a negative", stats.Gini([]float64{-1, 1, 3}), 16./18, 1e-15)
	for _, none := range [][]float64{nil, {0, 0}, {-2, 1}} {
		if g := stats.Gini(none); !math.IsNaN(g) {
			t.Errorf("gini of %v = %g", none, g)
		}
	}
}

func TestLorenz(t *testing.T) {
	// By hand: cumulative sums over 66586, one value a tenth (R: ineq::Lc(x)$L).
	held := 0.0
	curve := stats.Lorenz(ilocos)
	for k, x := range ilocos {
		near(t, "lorenz", curve[k], held/66586, 1e-12)
		held += x
	}
	near(t, "lorenz", curve[10], 1, 1e-12)
	// Two households: the poorest 70 % are the first and two fifths of the second.
	near(t, "within a household", stats.Lorenz([]float64{1, 3})[7], (1+.4*3)/4, 1e-12)
}

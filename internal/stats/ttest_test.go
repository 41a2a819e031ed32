package stats_test

import (
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestWelchTTest(t *testing.T) {
	// R 4.2.2: t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776,
	// p-value = 0.07939, 95 percent confidence interval -3.3654832 0.2054832
	w := stats.WelchTTest(drug2, drug1, .95)
	near(t, "t", w.T, -1.8608, 5e-5)
	near(t, "df", w.DF, 17.776, 5e-4)
	near(t, "p", w.P, .07939, 5e-6)
	near(t, "difference", w.Difference.Mean, .75-2.33, 1e-12)
	near(t, "low", w.Difference.Low, -3.3654832, 5e-8)
	near(t, "high", w.Difference.High, .2054832, 5e-8)
	if w.Difference.N != 20 {
		t.Errorf("n = %d", w.Difference.N)
	}
	// By hand: s² = (9·1.789010² + 9·2.002249²)/18 = 3.604778, d = -1.58/1.898625 =
	// -0.832181, times 1 - 3/71.
	near(t, "g", stats.HedgesG(drug2, drug1), -.797018, 5e-6)

	alone := stats.WelchTTest(drug1[:1], drug2, .95)
	near(t, "difference of one observation", alone.Difference.Mean, 2.33-.7, 1e-12)
	near(t, "p of one observation", alone.P, nan, 0)
	near(t, "interval of one observation", alone.Difference.Low, nan, 0)
	same := stats.WelchTTest(equal, equal, .95)
	near(t, "p without variation", same.P, nan, 0)
	near(t, "effect without variation", stats.HedgesG(equal, equal), nan, 0)
	sure := stats.WelchTTest([]float64{1, 1}, []float64{2, 2}, .95)
	near(t, "p of a difference without variation", sure.P, 0, 0)
	near(t, "its interval", sure.Difference.Low, 1, 0)
}

func TestPairedTTest(t *testing.T) {
	// R 4.2.2: with(sleep, t.test(extra[group == 1], extra[group == 2], paired = TRUE)):
	// t = -4.0621, df = 9, p-value = 0.002833; mean of the differences -1.58. They are skewed: p and the interval by the
	// computation of TestPairedInterval.
	p := stats.PairedTTest(drug2, drug1, .95)
	near(t, "t", p.T, -4.0621, 5e-5)
	near(t, "df", p.DF, 9, 0)
	near(t, "p", p.P, .019927695039869405, 1e-12)
	near(t, "low", p.Difference.Low, -2.671883976122115, 1e-12)
	near(t, "p without differences", stats.PairedTTest(drug1, drug1, .95).P, nan, 0)
	near(t, "p of one pair", stats.PairedTTest(drug1[:1], drug2[:1], .95).P, nan, 0)
	near(t, "p of equal differences", stats.PairedTTest([]float64{1, 2}, []float64{2, 3}, .95).P, 0, 0)
}

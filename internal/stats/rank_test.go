package stats_test

import (
	"context"
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

func checkTest(t *testing.T, got stats.Test, statistic, p float64, n int) {
	t.Helper()
	checkNear(t, "statistic", got.Statistic, statistic)
	checkNear(t, "p", got.P, p)
	if got.N != n {
		t.Errorf("N = %d, want %d", got.N, n)
	}
}

func TestWilcoxonSignedRank(t *testing.T) {
	upTo49 := make([]float64, 49) // the flow with something that leaves no ties
	for i := range upTo49 {
		upTo49[i] = nile[i] + float64(i+1)/97
	}
	for _, c := range []struct {
		name         string
		a, b         []float64
		statistic, p float64
		n            int
	}{
		// R 4.2.2: wilcox.test(b, a, paired = TRUE), which says "exact" or "with
		// continuity correction"
		{"exact", plants1, plants2, 18, 0.375, 10},
		{"exact, positive", plants1, plants3, 43, 0.130859375, 10},
		{"exact, 5 pairs", plants1[:5], plants3[:5], 10, 0.625, 5},
		{"exact, 49 pairs", upTo49, nile[50:99], 272, 0.000497142782631244, 49},
		{"a tie and a zero", drug1, drug2, 45, 0.00909069801592506, 9},
		{"ties, 49 pairs", nile[:49], nile[50:99], 274, 0.000772815582415829, 49},
		{"ties, 50 pairs", nile[:50], nile[50:], 283, 0.000632176978479318, 50},
		{"at the mean", []float64{0, 0, 0, 0}, []float64{1, 1, -1, -1}, 5, 1, 4},

		{"no differences", equal, equal, nan, nan, 0},
		{"empty", nil, nil, nan, nan, 0},
		{"NaN value", []float64{1, nan}, []float64{1, 2}, nan, nan, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkTest(t, stats.WilcoxonSignedRank(c.a, c.b), c.statistic, c.p, c.n)
		})
	}
}

// The example of scipy.stats.brunnermunzel, pain scores after two treatments.
var (
	pain1 = []float64{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1}
	pain2 = []float64{3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4}
)

// Samples of another unit, or of another scale, have the same ranks.
func TestRanksKnowNoScale(t *testing.T) {
	grow := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = math.Exp(v)
		}
		return out
	}
	want := stats.BrunnerMunzel(t.Context(), drug1, drug2, nil)
	checkTest(t, stats.BrunnerMunzel(t.Context(), grow(drug1), grow(drug2), nil), want.Statistic, want.P, 20)
}

func TestSignedRanks(t *testing.T) {
	// R 4.2.2: d <- drug2 - drug1; r <- ifelse(d == 0, NA, abs(d)); sign(d) * rank(r, na.last = "keep")
	checkSeries(t, stats.SignedRanks(drug1, drug2), []float64{3, 8, 4.5, 4.5, 0, 2, 7, 1, 9, 6})
	checkSeries(t, stats.SignedRanks([]float64{1, nan}, []float64{2, 2}), []float64{nan, nan})

	// R 4.2.2: steps down with abs(signs %*% signed ranks) over all 2^10 signs of ten pairs, as in
	// TestPairedRomanoWolf; a single outcome has the exact p of wilcox.test.
	ranks := columns(stats.SignedRanks(plants1, plants2), stats.SignedRanks(plants1, plants3), stats.SignedRanks(drug1, drug2))
	zeros := columns(make([]float64, 10), make([]float64, 10), make([]float64, 10))
	checkSeries(t, stats.PairedRomanoWolf(context.Background(), zeros, ranks, nil), []float64{0.375, 0.2421875, 0.01171875})
	one := stats.PairedRomanoWolf(context.Background(), columns(make([]float64, 10)), columns(stats.SignedRanks(plants1, plants3)), nil)
	checkNear(t, "p of one outcome", one[0], stats.WilcoxonSignedRank(plants1, plants3).P)
}

func TestBrunnerMunzel(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         []float64
		statistic, p float64
	}{
		// R 4.2.2, with bm(x, y) the statistic of Brunner and Munzel (2000):
		//	z <- c(a, b); i <- combn(length(z), length(a))
		//	mean(apply(i, 2, function(k) abs(bm(z[k], z[-k]))) >= abs(bm(a, b)) * (1 - 1e-9))
		{"plants", plants1, plants3[:6], 1.90911194625, 0.09265734266},
		{"drugs", drug1[:7], drug2[:6], 1.2546210878, 0.2261072261},
		{"ties", []float64{1, 2, 1, 1, 2, 1}, []float64{2, 4, 3, 3, 2}, 7.38350384521, 0.02164502165},
		// By hand: 2 of the 10 ways to choose 2 of 5
		{"without overlap", []float64{1, 2, 3}, []float64{4, 5}, inf, .2},
		{"without overlap, below", []float64{4, 5}, []float64{1, 2, 3}, -inf, .2},
		{"one value", []float64{1}, drug1, nan, nan},
		{"NaN value", []float64{1, 2, nan}, drug1, nan, nan},
		{"equal values", equal, equal, nan, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkTest(t, stats.BrunnerMunzel(t.Context(), c.a, c.b, nil), c.statistic, c.p, len(c.a)+len(c.b))
		})
	}
	for _, c := range []struct {
		name         string
		a, b         []float64
		statistic, p float64 // scipy 1.10.1: brunnermunzel(a, b), whose p is Student's
	}{
		{"pain", pain1, pain2, 3.1374674823029505, 0.005786208666151538},
		{"drugs", drug1, drug2, 2.1446717367088013, 0.04681595467581978},
		{"plants", plants1, plants2, -1.3454905527673569, 0.1978083989376457},
	} {
		got := stats.BrunnerMunzel(t.Context(), c.a, c.b, draws(3))
		checkNear(t, "statistic of "+c.name, got.Statistic, c.statistic)
		near(t, "p of "+c.name, got.P, c.p, .02)
	}
}

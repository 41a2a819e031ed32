package stats_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

// draws is a random source of its own for each test.
func draws(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 5)) }

func TestSignFlip(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         []float64
		statistic, p float64
		n            int
	}{
		// R 4.2.2: d <- b - a; s <- as.matrix(expand.grid(rep(list(c(1, -1)), length(d))))
		//	mean(d); mean(abs(s %*% d) >= abs(sum(d)) * (1 - 1e-9))
		{"drugs", drug1, drug2, 1.58, 0.00390625, 10},
		{"plants", plants1, plants2, -0.371, 0.3515625, 10},
		{"plants, positive", plants1, plants3, 0.494, 0.11328125, 10},
		{"3 pairs", []float64{1, 2, 3}, []float64{2, 4, 5}, 5. / 3, .25, 3},

		{"one pair", []float64{1}, []float64{2}, 1, 1, 1},
		{"no differences", equal, equal, nan, nan, 3},
		{"empty", nil, nil, nan, nan, 0},
		{"NaN value", []float64{1, nan}, []float64{1, 2}, nan, nan, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Exact: the source is not used.
			checkTest(t, stats.SignFlip(context.Background(), c.a, c.b, nil), c.statistic, c.p, c.n)
		})
	}
}

// Many pairs are drawn: the p-value is near that of the normal limit, the same for the
// same seed, and never zero.
func TestSignFlipDraws(t *testing.T) {
	a, b := nile[:50], nile[50:]
	drawn := stats.SignFlip(context.Background(), a, b, draws(1))
	// 1/10000 is the data alone: t is -4.3
	if drawn.P < 1e-4 || drawn.P > 1e-3 {
		t.Errorf("p = %v", drawn.P)
	}
	if again := stats.SignFlip(context.Background(), a, b, draws(1)); again != drawn {
		t.Errorf("another p with the same seed: %v and %v", again, drawn)
	}
	weak := stats.SignFlip(context.Background(), nile[25:50], nile[55:80], draws(2))
	near(t, "p", weak.P, stats.PairedTTest(nile[25:50], nile[55:80], .95).P, .02)

	many := make([]float64, 300) // more than four words of signs
	for i := range many {
		many[i] = math.Sin(float64(i))
	}
	near(t, "p of 300 pairs", stats.SignFlip(context.Background(), make([]float64, 300), many, draws(3)).P,
		stats.PairedTTest(make([]float64, 300), many, .95).P, .02)
}

func TestPermutation(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         []float64
		statistic, p float64
		n            int
	}{
		// R 4.2.2: x <- c(a, b); f <- function(i) t.test(x[-i], x[i])$statistic
		//	t <- combn(length(x), length(a), f)
		//	f(seq_along(a)); mean(abs(t) >= abs(f(seq_along(a))) * (1 - 1e-9))
		{"drugs", drug1[:6], drug2[:7], 1.63150131688109, 0.134032634032634, 13},
		{"plants", plants1[:7], plants2[:7], -0.84358740755079, 0.409090909090909, 14},
		{"10 each", plants1, plants3, 2.13402045312406, 0.0483340189222542, 20},

		// By hand: 2 of the 6 ways are as far apart
		{"no variation within", []float64{1, 1}, []float64{2, 2}, inf, 1. / 3, 4},
		{"equal values", equal, equal, nan, nan, 6},
		{"one value", []float64{1}, drug1, nan, nan, 11},
		{"NaN value", []float64{1, 2, nan}, drug1, nan, nan, 13},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkTest(t, stats.Permutation(context.Background(), c.a, c.b, nil), c.statistic, c.p, c.n)
		})
	}
}

func TestPermutationDraws(t *testing.T) {
	a, b := nile[:50], slices.Concat(nile[20:40], nile[90:])
	drawn, welch := stats.Permutation(context.Background(), a, b, draws(1)), stats.WelchTTest(a, b, .95)
	checkNear(t, "t", drawn.Statistic, welch.T)
	near(t, "p", drawn.P, welch.P, .02)
	if again := stats.Permutation(context.Background(), a, b, draws(1)); again != drawn {
		t.Errorf("another p with the same seed: %v and %v", again, drawn)
	}
}

// Samples apart from each other have the smallest p that there is.
func TestSmallestP(t *testing.T) {
	for n := 1; n <= 12; n++ {
		zeros, ones := make([]float64, n), make([]float64, n)
		for i := range ones {
			ones[i] = 1 + float64(i)/8
		}
		checkNear(t, "sign flip", stats.SmallestPairedP(n), stats.SignFlip(context.Background(), zeros, ones, nil).P)
		if n < 2 || n > 6 {
			continue
		}
		for m := 2; m <= 5; m++ {
			apart := stats.Permutation(context.Background(), ones[:n], []float64{11, 12, 13, 14, 15}[:m], nil).P
			checkNear(t, "permutation", stats.SmallestIndependentP(n, m), apart)
		}
	}
	if p := stats.SmallestPairedP(60); p != 1e-4 || p != stats.SmallestIndependentP(60, 60) {
		t.Errorf("many pairs: %v, not that of the draws", p)
	}
}

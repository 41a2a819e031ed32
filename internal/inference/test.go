package inference

import (
	"context"
	"hash/fnv"
	"math/rand/v2"

	"econ-mcp/internal/stats"
)

// Test is a family of tests of a difference between two sides: one for replications that are
// paired by seed, and one for independent ones.
type Test string

// The families.
const (
	TestT           Test = "t"           // means: paired t, Welch's t
	TestRank        Test = "rank"        // ranks: Wilcoxon's signed ranks, Brunner and Munzel by rearrangement
	TestPermutation Test = "permutation" // means by rearrangement: sign flips, exchanged labels
)

// Tests are all families.
var Tests = []Test{TestT, TestRank, TestPermutation}

// Enum lists the families for schemas.
func (Test) Enum() []string { return texts(Tests) }

// testNames name the tests of a family: of pairs, and of independent samples.
var testNames = map[Test]struct{ pairs, samples string }{
	TestT:           {"paired t", "Welch t"},
	TestRank:        {"Wilcoxon signed-rank", "Brunner-Munzel permutation"},
	TestPermutation: {"sign-flip permutation", "permutation of Welch t"},
}

// Name is the usual name of the test of pairs, or of independent samples.
func (t Test) Name(paired bool) string {
	if paired {
		return testNames[t].pairs
	}
	return testNames[t].samples
}

// of tests the difference of b to a, which are pairs if they are paired: its interval, p and the
// size of the effect. The difference is that of means. Its interval is Student's or Welch's for
// TestT, and the BCa bootstrap for the other families: they do not suppose normal data, and the
// inversion of a rank test would be an interval of a shift, which is not the difference that the
// row tells.
//
// The effect size is Hedges' g_z of pairs; of independent samples it is Hedges' g, and with
// ranks the A of Vargha and Delaney.
func (t Test) of(
	ctx context.Context, a, b []float64, paired bool, confidence float64, random *rand.Rand,
) (difference stats.Interval, p, effect float64) {
	var student stats.TTest
	if paired {
		student, effect = stats.PairedTTest(a, b, confidence), stats.HedgesGZ(a, b)
	} else {
		student, effect = stats.WelchTTest(a, b, confidence), stats.HedgesG(a, b)
	}
	difference = student.Difference
	switch {
	case t == TestT:
		return difference, student.P, effect
	case paired && t == TestRank:
		p = stats.WilcoxonSignedRank(a, b).P
	case paired:
		p = stats.SignFlip(ctx, a, b, random).P
	case t == TestRank:
		p, effect = stats.BrunnerMunzel(ctx, a, b, random).P, stats.VarghaDelaneyA(a, b)
	default:
		p = stats.Permutation(ctx, a, b, random).P
	}
	bootstrap := stats.IndependentBootstrapInterval
	if paired {
		bootstrap = stats.PairedBootstrapInterval
	}
	interval := bootstrap(ctx, a, b, confidence, random)
	difference.Low, difference.High = interval.Low, interval.High
	return difference, p, effect
}

// smallestP is the smallest p-value that a rearrangement of na and nb replications can give.
func smallestP(paired bool, na, nb int) float64 {
	if paired {
		return stats.SmallestPairedP(na)
	}
	return stats.SmallestIndependentP(na, nb)
}

// source is the random source of one computation: a function of the base seed and of what it is
// for, so that the same data give the same answer and no computation disturbs another.
func source(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

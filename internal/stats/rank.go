package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Test is what a two-sided test without a t distribution of its own says.
type Test struct {
	Statistic float64 // see the test's function
	P         float64 // probability of a statistic as extreme under the null hypothesis; NaN where the data define none
	N         int     // observations of both samples, or pairs, that the statistic rests on
}

// undefined is the result of a test whose data define none.
func undefined(n int) Test { return Test{Statistic: math.NaN(), P: math.NaN(), N: n} }

// WilcoxonSignedRank tests whether the differences b[i] - a[i] of pairs lie symmetrically
// around zero (Wilcoxon 1945, "Individual Comparisons by Ranking Methods", Biometrics
// Bulletin 1(6)). Its statistic is the sum of the ranks of the positive differences among
// all of them by absolute size. As R's wilcox.test does, it leaves out differences of zero,
// whose number N does not count; p is exact for fewer than 50 differences without a zero
// or a tie among them, and else comes from the normal approximation with corrections for
// continuity and for ties. With five pairs or fewer p cannot be below 5 %. It panics if a
// and b differ in length.
func WilcoxonSignedRank(a, b []float64) Test {
	d := Differences(a, b)
	if !finite(d...) {
		return undefined(len(d))
	}
	signed, ties := signedRanks(d)
	test := Test{}
	for i, x := range d {
		if x != 0 {
			test.N++
		}
		test.Statistic += max(0, signed[i])
	}
	if test.N == 0 {
		return undefined(0)
	}
	if test.N < 50 && test.N == len(d) && ties == 0 {
		test.P = signedRankP(test.Statistic, test.N)
		return test
	}
	n := float64(test.N)
	excess := test.Statistic - n*(n+1)/4
	variance := n*(n+1)*(2*n+1)/24 - ties/48
	// The last step towards the mean is worth half a rank; zero has no step.
	z := (math.Abs(excess) - 0.5) / math.Sqrt(variance)
	if excess == 0 {
		z = 0
	}
	test.P = min(1, 2*distuv.UnitNormal.Survival(z))
	return test
}

// SignedRanks are the ranks of the differences b[i] - a[i] by absolute size, with their signs;
// a difference of zero has no rank, which is 0. The positive ones add up to the statistic of
// [WilcoxonSignedRank], and flipping the sign of a pair flips that of its rank: of columns of
// signed ranks, against columns of zeros, [PairedRomanoWolf] adjusts the signed-rank test.
// A NaN or an infinity among the differences makes all ranks NaN. It panics if a and b
// differ in length.
func SignedRanks(a, b []float64) []float64 {
	d := Differences(a, b)
	if !finite(d...) {
		return slices.Repeat([]float64{math.NaN()}, len(d))
	}
	signed, _ := signedRanks(d)
	return signed
}

// signedRanks are those of differences, and what [midranks] says of their ties.
func signedRanks(d []float64) (signed []float64, ties float64) {
	var sizes []float64
	for _, x := range d {
		if x != 0 {
			sizes = append(sizes, math.Abs(x))
		}
	}
	ranks, ties := midranks(sizes)
	signed = make([]float64, len(d))
	for i, x := range d {
		if x != 0 {
			signed[i], ranks = math.Copysign(ranks[0], x), ranks[1:]
		}
	}
	return signed, ties
}

// signedRankP is the exact two-sided probability of a sum of ranks as far from its mean as
// the given one: of 2^n equally likely subsets of the ranks 1 to n, those with each sum are
// counted.
func signedRankP(sum float64, n int) float64 {
	largest := n * (n + 1) / 2
	subsets := make([]float64, largest+1) // by their sum; whole numbers below 2^53
	subsets[0] = 1
	for rank := 1; rank <= n; rank++ {
		for s := largest; s >= rank; s-- {
			subsets[s] += subsets[s-rank]
		}
	}
	// The distribution is symmetric: the tail beyond the mean is counted from zero.
	tail := min(int(sum), largest-int(sum))
	var count float64
	for s := 0; s <= tail; s++ {
		count += subsets[s]
	}
	return min(1, math.Ldexp(count, 1-n))
}

// midranks returns the rank of each value, the smallest being 1, where equal values share
// the mean of their ranks, and the sum of t³ - t over the groups of t equal values.
func midranks(x []float64) (ranks []float64, ties float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks = make([]float64, len(x))
	for from, to := 0, 0; from < len(x); from = to {
		for to = from; to < len(x) && x[order[to]] == x[order[from]]; to++ {
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		t := float64(to - from)
		ties += t*t*t - t
	}
	return ranks, ties
}

package stats

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// SignFlip tests whether the differences b[i] - a[i] of pairs lie symmetrically around
// zero, by the share of all flips of their signs whose mean is as far from zero (Fisher
// 1935, The Design of Experiments, section 21). Its statistic is the mean difference. With
// up to 20 pairs p is exact, from all flips, and else from [Draws] random ones. The level
// holds for any number of pairs; with five pairs or fewer p cannot be below 5 %. It panics
// if a and b differ in length.
func SignFlip(ctx context.Context, a, b []float64, random *rand.Rand) Test {
	d := Differences(a, b)
	if len(d) == 0 || !finite(d...) || floats.Norm(d, math.Inf(1)) == 0 {
		return undefined(len(d))
	}
	_, p := rearrangementTest(flips(ctx, len(d), maxExact, random), func(signs []float64) float64 { return floats.Dot(signs, d) })
	return Test{Statistic: Mean(d), P: p, N: len(d)}
}

// Permutation tests whether two independent samples have the same mean, by the share of
// all exchanges of their labels whose Welch t is as large. Its statistic is Welch's t of
// mean(b) - mean(a), and not the difference itself, so that the test is exact where the
// distributions are the same and holds approximately where only their means are (Janssen
// 1997, "Studentized Permutation Tests for Non-i.i.d. Hypotheses and the Generalized
// Behrens-Fisher Problem", Statistics & Probability Letters 36(1); Chung and Romano 2013,
// "Exact and Asymptotically Robust Permutation Tests", The Annals of Statistics 41(2)): with
// eight observations each, of which one sample scatters three times as much, it rejects in
// 6.3 % at the level of 5 %. If
// there are at most 2^20 ways to deal out the labels, as with up to 11 observations each, p
// is exact, and else from [Draws] random ones. Each sample needs two observations.
func Permutation(ctx context.Context, a, b []float64, random *rand.Rand) Test {
	n := len(a) + len(b)
	x := slices.Concat(a, b)
	if len(a) < 2 || len(b) < 2 || !varies(x) {
		return undefined(n)
	}
	observed, p := rearrangementTest(relabellings(ctx, len(a), len(b), maxExact, random), newRelabelled(x, len(a)).welch)
	return Test{Statistic: observed, P: p, N: n}
}

// relabelled are observations of which any na may be taken as the first sample.
type relabelled struct {
	x      []float64 // less their mean, so that the two samples' sums cancel
	square float64   // sum of their squares
	na, nb float64
}

func newRelabelled(all []float64, na int) relabelled {
	r := relabelled{x: make([]float64, len(all)), na: float64(na), nb: float64(len(all) - na)}
	m := Mean(all)
	for i, v := range all {
		r.x[i] = v - m
		r.square += r.x[i] * r.x[i]
	}
	return r
}

// welch is Welch's t of the others less the chosen. Where neither varies it is infinite,
// or zero without a difference.
func (r relabelled) welch(chosen []int) float64 {
	var sum, squares float64
	for _, i := range chosen {
		sum += r.x[i]
		squares += r.x[i] * r.x[i]
	}
	scatterA := max(0, squares-sum*sum/r.na)
	scatterB := max(0, r.square-squares-sum*sum/r.nb)
	difference := -sum/r.nb - sum/r.na
	if scatterA+scatterB <= 1e-14*r.square { // nothing but rounding
		if math.Abs(sum) <= 1e-7*math.Sqrt(r.square) {
			return 0
		}
		return math.Copysign(math.Inf(1), difference)
	}
	return difference / math.Sqrt(scatterA/(r.na*(r.na-1))+scatterB/(r.nb*(r.nb-1)))
}

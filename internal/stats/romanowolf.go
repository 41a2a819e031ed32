package stats

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// maxExactSteps is up to how many rearrangements Romano-Wolf goes through all of them. It
// is lower than that of a single test because each takes all outcomes.
const maxExactSteps = Draws + 1

// PairedRomanoWolf returns p-values of the differences b[k][r] - a[k][r] of outcomes k in
// replications r, adjusted for the number of outcomes so that the probability of one false
// finding or more stays below the level (Romano and Wolf 2005, "Exact and Approximate
// Stepdown Methods for Multiple Hypothesis Testing", Journal of the American Statistical
// Association 100; the p-values as in their "Efficient Computation of Adjusted
// p-values", 2016, Statistics & Probability Letters 113). It flips the signs of whole
// replications, compares |t|, and so learns how the outcomes move together: it finds
// more than [Holm] where they do. Up to 13 pairs all flips are used, and else [Draws]
// random ones.
//
// An outcome whose differences are all zero, or not all finite, has the p-value NaN and does
// not count. It panics if a and b differ in length, or their outcomes.
func PairedRomanoWolf(ctx context.Context, a, b [][]float64, random *rand.Rand) []float64 {
	d := rowDifferences(a, b)
	if len(d) == 0 {
		return nil
	}
	n, outcomes := len(d[0]), len(d)
	// |t| grows with |sum| over the root of the sum of squares, which no flip changes, and
	// in the same way for all outcomes.
	scale := make([]float64, outcomes)
	for k := range outcomes {
		for _, v := range d[k] {
			scale[k] += v * v
		}
		scale[k] = math.Sqrt(float64(n) * scale[k])
		if !finite(scale[k]) || scale[k] == 0 {
			scale[k] = math.NaN()
		}
	}
	return stepDown(outcomes, func(yield func([]float64) bool) {
		size := make([]float64, outcomes)
		for signs := range flips(ctx, n, maxExactSteps, random) {
			for k, column := range d {
				sum := 0.0
				for r, sign := range signs {
					sum += sign * column[r]
				}
				size[k] = math.Abs(sum) / scale[k]
			}
			if !yield(size) {
				return
			}
		}
	})
}

// WelchRomanoWolf is [PairedRomanoWolf] for independent replications a[k][r] and b[k][r],
// of which there may be different numbers. It exchanges the labels of whole replications
// and compares |t| of Welch. Up to 7 replications each, all exchanges are used. It needs two
// replications of each. It panics if a and b differ in their number of outcomes, or the
// outcomes of one of them in their number of replications.
func WelchRomanoWolf(ctx context.Context, a, b [][]float64, random *rand.Rand) []float64 {
	return exchangeStepDown(ctx, a, b, func(all []float64, na int) func([]int) float64 {
		return newRelabelled(all, na).welch
	}, random)
}

// exchangeStepDown steps down by exchanges of labels. The statistic of all observations of an
// outcome, of which the first na are one sample, is a function of those that are taken as that
// sample.
func exchangeStepDown(
	ctx context.Context, a, b [][]float64, statistic func(all []float64, na int) func(chosen []int) float64, random *rand.Rand,
) []float64 {
	mustMatch(a, b)
	mustBeRectangular(a)
	mustBeRectangular(b)
	if len(a) == 0 {
		return nil
	}
	outcomes, na, nb := len(a), len(a[0]), len(b[0])
	of := make([]func([]int) float64, outcomes)
	for k := range of {
		of[k] = func([]int) float64 { return math.NaN() }
		if all := slices.Concat(a[k], b[k]); na >= 2 && nb >= 2 && varies(all) {
			of[k] = statistic(all, na)
		}
	}
	return stepDown(outcomes, func(yield func([]float64) bool) {
		size := make([]float64, outcomes)
		for chosen := range relabellings(ctx, na, nb, maxExactSteps, random) {
			for k := range size {
				size[k] = math.Abs(of[k](chosen))
			}
			if !yield(size) {
				return
			}
		}
	})
}

// stepDown computes adjusted p-values from the sizes of all outcomes' statistics in each
// rearrangement of the data, of which the first is the data as they are. From the largest
// statistic down, each is compared with the largest among itself and those after it.
func stepDown(outcomes int, rearranged iter.Seq[[]float64]) []float64 {
	var (
		observed []float64
		order    []int // of the outcomes, from the smallest statistic
		hits     = make([]float64, outcomes)
		all      float64
	)
	for size := range rearranged {
		if observed == nil {
			observed = slices.Clone(size)
			order = ascending(observed)
		}
		all++
		largest := 0.0
		for _, k := range order {
			if largest = max(largest, size[k]); asExtreme(largest, observed[k]) {
				hits[k]++
			}
		}
	}
	p := slices.Repeat([]float64{math.NaN()}, outcomes)
	largest := 0.0
	for _, k := range slices.Backward(order) {
		largest = max(largest, hits[k]/all)
		p[k] = largest
	}
	return p
}

package stats

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairedBootstrapInterval returns the mean difference mean(b) - mean(a) of pairs and its
// bias-corrected and accelerated bootstrap interval BCa from [Draws] samples of whole pairs (Efron
// 1987, "Better Bootstrap Confidence Intervals", Journal of the American Statistical Association
// 82; Efron and Tibshirani 1993, An Introduction to the Bootstrap, equations 14.9 to 14.15).
// It follows skewed data, where Student's interval is symmetric. The samples of few
// observations scatter too little, and a normal quantile supposes many: with ten normal ones
// plain BCa covers 90 % instead of 95 %. So the normal quantile z is taken as
// t(n-1) sqrt(n/(n-1)), which makes the interval of symmetric data Student's
// (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", The American Statistician
// 69(4)). Then it covers 94 % with ten normal observations, and 92 % with exponential ones,
// where Student's covers 90 %.
//
// It panics if a and b differ in length. The confidence is a share strictly between 0 and 1. Low
// and High are NaN for fewer than two pairs, where no sample's difference lies on one side of
// the data's, and where differences are rare: see [Differing]. Differences that are the same in all samples give an interval of width zero.
func PairedBootstrapInterval(ctx context.Context, a, b []float64, confidence float64, random *rand.Rand) Interval {
	mustMatch(a, b)
	iv := bootstrap{a, b, []int{len(a)}, random}.interval(ctx, confidence)
	if _, rare := Differing(Differences(a, b)); rare {
		iv.Low, iv.High = math.NaN(), math.NaN()
	}
	return iv
}

// IndependentBootstrapInterval is [PairedBootstrapInterval] of two independent samples, from each
// of which it draws (Davison and Hinkley 1997, Bootstrap Methods and Their Application, section
// 5.3.2). The N of the interval is that of both; each sample needs two observations.
func IndependentBootstrapInterval(ctx context.Context, a, b []float64, confidence float64, random *rand.Rand) Interval {
	return bootstrap{a, b, []int{len(a), len(b)}, random}.interval(ctx, confidence)
}

// bootstrap estimates a mean difference from rows that it draws.
type bootstrap struct {
	a, b    []float64
	samples []int // their sizes: that of the pairs, or those of a and b
	random  *rand.Rand
}

// estimate is the difference of the means of the rows, which are those of each sample.
func (b bootstrap) estimate(rows [][]int) float64 {
	return Mean(take(b.b, rows[len(rows)-1])) - Mean(take(b.a, rows[0]))
}

func (b bootstrap) interval(ctx context.Context, confidence float64) Interval {
	iv := Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	enough := 0 < confidence && confidence < 1
	rows := make([][]int, len(b.samples))
	for s, n := range b.samples {
		iv.N += n
		enough = enough && n >= 2
		for i := range n {
			rows[s] = append(rows[s], i)
		}
	}
	if iv.Mean = b.estimate(rows); !enough || !finite(iv.Mean) {
		return iv
	}
	acceleration, z := b.shape(rows, confidence)
	estimates := b.draw(ctx, rows)
	slices.Sort(estimates)
	if estimates[0] == estimates[len(estimates)-1] {
		iv.Low, iv.High = estimates[0], estimates[0]
		return iv
	}
	below, _ := slices.BinarySearch(estimates, iv.Mean)
	notAbove, _ := slices.BinarySearch(estimates, math.Nextafter(iv.Mean, math.Inf(1)))
	bias := distuv.UnitNormal.Quantile(float64(below+notAbove) / 2 / Draws)
	bound := func(z float64) float64 {
		shift := 1 - acceleration*(bias+z)
		if !finite(bias) || shift <= 0 {
			return math.NaN()
		}
		return sortedQuantile(estimates, distuv.UnitNormal.CDF(bias+(bias+z)/shift))
	}
	iv.Low, iv.High = bound(-z), bound(z)
	return iv
}

// draw returns the estimates from [Draws] bootstrap samples.
func (b bootstrap) draw(ctx context.Context, rows [][]int) []float64 {
	estimates := make([]float64, Draws)
	for d := range estimates {
		if ctx.Err() != nil {
			break
		}
		for s, n := range b.samples {
			for i := range rows[s] {
				rows[s][i] = b.random.IntN(n)
			}
		}
		estimates[d] = b.estimate(rows)
	}
	return estimates
}

// shape is how fast the standard error changes with the estimate, and how many standard
// errors of the bootstrap the interval would reach to each side without that. Both follow
// from the influence of each observation, which is what it moves when it is left out. The
// degrees of freedom of several samples are those of [WelchTTest]. Where no observation has
// any influence, there is no acceleration.
func (b bootstrap) shape(rows [][]int, confidence float64) (acceleration, quantile float64) {
	var cubes, plugIn, variance, spread float64
	for s, n := range b.samples {
		whole, n := rows[s], float64(n)
		without := make([]float64, len(whole))
		for i := range whole {
			rows[s] = slices.Delete(slices.Clone(whole), i, i+1)
			without[i] = b.estimate(rows)
		}
		rows[s] = whole
		m, squares := Mean(without), 0.
		for _, v := range without {
			influence := (n - 1) / n * (m - v)
			squares += influence * influence
			cubes += influence * influence * influence
		}
		unbiased := squares * n / (n - 1)
		plugIn, variance, spread = plugIn+squares, variance+unbiased, spread+unbiased*unbiased/(n-1)
	}
	if plugIn == 0 {
		return 0, distuv.UnitNormal.Quantile((1 + confidence) / 2)
	}
	t := student(variance * variance / spread).Quantile((1 + confidence) / 2)
	return cubes / (6 * math.Pow(plugIn, 1.5)), t * math.Sqrt(variance/plugIn)
}

// take returns the values of x in the rows.
func take(x []float64, rows []int) []float64 {
	taken := make([]float64, len(rows))
	for k, i := range rows {
		taken[k] = x[i]
	}
	return taken
}

// sortedQuantile interpolates between the order statistics at (n+1) p, and stays within
// them.
func sortedQuantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	place := p*float64(n+1) - 1
	switch {
	case place <= 0:
		return sorted[0]
	case place >= float64(n-1):
		return sorted[n-1]
	}
	below := int(place)
	part := place - float64(below)
	return sorted[below] + part*(sorted[below+1]-sorted[below])
}

package stats

import (
	"math"
	"slices"
)

// HedgesG is the standardised difference of the means of two samples, b less a, over
// their pooled standard deviation, with the correction for small samples (Hedges 1981,
// "Distribution Theory for Glass's Estimator of Effect Size", Journal of Educational
// Statistics 6):
//
//	g = (1 - 3/(4 df - 1)) (mean(b) - mean(a)) / s,  df = n_a + n_b - 2
//
// NaN for a sample of fewer than two, and where nothing varies.
func HedgesG(a, b []float64) float64 {
	na, nb := float64(len(a)), float64(len(b))
	df := na + nb - 2
	pooled := math.Sqrt(((na-1)*square(StdDev(a)) + (nb-1)*square(StdDev(b))) / df)
	if !(pooled > 0) {
		return math.NaN()
	}
	return smallSample(df) * (Mean(b) - Mean(a)) / pooled
}

// HedgesGZ is the standardised mean of the differences b[i] - a[i] of pairs, their mean over
// their standard deviation, which is Cohen's d_z (1988, Statistical Power Analysis for the
// Behavioral Sciences, section 2.3.5), with the correction for small samples of [HedgesG] and
// n-1 degrees of freedom: without it, d_z is too large by 1.5 % with 50 pairs, by 4 % with 20,
// and by 9 % with 10 (Goulet-Pelletier and Cousineau 2018, "A Review of Effect Sizes and Their
// Confidence Intervals, Part I", The Quantitative Methods for Psychology 14(4)). Pairs that
// share their random draws differ little, so that g_z is larger than the g of the same numbers:
// the two must not be compared. NaN for fewer than three pairs, and where the differences do
// not vary. It panics if a and b differ in length.
func HedgesGZ(a, b []float64) float64 {
	d := Differences(a, b)
	if len(d) < 3 || !varies(d) {
		return math.NaN()
	}
	return smallSample(float64(len(d)-1)) * (Mean(d) / StdDev(d))
}

// smallSample is the approximation to the factor that makes a standardised mean difference
// unbiased with normal data (Hedges 1981).
func smallSample(df float64) float64 { return 1 - 3/(4*df-1) }

// VarghaDelaneyA is the probability that a value of b is larger than one of a, where
// equal values count half (Vargha and Delaney 2000, "A Critique and Improvement of the CL
// Common Language Effect Size Statistics of McGraw and Wong", Journal of Educational and
// Behavioral Statistics 25(2)):
//
//	A = P(b > a) + P(b = a)/2
//
// It is 0.5 without an effect, 1 if every value of b exceeds every value of a, and does
// not change with the scale of the values. It is also the effect that [BrunnerMunzel]
// tests. NaN if one of the samples is empty.
func VarghaDelaneyA(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 || !finite(a...) || !finite(b...) {
		return math.NaN()
	}
	ranks, _ := midranks(slices.Concat(a, b))
	nb := float64(len(b))
	return (Mean(ranks[len(a):]) - (nb+1)/2) / float64(len(a))
}

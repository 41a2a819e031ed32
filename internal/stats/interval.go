package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Interval is a sample mean, or a difference of means, with its two-sided
// confidence bounds, all in the unit of the observations.
type Interval struct {
	Mean float64 // NaN without observations; what was estimated where it is no mean
	Low  float64 // NaN with fewer than two observations
	High float64 // NaN with fewer than two observations
	N    int     // observations, or pairs
}

// MeanInterval returns the mean of x and its confidence interval by Student
// (1908), "The Probable Error of a Mean", Biometrika 6(1):
//
//	mean ± t(N-1, (1+confidence)/2) * s / sqrt(N)
//
// with the sample standard deviation s of [StdDev]. It holds for independent
// observations, such as one number from each replication, and not for the
// months of one run. The confidence is a share strictly between 0 and 1,
// usually 0.95; outside that range Low and High are NaN, as they are for
// N < 2. Observations that are all equal give an interval of width zero.
func MeanInterval(x []float64, confidence float64) Interval {
	return MeanIntervals(confidence)(x)
}

// MeanIntervals is [MeanInterval] for many samples, which mostly have one size: the
// factor t takes ten times as long as the rest and is computed anew only where the size
// changes. The function belongs to one goroutine.
func MeanIntervals(confidence float64) func(x []float64) Interval {
	size, t := 0, math.NaN()
	return func(x []float64) Interval {
		n := len(x)
		iv := Interval{Mean: Mean(x), Low: math.NaN(), High: math.NaN(), N: n}
		if n < 2 || !(0 < confidence && confidence < 1) {
			return iv
		}
		if n != size {
			size, t = n, student(float64(n-1)).Quantile((1+confidence)/2)
		}
		half := t * StdDev(x) / math.Sqrt(float64(n))
		iv.Low, iv.High = iv.Mean-half, iv.Mean+half
		return iv
	}
}

// PairedInterval returns the mean of the differences b[i] - a[i] and its
// confidence interval, as [MeanInterval] does for one sample (the paired t
// test), wider on both sides where the differences are skewed: see skewness. Low and High are NaN where differences
// are rare: see [Differing]. Pairs that share their random draws,
// such as the control a and the treatment b
// of one seed, give a much narrower interval than two separate samples. It
// panics if a and b differ in length.
func PairedInterval(a, b []float64, confidence float64) Interval {
	d := Differences(a, b)
	iv := MeanInterval(d, confidence)
	if _, rare := Differing(d); rare {
		iv.Low, iv.High = math.NaN(), math.NaN()
	}
	if wider := skewnessOf(d).wider(confidence) * StdDev(d) / math.Sqrt(float64(len(d))); wider > 0 {
		iv.Low, iv.High = iv.Low-wider, iv.High+wider
	}
	return iv
}

// Differences returns b[i] - a[i] of pairs. It panics if a and b differ in length.
func Differences(a, b []float64) []float64 {
	mustMatch(a, b)
	return floats.SubTo(make([]float64, len(b)), b, a)
}

package stats

import "math"

// VarianceReduction is how much common random numbers help: the variance that the
// difference mean(b) - mean(a) would have with independent replications over the one that
// it has with pairs (Law 2015, Simulation Modeling and Analysis, section 11.2),
//
//	(var(a) + var(b)) / var(b - a)
//
// With 10, pairs do the work of ten times as many independent replications; 1 is no
// help, and less is harm. NaN for fewer than two pairs, and where the differences do not
// vary. It panics if a and b differ in length.
func VarianceReduction(a, b []float64) float64 {
	d := Differences(a, b)
	if !varies(d) {
		return math.NaN()
	}
	return (square(StdDev(a)) + square(StdDev(b))) / square(StdDev(d))
}

// RelativeHalfWidth is half the width of the interval over the size of its mean: 0.1 means
// that the mean is known to 10 %. NaN without an interval, and where the mean is zero.
func (i Interval) RelativeHalfWidth() float64 {
	if i.Mean == 0 {
		return math.NaN()
	}
	return (i.High - i.Low) / 2 / math.Abs(i.Mean)
}

// HalfWidthReplications is the smallest number of replications of a quantity with the
// standard deviation sd whose [MeanInterval] reaches no further than halfWidth, in the same
// unit, to each side of the mean. It is not ok if no number up to [MaxReplications] does,
// or where an argument is outside its range.
func HalfWidthReplications(sd, halfWidth, confidence float64) (n int, ok bool) {
	if !(sd >= 0 && halfWidth > 0 && 0 < confidence && confidence < 1) {
		return 0, false
	}
	return smallest(func(n int) bool {
		return student(float64(n-1)).Quantile((1+confidence)/2)*sd/math.Sqrt(float64(n)) <= halfWidth
	})
}

// MoreReplications is how many more replications than those in x it takes, by their mean
// and scatter, until the relative half-width of the [MeanInterval] is at most target; zero
// if it is already (Law 2015, section 9.4.1; there the half-width is first corrected by
// target / (1 + target), which holds the error against the true mean). For paired replications, x are the differences.
//
// A rule that stops on the width, and not on a p-value, keeps the confidence of the interval
// nearly as it is, if it starts from ten replications or more (Chow and Robbins 1965, "On the
// Asymptotic Theory of Fixed-Width Sequential Confidence Intervals for the Mean", The
// Annals of Mathematical Statistics 36(2)). A mean near zero needs a number without bound, so
// that the caller needs a cap. It is not ok as [HalfWidthReplications], for fewer than two
// values, and where the mean is zero.
func MoreReplications(x []float64, target, confidence float64) (more int, ok bool) {
	if len(x) < 2 {
		return 0, false
	}
	n, ok := HalfWidthReplications(StdDev(x), target*math.Abs(Mean(x)), confidence)
	return max(0, n-len(x)), ok
}

package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// MaxReplications is the largest number of replications that this package looks for.
const MaxReplications = 10_000_000

// PairedPower is the probability that [PairedTTest] of n pairs finds a true mean difference
// at the level 1 - confidence, if the differences are normal with the standard deviation
// sd: that of a noncentral t with n-1 degrees of freedom and noncentrality difference /
// (sd / sqrt(n)) beyond either critical value (Cohen 1988, Statistical Power Analysis for
// the Behavioral Sciences, section 2.3). Difference and sd are in the unit of the
// observations; with an sd of 1 the difference is a d_z (see [HedgesGZ]). NaN for fewer than two pairs, an
// sd of zero or below, and a confidence outside 0 to 1.
func PairedPower(n int, difference, sd, confidence float64) float64 {
	if n < 2 || !(sd > 0) {
		return math.NaN()
	}
	return powerOfT(difference/(sd/math.Sqrt(float64(n))), float64(n-1), confidence)
}

// WelchPower is [PairedPower] for [WelchTTest] of two samples of na and nb observations with
// standard deviations sdA and sdB, with the degrees of freedom of Welch (1947) at those
// values. With equal sizes and deviations it is the power of the two-sample t test. Each
// sample needs two observations, and one of the deviations may be zero.
func WelchPower(na, nb int, difference, sdA, sdB, confidence float64) float64 {
	if na < 2 || nb < 2 || !(sdA >= 0 && sdB >= 0 && sdA+sdB > 0) {
		return math.NaN()
	}
	va, vb := sdA*sdA/float64(na), sdB*sdB/float64(nb)
	return powerOfT(difference/math.Sqrt(va+vb), welchDF(va, vb, float64(na), float64(nb)), confidence)
}

// PairedReplications is the smallest number of pairs with which [PairedPower] reaches the
// power. It is not ok if no number up to [MaxReplications] does, as for a difference of
// zero, or where an argument is outside its range; a power is strictly between 0 and 1.
func PairedReplications(difference, sd, power, confidence float64) (n int, ok bool) {
	return smallest(func(n int) bool { return reaches(PairedPower(n, difference, sd, confidence), power) })
}

// ReplicationsLike is [PairedReplications] of pairs whose differences scatter as those of a sample: where it is skewed, as many more
// as its wider interval asks for, whose quantile grows by less the more pairs there are (see [PairedInterval]).
func ReplicationsLike(sample []float64, difference, power, confidence float64) (n int, ok bool) {
	sd, skew := StdDev(sample), skewnessOf(sample)
	n, ok = PairedReplications(difference, sd, power, confidence)
	if wider := skew.wider(confidence) * float64(len(sample)); ok && wider > 0 {
		skewed, found := smallest(func(m int) bool {
			return (detectable(m, confidence, power)+wider/float64(m))*sd/math.Sqrt(float64(m)) <= math.Abs(difference)
		})
		return max(n, skewed), found
	}
	return n, ok
}

// WelchReplications is the smallest number of observations in each of two samples of the
// same size with which [WelchPower] reaches the power, as [PairedReplications].
func WelchReplications(difference, sdA, sdB, power, confidence float64) (n int, ok bool) {
	return smallest(func(n int) bool { return reaches(WelchPower(n, n, difference, sdA, sdB, confidence), power) })
}

// reaches says whether a power is enough. A certain one is asked for in vain: it rounds to
// one, but never is.
func reaches(power, wanted float64) bool { return 0 < wanted && wanted < 1 && power >= wanted }

// powerOfT is the probability that a noncentral t lies beyond the critical values of the
// two-sided test.
func powerOfT(noncentrality, df, confidence float64) float64 {
	if !finite(noncentrality, df) || !(0 < confidence && confidence < 1) {
		return math.NaN()
	}
	critical := student(df).Quantile((1 + confidence) / 2)
	// The lower tail as the upper one of the mirror image: gonum 0.17.0 returns one less
	// the probability of negative values with a noncentrality beyond 37.
	beyond := func(noncentrality float64) float64 {
		return 1 - distuv.NoncentralT{Nu: df, Mu: noncentrality}.CDF(critical)
	}
	return max(0, min(1, beyond(noncentrality)+beyond(-noncentrality)))
}

// PairedDetectable is the smallest true mean difference that [PairedTTest] of n pairs would find with the given power,
// if the differences have the standard deviation sd: see [Interval.Detectable]. NaN for fewer than two pairs, an sd of
// zero or below, and a confidence or a power outside 0 to 1.
func PairedDetectable(n int, sd, confidence, power float64) float64 {
	if n < 2 || !(sd > 0) || !(0 < confidence && confidence < 1) || !(0 < power && power < 1) {
		return math.NaN()
	}
	return sd / math.Sqrt(float64(n)) * detectable(n, confidence, power)
}

// detectable is how many standard errors a true difference has that n replications find.
func detectable(n int, confidence, power float64) float64 {
	t := student(float64(n - 1))
	return t.Quantile((1+confidence)/2) + t.Quantile(power)
}

// smallest is the smallest number of replications from 2 that is enough, where every larger
// number is so too.
func smallest(enough func(n int) bool) (n int, ok bool) {
	high := 2
	for !enough(high) {
		if high == MaxReplications {
			return 0, false
		}
		high = min(2*high, MaxReplications)
	}
	return 2 + sort.Search(high-2, func(i int) bool { return enough(2 + i) }), true
}

// Detectable is the smallest true difference that a test with this interval's scatter and
// number of replications would find with the given power: the multiple t(confidence) +
// t(power) of the standard error (Bloom 1995, "Minimum Detectable Effects", Evaluation
// Review 19). It is NaN where there is no interval.
func (i Interval) Detectable(confidence, power float64) float64 {
	if i.N < 2 || math.IsNaN(i.Low) {
		return math.NaN()
	}
	two := student(float64(i.N - 1)).Quantile((1 + confidence) / 2)
	return (i.High - i.Low) / 2 / two * detectable(i.N, confidence, power)
}

package stats

import "math"

// PairedTOST tests whether the mean of b[i] - a[i] lies strictly between -margin and
// margin, by two one-sided t tests (Schuirmann 1987, "A Comparison of the Two One-Sided
// Tests Procedure and the Power Approach for Assessing the Equivalence of Average
// Bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15(6)): p is the larger
// of the two. It is below alpha exactly if the [PairedInterval] of confidence 1 - 2 alpha lies within the margin.
//
// The margin, in the unit of the observations, is the smallest effect of interest, chosen
// before the data are seen. P is NaN if it is not positive, and for fewer than
// two pairs. Differences that do not vary give a p of 0 within the margin, and else of 1. Where differences are
// rare (see [Differing]), p is at least the probability that so few pairs differ if one economy in twenty does, and where no pair
// differs it is that, whatever the margin: nothing observed in twelve pairs is no proof. It
// panics if a and b differ in length.
func PairedTOST(a, b []float64, margin float64) (p float64) {
	d := Differences(a, b)
	n, rare := Differing(d)
	if rare && n == 0 {
		return rareP(0, len(d))
	}
	p = equivalence(PairedTTest(a, b, 0.95), StdDev(d)/math.Sqrt(float64(len(d))), margin)
	if rare && !math.IsNaN(p) {
		p = max(p, rareP(n, len(d)))
	}
	return p
}

// WelchTOST is [PairedTOST] of mean(b) - mean(a) of two independent samples, with the
// standard error and the degrees of freedom of [WelchTTest]. Each sample needs two
// observations.
func WelchTOST(a, b []float64, margin float64) (p float64) {
	se := math.Sqrt(square(StdDev(a))/float64(len(a)) + square(StdDev(b))/float64(len(b)))
	return equivalence(WelchTTest(a, b, 0.95), se, margin)
}

func equivalence(t TTest, se, margin float64) (p float64) {
	d := t.Difference.Mean
	if !(margin > 0) || !finite(d, se, margin) {
		return math.NaN()
	}
	beyond := func(distance float64) float64 { // of the difference, inwards from a bound
		switch {
		case se > 0:
			p := t.skewness.p(distance/se, t.DF) / 2
			if distance < 0 {
				p = 1 - p
			}
			return p
		case distance > 0:
			return 0
		}
		return 1
	}
	return max(beyond(d+margin), beyond(margin-d))
}

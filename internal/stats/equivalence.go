package stats

import "math"

// Equivalence is the answer of two one-sided t tests: whether a difference of means lies
// within a margin around zero that is too small to matter.
type Equivalence struct {
	P     float64 // the larger of the two below: under alpha, the difference is smaller than the margin
	PLow  float64 // of the null hypothesis that the difference is -margin or less
	PHigh float64 // of the null hypothesis that the difference is margin or more
	DF    float64 // degrees of freedom
}

// PairedTOST tests whether the mean of b[i] - a[i] lies strictly between -margin and
// margin, by two one-sided t tests (Schuirmann 1987, "A Comparison of the Two One-Sided
// Tests Procedure and the Power Approach for Assessing the Equivalence of Average
// Bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15(6)). P is below
// alpha exactly if the [PairedInterval] of confidence 1 - 2 alpha lies within the margin.
//
// The margin, in the unit of the observations, is the smallest effect of interest, chosen
// before the data are seen. The result is NaN if it is not positive, and for fewer than
// two pairs. Differences that do not vary give a P of 0 within the margin, and else of 1. It
// panics if a and b differ in length.
func PairedTOST(a, b []float64, margin float64) Equivalence {
	return equivalence(PairedTTest(a, b, 0.95), StdDev(Differences(a, b))/math.Sqrt(float64(len(a))), margin)
}

// WelchTOST is [PairedTOST] of mean(b) - mean(a) of two independent samples, with the
// standard error and the degrees of freedom of [WelchTTest]. Each sample needs two
// observations.
func WelchTOST(a, b []float64, margin float64) Equivalence {
	se := math.Sqrt(square(StdDev(a))/float64(len(a)) + square(StdDev(b))/float64(len(b)))
	return equivalence(WelchTTest(a, b, 0.95), se, margin)
}

func equivalence(t TTest, se, margin float64) Equivalence {
	d := t.Difference.Mean
	if !(margin > 0) || !finite(d, se, margin) {
		return Equivalence{math.NaN(), math.NaN(), math.NaN(), t.DF}
	}
	beyond := func(distance float64) float64 { // of the difference, inwards from a bound
		switch {
		case se > 0:
			return student(t.DF).Survival(distance / se)
		case distance > 0:
			return 0
		}
		return 1
	}
	e := Equivalence{PLow: beyond(d + margin), PHigh: beyond(margin - d), DF: t.DF}
	e.P = max(e.PLow, e.PHigh)
	return e
}

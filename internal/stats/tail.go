package stats

import (
	"math"
	"slices"
)

// HillExponent returns the exponent alpha of a power-law upper tail,
// P(X > x) ~ x^-alpha, estimated from the largest share tail of the values by
// Hill (1975), "A Simple General Approach to Inference About the Tail of a
// Distribution", The Annals of Statistics 3(5):
//
//	alpha = k / sum_{i=1..k} ln(X(i) / X(k+1))
//
// where X(1) >= X(2) >= ... and k = tail * n, rounded to the nearest whole
// number. The threshold X(k+1) is the largest value outside the tail. A smaller
// alpha is a fatter tail; Zipf's law has 1. The standard error is about
// alpha / sqrt(k).
//
// The share is strictly between 0 and 1, such as 0.05, of all values given:
// values of zero or below count in n, and the caller drops those that should
// not, such as firms without employees. The result is NaN when k < 1 or
// k >= n, when the threshold is not positive, and when the whole tail equals
// the threshold. The formula supposes continuous sizes: many ties, as among
// small head counts, bias it.
func HillExponent(x []float64, tail float64) float64 {
	n := len(x)
	if !(0 < tail && tail < 1) || !finite(x...) {
		return math.NaN()
	}
	k := int(math.Round(tail * float64(n)))
	if k < 1 || k >= n {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	threshold, largest := sorted[n-k-1], sorted[n-k:]
	if threshold <= 0 || largest[k-1] == threshold {
		return math.NaN()
	}
	var excess float64
	for _, v := range largest {
		excess += math.Log(v / threshold)
	}
	return float64(k) / excess
}

package stats

import "gonum.org/v1/gonum/stat/distuv"

// ProportionInterval is the exact interval of a probability of which k of n trials came true, at a
// confidence from 0 to 1: Clopper and Pearson (1934), Biometrika 26, p. 404, by quantiles of the beta
// distribution. It covers at least as often as its confidence says. Of no trials it is 0 to 1.
func ProportionInterval(k, n int, confidence float64) (low, high float64) {
	low, high = 0, 1
	tail := (1 - confidence) / 2
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}

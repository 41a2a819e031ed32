package stats

import "math"

// Relative returns samples whose difference of means, mean(y) - mean(x), is that of b and a as a share of the
// size of mean(a): the ratio of the means less 1, where a is positive. A test or an interval of x and y, as pairs or
// as independent samples, so has the uncertainty of mean(a) too: its observations are the terms of the ratio to the
// first order (Cochran 1977, Sampling Techniques, section 6.4). The mean of ratios is another quantity, which a pair with a
// small denominator can have anywhere. All are NaN where mean(a) is 0.
func Relative(a, b []float64) (x, y []float64) {
	before, after := Mean(a), Mean(b)
	size := math.Abs(before)
	ratio, change := after/before, (after-before)/size
	x, y = make([]float64, len(a)), make([]float64, len(b))
	for i, v := range a {
		x[i] = v * ratio / size
	}
	for i, v := range b {
		y[i] = v/size + change
	}
	if before == 0 {
		for _, list := range [][]float64{x, y} {
			for i := range list {
				list[i] = math.NaN()
			}
		}
	}
	return x, y
}

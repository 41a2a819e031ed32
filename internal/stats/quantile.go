package stats

import "math"

// Quantile is the q-quantile of ascending values by linear interpolation between the
// order statistics, with the least value at 0 and the greatest at 1: type 7 of Hyndman
// and Fan (1996, "Sample Quantiles in Statistical Packages"), the default of R and NumPy.
// It is NaN without values.
func Quantile(ascending []float64, q float64) float64 {
	n := len(ascending)
	if n == 0 {
		return math.NaN()
	}
	at := q * float64(n-1)
	k := min(int(at), n-1)
	if k == n-1 {
		return ascending[k]
	}
	return ascending[k] + (at-float64(k))*(ascending[k+1]-ascending[k])
}

// Gini is the Gini coefficient of ascending values x_1 … x_n: half the mean absolute
// difference of all n² pairs over the mean,
//
//	G = sum_i (2i - n - 1) x_i / (n sum_i x_i)
//
// without correction for small samples (ineq::Gini in R). Negative values count as they
// are, and may take it above 1. It is NaN where the sum is not positive.
func Gini(ascending []float64) float64 {
	n := float64(len(ascending))
	weighted, sum := 0.0, 0.0
	for i, x := range ascending {
		weighted += (2*float64(i+1) - n - 1) * x
		sum += x
	}
	if !(sum > 0) {
		return math.NaN()
	}
	return weighted / (n * sum)
}

// LorenzPoints are the shares of the population at which a Lorenz curve is told: 0, 10
// % … 100 %.
const LorenzPoints = 11

// Lorenz gives the shares that the least 0 %, 10 % … 100 % of ascending values have in
// the sum, interpolated within a value. They are NaN where the sum is not positive.
func Lorenz(ascending []float64) [LorenzPoints]float64 {
	var curve [LorenzPoints]float64
	n, sum := len(ascending), 0.0
	for _, x := range ascending {
		sum += x
	}
	held, i := 0.0, 0
	for k := range curve {
		at := float64(k*n) / (LorenzPoints - 1)
		for ; float64(i+1) <= at; i++ {
			held += ascending[i]
		}
		curve[k] = held
		if rest := at - float64(i); i < n && rest > 0 {
			curve[k] += rest * ascending[i]
		}
		curve[k] /= sum
		if !(sum > 0) {
			curve[k] = math.NaN()
		}
	}
	return curve
}

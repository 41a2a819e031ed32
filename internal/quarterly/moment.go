package quarterly

import (
	"math"
	"slices"

	"econ-mcp/internal/stats"
)

// sd is the standard deviation with denominator n.
func sd(x []float64) float64 {
	n := float64(len(x))
	return stats.StdDev(x) * math.Sqrt((n-1)/n)
}

// central is the mean k-th power of deviations from the mean.
func central(x []float64, k float64) float64 {
	mean, sum := stats.Mean(x), 0.
	for _, v := range x {
		sum += math.Pow(v-mean, k)
	}
	return sum / float64(len(x))
}

// skewness is m3 / m2^1.5 (Joanes and Gill 1998, g1).
func skewness(x []float64) float64 { return central(x, 3) / math.Pow(central(x, 2), 1.5) }

// kurtosis is m4 / m2^2: 3 for a normal distribution.
func kurtosis(x []float64) float64 { return central(x, 4) / math.Pow(central(x, 2), 2) }

// ShapeEP is the exponent b of the exponential-power (Subbotin) density around the median m, proportional to
// exp(-|(x-m)/a|^b / b), by maximum likelihood: 2 is the normal density, 1 the Laplace (Fagiolo, Napoletano and
// Roventini 2008, "Are Output Growth-Rate Distributions Fat-Tailed?", Journal of Applied Econometrics 23(5),
// equation 1). It lies between .3 and 6; NaN where x does not vary.
func ShapeEP(x []float64) float64 {
	if spread := sd(x); !(spread > 0) {
		return math.NaN()
	}
	median := stats.Quantile(slices.Sorted(slices.Values(x)), .5)
	return lowest(func(b float64) float64 { // minus the log-likelihood of a value, at the best a
		power := 0.
		for _, v := range x {
			power += math.Pow(math.Abs(v-median), b)
		}
		gamma, _ := math.Lgamma(1 + 1/b)
		return (math.Log(b)+math.Log(power/float64(len(x)))+1)/b + gamma
	}, .3, 6)
}

// lowest is where a function of one valley is lowest between two bounds, by golden sections.
func lowest(f func(x float64) float64, low, high float64) float64 {
	const golden, steps = .6180339887498949, 25 // to a hundred-thousandth of the range
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range steps {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}

package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Mean is that of x, in the unit of x; NaN without values, or where one is not finite.
func Mean(x []float64) float64 {
	if len(x) == 0 || !finite(x...) {
		return math.NaN()
	}
	return stat.Mean(x, nil)
}

// StdDev returns the sample standard deviation of x, with denominator n-1, in
// the unit of x. It is NaN for fewer than two values and 0 for equal ones.
func StdDev(x []float64) float64 {
	switch {
	case len(x) < 2 || !finite(x...):
		return math.NaN()
	case constant(x):
		return 0
	}
	return stat.StdDev(x, nil)
}

// Deviations adds up deviations from a mean, for the kurtosis of all of them
// without keeping them. Its zero value is empty.
type Deviations struct {
	n              int
	square, fourth float64 // sums of powers
}

// Add takes in deviations, each of which is a value less its mean.
func (d *Deviations) Add(deviations ...float64) {
	for _, x := range deviations {
		d.n++
		d.square += x * x
		d.fourth += x * x * x * x
	}
}

// Len is the number of deviations.
func (d *Deviations) Len() int { return d.n }

// Kurtosis returns m4 / m2^2, the fourth central moment over the square of the
// second, both with denominator n (Joanes and Gill, 1998, "Comparing Measures of
// Sample Skewness and Kurtosis", The Statistician 47(1); their g2 plus 3). It has
// no unit and is not excess kurtosis: a normal distribution has 3, a Laplace
// distribution 6. It lies between 1 and about n, so that short samples cannot
// show a fat tail. It is NaN without deviations, or when all are 0 or one is not
// finite.
func (d *Deviations) Kurtosis() float64 {
	k := float64(d.n) * d.fourth / (d.square * d.square)
	if math.IsInf(k, 0) {
		return math.NaN()
	}
	return k
}

// Correlation returns Pearson's correlation of x and y, in [-1, 1]. It is NaN
// for fewer than two pairs or when x or y does not vary, and panics if they
// differ in length.
func Correlation(x, y []float64) float64 {
	mustMatch(x, y)
	if !varies(x) || !varies(y) {
		return math.NaN()
	}
	return max(-1, min(1, stat.Correlation(x, y, nil)))
}

// Slope returns the slope of the least-squares line, with intercept, of y on x:
// the change of y, in units of y, with one more unit of x. It is NaN for fewer
// than two pairs or when x does not vary, and panics if they differ in length.
func Slope(x, y []float64) float64 {
	mustMatch(x, y)
	if !varies(x) || !finite(y...) {
		return math.NaN()
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}

// Autocorrelation returns the sample autocorrelation of the series x at a lag
// counted in its own periods,
//
//	sum_{t>lag} (x[t] - m) (x[t-lag] - m) / sum_t (x[t] - m)^2
//
// where m is the mean of the whole series. Numerator and denominator are sums
// over n-lag and n terms, so both autocovariances have the denominator n
// (Box and Jenkins, 1976, Time Series Analysis, section 2.1.5; the convention
// of R's acf). This keeps the result in [-1, 1] and shrinks it towards 0 in
// short series. It is 1 at lag 0, and NaN for a lag that is negative or leaves
// no pair (lag >= n) and for a series of fewer than two values or equal ones.
func Autocorrelation(x []float64, lag int) float64 {
	if lag < 0 || lag >= len(x) || !varies(x) {
		return math.NaN()
	}
	m := Mean(x)
	var shared, total float64
	for t, v := range x {
		total += (v - m) * (v - m)
		if t >= lag {
			shared += (v - m) * (x[t-lag] - m)
		}
	}
	return shared / total
}

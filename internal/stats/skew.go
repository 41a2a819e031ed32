package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// skewness is what the skewness of a sample adds to the quantiles of |t|. Student's interval of the mean of skewed
// observations covers too little: of ten exponential ones 90 % instead of 95. The chance that |t| is below z is off by
//
//	2/n z (γ²/18 (z⁴ + 2z² - 3)) φ(z)
//
// to the second order (Hall 1992, The Bootstrap and Edgeworth Expansion, section 2.6, whose other terms Student's
// quantile has already, but for a small one of kurtosis), so that a quantile that is larger by
//
//	γ²/(18 n) z (z⁴ + 2z² - 3)
//
// mends it. The estimate of γ² is the square of the sample skewness G1 less its variance for normal observations
// (Joanes and Gill 1998, "Comparing Measures of Sample Skewness and Kurtosis", The Statistician 47(1)), so that symmetric
// ones keep Student's interval nearly. So ten, 20 and 40 exponential observations are covered in 91.4, 92.9 and 94.3 %
// (Student's interval covers 89.8, 91.6 and 93.3), normal ones in 95.3, 95.2 and 95, and real effects as
// docs/VALIDATION.md says: a sample of ten does not know how skewed it is.
type skewness float64

// skewnessOf is that of a sample; 0 for fewer than three observations and where they do not vary.
func skewnessOf(x []float64) skewness {
	g, n := Skewness(x), float64(len(x))
	if math.IsNaN(g) {
		return 0
	}
	normal := 6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))
	return skewness(max(0, g*g-normal) / (18 * n))
}

// Skewness is the sample skewness G1 (Joanes and Gill 1998): NaN for fewer than three observations and where they do not vary.
func Skewness(x []float64) float64 {
	n, s := float64(len(x)), StdDev(x)
	if !(n >= 3 && s > 0) || !finite(s) {
		return math.NaN()
	}
	m, cubes := Mean(x), 0.0
	for _, v := range x {
		z := (v - m) / s
		cubes += z * z * z
	}
	return cubes * n / ((n - 1) * (n - 2))
}

// at is what is added to the quantile of |t| where the normal one is z.
func (s skewness) at(z float64) float64 {
	if z <= 1 { // the correction is of intervals, and would change its sign
		return 0
	}
	return float64(s) * z * (z*z*z*z + 2*z*z - 3)
}

// wider is what is added to the quantile of |t| of an interval; NaN for a confidence outside 0 to 1.
func (s skewness) wider(confidence float64) float64 {
	if !(0 < confidence && confidence < 1) {
		return math.NaN()
	}
	return s.at(distuv.UnitNormal.Quantile((1 + confidence) / 2))
}

// p is the probability of a |t| as large: that of the interval which just reaches zero.
func (s skewness) p(t, df float64) float64 {
	p := func(t float64) float64 { return 2 * student(df).CDF(-t) }
	low, high := 0., math.Abs(t)
	if s == 0 {
		return p(high)
	}
	for range 60 { // Student's t of that interval
		middle := (low + high) / 2
		if middle+s.at(-distuv.UnitNormal.Quantile(p(middle)/2)) < math.Abs(t) {
			low = middle
		} else {
			high = middle
		}
	}
	return p(low)
}

package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// TTest is a two-sided t test of a difference of means, with its interval, in the unit
// of the observations.
type TTest struct {
	Difference Interval // Low and High NaN where there are too few observations
	T          float64  // NaN where nothing varies and there is no difference
	DF         float64  // degrees of freedom
	P          float64  // probability of a |t| as large without a difference; NaN as T

	skewness skewness // of differences; 0 of independent samples
}

// PairedTTest tests the mean of b[i] - a[i] (Student 1908). Its p is that of the [PairedInterval] which just
// reaches zero: where the differences are skewed, it is above Student's. Where differences are rare, it is that of a
// sign test, and NaN where there is none.
// It panics if a and b differ in length.
func PairedTTest(a, b []float64, confidence float64) TTest {
	d := Differences(a, b)
	test := TTest{Difference: PairedInterval(a, b, confidence), DF: float64(len(d) - 1), skewness: skewnessOf(d)}
	test.decide(StdDev(d) / math.Sqrt(float64(len(d))))
	if _, rare := Differing(d); rare {
		test.P = signP(d)
	}
	return test
}

// WelchTTest tests mean(b) - mean(a) of two independent samples that need not vary
// alike (Welch 1947, "The Generalization of Student's Problem when Several Different
// Population Variances are Involved", Biometrika 34):
//
//	t  = (mean(b) - mean(a)) / se,  se² = s_a²/n_a + s_b²/n_b
//	df = se⁴ / ((s_a²/n_a)²/(n_a-1) + (s_b²/n_b)²/(n_b-1))
//
// The difference of two samples that are skewed alike is hardly skewed, so that Student's quantile is kept.
// The N of its interval is n_a + n_b. Interval and test need two observations in each sample; otherwise they are NaN.
func WelchTTest(a, b []float64, confidence float64) TTest {
	na, nb := float64(len(a)), float64(len(b))
	test := TTest{Difference: Interval{Mean: Mean(b) - Mean(a), Low: math.NaN(), High: math.NaN(), N: len(a) + len(b)}}
	va, vb := square(StdDev(a))/na, square(StdDev(b))/nb
	se := math.Sqrt(va + vb)
	test.DF = welchDF(va, vb, na, nb)
	test.decide(se)
	if 0 < confidence && confidence < 1 && !math.IsNaN(se) {
		half := 0.0
		if se > 0 {
			half = se * student(test.DF).Quantile((1+confidence)/2)
		}
		test.Difference.Low, test.Difference.High = test.Difference.Mean-half, test.Difference.Mean+half
	}
	return test
}

// decide computes t and p from the difference and its standard error.
func (t *TTest) decide(se float64) {
	t.T = t.Difference.Mean / se
	switch {
	case math.IsInf(t.T, 0): // a difference, and nothing varies
		t.P = 0
	case math.IsNaN(t.T):
		t.P = math.NaN()
	default:
		t.P = t.skewness.p(t.T, t.DF)
	}
}

// welchDF is Welch's degrees of freedom of a sum of two variances, from na and nb observations.
func welchDF(va, vb, na, nb float64) float64 { return square(va+vb) / (va*va/(na-1) + vb*vb/(nb-1)) }

func square(x float64) float64 { return x * x }

func student(df float64) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: df} }

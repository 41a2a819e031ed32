package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// TTest is a two-sided t test of a difference of means, with its interval, in the unit
// of the observations.
type TTest struct {
	Difference Interval // Low and High NaN where there are too few observations
	T          float64  // NaN where nothing varies and there is no difference
	DF         float64  // degrees of freedom
	P          float64  // probability of a |t| as large without a difference; NaN as T
	Effect     float64  // size of the effect: d_z of pairs, Hedges' g of two samples; NaN without variation
}

// PairedTTest tests the mean of b[i] - a[i] (Student 1908). The effect size is d_z, the
// mean difference over the standard deviation of the differences. It panics if a and b
// differ in length.
func PairedTTest(a, b []float64, confidence float64) TTest {
	interval := PairedInterval(a, b, confidence)
	d := floats.SubTo(make([]float64, len(b)), b, a)
	sd := StdDev(d)
	test := TTest{Difference: interval, DF: float64(len(d) - 1), Effect: interval.Mean / sd}
	test.decide(sd / math.Sqrt(float64(len(d))))
	return test
}

// WelchTTest tests mean(b) - mean(a) of two independent samples that need not vary
// alike (Welch 1947, "The Generalization of Student's Problem when Several Different
// Population Variances are Involved", Biometrika 34):
//
//	t  = (mean(b) - mean(a)) / se,  se² = s_a²/n_a + s_b²/n_b
//	df = se⁴ / ((s_a²/n_a)²/(n_a-1) + (s_b²/n_b)²/(n_b-1))
//
// The N of its interval is n_a + n_b. The effect size is [HedgesG]. Interval and test
// need two observations in each sample; otherwise they are NaN.
func WelchTTest(a, b []float64, confidence float64) TTest {
	na, nb := float64(len(a)), float64(len(b))
	test := TTest{
		Difference: Interval{Mean: Mean(b) - Mean(a), Low: math.NaN(), High: math.NaN(), N: len(a) + len(b)},
		Effect:     HedgesG(a, b),
	}
	va, vb := square(StdDev(a))/na, square(StdDev(b))/nb
	se := math.Sqrt(va + vb)
	test.DF = square(va+vb) / (va*va/(na-1) + vb*vb/(nb-1))
	test.decide(se)
	if 0 < confidence && confidence < 1 && !math.IsNaN(se) {
		half := 0.0
		if se > 0 {
			half = se * distuv.StudentsT{Sigma: 1, Nu: test.DF}.Quantile((1+confidence)/2)
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
		t.P, t.Effect = 0, math.NaN()
	case math.IsNaN(t.T):
		t.P, t.Effect = math.NaN(), math.NaN()
	default:
		t.P = 2 * distuv.StudentsT{Sigma: 1, Nu: t.DF}.CDF(-math.Abs(t.T))
	}
}

// HedgesG is the standardised difference of the means of two samples, b less a, over
// their pooled standard deviation, with the correction for small samples (Hedges 1981,
// "Distribution Theory for Glass's Estimator of Effect Size", Journal of Educational
// Statistics 6):
//
//	g = (1 - 3/(4 df - 1)) (mean(b) - mean(a)) / s,  df = n_a + n_b - 2
//
// NaN for a sample of fewer than two, and where nothing varies.
func HedgesG(a, b []float64) float64 {
	na, nb := float64(len(a)), float64(len(b))
	df := na + nb - 2
	pooled := math.Sqrt(((na-1)*square(StdDev(a)) + (nb-1)*square(StdDev(b))) / df)
	if !(pooled > 0) {
		return math.NaN()
	}
	return (1 - 3/(4*df-1)) * (Mean(b) - Mean(a)) / pooled
}

// Holm adjusts p-values for their number, so that the probability of one false finding
// or more among them stays below the level (Holm 1979, "A Simple Sequentially Rejective
// Multiple Test Procedure", Scandinavian Journal of Statistics 6). A NaN stays NaN and
// does not count.
func Holm(p []float64) []float64 {
	var order []int
	adjusted := slices.Clone(p)
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(p[x], p[y]) })
	largest := 0.0
	for k, i := range order {
		largest = max(largest, min(1, float64(len(order)-k)*p[i]))
		adjusted[i] = largest
	}
	return adjusted
}

func square(x float64) float64 { return x * x }

// Detectable is the smallest true difference that a test with this interval's scatter and
// number of replications would find with the given power: the multiple t(confidence) +
// t(power) of the standard error (Bloom 1995, "Minimum Detectable Effects", Evaluation
// Review 19). It is NaN where there is no interval.
func (i Interval) Detectable(confidence, power float64) float64 {
	if i.N < 2 || math.IsNaN(i.Low) {
		return math.NaN()
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(i.N - 1)}
	two := t.Quantile((1 + confidence) / 2)
	return (i.High - i.Low) / 2 / two * (two + t.Quantile(power))
}

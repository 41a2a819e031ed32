package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ShortLags and LongLags are the usual numbers of lags for a series of n values, the whole
// parts of 4 (n/100)^(1/4) and 12 (n/100)^(1/4) (Schwert 1989, "Tests for Unit Roots: A Monte
// Carlo Investigation", Journal of Business & Economic Statistics 7(2); l4 and l12 of
// [KPSS]). Long ones guard better against autocorrelation, and find less.
func ShortLags(n int) int { return int(4 * math.Sqrt(math.Sqrt(float64(n)/100))) }

// LongLags is explained at [ShortLags].
func LongLags(n int) int { return int(12 * math.Sqrt(math.Sqrt(float64(n)/100))) }

// ADF is the augmented Dickey-Fuller test of the null hypothesis that the series x has a
// unit root and wanders, against one that returns to a constant: Student's t of rho in
//
//	x[t] - x[t-1] = c + rho x[t-1] + sum_{i=1..lags} d_i (x[t-i] - x[t-i-1]) + e[t]
//
// (Said and Dickey 1984, "Testing for Unit Roots in Autoregressive-Moving Average Models of
// Unknown Order", Biometrika 71(3)). A statistic below the critical value says, at the 5 %
// level, that the series is stationary. The critical value is that of MacKinnon for finite samples
// (2010, "Critical Values for Cointegration Tests", Queen's Economics Department Working Paper
// 1227, table 2). Both are NaN if there are too few values for the lags, or x does not vary.
//
// The months of a series are no replications: this test and [KPSS] say whether one series
// wanders, and nothing about another one.
func ADF(x []float64, lags int) (statistic, critical float64) {
	n := len(x) - 1 - lags // equations
	if lags < 0 || n < lags+4 || !varies(x) {
		return math.NaN(), math.NaN()
	}
	// In standard deviations from the mean: t is the same, and the numbers are benign.
	z, m, sd := make([]float64, len(x)), Mean(x), StdDev(x)
	for t, v := range x {
		z[t] = (v - m) / sd
	}
	regressors := mat.NewDense(n, lags+2, nil)
	changes := mat.NewVecDense(n, nil)
	for row := range n {
		t := row + lags + 1
		changes.SetVec(row, z[t]-z[t-1])
		regressors.Set(row, 0, z[t-1])
		regressors.Set(row, 1, 1)
		for i := 1; i <= lags; i++ {
			regressors.Set(row, i+1, z[t-i]-z[t-i-1])
		}
	}
	statistic, ok := firstT(regressors, changes)
	if !ok {
		return math.NaN(), math.NaN()
	}
	inverse := 1 / float64(n)
	return statistic, -2.86154 + inverse*(-2.8903+inverse*(-4.234-inverse*40.040))
}

// firstT is Student's t of the first coefficient of a least-squares regression. It is not
// ok if the regressors are collinear or leave no residual.
func firstT(x *mat.Dense, y *mat.VecDense) (t float64, ok bool) {
	n, k := x.Dims()
	var qr mat.QR
	qr.Factorize(x)
	var beta, residual mat.VecDense
	if err := qr.SolveVecTo(&beta, false, y); err != nil { // singular or nearly so
		return math.NaN(), false
	}
	residual.MulVec(x, &beta)
	residual.SubVec(y, &residual)
	var r mat.Dense
	qr.RTo(&r)
	// The first row of the inverse of R, whose square is the first variance of (X'X)^-1.
	unit := mat.NewVecDense(k, nil)
	unit.SetVec(0, 1)
	var row mat.VecDense
	if err := row.SolveVec(r.Slice(0, k, 0, k).T(), unit); err != nil {
		return math.NaN(), false
	}
	size := mat.Norm(&residual, 2)
	if size <= 1e-10*mat.Norm(y, 2) {
		return math.NaN(), false
	}
	return beta.AtVec(0) / (size / math.Sqrt(float64(n-k)) * mat.Norm(&row, 2)), true
}

// The critical values of [KPSS] around a constant, and their levels (table 1 of the paper).
var (
	kpssCritical = [4]float64{0.347, 0.463, 0.574, 0.739}
	kpssLevels   = [4]float64{0.10, 0.05, 0.025, 0.01}
)

// KPSS tests the null hypothesis that the series x is stationary around a constant against
// one that wanders (Kwiatkowski, Phillips, Schmidt and Shin 1992, "Testing the Null
// Hypothesis of Stationarity against the Alternative of a Unit Root", Journal of Econometrics
// 54). Its statistic is
//
//	sum_t S[t]² / (n² s²(lags))
//
// with the partial sums S of the deviations from the mean and their long-run variance s²,
// weighted after Bartlett. A P below the level says that the series is not stationary. P is
// interpolated in their table 1 and lies between 0.01 and 0.10, which mean "at most" and "at
// least". The result is NaN for lags below zero or not below n, and where x does not vary.
func KPSS(x []float64, lags int) Test {
	n := len(x)
	if lags < 0 || lags >= n || n < 4 || !varies(x) {
		return undefined(n)
	}
	residual, m := make([]float64, n), Mean(x)
	var variance, sums, partial float64
	for t, v := range x {
		e := v - m
		residual[t] = e
		variance += e * e
		partial += e
		sums += partial * partial
	}
	for lag := 1; lag <= lags; lag++ {
		var product float64
		for t := lag; t < n; t++ {
			product += residual[t] * residual[t-lag]
		}
		variance += 2 * (1 - float64(lag)/float64(lags+1)) * product
	}
	statistic := sums / (float64(n) * variance)
	return Test{Statistic: statistic, P: kpssP(statistic), N: n}
}

func kpssP(statistic float64) float64 {
	above, _ := slices.BinarySearch(kpssCritical[:], statistic)
	switch above {
	case 0:
		return kpssLevels[0]
	case len(kpssCritical):
		return kpssLevels[above-1]
	}
	part := (statistic - kpssCritical[above-1]) / (kpssCritical[above] - kpssCritical[above-1])
	return kpssLevels[above-1] + part*(kpssLevels[above]-kpssLevels[above-1])
}

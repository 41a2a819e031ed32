package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// StationarityTest is a test of one long series. The months of a series are no
// replications: it says whether this series wanders, and nothing about another one.
type StationarityTest struct {
	Statistic float64
	P         float64 // NaN where the series defines none
	Critical  float64 // of the statistic, at the 5 % level
	Lags      int
}

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
// Unknown Order", Biometrika 71(3)). A P below the level says that the series is
// stationary: reject on a statistic below Critical. P comes from MacKinnon's asymptotic
// response surface (1994, "Approximate Asymptotic Distribution Functions for Unit-Root and
// Cointegration Tests", Journal of Business & Economic Statistics 12(2), tables 3 and 4),
// Critical from that for finite samples (MacKinnon 2010, "Critical Values for Cointegration
// Tests", Queen's Economics Department Working Paper 1227, table 2); in a series of fewer
// than a hundred values, trust Critical. The result is NaN if there are too few values for
// the lags, or x does not vary.
func ADF(x []float64, lags int) StationarityTest {
	n := len(x) - 1 - lags // equations
	test := StationarityTest{Statistic: math.NaN(), P: math.NaN(), Critical: math.NaN(), Lags: lags}
	if lags < 0 || n < lags+4 || !varies(x) {
		return test
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
	var ok bool
	if test.Statistic, ok = firstT(regressors, changes); !ok {
		return test
	}
	inverse := 1 / float64(n)
	test.Critical = -2.86154 + inverse*(-2.8903+inverse*(-4.234-inverse*40.040))
	test.P = dickeyFullerP(test.Statistic)
	return test
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

// dickeyFullerP is the asymptotic distribution of the Dickey-Fuller t with a constant.
func dickeyFullerP(tau float64) float64 {
	switch {
	case tau < -18.83:
		return 0
	case tau > 2.74:
		return 1
	case tau <= -1.61:
		return distuv.UnitNormal.CDF(2.1659 + tau*(1.4412+tau*0.038269))
	}
	return distuv.UnitNormal.CDF(1.7339 + tau*(0.93202+tau*(-0.12745-tau*0.010368)))
}

// KPSS tests the null hypothesis that the series x is stationary around a constant, or
// around a straight line with trend, against one that wanders (Kwiatkowski, Phillips,
// Schmidt and Shin 1992, "Testing the Null Hypothesis of Stationarity against the
// Alternative of a Unit Root", Journal of Econometrics 54):
//
//	sum_t S[t]² / (n² s²(lags))
//
// with the partial sums S of the residuals and their long-run variance s², weighted after
// Bartlett. A P below the level says that the series is not stationary. P is interpolated
// in their table 1 and lies between 0.01 and 0.10, which mean "at most" and "at least". The
// result is NaN for lags below zero or not below n, and where there is no residual.
func KPSS(x []float64, trend bool, lags int) StationarityTest {
	// Critical values at 10, 5, 2.5 and 1 %.
	critical := [4]float64{0.347, 0.463, 0.574, 0.739}
	if trend {
		critical = [4]float64{0.119, 0.146, 0.176, 0.216}
	}
	n := len(x)
	test := StationarityTest{Statistic: math.NaN(), P: math.NaN(), Critical: critical[1], Lags: lags}
	if lags < 0 || lags >= n || n < 4 || !varies(x) {
		return test
	}
	residual := deviations(x, trend)
	var square, sums, partial float64
	for _, e := range residual {
		square += e * e
		partial += e
		sums += partial * partial
	}
	if scatter := StdDev(x); square <= 1e-20*float64(n)*scatter*scatter {
		return test // a straight line
	}
	variance := square
	for lag := 1; lag <= lags; lag++ {
		var product float64
		for t := lag; t < n; t++ {
			product += residual[t] * residual[t-lag]
		}
		variance += 2 * (1 - float64(lag)/float64(lags+1)) * product
	}
	test.Statistic = sums / (float64(n) * variance)
	test.P = kpssP(test.Statistic, critical)
	return test
}

func kpssP(statistic float64, critical [4]float64) float64 {
	level := [4]float64{0.10, 0.05, 0.025, 0.01}
	if statistic <= critical[0] {
		return level[0]
	}
	for i := 1; i < len(critical); i++ {
		if statistic <= critical[i] {
			part := (statistic - critical[i-1]) / (critical[i] - critical[i-1])
			return level[i-1] + part*(level[i]-level[i-1])
		}
	}
	return level[3]
}

// deviations are the residuals of a series around its mean, or around a straight line.
func deviations(x []float64, trend bool) []float64 {
	out, m, slope := make([]float64, len(x)), Mean(x), 0.0
	middle := float64(len(x)-1) / 2
	if trend {
		time := make([]float64, len(x))
		for t := range time {
			time[t] = float64(t)
		}
		slope = Slope(time, x)
	}
	for t, v := range x {
		out[t] = v - m - slope*(float64(t)-middle)
	}
	return out
}

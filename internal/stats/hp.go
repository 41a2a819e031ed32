package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// HPFilter splits the series y into a smooth trend and the cycle around it, so
// that trend[t] + cycle[t] = y[t]. Both have the length and the unit of y; for
// a series of logarithms the cycle is a relative deviation (0.01 is 1 %).
//
// The trend minimises
//
//	sum_t (y[t] - trend[t])^2 + lambda * sum_t (trend[t+1] - 2 trend[t] + trend[t-1])^2
//
// (Hodrick and Prescott, 1997, "Postwar U.S. Business Cycles", Journal of
// Money, Credit and Banking 29(1), equation 2). Its first-order condition is
// the banded system (I + lambda K'K) trend = y with the second differences K,
// solved here by Cholesky factors in time and memory proportional to len(y).
//
// lambda >= 0 is the price of a bend in the trend: 1600 is usual for quarters;
// Ravn and Uhlig (2002) derive 6.25 for years and 129600 for months. A lambda
// of 0 returns y itself as the trend.
//
// A series of fewer than three values has no bend to price: all of the trend
// and the cycle are NaN, as they are when lambda is outside 0 to 1e10 (beyond,
// rounding spoils the trend) or when a value of y is not finite.
func HPFilter(y []float64, lambda float64) (trend, cycle []float64) {
	if len(y) < 3 || !(0 <= lambda && lambda <= maxLambda) || !finite(y...) {
		undefined := slices.Repeat([]float64{math.NaN()}, len(y))
		return undefined, slices.Clone(undefined)
	}
	trend = solveHP(y, lambda)
	return trend, floats.SubTo(make([]float64, len(y)), y, trend)
}

// maxLambda is where rounding reaches about a millionth of the trend.
const maxLambda = 1e10

// solveHP returns the solution of (I + lambda K'K) trend = y. The matrix has
// eigenvalues between 1 and 1 + 16 lambda, so that for a lambda up to
// maxLambda its Cholesky factors always exist.
func solveHP(y []float64, lambda float64) []float64 {
	n, stride := len(y), 3
	band := make([]float64, n*stride) // row i holds columns i, i+1, i+2
	for i := range n {
		band[i*stride] = 1
	}
	bend := [3]float64{1, -2, 1} // one row of K
	for t := range n - 2 {
		for i := range bend {
			for j := i; j < len(bend); j++ {
				band[(t+i)*stride+j-i] += lambda * bend[i] * bend[j]
			}
		}
	}
	// Not mat.BandCholesky: it also estimates the condition number, and gonum
	// 0.17.0 takes quadratic time for that (4 s for 40,000 values).
	factors, _ := lapack64.Pbtrf(blas64.SymmetricBand{Uplo: blas.Upper, N: n, K: stride - 1, Data: band, Stride: stride})
	trend := slices.Clone(y)
	lapack64.Pbtrs(factors, blas64.General{Rows: n, Cols: 1, Data: trend, Stride: 1})
	return trend
}

// Package emulator stands in for simulations that take long: a Gaussian process that was fitted to what a simulation gave at
// some points says what it would give at others, and how sure that is (Sacks, Welch, Mitchell and Wynn 1989, "Design and
// Analysis of Computer Experiments", Statistical Science 4(4)). Simulations have chance: each point has the variance of
// its mean over replications (stochastic kriging: Ankenman, Nelson and Staum 2010, Operations Research 58(2)), and a nugget,
// the same everywhere, takes what the kernel cannot follow. [GP.Check] says by leave-one-out whether the emulator holds.
package emulator

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Kernel is how the covariance of two points falls with their distance, each dimension measured by a length of its own.
type Kernel int

const (
	Matern52           Kernel = iota // twice differentiable; the zero value
	SquaredExponential               // smooth
)

// at is the covariance of two points with squared distance r2, for a variance of 1, and g by which its derivative for the log of
// length k is g times the part of dimension k in r2.
func (k Kernel) at(r2 float64) (c, g float64) {
	if k == SquaredExponential {
		c = math.Exp(-r2 / 2)
		return c, c
	}
	r := math.Sqrt(5 * r2)
	e := math.Exp(-r)
	return (1 + r + r*r/3) * e, 5. / 3 * (1 + r) * e
}

// Trend is the mean of the process, whose coefficients have a flat prior: universal kriging.
type Trend int

const (
	Linear   Trend = iota // a constant and a slope for each dimension; the zero value
	Constant              // a constant
	None                  // 0
)

// row is that of the trend at a point.
func (t Trend) row(x []float64) []float64 {
	switch t {
	case None:
		return nil
	case Constant:
		return []float64{1}
	}
	return append([]float64{1}, x...)
}

// Data are the points of a simulation.
type Data struct {
	X     [][]float64 // of the unit cube
	Y     []float64   // what came out: means of replications
	Noise []float64   // variances of these means; nil = none
}

// Parameters are those of the kernel, in units of the points and of the outputs.
type Parameters struct {
	Lengths  []float64 // by dimension
	Variance float64   // of the process
	Nugget   float64   // variance that is the same at all points and independent between them
}

// GP is a Gaussian process given data.
type GP struct {
	Parameters
	Kernel Kernel
	Trend  Trend
	// LogLikelihood is the restricted log marginal likelihood of the data (Rasmussen and Williams 2006, equation 2.45, up to
	// the constant of the coefficients' prior; without a trend their equation 2.30).
	LogLikelihood float64
	Inflation     float64 // of the variance of predictions, at least 1: see [GP.Inflate]

	data  Data
	coef  []float64  // of the trend
	alpha []float64  // K⁻¹ (y - H β)
	half  *mat.Dense // inverse of the lower Cholesky factor of K
	halfH *mat.Dense // half · H
	outer *mat.Dense // (Hᵀ K⁻¹ H)⁻¹
	q     *mat.Dense // K⁻¹ - K⁻¹ H (Hᵀ K⁻¹ H)⁻¹ Hᵀ K⁻¹
	qy    []float64
}

var errNotPositive = errors.New("emulator: the covariance of the points is not positive definite")

// leastNoise keeps the covariance positive definite, as a share of the variance of the process.
const leastNoise = 1e-10

// Given conditions a process with these parameters on data. It is an error where the data do not fit together, are fewer than the
// coefficients of the trend, or are two points in the same place without noise.
func Given(data Data, kernel Kernel, trend Trend, p Parameters) (*GP, error) {
	n := len(data.X)
	if n == 0 || len(data.Y) != n || data.Noise != nil && len(data.Noise) != n || len(p.Lengths) != len(data.X[0]) {
		return nil, fmt.Errorf("emulator: %d points, %d outputs, %d variances and %d lengths do not fit together",
			n, len(data.Y), len(data.Noise), len(p.Lengths))
	}
	columns := len(trend.row(data.X[0]))
	if n <= columns {
		return nil, fmt.Errorf("emulator: %d points are too few for a trend of %d coefficients", n, columns)
	}
	g := &GP{Parameters: p, Kernel: kernel, Trend: trend, Inflation: 1, data: data}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			c, _ := kernel.at(g.squared(data.X[i], data.X[j]))
			k.SetSym(i, j, p.Variance*c)
		}
		v := p.Variance*(1+leastNoise) + p.Nugget
		if data.Noise != nil {
			v += data.Noise[i]
		}
		k.SetSym(i, i, v)
	}
	return g, g.condition(k, columns)
}

func (g *GP) squared(a, b []float64) (r2 float64) {
	for k, l := range g.Lengths {
		d := (a[k] - b[k]) / l
		r2 += d * d
	}
	return r2
}

// condition does what predictions, leave-one-out and the likelihood need.
func (g *GP) condition(k *mat.SymDense, columns int) error {
	n := len(g.data.X)
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		return errNotPositive
	}
	var lower mat.TriDense
	chol.LTo(&lower)
	var inverse mat.TriDense
	if inverse.InverseTri(&lower) != nil {
		return errNotPositive
	}
	g.half = mat.DenseCopyOf(&inverse)
	var precision mat.SymDense
	if chol.InverseTo(&precision) != nil {
		return errNotPositive
	}
	g.q = mat.DenseCopyOf(&precision)
	y := mat.NewVecDense(n, g.data.Y)
	residual := mat.VecDenseCopyOf(y)
	logDet := chol.LogDet()
	if columns > 0 {
		h := mat.NewDense(n, columns, nil)
		for i, x := range g.data.X {
			h.SetRow(i, g.Trend.row(x))
		}
		g.halfH = new(mat.Dense)
		g.halfH.Mul(g.half, h)
		gram := mat.NewSymDense(columns, nil)
		gram.SymOuterK(1, g.halfH.T())
		var c mat.Cholesky
		if !c.Factorize(gram) {
			return errNotPositive
		}
		logDet += c.LogDet()
		var outer mat.SymDense
		if c.InverseTo(&outer) != nil {
			return errNotPositive
		}
		g.outer = mat.DenseCopyOf(&outer)
		var kh, beta, right mat.Dense
		kh.Mul(&precision, h)
		right.Mul(kh.T(), y)
		beta.Mul(g.outer, &right)
		g.coef = mat.Col(nil, 0, &beta)
		var product, back mat.Dense
		back.Mul(g.outer, kh.T())
		product.Mul(&kh, &back)
		g.q.Sub(g.q, &product)
		var fitted mat.VecDense
		fitted.MulVec(h, mat.NewVecDense(columns, g.coef))
		residual.SubVec(residual, &fitted)
	}
	var alpha, qy mat.VecDense
	alpha.MulVec(&precision, residual)
	g.alpha = mat.Col(nil, 0, &alpha)
	qy.MulVec(g.q, y)
	g.qy = mat.Col(nil, 0, &qy)
	g.LogLikelihood = -.5 * (logDet + mat.Dot(y, &qy) + float64(n-columns)*math.Log(2*math.Pi))
	return nil
}

// At is the mean of the process at a point, and its variance: of what the simulation's mean over endless replications would be there,
// with the nugget. It may be called by many goroutines.
func (g *GP) At(x []float64) (mean, variance float64) {
	n := len(g.data.X)
	k := make([]float64, n)
	for i, at := range g.data.X {
		c, _ := g.Kernel.at(g.squared(x, at))
		k[i] = g.Variance * c
		mean += k[i] * g.alpha[i]
	}
	variance = g.Variance + g.Nugget
	h := g.Trend.row(x)
	for c, v := range h {
		mean += v * g.coef[c]
	}
	raw := g.half.RawMatrix()
	for i := range n {
		sum, row := 0., raw.Data[i*raw.Stride:i*raw.Stride+i+1]
		for j, a := range row {
			sum += a * k[j]
		}
		variance -= sum * sum
		for c := range h {
			h[c] -= sum * g.halfH.At(i, c)
		}
	}
	for a := range h {
		for b := range h {
			variance += h[a] * g.outer.At(a, b) * h[b]
		}
	}
	return mean, max(variance, 0) * g.Inflation
}

package sensitivity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Indices are shares of the variance of an output. Estimates scatter around them and may lie below 0 or above 1.
type Indices struct {
	First  []Index // of a factor alone: what fixing it would take off the variance on average
	Total  []Index // with all its interactions: what of the variance remains where all others are fixed
	Second []Pair  // of the interaction of two factors, without their first-order indices; nil where not asked for

	DummyFirst, DummyTotal Estimate // of a factor that changes nothing
}

// Pair is the index of the interaction of the factors I < J.
type Pair struct {
	I, J int
	Index
}

// Sobol estimates the indices of Sobol' of d independent factors from outputs in the row order of Saltelli's design. Each of its n
// base points is two independent points A and B and has the d+2 rows
//
//	f(A), f(AB_1) … f(AB_d), f(B)
//
// where AB_i is A with factor i from B; with second, it has the d rows f(BA_1) … f(BA_d) before f(B) too, where BA_i is B with
// factor i from A. With all sums over base points and V the variance of f(A) and f(B) together, the estimators are
//
//	S_i  = 1/n sum f(B) (f(AB_i) - f(A)) / V               Saltelli et al. 2010, table 2 (b)
//	T_i  = 1/2n sum (f(A) - f(AB_i))² / V                  Jansen 1999, table 2 (f) of the same
//	S_ij = 1/n sum (f(BA_i) f(AB_j) - f(A) f(B)) / V - S_i - S_j       Saltelli 2002, theorem 2
//
// (Saltelli et al. 2010, "Variance based sensitivity analysis of model output. Design and estimator for the total sensitivity
// index", Computer Physics Communications 181(2); Jansen 1999, "Analysis of variance designs for model output", same journal
// 117; Saltelli 2002, "Making best use of model evaluations to compute sensitivity indices", same journal 145(2)). Outputs are
// standardised first, so that a large mean costs no precision. The intervals are percentiles of bootstrap samples of whole base
// points; with quasi-random points they are too wide.
//
// The dummy shows how large an index is that should be 0 (Khorashadi Zadeh et al. 2017, "Comparison of variance-based and
// moment-independent global sensitivity analysis approaches by application to the SWAT model", Environmental Modelling & Software
// 91). Its first-order index is that of their equation 12,
//
//	S = (1/n sum f(A) f(B) - f0²) / V
//
// with the product of the means of f(A) and f(B) for f0², the correlation of what is independent; the estimator above would be
// exactly 0. A dummy's T_i is exactly 0 too where the output is deterministic, and Noise / V where each run has noise of its own:
// that is DummyTotal. (Their equation 13, for another estimator of T_i, compares the variances of A and B. It scatters by about
// 1/√n, and Jansen's estimates of small indices much less, so that it would hide most of them.)
//
// An index is above the dummy where its whole interval lies above the size of the dummy's: above |DummyFirst| for First and
// Second, above DummyTotal for Total.
//
// It is an error where n < 2, d < 1, the number of outputs is not that of the design, or outputs are not finite or do not vary.
func Sobol(outputs []float64, n, d int, second bool, o Options) (Indices, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Indices{}, err
	}
	design := saltelli{n, d, second}
	if err := design.check(outputs); err != nil {
		return Indices{}, err
	}
	mean, sd := stat.PopMeanStdDev(outputs, nil)
	terms := make([][]float64, n)
	for j := range terms {
		terms[j] = design.terms(standardised(design.base(outputs, j), mean, sd))
	}
	estimates := o.estimates(n, func(weights []float64) []float64 {
		return design.indices(sum(terms, weights), o.Noise/(sd*sd))
	})
	if len(estimates) == 0 {
		return Indices{}, fmt.Errorf("all outputs of the points A and B are %g; the indices are shares of their variance", outputs[0])
	}
	return design.result(estimates), nil
}

// saltelli is the shape of a design.
type saltelli struct {
	n, d   int
	second bool
}

// rows are those of a base point.
func (s saltelli) rows() int {
	if s.second {
		return 2*s.d + 2
	}
	return s.d + 2
}

func (s saltelli) check(outputs []float64) error {
	rule := "n (d+2)"
	if s.second {
		rule = "n (2d+2)"
	}
	switch {
	case s.n < 2 || s.d < 1:
		return fmt.Errorf("n = %d base points of d = %d factors; expected at least 2 of 1", s.n, s.d)
	case len(outputs) != s.n*s.rows():
		return fmt.Errorf("%d outputs for n = %d base points of d = %d factors; expected %s = %d", len(outputs), s.n, s.d, rule, s.n*s.rows())
	}
	return checkOutputs(outputs)
}

// base are the outputs of base point j.
func (s saltelli) base(outputs []float64, j int) []float64 {
	return outputs[j*s.rows() : (j+1)*s.rows()]
}

func standardised(x []float64, mean, sd float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = (v - mean) / sd
	}
	return z
}

// The terms of a base point whose sums make the indices: four that are no index, then first-order, total and second-order ones.
const (
	sumA = iota
	sumB
	sumSquares
	sumProduct
	sumIndices
)

func (s saltelli) terms(base []float64) []float64 {
	a, b, ab, ba := base[0], base[len(base)-1], base[1:s.d+1], base[s.d+1:]
	terms := []float64{sumA: a, sumB: b, sumSquares: a*a + b*b, sumProduct: a * b}
	for _, x := range ab {
		terms = append(terms, b*(x-a))
	}
	for _, x := range ab {
		terms = append(terms, (a-x)*(a-x)/2)
	}
	if s.second {
		for i := range s.d {
			for j := i + 1; j < s.d; j++ {
				terms = append(terms, ba[i]*ab[j]-a*b-terms[sumIndices+i]-terms[sumIndices+j])
			}
		}
	}
	return terms
}

// indices are those of the dummy, first-order and total, and those of the design in the order of its terms; nil where the
// outputs at the points A and B do not vary.
func (s saltelli) indices(sums []float64, noise float64) []float64 {
	n := float64(s.n)
	a, b := sums[sumA]/n, sums[sumB]/n
	variance := sums[sumSquares]/(2*n) - (a+b)*(a+b)/4
	if variance <= 1e-13*sums[sumSquares]/n {
		return nil
	}
	indices := []float64{(sums[sumProduct]/n - a*b) / variance, noise / variance}
	for _, x := range sums[sumIndices:] {
		indices = append(indices, x/n/variance)
	}
	return indices
}

func (s saltelli) result(e []Estimate) Indices {
	r := Indices{DummyFirst: e[0], DummyTotal: e[1]}
	first, total := math.Abs(r.DummyFirst.Value), r.DummyTotal.Value
	e = e[2:]
	for i := range s.d {
		r.First = append(r.First, Index{e[i], e[i].Low > first})
		r.Total = append(r.Total, Index{e[s.d+i], e[s.d+i].Low > total})
	}
	if e = e[2*s.d:]; s.second {
		r.Second = []Pair{}
		for i := range s.d {
			for j := i + 1; j < s.d; j++ {
				r.Second = append(r.Second, Pair{i, j, Index{e[0], e[0].Low > first}})
				e = e[1:]
			}
		}
	}
	return r
}

func sum(rows [][]float64, weights []float64) []float64 {
	total := make([]float64, len(rows[0]))
	for j, row := range rows {
		if weights[j] != 0 {
			floats.AddScaled(total, weights[j], row)
		}
	}
	return total
}

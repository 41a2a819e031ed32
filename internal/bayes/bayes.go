// Package bayes says what data tell of the parameters of a simulation that takes long: which parameters cannot have produced them
// (history matching, [Problem.Survey]), and how plausible the others are (a synthetic likelihood by emulators, [Problem.LogLikelihood],
// and draws from the posterior, [Sample]). Parameters are places in the unit cube, whose uniform distribution is the prior.
package bayes

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Emulator says what an output is at a point, on average over chance, and with which variance it knows that.
type Emulator interface {
	At(x []float64) (mean, variance float64)
}

// Side is from where a target counts: one that is a bound does not object to what lies beyond it.
type Side int

const (
	Both  Side = iota
	Below      // outputs above the target agree with it
	Above      // outputs below the target agree with it
)

// Variance says how much an output varies over replications at a point.
type Variance interface {
	At(x []float64) float64
}

// Target is a number of the data.
type Target struct {
	Name        string
	Value       float64
	Discrepancy float64 // standard deviation by which the best parameters may still be off, at least 0
	Side        Side
}

// Problem holds emulated outputs against data.
type Problem struct {
	Targets   []Target
	Emulators []Emulator // of their outputs
	// Observation is the covariance of the data's numbers around what a simulation of endless length would give: of their sampling.
	Observation *mat.SymDense
	// Chance are, of outputs of which the data are one draw of the simulation's own chance, the variances of that; nil = the
	// uncertainty of the data is in Observation. Their correlations are those of Noise.
	Chance []Variance
	// Noise is the correlation of the outputs over replications. Emulators of outputs of the same runs err together by about as much;
	// nil = they do not.
	Noise *mat.SymDense
	// Freedom is the degrees of freedom that Noise was estimated with, where the data vary by it; 0 = it is known. The likelihood is
	// then Student's: with a covariance that was estimated, a normal one is too sure (Sellentin and Heavens 2016, "Parameter
	// inference with estimated covariance matrices", Monthly Notices of the Royal Astronomical Society 456(1), equation 12).
	Freedom float64
}

// Check refuses parts that do not fit together.
func (p *Problem) Check() error {
	n := len(p.Targets)
	if n == 0 || len(p.Emulators) != n || p.Observation.SymmetricDim() != n || p.Noise != nil && p.Noise.SymmetricDim() != n {
		return fmt.Errorf("bayes: %d targets, %d emulators and a covariance of %d do not fit together", n, len(p.Emulators),
			p.Observation.SymmetricDim())
	}
	if p.Chance != nil && (len(p.Chance) != n || p.Noise == nil) {
		return fmt.Errorf("bayes: %d targets have %d variances by chance and need their correlations", n, len(p.Chance))
	}
	return nil
}

// chance is the variance of an output over replications, where that is what the data vary by.
func (p *Problem) chance(i int, x []float64) float64 {
	if p.Chance == nil || p.Chance[i] == nil {
		return 0
	}
	return p.Chance[i].At(x)
}

// off is by how much an output misses its target.
func (t *Target) off(output float64) float64 {
	switch d := output - t.Value; t.Side {
	case Below:
		return min(d, 0)
	case Above:
		return max(d, 0)
	default:
		return d
	}
}

// Implausibility is how far each emulated output lies from its target, in standard deviations of all that is not known: of the
// emulator, the data, and the discrepancy (Craig, Goldstein, Seheult and Smith 1997; Vernon, Goldstein and Bower 2010, "Galaxy
// Formation: a Bayesian Uncertainty Analysis", Bayesian Analysis 5(4), equation 15).
func (p *Problem) Implausibility(x []float64) []float64 {
	out := make([]float64, len(p.Targets))
	for i := range p.Targets {
		t := &p.Targets[i]
		mean, variance := p.Emulators[i].At(x)
		out[i] = math.Abs(t.off(mean)) / math.Sqrt(variance+p.chance(i, x)+p.Observation.At(i, i)+t.Discrepancy*t.Discrepancy)
	}
	return out
}

// LogLikelihood is the log density of the data's numbers given the parameters, up to a constant: normal around the emulated means
// (synthetic likelihood: Wood 2010, "Statistical inference for noisy nonlinear ecological dynamic systems", Nature 466), with the
// covariance of the data, of the emulators and of the discrepancy.
func (p *Problem) LogLikelihood(x []float64) float64 {
	n := len(p.Targets)
	c, off, sd, drawn := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		t := &p.Targets[i]
		mean, variance := p.Emulators[i].At(x)
		off.SetVec(i, t.off(mean))
		chance := p.chance(i, x)
		sd[i], drawn[i] = math.Sqrt(variance), math.Sqrt(chance)
		for j := range i {
			both := p.Observation.At(i, j)
			if p.Noise != nil {
				both += (sd[i]*sd[j] + drawn[i]*drawn[j]) * p.Noise.At(i, j)
			}
			c.SetSym(i, j, both)
		}
		c.SetSym(i, i, p.Observation.At(i, i)+variance+chance+t.Discrepancy*t.Discrepancy)
	}
	var chol mat.Cholesky
	var solved mat.VecDense
	if !chol.Factorize(c) || chol.SolveVecTo(&solved, off) != nil {
		return math.Inf(-1)
	}
	squares := mat.Dot(off, &solved)
	if n := p.Freedom + 1; p.Freedom > 0 {
		squares = n * math.Log1p(squares/(n-1))
	}
	return -.5 * (chol.LogDet() + squares)
}

// Shrunk is the covariance of columns of draws, whose correlations are shrunk towards 0 by as much as so few draws ask for (Schäfer and
// Strimmer 2005, "A Shrinkage Approach to Large-Scale Covariance Matrix Estimation", Statistical Applications in Genetics and
// Molecular Biology 4(1), target D), and how far: 0 is not at all. Draws are rows; what is not a number counts as the mean of
// its column.
func Shrunk(draws [][]float64) (covariance *mat.SymDense, shrinkage float64) {
	n, p := len(draws), len(draws[0])
	sd, z := make([]float64, p), make([][]float64, p)
	for k := range p {
		z[k] = make([]float64, n)
		mean, of := 0., 0.
		for i := range n {
			if x := draws[i][k]; !math.IsNaN(x) && !math.IsInf(x, 0) {
				mean, of = mean+x, of+1
			}
		}
		mean /= of
		for i := range n {
			if x := draws[i][k]; !math.IsNaN(x) && !math.IsInf(x, 0) {
				z[k][i] = x - mean
				sd[k] += z[k][i] * z[k][i] / (of - 1)
			}
		}
		if sd[k] = math.Sqrt(sd[k]); sd[k] > 0 {
			for i := range n {
				z[k][i] /= sd[k]
			}
		}
	}
	correlation := mat.NewSymDense(p, nil)
	errors, squares := 0., 0.
	for k := range p {
		for l := range k {
			mean, spread := 0., 0.
			for i := range n {
				mean += z[k][i] * z[l][i] / float64(n)
			}
			for i := range n {
				d := z[k][i]*z[l][i] - mean
				spread += d * d
			}
			r := mean * float64(n) / float64(n-1)
			correlation.SetSym(k, l, r)
			errors += float64(n) / math.Pow(float64(n-1), 3) * spread
			squares += r * r
		}
	}
	if squares > 0 {
		shrinkage = min(1, errors/squares)
	}
	covariance = mat.NewSymDense(p, nil)
	for k := range p {
		covariance.SetSym(k, k, sd[k]*sd[k])
		for l := range k {
			covariance.SetSym(k, l, (1-shrinkage)*correlation.At(k, l)*sd[k]*sd[l])
		}
	}
	return covariance, shrinkage
}

// each does work for 0 to n-1 on several goroutines.
func each(n, threads int, work func(i int)) {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var all sync.WaitGroup
	for t := range threads {
		all.Go(func() {
			for i := t; i < n; i += threads {
				work(i)
			}
		})
	}
	all.Wait()
}

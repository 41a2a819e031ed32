package emulator

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Check is what leaving out each point says of an emulator, with the parameters of the kernel as they are (Dubrule 1983,
// "Cross Validation of Kriging in a Unique Neighborhood", Mathematical Geology 15(6); Bastos and O'Hagan 2009).
type Check struct {
	Residuals []float64 // by point: what came out less what the others say, over the standard deviation of that
	RMS       float64   // of the residuals, about 1 where the emulator holds
	Largest   float64   // of their sizes
	Coverage  float64   // share of points within the 95 % interval of what the others say of them
	// Explained is 1 less the mean squared error over the variance of the outputs: at most 1, and 0 or less where the points
	// tell nothing of each other.
	Explained float64
	Bad       bool // the intervals are too narrow, by more than chance
	// Widening is the factor of the variance, at least 1, with which residuals are about 1 and 95 % of the points lie within their
	// intervals: see [GP.Inflate].
	Widening float64
}

// Check leaves out each point in turn.
func (g *GP) Check() Check {
	n := len(g.data.Y)
	c := Check{Residuals: make([]float64, n)}
	inside, squares, errors := 0, 0., 0.
	_, sd := meanSD(g.data.Y)
	for i := range n {
		own := g.q.At(i, i)
		e := g.qy[i] / own
		r := g.qy[i] / math.Sqrt(own*g.Inflation)
		if own <= 0 { // no other point says anything of it
			e, r = 0, 0
		}
		c.Residuals[i] = r
		errors += e * e
		squares += r * r
		c.Largest = max(c.Largest, math.Abs(r))
		if math.Abs(r) <= within95 {
			inside++
		}
	}
	c.RMS, c.Coverage = math.Sqrt(squares/float64(n)), float64(inside)/float64(n)
	if c.Explained = 1 - errors/float64(n)/(sd*sd); sd == 0 {
		c.Explained = 1
	}
	sizes := make([]float64, n)
	for i, r := range c.Residuals {
		sizes[i] = math.Abs(r)
	}
	slices.Sort(sizes)
	outer := sizes[min(n-1, int(math.Ceil(.95*float64(n)))-1)] / within95
	c.Widening = max(1, c.RMS*c.RMS, outer*outer)
	c.Bad = tooFew(inside, n) || squares > quantile(n)
	return c
}

const within95 = 1.959964

// surely is the level at which an emulator is called bad.
const surely = .001

// quantile is the sum of n squared residuals that chance exceeds in one of a thousand cases.
func quantile(n int) float64 { return distuv.ChiSquared{K: float64(n)}.Quantile(1 - surely) }

// tooFew says that so few of n points inside of 95 % intervals are chance in less than one of a thousand cases.
func tooFew(inside, n int) bool {
	return distuv.Binomial{N: float64(n), P: .95}.CDF(float64(inside)) < surely
}

// Inflate widens the intervals of predictions by a factor of their variance, at least 1. The likelihood stays what it was.
func (g *GP) Inflate(factor float64) { g.Inflation = max(1, factor) }

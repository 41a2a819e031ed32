package inference

import (
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// scaleOf is what one unit of a comparable difference is worth: 1 for a share,
// so that one percentage point counts as one percent, and the control's level
// for anything else. Without a level, it is the treatment's.
func scaleOf(i sim.Indicator, control, treatment float64) float64 {
	switch {
	case tables.IsShare(i):
		return 1
	case control != 0:
		return math.Abs(control)
	case treatment != 0:
		return math.Abs(treatment)
	}
	return 1
}

// scaledEffect is an effect with what its place in the order depends on, in comparable units.
type scaledEffect struct {
	Effect
	size float64 // of the mean difference; NaN without pairs
	sd   float64 // of the pairs' differences; NaN for fewer than two pairs
	t    float64 // moderated, see moderate
}

// moderate gives every effect a moderated t statistic, larger for the more telling one, in the
// spirit of Smyth (2004, "Linear Models and Empirical Bayes Methods for Assessing Differential
// Expression in Microarray Experiments"): the variance of an indicator's paired differences is
// shrunk half-way to the median variance of all indicators,
//
//	t = size / sqrt((sd² + median sd²)/2 / n)
//
// because among some forty indicators on few seeds one has a tiny variance by accident, and a
// plain t would put it first. Smyth weighs both by their degrees of freedom; here they have
// equal weights. Indicators that nothing moved do not enter the median. Fewer than two pairs
// have no scatter: their t is NaN, which [descending] puts last.
func moderate(effects []scaledEffect) {
	var variances []float64
	for _, e := range effects {
		if v := e.sd * e.sd; v > 0 || v == 0 && e.size != 0 {
			variances = append(variances, v)
		}
	}
	slices.Sort(variances)
	typical := stats.Quantile(variances, .5)
	for k := range effects {
		e := &effects[k]
		e.t = e.size / math.Sqrt((e.sd*e.sd+typical)/2/float64(e.N))
		if e.size == 0 && e.N > 1 {
			e.t = 0
		}
	}
}

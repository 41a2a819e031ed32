package inference

import (
	"math"

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

// scaledEffect is what the order of effects depends on, in comparable units.
type scaledEffect struct {
	difference float64 // mean over the pairs; NaN without any
	sd         float64 // of the pairs' differences; NaN for fewer than two pairs
	n          int     // pairs
}

// mostTelling gives every effect a number, larger for the more telling one.
//
// With pairs it is a moderated t statistic, in the spirit of Smyth (2004,
// "Linear Models and Empirical Bayes Methods for Assessing Differential
// Expression in Microarray Experiments"): the variance of an indicator's paired
// differences is shrunk half-way to the median variance of all indicators,
//
//	t = |difference| / sqrt((sd² + median sd²)/2 / n)
//
// because among some forty indicators on few seeds one has a tiny variance by
// accident, and a plain t would put it first. Smyth weighs both by their degrees
// of freedom; here they have equal weights. Indicators that nothing moved do not
// enter the median.
//
// Without pairs there is no scatter: the number is |difference|, and such
// effects follow those with pairs when they are ordered by [descending].
func mostTelling(effects []scaledEffect) (paired, plain []float64) {
	var variances []float64
	for _, e := range effects {
		if v := e.sd * e.sd; !math.IsNaN(v) && (v > 0 || e.difference != 0) {
			variances = append(variances, v)
		}
	}
	typical := stats.Median(variances)
	paired, plain = make([]float64, len(effects)), make([]float64, len(effects))
	for i, e := range effects {
		plain[i] = math.Abs(e.difference)
		switch {
		case e.difference == 0 && e.n > 1:
			paired[i] = 0
		default:
			paired[i] = plain[i] / math.Sqrt((e.sd*e.sd+typical)/2/float64(e.n))
		}
	}
	return paired, plain
}

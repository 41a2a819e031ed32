package analysis

import (
	"math"

	"econ-mcp/sim"
)

// SmallestEffect is the default of the smallest effect of interest on an indicator, in its
// unit: half a percentage point of a share or a rate, 0.005 of a Gini coefficient, and 1 %
// of the control's mean of anything else. It is NaN where that mean is zero or not known.
func SmallestEffect(i sim.Indicator, control float64) float64 {
	switch {
	case IsShare(i), i == sim.IncomeGini, i == sim.WealthGini:
		return .005
	case control != 0:
		return .01 * math.Abs(control)
	}
	return math.NaN()
}

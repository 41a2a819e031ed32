package tables

import (
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Panel holds the monthly indicators of each replication of an arm, in the
// order of the seeds.
type Panel []*[sim.NumOutcomes][]float64

// WindowMean is the mean of the defined months of a window; NaN if there are
// none.
func WindowMean(series []float64, from, to int) float64 {
	return stats.DefinedMean(series[min(len(series), max(0, from-1)):min(to, len(series))])
}

// Curves are the means over the replications of an arm, month by month, with their
// Student intervals, which are NaN for fewer than two replications.
type Curves struct {
	N                  int // replications
	Mean, Lower, Upper [sim.NumOutcomes][]float64
}

// Curves computes them for the first months.
func (p Panel) Curves(months int, confidence float64) Curves {
	c := Curves{N: len(p)}
	values, of := make([]float64, len(p)), stats.MeanIntervals(confidence)
	for i := range sim.NumOutcomes {
		if i.IsBreakdown() && (len(p) == 0 || len(p[0][i]) < months) {
			continue // it was not asked for
		}
		c.Mean[i], c.Lower[i], c.Upper[i] = make([]float64, months), make([]float64, months), make([]float64, months)
		for m := range months {
			for r := range p {
				values[r] = p[r][i][m]
			}
			interval := of(stats.Defined(values))
			c.Mean[i][m], c.Lower[i][m], c.Upper[i][m] = interval.Mean, interval.Low, interval.High
		}
	}
	return c
}

// IsShare reports whether the indicator is a rate or a share: its differences
// are told in percentage points, and a percentage of it would mislead where it
// is near 0.
func IsShare(i sim.Indicator) bool { return strings.HasPrefix(i.Info().Unit, "share") }

// WindowMeans is what one indicator came to in each replication: its mean over the months
// from to to (from 1, both included) in which it is defined, NaN where there are none. The deficit of
// several months is that of these months over their GDP, and not the mean of deficits of twelve months that
// end in them: so it agrees with the balance of the public budget over the window.
func (p Panel) WindowMeans(i sim.Indicator, from, to int) []float64 {
	means := make([]float64, len(p))
	for r, series := range p {
		means[r] = WindowMean(series[i], from, to)
		if i == sim.DeficitToGDP && to > from {
			if flow := WindowMean(series[sim.Deficit], from, to) / WindowMean(series[sim.NominalGDP], from, to); !math.IsNaN(flow) {
				means[r] = flow
			}
		}
	}
	return means
}

// WindowNeeds are indicators with those of which [Panel.WindowMeans] needs the series for them.
func WindowNeeds(indicators ...sim.Indicator) []sim.Indicator {
	if slices.Contains(indicators, sim.DeficitToGDP) {
		return slices.Concat(indicators, []sim.Indicator{sim.Deficit, sim.NominalGDP})
	}
	return indicators
}

// MonthsPerYear is a year in months.
const MonthsPerYear = 12

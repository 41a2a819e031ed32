package tables

import (
	"slices"

	"econ-mcp/internal/stats"
)

// Spread is the distribution of a variable over the members of a group.
type Spread[N stats.Number | Estimate] struct {
	Mean   N              `json:"mean"`
	Median N              `json:"median"`
	P10    N              `json:"p10"`
	P90    N              `json:"p90"`
	Gini   N              `json:"gini"`
	Lorenz []stats.Number `json:"lorenz" doc:"share of the poorest 0 %, 10 % ... 100 %"` // mean over replications
}

func (s *Spread[N]) places() []*N { return []*N{&s.Mean, &s.Median, &s.P10, &s.P90, &s.Gini} }

// newSpread measures ascending values, which it may change. Debts enter the mean, and count as zero in all else, as in
// the record.
func newSpread(values []float64) Spread[stats.Number] {
	mean := stats.Mean(values)
	for i := range values {
		values[i] = max(values[i], 0)
	}
	lorenz := stats.Lorenz(values)
	return Spread[stats.Number]{
		Mean: stats.Number(mean), Median: stats.Number(stats.Quantile(values, .5)),
		P10: stats.Number(stats.Quantile(values, .1)), P90: stats.Number(stats.Quantile(values, .9)),
		Gini: stats.Number(stats.Gini(values)), Lorenz: stats.Numbers(lorenz[:]),
	}
}

// absentSpread is that of a group of which nothing is known.
func absentSpread() Spread[stats.Number] {
	return Spread[stats.Number]{
		stats.Absent,
		stats.Absent,
		stats.Absent,
		stats.Absent,
		stats.Absent,
		slices.Repeat([]stats.Number{stats.Absent}, stats.LorenzPoints),
	}
}

// meanLorenz is the mean curve of those that are there.
func meanLorenz(curves [][]stats.Number) []stats.Number {
	out := make([]float64, stats.LorenzPoints)
	for k := range out {
		var at []float64
		for _, c := range curves {
			at = append(at, float64(c[k]))
		}
		out[k] = stats.DefinedMean(at)
	}
	return stats.Numbers(out)
}

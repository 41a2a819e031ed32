package quarterly

import (
	"math"
	"math/rand/v2"
	"slices"

	"econ-mcp/internal/stats"
)

// Draws of the bootstrap behind an interval.
const draws = 999

// Interval is the 95 % interval of a statistic by the stationary bootstrap: percentiles of its [Statistic.Draws].
// It is NaN where the statistic is.
func (s *Statistic) Interval(seed uint64) (low, high float64) { return Percentiles(s.Draws(seed)) }

// Percentiles are the 2.5th and the 97.5th of draws; what is not defined is left out.
func Percentiles(draws []float64) (low, high float64) {
	values := slices.Sorted(slices.Values(stats.Defined(draws)))
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	return stats.Quantile(values, .025), stats.Quantile(values, .975)
}

// Draws are values of a statistic by the stationary bootstrap (Politis and Romano 1994, Journal of the American
// Statistical Association 89(428)): rows of the columns are drawn in blocks of random length, with a mean of 16
// quarters (32 where recessions are dated, four years where rows are years). The same seed gives the same draws,
// and about the same rows for all statistics with one length of blocks, so that they vary together as their
// statistics do. Draws are NaN where the statistic is not defined in them; all, where it is not in the data.
func (s *Statistic) Draws(seed uint64) []float64 {
	n, values := len(s.columns[0]), undefined(draws)
	if math.IsNaN(s.Value()) {
		return values
	}
	random := rand.New(rand.NewPCG(seed, uint64(s.block)))
	drawn := make([][]float64, len(s.columns))
	for k := range drawn {
		drawn[k] = make([]float64, n)
	}
	for i := range values {
		for i, at := range blocks(random, n, s.block) {
			for k := range drawn {
				drawn[k][i] = s.columns[k][at]
			}
		}
		values[i] = s.of(drawn)
	}
	return values
}

// blocks are n rows in blocks of geometric length with a mean, which go round the end.
func blocks(random *rand.Rand, n, mean int) []int {
	rows := make([]int, n)
	for i := range rows {
		if i == 0 || random.Float64() < 1/float64(mean) {
			rows[i] = random.IntN(n)
		} else {
			rows[i] = (rows[i-1] + 1) % n
		}
	}
	return rows
}

package quarterly

import (
	"math"
	"math/rand/v2"
	"slices"

	"econ-mcp/internal/stats"
)

// Draws of the bootstrap behind an interval.
const draws = 999

// Interval is the 95 % interval of a statistic by the stationary bootstrap (Politis and Romano 1994, Journal of
// the American Statistical Association 89(428)), percentiles: rows of the columns are drawn in blocks of random
// length, with a mean of 16 quarters (32 where recessions are dated, four years where rows are years). The same
// seed gives the same interval. It is NaN where the statistic is.
func (s *Statistic) Interval(seed uint64) (low, high float64) {
	n := len(s.columns[0])
	if math.IsNaN(s.Value()) {
		return math.NaN(), math.NaN()
	}
	random := rand.New(rand.NewPCG(seed, uint64(s.block)))
	drawn := make([][]float64, len(s.columns))
	for k := range drawn {
		drawn[k] = make([]float64, n)
	}
	values := make([]float64, 0, draws)
	for range draws {
		for i, at := range blocks(random, n, s.block) {
			for k := range drawn {
				drawn[k][i] = s.columns[k][at]
			}
		}
		if x := s.of(drawn); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return stats.Quantile(values, .025), stats.Quantile(values, .975)
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

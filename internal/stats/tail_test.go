package stats_test

import (
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

func TestHillExponent(t *testing.T) {
	// Hill's estimator is the maximum likelihood estimate of a Pareto
	// distribution that begins at the threshold. scipy 1.10.1:
	//	s = np.sort(islands)[::-1]
	//	scipy.stats.pareto.fit(s[:k], floc=0, fscale=s[k])[0]
	for _, c := range []struct {
		name string
		x    []float64
		tail float64
		want float64
	}{
		{"k = 1", islands, 0.02, 2.5664810075363143},
		{"k = 2", islands, 0.05, 2.5122937068522195},
		{"k = 4.8, rounded to 5", islands, 0.10, 1.1028159259905974},
		{"k = 12", islands, 0.25, 0.4267974492863278},
		{"k = 24", islands, 0.50, 0.45865888899920876},
		{"k = n - 1", islands, 0.98, 0.49920950367958666},

		{"empty", nil, 0.05, nan},
		{"one value", []float64{1}, 0.5, nan},
		{"no value in the tail", islands, 0.01, nan},
		{"no value outside the tail", islands, 0.99, nan},
		{"share 0", islands, 0, nan},
		{"share 1", islands, 1, nan},
		{"share NaN", islands, nan, nan},
		{"threshold 0", []float64{0, 0, 1, 2}, 0.5, nan},
		{"threshold negative", []float64{-1, -1, 1, 2}, 0.5, nan},
		{"equal values", equal, 0.5, nan},
		{"NaN value", []float64{nan, 1, 2, 3}, 0.5, nan},
		{"infinite value", []float64{1, 2, 3, inf}, 0.5, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.x)
			checkNear(t, "HillExponent", stats.HillExponent(c.x, c.tail), c.want)
			for i := range before {
				checkNear(t, "argument", c.x[i], before[i])
			}
		})
	}
}

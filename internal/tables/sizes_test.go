package tables_test

import (
	"math"
	"slices"
	"testing"

	"econ-mcp/internal/tables"
)

// series builds a monthly series from a function of the month, from 0.
func series(months int, f func(m int) float64) []float64 {
	s := make([]float64, months)
	for m := range s {
		s[m] = f(m)
	}
	return s
}

func TestSizeTail(t *testing.T) {
	// Quantiles of a Pareto distribution with exponent 1.2 from 5 employees on.
	const n, exponent = 20_000, 1.2
	firms := series(n, func(i int) float64 { return 5 * math.Pow((float64(i)+.5)/n, -1/exponent) })
	checkNear(t, "tail", tables.SizeTail(firms), exponent, .01)
	idle := append(slices.Repeat([]float64{0}, n), firms...)
	if got, want := tables.SizeTail(idle), tables.SizeTail(firms); got != want {
		t.Errorf("tail %g with firms without employees, %g without them", got, want)
	}
	// Two firms of forty are in the tail, above a threshold of 1: Hill's estimate
	// is 2 / (ln 4 + ln 2), twice the corrected one.
	few := append(slices.Repeat([]float64{1}, 38), 2, 4)
	checkNear(t, "corrected tail", tables.SizeTail(few), 1/math.Log(8), 1e-12)
}

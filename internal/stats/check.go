package stats

import (
	"math"
	"slices"
)

// varies reports whether x has at least two values, all finite and not all
// equal. Equality is tested exactly: a mean rounds, so the computed variance
// of equal values need not be zero.
func varies(x []float64) bool {
	return len(x) >= 2 && finite(x...) && !constant(x)
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

func finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

func mustMatch[T any](x, y []T) {
	if len(x) != len(y) {
		panic("stats: paired arguments of different lengths")
	}
}

// rowDifferences are the [Differences] of paired rows, all of one length.
func rowDifferences(a, b [][]float64) [][]float64 {
	mustMatch(a, b)
	mustBeRectangular(a)
	d := make([][]float64, len(a))
	for r := range a {
		d[r] = Differences(a[r], b[r])
	}
	return d
}

func mustBeRectangular(rows [][]float64) {
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			panic("stats: rows of different lengths")
		}
	}
}

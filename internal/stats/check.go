package stats

import "math"

// varies reports whether x has at least two values, all finite and not all
// equal. Equality is tested exactly: a mean rounds, so the computed variance
// of equal values need not be zero.
func varies(x []float64) bool {
	return len(x) >= 2 && finite(x...) && !constant(x)
}

func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

func finite(x ...float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

func mustMatch(x, y []float64) {
	if len(x) != len(y) {
		panic("stats: paired arguments of different lengths")
	}
}

func mustMatchRows(a, b [][]float64) {
	if len(a) != len(b) {
		panic("stats: paired arguments of different lengths")
	}
	mustBeRectangular(a)
	mustBeRectangular(b)
}

func mustBeRectangular(rows [][]float64) {
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			panic("stats: rows of different lengths")
		}
	}
}

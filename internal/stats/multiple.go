package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts p-values for their number, so that the probability of one false finding
// or more among them stays below the level (Holm 1979, "A Simple Sequentially Rejective
// Multiple Test Procedure", Scandinavian Journal of Statistics 6). A NaN stays NaN and
// does not count.
func Holm(p []float64) []float64 {
	adjusted, order := slices.Clone(p), ascending(p)
	largest := 0.0
	for k, i := range order {
		largest = max(largest, min(1, float64(len(order)-k)*p[i]))
		adjusted[i] = largest
	}
	return adjusted
}

// BenjaminiHochberg adjusts p-values so that the findings below a level hold, on average,
// at most that share of false ones (Benjamini and Hochberg 1995, "Controlling the False
// Discovery Rate", Journal of the Royal Statistical Society B 57(1)). It supposes outcomes
// that are independent or depend positively on each other. A NaN stays NaN and does not
// count.
func BenjaminiHochberg(p []float64) []float64 {
	adjusted, order := slices.Clone(p), ascending(p)
	smallest := 1.0
	for k := len(order) - 1; k >= 0; k-- {
		smallest = min(smallest, float64(len(order))/float64(k+1)*p[order[k]])
		adjusted[order[k]] = smallest
	}
	return adjusted
}

// ascending returns the positions of the numbers in x, NaN left out, from the smallest to
// the largest.
func ascending(x []float64) []int {
	var order []int
	for i, v := range x {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}

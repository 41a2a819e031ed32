package stats

// Defined leaves out what is not there. It is the one rule for means over replications of
// which some have no number, such as a rate without anybody to count.
func Defined(x []float64) []float64 {
	there := make([]float64, 0, len(x))
	for _, v := range x {
		if finite(v) {
			there = append(there, v)
		}
	}
	return there
}

// DefinedPairs leaves out the pairs a[i] and b[i] of which one side is not there.
func DefinedPairs(a, b []float64) (x, y []float64) {
	for i := range min(len(a), len(b)) {
		if finite(a[i], b[i]) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return x, y
}

// DefinedMean is NaN when nothing is left.
func DefinedMean(x []float64) float64 {
	return Mean(Defined(x)) // to the bit what intervals have in their middle
}

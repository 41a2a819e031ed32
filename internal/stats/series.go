package stats

import "math"

// Quarterly returns the means of three consecutive months each, counted from
// the first value, in the unit of the months; for a flow, this is the monthly
// rate of the quarter and not its sum. One or two months left at the end are
// dropped, so fewer than three give an empty series.
func Quarterly(monthly []float64) []float64 {
	quarters := make([]float64, len(monthly)/3)
	for q := range quarters {
		quarters[q] = Mean(monthly[3*q : 3*q+3])
	}
	return quarters
}

// Logs returns the natural logarithm of each value. Differences of logarithms
// are relative changes (0.01 is about 1 %). A value that is not positive and
// finite gives NaN in its place, zero included.
func Logs(x []float64) []float64 {
	logs := make([]float64, len(x))
	for i, v := range x {
		if v > 0 && finite(v) {
			logs[i] = math.Log(v)
		} else {
			logs[i] = math.NaN()
		}
	}
	return logs
}

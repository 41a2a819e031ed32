package stats

import "math"

// MSER5 is how many values at the start of the series x to leave out as warm-up, so that
// the mean of the rest is known best. Among the starts d of the k means of five consecutive
// values each it takes the one with the smallest squared standard error
//
//	MSER(d) = sum_{i>d} (z[i] - mean(z[d+1..k]))² / (k - d)²
//
// (White 1997, "An Effective Truncation Heuristic for Bias Reduction in Simulation Output",
// Simulation 69(6); means of five as in White, Cobb and Spratt 2000, "A
// Comparison of Five Steady-State Truncation Heuristics for Simulation", Winter Simulation
// Conference). The number is a multiple of five; values left over at the end are not
// used. With several replications, give the mean of their series.
//
// Only starts in the first half can be trusted, because a few last values vary little by
// chance. It is ok if the smallest of all lies there; if not, the series did
// not settle, and warmup is the best start of the first half. It is not ok, and zero, for
// fewer than fifty values or where one is not finite.
func MSER5(x []float64) (warmup int, ok bool) {
	const batch, least = 5, 5 // fewer means than that are equal by chance
	k := len(x) / batch
	if k < 2*least || !finite(x...) {
		return 0, false
	}
	var n, mean, squares float64
	first, second := math.Inf(1), math.Inf(1) // the smallest MSER in each half
	for d := k - 1; d >= 0; d-- {             // Welford's update, from the end
		step := Mean(x[d*batch:(d+1)*batch]) - mean
		n++
		mean += step / n
		squares += step * step * (n - 1) / n
		switch mser := squares / (n * n); {
		case d > k/2 && n >= least:
			second = min(second, mser)
		case d <= k/2 && mser <= first:
			first, warmup = mser, d*batch
		}
	}
	return warmup, first <= second
}

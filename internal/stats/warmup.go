package stats

// MSER5 is how many values at the start of the series x to leave out as warm-up, so that
// the mean of the rest is known best. Among the starts d of the k means of five consecutive
// values each it takes the one with the smallest squared standard error
//
//	MSER(d) = sum_{i>d} (z[i] - mean(z[d+1..k]))² / (k - d)²
//
// (White 1997, "An Effective Truncation Heuristic for Bias Reduction in Simulation Output",
// Simulation 69(6), equation 7; means of five as in White, Cobb and Spratt 2000, "A
// Comparison of Five Steady-State Truncation Heuristics for Simulation", Winter Simulation
// Conference). The number is a multiple of five; values left over at the end are not
// used. With several replications, give the mean of their series.
//
// Only starts in the first half can be trusted, because a few last values vary little by
// chance. It is ok if the smallest of all lies there; if not, the series did
// not settle, and warmup is the best start of the first half. It is not ok, and zero, for
// fewer than ten values or where one is not finite.
func MSER5(x []float64) (warmup int, ok bool) {
	const batch, least = 5, 5 // the last means, too few to have a standard error, are not tried as a start
	k := len(x) / batch
	if k < 2 || !finite(x...) {
		return 0, false
	}
	var n, mean, squares float64
	best, bestFirst := -1, -1
	var smallest, smallestFirst float64
	for d := k - 1; d >= 0; d-- { // Welford's update, from the end
		z := Mean(x[d*batch : (d+1)*batch])
		n++
		step := z - mean
		mean += step / n
		squares += step * (z - mean)
		error2 := squares / (n * n)
		if n < least && d > k/2 {
			continue
		}
		if best < 0 || error2 <= smallest {
			best, smallest = d, error2
		}
		if d <= k/2 && (bestFirst < 0 || error2 <= smallestFirst) {
			bestFirst, smallestFirst = d, error2
		}
	}
	return bestFirst * batch, best <= k/2
}

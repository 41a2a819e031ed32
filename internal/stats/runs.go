package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// GrazziniStationarity tests whether a moment of the series x, such as its [Mean] or
// [StdDev], stays the same over time (Grazzini 2012, "Analysis of the Emergent Properties:
// Stationarity and Ergodicity", Journal of Artificial Societies and Social Simulation 15(2)
// 7). The series is divided into windows of equal length, whose moments lie above
// or below the moment of the whole series; if nothing changes, they do so in random order.
// Its statistic is the number of runs of moments on the same side: few if they drift, and
// many if they swing back and forth. N is the number of windows that do not lie on the line.
// The windows must be long enough that neighbours hardly depend on each other, and at least
// 20 or so to find anything.
//
// P is two-sided and exact, from the distribution of the number of runs (Wald and Wolfowitz
// 1940, "On a Test Whether Two Samples are from the Same Population", The Annals of
// Mathematical Statistics 11(2)), where the paper takes its normal approximation. Values
// left over at the end of the series are not used. The result is NaN with fewer than two
// windows or values in one, and where all moments lie on one side.
func GrazziniStationarity(x []float64, windows int, moment func([]float64) float64) Test {
	moments, whole := windowMoments(x, windows, moment)
	if !finite(whole) || !finite(moments...) {
		return undefined(len(moments))
	}
	var above []bool
	for _, m := range moments {
		if m != whole {
			above = append(above, m > whole)
		}
	}
	return runsTest(above, func(low, high float64) float64 { return min(1, 2*min(low, high)) })
}

// GrazziniErgodicity tests whether one long run tells what many runs would (Grazzini 2012):
// whether the moments of the windows of the series x and those of the other
// series, one each, come from the same distribution. Its statistic is the number of runs,
// in order of size, of moments from the same source. Few runs mean that the sources differ,
// so that P is one-sided: the probability of as few. N is the number of moments of both
// sources. Each of the others has the length of a window, has settled, and has draws of its
// own; as many of them as windows find most. P is exact; it is NaN where a window and
// another series have the same moment, because their order is then not defined, and else as
// in [GrazziniStationarity].
func GrazziniErgodicity(x []float64, windows int, others [][]float64, moment func([]float64) float64) Test {
	moments, _ := windowMoments(x, windows, moment)
	type value struct {
		moment float64
		own    bool
	}
	var values []value
	for _, m := range moments {
		values = append(values, value{m, true})
	}
	for _, other := range others {
		m := moment(other)
		if slices.Contains(moments, m) {
			m = math.NaN()
		}
		values = append(values, value{m, false})
	}
	for _, v := range values {
		if !finite(v.moment) {
			return undefined(len(values))
		}
	}
	slices.SortFunc(values, func(a, b value) int { return cmp.Compare(a.moment, b.moment) })
	own := make([]bool, len(values))
	for i, v := range values {
		own[i] = v.own
	}
	return runsTest(own, func(low, _ float64) float64 { return low })
}

// windowMoments returns the moments of the windows and of all values in them.
func windowMoments(x []float64, windows int, moment func([]float64) float64) (moments []float64, whole float64) {
	if windows < 2 || len(x)/windows < 2 || !finite(x...) {
		return nil, math.NaN()
	}
	length := len(x) / windows
	for w := range windows {
		moments = append(moments, moment(x[w*length:(w+1)*length]))
	}
	return moments, moment(x[:windows*length])
}

// runsTest counts the runs of equal values and makes p of the probabilities of as few and
// of as many.
func runsTest(x []bool, p func(low, high float64) float64) Test {
	var m, runs int // m are true
	for i, v := range x {
		if v {
			m++
		}
		if i == 0 || v != x[i-1] {
			runs++
		}
	}
	n := len(x) - m
	if m == 0 || n == 0 {
		return undefined(len(x))
	}
	var low, high float64
	for r := 2; r <= 2*min(m, n)+1; r++ {
		probability := runsProbability(r, m, n)
		if r <= runs {
			low += probability
		}
		if r >= runs {
			high += probability
		}
	}
	return Test{Statistic: float64(runs), P: p(min(1, low), min(1, high)), N: len(x)}
}

// runsProbability is that of r runs among m values of one kind and n of the other in random
// order: the ways to cut each into its runs, over the ways to place them.
func runsProbability(r, m, n int) float64 {
	cuts := func(k int) float64 { // of both kinds, into k and r - k runs
		return logBinomial(m-1, k-1) + logBinomial(n-1, r-k-1) - logBinomial(m+n, m)
	}
	if r%2 == 0 {
		return 2 * math.Exp(cuts(r/2))
	}
	return math.Exp(cuts(r/2)) + math.Exp(cuts(r/2+1))
}

func logBinomial(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return combin.LogGeneralizedBinomial(float64(n), float64(k))
}

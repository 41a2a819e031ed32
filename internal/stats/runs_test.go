package stats_test

import (
	"math"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

// pairsAround returns two values around each mean, which is then the mean of its window.
func pairsAround(means ...float64) []float64 {
	var x []float64
	for _, m := range means {
		x = append(x, m-1, m+1)
	}
	return x
}

func TestGrazziniStationarity(t *testing.T) {
	// The distribution of runs among 6 and 6, and 3 and 7, of 924 and 120 orders.
	// R 4.2.2: s <- combn(m + n, m, function(i) { v <- rep(0, m + n); v[i] <- 1; 1 + sum(diff(v) != 0) })
	//	table(s) / length(s)
	for _, c := range []struct {
		name    string
		means   []float64
		runs, p float64
		n       int
	}{
		{"6 and 6 in 2 runs", []float64{1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1}, 2, 2 * 0.00216450216450216, 12},
		{
			"6 and 6 in 4 runs", []float64{1, 1, 1, -1, -1, 1, 1, 1, -1, -1, -1, -1}, 4,
			2 * (0.00216450216450216 + 0.01082251082251082 + 0.05411255411255411), 12,
		},
		{"6 and 6 in 7 runs", []float64{1, -1, 1, -1, -1, -1, 1, 1, 1, -1, -1, 1}, 7, 1, 12},
		{"6 and 6 in 12 runs", []float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, 12, 2 * 0.00216450216450216, 12},
		{"3 and 7 in 3 runs", []float64{-3, 7, 7, 7, -3, -3, -3, -3, -3, -3}, 3, 2 * (0.0166666666666667 + 0.0666666666666667), 10},
		{"on the line", []float64{2, 0, -2, 0}, 2, 1, 2},
		{"all on the line", []float64{1, 1, 1}, nan, nan, 0},
		{"one window", []float64{1}, nan, nan, 0},
		{"NaN value", []float64{nan, 1}, nan, nan, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkTest(t, stats.GrazziniStationarity(pairsAround(c.means...), len(c.means), stats.Mean), c.runs, c.p, c.n)
		})
	}
	// What is left over belongs to no window.
	x := append(pairsAround(1, 1, -1, -1), 100)
	checkTest(t, stats.GrazziniStationarity(x, 4, stats.Mean), 2, 2./3, 4)
	// The variance doubles in the middle, and the mean stays.
	loud := make([]float64, 400)
	for i := range loud {
		loud[i] = math.Sin(float64(i*i)) * (1 + float64(i/200))
	}
	if p := stats.GrazziniStationarity(loud, 20, stats.StdDev).P; p > .001 {
		t.Errorf("a changing variance has p = %v", p)
	}
	if p := stats.GrazziniStationarity(loud, 20, stats.Mean).P; p < .05 {
		t.Errorf("a mean that stays has p = %v", p)
	}
}

func TestGrazziniErgodicity(t *testing.T) {
	x := pairsAround(1, 2, 3, 4, 5, 6)
	series := func(means ...float64) (out [][]float64) {
		for _, m := range means {
			out = append(out, pairsAround(m))
		}
		return out
	}
	// The distribution of runs as above: p is that of as few runs, one-sided.
	got := stats.GrazziniErgodicity(x, 6, series(11, 12, 13, 14, 15, 16), stats.Mean)
	checkTest(t, got, 2, 0.00216450216450216, 12)
	got = stats.GrazziniErgodicity(x, 6, series(1.5, 2.5, 3.5, 4.5, 5.5, 6.5), stats.Mean)
	checkTest(t, got, 12, 1, 12)
	got = stats.GrazziniErgodicity(x, 6, series(11, 12, 3.5), stats.Mean) // 3 of one and 6 of the other, in 4 runs
	checkTest(t, got, 4, (2.+7+2*2*5)/84, 9)

	checkTest(t, stats.GrazziniErgodicity(x, 6, series(3), stats.Mean), nan, nan, 7) // a tie
	checkTest(t, stats.GrazziniErgodicity(x, 6, nil, stats.Mean), nan, nan, 6)
	checkTest(t, stats.GrazziniErgodicity(x, 1, series(3), stats.Mean), nan, nan, 1)
	if !slices.Equal(x, pairsAround(1, 2, 3, 4, 5, 6)) {
		t.Error("the test changed its argument")
	}
}

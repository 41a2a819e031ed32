package stats_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

func TestMeanBandCritical(t *testing.T) {
	reversed := make([]float64, len(drug1))
	for i, v := range drug1 {
		reversed[i] = 5 - 2*v
	}
	for _, c := range []struct {
		name     string
		paths    [][]float64
		critical float64
	}{
		// R 4.2.2: qt(.975, 9)
		{"one month", columns(drug1), 2.262157},
		{"months that move as one", columns(drug1, drug1, drug1), 2.262157},
		{"and against each other", columns(drug1, reversed), 2.262157},
		{"and a month that does not move", columns(drug1, make([]float64, 10)), 2.262157},
		// Of four replications, two uncorrelated months are a point on the unit disc, where
		// every area is as likely, and the band is a square in it without four segments.
		// R 4.2.2: r <- uniroot(function(r) 4 * (acos(r) - r * sqrt(1 - r^2)) / pi - .05, c(.71, 1), tol = 1e-12)$root
		//	sqrt(3) * r / sqrt(1 - r^2)
		{"two uncorrelated months", columns([]float64{1, 1, -1, -1}, []float64{1, -1, 1, -1}), 4.176535},
		// Of five, three are a point in the unit ball, and the band is a cube in it without six caps.
		// R 4.2.2: r <- uniroot(function(r) 6 * (1 - r)^2 * (2 + r) / 4 - .05, c(.71, 1), tol = 1e-12)$root
		//	2 * r / sqrt(1 - r^2)
		{"three uncorrelated months", columns([]float64{1, -1, 0, 0, 0}, []float64{0, 0, 2, -2, 0}, []float64{1, 1, -1, -1, 0}), 3.960786},
	} {
		t.Run(c.name, func(t *testing.T) {
			band := stats.MeanBand(context.Background(), c.paths, .95, draws(1))
			near(t, "critical", band.Critical, c.critical, .03*c.critical)
		})
	}
}

// A band of months that move as one is the interval of each; a month before the
// intervention has no width.
func TestBandIsInterval(t *testing.T) {
	before := make([]float64, 10)
	check := func(t *testing.T, band stats.Band, month int, want stats.Interval) {
		t.Helper()
		width := want.High - want.Low
		checkNear(t, fmt.Sprintf("mean of month %d", month), band.Mean[month], want.Mean)
		near(t, "low", band.Low[month], want.Low, .02*width)
		near(t, "high", band.High[month], want.High, .02*width)
		if band.N != want.N {
			t.Errorf("N = %d, want %d", band.N, want.N)
		}
	}
	none := stats.Interval{N: 10}

	mean := stats.MeanBand(context.Background(), columns(before, drug1, equalTimes(.1, 10)), .95, draws(1))
	check(t, mean, 0, none)
	check(t, mean, 1, stats.MeanInterval(drug1, .95))
	check(t, mean, 2, stats.Interval{Mean: .1, Low: .1, High: .1, N: 10})

	paired := stats.PairedBand(context.Background(), columns(before, drug1), columns(before, drug2), .95, draws(1))
	check(t, paired, 0, none)
	check(t, paired, 1, stats.MeanInterval(stats.Differences(drug1, drug2), .95))

	welch := stats.WelchBand(context.Background(), columns(before, drug1), columns(before[:6], drug2[:6]), .95, draws(1))
	check(t, welch, 0, stats.Interval{N: 16})
	check(t, welch, 1, stats.WelchTTest(drug1, drug2[:6], .95).Difference)
}

func TestBandWithoutNumbers(t *testing.T) {
	gap := append([]float64{nan}, drug1[1:]...)
	with, without := stats.MeanBand(
		context.Background(), columns(drug1, gap, drug2), .95, draws(1),
	), stats.MeanBand(context.Background(), columns(drug1, drug2), .95, draws(1))
	checkSeries(t, with.Low, []float64{without.Low[0], nan, without.Low[1]})
	checkSeries(t, with.High, []float64{without.High[0], nan, without.High[1]})

	one := stats.MeanBand(context.Background(), [][]float64{{1}, {2}}, .95, draws(1))
	checkSeries(t, one.Mean, []float64{1, 2})
	checkSeries(t, one.Low, []float64{nan, nan})
	arm := stats.WelchBand(context.Background(), columns(drug1), columns(nil), .95, draws(1))
	checkSeries(t, arm.Low, []float64{nan})
	checkSeries(t, arm.Mean, []float64{nan})
	percent := stats.MeanBand(context.Background(), columns(drug1), 95, draws(1))
	checkSeries(t, percent.Low, []float64{nan})
	checkSeries(t, stats.MeanBand(context.Background(), nil, .95, draws(1)).Mean, nil)

	a, b := stats.MeanBand(
		context.Background(), columns(drug1, drug2), .9, draws(7),
	), stats.MeanBand(context.Background(), columns(drug1, drug2), .9, draws(7))
	if !slices.Equal(a.Low, b.Low) {
		t.Error("another band with the same seed")
	}
}

func equalTimes(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }

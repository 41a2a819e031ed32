package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

// wander adds up the deviations of the Nile from its mean, so that it has a unit root.
func wander() []float64 {
	out, total, m := make([]float64, len(nile)), 0.0, stats.Mean(nile)
	for i, v := range nile {
		total += v - m
		out[i] = total
	}
	return out
}

func TestADF(t *testing.T) {
	// statsmodels 0.13.5: s, _, _, _, c, _ = adfuller(x, maxlag=lags, regression="c", autolag=None)
	//	s, c["5%"]
	// R 4.2.2, urca 1.3-3: ur.df(Nile, type = "drift", lags = lags)@teststat[1] agrees
	for _, c := range []struct {
		name                string
		x                   []float64
		lags                int
		statistic, critical float64
	}{
		{"Nile", nile, 0, -5.664609694969192, -2.891208211860468},
		{"Nile, 1 lag", nile, 1, -4.048705096914342, -2.891516256916761},
		{"Nile, 4 lags", nile, 4, -2.7819581223225223, -2.8924800524857854},
		{"wandering", wander(), 0, -0.40033080094110207, -2.891208211860468},
		{"wandering, 4 lags", wander(), 4, -0.5612836619296124, -2.8924800524857854},
		{"short", nile[:20], 4, -1.125306957170631, -3.0849081481481484},

		{"too many lags", nile[:20], 8, nan, nan},
		{"negative lags", nile, -1, nan, nan},
		{"constant", make([]float64, 50), 1, nan, nan},
		{"straight line", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, nan, nan},
		{"NaN value", append([]float64{nan}, nile...), 1, nan, nan},
		{"empty", nil, 0, nan, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			statistic, critical := stats.ADF(c.x, c.lags)
			checkNear(t, "statistic", statistic, c.statistic)
			checkNear(t, "critical", critical, c.critical)
		})
	}
	explosive := []float64{1, 2.1, 4, 8.3, 16, 33, 64, 130, 255, 510, 1030}
	if statistic, critical := stats.ADF(explosive, 0); !(statistic > critical) {
		t.Errorf("an explosion returns to a level: %v, critical value %v", statistic, critical)
	}
}

func TestKPSS(t *testing.T) {
	// R 4.2.2, tseries 0.10-53: kpss.test(x, "Level"), and with lshort = FALSE
	// for the 12 lags; urca 1.3-3: ur.kpss(x, "mu", use.lag = lags)@teststat for none
	for _, c := range []struct {
		name         string
		x            []float64
		lags         int
		statistic, p float64
	}{
		{"level", nile, stats.ShortLags(100), 0.96543490775266, .01},
		{"level, long", nile, stats.LongLags(100), 0.549719702439636, 0.0304685354865685},
		{"level, no lags", nile, 0, 2.52645645492088, .01},

		{"too many lags", nile, 100, nan, nan},
		{"negative lags", nile, -1, nan, nan},
		{"constant", make([]float64, 50), 1, nan, nan},
		{"NaN value", append([]float64{nan}, nile...), 1, nan, nan},
		{"empty", nil, 0, nan, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := stats.KPSS(c.x, c.lags)
			checkNear(t, "statistic", got.Statistic, c.statistic)
			checkNear(t, "p", got.P, c.p)
		})
	}
	// Around the years after 1898 the Nile is at rest: kpss.test(Nile[29:100]) has p = 0.1
	if got := stats.KPSS(nile[28:], 3); got.P != .1 {
		t.Errorf("a series at rest: %+v", got)
	}
}

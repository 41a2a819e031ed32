package trials_test

import (
	"math"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

func checkNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.10g, want %.10g ± %g", what, got, want, tolerance)
	}
}

// series builds a monthly series from a function of the month, from 0.
func series(months int, f func(m int) float64) []float64 {
	s := make([]float64, months)
	for m := range s {
		s[m] = f(m)
	}
	return s
}

func TestCycle(t *testing.T) {
	const (
		quarters  = 400
		period    = 32 // quarters, eight years
		amplitude = .02
	)
	wave := func(q int) float64 { return math.Sin(2 * math.Pi * float64(q) / period) }
	straight := series(quarters, func(q int) float64 { return math.Exp(.005 * float64(q)) })
	for q, v := range trials.Cycle(straight) {
		checkNear(t, "cycle of steady growth", v, 0, 1e-8)
		if t.Failed() {
			t.Fatalf("in quarter %d", q)
		}
	}
	wavy := series(quarters, func(q int) float64 { return straight[q] * math.Exp(amplitude*wave(q)) })
	// King and Rebelo (1993), "Low Frequency Filtering and Real Business
	// Cycles", eq. 12: away from the ends the filter leaves this share of a wave.
	bend := 4 * 1600 * math.Pow(1-math.Cos(2*math.Pi/period), 2)
	gain := bend / (1 + bend)
	cycle := trials.Cycle(wavy)
	for q := quarters / 4; q < 3*quarters/4; q++ {
		checkNear(t, "cycle of a wave", cycle[q], amplitude*gain*wave(q), 1e-6)
	}
}

// smooth is an economy of which every series follows from a cycle in Y, slow
// enough to be nearly linear within a quarter.
func smooth(months int) *trials.History {
	var h trials.History
	y := series(months, func(m int) float64 {
		return .012 * math.Sin(2*math.Pi*float64(m)/72)
	})
	growth := func(m int) float64 { return .02 * float64(m) / 12 }
	of := func(f func(m int, y float64) float64) []float64 {
		return series(months, func(m int) float64 { return f(m, y[m]) })
	}
	for i := range h.Series {
		h.Series[i] = series(months, func(int) float64 { return 1 })
	}
	h.Series[sim.RealGDP] = of(func(m int, y float64) float64 { return math.Exp(y + growth(m)) })
	h.Series[sim.RealConsumption] = of(func(m int, y float64) float64 { return math.Exp(.7*y + growth(m)) })
	h.Series[sim.RealInvestment] = of(func(m int, y float64) float64 { return math.Exp(4*y + growth(m)) })
	h.Series[sim.UnemploymentRate] = of(func(_ int, y float64) float64 { return .06 * math.Exp(-9*y) })
	h.Series[sim.VacancyRate] = of(func(_ int, y float64) float64 { return .03 - .1*math.Exp(-9*y)/100 })
	h.Series[sim.CPI] = of(func(m int, y float64) float64 { return 100 * math.Exp(-.5*y+1.5*growth(m)) })
	h.Series[sim.FirmExits] = series(months, func(m int) float64 { return float64(1 + m%2) })
	h.Series[sim.FirmCount] = series(months, func(int) float64 { return 200 })
	h.Series[sim.MarkUp] = series(months, func(m int) float64 { return .4 * (1 + .03*float64(m/(months/2))) })
	wage := 3000.0
	h.WageRate = series(months, func(m int) float64 {
		wage *= math.Exp(.002 - .05*(h.Series[sim.UnemploymentRate][m]-.06))
		return wage
	})
	h.InvestmentShare, h.TaxScale = []float64{.1, .2}, []float64{.9, 1, 1.1}
	h.SizeTail = []float64{1, 1.2}
	h.Growth[0].Add(-1, 1, -1, 1, -1, 1) // kurtosis 1
	h.Growth[1].Add(-2, 0, 0, 2)         // kurtosis 2
	return &h
}

func TestStats(t *testing.T) {
	h := smooth(600)
	s := h.Stats()
	checkNear(t, "sigma_C/sigma_Y", s.RelativeSigmaC, .7, 1e-3)
	checkNear(t, "sigma_I/sigma_Y", s.RelativeSigmaI, 4, 5e-3)
	checkNear(t, "sigma_log_u/sigma_Y", s.RelativeSigmaU, 9, 2e-2)
	checkNear(t, "corr(C, Y)", s.CorrelationC, 1, 1e-4)
	checkNear(t, "corr(I, Y)", s.CorrelationI, 1, 1e-4)
	checkNear(t, "corr(u, Y)", s.CorrelationU, -1, 1e-4)
	checkNear(t, "corr(P, Y)", s.CorrelationP, -1, 1e-4)
	checkNear(t, "corr(u, v)", s.Beveridge, -1, 1e-9)
	// A wave of 24 quarters, of which the filter leaves 88 % (King and Rebelo).
	checkNear(t, "AR(1) of Y", s.PersistenceY, math.Cos(2*math.Pi/24), .02)
	checkNear(t, "AR(1) of I", s.PersistenceI, s.PersistenceY, 1e-3)
	checkNear(t, "AR(1) of u", s.PersistenceU, s.PersistenceY, 1e-3)
	checkNear(t, "sigma_Y", s.SigmaY, .881*.012/math.Sqrt2, 3e-4)

	checkNear(t, "maximum unemployment", s.MaxUnemployment, .06*math.Exp(9*.012), 1e-4)
	checkNear(t, "exit", s.FirmExit, 12*1.5/200, 1e-12)
	checkNear(t, "Phillips", s.Phillips, -1, .1)
	checkNear(t, "mark-up drift", s.MarkUpDrift, .03, 1e-12)
	checkNear(t, "investment share", s.InvestmentShare, .15, 1e-12)
	checkNear(t, "tax scale", s.TaxScale, 1, 1e-12)
	checkNear(t, "size tail", s.SizeTail, 1.1, 1e-12)
	checkNear(t, "kurtosis", s.GrowthKurtosis, 1.4, 1e-12)
}

func TestStatsOfNothing(t *testing.T) {
	s := new(trials.History).Stats()
	if !math.IsNaN(s.SigmaY) || !math.IsNaN(s.MaxUnemployment) || !math.IsNaN(s.MarkUpDrift) || !math.IsNaN(s.OkunSlope) {
		t.Errorf("an empty history has statistics: %+v", s)
	}
}

func TestGrowthPerYear(t *testing.T) {
	steady := series(600, func(m int) float64 { return 80 * math.Pow(1.02, float64(m)/12) })
	checkNear(t, "growth", trials.GrowthPerYear(steady), .02, 1e-12)
	if g := trials.GrowthPerYear(steady[:23]); !math.IsNaN(g) {
		t.Errorf("growth %g from less than two years", g)
	}
}

func TestOkunSlope(t *testing.T) {
	// Annual output growth alternates; unemployment changes by -.4 of it.
	output, u := []float64{1}, []float64{.06}
	for y := range 20 {
		g := []float64{.03, .01, -.02, .045}[y%4]
		output = append(output, output[y]*math.Exp(g))
		u = append(u, u[y]-.4*(g-.016))
	}
	monthly := func(yearly []float64) []float64 {
		return series(12*len(yearly), func(m int) float64 { return yearly[m/12] })
	}
	checkNear(t, "slope", trials.OkunSlope(monthly(u), monthly(output)), -.4, 1e-9)
}

func TestPhillipsCorrelation(t *testing.T) {
	const months = 240
	u := series(months, func(m int) float64 { return .06 + .01*math.Sin(float64(m/3)) })
	wage := series(months, func(int) float64 { return 3000 })
	for m := 3; m < months; m++ {
		wage[m] = wage[m-3] * math.Exp(.005-.5*(u[m]-.06))
	}
	checkNear(t, "correlation", trials.PhillipsCorrelation(u, wage), -1, 1e-9)
	if c := trials.PhillipsCorrelation(u[:6], wage[:6]); !math.IsNaN(c) {
		t.Errorf("correlation %g from two quarters", c)
	}
}

func TestDrift(t *testing.T) {
	step := append(slices.Repeat([]float64{2}, 300), slices.Repeat([]float64{3}, 300)...)
	checkNear(t, "drift", trials.Drift(step, 120), .5, 1e-12)
	checkNear(t, "drift of halves", trials.Drift([]float64{1, 1, 2, 3, 3}, 120), 2, 1e-12)
}

func TestGrowthRates(t *testing.T) {
	const n = 20_001
	firms := make([]trials.FirmYear, n)
	for i := range firms {
		q := (float64(i) + .5) / n // quantile of a Laplace distribution with scale .2
		growth := -.2 * math.Log(2*(1-q))
		if q < .5 {
			growth = .2 * math.Log(2*q)
		}
		firms[i] = trials.FirmYear{Age: 24, Before: 7, After: 7 * math.Exp(growth), LeastEmployees: tables.GrowthFloor}
	}
	// A Laplace distribution has kurtosis 6.
	var pool stats.Deviations
	pool.Add(trials.GrowthRates(firms, false)...)
	checkNear(t, "kurtosis of Laplace growth", pool.Kurtosis(), 6, .05)
	want := trials.GrowthRates(firms, false)
	left := append(firms,
		trials.FirmYear{Age: 23, Before: 1, After: 1e9, LeastEmployees: 50},
		trials.FirmYear{Age: 90, Before: 1, After: 1e9, LeastEmployees: tables.GrowthFloor - 1},
		trials.FirmYear{Age: 90, Before: 0, After: 5, LeastEmployees: 50},
		trials.FirmYear{Age: 90, Before: 5, After: 0, LeastEmployees: 50},
		trials.FirmYear{Age: 90, Before: 1, After: 1e9, LeastEmployees: 50, Capital: true})
	if got := trials.GrowthRates(left, false); !slices.Equal(got, want) {
		t.Errorf("%d growth rates with firms that should be left out, %d without them", len(got), len(want))
	}
	two := []trials.FirmYear{
		{Age: 30, Before: 1, After: math.Exp(.1), LeastEmployees: 9, Capital: true},
		{Age: 30, Before: 5, After: 5 * math.Exp(.5), LeastEmployees: 9, Capital: true},
	}
	rates := trials.GrowthRates(two, true)
	checkNear(t, "growth below the mean", rates[0], -.2, 1e-12)
	checkNear(t, "growth above the mean", rates[1], .2, 1e-12)
}

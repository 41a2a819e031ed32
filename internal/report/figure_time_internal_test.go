package report

import (
	"math"
	"testing"

	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

func TestDifferencesOverTime(t *testing.T) {
	arm := func(i sim.Indicator, series ...[]float64) FigureArm {
		var panel tables.Panel
		for _, s := range series {
			var all [sim.NumOutcomes][]float64
			all[i] = s
			panel = append(panel, &all)
		}
		return FigureArm{Panel: panel}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-3) {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	x := []float64{1, 2}
	missing := math.NaN()

	f := Figures{Confidence: .95, Arms: []FigureArm{
		arm(sim.RealGDP, []float64{100, missing}, []float64{200, 1}), arm(sim.RealGDP, []float64{101, 1}, []float64{206, 1}),
	}}
	line := f.differencePanel(t.Context(), timePanel{indicator: sim.RealGDP}, x).Lines[0]
	// By hand: the ratio of the means is 307/300, and what it leaves of the pairs -8/9 and 8/9 %. R 4.4: qt(.975, 1) = 12.7062.
	near("mean in percent of the control", line.Y[0], 7./3)
	near("low", line.Lower[0], 7./3-12.7062*8./9)
	if line.Y[1] != 0 || !math.IsNaN(line.Lower[1]) {
		t.Errorf("a month that one control lacks is not that of the other pair: %v, %v", line.Y, line.Lower)
	}

	f.Arms = []FigureArm{arm(sim.UnemploymentRate, []float64{.05, .05}), arm(sim.UnemploymentRate, []float64{.07, .04})}
	line = f.differencePanel(t.Context(), timePanel{indicator: sim.UnemploymentRate}, x).Lines[0]
	near("points of a share", line.Y[0], 2)
	near("points of a share", line.Y[1], -1)
	if !math.IsNaN(line.Lower[0]) {
		t.Error("one pair has an interval")
	}
}

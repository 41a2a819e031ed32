package inference_test

import (
	"encoding/json"
	"math"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

func TestPairedEffect(t *testing.T) {
	// R 4.4: t.test(c(101, 202, 303), c(100, 200, 300), paired = TRUE)$conf.int
	// mean 2, sd 1, qt(.975, 2) = 4.302653
	e := inference.PairedEffect([]float64{100, 200, 300}, []float64{101, 202, 303}, .95)
	checkNear(t, "control", e.Control, 200, 0)
	checkNear(t, "treatment", e.Treatment, 202, 0)
	checkNear(t, "difference", e.Difference, 2, 1e-12)
	checkNear(t, "percent", e.Percent, 1, 1e-12)
	checkNear(t, "low", e.CILow, 2-4.302653/math.Sqrt(3), 1e-6)
	checkNear(t, "high", e.CIHigh, 2+4.302653/math.Sqrt(3), 1e-6)
	if e.N != 3 {
		t.Errorf("n = %d, want 3", e.N)
	}

	deficit := inference.PairedEffect([]float64{-.02}, []float64{-.03}, .95)
	checkNear(t, "percent of a negative control", deficit.Percent, -50, 1e-9)
	if !math.IsNaN(deficit.CILow) || !math.IsNaN(deficit.CIHigh) {
		t.Error("one pair has an interval")
	}
	if zero := inference.PairedEffect([]float64{0, 0}, []float64{1, 1}, .95); !math.IsNaN(zero.Percent) {
		t.Errorf("percent of a control of 0: %g", zero.Percent)
	}
}

func TestEffects(t *testing.T) {
	arm := func(values map[sim.Indicator][]float64) tables.Panel {
		var panel tables.Panel
		for r := range 3 {
			var s [sim.NumOutcomes][]float64
			for i := range s {
				s[i] = []float64{5, 5, 5, 5}
				if v, ok := values[sim.Indicator(i)]; ok {
					s[i] = []float64{1000, v[r], v[r] + 2, 1000} // the window is months 2 and 3
				}
			}
			panel = append(panel, &s)
		}
		return panel
	}
	nan := math.NaN()
	control := arm(map[sim.Indicator][]float64{
		sim.CPI: {99, 99, 99}, sim.RealGDP: {10, 20, 30}, sim.PolicyRate: {1, 2, 3}, sim.HHI: {nan, nan, 1},
	})
	treatment := arm(map[sim.Indicator][]float64{
		sim.CPI: {100, 100.1, 99.9}, sim.RealGDP: {0, 30, 50}, sim.PolicyRate: {2, 3, 4}, sim.HHI: {2, 2, 2},
	})
	effects := inference.Effects("treatment", control, treatment, 2, 3, .95)
	if len(effects) != int(sim.NumIndicators) {
		t.Fatalf("%d effects, want %d", len(effects), sim.NumIndicators)
	}
	// The policy rate moves by a hundred percentage points in every pair, prices by
	// one percent with little scatter, output by a third with much; one pair has no
	// interval and comes last.
	for i, want := range []string{"policy_rate", "cpi", "real_gdp"} {
		if effects[i].Metric != want {
			t.Errorf("effect %d is %s, want %s", i, effects[i].Metric, want)
		}
	}
	cpi, last := effects[1], effects[len(effects)-1]
	checkNear(t, "control", cpi.Control, 100, 1e-12)
	checkNear(t, "difference", cpi.Difference, 1, 1e-12)
	if cpi.Arm != "treatment" || cpi.Unit != sim.CPI.Info().Unit || cpi.N != 3 {
		t.Errorf("effect on cpi: %+v", cpi)
	}
	if last.Metric != "hhi" || last.N != 1 || last.Difference != 1 {
		t.Errorf("last effect: %+v, want hhi of one pair", last)
	}
	for _, e := range effects[3 : len(effects)-1] {
		if e.Difference != 0 || !math.IsNaN(e.CILow) || !math.IsNaN(e.CIHigh) { // in three pairs
			t.Errorf("%s: %+v, want no difference", e.Metric, e)
		}
	}
	if rate := effects[0]; !math.IsNaN(rate.Percent) || math.IsNaN(cpi.Percent) {
		t.Errorf("percent of a rate %g, of an index %g; want none and one", rate.Percent, cpi.Percent)
	}
	data, err := json.Marshal(last)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"arm":"treatment","metric":"hhi","unit":"0 to 1","control":2,"treatment":3,"difference":1,"percent":50,"ci_low":null,"ci_high":null,"n":1}`
	if string(data) != want {
		t.Errorf("JSON %s\nwant %s", data, want)
	}
}

func TestEffectsOfOnePair(t *testing.T) {
	arm := func(gdp, unemployment, inflation float64) tables.Panel {
		var s [sim.NumOutcomes][]float64
		for i := range s {
			s[i] = []float64{5}
		}
		s[sim.RealGDP][0], s[sim.UnemploymentRate][0], s[sim.Inflation][0] = gdp, unemployment, inflation
		return tables.Panel{&s}
	}
	// Two points of unemployment, then one percent of output; inflation moves by
	// half a point, although that is five times what it was.
	effects := inference.Effects("treatment", arm(1000, .05, .001), arm(990, .07, .006), 1, 1, .95)
	for i, want := range []string{"unemployment_rate", "real_gdp", "inflation"} {
		if effects[i].Metric != want {
			t.Errorf("effect %d is %s, want %s", i, effects[i].Metric, want)
		}
	}
}

package inference_test

import (
	"context"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// A rate is steady only where its trend is known to be small: a small one that scatters
// widely over replications is unclear, and so is one that lies astride the tolerance.
func TestSteadyTakesEvidence(t *testing.T) {
	spread := []float64{-1.5, -1, -.5, 0, 0, .5, 1, 1.5} // sd 1
	for _, c := range []struct {
		name    string
		trend   float64 // a year; the tolerance is .005
		sd      float64 // of the trend, over replications
		verdict string
	}{
		// The 90 % interval is trend -+ qt(.95, 7) * sd / sqrt(8) = trend -+ .67 sd (R 4.2.2).
		{"small and known", .001, .005, "steady"},
		{"small by chance", .001, .01, "unclear"},
		{"astride", .004, .002, "unclear"},
		{"none at all", 0, 0, "steady"},
		{"the same beyond", .01, 0, "drifting"},
		{"clear", .02, .005, "drifting"},
		{"clear, and hardly beyond", .006, .002, "unclear"},
		{"large by chance", .02, .04, "unclear"},
	} {
		s := madeUp(1, len(spread), 48, 25, func(_, r, month int) sim.Record {
			record := groupRecord(func(int) float64 { return 1000 })
			record.Values[sim.UnemploymentRate] = .1 + (c.trend+c.sd*spread[r])*float64(month)/12
			return record
		})
		a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		state := a.Diagnostics.SteadyState
		if check := state.Checks[0]; check.Metric != "unemployment_rate" || check.Verdict != c.verdict || state.Verdict != c.verdict {
			t.Errorf("%s: %s of %+v, want %s", c.name, state.Verdict, check, c.verdict)
		}
	}
}

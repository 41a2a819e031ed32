package report

import (
	"math"
	"testing"

	"econ-mcp/sim"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{FormatValue(sim.UnemploymentRate, 0.0643), "6.43 %"},
		{FormatValue(sim.UnemploymentRate, nan), Absent},
		{FormatValue(sim.RealGDP, 31_240_000), "31.24 M"},
		{FormatAmount(nan), Absent},
		{FormatValue(sim.RealGDP, 3_124), "3,124"},
		{FormatValue(sim.RealGDP, 31_240), "31.24 k"},
		{FormatValue(sim.RealGDP, -2.5e9), "−2.50 G"},
		{FormatValue(sim.WealthGini, 0.64), "0.6400"},
		{FormatValue(sim.CPI, 104.26), "104.3"},
		{FormatDifference(sim.UnemploymentRate, 0.012), "+1.20 pp"},
		{FormatDifference(sim.UnemploymentRate, -0.012), "−1.20 pp"},
		{FormatDifference(sim.RealGDP, math.Inf(1)), Absent},
		{FormatNumber(-0.0001, 2), "0.00"},
		{FormatNumber(-1234567.891, 1), "−1,234,567.9"},
		{FormatShare(1e-9, 1), "0.0 %"},
		{Plural(1, "month"), "1 month"},
		{Plural(10_000, "month"), "10,000 months"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

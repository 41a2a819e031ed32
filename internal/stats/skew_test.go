package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

// The interval of skewed pairs covers more than Student's, and that of symmetric ones as much as it says.
func TestPairedIntervalCovers(t *testing.T) {
	for _, c := range []struct {
		name      string
		n         int
		low, high float64
		draw      draw
	}{
		{"normal", 10, .945, .96, normal},
		{"exponential, ten", 10, .905, .92, skewed},    // Student's covers 89.8 %
		{"exponential, twenty", 20, .92, .935, skewed}, // Student's covers 91.6 %
	} {
		checkRate(t, c.name, 1, c.low, c.high, func(r *rand.Rand) bool {
			iv := stats.PairedInterval(make([]float64, c.n), sample(r, c.n, c.draw), .95)
			return iv.Low <= 0 && 0 <= iv.High
		})
	}
}

// The p-value is that of the interval which just reaches zero.
func TestPairedTTestAgreesWithInterval(t *testing.T) {
	for _, confidence := range []float64{.5, .9, .95, .999} {
		iv := stats.PairedInterval(drug1, drug2, confidence)
		shifted := make([]float64, len(drug1))
		for i, x := range drug1 {
			shifted[i] = x + iv.Low
		}
		checkNear(t, "p at the bound", stats.PairedTTest(shifted, drug2, .95).P, 1-confidence)
		if p := stats.PairedTOST(shifted, drug2, iv.High-iv.Low); math.Abs(p-(1-confidence)/2) > 1e-9 {
			t.Errorf("TOST with the margin at the upper bound: p = %v, want %v", p, (1-confidence)/2)
		}
	}
}

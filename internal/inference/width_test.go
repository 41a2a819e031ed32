package inference_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// scattered are numbers around a mean, of a standard deviation.
func scattered(seed uint64, n int, mean, sd float64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = mean + sd*random.NormFloat64()
	}
	return x
}

// In whatever steps replications come, they end at the same number, and no step more than
// doubles them.
func TestWidthRuleSteps(t *testing.T) {
	for seed := range uint64(20) {
		w := inference.WidthRule{Outcome: sim.RealGDP, Window: inference.Window{From: 1, To: 12}, Target: .1, Most: 300, MostWhy: "the cap of the plan"}
		x := scattered(seed, 300, 1, .4) // about 62 replications
		var whole int
		for _, step := range []int{300, 1, 7} {
			have := min(inference.FirstReplications, step)
			for {
				n, why := w.Wanted([][]float64{x[:have]})
				if n <= have {
					if !strings.HasPrefix(why, "stopped at ") {
						t.Errorf("seed %d: %q", seed, why)
					}
					break
				}
				if n > 2*max(have, inference.FirstReplications) {
					t.Fatalf("seed %d: %d replications after %d", seed, n, have)
				}
				have += min(step, n-have)
			}
			if whole == 0 {
				whole = have
			}
			if have != whole || have < 30 || have > 120 {
				t.Errorf("seed %d: %d replications in steps of %d, %d otherwise", seed, have, step, whole)
			}
		}
	}
}

// Of several arms the one that is known worst counts; an effect that is not there ends at
// the cap, or where less than what matters is excluded; what is not defined ends at once.
func TestWidthRule(t *testing.T) {
	precise, rough, nothing := scattered(1, 40, 1, .01), scattered(2, 40, 1, 1), scattered(3, 40, .001, .3)
	undefined := make([]float64, 40)
	for i := range undefined {
		undefined[i] = math.NaN()
	}
	for name, c := range map[string]struct {
		samples  [][]float64
		smallest float64
		n        int
		why      string
	}{
		"precise":             {[][]float64{precise}, 0, 10, "stopped at 10 replications: the relative half-width"},
		"the worst arm":       {[][]float64{precise, rough}, 0, 40, "40 replications reached, the cap of the plan: the relative half-width"},
		"no effect":           {[][]float64{nothing}, 0, 40, "40 replications reached"},
		"none that matters":   {[][]float64{nothing, precise}, 1, 10, "at most half of the smallest effect"},
		"nearly none":         {[][]float64{nothing}, .25, 25, "the half-width of real_gdp is 0.121, at most half"},
		"all of them equal":   {[][]float64{make([]float64, 40)}, 0, 10, "is the same in all of them"},
		"not defined":         {[][]float64{undefined}, 0, 10, "real_gdp is not defined in months 1 to 12"},
		"not defined in some": {[][]float64{append([]float64{math.NaN()}, precise...)[:40]}, 0, 10, "stopped at 10 replications"},
	} {
		w := inference.WidthRule{
			Outcome: sim.RealGDP, Window: inference.Window{From: 1, To: 12}, Target: .1, Smallest: c.smallest, Most: 40,
			MostWhy: "the cap of the plan",
		}
		if n, why := w.Wanted(c.samples); n != c.n || !strings.Contains(why, c.why) {
			t.Errorf("%s: %d replications, %q; want %d, %q", name, n, why, c.n, c.why)
		}
	}
}

// TestWidthRuleIsNoTest: where there is no effect, the rule at its widest finds one no more
// often than the level says, though it looks again and again.
func TestWidthRuleIsNoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	const experiments, level = 4000, .05
	w := inference.WidthRule{
		Outcome: sim.RealGDP, Window: inference.Window{From: 1, To: 12}, Target: inference.WidestHalfWidth, Most: 40, MostWhy: "the cap of the plan",
	}
	found := 0
	for k := range experiments {
		x := scattered(uint64(k), w.Most, 0, 1)
		n, _ := w.Wanted([][]float64{x})
		if stats.PairedTTest(make([]float64, n), x[:n], 1-level).P < level {
			found++
		}
	}
	if share := float64(found) / experiments; share > .062 { // .05 and three standard errors and a half
		t.Errorf("an effect is found in %.3f of experiments without one", share)
	}
}

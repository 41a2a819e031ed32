package inference_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/sim"
)

// What hardly ever differs is not judged by its scatter: nothing observed in twelve pairs is no proof that there is nothing.
func TestRareDifferences(t *testing.T) {
	compare := func(n int, failures ...float64) inference.Comparison {
		none := make([]float64, n)
		some := append(slices.Clone(failures), none[len(failures):]...)
		return mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.BankFailures}},
			made("x", seeds(1, n), columns{sim.BankFailures: none}, columns{sim.BankFailures: some}))
	}
	for _, c := range []struct {
		name     string
		failures []float64
		n        int
		verdict  inference.Verdict
		note     string
	}{
		// The exact intervals of 0 of 12 and of 0 of 60 are 1 - .025^(1/n), those of 1 of 12 and 3 of 20 R's binom.test.
		{"none of twelve", nil, 12, inference.Inconclusive, "0 of 12 replications differ, so that 0 % to 26 % of all economies do"},
		{"one of twelve", []float64{.5}, 12, inference.Inconclusive, "1 of 12 replications differ, so that 0 % to 38 % of all economies do"},
		{"three of twenty", []float64{1, 2, 1}, 20, inference.Inconclusive, "3 of 20 replications differ, so that 3 % to 38 % of all economies do"},
		{"none of sixty", nil, 60, inference.EquivalentToZero, "0 of 60 replications differ, so that 0 % to 6 % of all economies do"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compare(c.n, c.failures...)
			row := got.Rows[0]
			if row.Verdict != c.verdict || !math.IsNaN(float64(row.CILow)) || !strings.Contains(got.Text, c.note) {
				t.Errorf("%s: %+v\n%s", row.Verdict, row, got.Text)
			}
			if row.Same() && c.n == 12 && row.ReplicationsNeeded != 59 { // log(.05) / log(.95) = 58.4
				t.Errorf("%g needed", row.ReplicationsNeeded)
			}
		})
	}
}

// Two groups of economies are named, with their effects.
func TestTwoGroups(t *testing.T) {
	control := slices.Repeat([]float64{.03}, 20)
	changed := make([]float64, 20)
	for i, e := range around(0, .001)[:10] {
		changed[i], changed[i+10] = .03+e, .03+e
	}
	for i := range 3 {
		changed[i] += .02
	}
	got := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.PolicyRate}},
		made("x", seeds(1, 20), columns{sim.PolicyRate: control}, columns{sim.PolicyRate: changed}))
	if want := "in 3 of 20 replications it changes by +"; !strings.Contains(got.Text, want) ||
		!strings.Contains(got.Text, "these are two groups that lie apart, and the mean describes neither") {
		t.Errorf("no note of two groups:\n%s", got.Text)
	}
	one := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.PolicyRate}},
		made("x", seeds(1, 10), columns{sim.PolicyRate: control[:10]}, columns{sim.PolicyRate: around(.04, .001)}))
	if strings.Contains(one.Text, "two groups") {
		t.Errorf("a note of two groups where there is one:\n%s", one.Text)
	}
}

// A few skewed differences are told to be few.
func TestFewAndSkewed(t *testing.T) {
	note := func(n int, shape func(k int) float64) bool {
		control, changed := slices.Repeat([]float64{100}, n), make([]float64, n)
		for k := range changed {
			changed[k] = 101 + shape(k)
		}
		c := mustCompare(t, inference.Choice{Metrics: four[:1]}, made("x", seeds(1, n), columns{sim.RealGDP: control}, columns{sim.RealGDP: changed}))
		return strings.Contains(c.Text, "real output: the differences of pairs are skewed and the replications few")
	}
	skewed := func(k int) float64 { return math.Exp(float64(k%10) / 3) }
	even := func(k int) float64 { return float64(k % 10) }
	if !note(10, skewed) || note(20, skewed) || note(10, even) {
		t.Errorf("ten skewed: %v, twenty: %v, ten that are not: %v", note(10, skewed), note(20, skewed), note(10, even))
	}
}

package inference_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// settlingOf analyses a study of a control and a treatment whose rates are a series: x of
// the months of a replication.
func settlingOf(t *testing.T, replications, months int, series func(random *rand.Rand) func(month int) float64) inference.Analysis {
	t.Helper()
	var of []func(month int) float64
	for r := range replications {
		of = append(of, series(rand.New(rand.NewPCG(7, uint64(r)))))
	}
	s := madeUp(2, replications, months, months, func(arm, r, month int) sim.Record {
		var record sim.Record
		x := of[r](month)
		for i := range record.Values {
			record.Values[i] = x
		}
		return record
	})
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// remembered keeps a series by month, so that both arms see the same.
func remembered(next func(month int) float64) func(month int) float64 {
	var seen []float64
	return func(month int) float64 {
		for len(seen) < month {
			seen = append(seen, next(len(seen)+1))
		}
		return seen[month-1]
	}
}

func TestSettling(t *testing.T) {
	noise := func(random *rand.Rand) func(int) float64 {
		return remembered(func(int) float64 { return random.NormFloat64() })
	}
	walk := func(random *rand.Rand) func(int) float64 {
		x := 0.
		return remembered(func(int) float64 { x += random.NormFloat64(); return x })
	}
	settlingIn := func(random *rand.Rand) func(int) float64 { // it falls until three quarters of the months are over
		return remembered(func(month int) float64 { return math.Max(0, 90-float64(month)) + random.NormFloat64() })
	}
	early := func(random *rand.Rand) func(int) float64 { // settled after a tenth of the months
		return remembered(func(month int) float64 { return math.Max(0, 12-float64(month)) + random.NormFloat64() })
	}
	for _, c := range []struct {
		name                 string
		replications, months int
		series               func(random *rand.Rand) func(int) float64
		warmUp, stationarity string
		warning              string
	}{
		{"noise", 12, 120, noise, "enough", "stationary", ""},
		{"noise for 40 years", 12, 480, noise, "enough", "stationary", ""},
		{"a start that is over", 12, 120, early, "enough", "stationary", ""},
		{"a start that is not over", 12, 120, settlingIn, "too short", "unclear", "still warming up when the window began (MSER-5), in " +
			"unemployment, inflation"},
		{"a random walk", 12, 480, walk, "unclear", "wanders", "does not stay around a level"},
		{"a short window", 12, 100, noise, "enough", "not judged", ""},
		{"few months", 12, 48, noise, "not judged", "not judged", ""},
		{"one replication", 1, 480, noise, "not judged", "not judged", ""},
	} {
		a := settlingOf(t, c.replications, c.months, c.series)
		got := a.Diagnostics.Settling
		if got.WarmUp != c.warmUp || got.Stationarity != c.stationarity {
			t.Errorf(
				"%s: warm-up %s, stationarity %s; want %s, %s: %+v",
				c.name,
				got.WarmUp,
				got.Stationarity,
				c.warmUp,
				c.stationarity,
				got.Checks,
			)
		}
		warnings := strings.Join(a.Diagnostics.Warnings, "\n")
		if c.warning != "" && !strings.Contains(warnings, c.warning) ||
			c.warning == "" && (strings.Contains(warnings, "warming") || strings.Contains(warnings, "level in the window")) {
			t.Errorf("%s: warnings %q", c.name, warnings)
		}
		if c.months == 480 && c.replications > 1 {
			if p := got.Checks[0].Ergodicity; c.name == "a random walk" && !(p < .05) || c.name != "a random walk" && !(p > .05) {
				t.Errorf("%s: p of ergodicity %v", c.name, p)
			}
		}
	}
}

// R 4.2.2: power.t.test(delta = .5, sd = 1, power = .9, type = "paired")$n is 43.99552. The level is shared by as many
// outcomes as can be tested: for a difference the first alone, for none three, and log(.05 / 3) / log(.95) = 79.8.
func TestReplicationsForPower(t *testing.T) {
	half := .01 * math.Sqrt(3) / 2 // of four differences with a standard deviation of .01
	s := madeUp(2, 4, 12, 7, func(arm, r, month int) sim.Record {
		var record sim.Record
		record.Values[sim.UnemploymentRate] = .08 + float64(arm)*half*float64(1-2*(r%2))
		record.Values[sim.RealGDP] = 2000
		return record
	})
	a, err := report.Analyse(
		context.Background(), s, inference.Choice{Metrics: []sim.Indicator{sim.UnemploymentRate, sim.RealGDP, sim.Exports}}, nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	power := a.Diagnostics.Power
	if power[0].SmallestEffect != .005 || power[0].Replications90 != 44 {
		t.Errorf("unemployment: %+v", power[0])
	}
	if power[1].SmallestEffect != 20 || power[1].Replications90 != 80 {
		t.Errorf("output that does not vary: %+v", power[1])
	}
	if !math.IsNaN(float64(power[2].SmallestEffect)) || !math.IsNaN(float64(power[2].Replications90)) {
		t.Errorf("exports of nothing: %+v", power[2])
	}
}

package trials_test

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

const burnInMonths = 6

// mustScenario is a small economy; changes are pairs of a name and a value.
func mustScenario(tb testing.TB, changes ...any) scenario.Scenario {
	tb.Helper()
	p := sim.Defaults()
	changes = append([]any{"num_households", 1000, "burn_in_months", burnInMonths}, changes...)
	for i := 0; i < len(changes); i += 2 {
		if err := p.Set(changes[i].(string), changes[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	return scenario.New("test", p)
}

func mustRun(tb testing.TB, x lab.Experiment) *lab.Result {
	tb.Helper()
	result, err := x.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return result
}

func TestValidate(t *testing.T) {
	s := mustScenario(t, "random_state", 3)
	v, err := trials.Validate(t.Context(), s, 2, 48, 2, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Total != 16 || len(v.Facts) != 16 || v.Passed < 0 || v.Passed > 16 || v.Seed != 3 || v.Firms == 0 {
		t.Errorf("%d of %d facts, %d rows, seed %d, %d firms", v.Passed, v.Total, len(v.Facts), v.Seed, v.Firms)
	}
	if !(.6 <= v.TaxScale.Mean && v.TaxScale.Mean <= 1.6) {
		t.Errorf("tax scale %g outside its bounds", v.TaxScale.Mean)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Passed, Total int
		Facts         []struct {
			Name  string
			Value *float64
			Pass  bool
			Parts []struct {
				Name     string
				Value    *float64
				CILow    *float64 `json:"ci_low"`
				CIHigh   *float64 `json:"ci_high"`
				BandLow  *float64 `json:"band_low"`
				BandHigh *float64 `json:"band_high"`
				Pass     bool
			}
		}
	}
	if err := json.Unmarshal(data, &decoded); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, fact := range decoded.Facts {
		all := true
		for _, part := range fact.Parts {
			all = all && part.Pass
		}
		if all != fact.Pass || len(fact.Parts) == 0 {
			t.Errorf("fact %q: pass %v with parts %+v", fact.Name, fact.Pass, fact.Parts)
		}
		if (fact.Value == nil) != (len(fact.Parts) > 1 || fact.Parts[0].Value == nil) {
			t.Errorf("fact %q: a value of its own %v with %d parts", fact.Name, fact.Value != nil, len(fact.Parts))
		}
		if fact.Pass {
			passed++
		}
	}
	if decoded.Passed != passed || decoded.Total != 16 {
		t.Errorf("%d of %d pass in the JSON, %d counted", decoded.Passed, decoded.Total, passed)
	}
	v.Command = "econ-mcp validate --replications 2"
	text := v.Markdown()
	for _, want := range []string{v.Command, v.ScenarioHash, "sigma_C/sigma_Y", "tax"} {
		if !strings.Contains(text, want) {
			t.Errorf("Markdown does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Errorf("Markdown has a NaN:\n%s", text)
	}
}

// TestMemoryIsCheckedFirst lowers the memory limit of this process, so that no
// economy fits.
func TestMemoryIsCheckedFirst(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1))
	simulated := func(run.Progress) { t.Error("something was simulated") }
	_, err := trials.Validate(t.Context(), scenario.New("test", sim.Defaults()), 1, 1, 1, run.Cache{}, simulated)
	if fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("Validate: %v, want limit_exceeded", err)
	}
}

package sim

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

func TestParseCondition(t *testing.T) {
	for text, want := range map[string]string{
		"unemployment_rate > 8%":                                  "unemployment_rate > 0.08",
		"unemployment_rate>0.08":                                  "unemployment_rate > 0.08",
		" unemployment_rate  >  8.0 % ":                           "unemployment_rate > 0.08",
		"unemployment_rate > 7%":                                  "unemployment_rate > 0.07",
		"inflation < 0":                                           "inflation < 0",
		"inflation < -0.5%":                                       "inflation < -0.005",
		"debt_to_gdp > 90%":                                       "debt_to_gdp > 0.9",
		"debt_to_gdp > 1.5":                                       "debt_to_gdp > 1.5",
		"inflation > 800%":                                        "inflation > 800%",
		"debt_to_gdp > 150%":                                      "debt_to_gdp > 1.5",
		"8% < unemployment_rate":                                  "0.08 < unemployment_rate",
		"unemployment_rate > .08 && !(inflation > +2%)":           "unemployment_rate > 0.08 and not (inflation > 0.02)",
		"2 * unemployment_rate - -inflation/2 > 5%":               "2 * unemployment_rate - -inflation / 2 > 0.05",
		"month >= 7 || cpi > 120":                                 "month >= 7 or cpi > 120",
		"real_gdp > 1000000":                                      "real_gdp > 1000000",
		"unemployment_rate > 0.1 and inflation < 0.02":            "unemployment_rate > 0.1 and inflation < 0.02",
		"(unemployment_rate > 0.1 or month < 3) and cpi / 2 < 60": "(unemployment_rate > 0.1 or month < 3) and cpi / 2 < 60",
	} {
		got, err := ParseCondition(text)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
			continue
		}
		if again, err := ParseCondition(got); again != got || err != nil {
			t.Errorf("%s: the canonical form %q reads as %q, %v", text, got, again, err)
		}
		a, _ := compileCondition(text)
		b, _ := compileCondition(got)
		for _, u := range []float64{0, .05, .08, .09, .5} {
			r := &Record{Month: 7}
			r.Values[UnemploymentRate], r.Values[Inflation], r.Values[CPI], r.Values[DebtToGDP], r.Values[RealGDP] = u, u-.01, 100, 2*u, 1e7*u
			if a.holds(conditionEnv(r)) != b.holds(conditionEnv(r)) {
				t.Errorf("%s and %s differ at %g", text, got, u)
			}
		}
	}
}

func TestConditionsInAnotherUnit(t *testing.T) {
	for text, parts := range map[string][]string{
		"unemployment_rate > 8":                       {"can never hold", "share of the labour force", "0% to 100%", "write 8% or 0.08"},
		"8 < unemployment_rate":                       {"can never hold", "write 8% or 0.08"},
		"unemployment_rate > 150%":                    {"can never hold", "0% to 100%"},
		"unemployment_rate < 0":                       {"can never hold"},
		"unemployment_rate < 6":                       {"always holds", "0% to 100%", "write 6% or 0.06"},
		"cpi > -5":                                    {"always holds", "0 or more"},
		"month > 3 and not (poverty_rate > 15)":       {"poverty_rate", "write 15% or 0.15"},
		"inflation > 8":                               {"share a year", "write 8% or 0.08", "800%"},
		"deficit_to_gdp > 3":                          {"share of GDP", "write 3% or 0.03"},
		"debt_to_gdp > 90":                            {"share of annual GDP", "write 90% or 0.9"},
		"capacity_utilisation < 80":                   {"write 80% or 0.8"},
		"inflation < -2":                              {"can never hold", "-100% or more"},
		"income_gini > 35":                            {"can never hold", "0 to 1", "write 0.35"},
		"income_gini > 35%":                           {"cannot be 35%", "0 to 1"},
		"cpi > 120%":                                  {"cannot be 120%", "index, base month = 100"},
		"cpi - 100 > 5%":                              {"cannot be 5%", "index"},
		"month > 5%":                                  {"number of the month"},
		"month < 0":                                   {"can never hold"},
		"unemployment_rate > 8pp":                     {"differences", "write percent"},
		"unemployment_rate > 8 pp":                    {"differences"},
		"unemployment_rate < 5% and month < 0":        {"can never hold"},
		"inflation > 5% and inflation < 3%":           {"can never hold"},
		"unemployment_rate > 5% and not (month >= 0)": {"can never hold"},
		"unemployment_rate > 8 % 3":                   {"not a condition"},
	} {
		_, err := ParseCondition(text)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v; want %q", text, err, part)
			}
		}
		if fault.KindOf(err) == fault.Internal {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := compileCondition("unemployment_rate > 8"); err != nil {
		t.Errorf("what was stored can no longer be evaluated: %v", err)
	}
}

func TestConditionInPercent(t *testing.T) {
	for text, want := range map[string]string{
		"unemployment_rate > 0.065 and cpi < 120": "unemployment_rate > 6.5% and cpi < 120",
		"inflation < -0.005 or month >= 3":        "inflation < -0.5% or month >= 3",
		"inflation < 0":                           "inflation < 0",
	} {
		got := ConditionInPercent(text)
		if again, err := ParseCondition(got); got != want || err != nil || again != text {
			t.Errorf("%s: %s, which reads as %q, %v", text, got, again, err)
		}
	}
}

// The ranges that conditions are held against are those of an economy that is shaken.
func TestIndicatorsAreInTheirRanges(t *testing.T) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 24)
	e.BeginExperiment()
	if err := e.Plan([]Intervention{
		{Type: TypeShock, TargetMonth: 2, Shock: Shock{Shock: "demand", Size: -.9, Persistence: .8}},
		{Type: TypePolicy, TargetMonth: 12, Policy: PolicyChange{"job_guarantee", .9}},
		{Type: TypeShock, TargetMonth: 13, Shock: Shock{Shock: "productivity", Size: 2, Persistence: .9}},
	}); err != nil {
		t.Fatal(err)
	}
	for range 24 {
		mustStep(t, e, 1)
		checkRanges(t, *e.Latest())
	}
}

func checkRanges(t *testing.T, r Record) {
	t.Helper()
	for k, x := range r.Values {
		low, high := Indicator(k).Range()
		if x < low || x > high || math.IsInf(x, 0) {
			t.Errorf("month %d: %s = %g lies outside of %s", r.Month, Indicator(k), x, rangeText(low, high, false))
		}
	}
}

package param

import (
	"slices"
	"strings"
	"testing"

	"econ-mcp/sim"
)

// A parameter that does nothing where it is set is warned of, but not at its default.
func TestDormantParametersAreWarnedOf(t *testing.T) {
	p := sim.Defaults()
	p.PolicyRateRule, p.FixedPolicyRate = "taylor", .1
	if list := ownConcerns(&p, "fixed_policy_rate"); len(list) != 1 || list[0] != "fixed_policy_rate does nothing without policy_rate_rule = fixed" {
		t.Errorf("%q", list)
	}
	if list := ownConcerns(&p, "tariff_rate"); list != nil {
		t.Errorf("%q", list)
	}
}

// Beyond the range in which a parameter was estimated it is used all the same, and the caller is told.
func TestExtrapolationIsWarnedOf(t *testing.T) {
	p := sim.Defaults()
	for value, want := range map[float64][]string{
		.45: nil, .92: nil,
		.44: {"consumption_habit = 0.44 extrapolates: estimated within 0.45 to 0.92"},
		.95: {"consumption_habit = 0.95 extrapolates: estimated within 0.45 to 0.92"},
	} {
		p.ConsumptionHabit = value
		if list := concerns(&p, "consumption_habit"); !slices.Equal(list, want) {
			t.Errorf("%g: %q", value, list)
		}
	}
}

// The defaults and every built-in preset are nothing to warn of, and every bound lies
// within the hard range, where it can be reached.
func TestUnusualValues(t *testing.T) {
	for _, u := range unusualValues {
		row, err := sim.Lookup(u.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if u.low < row.Min || u.high > row.Max || u.low == row.Min && u.high == row.Max || u.low >= u.high {
			t.Errorf("%s: from %g to %g, of %s", u.name, u.low, u.high, row.Range())
		}
		for _, edge := range []float64{row.Min, row.Max} {
			p := sim.Defaults()
			if err := p.Set(u.name, edge); err != nil {
				t.Error(err)
			}
			warned := strings.Contains(strings.Join(concerns(&p, u.name), ""), u.reason)
			if want := edge < u.low || edge > u.high; warned != want {
				t.Errorf("%s = %g: warned %v", u.name, edge, warned)
			}
		}
	}
	p := sim.Defaults()
	for _, row := range sim.Catalogue() {
		if list := concerns(&p, row.Name); list != nil {
			t.Errorf("default of %s: %q", row.Name, list)
		}
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		set  map[string]any
		name string
		want string // "" = no warning
	}{
		{map[string]any{"redistribution_poverty_weight": .8}, "redistribution_poverty_weight", "add up to more than 1"},
		{map[string]any{"redistribution_poverty_weight": .8, "redistribution_unemployment_weight": .1, "redistribution_family_size_weight": .1},
			"redistribution_poverty_weight", ""},
		{map[string]any{"redistribution_strategy": "mixed", "redistribution_poverty_weight": 0, "redistribution_unemployment_weight": 0,
			"redistribution_family_size_weight": 0}, "redistribution_strategy", "to all households alike"},
		{map[string]any{"taylor_inflation_coefficient": .9}, "taylor_inflation_coefficient", "Taylor principle"},
		{map[string]any{"max_policy_rate": .02}, "max_policy_rate", "neutral rate"},
		{map[string]any{"innovation_productivity_weight": 0, "innovation_price_weight": 0, "innovation_margin_weight": 0,
			"innovation_attribute_weight": 0}, "innovation_price_weight", "finds nothing"},
		{map[string]any{"ai_adoption_rate": .02, "robot_tax_rate": 2}, "robot_tax_rate", "no firm adopts"},
		{map[string]any{"enable_demography": true, "population_growth": .01}, "population_growth", "population_reserve"},
		{map[string]any{"enable_demography": true, "population_growth": .01, "population_reserve": .2}, "population_growth", ""},
	} {
		p, err := withValues(sim.Defaults(), c.set)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, r := range rules {
			if slices.Contains(r.params, c.name) && r.broken(&p) {
				text += r.reason
			}
		}
		if c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%v: %q, want %q", c.set, text, c.want)
		}
	}
	for _, r := range rules {
		for _, name := range r.params {
			if _, err := sim.Lookup(name); err != nil {
				t.Error(err)
			}
		}
	}
}

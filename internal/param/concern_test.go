package param

import (
	"slices"
	"strings"
	"testing"

	"econ-mcp/sim"
)

// asleep are settings under which a condition does not hold, where the defaults meet it.
var asleep = map[string]map[string]any{
	"enable_trade": {"enable_trade": false},
	"enable_trade and exchange_rate_regime = floating":               {"exchange_rate_regime": "fixed"},
	"several banks (num_banks) or a central_bank_bond_share above 0": {"num_banks": 1},
	"policy_rate_rule = taylor":                                      {"policy_rate_rule": "fixed"},
	"enable_price_adjustment":                                        {"enable_price_adjustment": false},
	"enable_dismissal":                                               {"enable_dismissal": false},
	"enable_inherent_market":                                         {"enable_inherent_market": false},
	"enable_innovation":                                              {"enable_innovation": false},
	"enable_debt_rule":                                               {"enable_debt_rule": false},
	"enable_engel_curves":                                            {"enable_engel_curves": false},
	"suppliers_per_industry = 0 and several industries":              {"suppliers_per_industry": 1},
	"enable_inherent_market and inherent_market_focus_new_products":  {},
	"enable_innovation and a public_research_share above 0":          {},
	"a green_levy_rate or green_levy_by_industry":                    {},
}

// after is the last record of a small economy; a fixed share of what could differ in
// years shows within months.
func after(t *testing.T, p sim.Params) sim.Record {
	t.Helper()
	e, err := sim.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 13 {
		if err := e.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return *e.Latest()
}

// A parameter that is said to do nothing does nothing, to the bit.
func TestDormantParametersDoNothing(t *testing.T) {
	for _, d := range dormantParameters {
		p := sim.Defaults()
		p.NumHouseholds = 600
		for name, value := range asleep[d.needs] {
			if err := p.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if d.acts(&p) {
			t.Errorf("%s: holds by default; say in this test when it does not", d.needs)
			continue
		}
		want := after(t, p)
		for _, name := range d.params {
			row, err := sim.Lookup(name)
			if err != nil {
				t.Error(err)
				continue
			}
			q := p
			if err := q.Set(name, another(row)); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if after(t, q) != want {
				t.Errorf("%s acts without %s", name, d.needs)
			}
			if text := strings.Join(ownConcerns(&q, name), "; "); !strings.Contains(text, "does nothing without "+d.needs) {
				t.Errorf("%s without %s: %q", name, d.needs, text)
			}
		}
	}
}

// another is a value that is not the default.
func another(row sim.Parameter) any {
	switch row.Type {
	case sim.TypeBoolean:
		return row.Default != true
	case sim.TypeChoice:
		return row.Choices[(slices.Index(row.Choices, row.Default.(string))+1)%len(row.Choices)]
	case sim.TypeInteger:
		return row.Default.(int) + 1
	case sim.TypeNumber:
		if x := row.Default.(float64); x < row.Max {
			return x + (row.Max-x)/4
		}
		return row.Max - (row.Max-row.Min)/4
	}
	return row.Default
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

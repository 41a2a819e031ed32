package sim

import (
	"slices"
	"strings"
	"testing"
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
	"enable_open_entry":                                              {"enable_open_entry": false},
	"suppliers_per_industry = 0 and several industries":              {"suppliers_per_industry": 1},
	"enable_inherent_market and inherent_market_focus_new_products":  {},
	"enable_innovation and a public_research_share above 0":          {},
	"a green_levy_rate or green_levy_by_industry":                    {},
}

// after is the last record of a small economy; a fixed share of what could differ in
// years shows within months.
func after(t *testing.T, p Params) Record {
	t.Helper()
	e, err := New(p, 1)
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
	for _, d := range parts {
		p := Defaults()
		p.NumHouseholds = 600
		for name, value := range asleep[d.needs] {
			if err := p.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if d.has(&p) {
			t.Errorf("%s: holds by default; say in this test when it does not", d.needs)
			continue
		}
		want := after(t, p)
		for _, name := range d.params {
			row, err := Lookup(name)
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
			if needs := Dormant(q, name); needs != d.needs {
				t.Errorf("%s without %s needs %q", name, d.needs, needs)
			}
		}
	}
}

// another is a value that is not the default.
func another(row Parameter) any {
	switch row.Type {
	case TypeBoolean:
		return row.Default != true
	case TypeChoice:
		return row.Choices[(slices.Index(row.Choices, row.Default.(string))+1)%len(row.Choices)]
	case TypeInteger:
		return row.Default.(int) + 1
	case TypeNumber:
		if x := row.Default.(float64); x < row.Max {
			return x + (row.Max-x)/4
		}
		return row.Max - (row.Max-row.Min)/4
	}
	return row.Default
}

// What an intervention cannot do is said, and what another of the plan makes possible is not.
func TestIdleInterventions(t *testing.T) {
	fixed := func(x float64) Intervention {
		return Intervention{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{{"fixed_policy_rate", x}}}
	}
	rule := Intervention{Type: TypeParameterChange, TargetMonth: 6, Parameters: []ParameterChange{{"policy_rate_rule", "fixed"}}}
	policy := func(id string, x float64) Intervention {
		return Intervention{Type: TypePolicy, TargetMonth: 1, Policy: PolicyChange{id, x}}
	}
	vat := func(x float64) Intervention {
		return Intervention{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{{"vat_rate", x}}}
	}
	at := func(month int, v Intervention) Intervention { v.TargetMonth = month; return v }
	lasting := func(months int, v Intervention) Intervention { v.DurationMonths = months; return v }
	demand := Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "demand", Size: -.1}}
	recession := vat(.05)
	recession.When, recession.Until = "unemployment_rate > 0.08", "unemployment_rate < 0.06"
	set := Defaults()
	set.PolicyRateRule, set.EnableTrade, set.AIAdoptionRate = "taylor", false, 0
	for _, c := range []struct {
		name string
		plan []Intervention
		want []string // a part of each reason
	}{
		{"a fixed rate under a rule", []Intervention{fixed(.1)}, []string{"fixed_policy_rate does nothing without policy_rate_rule = fixed"}},
		{"and where the rule goes", []Intervention{fixed(.1), rule}, nil},
		{"no trade", []Intervention{policy("tariff", .2)}, []string{"policy tariff does nothing where enable_trade is false"}},
		{"no robots", []Intervention{policy("robot_tax", .2)}, []string{"policy robot_tax does nothing without an ai_adoption_rate above 0"}},
		{"robots come", []Intervention{policy("robot_tax", .2), {Type: TypeShock, TargetMonth: 9, Shock: Shock{Shock: "automation_wave", Size: .1}}}, nil},
		{"what is so", []Intervention{vat(set.VATRate)}, []string{"vat_rate is 0.08 already"}},
		{
			"there and back at once", []Intervention{vat(.2), vat(set.VATRate)},
			[]string{"vat_rate is set by “from month 1: vat_rate 0.2” and by"},
		},
		{"there and back", []Intervention{vat(.2), at(9, vat(set.VATRate))}, nil},
		{"back before", []Intervention{at(9, vat(.2)), vat(.1)}, []string{"while both are in force the latter wins"}},
		{"one after the other", []Intervention{lasting(3, at(9, vat(.2))), lasting(8, vat(.1))}, nil},
		{"a rule over an event", []Intervention{vat(.2), recession}, []string{"the latter wins"}},
		{"two of the same", []Intervention{policy("minimum_wage", .6), policy("minimum_wage", .6)}, nil},
		{"two policies", []Intervention{policy("minimum_wage", .6), policy("minimum_wage", .7)}, []string{"minimum_wage is set by"}},
		{"cuts upon cuts", []Intervention{policy("austerity", .1), policy("austerity", .2)}, nil},
		{"one upon the other", []Intervention{demand, demand}, nil},
		{"a cut by nothing", []Intervention{policy("austerity", 0)}, []string{"policy austerity changes nothing"}},
		{"a cut", []Intervention{policy("austerity", .1)}, nil},
		{"pensioners without age", []Intervention{{Type: TypeInjection, TargetMonth: 1, Injection: Injection{"retired", 10}}},
			[]string{"group retired does nothing where enable_demography is false"}},
		{"money", []Intervention{{Type: TypeInjection, TargetMonth: 1, Injection: Injection{"all", 10}}}, nil},
		{"cancelled", []Intervention{{Type: TypePolicy, TargetMonth: 1, Policy: PolicyChange{"tariff", .2}, Cancelled: true}}, nil},
	} {
		got := IdleInterventions(set, c.plan)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		for k, idle := range got {
			if !strings.Contains(idle.Reason.EN, c.want[k]) || idle.Reason.ZH == "" {
				t.Errorf("%s: %q, want %q", c.name, idle.Reason, c.want[k])
			}
		}
	}
}

// Where two set one parameter in the same month, the one that stands later in the plan wins, whichever of
// them is a rule.
func TestLaterWins(t *testing.T) {
	event := Intervention{Type: TypeParameterChange, TargetMonth: 2, Parameters: []ParameterChange{{"vat_rate", .2}}}
	rule := Intervention{
		Type: TypeParameterChange, TargetMonth: 1, When: "month >= 3", Until: "month >= 5", Parameters: []ParameterChange{{"vat_rate", .01}},
	}
	for name, c := range map[string]struct {
		plan []Intervention
		want []float64 // by month
	}{
		"the rule":  {[]Intervention{event, rule}, []float64{.08, .2, .2, .01, .01, .2}},
		"the event": {[]Intervention{rule, event}, []float64{.08, .2, .2, .2, .2, .2}},
	} {
		e := mustNew(t, small(), 1)
		e.BeginExperiment()
		if err := e.Plan(c.plan); err != nil {
			t.Fatal(err)
		}
		for month, want := range c.want {
			mustStep(t, e, 1)
			if got := e.p.VATRate; got != want {
				t.Errorf("%s wins: %g in month %d, want %g", name, got, month+1, want)
			}
		}
	}
}

// Every need is said in Chinese, too: what is no name of a parameter is not left in English.
func TestNeedsInChinese(t *testing.T) {
	for _, d := range parts {
		zh := without("x", "x", d).ZH
		for _, word := range strings.Fields(strings.NewReplacer("，", " ", "（", " ", "）", " ").Replace(zh)) {
			if slices.Contains([]string{"a", "an", "and", "or", "above", "several", "industries", "banks"}, word) {
				t.Errorf("%q has %q in it", zh, word)
			}
		}
	}
}

// What is said to be idle is: the economy has the same bits with it and without.
func TestIdleInterventionsDoNothing(t *testing.T) {
	p := small()
	p.PolicyRateRule, p.EnableInherentMarket = "taylor", false
	plan := []Intervention{
		{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{{"fixed_policy_rate", .1}}},
		{Type: TypePolicy, TargetMonth: 1, Policy: PolicyChange{"stimulus", .1}},
		{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{{"vat_rate", p.VATRate}}},
	}
	if idle := IdleInterventions(p, plan); len(idle) != len(plan) {
		t.Fatalf("idle are %+v", idle)
	}
	with, without := mustNew(t, p, 1), mustNew(t, p, 1)
	for _, e := range []*Economy{with, without} {
		mustStep(t, e, 3)
		e.BeginExperiment()
	}
	if err := with.Plan(plan); err != nil {
		t.Fatal(err)
	}
	mustStep(t, with, 6)
	mustStep(t, without, 6)
	if with.StateHash() != without.StateHash() {
		t.Error("it does something")
	}
}

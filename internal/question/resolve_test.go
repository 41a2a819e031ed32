package question

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// said is a happening of one lever.
func said(id string, c change, more ...func(*happening)) happening {
	h := happening{levers: []string{id}, change: c}
	for _, f := range more {
		f(&h)
	}
	return h
}

func to(q quantity) func(*happening)        { return func(h *happening) { h.to = &q } }
func by(q quantity) func(*happening)        { return func(h *happening) { h.by = &q } }
func from(q quantity) func(*happening)      { return func(h *happening) { h.from = &q } }
func begins(month int) func(*happening)     { return func(h *happening) { h.begin = month } }
func lasts(n int) func(*happening)          { return func(h *happening) { h.last = n } }
func ramps(n int) func(*happening)          { return func(h *happening) { h.ramp = n } }
func paying(group string) func(*happening)  { return func(h *happening) { h.group = group } }
func industry(code string) func(*happening) { return func(h *happening) { h.industry = code } }
func paidBy(id string) func(*happening)     { return func(h *happening) { h.pays = id } }
func pct(x float64) quantity                { return quantity{unit: percent, x: x / 100} }
func pp(x float64) quantity                 { return quantity{unit: points, x: x / 100} }
func part(x float64) quantity               { return quantity{unit: fraction, x: x} }
func cash(x float64) quantity               { return quantity{unit: money, x: x} }
func bare(x float64) quantity               { return quantity{unit: plain, x: x} }
func gdp(x float64) quantity                { return quantity{unit: percent, x: x / 100, of: ofGDP} }

func alone(list ...happening) sense { return sense{lang: "en", arms: []arm{{happens: list}}} }

// told is an inquiry in one line: the background, and each arm with its changes.
func told(q inquiry.Inquiry) string {
	economy := func(e inquiry.Economy) string {
		var parts []string
		if e.Base != "" {
			parts = append(parts, e.Base)
		}
		for _, s := range e.Set {
			parts = append(parts, fmt.Sprintf("%s=%v", s.Name, s.Value))
		}
		for _, v := range slices.Concat(e.Events, e.Rules) {
			text := ""
			for _, c := range v.Parameters {
				text += fmt.Sprintf("%s=%v ", c.Name, c.Value)
			}
			switch v.Type {
			case sim.TypePolicy:
				text = fmt.Sprintf("%s=%v ", v.Policy.Policy, v.Policy.Level)
			case sim.TypeShock:
				text = fmt.Sprintf("%s%s=%v*%v ", v.Shock.Shock, v.Shock.Industry, v.Shock.Size, v.Shock.Persistence)
			case sim.TypeInjection:
				text = fmt.Sprintf("pay %s=%v ", v.Injection.Group, v.Injection.Amount)
			}
			text += fmt.Sprintf("@%d", v.TargetMonth)
			if v.DurationMonths > 0 {
				text += fmt.Sprintf("+%d", v.DurationMonths)
			}
			if v.RampMonths > 0 {
				text += fmt.Sprintf("/%d", v.RampMonths)
			}
			if v.When != "" {
				text += " when " + v.When
			}
			if v.Until != "" {
				text += " until " + v.Until
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	text := economy(q.Background)
	for _, a := range q.Arms {
		text += " | " + economy(a.Economy)
	}
	return strings.TrimPrefix(text, " | ")
}

// What is said becomes the experiment that it means, without a question back.
func TestResolveReady(t *testing.T) {
	for name, c := range map[string]struct {
		sense sense
		want  string
	}{
		"from to":               {alone(said("vat_rate", raise, from(bare(8)), to(pct(12)))), "vat_rate=0.12@1"},
		"from is the control's": {alone(said("vat_rate", raise, from(pct(10)), to(pct(12)))), "vat_rate=0.1 | vat_rate=0.12@1"},
		"points":                {alone(said("income_tax_rate", lower, by(pp(2)), begins(13))), "income_tax_rate=0.2@13"},
		"a fifth":               {alone(said("unemployment_benefit_rate", lower, by(part(.2)))), "unemployment_benefit_rate=0.4@1"},
		"percent of an amount":  {alone(said("unemployment_benefit_rate", raise, by(pct(10)))), "unemployment_benefit_rate=0.55@1"},
		"percent that can only be relative": {
			alone(said("vat_rate", lower, by(pct(50)))), "vat_rate=0.04@1"},
		"to a third, down": {
			alone(said("government_employment_share", lower, to(part(2.0/3)))),
			"government_employment_share=0.093333333@1",
		},
		"to two thirds, up": {
			alone(said("unemployment_benefit_rate", raise, to(part(2.0/3)))), "unemployment_benefit_rate=0.66666667@1"},
		"of GDP": {
			alone(said("inherent_market_consumption_rate", raise, by(gdp(2)), lasts(24))),
			"inherent_market_consumption_rate=0.12@1+24",
		},
		"money":               {alone(said("tax_allowance", settle, to(cash(1500)))), "tax_allowance=0.5@1"},
		"money of the median": {alone(said("minimum_wage", settle, to(cash(1289.4)))), "minimum_wage=0.5@1"},
		"of the mean": {
			alone(said("minimum_wage", settle, to(quantity{unit: percent, x: .42980, of: ofMean}))),
			"minimum_wage=0.5@1",
		},
		"abolish":               {alone(said("corporate_tax_rate", abolish)), "corporate_tax_rate=0@1"},
		"halve":                 {alone(said("corporate_tax_rate", halve)), "corporate_tax_rate=0.105@1"},
		"one industry":          {alone(said("vat_rate", abolish, industry("01"))), "vat_rates_by_industry=01: 0@1"},
		"switch":                {alone(said("enable_dismissal", abolish, lasts(24))), "enable_dismissal=false@1+24"},
		"the end of one choice": {alone(said("bailout", abolish)), "bank_resolution=bail_in@1"},
		"financed": {
			alone(said("universal_basic_income", introduce, to(cash(600)), paidBy("vat_rate"))),
			"basic_income_financing=vat universal_basic_income=0.2 @1",
		},
		"policy rate": {
			alone(said("fixed_policy_rate", raise, by(pp(1.5)))),
			"fixed_policy_rate=0.03 policy_rate_rule=fixed @1 | fixed_policy_rate=0.045 policy_rate_rule=fixed @1",
		},
		"policy rate set": {
			alone(said("fixed_policy_rate", settle, to(pct(4.5)))), "fixed_policy_rate=0.045 policy_rate_rule=fixed @1",
		},
		"peg": {
			alone(said("fixed_exchange_rate", raise, by(pct(15)))), "exchange_rate_regime=fixed fixed_exchange_rate=1.15 @1"},
		"age": {
			alone(said("retirement_age_shift", raise, from(quantity{unit: people, x: 65}), to(quantity{unit: people, x: 67}), ramps(120))),
			"enable_demography=true | retirement_age_shift=2@1/120",
		},
		"years later": {
			alone(said("retirement_age_shift", raise, by(quantity{unit: months, x: 24}))),
			"enable_demography=true | retirement_age_shift=2@1",
		},
		"a month": {
			alone(said("migration_rate", raise, to(quantity{unit: percent, x: .012, per: 12}))),
			"enable_demography=true, population_reserve=0.3 | migration_rate=0.001@1",
		},
		"index":    {alone(said("labor_productivity_factor", raise, by(pct(20)))), "labor_productivity_factor=120@1"},
		"capacity": {alone(said("industry_supply", lower, to(part(.5)), industry("11"), lasts(4))), "industry_supply11=-0.5*1@1+4"},
		"paid for good": {
			alone(said("pay", introduce, to(quantity{unit: money, x: 100, per: 1}), paying("retired"))),
			"enable_demography=true | pay retired=100@1+60",
		},
		"paid once": {alone(said("pay", introduce, to(cash(1000)), paying("all"), lasts(1))), "pay all=1000@1+1"},
		"policy":    {alone(said("austerity", introduce, by(pct(10)), ramps(12))), "austerity=0.1@1/12"},
		"redistribution": {
			alone(said("redistribution_poor", introduce, to(gdp(4)), paidBy("income_tax_rate"))),
			"redistribution_financing=income_tax redistribution_share=0.04 redistribution_strategy=poverty_focused @1",
		},
		"parts of austerity": {alone(said("austerity", raise, begins(13)), said("government_employment_share", lower, by(pct(5))),
			said("unemployment_benefit_rate", lower, by(pct(5)))), "austerity=0.05@13"},
		"the end of what is said": {alone(said("tariff_rate", abolish, to(pct(10)))), "tariff_rate=0.1 | tariff_rate=0@1"},
		"the end of a part":       {alone(said("corporate_tax_rate", abolish, by(part(1.0/3)))), "corporate_tax_rate=0.14@1"},
		"to and by agree":         {alone(said("vat_rate", raise, to(pct(10)), by(pp(2)))), "vat_rate=0.1@1"},
		"doubled to":              {alone(said("vat_rate", double, to(pct(16)))), "vat_rate=0.16@1"},
		"AI and nothing said":     {alone(said("ai_adoption_rate", move)), "ai_adoption_rate=0.01@1"},
		"standard size":           {alone(said("ai_adoption_rate", introduce)), "ai_adoption_rate=0.01@1"},
		"standard size up":        {alone(said("vat_rate", raise)), "vat_rate=0.11@1"},
		"standard size down":      {alone(said("vat_rate", lower)), "vat_rate=0.05@1"},
		"standard size of a new one": {
			alone(said("minimum_wage", introduce)), "minimum_wage=0.6@1",
		},
		"said twice without a size": {alone(said("capital_requirement", introduce), said("capital_requirement", raise)), "capital_requirement=0.09@1"},
		"long before":               {alone(said("vat_rate", raise, to(pct(12)), begins(109))), "vat_rate=0.12@109"},
		"doses": {
			alone(happening{levers: []string{"minimum_wage"}, change: settle, doses: []quantity{pct(40), pct(50)}}),
			"minimum_wage=0.4@1 | minimum_wage=0.5@1",
		},
		"doses by points": {
			alone(happening{levers: []string{"vat_rate"}, change: raise, doses: []quantity{pp(1), pp(2)}, steps: true}),
			"vat_rate=0.09@1 | vat_rate=0.1@1",
		},
		"condition": {alone(happening{levers: []string{"job_retention_share"}, change: introduce, to: &quantity{unit: percent, x: .4},
			when: &condition{sim.UnemploymentRate, true, pct(7)}}), "job_retention_share=0.4@1 when unemployment_rate > 0.07"},
		"two steps": {
			alone(said("vat_rate", raise, by(pp(1))), said("vat_rate", raise, by(pp(1)), begins(13))),
			"vat_rate=0.09@1, vat_rate=0.1@13",
		},
		"stimulus on top": {
			alone(said("inherent_market_consumption_rate", introduce, to(gdp(2)))),
			"inherent_market_consumption_rate=0.12@1",
		},
		"tariff with an answer": {alone(said("tariff_rate", introduce, to(pct(20))), said("retaliation_share", introduce, to(pct(100)))),
			"tariff_rate=0.2@1, retaliation_share=1@1"},
		"the ground of another": {alone(said("ai_adoption_rate", settle, to(quantity{unit: percent, x: .02, per: 1})),
			said("robot_tax_rate", introduce, to(pct(30)))),
			"ai_adoption_rate=0.02@1 | robot_tax_rate=0.3@1"},
		"rule": {alone(happening{levers: []string{"vat_rate"}, change: abolish, again: true,
			when: &condition{sim.Inflation, true, pct(4)}}), "vat_rate=0@1 when inflation > 0.04 until inflation < 0.039"},
		"rule with its end": {alone(happening{levers: []string{"pay"}, group: "unemployed", change: introduce,
			to:   &quantity{unit: money, x: 100},
			when: &condition{sim.UnemploymentRate, true, pct(8)}, until: &condition{sim.UnemploymentRate, false, pct(6)}}),
			"pay unemployed=100@1 when unemployment_rate > 0.08 until unemployment_rate < 0.06"},
		"alternatives in a place": {sense{lang: "en", place: "demand_slump", arms: []arm{
			{happens: []happening{said("job_retention_share", introduce, to(part(2.0/3)))}},
			{happens: []happening{said("inherent_market_consumption_rate", raise, by(gdp(1)))}},
		}}, "demand_slump | job_retention_share=0.66666667@1 | stimulus=0.01@1"},
		"or nothing": {
			sense{lang: "en", arms: []arm{{happens: []happening{said("vat_rate", settle, to(pct(5)))}}, {}}},
			"vat_rate=0.05@1",
		},
		"or as it is": {
			sense{lang: "en", arms: []arm{
				{happens: []happening{said("benefit_months", settle, to(quantity{unit: months, x: 24}))}},
				{happens: []happening{said("benefit_months", settle, to(quantity{unit: months, x: 12}))}},
			}},
			"benefit_months=24@1",
		},
		"two places":    {sense{lang: "en", arms: []arm{{place: "de_like"}, {place: "us_like"}}}, "de_like | us_like"},
		"a place alone": {sense{lang: "en", place: "crisis"}, "crisis"},
		"relative there": {
			sense{lang: "en", place: "de_like", arms: []arm{{happens: []happening{said("corporate_tax_rate", raise, by(pp(4)))}}}},
			"de_like | corporate_tax_rate=0.339@1",
		},
		"held": {sense{lang: "en", held: []mention{{levers: []string{"fixed_policy_rate"}}}, arms: []arm{{happens: []happening{
			said("inherent_market_consumption_rate", double)}}}}, "policy_rate_rule=fixed@1 | inherent_market_consumption_rate=0.2@1"},
		"everywhere": {sense{lang: "en", everywhere: []happening{
			said("ai_adoption_rate", settle, to(quantity{unit: percent, x: .02, per: 1}))}, arms: []arm{{happens: []happening{
			said("robot_tax_rate", introduce, to(pct(30)))}}}}, "ai_adoption_rate=0.02@1 | robot_tax_rate=0.3@1"},
	} {
		got := resolve(Reading{Question: "q", Language: "en"}, []rune("q"), c.sense, Options{})
		if got.Status != Ready {
			t.Errorf("%s: %s %+v", name, got.Status, got.Questions)
			continue
		}
		if text := strings.ReplaceAll(told(*got.Inquiry), " @", "@"); text != strings.ReplaceAll(c.want, " @", "@") {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// What is open or contradicts itself is asked back, with choices that can be simulated.
func TestResolveAsks(t *testing.T) {
	for name, c := range map[string]struct {
		sense sense
		said  string // of the choices
	}{
		"percent or points": {alone(said("vat_rate", raise, by(pct(2)))), "to 8.16 % (0.16 points up); to 10 % (2 points up)"},
		"no size":           {alone(said("robot_tax_rate", introduce)), "50 %; 25 %; 75 %"},
		"slightly": {
			alone(happening{levers: []string{"vat_rate"}, change: lower, small: true}), "to 7 % (1 point down); to 7.5 % (0.5 points down); to 6 % (2 points down)",
		},
		"a fall where rises have a standard size": {alone(said("loan_spread", lower)), "to 1.5 % (1 point down); to 2 % (0.5 points down); to 0.5 % (2 points down)"},
		"two of standard size": {
			alone(said("vat_rate", raise), said("corporate_tax_rate", lower)), "to 10 % (2 points up); to 9 % (1 point up); to 12 % (4 points up)",
		},
		"no direction": {alone(said("vat_rate", move)), "to 10 % (2 points up); to 6 % (2 points down); to 9 % (1 point up)"},
		"off": {
			alone(said("wage_subsidy_rate", introduce)),
			"20 %; 10 %; 30 %",
		},
		"two levers": {
			alone(happening{levers: []string{"income_tax_rate", "vat_rate"}, change: lower, to: &quantity{unit: percent, x: .05}}),
			"income tax; VAT",
		},
		"contradiction": {
			alone(said("income_tax_rate", raise, from(pct(22)), to(pct(18)))),
			"to 18 % (4 points down); to 26 % (4 points up)",
		},
		"beyond": {
			alone(said("vat_rate", settle, to(pct(150)))),
			"to 10 % (2 points up); to 9 % (1 point up); to 12 % (4 points up)",
		},
		"double nothing": {
			alone(said("minimum_wage", double)),
			"50 % of the median wage; 25 % of the median wage; 75 % of the median wage",
		},
		"ends before": {
			alone(said("pay", introduce, to(cash(100)), paying("all"), begins(20), lasts(-1))),
			"from month 20 on, for good; from month 20 on, for a year",
		},
		"no unit": {
			alone(said("unemployment_benefit_rate", lower, by(bare(10)))),
			"to 40 % (10 points down); to 45 % (5 points down); to 30 % (20 points down)",
		},
		"up and down": {alone(said("vat_rate", raise, by(pp(3))), said("vat_rate", lower, by(pp(3)))), "the first; the second"},
		"as it is already": {
			alone(said("vat_rate", settle, to(pct(8)))),
			"to 10 % (2 points up); to 9 % (1 point up); to 12 % (4 points up)",
		},
		"end of nothing": {
			alone(said("job_retention_share", abolish)),
			"it ends, and the control has it at 80 %; it ends, and the control has it at 40 %",
		},
		"nothing changes": {sense{lang: "en", outcomes: []wish{{indicator: sim.CPI}}}, "policy rate: higher; government purchases: lower; VAT: lower"},
		"the same twice": {
			alone(said("redistribution_poor", introduce, to(gdp(2))), said("redistribution_equal", introduce, to(gdp(4)))),
			"the first; the second",
		},
		"an answer to what": {
			alone(said("retaliation_share", introduce, to(pct(100)))),
			"a tariff of 10 %; a tariff of 5 %; a tariff of 15 %",
		},
		"on top or in all": {
			alone(said("inherent_market_consumption_rate", settle, to(gdp(2)))),
			"to 12 % of GDP (2 points up); to 2 % of GDP (8 points down)",
		},
		"held and changed": {
			sense{lang: "en", held: []mention{{levers: []string{"vat_rate"}}}, arms: []arm{{happens: []happening{said("vat_rate", settle, to(pct(5)))}}}},
			"VAT (vat_rate) from 8% to 5%",
		},
		"percent of an index": {
			alone(happening{levers: []string{"vat_rate"}, change: abolish, when: &condition{sim.CPI, true, pct(10)}}),
			"VAT (vat_rate) from 8% to 0% once cpi > 0.1, looked at from month 1 on",
		},
		"a share of what it is none of": {
			alone(said("government_employment_share", settle, to(quantity{unit: percent, x: .4, of: ofMean, text: "40%"}))),
			"to 16 % (2 points up); to 15 % (1 point up); to 18 % (4 points up)",
		},
		"once or monthly": {alone(said("pay", introduce, to(cash(100)), paying("unemployed"))), "every month; once"},
		"a country and a shock": {
			sense{lang: "en", arms: []arm{{place: "oil_shock"}, {place: "de_like"}}},
			"oil_shock (the scenario oil_shock), de_like (the scenario de_like)",
		},
		"up by or to": {alone(said("pension_replacement_rate", raise, by(pct(55)))), "to 62 % (22 points up); to 55 % (15 points up)"},
		"who":         {alone(said("pay", introduce, to(cash(100)))), "the poorest tenth; every household; the unemployed"},
		"stray words": {
			sense{lang: "en", arms: []arm{{happens: []happening{said("vat_rate", settle, to(pct(5)))}}}, marks: []mark{{Span{0, 1}, strayMark, ""}}},
			"VAT (vat_rate) from 8% to 5%",
		},
	} {
		got := resolve(Reading{Question: "q", Language: "en"}, []rune("q"), c.sense, Options{})
		if got.Status != AskedBack || len(got.Questions) == 0 {
			t.Errorf("%s: %s", name, got.Status)
			continue
		}
		var list []string
		for _, choice := range got.Questions[0].Choices {
			list = append(list, choice.Said)
			q, err := inquiry.Decode(choice.Inquiry.Encode())
			if err == nil {
				_, err = q.Scenarios(presetFinder{})
			}
			if err != nil {
				t.Errorf("%s: %s: %v", name, choice.Said, err)
			}
		}
		if text := strings.Join(list, "; "); text != c.said {
			t.Errorf("%s: %s, want %s (%s)", name, text, c.said, got.Questions[0].Ask)
		}
		if len(got.Missing) == 0 {
			t.Errorf("%s: nothing is missing", name)
		}
		taken := resolve(Reading{Question: "q", Language: "en"}, []rune("q"), c.sense, Options{Assume: true})
		if slices.Contains(got.Missing, whatChanges) { // nobody assumes what changes
			if taken.Status != AskedBack || taken.Inquiry != nil || len(taken.Questions) != 1 {
				t.Errorf("%s: assumed %s %v", name, taken.Status, taken.Assumed)
			}
			continue
		}
		if taken.Status != Ready || len(taken.Assumed) == 0 || len(taken.Questions) > 0 {
			t.Errorf("%s: assumed %s %v", name, taken.Status, taken.Assumed)
		}
	}
}

// Outcomes are those of the question, for the group that it names, then what the lever moves first and what
// one looks at in a question of its type.
func TestResolveOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		wishes []wish
		want   string
	}{
		"named": {[]wish{{indicator: sim.CPI, expect: 1}, {indicator: sim.DebtToGDP}}, "cpi 1, debt_to_gdp 0, inflation 0"},
		"of a group": {
			[]wish{{indicator: sim.RealConsumption, expect: 1, group: "bottom_fifth"}},
			"real_consumption_fifth_1 1, real_consumption 1, real_gdp 0",
		},
		"of the poor": {
			[]wish{{indicator: sim.PovertyRate, expect: -1, group: "bottom_fifth"}},
			"real_income_fifth_1 1, poverty_rate -1, real_consumption 0",
		},
		"nothing at all": {nil, "real_consumption 0, real_gdp 0, tax_revenue 0"},
	} {
		s := alone(said("vat_rate", settle, to(pct(5))))
		s.outcomes, s.horizon = c.wishes, 120
		r := resolve(Reading{Question: "q", Language: "en"}, []rune("q"), s, Options{})
		if r.Status != Ready || r.Inquiry.Design.Months != 120 {
			t.Errorf("%s: %s %+v", name, r.Status, r.Questions)
			continue
		}
		var list []string
		for _, o := range r.Inquiry.Outcomes {
			list = append(list, fmt.Sprint(o.Metric, " ", o.Expect))
		}
		if len(list) > mostOutcomes {
			t.Errorf("%s: %d outcomes", name, len(list))
		}
		if text := strings.Join(list[:min(3, len(list))], ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/fault"
)

// dormant are parameters that do nothing while a condition does not hold.
type dormant struct {
	acts   func(p *Params) bool
	needs  string // what makes them act; see needsZH
	params []string
}

var dormantParameters = []dormant{
	{func(p *Params) bool { return p.EnableTrade }, "enable_trade", []string{
		"tariff_rate", "import_share", "armington_elasticity", "export_elasticity", "world_demand_factor", "import_price_factor",
		"world_growth", "exchange_rate_regime"}},
	{
		func(p *Params) bool { return p.EnableTrade && p.ExchangeRateRegime == "fixed" },
		"enable_trade and exchange_rate_regime = fixed",
		[]string{"fixed_exchange_rate"},
	},
	{
		func(p *Params) bool { return p.EnableTrade && p.ExchangeRateRegime == "floating" },
		"enable_trade and exchange_rate_regime = floating",
		[]string{"exchange_rate_adjustment", "exchange_rate_interest_sensitivity", "world_interest_rate"},
	},
	{
		func(p *Params) bool { return p.EnableTrade && p.TariffRate > 0 },
		"enable_trade and a tariff_rate above 0",
		[]string{"retaliation_share"},
	},
	{
		func(p *Params) bool { return p.NumBanks > 1 || p.CentralBankBondShare > 0 },
		"several banks (num_banks) or a central_bank_bond_share above 0",
		[]string{"reserve_corridor"},
	},
	{func(p *Params) bool { return p.BankResolution == "bail_in" }, "bank_resolution = bail_in", []string{"deposit_insurance"}},
	{
		func(p *Params) bool { return p.PolicyRateRule == "taylor" },
		"policy_rate_rule = taylor",
		[]string{"policy_rate_smoothing", "taylor_inflation_coefficient", "taylor_unemployment_coefficient", "max_policy_rate"},
	},
	{func(p *Params) bool { return p.PolicyRateRule == "fixed" }, "policy_rate_rule = fixed", []string{"fixed_policy_rate"}},
	{func(p *Params) bool { return p.EnablePriceAdjustment }, "enable_price_adjustment", []string{"price_adjustment_probability"}},
	{func(p *Params) bool { return p.EnableDismissal }, "enable_dismissal", []string{"dismissal_rate"}},
	{func(p *Params) bool { return p.JobRetentionShare > 0 }, "a job_retention_share above 0", []string{"job_retention_benefit_rate"}},
	{
		func(p *Params) bool { return p.EnableInherentMarket },
		"enable_inherent_market",
		[]string{"inherent_market_consumption_rate", "inherent_market_focus_new_products"},
	},
	{
		func(p *Params) bool { return p.EnableInherentMarket && p.InherentMarketFocusNewProducts },
		"enable_inherent_market and inherent_market_focus_new_products",
		[]string{"procurement_innovation_weight"},
	},
	{func(p *Params) bool { return p.EnableInnovation }, "enable_innovation", []string{
		"innovation_research_share", "innovation_probability", "innovation_labor_productivity_improvement", "innovation_concavity",
		"imitation_probability", "imitation_step", "innovation_productivity_weight", "innovation_price_weight", "innovation_margin_weight",
		"innovation_attribute_weight", "innovation_price_reduction", "innovation_profit_margin_improvement", "innovation_attribute_improvement",
		"research_subsidy_rate"}},
	{
		func(p *Params) bool { return p.EnableInnovation && p.PublicResearchShare > 0 },
		"enable_innovation and a public_research_share above 0",
		[]string{"public_research_spillover"},
	},
	{func(p *Params) bool { return p.WageSubsidyRate > 0 }, "a wage_subsidy_rate above 0", []string{"wage_subsidy_ceiling"}},
	{
		func(p *Params) bool { return p.EnableDynamicJobPosting },
		"enable_dynamic_job_posting",
		[]string{"unemployment_threshold", "job_posting_multiplier", "job_guarantee_wage"},
	},
	{
		func(p *Params) bool { return p.EnableAusterityRule },
		"enable_austerity_rule",
		[]string{"austerity_deficit_limit", "austerity_response"},
	},
	{
		func(p *Params) bool { return p.EnableDebtRule },
		"enable_debt_rule",
		[]string{"debt_target", "debt_rule_level_coefficient", "debt_rule_change_coefficient"},
	},
	{func(p *Params) bool { return p.EnableDemography }, "enable_demography", []string{
		"participation_rate_young", "participation_rate_prime", "participation_rate_older", "retirement_age_shift",
		"pension_replacement_rate", "pension_contribution_rate", "population_growth", "migration_rate"}},
	{
		func(p *Params) bool { return p.EnableOpenEntry },
		"enable_open_entry",
		[]string{"entry_rate", "entry_profit_sensitivity", "entry_profit_reference"},
	},
	{func(p *Params) bool { return p.EnableEngelCurves }, "enable_engel_curves", []string{"engel_slope_factor"}},
	{
		func(p *Params) bool { return p.UniversalBasicIncome > 0 },
		"a universal_basic_income above 0",
		[]string{"basic_income_unit", "basic_income_financing"},
	},
	{func(p *Params) bool { return p.MinimumIncome > 0 }, "a minimum_income above 0", []string{"minimum_income_taper"}},
	{
		func(p *Params) bool { return p.RedistributionStrategy != "none" },
		"a redistribution_strategy",
		[]string{"redistribution_share", "redistribution_financing"},
	},
	{
		func(p *Params) bool { return p.RedistributionStrategy == "mixed" },
		"redistribution_strategy = mixed",
		[]string{"redistribution_poverty_weight", "redistribution_unemployment_weight", "redistribution_family_size_weight"},
	},
	{func(p *Params) bool { return p.AIAdoptionRate > 0 }, "an ai_adoption_rate above 0", []string{
		"ai_adoption_contagion", "ai_productivity_gain", "ai_task_exposure", "ai_licence_fee", "ai_new_task_rate", "ai_mismatch_penalty",
		"robot_tax_rate"}},
	{
		func(p *Params) bool { return p.RetrainingRate > 0 },
		"a retraining_rate above 0",
		[]string{"retraining_cost", "retraining_effect"},
	},
	{
		func(p *Params) bool { return p.GreenLevyRate > 0 || p.GreenLevyByIndustry != NoRates },
		"a green_levy_rate or green_levy_by_industry",
		[]string{"abatement_elasticity", "abatement_speed"},
	},
	{
		func(p *Params) bool { return p.ProductionFunction == "cobb_douglas" },
		"production_function = cobb_douglas",
		[]string{"labor_elasticity"},
	},
	{
		func(p *Params) bool { return p.SuppliersPerIndustry == 0 && p.NumIndustries > 1 },
		"suppliers_per_industry = 0 and several industries",
		[]string{"enable_competitive_market"},
	},
}

// needsZH are the needs in Chinese that are more than identifiers.
var needsZH = map[string]string{
	"enable_trade and exchange_rate_regime = fixed":                  "enable_trade 与 exchange_rate_regime = fixed",
	"enable_trade and exchange_rate_regime = floating":               "enable_trade 与 exchange_rate_regime = floating",
	"enable_trade and a tariff_rate above 0":                         "enable_trade 与大于 0 的 tariff_rate",
	"several banks (num_banks) or a central_bank_bond_share above 0": "多家银行（num_banks）或大于 0 的 central_bank_bond_share",
	"a job_retention_share above 0":                                  "大于 0 的 job_retention_share",
	"enable_inherent_market and inherent_market_focus_new_products":  "enable_inherent_market 与 inherent_market_focus_new_products",
	"enable_innovation and a public_research_share above 0":          "enable_innovation 与大于 0 的 public_research_share",
	"a wage_subsidy_rate above 0":                                    "大于 0 的 wage_subsidy_rate",
	"a universal_basic_income above 0":                               "大于 0 的 universal_basic_income",
	"a minimum_income above 0":                                       "大于 0 的 minimum_income",
	"a redistribution_strategy":                                      "某种 redistribution_strategy",
	"an ai_adoption_rate above 0":                                    "大于 0 的 ai_adoption_rate",
	"a retraining_rate above 0":                                      "大于 0 的 retraining_rate",
	"a green_levy_rate or green_levy_by_industry":                    "green_levy_rate 或 green_levy_by_industry",
	"suppliers_per_industry = 0 and several industries":              "suppliers_per_industry = 0 与多个行业",
}

// Reason says in both languages why something does nothing.
type Reason struct{ EN, ZH string }

// In is the reason in a language, zh or en.
func (r Reason) In(language string) string {
	if language == "zh" {
		return r.ZH
	}
	return r.EN
}

// without is the reason of what does nothing without something.
func without(name, needs string) Reason {
	zh, said := needsZH[needs]
	if !said {
		zh = needs
	}
	if zh[0] < utf8.RuneSelf { // a name stands apart from Chinese words
		zh = " " + zh
	}
	return Reason{name + " does nothing without " + needs, "若无" + zh + "，" + name + " 不起作用"}
}

// Dormant says what a parameter needs to do anything in an economy with parameters p, such as
// "enable_trade"; "" where it acts.
func Dormant(p Params, name string) (needs string) {
	for _, d := range dormantParameters {
		if slices.Contains(d.params, name) && !d.acts(&p) {
			return d.needs
		}
	}
	return ""
}

// Idle is an intervention that can do nothing, or that gives way to another.
type Idle struct {
	Index  int // in the plan, from 0
	Reason Reason
}

// DormantReason is the same in a sentence; the zero value where the parameter acts.
func DormantReason(p Params, name string) Reason {
	needs := Dormant(p, name)
	if needs == "" {
		return Reason{}
	}
	return without(name, needs)
}

// IdleInterventions are those of a plan that can do nothing, or not all that they are for, in an
// economy with parameters p: what they act on is switched off, they set what is so already, or a later
// one of the plan sets it otherwise in the same months. What another of the plan may switch on or change is
// not counted as idle.
func IdleInterventions(p Params, plan []Intervention) (list []Idle) {
	all := p
	touched := map[string]int{} // by how many
	for _, v := range plan {
		if !v.Cancelled {
			all = v.Applied(all)
			for _, name := range v.changes() {
				touched[name]++
			}
		}
	}
	for i, v := range plan {
		if v.Cancelled {
			continue
		}
		for _, reason := range v.idle(p, all, func(name string) bool { return touched[name] > 1 }) {
			list = append(list, Idle{i, reason})
		}
		for k := range plan[i+1:] {
			if reason, ok := v.yields(&plan[i+1+k], p); ok {
				list = append(list, Idle{i, reason})
			}
		}
	}
	return list
}

// yields says what a later one of the plan sets otherwise while both are in force: then the later wins. One
// that simply follows, at a later month that is given, takes over as it is meant to.
func (v *Intervention) yields(later *Intervention, p Params) (reason Reason, ok bool) {
	follows := v.When == "" && later.When == "" && later.TargetMonth > v.TargetMonth
	if later.Cancelled || later.Type == TypeShock || follows || !v.meets(later) {
		return reason, false
	}
	first := v.Applied(p)
	alone, both := later.Applied(p), later.Applied(first)
	var names []string
	for _, name := range later.changes() {
		row, err := Lookup(name)
		if err != nil || !slices.Contains(v.changes(), name) {
			continue
		}
		set := row.Value(&both)
		if row.Value(&first) != row.Value(&p) && row.Value(&first) != set && row.Value(&alone) == set { // what was before does not count
			names = append(names, name)
		}
	}
	if names == nil {
		return reason, false
	}
	of := strings.Join(names, ", ")
	return Reason{
		fmt.Sprintf("%s is set by “%v” and by “%v”: while both are in force the latter wins, which stands later", of, *v, *later),
		fmt.Sprintf("“%v”与“%v”都设定 %s：两者同时有效时，以排在后面的后者为准", v.What(), later.What(), of),
	}, true
}

// meets says whether there may be a month in which both are in force.
func (v *Intervention) meets(other *Intervention) bool {
	ends := func(v *Intervention) int {
		if months := v.duration(); v.When == "" && months > 0 {
			return v.TargetMonth + months - 1
		}
		return math.MaxInt
	}
	return v.TargetMonth <= ends(other) && other.TargetMonth <= ends(v)
}

// changes are the parameters that an intervention changes.
func (v *Intervention) changes() (names []string) {
	switch v.Type {
	case TypePolicy, TypeShock:
		pack, _ := v.pack()
		return pack.Parameters
	}
	for _, change := range v.Parameters {
		names = append(names, change.Name)
	}
	return names
}

// idle says why it can do nothing where p is in force, or all that is planned.
func (v *Intervention) idle(p, all Params, others func(name string) bool) (reasons []Reason) {
	if e, ok := errors.AsType[*fault.Error](v.CheckFits(p)); ok && v.CheckFits(all) != nil {
		return []Reason{{e.Message, "此情景中无法起作用：" + e.Message}}
	}
	alone, together := v.Applied(p), v.Applied(all)
	needs := func(name string) string {
		if Dormant(together, name) == "" {
			return ""
		}
		return Dormant(alone, name)
	}
	if v.Type == TypePolicy || v.Type == TypeShock {
		what := string(v.Type) + " " + v.Policy.Policy + v.Shock.Shock // one of which is empty
		zh := map[InterventionType]string{TypePolicy: "政策 ", TypeShock: "冲击 "}[v.Type] + v.Policy.Policy + v.Shock.Shock
		names := v.changes()
		acts := func(name string) bool { return needs(name) == "" }
		switch {
		case !slices.ContainsFunc(names, acts):
			return []Reason{{without(what, needs(names[0])).EN, without(zh, needs(names[0])).ZH}}
		case alone == p && !slices.ContainsFunc(names, others):
			return []Reason{{what + " changes nothing: what it sets is so already", zh + " 不改变什么：所设之值本已如此"}}
		}
		return nil
	}
	for _, change := range v.Parameters {
		row, _ := Lookup(change.Name)
		if wants := needs(change.Name); wants != "" {
			reasons = append(reasons, without(change.Name, wants))
		} else if row.Value(&alone) == row.Value(&p) && !others(change.Name) {
			is := row.Value(&p)
			reasons = append(reasons, Reason{fmt.Sprintf("%s is %v already", change.Name, is), fmt.Sprintf("%s 本已为 %v", change.Name, is)})
		}
	}
	return reasons
}

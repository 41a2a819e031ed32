package sim

import (
	"errors"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
)

// dormant are parameters that do nothing while a condition does not hold.
type dormant struct {
	acts   func(p *Params) bool
	needs  string // what makes them act
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

// Idle is an intervention that can do nothing.
type Idle struct {
	Index  int // in the plan, from 0
	Reason string
}

// IdleInterventions are those of a plan that can do nothing, or not all that they are for, in an
// economy with parameters p: what they act on is switched off, or they set what is so already. What
// another of the plan may switch on or change is not counted as idle.
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
	}
	return list
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
func (v *Intervention) idle(p, all Params, others func(name string) bool) (reasons []string) {
	if e, ok := errors.AsType[*fault.Error](v.CheckFits(p)); ok && v.CheckFits(all) != nil {
		return []string{e.Message}
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
		names := v.changes()
		acts := func(name string) bool { return needs(name) == "" }
		switch {
		case !slices.ContainsFunc(names, acts):
			return []string{what + " does nothing without " + needs(names[0])}
		case alone == p && !slices.ContainsFunc(names, others):
			return []string{what + " changes nothing: what it sets is so already"}
		}
		return nil
	}
	for _, change := range v.Parameters {
		row, _ := Lookup(change.Name)
		if wants := needs(change.Name); wants != "" {
			reasons = append(reasons, change.Name+" does nothing without "+wants)
		} else if row.Value(&alone) == row.Value(&p) && !others(change.Name) {
			reasons = append(reasons, fmt.Sprintf("%s is %v already", change.Name, row.Value(&p)))
		}
	}
	return reasons
}

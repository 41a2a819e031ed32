package sim

// part is what an economy may lack: without it some parameters do nothing, and some indicators are always
// the same.
type part struct {
	has       func(p *Params) bool
	needs, zh string   // what makes an economy have it, in English and in Chinese
	params    []string // that do nothing without it
}

var (
	trade = &part{func(p *Params) bool { return p.EnableTrade }, "enable_trade", "enable_trade", []string{
		"tariff_rate", "import_share", "armington_elasticity", "export_elasticity", "trade_elasticity_short_run", "trade_adjustment_months", "world_demand_factor", "import_price_factor",
		"world_growth", "exchange_rate_regime"}}
	peg = &part{
		func(p *Params) bool { return p.EnableTrade && p.ExchangeRateRegime == "fixed" },
		"enable_trade and exchange_rate_regime = fixed", "enable_trade 与 exchange_rate_regime = fixed",
		[]string{"fixed_exchange_rate"},
	}
	float = &part{
		func(p *Params) bool { return p.EnableTrade && p.ExchangeRateRegime == "floating" },
		"enable_trade and exchange_rate_regime = floating", "enable_trade 与 exchange_rate_regime = floating",
		[]string{"exchange_rate_adjustment", "exchange_rate_interest_sensitivity", "world_interest_rate"},
	}
	tariff = &part{
		func(p *Params) bool { return p.EnableTrade && p.TariffRate > 0 },
		"enable_trade and a tariff_rate above 0", "enable_trade 与大于 0 的 tariff_rate",
		[]string{"retaliation_share"},
	}
	shortTime = &part{
		func(p *Params) bool { return p.JobRetentionShare > 0 }, "a job_retention_share above 0", "大于 0 的 job_retention_share",
		[]string{"job_retention_benefit_rate"},
	}
	purchases = &part{
		func(p *Params) bool { return p.EnableInherentMarket }, "enable_inherent_market", "enable_inherent_market",
		[]string{"inherent_market_consumption_rate", "inherent_market_focus_new_products"},
	}
	research = &part{func(p *Params) bool { return p.EnableInnovation }, "enable_innovation", "enable_innovation", []string{
		"innovation_research_share", "innovation_probability", "innovation_labor_productivity_improvement", "innovation_concavity",
		"imitation_probability", "imitation_step", "innovation_productivity_weight", "innovation_price_weight",
		"innovation_margin_weight", "innovation_attribute_weight", "innovation_price_reduction", "innovation_profit_margin_improvement",
		"innovation_attribute_improvement", "research_subsidy_rate"}}
	wageSubsidies = &part{
		func(p *Params) bool { return p.WageSubsidyRate > 0 }, "a wage_subsidy_rate above 0", "大于 0 的 wage_subsidy_rate",
		[]string{"wage_subsidy_ceiling"},
	}
	posting = &part{
		func(p *Params) bool { return p.EnableDynamicJobPosting }, "enable_dynamic_job_posting", "enable_dynamic_job_posting",
		[]string{"unemployment_threshold", "job_posting_multiplier", "job_guarantee_wage"},
	}
	demography = &part{func(p *Params) bool { return p.EnableDemography }, "enable_demography", "enable_demography", []string{
		"participation_rate_young", "participation_rate_prime", "participation_rate_older", "retirement_age_shift",
		"pension_replacement_rate", "pension_contribution_rate", "population_growth", "migration_rate"}}
	basicIncome = &part{
		func(p *Params) bool { return p.UniversalBasicIncome > 0 }, "a universal_basic_income above 0", "大于 0 的 universal_basic_income",
		[]string{"basic_income_unit", "basic_income_financing"},
	}
	minimumIncome = &part{
		func(p *Params) bool { return p.MinimumIncome > 0 }, "a minimum_income above 0", "大于 0 的 minimum_income",
		[]string{"minimum_income_taper"},
	}
	redistribution = &part{
		func(p *Params) bool { return p.RedistributionStrategy != "none" }, "a redistribution_strategy", "某种 redistribution_strategy",
		[]string{"redistribution_share", "redistribution_financing"},
	}
	adoption = &part{func(p *Params) bool { return p.AIAdoptionRate > 0 }, "an ai_adoption_rate above 0", "大于 0 的 ai_adoption_rate", []string{
		"ai_adoption_contagion", "ai_productivity_gain", "ai_task_exposure", "ai_licence_fee", "ai_new_task_rate", "ai_mismatch_penalty",
		"robot_tax_rate"}}
	greenLevy = &part{
		func(p *Params) bool { return p.GreenLevyRate > 0 || p.GreenLevyByIndustry != NoRates },
		"a green_levy_rate or green_levy_by_industry", "green_levy_rate 或 green_levy_by_industry",
		[]string{"abatement_elasticity", "abatement_speed"},
	}
	contributions = &part{
		func(p *Params) bool { return p.EnableDemography && p.PensionContributionRate > 0 },
		"enable_demography and a pension_contribution_rate above 0", "enable_demography 与大于 0 的 pension_contribution_rate", nil,
	}
	robotTax = &part{
		func(p *Params) bool { return p.AIAdoptionRate > 0 && p.RobotTaxRate > 0 },
		"an ai_adoption_rate and a robot_tax_rate above 0", "大于 0 的 ai_adoption_rate 与 robot_tax_rate", nil,
	}
)

// parts are those that parameters need.
var parts = []*part{
	trade, peg, float, tariff, shortTime, purchases, research, wageSubsidies, posting, demography, basicIncome,
	minimumIncome, redistribution, adoption, greenLevy,
	{
		func(p *Params) bool { return p.NumBanks > 1 || p.CentralBankBondShare > 0 },
		"several banks (num_banks) or a central_bank_bond_share above 0", "多家银行（num_banks）或大于 0 的 central_bank_bond_share",
		[]string{"reserve_corridor"},
	},
	{
		func(p *Params) bool { return p.BankResolution == "bail_in" }, "bank_resolution = bail_in", "bank_resolution = bail_in",
		[]string{"deposit_insurance"},
	},
	{
		func(p *Params) bool { return p.PolicyRateRule == "taylor" }, "policy_rate_rule = taylor", "policy_rate_rule = taylor",
		[]string{"policy_rate_smoothing", "taylor_inflation_coefficient", "taylor_unemployment_coefficient", "max_policy_rate"},
	},
	{
		func(p *Params) bool { return p.PolicyRateRule == "fixed" }, "policy_rate_rule = fixed", "policy_rate_rule = fixed",
		[]string{"fixed_policy_rate"},
	},
	{
		func(p *Params) bool { return p.EnablePriceAdjustment }, "enable_price_adjustment", "enable_price_adjustment",
		[]string{"price_adjustment_probability", "price_gap_tolerance"},
	},
	{
		func(p *Params) bool { return p.EnableDismissal }, "enable_dismissal", "enable_dismissal",
		[]string{"dismissal_rate"},
	},
	{
		func(p *Params) bool { return p.EnableInherentMarket && p.InherentMarketFocusNewProducts },
		"enable_inherent_market and inherent_market_focus_new_products", "enable_inherent_market 与 inherent_market_focus_new_products",
		[]string{"procurement_innovation_weight"},
	},
	{
		func(p *Params) bool { return p.EnableInnovation && p.PublicResearchShare > 0 },
		"enable_innovation and a public_research_share above 0", "enable_innovation 与大于 0 的 public_research_share",
		[]string{"public_research_spillover"},
	},
	{
		func(p *Params) bool { return p.EnableAusterityRule }, "enable_austerity_rule", "enable_austerity_rule",
		[]string{"austerity_deficit_limit", "austerity_response"},
	},
	{
		func(p *Params) bool { return p.EnableDebtRule }, "enable_debt_rule", "enable_debt_rule",
		[]string{"debt_target", "debt_rule_level_coefficient", "debt_rule_change_coefficient"},
	},
	{
		func(p *Params) bool { return p.EnableOpenEntry }, "enable_open_entry", "enable_open_entry",
		[]string{"entry_rate", "entry_profit_sensitivity", "entry_profit_reference"},
	},
	{
		func(p *Params) bool { return p.RedistributionStrategy == "mixed" },
		"redistribution_strategy = mixed", "redistribution_strategy = mixed",
		[]string{"redistribution_poverty_weight", "redistribution_unemployment_weight", "redistribution_family_size_weight"},
	},
	{
		func(p *Params) bool { return p.RetrainingRate > 0 }, "a retraining_rate above 0", "大于 0 的 retraining_rate",
		[]string{"retraining_cost", "retraining_effect"},
	},
	{
		func(p *Params) bool { return p.ProductionFunction == "cobb_douglas" },
		"production_function = cobb_douglas", "production_function = cobb_douglas",
		[]string{"labor_elasticity"},
	},
	{
		func(p *Params) bool { return p.SuppliersPerIndustry == 0 && p.NumIndustries > 1 },
		"suppliers_per_industry = 0 and several industries", "suppliers_per_industry = 0 与多个行业",
		[]string{"enable_competitive_market"},
	},
}

// costly are the parts without which a programme costs nothing. Banks may fail anywhere, and those who get
// benefits or interest are never none; injections are looked for in the plan.
var costly = map[string]*part{
	"public_employment": {
		func(p *Params) bool { return p.GovernmentEmploymentShare > 0 }, "a government_employment_share above 0",
		"大于 0 的 government_employment_share", nil,
	},
	"public_research": {
		func(p *Params) bool { return p.PublicResearchShare > 0 }, "a public_research_share above 0", "大于 0 的 public_research_share", nil,
	},
	"job_guarantee":  posting,
	"purchases":      purchases,
	"job_retention":  shortTime,
	"pensions":       demography,
	"basic_income":   basicIncome,
	"minimum_income": minimumIncome,
	"redistribution": redistribution,
	"injections":     {func(*Params) bool { return false }, "a payment to a group, an industry or banks", "给某群体、行业或银行的付款", nil},
	"retraining": {
		func(p *Params) bool { return p.RetrainingRate > 0 && p.AIAdoptionRate > 0 }, "a retraining_rate and an ai_adoption_rate above 0",
		"大于 0 的 retraining_rate 与 ai_adoption_rate", nil,
	},
	"wage_subsidies": wageSubsidies,
	"research_subsidies": {
		func(p *Params) bool { return p.ResearchSubsidyRate > 0 && p.EnableInnovation },
		"enable_innovation and a research_subsidy_rate above 0", "enable_innovation 与大于 0 的 research_subsidy_rate", nil,
	},
}

// needs is the part without which an indicator is always the same; nil = none.
func (i Indicator) needs() *part {
	if i.NeedsDemography() {
		return demography
	}
	if k := int(i-firstShares) / 2; i >= firstShares {
		if k < len(booked) {
			return booked[k].needs()
		}
		i = firstCost + Indicator(k-len(booked))
	}
	if k := int(i - firstCost); k >= 0 && k < len(programmes) {
		return costly[programmes[k].ID]
	}
	switch i {
	case TaxContributions:
		return contributions
	case Population, ParticipationRate:
		return demography
	case Exports, Imports, ExchangeRate, ImportPriceIndex, CurrentAccount, NetForeignPosition:
		return trade
	case TaxTariff:
		return tariff
	case TaxLevy:
		return greenLevy
	case TaxRobot:
		return robotTax
	case InnovationEvents:
		return research
	case AIAdoptionShare:
		return adoption
	case JobGuaranteeEmployment:
		return posting
	}
	return nil
}

// In says whether an economy with the given parameters and plan can have another value of the indicator
// than always the same: without trade there are no exports, without demography as many people as ever.
// Where it cannot, needs says what it lacks.
func (i Indicator) In(p Params, plan []Intervention) (needs string, ok bool) {
	lacks := i.needs()
	if lacks == nil || lacks.has(&p) {
		return "", true
	}
	for _, v := range plan {
		if v.Type == TypeInjection && lacks == costly["injections"] {
			return "", true
		}
		p = v.Applied(p) // one after the other: a part may take two of them
		if lacks.has(&p) {
			return "", true
		}
	}
	return lacks.needs, false
}

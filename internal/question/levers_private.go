package question

import "econ-mcp/sim"

// moneyLevers are the central bank, banks and credit.
var moneyLevers = []lever{
	{
		id: "fixed_policy_rate", unit: rateUnit, step: .01, along: with("policy_rate_rule", "fixed"),
		outcome: sim.Inflation,
	},
	{
		id: "policy_rate_fixed", of: "policy_rate_rule", unit: choiceUnit, en: "fixed policy rate", zh: "固定政策利率", value: "fixed",
		end: "taylor", outcome: sim.Inflation,
	},
	{
		id: "policy_rate_taylor", of: "policy_rate_rule", unit: choiceUnit, en: "Taylor rule", zh: "泰勒规则", value: "taylor", end: "fixed",
		outcome: sim.Inflation,
	},
	{id: "max_policy_rate", unit: rateUnit, step: .02, outcome: sim.Inflation},
	{id: "inflation_target", unit: rateUnit, step: .02, outcome: sim.Inflation},
	{
		id: "taylor_inflation_coefficient", unit: numberUnit, step: .5,
		outcome: sim.Inflation,
	},
	{
		id: "taylor_unemployment_coefficient", unit: numberUnit,
		step: .5, outcome: sim.UnemploymentRate,
	},
	{
		id: "central_bank_bond_share", unit: rateUnit,
		step: .3, outcome: sim.MoneyStock,
	},
	{id: "capital_requirement", unit: rateUnit, step: .02, outcome: sim.CreditStock},
	{
		id: "countercyclical_buffer", unit: rateUnit, step: .025, outcome: sim.CreditStock,
	},
	{id: "max_leverage", unit: rateUnit, step: .1, outcome: sim.CreditStock},
	{id: "credit_supply_factor", unit: factorUnit, step: .2, outcome: sim.CreditStock},
	{id: "loan_spread", unit: rateUnit, step: .01, outcome: sim.RealInvestment},
	{id: "deposit_spread", unit: rateUnit, step: .01, outcome: sim.RealConsumption},
	{id: "amortisation_rate", unit: monthlyUnit, step: .01, outcome: sim.CreditStock},
	{
		id: "bail_in", of: "bank_resolution", unit: choiceUnit, en: "bail-in of failing banks", zh: "银行内部纾困", value: "bail_in", end: "bailout",
		outcome: sim.BankFailures,
	},
	{
		id: "bailout", of: "bank_resolution", unit: choiceUnit, en: "bailout of failing banks", zh: "政府救助银行", value: "bailout", end: "bail_in",
		outcome: sim.BankFailures,
	},
	{
		id: "deposit_insurance", unit: wagesUnit, step: 12, needs: with("bank_resolution", "bail_in"),
		outcome: sim.BankFailures,
	},
	{id: "num_banks", unit: numberUnit, step: 2, outcome: sim.CreditStock},
}

// worldLevers are trade and the exchange rate.
var worldLevers = []lever{
	{id: "retaliation_share", unit: levelUnit, step: 1, needs: trade, outcome: sim.Exports},
	{id: "enable_trade", unit: switchUnit, value: true, end: false, outcome: sim.RealGDP},
	{id: "import_price_factor", unit: factorUnit, step: .2, needs: trade, outcome: sim.CPI},
	{id: "world_demand_factor", unit: factorUnit, step: .1, needs: trade, outcome: sim.Exports},
	{id: "import_share", unit: rateUnit, step: .05, needs: trade, outcome: sim.Imports},
	{id: "world_growth", unit: yearlyUnit, step: .01, needs: trade, outcome: sim.Exports},
	{id: "world_inflation", unit: yearlyUnit, step: .02, needs: trade, outcome: sim.CPI},
	{id: "world_interest_rate", unit: yearlyUnit, step: .01, needs: trade, outcome: sim.ExchangeRate},
	{
		id: "fixed_exchange_rate", unit: factorUnit, step: .1, needs: trade,
		along: with("exchange_rate_regime", "fixed"), outcome: sim.CurrentAccount,
	},
	{
		id: "exchange_rate_peg", of: "exchange_rate_regime", unit: choiceUnit, en: "fixed exchange rate", zh: "固定汇率", value: "fixed",
		end: "floating", needs: trade, outcome: sim.CurrentAccount,
	},
	{
		id: "exchange_rate_float", of: "exchange_rate_regime", unit: choiceUnit, en: "floating exchange rate", zh: "浮动汇率", value: "floating",
		end: "fixed", needs: trade, outcome: sim.CurrentAccount,
	},
}

// firmLevers are demand, production, the labour market, competition, innovation and AI.
var firmLevers = []lever{
	{id: "consumption_demand_factor", unit: factorUnit, step: .05, outcome: sim.RealGDP},
	{
		id: "propensity_to_consume_income", unit: rateUnit, step: .03,
		outcome: sim.RealConsumption,
	},
	{
		id: "confidence", kind: shockLever, unit: indexPoints, step: .02, persist: .95, outcome: sim.RealGDP,
	},
	{id: "disaster", kind: shockLever, unit: levelUnit, step: .05, outcome: sim.RealGDP},
	{
		id: "industry_demand", kind: shockLever, unit: deviationUnit, step: .2, persist: 1,
		outcome: sim.RealGDP,
	},
	{
		id: "industry_supply", kind: shockLever, unit: deviationUnit, step: .3, persist: 1,
		outcome: sim.RealGDP,
	},
	{id: "labor_productivity_factor", unit: indexUnit, step: 10, outcome: sim.RealWageMean},
	{id: "depreciation_rate", unit: monthlyUnit, step: .002, outcome: sim.RealInvestment},

	{id: "wage_inflation_indexation", unit: levelUnit, step: .5, outcome: sim.Inflation},
	{
		id: "wage_productivity_indexation", unit: levelUnit, step: .2,
		outcome: sim.LabourShare,
	},
	{id: "dismissal_rate", unit: partUnit, step: .05, outcome: sim.UnemploymentRate},
	{id: "enable_dismissal", unit: switchUnit, value: true, end: false, outcome: sim.UnemploymentRate},
	{id: "separation_rate", unit: monthlyUnit, step: .005, outcome: sim.UnemploymentRate},
	{id: "matching_efficiency", unit: partUnit, step: .02, outcome: sim.UnemploymentRate},
	{id: "job_search_intensity", unit: numberUnit, step: 2, outcome: sim.UnemploymentRate},
	{id: "on_the_job_search_rate", unit: rateUnit, step: .01, outcome: sim.RealWageMean},
	{id: "reservation_wage_ratio", unit: partUnit, step: .1, outcome: sim.UnemploymentRate},
	{id: "skill_dispersion", unit: numberUnit, step: .1, outcome: sim.IncomeGini},

	{id: "innovation_research_share", unit: rateUnit, step: .01, outcome: sim.InnovationEvents},
	{id: "innovation_probability", unit: partUnit, step: .02, outcome: sim.InnovationEvents},
	{id: "imitation_probability", unit: partUnit, step: .01, outcome: sim.LabourProductivity},
	{id: "enable_innovation", unit: switchUnit, value: true, end: false, outcome: sim.LabourProductivity},
	{id: "consumption_mark_up", unit: rateUnit, step: .1, outcome: sim.RealWageMean},
	{id: "capital_mark_up", unit: rateUnit, step: .05, outcome: sim.RealInvestment},
	{
		id: "entry_rate", unit: partUnit, step: .04, needs: with("enable_open_entry", true),
		outcome: sim.FirmCount,
	},
	{id: "closure_rate", unit: partUnit, step: .009, outcome: sim.FirmExits},
	{id: "households_per_firm", unit: numberUnit, step: 6, outcome: sim.HHI},
	{
		id: "enable_competitive_market", unit: switchUnit, value: true, end: false,
		outcome: sim.MarkUp,
	},
	{id: "supplier_search_rate", unit: partUnit, step: .05, outcome: sim.MarkUp},
	{id: "price_sensitivity", unit: numberUnit, step: 1, outcome: sim.MarkUp},
	{
		id: "enable_price_adjustment", unit: switchUnit, value: true, end: false, outcome: sim.Inflation,
	},
	{id: "payout_rate", unit: partUnit, step: .1, outcome: sim.RealInvestment},

	{
		id: "ai_adoption_rate", unit: monthlyUnit, step: .01,
		outcome: sim.LabourShare,
	},
	{
		id: "ai_adoption_contagion", unit: numberUnit, step: 2, needs: spread,
		outcome: sim.AIAdoptionShare,
	},
	{
		id: "ai_productivity_gain", unit: rateUnit, step: .1,
		needs: spread, outcome: sim.LabourShare,
	},
	{
		id: "ai_task_exposure", unit: rateUnit, step: .2,
		needs: spread, outcome: sim.LabourShare,
	},
	{
		id: "ai_licence_fee", unit: rateUnit, step: .2, needs: spread,
		outcome: sim.AIAdoptionShare,
	},
	{
		id: "ai_new_task_rate", unit: monthlyUnit, step: .003, needs: spread,
		outcome: sim.LabourShare,
	},
	{
		id: "ai_mismatch_penalty", unit: rateUnit, step: .2, needs: spread,
		outcome: sim.UnemploymentRate,
	},
}

// shocks are what befalls an economy, rather than what somebody decides.
var shocks = []string{"import_price_factor", "world_demand_factor", "consumption_demand_factor", "credit_supply_factor", "confidence",
	"disaster", "industry_demand",
	"industry_supply", "labor_productivity_factor"}

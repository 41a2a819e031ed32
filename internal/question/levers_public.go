package question

import "econ-mcp/sim"

// taxLevers are taxes.
var taxLevers = []lever{
	{id: "income_tax_rate", step: .02, outcome: sim.RealConsumption},
	{id: "vat_rate", step: .02, outcome: sim.RealConsumption},
	{id: "corporate_tax_rate", step: .04, outcome: sim.RealInvestment},
	{id: "tax_allowance", unit: meanUnit, step: .2, outcome: sim.IncomeGini},
	{
		id: "progressive_tax", kind: policyLever, unit: levelUnit,
		step: .5, outcome: sim.IncomeGini,
	},
	{id: "green_levy_rate", step: .05, outcome: sim.Emissions},
	{id: "robot_tax_rate", step: .5, needs: spread, outcome: sim.AIAdoptionShare},
	{id: "tariff_rate", step: .1, needs: trade, outcome: sim.Imports},
	{id: "pension_contribution_rate", step: .03, needs: ages, outcome: sim.DeficitToGDP},
}

// spendingLevers are public spending and its rules.
var spendingLevers = []lever{
	{
		id: "inherent_market_consumption_rate", unit: gdpUnit, step: .02, outcome: sim.RealGDP,
	},
	{id: "enable_inherent_market", unit: switchUnit, value: true, end: false, outcome: sim.RealGDP},
	{
		id: "inherent_market_focus_new_products", unit: switchUnit,
		value: true, end: false, outcome: sim.InnovationEvents,
	},
	{id: "government_employment_share", unit: partUnit, step: .02, outcome: sim.EmploymentRate},
	{id: "austerity", kind: policyLever, unit: levelUnit, step: .1, outcome: sim.DeficitToGDP},
	{
		id: "enable_austerity_rule", unit: switchUnit, value: true, end: false,
		outcome: sim.DeficitToGDP,
	},
	{
		id: "austerity_deficit_limit", unit: gdpUnit, step: .01,
		along: with("enable_austerity_rule", true), outcome: sim.DeficitToGDP,
	},
	{
		id: "enable_debt_rule", unit: switchUnit, value: true, end: false, outcome: sim.DebtToGDP,
	},
	{id: "debt_target", unit: gdpUnit, step: .3, outcome: sim.DebtToGDP},
	{id: "public_research_share", unit: gdpUnit, step: .01, outcome: sim.LabourProductivity},
	{
		id: "research_subsidy_rate", unit: rateUnit, step: .3, outcome: sim.InnovationEvents,
	},
	{id: "wage_subsidy_rate", unit: rateUnit, step: .2, outcome: sim.EmploymentRate},
	{
		id: "wage_subsidy_ceiling", unit: medianUnit, step: .2,
		outcome: sim.EmploymentRate,
	},
	{id: "job_retention_share", unit: rateUnit, step: .8, outcome: sim.UnemploymentRate},
	{
		id: "job_retention_benefit_rate", unit: partUnit, step: .2, outcome: sim.UnemploymentRate,
	},
	{id: "job_guarantee", kind: policyLever, unit: meanUnit, step: .5, outcome: sim.UnemploymentRate},
	{id: "retraining_rate", unit: monthlyUnit, step: .1, needs: spread, outcome: sim.UnemploymentRate},
	{
		id: "retraining_cost", unit: wagesUnit, step: 1, needs: spread,
		outcome: sim.UnemploymentRate,
	},
}

// peopleLevers are benefits, payments and the population.
var peopleLevers = []lever{
	{id: "unemployment_benefit_rate", unit: partUnit, step: .1, outcome: sim.UnemploymentRate},
	{id: "benefit_months", unit: spanUnit, step: 6, outcome: sim.UnemploymentRate},
	{
		id: "long_term_benefit_factor", unit: partUnit, step: .2,
		outcome: sim.PovertyRate,
	},
	{id: "universal_basic_income", unit: meanUnit, step: .1, outcome: sim.PovertyRate},
	{id: "minimum_income", unit: meanUnit, step: .3, outcome: sim.PovertyRate},
	{
		id: "minimum_income_taper", unit: rateUnit, step: .25,
		outcome: sim.EmploymentRate,
	},
	{
		id: "redistribution_equal", of: "redistribution_share", unit: gdpUnit, en: "redistribution to all alike", zh: "平均再分配", step: .04,
		along: with("redistribution_strategy", "equal"), outcome: sim.IncomeGini,
	},
	{
		id: "redistribution_poor", of: "redistribution_share", unit: gdpUnit, en: "redistribution to the poor", zh: "向贫困家庭再分配", step: .04,
		along: with("redistribution_strategy", "poverty_focused"), outcome: sim.PovertyRate,
	},
	{
		id: "redistribution_unemployed", of: "redistribution_share", unit: gdpUnit, en: "redistribution to those without work",
		zh: "向失业者再分配", step: .04, along: with("redistribution_strategy", "unemployment_focused"), outcome: sim.PovertyRate,
	},
	{
		id: "redistribution_families", of: "redistribution_share", unit: gdpUnit, en: "redistribution by the size of families",
		zh: "按家庭人口再分配", step: .04, along: with("redistribution_strategy", "family_size"), outcome: sim.PovertyRate,
	},
	{
		id: "redistribution_income", of: "redistribution_share", unit: gdpUnit, en: "redistribution in proportion to income",
		zh: "按收入比例分配", step: .04, along: with("redistribution_strategy", "income_proportional"), outcome: sim.IncomeGini,
	},
	{
		id: "redistribution_mixed", of: "redistribution_share", unit: gdpUnit, en: "redistribution to the poor, the jobless and families",
		zh: "混合再分配", step: .04, along: with("redistribution_strategy", "mixed"), outcome: sim.IncomeGini,
	},
	{id: "pay", kind: paymentLever, unit: moneyUnit, en: "payment", zh: "发钱", step: 300, outcome: sim.RealConsumption},
	{id: "minimum_wage", unit: medianUnit, step: .5, outcome: sim.EmploymentRate},
	{id: "pension_replacement_rate", unit: partUnit, step: .1, needs: ages, outcome: sim.DeficitToGDP},
	{id: "retirement_age_shift", unit: yearsUnit, step: 2, needs: ages, outcome: sim.ParticipationRate},
	{
		id: "population_growth", unit: yearlyUnit, step: .01,
		needs: newcomer, outcome: sim.RealGDP,
	},
	{id: "migration_rate", unit: monthlyUnit, step: .001, needs: newcomer, outcome: sim.RealWageMean},
	{
		id: "participation_rate_young", unit: rateUnit, step: .05, needs: ages,
		outcome: sim.ParticipationRate,
	},
	{
		id: "participation_rate_prime", unit: rateUnit, step: .03, needs: ages,
		outcome: sim.ParticipationRate,
	},
	{
		id: "participation_rate_older", unit: rateUnit, step: .1, needs: ages,
		outcome: sim.ParticipationRate,
	},
}

package question

import "econ-mcp/sim"

// taxLevers are taxes.
var taxLevers = []lever{
	{id: "income_tax_rate", en: "income tax", zh: "所得税", step: .02, outcome: sim.RealConsumption},
	{id: "vat_rate", en: "VAT", zh: "增值税", step: .02, outcome: sim.RealConsumption},
	{id: "corporate_tax_rate", en: "corporate tax", zh: "企业所得税", step: .04, outcome: sim.RealInvestment},
	{id: "tax_allowance", unit: meanUnit, en: "tax allowance", zh: "个税免征额", step: .2, outcome: sim.IncomeGini},
	{
		id: "progressive_tax", kind: policyLever, unit: levelUnit, en: "top rate of income tax", zh: "累进所得税最高税率",
		step: .5, outcome: sim.IncomeGini,
	},
	{id: "green_levy_rate", en: "carbon levy", zh: "碳税", step: .05, outcome: sim.Emissions},
	{id: "robot_tax_rate", en: "robot tax", zh: "机器人税", step: .5, needs: spread, outcome: sim.AIAdoptionShare},
	{id: "tariff_rate", en: "tariff", zh: "关税", step: .1, needs: trade, outcome: sim.Imports},
	{id: "pension_contribution_rate", en: "pension contribution", zh: "养老保险缴费率", step: .03, needs: ages, outcome: sim.DeficitToGDP},
}

// spendingLevers are public spending and its rules.
var spendingLevers = []lever{
	{
		id: "inherent_market_consumption_rate", unit: gdpUnit, en: "public purchases", zh: "政府采购", step: .02, outcome: sim.RealGDP,
	},
	{id: "enable_inherent_market", unit: switchUnit, en: "public purchases", zh: "政府采购", value: true, end: false, outcome: sim.RealGDP},
	{
		id: "inherent_market_focus_new_products", unit: switchUnit, en: "public procurement that prefers innovators", zh: "优先采购创新产品",
		value: true, end: false, outcome: sim.InnovationEvents,
	},
	{id: "government_employment_share", unit: partUnit, en: "public employment", zh: "公共部门就业", step: .02, outcome: sim.EmploymentRate},
	{id: "austerity", kind: policyLever, unit: levelUnit, en: "austerity", zh: "财政紧缩", step: .1, outcome: sim.DeficitToGDP},
	{
		id: "enable_austerity_rule", unit: switchUnit, en: "rule that cuts spending in a deficit", zh: "赤字规则", value: true, end: false,
		outcome: sim.DeficitToGDP,
	},
	{
		id: "austerity_deficit_limit", unit: gdpUnit, en: "limit on the deficit", zh: "赤字上限", step: .01,
		along: with("enable_austerity_rule", true), outcome: sim.DeficitToGDP,
	},
	{
		id: "enable_debt_rule", unit: switchUnit, en: "debt rule", zh: "债务规则", value: true, end: false, outcome: sim.DebtToGDP,
	},
	{id: "debt_target", unit: gdpUnit, en: "target of public debt", zh: "公共债务目标", step: .3, outcome: sim.DebtToGDP},
	{id: "public_research_share", unit: gdpUnit, en: "public research", zh: "公共研究支出", step: .01, outcome: sim.LabourProductivity},
	{
		id: "research_subsidy_rate", unit: rateUnit, en: "research subsidy", zh: "研发补贴", step: .3, outcome: sim.InnovationEvents,
	},
	{id: "wage_subsidy_rate", unit: rateUnit, en: "subsidy on low wages", zh: "低薪工资补贴", step: .2, outcome: sim.EmploymentRate},
	{
		id: "wage_subsidy_ceiling", unit: medianUnit, en: "highest wage that is subsidised", zh: "工资补贴上限", step: .2,
		outcome: sim.EmploymentRate,
	},
	{id: "job_retention_share", unit: rateUnit, en: "short-time work", zh: "短时工作", step: .8, outcome: sim.UnemploymentRate},
	{
		id: "job_retention_benefit_rate", unit: partUnit, en: "pay on short time", zh: "短时工作补偿", step: .2, outcome: sim.UnemploymentRate,
	},
	{id: "job_guarantee", kind: policyLever, unit: meanUnit, en: "job guarantee", zh: "就业保障", step: .5, outcome: sim.UnemploymentRate},
	{id: "retraining_rate", unit: monthlyUnit, en: "retraining", zh: "再培训", step: .1, needs: spread, outcome: sim.UnemploymentRate},
	{
		id: "retraining_cost", unit: wagesUnit, en: "allowance of a course", zh: "培训津贴", step: 1, needs: spread,
		outcome: sim.UnemploymentRate,
	},
}

// peopleLevers are benefits, payments and the population.
var peopleLevers = []lever{
	{id: "unemployment_benefit_rate", unit: partUnit, en: "unemployment benefit", zh: "失业救济金", step: .1, outcome: sim.UnemploymentRate},
	{id: "benefit_months", unit: spanUnit, en: "duration of unemployment benefit", zh: "失业救济期限", step: 6, outcome: sim.UnemploymentRate},
	{
		id: "long_term_benefit_factor", unit: partUnit, en: "benefit of the long-term unemployed", zh: "长期失业者救济", step: .2,
		outcome: sim.PovertyRate,
	},
	{id: "universal_basic_income", unit: meanUnit, en: "basic income", zh: "基本收入", step: .1, outcome: sim.PovertyRate},
	{id: "minimum_income", unit: meanUnit, en: "minimum income", zh: "最低收入保障", step: .3, outcome: sim.PovertyRate},
	{
		id: "minimum_income_taper", unit: rateUnit, en: "taper of the minimum income", zh: "最低收入递减率", step: .25,
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
	{id: "minimum_wage", unit: medianUnit, en: "minimum wage", zh: "最低工资", step: .5, outcome: sim.EmploymentRate},
	{id: "pension_replacement_rate", unit: partUnit, en: "pension", zh: "养老金", step: .1, needs: ages, outcome: sim.DeficitToGDP},
	{id: "retirement_age_shift", unit: yearsUnit, en: "retirement age", zh: "退休年龄", step: 2, needs: ages, outcome: sim.ParticipationRate},
	{
		id: "population_growth", unit: yearlyUnit, en: "growth of the population", zh: "人口增长", step: .01,
		needs: newcomer, outcome: sim.RealGDP,
	},
	{id: "migration_rate", unit: monthlyUnit, en: "immigration", zh: "移民", step: .001, needs: newcomer, outcome: sim.RealWageMean},
	{
		id: "participation_rate_young", unit: rateUnit, en: "participation of those under 30", zh: "青年劳动参与率", step: .05, needs: ages,
		outcome: sim.ParticipationRate,
	},
	{
		id: "participation_rate_prime", unit: rateUnit, en: "participation of those of 30 to 54", zh: "壮年劳动参与率", step: .03, needs: ages,
		outcome: sim.ParticipationRate,
	},
	{
		id: "participation_rate_older", unit: rateUnit, en: "participation of those of 55 to 64", zh: "大龄劳动参与率", step: .1, needs: ages,
		outcome: sim.ParticipationRate,
	},
}

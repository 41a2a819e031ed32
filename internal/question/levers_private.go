package question

import "econ-mcp/sim"

var aiStandard = .01 // that of the preset ai_wave

// moneyLevers are the central bank, banks and credit.
var moneyLevers = []lever{
	{
		id: "fixed_policy_rate", unit: rateUnit, en: "policy rate", zh: "政策利率", step: .01, along: with("policy_rate_rule", "fixed"),
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
	{id: "inflation_target", unit: rateUnit, en: "inflation target", zh: "通胀目标", step: .02, outcome: sim.Inflation},
	{
		id: "taylor_inflation_coefficient", unit: numberUnit, en: "answer of the central bank to inflation", zh: "央行对通胀的反应", step: .5,
		outcome: sim.Inflation,
	},
	{
		id: "taylor_unemployment_coefficient", unit: numberUnit, en: "answer of the central bank to unemployment", zh: "央行对失业的反应",
		step: .5, outcome: sim.UnemploymentRate,
	},
	{
		id: "central_bank_bond_share", unit: rateUnit, en: "public debt held by the central bank", zh: "央行持有国债比例",
		step: .3, outcome: sim.MoneyStock,
	},
	{id: "capital_requirement", unit: rateUnit, en: "capital requirement of banks", zh: "银行资本要求", step: .02, outcome: sim.CreditStock},
	{
		id: "countercyclical_buffer", unit: rateUnit, en: "countercyclical buffer", zh: "逆周期资本缓冲", step: .025, outcome: sim.CreditStock,
	},
	{id: "max_leverage", unit: rateUnit, en: "leverage limit of firms", zh: "企业杠杆率上限", step: .1, outcome: sim.CreditStock},
	{id: "credit_supply_factor", unit: factorUnit, en: "bank lending", zh: "银行放贷", step: .2, outcome: sim.CreditStock},
	{id: "loan_spread", unit: rateUnit, en: "spread on loans", zh: "贷款利差", step: .01, outcome: sim.RealInvestment},
	{id: "deposit_spread", unit: rateUnit, en: "spread on deposits", zh: "存款利差", step: .01, outcome: sim.RealConsumption},
	{id: "amortisation_rate", unit: monthlyUnit, en: "repayment of loans", zh: "贷款偿还率", step: .01, outcome: sim.CreditStock},
	{
		id: "bail_in", of: "bank_resolution", unit: choiceUnit, en: "bail-in of failing banks", zh: "银行内部纾困", value: "bail_in", end: "bailout",
		outcome: sim.BankFailures,
	},
	{
		id: "bailout", of: "bank_resolution", unit: choiceUnit, en: "bailout of failing banks", zh: "政府救助银行", value: "bailout", end: "bail_in",
		outcome: sim.BankFailures,
	},
	{
		id: "deposit_insurance", unit: wagesUnit, en: "deposit insurance", zh: "存款保险", step: 12, needs: with("bank_resolution", "bail_in"),
		outcome: sim.BankFailures,
	},
	{id: "num_banks", unit: numberUnit, en: "number of banks", zh: "银行数量", step: 2, outcome: sim.CreditStock},
}

// worldLevers are trade and the exchange rate.
var worldLevers = []lever{
	{id: "retaliation_share", unit: levelUnit, en: "retaliation abroad", zh: "外国报复性关税", step: 1, needs: trade, outcome: sim.Exports},
	{id: "enable_trade", unit: switchUnit, en: "foreign trade", zh: "对外贸易", value: true, end: false, outcome: sim.RealGDP},
	{id: "import_price_factor", unit: factorUnit, en: "import prices", zh: "进口价格", step: .2, needs: trade, outcome: sim.CPI},
	{id: "world_demand_factor", unit: factorUnit, en: "foreign demand", zh: "外需", step: .1, needs: trade, outcome: sim.Exports},
	{id: "import_share", unit: rateUnit, en: "import share", zh: "进口占比", step: .05, needs: trade, outcome: sim.Imports},
	{id: "world_growth", unit: yearlyUnit, en: "growth abroad", zh: "世界增长", step: .01, needs: trade, outcome: sim.Exports},
	{id: "world_inflation", unit: yearlyUnit, en: "inflation abroad", zh: "国外通胀", step: .02, needs: trade, outcome: sim.CPI},
	{id: "world_interest_rate", unit: yearlyUnit, en: "interest abroad", zh: "国外利率", step: .01, needs: trade, outcome: sim.ExchangeRate},
	{
		id: "fixed_exchange_rate", unit: factorUnit, en: "exchange rate", zh: "汇率", step: .1, needs: trade,
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
	{id: "consumption_demand_factor", unit: factorUnit, en: "what households spend", zh: "居民消费需求", step: .05, outcome: sim.RealGDP},
	{
		id: "propensity_to_consume_income", unit: rateUnit, en: "propensity to consume", zh: "消费倾向", step: .03,
		outcome: sim.RealConsumption,
	},
	{
		id: "confidence", kind: shockLever, unit: indexPoints, en: "confidence", zh: "信心", step: .02, persist: .95, outcome: sim.RealGDP,
	},
	{id: "disaster", kind: shockLever, unit: levelUnit, en: "destruction of capital", zh: "资本毁损", step: .05, outcome: sim.RealGDP},
	{
		id: "industry_demand", kind: shockLever, unit: deviationUnit, en: "demand for one industry", zh: "行业需求", step: .2, persist: 1,
		outcome: sim.RealGDP,
	},
	{
		id: "industry_supply", kind: shockLever, unit: deviationUnit, en: "capacity of one industry", zh: "行业产能", step: .3, persist: 1,
		outcome: sim.RealGDP,
	},
	{id: "labor_productivity_factor", unit: indexUnit, en: "labour productivity", zh: "劳动生产率", step: 10, outcome: sim.RealWageMean},
	{id: "depreciation_rate", unit: monthlyUnit, en: "wear of capital", zh: "资本折旧", step: .002, outcome: sim.RealInvestment},

	{id: "wage_inflation_indexation", unit: levelUnit, en: "indexation of wages", zh: "工资与通胀挂钩程度", step: .5, outcome: sim.Inflation},
	{
		id: "wage_productivity_indexation", unit: levelUnit, en: "bargaining power of workers", zh: "劳方议价能力", step: .2,
		outcome: sim.LabourShare,
	},
	{id: "dismissal_rate", unit: partUnit, en: "dismissals", zh: "裁员", step: .05, outcome: sim.UnemploymentRate},
	{id: "enable_dismissal", unit: switchUnit, en: "dismissals", zh: "裁员", value: true, end: false, outcome: sim.UnemploymentRate},
	{id: "separation_rate", unit: monthlyUnit, en: "separations", zh: "离职率", step: .005, outcome: sim.UnemploymentRate},
	{id: "matching_efficiency", unit: partUnit, en: "efficiency of job matching", zh: "职位匹配效率", step: .02, outcome: sim.UnemploymentRate},
	{id: "job_search_intensity", unit: numberUnit, en: "job search", zh: "求职强度", step: 2, outcome: sim.UnemploymentRate},
	{id: "on_the_job_search_rate", unit: rateUnit, en: "search on the job", zh: "在职求职", step: .01, outcome: sim.RealWageMean},
	{id: "reservation_wage_ratio", unit: partUnit, en: "reservation wage", zh: "保留工资", step: .1, outcome: sim.UnemploymentRate},
	{id: "skill_dispersion", unit: numberUnit, en: "dispersion of skill", zh: "技能差距", step: .1, outcome: sim.IncomeGini},

	{id: "innovation_research_share", unit: rateUnit, en: "research of firms", zh: "企业研发投入", step: .01, outcome: sim.InnovationEvents},
	{id: "innovation_probability", unit: partUnit, en: "success of research", zh: "创新成功率", step: .02, outcome: sim.InnovationEvents},
	{id: "imitation_probability", unit: partUnit, en: "imitation", zh: "模仿", step: .01, outcome: sim.LabourProductivity},
	{id: "enable_innovation", unit: switchUnit, en: "innovation", zh: "创新", value: true, end: false, outcome: sim.LabourProductivity},
	{id: "consumption_mark_up", unit: rateUnit, en: "mark-up", zh: "加成率", step: .1, outcome: sim.RealWageMean},
	{id: "capital_mark_up", unit: rateUnit, en: "mark-up on machines", zh: "资本品加成率", step: .05, outcome: sim.RealInvestment},
	{
		id: "entry_rate", unit: partUnit, en: "founding of firms", zh: "企业进入率", step: .04, needs: with("enable_open_entry", true),
		outcome: sim.FirmCount,
	},
	{id: "closure_rate", unit: partUnit, en: "closure of empty firms", zh: "企业退出率", step: .009, outcome: sim.FirmExits},
	{id: "households_per_firm", unit: numberUnit, en: "size of firms", zh: "企业规模", step: 6, outcome: sim.HHI},
	{
		id: "enable_competitive_market", unit: switchUnit, en: "comparison of suppliers", zh: "竞争性市场", value: true, end: false,
		outcome: sim.MarkUp,
	},
	{id: "supplier_search_rate", unit: partUnit, en: "search for cheaper suppliers", zh: "比价", step: .05, outcome: sim.MarkUp},
	{id: "price_sensitivity", unit: numberUnit, en: "price sensitivity", zh: "价格敏感度", step: 1, outcome: sim.MarkUp},
	{
		id: "enable_price_adjustment", unit: switchUnit, en: "changes of prices", zh: "企业调价", value: true, end: false, outcome: sim.Inflation,
	},
	{id: "payout_rate", unit: partUnit, en: "dividends of firms", zh: "企业分红", step: .1, outcome: sim.RealInvestment},

	{
		id: "ai_adoption_rate", unit: monthlyUnit, en: "adoption of AI", zh: "人工智能采用", step: .01, standard: &aiStandard,
		outcome: sim.LabourShare,
	},
	{
		id: "ai_adoption_contagion", unit: numberUnit, en: "contagion of AI", zh: "人工智能传播", step: 2, needs: spread,
		outcome: sim.AIAdoptionShare,
	},
	{
		id: "ai_productivity_gain", unit: rateUnit, en: "labour saved by AI", zh: "人工智能节省的劳动", step: .1,
		needs: spread, outcome: sim.LabourShare,
	},
	{
		id: "ai_task_exposure", unit: rateUnit, en: "tasks that AI can do", zh: "人工智能可完成的任务", step: .2,
		needs: spread, outcome: sim.LabourShare,
	},
	{
		id: "ai_licence_fee", unit: rateUnit, en: "licence fee for AI", zh: "人工智能许可费", step: .2, needs: spread,
		outcome: sim.AIAdoptionShare,
	},
	{
		id: "ai_new_task_rate", unit: monthlyUnit, en: "new tasks for labour", zh: "新任务", step: .003, needs: spread,
		outcome: sim.LabourShare,
	},
	{
		id: "ai_mismatch_penalty", unit: rateUnit, en: "mismatch after AI", zh: "人工智能造成的错配", step: .2, needs: spread,
		outcome: sim.UnemploymentRate,
	},
}

package design

import "econ-mcp/sim"

// fiscalLevers are taxes, public spending, demand and shocks to it.
var fiscalLevers = []row{
	{
		id: "income_tax_rate", kind: KindParameter, of: Tax, unit: rateUnit,
		en:      []string{"income tax", "income tax rate", "personal income tax", "tax on income", "tax on wage", "wage tax", "income taxation", "-tax cut", "+tax hike", "+tax increase", "tax on labor", "labor tax", "?tax", "?tax rate", "personal tax", "?tax burden", "-tax relief"},
		zh:      []string{"所得税", "个人所得税", "个税", "个人所得税率", "所得税率", "所得税税率", "劳动税", "工薪税", "-减税", "+加税", "+增税", "?税率", "-降税", "?税收", "个人税", "-减税降费", "?税负"},
		typical: .05, small: .01, why: "five points, as in the signs of docs/LEVERS.md and the presets high_tax and low_tax", outcome: sim.RealConsumption, sign: -1,
	},
	{
		id: "vat_rate", kind: KindParameter, of: Tax, unit: rateUnit,
		en:      []string{"vat", "value added tax", "sales tax", "consumption tax", "goods and services tax", "gst", "vat rate", "tax on consumption", "indirect tax"},
		zh:      []string{"增值税", "增值税率", "增值税税率", "消费税", "销售税", "商品税", "间接税"},
		typical: .05, small: .01, why: "five points, as in the signs of docs/LEVERS.md and the presets high_tax and low_tax", outcome: sim.RealConsumption, sign: -1,
	},
	{
		id: "corporate_tax_rate", kind: KindParameter, of: Tax, unit: rateUnit,
		en:      []string{"corporate tax", "corporation tax", "profit tax", "corporate income tax", "company tax", "business tax", "tax on profit", "tax on firm", "tax on company", "corporate tax rate", "tax on corporation", "corporate taxation", "windfall tax", "excess profit tax", "profits tax", "tax on corporate profit"},
		zh:      []string{"企业所得税", "公司税", "企业税", "利润税", "公司所得税", "企业所得税率", "企业所得税税率", "公司税率", "法人税", "企业税率", "企业税负", "暴利税", "公司税税率"},
		typical: .05, small: .02, why: "about a quarter of the default", outcome: sim.RealInvestment, sign: -1,
	},
	{
		id: "tax_allowance", kind: KindParameter, of: Tax, unit: meanUnit,
		en:      []string{"tax allowance", "personal allowance", "tax free allowance", "basic allowance", "tax threshold", "tax free income", "tax exemption for low earner", "allowance"},
		zh:      []string{"免税额", "起征点", "个税起征点", "免征额", "个税免征额", "所得税起征点", "个人所得税起征点", "个人所得税免征额", "税前扣除"},
		typical: .2, small: .05, why: "a doubling of the default", outcome: sim.IncomeGini, sign: -1,
	},
	{
		id: "progressive_tax", kind: KindPolicy, of: Tax, unit: levelUnit,
		en:      []string{"progressive tax", "progressive income tax", "top tax rate", "top tax", "top rate", "tax the rich", "tax on the rich", "top income tax", "top marginal rate", "top income tax rate", "tax rich", "millionaire tax", "tax progressivity", "tax on top income", "marginal tax rate on the rich", "~wealth tax", "~tax on wealth", "~tax wealth", "~inheritance tax", "tax on the wealthy", "tax on high income", "tax high earner", "tax on high earner", "tax billionaire"},
		zh:      []string{"累进税", "累进所得税", "最高税率", "富人税", "对富人征税", "对富人加税", "最高边际税率", "累进税制", "高收入者税率", "对高收入者征税", "~财富税", "~财产税", "~遗产税", "向富人征税", "向富人加税", "高收入税率", "对高收入者加税", "累进税率"},
		typical: .5, small: .35, why: "a top rate of one half, in the upper third of rich countries", outcome: sim.IncomeGini, sign: -1,
	},
	{
		id: "green_levy_rate", kind: KindParameter, of: Tax, unit: levelUnit,
		en:      []string{"carbon tax", "green levy", "carbon levy", "co2 tax", "emission tax", "carbon price", "environmental tax", "green tax", "climate levy", "pollution tax", "tax on emission", "price on carbon", "tax on carbon", "eco tax", "carbon pricing", "tax emission", "tax carbon", "fuel tax", "energy tax"},
		zh:      []string{"碳税", "环境税", "绿色税", "排放税", "碳价", "碳定价", "生态税", "污染税", "环保税", "燃油税", "能源税", "碳排放税"},
		typical: .05, small: .02, why: "as in the preset green_transition", reference: .05, outcome: sim.Emissions, sign: -1,
	},
	{
		id: "green_transition", kind: KindPreset, of: Tax, unit: wholeUnit,
		en: []string{"green transition", "energy transition", "climate package", "green deal", "green new deal", "decarbonization"}, zh: []string{"绿色转型", "能源转型", "绿色新政", "碳中和", "低碳转型"},
		why: "a rising levy with a dividend and a subsidy for research, the preset green_transition", outcome: sim.Emissions, sign: -1,
	},
	{
		id: "inherent_market_consumption_rate", kind: KindParameter, of: Demand, unit: gdpUnit,
		en: []string{
			"government purchase", "public purchase", "public procurement", "government procurement", "public demand", "public investment", "public consumption", "government consumption", "infrastructure", "infrastructure spending", "public works", "+stimulus", "+fiscal stimulus", "+stimulus package",
			"+stimulus program", "+fiscal expansion", "defense spending", "military spending", "+deficit spending", "+investment program", "spending on infrastructure",
		},
		zh: []string{
			"政府采购", "公共采购", "政府购买", "政府消费", "公共投资", "政府投资", "基础设施", "基础设施投资", "基建", "基建投资", "+财政刺激", "+刺激计划", "+财政扩张", "+经济刺激", "+扩张性财政", "+扩张性财政政策", "+积极财政政策", "军费", "国防开支", "+刺激方案", "+一揽子刺激",
		},
		typical: .02, small: .005, why: "two percent of GDP, as in the signs of docs/LEVERS.md", outcome: sim.RealGDP, sign: 1,
	},
	{
		id: "austerity", kind: KindPolicy, of: Demand, unit: levelUnit,
		en:      []string{"+austerity", "!government spending", "!public spending", "!public expenditure", "!government expenditure", "!state spending", "+spending cut", "+fiscal consolidation", "+budget cut", "+fiscal tightening", "!government budget", "+fiscal austerity", "+austerity program", "+cut in public spending"},
		zh:      []string{"+财政紧缩", "+紧缩财政", "!政府支出", "!公共支出", "!财政支出", "!政府开支", "+紧缩政策", "+财政整顿", "!财政开支", "+削减开支", "+紧缩性财政", "+紧缩性财政政策", "+紧缩计划", "+压缩开支"},
		typical: .1, small: .03, why: "a tenth of spending, the size of larger consolidations", perGDP: 1 / cutSpending, whenLowered: "inherent_market_consumption_rate", outcome: sim.DeficitToGDP, sign: -1,
	},
	{
		id: "deficit", name: "austerity", kind: KindPolicy, of: Demand, unit: levelUnit,
		en:      []string{"!deficit", "!budget deficit", "!public deficit", "!government deficit", "!fiscal deficit", "+balance the budget", "+balanced budget", "!deficit of the government"},
		zh:      []string{"!赤字", "!财政赤字", "!预算赤字", "!政府赤字", "+平衡预算", "+预算平衡", "!赤字率", "!公共赤字"},
		typical: usualDeficit / 2 * deficitPerCut, small: usualDeficit / 4 * deficitPerCut, why: "half of the deficit of the baseline, 1.2 % of GDP", relative: usualDeficit * deficitPerCut, perGDP: deficitPerCut,
		whenLowered: "inherent_market_consumption_rate", outcome: sim.DeficitToGDP, sign: -1,
	},
	{
		id: "enable_austerity_rule", kind: KindParameter, of: Demand, unit: switchUnit, set: true,
		en:  []string{"deficit limit", "deficit ceiling", "deficit rule", "austerity rule", "fiscal compact", "maastricht rule", "stability pact", "limit on the deficit", "cap on the deficit", "spending rule", "fiscal rule"},
		zh:  []string{"赤字上限", "财政规则", "赤字规则", "赤字限额", "紧缩规则", "赤字约束"},
		why: "spending follows the deficit above 3 % of GDP, the limit of the treaty of Maastricht", outcome: sim.DeficitToGDP,
	},
	{
		id: "enable_debt_rule", kind: KindParameter, of: Demand, unit: switchUnit, set: false,
		en:  []string{"debt brake", "debt rule", "-abolish the debt brake", "-suspend the debt rule", "-suspend the debt brake", "-without the debt brake"},
		zh:  []string{"债务刹车", "债务规则", "-取消债务规则", "-暂停债务规则", "-取消债务刹车"},
		why: "the baseline has a debt rule; without it taxes ignore the debt", outcome: sim.DebtToGDP, sign: -1,
	},
	{
		id: "debt_target", kind: KindParameter, of: Demand, unit: levelUnit,
		en: []string{"debt target", "public debt target", "government debt target", "debt ceiling", "debt limit", "debt ratio target", "target for public debt", "debt ratio", "target debt"}, zh: []string{"债务目标", "债务上限", "负债率目标", "债务率目标", "债务率"},
		typical: .3, small: .1, why: "a doubling", needs: needs("enable_debt_rule", true), outcome: sim.DebtToGDP, sign: 1,
	},
	{
		id: "government_employment_share", kind: KindParameter, of: Demand, unit: rateUnit,
		en:      []string{"public employment", "civil servant", "public sector job", "government employment", "public sector employment", "public sector", "state employee", "government worker", "public sector worker", "public servant", "government job", "size of the public sector", "public job", "-public sector hiring freeze", "-freeze public sector hiring", "-freeze on public sector hiring", "-freeze public hiring", "-public hiring freeze"},
		zh:      []string{"公共部门就业", "公务员", "政府雇员", "公共部门", "政府就业", "公共就业", "公务员编制", "公共部门雇员", "公务员人数", "政府雇用", "体制内就业", "-冻结公务员招聘", "-冻结公务员编制", "-公务员停招"},
		typical: .03, small: .01, why: "three points of the labour force, as in docs/LEVERS.md", outcome: sim.EmploymentRate, sign: 1,
	},
	{
		id: "job_guarantee", kind: KindPolicy, of: Demand, unit: meanUnit,
		en:      []string{"job guarantee", "employer of last resort", "public employment program", "guaranteed job", "public job program", "right to a job", "guarantee a job", "job guarantee program", "public works program"},
		zh:      []string{"就业保障", "公共就业保障计划", "就业保障计划", "就业担保", "最后雇主", "公共就业计划", "公益性岗位", "以工代赈", "工作保障", "公共就业保障", "就业兜底"},
		typical: .5, small: .3, why: "half of the mean wage, the default of job_guarantee_wage", outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "demand", kind: KindShock, of: Demand, unit: sizeUnit, falls: true,
		en:      []string{"household demand", "consumer demand", "demand", "demand shock", "-slump in demand", "-demand slump", "private demand", "household spending", "consumption demand", "aggregate demand", "domestic demand", "?-recession", "?-slump", "?-downturn", "-consumer boycott", "-negative demand shock", "+positive demand shock", "consumer spending"},
		zh:      []string{"居民消费需求", "消费需求", "需求", "需求冲击", "-需求萎缩", "居民需求", "家庭支出", "-需求不足", "家庭消费支出", "内需", "总需求", "私人需求", "-负面需求冲击", "消费支出", "国内需求", "-需求疲软", "?-衰退", "?-经济衰退"},
		typical: .05, small: .02, why: "a fall as in a severe recession", persistence: .95, outcome: sim.RealGDP, sign: 1,
	},
	{
		id: "confidence", kind: KindShock, of: Demand, unit: numberUnit, falls: true,
		en:      []string{"confidence", "consumer confidence", "business confidence", "-loss of confidence", "-pessimism", "+optimism", "sentiment", "animal spirits", "-panic", "-uncertainty", "consumer sentiment", "-confidence shock", "-fear"},
		zh:      []string{"信心", "消费者信心", "企业信心", "-信心下挫", "-信心丧失", "-悲观情绪", "+乐观情绪", "预期信心", "-恐慌", "-不确定性", "市场信心", "-信心危机", "投资者信心", "-悲观预期"},
		typical: .02, small: .01, why: "about two standard deviations of the mood, as in the preset demand_slump", persistence: .95, outcome: sim.RealGDP, sign: 1,
	},
	{
		id: "propensity_to_consume_income", kind: KindParameter, of: Demand, unit: rateUnit,
		en: []string{"propensity to consume", "!saving rate of household", "!thrift", "!propensity to save", "!household save", "!save more"}, zh: []string{"消费倾向", "边际消费倾向", "!储蓄倾向", "!居民储蓄"},
		typical: .03, small: .01, why: "three points, as in the preset demand_slump", outcome: sim.RealConsumption, sign: 1,
	},
	{
		id: "disaster", kind: KindShock, of: Demand, unit: sizeUnit,
		en:      []string{"+earthquake", "+natural disaster", "+disaster", "+hurricane", "+flood", "+destruction of capital", "+war damage", "+capital destruction", "+tsunami", "+typhoon", "+catastrophe", "+storm", "+war"},
		zh:      []string{"+地震", "+自然灾害", "+灾害", "+台风", "+洪水", "+资本破坏", "+战争", "+飓风", "+海啸", "+灾难", "+洪灾", "+暴雨"},
		typical: .05, small: .02, why: "a twentieth of the capital: a very large disaster", outcome: sim.RealGDP, sign: -1,
	},
	{
		id: "pandemic", kind: KindPreset, of: Demand, unit: wholeUnit,
		en: []string{"pandemic", "epidemic", "covid", "lockdown", "corona", "virus", "covid 19", "shutdown", "plague"}, zh: []string{"疫情", "大流行", "流行病", "封锁", "新冠", "封城", "传染病", "新冠疫情", "瘟疫"},
		why: "closures that fade, with short-time work, the preset pandemic", outcome: sim.RealGDP, sign: -1,
	},
	{
		id: "productivity", kind: KindShock, of: LaborProductivity, unit: sizeUnit,
		en: []string{"productivity shock", "technology shock", "supply shock", "-negative supply shock", "-supply chain disruption"}, zh: []string{"生产率冲击", "技术冲击", "供给冲击", "-供应链中断", "-负面供给冲击"},
		typical: .05, small: .02, why: "a twentieth", persistence: .95, outcome: sim.RealGDP, sign: 1,
	},
}

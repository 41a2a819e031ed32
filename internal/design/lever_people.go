package design

import "econ-mcp/sim"

var demography = []sim.ParameterChange{{Name: "enable_demography", Value: true}}

var population = []sim.ParameterChange{{Name: "enable_demography", Value: true}, {Name: "population_reserve", Value: .3}}

// peopleLevers are redistribution, benefits and the population.
var peopleLevers = []row{
	{
		id: "universal_basic_income", kind: KindParameter, of: Redistribution, unit: meanUnit,
		en:      []string{"basic income", "universal basic income", "ubi", "unconditional income", "citizen dividend", "citizens dividend", "unconditional basic income", "citizen income", "give everyone", "give everybody", "pay everyone", "pay everybody", "give every household", "pay every household", "give each household", "pay each household", "give all household", "pay all household", "give every citizen", "pay every citizen", "give every person", "give all citizen", "give every adult", "pay every adult", "give each citizen", "give each adult"},
		zh:      []string{"基本收入", "全民基本收入", "无条件基本收入", "公民收入", "每人每月发", "每人每月发放", "给每个家庭每月发放", "给每个家庭每月发", "人人每月领取", "给每人每月发", "每户每月发放", "每个家庭每月发", "全民发钱", "给所有人每月发", "每人发", "每人发放", "给每个人每月发", "给每个人发", "给每户发", "给每户每月发", "每位居民每月发放", "全民每月发"},
		typical: .1, small: .05, why: "a tenth of the mean wage, as in the preset ubi and near the size of trials", reference: .1, outcome: sim.PovertyRate, sign: -1,
	},
	{
		id: "minimum_income", kind: KindParameter, of: Redistribution, unit: meanUnit,
		en:      []string{"minimum income", "guaranteed minimum income", "negative income tax", "guaranteed income", "social assistance", "means tested benefit", "income floor", "welfare benefit", "social minimum", "food stamp", "support for the poor", "help for the poor"},
		zh:      []string{"最低收入", "最低生活保障", "低保", "负所得税", "最低收入保障", "社会救助", "收入下限", "低保标准", "困难补助"},
		typical: .3, small: .05, why: "near the social assistance of rich countries, for one household", reference: .3, outcome: sim.PovertyRate, sign: -1,
	},
	{
		id: "redistribution", kind: KindPolicy, of: Redistribution, unit: gdpUnit,
		en: []string{"redistribute", "redistribution", "equal redistribution", "income redistribution", "share of gdp to all household", "social dividend"}, zh: []string{"再分配", "收入再分配", "平均分配", "平均分配给所有家庭", "平分给", "均分给", "财富再分配"},
		typical: .05, small: .02, why: "5 % of GDP, as in the signs of docs/LEVERS.md", outcome: sim.IncomeGini, sign: -1,
	},
	{
		id: "redistribution_strategy", kind: KindParameter, of: Redistribution, unit: choiceUnit, set: "poverty_focused",
		en:  []string{"targeted transfer", "transfer to the poor", "transfer to poor household", "poverty focused transfer", "cash transfer to the poor", "targeted transfer to the poor", "transfer to poor family"},
		zh:  []string{"精准扶贫", "定向转移支付", "向穷人转移支付", "对贫困家庭的转移支付", "向贫困家庭转移支付", "对穷人的转移支付"},
		why: "2 % of GDP for those below the poverty line, paid by the income tax: the defaults of the catalogue", outcome: sim.PovertyRate,
	},
	{
		id: "family_benefit", name: "redistribution_strategy", kind: KindParameter, of: Redistribution, unit: choiceUnit, set: "family_size",
		en: []string{"child benefit", "family allowance", "family benefit", "child allowance", "child tax credit"}, zh: []string{"儿童津贴", "育儿补贴", "家庭津贴", "子女津贴", "生育补贴"},
		why: "2 % of GDP by the size of families, paid by the income tax: the defaults of the catalogue", outcome: sim.PovertyRate,
	},
	{
		id: "unemployment_benefit_rate", kind: KindParameter, of: Redistribution, unit: rateUnit,
		en:      []string{"unemployment benefit", "unemployment insurance", "jobless benefit", "benefit for the unemployed", "dole", "replacement rate", "unemployment compensation", "unemployment support", "benefit of the unemployed"},
		zh:      []string{"失业救济", "失业救济金", "失业保险", "失业保险金", "失业金", "失业补助", "失业救济金标准", "失业救济水平", "失业津贴"},
		typical: .2, small: .05, why: "from a half to seven tenths of the last wage: the span of rich countries", lasts: "benefit_months", outcome: sim.GovernmentSpending, sign: 1,
	},
	{
		id: "benefit_months", kind: KindParameter, of: Redistribution, unit: spanUnit,
		en:      []string{"benefit duration", "duration of unemployment benefit", "unemployment benefit duration", "duration of benefit", "months of benefit", "unemployment benefit run", "unemployment benefit last", "months of unemployment benefit", "length of unemployment benefit", "how long benefit are paid", "benefit period"},
		zh:      []string{"失业救济金领取期限", "领取期限", "失业金领取期", "失业救济期限", "失业救济金期限", "失业保险期限", "领取失业金的时间"},
		typical: 12, small: 3, why: "a year more", outcome: sim.GovernmentSpending, sign: 1,
	},
	{
		id: "basic_income_financing", kind: KindParameter, of: Redistribution, unit: choiceUnit, set: "income_tax",
		en:  []string{"paid by the income tax", "financed by income tax", "financed by the income tax", "funded by income tax", "funded by the income tax", "paid for by income tax", "financed out of income tax", "paid by income tax", "financed through income tax"},
		zh:  []string{"由所得税筹资", "由所得税融资", "所得税筹资", "用所得税支付", "以所得税筹资"},
		why: "a surcharge that pays for it", needs: needs("universal_basic_income", .1), outcome: sim.Inflation,
	},
	{
		id: "basic_income_from_vat", name: "basic_income_financing", kind: KindParameter, of: Redistribution, unit: choiceUnit, set: "vat",
		en: []string{"paid by vat", "financed by vat", "funded by vat", "paid for by vat", "financed by the vat", "financed by a vat", "financed out of vat", "financed through vat"}, zh: []string{"由增值税筹资", "增值税筹资", "以增值税筹资", "由增值税融资"},
		why: "a surcharge that pays for it", needs: needs("universal_basic_income", .1), outcome: sim.CPI,
	},
	{
		id: "unemployed", kind: KindInjection, of: Redistribution, unit: amountUnit,
		en:      []string{"bonus for the unemployed", "money for the unemployed"},
		zh:      []string{"失业者红包"},
		typical: 300, small: 100, why: "a tenth of the mean wage at the start", outcome: sim.RealConsumption, sign: 1,
	},
	{
		id: "retired", kind: KindInjection, of: Redistribution, unit: amountUnit,
		en:      []string{"bonus for pensioner", "money for pensioner"},
		zh:      []string{"老年人红包"},
		typical: 300, small: 100, why: "a tenth of the mean wage at the start", needs: demography, outcome: sim.RealConsumption, sign: 1,
	},
	{
		id: "bottom_decile", kind: KindInjection, of: Redistribution, unit: amountUnit,
		en:      []string{"money for the poorest", "bonus for the poor"},
		zh:      []string{"穷人红包"},
		typical: 300, small: 100, why: "a tenth of the mean wage at the start", outcome: sim.PovertyRate, sign: -1,
	},
	{
		id: "all", kind: KindInjection, of: Demand, unit: amountUnit,
		en:      []string{"helicopter money", "stimulus check", "stimulus cheque", "one off payment to everyone", "one time payment to everyone", "one time payment", "one off payment", "cash handout", "consumption voucher"},
		zh:      []string{"直升机撒钱", "直升机撒币", "消费券", "一次性补贴", "一次性发放", "一次性现金", "发红包", "一次性给每人"},
		typical: 1000, small: 300, why: "a third of the mean wage at the start, once", outcome: sim.RealConsumption, sign: 1,
	},
	{
		id: "banks", kind: KindInjection, of: Credit, unit: amountUnit,
		en: []string{"recapitalize bank", "money for bank", "capital injection for bank", "recapitalization of bank", "inject capital into bank"}, zh: []string{"向银行注资", "给银行注资", "银行注资"},
		typical: 300, small: 100, why: "a tenth of the mean wage at the start, for each household", outcome: sim.BankEquity, sign: 1,
	},
	{
		id: "retirement_age_shift", kind: KindParameter, of: Demographics, unit: yearsUnit,
		en:      []string{"retirement age", "pension age", "+later retirement", "-early retirement", "-earlier retirement", "age of retirement", "+work longer", "+retire later", "-retire earlier", "age at which people retire", "statutory retirement age", "?retire", "people retire"},
		zh:      []string{"退休年龄", "法定退休年龄", "+延迟退休", "+延后退休", "+推迟退休", "-提前退休", "+延迟退休年龄", "+渐进式延迟退休"},
		typical: 2, small: 1, why: "the reforms of rich countries since 2000", needs: demography, outcome: sim.ParticipationRate, sign: 1,
	},
	{
		id: "pension_replacement_rate", kind: KindParameter, of: Demographics, unit: rateUnit,
		en: []string{"pension", "public pension", "pension level", "old age pension", "pension benefit", "state pension"}, zh: []string{"养老金", "养老金水平", "养老金替代率", "退休金", "基本养老金", "养老待遇", "退休待遇", "退休工资"},
		typical: .1, small: .05, why: "a quarter of the default", needs: demography, outcome: sim.GovernmentSpending, sign: 1,
	},
	{
		id: "pension_contribution_rate", kind: KindParameter, of: Demographics, unit: rateUnit,
		en: []string{"pension contribution", "social contribution", "social security contribution", "payroll tax", "contribution rate", "social insurance contribution"}, zh: []string{"养老保险缴费", "社保缴费", "社保费", "缴费率", "社保费率", "养老保险缴费率", "社会保险费", "社保缴费率", "工资税"},
		typical: .05, small: .02, why: "a third of the default", needs: demography, outcome: sim.RealConsumption, sign: -1,
	},
	{
		id: "population_growth", kind: KindParameter, of: Demographics, unit: yearlyUnit,
		en:      []string{"population growth", "-aging population", "-population aging", "-aging", "-aging society", "-demographic decline", "~-falling birth rate", "?population", "~birth rate", "~fertility", "~birth", "-population decline", "-shrinking population", "~fertility rate", "-graying"},
		zh:      []string{"人口增长", "人口增长率", "人口每年增长", "人口年增长", "-老龄化", "-人口老龄化", "-少子化", "-人口减少", "?人口", "~出生率", "~生育率", "~新生儿", "-人口萎缩", "-老龄社会", "人口规模", "-人口下降", "-人口负增长"},
		typical: .01, small: .005, why: "one percent a year, the fall that the oldest societies approach", needs: population, outcome: sim.RealGDP, sign: 1,
	},
	{
		id: "migration_rate", kind: KindParameter, of: Demographics, unit: monthlyUnit,
		en:      []string{"immigration", "migration", "immigrant", "migrant", "+refugee", "-emigration", "inflow of worker", "foreign worker", "guest worker", "+open border", "+open the border", "-brain drain", "net migration"},
		zh:      []string{"移民", "外来移民", "移入", "+难民", "-人口外流", "-移出", "外来劳动力", "外籍劳工", "净移民", "外来人口", "引进外劳", "-人才外流", "+开放边境"},
		typical: .001, small: .0005, why: "about 1.2 % of the population a year, high by the standard of rich countries", reference: .001, needs: population, outcome: sim.Population, sign: 1,
	},
	{
		id: "participation_rate_older", kind: KindParameter, of: Demographics, unit: rateUnit,
		en: []string{"participation of older worker", "older worker", "participation of older people", "employment of older people"}, zh: []string{"老年人劳动参与率", "高龄劳动者", "大龄劳动者", "老年人就业"},
		typical: .1, small: .05, why: "ten points", needs: demography, outcome: sim.ParticipationRate, sign: 1,
	},
	{
		id: "participation_rate_prime", kind: KindParameter, of: Demographics, unit: rateUnit,
		en: []string{"female participation", "participation of women", "childcare", "women in the labor force", "working mother", "female labor force participation"}, zh: []string{"女性劳动参与率", "女性就业", "托幼", "托育", "育儿服务", "妇女就业"},
		typical: .03, small: .01, why: "three points of the prime age group: the model knows no sex", needs: demography, outcome: sim.ParticipationRate, sign: 1,
	},
	{
		id: "participation_rate_young", kind: KindParameter, of: Demographics, unit: rateUnit,
		en: []string{"youth participation", "young worker", "participation of the young", "!more years of schooling"}, zh: []string{"青年劳动参与率", "年轻人就业", "青年就业"},
		typical: .1, small: .05, why: "ten points", needs: demography, outcome: sim.ParticipationRate, sign: 1,
	},
}

package design

import (
	"slices"

	"econ-mcp/sim"
)

// Type is the kind of a question, by what it would change.
type Type string

// The types, in the order in which they win where a question fits two equally.
const (
	Tariff            Type = "tariff"
	Monetary          Type = "monetary"
	Credit            Type = "credit"
	Wages             Type = "wages"
	Redistribution    Type = "redistribution"
	LaborProductivity Type = "labor_productivity"
	Innovation        Type = "innovation"
	Competition       Type = "competition"
	Demographics      Type = "demographics"
	Tax               Type = "tax"
	Demand            Type = "demand"
	Other             Type = "other"
)

// Types lists all types, in their order.
func Types() []Type {
	var list []Type
	for _, row := range typeTable {
		list = append(list, row.name)
	}
	return list
}

// typeRow is what is known of a type: what may be meant where a question names no lever,
// and what one looks at.
type typeRow struct {
	name     Type
	lever    string // id of the lever that a question of this type means where it names none
	en, zh   string // the subject in words
	outcomes []sim.Indicator
	topics   []string // words that speak for the type without being a lever
}

var typeTable = []typeRow{
	{
		Tariff, "tariff_rate", "foreign trade", "对外贸易",
		[]sim.Indicator{sim.RealGDP, sim.Imports, sim.Exports, sim.CPI, sim.ImportPriceIndex, sim.UnemploymentRate, sim.RealWageMean},
		[]string{
			"trade", "import", "imported", "export", "trading partner", "protectionism", "globalization", "customs", "foreign trade",
			"trade deficit", "trade balance", "current account", "world market",
			"贸易", "外贸", "进口", "出口", "进出口", "海关", "全球化", "贸易保护", "贸易伙伴", "贸易逆差", "贸易顺差", "国际收支", "进口商品", "出口企业",
		},
	},
	{
		Monetary, "fixed_policy_rate", "monetary policy", "货币政策",
		[]sim.Indicator{
			sim.Inflation,
			sim.RealGDP,
			sim.UnemploymentRate,
			sim.RealInvestment,
			sim.PolicyRate,
			sim.CreditStock,
			sim.ExchangeRate,
		},
		[]string{
			"monetary",
			"central bank",
			"central banker",
			"ecb",
			"federal reserve",
			"the fed",
			"bank of england",
			"monetary policy",
			"price stability",
			"货币",
			"货币政策",
			"央行",
			"中央银行",
			"中央银行家",
		},
	},
	{
		Credit, "max_leverage", "banks and credit", "银行与信贷",
		[]sim.Indicator{
			sim.CreditStock,
			sim.Bankruptcies,
			sim.RealInvestment,
			sim.RealGDP,
			sim.UnemploymentRate,
			sim.LoanRate,
			sim.BankEquity,
		},
		[]string{
			"bank", "banking", "credit", "loan", "lending", "lend", "borrow", "borrowing", "debtor", "financial stability", "macroprudential",
			"bank regulation",
			"银行", "信贷", "贷款", "借贷", "放贷", "金融", "金融稳定", "融资", "宏观审慎", "银行监管", "银行业", "金融监管",
		},
	},
	{
		Wages, "minimum_wage", "wages and work", "工资与劳动",
		[]sim.Indicator{
			sim.UnemploymentRate,
			sim.RealWageMean,
			sim.RealWageMedian,
			sim.LabourShare,
			sim.IncomeGini,
			sim.PovertyRate,
			sim.Inflation,
		},
		[]string{
			"low paid",
			"low paid worker",
			"low wage",
			"collective bargaining coverage",
			"low wage worker",
			"worker protection",
			"低收入岗位",
			"低薪",
			"劳动保护",
			"薪酬",
			"薪资",
		},
	},
	{
		Redistribution, "redistribution", "redistribution and benefits", "再分配与福利",
		[]sim.Indicator{
			sim.PovertyRate,
			sim.IncomeGini,
			sim.RealConsumption,
			sim.Inflation,
			sim.DeficitToGDP,
			sim.UnemploymentRate,
			sim.WealthGini,
		},
		[]string{
			"redistribution", "redistribute", "transfer", "welfare", "social security", "safety net", "benefit", "social benefit", "social policy",
			"handout", "income support",
			"再分配", "转移支付", "福利", "社会保障", "社保", "救济", "补助", "低保户", "共同富裕", "扶贫",
		},
	},
	{
		LaborProductivity, "ai_adoption_rate", "automation and productivity", "自动化与生产率",
		[]sim.Indicator{
			sim.UnemploymentRate,
			sim.LabourShare,
			sim.RealWageMean,
			sim.LabourProductivity,
			sim.RealGDP,
			sim.IncomeGini,
			sim.AIAdoptionShare,
		},
		[]string{
			"technological unemployment",
			"digital economy",
			"displacement",
			"digitalization",
			"machine",
			"future of work",
			"技术性失业",
			"数字经济",
			"数字化",
			"机器",
			"替代工人",
			"未来的工作",
		},
	},
	{
		Innovation, "innovation_research_share", "innovation and research", "创新与研发",
		[]sim.Indicator{sim.InnovationEvents, sim.LabourProductivity, sim.RealGDP, sim.RealWageMean, sim.MarkUp, sim.DeficitToGDP, sim.HHI},
		[]string{
			"innovation", "innovate", "innovator", "innovative", "research", "invention", "inventor", "r&d", "new technology",
			"technological progress", "start up technology",
			"创新", "研发", "研究", "发明", "新技术", "技术进步", "科技", "科研", "创新扩散", "技术扩散",
		},
	},
	{
		Competition, "consumption_mark_up", "competition", "市场竞争",
		[]sim.Indicator{sim.MarkUp, sim.HHI, sim.CPI, sim.RealWageMean, sim.LabourShare, sim.FirmCount, sim.RealGDP},
		[]string{
			"competition", "competitor", "merger", "monopoly", "monopolist", "oligopoly", "market concentration", "cartel", "superstar firm",
			"big firm",
			"竞争", "垄断", "合并", "并购", "兼并", "寡头", "市场集中度", "卡特尔", "垄断企业", "龙头企业",
		},
	},
	{
		Demographics, "population_growth", "population", "人口",
		[]sim.Indicator{
			sim.Population,
			sim.ParticipationRate,
			sim.RealGDP,
			sim.RealWageMean,
			sim.DebtToGDP,
			sim.DeficitToGDP,
			sim.UnemploymentRate,
		},
		[]string{
			"demography", "demographic", "demographics", "birth rate", "fertility", "old people", "retire", "retirement", "baby boomer",
			"人口结构", "人口", "生育", "出生率", "生育率", "退休", "劳动年龄人口", "少子化",
		},
	},
	{
		Tax, "income_tax_rate", "taxes", "税收",
		[]sim.Indicator{sim.RealGDP, sim.RealConsumption, sim.TaxRevenue, sim.CPI, sim.UnemploymentRate, sim.IncomeGini, sim.DeficitToGDP},
		[]string{
			"tax",
			"taxation",
			"tax system",
			"tax burden",
			"tax reform",
			"tax revenue",
			"fiscal reform",
			"税",
			"税收",
			"税负",
			"税制",
			"税制改革",
			"税率",
			"纳税",
		},
	},
	{
		Demand, "inherent_market_consumption_rate", "demand and public spending", "需求与公共支出",
		[]sim.Indicator{
			sim.RealGDP,
			sim.UnemploymentRate,
			sim.RealConsumption,
			sim.Inflation,
			sim.DeficitToGDP,
			sim.DebtToGDP,
			sim.RealInvestment,
		},
		[]string{
			"fiscal", "fiscal policy", "recession", "downturn", "slump", "crisis", "business cycle", "budget", "multiplier", "aggregate demand",
			"shock", "boom",
			"财政", "财政政策", "衰退", "经济衰退", "危机", "经济危机", "经济周期", "预算", "乘数", "总需求", "冲击", "内需", "扩大内需",
		},
	},
	{
		Other,
		"",
		"the economy",
		"经济",
		[]sim.Indicator{
			sim.RealGDP,
			sim.UnemploymentRate,
			sim.Inflation,
			sim.RealWageMean,
			sim.IncomeGini,
			sim.PovertyRate,
			sim.DeficitToGDP,
		},
		nil,
	},
}

// rowOf finds a type, [Other] for what is none.
func rowOf(t Type) typeRow {
	if i := slices.IndexFunc(typeTable, func(row typeRow) bool { return row.name == t }); i >= 0 {
		return typeTable[i]
	}
	return typeTable[len(typeTable)-1]
}

// typeOfCategory is the type of a lever that only the catalogue of parameters knows.
var typeOfCategory = map[string]Type{
	"tax_policy": Tax, "fiscal": Demand, "labor_market": Wages, "subsidies": Innovation, "consumption": Demand, "confidence": Demand,
	"investment": Demand, "production": LaborProductivity, "market": Competition, "innovation": Innovation, "automation": LaborProductivity,
	"monetary": Monetary, "credit": Credit, "demography": Demographics, "trade": Tariff, "entry": Competition, "system_scale": Other,
}

// outcomeRow are the words for what a question may ask about.
type outcomeRow struct {
	indicator sim.Indicator
	hint      Type // that it speaks for, a little; "" = none
	words     []string
}

var outcomeTable = []outcomeRow{
	{sim.RealGDP, "", []string{"gdp", "growth", "growth rate", "economic growth", "output", "economy", "经济增长", "增长", "国内生产总值", "产出", "经济"}},
	{
		sim.Inflation,
		Monetary,
		[]string{
			"inflation",
			"inflation rate",
			"price spiral",
			"wage price spiral",
			"deflation",
			"通胀",
			"通胀率",
			"通货膨胀",
			"工资物价螺旋",
			"物价上涨",
			"通缩",
		},
	},
	{sim.CPI, "", []string{"price", "consumer price", "cost of living", "price level", "物价", "价格", "生活成本"}},
	{sim.UnemploymentRate, "", []string{"unemployment", "unemployment rate", "job loss", "jobless", "joblessness", "失业", "失业率"}},
	{sim.EmploymentRate, "", []string{"employment", "job", "work", "labor market", "worker", "就业", "就业率", "岗位", "劳动力市场", "工人", "工作"}},
	{sim.RealWageMean, Wages, []string{"wage", "real wage", "pay", "earning", "salary", "工资", "实际工资", "薪水"}},
	{sim.LabourShare, "", []string{"labor share", "wage share", "劳动份额", "劳动收入份额"}},
	{sim.RealConsumption, "", []string{"consumption", "consumer spending", "living standard", "消费", "居民消费", "生活水平"}},
	{sim.RealInvestment, "", []string{"investment", "invest", "投资"}},
	{sim.SavingRate, "", []string{"saving", "saving rate", "储蓄", "储蓄率"}},
	{
		sim.IncomeGini,
		Redistribution,
		[]string{"inequality", "income inequality", "income gap", "gini", "不平等", "收入差距", "贫富差距", "贫富分化", "基尼系数"},
	},
	{sim.WealthGini, Redistribution, []string{"wealth inequality", "wealth gap", "wealth distribution", "资产不平等", "财富不平等", "财富差距"}},
	{sim.PovertyRate, Redistribution, []string{"poverty", "poverty rate", "贫困", "贫困率"}},
	{sim.TaxRevenue, "", []string{"revenue", "public revenue", "财政收入"}},
	{sim.DebtToGDP, "", []string{"debt", "public debt", "government debt", "national debt", "债务", "公共债务", "政府债务", "国债"}},
	{sim.Bankruptcies, Credit, []string{"bankruptcy", "bankrupt", "insolvency", "firms fail", "firm failure", "破产", "倒闭"}},
	{sim.FirmCount, "", []string{"small firm", "中小企业"}},
	{sim.MarkUp, Competition, []string{"profit margin", "profit", "margin", "利润率", "利润"}},
	{sim.LabourProductivity, "", []string{"productivity growth", "生产力"}},
	{sim.Exports, "", []string{"export volume", "出口额"}},
	{sim.Imports, "", []string{"import volume", "进口额"}},
	{sim.Emissions, Tax, []string{"emission", "co2", "climate", "climate change", "排放", "碳排放", "气候"}},
	{sim.ExchangeRate, Tariff, []string{"currency", "汇率波动"}},
	{sim.BankFailures, Credit, []string{"bank failure", "bank run", "银行倒闭", "挤兑"}},
	{sim.HHI, Competition, []string{"concentration", "集中度"}},
	{sim.VacancyRate, "", []string{"vacancy", "职位空缺"}},
	{sim.ParticipationRate, Demographics, []string{"labor force participation", "participation rate", "劳动参与率"}},
}

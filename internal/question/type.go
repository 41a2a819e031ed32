package question

import (
	"slices"

	"econ-mcp/internal/inquiry"
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

// typeRow is what is known of a type: its words, and what one looks at in a question of it.
type typeRow struct {
	name     Type
	en, zh   string // the subject in words
	outcomes []sim.Indicator
	topics   []string // words that speak for the type without being a lever
}

var typeTable = []typeRow{
	{
		Tariff, "foreign trade", "对外贸易",
		[]sim.Indicator{sim.RealGDP, sim.Imports, sim.Exports, sim.CPI, sim.ImportPriceIndex, sim.UnemploymentRate, sim.RealWageMean},
		[]string{
			"trade", "import", "imported", "export", "trading partner", "protectionism", "globalization", "customs", "foreign trade",
			"trade deficit", "trade balance", "current account", "world market",
			"贸易", "外贸", "进口", "出口", "进出口", "海关", "全球化", "贸易保护", "贸易伙伴", "贸易逆差", "贸易顺差", "国际收支", "进口商品", "出口企业",
		},
	},
	{
		Monetary, "monetary policy", "货币政策",
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
		Credit, "banks and credit", "银行与信贷",
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
		Wages, "wages and work", "工资与劳动",
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
		Redistribution, "redistribution and benefits", "再分配与福利",
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
			"redistribution", "redistribute", "transfer", "welfare", "social security", "safety net",
			"benefit", "social benefit", "social policy",
			"handout", "income support",
			"再分配", "转移支付", "福利", "社会保障", "社保", "救济", "补助", "低保户", "共同富裕", "扶贫",
		},
	},
	{
		LaborProductivity, "automation and productivity", "自动化与生产率",
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
		Innovation, "innovation and research", "创新与研发",
		[]sim.Indicator{sim.InnovationEvents, sim.LabourProductivity, sim.RealGDP, sim.RealWageMean, sim.MarkUp, sim.DeficitToGDP, sim.HHI},
		[]string{
			"innovation", "innovate", "innovator", "innovative", "research", "invention", "inventor", "r&d", "new technology",
			"technological progress", "start up technology",
			"创新", "研发", "研究", "发明", "新技术", "技术进步", "科技", "科研", "创新扩散", "技术扩散",
		},
	},
	{
		Competition, "competition", "市场竞争",
		[]sim.Indicator{sim.MarkUp, sim.HHI, sim.CPI, sim.RealWageMean, sim.LabourShare, sim.FirmCount, sim.RealGDP},
		[]string{
			"competition", "competitor", "merger", "monopoly", "monopolist", "oligopoly", "market concentration", "cartel", "superstar firm",
			"big firm",
			"竞争", "垄断", "合并", "并购", "兼并", "寡头", "市场集中度", "卡特尔", "垄断企业", "龙头企业",
		},
	},
	{
		Demographics, "population", "人口",
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
		Tax, "taxes", "税收",
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
		Demand, "demand and public spending", "需求与公共支出",
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
	"tax_policy": Tax, "fiscal": Demand, "labor_market": Wages, "subsidies": Innovation, "consumption": Demand, "confidence": Demand, "shocks": Demand,
	"investment": Demand, "production": LaborProductivity, "market": Competition, "innovation": Innovation, "automation": LaborProductivity,
	"monetary": Monetary, "credit": Credit, "demography": Demographics, "trade": Tariff, "entry": Competition, "system_scale": Other,
}

// typeOf is the type of a question that changes something, where that is no parameter or another type
// than its category has.
var typeOf = map[string]Type{
	"tariff_rate": Tariff, "loan_spread": Credit, "deposit_spread": Credit, "job_retention_share": Wages,
	"labor_productivity_factor": LaborProductivity, "universal_basic_income": Redistribution, "minimum_income": Redistribution,
	"redistribution_strategy": Redistribution, "redistribution_share": Redistribution, "redistribution_financing": Redistribution,
	"unemployment_benefit_rate": Redistribution, "benefit_months": Redistribution, "basic_income_financing": Redistribution,
	"minimum_income_taper": Redistribution, "long_term_benefit_factor": Redistribution, "pay": Redistribution,
	"job_retention_benefit_rate": Wages, "wage_subsidy_rate": Wages, "wage_subsidy_ceiling": Wages,
	"inherent_market_focus_new_products": Innovation, "households_per_firm": Competition, "closure_rate": Competition,
	"import_price": Tariff, "world_demand": Tariff, "tariff": Tariff, "credit": Credit, "wage_subsidy": Wages, "job_retention": Wages,
	"redistribution": Redistribution, "unemployed": Redistribution, "retired": Redistribution, "bottom_decile": Redistribution,
	"all": Demand, "banks": Credit, "progressive_tax": Tax, "green_levy": Tax, "robot_tax": LaborProductivity, "retraining": LaborProductivity,
	"austerity": Demand, "stimulus": Demand, "job_guarantee": Demand, "demand": Demand, "confidence": Demand, "disaster": Demand,
	"industry_demand": Demand, "industry_supply": Demand, "productivity": LaborProductivity, "automation_wave": LaborProductivity,
	"population": Demographics, "research_subsidy": Innovation, "public_research": Innovation,
	"trade_war": Tariff, "green_transition": Tax, "pandemic": Demand, "ai_wave": LaborProductivity, "demand_slump": Demand, "crisis": Credit,
}

// typesOf are those of what an inquiry's arms change.
func typesOf(q inquiry.Inquiry) (list []Type) {
	add := func(name string) {
		if t, ok := typeOf[name]; ok {
			list = append(list, t)
		} else if row, err := sim.Lookup(name); err == nil {
			list = append(list, typeOfCategory[row.Category])
		}
	}
	if q.Find != nil {
		add(q.Find.Parameter)
	}
	for _, a := range q.Arms {
		add(a.Base)
		for _, s := range a.Set {
			add(s.Name)
		}
		for _, v := range slices.Concat(a.Events, a.Rules) {
			for _, name := range []string{v.Policy.Policy, v.Shock.Shock, v.Injection.Group} {
				add(name)
			}
			for _, c := range v.Parameters {
				add(c.Name)
			}
		}
		if a.Doses != nil {
			add(a.Doses.Parameter)
		}
	}
	return list
}

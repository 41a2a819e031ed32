package report

import (
	"strings"

	"econ-mcp/sim"
)

// Unit is the unit of an indicator for people.
func Unit(i sim.Indicator, language string) string {
	return word(language, i.Info().Unit, unitsZH[i.Info().Unit])
}

// ParameterUnit is the unit in which figures show a parameter, and by what its values are multiplied: of a share percent. Chinese figures
// have only the units that are translated.
func ParameterUnit(unit, language string) (shown string, by float64) {
	unit, _, _ = strings.Cut(unit, ",")
	rest, share := strings.CutPrefix(unit, "share")
	switch {
	case share && language == Chinese:
		return "%", 100
	case share:
		return "%" + rest, 100
	case unit == "months":
		return word(language, "months", "个月"), 1
	case language == Chinese:
		return "", 1
	}
	return unit, 1
}

// Formula says how an indicator is computed from the month.
func Formula(i sim.Indicator, language string) string {
	if i == sim.DeficitToGDP { // as tables.Panel measures it
		return word(language, "(government_spending - tax_revenue - profit of the central bank) / nominal_gdp, both summed up over the window; of "+
			"a single month over the last twelve", "（government_spending－tax_revenue－央行利润） / nominal_gdp，二者均在窗口内加总；单个月份则取最近十二个月")
	}
	if i.IsBreakdown() {
		return word(language, i.Info().Formula, breakdowns[i-sim.NumIndicators].formulaZH)
	}
	return word(language, i.Info().Formula, formulasZH[i])
}

// unitsZH are the units of [sim.IndicatorInfo] in Chinese.
var unitsZH = map[string]string{
	"currency units": "货币单位", "currency units a month": "货币单位/月", "currency units a month at prices of the base month": "货币单位/月，基期价格",
	"currency units at prices of the base month": "货币单位，基期价格", "share of the control's GDP": "占对照组GDP比", "persons": "人",
	"share a month": "比率/月",
	"share":         "比率", "share a year": "比率/年", "share of GDP": "占GDP比", "share of annual GDP": "占年度GDP比",
	"share of the labour force": "占劳动力比", "share of households": "占家庭比", "share of jobs and vacancies": "占岗位与空缺比",
	"share of disposable income": "占可支配收入比", "share of firms' revenue": "占企业收入比", "index, base month = 100": "指数，基期月=100",
	"0 to 1": "0至1", "firms": "企业数", "firms a month": "企业数/月", "households": "户", "banks a month": "银行数/月", "events a month": "事件数/月",
	"ratio to unit labour cost": "与单位劳动成本之比", "domestic per foreign currency, index": "每单位外币的本币价格，指数",
}

// formulasZH are the formulas of [sim.IndicatorInfo] in Chinese.
var formulasZH = [sim.NumIndicators]string{
	sim.NominalGDP:             "家庭消费（含增值税）＋政府采购＋政府工资＋资本品交付＋按单位成本计的库存变动＋出口－进口；与生产法、收入法相等",
	sim.RealGDP:                "nominal_gdp 的各组成部分，数量按基期月（实验开始前最后一个月）的平均价格计",
	sim.GDPGrowth:              "最近三个月 real_gdp 与上年同期三个月之比，减1",
	sim.CPI:                    "各行业实付平均价格（含增值税、进口与关税）相对基期月的几何平均，以预算份额为权重",
	sim.GDPDeflator:            "100 nominal_gdp / real_gdp",
	sim.Inflation:              "cpi 与十二个月前 cpi 之比，减1",
	sim.UnemploymentRate:       "月末无工作的劳动力 / 劳动力",
	sim.EmploymentRate:         "有工作的家庭 / 家庭",
	sim.ParticipationRate:      "户主有工作或在求职的家庭 / 家庭；不启用人口模块时为1",
	sim.VacancyRate:            "空缺 /（空缺＋在职）；空缺取月初开放与月末剩余岗位的均值，因为一个月的岗位同时开放",
	sim.JobFindingRate:         "当月找到工作的失业者 / 当月求职的失业者",
	sim.SeparationRateObserved: "当月结束的工作（不计跳槽） / 月初在职人数",
	sim.NominalWageMean:        "工资总额 / 在职人数",
	sim.RealWageMean:           "100 nominal_wage_mean / cpi",
	sim.RealWageMedian:         "100 工资中位数 / cpi",
	sim.LabourShare:            "企业与政府的工资总额 / nominal_gdp（宾夕法尼亚大学世界表的口径）",
	sim.RealConsumption:        "家庭购买的数量，按含增值税的基期月价格计",
	sim.RealInvestment:         "交付的资本品，按基期月价格计",
	sim.SavingRate:             "1－家庭消费（含增值税） / 可支配收入",
	sim.IncomeGini:             "当月可支配收入的基尼系数",
	sim.WealthGini:             "净财富的基尼系数：存款＋股权份额×企业与银行的价值",
	sim.PovertyRate:            "可支配收入低于中位数60 %的家庭",
	sim.TaxIncome:              "政府收到的工资、利息与股息税以及养老金缴费",
	sim.TaxVAT:                 "政府收到的增值税",
	sim.TaxCorporate:           "政府收到的企业与银行利润税",
	sim.TaxRevenue:             "各项税收之和",
	sim.GovernmentSpending:     "政府工资＋采购＋救济＋养老金＋基本收入及其他转移支付＋再培训津贴＋补贴＋债务利息＋资本转移",
	sim.DeficitToGDP:           "（government_spending－tax_revenue） / nominal_gdp，最近十二个月的均值",
	sim.DebtToGDP:              "公共债务 / 最近十二个月的 nominal_gdp",
	sim.MoneyStock:             "家庭与企业的存款",
	sim.CreditStock:            "对企业的贷款",
	sim.PolicyRate:             "央行利率",
	sim.LoanRate:               "企业贷款的平均利率，以贷款额为权重",
	sim.Bankruptcies:           "月末存款为负的企业",
	sim.FirmEntries:            "当月成立的企业；不启用 enable_open_entry 时，每家取代一家倒闭或无雇员而停业的企业",
	sim.FirmCount:              "存续的企业",
	sim.HHI:                    "一个本地市场内一个行业收入的赫芬达尔—赫希曼指数，以收入加权平均",
	sim.MarkUp:                 "消费品企业在单位劳动成本上的平均加成，以收入为权重",
	sim.CapacityUtilisation:    "消费品企业的产量 / 其满负荷产量",
	sim.LabourProductivity:     "企业每名工人的实际产出相对基期月",
	sim.InnovationEvents:       "成功的创新",
	sim.TaxLevy:                "政府收到的绿色税",
	sim.Emissions:              "按基期月价格计的消费品数量×行业排放强度，减去已减排的部分",
	sim.JobGuaranteeEmployment: "公共就业计划的成员 / 劳动力；他们计为就业",
	sim.BankFailures:           "处置前月末资本为负的银行",
	sim.BankEquity:             "处置后所有银行的资本",
	sim.Population:             "月末经济体中的家庭；不启用人口模块时为 num_households",
	sim.Exports:                "对世界其他地区的销售；不启用 enable_trade 时为0",
	sim.Imports:                "自世界其他地区的购买，不含关税与增值税；不启用 enable_trade 时为0",
	sim.TaxTariff:              "政府收到的进口关税",
	sim.ExchangeRate:           "外币的价格；浮动汇率下开放贸易时为1，上升即本币贬值；不启用 enable_trade 时为1",
	sim.ImportPriceIndex:       "含关税的进口价格相对基期月的行业几何平均，以进口为权重；不启用 enable_trade 时为100",
	sim.CurrentAccount:         "（出口－进口－世界其他地区存款的利息） / nominal_gdp",
	sim.NetForeignPosition:     "－世界其他地区的存款 / 最近十二个月的 nominal_gdp",
	sim.AIAdoptionShare:        "使用AI的企业的收入 / 所有企业的收入",
	sim.TaxRobot:               "政府收到的AI许可费税",
	sim.FirmExits:              "当月倒闭或无雇员而停业的企业",
}

package report

import "econ-mcp/sim"

// Label names an indicator for people, in English or, for "zh", in Chinese.
func Label(i sim.Indicator, language string) string {
	if i.IsBreakdown() {
		return breakdowns[i-sim.NumIndicators].label.in(language)
	}
	return labels[i].in(language)
}

// labels name the indicators in figures and reports.
var labels = [sim.NumIndicators]note{
	sim.NominalGDP:             {"Nominal GDP", "名义GDP"},
	sim.RealGDP:                {"Real GDP", "实际GDP"},
	sim.GDPGrowth:              {"GDP growth", "GDP增长率"},
	sim.CPI:                    {"Consumer prices", "消费者价格"},
	sim.GDPDeflator:            {"GDP deflator", "GDP平减指数"},
	sim.Inflation:              {"Inflation", "通货膨胀率"},
	sim.UnemploymentRate:       {"Unemployment rate", "失业率"},
	sim.EmploymentRate:         {"Employment rate", "就业率"},
	sim.ParticipationRate:      {"Participation rate", "劳动参与率"},
	sim.VacancyRate:            {"Vacancy rate", "职位空缺率"},
	sim.JobFindingRate:         {"Job finding rate", "求职成功率"},
	sim.SeparationRateObserved: {"Separation rate", "离职率"},
	sim.NominalWageMean:        {"Mean nominal wage", "平均名义工资"},
	sim.RealWageMean:           {"Mean real wage", "平均实际工资"},
	sim.RealWageMedian:         {"Median real wage", "实际工资中位数"},
	sim.LabourShare:            {"Labour share", "劳动收入份额"},
	sim.RealConsumption:        {"Real consumption", "实际消费"},
	sim.RealInvestment:         {"Real investment", "实际投资"},
	sim.SavingRate:             {"Saving rate", "储蓄率"},
	sim.IncomeGini:             {"Income Gini", "收入基尼系数"},
	sim.WealthGini:             {"Wealth Gini", "财富基尼系数"},
	sim.PovertyRate:            {"Poverty rate", "贫困率"},
	sim.TaxIncome:              {"Income tax", "所得税"},
	sim.TaxVAT:                 {"VAT", "增值税"},
	sim.TaxCorporate:           {"Corporate tax", "企业税"},
	sim.TaxRevenue:             {"Tax revenue", "税收总额"},
	sim.GovernmentSpending:     {"Government spending", "政府支出"},
	sim.DeficitToGDP:           {"Deficit to GDP", "赤字占GDP比"},
	sim.DebtToGDP:              {"Debt to GDP", "债务占GDP比"},
	sim.MoneyStock:             {"Money stock", "货币存量"},
	sim.CreditStock:            {"Credit stock", "信贷存量"},
	sim.PolicyRate:             {"Policy rate", "政策利率"},
	sim.LoanRate:               {"Loan rate", "贷款利率"},
	sim.Bankruptcies:           {"Bankruptcies", "破产企业数"},
	sim.FirmEntries:            {"Firm entries", "新设企业数"},
	sim.FirmCount:              {"Firms", "企业数"},
	sim.HHI:                    {"Concentration (HHI)", "集中度（HHI）"},
	sim.MarkUp:                 {"Mark-up", "加成率"},
	sim.CapacityUtilisation:    {"Capacity utilisation", "产能利用率"},
	sim.LabourProductivity:     {"Labour productivity", "劳动生产率"},
	sim.InnovationEvents:       {"Innovation events", "创新事件数"},
	sim.Exports:                {"Exports", "出口"},
	sim.Imports:                {"Imports", "进口"},
	sim.TaxLevy:                {"Green levy", "绿色税"},
	sim.Emissions:              {"Emissions", "排放"},
	sim.JobGuaranteeEmployment: {"Job guarantee", "就业保障人数占比"},
	sim.BankFailures:           {"Bank failures", "银行倒闭数"},
	sim.BankEquity:             {"Bank equity", "银行资本"},
	sim.Population:             {"Population", "人口（户）"},
	sim.TaxTariff:              {"Tariffs", "关税"},
	sim.ExchangeRate:           {"Exchange rate", "汇率"},
	sim.ImportPriceIndex:       {"Import prices", "进口价格"},
	sim.CurrentAccount:         {"Current account to GDP", "经常账户占GDP比"},
	sim.NetForeignPosition:     {"Net foreign position to GDP", "对外净头寸占GDP比"},
	sim.AIAdoptionShare:        {"AI adoption", "AI采用率"},
	sim.TaxRobot:               {"Robot tax", "机器人税"},
	sim.FirmExits:              {"Firm exits", "退出企业数"},
}

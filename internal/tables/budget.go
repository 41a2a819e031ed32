package tables

import (
	"math"
	"slices"

	"econ-mcp/sim"
)

// BudgetItem is an item of the public budget.
type BudgetItem struct {
	Name, EN, ZH string
	Sign         float64
	indicator    sim.Indicator
	purpose      func(g *sim.GovernmentSummary) float64 // instead of the indicator
	rest         bool                                   // of the indicator: what the items of the same sign leave
}

// BudgetItems are the items of the public budget in the order of reports: what adds to the
// balance with sign 1, and what is spent with sign -1. Taxes and all spending are
// indicators; the purposes of spending, and what comes in beside taxes, are in the record.
var BudgetItems = []BudgetItem{
	{Name: "income_tax", EN: "Income tax and contributions", ZH: "所得税与社保缴费", Sign: 1, indicator: sim.TaxIncome},
	{Name: "vat", EN: "VAT", ZH: "增值税", Sign: 1, indicator: sim.TaxVAT},
	{Name: "corporate_tax", EN: "Corporate tax", ZH: "企业税", Sign: 1, indicator: sim.TaxCorporate},
	{Name: "green_levy", EN: "Green levy", ZH: "绿色税", Sign: 1, indicator: sim.TaxLevy},
	{Name: "tariffs", EN: "Tariffs", ZH: "关税", Sign: 1, indicator: sim.TaxTariff},
	{Name: "robot_tax", EN: "Robot tax", ZH: "机器人税", Sign: 1, indicator: sim.TaxRobot},
	{Name: "other_taxes", EN: "Other taxes", ZH: "其他税收", Sign: 1, indicator: sim.TaxRevenue, rest: true},
	{
		Name:    "central_bank_profit",
		EN:      "Central bank's profit",
		ZH:      "央行利润",
		Sign:    1,
		purpose: func(g *sim.GovernmentSummary) float64 { return g.CentralBankProfit },
	},
	{Name: "wages", EN: "Public wages", ZH: "政府工资", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Wages }},
	{Name: "purchases", EN: "Purchases", ZH: "政府采购", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Purchases }},
	{
		Name:    "unemployment_benefits",
		EN:      "Unemployment benefits",
		ZH:      "失业救济",
		Sign:    -1,
		purpose: func(g *sim.GovernmentSummary) float64 { return g.Unemployment },
	},
	{Name: "pensions", EN: "Pensions", ZH: "养老金", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Pensions }},
	{
		Name:    "transfers",
		EN:      "Other transfers",
		ZH:      "其他转移支付",
		Sign:    -1,
		purpose: func(g *sim.GovernmentSummary) float64 { return g.Transfers },
	},
	{Name: "subsidies", EN: "Subsidies", ZH: "补贴", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Subsidies }},
	{Name: "banks", EN: "Capital for banks", ZH: "银行注资", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Banks }},
	{Name: "interest", EN: "Interest", ZH: "利息", Sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Interest }},
	{Name: "other_spending", EN: "Other spending", ZH: "其他支出", Sign: -1, indicator: sim.GovernmentSpending, rest: true},
}

// leastItem is the share of GDP below which an item of the budget is nothing but rounding.
const leastItem = 1e-9

// NoItem says that an item of the budget, as shares of GDP by replication, is nothing but
// rounding on both sides.
func NoItem(control, treatment []float64) bool {
	return !slices.ContainsFunc(slices.Concat(control, treatment), func(x float64) bool { return !(math.Abs(x) < leastItem) })
}

// budgetGrouping is the name of the [Grouping] of the purposes among the items.
const budgetGrouping = "government"

// purposes are the items that are no indicators.
var purposes = slices.DeleteFunc(slices.Clone(BudgetItems), func(item BudgetItem) bool { return item.purpose == nil })

func budgetPurposes(sim.Params) (names []string) {
	for _, p := range purposes {
		names = append(names, p.Name)
	}
	return names
}

// budgetOf are the items of the budget of a run in the mean over a window, signed as they
// count for the balance, and GDP; both in currency units a month. groups are the means
// over the same window, nil where they were not kept. Without the purposes of spending,
// as in months that were stored before they were told apart, all spending is other
// spending, and the central bank's profit is left out.
func budgetOf(series *[sim.NumOutcomes][]float64, groups *GroupMeans, from, to int) (items []float64, gdp float64) {
	known := groups != nil && groups.Months > 0 && !math.IsNaN(groups.Mean(budgetGrouping, "amount", 0))
	told := map[float64]float64{} // by sign
	next := 0
	for _, item := range BudgetItems {
		x := 0.0
		switch {
		case item.rest:
			x = WindowMean(series[item.indicator], from, to) - told[item.Sign]
		case item.purpose == nil:
			x = WindowMean(series[item.indicator], from, to)
			told[item.Sign] += x
		default:
			if known {
				x = groups.Mean(budgetGrouping, "amount", next)
			}
			if item.Sign < 0 {
				told[item.Sign] += x
			}
			next++
		}
		items = append(items, item.Sign*x)
	}
	return items, WindowMean(series[sim.NominalGDP], from, to)
}

// Budgets are the items by replication, as amounts or as shares of GDP, then the balance:
// rows as budgetItems has them, and one more.
func Budgets(panel Panel, groups []*GroupMeans, from, to int, shares bool) [][]float64 {
	rows := make([][]float64, len(BudgetItems)+1)
	for r, series := range panel {
		var means *GroupMeans
		if r < len(groups) {
			means = groups[r]
		}
		items, gdp := budgetOf(series, means, from, to)
		balance := 0.0
		for k, x := range items {
			if shares {
				x /= gdp
			}
			balance += x
			rows[k] = append(rows[k], x)
		}
		rows[len(items)] = append(rows[len(items)], balance)
	}
	return rows
}

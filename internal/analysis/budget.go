package analysis

import (
	"fmt"
	"math"

	"econ-mcp/sim"
)

// budgetItems are the items of the public budget in the order of reports: what adds to the
// balance with sign 1, and what is spent with sign -1. Taxes and all spending are
// indicators; the purposes of spending, and what comes in beside taxes, are in the record.
var budgetItems = []struct {
	name, label, zh string
	sign            float64
	indicator       sim.Indicator
	purpose         func(g *sim.GovernmentSummary) float64 // instead of the indicator
	rest            bool                                   // of the indicator: what the items of the same sign leave
}{
	{name: "income_tax", label: "Income tax and contributions", zh: "所得税与社保缴费", sign: 1, indicator: sim.TaxIncome},
	{name: "vat", label: "VAT", zh: "增值税", sign: 1, indicator: sim.TaxVAT},
	{name: "corporate_tax", label: "Corporate tax", zh: "企业税", sign: 1, indicator: sim.TaxCorporate},
	{name: "green_levy", label: "Green levy", zh: "绿色税", sign: 1, indicator: sim.TaxLevy},
	{name: "tariffs", label: "Tariffs", zh: "关税", sign: 1, indicator: sim.TaxTariff},
	{name: "robot_tax", label: "Robot tax", zh: "机器人税", sign: 1, indicator: sim.TaxRobot},
	{name: "other_taxes", label: "Other taxes", zh: "其他税收", sign: 1, indicator: sim.TaxRevenue, rest: true},
	{name: "central_bank_profit", label: "Central bank's profit", zh: "央行利润", sign: 1, purpose: func(g *sim.GovernmentSummary) float64 { return g.CentralBankProfit }},
	{name: "wages", label: "Public wages", zh: "政府工资", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Wages }},
	{name: "purchases", label: "Purchases", zh: "政府采购", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Purchases }},
	{name: "unemployment_benefits", label: "Unemployment benefits", zh: "失业救济", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Unemployment }},
	{name: "pensions", label: "Pensions", zh: "养老金", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Pensions }},
	{name: "transfers", label: "Other transfers", zh: "其他转移支付", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Transfers }},
	{name: "subsidies", label: "Subsidies", zh: "补贴", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Subsidies }},
	{name: "banks", label: "Capital for banks", zh: "银行注资", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Banks }},
	{name: "interest", label: "Interest", zh: "利息", sign: -1, purpose: func(g *sim.GovernmentSummary) float64 { return g.Interest }},
	{name: "other_spending", label: "Other spending", zh: "其他支出", sign: -1, indicator: sim.GovernmentSpending, rest: true},
}

// leastItem is the share of GDP below which an item of the budget is nothing but rounding.
const leastItem = 1e-9

// budgetGrouping is the name of the [Grouping] of the purposes among the items.
const budgetGrouping = "government"

// purposes are the items that are no indicators.
var purposes = func() (list []struct {
	name string
	of   func(g *sim.GovernmentSummary) float64
}) {
	for _, item := range budgetItems {
		if item.purpose != nil {
			list = append(list, struct {
				name string
				of   func(g *sim.GovernmentSummary) float64
			}{item.name, item.purpose})
		}
	}
	return list
}()

func budgetPurposes(sim.Params) (names []string) {
	for _, p := range purposes {
		names = append(names, p.name)
	}
	return names
}

// budgetOf are the items of the budget of a run in the mean over a window, signed as they
// count for the balance, and GDP; both in currency units a month. groups are the means
// over the same window, nil where they were not kept. Without the purposes of spending,
// as in months that were stored before they were told apart, all spending is other
// spending, and the central bank's profit is left out.
func budgetOf(series *[sim.NumIndicators][]float64, groups *GroupMeans, from, to int) (items []float64, gdp float64) {
	known := groups != nil && groups.Months > 0 && !math.IsNaN(groups.Mean(budgetGrouping, "amount", 0))
	told := map[float64]float64{} // by sign
	next := 0
	for _, item := range budgetItems {
		x := 0.0
		switch {
		case item.rest:
			x = windowMean(series[item.indicator], from, to) - told[item.sign]
		case item.purpose == nil:
			x = windowMean(series[item.indicator], from, to)
			told[item.sign] += x
		default:
			if known {
				x = groups.Mean(budgetGrouping, "amount", next)
			}
			if item.sign < 0 {
				told[item.sign] += x
			}
			next++
		}
		items = append(items, item.sign*x)
	}
	return items, windowMean(series[sim.NominalGDP], from, to)
}

// budgets are the items by replication, as amounts or as shares of GDP, then the balance:
// rows as budgetItems has them, and one more.
func budgets(panel Panel, groups []*GroupMeans, from, to int, shares bool) [][]float64 {
	rows := make([][]float64, len(budgetItems)+1)
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

// The rows of a budget are of these kinds.
const (
	budgetReceipts = "receipts"
	budgetSpending = "spending"
	budgetBalance  = "balance"
)

// The rows of the balance: an amount, and a share of the arm's own GDP.
const (
	balanceItem  = "balance"
	balanceToGDP = "balance_to_gdp"
)

// budgetGains are the public budget of the arms, or of the only one, with what a treatment
// changes in it, not judged yet.
func budgetGains(s *Study, c Choice) gains {
	out := gains{about: "public budget", rows: []GainRow{}}
	arms, control := s.Arms, s.control()
	if control != nil {
		arms = arms[1:]
	}
	add := func(kind, name, arm string, a, b []float64) {
		if control == nil {
			out.rows = append(out.rows, loneRow(kind, name, arm, b))
			return
		}
		row, p := gainRow(kind, name, arm, a, b, c.Confidence)
		out.rows, out.of = append(out.rows, row), append(out.of, p)
	}
	for k := range arms {
		arm := &arms[k]
		values := func(arm *StudyArm, shares bool) [][]float64 {
			return budgets(arm.Panel, groupsOf(arm), c.From, c.To, shares)
		}
		b, bShares := values(arm, false), values(arm, true)
		a, aShares := make([][]float64, len(b)), make([][]float64, len(b))
		if control != nil {
			a, aShares = values(control, false), values(control, true)
		}
		for n, item := range budgetItems {
			if largest(aShares[n]) < leastItem && largest(bShares[n]) < leastItem {
				continue
			}
			kind := budgetReceipts
			if item.sign < 0 {
				kind = budgetSpending
			}
			add(kind, item.name, arm.Name, a[n], b[n])
		}
		last := len(budgetItems)
		add(budgetBalance, balanceItem, arm.Name, a[last], b[last])
		add(budgetBalance, balanceToGDP, arm.Name, aShares[last], bShares[last])
		out.rows[len(out.rows)-1].Percent = absent // a difference of shares is in points already
	}
	if control != nil {
		out.adjust(s.Seed, c.Confidence)
	}
	return out
}

func groupsOf(arm *StudyArm) (list []*GroupMeans) {
	for _, m := range arm.Window {
		list = append(list, &m.Groups)
	}
	return list
}

// budgetSentence tells what the last arm costs the government or brings it: by the verdict on
// the balance, because its interval is not adjusted for the other items, and where amount and
// share of GDP go the same way.
func (a *Analysis) budgetSentence(language string) string {
	var amount, share *GainRow
	for k := range a.Budget {
		row := &a.Budget[k]
		switch {
		case row.Arm != a.Arm:
		case row.Group == balanceItem:
			amount = row
		case row.Group == balanceToGDP:
			share = row
		}
	}
	if amount == nil || share == nil || math.IsNaN(float64(share.CILow)) {
		return ""
	}
	level := FormatShare(a.Confidence, 0)
	if share.Verdict != "gains" && share.Verdict != "loses" || share.Difference*amount.Difference <= 0 {
		return fmt.Sprintf(word(language, "Whether it costs the government anything or brings it something is not clear (%s interval %s to %s, alone). ", "对财政余额的影响不明确（单独的%s 区间 %s 至 %s）。"),
			level, pointsText(share.CILow, language), pointsText(share.CIHigh, language))
	}
	verb, low, high := word(language, "brings", "改善"), share.CILow, share.CIHigh
	if share.Difference < 0 {
		verb, low, high = word(language, "costs", "恶化"), -share.CIHigh, -share.CILow
	}
	points := func(x Number) string { return FormatNumber(100*float64(x), 2) + " %" }
	return fmt.Sprintf(word(language, "It %s the government %s currency units a month (%s of GDP; %s interval %s to %s). ", "财政余额%s：每月 %s 货币单位（GDP的 %s；%s 区间 %s 至 %s）。"),
		verb, FormatAmount(math.Abs(float64(amount.Difference))), points(Number(math.Abs(float64(share.Difference)))), level, points(low), points(high))
}

// budgetTable is the budget for people.
func budgetTable(a *Analysis, language string) table {
	t := table{heads: []string{
		word(language, "currency units a month", "货币单位/月"), word(language, "control", "对照"), word(language, "treatment", "处理"),
		word(language, "difference", "差异"), FormatShare(a.Confidence, 0) + word(language, " interval", " 区间"), word(language, "p adjusted", "校正后 p"),
	}}
	several := severalGainArms(a.Budget)
	for _, row := range a.Budget {
		label, level, change := itemText(row.Group, language), FormatAmount, moneyText
		if row.Group == balanceToGDP {
			level = func(x float64) string { return FormatShare(x, 2) }
			change = func(x Number) string { return FormatDifference(sim.DeficitToGDP, float64(x)) }
		}
		if several {
			label = row.Arm + ": " + label
		}
		interval := Absent
		if !math.IsNaN(float64(row.CILow)) {
			interval = change(row.CILow) + word(language, " to ", " 至 ") + change(row.CIHigh)
		}
		t.rows = append(t.rows, []string{label, level(float64(row.Control)), level(float64(row.Treatment)), change(row.Difference), interval, pValue(row.PAdjusted)})
	}
	return t
}

// itemText names a row of the budget for people.
func itemText(name, language string) string {
	switch name {
	case balanceItem:
		return word(language, "Balance", "财政余额")
	case balanceToGDP:
		return word(language, "Balance, share of GDP", "财政余额占GDP比")
	}
	for _, item := range budgetItems {
		if item.name == name {
			return word(language, item.label, item.zh)
		}
	}
	return name
}

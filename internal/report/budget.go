package report

import (
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// budgetText tells what each arm costs the government or brings it.
func budgetText(a *inference.Analysis, language string) string {
	var list []string
	for _, arm := range armsOf(a.Budget) {
		name := word(language, "it", "")
		if severalArms(a.Treatment) {
			name = arm
		}
		if text := costText(a, arm, name, language); text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, word(language, " ", ""))
}

// costText tells what an arm, called name, costs or brings: by the verdict on the balance, because its
// interval is not adjusted for the other items, and where amount and share of GDP go the same way.
func costText(a *inference.Analysis, arm, name, language string) string {
	var amount, share *inference.GainRow
	for k := range a.Budget {
		row := &a.Budget[k]
		switch {
		case row.Arm != arm:
		case row.Group == inference.BalanceItem:
			amount = row
		case row.Group == inference.BalanceToGDP:
			share = row
		}
	}
	if amount == nil || share == nil {
		return ""
	}
	level := FormatShare(a.Confidence, 0)
	if share.Difference == 0 && amount.Difference == 0 {
		return wordf(language, "%s changes nothing in the government's balance.", "%s对财政余额毫无影响。", capitalIt(name))
	}
	if math.IsNaN(float64(share.CILow)) {
		return ""
	}
	if share.Verdict != "gains" && share.Verdict != "loses" || share.Difference*amount.Difference <= 0 {
		return wordf(
			language,
			"Whether %s costs the government anything or brings it something is not clear once the number of rows is counted (%s interval "+
				"of this row alone: %s to %s).",
			"计入行数后，%s对财政余额的影响不明确（仅就此行而言，%s 区间 %s 至 %s）。",
			name, level,
			pointsText(share.CILow, language),
			pointsText(share.CIHigh, language),
		)
	}
	verb, low, high := word(language, "brings", "改善"), share.CILow, share.CIHigh
	if share.Difference < 0 {
		verb, low, high = word(language, "costs", "恶化"), -share.CIHigh, -share.CILow
	}
	points := func(x stats.Number) string { return FormatShare(float64(x), 2) }
	return wordf(
		language,
		"%s %s the government %s currency units a month (%s of GDP; %s interval %s to %s).",
		"%s财政余额%s：每月 %s 货币单位（GDP的 %s；%s 区间 %s 至 %s）。",
		capitalIt(name), verb,
		FormatAmount(math.Abs(float64(amount.Difference))),
		points(stats.Number(math.Abs(float64(share.Difference)))),
		level,
		points(low),
		points(high),
	)
}

// capitalIt begins a sentence with "it", and leaves the name of an arm as it is.
func capitalIt(name string) string {
	if name == "it" {
		return "It"
	}
	return name
}

// budgetTable is the budget for people.
func budgetTable(a *inference.Analysis, language string) table {
	t := table{heads: []string{
		word(language, "currency units a month", "货币单位/月"), word(language, "control", "对照"), word(language, "treatment", "处理"),
		word(
			language,
			"difference",
			"差异",
		), FormatShare(a.Confidence, 0) + word(language, " interval", " 区间"), word(language, "p adjusted", "校正后 p"),
	}}
	several := severalArms(a.Treatment)
	for _, row := range a.Budget {
		label, level, change := itemText(row.Group, language), FormatAmount, moneyText
		if row.Group == inference.BalanceToGDP {
			level = func(x float64) string { return FormatShare(x, 2) }
			change = func(x stats.Number) string { return FormatDifference(sim.DeficitToGDP, float64(x)) }
		}
		t.rows = append(
			t.rows,
			[]string{
				ofArm(several, row.Arm, label),
				level(float64(row.Control)),
				level(float64(row.Treatment)),
				change(row.Difference),
				interval(row.CILow, row.CIHigh, change, language),
				pValue(row.PAdjusted),
			},
		)
	}
	return t
}

// itemText names a row of the budget for people.
func itemText(name, language string) string {
	switch name {
	case inference.BalanceItem:
		return word(language, "Balance", "财政余额")
	case inference.BalanceToGDP:
		return word(language, "Balance, share of GDP", "财政余额占GDP比")
	}
	for _, item := range tables.BudgetItems {
		if item.Name == name {
			return word(language, item.EN, item.ZH)
		}
	}
	return name
}

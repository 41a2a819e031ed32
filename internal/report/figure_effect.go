package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// pairNote says what intervals of differences are.
func (f Figures) pairNote() note {
	return notef(
		"%s intervals over %d pairs, filled where they exclude 0",
		"%s区间基于%d次配对重复，区间不含0者为实心",
		f.level(),
		f.pairs(),
	)
}

// forest is the figure of the effects with their intervals.
func (f Figures) forest() (NamedFigure, bool) {
	groups := f.effectGroups()
	if !f.compared(2) || len(groups) == 0 {
		return NamedFigure{}, false
	}
	about := joined(f.less(), f.window(), f.pairNote())
	if f.severalArms() || f.severalWindows() {
		about = joined(notef("differences to %s", "与%s之差", armName(f.control().Name).in(f.Language)), f.pairNote())
	}
	var arrows, cut note
	if slices.ContainsFunc(groups, plot.EffectGroup.Cut) {
		cut = note{"arrow: the interval goes on", "箭头：区间超出坐标轴"}
		arrows = note{" An interval that ends in an arrow goes on beyond the axis; the numbers tell how far.", "以箭头结尾的区间超出坐标轴，右侧数字给出全部范围。"}
	}
	shown := note{zh: "“Levels”为水平量（对照组的百分比），“Rates and shares”为比率（百分点）。"}
	if f.severalArms() {
		shown = note{}
	}
	return NamedFigure{"effects", plot.Forest{Frame: f.frame(note{"Effects", "效应"}, joined(about, cut)), Groups: groups}, note{
		"Differences: " + about.en + ", without adjustment for the number of outcomes." + arrows.en,
		"处理效应：" + about.zh + "（未对指标数量校正）。" + arrows.zh + f.translated(shown.zh),
	}}, true
}

// severalArms says whether there is more than one beside the control.
func (f Figures) severalArms() bool { return len(f.Arms) > 2 }

// severalWindows says whether effects are of more than one.
func (f Figures) severalWindows() bool {
	return slices.ContainsFunc(f.Effects, func(e inference.Effect) bool { return e.Window != f.Effects[0].Window })
}

// mostGroups is how many outcomes a figure of several arms shows.
const mostGroups = 5

// effectGroups puts rates, whose differences are percentage points, below all other indicators, whose
// differences are relative; of several arms each outcome is a group. Indicators that do not exist in
// this economy, or are the same in both arms in every replication, are left out.
func (f Figures) effectGroups() []plot.EffectGroup {
	relative, points := f.say("difference, % of the control", "差异，占对照组的百分比"), f.say("difference, percentage points", "差异，百分点")
	groups := []plot.EffectGroup{{Title: f.say("Levels", "水平量"), XLabel: relative}, {Title: f.say("Rates and shares", "比率"), XLabel: points}}
	if f.severalArms() {
		groups = nil
	}
	for _, e := range f.Effects {
		i, ok := sim.IndicatorByName(e.Metric)
		if !ok || e.Control == 0 || e.Difference == 0 && !(e.CILow < e.CIHigh) { // it is the same in both arms
			continue
		}
		at, estimate := 0, plot.Estimate{Label: Label(i, f.Language), Value: e.Relative.Mean, Low: e.Relative.Low, High: e.Relative.High}
		if tables.IsShare(i) {
			at, estimate.Value, estimate.Low, estimate.High = 1, 100*e.Difference, 100*e.CILow, 100*e.CIHigh
		}
		if f.severalArms() {
			title, unit := estimate.Label, []string{relative, points}[at]
			if at = slices.IndexFunc(groups, func(g plot.EffectGroup) bool { return g.Title == title }); at < 0 {
				groups = append(groups, plot.EffectGroup{Title: title, XLabel: unit})
				at = len(groups) - 1
			}
			estimate.Label = armText(e.Arm, f.Language)
		} else if e.Arm != f.last().Name {
			continue
		}
		if f.severalWindows() {
			estimate.Label += wordf(f.Language, ", months %d–%d", "，第%d–%d个月", e.Window.From, e.Window.To)
		}
		groups[at].Effects = append(groups[at].Effects, estimate)
	}
	groups = slices.DeleteFunc(groups, func(g plot.EffectGroup) bool { return len(g.Effects) == 0 })
	if f.severalArms() {
		groups = groups[:min(len(groups), mostGroups)]
	}
	return groups
}

// deciles is the figure of what each tenth of the households by income before month 1 gains
// or loses.
func (f Figures) deciles() (NamedFigure, bool) {
	if !f.compared(2) || !f.hasGroups(2) {
		return NamedFigure{}, false
	}
	about := joined(f.window(), f.pairNote())
	out := plot.Panels{
		Frame:   f.frame(note{"Gains and losses by income", "按收入分组的得失"}, about),
		Columns: 2,
		XLabel:  f.say("Tenth of the households by income before month 1, 1 = poorest", "按第1个月之前收入划分的家庭十分位，1为最贫"),
	}
	for _, arm := range f.Arms[1:] {
		name := ""
		if len(f.Arms) > 2 {
			name = f.in(armName(arm.Name)) + f.say(": ", "：")
		}
		share := plot.Panel{
			Title:  capital(name + f.say("relative", "相对")),
			YLabel: f.say("difference of real disposable income, % of the control's", "实际可支配收入之差，占对照组的百分比"),
			Zero:   true,
		}
		money := plot.Panel{
			Title:  capital(name + f.say("absolute", "绝对")),
			YLabel: f.say("difference, currency units a month at base-month prices", "差异，货币单位/月，基期价格"),
			Zero:   true,
		}
		for g := range tables.Deciles {
			e := inference.GroupEffects(f.control().Groups, arm.Groups, "income_decile", "real_income", g, f.Confidence)
			if !(e.Control > 0) {
				return NamedFigure{}, false // a percentage of nothing
			}
			bar := func(factor float64, d stats.Interval) plot.Estimate {
				return plot.Estimate{Label: fmt.Sprint(g + 1), Value: factor * d.Mean, Low: factor * d.Low, High: factor * d.High}
			}
			share.Bars, money.Bars = append(share.Bars, bar(100, e.Relative)), append(money.Bars, bar(1, e.Difference))
		}
		out.Grid = append(out.Grid, share, money)
	}
	return NamedFigure{"deciles", out, note{
		"Real disposable income of each tenth of the households, " + joined(f.less(), about).en +
			". A tenth is the same households throughout: those that stood there, by smoothed disposable income, before month 1.",
		"各收入十分位（1为最贫）的实际可支配收入之差，左为相对值（对照组的百分比），右为绝对值（基期价格，货币单位/月）；" + about.zh + "。十分位由第1个月之前的平滑可支配收入确定，此后始终是同一批家庭。",
	}}, true
}

// budget is the figure of what the reform changes in the public budget: every item as a
// share of its arm's own GDP, so that prices cancel and the items add up to the balance.
func (f Figures) budget() (NamedFigure, bool) {
	if !f.compared(2) {
		return NamedFigure{}, false
	}
	shares := func(arm FigureArm) [][]float64 { return tables.Budgets(arm.Panel, arm.Groups, f.From, f.To, true) }
	control, treatment := shares(f.control()), shares(f.last())
	n := min(len(control[0]), len(treatment[0]))
	step := func(label string, a, b []float64) plot.Estimate {
		d := stats.PairedInterval(scaled(a[:n], 100), scaled(b[:n], 100), f.Confidence)
		return plot.Estimate{Label: label, Value: d.Mean, Low: d.Low, High: d.High}
	}
	var steps []plot.Estimate
	var names []string
	for k, item := range tables.BudgetItems {
		if tables.NoItem(control[k], treatment[k]) {
			continue
		}
		steps, names = append(steps, step(f.say(item.EN, item.ZH), control[k], treatment[k])), append(names, item.ZH)
	}
	if len(steps) == 0 {
		return NamedFigure{}, false
	}
	last := len(tables.BudgetItems)
	total := step(f.say("Balance", "财政余额"), control[last], treatment[last])
	if math.IsNaN(total.Value) { // months without GDP
		return NamedFigure{}, false
	}
	about := joined(f.window(), f.pairNote())
	what := note{"what " + f.last().Name + " adds to the balance", "处理组对财政余额的影响"}
	figure := plot.Waterfall{
		Frame:  f.frame(note{"Public budget", "公共预算"}, joined(what, about)),
		XLabel: f.say("difference to the control, percentage points of GDP", "与对照组之差，占GDP的百分点"),
		Steps:  steps, Total: total,
	}
	return NamedFigure{"budget", figure, note{
		"What the treatment changes in the public budget, from item to item down to the balance: receipts count up, spending down. " +
			"Each item is a share of its own arm's GDP (difference in percentage points); " + about.en + ".",
		"处理对公共预算的影响，自上而下逐项累加至财政余额（收入为正，支出增加为负）。各项均为占本组GDP的比重，差异以百分点计；" + about.zh + "。" +
			f.translated("各行依次为："+strings.Join(names, "、")+"、财政余额。"),
	}}, true
}

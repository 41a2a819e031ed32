package report

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// timePanel is an indicator over time: a panel of the overview and of the differences, or
// of a figure of its subject.
type timePanel struct {
	file      string // of the subject
	title, zh string
	unit      note
	indicator sim.Indicator
	indexed   bool // first year of the first arm = 100; the unit follows from it
	zero      bool
	overview  bool
}

var (
	realMoney   = note{"currency units a month at base-month prices", "货币单位/月，基期价格"}
	percentYear = note{"% a year", "%/年"}
	gini        = note{"Gini coefficient", "基尼系数"}
)

var timePanels = []timePanel{
	{"output", "Output", "产出", realMoney, sim.RealGDP, false, false, true},
	{"consumption", "Consumption", "消费", note{}, sim.RealConsumption, true, false, true},
	{"investment", "Investment", "投资", note{}, sim.RealInvestment, true, false, true},
	{"unemployment", "Unemployment", "失业率", note{"% of the labour force", "占劳动力的%"}, sim.UnemploymentRate, false, true, true},
	{"inflation_and_policy_rate", "Inflation", "通货膨胀率", percentYear, sim.Inflation, false, false, true},
	{"inflation_and_policy_rate", "Policy rate", "政策利率", percentYear, sim.PolicyRate, false, false, true},
	{"wages", "Mean real wage", "平均实际工资", realMoney, sim.RealWageMean, false, false, true},
	{"wages", "Median real wage", "实际工资中位数", realMoney, sim.RealWageMedian, false, false, false},
	{"public_debt", "Public debt", "公共债务", note{"% of annual GDP", "占年度GDP的%"}, sim.DebtToGDP, false, false, true},
	{
		"public_deficit",
		"Public deficit",
		"公共赤字",
		note{"% of GDP, last twelve months", "占GDP的%，最近十二个月"},
		sim.DeficitToGDP,
		false,
		false,
		false,
	},
	{"prices", "Consumer prices", "消费者价格", note{"base month = 100", "基期月 = 100"}, sim.CPI, false, false, false},
	{"inequality", "Income inequality", "收入不平等", gini, sim.IncomeGini, false, false, true},
	{"inequality", "Wealth inequality", "财富不平等", gini, sim.WealthGini, false, false, false},
}

const overviewColumns = 3

// months that all replications of all arms have.
func (f Figures) months() int {
	n := math.MaxInt
	for _, arm := range f.Arms {
		for _, series := range arm.Panel {
			n = min(n, len(series[sim.RealGDP]))
		}
	}
	if n == math.MaxInt {
		return 0
	}
	return n
}

// bandNote says what is shaded around means, or that nothing is.
func (f Figures) bandNote() note {
	n := f.replications()
	if n < 2 {
		return note{"one replication: no intervals", "只有一次重复：没有区间"}
	}
	return notef("lines: means of %d replications; shaded: pointwise %s intervals", "线为%d次重复的均值，阴影为其逐月%s区间", n, f.level())
}

// markNote says what the vertical lines are.
func (f Figures) markNote() note {
	var list []string
	for _, m := range f.marks() {
		list = append(list, fmt.Sprint(m))
	}
	const most = 4
	switch n := len(list); {
	case n == 0:
		return note{}
	case n == 1:
		return notef("dotted: intervention (month %s)", "垂直点线：干预开始（第%s个月）", list[0])
	case n > most:
		list = append(list[:most-1], "…", list[n-1])
	}
	return notef("dotted: interventions (months %s)", "垂直点线：干预开始（第%s个月）", strings.Join(list, ", "))
}

// overview is the figure of the main indicators over time.
func (f Figures) overview() (NamedFigure, bool) {
	axis := f.axis()
	bands, marks := f.bandNote(), f.markNote()
	shared, sharedZH := "", ""
	if f.compared(2) {
		shared = " The arms of a replication share their random draws: their difference is known better than the bands of the arms, " +
			"which hold the differences between seeds, let it seem."
		sharedZH = "同一重复的各组经历相同的随机抽取：组间差异的精度高于各组区间所示（区间包含种子之间的差异）。"
	}
	out := axis.panels(f.frame("Over time", "随时间的变化", bands, marks))
	out.Columns = overviewColumns
	arms := f.curves()
	var titles []string
	for _, p := range timePanels {
		if p.overview {
			out.Grid = append(out.Grid, f.timePanel(p, axis.x, arms))
			titles = append(titles, p.zh)
		}
	}
	return NamedFigure{"overview", out, note{
		"The main indicators by month; " + joined(bands.en, marks.en) + "." + shared,
		"主要指标的月度路径；" + joinedZH(bands.zh, marks.zh) + "。" + sharedZH + f.translated("各图依次为："+strings.Join(titles, "、")+"。"),
	}}, true
}

// subjects is a figure for each subject of time panels.
func (f Figures) subjects() (list []NamedFigure) {
	if f.months() == 0 {
		return nil
	}
	axis, arms := f.axis(), f.curves()
	bands, marks := f.bandNote(), f.markNote()
	for _, p := range timePanels {
		panel := f.timePanel(p, axis.x, arms)
		if n := len(list); n > 0 && list[n-1].Name == p.file {
			figure := list[n-1].Figure.(plot.Panels)
			figure.Columns = 2
			figure.Grid = append(figure.Grid, panel)
			list[n-1].Figure = figure
			list[n-1].caption.en += " " + p.title + ": " + panel.YLabel + "."
			list[n-1].caption.zh += f.translated(p.zh + "。")
			continue
		}
		figure := axis.panels(f.frame(p.title, p.zh, bands, marks))
		figure.Grid = []plot.Panel{panel}
		list = append(list, NamedFigure{p.file, figure, note{
			"By month; " + joined(bands.en, marks.en) + ". " + p.title + ": " + panel.YLabel + ".",
			"月度路径；" + joinedZH(bands.zh, marks.zh) + "。" + f.translated(p.zh+"。"),
		}})
	}
	for i := range list {
		figure := list[i].Figure.(plot.Panels)
		if len(figure.Grid) == 1 {
			figure.Grid[0].Title = ""
		} else {
			title := subjectTitles[list[i].Name]
			figure.Frame = f.frame(title.en, title.zh, bands, marks)
		}
		list[i].Figure = figure
	}
	return list
}

// subjectTitles are those of subjects with several panels.
var subjectTitles = map[string]note{
	"inflation_and_policy_rate": {
		"Inflation and policy rate",
		"通货膨胀率与政策利率",
	}, "wages": {"Real wages", "实际工资"}, "inequality": {"Inequality", "不平等"},
}

func joined(list ...string) string { return joinedBy("; ", list) }

func joinedZH(list ...string) string { return joinedBy("；", list) }

func joinedBy(sep string, list []string) string {
	var there []string
	for _, s := range list {
		if s != "" {
			there = append(there, s)
		}
	}
	return strings.Join(there, sep)
}

// differences is the figure of the last arm's differences to the first over time.
func (f Figures) differences(ctx context.Context) (NamedFigure, bool) {
	if !f.compared(1) {
		return NamedFigure{}, false
	}
	axis := f.axis()
	n := min(len(f.control().Panel), len(f.last().Panel))
	bands := note{"one pair: no interval, all of it may be chance", "只有一对：没有区间，差异可能出于偶然"}
	if n > 1 {
		bands = notef("lines: means of %d pairs; dark: pointwise %s interval; light: simultaneous %[2]s band (sup-t)",
			"线为%d对的均值；深色：逐月%s区间，浅色：同时覆盖所有月份的%[2]s区间带（sup-t）", n, f.level())
	}
	marks := f.markNote()
	what := note{f.less().en + ", pair by pair", f.less().zh + "，逐对相减"}
	out := axis.panels(f.frame("Effects over time", "效应随时间的变化", what, bands, marks))
	out.Columns = overviewColumns
	var titles []string
	for _, p := range timePanels {
		if p.overview {
			out.Grid = append(out.Grid, f.differencePanel(ctx, p, axis.x))
			titles = append(titles, p.zh)
		}
	}
	return NamedFigure{"differences", out, note{
		"What the treatment changes by month: " + joined(
			what.en,
			bands.en,
			marks.en,
		) + ". The simultaneous band holds the whole path with that confidence. Shares in percentage points, all others in percent of " +
			"the control.",
		"逐月的处理效应：" + joinedZH(what.zh, bands.zh, marks.zh) + "。比率以百分点计，其余以对照组的百分比计。" + f.translated("各图依次为："+strings.Join(titles, "、")+"。"),
	}}, true
}

// bandSeed is the seed of the draws of simultaneous bands: a figure drawn again is the
// same.
const bandSeed = 1

// differencePanel draws the treatment's difference over time: percentage points
// of a share, percent of the control's value of anything else.
func (f Figures) differencePanel(ctx context.Context, p timePanel, x []float64) plot.Panel {
	points := tables.IsShare(p.indicator)
	panel := plot.Panel{Title: f.say(p.title, p.zh), YLabel: f.say("% of the control", "占对照组的%"), Zero: true}
	if points {
		panel.YLabel = f.say("percentage points", "百分点")
	}
	control, treatment := f.control().Panel, f.last().Panel
	n := min(len(control), len(treatment))
	differences := make([][]float64, len(x)) // by month, of each pair
	for m := range x {
		for r := range n {
			before := control[r][p.indicator][m]
			difference := 100 * (treatment[r][p.indicator][m] - before)
			if !points {
				difference /= math.Abs(before)
			}
			differences[m] = append(differences[m], difference)
		}
	}
	line := f.meanLine(x, differences)
	if n > 1 {
		band := stats.MeanBand(ctx, differences, f.Confidence, rand.New(rand.NewPCG(bandSeed, uint64(p.indicator))))
		line.OuterLower, line.OuterUpper = band.Low, band.High
	}
	panel.Lines = []plot.Line{line}
	return panel
}

// meanLine is the mean of values at each place, with Student's interval.
func (f Figures) meanLine(x []float64, values [][]float64) plot.Line {
	line := plot.Line{X: x, Colour: plot.Ink}
	interval := stats.MeanIntervals(f.Confidence)
	for _, list := range values {
		i := interval(stats.Defined(list))
		line.Y, line.Lower, line.Upper = append(line.Y, i.Mean), append(line.Lower, i.Low), append(line.Upper, i.High)
	}
	return line
}

func (f Figures) axis() timeAxis {
	months := make([]int, f.months())
	for m := range months {
		months[m] = m + 1
	}
	axis := newTimeAxis(months)
	axis.label = f.say(axis.label, map[string]string{"Month": "月份", "Year": "年份"}[axis.label])
	for _, month := range f.marks() {
		axis.mark(month)
	}
	return axis
}

func (f Figures) curves() (list []tables.Curves) {
	for _, arm := range f.Arms {
		list = append(list, arm.Panel.Curves(arm.Name, f.months(), f.Confidence))
	}
	return list
}

// timeAxis is the horizontal axis of figures over time.
type timeAxis struct {
	x     []float64
	label string
	ticks []float64 // nil = at round numbers
	marks []float64
	unit  float64 // months
}

// mark adds a vertical line between a month and the one before, whose values differ by
// what begins there.
func (a *timeAxis) mark(month int) {
	a.marks = append(a.marks, max(a.x[0], (float64(month)-.5)/a.unit))
}

// newTimeAxis counts years for more than ten years and months for less, which
// are labelled from month 1 on at quarters, half-years, years or every other year.
func newTimeAxis(months []int) timeAxis {
	n := len(months)
	axis := timeAxis{label: "Month", ticks: []float64{1}, unit: 1}
	step := 1
	switch {
	case n > 10*tables.MonthsPerYear:
		axis.label, axis.ticks, axis.unit = "Year", nil, tables.MonthsPerYear
	case n > 6*tables.MonthsPerYear:
		step = 2 * tables.MonthsPerYear
	case n > 3*tables.MonthsPerYear:
		step = tables.MonthsPerYear
	case n > 18:
		step = 6
	case n > 9:
		step = 3
	}
	for _, m := range months {
		axis.x = append(axis.x, float64(m)/axis.unit)
		if axis.ticks != nil && m > 1 && m%step == 0 {
			axis.ticks = append(axis.ticks, float64(m))
		}
	}
	return axis
}

// panels is a figure over time that has no panels yet.
func (a timeAxis) panels(frame plot.Frame) plot.Panels {
	return plot.Panels{Frame: frame, XLabel: a.label, XTicks: a.ticks, Marks: a.marks}
}

// timePanel draws an indicator of each arm.
func (f Figures) timePanel(p timePanel, x []float64, arms []tables.Curves) plot.Panel {
	panel := plot.Panel{Title: f.say(p.title, p.zh), YLabel: f.say(p.unit.en, p.unit.zh), Zero: p.zero}
	if p.indexed {
		panel.YLabel = indexUnit(len(x), len(arms), f.Language)
	}
	factor := p.factor(arms[0])
	for a, arm := range arms {
		line := plot.Line{Name: f.nameOf(a), X: x, Y: scaled(arm.Mean[p.indicator], factor)}
		if arm.N > 1 {
			line.Lower, line.Upper = scaled(arm.Lower[p.indicator], factor), scaled(arm.Upper[p.indicator], factor)
		}
		panel.Lines = append(panel.Lines, styled(line, a))
	}
	return panel
}

// factor turns values of the indicator into the unit of the panel.
func (p timePanel) factor(first tables.Curves) float64 {
	switch {
	case p.indexed:
		values := first.Mean[p.indicator]
		return 100 / stats.DefinedMean(values[:min(tables.MonthsPerYear, len(values))])
	case tables.IsShare(p.indicator):
		return 100
	}
	return 1
}

// indexUnit names the base of an index, see timePanel.factor.
func indexUnit(months, arms int, language string) string {
	if language == Chinese {
		base := fmt.Sprintf("前%d个月", min(months, tables.MonthsPerYear))
		if arms > 1 {
			base = "对照组" + base
		}
		return "实际值，" + base + " = 100"
	}
	base := "first year"
	if months < tables.MonthsPerYear {
		base = "first " + Plural(months, "month")
		if months == 1 {
			base = "first month"
		}
	}
	if arms > 1 {
		base += " of the control"
	}
	return "real, " + base + " = 100"
}

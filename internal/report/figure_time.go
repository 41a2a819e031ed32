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

// timeSubject is a figure over time of one subject, of one panel or several.
type timeSubject struct {
	file   string
	title  note
	panels []timePanel
}

// timePanel is an indicator over time: a panel of the figure of its subject, and of the
// overview and the differences.
type timePanel struct {
	title     note
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

var timeSubjects = []timeSubject{
	{"output", note{"Output", "产出"}, []timePanel{
		{note{"Output", "产出"}, realMoney, sim.RealGDP, false, false, true},
	}},
	{"consumption", note{"Consumption", "消费"}, []timePanel{
		{note{"Consumption", "消费"}, note{}, sim.RealConsumption, true, false, true},
	}},
	{"investment", note{"Investment", "投资"}, []timePanel{
		{note{"Investment", "投资"}, note{}, sim.RealInvestment, true, false, true},
	}},
	{"unemployment", note{"Unemployment", "失业率"}, []timePanel{
		{note{"Unemployment", "失业率"}, note{"% of the labour force", "占劳动力的%"}, sim.UnemploymentRate, false, true, true},
	}},
	{"inflation_and_policy_rate", note{"Inflation and policy rate", "通货膨胀率与政策利率"}, []timePanel{
		{note{"Inflation", "通货膨胀率"}, percentYear, sim.Inflation, false, false, true},
		{note{"Policy rate", "政策利率"}, percentYear, sim.PolicyRate, false, false, true},
	}},
	{"wages", note{"Real wages", "实际工资"}, []timePanel{
		{note{"Mean real wage", "平均实际工资"}, realMoney, sim.RealWageMean, false, false, true},
		{note{"Median real wage", "实际工资中位数"}, realMoney, sim.RealWageMedian, false, false, false},
	}},
	{"public_debt", note{"Public debt", "公共债务"}, []timePanel{
		{note{"Public debt", "公共债务"}, note{"% of annual GDP", "占年度GDP的%"}, sim.DebtToGDP, false, false, true},
	}},
	{"public_deficit", note{"Public deficit", "公共赤字"}, []timePanel{
		{note{"Public deficit", "公共赤字"}, note{"% of GDP, last twelve months", "占GDP的%，最近十二个月"}, sim.DeficitToGDP, false, false, false},
	}},
	{"prices", note{"Consumer prices", "消费者价格"}, []timePanel{
		{note{"Consumer prices", "消费者价格"}, note{"base month = 100", "基期月 = 100"}, sim.CPI, false, false, false},
	}},
	{"inequality", note{"Inequality", "不平等"}, []timePanel{
		{note{"Income inequality", "收入不平等"}, gini, sim.IncomeGini, false, false, true},
		{note{"Wealth inequality", "财富不平等"}, gini, sim.WealthGini, false, false, false},
	}},
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
	if f.severalArms() {
		return notef("lines: means of %d replications; shaded: pointwise %s interval of the control", "线为%d次重复的均值，阴影为对照组的逐月%s区间", n, f.level())
	}
	return notef("lines: means of %d replications; shaded: pointwise %s intervals", "线为%d次重复的均值，阴影为其逐月%s区间", n, f.level())
}

// banded says whether an arm is drawn with bands: of several, the control alone is, because their bands,
// which hold the differences between seeds, would cover each other.
func (f Figures) banded(arm int) bool { return arm == 0 || !f.severalArms() }

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
	about := joined(f.bandNote(), f.markNote())
	var shared note
	if f.compared(2) {
		shared = note{
			" The arms of a replication share their random draws: their difference is known better than the bands of the arms, " +
				"which hold the differences between seeds, let it seem.",
			"同一重复的各组经历相同的随机抽取：组间差异的精度高于各组区间所示（区间包含种子之间的差异）。",
		}
	}
	arms := f.curves()
	out, titles := f.mainPanels(note{"Over time", "随时间的变化"}, about, func(p timePanel, x []float64) plot.Panel {
		return f.timePanel(p, x, arms)
	})
	return NamedFigure{"overview", out, note{
		"The main indicators by month; " + about.en + "." + shared.en,
		"主要指标的月度路径；" + about.zh + "。" + shared.zh + titles,
	}}, true
}

// mainPanels is a figure over time with a panel for each main indicator. Their titles
// translate it for a Chinese caption.
func (f Figures) mainPanels(title, about note, panel func(p timePanel, x []float64) plot.Panel) (out plot.Panels, titles string) {
	out, x := f.overTime(title, about)
	out.Columns = overviewColumns
	var list []string
	for _, subject := range timeSubjects {
		for _, p := range subject.panels {
			if p.overview {
				out.Grid = append(out.Grid, panel(p, x))
				list = append(list, p.title.zh)
			}
		}
	}
	return out, f.translated("各图依次为：" + strings.Join(list, "、") + "。")
}

// subjects is a figure for each subject of time panels.
func (f Figures) subjects() (list []NamedFigure) {
	if f.months() == 0 {
		return nil
	}
	about, arms := joined(f.bandNote(), f.markNote()), f.curves()
	for _, subject := range timeSubjects {
		figure, x := f.overTime(subject.title, about)
		caption := note{"By month; " + about.en + ".", "月度路径；" + about.zh + "。"}
		for _, p := range subject.panels {
			panel := f.timePanel(p, x, arms)
			figure.Grid = append(figure.Grid, panel)
			caption.en += " " + p.title.en + ": " + panel.YLabel + "."
			caption.zh += f.translated(p.title.zh + "。")
		}
		if figure.Columns = len(figure.Grid); figure.Columns == 1 {
			figure.Grid[0].Title = "" // it is that of the figure
		}
		list = append(list, NamedFigure{subject.file, figure, caption})
	}
	return list
}

// differences is the figure of the differences of the arms to the first over time.
func (f Figures) differences(ctx context.Context) (NamedFigure, bool) {
	if !f.compared(1) {
		return NamedFigure{}, false
	}
	bands := note{"one pair: no interval, all of it may be chance", "只有一对：没有区间，差异可能出于偶然"}
	if n := f.pairs(); n > 1 {
		bands = notef("lines: means of %d pairs; dark: pointwise %s interval; light: simultaneous %[2]s band (sup-t)",
			"线为%d对的均值；深色：逐月%s区间，浅色：同时覆盖所有月份的%[2]s区间带（sup-t）", n, f.level())
		if f.severalArms() { // bands of several would cover each other
			bands = notef("lines: means of %d pairs; shaded: pointwise %s interval", "线为%d对的均值，阴影为其逐月%s区间", n, f.level())
		}
	}
	less, whole := f.less(), " The simultaneous band holds the whole path with that confidence."
	if f.severalArms() {
		control := armName(f.control().Name)
		less, whole = note{"each arm less " + control.en, "各组减" + control.zh}, ""
	}
	about := joined(note{less.en + ", pair by pair", less.zh + "，逐对相减"}, bands, f.markNote())
	out, titles := f.mainPanels(note{"Effects over time", "效应随时间的变化"}, about, func(p timePanel, x []float64) plot.Panel {
		return f.differencePanel(ctx, p, x)
	})
	return NamedFigure{"differences", out, note{
		"What the treatment changes by month: " + about.en + "." + whole + " " +
			"Shares in percentage points, all others in percent of the control.",
		"逐月的处理效应：" + about.zh + "。比率以百分点计，其余以对照组的百分比计。" + titles,
	}}, true
}

// bandSeed is the seed of the draws of simultaneous bands: a figure drawn again is the
// same.
const bandSeed = 1

// differencePanel draws the differences of the arms over time: percentage points
// of a share, percent of the control's mean of anything else.
func (f Figures) differencePanel(ctx context.Context, p timePanel, x []float64) plot.Panel {
	points := tables.IsShare(p.indicator)
	panel := plot.Panel{Title: f.in(p.title), YLabel: f.say("% of the control", "占对照组的%"), Zero: true}
	if points {
		panel.YLabel = f.say("percentage points", "百分点")
	}
	for a := 1; a < len(f.Arms); a++ {
		panel.Lines = append(panel.Lines, f.differenceLine(ctx, p.indicator, x, a))
	}
	return panel
}

// differenceLine is the difference of an arm over time, with its bands.
func (f Figures) differenceLine(ctx context.Context, i sim.Indicator, x []float64, arm int) plot.Line {
	control, treatment := f.control().Panel, f.Arms[arm].Panel
	n := min(len(control), len(treatment))
	differences := make([][]float64, len(x)) // by month, of each pair
	for m := range x {
		a, b := control[:n].WindowMeans(i, m+1, m+1), treatment[:n].WindowMeans(i, m+1, m+1)
		if !tables.IsShare(i) {
			a, b = stats.Relative(stats.DefinedPairs(a, b))
		}
		differences[m] = scaled(stats.Differences(a, b), 100)
		for len(differences[m]) < n { // pairs without numbers: there is no band of the month
			differences[m] = append(differences[m], math.NaN())
		}
	}
	line := f.meanLine(x, differences)
	switch {
	case f.severalArms():
		line = styled(line, arm)
		line.Name = f.in(f.nameOf(arm))
	case n > 1:
		band := stats.MeanBand(ctx, differences, f.Confidence, rand.New(rand.NewPCG(bandSeed, uint64(i))))
		line.OuterLower, line.OuterUpper = band.Low, band.High
	}
	return line
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

// overTime is a figure over time that has no panels yet, and the places of its months.
func (f Figures) overTime(title, about note) (out plot.Panels, x []float64) {
	axis := newTimeAxis(f.months())
	out = plot.Panels{Frame: f.frame(title, about), XLabel: f.in(axis.label), XTicks: axis.ticks}
	for _, month := range f.marks() { // before the month, whose values differ by what begins there
		out.Marks = append(out.Marks, max(axis.x[0], (float64(month)-.5)/axis.unit))
	}
	return out, axis.x
}

func (f Figures) curves() (list []tables.Curves) {
	for _, arm := range f.Arms {
		list = append(list, arm.Panel.Curves(f.months(), f.Confidence))
	}
	return list
}

// timeAxis is the horizontal axis of figures over time.
type timeAxis struct {
	x     []float64
	label note
	ticks []float64 // nil = at round numbers
	unit  float64   // months
}

// newTimeAxis counts years for more than ten years and months for less, which
// are labelled from month 1 on at quarters, half-years, years or every other year.
func newTimeAxis(months int) timeAxis {
	axis := timeAxis{label: note{"Month", "月份"}, ticks: []float64{1}, unit: 1}
	step := 1
	switch {
	case months > 10*tables.MonthsPerYear:
		axis.label, axis.ticks, axis.unit = note{"Year", "年份"}, nil, tables.MonthsPerYear
	case months > 6*tables.MonthsPerYear:
		step = 2 * tables.MonthsPerYear
	case months > 3*tables.MonthsPerYear:
		step = tables.MonthsPerYear
	case months > 18:
		step = 6
	case months > 9:
		step = 3
	}
	for m := 1; m <= months; m++ {
		axis.x = append(axis.x, float64(m)/axis.unit)
		if axis.ticks != nil && m > 1 && m%step == 0 {
			axis.ticks = append(axis.ticks, float64(m))
		}
	}
	return axis
}

// timePanel draws an indicator of each arm.
func (f Figures) timePanel(p timePanel, x []float64, arms []tables.Curves) plot.Panel {
	panel := plot.Panel{Title: f.in(p.title), YLabel: f.in(p.unit), Zero: p.zero}
	if p.indexed {
		panel.YLabel = indexUnit(len(x), len(arms), f.Language)
	}
	factor := p.factor(arms[0])
	for a, arm := range arms {
		line := plot.Line{Name: f.in(f.nameOf(a)), X: x, Y: scaled(arm.Mean[p.indicator], factor)}
		if arm.N > 1 && f.banded(a) {
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

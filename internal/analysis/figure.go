package analysis

import (
	"math"
	"strings"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// variable is one indicator in a figure.
type variable struct {
	name      string
	indicator sim.Indicator
}

// panelPlan is one panel of the overview and one figure of its own.
type panelPlan struct {
	file, title, unit string
	variables         []variable
	indexed           bool // first year of the first arm = 100; unit follows from it
	zero              bool
}

var panelPlans = []panelPlan{
	{file: "output", title: "Output", unit: "currency units a month at prices of the base month", variables: []variable{{"GDP", sim.RealGDP}}},
	{file: "consumption", title: "Consumption", indexed: true, variables: []variable{{"consumption", sim.RealConsumption}}},
	{file: "investment", title: "Investment", indexed: true, variables: []variable{{"investment", sim.RealInvestment}}},
	{file: "unemployment", title: "Unemployment", unit: "% of the labour force", zero: true, variables: []variable{{"unemployment", sim.UnemploymentRate}}},
	{file: "inflation_and_policy_rate", title: "Inflation and policy rate", unit: "% a year", variables: []variable{{"inflation", sim.Inflation}, {"policy rate", sim.PolicyRate}}},
	{file: "wages", title: "Real wages", unit: "currency units a month at prices of the base month", variables: []variable{{"mean", sim.RealWageMean}, {"median", sim.RealWageMedian}}},
	{file: "public_debt", title: "Public debt", unit: "% of annual GDP", variables: []variable{{"debt", sim.DebtToGDP}}},
	{file: "public_deficit", title: "Public deficit", unit: "% of GDP, last twelve months", variables: []variable{{"deficit", sim.DeficitToGDP}}},
	{file: "inequality", title: "Inequality", unit: "Gini coefficient", variables: []variable{{"income", sim.IncomeGini}, {"wealth", sim.WealthGini}}},
}

const (
	overviewColumns = 3
	monthsPerYear   = 12
)

// differencePanels are those of the figure of differences over time.
var differencePanels = []variable{
	{"Output", sim.RealGDP}, {"Consumption", sim.RealConsumption}, {"Investment", sim.RealInvestment},
	{"Unemployment", sim.UnemploymentRate}, {"Inflation", sim.Inflation}, {"Price level", sim.CPI},
	{"Mean real wage", sim.RealWageMean}, {"Public debt", sim.DebtToGDP}, {"Income inequality (Gini)", sim.IncomeGini},
}

// Figures is what the figures of an experiment show: its arms over time, the first of
// which is the control where there are several, and the effects of the last.
type Figures struct {
	Title       string
	Note        string // under figures over time
	EffectsNote string // under the figure of effects
	Arms        []FigureArm
	Marks       []int // months, from 1, in which something begins
	Effects     []Effect
	Confidence  float64
}

// FigureArm is an arm in figures.
type FigureArm struct {
	Name  string
	Panel Panel
}

// NamedFigure is a figure with the name of its file.
type NamedFigure struct {
	Name   string
	Figure plot.Figure
}

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

// All lists the overview, each of its panels, and, with several arms, the differences over
// time and the effects.
func (f Figures) All() []NamedFigure {
	axis, note := f.axis()
	overview := f.Overview()
	var out []NamedFigure
	for i, plan := range panelPlans {
		panel := overview.Grid[i]
		alone := axis.panels(panel.Title, f.Title+"; "+note)
		panel.Title = ""
		alone.Grid = []plot.Panel{panel}
		out = append(out, NamedFigure{plan.file, alone})
	}
	out = append(out, NamedFigure{"overview", overview})
	if len(f.Arms) > 1 {
		out = append(out, NamedFigure{"differences", f.Differences()}, NamedFigure{"effects", f.Forest()})
	}
	return out
}

// Overview is the figure of the main indicators over time.
func (f Figures) Overview() plot.Panels {
	axis, note := f.axis()
	arms := f.curves()
	overview := axis.panels(f.Title, note)
	overview.Columns = overviewColumns
	for _, plan := range panelPlans {
		overview.Grid = append(overview.Grid, plan.panel(axis.x, arms))
	}
	return overview
}

// Differences is the figure of the last arm's differences to the first over time.
func (f Figures) Differences() plot.Panels {
	axis, note := f.axis()
	differences := axis.panels("Differences: "+f.Title, "treatment less control, pair by pair; "+note)
	differences.Columns = overviewColumns
	for _, v := range differencePanels {
		differences.Grid = append(differences.Grid, f.differencePanel(v, axis.x))
	}
	return differences
}

// Forest is the figure of the effects with their intervals.
func (f Figures) Forest() plot.Forest {
	groups, dropped := effectGroups(f.Effects), []string(nil)
	for g := range groups {
		var out []string
		groups[g].Effects, out = withoutWide(groups[g].Effects)
		dropped = append(dropped, out...)
	}
	note := f.EffectsNote
	if len(dropped) > 0 {
		note += "; left out, as too wide to show: " + strings.Join(dropped, ", ")
	}
	return plot.Forest{Title: "Effects: " + f.Title, Note: note, Groups: groups}
}

// tooWide is how many times the widest of the effects that are clear an interval may be
// wide, so that one vague effect does not press all others together.
const tooWide = 4

// withoutWide leaves out unclear effects with too wide intervals, and names them.
func withoutWide(effects []plot.Effect) (kept []plot.Effect, dropped []string) {
	widest := 0.0
	for _, e := range effects {
		if e.Clear() {
			widest = max(widest, math.Abs(e.Low), math.Abs(e.High))
		}
	}
	for _, e := range effects {
		if widest > 0 && !e.Clear() && max(math.Abs(e.Low), math.Abs(e.High)) > tooWide*widest {
			dropped = append(dropped, e.Label)
			continue
		}
		kept = append(kept, e)
	}
	return kept, dropped
}

func (f Figures) axis() (timeAxis, string) {
	months, note := make([]int, f.months()), f.Note
	for m := range months {
		months[m] = m + 1
	}
	axis := newTimeAxis(months)
	for _, month := range f.Marks {
		if month <= len(months) {
			axis.mark([]int{month})
		}
	}
	if len(axis.marks) > 0 {
		note += "; dotted: an intervention begins"
	}
	return axis, note
}

func (f Figures) curves() (list []Curves) {
	for _, arm := range f.Arms {
		list = append(list, arm.Panel.Curves(arm.Name, f.months(), f.Confidence))
	}
	return list
}

// Curves are the means over the replications of an arm that have a number in the month,
// with their Student intervals, which are NaN for fewer than two.
type Curves struct {
	Name               string
	N                  int // replications
	Mean, Lower, Upper [sim.NumIndicators][]float64
}

// Curves computes them for the first months.
func (p Panel) Curves(name string, months int, confidence float64) Curves {
	c := Curves{Name: name, N: len(p)}
	values := make([]float64, len(p))
	for i := range sim.NumIndicators {
		c.Mean[i], c.Lower[i], c.Upper[i] = make([]float64, months), make([]float64, months), make([]float64, months)
		for m := range months {
			for r := range p {
				values[r] = p[r][i][m]
			}
			interval := stats.MeanInterval(defined(values), confidence)
			c.Mean[i][m], c.Lower[i][m], c.Upper[i][m] = interval.Mean, interval.Low, interval.High
		}
	}
	return c
}

// timeAxis is the horizontal axis of figures over time.
type timeAxis struct {
	x     []float64
	label string
	ticks []float64 // nil = at round numbers
	marks []float64
}

// mark adds a vertical line at each of some months from 1.
func (a *timeAxis) mark(months []int) {
	for _, month := range months {
		a.marks = append(a.marks, a.x[month-1])
	}
}

// newTimeAxis counts years for more than ten years and months for less, which
// are labelled from month 1 on at quarters, half-years or years.
func newTimeAxis(months []int) timeAxis {
	n := len(months)
	axis := timeAxis{label: "Month", ticks: []float64{1}}
	unit, step := 1.0, 1
	switch {
	case n > 10*monthsPerYear:
		axis.label, axis.ticks, unit = "Year", nil, monthsPerYear
	case n > 4*monthsPerYear:
		step = monthsPerYear
	case n > 2*monthsPerYear:
		step = 6
	case n > monthsPerYear:
		step = 3
	}
	for _, m := range months {
		axis.x = append(axis.x, float64(m)/unit)
		if axis.ticks != nil && m > 1 && m%step == 0 {
			axis.ticks = append(axis.ticks, float64(m))
		}
	}
	return axis
}

// panels is a figure over time that has no panels yet.
func (a timeAxis) panels(title, note string) plot.Panels {
	return plot.Panels{Title: title, Note: note, XLabel: a.label, XTicks: a.ticks, Marks: a.marks}
}

// differencePanel draws the treatment's difference over time: percentage points
// of a share, percent of the control's value of anything else.
func (f Figures) differencePanel(v variable, x []float64) plot.Panel {
	points := IsShare(v.indicator)
	control, treatment := f.Arms[0].Panel, f.Arms[len(f.Arms)-1].Panel
	d := MonthlyDifferences(v.indicator, control, treatment, !points, f.Confidence)
	panel := plot.Panel{Title: v.name, YLabel: "% of the control", Zero: true}
	if points {
		panel.YLabel = "percentage points"
	}
	line := plot.Line{Name: v.name, X: x, Y: scaled(d.Mean[:len(x)], 100)}
	if len(control) > 1 {
		line.Lower, line.Upper = scaled(d.Low[:len(x)], 100), scaled(d.High[:len(x)], 100)
	}
	panel.Lines = []plot.Line{line}
	return panel
}

// panel draws each variable of each arm. Colours tell arms apart and dashes
// variables; with one arm both tell variables apart.
func (plan panelPlan) panel(x []float64, arms []Curves) plot.Panel {
	panel := plot.Panel{Title: plan.title, YLabel: plan.unit, Zero: plan.zero}
	if plan.indexed {
		panel.YLabel = indexUnit(len(x), len(arms))
	}
	for a, arm := range arms {
		for v, variable := range plan.variables {
			i := variable.indicator
			factor := plan.factor(i, arms[0])
			line := plot.Line{Name: lineName(arm.Name, variable.name, len(arms), len(plan.variables)), X: x, Colour: a, Dash: v, Y: scaled(arm.Mean[i], factor)}
			if len(arms) == 1 {
				line.Colour = v
			}
			if arm.N > 1 {
				line.Lower, line.Upper = scaled(arm.Lower[i], factor), scaled(arm.Upper[i], factor)
			}
			panel.Lines = append(panel.Lines, line)
		}
	}
	return panel
}

// factor turns values of the indicator into the unit of the panel.
func (plan panelPlan) factor(i sim.Indicator, first Curves) float64 {
	switch {
	case plan.indexed:
		return 100 / definedMean(first.Mean[i][:min(monthsPerYear, len(first.Mean[i]))])
	case IsShare(i):
		return 100
	}
	return 1
}

// indexUnit names the base of an index, see panelPlan.factor.
func indexUnit(months, arms int) string {
	base := "first year"
	if months < monthsPerYear {
		base = "first " + plural(months, "month")
		if months == 1 {
			base = "first month"
		}
	}
	if arms > 1 {
		base += " of the control"
	}
	return "real, index, " + base + " = 100"
}

func lineName(arm, variable string, arms, variables int) string {
	switch {
	case arms == 1:
		return variable
	case variables == 1:
		return arm
	}
	return arm + ", " + variable
}

func scaled(x []float64, factor float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = factor * x[i]
	}
	return out
}

// effectGroups puts rates, whose differences are percentage points, beside all
// other indicators, whose differences are relative. Indicators that do not
// exist in this economy are left out.
func effectGroups(effects []Effect) []plot.EffectGroup {
	levels := plot.EffectGroup{Title: "Levels", XLabel: "difference, % of the control"}
	rates := plot.EffectGroup{Title: "Rates and shares", XLabel: "difference, percentage points"}
	for _, e := range effects {
		i, ok := sim.IndicatorByName(e.Metric)
		if !ok || e.Control == 0 {
			continue
		}
		group, factor := &levels, 100/math.Abs(e.Control)
		if IsShare(i) {
			group, factor = &rates, 100
		}
		group.Effects = append(group.Effects, plot.Effect{
			Label: labels[i].en, Value: factor * e.Difference, Low: factor * e.CILow, High: factor * e.CIHigh,
		})
	}
	var out []plot.EffectGroup
	for _, g := range []plot.EffectGroup{levels, rates} {
		if len(g.Effects) > 0 {
			out = append(out, g)
		}
	}
	return out
}

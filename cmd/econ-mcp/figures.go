package main

import (
	"fmt"
	"math"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/plot"
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

const overviewColumns = 3

// differencePanels are those of the figure of differences over time.
var differencePanels = []variable{
	{"Output", sim.RealGDP}, {"Consumption", sim.RealConsumption}, {"Investment", sim.RealInvestment},
	{"Unemployment", sim.UnemploymentRate}, {"Inflation", sim.Inflation}, {"Price level", sim.CPI},
	{"Mean real wage", sim.RealWageMean}, {"Public debt", sim.DebtToGDP}, {"Income inequality (Gini)", sim.IncomeGini},
}

// figureText holds the words of the figures of one experiment.
type figureText struct {
	title, note, effects string
}

func (p *runPlan) figureText() figureText {
	note := fmt.Sprintf("%s; seed %d", plural(p.params.NumHouseholds, "household"), p.experiment.Seed)
	if n := p.experiment.Replications; n > 1 {
		note += fmt.Sprintf("; mean of %d replications, shaded: its %.0f %% interval", n, 100*p.experiment.Confidence)
	}
	effects := fmt.Sprintf("Mean of months %d to %d; %s", p.experiment.From, p.experiment.To, plural(p.experiment.Replications, "paired replication"))
	if p.experiment.Replications > 1 {
		effects += fmt.Sprintf("; bars: %.0f %% intervals, filled where they exclude 0", 100*p.experiment.Confidence)
	} else {
		effects += ": no intervals"
	}
	return figureText{title: p.scenarioName(), note: note, effects: effects}
}

// drawFigures writes the overview, each of its panels, and, against a control,
// the differences over time and the effects.
func drawFigures(dir string, text figureText, result *lab.Result) error {
	axis := newTimeAxis(result.Months)
	if begin := beginnings(result.Arms); len(begin) > 0 {
		axis.mark(begin)
		text.note += "; dotted: an intervention begins"
	}
	overview := axis.panels(text.title, text.note)
	overview.Columns = overviewColumns
	for _, plan := range panelPlans {
		panel := plan.panel(axis.x, result.Arms)
		overview.Grid = append(overview.Grid, panel)
		alone := axis.panels(panel.Title, text.title+"; "+text.note)
		panel.Title = ""
		alone.Grid = []plot.Panel{panel}
		if _, err := plot.Save(alone, dir, plan.file); err != nil {
			return err
		}
	}
	if _, err := plot.Save(overview, dir, "overview"); err != nil {
		return err
	}
	if len(result.Effects) == 0 {
		return nil
	}
	differences := axis.panels("Differences: "+text.title, "treatment less control, pair by pair; "+text.note)
	differences.Columns = overviewColumns
	for _, v := range differencePanels {
		differences.Grid = append(differences.Grid, differencePanel(v, axis.x, result))
	}
	if _, err := plot.Save(differences, dir, "differences"); err != nil {
		return err
	}
	forest := plot.Forest{Title: "Effects: " + text.title, Note: text.effects, Groups: effectGroups(result.Effects)}
	_, err := plot.Save(forest, dir, "effects")
	return err
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
func differencePanel(v variable, x []float64, result *lab.Result) plot.Panel {
	points := scaleOf(v.indicator) == share
	d := result.Differences(len(result.Arms)-1, v.indicator, !points)
	panel := plot.Panel{Title: v.name, YLabel: "% of the control", Zero: true}
	if points {
		panel.YLabel = "percentage points"
	}
	line := plot.Line{Name: v.name, X: x, Y: scaled(d.Mean, 100)}
	if len(result.Arms[0].Replications) > 1 {
		line.Lower, line.Upper = scaled(d.Low, 100), scaled(d.High, 100)
	}
	panel.Lines = []plot.Line{line}
	return panel
}

// panel draws each variable of each arm. Colours tell arms apart and dashes
// variables; with one arm both tell variables apart.
func (plan panelPlan) panel(x []float64, arms []lab.ArmResult) plot.Panel {
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
			if len(arm.Replications) > 1 {
				line.Lower, line.Upper = scaled(arm.Lower[i], factor), scaled(arm.Upper[i], factor)
			}
			panel.Lines = append(panel.Lines, line)
		}
	}
	return panel
}

// factor turns values of the indicator into the unit of the panel.
func (plan panelPlan) factor(i sim.Indicator, first lab.ArmResult) float64 {
	switch {
	case plan.indexed:
		return 100 / mean(first.Mean[i][:min(monthsPerYear, len(first.Mean[i]))])
	case scaleOf(i) == share:
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
func effectGroups(effects []lab.Effect) []plot.EffectGroup {
	levels := plot.EffectGroup{Title: "Levels", XLabel: "difference, % of the control"}
	rates := plot.EffectGroup{Title: "Rates and shares", XLabel: "difference, percentage points"}
	for _, e := range effects {
		i, ok := sim.IndicatorByName(e.Metric)
		if !ok || e.Control == 0 {
			continue
		}
		group, factor := &levels, 100/math.Abs(e.Control)
		if scaleOf(i) == share {
			group, factor = &rates, 100
		}
		group.Effects = append(group.Effects, plot.Effect{
			Label: labels[i], Value: factor * e.Difference, Low: factor * e.CILow, High: factor * e.CIHigh,
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

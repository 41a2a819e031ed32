package main

import (
	"fmt"
	"math"
	"strings"

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
	indexed           bool // first year of the first arm = 100
	zero              bool
}

var panelPlans = []panelPlan{
	{file: "output", title: "Output", unit: "currency units a month at prices of the base month", variables: []variable{{"GDP", sim.RealGDP}}},
	{file: "unemployment", title: "Unemployment", unit: "% of the labour force", zero: true, variables: []variable{{"unemployment", sim.UnemploymentRate}}},
	{file: "inflation_and_policy_rate", title: "Inflation and policy rate", unit: "% a year", variables: []variable{{"inflation", sim.Inflation}, {"policy rate", sim.PolicyRate}}},
	{file: "wages", title: "Real wages", unit: "currency units a month at prices of the base month", variables: []variable{{"mean", sim.RealWageMean}, {"median", sim.RealWageMedian}}},
	{file: "consumption_and_investment", title: "Consumption and investment", unit: "real, mean of the first year = 100", indexed: true, variables: []variable{{"consumption", sim.RealConsumption}, {"investment", sim.RealInvestment}}},
	{file: "public_debt", title: "Public debt", unit: "% of annual GDP", variables: []variable{{"debt", sim.DebtToGDP}}},
	{file: "public_deficit", title: "Public deficit", unit: "% of GDP, last twelve months", variables: []variable{{"deficit", sim.DeficitToGDP}}},
	{file: "inequality", title: "Inequality", unit: "Gini coefficient", variables: []variable{{"income", sim.IncomeGini}, {"wealth", sim.WealthGini}}},
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

// inWords turns an indicator's identifier into a label.
var inWords = strings.NewReplacer("_", " ", "gdp", "GDP", "cpi", "CPI", "hhi", "HHI", "vat", "VAT")

// drawFigures writes the overview, each of its panels, and the effects.
func drawFigures(dir string, text figureText, result *lab.Result) error {
	x, label := timeAxis(result.Months)
	overview := plot.Panels{Title: text.title, Note: text.note, XLabel: label, Columns: 2}
	for _, plan := range panelPlans {
		panel := plan.panel(x, result.Arms)
		overview.Grid = append(overview.Grid, panel)
		alone := plot.Panels{Title: panel.Title, Note: text.title + "; " + text.note, XLabel: label}
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
	forest := plot.Forest{Title: "Effects: " + text.title, Note: text.effects, Groups: effectGroups(result.Effects)}
	_, err := plot.Save(forest, dir, "effects")
	return err
}

// timeAxis counts years for long runs and months for short ones.
func timeAxis(months []int) (x []float64, label string) {
	unit, label := 1.0, "Month"
	if len(months) > 3*monthsPerYear {
		unit, label = monthsPerYear, "Year"
	}
	for _, m := range months {
		x = append(x, float64(m)/unit)
	}
	return x, label
}

// panel draws each variable of each arm. Colours tell arms apart and dashes
// variables; with one arm both tell variables apart.
func (plan panelPlan) panel(x []float64, arms []lab.ArmResult) plot.Panel {
	panel := plot.Panel{Title: plan.title, YLabel: plan.unit, Zero: plan.zero}
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
			Label: inWords.Replace(e.Metric), Value: factor * e.Difference, Low: factor * e.CILow, High: factor * e.CIHigh,
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

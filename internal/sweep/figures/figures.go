// Package figures draws what a sweep found: which factors matter, how the outcome responds to them, and what two of them make of
// it together. [Of] decides which figures a design gets.
package figures

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// mostQuantities is how many quantities get figures: a folder of more is not looked through.
const mostQuantities = 12

// Figure is a figure with the name of its files, such as real_gdp-1-24-vat-tornado, and what stands under it.
type Figure = plot.Captioned

// Of lists the figures of a sweep, quantity by quantity, and says which quantities have none and why. name is that of the design in
// the source line; the language is [report.English] or [report.Chinese].
//
//	tornado   every design with a method: bars of outcomes (one_at_a_time, factorial, fractional), or of indices with intervals
//	response  every design: the outcome by each of the leading factors
//	heatmap   two factors or more that vary together: the outcome over the two leading ones
func Of(p *sweep.Plan, r *sweep.Results, found []sweep.Sensitivity, name, language string) (list []Figure, left []string) {
	factors := factorsOf(p.Design, p.Values, language)
	used := map[string]bool{}
	for k, s := range found {
		d := drawer{p: p, r: r, s: s, at: k, factors: factors, language: language, source: source(p, name, language)}
		d.outcome, _ = sim.IndicatorByName(s.Metric)
		switch {
		case math.IsNaN(float64(s.Least)):
			left = append(left, fmt.Sprintf("%s: it has no number at any point", s.Name()))
			continue
		case !(s.Least < s.Most):
			left = append(left, fmt.Sprintf("%s: it is the same at all points", s.Name()))
			continue
		case k >= mostQuantities:
			left = append(left, fmt.Sprintf("%s: figures are of the first %d quantities", s.Name(), mostQuantities))
			continue
		}
		d.order = ranked(s, len(factors))
		file := fileName(s.Quantity)
		for n := 2; used[file]; n++ {
			file = fmt.Sprintf("%s-%d", fileName(s.Quantity), n)
		}
		used[file] = true
		for _, of := range []struct {
			kind string
			draw func() (plot.Figure, string)
		}{{"tornado", d.tornado}, {"response", d.response}, {"heatmap", d.heatmap}} {
			if figure, caption := of.draw(); figure != nil {
				list = append(list, Figure{Name: file + "-" + of.kind, Figure: figure, Caption: caption})
			}
		}
	}
	return list, left
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// fileName is that of a quantity: its arm is held against the control, unless it says against what.
func fileName(q sweep.Quantity) string {
	name := fmt.Sprintf("%s-%d-%d-%s", q.Metric, q.From, q.To, q.Arm)
	if q.With != "" && q.With != inquiry.ControlArm {
		name += "-less-" + q.With
	}
	return notInNames.ReplaceAllString(name, "_")
}

// ranked are the factors from the most to the least telling; those without a number last, in their order.
func ranked(s sweep.Sensitivity, n int) []int {
	size := make([]float64, n)
	for j := range size {
		size[j] = -1
		if j < len(s.Factors) {
			if x := s.Factors[j].Size(); !math.IsNaN(x) {
				size[j] = x
			}
		}
	}
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	return order
}

// source says where the numbers come from.
func source(p *sweep.Plan, name, language string) string {
	d := p.Design.Inquiry.Design
	households := p.Runs[0].Scenario.Params.NumHouseholds
	same := !slices.ContainsFunc(p.Runs, func(r sweep.Run) bool { return r.Scenario.Params.NumHouseholds != households })
	en := fmt.Sprintf("Source: econ-mcp, sweep %s (design %.12s); %s of kind %s, %s each, base seed %d; model %s; months 1 to %d",
		name, p.Hash, report.Plural(len(p.Points), "point"), p.Design.Kind, report.Plural(d.Replications, "replication"), d.Seed,
		sim.ModelVersion, d.Months)
	zh := fmt.Sprintf("来源：econ-mcp，参数扫描 %s（设计 %.12s）；%d个点（%s），每点重复%d次，基础种子 %d；模型 %s；第1至%d个月",
		name, p.Hash, len(p.Points), p.Design.Kind, d.Replications, d.Seed, sim.ModelVersion, d.Months)
	if same {
		en += "; " + report.Plural(households, "household")
		zh += fmt.Sprintf("；%s户家庭", report.FormatNumber(float64(households), 0))
	}
	return words{en + ".", zh + "。"}.in(language)
}

// drawer draws the figures of one quantity.
type drawer struct {
	p        *sweep.Plan
	r        *sweep.Results
	s        sweep.Sensitivity
	at       int // of the quantity
	outcome  sim.Indicator
	factors  []factor
	order    []int // from the most telling
	language string
	source   string
}

func (d drawer) say(en, zh string) string { return words{en, zh}.in(d.language) }

// difference says whether the quantity is a difference of arms.
func (d drawer) difference() bool { return d.s.With != "" }

// with is the arm that is held against, in Chinese.
func (d drawer) with() string {
	if d.s.With == inquiry.ControlArm {
		return "对照组"
	}
	return d.s.With
}

// by is what values are multiplied by to be shown.
func (d drawer) by() float64 {
	if d.s.Share || tables.IsShare(d.outcome) {
		return 100
	}
	return 1
}

// title is the quantity in words.
func (d drawer) title() string {
	months := d.say(fmt.Sprintf("months %d to %d", d.s.From, d.s.To), fmt.Sprintf("第%d至%d个月", d.s.From, d.s.To))
	if d.s.From == d.s.To {
		months = d.say(fmt.Sprintf("month %d", d.s.From), fmt.Sprintf("第%d个月", d.s.From))
	}
	what := d.s.Arm
	if d.difference() {
		what = d.say(d.s.Arm+" less "+d.s.With, d.s.Arm+"减"+d.with())
	}
	if what == inquiry.ControlBackground && len(d.p.Design.Inquiry.Arms) == 0 { // the only economy needs no name
		what = ""
	}
	parts := []string{report.Label(d.outcome, d.language), months}
	if what != "" {
		parts = append(parts, what)
	}
	return strings.Join(parts, d.say(", ", "，"))
}

// unit is that of the values as they are shown.
func (d drawer) unit() string {
	unit := report.Unit(d.outcome, d.language)
	switch {
	case d.s.Share:
		return d.say("difference, % of "+strings.Replace(d.s.With, inquiry.ControlArm, "the control", 1), "差异，占"+d.with()+"的百分比")
	case d.difference() && tables.IsShare(d.outcome):
		return d.say("difference, percentage points", "差异，百分点")
	case d.difference():
		return d.say("difference, ", "差异，") + unit
	case tables.IsShare(d.outcome):
		return d.say(strings.Replace(unit, "share", "%", 1), unit+"，%")
	}
	return unit
}

// size writes the size of a difference of two values.
func (d drawer) size(x float64) string {
	switch {
	case d.s.Share:
		return report.FormatNumber(100*x, digits(100*x)) + d.say(" pp", "个百分点")
	case tables.IsShare(d.outcome):
		return report.FormatNumber(100*x, digits(100*x)) + d.say(" pp", "个百分点")
	}
	return report.FormatSize(d.outcome, x)
}

func (d drawer) frame(subject, note string) plot.Frame {
	f := plot.Frame{Title: d.title(), Subject: subject, Note: note, Source: d.source, Chinese: d.language == report.Chinese}
	if q := d.p.Design.Inquiry.Question; q != "" {
		f.Title, f.Subject = q, d.title()+d.say(": ", "：")+subject
	}
	return f
}

// level of confidence as percent.
func (d drawer) level() string { return report.FormatShare(d.p.Design.Inquiry.Design.Confidence, 0) }

// caption is what stands under a figure.
func (d drawer) caption(subject, note string) string {
	return d.title() + d.say(". ", "。") + subject + d.say(". ", "。") + note + d.say(".", "。")
}

// estimate is a number with its interval as plots have it.
func estimate(e *sweep.Estimate, by float64) plot.Estimate {
	if e == nil {
		return plot.Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	return plot.Estimate{Value: by * float64(e.Value), Low: by * float64(e.Low), High: by * float64(e.High)}
}

func number(x *stats.Number) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}

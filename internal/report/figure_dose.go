package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// DoseScale is the parameter whose values arms differ in, and in nothing else.
type DoseScale struct {
	Parameter sim.Parameter
	Control   float64
	Of        map[string]float64 // by arm
}

// DosesOf finds the arms that differ from the first in the value of one parameter alone, and the same
// one; nil where there are fewer than two of them.
func DosesOf(s *tables.Study) *DoseScale {
	scales := map[string]*DoseScale{}
	for k := 1; k < len(s.Arms); k++ {
		first, arm := &s.Arms[0], &s.Arms[k]
		changed := slices.DeleteFunc(sim.Diff(first.Params, arm.Params), func(name string) bool {
			row, err := sim.Lookup(name)
			return err != nil || row.Technical
		})
		same := slices.EqualFunc(first.Interventions, arm.Interventions, func(a, b sim.Intervention) bool { return a.String() == b.String() })
		if len(changed) != 1 || !same {
			continue
		}
		row, _ := sim.Lookup(changed[0])
		control, ok := number(row.Value(&first.Params))
		dose, also := number(row.Value(&arm.Params))
		if !ok || !also {
			continue
		}
		if scales[row.Name] == nil {
			scales[row.Name] = &DoseScale{row, control, map[string]float64{}}
		}
		scales[row.Name].Of[arm.Name] = dose
	}
	for _, name := range slices.Sorted(maps.Keys(scales)) {
		if len(scales[name].Of) > 1 {
			return scales[name]
		}
	}
	return nil
}

func number(value any) (x float64, ok bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

// AsPercent says whether the doses are shown in percent.
func (d *DoseScale) AsPercent() bool {
	most := math.Abs(d.Control)
	for _, x := range d.Of {
		most = max(most, math.Abs(x))
	}
	_, whole := d.Parameter.Default.(int)
	return !whole && most <= 3 && d.Parameter.Unit != ""
}

// dodge is how far the points of two windows stand apart, as a part of the range of doses.
const dodge = .014

// byDose is the figure of the effects by dose, of each outcome and window.
func (f Figures) byDose() (NamedFigure, bool) {
	if f.Doses == nil || !f.compared(2) {
		return NamedFigure{}, false
	}
	factor, unit := 1., f.Doses.Parameter.Unit
	if f.Doses.AsPercent() {
		factor, unit = 100, "%"
	}
	shown := func(dose float64) float64 { return math.Round(factor*dose*1e6) / 1e6 } // 55 and not 55.00000000000001
	ticks := []float64{shown(f.Doses.Control)}
	for _, e := range f.Effects {
		if x, dose := f.Doses.Of[e.Arm]; dose {
			ticks = append(ticks, shown(x))
		}
	}
	slices.Sort(ticks)
	ticks = slices.Compact(ticks)
	all := f.doseWindows() // the same months look the same in all panels, which share a legend
	reach := ticks[len(ticks)-1] - ticks[0]
	out := plot.Panels{Columns: 2, XTicks: ticks, XLabel: f.Doses.Parameter.Name + f.say(", ", "，") + unit}
	control := plot.Line{
		Name: f.in(armName(f.control().Name)), X: []float64{shown(f.Doses.Control)}, Y: []float64{0}, Colour: plot.Grey, Dash: 2, Points: true,
	}
	for _, i := range f.doseOutcomes() {
		panel := plot.Panel{Title: Label(i, f.Language), YLabel: f.say("difference, % of the control", "差异，占对照组的百分比"), Zero: true}
		if tables.IsShare(i) {
			panel.YLabel = f.say("difference, percentage points", "差异，百分点")
		}
		windows, most := f.windowsOf(i), 0
		for k, w := range windows {
			line := plot.Line{Colour: slices.Index(all, w), Dash: slices.Index(all, w), Points: true, Name: f.say("effect", "效应")}
			if len(windows) > 1 || f.severalWindows() {
				line.Name = wordf(f.Language, "months %d–%d", "第%d–%d个月", w.From, w.To)
			}
			for _, e := range f.dosed(i, w) {
				y, low, high := e.Relative.Mean, e.Relative.Low, e.Relative.High
				if tables.IsShare(i) {
					y, low, high = 100*e.Difference, 100*e.CILow, 100*e.CIHigh
				}
				line.X = append(line.X, shown(f.Doses.Of[e.Arm])+(float64(k)-float64(len(windows)-1)/2)*dodge*reach)
				line.Y, line.Lower, line.Upper = append(line.Y, y), append(line.Lower, low), append(line.Upper, high)
			}
			panel.Lines, most = append(panel.Lines, line), max(most, len(line.X))
		}
		if most < 2 { // the doses are not compared with the control
			continue
		}
		panel.Lines = append(panel.Lines, control)
		out.Grid = append(out.Grid, panel)
	}
	if len(out.Grid) == 0 {
		return NamedFigure{}, false
	}
	out.Columns = min(out.Columns, len(out.Grid))
	about := notef(
		"points: differences to the control; whiskers: %s intervals over %d pairs", "点为与对照组之差，竖线为%s区间（%d对）", f.level(), f.pairs(),
	)
	out.Frame = f.frame(note{"Effect by dose", "剂量与效应"}, about)
	return NamedFigure{"doses", out, note{
		"Effect by the value of " + f.Doses.Parameter.Name + "; " + about.en + ". What lies between the points was not simulated. Without " +
			"adjustment for the number of doses and outcomes.",
		"各取值（" + f.Doses.Parameter.Name + "）的效应；" + about.zh + "。各点之间未作模拟；未对取值与指标的数量校正。",
	}}, true
}

// doseOutcomes are the outcomes, else those that effects are of, as many as a figure holds.
func (f Figures) doseOutcomes() (list []sim.Indicator) {
	list = f.Outcomes
	if len(list) == 0 {
		for _, e := range f.Effects {
			if i, ok := sim.IndicatorByName(e.Metric); ok && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list[:min(len(list), mostSpoken)]
}

// doseWindows are those of all outcomes of the figure of doses, in the order of the months.
func (f Figures) doseWindows() (list []inference.Window) {
	for _, i := range f.doseOutcomes() {
		for _, w := range f.windowsOf(i) {
			if !slices.Contains(list, w) {
				list = append(list, w)
			}
		}
	}
	slices.SortFunc(list, func(a, b inference.Window) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return list
}

// windowsOf are those in which an outcome is compared, in the order of the months.
func (f Figures) windowsOf(i sim.Indicator) (list []inference.Window) {
	for _, e := range f.Effects {
		if e.Metric == i.String() && !slices.Contains(list, e.Window) {
			list = append(list, e.Window)
		}
	}
	slices.SortFunc(list, func(a, b inference.Window) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return list
}

// dosed are the effects on an outcome in a window, by dose.
func (f Figures) dosed(i sim.Indicator, w inference.Window) (list []inference.Effect) {
	for _, e := range f.Effects {
		if _, dose := f.Doses.Of[e.Arm]; dose && e.Metric == i.String() && e.Window == w && e.Control != 0 {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b inference.Effect) int {
		return int(math.Copysign(1, f.Doses.Of[a.Arm]-f.Doses.Of[b.Arm]))
	})
	return list
}

// outcomeFigure begins the names of figures of an outcome.
const outcomeFigure = "outcome_"

// The spread of replications that figures show: from one quantile to the other.
const spreadLow, spreadHigh = .1, .9

// outcomes are figures of all arms over time, one of each outcome, with the spread of the replications
// beside the interval of the mean.
func (f Figures) outcomes() (list []NamedFigure) {
	arms := f.curves()
	for _, i := range f.Outcomes {
		factor, unit := 1., Unit(i, f.Language)
		if tables.IsShare(i) {
			factor, unit = 100, "%"
		}
		apart := note{}
		if f.severalArms() {
			apart = note{
				" The arms share their random draws: how surely they differ is told by the effects over time, not by the bands.",
				"各组共享随机抽取：组间差异的精度见效应随时间的变化，而非此处的区间。",
			}
		}
		figure, x := f.overTime(note{Label(i, English), Label(i, Chinese)}, note{})
		panel := plot.Panel{YLabel: unit}
		for a, arm := range arms {
			line := plot.Line{Name: f.in(f.nameOf(a)), X: x, Y: scaled(arm.Mean[i], factor)}
			if arm.N > 1 && f.banded(a) {
				line.Lower, line.Upper = scaled(arm.Lower[i], factor), scaled(arm.Upper[i], factor)
				line.OuterLower, line.OuterUpper = f.spread(a, i, len(x), factor)
			}
			panel.Lines = append(panel.Lines, styled(line, a))
		}
		figure.Grid = []plot.Panel{panel}
		about := f.bandNote()
		if f.replications() > 1 {
			figure.Bands = [2]string{
				wordf(f.Language, "%s interval of the mean", "均值的%s区间", f.level()), f.say("middle 80 % of replications", "中间80 %的重复"),
			}
			if f.severalArms() {
				figure.Bands = [2]string{
					wordf(f.Language, "%s interval of the control's mean", "对照组均值的%s区间", f.level()),
					f.say("middle 80 % of its replications", "其中间80 %的重复"),
				}
			}
			about = notef("lines: means of %d replications", "线为%d次重复的均值", f.replications())
		}
		about = joined(about, f.markNote())
		figure.Frame = f.frame(note{Label(i, English), Label(i, Chinese)}, about)
		list = append(list, NamedFigure{outcomeFigure + i.String(), figure, note{
			Label(i, English) + " by month; " + about.en + ". Darker: the interval of the mean; lighter: the middle 80 % of the " +
				"replications." + apart.en,
			Label(i, Chinese) + "的月度路径；" + about.zh + "。深色为均值的区间，浅色为中间80 %的重复。" + apart.zh,
		}})
	}
	return list
}

// spread is where the middle of the replications of an arm lies, month by month.
func (f Figures) spread(arm int, i sim.Indicator, months int, factor float64) (low, high []float64) {
	for m := range months {
		var values []float64
		for _, series := range f.Arms[arm].Panel {
			values = append(values, factor*series[i][m])
		}
		values = stats.Defined(values)
		slices.Sort(values)
		low, high = append(low, stats.Quantile(values, spreadLow)), append(high, stats.Quantile(values, spreadHigh))
	}
	return low, high
}

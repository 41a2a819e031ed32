package report

import (
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// FoundText tells what an experiment found whose inquiry looks for a number; "" = nothing.
func FoundText(f inference.Found, language string) string {
	switch {
	case f.EqualCost != nil:
		return equalCostText(f.EqualCost, language)
	case f.Threshold != nil:
		return thresholdText(f.Threshold, language)
	}
	return ""
}

func equalCostText(c *inference.EqualCost, language string) string {
	measure := note{"net, by the balance of the budget with all feedback", "净成本，按含全部反馈的财政余额计"}
	if c.Measure == "gross" {
		measure = note{"gross, by payments and the revenue forgone on the control's tax bases", "总成本，按直接支出及对照组税基上的减收计"}
	}
	share := func(wide, of float64) string { return FormatShare(math.Abs(wide/of), 1) }
	text := wordf(language,
		"%[1]s of %[2]s is %[3]s: with it, %[2]s costs the government as much as %[4]s in months %[5]d to %[6]d (%[7]s). It was found on a "+
			"pilot of %[8]d replications, on seeds that the experiment does not use, after %[9]d trials: there %[2]s costs %[10]s (standard error "+
			"%[11]s) and %[4]s %[12]s (%[13]s).",
		"%[2]s 的 %[1]s 取 %[3]s 时，其第%[5]d至%[6]d个月的财政成本与 %[4]s 相等（%[7]s）。该值由%[8]d次重复的试算得出（种子与实验不同，试%[9]d次）："+
			"试算中 %[2]s 的成本为 %[10]s（标准误 %[11]s），%[4]s 为 %[12]s（%[13]s）。",
		c.By, c.Match, doseText(c.Amount, c.Unit), c.To, c.From, c.Until, measure.in(language), c.Pilot.Replications, c.Pilot.Evaluations,
		FormatAmount(c.Pilot.Cost), share(c.Pilot.StandardError, c.Pilot.Cost), FormatAmount(c.Pilot.CostTo),
		share(c.Pilot.StandardTo, c.Pilot.CostTo))
	if math.IsNaN(float64(c.Difference)) {
		return text
	}
	between := word(language, " ", "")
	interval := word(language, "too few pairs for an interval", "配对太少，没有区间")
	if !math.IsNaN(float64(c.CILow)) {
		interval = wordf(language, "%s interval %s to %s", "%s 区间 %s 至 %s", FormatShare(c.Confidence, 0), FormatAmount(float64(c.CILow)),
			FormatAmount(float64(c.CIHigh)))
	}
	return text + between + wordf(language,
		"In the experiment itself %[1]s costs %[2]s and %[3]s %[4]s, in currency units, nominal and added up over the months: a difference "+
			"of %[5]s (%[6]s, %[7]d pairs), which is %[8]s of the cost of %[3]s.",
		"在实验本身中，%[1]s 的成本为 %[2]s，%[3]s 为 %[4]s（货币单位，名义值，逐月累计）：相差 %[5]s（%[6]s，%[7]d对），为 %[3]s 成本的 %[8]s。",
		c.Match, FormatAmount(float64(c.Cost)), c.To, FormatAmount(float64(c.CostTo)), FormatAmount(float64(c.Difference)), interval, c.N,
		FormatShare(float64(c.Difference)/math.Abs(float64(c.CostTo)), 1))
}

// doseText is a value of a parameter: a share in percent.
func doseText(x float64, unit string) string {
	if strings.HasPrefix(unit, "share") {
		return fmt.Sprintf("%.4g %%", 100*x)
	}
	return fmt.Sprintf("%.6g", x)
}

// effectText is an effect of a threshold: of a relative one in percent.
func effectText(t *inference.Threshold, x float64) string {
	if t.Relative {
		return signed(x, FormatShare(x, 2))
	}
	i, _ := sim.IndicatorByName(t.Outcome)
	return FormatDifference(i, x)
}

func thresholdText(t *inference.Threshold, language string) string {
	i, _ := sim.IndicatorByName(t.Outcome)
	of := wordf(language, "The effect of %s on %s in months %d to %d, against %s,", "%s 对%s的效应（第%d至%d个月，相对于 %s）", t.Parameter,
		Label(i, language), t.From, t.Until, t.Against)
	between := word(language, " ", "")
	first, last := t.Points[0], t.Points[len(t.Points)-1]
	if !t.Found {
		at := func(p inference.DosePoint) string {
			return wordf(language, "%s at %s (%s to %s)", "取 %[2]s 时为 %[1]s（%[3]s 至 %[4]s）", effectText(t, float64(p.Effect)),
				doseText(p.Value, t.Unit), effectText(t, float64(p.CILow)), effectText(t, float64(p.CIHigh)))
		}
		return of + between + wordf(language, "crosses %s nowhere from %s to %s: it is %s and %s (%s intervals, %d pairs).",
			"在 %[2]s 至 %[3]s 之间从未越过 %[1]s：%[4]s，%[5]s（%[6]s 区间，%[7]d对）。", effectText(t, t.Crosses), doseText(first.Value, t.Unit),
			doseText(last.Value, t.Unit), at(first), at(last), FormatShare(t.Confidence, 0), t.N) + between + shapeText(t, language)
	}
	edge := func(x stats.Number, end float64, en, zh string) string {
		if math.IsNaN(float64(x)) {
			return wordf(language, en, zh, doseText(end, t.Unit))
		}
		return doseText(float64(x), t.Unit)
	}
	text := of + between + wordf(language,
		"crosses %s at %s (%s interval %s to %s, %d pairs; the interval holds the values at which a paired t test does not reject that the "+
			"level is reached, on straight lines between the values that were looked at).",
		"在 %[2]s 处越过 %[1]s（%[3]s 区间 %[4]s 至 %[5]s，%[6]d对；区间由配对t检验反演得到，取值之间按直线插值）。",
		effectText(t, t.Crosses), doseText(float64(t.Value), t.Unit), FormatShare(t.Confidence, 0),
		edge(t.CILow, first.Value, "below %s, where the range ends,", "范围下限 %s 以下"),
		edge(t.CIHigh, last.Value, "above %s, where the range ends", "范围上限 %s 以上"), t.N)
	if t.More > 0 {
		text += between + wordf(language, "It crosses it %s more above: the first is told.", "其上还有%s次越过；此处为第一次。",
			word(language, map[bool]string{true: "once", false: fmt.Sprint(t.More, " times")}[t.More == 1], fmt.Sprint(t.More)))
	}
	return text + between + shapeText(t, language)
}

func shapeText(t *inference.Threshold, language string) string {
	return map[string]note{
		"rising":  {"Tested on five equally spaced values, the effect rises throughout.", "在五个等距值上检验，效应单调上升。"},
		"falling": {"Tested on five equally spaced values, the effect falls throughout.", "在五个等距值上检验，效应单调下降。"},
		"flat": {"Tested on five equally spaced values, no move of the effect is significant: where it crosses the level is hardly known.",
			"在五个等距值上检验，效应没有显著变化：越过之处几乎无法确定。"},
		"not_monotonic": {"Tested on five equally spaced values, the effect is not monotonic: it moves significantly both up and down.",
			"在五个等距值上检验，效应并非单调：既有显著上升，也有显著下降。"},
	}[t.Shape].in(language)
}

// found is the section of what was looked for.
func (w *reportWriter) found() (out Section) {
	f := w.b.Found
	if f.EqualCost != nil {
		out.Title = w.say("Equal cost", "等成本")
	}
	if t := f.Threshold; t != nil {
		out.Title = w.say("The threshold", "临界值")
		out.Heads = []string{t.Parameter, w.say("arm", "组"), w.say("effect", "效应"), FormatShare(t.Confidence, 0) + w.say(" interval", " 区间")}
		for _, p := range t.Points {
			out.Rows = append(out.Rows, []string{
				doseText(p.Value, t.Unit), p.Arm, effectText(t, float64(p.Effect)),
				w.interval(func(x stats.Number) string { return effectText(t, float64(x)) }, p.CILow, p.CIHigh),
			})
		}
	}
	out.say(FoundText(f, w.language))
	if t := f.Threshold; t != nil && t.Found {
		out.say(w.say("The values of the arms step_1 and so on were chosen by what came out at others: their effects are estimates, and "+
			"stand in no family of tests.", "step_1 等各组的取值由先前取值的结果决定：其效应仅为估计，不计入检验族。"))
	}
	out.Figures = w.place("dose_response")
	return out
}

// doseResponse is the figure of a threshold: the effect by value, the level, and where it is crossed.
func (f Figures) doseResponse() (NamedFigure, bool) {
	t := f.Threshold
	if t == nil {
		return NamedFigure{}, false
	}
	i, _ := sim.IndicatorByName(t.Outcome)
	unit, factor := note{Unit(i, English), Unit(i, Chinese)}, 1.0
	switch {
	case t.Relative:
		unit, factor = notef("%% of %s", "%s的%%", t.Against), 100
	case strings.HasPrefix(i.Info().Unit, "share"):
		unit, factor = note{"percentage points", "百分点"}, 100
	}
	x, xUnit := 1.0, t.Unit
	if strings.HasPrefix(t.Unit, "share") {
		x, xUnit = 100, "%"+strings.TrimPrefix(t.Unit, "share")
	}
	effect := plot.Line{Name: f.say("effect", "效应")}
	for _, p := range t.Points {
		effect.X, effect.Y = append(effect.X, x*p.Value), append(effect.Y, factor*float64(p.Effect))
		effect.Lower, effect.Upper = append(effect.Lower, factor*float64(p.CILow)), append(effect.Upper, factor*float64(p.CIHigh))
	}
	first, last := effect.X[0], effect.X[len(effect.X)-1]
	level := plot.Line{
		Name: f.say("level", "水平"), X: []float64{first, last}, Y: []float64{factor * t.Crosses, factor * t.Crosses}, Colour: plot.Grey, Dash: 1,
	}
	panel := plot.Panel{
		Title: Label(i, f.Language), XLabel: t.Parameter + f.say(", ", "，") + xUnit, YLabel: f.in(unit), Zero: true,
		Lines: []plot.Line{effect, level}, Clouds: []plot.Cloud{{X: effect.X, Y: effect.Y}},
	}
	about := notef("effect in months %d to %d against %s; shaded: pointwise %s interval over %d pairs; dashed: the level, %s",
		"第%d至%d个月的效应，相对于%s；阴影：%[5]d对的逐点%[4]s区间；虚线：水平 %[6]s", t.From, t.Until, t.Against, f.level(), t.N, effectText(t, t.Crosses))
	if t.Found {
		bounds := plot.Line{
			Name: f.say("threshold with its interval", "临界值及其区间"), Colour: 1,
			X: []float64{x * finiteOr(t.CILow, first/x), x * float64(t.Value), x * finiteOr(t.CIHigh, last/x)},
			Y: []float64{factor * t.Crosses, factor * t.Crosses, factor * t.Crosses},
		}
		panel.Lines = append(panel.Lines, bounds)
		panel.Clouds = append(panel.Clouds, plot.Cloud{X: bounds.X[1:2], Y: bounds.Y[1:2], Colour: 1, Shape: 2})
	}
	figure := plot.Panels{Grid: []plot.Panel{panel}, Frame: f.frame(notef("Effect by %s", "各 %s 取值下的效应", t.Parameter), about)}
	return NamedFigure{"dose_response", figure, note{
		capital(about.en) + ".", f.translated("各取值的效应。") + about.zh + "。",
	}}, true
}

func finiteOr(x stats.Number, otherwise float64) float64 {
	if math.IsNaN(float64(x)) {
		return otherwise
	}
	return float64(x)
}

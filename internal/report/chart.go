package report

import (
	"errors"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// mostCharted is how many effects a chart shows: more are too small to read.
const mostCharted = 24

// EffectChart is a PNG of the differences of a comparison with their intervals, in its language: the
// first 24, and of several arms those of five outcomes. title is what was asked. Where there is nothing
// to show the image is nil: no difference, or none that can be told relative to the control.
func EffectChart(c inference.Comparison, title string) ([]byte, error) {
	rows := c.Rows[:min(len(c.Rows), mostCharted)]
	f := Figures{Title: title, Language: c.Language, Confidence: c.Confidence, Arms: []FigureArm{{Name: c.Control}}}
	for _, r := range rows {
		if !slices.ContainsFunc(f.Arms[1:], func(arm FigureArm) bool { return arm.Name == r.Arm }) {
			f.Arms = append(f.Arms, FigureArm{Name: r.Arm})
		}
		f.Effects = append(f.Effects, inference.Effect{
			Arm: r.Arm, Metric: r.Metric, Control: float64(r.Control), Difference: float64(r.Difference), CILow: float64(r.CILow),
			CIHigh: float64(r.CIHigh), Relative: r.Relative(), Window: r.Window,
		})
	}
	if len(rows) == 0 {
		return nil, nil
	}
	about := notef("differences to %s", "与%s之差", armName(c.Control).in(c.Language))
	if !f.severalArms() {
		about = f.less()
	}
	if !f.severalWindows() {
		f.From, f.To = rows[0].From, rows[0].To
		about = joined(about, f.window())
	}
	about = joined(about, notef("%s intervals, filled where they exclude 0", "%s区间，区间不含0者为实心", f.level()))
	groups, left := f.effectGroups(), len(c.Rows)
	for _, g := range groups {
		left -= len(g.Effects)
	}
	if slices.ContainsFunc(groups, plot.EffectGroup.Cut) {
		about = joined(about, note{"arrow: the interval goes on", "箭头：区间超出坐标轴"})
	}
	if left > 0 {
		about = joined(about, notef("%d more are not shown", "另有%d项未显示", left))
	}
	frame := f.frame(note{"Effects", "效应"}, about)
	frame.Source = "" // the answer beside it says it
	return charted(plot.Forest{Frame: frame, Groups: groups})
}

// SeriesChart is a PNG of an indicator of an arm by month, with what lies around its line: an interval
// of the mean or quantiles, and the replications where the series has them. Shares are in percent. The image
// is nil where no month has a value.
func SeriesChart(s tables.Aggregated, i sim.Indicator, arm, title, language string) ([]byte, error) {
	x := make([]float64, len(s.Months))
	for k, month := range s.Months {
		x[k] = float64(month)
	}
	factor, unit := 1., Unit(i, language)
	if tables.IsShare(i) {
		factor, unit = 100, percentUnit(unit, language)
	}
	in := func(values []stats.Number) []float64 { return scaled(floats(values), factor) }
	var panel plot.Panel
	panel.YLabel = unit
	for _, values := range s.Replications {
		panel.Lines = append(panel.Lines, plot.Line{X: x, Y: in(values), Colour: plot.Grey})
	}
	about := note{"line: mean of the replications; shaded: pointwise 95 % interval", "线为各次重复的均值，阴影为其逐月95%区间"}
	line := plot.Line{X: x, Y: in(s.Data), Lower: in(s.Lower), Upper: in(s.Upper)}
	switch {
	case s.LowerQuartile != nil:
		about = note{"line: median; dark: quartiles; light: 5 % and 95 % quantiles", "线为中位数，深色为四分位数，浅色为5%和95%分位数"}
		line.OuterLower, line.OuterUpper = line.Lower, line.Upper
		line.Lower, line.Upper = in(s.LowerQuartile), in(s.UpperQuartile)
	case len(stats.Defined(line.Lower)) == 0:
		about = note{"one replication: no intervals", "只有一次重复：没有区间"}
		line.Lower, line.Upper = nil, nil
	case s.Replications != nil:
		about = joined(about, note{"grey: each replication", "灰线为各次重复"})
	}
	panel.Lines = append(panel.Lines, line)
	f := Figures{Title: title, Language: language}
	frame := f.frame(note{Label(i, English), Label(i, Chinese)}, joined(armName(arm), about))
	frame.Source = ""
	return charted(plot.Panels{Frame: frame, XLabel: word(language, "Month", "月份"), Grid: []plot.Panel{panel}})
}

// percentUnit is the unit of a share that is told in percent.
func percentUnit(unit, language string) string {
	return wordf(language, "%% (%s)", "%%（%s）", unit)
}

func floats(list []stats.Number) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = float64(x)
	}
	return out
}

// charted draws a figure, nil where it has nothing to show.
func charted(f plot.Figure) ([]byte, error) {
	data, err := plot.Screen(f)
	if errors.Is(err, plot.ErrNoData) {
		return nil, nil
	}
	return data, err
}

package figures

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
)

// mostRows is how many factors a tornado shows: more would not fit a page.
const mostRows = 40

// tornado shows which factors matter, the most telling on top.
func (d drawer) tornado() (plot.Figure, string) {
	switch d.s.Method {
	case "one_at_a_time", "main_effects":
		return d.swings()
	case "sobol", "morris", "pawn":
		return d.indices()
	}
	return nil, ""
}

// rows are the factors that are shown, and what the note says of the others.
func (d drawer) rows() (order []int, note string) {
	order = d.order
	if len(order) > mostRows {
		note = d.say(fmt.Sprintf("; the first %d of %d factors", mostRows, len(order)), fmt.Sprintf("；仅显示前%d个因素（共%d个）", mostRows, len(order)))
		order = order[:mostRows]
	}
	return order, note
}

// end is a mean with its interval where a factor has a value.
type end struct {
	at float64
	plot.Estimate
}

// ends are the outcomes by the values of a factor, in ascending order, with intervals of the difference to the base: the base point, or
// the mean of all points.
func (d drawer) ends(j int) (list []end, base float64) {
	if d.s.Method == "one_at_a_time" {
		curve := d.s.Factors[j].Curve
		for _, c := range curve {
			if c.Base {
				base = float64(c.Value)
			}
		}
		for _, c := range curve {
			e := plot.Estimate{Value: float64(c.Value), Low: base + float64(c.ChangeLow), High: base + float64(c.ChangeHigh)}
			list = append(list, end{c.At, e})
		}
		return list, base
	}
	var all []int
	groups := d.groups(j)
	for _, g := range groups {
		all = append(all, g.points...)
	}
	middle := d.bySeed(all)
	base = stats.Mean(middle)
	for _, g := range groups {
		e := stats.PairedInterval(middle, d.bySeed(g.points), d.p.Design.Inquiry.Design.Confidence)
		list = append(list, end{g.at, plot.Estimate{Value: base + e.Mean, Low: base + e.Low, High: base + e.High}})
	}
	return list, base
}

// bySeed are the means of points of each replication.
func (d drawer) bySeed(points []int) (means []float64) {
	for s := range d.seeds() {
		var y []float64
		for _, k := range points {
			y = append(y, d.r.Replications(d.at, k)[s])
		}
		means = append(means, stats.DefinedMean(y))
	}
	return means
}

// swings shows the outcomes at both ends of each factor.
func (d drawer) swings() (plot.Figure, string) {
	by, whiskers, beyond := d.by(), false, false
	order, more := d.rows()
	figure := plot.Tornado{XLabel: d.unit(), Names: [2]string{
		d.say("at the factor's lowest value", "因素取最低值"), d.say("at its highest value", "因素取最高值"),
	}}
	for _, j := range order {
		list, base := d.ends(j)
		figure.Base = by * base
		low, high := list[0], list[len(list)-1]
		row := plot.TornadoRow{
			Label: d.factors[j].label + d.say(": ", "：") + d.factors[j].bare(low.at) + d.say(" to ", "至") + d.factors[j].number(high.at),
			Low:   scaled(low.Estimate, by), High: scaled(high.Estimate, by), Least: math.Inf(1), Most: math.Inf(-1),
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, e := range list {
			least, most = min(least, e.Value), max(most, e.Value) // NaN where one is
			whiskers = whiskers || !math.IsNaN(e.Low)
		}
		ends := []float64{base, low.Value, high.Value}
		beyond = beyond || least < slices.Min(ends) || most > slices.Max(ends)
		row.Least, row.Most, row.Text = by*least, by*most, d.size(most-least)
		figure.Rows = append(figure.Rows, row)
	}
	middle := d.say("line: the outcome at the base point", "竖线为基准点的结果")
	subject := d.say("What each factor does alone", "各因素单独变动的影响")
	if d.s.Method == "main_effects" {
		middle = d.say("line: mean of all points; bars: means over the values of the other factors", "竖线为所有点的均值；条形为对其他因素取平均")
		subject = d.say("Main effects", "主效应")
	}
	note := middle + d.say("; on the right the highest less the lowest outcome", "；右侧为最高与最低结果之差")
	if beyond {
		note += d.say("; orange: outcomes between the ends go beyond them", "；橙色线表示中间取值的结果超出两端")
	}
	if whiskers {
		level, n := d.level(), d.seeds()
		note += d.say(fmt.Sprintf("; whiskers: %s intervals of the difference to the line over %d pairs with the same seeds", level, n),
			fmt.Sprintf("；须线为与竖线之差的%s区间（%d对相同种子）", level, n))
	}
	note += more
	figure.Frame = d.frame(subject, note)
	return figure, d.caption(subject, note)
}

func (d drawer) seeds() int { return d.p.Design.Inquiry.Design.Replications }

func scaled(e plot.Estimate, by float64) plot.Estimate {
	return plot.Estimate{Label: e.Label, Value: by * e.Value, Low: by * e.Low, High: by * e.High}
}

// indices shows those of the design's method with their intervals.
func (d drawer) indices() (plot.Figure, string) {
	figure := plot.Ranking{}
	var subject, note string
	intervals := d.say("whiskers: 95 % bootstrap intervals", "须线为95 %自助法区间")
	faint := d.faint()
	by := 1.
	switch d.s.Method {
	case "sobol":
		subject = d.say("Shares of the variance (Sobol' indices)", "方差份额（Sobol'指数）")
		note = d.say("first order: alone; total: with all interactions; ", "一阶为单独作用，总阶含全部交互作用；") + intervals + faint
		figure.XLabel = d.say("share of the variance of the outcome, %", "占结果方差的百分比")
		figure.Series = []string{d.say("total", "总阶"), d.say("first order", "一阶")}
		by = 100
		dummy := estimate(&d.s.Dummy.Total, by)
		name := d.say("total of a factor that changes nothing", "无影响因素的总阶")
		figure.Rule = &plot.Rule{Name: name, At: dummy.Value, Low: dummy.Low, High: dummy.High}
	case "morris":
		subject = d.say("Screening (Morris)", "筛选（Morris法）")
		by = d.by()
		note = d.say("μ*: mean size of the effect over the factor's whole range; on the right σ, its scatter from place to place; ",
			"mu*为因素全范围内效应绝对值的均值；右侧sigma为效应随位置的离散程度；") + intervals
		figure.XLabel = d.say("effect over the whole range: ", "全范围效应：") + d.unit()
		figure.Series = []string{d.say("mean size μ*", "平均幅度 mu*")}
		figure.MarkName = d.say("mean effect μ, with its sign", "平均效应 mu（带符号）")
	case "pawn":
		subject = d.say("Which factors move the distribution", "哪些因素改变结果的分布")
		note = d.say("PAWN: median distance of distribution functions; δ: mean distance of densities; ", "PAWN为分布函数距离的中位数，delta为密度距离的均值；") +
			intervals + faint
		figure.XLabel = d.say("index, 0 to 1", "指数，0至1")
		figure.Series = []string{"PAWN"}
		if len(d.s.Factors) > 0 && d.s.Factors[0].Delta != nil {
			figure.Series = append(figure.Series, d.say("δ", "delta"))
		}
	}
	order, more := d.rows()
	for _, j := range order {
		f := d.s.Factors[j]
		row := plot.RankingRow{Label: d.factors[j].label, Mark: math.NaN(), Faint: f.Matters != nil && !*f.Matters}
		switch d.s.Method {
		case "sobol":
			row.Bars = []plot.Estimate{estimate(f.Total, by), estimate(f.First, by)}
			row.Text = share(f.Total) + " / " + share(f.First)
		case "morris":
			row.Bars, row.Mark = []plot.Estimate{estimate(f.MeanAbs, by)}, by*number(f.Effect)
			row.Text = d.say("σ ", "sigma ") + d.size(number(f.Scatter))
		case "pawn":
			row.Bars, row.Text = []plot.Estimate{estimate(f.Shift, by)}, report.FormatNumber(float64(f.Shift.Value), 2)
			if len(figure.Series) > 1 {
				row.Bars = append(row.Bars, estimate(f.Delta, by))
				row.Text += " / " + report.FormatNumber(float64(f.Delta.Value), 2)
			}
		}
		figure.Rows = append(figure.Rows, row)
	}
	if d.s.Method == "sobol" { // an interval of few points may be anywhere
		largest := 80.
		for _, row := range figure.Rows {
			largest = max(largest, row.Bars[0].Value, row.Bars[1].Value)
		}
		figure.Most = 1.3 * largest
		if slices.ContainsFunc(figure.Rows, func(r plot.RankingRow) bool { return max(r.Bars[0].High, r.Bars[1].High) > 1.04*figure.Most }) {
			more += d.say("; arrow: the interval goes on", "；箭头：区间超出坐标轴")
		}
	}
	figure.Frame = d.frame(subject, note+more)
	return figure, d.caption(subject, note+more)
}

// faint says what empty bars are, where there are any. Of PAWN and delta it is PAWN that tells.
func (d drawer) faint() string {
	any := slices.ContainsFunc(d.s.Factors, func(f sweep.FactorIndex) bool { return f.Matters != nil && !*f.Matters })
	switch {
	case !any:
		return ""
	case d.s.Method == "pawn":
		return d.say("; empty: by PAWN not more than a factor that changes nothing", "；空心者按PAWN不高于无影响因素")
	}
	return d.say("; empty: not more than a factor that changes nothing", "；空心者不高于无影响因素")
}

func share(e *sweep.Estimate) string { return report.FormatShare(float64(e.Value), 1) }

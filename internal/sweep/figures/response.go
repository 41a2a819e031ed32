package figures

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
)

const (
	mostPanels   = 6    // leading factors that are shown
	fewValues    = 10   // a factor with no more is shown value by value
	mostCloud    = 600  // points that are drawn
	mostSmoothed = 4000 // points that are smoothed
	places       = 25   // at which the smooth mean is taken
	resamples    = 300  // of its band
)

// group are the points at which a factor has a value.
type group struct {
	at     float64
	points []int
}

// groups are those of a factor, by value, without points whose outcome is not known.
func (d drawer) groups(j int) (list []group) {
	for k, row := range d.p.Values {
		if math.IsNaN(d.r.Values[d.at][k]) {
			continue
		}
		i, found := slices.BinarySearchFunc(list, row[j], func(g group, x float64) int {
			switch {
			case g.at < x:
				return -1
			case g.at > x:
				return 1
			}
			return 0
		})
		if !found {
			list = slices.Insert(list, i, group{at: row[j]})
		}
		list[i].points = append(list[i].points, k)
	}
	return list
}

// response shows the outcome by each of the leading factors.
func (d drawer) response() (plot.Figure, string) {
	figure := plot.Panels{Columns: 2}
	lead := d.order[:min(len(d.order), mostPanels)]
	smooth, mark := false, ""
	for _, j := range lead {
		f := d.factors[j]
		panel := plot.Panel{Title: shortened(f.label), XLabel: f.unit, YLabel: d.unit(), Zero: d.difference(), LogX: f.log}
		switch groups := d.groups(j); {
		case slices.Contains([]sweep.Kind{sweep.OneAtATime, sweep.Factorial, sweep.Fractional}, d.p.Design.Kind):
			panel.Lines = []plot.Line{d.means(j)}
		case len(groups) <= fewValues:
			panel.Clouds, panel.Lines = d.cloud(j), []plot.Line{d.grouped(j, groups)}
		default:
			panel.Clouds, panel.Lines, smooth = d.cloud(j), []plot.Line{d.smooth(j)}, true
		}
		if flip := d.s.Flip; flip != nil && flip.Factor == d.p.Design.Factors[j].Name {
			panel.Marks = []float64{f.by * flip.Threshold}
			mark = f.label + d.say(" at ", "：") + f.number(flip.Threshold)
		}
		figure.Grid = append(figure.Grid, panel)
	}
	figure.Columns = min(2, len(figure.Grid))
	subject := d.say("Response to the leading factors", "对主要因素的响应")
	note := d.responseNote(smooth)
	if mark != "" {
		note += d.say("; dotted: where the sign flips ("+mark+")", "；点线为符号改变处（"+mark+"）")
	}
	if left := len(d.order) - len(lead); left > 0 {
		note += d.say(fmt.Sprintf("; the first %d of %d factors", len(lead), len(d.order)),
			fmt.Sprintf("；仅显示前%d个因素（共%d个）", len(lead), len(d.order)))
	}
	figure.Frame = d.frame(subject, note)
	return figure, d.caption(subject, note)
}

// responseNote says what points, lines and bands are.
func (d drawer) responseNote(smooth bool) string {
	var note, middle string
	switch d.p.Design.Kind {
	case sweep.OneAtATime:
		note = d.say("points: the outcome, with the other factors at the base", "点为其他因素处于基准时的结果")
		middle = d.say("the base", "基准")
	case sweep.Factorial, sweep.Fractional:
		note = d.say("points: means over the values of the other factors", "点为对其他因素取平均的结果")
		middle = d.say("the mean of all points", "所有点的均值")
	default:
		if smooth {
			return d.say("rings: points of the design; line: local mean; band: 95 % bootstrap interval of it",
				"圆圈为设计点；实线为局部均值；阴影为其95 %自助法区间")
		}
		return d.say("rings: points of the design; line: means; whiskers: 95 % bootstrap intervals of them",
			"圆圈为设计点；实线为均值；须线为其95 %自助法区间")
	}
	switch seeds := d.seeds(); {
	case seeds == 1:
	case d.difference():
		note += d.say(fmt.Sprintf("; whiskers: %s intervals over %d replications", d.level(), seeds),
			fmt.Sprintf("；须线为%d次重复的%s区间", seeds, d.level()))
	default:
		note += d.say(fmt.Sprintf("; whiskers: %s intervals of the difference to %s over %d pairs with the same seeds", d.level(), middle, seeds),
			fmt.Sprintf("；须线为与%s之差的%s区间（%d对相同种子）", middle, d.level(), seeds))
	}
	return note
}

// shortened is a label that fits over a panel.
func shortened(label string) string {
	const most = 48
	if r := []rune(label); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return label
}

// means are those at each value of a factor, of designs in which all others are balanced or held. Differences of arms have their own
// intervals, which are held against zero; levels those of the difference to the middle, because what seeds have in common moves no curve.
func (d drawer) means(j int) plot.Line {
	l := plot.Line{Points: true}
	list, _ := d.ends(j)
	switch {
	case !d.difference():
	case d.s.Method == "one_at_a_time":
		for i, c := range d.s.Factors[j].Curve {
			list[i].Low, list[i].High = float64(c.Low), float64(c.High)
		}
	default:
		for i, g := range d.groups(j) {
			own := stats.MeanInterval(stats.Defined(d.bySeed(g.points)), d.p.Design.Inquiry.Design.Confidence)
			list[i].Low, list[i].High = own.Low, own.High
		}
	}
	for _, e := range list {
		d.add(&l, j, e.at, e.Estimate)
	}
	return l
}

func (d drawer) add(l *plot.Line, j int, at float64, e plot.Estimate) {
	by := d.by()
	l.X, l.Y = append(l.X, d.factors[j].by*at), append(l.Y, by*e.Value)
	l.Lower, l.Upper = append(l.Lower, by*e.Low), append(l.Upper, by*e.High)
}

// cloud are the points of the design.
func (d drawer) cloud(j int) []plot.Cloud {
	c := plot.Cloud{Colour: plot.Grey}
	by, values := d.by(), d.r.Values[d.at]
	every := (len(values) + mostCloud - 1) / mostCloud
	for k := 0; k < len(values); k += every {
		c.X, c.Y = append(c.X, d.factors[j].by*d.p.Values[k][j]), append(c.Y, by*values[k])
	}
	return []plot.Cloud{c}
}

// grouped are the means at the few values of a factor.
func (d drawer) grouped(j int, groups []group) plot.Line {
	l := plot.Line{Points: true}
	values := d.r.Values[d.at]
	label := map[float64]int{}
	for i, g := range groups {
		label[g.at] = i
	}
	mean, low, high := d.bootstrap(len(groups), func(points []int) []float64 {
		sums, counts := make([]float64, len(groups)), make([]float64, len(groups))
		for _, k := range points {
			if !math.IsNaN(values[k]) {
				i := label[d.p.Values[k][j]]
				sums[i] += values[k]
				counts[i]++
			}
		}
		for i := range sums {
			sums[i] /= counts[i]
		}
		return sums
	})
	for i, g := range groups {
		d.add(&l, j, g.at, plot.Estimate{Value: mean[i], Low: low[i], High: high[i]})
	}
	return l
}

// smooth is a local mean: lines through the points around a place, by least squares with weights that fall as a normal density does
// (Fan and Gijbels 1996, Local Polynomial Modelling, section 2.3). The bandwidth is that of Silverman's rule, 6 % of the range at least.
func (d drawer) smooth(j int) plot.Line {
	f, values := d.factors[j], d.r.Values[d.at]
	at := func(x float64) float64 { return x }
	if f.log {
		at = math.Log
	}
	low, high := at(f.lowest), at(f.most)
	var all []float64
	for _, row := range d.p.Values {
		all = append(all, at(row[j]))
	}
	n := min(len(all), mostSmoothed)
	width := max(1.06*stats.StdDev(all)*math.Pow(float64(n), -.2), .06*(high-low))
	grid := make([]float64, places)
	for i := range grid {
		grid[i] = low + float64(i)/(places-1)*(high-low)
	}
	mean, lower, upper := d.bootstrap(places, func(points []int) []float64 {
		out := make([]float64, places)
		for i, x := range grid {
			var w0, w1, w2, y0, y1 float64
			for _, k := range points {
				if math.IsNaN(values[k]) {
					continue
				}
				u := (all[k] - x) / width
				w := math.Exp(-u * u / 2)
				w0, w1, w2 = w0+w, w1+w*u, w2+w*u*u
				y0, y1 = y0+w*values[k], y1+w*u*values[k]
			}
			out[i] = (w2*y0 - w1*y1) / (w2*w0 - w1*w1)
		}
		return out
	})
	l := plot.Line{}
	for i, x := range grid {
		if f.log {
			x = math.Exp(x)
		}
		d.add(&l, j, x, plot.Estimate{Value: mean[i], Low: lower[i], High: upper[i]})
	}
	return l
}

// bootstrap gives n statistics of the points and the bounds of 95 % of those of samples of the points with replacement. Points that were
// drawn together stay together; of very many the first count.
func (d drawer) bootstrap(n int, statistics func(points []int) []float64) (values, low, high []float64) {
	block := d.p.Block()
	blocks := min(len(d.p.Values), mostSmoothed) / block
	sample := func(choose func(i int) int) (points []int) {
		for i := range blocks {
			for k := range block {
				points = append(points, choose(i)*block+k)
			}
		}
		return points
	}
	values = statistics(sample(func(i int) int { return i }))
	draws := make([][]float64, n)
	random := rand.New(rand.NewPCG(d.p.Design.Seed, 7))
	for range resamples {
		chosen := make([]int, blocks)
		for i := range chosen {
			chosen[i] = random.IntN(blocks)
		}
		for i, x := range statistics(sample(func(i int) int { return chosen[i] })) {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				draws[i] = append(draws[i], x)
			}
		}
	}
	for i := range n {
		slices.Sort(draws[i])
		if len(draws[i]) < resamples/2 || blocks < 3 {
			low, high = append(low, math.NaN()), append(high, math.NaN())
			continue
		}
		low, high = append(low, stats.Quantile(draws[i], .025)), append(high, stats.Quantile(draws[i], .975))
	}
	return values, low, high
}

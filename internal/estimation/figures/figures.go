// Package figures draws what data say of parameters: the posterior of each against its prior, pairs that the data see together, and the
// data among economies with draws of the posterior.
package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// How much a figure shows.
const (
	panelsOfFigure = 12
	mostPairs      = 6
	mostCloud      = 500 // draws
	mostRows       = 40  // moments
)

// Of lists the figures of a posterior, none where it has no draws; the language is [report.English] or [report.Chinese].
//
//	marginals          density of each parameter over its prior's, with the 50 and 90 % intervals
//	pairs              draws of the pairs of parameters with the strongest correlations
//	predictive         moments that count: the data among economies with draws of the posterior
//	predictive-others  of the moments that do not count those that the model does not produce
func Of(r *estimation.Posterior, language string) (list []plot.Captioned) {
	if r.Empty {
		return nil
	}
	d := drawer{r, language}
	list = append(list, d.marginals()...)
	if f, ok := d.pairs(); ok {
		list = append(list, f)
	}
	for _, of := range []struct {
		name, en, zh string
		shows        func(p *estimation.Predicted) bool
	}{
		{"predictive", "moments that count", "计入的矩", func(p *estimation.Predicted) bool { return p.Counts }},
		{"predictive-others", "moments that do not count and that the model does not produce", "未计入且模型未能产生的矩",
			func(p *estimation.Predicted) bool { return !p.Counts && p.Failed }},
	} {
		if f, ok := d.predicted(of.name, d.say(of.en, of.zh), of.shows); ok {
			list = append(list, f)
		}
	}
	return list
}

type drawer struct {
	r        *estimation.Posterior
	language string
}

func (d drawer) say(en, zh string) string {
	if d.language == report.Chinese {
		return zh
	}
	return en
}

// captioned is a figure whose caption says what the figure does.
func (d drawer) captioned(name, subject, note string, draw func(plot.Frame) plot.Figure) plot.Captioned {
	f := plot.Frame{
		Title: d.say("What the data say of the parameters", "数据对参数说了什么"), Subject: subject, Note: note,
		Chinese: d.language == report.Chinese,
	}
	r := d.r
	f.Source = d.say(
		fmt.Sprintf("Source: econ-mcp, posterior of scenario %s (hash %.12s); %d economies, %d months after burn-in, %s; seed %d; model %s.",
			r.Scenario, r.Hash, r.Economies, r.Months, report.Plural(r.Households, "household"), r.Seed, sim.ModelVersion),
		fmt.Sprintf("来源：econ-mcp，情景 %s 的后验分布（哈希 %.12s）；模拟%d个经济体，预热后%d个月，%s户家庭；种子 %d；模型 %s。",
			r.Scenario, r.Hash, r.Economies, r.Months, report.FormatNumber(float64(r.Households), 0), r.Seed, sim.ModelVersion))
	caption := f.Title + d.say(". ", "。") + subject + d.say(". ", "。") + note + d.say(".", "。")
	return plot.Captioned{Name: name, Figure: draw(f), Caption: caption}
}

// axis is how people read a parameter.
type axis struct {
	label, unit string
	by          float64 // 100 of what is shown in percent
}

func (d drawer) axis(p estimation.Parameter) axis {
	a := axis{label: p.Name, by: 1}
	row, err := sim.Lookup(p.Name)
	if err != nil {
		return a
	}
	a.label = d.say(row.Label, row.LabelZH)
	first, size := utf8.DecodeRuneInString(a.label)
	a.label = string(unicode.ToUpper(first)) + a.label[size:]
	a.unit, a.by = report.ParameterUnit(row.Unit, d.language)
	return a
}

// full is the label with the unit.
func (a axis) full() string {
	if a.unit == "" {
		return a.label
	}
	return a.label + ", " + a.unit
}

func (d drawer) marginals() (list []plot.Captioned) {
	r := d.r
	draws := r.Chains.All()
	var panels []plot.Panel
	for k := range r.Parameters {
		panels = append(panels, d.marginal(&r.Parameters[k], column(draws, k)))
	}
	note := d.say("line: density of the posterior over that of the prior, which is 1 within the range; shaded: the 50 and 90 % intervals; "+
		"dotted upright: the value of the scenario", "实线为后验密度与先验密度之比（先验在范围内为1）；阴影为50 %和90 %区间；竖点线为情景的取值")
	for n, part := range slices.Collect(slices.Chunk(panels, panelsOfFigure)) {
		name := "marginals"
		if n > 0 {
			name = fmt.Sprintf("marginals-%d", n+1)
		}
		list = append(list, d.captioned(name, d.say("Posterior and prior of each parameter", "各参数的后验与先验"), note,
			func(f plot.Frame) plot.Figure {
				return plot.Panels{
					Frame: f, Columns: min(2, len(part)), Grid: part,
					Bands: [2]string{d.say("50 % interval", "50 %区间"), d.say("90 % interval", "90 %区间")},
				}
			}))
	}
	return list
}

func column(rows [][]float64, k int) []float64 {
	x := make([]float64, len(rows))
	for i, row := range rows {
		x[i] = row[k]
	}
	return x
}

// point is one of a density: where it is drawn, and the value that it is of.
type point struct{ x, value, density float64 }

func (d drawer) marginal(m *estimation.Marginal, places []float64) plot.Panel {
	a := d.axis(m.Parameter)
	points := density(m, places)
	line := plot.Line{Name: d.say("posterior", "后验")}
	for _, p := range points {
		line.X, line.Y = append(line.X, a.by*p.x), append(line.Y, p.density)
		shaded := func(low, high float64) (from, to float64) {
			if low <= p.value && p.value <= high {
				return 0, p.density
			}
			return math.NaN(), math.NaN()
		}
		from, to := shaded(m.Low50, m.High50)
		line.Lower, line.Upper = append(line.Lower, from), append(line.Upper, to)
		from, to = shaded(m.Low90, m.High90)
		line.OuterLower, line.OuterUpper = append(line.OuterLower, from), append(line.OuterUpper, to)
	}
	ends := []float64{line.X[0], line.X[len(line.X)-1]}
	prior := plot.Line{Name: d.say("prior", "先验"), X: ends, Y: []float64{1, 1}, Colour: plot.Grey, Dash: 1}
	panel := plot.Panel{
		Title: a.label, XLabel: a.unit, YLabel: d.say("density, prior = 1", "密度（先验为1）"), Lines: []plot.Line{line, prior}, Zero: true,
		LogX: m.InLogs(),
	}
	if own := a.by * m.Own; ends[0] <= own && own <= ends[1] {
		panel.Marks = []float64{own}
	}
	return panel
}

const (
	gridPoints   = 121 // of a density
	mostWhole    = 60  // whole numbers that are shown each by itself
	leastSmooth  = .01 // of the range, bandwidth of a density
	silverman    = .9  // Silverman 1986, Density Estimation, equation 3.31
	normalSpread = 1.34
)

// density is that of draws, relative to the prior, on the scale on which that is uniform.
func density(m *estimation.Marginal, places []float64) (points []point) {
	if m.IsWhole() && m.High-m.Low < mostWhole {
		return shares(m, places)
	}
	sorted := slices.Sorted(slices.Values(places))
	spread := min(stats.StdDev(places), (stats.Quantile(sorted, .75)-stats.Quantile(sorted, .25))/normalSpread)
	width := max(leastSmooth, silverman*spread*math.Pow(float64(len(places)), -.2))
	grid := []float64{m.Place(m.Low50), m.Place(m.High50), m.Place(m.Low90), m.Place(m.High90)} // where shades end
	for i := range gridPoints {
		grid = append(grid, float64(i)/(gridPoints-1))
	}
	slices.Sort(grid)
	for _, x := range slices.Compact(grid) {
		sum := 0.
		for _, at := range places {
			for _, mirrored := range []float64{at, -at, 2 - at} { // what lies beyond an end of the range falls back into it
				if u := (x - mirrored) / width; math.Abs(u) < 6 {
					sum += math.Exp(-u * u / 2)
				}
			}
		}
		value := m.Value(x)
		points = append(points, point{value, value, sum / (float64(len(places)) * width * math.Sqrt(2*math.Pi))})
	}
	return points
}

// shares are those of whole numbers, each as wide as itself.
func shares(m *estimation.Marginal, places []float64) (points []point) {
	count := map[float64]float64{}
	for _, x := range places {
		count[m.Value(x)]++
	}
	for v := m.Low; v <= m.High; v++ {
		prior := m.Place(v+.5) - m.Place(v-.5)
		share := count[v] / float64(len(places)) / prior
		points = append(points, point{v - .5, v, share}, point{v + .5, v, share})
	}
	return points
}

// pair are two parameters with their correlation in the posterior, on the scales of their priors.
type pair struct {
	a, b int
	r    float64
}

func (d drawer) pairs() (plot.Captioned, bool) {
	r := d.r
	draws := r.Chains.All()
	var list []pair
	for b := range r.Parameters {
		for a := range b {
			if c := stats.Correlation(column(draws, a), column(draws, b)); !math.IsNaN(c) {
				list = append(list, pair{a, b, c})
			}
		}
	}
	if len(list) == 0 {
		return plot.Captioned{}, false
	}
	slices.SortStableFunc(list, func(x, y pair) int { return cmp.Compare(math.Abs(y.r), math.Abs(x.r)) })
	of := len(list)
	list = list[:min(of, mostPairs)]
	figure := plot.Panels{Columns: min(2, len(list))}
	for _, p := range list {
		x, y := p.a, p.b
		if r.Parameters[y].InLogs() && !r.Parameters[x].InLogs() { // a panel with one axis in logs has them to the right
			x, y = y, x
		}
		ax, ay := d.axis(r.Parameters[x].Parameter), d.axis(r.Parameters[y].Parameter)
		cloud := plot.Cloud{}
		every := (len(r.Draws) + mostCloud - 1) / mostCloud
		for i := 0; i < len(r.Draws); i += every {
			cloud.X, cloud.Y = append(cloud.X, ax.by*r.Draws[i][x]), append(cloud.Y, ay.by*r.Draws[i][y])
		}
		both := r.Parameters[y].InLogs()
		figure.Grid = append(figure.Grid, plot.Panel{
			Title: d.say("Correlation ", "相关系数 ") + report.FormatNumber(p.r, 2), XLabel: ax.full(), YLabel: ay.full(), Clouds: []plot.Cloud{cloud},
			Log: both, LogX: r.Parameters[x].InLogs() && !both,
		})
	}
	note := d.say("rings: draws of the posterior", "圆圈为后验抽样")
	if of > len(list) {
		note += d.say(fmt.Sprintf("; the %d of %d pairs with the strongest correlations", len(list), of),
			fmt.Sprintf("；相关最强的%d对（共%d对）", len(list), of))
	}
	return d.captioned("pairs", d.say("Pairs of parameters", "成对的参数"), note, func(f plot.Frame) plot.Figure {
		figure.Frame = f
		return figure
	}), true
}

// predicted shows where the data lie among economies, on a scale on which 90 % of these lie between -1 and 1.
func (d drawer) predicted(name, which string, shows func(*estimation.Predicted) bool) (plot.Captioned, bool) {
	var rows []plot.RankingRow
	for i := range d.r.Predictive {
		p := &d.r.Predictive[i]
		middle, half := (p.Low90+p.High90)/2, (p.High90-p.Low90)/2
		at := (p.Target - middle) / half
		if !shows(p) || !p.Judged() || math.IsNaN(at) || math.IsInf(at, 0) {
			continue
		}
		target := trials.Figure(p.Target)
		if p.Band {
			target = trials.Part{BandLow: p.TargetLow, BandHigh: p.TargetH}.BandText()
		}
		text := target + " | " + trials.IntervalText(p.Low90, p.High90)
		rows = append(rows, plot.RankingRow{Label: p.Moment, Mark: at, Text: strings.ReplaceAll(text, " to ", d.say(" to ", "至"))})
	}
	if len(rows) == 0 {
		return plot.Captioned{}, false
	}
	slices.SortStableFunc(rows, func(a, b plot.RankingRow) int { return cmp.Compare(math.Abs(b.Mark), math.Abs(a.Mark)) })
	of := len(rows)
	rows = rows[:min(of, mostRows)]
	note := d.say("shaded: 90 % of the economies, each with a draw of the posterior; triangle: the data (of a band its middle or bound); "+
		"on the right: "+
		"data | 90 % of the economies", "阴影为90 %的经济体（各取一个后验抽样）；三角为数据（区间型目标取其中点或界限）；右侧为数据 | 90 %的经济体")
	if of > len(rows) {
		note += d.say(fmt.Sprintf("; the %d of %d that are farthest", len(rows), of), fmt.Sprintf("；仅显示偏离最大的%d个（共%d个）", len(rows), of))
	}
	subject := d.say("The data among economies: ", "数据在各经济体中的位置：") + which
	return d.captioned(name, subject, note, func(f plot.Frame) plot.Figure {
		return plot.Ranking{
			Frame: f, Rows: rows, MarkName: d.say("data", "数据"),
			XLabel: d.say("data, on a scale on which 90 % of the economies lie between −1 and 1", "数据（90 %的经济体位于−1与1之间）"),
			Rule:   &plot.Rule{Name: d.say("middle of the economies", "经济体的中间"), At: 0, Low: -1, High: 1},
		}
	}), true
}

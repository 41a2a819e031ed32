package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

const (
	monthsPerQuarter = 3
	leastQuarters    = 8   // of a relation
	leastPoints      = 4   // of a slope
	mostPoints       = 160 // of an arm in a cloud, so that they can be told apart
)

// relation is a scatter of two variables by quarter.
type relation struct {
	title, x, y note
	power       bool                                                                  // a power of x is fitted, not a line
	of          func(series *[sim.NumOutcomes][]float64, from, to int) (x, y float64) // of the months of a quarter, from 1
}

var relations = []relation{
	{
		note{"Phillips", "菲利普斯曲线"},
		note{"Unemployment, %", "失业率，%"},
		note{"inflation, % a year", "通货膨胀率，%/年"},
		false,
		func(s *[sim.NumOutcomes][]float64, from, to int) (x, y float64) {
			return tables.WindowMean(s[sim.UnemploymentRate], from, to), tables.WindowMean(s[sim.Inflation], from, to)
		},
	},
	{
		note{"Okun", "奥肯定律"},
		note{"Real growth, % a year", "实际增长率，%/年"},
		note{"yearly change of unemployment, points", "失业率一年的变化，百分点"},
		false,
		func(s *[sim.NumOutcomes][]float64, from, to int) (x, y float64) {
			if from <= tables.MonthsPerYear {
				return math.NaN(), math.NaN()
			}
			before := tables.WindowMean(s[sim.UnemploymentRate], from-tables.MonthsPerYear, to-tables.MonthsPerYear)
			return tables.WindowMean(s[sim.GDPGrowth], from, to), tables.WindowMean(s[sim.UnemploymentRate], from, to) - before
		},
	},
	{
		note{"Beveridge", "贝弗里奇曲线"},
		note{"Unemployment, %", "失业率，%"},
		note{"vacancies, % of jobs and vacancies", "空缺，占岗位与空缺的%"},
		true,
		func(s *[sim.NumOutcomes][]float64, from, to int) (x, y float64) {
			return tables.WindowMean(s[sim.UnemploymentRate], from, to), tables.WindowMean(s[sim.VacancyRate], from, to)
		},
	},
}

// relations is the figure of the relations of Phillips, Okun and Beveridge: a point a
// quarter and replication, from the first intervention on, and a line where the slopes
// of the replications have an interval that excludes 0.
func (f Figures) relations() (NamedFigure, bool) {
	first := 1
	if marks := f.marks(); len(marks) > 0 {
		first = marks[0]
	}
	quarters := (f.months() - first + 1) / monthsPerQuarter
	if quarters < leastQuarters {
		return NamedFigure{}, false
	}
	shown := min(f.replications(), max(1, mostPoints/quarters))
	out := plot.Panels{Columns: len(relations)}
	var slopes []note
	for _, rel := range relations {
		panel := plot.Panel{Title: f.in(rel.title), XLabel: f.in(rel.x), YLabel: f.in(rel.y)}
		for a, arm := range f.Arms {
			cloud, fit, slope := f.cloud(rel, arm.Panel, first, quarters, shown)
			name := f.nameOf(a)
			cloud.Name, cloud.Colour, cloud.Shape = f.in(name), a, a
			panel.Clouds = append(panel.Clouds, cloud)
			if fit.X == nil {
				continue
			}
			panel.Lines = append(panel.Lines, styled(fit, a))
			slopes = append(slopes, rel.slopeNote(name, slope))
		}
		out.Grid = append(out.Grid, panel)
	}
	points := notef(
		"points: quarters from month %d on of %d of %d replications",
		"点：自第%d个月起各季度，取%[3]d次重复中的前%[2]d次",
		first,
		shown,
		f.replications(),
	)
	if f.replications() == 1 {
		points = notef("points: quarters from month %d on", "点：自第%d个月起各季度", first)
	}
	lines := note{}
	if len(slopes) > 0 {
		lines = notef(
			"lines: mean slope within replications (Beveridge: elasticity), where its %s interval excludes 0",
			"线：重复内斜率的均值（贝弗里奇曲线为弹性；仅当其%s区间不含0）",
			f.level(),
		)
	}
	about := joined(points, lines)
	out.Frame = f.frame(note{"Macroeconomic relations", "宏观经济关系"}, about)
	caption := note{
		"Phillips, Okun and Beveridge curves; " + about.en + ".",
		"菲利普斯曲线（失业率与通货膨胀率）、奥肯定律（实际增长率与失业率一年的变化）、贝弗里奇曲线（失业率与职位空缺率）；" + about.zh + "。",
	}
	if len(slopes) > 0 {
		list := joined(slopes...)
		caption.en += " " + capital(list.en) + "."
		caption.zh += list.zh + "。"
	}
	return NamedFigure{"relations", out, caption}, true
}

// slopeNote says what the line of an arm is.
func (r relation) slopeNote(arm note, slope stats.Interval) note {
	what := note{"slope", "斜率"}
	if r.power {
		what = note{"elasticity", "弹性"}
	}
	return note{
		spaced(r.title.en, arm.en, what.en, estimateText(slope, " to ")),
		spaced(r.title.zh, arm.zh, what.zh, estimateText(slope, " 至 ")),
	}
}

// spaced joins words, of which some may be empty.
func spaced(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}

// estimateText is a mean with its interval.
func estimateText(i stats.Interval, to string) string {
	return fmt.Sprintf("%s (%s%s%s)", FormatNumber(i.Mean, 2), FormatNumber(i.Low, 2), to, FormatNumber(i.High, 2))
}

// cloud is the points of an arm, in percent, and the mean of the slopes of its replications,
// with a line where the interval of it excludes 0.
func (f Figures) cloud(rel relation, panel tables.Panel, first, quarters, shown int) (out plot.Cloud, fit plot.Line, slope stats.Interval) {
	var allX, allY, slopes []float64
	for r, series := range panel {
		var xs, ys []float64
		for q := range quarters {
			from := first + q*monthsPerQuarter
			x, y := rel.of(series, from, from+monthsPerQuarter-1)
			xs, ys = append(xs, 100*x), append(ys, 100*y)
		}
		xs, ys = stats.DefinedPairs(xs, ys)
		if r < shown {
			out.X, out.Y = append(out.X, xs...), append(out.Y, ys...)
		}
		if rel.power {
			xs, ys = stats.DefinedPairs(stats.Logs(xs), stats.Logs(ys))
		}
		if b := stats.Slope(xs, ys); len(xs) >= leastPoints && !math.IsNaN(b) {
			slopes = append(slopes, b)
			allX, allY = append(allX, xs...), append(allY, ys...)
		}
	}
	slope = stats.MeanInterval(slopes, f.Confidence)
	if !(slope.Low > 0 || slope.High < 0) {
		return out, fit, slope
	}
	x, y := stats.Mean(allX), stats.Mean(allY)
	slices.Sort(allX)
	low, high := stats.Quantile(allX, .02), stats.Quantile(allX, .98)
	const pieces = 24
	for k := range pieces + 1 {
		atX := low + (high-low)*float64(k)/pieces
		atY := y + slope.Mean*(atX-x)
		if rel.power {
			atX, atY = math.Exp(atX), math.Exp(atY)
		}
		fit.X, fit.Y = append(fit.X, atX), append(fit.Y, atY)
	}
	return out, fit, slope
}

// lorenz is the figure of the Lorenz curves of income and wealth of each arm, and, as
// those lie close together, of their difference.
func (f Figures) lorenz() (NamedFigure, bool) {
	if !f.hasGroups(1) {
		return NamedFigure{}, false
	}
	out := plot.Panels{Columns: 2, Square: true, XLabel: f.say("Households, poorest first, %", "家庭（由贫至富），%")}
	tenths := make([]float64, stats.LorenzPoints)
	for k := range tenths {
		tenths[k] = 100 * float64(k) / float64(stats.LorenzPoints-1)
	}
	for _, metric := range []struct{ name, title string }{{"income", f.say("Disposable income", "可支配收入")}, {"wealth", f.say("Wealth", "财富")}} {
		panel := plot.Panel{Title: metric.title, YLabel: f.say("share held, %", "所占份额，%"), Zero: true, Lines: []plot.Line{
			{Name: f.say("equality", "绝对平等"), X: []float64{0, 100}, Y: []float64{0, 100}, Colour: plot.Grey, Dash: 2},
		}}
		for a, arm := range f.Arms {
			shares := lorenzShares(arm.Groups, metric.name)
			if shares == nil {
				return NamedFigure{}, false
			}
			line := plot.Line{Name: f.in(armName(arm.Name)), X: tenths}
			for _, list := range shares {
				line.Y = append(line.Y, stats.Mean(list))
			}
			panel.Lines = append(panel.Lines, styled(line, a))
		}
		out.Grid = append(out.Grid, panel)
	}
	bands := note{}
	if f.compared(2) {
		out.Columns = 3
		out.Grid = append(out.Grid, f.lorenzDifference(tenths))
		bands = notef(
			"right: difference of the income curves with its pointwise %s interval over %d pairs",
			"右图：两条收入曲线之差及其逐点%s区间（%d对）",
			f.level(),
			min(len(f.control().Groups), len(f.last().Groups)),
		)
	}
	about := joined(f.window(), bands)
	out.Frame = f.frame(note{"Lorenz curves", "洛伦兹曲线"}, about)
	return NamedFigure{"lorenz", out, note{
		"Lorenz curves at tenths of the households, " + about.en + ". Wealth below zero is debt.",
		"按家庭十分位绘制的洛伦兹曲线：可支配收入与财富；" + about.zh + "。点线为绝对平等线；财富为负表示负债。",
	}}, true
}

// lorenzDifference is a panel of the last arm's curve of income less the control's.
func (f Figures) lorenzDifference(tenths []float64) plot.Panel {
	pairs := min(len(f.control().Groups), len(f.last().Groups))
	a, b := lorenzShares(f.control().Groups[:pairs], "income"), lorenzShares(f.last().Groups[:pairs], "income")
	differences := make([][]float64, len(tenths))
	for k := range tenths {
		differences[k] = stats.Differences(a[k], b[k])
	}
	return plot.Panel{
		Title:  f.say("Income, difference", "收入，差异"),
		YLabel: f.in(f.less()) + f.say(", percentage points", "，百分点"),
		Zero:   true,
		Lines:  []plot.Line{f.meanLine(tenths, differences)},
	}
}

// lorenzShares are the points of the Lorenz curve, each in percent by replication, from the
// means of the tenths; nil where a sum is not positive.
func lorenzShares(groups []*tables.GroupMeans, metric string) [][]float64 {
	points := make([][]float64, stats.LorenzPoints)
	for _, m := range groups {
		curve, sum := []float64{0}, 0.0
		for g := range tables.Deciles {
			sum += m.Mean("decile", metric, g)
			curve = append(curve, sum)
		}
		if !(sum > 0) {
			return nil
		}
		for k, held := range curve {
			points[k] = append(points[k], 100/sum*held)
		}
	}
	return points
}

// leastFirms is how many firms, over all replications, a rank plot needs.
const leastFirms = 50

// firmSizes is the rank plot of firm sizes in the last month.
func (f Figures) firmSizes() (NamedFigure, bool) {
	panel := plot.Panel{
		YLabel: f.say("firms with at least that many employees, %", "雇员数不少于该值的企业，%"),
		XLabel: f.say("Employees", "雇员数"),
		Log:    true,
	}
	var tails []note
	for a, arm := range f.Arms {
		all := tables.Pooled(arm.Sizes)
		sizes, shares := apart(all.Ranks())
		if len(all.Employees()) < leastFirms || len(sizes) < 4 {
			return NamedFigure{}, false
		}
		name := armName(arm.Name)
		if a == 0 {
			panel.Lines = []plot.Line{zipfLine(f.say("slope −1 (Zipf)", "斜率 −1（齐普夫）"), sizes, shares)}
		}
		panel.Clouds = append(panel.Clouds, plot.Cloud{Name: f.in(name), X: sizes, Y: scaled(shares, 100), Colour: a, Shape: a})
		var exponents []float64
		for _, s := range arm.Sizes {
			exponents = append(exponents, s.Tail())
		}
		if i := stats.MeanInterval(stats.Defined(exponents), f.Confidence); !math.IsNaN(i.Low) {
			mean, low, high := FormatNumber(i.Mean, 2), FormatNumber(i.Low, 2), FormatNumber(i.High, 2)
			tails = append(tails, note{
				fmt.Sprintf("%s %s (%s to %s)", name.en, mean, low, high), fmt.Sprintf("%s %s（%s 至 %s）", name.zh, mean, low, high),
			})
		}
	}
	what := notef("firms with employees at the end of month %d, all replications together", "第%d个月末有雇员的企业，合并所有重复", f.months())
	figure := plot.Panels{Frame: f.frame(note{"Firm sizes", "企业规模"}, what), Square: true, Grid: []plot.Panel{panel}}
	caption := note{
		"Rank plot of firm sizes on logarithmic axes: " + what.en + ". The line falls as Zipf's law does, with slope −1.",
		"企业规模的位次图（双对数坐标）：" + what.zh + "。直线为齐普夫定律（斜率−1）。",
	}
	if len(tails) > 0 {
		list := joined(tails...)
		caption.en += fmt.Sprintf(" Tail exponents (Hill, largest 5 %%; mean of replications with %s interval): %s.", f.level(), list.en)
		caption.zh += fmt.Sprintf("尾部指数（Hill估计，最大的5 %%；各次重复的均值及%s区间）：%s。", f.level(), list.zh)
	}
	return NamedFigure{"firm_sizes", figure, caption}, true
}

// spacing is the least distance between two points of a rank plot, as a ratio of sizes.
const spacing = 1.08

// apart leaves out ranks, largest size first, that would cover each other.
func apart(sizes, shares []float64) (keptSizes, keptShares []float64) {
	for i := range sizes {
		if n := len(keptSizes); n == 0 || keptSizes[n-1] >= spacing*sizes[i] {
			keptSizes, keptShares = append(keptSizes, sizes[i]), append(keptShares, shares[i])
		}
	}
	return keptSizes, keptShares
}

// zipfLine has slope -1 and meets the ranks, largest size first, where a tenth of the
// firms is left.
func zipfLine(name string, sizes, shares []float64) plot.Line {
	at := max(0, slices.IndexFunc(shares, func(x float64) bool { return x >= .1 }))
	x0, y0 := sizes[at], 100*shares[at]
	line := plot.Line{Name: name, Colour: plot.Grey, Dash: 2}
	low, high := sizes[len(sizes)-1], sizes[0]
	low = max(low, x0*y0/100) // not above 100 %
	high = min(high, x0*y0/(100*shares[0]))
	line.X, line.Y = []float64{low, high}, []float64{x0 * y0 / low, x0 * y0 / high}
	return line
}

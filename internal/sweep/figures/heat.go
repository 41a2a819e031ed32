package figures

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
)

// The bins of an axis of a heat map: so that a cell has about this many points, and no more than so many.
const (
	pointsOfCell = 4
	leastBins    = 2
	mostBins     = 8
	mostCells    = 25 // of an axis on which each value has its own
)

// cells divide a factor: by its values, or into bins of equal width, in logs where the factor is spread in logs.
type cells struct {
	values []float64 // nil = bins
	bounds []float64
	log    bool
}

func (d drawer) cellsOf(j int) cells {
	f := d.factors[j]
	groups, least := d.groups(j), mostBins
	if k := d.p.Design.Kind; k == sweep.Factorial || k == sweep.Fractional {
		least = mostCells
	}
	if len(groups) <= least {
		var c cells
		for _, g := range groups {
			c.values = append(c.values, g.at)
		}
		return c
	}
	n := int(math.Sqrt(float64(len(d.p.Values)) / pointsOfCell))
	n = min(max(n, leastBins), mostBins)
	c := cells{log: f.log}
	for k := range n + 1 {
		share := float64(k) / float64(n)
		x := f.lowest + share*(f.most-f.lowest)
		if f.log {
			x = f.lowest * math.Pow(f.most/f.lowest, share)
		}
		c.bounds = append(c.bounds, x)
	}
	return c
}

// of is the cell of a value.
func (c cells) of(x float64) int {
	if c.values != nil {
		return slices.Index(c.values, x)
	}
	at, found := slices.BinarySearch(c.bounds, x)
	if !found {
		at--
	}
	return min(max(at, 0), len(c.bounds)-2)
}

func (c cells) number() int {
	if c.values != nil {
		return len(c.values)
	}
	return len(c.bounds) - 1
}

func (c cells) named(f factor) plot.Cells {
	out := plot.Cells{Bounds: c.values == nil}
	list := c.values
	if out.Bounds {
		list = c.bounds
	}
	for _, x := range list {
		out.Names = append(out.Names, f.bare(x))
	}
	return out
}

// inCells are the values in each cell of two factors, a row for each cell of the second; -1 = there is no second one, and one row.
func (d drawer) inCells(x, y cells, a, b int) [][][]float64 {
	rows := 1
	if b >= 0 {
		rows = y.number()
	}
	points := make([][][]float64, rows)
	for i := range points {
		points[i] = make([][]float64, x.number())
	}
	by := d.by()
	for k, row := range d.p.Values {
		if v := d.r.Values[d.at][k]; !math.IsNaN(v) {
			i, j := 0, x.of(row[a])
			if b >= 0 {
				i = y.of(row[b])
			}
			points[i][j] = append(points[i][j], by*v)
		}
	}
	return points
}

// heatmap shows the outcome over the two leading factors, where those vary together.
func (d drawer) heatmap() (plot.Figure, string) {
	if len(d.factors) < 2 || d.p.Design.Kind == sweep.OneAtATime {
		return nil, ""
	}
	a, b := d.order[0], d.order[1]
	x, y := d.cellsOf(a), d.cellsOf(b)
	if x.number() < 2 || y.number() < 2 {
		return nil, ""
	}
	points := d.inCells(x, y, a, b)
	figure := plot.Heatmap{
		XLabel: d.factors[a].axis(), YLabel: d.factors[b].axis(), X: x.named(d.factors[a]), Y: y.named(d.factors[b]),
		Unit: d.unit(), Difference: d.difference(),
	}
	alone, empty := true, false
	for _, row := range points {
		var means []float64
		for _, cell := range row {
			means = append(means, stats.Mean(cell))
			alone, empty = alone && len(cell) <= 1, empty || len(cell) == 0
		}
		figure.Values = append(figure.Values, means)
	}
	write := d.cellText(figure.Values)
	for i, row := range points {
		var texts, notes []string
		for j, cell := range row {
			texts, notes = append(texts, write(figure.Values[i][j])), append(notes, fmt.Sprintf("n=%d", len(cell)))
		}
		figure.Texts = append(figure.Texts, texts)
		if !alone {
			figure.Notes = append(figure.Notes, notes)
		}
	}
	subject := d.say("The two leading factors together", "两个主要因素的共同作用")
	note := d.say("cells: the outcome", "格为结果")
	if !alone {
		note = d.say("cells: means of the points in them, n how many there are", "格为其中各点的均值，n为点数")
	}
	if d.difference() {
		note += d.say("; thick line: the sign changes", "；粗线为符号改变处")
	}
	if empty {
		note += d.say("; hatched: no points", "；斜线格无点")
	}
	figure.Frame = d.frame(subject, note)
	return figure, d.caption(subject, note)
}

// cellText writes values of cells with as many digits as tell them apart, large ones divided as the bar of colours is.
func (d drawer) cellText(rows [][]float64) func(float64) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		for _, x := range stats.Defined(row) {
			low, high = min(low, x), max(high, x)
		}
	}
	divisor := plot.Divisor(max(math.Abs(low), math.Abs(high)))
	decimals := digits((high - low) / divisor)
	if low == high {
		decimals = digits(high / divisor)
	}
	return func(x float64) string {
		s := plot.Number(x/divisor, decimals)
		if d.difference() && x > 0 {
			s = "+" + s
		}
		return s
	}
}

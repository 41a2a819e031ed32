package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is one series of a panel.
type Line struct {
	Name       string    // in the legend; empty for none
	X, Y       []float64 // same length; a NaN is a gap
	Lower      []float64 // lower edge of the shaded band; nil for none
	Upper      []float64 // upper edge of the shaded band; nil for none
	OuterLower []float64 // lower edge of a second, lighter band around the first; nil for none
	OuterUpper []float64 // upper edge of it; nil for none
	Colour     int       // 0 blue, 1 vermillion, 2 green, 3 purple, 4 orange, 5 sky blue; Grey, Ink
	Dash       int       // 0 solid, 1 dashed, 2 dotted, 3 dash-dotted
	Points     bool      // its places are few: each is a point, and Lower to Upper a whisker in the place of the band
}

// Cloud is a set of points, drawn light, so that many of them show where they are dense.
type Cloud struct {
	Name   string    // in the legend; empty for none
	X, Y   []float64 // same length; points with a NaN are left out
	Colour int       // as of a Line
	Shape  int       // 0 ring, 1 triangle, 2 box, 3 cross
}

// Panel is one pair of axes with what it shows: bars, or lines and clouds. Large numbers
// are divided by a power of a thousand, which the label of the axis then names.
type Panel struct {
	Title  string
	XLabel string // with the unit; empty means that of the figure
	YLabel string // with the unit; stands above the axis
	Bars   []Estimate
	Clouds []Cloud
	Lines  []Line
	Zero   bool      // the vertical axis includes 0, which is drawn
	Log    bool      // both axes are logarithmic, for positive numbers
	LogX   bool      // the horizontal axis is
	Marks  []float64 // where it has a vertical line of its own
}

// check refuses columns of unequal lengths and numbers that the axes cannot show.
func (p Panel) check() error {
	for _, l := range p.Lines {
		for _, column := range l.columns() {
			if column != nil && len(column) != len(l.X) {
				return fmt.Errorf("line %q has %d places and %d values", l.Name, len(l.X), len(column))
			}
		}
	}
	for _, c := range p.Clouds {
		if len(c.X) != len(c.Y) {
			return fmt.Errorf("cloud %q has %d and %d coordinates", c.Name, len(c.X), len(c.Y))
		}
	}
	xLow, _ := p.xRange()
	yLow, _ := p.yRange()
	if p.LogX && xLow <= 0 {
		return fmt.Errorf("%g has no place on a logarithmic axis", xLow)
	}
	if least := min(xLow, yLow); p.Log && least <= 0 {
		return fmt.Errorf("%g has no place on a logarithmic axis", least)
	}
	return nil
}

// columns are the lists of values of a line.
func (l Line) columns() [][]float64 {
	return [][]float64{l.Y, l.Lower, l.Upper, l.OuterLower, l.OuterUpper}
}

// xRange is the least and the greatest place at which the panel shows something; low > high
// without any.
func (p Panel) xRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range p.Bars {
		low, high = widened(low, high, float64(i)-0.6, float64(i)+0.6)
	}
	for _, c := range p.Clouds {
		for i, x := range c.X {
			if finite(c.Y[i]) {
				low, high = widened(low, high, x)
			}
		}
	}
	for _, l := range p.Lines {
		low, high = widened(low, high, l.X...)
	}
	return low, high
}

// yRange is the least and the greatest value that the panel shows; low > high without any.
func (p Panel) yRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, b := range p.Bars {
		low, high = widened(low, high, b.Value, b.Low, b.High)
	}
	for _, c := range p.Clouds {
		for i, y := range c.Y {
			if finite(c.X[i]) {
				low, high = widened(low, high, y)
			}
		}
	}
	for _, l := range p.Lines {
		low, high = widened(low, high, slices.Concat(l.columns()...)...)
	}
	return low, high
}

// widened is a range that holds the finite ones of some values too.
func widened(low, high float64, values ...float64) (float64, float64) {
	for _, x := range values {
		if finite(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}

// known reports whether there is anything to show.
func (p Panel) known() bool {
	low, high := p.yRange()
	return low <= high
}

// scale is the divisor of the vertical axis and its word.
func (p Panel) scale() (divisor float64, word string) {
	low, high := p.yRange()
	if low > high || p.Log {
		return 1, ""
	}
	return magnitude(math.Max(math.Abs(low), math.Abs(high)))
}

// unitLines is the axis label with the magnitude by which the axis is divided, broken to
// the given width.
func (p Panel) unitLines(f Frame, width vg.Length) []string {
	label := p.YLabel
	if divisor, word := p.scale(); divisor != 1 {
		label = f.word(word+" ", scalesZH[divisor]) + label
	}
	return wrap(label, textStyle(tickSize, false), width)
}

// axes builds the panel's plot: grid, bands, points and lines, scaled and labelled.
func (p Panel) axes(xLabel string, figure Panels) *gplot.Plot {
	divisor, _ := p.scale()
	axes := newAxes(xLabel)
	grid := newGrid()
	axes.X.Tick.Marker, axes.Y.Tick.Marker = ticks(7-figure.columns()), ticks(5)
	switch {
	case p.Bars != nil:
		axes.X.Tick.Marker, grid.Vertical.Width = barTicks(p.Bars), 0
	case figure.XTicks != nil:
		axes.X.Tick.Marker = ticksAt(figure.XTicks)
	}
	if p.Log {
		axes.X.Scale, axes.X.Tick.Marker = gplot.LogScale{}, logTicks{}
		axes.Y.Scale, axes.Y.Tick.Marker = gplot.LogScale{}, logTicks{}
	}
	if p.LogX {
		axes.X.Scale, axes.X.Tick.Marker = gplot.LogScale{}, logTicks{}
	}
	axes.Add(grid)
	if p.Zero {
		axes.Add(drawing(zeroRule))
	}
	for _, x := range slices.Concat(figure.Marks, p.Marks) {
		axes.Add(uprightRule(x, stroke(inkColor, thinWidth*1.2, 2)))
	}
	if p.Bars != nil {
		axes.Add(bars(p.Bars, divisor), drawing(zeroRule))
	}
	for _, l := range p.Lines {
		if !l.Points {
			l.addBands(axes, divisor)
		}
	}
	for _, c := range p.Clouds {
		axes.Add(c.points(divisor))
	}
	for _, l := range p.Lines {
		if p.Clouds != nil && l.Colour != Grey && !l.Points { // a white edge, below all lines
			l.add(axes, divisor, stroke(color.White, 2.6*lineWidth, 0))
		}
	}
	for _, l := range p.Lines {
		style := stroke(colour(l.Colour), lineWidth, l.Dash)
		switch {
		case l.Colour == Grey:
			style.Width = 1.5 * thinWidth
		case p.Clouds != nil: // darker than the points on which it stands
			style = stroke(shade(colour(l.Colour)), 1.2*lineWidth, l.Dash)
		}
		if l.Points { // what lies between the points was not simulated
			style.Width = thinWidth
		}
		l.add(axes, divisor, style)
		if l.Points {
			axes.Add(l.whiskers(divisor, p.Clouds != nil))
		}
	}
	p.setRange(axes, divisor)
	if plain := p.Bars == nil && p.Clouds == nil && !p.Log && !p.LogX && figure.XTicks == nil; plain && axes.X.Min > 0 &&
		axes.X.Min < 0.1*axes.X.Max {
		axes.X.Min = 0 // a label at 0 is worth the gap
	}
	return axes
}

func newGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = stroke(gridColor, thinWidth, 0), stroke(gridColor, thinWidth, 0)
	return g
}

// edge is the share of the range that stays free on either side.
const edge = 0.04

// setRange fits the axes to the data and gives flat or absent data a range
// with a height.
func (p Panel) setRange(axes *gplot.Plot, divisor float64) {
	left, right := p.xRange()
	low, high := p.yRange()
	if p.Log {
		axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = left/1.15, right*1.15, low/1.15, high*1.15
		return
	}
	if low > high {
		low, high = 0, divisor
	}
	low, high = low/divisor, high/divisor
	if p.Zero || p.Bars != nil {
		low, high = min(low, 0), max(high, 0)
	}
	switch size := max(math.Abs(low), math.Abs(high)); {
	case size == 0:
		low, high = -1, 1
	case high-low < 1e-4*size:
		low, high = low-0.02*size, high+0.02*size
	}
	switch {
	case left > right:
		left, right = 0, 1
	case left == right:
		left, right = left-0.5, right+0.5
	case p.Clouds != nil || slices.ContainsFunc(p.Lines, func(l Line) bool { return l.Points }):
		margin := edge * (right - left)
		left, right = left-margin, right+margin
	}
	margin := edge * (high - low)
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = left, right, low-margin, high+margin
	if low == 0 && p.Zero {
		axes.Y.Min = 0
	}
	if p.LogX { // what is free on either side is a part of the logs
		from, to := p.xRange()
		margin := math.Pow(to/from, edge)
		axes.X.Min, axes.X.Max = from/margin, to*margin
	}
}

// drawHeader writes title and unit above the data, from the left edge of the column.
func (p Panel) drawHeader(f Frame, data draw.Canvas, x, width vg.Length) {
	y := data.Max.Y + unitGap
	lines := p.unitLines(f, width)
	for i := len(lines) - 1; i >= 0; i-- {
		sty := tinted(textStyle(tickSize, false), noteColor)
		sty.YAlign = draw.YBottom
		data.FillText(sty, vg.Point{X: x, Y: y}, lines[i])
		y += unitRow
	}
	sty := textStyle(panelTitleSize, true)
	sty.YAlign = draw.YBottom
	data.FillText(sty, vg.Point{X: x, Y: y}, p.Title)
	if !p.known() {
		sty := tinted(textStyle(labelSize, false), noteColor)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
		data.FillText(sty, data.Center(), f.word("no data", "无数据"))
	}
}

// addBands adds the shaded areas, the wider and lighter one first, cut at gaps.
func (l Line) addBands(axes *gplot.Plot, divisor float64) {
	for _, b := range []struct {
		lower, upper []float64
		alpha        uint8
	}{{l.OuterLower, l.OuterUpper, outerAlpha}, {l.Lower, l.Upper, bandAlpha}} {
		if b.lower == nil || b.upper == nil {
			continue
		}
		fill := withAlpha(colour(l.Colour), b.alpha)
		for _, s := range stretches(len(l.X), func(i int) bool { return finite(l.X[i]) && finite(b.lower[i]) && finite(b.upper[i]) }) {
			if s.to-s.from == 1 {
				axes.Add(pointBand(l.X[s.from], b.lower[s.from]/divisor, b.upper[s.from]/divisor, fill))
				continue
			}
			upper, lower := pairs(l.X, b.upper, s, divisor), pairs(l.X, b.lower, s, divisor)
			back := slices.Clone(lower)
			slices.Reverse(back)
			side := stroke(withAlpha(colour(l.Colour), edgeAlpha), thinWidth*0.8, l.Dash)
			axes.Add(&plotter.Polygon{XYs: []plotter.XYs{slices.Concat(upper, back)}, Color: fill})
			if b.alpha == bandAlpha { // the edge of the lighter one would look like that of another arm
				axes.Add(&plotter.Line{XYs: upper, LineStyle: side}, &plotter.Line{XYs: lower, LineStyle: side})
			}
		}
	}
}

// add adds the line itself, cut at gaps. A month between two gaps, or the only one, is a dot.
func (l Line) add(axes *gplot.Plot, divisor float64, style draw.LineStyle) {
	for _, s := range stretches(len(l.X), func(i int) bool { return finite(l.X[i]) && finite(l.Y[i]) }) {
		if s.to-s.from == 1 {
			axes.Add(dot(l.X[s.from], l.Y[s.from]/divisor, glyph(l.Dash, colour(l.Colour))))
			continue
		}
		axes.Add(&plotter.Line{XYs: pairs(l.X, l.Y, s, divisor), LineStyle: style})
	}
}

func pairs(x, y []float64, s stretch, divisor float64) (list plotter.XYs) {
	for i := s.from; i < s.to; i++ {
		list = append(list, plotter.XY{X: x[i], Y: y[i] / divisor})
	}
	return list
}

type stretch struct{ from, to int }

// stretches returns the maximal runs of indices below n for which known holds.
func stretches(n int, known func(int) bool) []stretch {
	var out []stretch
	for i := 0; i < n; i++ {
		if !known(i) {
			continue
		}
		from := i
		for i < n && known(i) {
			i++
		}
		out = append(out, stretch{from, i})
	}
	return out
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

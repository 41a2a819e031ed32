package plot

import (
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is one series of a panel.
type Line struct {
	Name   string
	X, Y   []float64 // same length; NaN in Y is a gap
	Lower  []float64 // lower edge of the shaded band; nil for none
	Upper  []float64 // upper edge of the shaded band; nil for none
	Colour int       // 0 blue, 1 vermillion, 2 green, 3 purple, 4 orange, 5 sky blue
	Dash   int       // 0 solid, 1 dashed, 2 dotted, 3 dash-dotted
}

// Panel is one pair of axes with its lines. Large numbers are divided by a
// power of a thousand, which the label of the axis then names.
type Panel struct {
	Title  string
	YLabel string // with the unit
	Lines  []Line
	Zero   bool // the axis includes 0, which is drawn
}

// Panels is a figure of one panel or of a grid of panels with a common
// horizontal axis.
type Panels struct {
	Title   string
	Note    string // one line under the title, in small letters
	XLabel  string
	XTicks  []float64 // where the horizontal axis is labelled; nil means at round numbers
	Marks   []float64 // where each panel has a vertical line: something begins there
	Columns int       // 0 means 1
	Grid    []Panel
}

const (
	panelWidth   = 8.4 * vg.Centimeter
	panelHeight  = 5.6 * vg.Centimeter
	singleWidth  = 14 * vg.Centimeter
	singleHeight = 8.4 * vg.Centimeter
	figureMargin = 8
	figureHeader = 32 // title and note of the figure
	panelGap     = 10
	rightMargin  = 8 // half of the last label of the horizontal axis
	legendRow    = tickSize + 4
	unitRow      = tickSize + 4
	titleRow     = panelTitleSize + 4
)

func (p Panels) columns() int { return max(1, min(p.Columns, len(p.Grid))) }

func (p Panels) rows() int { return max(1, (len(p.Grid)+p.columns()-1)/p.columns()) }

func (p Panels) size() (width, height vg.Length) {
	if len(p.Grid) == 1 {
		return singleWidth, singleHeight
	}
	return vg.Length(p.columns()) * panelWidth, vg.Length(p.rows())*panelHeight + figureHeader
}

func (p Panels) draw(c draw.Canvas) error {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, figureMargin, -figureMargin, figureMargin, -figureMargin)
	c = drawTitle(c, p.Title, p.Note)
	axes := make([]*gplot.Plot, len(p.Grid))
	for i, panel := range p.Grid {
		var err error
		if axes[i], err = panel.axes(p.XLabel, p.XTicks, p.Marks); err != nil {
			return err
		}
	}
	tiles := draw.Tiles{Rows: p.rows(), Cols: p.columns(), PadX: panelGap, PadY: panelGap}
	tile := func(i int) draw.Canvas { return tiles.At(c, i%p.columns(), i/p.columns()) }
	left, bottom := make([]vg.Length, p.columns()), vg.Length(0)
	for i := range axes {
		area := tile(i)
		data := axes[i].DataCanvas(area)
		left[i%p.columns()] = max(left[i%p.columns()], data.Min.X-area.Min.X)
		bottom = max(bottom, data.Min.Y-area.Min.Y)
	}
	header := vg.Length(0)
	for i, panel := range p.Grid {
		area := tile(i)
		header = max(header, panel.headerHeight(area.Max.X-area.Min.X-left[i%p.columns()]-rightMargin))
	}
	for i, panel := range p.Grid {
		data := draw.Crop(tile(i), left[i%p.columns()], -rightMargin, bottom, -header)
		axes[i].Draw(around(axes[i], data))
		panel.drawHeader(data)
	}
	return nil
}

// around returns the canvas on which the axes' data area is the given one.
func around(axes *gplot.Plot, data draw.Canvas) draw.Canvas {
	area := data
	for range 4 { // what the labels need depends, a little, on the size
		got := axes.DataCanvas(area)
		area.Min = area.Min.Add(data.Min.Sub(got.Min))
		area.Max = area.Max.Add(data.Max.Sub(got.Max))
	}
	return area
}

// drawTitle writes the figure's title and note and returns the rest of the
// canvas.
func drawTitle(c draw.Canvas, title, note string) draw.Canvas {
	top := vg.Length(0)
	if title != "" {
		c.FillText(textStyle(figureTitleSize, true), vg.Point{X: c.Min.X, Y: c.Max.Y}, title)
		top += figureTitleSize + 5
	}
	if note != "" {
		sty := textStyle(tickSize, false)
		sty.Color = greyColor
		c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Max.Y - top}, note)
		top += tickSize + 7
	}
	return draw.Crop(c, 0, 0, 0, -top)
}

// axes builds the panel's plot: grid, bands, lines, scaled and labelled.
func (p Panel) axes(xLabel string, xTicks, marks []float64) (*gplot.Plot, error) {
	divisor, _ := magnitude(p.largest())
	axes := newAxes(xLabel, "")
	axes.X.Tick.Marker, axes.Y.Tick.Marker = ticks(6), ticks(5)
	if xTicks != nil {
		axes.X.Tick.Marker = ticksAt(xTicks)
	}
	axes.Add(newGrid())
	if p.Zero {
		axes.Add(zeroLevel{})
	}
	for _, x := range marks {
		axes.Add(mark(x))
	}
	for _, l := range p.Lines {
		if err := l.addBand(axes, divisor); err != nil {
			return nil, err
		}
	}
	for _, l := range p.Lines {
		if err := l.addLine(axes, divisor); err != nil {
			return nil, err
		}
	}
	p.setRange(axes, divisor)
	if xTicks == nil && axes.X.Min > 0 && axes.X.Min < 0.1*axes.X.Max {
		axes.X.Min = 0
	}
	return axes, nil
}

// mark is a vertical line over the height of a panel.
type mark float64

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, axes *gplot.Plot) {
	toX, _ := axes.Transforms(&c)
	if x := toX(float64(m)); c.ContainsX(x) {
		c.StrokeLine2(stroke(greyColor, thinWidth, 2), x, c.Min.Y, x, c.Max.Y)
	}
}

func newGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = stroke(gridColor, thinWidth, 0), stroke(gridColor, thinWidth, 0)
	return g
}

// setRange fits the axes to the data and gives flat or absent data a range
// with a height.
func (p Panel) setRange(axes *gplot.Plot, divisor float64) {
	axes.X.Min, axes.X.Max = p.xRange()
	low, high, _ := p.yRange()
	low, high = low/divisor, high/divisor
	if p.Zero {
		low, high = math.Min(low, 0), math.Max(high, 0)
	}
	if size := math.Max(math.Abs(low), math.Abs(high)); size == 0 {
		low, high = -1, 1
	} else if high-low < 1e-4*size {
		low, high = low-0.02*size, high+0.02*size
	}
	margin := 0.04 * (high - low)
	axes.Y.Min, axes.Y.Max = low-margin, high+margin
	if p.Zero && low == 0 {
		axes.Y.Min = 0
	}
}

func (p Panel) xRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for _, x := range l.X {
			low, high = math.Min(low, x), math.Max(high, x)
		}
	}
	switch {
	case low > high:
		return 0, 1
	case low == high:
		return low - 0.5, high + 0.5
	}
	return low, high
}

// yRange covers all lines and bands; without data it is 0 to 1 and not known.
func (p Panel) yRange() (low, high float64, known bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for _, column := range [][]float64{l.Y, l.Lower, l.Upper} {
			for _, y := range column {
				if finite(y) {
					low, high = math.Min(low, y), math.Max(high, y)
				}
			}
		}
	}
	if low > high {
		return 0, 1, false
	}
	return low, high, true
}

func (p Panel) largest() float64 {
	low, high, _ := p.yRange()
	return math.Max(math.Abs(low), math.Abs(high))
}

// unit is the axis label with the magnitude by which the axis is divided.
func (p Panel) unit() string {
	if _, word := magnitude(p.largest()); word != "" {
		return word + " " + p.YLabel
	}
	return p.YLabel
}

// headerHeight is what title, unit and legend need above data of the given
// width.
func (p Panel) headerHeight(width vg.Length) vg.Length {
	h := vg.Length(len(legendRows(p.Lines, width)))*legendRow + 4
	if p.YLabel != "" {
		h += unitRow
	}
	if p.Title != "" {
		h += titleRow
	}
	return h
}

// drawHeader writes title, unit and legend above the data, bottom up.
func (p Panel) drawHeader(data draw.Canvas) {
	y := data.Max.Y + 4
	rows := legendRows(p.Lines, data.Max.X-data.Min.X)
	for i := len(rows) - 1; i >= 0; i-- {
		drawLegend(data, rows[i], y)
		y += legendRow
	}
	write := func(s string, size vg.Length, bold bool, ink color.Color) {
		sty := textStyle(size, bold)
		sty.YAlign, sty.Color = draw.YBottom, ink
		data.FillText(sty, vg.Point{X: data.Min.X, Y: y}, s)
	}
	if p.YLabel != "" {
		write(p.unit(), tickSize, false, greyColor)
		y += unitRow
	}
	write(p.Title, panelTitleSize, true, inkColor)
	if _, _, known := p.yRange(); !known {
		sty := textStyle(labelSize, false)
		sty.XAlign, sty.YAlign, sty.Color = draw.XCenter, draw.YCenter, greyColor
		data.FillText(sty, data.Center(), "no data")
	}
}

const (
	legendSample = vg.Length(14) // length of the piece of line
	legendSpace  = vg.Length(3)  // between the piece and the name
	legendGap    = vg.Length(8)  // between two entries
)

// legendRows breaks the legend into rows of the given width. A single line
// needs no legend.
func legendRows(lines []Line, width vg.Length) [][]Line {
	if len(lines) < 2 {
		return nil
	}
	sty := textStyle(tickSize, false)
	var rows [][]Line
	used := width + 1
	for _, l := range lines {
		need := legendSample + legendSpace + sty.Width(l.Name)
		if used+need > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], l)
		used += need + legendGap
	}
	return rows
}

// drawLegend writes one row of the legend.
func drawLegend(data draw.Canvas, lines []Line, y vg.Length) {
	sty := textStyle(tickSize, false)
	sty.YAlign = draw.YBottom
	x := data.Min.X
	for _, l := range lines {
		middle := y + tickSize/2
		if l.Upper != nil && l.Lower != nil {
			box := vg.Rectangle{Min: vg.Point{X: x, Y: middle - 3}, Max: vg.Point{X: x + legendSample, Y: middle + 3}}
			data.SetColor(faint(colour(l.Colour)))
			data.Fill(box.Path())
		}
		data.StrokeLine2(stroke(colour(l.Colour), lineWidth, l.Dash), x, middle, x+legendSample, middle)
		data.FillText(sty, vg.Point{X: x + legendSample + legendSpace, Y: y}, l.Name)
		x += legendSample + legendSpace + sty.Width(l.Name) + legendGap
	}
}

// addBand adds the shaded area between Lower and Upper, cut at gaps.
func (l Line) addBand(axes *gplot.Plot, divisor float64) error {
	if l.Lower == nil || l.Upper == nil {
		return nil
	}
	known := func(i int) bool { return finite(l.Lower[i]) && finite(l.Upper[i]) }
	for _, s := range stretches(len(l.X), known) {
		if s.to-s.from == 1 {
			axes.Add(pointBand{l, s.from, divisor})
			continue
		}
		var outline plotter.XYs
		for i := s.from; i < s.to; i++ {
			outline = append(outline, plotter.XY{X: l.X[i], Y: l.Upper[i] / divisor})
		}
		for i := s.to - 1; i >= s.from; i-- {
			outline = append(outline, plotter.XY{X: l.X[i], Y: l.Lower[i] / divisor})
		}
		band, err := plotter.NewPolygon(outline)
		if err != nil {
			return err
		}
		band.Color = faint(colour(l.Colour))
		band.LineStyle.Width = 0
		axes.Add(band)
	}
	return nil
}

// addLine adds the line itself, cut at gaps. A month between two gaps, or the
// only one, is a dot.
func (l Line) addLine(axes *gplot.Plot, divisor float64) error {
	for _, s := range stretches(len(l.X), func(i int) bool { return finite(l.Y[i]) }) {
		if s.to-s.from == 1 {
			axes.Add(dot{l, s.from, divisor})
			continue
		}
		var points plotter.XYs
		for i := s.from; i < s.to; i++ {
			points = append(points, plotter.XY{X: l.X[i], Y: l.Y[i] / divisor})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.LineStyle = stroke(colour(l.Colour), lineWidth, l.Dash)
		axes.Add(line)
	}
	return nil
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

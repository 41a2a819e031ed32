package plot

import (
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Effect is one row of a forest plot: a difference and its interval. Low and
// High are NaN where there is no interval.
type Effect struct {
	Label            string
	Value, Low, High float64
}

// Clear reports whether the interval lies on one side of zero.
func (e Effect) Clear() bool { return e.Low > 0 || e.High < 0 }

// EffectGroup is a panel of effects that share a unit, first row on top.
type EffectGroup struct {
	Title   string
	XLabel  string // with the unit
	Effects []Effect
}

// Forest is a figure of effects with their intervals, group beside group.
// Effects whose interval excludes zero are filled and coloured.
type Forest struct {
	Title  string
	Note   string
	Groups []EffectGroup
}

const (
	forestWidth  = 9.6 * vg.Centimeter
	forestRow    = 12 // height of one effect
	forestFrame  = 78 // titles and the horizontal axis
	forestHeader = 18
)

func (f Forest) size() (width, height vg.Length) {
	rows := 0
	for _, g := range f.Groups {
		rows = max(rows, len(g.Effects))
	}
	return vg.Length(max(1, len(f.Groups))) * forestWidth, vg.Length(max(rows, 3))*forestRow + forestFrame + 2*figureMargin
}

func (f Forest) draw(c draw.Canvas) error {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, figureMargin, -figureMargin, figureMargin, -figureMargin)
	c = drawTitle(c, f.Title, f.Note)
	tallest := 0
	for _, g := range f.Groups {
		tallest = max(tallest, len(g.Effects))
	}
	tiles := draw.Tiles{Rows: 1, Cols: max(1, len(f.Groups)), PadX: panelGap}
	for i, g := range f.Groups {
		tile := tiles.At(c, i, 0)
		spare := vg.Length(tallest-len(g.Effects)) * forestRow
		area := draw.Crop(tile, 0, 0, spare, -forestHeader)
		axes := g.axes()
		axes.Draw(area)
		data := axes.DataCanvas(area)
		sty := textStyle(panelTitleSize, true)
		sty.YAlign = draw.YBottom
		area.FillText(sty, vg.Point{X: data.Min.X, Y: data.Max.Y + 5}, g.Title)
	}
	return nil
}

func (g EffectGroup) axes() *gplot.Plot {
	axes := newAxes(g.XLabel, "")
	axes.X.Tick.Marker = ticks(7)
	n := len(g.Effects)
	labels := make([]gplot.Tick, n)
	for i, e := range g.Effects {
		labels[i] = gplot.Tick{Value: float64(n - 1 - i), Label: e.Label}
	}
	axes.Y.Tick.Marker = gplot.ConstantTicks(labels)
	axes.Y.Tick.Length = 0
	axes.Y.LineStyle.Width = 0
	grid := newGrid()
	grid.Horizontal.Width = 0
	axes.Add(grid, zeroLine{}, whiskers(g.Effects))
	low, high := g.xRange()
	axes.X.Min, axes.X.Max = low, high
	axes.Y.Min, axes.Y.Max = -0.7, float64(n)-0.3
	return axes
}

// xRange covers zero and all intervals, with a margin.
func (g EffectGroup) xRange() (low, high float64) {
	for _, e := range g.Effects {
		for _, x := range []float64{e.Value, e.Low, e.High} {
			if finite(x) {
				low, high = math.Min(low, x), math.Max(high, x)
			}
		}
	}
	if low == high {
		return -1, 1
	}
	margin := 0.05 * (high - low)
	return low - margin, high + margin
}

// zeroLine is the vertical line of no effect.
type zeroLine struct{}

// Plot implements gonum's plot.Plotter.
func (zeroLine) Plot(c draw.Canvas, p *gplot.Plot) {
	x, _ := p.Transforms(&c)
	c.StrokeLine2(stroke(zeroColor, thinWidth*1.6, 0), x(0), c.Min.Y, x(0), c.Max.Y)
}

// whiskers draws one dot and one interval a row, first effect on top.
type whiskers []Effect

// Plot implements gonum's plot.Plotter.
func (w whiskers) Plot(c draw.Canvas, p *gplot.Plot) {
	toX, toY := p.Transforms(&c)
	for i, e := range w {
		if !finite(e.Value) {
			continue
		}
		y := toY(float64(len(w) - 1 - i))
		ink, shape := greyColor, draw.GlyphDrawer(draw.RingGlyph{})
		if e.Clear() {
			ink, shape = colour(0), draw.CircleGlyph{}
			if e.Value < 0 {
				ink = colour(1)
			}
		}
		if finite(e.Low) && finite(e.High) {
			sty := stroke(ink, lineWidth, 0)
			c.StrokeLine2(sty, toX(e.Low), y, toX(e.High), y)
			for _, end := range []float64{e.Low, e.High} {
				c.StrokeLine2(sty, toX(end), y-2, toX(end), y+2)
			}
		}
		c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: 2.4, Shape: shape}, vg.Point{X: toX(e.Value), Y: y})
	}
}

// DataRange implements gonum's plot.DataRanger; the axes are set by hand.
func (w whiskers) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = EffectGroup{Effects: w}.xRange()
	return xmin, xmax, -0.7, float64(len(w)) - 0.3
}

var (
	_ gplot.Plotter    = whiskers(nil)
	_ gplot.DataRanger = whiskers(nil)
)

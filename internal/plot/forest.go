package plot

import (
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// EffectGroup is a panel of effects that share a unit, first row on top.
type EffectGroup struct {
	Title   string
	XLabel  string // with the unit
	Effects []Estimate
}

// Forest is a figure of effects with their intervals, group under group, with the numbers
// beside. Effects whose interval excludes zero are filled and dark, all
// others empty and grey.
//
// An effect that is not clear does not stretch the axis much beyond those that are: an
// interval that goes beyond it ends in an arrow at the edge, and the numbers beside give all of it.
type Forest struct {
	Frame
	Groups []EffectGroup
}

const groupHeader = titleRow + 1

func (f Forest) check() error {
	for _, g := range f.Groups {
		for _, e := range g.Effects {
			if finite(e.Value) {
				return nil
			}
		}
	}
	return noData(f.Title)
}

func (f Forest) size() (width, height vg.Length) {
	height = f.Frame.height(rowsWidth - 2*figureMargin)
	for i, g := range f.Groups {
		height += groupHeader + vg.Length(len(g.Effects))*rowHeight + rowsFooter
		if i > 0 {
			height += panelGap
		}
	}
	return rowsWidth, height
}

func (f Forest) draw(c draw.Canvas) {
	c = f.Frame.draw(c)
	var rows []Estimate
	for _, g := range f.Groups {
		rows = append(rows, g.Effects...)
	}
	layout := f.rowsLayout(rows)
	for _, g := range f.Groups {
		sty := textStyle(panelTitleSize, true)
		c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, g.Title)
		c.Max.Y -= groupHeader
		data := layout.data(c, len(g.Effects))
		axes := g.axes()
		axes.Draw(around(axes, data))
		for i, e := range g.Effects {
			layout.write(data, i, e.Label, f.numbers(e), false)
		}
		c.Max.Y = data.Min.Y - rowsFooter - panelGap
	}
}

func (g EffectGroup) axes() *gplot.Plot {
	low, high := g.xRange()
	axes := rowAxes(g.XLabel, len(g.Effects), low, high)
	axes.Add(drawing(g.whiskers))
	return axes
}

// tooWide is how many times as far as any clear effect's an unclear one's interval may
// reach before it is cut.
const tooWide = 1.25

// Cut reports whether an interval ends in an arrow.
func (g EffectGroup) Cut() bool {
	low, high := g.xRange()
	for _, e := range g.Effects {
		if e.Low < low || e.High > high {
			return true
		}
	}
	return false
}

// xRange covers zero and all values and intervals, of unclear effects as far as tooWide
// says.
func (g EffectGroup) xRange() (low, high float64) {
	farthest := 0.0
	for _, e := range g.Effects {
		if e.clear() {
			farthest = max(farthest, math.Abs(e.Low), math.Abs(e.High))
		}
	}
	fits := func(x float64) bool { return farthest == 0 || math.Abs(x) <= tooWide*farthest }
	for _, e := range g.Effects {
		for _, x := range []float64{e.Value, e.Low, e.High} {
			if e.clear() || fits(x) {
				low, high = widened(low, high, x)
			}
		}
	}
	return padded(low, high)
}

// whiskers draws one dot and one interval a row, first effect on top.
func (g EffectGroup) whiskers(c draw.Canvas, toX, toY place) {
	for i, e := range g.Effects {
		if !finite(e.Value) {
			continue
		}
		y := toY(float64(len(g.Effects) - 1 - i))
		ink, width := greyColor, 0.75*lineWidth
		if e.clear() {
			ink, width = inkColor, lineWidth
		}
		if e.hasInterval() {
			sidewaysWhisker(c, stroke(ink, width, 0), toX(e.Low), toX(e.High), y)
		}
		if x := toX(e.Value); c.ContainsX(x) {
			c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: 2, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
			if !e.clear() {
				c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 1.3, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
			}
		}
	}
}

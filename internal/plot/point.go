package plot

import (
	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	dotRadius      = vg.Length(2.4)
	pointBandWidth = vg.Length(7)
)

// point is one point of a line.
type point struct {
	line    Line
	at      int
	divisor float64
}

// dot draws a point that has no neighbours.
type dot point

// Plot implements gonum's plot.Plotter.
func (d dot) Plot(c draw.Canvas, p *gplot.Plot) {
	x, y := p.Transforms(&c)
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}}
	c.DrawGlyph(draw.GlyphStyle{Color: colour(d.line.Colour), Radius: dotRadius, Shape: shapes[d.line.Dash%len(shapes)]},
		vg.Point{X: x(d.line.X[d.at]), Y: y(d.line.Y[d.at] / d.divisor)})
}

// pointBand draws the band of a point that has no neighbours.
type pointBand point

// Plot implements gonum's plot.Plotter.
func (b pointBand) Plot(c draw.Canvas, p *gplot.Plot) {
	x, y := p.Transforms(&c)
	sty := stroke(faint(colour(b.line.Colour)), pointBandWidth, 0)
	at := x(b.line.X[b.at])
	c.StrokeLine2(sty, at, y(b.line.Lower[b.at]/b.divisor), at, y(b.line.Upper[b.at]/b.divisor))
}

// zeroLevel is the horizontal line at 0.
type zeroLevel struct{}

// Plot implements gonum's plot.Plotter.
func (zeroLevel) Plot(c draw.Canvas, p *gplot.Plot) {
	if _, y := p.Transforms(&c); p.Y.Min <= 0 && 0 <= p.Y.Max {
		c.StrokeLine2(stroke(zeroColor, thinWidth*1.6, 0), c.Min.X, y(0), c.Max.X, y(0))
	}
}

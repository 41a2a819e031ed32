package plot

import (
	"image/color"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const pointBandWidth = vg.Length(7)

// rule is a straight line across the data area: at a place of the horizontal axis if it is
// upright, else of the vertical one.
type rule struct {
	at      float64
	upright bool
	draw.LineStyle
}

// Plot implements gonum's plot.Plotter.
func (r rule) Plot(c draw.Canvas, axes *gplot.Plot) {
	toX, toY := axes.Transforms(&c)
	if x := toX(r.at); r.upright && c.ContainsX(x) {
		c.StrokeLine2(r.LineStyle, x, c.Min.Y, x, c.Max.Y)
	}
	if y := toY(r.at); !r.upright && c.ContainsY(y) {
		c.StrokeLine2(r.LineStyle, c.Min.X, y, c.Max.X, y)
	}
}

// dot is a point of a line that has no neighbours.
type dot struct {
	x, y float64
	draw.GlyphStyle
}

// Plot implements gonum's plot.Plotter.
func (d dot) Plot(c draw.Canvas, p *gplot.Plot) {
	x, y := p.Transforms(&c)
	c.DrawGlyph(d.GlyphStyle, vg.Point{X: x(d.x), Y: y(d.y)})
}

// pointBand is the band of such a point.
type pointBand struct {
	x, lower, upper float64
	color           color.Color
}

// Plot implements gonum's plot.Plotter.
func (b pointBand) Plot(c draw.Canvas, p *gplot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(stroke(b.color, pointBandWidth, 0), x(b.x), y(b.lower), x(b.x), y(b.upper))
}

// points draws a cloud.
type points struct {
	Cloud
	divisor float64
}

// Plot implements gonum's plot.Plotter.
func (p points) Plot(c draw.Canvas, axes *gplot.Plot) {
	x, y := axes.Transforms(&c)
	sty := glyph(p.Shape, withAlpha(colour(p.Colour), pointAlpha))
	for i := range p.X {
		if finite(p.X[i]) && finite(p.Y[i]) {
			c.DrawGlyph(sty, vg.Point{X: x(p.X[i]), Y: y(p.Y[i] / p.divisor)})
		}
	}
}

// bars draws one bar a place, with its interval.
type bars struct {
	list    []Bar
	divisor float64
}

// Plot implements gonum's plot.Plotter.
func (b bars) Plot(c draw.Canvas, axes *gplot.Plot) {
	x, y := axes.Transforms(&c)
	for i, bar := range b.list {
		if !finite(bar.Value) {
			continue
		}
		left, right := x(float64(i)-0.36), x(float64(i)+0.36)
		box := vg.Rectangle{
			Min: vg.Point{X: left, Y: y(min(0, bar.Value/b.divisor))},
			Max: vg.Point{X: right, Y: y(max(0, bar.Value/b.divisor))},
		}
		fill, line := valueFill(bar.Value, bar.Low, bar.High)
		drawBox(c, box, fill, line)
		if finite(bar.Low) && finite(bar.High) {
			whisker(c, stroke(inkColor, 0.8*lineWidth, 0), x(float64(i)), y(bar.Low/b.divisor), y(bar.High/b.divisor))
		}
	}
}

// drawBox draws an area with its border.
func drawBox(c draw.Canvas, box vg.Rectangle, fill color.NRGBA, line draw.LineStyle) {
	c.SetColor(fill)
	c.Fill(box.Path())
	c.SetLineWidth(line.Width)
	c.SetLineDash(nil, 0)
	c.SetColor(line.Color)
	c.Stroke(box.Path())
}

// valueFill is how an area of a value with an interval is filled and drawn: white where
// the interval holds zero or is absent, else in the colour of the sign.
func valueFill(value, low, high float64) (fill color.NRGBA, line draw.LineStyle) {
	ink := colour(riseColour)
	if value < 0 {
		ink = colour(fallColour)
	}
	if low > 0 || high < 0 {
		return tint(ink), stroke(ink, thinWidth, 0)
	}
	return color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}, stroke(greyColor, thinWidth, 0)
}

// whisker is a vertical interval with ends.
func whisker(c draw.Canvas, sty draw.LineStyle, x, low, high vg.Length) {
	const half = 1.8
	c.StrokeLine2(sty, x, low, x, high)
	c.StrokeLine2(sty, x-half, low, x+half, low)
	c.StrokeLine2(sty, x-half, high, x+half, high)
}

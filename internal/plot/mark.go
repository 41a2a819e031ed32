package plot

import (
	"image/color"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const pointBandWidth = vg.Length(7)

// place is where a number lies on an axis.
type place = func(float64) vg.Length

// drawing is what a function draws between axes.
type drawing func(c draw.Canvas, x, y place)

// Plot implements gonum's plot.Plotter.
func (d drawing) Plot(c draw.Canvas, axes *gplot.Plot) {
	x, y := axes.Transforms(&c)
	d(c, x, y)
}

// uprightRule is a straight line across the data area at a place of the horizontal axis.
func uprightRule(at float64, sty draw.LineStyle) drawing {
	return func(c draw.Canvas, toX, _ place) {
		if x := toX(at); c.ContainsX(x) {
			c.StrokeLine2(sty, x, c.Min.Y, x, c.Max.Y)
		}
	}
}

// zeroRule is the line at zero of the vertical axis.
func zeroRule(c draw.Canvas, _, toY place) {
	if y := toY(0); c.ContainsY(y) {
		c.StrokeLine2(zeroStroke, c.Min.X, y, c.Max.X, y)
	}
}

// dot is a point of a line that has no neighbours.
func dot(atX, atY float64, sty draw.GlyphStyle) drawing {
	return func(c draw.Canvas, x, y place) { c.DrawGlyph(sty, vg.Point{X: x(atX), Y: y(atY)}) }
}

// pointBand is the band of such a point.
func pointBand(at, lower, upper float64, fill color.Color) drawing {
	return func(c draw.Canvas, x, y place) {
		c.StrokeLine2(stroke(fill, pointBandWidth, 0), x(at), y(lower), x(at), y(upper))
	}
}

// points draws the cloud.
func (p Cloud) points(divisor float64) drawing {
	return func(c draw.Canvas, x, y place) {
		sty := glyph(p.Shape, withAlpha(colour(p.Colour), pointAlpha))
		for i := range p.X {
			if finite(p.X[i]) && finite(p.Y[i]) {
				c.DrawGlyph(sty, vg.Point{X: x(p.X[i]), Y: y(p.Y[i] / divisor)})
			}
		}
	}
}

// bars draws one bar a place, with its interval.
func bars(list []Estimate, divisor float64) drawing {
	return func(c draw.Canvas, x, y place) {
		for i, bar := range list {
			if !finite(bar.Value) {
				continue
			}
			box := vg.Rectangle{
				Min: vg.Point{X: x(float64(i) - 0.36), Y: y(min(0, bar.Value/divisor))},
				Max: vg.Point{X: x(float64(i) + 0.36), Y: y(max(0, bar.Value/divisor))},
			}
			fill, line := bar.look()
			drawBox(c, box, fill, line)
			if bar.hasInterval() {
				whisker(c, stroke(inkColor, 0.8*lineWidth, 0), x(float64(i)), y(bar.Low/divisor), y(bar.High/divisor))
			}
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

// look is how the area of an estimate is filled and drawn: white where the interval holds
// zero or is absent, else in the colour of the sign.
func (e Estimate) look() (fill color.NRGBA, line draw.LineStyle) {
	ink := colour(riseColour)
	if e.Value < 0 {
		ink = colour(fallColour)
	}
	if e.clear() {
		return tint(ink), stroke(ink, thinWidth, 0)
	}
	return color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}, stroke(greyColor, thinWidth, 0)
}

// whiskers draws the points of a line with their intervals; among those of a cloud they are filled.
func (l Line) whiskers(divisor float64, filled bool) drawing {
	return func(c draw.Canvas, x, y place) {
		sty := glyph(l.Dash, colour(l.Colour))
		sty.Radius = 1.3 * pointRadius
		if filled {
			sty.Shape = draw.CircleGlyph{}
		}
		for i := range l.X {
			if !finite(l.X[i]) || !finite(l.Y[i]) {
				continue
			}
			at := x(l.X[i])
			if l.Lower != nil && finite(l.Lower[i]) && finite(l.Upper[i]) {
				whisker(c, stroke(colour(l.Colour), 0.8*lineWidth, 0), at, y(l.Lower[i]/divisor), y(l.Upper[i]/divisor))
			}
			c.DrawGlyph(sty, vg.Point{X: at, Y: y(l.Y[i] / divisor)})
		}
	}
}

// whisker is a vertical interval with ends.
func whisker(c draw.Canvas, sty draw.LineStyle, x, low, high vg.Length) {
	const half = 1.8
	c.StrokeLine2(sty, x, low, x, high)
	c.StrokeLine2(sty, x-half, low, x+half, low)
	c.StrokeLine2(sty, x-half, high, x+half, high)
}

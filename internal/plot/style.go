package plot

import (
	"image/color"

	xfont "golang.org/x/image/font"
	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// svgFonts are the families that an SVG asks for; all have the same widths as
// the one with which the figure was laid out.
const svgFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// Sizes on paper.
const (
	panelTitleSize  = vg.Length(9)
	figureTitleSize = vg.Length(11)
	labelSize       = vg.Length(8)
	tickSize        = vg.Length(7.5)
	lineWidth       = vg.Length(1.1)
	thinWidth       = vg.Length(0.5)
	bandAlpha       = 0x38
)

// palette holds the colours of Okabe and Ito (2008), blue and vermillion
// first: these two differ most, in print too.
var palette = []color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xB2, A: 0xFF}, // blue
	{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}, // vermillion
	{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}, // bluish green
	{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}, // reddish purple
	{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}, // orange
	{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}, // sky blue
}

// dashes are the line patterns; the first is a solid line.
var dashes = [][]vg.Length{nil, {4, 2}, {1.2, 1.8}, {6, 2, 1.2, 2}}

var (
	inkColor  = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xFF}
	gridColor = color.NRGBA{R: 0xE6, G: 0xE6, B: 0xE6, A: 0xFF}
	zeroColor = color.NRGBA{R: 0x88, G: 0x88, B: 0x88, A: 0xFF}
	greyColor = color.NRGBA{R: 0x77, G: 0x77, B: 0x77, A: 0xFF}
)

func colour(i int) color.NRGBA { return palette[i%len(palette)] }

func faint(c color.NRGBA) color.NRGBA {
	c.A = bandAlpha
	return c
}

func stroke(c color.Color, width vg.Length, dash int) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes[dash%len(dashes)]}
}

// textStyle returns sans-serif text of the given size, anchored at its top
// left corner.
func textStyle(size vg.Length, bold bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: inkColor, Font: f, XAlign: draw.XLeft, YAlign: draw.YTop, Handler: gplot.DefaultTextHandler}
}

// newAxes returns an empty plot in the style of the package.
func newAxes(xLabel, yLabel string) *gplot.Plot {
	p := gplot.New()
	p.BackgroundColor = color.Transparent
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	for _, axis := range []*gplot.Axis{&p.X, &p.Y} {
		setFont(&axis.Label.TextStyle, labelSize)
		setFont(&axis.Tick.Label, tickSize)
		axis.LineStyle = stroke(inkColor, thinWidth, 0)
		axis.Tick.LineStyle = stroke(inkColor, thinWidth, 0)
		axis.Tick.Length = 3
		axis.Padding = 2
	}
	p.X.Label.Padding, p.Y.Label.Padding = 2, 3
	return p
}

func setFont(s *text.Style, size vg.Length) {
	s.Font, s.Color = textStyle(size, false).Font, inkColor
}

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

// svgChinese are those of lines with Chinese letters.
const svgChinese = "'Noto Sans CJK SC','Noto Sans SC','Source Han Sans SC','PingFang SC','Microsoft YaHei',sans-serif"

// Sizes on paper, at the width at which a journal prints the figure.
const (
	figureTitleSize = vg.Length(9.5)
	panelTitleSize  = vg.Length(8)
	labelSize       = vg.Length(7)
	tickSize        = vg.Length(6.8)
	sourceSize      = vg.Length(6)
	lineWidth       = vg.Length(1)
	thinWidth       = vg.Length(0.45)
)

// palette holds the colours of Okabe and Ito (2008), blue and vermillion first: these
// two differ most, in print too. Arms differ in their dashes and shapes beside.
var palette = []color.NRGBA{
	{R: 0x00, G: 0x62, B: 0xA0, A: 0xFF}, // blue, a little darker than theirs, for prints in grey
	{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}, // vermillion
	{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}, // bluish green
	{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}, // reddish purple
	{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}, // orange
	{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}, // sky blue
}

// The colours that stand for no arm: Grey for lines that are not data, such as the line of
// equality, and Ink for what is no single arm's, such as differences.
const (
	Grey = -1
	Ink  = -2
)

// What an area or a point of a value is drawn in by its sign: green and the lighter purple,
// so that the colours of arms mean arms only.
const (
	riseColour = 2
	fallColour = 3
)

// dashes are the line patterns; the first is a solid line.
var dashes = [][]vg.Length{nil, {4, 1.6}, {1.2, 1.6}, {6, 1.6, 1.2, 1.6}}

var (
	whiteColor = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
	inkColor   = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xFF}
	gridColor  = color.NRGBA{R: 0xE6, G: 0xE6, B: 0xE6, A: 0xFF}
	zeroColor  = color.NRGBA{R: 0x70, G: 0x70, B: 0x70, A: 0xFF}
	greyColor  = color.NRGBA{R: 0x77, G: 0x77, B: 0x77, A: 0xFF}
	totalColor = color.NRGBA{R: 0x9C, G: 0x9C, B: 0x9C, A: 0xFF}
	noteColor  = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xFF}
)

// zeroStroke is the line of zero, or of no effect.
var zeroStroke = stroke(zeroColor, thinWidth*1.6, 0)

func colour(i int) color.NRGBA {
	switch i {
	case Grey:
		return greyColor
	case Ink:
		return inkColor
	}
	return palette[i%len(palette)]
}

// How much of its colour an area keeps.
const (
	bandAlpha  = 0x34
	outerAlpha = 0x1C // of a second, wider band
	edgeAlpha  = 0x90 // of the edge of a band
	pointAlpha = 0x80 // of points of a cloud
)

func withAlpha(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// tint is a colour mixed with white, which hides what is behind it.
func tint(c color.NRGBA) color.NRGBA {
	return mixed(c, color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF}, 3, 1)
}

// shade is a darker colour.
func shade(c color.NRGBA) color.NRGBA {
	mix := func(x uint8) uint8 { return uint8(7 * int(x) / 10) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: c.A}
}

func stroke(c color.Color, width vg.Length, dash int) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes[dash%len(dashes)]}
}

// The shapes of points.
var shapes = []draw.GlyphDrawer{draw.RingGlyph{}, draw.TriangleGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}}

const pointRadius = vg.Length(1.7)

// glyph is a point of a cloud.
func glyph(shape int, c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: pointRadius, Shape: shapes[shape%len(shapes)]}
}

// textStyle returns sans-serif text of the given size, anchored at its top
// left corner.
func textStyle(size vg.Length, bold bool) text.Style {
	f := font.Font{Typeface: latin, Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: inkColor, Font: f, XAlign: draw.XLeft, YAlign: draw.YTop, Handler: newLetters()}
}

// The ticks of an axis and its distance from the data.
const (
	tickLength  = vg.Length(2.5)
	axisPadding = vg.Length(2)
)

// newAxes returns an empty plot in the style of the package.
func newAxes(xLabel string) *gplot.Plot {
	p := gplot.New()
	p.BackgroundColor = nil
	p.X.Label.Text = xLabel
	for _, axis := range []*gplot.Axis{&p.X, &p.Y} {
		setFont(&axis.Label.TextStyle, labelSize)
		setFont(&axis.Tick.Label, tickSize)
		axis.LineStyle = stroke(inkColor, thinWidth, 0)
		axis.Tick.LineStyle = stroke(inkColor, thinWidth, 0)
		axis.Tick.Length = tickLength
		axis.Padding = axisPadding
	}
	p.X.Label.Padding = 2
	return p
}

func setFont(s *text.Style, size vg.Length) {
	sty := textStyle(size, false)
	s.Font, s.Color, s.Handler = sty.Font, sty.Color, sty.Handler
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

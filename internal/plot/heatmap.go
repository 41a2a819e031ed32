package plot

import (
	"fmt"
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heatmap is a figure of a quantity over two factors: a grid of cells, each in the colour of its value, with a bar of colours beside it.
// Of differences the colours go from blue below zero over white to vermillion above, and a line runs between cells of different
// signs, which a print in grey shows too; of levels from white to dark blue.
type Heatmap struct {
	Frame
	XLabel, YLabel string // with the units
	X, Y           Cells
	Values         [][]float64 // a row of the grid each, from below; NaN = nothing is known there, and the cell is hatched
	Texts          [][]string  // in the cells, where all of them fit; nil = none
	Notes          [][]string  // under the texts, in small letters, where they fit; nil = none
	Unit           string      // above the bar of colours
	Difference     bool        // values are differences, whose zero matters
}

// Cells are those of an axis, from left or from below: a name for each, or the bounds between them, of which there is one more.
type Cells struct {
	Names  []string
	Bounds bool // the names are those of the bounds
}

func (c Cells) number() int {
	if c.Bounds {
		return len(c.Names) - 1
	}
	return len(c.Names)
}

const (
	heatWidth  = 14 * vg.Centimeter
	heatHigh   = 8.4 * vg.Centimeter // of the grid, at most
	heatLow    = 4 * vg.Centimeter   // and at least
	heatGap    = vg.Length(10)       // between grid and bar
	heatBar    = vg.Length(9)        // the width of the bar
	heatShades = 64                  // of the bar
)

func (h Heatmap) check() error {
	if len(h.Values) != h.Y.number() {
		return fmt.Errorf("plot: %q has %d rows and names for %d", h.Title, len(h.Values), h.Y.number())
	}
	known := false
	for k, row := range h.Values {
		if len(row) != h.X.number() {
			return fmt.Errorf("plot: row %d of %q has %d cells and names for %d", k+1, h.Title, len(row), h.X.number())
		}
		for _, table := range [][][]string{h.Texts, h.Notes} {
			if table != nil && (len(table) != len(h.Values) || len(table[k]) != len(row)) {
				return fmt.Errorf("plot: %q has %d cells in row %d and as many texts as that nowhere", h.Title, len(row), k+1)
			}
		}
		for _, v := range row {
			known = known || finite(v)
		}
	}
	if !known {
		return noData(h.Title)
	}
	return nil
}

// scale is the range of the bar of colours: around zero of differences, and never of width zero.
func (h Heatmap) scale() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range h.Values {
		low, high = widened(low, high, row...)
	}
	if h.Difference {
		most := max(math.Abs(low), math.Abs(high))
		low, high = -most, most
	}
	if low == high {
		margin := max(.02*math.Abs(low), 1e-9)
		low, high = low-margin, high+margin
	}
	return low, high
}

// The ends of the colours: of levels, and of differences above zero. Those below zero end in the blue of the palette. The
// vermillion is a little off that of the palette, because it becomes another one on a dark page: see [themes].
var (
	levelLow  = color.NRGBA{R: 0xF4, G: 0xF8, B: 0xFB, A: 0xFF}
	levelHigh = color.NRGBA{R: 0x00, G: 0x3E, B: 0x66, A: 0xFF}
	aboveZero = color.NRGBA{R: 0xD0, G: 0x5A, B: 0x00, A: 0xFF}
)

// ink is the colour of a value.
func (h Heatmap) ink(v, low, high float64) color.NRGBA {
	if !h.Difference {
		return blend(levelLow, levelHigh, (v-low)/(high-low))
	}
	if v < 0 {
		return blend(whiteColor, palette[0], v/low)
	}
	return blend(whiteColor, aboveZero, v/high)
}

// blend is a colour with a share of another.
func blend(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + share*(float64(y)-float64(x)))) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xFF}
}

// dark says whether letters on a colour have to be white: by its luminance as ITU-R BT.601 weighs it.
func dark(c color.NRGBA) bool { return .299*float64(c.R)+.587*float64(c.G)+.114*float64(c.B) < 135 }

// barTicks are those of the bar of colours, by which large numbers are divided.
func (h Heatmap) barTicks() (list []gplot.Tick, divisor float64, unit string) {
	low, high := h.scale()
	divisor, word := magnitude(max(math.Abs(low), math.Abs(high)))
	if unit = h.Unit; divisor != 1 {
		unit = h.word(word+" ", scalesZH[divisor]) + unit
	}
	return ticks(5).Ticks(low/divisor, high/divisor), divisor, unit
}

// heatLayout is where the parts of the figure are.
type heatLayout struct {
	left, right vg.Length // of names of rows, and of the bar with its numbers
	head        vg.Length // of the labels above the grid
	gap         vg.Length // more than usual between those and the grid
	height      vg.Length // of the grid
	yLabel      []string
	unit        []string
}

func widest(sty text.Style, names []string) (w vg.Length) {
	for _, name := range names {
		w = max(w, sty.Width(name))
	}
	return w
}

func (h Heatmap) layout() heatLayout {
	sty := textStyle(tickSize, false)
	var l heatLayout
	l.left = widest(sty, h.Y.Names) + tickLength + 4
	list, _, unit := h.barTicks()
	for _, t := range list {
		l.right = max(l.right, sty.Width(t.Label))
	}
	l.right += heatGap + heatBar + tickLength + 2
	inner := heatWidth - 2*figureMargin
	l.unit = wrap(unit, sty, .4*inner)
	l.yLabel = wrap(h.YLabel, sty, .55*inner)
	l.head = vg.Length(max(len(l.unit), len(l.yLabel)))*unitRow + unitGap
	if h.Y.Bounds { // half of the highest name
		l.gap = tickSize / 2
		l.head += l.gap
	}
	width := inner - l.left - l.right
	l.height = min(max(width/vg.Length(h.X.number())*vg.Length(h.Y.number()), heatLow), heatHigh)
	return l
}

func (h Heatmap) size() (width, height vg.Length) {
	l := h.layout()
	inner := heatWidth - 2*figureMargin
	foot := tickLength + tickSize + 4 + labelSize + 4
	return heatWidth, h.Frame.height(inner) + l.head + l.height + foot
}

func (h Heatmap) draw(c draw.Canvas) {
	c = h.Frame.draw(c)
	l := h.layout()
	grid := vg.Rectangle{
		Min: vg.Point{X: c.Min.X + l.left, Y: c.Max.Y - l.head - l.height}, Max: vg.Point{X: c.Max.X - l.right, Y: c.Max.Y - l.head},
	}
	h.labels(c, l, grid)
	h.cells(c, grid)
	h.signs(c, grid)
	c.SetLineWidth(thinWidth)
	c.SetLineDash(nil, 0)
	c.SetColor(inkColor)
	c.Stroke(grid.Path())
	h.bar(c, l, grid)
}

// labels writes those of the axes.
func (h Heatmap) labels(c draw.Canvas, l heatLayout, grid vg.Rectangle) {
	sty := textStyle(tickSize, false)
	line := stroke(inkColor, thinWidth, 0)
	width, height := grid.Size().X/vg.Length(h.X.number()), grid.Size().Y/vg.Length(h.Y.number())
	offset := func(axis Cells) vg.Length {
		if axis.Bounds {
			return 0
		}
		return .5
	}
	sty.XAlign = draw.XCenter
	every := int(math.Ceil(float64((widest(sty, h.X.Names) + 4) / width)))
	for k, name := range h.X.Names {
		x := grid.Min.X + (vg.Length(k)+offset(h.X))*width
		c.StrokeLine2(line, x, grid.Min.Y, x, grid.Min.Y-tickLength)
		if k%every == 0 {
			c.FillText(sty, vg.Point{X: x, Y: grid.Min.Y - tickLength - 1.5}, name)
		}
	}
	label := textStyle(labelSize, false)
	label.XAlign = draw.XCenter
	c.FillText(label, vg.Point{X: (grid.Min.X + grid.Max.X) / 2, Y: grid.Min.Y - tickLength - tickSize - 4}, h.XLabel)
	sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
	every = int(math.Ceil(float64((tickSize + 1) / height)))
	for k, name := range h.Y.Names {
		y := grid.Min.Y + (vg.Length(k)+offset(h.Y))*height
		c.StrokeLine2(line, grid.Min.X, y, grid.Min.X-tickLength, y)
		if k%every == 0 {
			c.FillText(sty, vg.Point{X: grid.Min.X - tickLength - 2, Y: y + .8}, name)
		}
	}
	h.above(c, l.yLabel, c.Min.X, grid.Max.Y+l.gap, draw.XLeft)
	h.above(c, l.unit, c.Max.X, grid.Max.Y+l.gap, draw.XRight)
}

// above writes lines over a place, the last one lowest.
func (h Heatmap) above(c draw.Canvas, lines []string, x, y vg.Length, align text.XAlignment) {
	sty := tinted(textStyle(tickSize, false), noteColor)
	sty.XAlign, sty.YAlign = align, draw.YBottom
	for i, line := range lines {
		c.FillText(sty, vg.Point{X: x, Y: y + unitGap - 2 + vg.Length(len(lines)-1-i)*unitRow}, line)
	}
}

func (h Heatmap) cell(grid vg.Rectangle, row, column int) vg.Rectangle {
	width, height := grid.Size().X/vg.Length(h.X.number()), grid.Size().Y/vg.Length(h.Y.number())
	at := vg.Point{X: grid.Min.X + vg.Length(column)*width, Y: grid.Min.Y + vg.Length(row)*height}
	return vg.Rectangle{Min: at, Max: vg.Point{X: at.X + width, Y: at.Y + height}}
}

// cells draws them with their texts, if all of those fit.
func (h Heatmap) cells(c draw.Canvas, grid vg.Rectangle) {
	low, high := h.scale()
	size := h.cell(grid, 0, 0).Size()
	big, small := textStyle(tickSize, false), textStyle(sourceSize, false)
	fits := func(table [][]string, sty text.Style, high vg.Length) bool {
		for _, row := range table {
			if widest(sty, row)+3 > size.X {
				return false
			}
		}
		return table != nil && high <= size.Y
	}
	texts := fits(h.Texts, big, tickSize+3)
	notes := texts && fits(h.Notes, small, tickSize+sourceSize+5)
	for k, row := range h.Values {
		for i, v := range row {
			box := h.cell(grid, k, i)
			if !finite(v) {
				hatch(c, box)
				continue
			}
			fill := h.ink(v, low, high)
			c.SetColor(fill)
			c.Fill(box.Path())
			c.SetLineWidth(thinWidth)
			c.SetLineDash(nil, 0)
			c.SetColor(color.White)
			c.Stroke(box.Path())
			ink := inkColor
			if dark(fill) {
				ink = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
			}
			write := func(sty text.Style, y vg.Length, s string) {
				sty = tinted(sty, ink)
				sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
				c.FillText(sty, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y+box.Max.Y)/2 + y + .6}, s)
			}
			switch {
			case notes:
				write(big, sourceSize/2, h.Texts[k][i])
				write(small, -tickSize/2-1, h.Notes[k][i])
			case texts:
				write(big, 0, h.Texts[k][i])
			}
		}
	}
}

// hatch fills a cell of which nothing is known.
func hatch(c draw.Canvas, box vg.Rectangle) {
	const gap = 4
	width, height := box.Size().X, box.Size().Y
	sty := stroke(totalColor, .6*thinWidth, 0)
	for at := vg.Length(gap); at < width+height; at += gap {
		from := vg.Point{X: box.Min.X + max(0, at-height), Y: box.Min.Y + min(at, height)}
		to := vg.Point{X: box.Min.X + min(at, width), Y: box.Min.Y + max(0, at-width)}
		c.StrokeLines(sty, []vg.Point{from, to})
	}
}

// signs draws a line between cells of different signs.
func (h Heatmap) signs(c draw.Canvas, grid vg.Rectangle) {
	if !h.Difference {
		return
	}
	sty := stroke(inkColor, 1.6*lineWidth, 0)
	differ := func(a, b float64) bool { return finite(a) && finite(b) && (a > 0) != (b > 0) }
	for k, row := range h.Values {
		for i, v := range row {
			box := h.cell(grid, k, i)
			if i+1 < len(row) && differ(v, row[i+1]) {
				c.StrokeLine2(sty, box.Max.X, box.Min.Y, box.Max.X, box.Max.Y)
			}
			if k+1 < len(h.Values) && differ(v, h.Values[k+1][i]) {
				c.StrokeLine2(sty, box.Min.X, box.Max.Y, box.Max.X, box.Max.Y)
			}
		}
	}
}

// bar draws the colours and what they mean.
func (h Heatmap) bar(c draw.Canvas, l heatLayout, grid vg.Rectangle) {
	low, high := h.scale()
	list, divisor, _ := h.barTicks()
	box := vg.Rectangle{Min: vg.Point{X: grid.Max.X + heatGap, Y: grid.Min.Y}, Max: vg.Point{X: grid.Max.X + heatGap + heatBar, Y: grid.Max.Y}}
	step := box.Size().Y / heatShades
	for k := range heatShades {
		part := box
		part.Min.Y = box.Min.Y + vg.Length(k)*step
		part.Max.Y = min(part.Min.Y+step+.3, box.Max.Y) // a little over the next, or a gap would shine through
		c.SetColor(h.ink(low+(float64(k)+.5)/heatShades*(high-low), low, high))
		c.Fill(part.Path())
	}
	c.SetLineWidth(thinWidth)
	c.SetLineDash(nil, 0)
	c.SetColor(inkColor)
	c.Stroke(box.Path())
	sty := textStyle(tickSize, false)
	sty.YAlign = draw.YCenter
	for _, t := range list {
		y := box.Min.Y + vg.Length((t.Value*divisor-low)/(high-low))*box.Size().Y
		c.StrokeLine2(stroke(inkColor, thinWidth, 0), box.Max.X, y, box.Max.X+tickLength, y)
		c.FillText(sty, vg.Point{X: box.Max.X + tickLength + 2, Y: y + .8}, t.Label)
	}
}

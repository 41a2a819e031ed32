package plot

import (
	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figures of rows have a name on the left, a drawing, and the numbers on the right.
const (
	rowsWidth  = 14 * vg.Centimeter
	rowHeight  = vg.Length(11.5)
	rowGap     = vg.Length(7) // between names or numbers and the drawing
	rowsFooter = axisPadding + tickLength + tickSize + labelSize + 5
)

// rowsLayout is how wide names and numbers are.
type rowsLayout struct{ left, right vg.Length }

func (f Frame) rowsLayout(rows []Estimate) rowsLayout {
	var l rowsLayout
	sty := textStyle(tickSize, false)
	for _, e := range rows {
		l.left = max(l.left, sty.Width(e.Label)+rowGap)
		l.right = max(l.right, sty.Width(f.numbers(e))+rowGap)
	}
	return l
}

// data is the area of n rows from the top of the canvas.
func (l rowsLayout) data(c draw.Canvas, n int) draw.Canvas {
	data := draw.Crop(c, l.left, -l.right, 0, 0)
	data.Min.Y = data.Max.Y - vg.Length(n)*rowHeight
	return data
}

// write puts a name and its numbers beside a row of the data area.
func (l rowsLayout) write(data draw.Canvas, row int, name, numbers string, bold bool) {
	sty := textStyle(tickSize, bold)
	sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
	y := data.Max.Y - (vg.Length(row)+0.5)*rowHeight + 0.8 // letters have more below than above
	data.FillText(sty, vg.Point{X: data.Min.X - rowGap, Y: y}, name)
	data.FillText(sty, vg.Point{X: data.Max.X + l.right, Y: y}, numbers)
}

// rowAxes are axes for n rows, the first at the top with the greatest ordinate, and a
// horizontal axis over a range.
func rowAxes(label string, n int, low, high float64) *gplot.Plot {
	axes := newAxes(label)
	axes.X.Tick.Marker = ticks(8)
	axes.Y.Tick.Marker = gplot.ConstantTicks(nil)
	axes.Y.LineStyle.Width, axes.Y.Tick.Length, axes.Y.Padding = 0, 0, 0
	grid := newGrid()
	grid.Horizontal.Width = 0
	axes.Add(grid, uprightRule(0, zeroStroke))
	axes.X.Min, axes.X.Max = low, high
	axes.Y.Min, axes.Y.Max = -0.5, float64(n)-0.5
	return axes
}

// padded is a range with zero and a margin.
func padded(low, high float64) (float64, float64) {
	low, high = min(low, 0), max(high, 0)
	if low == high {
		return -1, 1
	}
	margin := edge * (high - low)
	return low - margin, high + margin
}

// sidewaysWhisker is a horizontal interval with ends. An end beyond the data area is an
// arrow at its edge.
func sidewaysWhisker(c draw.Canvas, sty draw.LineStyle, low, high, y vg.Length) {
	const half = vg.Length(2.2)
	from, to := max(low, c.Min.X), min(high, c.Max.X)
	if from > c.Max.X || to < c.Min.X { // it is all beyond one edge
		from, to = min(from, c.Max.X-2*half), max(to, c.Min.X+2*half)
	}
	c.StrokeLine2(sty, from, y, to, y)
	end := func(at, beyond, inward vg.Length) {
		if beyond == at {
			c.StrokeLine2(sty, at, y-half, at, y+half)
			return
		}
		c.StrokeLines(
			draw.LineStyle{Color: sty.Color, Width: sty.Width},
			[]vg.Point{{X: at + inward, Y: y + half}, {X: at, Y: y}, {X: at + inward, Y: y - half}},
		)
	}
	end(from, low, 1.4*half)
	end(to, high, -1.4*half)
}

package plot

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Waterfall is a figure of steps, from the top down, that each begin where the one before
// ended, and of what they add up to. A step whose interval excludes zero is filled, any
// other is empty; the total is grey with a dark edge.
type Waterfall struct {
	Frame
	XLabel string // with the unit
	Steps  []Estimate
	Total  Estimate // its value is the sum of the steps
}

// sumTolerance is how far the total may be from the sum of the steps, as a share of the
// largest of them.
const sumTolerance = 1e-6

func (f Waterfall) check() error {
	sum, largest := 0.0, 0.0
	for _, s := range f.Steps {
		sum += s.Value
		largest = max(largest, math.Abs(s.Value))
	}
	if len(f.Steps) == 0 || !finite(sum) {
		return noData(f.Title)
	}
	if !(math.Abs(sum-f.Total.Value) <= sumTolerance*largest) {
		return fmt.Errorf("plot: figure %q: the steps add up to %g, the total is %g", f.Title, sum, f.Total.Value)
	}
	return nil
}

func (f Waterfall) size() (width, height vg.Length) {
	return rowsWidth, f.Frame.height(rowsWidth-2*figureMargin) + vg.Length(len(f.Steps)+1)*rowHeight + rowsFooter + unitGap
}

// rows are the steps with the total.
func (f Waterfall) rows() []Estimate { return append(slices.Clone(f.Steps), f.Total) }

// starts says where each row begins.
func (f Waterfall) starts() []float64 {
	list, sum := []float64(nil), 0.0
	for _, s := range f.Steps {
		list = append(list, sum)
		sum += s.Value
	}
	return append(list, 0)
}

// xRange covers all steps with their intervals, and zero.
func (f Waterfall) xRange() (low, high float64) {
	rows := f.rows()
	for i, start := range f.starts() {
		low, high = widened(low, high, start, start+rows[i].Value, start+rows[i].Low, start+rows[i].High)
	}
	return padded(low, high)
}

func (f Waterfall) draw(c draw.Canvas) {
	c = f.Frame.draw(c)
	c.Max.Y -= unitGap
	rows := f.rows()
	layout := f.rowsLayout(rows)
	bold := textStyle(tickSize, false).Width(f.numbers(f.Total)+"  ") + rowGap
	layout.right = max(layout.right, bold)
	data := layout.data(c, len(rows))
	low, high := f.xRange()
	axes := rowAxes(f.XLabel, len(rows), low, high)
	axes.Add(drawing(f.bars))
	axes.Draw(around(axes, data))
	for i, e := range rows {
		layout.write(data, i, e.Label, f.numbers(e), i == len(rows)-1)
	}
}

// bars draws the steps and the total.
func (f Waterfall) bars(c draw.Canvas, toX, toY place) {
	rows, starts := f.rows(), f.starts()
	half := toY(0.32) - toY(0)
	for i, s := range rows {
		y := toY(float64(len(rows) - 1 - i))
		from, to := toX(starts[i]), toX(starts[i]+s.Value)
		box := vg.Rectangle{Min: vg.Point{X: min(from, to), Y: y - half}, Max: vg.Point{X: max(from, to), Y: y + half}}
		fill, line := s.look()
		if i == len(rows)-1 && s.clear() {
			fill, line.Color = totalColor, inkColor
		}
		drawBox(c, box, fill, line)
		if s.hasInterval() {
			sidewaysWhisker(c, stroke(inkColor, 0.8*lineWidth, 0), toX(starts[i]+s.Low), toX(starts[i]+s.High), y)
		}
		if i < len(rows)-1 { // to where the next one begins, or the total ends
			c.StrokeLine2(stroke(zeroColor, thinWidth, 0), to, y-half, to, toY(float64(len(rows)-2-i))+half)
		}
	}
	y := toY(0.5)
	c.StrokeLine2(stroke(zeroColor, thinWidth, 0), c.Min.X, y, c.Max.X, y)
}

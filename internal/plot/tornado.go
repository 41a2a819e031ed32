package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tornado is a figure of how far the outcome moves when one factor after the other does: a row each, with a bar from the outcome at the
// base to that at the factor's least value and one to that at its greatest, and a thin line over all of its values.
type Tornado struct {
	Frame
	XLabel string    // the outcome, with its unit
	Base   float64   // the outcome at the base
	Names  [2]string // in the legend: the bar of the least value of a factor, and that of the greatest
	Rows   []TornadoRow
}

// TornadoRow is a row of a [Tornado].
type TornadoRow struct {
	Label       string   // may be long
	Low, High   Estimate // the outcome at the factor's least value, and at its greatest
	Least, Most float64  // of the outcome at all its values
	Text        string   // on the right
}

func (t Tornado) columns() (labels, texts []string) {
	for _, row := range t.Rows {
		labels, texts = append(labels, row.Label), append(texts, row.Text)
	}
	return labels, texts
}

func (t Tornado) layout() longRows {
	labels, texts := t.columns()
	return newLongRows(labels, texts, 14)
}

func (t Tornado) legend() []entry {
	return []entry{{name: t.Names[0], alpha: seriesAlpha[1]}, {name: t.Names[1], alpha: seriesAlpha[0]}}
}

func (t Tornado) check() error {
	if !finite(t.Base) {
		return noData(t.Title)
	}
	for _, row := range t.Rows {
		if finite(row.Low.Value) || finite(row.High.Value) {
			return nil
		}
	}
	return noData(t.Title)
}

func (t Tornado) size() (width, height vg.Length) {
	inner := longRowsWidth - 2*figureMargin
	return longRowsWidth, t.Frame.height(inner) + vg.Length(len(legendRows(t.legend(), inner)))*legendLine + t.layout().footed()
}

// xRange covers the base and all outcomes, with a margin, and is not of width zero.
func (t Tornado) xRange() (low, high float64) {
	low, high = t.Base, t.Base
	for _, row := range t.Rows {
		low, high = widened(low, high, row.Low.Value, row.Low.Low, row.Low.High, row.High.Value, row.High.Low, row.High.High, row.Least, row.Most)
	}
	margin := edge * (high - low)
	if margin == 0 {
		margin = max(.02*math.Abs(t.Base), 1e-9)
	}
	return low - margin, high + margin
}

func (t Tornado) draw(c draw.Canvas) {
	c = t.Frame.draw(c)
	c = drawLegend(c, legendRows(t.legend(), c.Max.X-c.Min.X))
	layout := t.layout()
	data := layout.area(c)
	low, high := t.xRange()
	divisor, word := magnitude(max(math.Abs(low), math.Abs(high)))
	label := t.XLabel
	if divisor != 1 {
		label = t.word(word+" ", scalesZH[divisor]) + label
	}
	axes := layout.axes(label, low/divisor, high/divisor)
	axes.Add(drawing(func(c draw.Canvas, toX, toY place) {
		t.bars(c, func(x float64) vg.Length { return toX(x / divisor) }, toY)
	}))
	axes.Draw(around(axes, data))
	_, texts := t.columns()
	layout.write(data, texts)
}

func (t Tornado) bars(c draw.Canvas, toX, toY place) {
	const thick = .7
	base := toX(t.Base)
	for k, row := range t.Rows {
		middle := float64(len(t.Rows) - 1 - k)
		// Two bars on one side of the base would hide each other.
		sameSide := (row.Low.Value-t.Base)*(row.High.Value-t.Base) > 0
		for i, end := range []Estimate{row.Low, row.High} {
			if !finite(end.Value) {
				continue
			}
			top, bottom := middle+thick/2, middle-thick/2
			if sameSide && i == 0 {
				bottom = middle
			} else if sameSide {
				top = middle
			}
			x := toX(end.Value)
			box := vg.Rectangle{Min: vg.Point{X: min(x, base), Y: toY(bottom)}, Max: vg.Point{X: max(x, base), Y: toY(top)}}
			drawBox(c, box, withAlpha(colour(0), seriesAlpha[1-i]), stroke(colour(0), thinWidth, 0))
			if end.hasInterval() { // beside the other one, whichever way the bars go
				sidewaysWhisker(c, stroke(inkColor, .75*lineWidth, 0), toX(end.Low), toX(end.High), toY(middle+thick/4-float64(i)*thick/2))
			}
		}
		if finite(row.Least) && finite(row.Most) {
			low, high := widened(t.Base, t.Base, row.Low.Value, row.High.Value)
			if row.Least < low || row.Most > high {
				y := toY(middle)
				c.StrokeLine2(stroke(colour(1), lineWidth, 0), toX(row.Least), y, toX(row.Most), y)
			}
		}
	}
	c.StrokeLine2(stroke(inkColor, lineWidth, 0), base, c.Min.Y, base, c.Max.Y)
}

package plot

import (
	"fmt"
	"image/color"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ranking is a figure of what matters how much: a row each with one bar or two from zero, their intervals, and numbers beside.
type Ranking struct {
	Frame
	XLabel string
	Series []string // what the bars of a row are, in the legend; none = rows have marks alone
	Rows   []RankingRow

	MarkName string // what the marks of rows are, in the legend
	Rule     *Rule
	Most     float64 // the axis goes no farther: intervals that do end in an arrow; 0 = as far as they
}

// RankingRow is a row of a [Ranking].
type RankingRow struct {
	Label string // may be long
	Bars  []Estimate
	Mark  float64 // a triangle; NaN = none
	Text  string  // on the right
	Faint bool    // it cannot be told from nothing: its bars are empty
}

// Rule is a line across all rows, with its interval as a band.
type Rule struct {
	Name          string // in the legend
	At, Low, High float64
}

// The look of the bars of a row, by place: how much of the colour they keep.
var seriesAlpha = []uint8{0xD8, 0x48}

// Rows of figures in which names may be long.
const (
	longRowsWidth = 16 * vg.Centimeter
	longestLabel  = 5.6 * vg.Centimeter
	labelRow      = tickSize + 1.6
	labelLines    = 2 // at most
)

// longRows is where names and numbers of rows stand that may have several lines.
type longRows struct {
	labels      [][]string
	left, right vg.Length
	height      vg.Length // of a row
}

func newLongRows(labels, texts []string, least vg.Length) longRows {
	l := longRows{height: least}
	sty := textStyle(tickSize, false)
	for k, label := range labels {
		lines := wrap(drawable(label), sty, longestLabel)
		if len(lines) > labelLines {
			lines = filled(drawable(label), sty, longestLabel-tickSize)[:labelLines]
			lines[labelLines-1] += "…"
		}
		l.labels = append(l.labels, lines)
		for _, line := range lines {
			l.left = max(l.left, sty.Width(line)+rowGap)
		}
		l.height = max(l.height, vg.Length(len(lines))*labelRow+3.5)
		l.right = max(l.right, sty.Width(texts[k])+rowGap)
	}
	return l
}

// area is that of all rows from the top of the canvas.
func (l longRows) area(c draw.Canvas) draw.Canvas {
	data := draw.Crop(c, l.left, -l.right, 0, 0)
	data.Min.Y = data.Max.Y - vg.Length(len(l.labels))*l.height
	return data
}

// write puts the names and the numbers beside the rows.
func (l longRows) write(data draw.Canvas, texts []string) {
	sty := textStyle(tickSize, false)
	sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
	for k, lines := range l.labels {
		middle := data.Max.Y - (vg.Length(k)+.5)*l.height + .8
		for i, line := range lines {
			y := middle + (vg.Length(len(lines)-1)/2-vg.Length(i))*labelRow
			data.FillText(sty, vg.Point{X: data.Min.X - rowGap, Y: y}, line)
		}
		data.FillText(sty, vg.Point{X: data.Max.X + l.right, Y: middle}, texts[k])
	}
}

// footed is what the rows take with the axis below them.
func (l longRows) footed() vg.Length { return vg.Length(len(l.labels))*l.height + rowsFooter }

// axes are those of the rows, the first on top, over a range, without a line at zero.
func (l longRows) axes(label string, low, high float64) *gplot.Plot {
	axes := rowAxes(label, len(l.labels), low, high)
	axes.X.Tick.Marker = ticks(6)
	return axes
}

func (r Ranking) columns() (labels, texts []string) {
	for _, row := range r.Rows {
		labels, texts = append(labels, row.Label), append(texts, row.Text)
	}
	return labels, texts
}

func (r Ranking) layout() longRows {
	labels, texts := r.columns()
	return newLongRows(labels, texts, 6+6*vg.Length(len(r.Series)))
}

func (r Ranking) legend() (list []entry) {
	for k, name := range r.Series {
		list = append(list, entry{name: name, alpha: seriesAlpha[k%len(seriesAlpha)]})
	}
	if r.MarkName != "" {
		list = append(list, entry{name: r.MarkName, colour: 1, shape: 1})
	}
	if r.Rule != nil {
		list = append(list, entry{name: r.Rule.Name, colour: Ink, dash: 1, shape: -1})
	}
	return list
}

func (r Ranking) check() error {
	known := false
	for _, row := range r.Rows {
		if len(row.Bars) != len(r.Series) {
			return fmt.Errorf("plot: row %q of %q has %d bars, and there are %d series", row.Label, r.Title, len(row.Bars), len(r.Series))
		}
		for _, b := range row.Bars {
			known = known || finite(b.Value)
		}
		known = known || finite(row.Mark)
	}
	if !known {
		return noData(r.Title)
	}
	return nil
}

func (r Ranking) size() (width, height vg.Length) {
	inner := longRowsWidth - 2*figureMargin
	return longRowsWidth, r.Frame.height(inner) + vg.Length(len(legendRows(r.legend(), inner)))*legendLine + r.layout().footed()
}

func (r Ranking) draw(c draw.Canvas) {
	c = r.Frame.draw(c)
	c = drawLegend(c, legendRows(r.legend(), c.Max.X-c.Min.X))
	layout := r.layout()
	data := layout.area(c)
	low, high := r.xRange()
	axes := layout.axes(r.XLabel, low, high)
	axes.Add(drawing(r.bars))
	axes.Draw(around(axes, data))
	_, texts := r.columns()
	layout.write(data, texts)
}

func (r Ranking) xRange() (low, high float64) {
	for _, row := range r.Rows {
		for _, b := range row.Bars {
			low, high = widened(low, high, b.Value, b.Low, b.High)
		}
		low, high = widened(low, high, row.Mark)
	}
	if r.Rule != nil {
		low, high = widened(low, high, r.Rule.At)
		if len(r.Series) == 0 { // marks alone are read against its interval
			low, high = widened(low, high, r.Rule.Low, r.Rule.High)
		}
	}
	if r.Most > 0 {
		high = min(high, r.Most)
	}
	zero := low == 0
	if low, high = padded(low, high); zero {
		low = 0
	}
	return low, high
}

func (r Ranking) bars(c draw.Canvas, toX, toY place) {
	if r.Rule != nil && finite(r.Rule.Low) && finite(r.Rule.High) {
		band := vg.Rectangle{
			Min: vg.Point{X: max(toX(r.Rule.Low), c.Min.X), Y: c.Min.Y}, Max: vg.Point{X: min(toX(r.Rule.High), c.Max.X), Y: c.Max.Y},
		}
		c.SetColor(withAlpha(greyColor, bandAlpha))
		c.Fill(band.Path())
	}
	const thick = .74
	for k, row := range r.Rows {
		for i, b := range row.Bars {
			if !finite(b.Value) {
				continue
			}
			top := float64(len(r.Rows)-1-k) + thick/2 - float64(i)*thick/float64(len(row.Bars))
			bottom := top - thick/float64(len(row.Bars))
			box := vg.Rectangle{
				Min: vg.Point{X: toX(min(0, b.Value)), Y: toY(bottom)}, Max: vg.Point{X: toX(max(0, b.Value)), Y: toY(top)},
			}
			fill, line := withAlpha(colour(0), seriesAlpha[i%len(seriesAlpha)]), stroke(colour(0), thinWidth, 0)
			if row.Faint {
				fill, line = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}, stroke(greyColor, thinWidth, 0)
			}
			drawBox(c, box, fill, line)
			if b.hasInterval() {
				sidewaysWhisker(c, stroke(inkColor, .75*lineWidth, 0), toX(b.Low), toX(b.High), toY((top+bottom)/2))
			}
		}
		if finite(row.Mark) {
			at := vg.Point{X: toX(row.Mark), Y: toY(float64(len(r.Rows) - 1 - k))}
			c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 2.1 * pointRadius, Shape: draw.PyramidGlyph{}}, at)
			sty := glyph(1, colour(1))
			sty.Radius = 1.4 * pointRadius
			c.DrawGlyph(sty, at)
		}
	}
	if r.Rule != nil && finite(r.Rule.At) {
		x := toX(r.Rule.At)
		c.StrokeLine2(stroke(inkColor, .8*lineWidth, 1), x, c.Min.Y, x, c.Max.Y)
	}
}

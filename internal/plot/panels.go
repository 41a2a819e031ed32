package plot

import (
	"fmt"
	"slices"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels is a figure of one panel, or of a grid of panels with one legend. Lines and
// clouds of one name look alike in all panels.
type Panels struct {
	Frame
	XLabel  string    // under the lowest panel of each column; a panel may have its own
	XTicks  []float64 // where the horizontal axis is labelled; nil means at round numbers
	Marks   []float64 // where each panel has a vertical line: something begins there
	Columns int       // 0 means 1
	Bands   [2]string // in the legend: what the darker band of a line is, and the lighter one around it; empty for none
	Square  bool      // panels are as high as wide
	Grid    []Panel   // row by row
}

const (
	panelGap    = vg.Length(10) // between panels
	rightMargin = vg.Length(7)  // half of the last label of the horizontal axis
	leftMargin  = vg.Length(24) // usual width of the vertical axis
	titleRow    = panelTitleSize + 3
	unitRow     = tickSize + 2.5
	unitGap     = vg.Length(6) // between unit and data
)

func (p Panels) columns() int { return max(1, min(p.Columns, len(p.Grid))) }

func (p Panels) rows() int { return max(1, (len(p.Grid)+p.columns()-1)/p.columns()) }

// row lists the panels of one row.
func (p Panels) row(r int) []Panel {
	return p.Grid[min(len(p.Grid), r*p.columns()):min(len(p.Grid), (r+1)*p.columns())]
}

func (p Panels) width() vg.Length {
	switch {
	case p.columns() > 1:
		return fullWidth
	case p.Square:
		return squareWidth
	}
	return singleWidth
}

func (p Panels) columnWidth() vg.Length {
	n := vg.Length(p.columns())
	return (p.width() - 2*figureMargin - (n-1)*panelGap) / n
}

// dataHeight is how high the data area of a panel is.
func (p Panels) dataHeight() vg.Length {
	switch {
	case p.Square:
		return p.columnWidth() - leftMargin - rightMargin
	case p.columns() == 1:
		return 5.8 * vg.Centimeter
	case p.columns() == 2:
		return 4.4 * vg.Centimeter
	}
	return 3.1 * vg.Centimeter
}

// lowest reports whether no panel stands below panel i.
func (p Panels) lowest(i int) bool { return i+p.columns() >= len(p.Grid) }

func (p Panels) xLabel(i int) string {
	switch {
	case p.Grid[i].XLabel != "":
		return p.Grid[i].XLabel
	case p.lowest(i):
		return p.XLabel
	}
	return ""
}

// headerHeight is what titles and units of a row need above its data.
func (p Panels) headerHeight(r int) vg.Length {
	var h vg.Length
	for _, panel := range p.row(r) {
		mine := vg.Length(len(panel.unitLines(p.Frame, p.columnWidth()))) * unitRow
		if panel.Title != "" {
			mine += titleRow
		}
		h = max(h, mine)
	}
	return h + unitGap
}

// footerHeight is what the horizontal axes of a row need below its data.
func (p Panels) footerHeight(r int) vg.Length {
	h := axisPadding + tickLength + tickSize + 2
	for i := range p.row(r) {
		if p.xLabel(r*p.columns()+i) != "" {
			return h + labelSize + 3
		}
	}
	return h
}

func (p Panels) size() (width, height vg.Length) {
	inner := p.width() - 2*figureMargin
	height = p.Frame.height(inner) + vg.Length(len(legendRows(p.legend(), inner)))*legendLine + vg.Length(p.rows()-1)*panelGap
	for r := range p.rows() {
		height += p.headerHeight(r) + p.dataHeight() + p.footerHeight(r)
	}
	return p.width(), height
}

// legend lists the named lines and clouds of all panels once.
func (p Panels) legend() []entry {
	var list []entry
	add := func(e entry) {
		at := slices.IndexFunc(list, func(x entry) bool { return x.name == e.name })
		switch {
		case e.name == "":
		case at < 0:
			list = append(list, e)
		default:
			list[at].band = list[at].band || e.band
		}
	}
	for _, panel := range p.Grid {
		for _, c := range panel.Clouds {
			add(entry{name: c.Name, colour: c.Colour, shape: c.Shape})
		}
		for _, l := range panel.Lines {
			e := entry{name: l.Name, colour: l.Colour, dash: l.Dash, shape: -1, band: l.Lower != nil}
			if l.Points {
				e.shape, e.band = l.Dash, false
			}
			add(e)
		}
	}
	for k, alpha := range []uint8{bandAlpha + outerAlpha, outerAlpha} { // the darker one lies on the lighter one
		add(entry{name: p.Bands[k], colour: Grey, alpha: alpha})
	}
	return list
}

// check refuses a figure that would show nothing, and columns that do not match.
func (p Panels) check() error {
	any := false
	for i, panel := range p.Grid {
		if err := panel.check(); err != nil {
			return fmt.Errorf("plot: panel %d of %q: %w", i+1, p.Title, err)
		}
		any = any || panel.known()
	}
	if !any {
		return noData(p.Title)
	}
	return nil
}

func (p Panels) draw(c draw.Canvas) {
	c = p.Frame.draw(c)
	c = drawLegend(c, legendRows(p.legend(), c.Max.X-c.Min.X))
	axes, left := make([]*gplot.Plot, len(p.Grid)), make([]vg.Length, p.columns())
	for i, panel := range p.Grid {
		axes[i] = panel.axes(p.xLabel(i), p)
		column := i % p.columns()
		left[column] = max(left[column], axes[i].DataCanvas(c).Min.X-c.Min.X)
	}
	for r := range p.rows() {
		c.Max.Y -= p.headerHeight(r)
		for k, panel := range p.row(r) {
			i := r*p.columns() + k
			x := c.Min.X + vg.Length(k)*(p.columnWidth()+panelGap)
			data := c
			data.Min = vg.Point{X: x + left[k], Y: c.Max.Y - p.dataHeight()}
			data.Max = vg.Point{X: x + p.columnWidth() - rightMargin, Y: c.Max.Y}
			if p.Square {
				data.Max.X = min(data.Max.X, data.Min.X+p.dataHeight())
			}
			axes[i].Draw(around(axes[i], data))
			panel.drawHeader(p.Frame, data, x, p.columnWidth())
		}
		c.Max.Y -= p.dataHeight() + p.footerHeight(r) + panelGap
	}
}

package plot

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Timeline is a figure of when something was so: one row each, the first on top, months across, and a
// bar where it was. A row without bars is one in which it never was.
type Timeline struct {
	Frame
	XLabel string
	Last   int // month, the first is 1
	Groups []TimelineGroup
}

// TimelineGroup is a panel of rows that are numbered from 1.
type TimelineGroup struct {
	Title  string
	YLabel string // of what the numbers are, such as "replication"
	Rows   [][]Bar
}

// Bar covers the months from From to To.
type Bar struct{ From, To int }

const (
	timelineRow  = vg.Length(8)   // height of a row
	timelineRows = vg.Length(240) // height of many rows
	timelineHead = titleRow + 2
)

func (f Timeline) check() error {
	rows := 0
	for _, g := range f.Groups {
		rows += len(g.Rows)
		for k, bars := range g.Rows {
			for _, b := range bars {
				if b.From < 1 || b.To < b.From || b.To > f.Last {
					return fmt.Errorf("plot: figure %q: row %d has a bar from %d to %d of %d months", f.Title, k+1, b.From, b.To, f.Last)
				}
			}
		}
	}
	if rows == 0 || f.Last < 1 {
		return noData(f.Title)
	}
	return nil
}

// timelineRowHeight is the height of a row of n.
func timelineRowHeight(n int) vg.Length { return min(timelineRow, timelineRows/vg.Length(max(1, n))) }

func (f Timeline) size() (width, height vg.Length) {
	height = f.Frame.height(rowsWidth - 2*figureMargin)
	for i, g := range f.Groups {
		height += timelineHead + vg.Length(len(g.Rows))*timelineRowHeight(len(g.Rows)) + rowsFooter
		if i > 0 {
			height += panelGap
		}
	}
	return rowsWidth, height
}

func (f Timeline) draw(c draw.Canvas) {
	c = f.Frame.draw(c)
	names := textStyle(tickSize, false)
	names.XAlign, names.YAlign = draw.XRight, draw.YCenter
	left := vg.Length(0)
	for _, g := range f.Groups {
		left = max(left, names.Width(g.label(1)), names.Width(g.label(len(g.Rows))))
	}
	left += rowGap
	for _, g := range f.Groups {
		n := len(g.Rows)
		height := timelineRowHeight(n)
		c.FillText(textStyle(panelTitleSize, true), vg.Point{X: c.Min.X, Y: c.Max.Y}, g.Title)
		c.Max.Y -= timelineHead
		data := draw.Crop(c, left, 0, 0, 0)
		data.Min.Y = data.Max.Y - vg.Length(n)*height
		axes := rowAxes(f.XLabel, n, .5, float64(f.Last)+.5)
		axes.Add(drawing(g.bars))
		axes.Draw(around(axes, data))
		every := 1
		for vg.Length(every)*height < timelineRow {
			every++
		}
		for k := 0; k < n; k += every {
			data.FillText(names, vg.Point{X: data.Min.X - rowGap, Y: data.Max.Y - (vg.Length(k)+.5)*height + .8}, g.label(k+1))
		}
		c.Max.Y = data.Min.Y - rowsFooter - panelGap
	}
}

// label is that of a row; the first says of what the numbers are.
func (g TimelineGroup) label(row int) string {
	if row == 1 && g.YLabel != "" {
		return g.YLabel + " 1"
	}
	return strconv.Itoa(row)
}

// bars draws those of all rows, and a thin line through each.
func (g TimelineGroup) bars(c draw.Canvas, toX, toY place) {
	half := (toY(1) - toY(0)) * 3 / 8
	for k, bars := range g.Rows {
		y := toY(float64(len(g.Rows) - 1 - k))
		c.StrokeLine2(stroke(greyColor, thinWidth/2, 0), c.Min.X, y, c.Max.X, y)
		for _, b := range bars {
			box := vg.Rectangle{
				Min: vg.Point{X: toX(float64(b.From) - .5), Y: y - half}, Max: vg.Point{X: toX(float64(b.To) + .5), Y: y + half},
			}
			drawBox(c, box, tint(colour(riseColour)), stroke(colour(riseColour), thinWidth, 0))
		}
	}
}

package plot

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Frame is the text around the data of a figure. All texts of figures are written in Latin,
// Greek, Cyrillic or Chinese letters: the fonts have no others. Long texts are broken into
// lines.
type Frame struct {
	Title   string // may be long: what is asked
	Subject string // under it: what of that is shown
	Note    string // under the title, in small letters: what bands, bars and marks mean
	Source  string // at the foot: the experiment, its seeds, the version of the model, the months
	Chinese bool   // the words that the package itself writes are Chinese, else English
}

// word chooses between two languages.
func (f Frame) word(english, chinese string) string {
	if f.Chinese {
		return chinese
	}
	return english
}

// Widths on paper: the text width of a page with two columns, and figures that stand
// alone.
const (
	fullWidth    = 18 * vg.Centimeter
	singleWidth  = 12 * vg.Centimeter
	squareWidth  = 10 * vg.Centimeter
	figureMargin = vg.Length(6)
)

const (
	titleLine  = figureTitleSize + 3
	titleLines = 3 // at most
	subjectGap = vg.Length(1)
	noteLine   = tickSize + 3
	sourceLine = sourceSize + 2.5
	headGap    = vg.Length(3) // under the head
	footGap    = vg.Length(6) // above the foot
)

// titleRows are the lines of the title; one that is too long ends in an ellipsis.
func (f Frame) titleRows(width vg.Length) []string {
	title := drawable(f.Title)
	lines := wrap(title, textStyle(figureTitleSize, true), width)
	if len(lines) > titleLines {
		lines = filled(title, textStyle(figureTitleSize, true), width-figureTitleSize)[:titleLines]
		lines[titleLines-1] += "…"
	}
	return lines
}

// heading is what title and subject take.
func (f Frame) heading(width vg.Length) vg.Length {
	h := vg.Length(len(f.titleRows(width))) * titleLine
	if f.Subject != "" {
		h += panelTitleSize + 3 + subjectGap
	}
	return h
}

func (f Frame) noteLines(width vg.Length) []string {
	return wrap(f.Note, textStyle(tickSize, false), width)
}

func (f Frame) sourceLines(width vg.Length) []string {
	return wrap(f.Source, textStyle(sourceSize, false), width)
}

// height is what the frame takes of a figure that is wide as given between its margins.
func (f Frame) height(width vg.Length) vg.Length {
	h := 2*figureMargin + headGap + vg.Length(len(f.noteLines(width)))*noteLine
	h += f.heading(width)
	if n := len(f.sourceLines(width)); n > 0 {
		h += footGap + vg.Length(n)*sourceLine
	}
	return h
}

// draw fills the canvas with white, writes the frame and returns what it leaves of the
// canvas.
func (f Frame) draw(c draw.Canvas) draw.Canvas {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, figureMargin, -figureMargin, figureMargin, -figureMargin)
	width := c.Max.X - c.Min.X
	var top, bottom vg.Length
	for i, line := range f.titleRows(width) {
		c.FillText(textStyle(figureTitleSize, true), vg.Point{X: c.Min.X, Y: c.Max.Y - vg.Length(i)*titleLine}, line)
	}
	if top = f.heading(width); f.Subject != "" {
		c.FillText(textStyle(panelTitleSize, true), vg.Point{X: c.Min.X, Y: c.Max.Y - top + panelTitleSize + 3}, f.Subject)
	}
	for _, line := range f.noteLines(width) {
		c.FillText(tinted(textStyle(tickSize, false), noteColor), vg.Point{X: c.Min.X, Y: c.Max.Y - top}, line)
		top += noteLine
	}
	if lines := f.sourceLines(width); len(lines) > 0 {
		for i, line := range lines {
			c.FillText(
				tinted(textStyle(sourceSize, false), noteColor),
				vg.Point{X: c.Min.X, Y: c.Min.Y + vg.Length(len(lines)-i)*sourceLine},
				line,
			)
		}
		bottom = footGap + vg.Length(len(lines))*sourceLine
	}
	return draw.Crop(c, 0, 0, bottom, -top-headGap)
}

// wrap breaks a text at spaces, and between Chinese letters, into as few lines of at most the given width as it takes,
// of about the same length. A word that is wider stands on a line of its own.
func wrap(s string, sty text.Style, width vg.Length) []string {
	lines := filled(s, sty, width)
	for narrower := 0.97 * width; len(lines) > 1; narrower *= 0.97 {
		next := filled(s, sty, narrower)
		if len(next) > len(lines) {
			break
		}
		lines = next
	}
	return lines
}

// filled puts as many pieces on each line as fit.
func filled(s string, sty text.Style, width vg.Length) []string {
	var lines []string
	for _, piece := range pieces(s) {
		if n := len(lines); n > 0 && sty.Width(lines[n-1]+piece) <= width {
			lines[n-1] += piece
			continue
		}
		lines = append(lines, strings.TrimPrefix(piece, " "))
	}
	return lines
}

func tinted(sty text.Style, c color.Color) text.Style {
	sty.Color = c
	return sty
}

// entry is one name of a legend with the ink that it explains.
type entry struct {
	name         string
	colour, dash int
	shape        int // of points; -1 = a line
	band         bool
	alpha        uint8 // it is an area and nothing else
}

const (
	legendSample = vg.Length(16) // length of the piece of line
	legendSpace  = vg.Length(3)  // between the piece and the name
	legendGap    = vg.Length(12) // between two entries
	legendLine   = tickSize + 4
)

// legendRows breaks a legend into rows of the given width. A single entry needs no
// legend.
func legendRows(list []entry, width vg.Length) [][]entry {
	if len(list) < 2 {
		return nil
	}
	sty := textStyle(tickSize, false)
	var rows [][]entry
	used := width + 1
	for _, e := range list {
		need := legendSample + legendSpace + sty.Width(e.name)
		if used+need > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += need + legendGap
	}
	return rows
}

// drawLegend writes rows of a legend from the top of the canvas and returns the rest of
// it.
func drawLegend(c draw.Canvas, rows [][]entry) draw.Canvas {
	sty := textStyle(tickSize, false)
	for r, row := range rows {
		x, top := c.Min.X, c.Max.Y-vg.Length(r)*legendLine
		middle := top - tickSize/2 - 1
		for _, e := range row {
			if e.band || e.alpha > 0 {
				alpha := e.alpha
				if e.band {
					alpha = bandAlpha
				}
				box := vg.Rectangle{Min: vg.Point{X: x, Y: middle - 3}, Max: vg.Point{X: x + legendSample, Y: middle + 3}}
				c.SetColor(withAlpha(colour(e.colour), alpha))
				c.Fill(box.Path())
			}
			switch {
			case e.alpha > 0:
			case e.shape >= 0:
				c.DrawGlyph(glyph(e.shape, colour(e.colour)), vg.Point{X: x + legendSample/2, Y: middle})
			default:
				c.StrokeLine2(stroke(colour(e.colour), lineWidth, e.dash), x, middle, x+legendSample, middle)
			}
			c.FillText(sty, vg.Point{X: x + legendSample + legendSpace, Y: top}, e.name)
			x += legendSample + legendSpace + sty.Width(e.name) + legendGap
		}
	}
	return draw.Crop(c, 0, 0, 0, -vg.Length(len(rows))*legendLine)
}

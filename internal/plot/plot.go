// Package plot draws figures for papers from plain numbers and labels: grids of panels
// with lines, bands, points and bars, forest plots of effects, waterfalls of what adds up, and
// timelines of when something was so. It knows no economics.
//
// A figure is a value. [Panels], [Forest], [Waterfall] and [Timeline] describe one; [SVG], [PNG] and
// [PDF] draw it:
//
//	fig := plot.Panels{
//		Frame:  plot.Frame{Title: "Unemployment", Source: "Experiment vat15, seed 1"},
//		XLabel: "Year",
//		Grid:   []plot.Panel{{YLabel: "% of the labour force", Lines: lines}},
//	}
//	svg, err := plot.SVG(fig)
//
// The same figure always gives the same bytes. Sizes are those of print: 18 cm for
// figures over the width of a page, 12 to 14 cm for others, letters of 6 points and more.
// Colours are those of Okabe and Ito (2008), which people with any kind of colour vision
// tell apart; what differs in colour differs in dash, shape, fill or direction too, so
// that a print in grey stays readable. A NaN is a gap. A figure without any data is an
// error, not an empty drawing.
package plot

import (
	"bytes"
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Resolutions of PNG images in dots per inch.
const (
	pngDPI    = 300 // of files, for print
	screenDPI = 150 // for screens, and models that look at images
)

// Estimate is a bar, a row or a step of a figure: a value with its interval. Low and High are
// NaN where there is none.
type Estimate struct {
	Label            string
	Value, Low, High float64
}

// clear reports whether the interval lies on one side of zero.
func (e Estimate) clear() bool { return e.Low > 0 || e.High < 0 }

func (e Estimate) hasInterval() bool { return finite(e.Low) && finite(e.High) }

// Figure is a drawing with a fixed size: [Panels], [Forest], [Waterfall] or [Timeline].
type Figure interface {
	check() error // refuses what cannot be drawn, or would show nothing
	size() (width, height vg.Length)
	draw(c draw.Canvas)
}

// Captioned is a figure with the name of its files and what stands under it.
type Captioned struct {
	Name    string // without the extension
	Figure  Figure
	Caption string
}

// ErrNoData says that a figure has nothing to show.
var ErrNoData = errors.New("nothing to show")

func noData(title string) error { return fmt.Errorf("plot: figure %q: %w", title, ErrNoData) }

// SVG returns the figure as an SVG document.
func SVG(f Figure) ([]byte, error) {
	data, err := encoded(f, func(width, height vg.Length) vg.CanvasWriterTo { return vgsvg.New(width, height) })
	return inFonts(data), err
}

// PNG returns the figure as a PNG image of 300 dots per inch.
func PNG(f Figure) ([]byte, error) { return image(f, pngDPI) }

// Screen returns the figure as a PNG image of 150 dots per inch, which has about a third of the bytes.
func Screen(f Figure) ([]byte, error) { return image(f, screenDPI) }

func image(f Figure, dpi int) ([]byte, error) {
	return encoded(f, func(width, height vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	})
}

func encoded(f Figure, canvas func(width, height vg.Length) vg.CanvasWriterTo) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	c := canvas(f.size())
	f.draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot: encode figure: %w", err)
	}
	return b.Bytes(), nil
}

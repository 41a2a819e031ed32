package plot

import (
	"regexp"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// PDF returns the figure as a PDF document of one page. Letters are outlines of those with which the
// figure was laid out, Chinese ones too: it looks the same everywhere and needs no fonts, but its text
// can be neither searched nor copied.
func PDF(f Figure) ([]byte, error) {
	data, err := encoded(f, func(width, height vg.Length) vg.CanvasWriterTo { return &outlined{Canvas: vgpdf.New(width, height)} })
	return dates.ReplaceAll(data, []byte("/$1 (D:19700101000000")), err
}

// dates are all in a PDF that depends on the time; what replaces one is as long, because places in the
// document are counted in bytes.
var dates = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// outlined is a PDF that fills the outlines of letters. [vgpdf] itself knows the letters of Western
// Europe only, without the minus sign.
type outlined struct {
	*vgpdf.Canvas
	buffer sfnt.Buffer
}

// FillString implements [vg.Canvas].
func (o *outlined) FillString(face vgfont.Face, at vg.Point, text string) {
	outline := face.Face
	unit := face.Font.Size / vg.Length(outline.UnitsPerEm()) // of the font's design
	scale := fixed.I(int(outline.UnitsPerEm()))
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + unit*vg.Length(p.X)/64, Y: at.Y - unit*vg.Length(p.Y)/64}
	}
	var before sfnt.GlyphIndex
	for k, r := range text {
		glyph, err := outline.GlyphIndex(&o.buffer, r)
		if err != nil {
			continue
		}
		if kern, err := outline.Kern(&o.buffer, before, glyph, scale, font.HintingNone); err == nil && k > 0 {
			at.X += unit * vg.Length(kern) / 64
		}
		if segments, err := outline.LoadGlyph(&o.buffer, glyph, scale, nil); err == nil && len(segments) > 0 {
			o.Fill(outlineOf(segments, place))
		}
		if advance, err := outline.GlyphAdvance(&o.buffer, glyph, scale, font.HintingNone); err == nil {
			at.X += unit * vg.Length(advance) / 64
		}
		before = glyph
	}
}

// outlineOf is the path of a letter.
func outlineOf(segments sfnt.Segments, place func(fixed.Point26_6) vg.Point) (path vg.Path) {
	for k, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if k > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	path.Close()
	return path
}

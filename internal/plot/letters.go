package plot

import (
	"bytes"
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// chineseFont has the Latin letters, the 3,755 most frequent Chinese characters (the first
// level of GB 2312) and the punctuation that figures need, in one weight: a part of Noto
// Sans CJK SC under the SIL Open Font License (font/OFL.txt). It was made from Debian's
// fonts-noto-cjk 1:20220127 with fonttools 4.38:
//
//	pyftsubset NotoSansCJK-Regular.ttc --font-number=2 --text-file=characters.txt
//		--no-hinting --desubroutinize --layout-features=''
//		--drop-tables+=vhea,vmtx,VORG,GSUB,GPOS,BASE --output-file=NotoSansCJKsc-subset.otf
//
//go:embed font/NotoSansCJKsc-subset.otf
var chineseFont []byte

const (
	latin   = "Liberation"
	chinese = "Noto Sans CJK SC"
)

// fonts are those that figures are laid out and drawn with. The Chinese one is read when a
// figure needs it first.
var (
	latinFonts   = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })
	chineseFonts = sync.OnceValue(func() *font.Cache {
		face, err := opentype.Parse(chineseFont)
		if err != nil {
			panic("plot: the Chinese font: " + err.Error())
		}
		return font.NewCache(font.Collection{{Font: font.Font{Typeface: chinese}, Face: face}})
	})
)

// letters draws a line with Chinese letters in it in the Chinese font, and all others in
// the Latin one. Lines are as high as those of the Latin font in both.
type letters struct{ text.Plain }

func newLetters() letters { return letters{text.Plain{Fonts: latinFonts()}} }

// face is the font for a line.
func (h letters) face(line string, f font.Font) font.Face {
	if !isChinese(line) {
		return h.Fonts.Lookup(f, f.Size)
	}
	face := chineseFonts().Lookup(font.Font{Typeface: chinese}, f.Size)
	face.Font.Weight = f.Weight // for SVG, whose fonts have others than ours
	return face
}

// Box implements [text.Handler].
func (h letters) Box(line string, f font.Font) (width, height, depth vg.Length) {
	extents, face := h.Extents(f), h.face(line, f)
	return face.Width(line), extents.Ascent, extents.Descent
}

// Draw implements [text.Handler].
func (h letters) Draw(c vg.Canvas, txt string, sty text.Style, at vg.Point) {
	if !isChinese(txt) {
		h.Plain.Draw(c, txt, sty, at)
		return
	}
	face := h.face(txt, sty.Font)
	c.SetColor(sty.Color)
	c.Push()
	c.Rotate(sty.Rotation)
	sin, cos := math.Sincos(sty.Rotation)
	at.X, at.Y = at.Y*vg.Length(sin)+at.X*vg.Length(cos), at.Y*vg.Length(cos)-at.X*vg.Length(sin)
	at.X += vg.Length(sty.XAlign) * face.Width(txt)
	at.Y += sty.Height(txt)*vg.Length(sty.YAlign) - h.Extents(sty.Font).Ascent + sty.Font.Size
	c.FillString(face, at, txt)
	c.Pop()
}

func isChinese(s string) bool { return strings.ContainsFunc(s, wide) }

// drawable is a text that others wrote, in letters that the Chinese font has where it is Chinese: the
// wide forms of Latin ones become narrow, and what is missing an asterisk.
func drawable(s string) string {
	if !isChinese(s) {
		return s
	}
	face := chineseFonts().Lookup(font.Font{Typeface: chinese}, figureTitleSize).Face
	return strings.Map(func(r rune) rune {
		for _, r := range []rune{r, r - 0xFEE0} {
			if glyph, err := face.GlyphIndex(nil, r); err == nil && glyph != 0 || unicode.IsSpace(r) {
				return r
			}
		}
		return '*'
	}, s)
}

// wide reports letters that are as wide as they are high.
func wide(r rune) bool {
	return unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

// pieces are the parts of a text between which a line may end: words, and Chinese letters
// with the punctuation that belongs to them. Those after a space begin with it.
func pieces(s string) (list []string) {
	const (
		closing = "，。；：、！？）》”’%,.;:)"
		opening = "（《“‘("
	)
	var before rune
	for _, r := range strings.Join(strings.Fields(s), " ") {
		together := !wide(r) && !wide(before) && r != ' ' || strings.ContainsRune(closing, r) || before == ' ' ||
			strings.ContainsRune(opening, before)
		if len(list) == 0 || !together {
			list = append(list, "")
		}
		list[len(list)-1] += string(r)
		before = r
	}
	return list
}

// inFonts names the families that an SVG asks for in the place of those with which it was
// laid out.
func inFonts(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:"+svgFonts))
	return bytes.ReplaceAll(svg, []byte("font-family:"+chinese), []byte("font-family:"+svgChinese))
}

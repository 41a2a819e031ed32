package plot

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Themed returns an SVG that stands inside a page with its colours as custom properties, which keep
// their values on white where the page does not set them: see [DarkColours]. The colours of values, of heat maps,
// become mixtures of two of them.
func Themed(svg []byte) []byte {
	return hexColour.ReplaceAllFunc(svg, func(text []byte) []byte {
		c, ok := parsed(string(text))
		if !ok {
			return text
		}
		if k := themeOf(c); k >= 0 {
			return fmt.Appendf(nil, "var(%s,%s)", property(k), text)
		}
		for _, s := range scales {
			if share, ok := s.shareOf(c); ok {
				return fmt.Appendf(nil, "color-mix(in srgb,%s %.1f%%,%s)", variable(s.to), 100*share, variable(s.from))
			}
		}
		return text
	})
}

// scale is the colours of values between two ends.
type scale struct{ from, to color.NRGBA }

var scales = []scale{{levelLow, levelHigh}, {whiteColor, palette[0]}, {whiteColor, aboveZero}}

// shareOf is how far along the scale a colour lies; false of one that does not lie on it.
func (s scale) shareOf(c color.NRGBA) (share float64, ok bool) {
	from, to, at := channels(s.from), channels(s.to), channels(c)
	var along, length float64
	for k := range from {
		along += (at[k] - from[k]) * (to[k] - from[k])
		length += (to[k] - from[k]) * (to[k] - from[k])
	}
	share = min(max(along/length, 0), 1)
	for k := range from {
		if math.Abs(from[k]+share*(to[k]-from[k])-at[k]) > 1.5 { // more than rounding does
			return 0, false
		}
	}
	return share, true
}

func channels(c color.NRGBA) [3]float64 { return [3]float64{float64(c.R), float64(c.G), float64(c.B)} }

// InPage is [Themed] for pages whose Content-Security-Policy forbids styles of elements: they become attributes. The figure is one
// picture for screen readers, with a title.
func InPage(svg []byte, title string) []byte {
	svg = styleAttribute.ReplaceAllFunc(Themed(svg), func(text []byte) []byte {
		var b bytes.Buffer
		for k, declaration := range strings.Split(string(styleAttribute.FindSubmatch(text)[1]), ";") {
			if name, value, ok := strings.Cut(declaration, ":"); ok {
				if k > 0 {
					b.WriteByte(' ')
				}
				fmt.Fprintf(&b, `%s="%s"`, strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
		return b.Bytes()
	})
	if at := bytes.Index(svg, []byte("<svg")); at >= 0 {
		svg = svg[at:] // without the XML declaration
	}
	opened := bytes.IndexByte(svg, '>') + 1
	out := append([]byte(`<svg role="img"`), bytes.TrimPrefix(svg[:opened], []byte("<svg"))...)
	out = fmt.Appendf(out, "\n<title>%s</title>", html.EscapeString(title))
	return append(out, svg[opened:]...)
}

var styleAttribute = regexp.MustCompile(`style="([^"]*)"`)

// DarkColours are the declarations of a style sheet that give figures of [Themed] their colours on a
// dark page, whose background is paper.
func DarkColours(paper color.NRGBA) string {
	var b strings.Builder
	for k, c := range themes() {
		fmt.Fprintf(&b, "%s:%s;", property(k), hex(c.dark(paper)))
	}
	return strings.TrimSuffix(b.String(), ";")
}

// LightColours are the declarations that give them their colours on white, for what is drawn beside them by other means.
func LightColours() string {
	var b strings.Builder
	for k, c := range themes() {
		fmt.Fprintf(&b, "%s:%s;", property(k), hex(c.light))
	}
	return strings.TrimSuffix(b.String(), ";")
}

// Arms is how many arms have a colour of their own, and ArmProperty the custom property that holds it, of arm 0 on.
func Arms() int { return len(palette) }

// ArmProperty is the custom property with the colour of an arm, counted from 0.
func ArmProperty(arm int) string { return property(themeOf(palette[arm%len(palette)])) }

// variable is a colour of the package as a property with its value on white.
func variable(c color.NRGBA) string { return fmt.Sprintf("var(%s,%s)", property(themeOf(c)), hex(c)) }

var hexColour = regexp.MustCompile(`#[0-9A-F]{6}\b`)

// theme is a colour of figures on white, and what it becomes on a dark page.
type theme struct {
	light color.NRGBA
	dark  func(paper color.NRGBA) color.NRGBA
}

// darkPalette are the colours of palette on a dark page: lighter, in the same order.
var darkPalette = []color.NRGBA{
	{R: 0x5A, G: 0xAE, B: 0xE6, A: 0xFF}, {R: 0xFF, G: 0x8F, B: 0x45, A: 0xFF}, {R: 0x35, G: 0xC9, B: 0x9E, A: 0xFF},
	{R: 0xE3, G: 0xA1, B: 0xC6, A: 0xFF}, {R: 0xF2, G: 0xB6, B: 0x3C, A: 0xFF}, {R: 0x8A, G: 0xCF, B: 0xF5, A: 0xFF},
}

// themes are all colours of the package.
func themes() []theme {
	always := func(r, g, b uint8) func(color.NRGBA) color.NRGBA {
		return func(color.NRGBA) color.NRGBA { return color.NRGBA{R: r, G: g, B: b, A: 0xFF} }
	}
	list := []theme{
		{whiteColor, func(paper color.NRGBA) color.NRGBA { return paper }},
		{inkColor, always(0xE4, 0xE4, 0xE4)}, {noteColor, always(0xB4, 0xB4, 0xB4)}, {gridColor, always(0x34, 0x38, 0x3B)},
		{zeroColor, always(0x9A, 0x9A, 0x9A)}, {greyColor, always(0xA0, 0xA0, 0xA0)}, {totalColor, always(0x78, 0x78, 0x78)},
	}
	for k, c := range palette {
		bright := darkPalette[k]
		list = append(list,
			theme{c, func(color.NRGBA) color.NRGBA { return bright }},
			theme{tint(c), func(paper color.NRGBA) color.NRGBA { return mixed(bright, paper, 3, 1) }},
			theme{shade(c), func(color.NRGBA) color.NRGBA { return tint(bright) }},
		)
	}
	// The scales of heat maps go from the paper to what is bright, so that letters change between black and white where they do on white.
	return append(list, theme{shade(totalColor), always(0xB4, 0xB4, 0xB4)},
		theme{levelLow, func(paper color.NRGBA) color.NRGBA { return blend(paper, darkPalette[0], .04) }},
		theme{levelHigh, always(0x8C, 0xBC, 0xE0)}, theme{aboveZero, always(0xC9, 0x6A, 0x2A)})
}

// parsed reads a colour as it is written in an SVG.
func parsed(text string) (c color.NRGBA, ok bool) {
	n, err := strconv.ParseUint(text[1:], 16, 32)
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xFF}, err == nil
}

// themeOf is the place of a colour among the themes, -1 of any other. Colours that let others through are
// written with an error of rounding.
func themeOf(c color.NRGBA) int {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 2 }
	return slices.IndexFunc(themes(), func(t theme) bool {
		return near(t.light.R, c.R) && near(t.light.G, c.G) && near(t.light.B, c.B)
	})
}

func property(k int) string { return fmt.Sprintf("--plot-%d", k) }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// mixed is so many parts of a colour with so many of another.
func mixed(a, b color.NRGBA, partsA, partsB int) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8((partsA*int(x) + partsB*int(y)) / (partsA + partsB)) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xFF}
}

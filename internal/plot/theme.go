package plot

import (
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Themed returns an SVG that stands inside a page with its colours as custom properties, which keep
// their values on white where the page does not set them: see [DarkColours].
func Themed(svg []byte) []byte {
	return hexColour.ReplaceAllFunc(svg, func(text []byte) []byte {
		if k := themeOf(string(text)); k >= 0 {
			return fmt.Appendf(nil, "var(%s,%s)", property(k), text)
		}
		return text
	})
}

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
func ArmProperty(arm int) string { return property(themeOf(hex(palette[arm%len(palette)]))) }

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
		{color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}, func(paper color.NRGBA) color.NRGBA { return paper }},
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
	return append(list, theme{shade(totalColor), always(0xB4, 0xB4, 0xB4)})
}

// themeOf is the place of a colour among the themes, -1 of any other. Colours that let others through are
// written with an error of rounding.
func themeOf(text string) int {
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return -1
	}
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 2 }
	return slices.IndexFunc(themes(), func(t theme) bool {
		return near(t.light.R, uint8(n>>16)) && near(t.light.G, uint8(n>>8)) && near(t.light.B, uint8(n))
	})
}

func property(k int) string { return fmt.Sprintf("--plot-%d", k) }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// mixed is so many parts of a colour with so many of another.
func mixed(a, b color.NRGBA, partsA, partsB int) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8((partsA*int(x) + partsB*int(y)) / (partsA + partsB)) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xFF}
}

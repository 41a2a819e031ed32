package web

import (
	"fmt"
	"image/color"
	"strings"

	"econ-mcp/internal/plot"
)

// paper is the background of dark pages.
var paper = color.NRGBA{R: 0x15, G: 0x18, B: 0x1B, A: 0xFF}

// themeCSS are the colours of pages and charts: those of the figures, on white and on a dark page. The theme is that of the system unless
// the visitor chose one.
func themeCSS() []byte {
	var arms strings.Builder
	for k := range plot.Arms() {
		fmt.Fprintf(&arms, "--arm-%d:var(%s);", k, plot.ArmProperty(k))
	}
	light := plot.LightColours() + ";" + arms.String() + "--paper:#fff;--raised:#f6f7f8;--ink:#1d2125;--soft:#565d64;--rule:#d9dde1;--accent:#0062a0;" +
		"--on-accent:#fff;--good:#00664a;--bad:#a33a00;--mark:#fff3c4;--left:#f7d9d9;color-scheme:light"
	dark := plot.DarkColours(paper) + ";" + arms.String() + "--paper:#15181b;--raised:#1f2428;--ink:#e6e8ea;--soft:#aab2b9;--rule:#3a4147;--accent:#6cb8ec;" +
		"--on-accent:#0c1a24;--good:#4fd3ab;--bad:#ff9d5c;--mark:#4a431f;--left:#5a2f2f;color-scheme:dark"
	return fmt.Appendf(nil, ":root{%s}\n@media(prefers-color-scheme:dark){:root:not([data-theme=light]){%s}}\n:root[data-theme=dark]{%s}\n", light, dark, dark)
}

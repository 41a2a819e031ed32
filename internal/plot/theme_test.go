package plot_test

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"econ-mcp/internal/plot"
)

// Inside a page no colour of a figure is fixed, and each has a value for the dark.
func TestThemed(t *testing.T) {
	dark := plot.DarkColours(color.NRGBA{R: 1, G: 2, B: 3, A: 255})
	if !strings.HasPrefix(dark, "--plot-0:#010203;") {
		t.Errorf("the paper is not that of the page: %s", dark)
	}
	for name, figure := range all() {
		svg, err := plot.SVG(figure)
		if err != nil {
			t.Fatal(name, err)
		}
		themed := plot.Themed(svg)
		if left := regexp.MustCompile(`[:"]#[0-9A-Fa-f-]+`).FindAll(themed, -1); len(left) > 0 {
			t.Errorf("%s: fixed colours %q", name, left)
		}
		for _, property := range regexp.MustCompile(`var\((--plot-[0-9]+),#[0-9A-F]{6}\)`).FindAllSubmatch(themed, -1) {
			if !strings.Contains(dark, string(property[1])+":#") {
				t.Errorf("%s: %s has no value in the dark", name, property[1])
			}
		}
	}
}

// On white a themed heat map has the colours that it has on paper, and in the dark each of them is another one.
func TestThemedHeatmap(t *testing.T) {
	mixture := regexp.MustCompile(`^color-mix\(in srgb,var\(--plot-[0-9]+,#([0-9a-f]{6})\) ([0-9.]+)%,var\(--plot-[0-9]+,#([0-9a-f]{6})\)\)$`)
	fill := regexp.MustCompile(`style="fill:([^"]+)"`)
	mixtures := 0
	for name, figure := range all() {
		if _, ok := figure.(plot.Heatmap); !ok {
			continue
		}
		svg, err := plot.SVG(figure)
		if err != nil {
			t.Fatal(name, err)
		}
		plain, themed := fill.FindAllSubmatch(svg, -1), fill.FindAllSubmatch(plot.Themed(svg), -1)
		for k := range plain {
			m := mixture.FindSubmatch(themed[k][1])
			if m == nil {
				continue
			}
			mixtures++
			share, _ := strconv.ParseFloat(string(m[2]), 64)
			to, from, want := rgb(t, string(m[1])), rgb(t, string(m[3])), rgb(t, string(plain[k][1][1:]))
			for c := range want {
				if got := from[c] + share/100*(to[c]-from[c]); math.Abs(got-want[c]) > 2 {
					t.Fatalf("%s: %s is written as %s, whose channel %d is %.1f", name, plain[k][1], themed[k][1], c, got)
				}
			}
		}
	}
	if mixtures < 100 {
		t.Errorf("%d colours of values", mixtures)
	}
}

// rgb are the channels of a colour in hexadecimal digits.
func rgb(t *testing.T, digits string) (c [3]float64) {
	t.Helper()
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64{float64(n >> 16), float64(n >> 8 & 0xFF), float64(n & 0xFF)}
}

// In a page a figure has no style that a Content-Security-Policy would refuse, and is a picture with a title.
func TestInPage(t *testing.T) {
	for name, figure := range all() {
		svg, err := plot.SVG(figure)
		if err != nil {
			t.Fatal(name, err)
		}
		out := string(plot.InPage(svg, `Who gains <b>&"`))
		if regexp.MustCompile(`\sstyle=`).MatchString(out) || !strings.HasPrefix(out, `<svg role="img" width="`) ||
			!strings.Contains(out, "<title>Who gains &lt;b&gt;&amp;&#34;</title>") || strings.Count(out, `fill="`) < 3 {
			t.Errorf("%s: %.400s", name, out)
		}
		if err := xml.Unmarshal([]byte(out), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A PDF has outlines in the place of letters, of those that Western encodings lack too, and no time in it.
func TestPDF(t *testing.T) {
	for name, figure := range all() {
		pdf, err := plot.PDF(figure)
		again, _ := plot.PDF(figure)
		if err != nil || !bytes.Equal(pdf, again) || !bytes.HasPrefix(pdf, []byte("%PDF-1.")) || bytes.Contains(pdf, []byte("/FontFile")) ||
			bytes.Count(pdf, []byte("Date (D:19700101000000)")) != 2 {
			t.Errorf("%s: %d bytes, %v", name, len(pdf), err)
		}
	}
	plain := plot.Panels{Grid: []plot.Panel{{Lines: []plot.Line{{X: []float64{1, 2}, Y: []float64{1, 2}}}}}}
	titled := plain
	titled.Title = "失业率−1"
	short, _ := plot.PDF(plain)
	long, err := plot.PDF(titled)
	if err != nil || len(long) < len(short)+200 {
		t.Errorf("Chinese letters leave no trace: %d bytes and %d, %v", len(short), len(long), err)
	}
}

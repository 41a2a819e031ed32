package plot_test

import (
	"bytes"
	"image/color"
	"regexp"
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
		if _, mixed := figure.(plot.Heatmap); mixed { // its colours are values
			continue
		}
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

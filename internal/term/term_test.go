package term_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"econ-mcp/internal/term"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"real GDP": 8, "失业率": 6, "±1.5 %": 6, "▁█": 2, "，": 2, "“é”": 3, "👍🏽": 2} {
		if got := term.Width(text); got != want {
			t.Errorf("width of %q is %d, want %d", text, got, want)
		}
	}
	if got := term.Left("失业率", 8) + "|" + term.Right("失业率", 8); got != "失业率  |  失业率" {
		t.Errorf("padded %q", got)
	}
}

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		series []float64
		width  int
		want   string
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{0, 0, 7, 7}, 2, "▁█"},
		{[]float64{5, 5, 5}, 8, "▄▄▄"},
		{[]float64{math.NaN(), 0, 1}, 3, " ▁█"},
		{nil, 8, ""},
	} {
		if got := term.Sparkline(c.series, c.width); got != c.want {
			t.Errorf("sparkline of %v in %d = %q, want %q", c.series, c.width, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text, first, indent string
		width               int
		want                string
	}{
		{"one two  three four", " ", " ", 9, " one two\n three\n four"},
		{"by about 12 % a year", "", "", 10, "by about\n12 % a\nyear"},
		{"失业率上升。", "", "  ", 6, "失业率\n  上\n  升。"},
		{"one\n\x1b[2Jtwo", "", "", 40, `one \x1b[2Jtwo`},
		{"", "  ", "  ", 40, ""},
	} {
		if got := term.Wrap(c.text, c.width, c.first, c.indent); got != c.want {
			t.Errorf("wrapped %q, want %q", got, c.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, 中文 – 95 %": "plain, 中文 – 95 %",
		"\x1b[31mred":      `\x1b[31mred`,
		"two\nlines":       `two\nlines`,
		"it's \u202e":      `it's \u202e`,
	} {
		if got := term.Printable(text); got != want {
			t.Errorf("printable %q = %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	var b bytes.Buffer
	line := term.Line{W: &b, Columns: func() int { return 12 }}
	line.Show("a long line of text")
	line.Show("失业率失业率")
	line.Clear()
	if got, want := b.String(), "\ra long line"+"\r失业率失业 "+"\r"+strings.Repeat(" ", 10)+"\r"; got != want {
		t.Errorf("wrote %q\nwant  %q", got, want)
	}
}

func TestIsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if term.IsTerminal(null) || term.IsTerminal(&bytes.Buffer{}) {
		t.Error("the null device or a buffer is taken for a terminal")
	}
	line := term.NewLine(null)
	if line.Show("nothing"); line.On() {
		t.Error("a line is shown to the null device")
	}
}

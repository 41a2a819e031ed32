package plot_test

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/plot"
)

// wave returns a made-up series with a band, of n months.
func wave(name string, n int, level, slope, swing float64, colour, dash int, band float64) plot.Line {
	l := plot.Line{Name: name, Colour: colour, Dash: dash}
	for i := range n {
		x := float64(i+1) / 12
		y := level + slope*x + swing*math.Sin(2.1*x+float64(colour))
		l.X, l.Y = append(l.X, x), append(l.Y, y)
		if band > 0 {
			l.Lower, l.Upper = append(l.Lower, y-band), append(l.Upper, y+band)
		}
	}
	return l
}

func grid() plot.Panels {
	two := func(level, slope, swing, band float64) []plot.Line {
		return []plot.Line{
			wave("control", 120, level, slope, swing, 0, 0, band),
			wave("treatment", 120, level*0.97, slope, swing, 1, 0, band),
		}
	}
	gap := two(2, 0.01, 1, 0.3)
	for i := range 12 {
		gap[0].Y[i], gap[0].Lower[i], gap[0].Upper[i] = math.NaN(), math.NaN(), math.NaN()
	}
	four := append(two(3000, 60, 90, 30), wave("control: median", 120, 2500, 50, 80, 0, 1, 0), wave("treatment: median", 120, 2400, 50, 80, 1, 1, 0))
	return plot.Panels{
		Title: "high_tax against baseline", Note: "10,000 households; 10 replications; shaded: 95 % interval of the mean", XLabel: "Year", Columns: 2,
		Grid: []plot.Panel{
			{Title: "Output", YLabel: "currency units a month", Lines: two(3.2e7, 6e5, 4e5, 2e5)},
			{Title: "Unemployment", YLabel: "% of the labour force", Lines: two(6.5, 0, 1.5, 0.4), Zero: true},
			{Title: "Inflation", YLabel: "% a year", Lines: gap},
			{Title: "Real wages", YLabel: "currency units a month", Lines: four},
			{Title: "Exports", YLabel: "currency units a month", Lines: two(0, 0, 0, 0)},
			{Title: "Public debt", YLabel: "% of annual GDP", Lines: two(60, 1.5, 2, 3)},
			{Title: "Absent", YLabel: "index", Lines: []plot.Line{{Name: "none", X: []float64{1, 2}, Y: []float64{math.NaN(), math.NaN()}}}},
		},
	}
}

func forest() plot.Forest {
	f := plot.Forest{Title: "Effects of high_tax", Note: "mean of months 1 to 120; 95 % intervals over 10 paired replications", Groups: []plot.EffectGroup{
		{Title: "Levels", XLabel: "difference, % of the control"}, {Title: "Rates", XLabel: "difference, percentage points"}}}
	for i := range 24 {
		v := 4 * math.Sin(float64(i))
		f.Groups[0].Effects = append(f.Groups[0].Effects, plot.Effect{Label: "real_consumption" + strings.Repeat("x", i%4), Value: v, Low: v - 2, High: v + 2})
	}
	for i := range 12 {
		v := 2 * math.Cos(float64(i))
		f.Groups[1].Effects = append(f.Groups[1].Effects, plot.Effect{Label: "unemployment_rate", Value: v, Low: v - 1, High: v + 1})
	}
	f.Groups[1].Effects[3].Low, f.Groups[1].Effects[3].High = math.NaN(), math.NaN()
	return f
}

func single() plot.Panels {
	return plot.Panels{Title: "Unemployment", XLabel: "Year", Grid: []plot.Panel{{YLabel: "% of the labour force", Zero: true, Lines: []plot.Line{wave("baseline", 120, 6, 0, 1, 0, 0, 0)}}}}
}

// oneMonth has a single point with a band and one without.
func oneMonth() plot.Panels {
	return plot.Panels{Title: "One month", XLabel: "Month", XTicks: []float64{1}, Grid: []plot.Panel{{YLabel: "%", Zero: true,
		Lines: []plot.Line{wave("baseline", 1, 6, 0, 1, 0, 0, 2), wave("other", 1, -3, 0, 1, 1, 1, 0)}}}}
}

// TestOneMonthIsSeen checks that a line of one point leaves ink of its colour.
func TestOneMonthIsSeen(t *testing.T) {
	svg, err := plot.SVG(oneMonth())
	if err != nil {
		t.Fatal(err)
	}
	empty := oneMonth()
	for i := range empty.Grid[0].Lines {
		empty.Grid[0].Lines[i].Y[0] = math.NaN()
	}
	without, err := plot.SVG(empty)
	if err != nil {
		t.Fatal(err)
	}
	for _, colour := range []string{"#0072B2", "#D55E00"} {
		if a, b := strings.Count(string(svg), colour), strings.Count(string(without), colour); a <= b {
			t.Errorf("%s is used %d times with a point, %d without", colour, a, b)
		}
	}
}

func TestSaveWritesBothFormats(t *testing.T) {
	dir := t.TempDir()
	if keep := os.Getenv("PLOT_DIR"); keep != "" {
		dir = keep
	}
	for name, fig := range map[string]plot.Figure{"overview": grid(), "effects": forest(), "single": single()} {
		paths, err := plot.Save(fig, dir, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(paths) != 2 || filepath.Base(paths[0]) != name+".svg" || filepath.Base(paths[1]) != name+".png" {
			t.Fatalf("%s: paths %v", name, paths)
		}
	}
}

func TestBytesRepeat(t *testing.T) {
	for name, fig := range map[string]plot.Figure{"overview": grid(), "effects": forest()} {
		for format, encode := range map[string]func(plot.Figure) ([]byte, error){"svg": plot.SVG, "png": plot.PNG} {
			a, err := encode(fig)
			if err != nil {
				t.Fatal(err)
			}
			b, err := encode(fig)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a, b) {
				t.Errorf("%s.%s: two drawings differ", name, format)
			}
		}
	}
}

func TestLabelsReachTheFigure(t *testing.T) {
	svg, err := plot.SVG(grid())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"high_tax against baseline", "million currency units a month", ">treatment<", ">Unemployment<", "Arial"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("svg lacks %q", want)
		}
	}
	if bytes.Contains(svg, []byte("NaN")) {
		t.Error("svg holds a NaN")
	}
}

// TestNothingTouchesTheEdge checks that the outermost pixels stay white:
// whatever is cut off would leave ink there.
func TestNothingTouchesTheEdge(t *testing.T) {
	for name, fig := range map[string]plot.Figure{"overview": grid(), "effects": forest(), "single": single(), "one month": oneMonth()} {
		data, err := plot.PNG(fig)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		b := img.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				inner := x > b.Min.X+4 && x < b.Max.X-5 && y > b.Min.Y+4 && y < b.Max.Y-5
				if r, g, bl, _ := img.At(x, y).RGBA(); !inner && (r != 0xffff || g != 0xffff || bl != 0xffff) {
					t.Fatalf("%s: ink at the edge (%d, %d)", name, x, y)
				}
			}
		}
	}
}

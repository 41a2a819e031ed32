package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
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
	four := append(
		two(3000, 60, 90, 30),
		wave("control: median", 120, 2500, 50, 80, 0, 1, 0),
		wave("treatment: median", 120, 2400, 50, 80, 1, 1, 0),
	)
	return plot.Panels{
		Frame: plot.Frame{
			Title:  "high_tax against baseline",
			Note:   "Shaded: 95 % interval of the mean",
			Source: "Source: econ-mcp, experiment vat; 10 replications, base seed 1",
		},
		XLabel: "Year", Marks: []float64{1.04}, Columns: 2,
		Grid: []plot.Panel{
			{Title: "Output", YLabel: "currency units a month", Lines: two(3.2e7, 6e5, 4e5, 2e5)},
			{Title: "Unemployment", YLabel: "% of the labour force", Lines: two(6.5, 0, 1.5, 0.4), Zero: true},
			{Title: "Inflation", YLabel: "% a year", Lines: gap},
			{Title: "Real wages", YLabel: "currency units a month", Lines: four},
			{Title: "Exports", YLabel: "currency units a month", Lines: two(0, 0, 0, 0)},
			{Title: "Public debt", YLabel: "% of annual GDP", Lines: two(60, 1.5, 2, 3)},
			{
				Title:  "Absent",
				YLabel: "index",
				Lines:  []plot.Line{{Name: "none", X: []float64{1, 2}, Y: []float64{math.NaN(), math.NaN()}}},
			},
		},
	}
}

func forest() plot.Forest {
	f := plot.Forest{
		Frame: plot.Frame{Title: "Effects of high_tax", Note: strings.Repeat("Mean of months 1 to 120; 95 % intervals over 10 pairs; ", 4)},
		Groups: []plot.EffectGroup{
			{Title: "Levels", XLabel: "difference, % of the control"}, {Title: "Rates", XLabel: "difference, percentage points"}},
	}
	for i := range 24 {
		v := 4 * math.Sin(float64(i))
		f.Groups[0].Effects = append(
			f.Groups[0].Effects,
			plot.Estimate{Label: "real_consumption" + strings.Repeat("x", i%4), Value: v, Low: v - 2, High: v + 2},
		)
	}
	for i := range 12 {
		v := 2 * math.Cos(float64(i))
		f.Groups[1].Effects = append(f.Groups[1].Effects, plot.Estimate{Label: "unemployment_rate", Value: v, Low: v - 1, High: v + 1})
	}
	f.Groups[1].Effects[3].Low, f.Groups[1].Effects[3].High = math.NaN(), math.NaN()
	return f
}

func single() plot.Panels {
	return plot.Panels{
		Frame:  plot.Frame{Title: "Unemployment"},
		XLabel: "Year",
		Grid:   []plot.Panel{{YLabel: "% of the labour force", Zero: true, Lines: []plot.Line{wave("baseline", 120, 6, 0, 1, 0, 0, 0)}}},
	}
}

// oneMonth has a single point with a band and one without.
func oneMonth() plot.Panels {
	return plot.Panels{
		Frame:  plot.Frame{Title: "One month"},
		XLabel: "Month",
		XTicks: []float64{1},
		Grid: []plot.Panel{{YLabel: "%", Zero: true,
			Lines: []plot.Line{wave("baseline", 1, 6, 0, 1, 0, 0, 2), wave("other", 1, -3, 0, 1, 1, 1, 0)}}},
	}
}

func gains() plot.Panels {
	bars := []plot.Estimate{
		{Label: "1", Value: -4, Low: -6, High: -2},
		{Label: "2", Value: 1, Low: -1, High: 3},
		{Label: "3", Value: 5, Low: 4, High: 6},
	}
	return plot.Panels{
		Frame:   plot.Frame{Title: "Gains", Source: "Source: test"},
		XLabel:  "Tenth of the households",
		Columns: 2,
		Grid: []plot.Panel{
			{Title: "Relative", YLabel: "% of the control", Bars: bars}, {Title: "Absolute", YLabel: "currency units", Bars: bars}},
	}
}

func scatters() plot.Panels {
	cloud := plot.Cloud{Name: "control", X: []float64{3, 5, 9, math.NaN()}, Y: []float64{6, 3, 1, 1}}
	ranks := plot.Cloud{Name: "treatment", X: []float64{1, 10, 900}, Y: []float64{100, 12, .02}, Colour: 1, Shape: 1}
	return plot.Panels{Frame: plot.Frame{Title: "Scatters"}, Columns: 2, Square: true, Grid: []plot.Panel{
		{
			Title:  "Beveridge",
			XLabel: "Unemployment, %",
			YLabel: "vacancies, %",
			Clouds: []plot.Cloud{cloud},
			Lines:  []plot.Line{{X: []float64{3, 9}, Y: []float64{5, 1}}},
		},
		{Title: "Firm sizes", XLabel: "Employees", YLabel: "%", Clouds: []plot.Cloud{ranks}, Log: true}}}
}

func budget() plot.Waterfall {
	return plot.Waterfall{Frame: plot.Frame{Title: "Public budget", Source: "Source: test"}, XLabel: "percentage points of GDP",
		Steps: []plot.Estimate{{"VAT", 3.4, 3.3, 3.5}, {"Income tax", -1.8, -2.2, -1.4}, {"Spending", .1, -.6, .8}},
		Total: plot.Estimate{Label: "Balance", Value: 1.7, Low: 1.2, High: 2.2}}
}

func timeline() plot.Timeline {
	f := plot.Timeline{Frame: plot.Frame{Title: "When conditions were met", Source: "Source: test"}, XLabel: "Month", Last: 60, Groups: []plot.TimelineGroup{
		{Title: "1. policy job_retention 0.5", YLabel: "replication"}, {Title: "2. many", YLabel: "replication"},
	}}
	for r := range 20 {
		f.Groups[0].Rows = append(f.Groups[0].Rows, []plot.Bar{{From: 1 + r, To: 10 + r}, {From: 40, To: 60}}[:r%3])
	}
	for r := range 100 {
		f.Groups[1].Rows = append(f.Groups[1].Rows, []plot.Bar{{From: 1, To: 1 + r%60}})
	}
	return f
}

func all() map[string]plot.Figure {
	return map[string]plot.Figure{
		"overview": grid(), "effects": forest(), "single": single(), "one month": oneMonth(), "gains": gains(), "scatters": scatters(),
		"budget": budget(), "timeline": timeline(), "ranking": ranking(), "tornado": tornado(), "heat map": heatmap(true),
		"heat map of levels": heatmap(false), "heat map of many": wide(),
	}
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
	for _, colour := range []string{"#0062A0", "#D55E00"} {
		if a, b := strings.Count(string(svg), colour), strings.Count(string(without), colour); a <= b {
			t.Errorf("%s is used %d times with a point, %d without", colour, a, b)
		}
	}
}

// Every kind of figure is drawn in both formats. PLOT_DIR keeps them, to be looked at.
func TestDrawsBothFormats(t *testing.T) {
	keep := os.Getenv("PLOT_DIR")
	for name, fig := range all() {
		for ext, encode := range map[string]func(plot.Figure) ([]byte, error){".svg": plot.SVG, ".png": plot.PNG} {
			data, err := encode(fig)
			if err != nil {
				t.Fatalf("%s%s: %v", name, ext, err)
			}
			begin := map[string]string{".svg": "<?xml", ".png": "\x89PNG"}[ext]
			if !strings.HasPrefix(string(data), begin) {
				t.Errorf("%s%s begins with %q", name, ext, data[:8])
			}
			if keep != "" {
				if err := os.WriteFile(filepath.Join(keep, name+ext), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestBytesRepeat(t *testing.T) {
	for name, fig := range all() {
		for format, encode := range map[string]func(plot.Figure) ([]byte, error){"svg": plot.SVG, "png": plot.PNG} {
			if format == "png" && name != "gains" {
				continue // as slow as it is large
			}
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
	for _, c := range []struct {
		figure plot.Figure
		want   []string
	}{
		{
			grid(),
			[]string{
				"high_tax against baseline", "million currency units a month", ">treatment<", ">Unemployment<", "Arial",
				">Source: econ-mcp, experiment vat; 10 replications, base seed 1<", ">Year<",
			},
		},
		{forest(), []string{">unemployment_rate<", "difference, percentage points", ">Rates<", "+2.0 (1.0 to 3.0)"}},
		{gains(), []string{">Relative<", "% of the control", "Tenth of the households", ">3<", ">−5<"}},
		{scatters(), []string{">Unemployment, %<", ">vacancies, %<", ">control<", ">treatment<", ">100<", ">0.1<"}},
		{budget(), []string{">Balance<", ">VAT<", "+1.70 (1.20 to 2.20)", "−1.80 (−2.20 to −1.40)", "percentage points of GDP"}},
		{ranking(), []string{">share of the variance, %<", ">factor 40<", ">1.5 %<", ">first order<", ">nothing<"}},
		{tornado(), []string{">million currency units<", ">VAT: 5 to 25 %<", ">400 k<", ">at its highest value<", ">2.4<"}},
		{timeline(), []string{">replication 1<", ">20<", ">Month<", ">1. policy job_retention 0.5<", ">60<"}},
	} {
		svg, err := plot.SVG(c.figure)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(svg, new(struct{})); err != nil {
			t.Errorf("not well formed: %v", err)
		}
		for _, want := range c.want {
			if !bytes.Contains(svg, []byte(want)) {
				t.Errorf("%T: svg lacks %q", c.figure, want)
			}
		}
		for _, bad := range []string{"NaN", "+Inf", "-Inf", "e+0"} {
			if bytes.Contains(svg, []byte(bad)) {
				t.Errorf("%T: svg holds %q", c.figure, bad)
			}
		}
	}
}

// What cannot be shown is an error, not an empty or a wrong figure.
func TestRefused(t *testing.T) {
	nan := math.NaN()
	line := func(x, y []float64) []plot.Line { return []plot.Line{{X: x, Y: y}} }
	panel := func(p plot.Panel) plot.Figure {
		return plot.Panels{Frame: plot.Frame{Title: "t"}, Grid: []plot.Panel{p}}
	}
	wrong := budget()
	wrong.Total.Value = 2
	for name, c := range map[string]struct {
		figure plot.Figure
		empty  bool
	}{
		"no panels":       {plot.Panels{}, true},
		"gaps only":       {panel(plot.Panel{Lines: line([]float64{1, 2}, []float64{nan, nan})}), true},
		"bars of nothing": {panel(plot.Panel{Bars: []plot.Estimate{{Label: "1", Value: nan, Low: nan, High: nan}}}), true},
		"no effects":      {plot.Forest{Groups: []plot.EffectGroup{{Effects: []plot.Estimate{{Value: nan}}}}}, true},
		"no steps":        {plot.Waterfall{}, true},
		"no rows":         {plot.Timeline{Last: 3, Groups: []plot.TimelineGroup{{Title: "x"}}}, true},
		"beyond the end":  {plot.Timeline{Last: 3, Groups: []plot.TimelineGroup{{Rows: [][]plot.Bar{{{From: 2, To: 4}}}}}}, false},
		"unequal columns": {panel(plot.Panel{Lines: line([]float64{1, 2}, []float64{1})}), false},
		"log of zero":     {panel(plot.Panel{Lines: line([]float64{1, 2}, []float64{0, 1}), Log: true}), false},
		"a wrong sum":     {wrong, false},
	} {
		for format, encode := range map[string]func(plot.Figure) ([]byte, error){"svg": plot.SVG, "png": plot.PNG} {
			if _, err := encode(c.figure); err == nil || errors.Is(err, plot.ErrNoData) != c.empty {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
}

// TestNothingTouchesTheEdge checks that the outermost pixels stay white:
// whatever is cut off would leave ink there.
func TestNothingTouchesTheEdge(t *testing.T) {
	for name, fig := range all() {
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
				if x == b.Min.X+5 && y > b.Min.Y+4 && y < b.Max.Y-5 {
					x = b.Max.X - 5
				}
				if r, g, bl, _ := img.At(x, y).RGBA(); r != 0xffff || g != 0xffff || bl != 0xffff {
					t.Fatalf("%s: ink at the edge (%d, %d)", name, x, y)
				}
			}
		}
	}
}

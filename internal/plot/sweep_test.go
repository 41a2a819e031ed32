package plot_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/plot"
)

// ranking has forty rows, names too long for a line, a bar without an interval, one that is not known, and an interval beyond the axis.
func ranking() plot.Ranking {
	r := plot.Ranking{
		Frame: plot.Frame{Title: "Shares of the variance", Source: "Source: test"}, XLabel: "share of the variance, %",
		Series: []string{"total", "first order"}, MarkName: "mean", Most: 90, Rule: &plot.Rule{Name: "nothing", At: 3, Low: 1, High: 5},
	}
	for k := range 40 {
		v := 60 / float64(k+1)
		row := plot.RankingRow{Label: fmt.Sprintf("factor %d", k+1), Text: fmt.Sprintf("%.1f %%", v), Mark: -v / 2, Faint: k > 20}
		row.Bars = []plot.Estimate{{Value: v, Low: v / 2, High: 2 * v}, {Value: -v / 3, Low: math.NaN(), High: math.NaN()}}
		r.Rows = append(r.Rows, row)
	}
	r.Rows[2].Label = strings.Repeat("a name of many words ", 5)
	r.Rows[3].Bars[0], r.Rows[4].Mark = plot.Estimate{Value: math.NaN()}, math.NaN()
	return r
}

func tornado() plot.Tornado {
	nan := math.NaN()
	return plot.Tornado{
		Frame: plot.Frame{Title: "What each factor does alone", Source: "Source: test"}, XLabel: "currency units", Base: 2.5e6,
		Names: [2]string{"at its lowest value", "at its highest value"},
		Rows: []plot.TornadoRow{
			{Label: "VAT: 5 to 25 %", Low: plot.Estimate{Value: 2.6e6, Low: 2.55e6, High: 2.65e6}, High: plot.Estimate{Value: 2.2e6, Low: 2.1e6, High: 2.3e6},
				Least: 2.2e6, Most: 2.6e6, Text: "400 k"},
			{Label: "both on one side", Low: plot.Estimate{Value: 2.4e6, Low: nan, High: nan}, High: plot.Estimate{Value: 2.45e6, Low: nan, High: nan},
				Least: 2.35e6, Most: 2.5e6, Text: "150 k"},
			{Label: "not known", Low: plot.Estimate{Value: nan, Low: nan, High: nan}, High: plot.Estimate{Value: nan, Low: nan, High: nan}, Least: nan, Most: nan, Text: "–"},
		},
	}
}

func heatmap(difference bool) plot.Heatmap {
	h := plot.Heatmap{
		Frame: plot.Frame{Title: "Two factors", Source: "Source: test"}, XLabel: "VAT, %", YLabel: "Wage step, % per month", Unit: "difference, % of control",
		X: plot.Cells{Names: []string{"5", "10", "15"}}, Y: plot.Cells{Names: []string{"0.1", "1", "10"}, Bounds: true}, Difference: difference,
		Values: [][]float64{{-3, 1, 2}, {math.NaN(), -1, 4}}, Texts: [][]string{{"−3", "+1", "+2"}, {"", "−1", "+4"}},
		Notes: [][]string{{"n=1", "n=2", "n=3"}, {"n=0", "n=5", "n=6"}},
	}
	return h
}

// wide has more cells than numbers fit into.
func wide() plot.Heatmap {
	h := plot.Heatmap{Frame: plot.Frame{Title: "Many cells"}, XLabel: "x", YLabel: "y", Unit: "currency units", Texts: make([][]string, 24)}
	for k := range 24 {
		h.X.Names, h.Y.Names = append(h.X.Names, fmt.Sprint(1000*k)), append(h.Y.Names, fmt.Sprint(k))
		var row []float64
		for i := range 24 {
			row = append(row, 1e6*float64(k+i))
			h.Texts[k] = append(h.Texts[k], "1234567")
		}
		h.Values = append(h.Values, row)
	}
	return h
}

// The line between signs, hatched cells and numbers tell in grey print what colours do.
func TestHeatmapInGrey(t *testing.T) {
	svg := func(h plot.Heatmap) string {
		t.Helper()
		data, err := plot.SVG(h)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	signs := func(s string) int { return strings.Count(s, "stroke-width:1.6") }
	difference, levels := svg(heatmap(true)), svg(heatmap(false))
	if a, b := signs(difference), signs(levels); a != 3 || b != 0 {
		t.Errorf("%d lines between signs, and %d of levels", a, b)
	}
	for _, text := range []string{">−3<", ">n=6<", ">VAT, %<", ">Wage step, % per month<", ">10<", ">difference, % of control<"} {
		if !strings.Contains(difference, text) {
			t.Errorf("no %s", text)
		}
	}
	if strings.Contains(difference, ">n=0<") || strings.Contains(svg(wide()), "1234567") || !strings.Contains(svg(wide()), ">million currency units<") {
		t.Error("texts in a cell without points, or where they do not fit, or no magnitude")
	}
}

func TestSweepFiguresRefused(t *testing.T) {
	short := heatmap(true)
	short.Values = short.Values[:1]
	uneven := heatmap(true)
	uneven.Texts = [][]string{{"a"}, {"b"}}
	empty := heatmap(true)
	empty.Values = [][]float64{{math.NaN(), math.NaN(), math.NaN()}, {math.NaN(), math.NaN(), math.NaN()}}
	bars := ranking()
	bars.Rows[0].Bars = bars.Rows[0].Bars[:1]
	for name, c := range map[string]struct {
		figure plot.Figure
		empty  bool
	}{
		"a row too few":  {short, false},
		"other texts":    {uneven, false},
		"no cell":        {empty, true},
		"bars too few":   {bars, false},
		"no rows":        {plot.Ranking{}, true},
		"no base":        {plot.Tornado{Base: math.NaN(), Rows: tornado().Rows}, true},
		"nothing moves":  {plot.Tornado{Rows: tornado().Rows[2:]}, true},
		"log of nothing": {plot.Panels{Grid: []plot.Panel{{LogX: true, Lines: []plot.Line{{X: []float64{0, 1}, Y: []float64{1, 1}}}}}}, false},
	} {
		if _, err := plot.SVG(c.figure); err == nil || errors.Is(err, plot.ErrNoData) != c.empty {
			t.Errorf("%s: %v", name, err)
		}
	}
	level := tornado() // all outcomes are the base: it is drawn, without a width of zero
	for k := range level.Rows {
		level.Rows[k] = plot.TornadoRow{Label: "same", Low: plot.Estimate{Value: 2.5e6}, High: plot.Estimate{Value: 2.5e6}}
	}
	if _, err := plot.SVG(level); err != nil {
		t.Error(err)
	}
}

func TestPanelWithLogarithmicPlaces(t *testing.T) {
	fig := plot.Panels{Frame: plot.Frame{Title: "t"}, Grid: []plot.Panel{{LogX: true, Marks: []float64{3}, Lines: []plot.Line{
		{X: []float64{.1, 1, 10}, Y: []float64{1, 2, 3}},
	}}}}
	svg, err := plot.SVG(fig)
	if err != nil {
		t.Fatal(err)
	}
	fig.Grid[0].Marks = nil
	without, _ := plot.SVG(fig)
	for _, tick := range []string{">0.1<", ">1<", ">10<"} {
		if !strings.Contains(string(svg), tick) {
			t.Errorf("no tick %s", tick)
		}
	}
	if len(svg) <= len(without) {
		t.Error("a mark leaves no trace")
	}
}

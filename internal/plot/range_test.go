package plot

import (
	"math"
	"testing"
)

// The axes hold all that is drawn: lines, both bands, points, bars with their intervals,
// the steps of a waterfall.
func TestAxesHoldAllData(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]Panel{
		"bands": {
			Lines: []Line{
				{
					X: []float64{1, 2, 3}, Y: []float64{1, nan, 2}, Lower: []float64{0, nan, 1}, Upper: []float64{2, nan, 9},
					OuterLower: []float64{-7, nan, 1}, OuterUpper: []float64{3, nan, 11},
				},
			},
		},
		"points": {
			Clouds: []Cloud{{X: []float64{-2, 5, nan}, Y: []float64{3, -8, 100}}}, Lines: []Line{{X: []float64{0, 7}, Y: []float64{0, 4}}},
		},
		"bars":  {Bars: []Estimate{{Value: 3, Low: -4, High: 10}, {Value: nan, Low: nan, High: nan}}},
		"logs":  {Clouds: []Cloud{{X: []float64{1, 900}, Y: []float64{.01, 100}}}, Log: true},
		"large": {Lines: []Line{{X: []float64{1, 2}, Y: []float64{-3e7, 5e7}}}, Zero: true},
		"flat":  {Lines: []Line{{X: []float64{1, 2}, Y: []float64{4, 4}}}},
		"alone": {Lines: []Line{{X: []float64{1}, Y: []float64{4}}}},
	} {
		axes := p.axes("", Panels{Grid: []Panel{p}})
		divisor, _ := p.scale()
		xLow, xHigh := p.xRange()
		yLow, yHigh := p.yRange()
		if !(axes.X.Min <= xLow && xHigh <= axes.X.Max && axes.X.Min < axes.X.Max) {
			t.Errorf("%s: x from %g to %g, axis from %g to %g", name, xLow, xHigh, axes.X.Min, axes.X.Max)
		}
		if !(axes.Y.Min <= yLow/divisor && yHigh/divisor <= axes.Y.Max && axes.Y.Min < axes.Y.Max) {
			t.Errorf("%s: y from %g to %g, axis from %g to %g", name, yLow, yHigh, axes.Y.Min, axes.Y.Max)
		}
		if p.Bars != nil && !(axes.Y.Min <= 0 && 0 <= axes.Y.Max) {
			t.Errorf("%s: bars without their zero", name)
		}
	}
	f := Waterfall{Steps: []Estimate{{"a", 3, 2, 4}, {"b", -5, -9, -1}}, Total: Estimate{"sum", -2, -6, 2}}
	if low, high := f.xRange(); low > -6 || high < 4 {
		t.Errorf("waterfall from %g to %g", low, high)
	}
}

// A vague effect does not press the clear ones together, and is said to go on; clear ones
// are never cut.
func TestVagueEffectsAreCut(t *testing.T) {
	clear := []Estimate{{Value: 5, Low: 4, High: 6}, {Value: -2, Low: -3, High: -1}}
	g := EffectGroup{Effects: append(clear, Estimate{Value: 50, Low: -300, High: 400})}
	if low, high := g.xRange(); low > -3 || high < 6 || low < -10 || high > 10 || !g.Cut() {
		t.Errorf("from %g to %g, cut %v", low, high, g.Cut())
	}
	if g.Effects = clear; g.Cut() {
		t.Error("clear effects are cut")
	}
	g.Effects = []Estimate{{Value: 1, Low: -30, High: 40}}
	if low, high := g.xRange(); low > -30 || high < 40 || g.Cut() {
		t.Errorf("without clear effects from %g to %g, cut %v", low, high, g.Cut())
	}
}

func TestWrap(t *testing.T) {
	sty := textStyle(tickSize, false)
	const text = "one two three four five six seven eight nine ten"
	lines := wrap(text, sty, sty.Width(text)*0.7)
	if len(lines) != 2 {
		t.Fatalf("lines %q", lines)
	}
	if a, b := sty.Width(lines[0]), sty.Width(lines[1]); math.Abs(float64(a-b)) > 0.2*float64(a) {
		t.Errorf("unlike lines %q", lines)
	}
	if len(wrap("", sty, 100)) != 0 || len(wrap("unbreakable", sty, 1)) != 1 {
		t.Error("nothing, or a word alone")
	}
}

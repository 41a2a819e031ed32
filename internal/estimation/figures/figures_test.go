package figures_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/estimation"
	"econ-mcp/internal/estimation/figures"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
)

// posterior is one of three parameters, of which the first and the last go together.
func posterior() *estimation.Posterior {
	r := &estimation.Posterior{Scenario: "baseline", Hash: "0123456789abcdef", Households: 1000, Months: 672, Seed: 1, Economies: 90}
	names := []estimation.Parameter{
		{Name: "government_employment_share", Low: .05, High: .3}, {Name: "benefit_months", Low: 6, High: 24},
		{Name: "wage_adjustment_rate", Low: .005, High: .2},
	}
	random := rand.New(rand.NewPCG(1, 2))
	var draws [][]float64
	for range 400 {
		x := random.Float64()
		draws = append(draws, []float64{x, random.Float64(), min(1, max(0, x/2+.2*random.Float64()))})
	}
	r.Chains = &bayes.Chains{Draws: [][][]float64{draws}}
	for _, x := range draws {
		var row []float64
		for k, p := range names {
			row = append(row, p.Value(x[k]))
		}
		r.Draws = append(r.Draws, row)
	}
	for _, p := range names {
		r.Parameters = append(r.Parameters, estimation.Marginal{
			Parameter: p, Own: p.Value(.4), Low50: p.Value(.25), High50: p.Value(.75), Low90: p.Value(.05), High90: p.Value(.95),
		})
	}
	r.Predictive = []estimation.Predicted{
		{Moment: "sd Y", Counts: true, Target: .02, Low90: .01, High90: .018, Draws: 50},
		{Moment: "sd C", Target: .5, Low90: .01, High90: .018, Draws: 50, Failed: true},
		{Moment: "few", Counts: true, Target: 1, Low90: 0, High90: 2, Draws: 3},
		{Moment: "fact", Counts: true, Band: true, Target: .1, TargetLow: .1, TargetH: math.Inf(1), Low90: .05, High90: .2, Draws: 50},
	}
	return r
}

func svg(t *testing.T, f plot.Captioned) string {
	t.Helper()
	data, err := plot.SVG(f.Figure)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return string(data)
}

// All figures are drawn in both languages, with the parameters by their names, and the same posterior gives the same bytes.
func TestFigures(t *testing.T) {
	for language, words := range map[string][]string{
		report.English: {"Months of unemployment benefit", "Correlation 0.9", "sd Y", "sd C", "90 % interval"},
		report.Chinese: {"后验", "相关系数 0.9", "sd Y", "sd C", "90 %区间"},
	} {
		list := figures.Of(posterior(), language)
		var names []string
		var text strings.Builder
		for k, f := range list {
			names = append(names, f.Name)
			text.WriteString(svg(t, f))
			if f.Caption == "" {
				t.Errorf("%s has no caption", f.Name)
			}
			if again := figures.Of(posterior(), language)[k]; svg(t, again) != svg(t, f) {
				t.Errorf("%s changes", f.Name)
			}
		}
		if want := []string{"marginals", "pairs", "predictive", "predictive-others"}; !slices.Equal(names, want) {
			t.Errorf("figures %q", names)
		}
		for _, word := range words {
			if !strings.Contains(text.String(), word) {
				t.Errorf("no %q in the figures", word)
			}
		}
		if strings.Contains(text.String(), ">few<") {
			t.Error("a moment of three economies is shown")
		}
	}
}

// The density of a posterior is held against that of the prior: where draws are twice as dense as in the prior it is about 2, and its mean
// over the range is 1. Of whole numbers each has a step.
func TestMarginals(t *testing.T) {
	r := posterior()
	var half [][]float64
	for i := range 2000 {
		half = append(half, []float64{(float64(i) + .5) / 4000, .5 + .01*float64(i%2), .5}) // the lower half; months 15 and 16
	}
	r.Chains = &bayes.Chains{Draws: [][][]float64{half}}
	panels := figures.Of(r, report.English)[0].Figure.(plot.Panels)
	line := panels.Grid[0].Lines[0]
	area := 0.
	for i := 1; i < len(line.X); i++ {
		area += (line.X[i] - line.X[i-1]) * (line.Y[i] + line.Y[i-1]) / 2
	}
	if at := line.Y[len(line.Y)/4]; math.Abs(at-2) > .05 || math.Abs(area/25-1) > .02 {
		t.Errorf("density %g at a quarter of the range, mean %g", at, area/25)
	}
	months := panels.Grid[1].Lines[0]
	if len(months.X) != 2*19 || slices.Max(months.Y) < 18 {
		t.Errorf("whole numbers: %d points, up to %g", len(months.X), slices.Max(months.Y))
	}
	if !panels.Grid[2].LogX || panels.Grid[0].LogX {
		t.Error("logs are not those of the priors")
	}
}

// Nothing is left of the prior: there is nothing to draw. Of one parameter there are no pairs.
func TestFewFigures(t *testing.T) {
	if list := figures.Of(&estimation.Posterior{Empty: true}, report.English); list != nil {
		t.Errorf("%d figures of no posterior", len(list))
	}
	r := posterior()
	r.Parameters, r.Predictive = r.Parameters[:1], nil
	if list := figures.Of(r, report.English); len(list) != 1 || !bytes.Contains([]byte(list[0].Caption), []byte("Posterior and prior")) {
		t.Errorf("%d figures of one parameter", len(list))
	}
}

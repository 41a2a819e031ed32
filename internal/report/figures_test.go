package report_test

import (
	"bytes"
	"context"
	"image/png"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// figuresOf are the figures of a study over the second half of its months.
func figuresOf(t *testing.T, s *tables.Study) report.Figures {
	t.Helper()
	f := report.Figures{Title: s.Name, From: studyMonths/2 + 1, To: studyMonths, Confidence: .95, Source: report.Source{
		What: "experiment", Name: s.Name, Replications: len(s.Seeds), Seed: s.Seed, ModelVersion: "0.1", Months: studyMonths,
		Households: s.Households,
	}}
	for _, arm := range s.Arms {
		figure := report.FigureArm{Name: arm.Name, Panel: arm.Panel, Sizes: arm.Sizes, Began: arm.Began}
		for _, m := range arm.Window {
			figure.Groups = append(figure.Groups, &m.Groups)
		}
		f.Arms = append(f.Arms, figure)
	}
	if len(s.Arms) > 1 {
		f.Effects = inference.Effects(s.Arms[1].Name, s.Arms[0].Panel, s.Arms[1].Panel, f.From, f.To, .95)
	}
	return f
}

func names(list []report.NamedFigure) (out []string) {
	for _, f := range list {
		out = append(out, f.Name)
	}
	return out
}

func TestFigures(t *testing.T) {
	f := figuresOf(t, mustStudy(t))
	if got := names(f.Report(context.Background())); !slices.Equal(
		got,
		[]string{"effects", "differences", "overview", "deciles", "budget", "relations", "lorenz", "firm_sizes"},
	) {
		t.Errorf("figures of a report: %v", got)
	}
	list := f.All(context.Background())
	for _, want := range []string{"output", "unemployment", "inflation_and_policy_rate", "wages", "public_debt", "inequality"} {
		if !slices.Contains(names(list), want) {
			t.Errorf("no figure %q", want)
		}
	}
	again := f.All(context.Background())
	for k, figure := range list {
		svg, err := plot.SVG(figure.Figure)
		if err != nil {
			t.Fatal(figure.Name, err)
		}
		for _, want := range []string{
			"Source: econ-mcp, experiment vat; 3 replications", "base seed 1", "model 0.1", "1,000 households",
		} {
			if !strings.Contains(lines(svg), want) {
				t.Errorf("%s lacks %q", figure.Name, want)
			}
		}
		if strings.Contains(string(svg), "NaN") || figure.Caption("en") == "" || !strings.Contains(figure.Caption("zh"), "。") {
			t.Errorf("%s: %q, %q", figure.Name, figure.Caption("en"), figure.Caption("zh"))
		}
		if twice, err := plot.SVG(again[k].Figure); err != nil || !bytes.Equal(svg, twice) {
			t.Errorf("%s: drawn again it differs, %v", figure.Name, err)
		}
	}
	for _, figure := range f.Report(context.Background())[:2] {
		data, err := plot.PNG(figure.Figure)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Error(figure.Name, err)
		}
	}
	if caption := f.Report(context.Background())[2].Caption("en"); !strings.Contains(caption, "intervention (month 3)") {
		t.Errorf("the intervention is not marked: %s", caption)
	}
}

// Figures in Chinese have no word of English but names, and no letter that the fonts lack.
func TestFiguresInChinese(t *testing.T) {
	f := figuresOf(t, mustStudy(t))
	f.Language = report.Chinese
	english := regexp.MustCompile(`[A-Za-z]{2,}`)
	for _, figure := range f.All(context.Background()) {
		svg, err := plot.SVG(figure.Figure)
		if err != nil {
			t.Fatal(figure.Name, err)
		}
		for _, line := range strings.Split(string(svg), "</text>") {
			line = strings.TrimSpace(line[strings.LastIndex(line, ">")+1:])
			if missing := missing(t, line); missing != "" {
				t.Errorf("%s: no letters %q for %q", figure.Name, missing, line)
			}
			for _, word := range english.FindAllString(line, -1) {
				if !slices.Contains([]string{"econ", "mcp", "vat", "sup", "GDP", "HHI"}, word) {
					t.Errorf("%s: %q in %q", figure.Name, word, line)
				}
			}
		}
		if caption := figure.Caption(report.Chinese); strings.Contains(caption, "依次为") || strings.Contains(caption, "Levels") {
			t.Errorf("%s: its caption translates it: %s", figure.Name, caption)
		}
	}
	if list := missing(t, "税 €"); list != "€" {
		t.Errorf("missing letters %q", list)
	}
}

// missing are the letters of a text that the Chinese font of figures lacks: they would be drawn
// as boxes.
func missing(t *testing.T, s string) (letters string) {
	t.Helper()
	data, err := os.ReadFile("../plot/font/NotoSansCJKsc-subset.otf")
	if err != nil {
		t.Fatal(err)
	}
	font, err := sfnt.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s {
		if at, err := font.GlyphIndex(nil, r); err != nil || at == 0 {
			letters += string(r)
		}
	}
	return letters
}

// lines are the texts of a figure, joined as they follow each other.
func lines(svg []byte) string {
	var out []string
	for _, part := range strings.Split(string(svg), "</text>") {
		out = append(out, part[strings.LastIndex(part, ">")+1:])
	}
	return strings.Join(out, " ")
}

// What the data do not allow is left out.
func TestFiguresThatDataDoNotAllow(t *testing.T) {
	study := mustStudy(t)
	cut := func(arms, replications, months int) report.Figures {
		s := *study
		s.Arms = slices.Clone(study.Arms[:arms])
		for k := range s.Arms {
			arm := &s.Arms[k]
			arm.Panel, arm.Window, arm.Sizes = arm.Panel[:replications], arm.Window[:replications], arm.Sizes[:replications]
			var panel tables.Panel
			for _, series := range arm.Panel {
				short := new([sim.NumOutcomes][]float64)
				for i := range short {
					short[i] = series[i][:months]
				}
				panel = append(panel, short)
			}
			arm.Panel = panel
		}
		f := figuresOf(t, &s)
		f.From, f.To = min(f.From, months), months
		return f
	}
	for _, c := range []struct {
		name                       string
		arms, replications, months int
		want                       []string
	}{
		{"one arm", 1, 3, studyMonths, []string{"overview", "relations", "lorenz", "firm_sizes"}},
		{"one pair", 2, 1, studyMonths, []string{"differences", "overview", "relations", "lorenz", "firm_sizes"}},
		{"a month", 1, 1, 1, []string{"overview", "lorenz", "firm_sizes"}},
		{"no month", 1, 1, 0, nil},
	} {
		f := cut(c.arms, c.replications, c.months)
		if got := names(f.Report(context.Background())); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, figure := range f.All(context.Background()) {
			if _, err := plot.SVG(figure.Figure); err != nil {
				t.Errorf("%s: %s: %v", c.name, figure.Name, err)
			}
		}
	}
	pair := cut(2, 1, studyMonths)
	if caption := pair.Report(context.Background())[0].Caption("en"); !strings.Contains(caption, "may be chance") {
		t.Errorf("one pair: %s", caption)
	}
	without := cut(2, 3, studyMonths)
	for k := range without.Arms {
		without.Arms[k].Groups, without.Arms[k].Sizes = nil, nil
	}
	if got := names(without.Report(context.Background())); !slices.Equal(
		got, []string{"effects", "differences", "overview", "budget", "relations"},
	) {
		t.Errorf("without groups and sizes: %v", got)
	}
}

// The items of the budget add up to the change of the balance, and the balance is what the
// public debt falls by.
func TestBudgetAddsUp(t *testing.T) {
	s := mustStudy(t)
	f := figuresOf(t, s)
	var budget plot.Waterfall
	for _, figure := range f.Report(context.Background()) {
		if figure.Name == "budget" {
			budget = figure.Figure.(plot.Waterfall)
		}
	}
	sum := 0.0
	for _, step := range budget.Steps {
		sum += step.Value
	}
	balance := func(panel tables.Panel) (total float64) { // what the public debt falls by
		debt := func(series *[sim.NumOutcomes][]float64, month int) (x float64) {
			for m := month - 12; m < month; m++ {
				x += series[sim.DebtToGDP][month-1] * series[sim.NominalGDP][m]
			}
			return x
		}
		for _, series := range panel {
			gdp := 0.0
			for m := f.From - 1; m < f.To; m++ {
				gdp += series[sim.NominalGDP][m]
			}
			total += 100 * (debt(series, f.From-1) - debt(series, f.To)) / gdp / float64(len(panel))
		}
		return total
	}
	want := balance(s.Arms[1].Panel) - balance(s.Arms[0].Panel)
	checkNear(t, "sum of the items", sum, want, 1e-9)
	checkNear(t, "balance", budget.Total.Value, want, 1e-9)
	for _, step := range append(budget.Steps, budget.Total) {
		rare := step.Label == "Capital for banks" && math.IsNaN(step.Low) // banks failed in one pair
		if !(step.Low <= step.Value && step.Value <= step.High) && !rare || step.Label == "VAT" && !(step.Low > 0) {
			t.Errorf("step %+v", step)
		}
		if step.Label == "Other taxes" && math.Abs(step.Value) > 1e-9 {
			t.Errorf("taxes without a name: %+v", step)
		}
	}
}

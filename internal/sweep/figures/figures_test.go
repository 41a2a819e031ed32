package figures_test

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
	"econ-mcp/presets"
)

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const asked = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}, {policy: stimulus, level: 1%, from: 2}]}}
  outcomes: [{metric: real_gdp, window: [1, 3]}, {metric: deficit_to_gdp, window: [3, 3]}, {metric: bank_failures, window: [1, 3]}]
  design: {months: 3, replications: 2, burn_in: 6}
`

const two = `factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  arms.vat.events[1].level: {from: 0.1%, to: 2%, log: true}
`

// swept simulates a design.
func swept(t *testing.T, text string) (*sweep.Plan, *sweep.Results, []sweep.Sensitivity) {
	t.Helper()
	d, err := sweep.Read([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.NewPlan(t.Context(), d, builtIn{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if _, err := (sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: folder}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	known, err := sweep.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Results(known)
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Analyse(r)
	if err != nil {
		t.Fatal(err)
	}
	return p, r, found
}

func svg(t *testing.T, f figures.Figure) string {
	t.Helper()
	data, err := plot.SVG(f.Figure)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	again, _ := plot.SVG(f.Figure)
	if !bytes.Equal(data, again) {
		t.Errorf("%s: two drawings differ", f.Name)
	}
	for _, bad := range []string{"NaN", "Inf", "%!"} {
		if bytes.Contains(data, []byte(bad)) || strings.Contains(f.Caption, bad) {
			t.Errorf("%s holds %q", f.Name, bad)
		}
	}
	return strings.Join(texts.FindAllString(string(data), -1), "\n")
}

var texts = regexp.MustCompile(`>[^<>]+</text>`)

// Each kind of design gets what it allows, and the names, units and notes say what is shown.
func TestFiguresOfDesigns(t *testing.T) {
	all := []string{"tornado", "response", "heatmap"}
	for name, c := range map[string]struct {
		design  string
		kinds   []string
		tornado []string // texts in that of the real GDP
	}{
		"one at a time": {two + "design: {kind: one_at_a_time, levels: 3}\n", all[:2],
			[]string{">VAT (vat, event 1): 5 to 25 %<", "level (vat, event 2): 0.1 to 2 %<", ">difference, % of the control<",
				"the outcome at the base point"}},
		"grid": {two + "design: {kind: factorial, levels: 3}\n", all, []string{">Main effects<", ">VAT (vat, event 1): 5 to 25 %<",
			"mean of all points"}},
		"screening": {two + "design: {kind: morris, trajectories: 3}\n", all, []string{">VAT (vat, event 1)<", ">σ ", ">mean size μ*<"}},
		"variance": {two + "design: {kind: sobol_indices, points: 8}\n", all, []string{">first order<",
			">total of a factor that changes nothing<"}},
		"sample":     {two + "design: {kind: latin_hypercube, points: 24}\n", all, []string{">PAWN<", ">δ<", ">index, 0 to 1<"}},
		"few points": {two + "design: {kind: latin_hypercube, points: 9}\n", all[1:], nil},
		"one factor": {"factors: {vat_rate: {values: [5%, 6%, 20%]}}\ndesign: {kind: factorial}\n", all[:2], []string{">VAT: 5 to 20 %<"}},
		"event numbers": {"factors:\n  arms.vat.events[1].level: {from: 0.1%, to: 2%}\n  arms.vat.events[1].from: {from: 1, to: 3}\n" +
			"design: {kind: factorial, levels: 2}\n",
			all, []string{"level (vat, event 2): 0.1 to 2 %<", "start (vat, event 2): 1 to 3<"}},
	} {
		p, r, found := swept(t, asked+c.design)
		list, left := figures.Of(p, r, found, "test", report.English)
		var names, want []string
		for _, quantity := range []string{"real_gdp-1-3-vat-", "deficit_to_gdp-3-3-vat-"} {
			for _, kind := range c.kinds {
				want = append(want, quantity+kind)
			}
		}
		for _, f := range list {
			names = append(names, f.Name)
			text := svg(t, f)
			if !strings.Contains(text, "Source: econ-mcp, sweep test (design "+p.Hash[:12]) || !strings.Contains(text, "600 households.") {
				t.Errorf("%s, %s: no source in %s", name, f.Name, text)
			}
			if f.Name == "real_gdp-1-3-vat-tornado" {
				for _, part := range c.tornado {
					if !strings.Contains(text, part) {
						t.Errorf("%s: %q is not in %s", name, part, text)
					}
				}
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: figures %q, want %q", name, names, want)
		}
		if len(left) != 1 || !strings.HasPrefix(left[0], "bank_failures 1-3 vat - control: it ") {
			t.Errorf("%s: left out %q", name, left)
		}
	}
}

// In Chinese no letter is of an alphabet that the Chinese font lacks.
func TestFiguresInChinese(t *testing.T) {
	for _, design := range []string{"{kind: one_at_a_time, levels: 3}", "{kind: morris, trajectories: 3}",
		"{kind: latin_hypercube, points: 24}", "{kind: sobol_indices, points: 8}"} {
		p, r, found := swept(t, asked+two+"design: "+design+"\n")
		list, _ := figures.Of(p, r, found, "test", report.Chinese)
		for _, f := range list {
			text := svg(t, f)
			if !strings.Contains(text, "来源：econ-mcp，参数扫描 test") {
				t.Errorf("%s: %s", f.Name, text)
			}
			if at := strings.IndexFunc(text+f.Caption, func(r rune) bool { return unicode.Is(unicode.Greek, r) }); at >= 0 {
				t.Errorf("%s has Greek letters: %s", f.Name, text)
			}
		}
	}
}

// A point without a number leaves a gap, and factors then keep their order.
func TestFiguresWithGaps(t *testing.T) {
	p, r, _ := swept(t, asked+two+"design: {kind: latin_hypercube, points: 24}\n")
	for _, k := range []int{0, 7, 8} {
		r.Values[0][k] = math.NaN()
	}
	found, err := p.Analyse(r)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := figures.Of(p, r, found, "test", report.English)
	var names []string
	for _, f := range list {
		svg(t, f)
		names = append(names, f.Name)
	}
	if !slices.Contains(names, "real_gdp-1-3-vat-response") || slices.Contains(names, "real_gdp-1-3-vat-tornado") ||
		!slices.Contains(names, "deficit_to_gdp-3-3-vat-tornado") {
		t.Errorf("figures %q", names)
	}
}

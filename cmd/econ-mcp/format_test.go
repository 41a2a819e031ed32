package main

import (
	"math"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{number(sim.UnemploymentRate, 0.0643), "6.43 %"},
		{number(sim.UnemploymentRate, nan), absent},
		{number(sim.RealGDP, 31_240_000), "31.24 M"},
		{number(sim.RealGDP, 3_124), "3,124"},
		{number(sim.RealGDP, 31_240), "31.24 k"},
		{number(sim.RealGDP, -2.5e9), "−2.50 G"},
		{number(sim.WealthGini, 0.64), "0.6400"},
		{number(sim.CPI, 104.26), "104.3"},
		{difference(sim.UnemploymentRate, 0.012), "+1.20 pp"},
		{difference(sim.UnemploymentRate, -0.012), "−1.20 pp"},
		{difference(sim.RealGDP, math.Inf(1)), absent},
		{signed(-0.0001, 2), "0.00"},
		{signed(-1234567.891, 1), "−1,234,567.9"},
		{percent(1e-9, 1), "0.0 %"},
		{bytesText(2_500_000_000), "2.5 GB"},
		{plural(1, "month"), "1 month"},
		{plural(10_000, "month"), "10,000 months"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
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
		if got := sparkline(c.series, c.width); got != c.want {
			t.Errorf("sparkline(%v, %d) = %q, want %q", c.series, c.width, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	if got, want := wrap("one two  three four", 9, " "), " one two\n three\n four"; got != want {
		t.Errorf("wrap = %q, want %q", got, want)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, 中文 – 95 %": "plain, 中文 – 95 %",
		"\x1b[31mred":      `\x1b[31mred`,
		"two\nlines":       `two\nlines`,
		"it's \u202e":      `it's \u202e`,
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
	if got, want := wrap("one\n\x1b[2Jtwo", 40, ""), `one \x1b[2Jtwo`; got != want {
		t.Errorf("wrap = %q, want %q", got, want)
	}
}

func TestStandard(t *testing.T) {
	for _, c := range []struct {
		settings     []setting
		replications int
		want         bool
	}{
		{nil, standardReplications, true},
		{[]setting{{"max_concurrent_tasks", "2"}}, standardReplications, true},
		{nil, 2, false},
		{[]setting{{"num_households", "5000"}}, standardReplications, false},
		{[]setting{{"num_iterations", "240"}}, standardReplications, false},
		{[]setting{{"vat_rate", "0.1"}}, standardReplications, false},
		{[]setting{{"random_state", "2"}}, standardReplications, false},
	} {
		settings := append([]setting{{"num_iterations", "600"}}, c.settings...)
		arms, err := choice{preset: "baseline", settings: settings}.arms()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := standard(arms[0].Scenario, c.replications); err != nil || got != c.want {
			t.Errorf("%v, %d replications: standard %v, %v", c.settings, c.replications, got, err)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
		kind     fault.Kind
	}{
		{"", 1, 120, ""},
		{"13:24", 13, 24, ""},
		{"120:120", 120, 120, ""},
		{"0:24", 0, 0, fault.OutOfRange},
		{"24:13", 0, 0, fault.OutOfRange},
		{"1:121", 0, 0, fault.OutOfRange},
		{"1-24", 0, 0, fault.WrongType},
		{"1:24x", 0, 0, fault.WrongType},
		{"1:2:3", 0, 0, fault.WrongType},
		{" 1:24", 0, 0, fault.WrongType},
		{"99999999999999999999:1", 0, 0, fault.WrongType},
	} {
		from, to, err := parseWindow(c.text, 120)
		if fault.KindOf(err) != c.kind || from != c.from || to != c.to {
			t.Errorf("parseWindow(%q) = %d, %d, %v; want %d, %d, %q", c.text, from, to, err, c.from, c.to, c.kind)
		}
	}
}

func TestAnnualGrowth(t *testing.T) {
	series := make([]float64, 36)
	for m := range series {
		series[m] = 100 * math.Pow(1.02, float64(m)/12)
	}
	if got := annualGrowth(series); math.Abs(got-0.02) > 1e-12 {
		t.Errorf("annualGrowth = %v, want 0.02", got)
	}
	if got := annualGrowth(series[:18]); !math.IsNaN(got) {
		t.Errorf("annualGrowth of 18 months = %v, want NaN", got)
	}
}

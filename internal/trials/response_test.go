package trials

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/data"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// tiny is an economy that takes a second for fifty years.
func tiny(tb testing.TB) scenario.Scenario {
	tb.Helper()
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths = 600, 12
	return scenario.New("tiny", p)
}

// Every fact of the file is measured, by one number a part, and the threads change nothing.
func TestResponses(t *testing.T) {
	hold := func(threads int) *Table {
		table, err := Responses(t.Context(), tiny(t), 2, threads, run.Cache{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := hold(2)
	if len(table.Facts) != 18 || table.Months != fiftyYears {
		t.Fatalf("%d facts, %d months", len(table.Facts), table.Months)
	}
	for _, f := range table.Facts {
		for _, p := range f.Parts {
			if len(p.Values) != 2 || !p.Computed() && f.Number != 16 { // so few firms may all survive
				t.Errorf("%d, %s: %v", f.Number, p.Name, p.Values)
			}
		}
		if n := len(f.Path); n > pathPoints || n == 0 && f.Number != 2 && f.Number != 18 {
			t.Errorf("%d: a path of %d points", f.Number, n)
		}
	}
	text, err := json.Marshal(table)
	if err != nil || !strings.Contains(string(text), `"wrong_signs":`) || !strings.Contains(string(text), `"path":[{"from":1,"to":3,`) {
		t.Errorf("%s, %v", text, err)
	}
	if one := hold(1); one.Markdown() != table.Markdown() {
		t.Errorf("one thread:\n%s\ntwo:\n%s", one.Markdown(), table.Markdown())
	}
}

// The effect of more VAT is that of two economies simulated one by one.
func TestResponseIsAPairedDifference(t *testing.T) {
	table, err := Responses(t.Context(), tiny(t), 2, 0, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	gdp := func(vat float64, seed uint64) float64 {
		s := tiny(t)
		s.Params.VATRate = vat
		var months []float64
		_, err := run.Simulation{
			Arms: []run.Arm{{Name: "economy", Scenario: s}}, Seeds: []uint64{seed}, Months: 24,
			Observe: func(_, _ int, e *sim.Economy) error {
				months = append(months, e.Latest().Value(sim.RealGDP))
				return nil
			},
		}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return tables.WindowMean(months, 13, 24)
	}
	for r, seed := range run.Seeds(1, 2) {
		want := 100 * (gdp(.13, seed)/gdp(.08, seed) - 1)
		if got := table.fact(6).Parts[0].Values[r]; math.Abs(got-want) > 1e-9 {
			t.Errorf("seed %d: %g, want %g", seed, got, want)
		}
	}
}

// series has one indicator.
func series(i sim.Indicator, months ...float64) (s leverSeries) {
	s[i] = months
	return s
}

func TestMeasuresOfResponses(t *testing.T) {
	a := []leverSeries{series(sim.CPI, 100, 100, 100, 100)}
	b := []leverSeries{series(sim.CPI, 101, 97, 104, 99)}
	pair := [][]leverSeries{a, b}
	for name, test := range map[string]struct {
		got  [][]float64
		want float64
	}{
		"window":  {window(sim.CPI, 1, 2, percent)(pair), -1},
		"lowest":  {furthest(monthly(sim.CPI, percent), 1, 4, -1)(pair), -3},
		"highest": {furthest(monthly(sim.CPI, percent), 1, 2, 1)(pair), 1},
		"swing":   {furthest(monthly(sim.CPI, points), 1, 4, 0)(pair), 400},
	} {
		if len(test.got) != 1 || len(test.got[0]) != 1 || math.Abs(test.got[0][0]-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %g", name, test.got, test.want)
		}
	}
	control, treatment := series(sim.RealGDP, 100, 100), series(sim.RealGDP, 103, 104)
	control[RealPurchases], treatment[RealPurchases] = []float64{10, 10}, []float64{14, 13}
	if got := multipliers([]leverSeries{control}, []leverSeries{treatment}, 1, 2); got[0] != 1 {
		t.Errorf("multiplier %v", got)
	}
	if got := growthPerYear([]float64{100, 1, 1, 1, 1, 1, 110.25}, 1, 7); math.Abs(got-100*(math.Pow(1.1025, 2)-1)) > 1e-9 {
		t.Errorf("growth a year %g", got)
	}
	path := pathOf([][]float64{{1, 2, 3, 5, 5, 5}, {3, 4, 5, 7, 7, 7}})
	if len(path) != 2 || path[0].Effect.Mean != 3 || path[1].Effect.Mean != 6 || path[1].From != 4 || path[1].To != 6 {
		t.Errorf("path %+v", path)
	}
	if n := len(pathOf([][]float64{make([]float64, 180)})); n != pathPoints {
		t.Errorf("180 months have %d points", n)
	}
}

// The file of facts is what the table is: numbers without a gap, bands with two ends, sources.
func TestFactFiles(t *testing.T) {
	for name, file := range map[string][]byte{"micro": data.Micro, "responses": data.Responses} {
		facts, err := readFacts(file)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, f := range facts {
			bad := func(p Part) bool { return !(p.BandLow < p.BandHigh) || p.Computed() || p.Pass }
			if f.Number != i+1 || f.Name == "" || f.Source == "" || f.Pass || slices.ContainsFunc(f.Parts, bad) {
				t.Errorf("%s %d: %+v", name, i+1, f)
			}
		}
	}
}

func TestWrongSign(t *testing.T) {
	for _, test := range []struct {
		low, high, from, to float64
		want                bool
	}{
		{-3, -.5, .1, .9, true}, {-3, -.5, -.1, .9, false}, {-3, 0, .1, .2, true}, {.1, 2, -3, -1, true}, {-1, 1, 2, 3, false},
	} {
		p := Part{BandLow: test.low, BandHigh: test.high}
		p.hold(stats.Interval{Mean: (test.from + test.to) / 2, Low: test.from, High: test.to})
		if p.WrongSign() != test.want {
			t.Errorf("%+v: %v", test, p.WrongSign())
		}
	}
}

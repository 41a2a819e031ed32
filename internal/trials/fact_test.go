package trials_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/trials"
)

// typical lies inside every band.
var typical = trials.FactStats{
	MeanUnemployment: .06, MaxUnemployment: .12, RealGrowth: .02, Inflation: .02,
	SigmaY: .016, RelativeSigmaC: .8, RelativeSigmaI: 3.2, RelativeSigmaU: 8.2,
	PersistenceY: .84, PersistenceI: .83, PersistenceU: .87,
	CorrelationC: .78, CorrelationI: .9, CorrelationU: -.9, CorrelationP: -.4,
	OkunSlope: -.5, Phillips: -.2, Beveridge: -.6, VacancyRate: .03,
	SizeTail: 1.06, GrowthKurtosis: 6, WealthGini: .7, IncomeGini: .33, FirmExit: .09,
	InvestmentShare: .2, LabourShare: .6, MarkUpDrift: .001, TaxScale: 1,
}

func TestFacts(t *testing.T) {
	facts := trials.Facts([]trials.FactStats{typical, typical}, .95, nil)
	if len(facts) != 16 || trials.Passed(facts) != 16 {
		t.Fatalf("%d of %d facts pass, want 16 of 16", trials.Passed(facts), len(facts))
	}
	parts := 0
	for _, fact := range facts {
		parts += len(fact.Parts)
		if fact.Source == "" {
			t.Errorf("%q has no source", fact.Name)
		}
		for _, p := range fact.Parts {
			if !(p.BandLow < p.BandHigh) || p.CILow != p.Value || p.CIHigh != p.Value {
				t.Errorf("%s: %+v", p.Name, p)
			}
		}
	}
	if parts != 27 {
		t.Errorf("%d statistics, want all 27 of the table", parts)
	}
	for k, want := range map[int]string{
		2: `"value":0.016,"ci_low":0.016,"ci_high":0.016,"band_low":0.012,"band_high":0.02,"pass":true`,
		0: `"value":null,"ci_low":null,"ci_high":null,"band_low":null,"band_high":null,"pass":true`,
	} {
		if data, err := json.Marshal(facts[k]); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("a fact with %d statistics: %s, %v; want %s", len(facts[k].Parts), data, err, want)
		}
	}
}

func TestFactsThatFail(t *testing.T) {
	failing := func(change func(*trials.FactStats)) []string {
		s := typical
		change(&s)
		var names []string
		for _, fact := range trials.Facts([]trials.FactStats{s}, .95, nil) {
			for _, p := range fact.Parts {
				if !p.Pass {
					names = append(names, p.Name)
				}
			}
			if fact.Pass == slices.ContainsFunc(fact.Parts, func(p trials.Part) bool { return !p.Pass }) {
				t.Errorf("%q: pass %v with parts %+v", fact.Name, fact.Pass, fact.Parts)
			}
		}
		return names
	}
	tests := []struct {
		change func(*trials.FactStats)
		want   string
	}{
		{func(s *trials.FactStats) { s.MaxUnemployment = .21 }, "maximum unemployment rate"},
		{func(s *trials.FactStats) { s.Inflation = -.001 }, "CPI inflation a year"},
		{func(s *trials.FactStats) { s.CorrelationU = -.995 }, "corr(u, Y)"},
		{func(s *trials.FactStats) { s.MarkUpDrift = -.021 }, "mark-up, last ten years / first ten - 1"},
		{func(s *trials.FactStats) { s.InvestmentShare = .08 }, "investment / GDP"},
		{func(s *trials.FactStats) { s.SizeTail = math.NaN() }, "Hill exponent of employees"},
	}
	for _, tt := range tests {
		if got := failing(tt.change); len(got) != 1 || got[0] != tt.want {
			t.Errorf("failing: %v, want only %s", got, tt.want)
		}
	}
}

func TestFactsJSON(t *testing.T) {
	missing := typical
	missing.OkunSlope = math.NaN()
	data, err := json.Marshal(trials.Facts([]trials.FactStats{missing}, .95, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"name":"Okun slope Δu on Δy","value":null,"ci_low":null,"ci_high":null,"band_low":-0.8,"band_high":-0.3,"pass":false`,
		`"parts":[{"name":"sigma_Y","value":0.016,"ci_low":null,"ci_high":null,"band_low":0.012,"band_high":0.02,"pass":true,"verdict":"pass"}]`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("JSON lacks %s:\n%s", want, data)
		}
	}
}

func TestVerdict(t *testing.T) {
	nan := math.NaN()
	pass := trials.Part{Value: 1, BandLow: 0, BandHigh: 2, Pass: true}
	open := trials.Part{Value: 3, BandLow: 0, BandHigh: 2}
	absent := trials.Part{Value: nan, BandLow: 0, BandHigh: 2}
	for _, c := range []struct {
		parts []trials.Part
		want  string
	}{
		{[]trials.Part{pass, pass}, trials.VerdictPass},
		{[]trials.Part{pass, absent}, trials.VerdictNotComputed},
		{[]trials.Part{absent, open}, trials.VerdictOpen},
	} {
		if got := (trials.Fact{Parts: c.parts}).Verdict(); got != c.want {
			t.Errorf("verdict on %+v: %q, want %q", c.parts, got, c.want)
		}
	}
	data, err := json.Marshal(absent)
	if want := `{"name":"","value":null,"ci_low":0,"ci_high":0,"band_low":0,"band_high":2,"pass":false,"verdict":"not computed"}`; err != nil ||
		string(data) != want {
		t.Errorf("JSON %s, %v\nwant %s", data, err, want)
	}
	if n := trials.NotComputed([]trials.Fact{{Parts: []trials.Part{absent, open}}, {Parts: []trials.Part{absent}}}); n != 2 {
		t.Errorf("%d not computed, want 2", n)
	}
}

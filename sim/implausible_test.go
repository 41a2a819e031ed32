package sim

import (
	"math"
	"slices"
	"testing"
)

// calm are months in which nothing is implausible.
func calm(months int) []Record {
	records := make([]Record, months)
	for i := range records {
		r := &records[i]
		r.Month = i + 1
		r.Values[UnemploymentRate], r.Values[Inflation], r.Values[DebtToGDP], r.Values[RealGDP] = .06, .02, .3, 1000
		r.Firms.Sizes = [NumSizeClasses]int{20, 30, 50}
	}
	return records
}

func implausibleIn(records []Record) []Implausible {
	var p Plausibility
	for i := range records {
		p.Observe(&records[i])
	}
	return p.Found()
}

// On each bound and next to it.
func TestImplausibleBounds(t *testing.T) {
	set := func(i Indicator, x float64) func(*Record) { return func(r *Record) { r.Values[i] = x } }
	idle := func(idle, others int) func(*Record) {
		return func(r *Record) { r.Firms.Sizes = [NumSizeClasses]int{idle, others} }
	}
	for _, test := range []struct {
		name string
		in   func(*Record) // month 7 of twelve
		kind ImplausibleKind
		want float64 // the worst value; NaN = nothing is found
	}{
		{"unemployment on it", set(UnemploymentRate, .4), MassUnemployment, math.NaN()},
		{"unemployment above", set(UnemploymentRate, .401), MassUnemployment, .401},
		{"inflation on it", set(Inflation, .5), WildInflation, math.NaN()},
		{"inflation above", set(Inflation, .501), WildInflation, .501},
		{"deflation on it", set(Inflation, -.5), WildInflation, math.NaN()},
		{"deflation beyond", set(Inflation, -.501), WildInflation, -.501},
		{"debt on it", set(DebtToGDP, 5), HighDebt, math.NaN()},
		{"debt above", set(DebtToGDP, 5.01), HighDebt, 5.01},
		{"debt without GDP", set(DebtToGDP, math.Inf(1)), HighDebt, math.Inf(1)},
		{"wealth of the state", set(DebtToGDP, -9), HighDebt, math.NaN()},
		{"idle below", idle(499, 501), IdleFirms, math.NaN()},
		{"idle on it", idle(50, 50), IdleFirms, .5},
		{"no firms", idle(0, 0), IdleFirms, math.NaN()},
		{"GDP above", set(RealGDP, 701), Collapse, math.NaN()},
		{"GDP on it", set(RealGDP, 700), Collapse, -.3},
		{"GDP below", set(RealGDP, 650), Collapse, -.35},
		{"not there", set(UnemploymentRate, math.NaN()), MassUnemployment, math.NaN()},
	} {
		records := calm(12)
		test.in(&records[6])
		found := implausibleIn(records)
		if math.IsNaN(test.want) {
			if found != nil {
				t.Errorf("%s: %+v", test.name, found)
			}
			continue
		}
		near := func(f Implausible) bool { return f.Worst == test.want || math.Abs(f.Worst-test.want) < 1e-12 }
		if len(found) != 1 || found[0].Kind != test.kind || found[0].Month != 7 || !near(found[0]) {
			t.Errorf("%s: %+v, want %v in month 7", test.name, found, test.want)
		}
	}
}

// A fall counts against the highest month of the ten years before, and no longer.
func TestCollapseWithinTenYears(t *testing.T) {
	for _, test := range []struct {
		later int // months after the peak
		want  bool
	}{{1, true}, {120, true}, {121, false}} {
		records := calm(200)
		for i := range records {
			records[i].Values[RealGDP] = 800
		}
		records[10].Values[RealGDP] = 1000
		records[10+test.later].Values[RealGDP] = 700
		found := implausibleIn(records)
		if (found != nil) != test.want || test.want && found[0].Month != 11+test.later {
			t.Errorf("%d months after the peak: %+v", test.later, found)
		}
	}
}

// The first month and the worst value are told, of everything that is found, and nothing of the burn-in.
func TestImplausibleFirstAndWorst(t *testing.T) {
	records := calm(10)
	for i, x := range []float64{.45, .62, .5} {
		records[4+i].Values[UnemploymentRate] = x
	}
	records[7].Values[DebtToGDP], records[8].Values[DebtToGDP] = 7.25, 6
	for i := range records {
		records[i].Month -= 2
	}
	records[1].Values[Inflation] = 3
	want := []Implausible{{MassUnemployment, 3, .62}, {HighDebt, 6, 7.25}}
	if found := implausibleIn(records); !slices.Equal(found, want) {
		t.Errorf("%+v, want %+v", found, want)
	}
	if got := want[0].Worse(Implausible{MassUnemployment, 2, .5}); got != (Implausible{MassUnemployment, 2, .62}) {
		t.Errorf("of two economies: %+v", got)
	}
}

func TestImplausibleReasons(t *testing.T) {
	for _, test := range []struct {
		found  Implausible
		en, zh string
	}{
		{Implausible{MassUnemployment, 131, .62}, "unemployment reached 62 % (first above 40 % in month 131)", "失业率达到 62 %（第131个月首次高于 40 %）"},
		{Implausible{WildInflation, 9, -.555}, "inflation reached −55.5 % a year (first beyond 50 % up or down in month 9)",
			"年通胀率达到 −55.5 %（第9个月首次涨跌超过 50 %）"},
		{Implausible{WildInflation, 9, 98.76}, "inflation reached 9876 % a year (first beyond 50 % up or down in month 9)",
			"年通胀率达到 9876 %（第9个月首次涨跌超过 50 %）"},
		{Implausible{HighDebt, 300, math.Inf(1)}, "public debt reached ∞ times annual GDP (first above 5 in month 300)",
			"公共债务达到年GDP的 ∞ 倍（第300个月首次高于 5 倍）"},
		{Implausible{IdleFirms, 1, .5}, "firms without employees reached 50 % of all firms (first half of them or more in month 1)",
			"没有雇员的企业达到全部企业的 50 %（第1个月首次达到一半）"},
		{Implausible{Collapse, 50, -.345}, "real GDP changed by −34.5 % within ten years (first by −30 % or worse in month 50)",
			"实际GDP在十年内变动 −34.5 %（第50个月首次下降 30 % 或更多）"},
	} {
		if got := test.found.Reason(); got.EN != test.en || got.ZH != test.zh {
			t.Errorf("%q, %q; want %q, %q", got.EN, got.ZH, test.en, test.zh)
		}
	}
	for k := range NumImplausibleKinds {
		if k.String() == "" || k.Unit() == "" {
			t.Errorf("kind %d has no name or unit", k)
		}
	}
}

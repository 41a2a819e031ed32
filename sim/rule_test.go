package sim

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

// A rule is on and off by two thresholds and stays as it is between them; the month after counts.
func TestRuleHasHysteresis(t *testing.T) {
	v := planned{Intervention: Intervention{Type: TypePolicy, TargetMonth: 2, When: "unemployment_rate > 8%",
		Until: "unemployment_rate < 6%", Policy: PolicyChange{"minimum_wage", .5}}}
	if err := v.Check(); err != nil {
		t.Fatal(err)
	}
	v.when, _ = compileCondition(v.When)
	v.until, _ = compileCondition(v.Until)
	u := []float64{.09, .07, .09, .07, .05, .07, .085, .05, .05, .09} // of months 1 to 10
	want := []int{0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 1}                    // month 1 comes before it is looked at
	for k := range want {
		month := k + 1
		if got := v.age(month); got != want[k] {
			t.Errorf("month %d: on for %d months, want %d", month, got, want[k])
		}
		if k < len(u) && month >= v.TargetMonth {
			v.look(month, map[string]any{"unemployment_rate": u[k]})
		}
	}
	if v.Began != 4 {
		t.Errorf("it began in month %d", v.Began)
	}
	spans := v.InForce(v.Began, 11, func(i Indicator, month int) float64 { return append(u, .09)[month-1] })
	if !slices.Equal(spans, []Span{{4, 5}, {8, 8}, {11, 11}}) {
		t.Errorf("in force in %v", spans)
	}
	if got := v.InForce(0, 11, nil); got != nil {
		t.Errorf("in force in %v without having begun", got)
	}
}

// ruled is an economy whose rules switch on and off: one of each type.
func ruled(t *testing.T) (*Economy, []Intervention) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 12)
	e.BeginExperiment()
	odd := "month == 2 or month == 5 or month == 9"
	even := "month == 4 or month == 8"
	list := []Intervention{
		{Type: TypeParameterChange, TargetMonth: 1, RampMonths: 2, When: odd, Until: even, Parameters: []ParameterChange{change(t, "vat_rate", .2)}},
		{Type: TypePolicy, TargetMonth: 4, When: odd, Until: even, Policy: PolicyChange{"minimum_wage", .5}},
		{Type: TypeShock, TargetMonth: 1, When: odd, Until: even, Shock: Shock{Shock: "disaster", Size: .1}},
		{Type: TypeShock, TargetMonth: 1, When: odd, Until: even, Shock: Shock{Shock: "demand", Size: -.2, Persistence: .5}},
		{Type: TypeInjection, TargetMonth: 1, When: odd, Until: even, Injection: Injection{"all", 50}},
	}
	if err := e.Plan(list); err != nil {
		t.Fatal(err)
	}
	return e, list
}

// Rules do what their kind does while they are on, with books that balance, and a snapshot in any
// month goes on with the same bits.
func TestRulesAct(t *testing.T) {
	e, list := ruled(t)
	p := small()
	on := map[int]int{3: 1, 4: 2, 6: 1, 7: 2, 8: 3, 10: 1, 11: 2, 12: 3}
	values := map[int]Record{}
	for month := 1; month <= 12; month++ {
		again, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 2)
		if err != nil {
			t.Fatal(err)
		}
		mustStep(t, e, 1)
		mustStep(t, again, 1)
		if e.StateHash() != again.StateHash() || e.p != again.p || !slices.Equal(e.Began(), again.Began()) {
			t.Fatalf("month %d differs after a snapshot", month)
		}
		again.Close()
		values[month] = *e.Latest()
		want := p
		if n := on[month]; n > 0 {
			want.VATRate += float64(reached(n, 2) * (.2 - p.VATRate))
			if month > 4 {
				want.MinimumWage = .5
			}
			if n == 1 {
				want.CapitalDestructionRate = .1
			}
			want.ConsumptionDemandFactor = 1 - decayed(.2, .5, n-1)
		}
		near(t, "VAT", e.p.VATRate, want.VATRate)
		near(t, "minimum wage", e.p.MinimumWage, want.MinimumWage)
		near(t, "destruction", e.p.CapitalDestructionRate, want.CapitalDestructionRate)
		near(t, "demand", e.p.ConsumptionDemandFactor, want.ConsumptionDemandFactor)
		if paid := e.flow.injected > 0; paid != (on[month] > 0) {
			t.Errorf("month %d: paid %v", month, paid)
		}
	}
	if began := e.Began(); !slices.Equal(began, []int{3, 6, 3, 3, 3}) {
		t.Errorf("began %v", began)
	}
	for k, want := range [][]Span{
		{{3, 4}, {6, 8}, {10, 12}}, {{6, 8}, {10, 12}}, {{3, 3}, {6, 6}, {10, 10}}, {{3, 4}, {6, 8}, {10, 12}}, {{3, 4}, {6, 8}, {10, 12}},
	} {
		got := list[k].InForce(e.Began()[k], 12, func(i Indicator, month int) float64 { r := values[month]; return r.Value(i) })
		if !slices.Equal(got, want) {
			t.Errorf("rule %d was in force in %v, want %v", k+1, got, want)
		}
	}
	// Planned anew in the middle of being on, a rule goes on.
	if err := e.Plan(list[:1]); err != nil || e.p.VATRate != .2 {
		t.Errorf("planned anew: VAT %g, %v", e.p.VATRate, err)
	}
}

// read reads and checks what a caller wrote.
func read(v Intervention) error {
	if err := v.ReadConditions(); err != nil {
		return err
	}
	return v.Check()
}

func TestRulesAreRefused(t *testing.T) {
	for _, test := range []struct {
		when, until, field, say string
	}{
		{"", "unemployment_rate < 6%", "when", "switches it on"},
		{"unemployment_rate > 8%", "unemploymnt_rate < 6%", "until", "unemployment_rate"},
		{"unemployment_rate > 8%", "unemployment_rate < 6", "until", "write 6%"},
		{"unemployment_rate > 8", "unemployment_rate < 6%", "when", "write 8%"},
		{"unemployment_rate > 8%", "unemployment_rate < 9%", "until", "both hold where unemployment_rate is 8.5%"},
		{"unemployment_rate > 8%", "unemployment_rate < 8%", "until", "no gap"},
		{"unemployment_rate > 8%", "unemployment_rate <= 8%", "until", "no gap"},
		{"unemployment_rate > 8%", "unemployment_rate > 9%", "until", "overlap"},
		{"unemployment_rate > 8%", "unemployment_rate > 5%", "until", "never be on"},
		{"unemployment_rate > 8%", "unemployment_rate > 8% or inflation > 2%", "until", "never be on"},
		{"unemployment_rate > 8%", "unemployment_rate < 0", "until", "never hold"},
	} {
		v := Intervention{Type: TypePolicy, TargetMonth: 1, When: test.when, Until: test.until, Policy: PolicyChange{"minimum_wage", .5}}
		e, ok := read(v).(*fault.Error)
		if !ok || e.Field != test.field || !strings.Contains(e.Error(), test.say) {
			t.Errorf("when %q until %q: %v; want field %s and %q", test.when, test.until, e, test.field, test.say)
		}
	}
	v := Intervention{Type: TypePolicy, TargetMonth: 1, DurationMonths: 3, When: "inflation > 4%", Until: "inflation < 2%",
		Policy: PolicyChange{"minimum_wage", .5}}
	if err := v.Check(); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a rule with a duration: %v", err)
	}
	for _, good := range [][2]string{
		{"unemployment_rate > 8%", "inflation > 4%"}, {"unemployment_rate > 8% and inflation < 2%", "unemployment_rate < 6.5%"},
		{"unemployment_rate > 8%", "unemployment_rate < 6.5% or inflation > 4%"}, {"2 * inflation > 5%", "inflation < 2%"},
		{"real_gdp < 900000", "real_gdp > 1000000"},
	} {
		v.When, v.Until, v.DurationMonths = good[0], good[1], 0
		if err := read(v); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// Where both conditions of different indicators hold, a rule is off.
func TestUntilGoesFirst(t *testing.T) {
	v := planned{Intervention: Intervention{TargetMonth: 1, When: "unemployment_rate > 8%", Until: "inflation > 4%"}}
	v.when, _ = compileCondition(v.When)
	v.until, _ = compileCondition(v.Until)
	both := map[string]any{"unemployment_rate": .1, "inflation": .05}
	v.look(1, both)
	if v.On != 0 {
		t.Error("it was switched on")
	}
	v.look(2, map[string]any{"unemployment_rate": .1, "inflation": .01})
	v.look(3, both)
	v.look(4, both)
	if v.On != 3 || v.Off != 4 {
		t.Errorf("on from %d, off from %d", v.On, v.Off)
	}
}

package sim

import (
	"bytes"
	"testing"

	"econ-mcp/internal/fault"
)

func change(t *testing.T, name string, value any) ParameterChange {
	t.Helper()
	c, err := NewParameterChange(name, value)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// asPlanned is a list without conditions as a plan.
func asPlanned(list []Intervention) (plan []planned) {
	for _, v := range list {
		plan = append(plan, planned{Intervention: v, Began: v.TargetMonth})
	}
	return plan
}

func TestPlannedParameters(t *testing.T) {
	base := Defaults()
	base.VATRate, base.BenefitMonths, base.PolicyRateRule = .1, 12, "taylor"
	list := []Intervention{
		{Type: TypeParameterChange, TargetMonth: 3, DurationMonths: 5, RampMonths: 4, Parameters: []ParameterChange{
			change(t, "vat_rate", .2), change(t, "benefit_months", 6), change(t, "policy_rate_rule", "fixed"),
		}},
		{Type: TypeParameterChange, TargetMonth: 6, Parameters: []ParameterChange{change(t, "vat_rate", .3)}}, // a step, on top
		{Type: TypeParameterChange, TargetMonth: 9, RampMonths: 2, Parameters: []ParameterChange{change(t, "vat_rate", .1)}},
	}
	for _, test := range []struct {
		month   int
		vat     float64
		benefit int
		rule    string
	}{
		{-5, .1, 12, "taylor"}, {0, .1, 12, "taylor"}, {2, .1, 12, "taylor"},
		{3, .125, 10, "fixed"}, // 12 - 6/4 = 10.5, whose change of 1.5 rounds to 2
		{4, .15, 9, "fixed"}, {5, .175, 7, "fixed"},
		{6, .3, 6, "fixed"}, {7, .3, 6, "fixed"},
		{8, .3, 12, "taylor"}, // the first has ended
		{9, .2, 12, "taylor"}, {10, .1, 12, "taylor"}, {500, .1, 12, "taylor"},
	} {
		p := under(base, asPlanned(list), test.month)
		near(t, "VAT", p.VATRate, test.vat)
		if p.BenefitMonths != test.benefit || p.PolicyRateRule != test.rule {
			t.Errorf("month %d: %d months of benefit, rule %q; want %d, %q", test.month, p.BenefitMonths, p.PolicyRateRule, test.benefit,
				test.rule)
		}
		p.VATRate, p.BenefitMonths, p.PolicyRateRule = base.VATRate, base.BenefitMonths, base.PolicyRateRule
		if p != base {
			t.Errorf("month %d changes %q", test.month, Diff(p, base))
		}
	}
}

// A step in month n is the same as other parameters from month n on, and before
// it nothing differs; at its end the parameters return.
func TestInterventionActsInItsMonths(t *testing.T) {
	p := small()
	free, planned := mustNew(t, p, 2), mustNew(t, p, 1)
	for _, e := range []*Economy{free, planned} {
		mustStep(t, e, 6)
		e.BeginExperiment()
	}
	list := []Intervention{{Type: TypeParameterChange, TargetMonth: 3, DurationMonths: 2,
		Parameters: []ParameterChange{change(t, "vat_rate", .25)}}}
	if err := planned.Plan(list); err != nil {
		t.Fatal(err)
	}
	for month := 1; month <= 6; month++ {
		q := p
		if month == 3 || month == 4 {
			q.VATRate = .25
		}
		if err := free.SetParams(q); err != nil {
			t.Fatal(err)
		}
		mustStep(t, free, 1)
		mustStep(t, planned, 1)
		if free.StateHash() != planned.StateHash() || planned.Params() != q {
			t.Fatalf("month %d differs from one with these parameters; VAT %g", month, planned.Params().VATRate)
		}
	}
}

// A snapshot in the middle of a ramp holds what is planned.
func TestSnapshotKeepsThePlan(t *testing.T) {
	straight := mustNew(t, small(), 1)
	straight.BeginExperiment()
	list := []Intervention{{Type: TypeParameterChange, TargetMonth: 2, DurationMonths: 6, RampMonths: 4, Parameters: []ParameterChange{
		change(t, "income_tax_rate", .4), change(t, "job_search_intensity", 8), change(t, "enable_dismissal", false), change(t,
			"policy_rate_rule", "fixed"),
	}}}
	if err := straight.Plan(list); err != nil {
		t.Fatal(err)
	}
	mustStep(t, straight, 3)
	resumed, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, straight)), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	if resumed.Params() != straight.Params() {
		t.Errorf("other parameters after the snapshot: %q", Diff(resumed.Params(), straight.Params()))
	}
	mustStep(t, straight, 9)
	mustStep(t, resumed, 9)
	if resumed.StateHash() != straight.StateHash() || resumed.Params() != straight.Params() {
		t.Error("another state after the snapshot")
	}
	if straight.Params() != small() {
		t.Errorf("parameters that did not return: %q", Diff(straight.Params(), small()))
	}
}

func TestPlanRefusesAndChangesNothing(t *testing.T) {
	e := mustNew(t, small(), 1)
	good := []Intervention{{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{change(t, "vat_rate", .2)}}}
	if err := e.Plan(good); err != nil {
		t.Fatal(err)
	}
	bad := append(good, Intervention{Type: TypeParameterChange, TargetMonth: 2, Parameters: []ParameterChange{{"vat_rate", 1.5}}})
	if err := e.Plan(bad); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("error %v, want out_of_range", err)
	}
	if len(e.plan) != 1 {
		t.Error("a refused plan is in force")
	}
	for _, value := range []any{0, "0.2"} {
		raw := []Intervention{{Type: TypeParameterChange, TargetMonth: 1, RampMonths: 3,
			Parameters: []ParameterChange{{"vat_rate", value}}}}
		if err := e.Plan(raw); fault.KindOf(err) != fault.WrongType {
			t.Errorf("value %#v: %v, want wrong_type", value, err)
		}
	}
	twice := []Intervention{{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{change(t, "vat_rate", .2),
		change(t, "vat_rate", .3)}}}
	if err := e.Plan(twice); fault.KindOf(err) != fault.Conflict {
		t.Errorf("error %v, want conflict", err)
	}
}

// The plan is the economy's own, and acts on parameters that are set later.
func TestPlanActsOnNewParameters(t *testing.T) {
	e := mustNew(t, small(), 1)
	e.BeginExperiment()
	list := []Intervention{{Type: TypeParameterChange, TargetMonth: 1, Parameters: []ParameterChange{change(t, "vat_rate", .25)}}}
	if err := e.Plan(list); err != nil {
		t.Fatal(err)
	}
	list[0].Parameters[0].Value = "nonsense"
	mustStep(t, e, 1)
	p := small()
	p.VATRate, p.IncomeTaxRate = .1, .3
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	p.VATRate = .25
	if e.Params() != p {
		t.Errorf("in force are other values of %q", Diff(e.Params(), p))
	}
	resumed, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	if resumed.Params() != p {
		t.Errorf("after the snapshot other values of %q", Diff(resumed.Params(), p))
	}
}

// No rule ties live parameters together or to sizes: values within their ranges
// go together, which CheckInterventions relies on.
func TestNoRuleTiesLiveParameters(t *testing.T) {
	least, most := Defaults(), Defaults()
	set := func(p *Params, name string, value float64) {
		t.Helper()
		if err := p.Set(name, value); err != nil {
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Errorf("%s = %g: %v", name, value, err)
		}
	}
	for _, row := range Catalogue() {
		if !row.Live || row.Type != TypeNumber && row.Type != TypeInteger {
			continue
		}
		low, high := Defaults(), Defaults() // one alone, and all so far together
		set(&low, row.Name, row.Min)
		set(&high, row.Name, row.Max)
		set(&least, row.Name, row.Min)
		set(&most, row.Name, row.Max)
	}
}

// What was cancelled before it began does nothing, keeps its place, and the others go
// on as before.
func TestCancelledDoesNothing(t *testing.T) {
	without, with := mustNew(t, small(), 1), mustNew(t, small(), 1)
	kept := Intervention{Type: TypePolicy, TargetMonth: 1, When: "unemployment_rate >= 0",
		Policy: PolicyChange{Policy: "minimum_wage", Level: .6}}
	list := []Intervention{
		{Type: TypeParameterChange, TargetMonth: 4, Parameters: []ParameterChange{change(t, "vat_rate", .25)}},
		{Type: TypeInjection, TargetMonth: 4, When: "cpi > 0", Injection: Injection{Group: "all", Amount: 100}},
		kept,
	}
	for e, plan := range map[*Economy][]Intervention{without: {kept}, with: list} {
		e.BeginExperiment()
		if err := e.Plan(plan); err != nil {
			t.Fatal(err)
		}
		mustStep(t, e, 3)
	}
	list[0].Cancelled, list[1].Cancelled = true, true
	if err := with.Plan(list); err != nil {
		t.Fatal(err)
	}
	mustStep(t, without, 5)
	mustStep(t, with, 5)
	if without.StateHash() != with.StateHash() {
		t.Error("a cancelled intervention changed the economy")
	}
	if began := with.Began(); began[0] != 0 || began[1] != 0 || began[2] != 2 {
		t.Errorf("began in %v, want only the third, in month 2", began)
	}
}

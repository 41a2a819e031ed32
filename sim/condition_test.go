package sim

import (
	"bytes"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

func TestConditions(t *testing.T) {
	r := &Record{Month: 7}
	r.Values[UnemploymentRate], r.Values[Inflation] = .12, .01
	for text, want := range map[string]bool{
		"unemployment_rate > 0.1":                        true,
		"unemployment_rate > 0.1 and inflation > 0.02":   false,
		"unemployment_rate > 0.2 or not (inflation > 1)": true,
		"month >= 7": true,
		"2 * unemployment_rate - inflation / 2 == 0.235": true,
		"-inflation < 0 && month != 3 || false":          true,
		"gdp_growth / nominal_gdp > 0":                   false, // 0 / 0 compares as false
	} {
		c, err := compileCondition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := c.holds(conditionEnv(r)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestConditionsAreRefused(t *testing.T) {
	for text, say := range map[string]string{
		"unemployment > 0.1":                  `did you mean "unemployment_rate"`,
		"unemployment_rate >":                 "at character",
		"unemployment_rate":                   "is not a condition",
		"len([1]) > 0":                        "cannot hold",
		"all(1..9, # > 0)":                    "cannot hold",
		`"a" == "b"`:                          "cannot hold",
		"let x = 1; x > 0":                    `"x"`,
		"(unemployment_rate ?? 1) > 0":        "cannot hold",
		"unemployment_rate > 'a'":             "cannot hold",
		"cpi ** 99 > 1":                       "cannot hold",
		strings.Repeat("1 + ", 300) + "1 > 0": "at most 1000",
	} {
		_, err := compileCondition(text)
		if err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%.40s: %v; want %q", text, err, say)
		}
	}
}

// An intervention with a condition begins in the month after the first that meets it,
// lasts from there, and a snapshot knows.
func TestConditionSetsAnInterventionIn(t *testing.T) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 3)
	e.BeginExperiment()
	list := []Intervention{
		{Type: TypeParameterChange, TargetMonth: 1, DurationMonths: 3, When: "month >= 4",
			Parameters: []ParameterChange{change(t, "vat_rate", .2)}},
		{Type: TypePolicy, TargetMonth: 1, When: "unemployment_rate > 2", Policy: PolicyChange{"minimum_wage", .5}},
	}
	if err := e.Plan(list); err != nil {
		t.Fatal(err)
	}
	for month := 1; month <= 9; month++ {
		if month == 6 { // in the middle
			again, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			e = again
		}
		mustStep(t, e, 1)
		want := small().VATRate
		if month >= 5 && month <= 7 {
			want = .2
		}
		if e.p.VATRate != want || e.p.MinimumWage != 0 {
			t.Errorf("month %d: VAT %g, want %g; minimum wage %g", month, e.p.VATRate, want, e.p.MinimumWage)
		}
	}
	if began := e.Began(); began[0] != 5 || began[1] != 0 {
		t.Errorf("began %v, want 5 and not yet", began)
	}
	// A longer plan keeps what has begun.
	list = append(list, Intervention{Type: TypeParameterChange, TargetMonth: 20, Parameters: []ParameterChange{change(t, "vat_rate", .3)}})
	if err := e.Plan(list); err != nil || e.Began()[0] != 5 {
		t.Errorf("after planning more: %v, began %v", err, e.Began())
	}
	// So does one without what stood before it, or in another order.
	list = []Intervention{list[2], list[1], list[0]}
	if err := e.Plan(list); err != nil || e.Began()[2] != 5 || e.Began()[1] != 0 {
		t.Errorf("in another order: %v, began %v", err, e.Began())
	}
	if err := e.Plan(list[2:]); err != nil || e.Began()[0] != 5 {
		t.Errorf("alone: %v, began %v", err, e.Began())
	}
	// Of equal ones each keeps its own month; another one has none.
	twice := []Intervention{list[2], list[2]}
	if err := e.Plan(twice); err != nil || e.Began()[0] != 5 || e.Began()[1] != 0 {
		t.Errorf("twice: %v, began %v", err, e.Began())
	}
}

func TestPoliciesAndShocks(t *testing.T) {
	base := Defaults()
	in := func(v Intervention, month int) Params {
		if err := v.Check(); err != nil {
			t.Fatal(err)
		}
		return under(base, asPlanned([]Intervention{v}), month)
	}
	cut := Intervention{Type: TypePolicy, TargetMonth: 3, RampMonths: 2, DurationMonths: 6, Policy: PolicyChange{"austerity", .2}}
	near(t, "before", in(cut, 2).UnemploymentBenefitRate, base.UnemploymentBenefitRate)
	near(t, "half of the way", in(cut, 3).UnemploymentBenefitRate, .9*base.UnemploymentBenefitRate)
	near(t, "all", in(cut, 4).GovernmentEmploymentShare, .8*base.GovernmentEmploymentShare)
	near(t, "after", in(cut, 9).GovernmentEmploymentShare, base.GovernmentEmploymentShare)

	shock := Intervention{Type: TypeShock, TargetMonth: 2, Shock: Shock{Shock: "productivity", Size: -.2, Persistence: .5}}
	for month, want := range map[int]float64{1: 100, 2: 80, 3: 90, 4: 95} {
		near(t, "productivity", in(shock, month).LaborProductivityFactor, want)
	}
	closed := Intervention{Type: TypeShock, TargetMonth: 2, DurationMonths: 3, Shock: Shock{Shock: "industry_supply", Size: -.5,
		Persistence: .5, Industry: "11"}}
	for month, want := range map[int]RateTable{1: NoRates, 2: "11: 0.5", 3: "11: 0.75", 5: NoRates} {
		if got := in(closed, month).CapacityFactorsByIndustry; got != want {
			t.Errorf("month %d: capacity %q, want %q", month, got, want)
		}
	}
	disaster := Intervention{Type: TypeShock, TargetMonth: 2, Shock: Shock{Shock: "disaster", Size: .3, Persistence: 1}}
	for month, want := range map[int]float64{1: 0, 2: .3, 3: 0} {
		near(t, "destroyed", in(disaster, month).CapitalDestructionRate, want)
	}
	most := Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "productivity", Size: 5, Persistence: 1}}
	if p := in(most, 1); p.Validate() != nil {
		t.Errorf("a shock leads out of a range: %v", p.Validate())
	}
}

// Every package names live parameters, changes what it names at its ends, and stays
// within their ranges on top of itself.
func TestPackages(t *testing.T) {
	for _, table := range [][]Package{policyTable, shockTable} {
		for _, pack := range table {
			if pack.Label == "" || pack.LabelZH == "" || pack.Meaning == "" || pack.MeaningZH == "" || pack.Unit == "" {
				t.Errorf("%s is not documented", pack.ID)
			}
			for _, x := range []float64{pack.Min, pack.Max} {
				p := pack.applied(Defaults(), x, 3)
				if err := p.Validate(); err != nil {
					t.Errorf("%s at %g: %v", pack.ID, x, err)
				}
				raw := Defaults()
				pack.act(&raw, x, 3)
				if raw != p {
					t.Errorf("%s at %g is clipped", pack.ID, x)
				}
				twice := pack.applied(p, x, 3)
				if err := twice.Validate(); err != nil {
					t.Errorf("%s at %g, twice: %v", pack.ID, x, err)
				}
				for _, name := range Diff(Defaults(), p) {
					row, _ := Lookup(name)
					if !row.Live || !contains(pack.Parameters, name) {
						t.Errorf("%s changes %s, which it does not name or which is not live", pack.ID, name)
					}
				}
			}
			if len(Diff(Defaults(), pack.applied(Defaults(), extreme(pack), 3))) == 0 {
				t.Errorf("%s does nothing", pack.ID)
			}
		}
	}
}

// extreme is the end of a package's range that is not nothing.
func extreme(pack Package) float64 {
	if pack.Max == 0 {
		return pack.Min
	}
	return pack.Max
}

func contains(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

func TestInterventionsAreRefused(t *testing.T) {
	for _, test := range []struct {
		v     Intervention
		field string
		say   string
	}{
		{Intervention{Type: "shok", TargetMonth: 1}, "type", `did you mean "shock"`},
		{Intervention{Type: TypePolicy, TargetMonth: 1, Policy: PolicyChange{"minimum_wages", .5}}, "policy",
			`did you mean "minimum_wage"`},
		{Intervention{Type: TypePolicy, TargetMonth: 1, Policy: PolicyChange{"minimum_wage", 3}}, "level", "0 to 1"},
		{Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "productivty", Size: .1}}, "shock",
			`did you mean "productivity"`},
		{Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "productivity", Size: .1, Persistence: 1.1}}, "persistence",
			"0 to 1"},
		{Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "industry_supply", Size: -.5, Industry: "13"}}, "industry",
			"12"},
		{Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "demand", Size: -.5, Industry: "11"}}, "industry",
			"all industries"},
		{Intervention{Type: TypeInjection, TargetMonth: 1, Injection: Injection{"unemployd", 5}}, "group", "unemployed"},
		{Intervention{Type: TypeInjection, TargetMonth: 1, Injection: Injection{"all", 0}}, "amount", "above 0"},
		{Intervention{Type: TypeInjection, TargetMonth: 0, Injection: Injection{"all", 1}}, "target_month", "1 to"},
		{Intervention{Type: TypePolicy, TargetMonth: 1, When: "gdp > 1", Policy: PolicyChange{"minimum_wage", .5}}, "when", "nominal_gdp"},
		{Intervention{Type: TypeShock, TargetMonth: 1, Policy: PolicyChange{"minimum_wage", .5}}, "type", "belongs to a policy"},
	} {
		e, ok := test.v.Check().(*fault.Error)
		if !ok || e.Field != test.field || !strings.Contains(e.Error(), test.say) && !contains(e.Allowed, test.say) {
			t.Errorf("%+v: %v; want field %s and %q", test.v, e, test.field, test.say)
		}
	}
}

// Injections reach whom they name, once without a duration, and debt pays.
func TestInjections(t *testing.T) {
	for _, group := range append(append([]string(nil), InjectionGroups...), "industry:01", "industry:12") {
		t.Run(group, func(t *testing.T) {
			v := Intervention{Type: TypeInjection, TargetMonth: 2, DurationMonths: 2, Injection: Injection{group, 500}}
			with, without := burnt(t, 1, asBefore), burnt(t, 1, asBefore)
			if err := with.Plan([]Intervention{v}); err != nil {
				t.Fatal(err)
			}
			mustStep(t, with, 1)
			mustStep(t, without, 1)
			if with.StateHash() != without.StateHash() {
				t.Error("something differs before the injection")
			}
			mustStep(t, with, 1)
			given := with.flow.injected + with.flow.injectedFirms + with.flow.injectedBanks
			if group == "retired" { // of whom there are none without demography
				if given != 0 {
					t.Errorf("injected %d", given)
				}
				return
			}
			if given <= 0 || given%(500*subunit) != 0 {
				t.Errorf("injected %d", given)
			}
			n := int64(with.households())
			switch heads := given / (500 * subunit); group {
			case "all", "banks":
				if heads != n {
					t.Errorf("%d heads of %d", heads, n)
				}
			case "bottom_decile":
				if heads < n/12 || heads > n/8 {
					t.Errorf("%d heads of %d", heads, n)
				}
			case "unemployed":
				if heads < n/100 || heads > n/5 {
					t.Errorf("%d heads of %d", heads, n)
				}
			}
			mustStep(t, with, 2)
			if with.flow.injected+with.flow.injectedFirms+with.flow.injectedBanks != 0 {
				t.Error("it does not end")
			}
		})
	}
}

func TestShockLevers(t *testing.T) {
	long(t)
	for _, test := range []struct {
		name      string
		treatment func(*Params)
		indicator Indicator
		sign      float64
	}{
		{"demand", func(p *Params) { p.ConsumptionDemandFactor = .8 }, RealConsumption, -1},
		{"confidence", func(p *Params) { p.ConfidenceShift = -.03 }, RealInvestment, -1},
		{"disaster", func(p *Params) { p.CapitalDestructionRate = .03 }, RealGDP, -1},
	} {
		effects(t, 3, 1, 12, asBefore, test.treatment)[test.indicator].moves(t, test.name, test.sign)
	}
}

// What acts on something that is switched off is refused before it is simulated.
func TestInterventionsFit(t *testing.T) {
	retired := Intervention{Type: TypeInjection, TargetMonth: 1, Injection: Injection{"retired", 10}}
	dear := Intervention{Type: TypeShock, TargetMonth: 1, Shock: Shock{Shock: "import_price", Size: .1}}
	p := core()
	for _, v := range []Intervention{retired, dear} {
		if err := v.CheckFits(p); fault.KindOf(err) != fault.Conflict {
			t.Errorf("%+v: %v", v, err)
		}
	}
	p.EnableTrade, p.EnableDemography = true, true
	for _, v := range []Intervention{retired, dear} {
		if err := v.CheckFits(p); err != nil {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

package sim

import (
	"errors"
	"testing"

	"econ-mcp/internal/fault"
)

func TestSchedule(t *testing.T) {
	p := Defaults()
	for _, test := range []struct {
		value any
		want  string
	}{
		{"2.5:0.42, 1: .30", "1: 0.3, 2.5: 0.42"},
		{map[string]float64{"2": .4, "0": .1}, "0: 0.1, 2: 0.4"},
		{"", NoRates},
		{"none", NoRates},
	} {
		if err := p.Set("income_tax_brackets", test.value); err != nil || string(p.IncomeTaxBrackets) != test.want {
			t.Errorf("Set(%v): %q, %v; want %q", test.value, p.IncomeTaxBrackets, err, test.want)
		}
	}
	for _, test := range []struct {
		value any
		kind  fault.Kind
	}{
		{"1: 0.96", fault.OutOfRange},
		{"-1: 0.2", fault.OutOfRange},
		{"1: 0.2, 1.0: 0.3", fault.Conflict},
		{"0.3", fault.WrongType},
		{"1: high", fault.WrongType},
		{"1: NaN", fault.OutOfRange},
		{.3, fault.WrongType},
	} {
		before := p
		err := p.Set("income_tax_brackets", test.value)
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != test.kind || e.Field != "income_tax_brackets" {
			t.Errorf("Set(%v): %v; want %s", test.value, err, test.kind)
		}
		if p != before {
			t.Errorf("Set(%v) was refused and changed the parameters", test.value)
		}
	}
	p.IncomeTaxBrackets = "1:0.3"
	if p.Validate() == nil {
		t.Error("a schedule that is not canonical is valid")
	}
}

func TestWageTax(t *testing.T) {
	brackets := []Rate{{1000, .3}, {2000, .5}}
	for _, test := range []struct {
		taxable float64
		want    int64
	}{
		{-5, 0}, {0, 0}, {1000, 100}, {1500, 250}, {2000, 400}, {3000, 900}, {2001, 400}, // 400.5 rounded down
	} {
		if got := wageTax(test.taxable, .1, brackets); got != test.want {
			t.Errorf("on %g: %d, want %d", test.taxable, got, test.want)
		}
	}
	if got := wageTax(1000, .1, []Rate{{0, .2}}); got != 200 {
		t.Errorf("a bracket from 0 on: %d, want 200", got)
	}
}

func TestMeansTested(t *testing.T) {
	for _, test := range []struct{ guarantee, taper, income, want float64 }{
		{1000, 1, 400, 600}, {1000, .5, 400, 800}, {1000, 1, 1500, 0}, {1000, .5, 1500, 250},
	} {
		if got := meansTested(test.guarantee, test.taper, test.income); got != int64(test.want) {
			t.Errorf("%v: %d", test, got)
		}
	}
}

func TestOnShortTime(t *testing.T) {
	if paid, benefit := onShortTime(1000, .25, .6); paid != 750 || benefit != 150 {
		t.Errorf("a quarter of the hours: paid %d, benefit %d; want 750, 150", paid, benefit)
	}
}

func TestNextSpendingScale(t *testing.T) {
	p := Params{EnableAusterityRule: true, AusterityDeficitLimit: .03, AusterityResponse: .5}
	near(t, "cut", nextSpendingScale(&p, 1, .05), .99) // .5 x .02
	near(t, "undone", nextSpendingScale(&p, .9, .01), .91)
	near(t, "no more than all", nextSpendingScale(&p, .999, 0), 1)
	near(t, "floor", nextSpendingScale(&p, .501, .2), leastSpending)
	p.EnableAusterityRule = false
	near(t, "off", nextSpendingScale(&p, .7, .2), 1)
}

// What each lever of the public sector is for, on paired seeds.
func TestPublicSectorLevers(t *testing.T) {
	long(t)
	set := func(changes ...any) func(*Params) {
		return func(p *Params) {
			for k := 0; k < len(changes); k += 2 {
				if err := p.Set(changes[k].(string), changes[k+1]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	type sign struct {
		indicator Indicator
		sign      float64
	}
	slump := []any{"vat_rate", .2}
	for _, test := range []struct {
		name        string
		control     []any
		treatment   []any
		first, last int
		signs       []sign
	}{
		{"brackets", nil, []any{"income_tax_brackets", "1: 0.4, 2: 0.6"}, 1, 12, []sign{{TaxIncome, 1}, {IncomeGini, -1}}},
		{"minimum income", nil, []any{"minimum_income", .5}, 1, 12, []sign{{PovertyRate, -1}, {GovernmentSpending, 1}}},
		{"taper", []any{"minimum_income", .4}, []any{"minimum_income", .4, "minimum_income_taper", .5}, 1, 12,
			[]sign{{GovernmentSpending, 1}}},
		{"equal", nil, []any{"redistribution_strategy", "equal", "redistribution_share", .1}, 1, 12,
			[]sign{{IncomeGini, -1}, {TaxIncome, 1}}},
		{"poverty focused", nil, []any{"redistribution_strategy", "poverty_focused"}, 1, 12, []sign{{PovertyRate, -1}}},
		{"unemployment focused", nil, []any{"redistribution_strategy", "unemployment_focused"}, 1, 12, []sign{{IncomeGini, -1}}},
		{"income proportional", nil, []any{"redistribution_strategy", "income_proportional", "redistribution_financing", "deficit"}, 1,
			12, []sign{{RealConsumption, 1}, {DeficitToGDP, 1}}},
		{"family size", nil, []any{"redistribution_strategy", "family_size", "redistribution_share", .1, "redistribution_financing",
			"vat"}, 1, 12, []sign{{TaxVAT, 1}, {CPI, 1}}},
		{"mixed", nil, []any{"redistribution_strategy", "mixed", "redistribution_share", .04}, 1, 12,
			[]sign{{IncomeGini, -1}, {PovertyRate, -1}}},
		{"basic income by VAT", []any{"universal_basic_income", .1}, []any{"universal_basic_income", .1, "basic_income_financing",
			"vat"}, 1, 12, []sign{{CPI, 1}, {DeficitToGDP, -1}}},
		{"basic income by income tax", []any{"universal_basic_income", .1}, []any{"universal_basic_income", .1, "basic_income_financing",
			"income_tax"}, 13, 36, []sign{{CPI, -1}, {TaxIncome, 1}}},
		{"basic income per adult", []any{"universal_basic_income", .1}, []any{"universal_basic_income", .1, "basic_income_unit",
			"adult"}, 1, 12, []sign{{GovernmentSpending, 1}}},
		{"job guarantee", slump, append([]any{"enable_dynamic_job_posting", true}, slump...), 13, 36,
			[]sign{{UnemploymentRate, -1}, {PovertyRate, -1}, {JobGuaranteeEmployment, 1}}},
		{"austerity rule", []any{"universal_basic_income", .1}, []any{"universal_basic_income", .1, "enable_austerity_rule", true,
			"austerity_deficit_limit", 0.0}, 13, 36, []sign{{GovernmentSpending, -1}, {DeficitToGDP, -1}}},
		{"wage subsidy", nil, []any{"wage_subsidy_rate", .3, "wage_subsidy_ceiling", 20.0}, 1, 24,
			[]sign{{CPI, -1}, {GovernmentSpending, 1}}},
		{"research subsidy", nil, []any{"research_subsidy_rate", .6}, 1, 36, []sign{{InnovationEvents, 1}, {GovernmentSpending, 1}}},
		{"public research", nil, []any{"public_research_share", .03}, 1, 36, []sign{{InnovationEvents, 1}}},
		{"job retention", slump, append([]any{"job_retention_share", .9}, slump...), 1, 12,
			[]sign{{SeparationRateObserved, -1}, {UnemploymentRate, -1}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := effects(t, 5, test.first, test.last, set(test.control...), set(test.treatment...))
			for _, s := range test.signs {
				out[s.indicator].moves(t, s.indicator.String(), s.sign)
			}
		})
	}
}

// everyTransfer switches on all that the public sector can do.
func everyTransfer(p *Params) {
	p.IncomeTaxBrackets = "1: 0.3, 2: 0.45"
	p.UniversalBasicIncome, p.BasicIncomeUnit, p.BasicIncomeFinancing = .05, "adult", "vat"
	p.MinimumIncome, p.MinimumIncomeTaper = .3, .5
	p.RedistributionStrategy, p.RedistributionFinancing = "mixed", "income_tax"
	p.EnableDynamicJobPosting, p.UnemploymentThreshold = true, .02
	p.EnableAusterityRule, p.AusterityDeficitLimit = true, .01
	p.WageSubsidyRate, p.WageSubsidyCeiling = .2, 1
	p.ResearchSubsidyRate, p.PublicResearchShare, p.JobRetentionShare = .3, .02, .5
}

func TestPublicSectorBooksAndBits(t *testing.T) {
	p := thousand()
	everyTransfer(&p)
	sameBits(t, p, 30, func(e *Economy) {
		if e.flow.minimumIncome <= 0 || e.flow.redistributed <= 0 || e.flow.subsidies <= 0 || e.f.heads[e.programme()] == 0 {
			t.Fatalf("nothing flows: %+v", e.flow)
		}
	})
}

// All mechanisms at once: the books hold, on any number of threads, and from a snapshot.
func TestEverythingTogether(t *testing.T) {
	p := thousand()
	everythingOn(&p)
	sameBits(t, p, 30, nil)
}

func TestAuditSeesTransfers(t *testing.T) {
	p := small()
	everyTransfer(&p)
	auditSees(t, p, 2, nil, []misbooking{
		{"minimum income", func(e *Economy) { e.flow.minimumIncome-- }, "disposable income"},
		{"redistribution", func(e *Economy) { e.flow.redistributed-- }, "disposable income"},
		{"subsidies", func(e *Economy) { e.flow.subsidies-- }, "firms: change of deposits"},
	})
}

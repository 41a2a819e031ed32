package sim

import (
	"math"
	"slices"
	"testing"
)

func TestWageOf(t *testing.T) {
	for _, test := range []struct {
		name    string
		wage    float64
		skill   int32
		minimum float64
		want    int64
	}{
		{"mean skill", 3_000_000, 1000, 0, 3_000_000},
		{"half the skill", 3_000_000, 500, 0, 1_500_000},
		{"minimum wage binds", 3_000_000, 500, 2_000_000, 2_000_000},
		{"minimum wage does not bind", 3_000_000, 1500, 2_000_000, 4_500_000},
		{"rounded down", 1001, 333, 0, 333}, // 333.333
		{"minimum rounded down", 1001, 333, 400.9, 400},
		{"no wage", 0, 1000, 0, 0},
	} {
		if got := wageOf(test.wage, test.skill, test.minimum); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestIncomeTaxOn(t *testing.T) {
	for _, test := range []struct {
		name                           string
		wage, allowance, capital, rate float64
		want                           int64
	}{
		{"wage and capital income", 1000, 200, 50, .225, 191}, // 180 + 11.25
		{"wage below the allowance", 100, 200, 50, .2, 10},    // 0 + 10
		{"at the allowance", 200, 200, 0, .2, 0},
		{"each part rounded down", 1003, 0, 3, .5, 502}, // 501.5 and 1.5
		{"no tax", 1000, 0, 1000, 0, 0},
		{"nothing earned", 0, 200, 0, .5, 0},
	} {
		onWage, onCapital := incomeTaxOn(test.wage, test.allowance, test.capital, test.rate, nil)
		if got := onWage + onCapital; got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestBenefitRate(t *testing.T) {
	for _, test := range []struct {
		idle, months int
		want         float64
	}{
		{0, 12, .5}, {11, 12, .5}, {12, 12, .3}, {400, 12, .3}, {0, 0, .3}, // .5 x .6
	} {
		near(t, "benefit rate", benefitRate(.5, test.idle, test.months, .6), test.want)
	}
	near(t, "no long-term benefit", benefitRate(.5, 12, 12, 0), 0)
}

func TestDesiredConsumption(t *testing.T) {
	p := Params{PropensityToConsumeIncome: .9, PropensityToConsumeWealth: .01, ConsumptionInterestSensitivity: .6,
		NaturalRealRate: .01, ConfidenceConsumptionEffect: 2}
	for _, test := range []struct {
		name                                     string
		k, real, permanent, deposits, confidence float64
		want                                     float64
	}{
		{"spender", .1, .01, 1000, 5000, 0, 1040},                      // (1 - .1 x .1) 1000 + .01 x 5000
		{"saver", 3, .01, 1000, 5000, 0, 750},                          // .7 x 1000 + 50
		{"saver at a high rate", 3, .06, 1000, 5000, 0, 729},           // .7 x (1 - .6 x .05) x 1000 + 50
		{"low rate", 3, -.04, 1000, 5000, 0, 771},                      // .7 x 1.03 x 1000 + 50
		{"good mood", 3, .06, 1000, 5000, .01, 743.58},                 // 729 x 1.02
		{"money on hand", .1, .01, 1000, 500, 0, 500},                  // 995 wanted
		{"no income", .1, .01, 0, 1000, 0, 10},                         // .01 x 1000
		{"no money", .1, .01, 1000, 0, 0, 0},                           //
		{"panic", .1, .01, 1000, 5000, -.6, 0},                         // 1 - 1.2 < 0
		{"the wanted stock exceeds income", 20, .01, 1000, 5000, 0, 0}, // (1 - 2) 1000 + 50
	} {
		near(t, test.name, desiredConsumption(&p, saver{months: test.k, haste: 1}, test.real, test.permanent, test.deposits, test.deposits, test.confidence), test.want)
	}
}

func TestIncomes(t *testing.T) {
	p := thousand()
	p.IncomeTaxRate, p.UnemploymentBenefitRate, p.BenefitMonths, p.LongTermBenefitFactor, p.IncomeSmoothing = .25, .5, 12, .6, .4
	e := mustNew(t, p, 1)
	g := e.government()
	e.m.TaxScale, e.m.Pool, e.m.EquityUnit = 1.2, 1_000_003, 1000 // tax rate .3
	e.rates = rates{deposit: .012, allowance: 1000, minimumWage: 1500, basicIncome: 70}
	e.setTaxRates()
	clear(e.f.wageBill)
	e.f.wage[2], e.f.wage[g] = 2000, 5000
	for _, h := range []int{0, 1, 2, 3, 4} {
		e.h.skill[h], e.h.deposits[h], e.h.equity[h], e.h.permanent[h], e.h.lastWage[h] = 1000, 0, 0, 1000, 4000
	}
	e.h.employer[0] = 2
	e.h.employer[1], e.h.equity[1], e.h.deposits[1] = g, 10, 100_000
	e.h.employer[2], e.h.idle[2] = nobody, 11
	e.h.employer[3], e.h.idle[3] = nobody, 12
	e.h.employer[4], e.h.skill[4] = 2, 500

	sum := new(tally)
	e.receiveIncome(span{lo: 0, hi: 5, sum: sum})
	for h, want := range []int64{
		1770, // 2000 - .3 (2000 - 1000) + 70
		// 5000 + interest 100000 x .012/12 = 100 + dividend floor(10 x
		// 1000003/1000) = 10000, - .3 x 4000 - .3 x 10100 + 70
		5000 + 100 + 10_000 - 1200 - 3030 + 70,
		2070, // .5 x 4000 + 70, untaxed
		1270, // .5 x .6 x 4000 + 70
		1420, // the minimum of 1500 for half a unit of skill, - .3 x 500 + 70
	} {
		if e.h.income[h] != want {
			t.Errorf("household %d has an income of %d, want %d", h, e.h.income[h], want)
		}
		near(t, "smoothed income", e.h.permanent[h], 1000+.4*(float64(want)-1000))
	}
	if e.h.deposits[0] != 1770 || e.h.deposits[1] != 110_940 {
		t.Errorf("deposits %d and %d", e.h.deposits[0], e.h.deposits[1])
	}
	if e.h.lastWage[0] != 2000 || e.h.lastWage[2] != 4000 || e.f.wageBill[2] != 3500 {
		t.Errorf("last wages %d, %d; wage bill %d", e.h.lastWage[0], e.h.lastWage[2], e.f.wageBill[2])
	}
	for i, want := range map[int]int64{
		sumWages: 8500, sumGovernmentWages: 5000, sumBenefits: 3200, sumBasicIncome: 350, sumDepositInterest: 100,
		sumDividends: 10_000, sumIncomeTax: 300 + 1200 + 3030 + 150, sumEmployed: 3,
		sumDisposable: 1770 + 10_940 + 2070 + 1270 + 1420,
	} {
		if sum.count[i] != want {
			t.Errorf("sum %d is %d, want %d", i, sum.count[i], want)
		}
	}
}

func TestIncomeTaxIsCapped(t *testing.T) {
	p := thousand()
	p.IncomeTaxRate = .6
	e := mustNew(t, p, 1)
	e.m.TaxScale = 1.6 // .96, capped at .95
	e.rates = rates{}
	e.setTaxRates()
	e.h.employer[0], e.h.skill[0] = 2, 1000
	e.f.wage[2], e.m.Pool = 100_000, 0
	e.receiveIncome(span{lo: 0, hi: 1, sum: new(tally)})
	if e.h.income[0] != 5_000 {
		t.Errorf("%d of 100000 left after a tax of 95 %%", e.h.income[0])
	}
}

// What the pool pays out is at most what is in it, and misses it by less than
// a subunit a household.
func TestDividendsEmptyThePool(t *testing.T) {
	e := mustNew(t, thousand(), 2)
	mustStep(t, e, 3)
	e.m.Pool = 987_654_321
	e.payIncomes()
	if left := e.m.Pool; left < 0 || left >= int64(e.households()) || e.flow.dividends+left != 987_654_321 {
		t.Errorf("%d left of the pool after %d paid", left, e.flow.dividends)
	}
}

func TestHabitual(t *testing.T) {
	for _, test := range []struct{ desired, last, habit, deposits, want float64 }{
		{1000, 600, 0, 5000, 1000},
		{1000, 600, .75, 5000, 700}, // .75 x 600 + .25 x 1000
		{1000, 600, .75, 650, 650},
		{0, 600, .5, 0, 0},
	} {
		if got := habitual(test.desired, test.last, test.habit, test.deposits); got != test.want {
			t.Errorf("habitual(%v, %v, %v, %v) = %v, want %v", test.desired, test.last, test.habit, test.deposits, got, test.want)
		}
	}
}

func TestBudgetsAreWithinDeposits(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	mustStep(t, e, 3)
	for h := range e.h.deposits {
		if h%3 == 0 {
			e.h.deposits[h] = int64(h)
		}
	}
	before := slices.Clone(e.h.planned)
	e.overHouseholds((*Economy).planSpending)
	for h, b := range e.h.budget {
		deposits := float64(e.h.deposits[h])
		desired := desiredConsumption(&e.p, e.saverOf(h), e.rates.real, e.h.permanent[h], deposits, deposits, e.m.Confidence)
		want := habitual(desired, float64(before[h]), e.p.ConsumptionHabit, deposits)
		if b < 0 || b > e.h.deposits[h] || b != int64(math.Floor(want)) || e.h.planned[h] != b {
			t.Fatalf("household %d with %d plans to spend %d, wants %v", h, e.h.deposits[h], b, want)
		}
	}
}

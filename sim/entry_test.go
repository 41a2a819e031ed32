package sim

import (
	"math"
	"testing"
)

func TestRecoverable(t *testing.T) {
	for _, test := range []struct {
		name             string
		loans            int64
		recovery, assets float64
		want             int64
	}{
		{"a quarter of the assets", 1000, .5, 2000, 500}, // .5 x .5 x 2000
		{"rounded down", 1000, .5, 2003, 500},            // 500.75
		{"at most the loan", 1000, .5, 8000, 1000},       // 2000
		{"nothing lent", 0, .5, 8000, 0},
		{"nothing left", 1000, .5, 0, 0},
		{"nothing recovered", 1000, 0, 8000, 0},
	} {
		if got := recoverable(test.loans, test.recovery, test.assets); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestDefaultAndEntry(t *testing.T) {
	p := thousand()
	p.RecoveryRate, p.ClosureRate = .5, 0
	e, one, sum := oneFirm(t, p)
	e.m.CapitalPrice, e.m.MeanWage = 100, 2000
	e.f.deposits[0], e.f.loans[0] = -3_000, 60_000
	e.f.capital[0], e.f.inventory[0] = 1_000, 0 // worth 100000, of which a quarter is recovered
	e.f.productivity[0], e.f.markUp[0], e.f.wagePremium[0] = 1, .01, 1
	e.f.wageBill[0], e.f.age[0] = 8_000, 77
	// The entrant may imitate the only firm of the industry with sales.
	e.f.productivityBefore[1] = 4
	e.urn.fill(e, e.industryStart, func(_ *Economy, i int) int64 {
		if i == 1 {
			return 1
		}
		return 0
	})
	e.replaceFailed(one)
	// Kept 25000; written off 60000 - 25000 + 3000 of overdraft. The entrant
	// borrows half of the payroll of 8000.
	if e.f.loans[0] != 29_000 || e.f.deposits[0] != 4_000 || e.f.age[0] != 0 {
		t.Errorf("entrant with loans %d, deposits %d, age %d", e.f.loans[0], e.f.deposits[0], e.f.age[0])
	}
	for i, want := range map[int]int64{sumWrittenOff: 38_000, sumOverdrafts: 3_000, sumNewLoans: 4_000, sumDefaults: 1} {
		if sum.count[i] != want {
			t.Errorf("sum %d is %d, want %d", i, sum.count[i], want)
		}
	}
	near(t, "entrant's productivity", e.f.productivity[0], .95*4)
	near(t, "entrant's wage", e.f.wage[0], 2000)
	near(t, "entrant's mark-up", e.f.markUp[0], .8*p.ConsumptionMarkUp)
	near(t, "entrant's price", e.f.price[0], (1+.8*p.ConsumptionMarkUp)*2000/3.8)

	// Without anyone to imitate, and above the leaders, 95 % of the old remain;
	// an entrant in place of an idle firm has a loan all the same.
	e.f.deposits[0], e.f.productivity[0], e.f.wageBill[0] = -1, 6, 0
	e.f.loans[0] = 0
	e.replaceFailed(one)
	near(t, "productivity kept", e.f.productivity[0], .95*6)
	if lent := e.f.loans[0]; lent <= 0 || lent > 1000 || e.f.deposits[0] != lent {
		t.Errorf("loan %d, deposits %d of an idle entrant, want at most half the mean wage", lent, e.f.deposits[0])
	}

	// A firm without money is not overdrawn.
	*sum = tally{}
	e.f.deposits[0], e.f.heads[0] = 0, 3
	e.replaceFailed(one)
	if *sum != (tally{}) {
		t.Error("a firm with deposits of zero failed")
	}
}

func TestFoundingCapital(t *testing.T) {
	p := Params{CapitalProductivity: .02, TargetUtilisation: .8}
	for _, test := range []struct{ sales, capital, price, payroll, want float64 }{
		{1.6, 0, 10, 3, 1003}, // 1.6 / .016 = 100 units of capital goods
		{1.6, 60, 10, 3, 403}, // 40 are missing
		{1.6, 200, 10, 3, 3},  // none is
		{0, 0, 10, 3, 3},      // a maker of capital goods
	} {
		if got := foundingCapital(&p, test.sales, test.capital, test.price, test.payroll); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("foundingCapital(%v, %v) = %v, want %v", test.sales, test.capital, got, test.want)
		}
	}
}

// A firm without employees gives way to one that its owners pay for, as far as
// the dividends declared go.
func TestIdleFirmsAreReplaced(t *testing.T) {
	p := thousand()
	p.ClosureRate = 1
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	dismissAll := func(i int) {
		for h, employer := range e.h.employer {
			if int(employer) == i {
				e.h.employer[h] = nobody
			}
		}
		e.f.heads[i], e.f.labour[i], e.f.age[i] = 0, 0, 90
	}
	dismissAll(5)
	deposits, pool, loans := e.f.deposits[5], e.m.Pool, e.f.loans[5]
	e.closures = 0
	e.replaceIdle()
	paid := e.f.deposits[5] - deposits
	if e.closures < 1 || e.f.age[5] != 0 || paid <= 0 || e.f.loans[5] != loans {
		t.Fatalf("%d closures, age %d, %d paid in, loans %d of %d", e.closures, e.f.age[5], paid, e.f.loans[5], loans)
	}
	if e.f.sales[5] < e.f.productivity[5]*foundingLabour {
		t.Errorf("the entrant expects to sell %v", e.f.sales[5])
	}
	if e.flow.founding != pool-e.m.Pool {
		t.Errorf("%d booked as capital, the pool gave %d", e.flow.founding, pool-e.m.Pool)
	}

	dismissAll(6)
	e.m.Pool = 0
	before := e.f.deposits[6]
	e.replaceIdle()
	if e.f.deposits[6] != before || e.f.age[6] == 0 {
		t.Error("a firm was founded without capital")
	}
}

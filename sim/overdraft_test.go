package sim

import "testing"

func TestFunds(t *testing.T) {
	for _, test := range []struct {
		name                         string
		deposits, line, income, want float64
	}{
		{"money and a line", 500, 1500, 1000, 2000},
		{"in debt", -1000, 1500, 100, 500},
		{"near the line", -1400, 1500, 1000, 900}, // of income, a tenth is for the debt
		{"beyond the line", -2000, 1500, 1000, 900},
		{"no income", -2000, 1500, -5, 0},
	} {
		near(t, test.name, funds(test.deposits, test.line, test.income), test.want)
	}
}

// Debt costs the loan rate and the premium, which the bank earns; that of those long without work who
// are beyond their line is the bank's loss.
func TestOverdrafts(t *testing.T) {
	p := thousand()
	p.OverdraftMonths, p.UnemploymentBenefitRate, p.IncomeTaxRate = 1.5, 0, 0
	e := mustNew(t, p, 1)
	e.rates, e.m.Pool = rates{loan: .02, deposit: .012}, 0
	e.setTaxRates()
	for h := range 4 {
		e.h.employer[h], e.h.idle[h], e.h.equity[h], e.h.permanent[h] = nobody, chargeOffMonths, 0, 1000
	}
	e.h.deposits[0] = -1200                                 // within its line of 1500
	e.h.deposits[1] = -1600                                 // beyond it
	e.h.deposits[2], e.h.idle[2] = -6000, chargeOffMonths-1 // not yet long without a job
	e.h.deposits[3] = 12_500                                // has money
	sum := new(tally)
	e.collect()
	e.receiveIncome(span{lo: 0, hi: 4, sum: sum})
	for h, want := range []int64{-1200 - 12, 0, -6000 - 60, 12_512} { // .12 / 12 of the debt, .012 / 12 of the deposits
		if e.h.deposits[h] != want {
			t.Errorf("household %d has %d, want %d", h, e.h.deposits[h], want)
		}
	}
	l := e.collect()[0]
	if sum.count[sumOverdraftInterest] != 72 || l.loanInterest != 72 || l.depositInterest != 12 {
		t.Errorf("interest: %d paid; the bank has %d and %d", sum.count[sumOverdraftInterest], l.loanInterest, l.depositInterest)
	}
	if sum.count[sumForgiven] != 1600 || l.writtenOff != 1600 {
		t.Errorf("written off: %d; the bank loses %d", sum.count[sumForgiven], l.writtenOff)
	}
	e.overHouseholds((*Economy).countOverdrafts)
	if l := e.collect()[0]; l.loans < 1212+6060 {
		t.Errorf("the bank has lent %d to households", l.loans)
	}
}

// Nobody spends beyond the line, and without one nobody is in debt.
func TestBudgetsAreWithinTheLine(t *testing.T) {
	e := mustNew(t, differing(), 2)
	mustStep(t, e, 24)
	e.overHouseholds((*Economy).planSpending)
	debtors := 0
	for h, b := range e.h.budget {
		if float64(b) > e.fundsOf(h) {
			t.Fatalf("household %d with %d plans to spend %d; it can spend %v", h, e.h.deposits[h], b, e.fundsOf(h))
		}
		if e.h.deposits[h] < 0 {
			debtors++
		}
	}
	if debtors == 0 {
		t.Error("nobody is in debt")
	}
}

func TestAuditSeesOverdrafts(t *testing.T) {
	auditSees(t, differing(), 24, func(e *Economy) bool { return e.flow.overdraftInterest > 0 }, []misbooking{
		{"interest on overdrafts", func(e *Economy) { e.flow.overdraftInterest++ }, "disposable income"},
		{"a write-off that never was", func(e *Economy) { e.flow.forgiven++ }, "households: change of deposits"},
		{"a debt", func(e *Economy) {
			for h := range e.h.deposits {
				if e.h.deposits[h] < 0 {
					e.h.deposits[h]--
					return
				}
			}
		}, "bank:"},
	})
	auditSees(t, small(), 2, nil, []misbooking{{"a debt without a line", func(e *Economy) {
		e.h.deposits[6] += e.h.deposits[5] + 1
		e.h.deposits[5] = -1
	}, "below zero"}})
}

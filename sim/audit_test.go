package sim

import (
	"errors"
	"strings"
	"testing"
)

// misbooking breaks a line of the books by the least amount, of which the audit says that an
// identity does not hold.
type misbooking struct {
	line     string
	mutate   func(*Economy)
	identity string // part of its name
}

// auditSees makes each of them after the phases of the month that follows some months, before
// the audit sees it. With it, moved says whether what the lines are about happened at all; nil
// where it always does.
func auditSees(t *testing.T, p Params, months int, moved func(*Economy) bool, misbookings []misbooking) {
	t.Helper()
	for _, wrong := range misbookings {
		t.Run(wrong.line, func(t *testing.T) {
			e := mustNew(t, p, 1)
			mustStep(t, e, months)
			runPhases(e)
			if err := e.audit(); err != nil {
				t.Fatalf("the books do not balance before the mutation: %v", err)
			}
			if moved != nil && !moved(e) {
				t.Fatalf("nothing is paid: %+v", e.flow)
			}
			wrong.mutate(e)
			v := e.surveyFirms()
			e.closing = e.countStocks(&v)
			var broken *AuditError
			if err := e.audit(); !errors.As(err, &broken) || !strings.Contains(broken.Identity, wrong.identity) {
				t.Errorf("audit says %v; want %q", err, wrong.identity)
			} else if broken.Month != e.Month() {
				t.Errorf("audit names month %d of %d", broken.Month, e.Month())
			}
		})
	}
}

func TestAuditSeesASingleSubunit(t *testing.T) {
	auditSees(t, small(), 2, nil, []misbooking{
		{"a household's deposits", func(e *Economy) { e.h.deposits[5]++ }, "bank:"},
		{"a firm's deposits", func(e *Economy) { e.f.deposits[5]++ }, "bank:"},
		{"a firm's loan", func(e *Economy) { e.f.loans[5]++ }, "bank:"},
		{"public debt", func(e *Economy) { e.m.Debt-- }, "bank:"},
		{"bank equity", func(e *Economy) { e.m.Banks[0].Equity++ }, "bank:"},
		{"the dividend pool", func(e *Economy) { e.m.Pool++ }, "bank:"},
		{"money made at a household and a firm's loan", func(e *Economy) { e.h.deposits[5]++; e.f.loans[3]++ },
			"households: change of deposits"},
		{"debt that pays for bank equity", func(e *Economy) { e.m.Debt++; e.m.Banks[0].Equity++ }, "bank: change of equity"},
		{"firms' deposits for the pool", func(e *Economy) { e.f.deposits[5]--; e.m.Pool++ }, "firms: change of deposits"},
		{"a loan without money", func(e *Economy) { e.f.loans[5]++; e.m.Debt-- }, "firms: change of loans"},
		{"heads", func(e *Economy) { e.f.heads[5]++ }, "employed = sum of heads"},
		{"labour", func(e *Economy) { e.f.labour[5]++ }, "skill employed"},
		{"inventories", func(e *Economy) { e.f.inventory[5] += .001 }, "roll-forward of inventories"},
		{"capital", func(e *Economy) { e.f.capital[5] += .01 }, "roll-forward of capital"},
		{"a wage not paid", func(e *Economy) { e.flow.firmWages-- }, "firms: change of deposits"},
		{"VAT not passed on", func(e *Economy) { e.flow.vat-- }, "households: change of deposits"},
		{"income tax not passed on", func(e *Economy) { e.flow.incomeTax-- }, "disposable income"},
		{"corporate tax not passed on", func(e *Economy) { e.flow.firmsCorporateTax-- }, "firms: change of deposits"},
		{"sales that nobody bought", func(e *Economy) { e.flow.revenue++; e.f.deposits[5]++; e.m.Debt++ }, "government: change of debt"},
		{"purchases that nobody sold", func(e *Economy) { e.flow.purchases++; e.m.Debt++; e.m.Banks[0].Equity++ },
			"bank: change of equity"},
		{"debts below zero", func(e *Economy) { e.f.loans[3] -= 1 << 40; e.f.loans[4] += 1 << 40 }, "below zero"},
		{"a stock below zero", func(e *Economy) { e.f.inventory[3] -= 1 << 20; e.f.inventory[4] += 1 << 20 }, "below zero"},
		{"capital below zero", func(e *Economy) { e.f.capital[3] -= 1 << 20; e.f.capital[4] += 1 << 20 }, "below zero"},
	})
}

// Mutations inside the month, where the code that moves money runs.
func TestAuditSeesAPhaseThatLosesMoney(t *testing.T) {
	for _, phase := range []string{"matching", "income", "goods market, first round", "goods market, second round", "capital delivery",
		"firm accounts", "defaults and entry", "bank", "government"} {
		t.Run(phase, func(t *testing.T) {
			e := mustNew(t, small(), 1)
			mustStep(t, e, 2)
			e.OnPhase(func(name string) {
				if name == phase {
					e.h.deposits[7]--
				}
			})
			var broken *AuditError
			if err := e.Step(); !errors.As(err, &broken) {
				t.Errorf("a subunit lost after %q went unnoticed: %v", phase, err)
			}
		})
	}
}

func runPhases(e *Economy) {
	for _, phase := range schedule {
		phase.run(e)
	}
}

func TestBooksBalanceForADecade(t *testing.T) {
	p := small()
	p.NumHouseholds = 1000
	for _, industries := range []int{1, 12} {
		p.NumIndustries = industries
		e := mustNew(t, p, 2)
		mustStep(t, e, 120)
	}
}

package sim

import (
	"bytes"
	"testing"
)

// differing is an economy with all that makes households differ.
func differing() Params {
	p := small()
	p.EnableHouseholdTypes = true
	p.OverdraftMonths, p.IncomeSmoothing = 1.5, .05
	p.OwnershipRisk = .35
	p.SkillTail, p.SkillLoss = .6, .015
	p.SearchFatigue, p.BenefitSearchElasticity = .6, .6
	return p
}

// With all of it the books balance, and neither the number of threads nor a snapshot changes a bit.
func TestHouseholdsThatDiffer(t *testing.T) {
	for _, change := range []func(*Params){
		func(*Params) {},
		func(p *Params) { everythingOn(p); p.PopulationGrowth = -.02 },
		func(p *Params) { p.BankResolution, p.NumBanks, p.DepositInsurance = "bail_in", 3, .1 },
	} {
		p := differing()
		change(&p)
		one, four := mustNew(t, p, 1), mustNew(t, p, 4)
		mustStep(t, one, 30)
		mustStep(t, four, 30)
		if one.StateHash() != four.StateHash() {
			t.Error("the threads change the state")
		}
		read, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, one)), 2)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(read.Close)
		copied := one.Copy()
		t.Cleanup(copied.Close)
		for _, e := range []*Economy{one, read, copied} {
			mustStep(t, e, 12)
		}
		if one.StateHash() != read.StateHash() || one.StateHash() != copied.StateHash() {
			t.Error("an economy that was stored goes on otherwise")
		}
		if one.closing.householdLoans <= 0 {
			t.Error("no household owes anything")
		}
	}
}

func TestHouseholdTypes(t *testing.T) {
	sum := 0.0
	for _, x := range householdTypes {
		sum += x.share
	}
	within(t, "shares", sum, 1, 1e-12)
	// .095 of all are .095 / .47 of those who own nothing.
	near(t, "debtors among owners", debtorShare(.095, true), 0)
	near(t, "debtors among others", debtorShare(.094, false), .2)

	p := differing()
	p.NumHouseholds = 10_000
	p.OwnershipRisk = 0
	e := mustNew(t, p, 1)
	var count [4]float64
	for h := range e.h.traits {
		k := e.h.traits[h] & 3
		count[k]++
		if k == debtorType && e.h.equity[h] > 0 {
			t.Fatalf("debtor %d owns firms", h)
		}
	}
	for k, n := range count {
		within(t, "share of a type", n/10_000, householdTypes[k].share, .02)
	}
}

// A type closes the gap to its wanted wealth at its own speed, and smooths its income at its own.
func TestSaver(t *testing.T) {
	p := Params{PropensityToConsumeIncome: .9, PropensityToConsumeWealth: .01}
	// (1 - .1 x 2) 1000 + 5 x .01 x 3000
	near(t, "desired", desiredConsumption(&p, saver{months: 2, haste: 5}, 0, 1000, 3000, 9999, 0), 950)
	near(t, "of a debtor", desiredConsumption(&p, saver{months: -2, haste: 5}, 0, 1000, -3000, 9999, 0), 1050) // 1200 - 150
	near(t, "within funds", desiredConsumption(&p, saver{months: -2, haste: 5}, 0, 1000, -3000, 700, 0), 700)

	q := differing()
	q.IncomeTaxRate = 0
	e := mustNew(t, q, 1)
	e.rates, e.m.Pool = rates{}, 0
	e.setTaxRates()
	for ago, gdp := range []float64{0, 112, 100, 100, 100} { // 312 in three months after 300
		*ring(e.m.GDPHistory[:], e.m.Month, ago) = gdp
	}
	near(t, "common income", e.commonIncome(), 1.04)
	e.h.traits[0], e.h.employer[0], e.h.permanent[0], e.h.deposits[0], e.h.lastWage[0] = 3, nobody, 1000, 0, 0
	e.receiveIncome(span{lo: 0, hi: 1, sum: new(tally)})
	near(t, "smoothed income", e.h.permanent[0], 1040-householdTypes[3].smoothing*.05*1040)
	*ring(e.m.GDPHistory[:], e.m.Month, 1) = 500
	near(t, "bounded", e.commonIncome(), 1.1)
}

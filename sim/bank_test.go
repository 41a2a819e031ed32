package sim

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// banked is a small economy with several banks.
func banked(banks int) Params {
	p := small()
	p.NumBanks = banks
	return p
}

func TestHomeBank(t *testing.T) {
	var households, firms [5]int
	same := 0
	e := &Economy{p: Params{NumBanks: 5}}
	for i := range 10_000 {
		households[e.bankOfHousehold(i)]++
		firms[e.bankOfFirm(i)]++
		if e.bankOfHousehold(i) == e.bankOfFirm(i) {
			same++
		}
		if homeBank(uint64(i), 1) != 0 {
			t.Fatalf("customer %d is not at the only bank", i)
		}
	}
	// 2000 each, with a standard deviation of 40.
	for b := range 5 {
		if math.Abs(float64(households[b]-2000)) > 160 || math.Abs(float64(firms[b]-2000)) > 160 {
			t.Errorf("bank %d has %d households and %d firms of 10000", b, households[b], firms[b])
		}
	}
	if math.Abs(float64(same-2000)) > 160 {
		t.Errorf("%d of 10000 households share a bank with the firm of their number", same)
	}
}

func TestApportion(t *testing.T) {
	for _, test := range []struct {
		name    string
		amount  int64
		weights []int64
		want    []int64
	}{
		{"in proportion", 60, []int64{1, 2, 3}, []int64{10, 20, 30}},
		{"to the last subunit", 10, []int64{1, 1, 1}, []int64{3, 3, 4}}, // 3.3, 6.7, 10 in all
		{"a debt", -10, []int64{1, 1, 1}, []int64{-3, -3, -4}},
		{"without weights", 7, []int64{0, 0}, []int64{3, 4}},
		{"to one", 7, []int64{0, 5, 0}, []int64{0, 7, 0}},
		{"a large amount", 1 << 60, []int64{1 << 59, 1 << 59}, []int64{1 << 59, 1 << 59}},
	} {
		var parts []int64
		apportion(test.amount, len(test.weights), func(k int) int64 { return test.weights[k] }, func(_ int, part int64) {
			parts = append(parts, part)
		})
		if !slices.Equal(parts, test.want) {
			t.Errorf("%s: %d, want %d", test.name, parts, test.want)
		}
	}
}

func TestCapitalNeed(t *testing.T) {
	p := Params{CapitalRequirement: .1, RecapitalisationThreshold: .5}
	for _, test := range []struct {
		name              string
		buffer, threshold float64
		equity            int64
		loans             float64
		want              int64
	}{
		{"at the threshold", 0, .5, 500, 10_000, 0}, // .5 x .1 x 10000
		{"below it", 0, .5, 499, 10_000, 551},       // to 1.05 x 1000
		{"a buffer is restored too", .02, .5, 499, 10_000, 761},
		{"but does not count", .5, .5, 500, 10_000, 0},
		{"low but above zero", 0, 0, 1, 10_000, 0},
		{"failed", 0, 0, -1, 10_000, 1_051},
		{"failed without loans", 0, 0, -7, 0, 7},
		{"nothing at all", 0, 1, 0, 0, 0},
	} {
		p.CountercyclicalBuffer, p.RecapitalisationThreshold = test.buffer, test.threshold
		if got := capitalNeed(&p, test.equity, test.loans); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestHaircut(t *testing.T) {
	for _, test := range []struct {
		name                                       string
		deposits, insured, amount, uninsured, want int64
	}{
		{"half of what is not insured", 300, 100, 500, 1000, 100},
		{"rounded down", 301, 100, 500, 1000, 100}, // 100.5
		{"insured", 100, 100, 500, 1000, 0},
		{"poor", 3, 100, 500, 1000, 0},
		{"all that is not insured", 300, 100, 1000, 1000, 200},
		{"at a sound bank", 300, 100, 0, 1000, 0},
		{"nobody has more", 50, 100, 0, 0, 0},
	} {
		if got := haircut(test.deposits, test.insured, test.amount, test.uninsured); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestCentralBankBonds(t *testing.T) {
	for _, test := range []struct {
		name  string
		debt  int64
		share float64
		want  int64
	}{
		{"a quarter", 1001, .25, 250},
		{"none", 1001, 0, 0},
		{"all", 1<<60 - 1, 1, 1<<60 - 1}, // as a real number it would be 2^60
		{"no debt", 0, 1, 0},
		{"the government lends", -100, 1, 0},
	} {
		if got := centralBankBonds(test.debt, test.share); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// A fixed rate and the ceiling hold from the month in which they are set.
func TestPolicyRateMovesAtOnce(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	mustStep(t, e, 2)
	for _, test := range []struct {
		edit func(*Params)
		want float64
	}{
		{func(p *Params) { p.PolicyRateRule, p.FixedPolicyRate = "fixed", .07 }, .07},
		{func(p *Params) { p.FixedPolicyRate = .01 }, .01},
		{func(p *Params) { p.FixedPolicyRate = .04 }, .04},
		{func(p *Params) { p.PolicyRateRule, p.MaxPolicyRate = "taylor", .015 }, .015},
	} {
		p := e.Params()
		test.edit(&p)
		if err := e.SetParams(p); err != nil {
			t.Fatal(err)
		}
		mustStep(t, e, 1)
		near(t, "policy rate", e.Latest().Value(PolicyRate), test.want)
		near(t, "loan rate", e.rates.loan, test.want+p.LoanSpread)
	}
	p := e.Params()
	p.InflationTarget = .2 // wanted rates are far above the ceiling
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	for range 6 {
		mustStep(t, e, 1)
		if got := e.Latest().Value(PolicyRate); got > .015 {
			t.Errorf("policy rate %v above its ceiling", got)
		}
	}
}

// With one bank there is nobody to settle with.
func TestOneBankHoldsAllBonds(t *testing.T) {
	p := thousand()
	p.InherentMarketConsumptionRate = .3 // so that there is a debt
	e := mustNew(t, p, 1)
	mustStep(t, e, 3)
	if bank := e.m.Banks[0]; bank.Bonds != e.m.Debt || bank.Reserves != 0 || bank.Advances != 0 || e.m.CentralBankBonds != 0 {
		t.Errorf("debt %d, bank %+v, central bank %d", e.m.Debt, bank, e.m.CentralBankBonds)
	}
	e.p.CentralBankBondShare = .5
	mustStep(t, e, 1)
	if bank := e.m.Banks[0]; bank.Bonds+bank.Reserves != e.m.Debt || bank.Reserves != e.m.Debt/2 {
		t.Errorf("debt %d, bank %+v", e.m.Debt, bank)
	}
}

func TestBooksOfSeveralBanksBalance(t *testing.T) {
	e := mustNew(t, banked(5), 2)
	for range 120 {
		mustStep(t, e, 1)
		if s := e.Latest().Banks; s.Advances <= 0 || s.Reserves != s.Advances {
			t.Fatalf("reserves %v, advances %v", s.Reserves, s.Advances)
		}
	}
	deposits := int64(0)
	for b, bank := range e.closing.banks[:5] {
		if bank.loans <= 0 || bank.deposits <= 0 || bank.Equity <= 0 || bank.Bonds <= 0 {
			t.Errorf("bank %d: %+v", b, bank)
		}
		deposits += bank.deposits
	}
	if deposits != e.closing.householdDeposits+e.closing.firmDeposits {
		t.Errorf("deposits of all banks %d, of all customers %d", deposits, e.closing.householdDeposits+e.closing.firmDeposits)
	}
}

// customers returns two households, or firms, of different banks.
func (e *Economy) customers(home func(int) int) (a, b int) {
	for home(b) == home(a) {
		b++
	}
	return a, b
}

func TestAuditSeesASingleSubunitOfABank(t *testing.T) {
	p := banked(5)
	p.CentralBankBondShare = .3
	auditSees(t, p, 2, nil, []misbooking{
		{"a deposit that changes bank", func(e *Economy) {
			a, b := e.customers(e.bankOfHousehold)
			e.h.deposits[a]++
			e.h.deposits[b]--
		}, "loans + bonds + reserves"},
		{"a firm's deposit that changes bank", func(e *Economy) {
			a, b := e.customers(e.bankOfFirm)
			e.f.deposits[a]++
			e.f.deposits[b]--
		}, "loans + bonds + reserves"},
		{"a loan that changes bank", func(e *Economy) {
			a, b := e.customers(e.bankOfFirm)
			e.f.loans[a]++
			e.f.loans[b]--
		}, "loans + bonds + reserves"},
		{"equity that changes bank", func(e *Economy) { e.m.Banks[1].Equity++; e.m.Banks[2].Equity-- }, "loans + bonds + reserves"},
		{"equity for reserves", func(e *Economy) {
			for b, sign := range []int64{1, -1} {
				e.m.Banks[b].Equity += sign
				e.m.Banks[b].Reserves += sign
			}
		}, "change of equity = profit"},
		{"bonds that change bank", func(e *Economy) { e.m.Banks[1].Bonds++; e.m.Banks[2].Bonds-- }, "loans + bonds + reserves"},
		{"bonds", func(e *Economy) { e.m.Banks[1].Bonds++ }, "public debt = bonds"},
		{"reserves", func(e *Economy) { e.m.Banks[1].Reserves++ }, "central bank: bonds + advances"},
		{"an advance", func(e *Economy) { e.m.Banks[1].Advances++ }, "central bank: bonds + advances"},
		{"reserves made of an advance", func(e *Economy) { e.m.Banks[1].Reserves++; e.m.Banks[2].Advances++ }, "loans + bonds + reserves"},
		{"advances below zero", func(e *Economy) { e.m.Banks[1].Advances -= 1 << 40; e.m.Banks[2].Advances += 1 << 40 }, "below zero"},
		{"bonds of the central bank", func(e *Economy) { e.m.CentralBankBonds++ }, "public debt = bonds"},
		{"bonds bought with nothing", func(e *Economy) { e.m.CentralBankBonds++; e.m.Banks[1].Bonds-- }, "central bank: bonds + advances"},
		{"interest of one bank paid to another", func(e *Economy) { e.banks[1].bondInterest++; e.banks[2].bondInterest-- },
			"change of equity = profit"},
		{"interest on reserves", func(e *Economy) { e.flow.reserveInterest++ }, "bank: change of equity"},
		{"interest on advances", func(e *Economy) { e.flow.advanceInterest++ }, "bank: change of equity"},
		{"interest of the central bank", func(e *Economy) { e.flow.centralBankInterest++ }, "bank: change of equity"},
		{"profit of the central bank", func(e *Economy) { e.flow.centralBankProfit++ }, "government: change of debt"},
		{"profit kept at the central bank", func(e *Economy) { e.flow.centralBankProfit++; e.m.Debt--; e.m.Pool-- },
			"dividends: change of the pool"},
		{"households' deposits written down", func(e *Economy) { e.flow.householdsBailedIn++ }, "households: change of deposits"},
		{"firms' deposits written down", func(e *Economy) { e.flow.firmsBailedIn++ }, "firms: change of deposits"},
	})
}

// Interest that a bank books and none of its customers receives.
func TestAuditSeesABankThatPaysForAnother(t *testing.T) {
	for _, phase := range []string{"income", "firm accounts", "defaults and entry"} {
		e := mustNew(t, banked(3), 1)
		mustStep(t, e, 2)
		e.OnPhase(func(name string) {
			if name == phase {
				e.ledgers[0][0].depositInterest++
			}
		})
		var broken *AuditError
		if err := e.Step(); !errors.As(err, &broken) {
			t.Errorf("interest booked twice after %q went unnoticed: %v", phase, err)
		}
	}
}

// What a customer pays and receives is in the books of its own bank.
func TestEachBankBooksItsOwnCustomers(t *testing.T) {
	p := banked(4)
	p.ClosureRate = 0
	e := mustNew(t, p, 2)
	mustStep(t, e, 12)
	var want [MaxBanks]ledger
	failing := 7
	e.OnPhase(func(name string) {
		switch name {
		case "matching": // before incomes
			for h, d := range e.h.deposits {
				want[e.bankOfHousehold(h)].depositInterest += interestOn(d, e.rates.deposit)
			}
		case "innovation and imitation": // before firm accounts
			for i, d := range e.f.deposits {
				l := &want[e.bankOfFirm(i)]
				l.depositInterest += int64(positive(float64(d)) * e.rates.deposit / 12)
				l.loanInterest += int64(float64(e.f.loans[i]) * e.rates.loan / 12)
			}
		case "firm accounts":
			for i := range e.f.deposits { // nobody else fails
				e.f.deposits[i] = max(e.f.deposits[i], 0)
			}
			e.f.capital[failing], e.f.inventory[failing], e.f.deposits[failing] = 0, 0, -1_000
			want[e.bankOfFirm(failing)].writtenOff = e.f.loans[failing] + 1_000
		}
	})
	for _, phase := range schedule {
		phase.run(e)
		e.onPhase(phase.name)
		if phase.name == "bank" {
			break
		}
	}
	if e.defaults != 1 {
		t.Fatalf("%d defaults, want that of firm %d only", e.defaults, failing)
	}
	for b := range 4 {
		got := e.banks[b].ledger
		if got.depositInterest != want[b].depositInterest || got.loanInterest != want[b].loanInterest ||
			got.writtenOff != want[b].writtenOff || want[b].loanInterest == 0 {
			t.Errorf("bank %d: %+v, want %+v", b, got, want[b])
		}
	}
}

func TestSeveralBanksDoNotAllocate(t *testing.T) {
	e := mustNew(t, banked(5), 2)
	mustStep(t, e, 3)
	if n := testing.AllocsPerRun(12, func() { mustStep(t, e, 1) }); n > 0 {
		t.Errorf("%v allocations a month", n)
	}
}

func TestSnapshotWithTooManyBanks(t *testing.T) {
	e := mustNew(t, banked(2), 1)
	e.m.Banks[2].Equity = 1
	if _, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1); err == nil || !strings.Contains(err.Error(), "bank 3") {
		t.Errorf("error %v; want one that names bank 3", err)
	}
}

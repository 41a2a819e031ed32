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
		var weights [MaxBanks]int64
		copy(weights[:], test.weights)
		parts := apportion(test.amount, &weights, len(test.weights))
		if !slices.Equal(parts[:len(test.want)], test.want) {
			t.Errorf("%s: %d, want %d", test.name, parts[:len(test.want)], test.want)
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
	e := mustNew(t, thousand(), 1)
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
	for _, test := range []struct {
		line     string
		mutate   func(*Economy)
		identity string
	}{
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
		{"interest of one bank paid to another", func(e *Economy) { e.banks[1].bondInterest++; e.banks[2].bondInterest-- }, "change of equity = profit"},
		{"interest on reserves", func(e *Economy) { e.flow.reserveInterest++ }, "bank: change of equity"},
		{"interest on advances", func(e *Economy) { e.flow.advanceInterest++ }, "bank: change of equity"},
		{"interest of the central bank", func(e *Economy) { e.flow.centralBankInterest++ }, "bank: change of equity"},
		{"profit of the central bank", func(e *Economy) { e.flow.centralBankProfit++ }, "government: change of debt"},
		{"profit kept at the central bank", func(e *Economy) { e.flow.centralBankProfit++; e.m.Debt--; e.m.Pool-- }, "dividends: change of the pool"},
		{"households' deposits written down", func(e *Economy) { e.flow.householdsBailedIn++ }, "households: change of deposits"},
		{"firms' deposits written down", func(e *Economy) { e.flow.firmsBailedIn++ }, "firms: change of deposits"},
	} {
		t.Run(test.line, func(t *testing.T) {
			p := banked(5)
			p.CentralBankBondShare = .3
			e := mustNew(t, p, 1)
			mustStep(t, e, 2)
			runPhases(e)
			if err := e.audit(); err != nil {
				t.Fatalf("the books do not balance before the mutation: %v", err)
			}
			test.mutate(e)
			v := e.surveyFirms()
			e.closing = e.countStocks(&v)
			var broken *AuditError
			if err := e.audit(); !errors.As(err, &broken) || !strings.Contains(broken.Identity, test.identity) {
				t.Errorf("audit says %v; want %q", err, test.identity)
			}
		})
	}
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

// strip pays the equity of a bank out to the owners of all.
func (e *Economy) strip(b int) {
	e.m.Pool += e.m.Banks[b].Equity
	e.m.Banks[b].Equity = 0
	e.settleReserves()
	v := e.surveyFirms()
	e.opening = e.countStocks(&v)
}

func TestABankRationsItsOwnCustomers(t *testing.T) {
	p := banked(5)
	p.RecapitalisationThreshold, p.BankPayoutRate = 0, 0
	e := mustNew(t, p, 1)
	mustStep(t, e, 24)
	calm, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(calm.Close)
	e.strip(2)
	e.supplyCredit()
	calm.supplyCredit()
	for i := range e.firms() {
		line, usual := e.creditLine(i), calm.creditLine(i)
		if e.bankOfFirm(i) == 2 && line != 0 {
			t.Fatalf("firm %d has a line of %v at a bank without equity", i, line)
		} else if e.bankOfFirm(i) != 2 && line != usual {
			t.Fatalf("firm %d of a sound bank has a line of %v; %v without the shock", i, line, usual)
		}
	}
	mustStep(t, e, 12)
	mustStep(t, calm, 12)
	for b := range 5 {
		change := float64(e.opening.banks[b].loans)/float64(calm.opening.banks[b].loans) - 1
		if b == 2 && change > -.1 || b != 2 && change < -.05 {
			t.Errorf("bank %d: loans change by %.3f in a year", b, change)
		}
	}
}

// paired runs an economy from one state with and without a change.
func paired(t *testing.T, p Params, before, months int, edit func(*Params), visit func(control, treated *Economy)) {
	t.Helper()
	control := mustNew(t, p, 2)
	mustStep(t, control, before)
	treated, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, control)), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(treated.Close)
	edit(&p)
	if err := treated.SetParams(p); err != nil {
		t.Fatal(err)
	}
	for range months {
		mustStep(t, control, 1)
		mustStep(t, treated, 1)
		visit(control, treated)
	}
}

func TestCreditFreeze(t *testing.T) {
	for _, test := range []struct {
		supply             float64
		failures           float64 // least rise of bankruptcies in a year, of 166 firms
		investment, credit float64 // least fall
	}{{.8, 2, .01, .015}, {.1, 40, .1, .08}} {
		for seed := range 3 {
			p := small()
			p.RandomState = seed + 1
			var sums [2][3]float64
			paired(t, p, 48, 12, func(p *Params) { p.CreditSupplyFactor = test.supply }, func(control, treated *Economy) {
				for arm, e := range []*Economy{control, treated} {
					for k, i := range []Indicator{Bankruptcies, RealInvestment, CreditStock} {
						sums[arm][k] += e.Latest().Value(i)
					}
				}
			})
			t.Logf("supply %v, seed %d: bankruptcies %v to %v, investment %+.3f, credit %+.3f", test.supply, p.RandomState,
				sums[0][0], sums[1][0], sums[1][1]/sums[0][1]-1, sums[1][2]/sums[0][2]-1)
			if rise := sums[1][0] - sums[0][0]; rise < test.failures {
				t.Errorf("supply %v: %v more bankruptcies, want %v", test.supply, rise, test.failures)
			}
			if fall := 1 - sums[1][1]/sums[0][1]; fall < test.investment {
				t.Errorf("supply %v: investment falls by %.3f, want %v", test.supply, fall, test.investment)
			}
			if fall := 1 - sums[1][2]/sums[0][2]; fall < test.credit {
				t.Errorf("supply %v: credit falls by %.3f, want %v", test.supply, fall, test.credit)
			}
		}
	}
}

// Nobody borrows in a full freeze but entrants, whose first loan is left.
func TestFullFreezeEndsLending(t *testing.T) {
	p := small()
	e := mustNew(t, p, 1)
	mustStep(t, e, 24)
	p.CreditSupplyFactor = 0
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	for range 12 {
		before := slices.Clone(e.f.loans)
		mustStep(t, e, 1)
		for i, loans := range e.f.loans {
			if loans > before[i] && e.f.age[i] > 0 {
				t.Fatalf("month %d: loans of firm %d rise from %d to %d", e.Month(), i, before[i], loans)
			}
		}
	}
}

func TestCountercyclicalBuffer(t *testing.T) {
	p := Params{CapitalRequirement: .08, CountercyclicalBuffer: .02}
	near(t, "requirement", requirement(&p), .1)
	var equity, calm float64
	paired(t, small(), 48, 36, func(p *Params) { p.CountercyclicalBuffer = .02 }, func(control, treated *Economy) {
		equity, calm = treated.Latest().Value(BankEquity), control.Latest().Value(BankEquity)
	})
	if equity < 1.1*calm { // a quarter more of what depends on loans
		t.Errorf("equity %v with a buffer, %v without", equity, calm)
	}
}

// Interest on public debt that the central bank holds returns to the government
// but for what reserves earn.
func TestCentralBankHoldsDebt(t *testing.T) {
	p := banked(3)
	p.PolicyRateRule, p.FixedPolicyRate, p.ReserveCorridor = "fixed", .06, .02
	var before, after float64
	paired(t, p, 12, 12, func(p *Params) { p.CentralBankBondShare = 1 }, func(control, treated *Economy) {
		fl := &treated.flow
		if treated.m.CentralBankBonds != treated.m.Debt || fl.centralBankProfit != fl.centralBankInterest+fl.advanceInterest-fl.reserveInterest {
			t.Fatalf("debt %d, central bank %d, flows %+v", treated.m.Debt, treated.m.CentralBankBonds, fl)
		}
		before, after = float64(control.flow.centralBankProfit), float64(fl.centralBankProfit)
	})
	if before <= 0 || after < 2*before {
		t.Errorf("profit %v, %v with all debt at the central bank", before, after)
	}

	e := mustNew(t, p, 1)
	mustStep(t, e, 1)
	e.flow = flows{}
	e.p.ReserveCorridor = .06
	for b := range e.p.NumBanks {
		e.m.Banks[b] = bankState{Reserves: 1_200_000}
	}
	e.m.Banks[1] = bankState{Advances: 2_400_000}
	e.m.PolicyRate, e.m.Debt, e.m.CentralBankBonds = .12, 600_000, 200_000
	e.payReserves()
	// Bonds 600000 x .12/12, a third of it the central bank's; reserves of 2.4
	// million at 6 %, advances of 2.4 million at 12 %.
	if fl := &e.flow; fl.interest != 6_000 || fl.centralBankInterest != 2_000 || fl.reserveInterest != 12_000 || fl.advanceInterest != 24_000 || fl.centralBankProfit != 14_000 {
		t.Errorf("flows %+v", fl)
	}
	e.m.PolicyRate, e.flow = .05, flows{}
	if e.payReserves(); e.flow.reserveInterest != 0 {
		t.Errorf("reserves earn %d at a rate of 5 %% less a corridor of 6", e.flow.reserveInterest)
	}
}

func TestBailIn(t *testing.T) {
	p := banked(3)
	p.BankResolution, p.DepositInsurance = "bail_in", 12
	e := mustNew(t, p, 2)
	mustStep(t, e, 24)
	e.m.Pool += e.m.Banks[1].Equity + 5_000_000
	e.m.Banks[1].Equity = -5_000_000
	insured := floorMoney(12 * e.m.MeanWage)
	firms, households := slices.Clone(e.f.deposits), slices.Clone(e.h.deposits)
	for b := range 3 {
		e.banks[b] = bankMonth{ledger: ledger{loans: e.closing.banks[b].loans}}
	}
	need := capitalNeed(&e.p, -5_000_000, float64(e.banks[1].loans))
	e.flow = flows{}
	e.resolveBanks()
	if e.failures != 1 || e.resolutions != 1 || e.m.Banks[1].Equity != -5_000_000+need {
		t.Errorf("%d failures, %d resolutions, equity %d", e.failures, e.resolutions, e.m.Banks[1].Equity)
	}
	lost := int64(0)
	check := func(kind string, bank int, before, after int64) {
		lost += before - after
		switch {
		case after > before, bank != 1 && after != before, before <= insured && after != before, before > insured && after < insured:
			t.Fatalf("a %s of bank %d has %d of %d; %d are insured", kind, bank, after, before, insured)
		}
	}
	for i := range firms {
		check("firm", e.bankOfFirm(i), firms[i], e.f.deposits[i])
	}
	for h := range households {
		check("household", e.bankOfHousehold(h), households[h], e.h.deposits[h])
	}
	if fl := &e.flow; lost != fl.firmsBailedIn+fl.householdsBailedIn || lost+fl.recapitalisation != need || lost < need-int64(len(firms)+len(households)) {
		t.Errorf("need %d, lost %d, booked %d and %d, government %d", need, lost, fl.firmsBailedIn, fl.householdsBailedIn, fl.recapitalisation)
	}

	// Insured in full, depositors lose nothing and the government pays.
	e.p.DepositInsurance = 1200
	e.m.Banks[1].Equity = -1
	before := slices.Clone(e.h.deposits)
	e.flow = flows{}
	e.resolveBanks()
	if !slices.Equal(before, e.h.deposits) || e.flow.recapitalisation != capitalNeed(&e.p, -1, float64(e.banks[1].loans)) {
		t.Errorf("government pays %d", e.flow.recapitalisation)
	}
}

// crash has five banks with heavy losses: 18 months of a freeze, and nothing
// recovered of failed loans.
func crash(t *testing.T, seed int, threshold float64, resolution string) (sum BankSummary, failures float64, rationed int) {
	t.Helper()
	p := banked(5)
	p.RandomState, p.RecoveryRate, p.RecapitalisationThreshold, p.BankResolution = seed, 0, threshold, resolution
	e := mustNew(t, p, 2)
	mustStep(t, e, 48)
	for month := range 72 {
		p.CreditSupplyFactor = 1
		if month < 18 {
			p.CreditSupplyFactor = .1
		}
		if err := e.SetParams(p); err != nil {
			t.Fatal(err)
		}
		mustStep(t, e, 1)
		r := e.Latest()
		sum.Resolutions += r.Banks.Resolutions
		sum.Recapitalised += r.Banks.Recapitalised
		sum.BailedIn += r.Banks.BailedIn
		failures += r.Value(BankFailures)
		if r.Banks.LeastCredit < 1 {
			rationed++
		}
	}
	t.Logf("seed %d, threshold %v, %s: %v failures, %d months with rationing, %+v", seed, threshold, resolution, failures, rationed, sum)
	return sum, failures, rationed
}

// With a high threshold banks are helped before they fail and ration for a
// shorter time.
func TestRecapitalisationThreshold(t *testing.T) {
	for seed := 1; seed <= 2; seed++ {
		late, failed, starved := crash(t, seed, 0, "bailout")
		early, saved, fed := crash(t, seed, .9, "bailout")
		if failed <= saved || 3*fed > 2*starved || early.Resolutions <= late.Resolutions {
			t.Errorf("seed %d: failures %v and %v, months of rationing %d and %d", seed, failed, saved, starved, fed)
		}
		if early.BailedIn != 0 || early.Recapitalised <= 0 {
			t.Errorf("seed %d: a bailout wrote down %v and cost %v", seed, early.BailedIn, early.Recapitalised)
		}
		in, _, _ := crash(t, seed, .9, "bail_in")
		if in.BailedIn <= 0 || in.Recapitalised > 1 { // but for rounding
			t.Errorf("seed %d: a bail-in wrote down %v and cost %v", seed, in.BailedIn, in.Recapitalised)
		}
	}
}

func TestBanksAtTheCorners(t *testing.T) {
	for name, edit := range map[string]func(*Params){
		"fifty banks, bail-in without insurance": func(p *Params) {
			p.NumBanks, p.BankResolution, p.DepositInsurance, p.RecoveryRate, p.RecapitalisationThreshold = 50, "bail_in", 0, 0, 1
			p.CapitalRequirement, p.CountercyclicalBuffer = .5, .25
		},
		"losing on reserves": func(p *Params) {
			p.NumBanks, p.CentralBankBondShare, p.ReserveCorridor, p.DepositSpread, p.LoanSpread = 50, 1, .1, 0, 0
			p.PolicyRateRule, p.FixedPolicyRate, p.RecapitalisationThreshold = "fixed", .1, 0
		},
		"no credit": func(p *Params) {
			p.NumBanks, p.CreditSupplyFactor, p.BankResolution, p.DepositInsurance = 7, 0, "bail_in", 1
			p.RecoveryRate, p.CentralBankBondShare = 0, .5
		},
		"no public debt": func(p *Params) {
			p.NumBanks, p.IncomeTaxRate, p.EnableDebtRule, p.CentralBankBondShare = 3, .6, false, .5
		},
		"one bank, free money": func(p *Params) {
			p.MaxLeverage, p.CapitalRequirement, p.LoanSpread, p.BankResolution, p.DepositInsurance = 1, .01, 0, "bail_in", 0
			p.PolicyRateRule, p.FixedPolicyRate, p.BankPayoutRate = "fixed", 0, 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := small()
			p.NumHouseholds = 1000
			edit(&p)
			straight := mustNew(t, p, 3)
			mustStep(t, straight, 30)
			resumed, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, straight)), 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(resumed.Close)
			mustStep(t, straight, 30)
			mustStep(t, resumed, 30)
			if straight.StateHash() != resumed.StateHash() || *straight.Latest() != *resumed.Latest() {
				t.Error("another state after a snapshot and on another number of threads")
			}
		})
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

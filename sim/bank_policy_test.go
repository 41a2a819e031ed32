package sim

import (
	"bytes"
	"slices"
	"testing"
)

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
		if b == 2 && change > -.005 || b != 2 && change < -.06 {
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
	long(t)
	for _, test := range []struct {
		supply             float64
		failures           float64 // least rise of bankruptcies in a year, of 166 firms
		investment, credit float64 // least fall
	}{{.6, 2, .001, .01}, {.1, 20, .05, .08}} {
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
	p.InherentMarketConsumptionRate = .3 // so that there is a debt
	p.PolicyRateRule, p.FixedPolicyRate, p.ReserveCorridor = "fixed", .06, .02
	var before, after float64
	paired(t, p, 12, 12, func(p *Params) { p.CentralBankBondShare = 1 }, func(control, treated *Economy) {
		fl := &treated.flow
		if treated.m.CentralBankBonds != treated.m.Debt ||
			fl.centralBankProfit != fl.centralBankInterest+fl.advanceInterest-fl.reserveInterest {
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
	if fl := &e.flow; fl.interest != 6_000 || fl.centralBankInterest != 2_000 || fl.reserveInterest != 12_000 ||
		fl.advanceInterest != 24_000 || fl.centralBankProfit != 14_000 {
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
	if fl := &e.flow; lost != fl.firmsBailedIn+fl.householdsBailedIn || lost+fl.recapitalisation != need ||
		lost < need-int64(len(firms)+len(households)) {
		t.Errorf("need %d, lost %d, booked %d and %d, government %d", need, lost, fl.firmsBailedIn, fl.householdsBailedIn,
			fl.recapitalisation)
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

// crash has five banks with heavy losses: 18 months of a freeze and of weak demand, and nothing
// recovered of failed loans.
func crash(t *testing.T, seed int, threshold float64, resolution string) (sum BankSummary, failures float64, rationed int) {
	t.Helper()
	p := banked(5)
	p.RandomState, p.RecoveryRate, p.RecapitalisationThreshold, p.BankResolution = seed, 0, threshold, resolution
	p.CashFlowLimit, p.MaxLeverage, p.InvestmentLoanShare = 0, .95, .9
	e := mustNew(t, p, 2)
	mustStep(t, e, 48)
	for month := range 72 {
		p.CreditSupplyFactor, p.ConsumptionDemandFactor = 1, 1
		if month < 18 {
			p.CreditSupplyFactor, p.ConsumptionDemandFactor = .1, .9
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
	long(t)
	for seed := 1; seed <= 2; seed++ {
		late, failed, starved := crash(t, seed, 0, "bailout")
		early, saved, fed := crash(t, seed, .9, "bailout")
		if failed <= saved || 10*fed > 9*starved || early.Resolutions <= late.Resolutions {
			t.Errorf("seed %d: failures %v and %v, months of rationing %d and %d", seed, failed, saved, starved, fed)
		}
		if early.BailedIn != 0 || early.Recapitalised <= 0 {
			t.Errorf("seed %d: a bailout wrote down %v and cost %v", seed, early.BailedIn, early.Recapitalised)
		}
		in, _, _ := crash(t, seed, .9, "bail_in")
		if in.BailedIn <= 0 || in.Recapitalised >= early.Recapitalised { // what depositors are insured for
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
			if straight.StateHash() != resumed.StateHash() || !sameRecord(straight.Latest(), resumed.Latest()) {
				t.Error("another state after a snapshot and on another number of threads")
			}
		})
	}
}

package sim

import (
	"slices"
)

// MaxBanks is the largest number of banks.
const MaxBanks = 50

// bankState is what a bank hands to the next month, in subunits. Its loans and
// deposits are the sums of its customers'.
type bankState struct {
	Equity   int64
	Bonds    int64 // below zero where the government has lent to the banks
	Reserves int64 // at the central bank
	Advances int64 // from the central bank
}

// ledger holds sums over the customers of a bank, subunits.
type ledger struct {
	deposits, loans               int64
	depositInterest, loanInterest int64
	writtenOff                    int64 // overdrafts absorbed included
	uninsured, bailedIn           int64 // deposits above the insured amount, and what of them is written down
}

// ledgers has a row for each bank. Each worker adds to ledgers of its own:
// integers add up to the same in any order.
type ledgers [MaxBanks]ledger

// bankMonth is the month of a bank, subunits.
type bankMonth struct {
	ledger
	bondInterest, reserveInterest, advanceInterest int64
	tax, dividends, recapitalisation, injected     int64
}

func (b *bankMonth) profit() int64 {
	return b.loanInterest + b.bondInterest + b.reserveInterest - b.advanceInterest - b.depositInterest - b.writtenOff
}

func (b *bankMonth) equityChange() int64 {
	return b.profit() - b.tax - b.dividends + b.bailedIn + b.recapitalisation + b.injected
}

// homeBank is the bank of a customer, by hash of its number.
func homeBank(customer uint64, banks int) int {
	return int(scale(scramble(weyl+customer*agentOdd), uint64(banks)))
}

func (e *Economy) bankOfHousehold(h int) int { return homeBank(uint64(h)<<1, e.p.NumBanks) }
func (e *Economy) bankOfFirm(i int) int      { return homeBank(uint64(i)<<1|1, e.p.NumBanks) }

// bankEquity is the equity of all banks.
func (e *Economy) bankEquity() int64 {
	var sum int64
	for b := range e.m.Banks {
		sum += e.m.Banks[b].Equity
	}
	return sum
}

// apportion divides an amount among n in proportion to weights, which are not below zero,
// to the last subunit; evenly where all are zero.
func apportion(amount int64, n int, weight func(k int) int64, give func(k int, part int64)) {
	total, equal := int64(0), int64(0)
	for k := range n {
		total += weight(k)
	}
	if total == 0 {
		total, equal = int64(n), 1
	}
	size, sign := amount, int64(1)
	if amount < 0 {
		size, sign = -amount, -1
	}
	upTo, given := int64(0), int64(0)
	for k := range n {
		upTo += weight(k) + equal
		due := int64(mulDiv(uint64(size), uint64(upTo), uint64(total)))
		give(k, sign*(due-given))
		given = due
	}
}

// collect adds up and clears the workers' ledgers.
func (e *Economy) collect() (all ledgers) {
	for w := range e.ledgers {
		for b := range e.p.NumBanks {
			l, sum := &e.ledgers[w][b], &all[b]
			sum.deposits += l.deposits
			sum.loans += l.loans
			sum.depositInterest += l.depositInterest
			sum.loanInterest += l.loanInterest
			sum.writtenOff += l.writtenOff
			sum.uninsured += l.uninsured
			sum.bailedIn += l.bailedIn
			*l = ledger{}
		}
	}
	return all
}

func (e *Economy) countFirmAccounts(s span) {
	for i := s.lo; i < s.hi; i++ {
		l := &e.ledgers[s.worker][e.bankOfFirm(i)]
		l.deposits += e.f.deposits[i]
		l.loans += e.f.loans[i]
	}
}

// countAccounts adds up the customers' deposits and loans by bank, and the households.
func (e *Economy) countAccounts() (accounts ledgers, households tally) {
	e.overFirms((*Economy).countFirmAccounts)
	households = e.overHouseholds((*Economy).countHouseholds)
	return e.collect(), households
}

// creditFall is the share of loans over which the credit factor falls from 1 to 0: narrow,
// so that a bank lends in full until its capital nearly binds. Chosen.
const creditFall = .05

// creditFactor is the share of a credit line that the bank's capital allows:
// it falls from 1 to 0 as loans approach equity / requirement.
func creditFactor(equity, loans, requirement float64) float64 {
	if loans <= 0 {
		return 1
	}
	return clip((equity/requirement-loans)/(creditFall*loans), 0, 1)
}

// supplyCredit sets the month's credit factor of each bank.
func (e *Economy) supplyCredit() {
	p := &e.p
	for b := range p.NumBanks {
		loans := float64(e.opening.banks[b].loans)
		e.rates.creditFactor[b] = creditFactor(float64(e.m.Banks[b].Equity), loans, requirement(p))
	}
}

// requirement is the equity relative to loans below which a bank neither lends
// nor, by a margin, pays dividends.
func requirement(p *Params) float64 { return p.CapitalRequirement + p.CountercyclicalBuffer }

// The equity that a bank aims at: a margin over the requirement, as banks keep one in fact,
// and a part of its bonds, for which nothing is required. Chosen.
const (
	targetRequirements = 1.5 // multiple of the requirement
	targetBondShare    = .02 // of bonds
)

// bankTarget is the equity above which a bank pays dividends.
func bankTarget(requirement, loans, bonds float64) float64 {
	return float64(targetRequirements*requirement*loans) + float64(targetBondShare*positive(bonds))
}

// recapitalised is the equity, in multiples of the requirement, that a
// resolution restores: enough for the bank to lend in full.
const recapitalised = 1 + creditFall

// capitalNeed is the equity that a bank lacks, in subunits: nothing as long as
// it has a share, the threshold, of the capital requirement.
func capitalNeed(p *Params, equity int64, loans float64) int64 {
	if float64(equity) >= p.RecapitalisationThreshold*p.CapitalRequirement*loans {
		return 0
	}
	return int64(recapitalised*requirement(p)*loans) - equity
}

// settleBank closes the banks' month: interest, losses, tax, dividends, and
// resolution where too little equity is left.
func (e *Economy) settleBank() {
	p, m, fl := &e.p, &e.m, &e.flow
	e.overFirms((*Economy).countFirmAccounts)
	if e.p.OverdraftMonths > 0 {
		e.overHouseholds((*Economy).countOverdrafts)
	}
	sums := e.collect()
	e.payForeignInterest(&sums)
	for b := range p.NumBanks {
		e.banks[b] = bankMonth{ledger: sums[b]}
	}
	e.payReserves()
	e.shareInjection()
	for b := range p.NumBanks {
		month, bank := &e.banks[b], &m.Banks[b]
		profit := month.profit()
		month.tax = taxOn(float64(profit), p.CorporateTaxRate)
		bank.Equity += profit - month.tax + month.injected
		target := bankTarget(requirement(p), float64(month.loans), float64(bank.Bonds))
		month.dividends = int64(p.BankPayoutRate * positive(float64(bank.Equity)-target))
		bank.Equity -= month.dividends
		fl.bankCorporateTax += month.tax
		fl.bankDividends += month.dividends
	}
	m.Pool += fl.bankDividends
	e.resolveBanks()
}

// payForeignInterest pays interest on the account of the rest of the world, which the
// banks hold together: in proportion to the deposits of firms.
func (e *Economy) payForeignInterest(sums *ledgers) {
	interest := interestOn(e.m.Trade.Deposits, e.rates.deposit)
	e.flow.foreignInterest = interest
	e.m.Trade.Deposits += interest
	apportion(interest, e.p.NumBanks, sums.deposits, func(b int, part int64) { sums[b].depositInterest += part })
}

// shareInjection divides what the government injects in the month over the banks in
// proportion to their loans.
func (e *Economy) shareInjection() {
	apportion(e.flow.injectedBanks, e.p.NumBanks, func(b int) int64 { return e.banks[b].loans },
		func(b int, part int64) { e.banks[b].injected = part })
}

// payReserves pays the interest on public debt, and on the accounts of banks at
// the central bank, whose profit is the government's.
func (e *Economy) payReserves() {
	m, fl := &e.m, &e.flow
	n := e.p.NumBanks
	fl.interest = floorMoney(m.PolicyRate * float64(m.Debt) / 12)
	if m.CentralBankBonds > 0 {
		fl.centralBankInterest = int64(mulDiv(uint64(fl.interest), uint64(m.CentralBankBonds), uint64(m.Debt)))
	}
	apportion(fl.interest-fl.centralBankInterest, n, func(b int) int64 { return max(m.Banks[b].Bonds, -m.Banks[b].Bonds) },
		func(b int, part int64) { e.banks[b].bondInterest = part })
	onReserves := max(0, m.PolicyRate-e.p.ReserveCorridor)
	for b := range n {
		month, bank := &e.banks[b], &m.Banks[b]
		month.reserveInterest = interestOn(bank.Reserves, onReserves)
		month.advanceInterest = interestOn(bank.Advances, m.PolicyRate)
		fl.reserveInterest += month.reserveInterest
		fl.advanceInterest += month.advanceInterest
	}
	fl.centralBankProfit = fl.centralBankInterest + fl.advanceInterest - fl.reserveInterest
}

// resolveBanks restores the equity of banks that have too little: at the expense
// of their depositors above the insured amount, if so resolved, and of the
// government.
func (e *Economy) resolveBanks() {
	p, m, fl := &e.p, &e.m, &e.flow
	var needs [MaxBanks]int64
	for b := range p.NumBanks {
		if m.Banks[b].Equity < 0 {
			e.failures++
		}
		if needs[b] = capitalNeed(p, m.Banks[b].Equity, float64(e.banks[b].loans)); needs[b] > 0 {
			e.resolutions++
		}
	}
	if e.resolutions == 0 {
		return
	}
	if p.BankResolution == "bail_in" {
		e.bailIn(&needs)
	}
	for b := range p.NumBanks {
		month := &e.banks[b]
		month.recapitalisation = needs[b] - month.bailedIn
		m.Banks[b].Equity += needs[b]
		fl.recapitalisation += month.recapitalisation
	}
}

// haircut is what a depositor of a bank loses when an amount is written down in
// proportion to deposits above the insured amount.
func haircut(deposits, insured, amount, uninsured int64) int64 {
	if amount <= 0 || deposits <= insured {
		return 0
	}
	return int64(mulDiv(uint64(amount), uint64(deposits-insured), uint64(uninsured)))
}

// bailIn writes deposits at failing banks down, as far as they are not insured.
func (e *Economy) bailIn(needs *[MaxBanks]int64) {
	insured := floorMoney(e.p.DepositInsurance * e.m.MeanWage)
	e.overDeposits(func(s span, b int, deposit *int64) {
		e.ledgers[s.worker][b].uninsured += max(0, *deposit-insured)
	})
	bail := e.collect()
	for b := range bail {
		bail[b].bailedIn = min(needs[b], bail[b].uninsured)
	}
	firms, households := e.overDeposits(func(s span, b int, deposit *int64) {
		loss := haircut(*deposit, insured, bail[b].bailedIn, bail[b].uninsured)
		*deposit -= loss
		e.ledgers[s.worker][b].bailedIn += loss
		s.sum.count[sumBailedIn] += loss
	})
	e.flow.firmsBailedIn, e.flow.householdsBailedIn = firms.count[sumBailedIn], households.count[sumBailedIn]
	taken := e.collect()
	for b := range e.p.NumBanks {
		e.banks[b].bailedIn = taken[b].bailedIn
	}
}

// overDeposits calls f for the deposits of firms and of households with the bank that has
// them. It allocates a few words.
func (e *Economy) overDeposits(f func(s span, bank int, deposit *int64)) (firms, households tally) {
	firms = e.overFirms(func(e *Economy, s span) {
		for i := s.lo; i < s.hi; i++ {
			f(s, e.bankOfFirm(i), &e.f.deposits[i])
		}
	})
	households = e.overHouseholds(func(e *Economy, s span) {
		for h := s.lo; h < s.hi; h++ {
			f(s, e.bankOfHousehold(h), &e.h.deposits[h])
		}
	})
	return firms, households
}

// settleReserves settles what customers of different banks paid each other: a
// bank that has more deposits and equity than loans and bonds holds the rest as
// reserves, and one that has less takes an advance. Before that the banks divide,
// in proportion to deposits, the public debt that the central bank does not hold,
// and the dividends on their way.
func (e *Economy) settleReserves() {
	p, m := &e.p, &e.m
	m.CentralBankBonds = centralBankBonds(m.Debt, p.CentralBankBondShare)
	accounts, _ := e.countAccounts()
	apportion(m.Debt-m.CentralBankBonds, p.NumBanks, accounts.deposits, func(b int, part int64) { m.Banks[b].Bonds = part })
	apportion(m.Pool+m.Trade.Deposits, p.NumBanks, accounts.deposits, func(b int, pool int64) {
		bank := &m.Banks[b]
		position := bank.Equity + accounts[b].deposits + pool - accounts[b].loans - bank.Bonds
		bank.Reserves, bank.Advances = max(position, 0), max(-position, 0)
	})
}

// centralBankBonds is the part of public debt that the central bank holds.
func centralBankBonds(debt int64, share float64) int64 {
	return min(floorMoney(share*positive(float64(debt))), max(debt, 0))
}

func (l *ledgers) deposits(b int) int64 { return l[b].deposits }

// bankStock is a bank's balance sheet at the end of a month, subunits.
type bankStock struct {
	bankState
	loans, deposits int64
}

// countBanks reads the balance sheets of the banks.
func (e *Economy) countBanks(s *stocks, accounts *ledgers) {
	for b := range e.p.NumBanks {
		bank := &s.banks[b]
		*bank = bankStock{e.m.Banks[b], accounts[b].loans, accounts[b].deposits}
		s.bonds += bank.Bonds
		s.reserves += bank.Reserves
		s.advances += bank.Advances
		if bank.Reserves < 0 || bank.Advances < 0 {
			s.belowZero++
		}
	}
}

// auditBanks checks the balance sheet of each bank and the change of its equity.
func (e *Economy) auditBanks() (bank int, identity string, amount int64) {
	c := &e.closing
	var pool [MaxBanks]int64
	apportion(c.pool+c.foreignDeposits, e.p.NumBanks, func(b int) int64 { return c.banks[b].deposits },
		func(b int, part int64) { pool[b] = part })
	for b := range e.p.NumBanks {
		at := &c.banks[b]
		balance := at.loans + at.Bonds + at.Reserves - at.deposits - pool[b] - at.Advances - at.Equity
		if balance != 0 {
			return b, "loans + bonds + reserves = deposits + undistributed dividends + advances + equity", balance
		}
		if change := at.Equity - e.opening.banks[b].Equity - e.banks[b].equityChange(); change != 0 {
			return b, "change of equity = profit - tax - dividends + deposits written down + new equity", change
		}
	}
	return 0, "", 0
}

// measureBanks reports the month of the banks.
func (e *Economy) measureBanks() {
	e.record.Values[BankFailures] = float64(e.failures)
	e.record.Banks = BankSummary{
		Reserves: float64(e.closing.reserves) / subunit, Advances: float64(e.closing.advances) / subunit,
		Resolutions:   e.resolutions,
		Recapitalised: float64(e.flow.recapitalisation) / subunit,
		BailedIn:      float64(e.flow.householdsBailedIn+e.flow.firmsBailedIn) / subunit,
		LeastCredit:   slices.Min(e.rates.creditFactor[:e.p.NumBanks]),
	}
}

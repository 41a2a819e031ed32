package sim

// Loans to households are overdrafts: deposits below zero. In the books of banks they are loans.

const (
	overdraftPremium = .10 // a year above the loan rate: that of credit cards over prime (Federal Reserve, G.19; stylised)
	overdraftService = .1  // share of income with which a household beyond its line repays; chosen
	chargeOffMonths  = 12  // without a job, after which a bank writes off what exceeds the line; chosen for losses of 3 to 5 % a year (G.19)
)

// overdraftLine is how far below zero a household's deposits may fall by spending.
func (e *Economy) overdraftLine(h int) float64 {
	return float64(e.p.OverdraftMonths * positive(e.h.permanent[h]))
}

// funds is what a household can spend in a month: deposits and its line, or, beyond the
// line, what is left of income after a part for the debt.
func funds(deposits, line, income float64) float64 {
	return max(deposits+line, (1-overdraftService)*positive(income))
}

// fundsOf is what a household can spend in the month.
func (e *Economy) fundsOf(h int) float64 {
	if e.p.OverdraftMonths == 0 {
		return float64(e.h.deposits[h])
	}
	return funds(float64(e.h.deposits[h]), e.overdraftLine(h), float64(e.h.income[h]))
}

// serveOverdraft books the month's interest on the debt of a household, which its income pays. Of those
// long without a job who are beyond their line, the bank writes the debt off instead.
func (e *Economy) serveOverdraft(h int, s span) (charge int64) {
	owed := -e.h.deposits[h]
	if owed <= 0 {
		return 0
	}
	if e.h.employer[h] == nobody && e.h.idle[h] >= chargeOffMonths && float64(owed) > e.overdraftLine(h) {
		e.forgive(h, s)
		return 0
	}
	charge = interestOn(owed, e.rates.loan+overdraftPremium)
	e.ledgers[s.worker][e.bankOfHousehold(h)].loanInterest += charge
	s.sum.count[sumOverdraftInterest] += charge
	return charge
}

// forgive writes off what a household owes, a loss of its bank.
func (e *Economy) forgive(h int, s span) {
	owed := -e.h.deposits[h]
	if owed <= 0 {
		return
	}
	e.h.deposits[h] = 0
	e.ledgers[s.worker][e.bankOfHousehold(h)].writtenOff += owed
	s.sum.count[sumForgiven] += owed
}

// countOverdrafts adds the loans to households up by bank.
func (e *Economy) countOverdrafts(s span) {
	for h := s.lo; h < s.hi; h++ {
		if owed := -e.h.deposits[h]; owed > 0 {
			e.ledgers[s.worker][e.bankOfHousehold(h)].loans += owed
		}
	}
}

package sim

import (
	"fmt"
	"math"

	"econ-mcp/internal/fault"
)

// AuditError says which accounting identity a month broke, and by how much:
// subunits of money (1/1000 currency unit), heads, or a relative error.
type AuditError struct {
	Month    int // of the experiment
	Identity string
	Amount   float64
}

func (err *AuditError) Error() string {
	return fmt.Sprintf("audit: month %d: %s: off by %g", err.Month, err.Identity, err.Amount)
}

// outgrown says that a stock of money can no longer be added up exactly. That is no fault in the
// books: prices that rise by 4 % a year and output that grows by 2 % come to it after 300 to 500 years, in
// a large economy sooner.
func (e *Economy) outgrown(stock float64) error {
	err := fault.New(fault.LimitExceeded, "num_iterations",
		"money has outgrown the program: a stock of %.3g currency units, with prices at %.3g times those of the base month; amounts are exact up to %.3g",
		stock/subunit, e.record.Values[CPI]/100, float64(moneyLimit)/subunit)
	if last := e.experimentMonth() - 1; last > 0 {
		err.Hint = fmt.Sprintf("simulate at most %d months, or fewer households, or with less inflation", last)
	}
	return err
}

// rollTolerance is the relative error allowed in roll-forwards of quantities,
// which are real numbers.
const rollTolerance = 1e-9

// moneyLimit is the stock of money, in subunits, beyond which sums might no
// longer be exact: an eighth of what 64 bits hold.
const moneyLimit = 1 << 60

// gdpByExpenditure, gdpByProduction and gdpByIncome are the three sides of
// nominal GDP, each from the books of another party, in subunits.
func (fl *flows) gdpByExpenditure() int64 {
	return fl.consumption + fl.vat + fl.purchases + fl.governmentWages + fl.capitalSpending + fl.inventoryChange +
		fl.exports - fl.imports
}

func (fl *flows) gdpByProduction() int64 {
	return fl.revenue + fl.licencesReceived - fl.licencesPaid + fl.inventoryChange + fl.governmentWages + fl.vat + fl.tariff
}

func (fl *flows) gdpByIncome() int64 {
	surplus := fl.revenue + fl.licencesReceived - fl.licencesPaid - fl.robotTax + fl.inventoryChange - fl.firmWages
	return fl.wages + surplus + fl.robotTax + fl.vat + fl.tariff
}

// Net lending by sector, in subunits.
func (fl *flows) householdLending() int64 {
	return fl.disposable - fl.consumption - fl.vat - fl.estates
}

func (fl *flows) firmLending() int64 {
	return fl.revenue + fl.subsidies + fl.injectedFirms + fl.firmDepositInterest - fl.firmWages - fl.loanInterest -
		fl.firmsCorporateTax - fl.levy -
		fl.dividendsPaid - fl.capitalSpending + fl.licencesReceived - fl.licencesPaid - fl.robotTax
}

func (fl *flows) bankLending() int64 {
	return fl.loanInterest + fl.interest - fl.centralBankInterest + fl.reserveInterest - fl.advanceInterest -
		fl.depositInterest - fl.firmDepositInterest - fl.bankCorporateTax - fl.bankDividends + fl.recapitalisation +
		fl.injectedBanks - fl.foreignInterest + fl.overdraftInterest
}

func (fl *flows) centralBankLending() int64 {
	return fl.centralBankInterest + fl.advanceInterest - fl.reserveInterest - fl.centralBankProfit
}

func (fl *flows) governmentLending() int64 { return fl.taxes() + fl.centralBankProfit - fl.spending() }

// poolLending is what dividends declared and paid out leave on their way.
func (fl *flows) poolLending() int64 {
	return fl.dividendsPaid + fl.bankDividends + fl.estates - fl.dividends
}

// audit checks the identities of MODEL.md section 7.14. Money must match to the
// last subunit.
func (e *Economy) audit() error {
	o, c, fl := &e.opening, &e.closing, &e.flow
	written := fl.writtenOff - fl.overdrafts // principal lost
	exact := [...]struct {
		identity string
		amount   int64
	}{
		{"bank: loans + bonds = deposits + undistributed dividends + equity",
			c.loans + c.householdLoans + c.debt - c.householdDeposits - c.firmDeposits - c.foreignDeposits - c.pool - c.bankEquity},
		{"households: change of deposits less loans = disposable income - consumption - VAT - estates - deposits written down + " +
			"loans written off", c.householdDeposits - c.householdLoans - (o.householdDeposits - o.householdLoans) -
			(fl.householdLending() - fl.householdsBailedIn + fl.forgiven)},
		{"households: disposable income = its parts",
			fl.disposable - (fl.wages + fl.benefits + fl.pensions + fl.basicIncome + fl.minimumIncome + fl.redistributed + fl.injected +
				fl.retraining + fl.depositInterest + fl.dividends - fl.overdraftInterest - fl.incomeTax)},
		{"firms: change of deposits = net lending + new loans - repayments + overdrafts absorbed + capital paid in - deposits written down",
			c.firmDeposits - o.firmDeposits - (fl.firmLending() + fl.newLoans - fl.repaid + fl.overdrafts + fl.founding -
				fl.firmsBailedIn)},
		{"firms: change of loans = new loans - repayments - principal written off",
			c.loans - o.loans - (fl.newLoans - fl.repaid - written)},
		{"bank: change of equity = net lending - losses + deposits written down",
			c.bankEquity - o.bankEquity - (fl.bankLending() - fl.writtenOff - fl.forgiven + fl.householdsBailedIn + fl.firmsBailedIn)},
		{"dividends: change of the pool = declared + estates - paid out - paid in as capital",
			c.pool - o.pool - (fl.poolLending() - fl.founding)},
		{"government: change of debt = deficit", c.debt - o.debt + fl.governmentLending()},
		{"rest of the world: change of deposits = imports - exports + interest",
			c.foreignDeposits - o.foreignDeposits - fl.foreignLending()},
		{"sum of sectoral net lending = 0",
			fl.householdLending() + fl.firmLending() + fl.bankLending() + fl.centralBankLending() + fl.governmentLending() +
				fl.poolLending() +
				fl.foreignLending()},
		{"wages received = wages paid", fl.wages - fl.firmWages - fl.governmentWages},
		{"licence fees received = licence fees paid", fl.licencesReceived - fl.licencesPaid},
		{"GDP by production = GDP by expenditure", fl.gdpByProduction() - fl.gdpByExpenditure()},
		{"GDP by income = GDP by expenditure", fl.gdpByIncome() - fl.gdpByExpenditure()},
		{"employed = sum of heads", c.employed - c.heads},
		{"skill employed = sum of labour", c.skill - c.labour},
		{"no deposits, loans, reserves, advances or goods below zero", c.belowZero},
		{"public debt = bonds of banks and central bank", c.debt - c.bonds - c.centralBankBonds},
		{"central bank: bonds + advances = reserves", c.centralBankBonds + c.advances - c.reserves},
		{"central bank: profit = interest received - interest paid", fl.centralBankLending()},
	}
	if !(c.largest <= moneyLimit) {
		return e.outgrown(c.largest)
	}
	for _, x := range exact {
		if x.amount != 0 {
			return &AuditError{e.experimentMonth(), x.identity, float64(x.amount)}
		}
	}
	if b, identity, amount := e.auditBanks(); amount != 0 {
		return &AuditError{e.experimentMonth(), fmt.Sprintf("bank %d: %s", b+1, identity), float64(amount)}
	}
	real := [...]struct {
		identity string
		amount   float64
	}{
		{"roll-forward of inventories", relativeError(c.inventory, o.inventory+fl.made-fl.sold, max(fl.made, o.inventory))},
		{"roll-forward of capital", relativeError(c.capital,
			float64((1-e.p.DepreciationRate)*(1-e.p.CapitalDestructionRate)*o.capital)+fl.delivered, o.capital)},
	}
	for _, x := range real {
		if !(x.amount <= rollTolerance) { // also catches NaN
			return &AuditError{e.experimentMonth(), x.identity, x.amount}
		}
	}
	for i, x := range e.record.Values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return &AuditError{e.experimentMonth(), "indicator " + Indicator(i).String() + " is a number", x}
		}
	}
	return nil
}

func relativeError(got, want, scale float64) float64 {
	return math.Abs(got-want) / max(math.Abs(scale), 1)
}

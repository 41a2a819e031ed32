package sim

// tally holds the partial sums of one block of a parallel loop. Money sums are
// integers, so they are exact; sums of real numbers are exact in their order.
type tally struct {
	count [numCounts]int64
	real  [numReals]float64
}

// Integer sums: money in subunits, numbers of agents.
const (
	sumWages = iota // received from firms and government
	sumGovernmentWages
	sumIncomeTax
	sumBenefits
	sumBasicIncome
	sumDepositInterest
	sumDividends
	sumConsumption // net of VAT
	sumVAT
	sumDisposable
	sumDeposits
	sumLoans
	sumFirmWages
	sumRevenue
	sumCapitalSpending
	sumNewLoans
	sumRepaid
	sumLoanInterest
	sumCorporateTax
	sumDividendsPaid
	sumWrittenOff
	sumOverdrafts
	sumGovernmentPurchases
	sumEmployed
	sumSkill
	sumUnemployedSeekers
	sumSeparations
	sumEvents // innovations; a sum for each kind
	_
	_
	_
	sumDefaults
	sumBelowZero
	sumTaxable
	sumMinimumIncome
	sumRedistributed
	sumProgrammeWages
	sumLevy
	sumAdults
	sumInjected
	sumSubsidies
	sumBailedIn
	sumPensions
	sumPresent
	sumForce
	sumEstates
	sumEquityLost
	sumImported // tariff included
	sumExported
	sumBudgets
	sumAdopters
	sumAdoptions
	sumLicences
	sumRobotTax
	sumRetrained
	sumPlaced // in the public employment programme
	sumShortTime
	sumCapitalTax // income tax on interest and dividends
	sumContributions
	sumResearchSubsidies
	sumOverdrafted // households' loans
	sumOverdraftInterest
	sumForgiven // households' loans written off
	sumEquity

	numCounts
)

// Real sums, in units or in money as named.
const (
	sumOutput = iota // units, or their value
	sumCapacity
	sumMoney
	sumOvertime
	sumPremium
	sumPremiumStep
	sumPremiumLabour
	sumPoolEqual // and the other parts of a pool

	numReals = sumPoolEqual + poolParts
)

func (t *tally) add(o *tally) {
	for i := range t.count {
		t.count[i] += o.count[i]
	}
	for i := range t.real {
		t.real[i] += o.real[i]
	}
}

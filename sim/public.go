package sim

// bankTarget is the equity above which the bank pays dividends.
func bankTarget(requirement, loans, bonds float64) float64 {
	return float64(1.5*requirement*loans) + float64(.02*positive(bonds))
}

// recapitalised is the equity, in multiples of the requirement, that the
// government restores: enough for the bank to lend in full.
const recapitalised = 1.05

// settleBank closes the bank's month: interest, losses, tax, dividends, and new
// equity from the government where too little is left.
func (e *Economy) settleBank() {
	p, m, fl := &e.p, &e.m, &e.flow
	fl.interest = floorMoney(m.PolicyRate * float64(m.Debt) / 12)
	profit := fl.loanInterest + fl.interest - fl.depositInterest - fl.firmDepositInterest - fl.writtenOff
	fl.bankCorporateTax = taxOn(float64(profit), p.CorporateTaxRate)
	m.BankEquity += profit - fl.bankCorporateTax

	loans := float64(e.loanStock())
	target := bankTarget(p.CapitalRequirement, loans, float64(m.Debt))
	fl.bankDividends = int64(p.BankPayoutRate * positive(float64(m.BankEquity)-target))
	m.BankEquity -= fl.bankDividends
	m.Pool += fl.bankDividends

	fl.recapitalisation = 0
	if float64(m.BankEquity) < p.RecapitalisationThreshold*p.CapitalRequirement*loans {
		fl.recapitalisation = int64(recapitalised*p.CapitalRequirement*loans) - m.BankEquity
		m.BankEquity += fl.recapitalisation
	}
}

// spending and revenue of the government in the month, subunits.
func (fl *flows) spending() int64 {
	return fl.governmentWages + fl.purchases + fl.benefits + fl.basicIncome + fl.minimumIncome + fl.redistributed +
		fl.injected + fl.injectedFirms + fl.injectedBanks + fl.subsidies + fl.interest + fl.recapitalisation
}

func (fl *flows) taxes() int64 {
	return fl.incomeTax + fl.vat + fl.firmsCorporateTax + fl.bankCorporateTax
}

// nextTaxScale is the debt rule: income taxes follow the distance of debt from
// its target and its change.
func nextTaxScale(p *Params, scale, ratio, before float64) float64 {
	if !p.EnableDebtRule {
		return scale
	}
	scale += float64(p.DebtRuleLevelCoefficient/12*(ratio-p.DebtTarget)) + float64(p.DebtRuleChangeCoefficient*(ratio-before))
	return clip(scale, .6, 1.6)
}

// leastSpending is the lowest factor of the austerity rule.
const leastSpending = .5

// nextSpendingScale is the austerity rule: the factor on purchases, public employment
// and unemployment benefits falls while the deficit (share of GDP) exceeds its limit,
// and rises back to 1 below it.
func nextSpendingScale(p *Params, scale, deficit float64) float64 {
	if !p.EnableAusterityRule {
		return 1
	}
	return clip(scale-float64(p.AusterityResponse*(deficit-p.AusterityDeficitLimit)), leastSpending, 1)
}

// settleGovernment finances the deficit with bonds.
func (e *Economy) settleGovernment() {
	e.m.Debt += e.flow.spending() - e.flow.taxes()
}

// taylorRate is the central bank's rate (Taylor 1993, with smoothing, in the
// unemployment gap), a year, between zero and its ceiling.
func taylorRate(p *Params, rate, inflation, unemployment float64) float64 {
	target := p.NaturalRealRate + p.InflationTarget +
		float64(p.TaylorInflationCoefficient*(inflation-p.InflationTarget)) +
		float64(p.TaylorUnemploymentCoefficient*(p.NaturalUnemploymentRate-unemployment))
	return clip(float64(p.PolicyRateSmoothing*rate)+float64((1-p.PolicyRateSmoothing)*target), 0, p.MaxPolicyRate)
}

// expectedInflation is half anchored at the target and half adaptive.
func expectedInflation(target, past float64) float64 { return float64(.5*target) + float64(.5*past) }

// setPolicyRate moves the policy rate and expected inflation.
func (e *Economy) setPolicyRate() {
	inflation, unemployment := e.record.Values[Inflation], e.m.Slack
	if e.p.PolicyRateRule == "fixed" {
		e.m.PolicyRate = e.p.FixedPolicyRate
	} else {
		e.m.PolicyRate = taylorRate(&e.p, e.m.PolicyRate, inflation, unemployment)
	}
	e.m.ExpectedInflation = clip(expectedInflation(e.p.InflationTarget, inflation), -.05, .5)
}

// loanStock of the month's end: what was there, plus new loans, less
// repayments and write-offs of principal.
func (e *Economy) loanStock() int64 {
	var sum int64
	for _, l := range e.f.loans {
		sum += l
	}
	return sum
}

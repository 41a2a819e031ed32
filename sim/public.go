package sim

// spending and revenue of the government in the month, subunits.
func (fl *flows) spending() int64 {
	return fl.governmentWages + fl.purchases + fl.benefits + fl.pensions + fl.basicIncome + fl.minimumIncome + fl.redistributed +
		fl.injected + fl.injectedFirms + fl.injectedBanks + fl.subsidies + fl.retraining + fl.interest + fl.recapitalisation
}

// budget is the month's spending by purpose, and what comes in beside taxes.
func (fl *flows) budget() GovernmentSummary {
	units := func(x int64) float64 { return float64(x) / subunit }
	return GovernmentSummary{
		Wages: units(fl.governmentWages), Purchases: units(fl.purchases), Unemployment: units(fl.benefits), Pensions: units(fl.pensions),
		Transfers: units(fl.basicIncome + fl.minimumIncome + fl.redistributed + fl.injected + fl.retraining),
		Subsidies: units(fl.subsidies + fl.injectedFirms), Banks: units(fl.recapitalisation + fl.injectedBanks),
		Interest: units(fl.interest), CentralBankProfit: units(fl.centralBankProfit),
	}
}

func (fl *flows) taxes() int64 {
	return fl.incomeTax + fl.vat + fl.firmsCorporateTax + fl.levy + fl.bankCorporateTax + fl.tariff + fl.robotTax
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

// settleGovernment finances the deficit with bonds, after the central bank's
// profit.
func (e *Economy) settleGovernment() {
	e.m.Debt -= e.flow.governmentLending()
}

// taylorRate is the central bank's rate (Taylor 1993, with smoothing, in the
// unemployment gap), a year, between zero and its ceiling.
func taylorRate(p *Params, rate, inflation, unemployment float64) float64 {
	target := p.NaturalRealRate + p.InflationTarget +
		float64(p.TaylorInflationCoefficient*(inflation-p.InflationTarget)) +
		float64(p.TaylorUnemploymentCoefficient*(p.NaturalUnemploymentRate-unemployment))
	return clip(float64(p.PolicyRateSmoothing*rate)+float64((1-p.PolicyRateSmoothing)*target), 0, p.MaxPolicyRate)
}

// rateInForce is the rate that a month begins with: a fixed rate and the ceiling
// of the rule hold from the month in which they are set.
func rateInForce(p *Params, rate float64) float64 {
	if p.PolicyRateRule == "fixed" {
		return p.FixedPolicyRate
	}
	return min(rate, p.MaxPolicyRate)
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

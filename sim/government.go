package sim

// spending and revenue of the government in the month, subunits.
func (fl *flows) spending() int64 {
	return fl.governmentWages + fl.purchases + fl.benefits + fl.pensions + fl.basicIncome + fl.minimumIncome + fl.redistributed +
		fl.injected + fl.injectedFirms + fl.injectedBanks + fl.subsidies + fl.retraining + fl.interest + fl.recapitalisation
}

// budget is the month's spending by purpose, and what comes in beside taxes; researchers are a share
// of the staff's wages.
func (fl *flows) budget(researchers float64) GovernmentSummary {
	units := func(x int64) float64 { return float64(x) / subunit }
	return GovernmentSummary{
		Wages: units(fl.governmentWages), Purchases: units(fl.purchases), Unemployment: units(fl.benefits), Pensions: units(fl.pensions),
		Transfers: units(fl.basicIncome + fl.minimumIncome + fl.redistributed + fl.injected + fl.retraining),
		Subsidies: units(fl.subsidies + fl.injectedFirms), Banks: units(fl.recapitalisation + fl.injectedBanks),
		Interest: units(fl.interest), CentralBankProfit: units(fl.centralBankProfit),
		Programmes: ProgrammeCosts{
			Research: researchers * units(fl.governmentWages-fl.programmeWages), JobGuarantee: units(fl.programmeWages),
			ShortTime: units(fl.shortTime), BasicIncome: units(fl.basicIncome), MinimumIncome: units(fl.minimumIncome),
			Redistribution: units(fl.redistributed), Retraining: units(fl.retraining),
			ResearchSubsidies: units(fl.researchSubsidies), FirmInjections: units(fl.injectedFirms),
			BankInjections: units(fl.injectedBanks),
		},
		Taxes: TaxParts{Capital: units(fl.capitalTax), Contributions: units(fl.contributions)},
	}
}

func (fl *flows) taxes() int64 {
	return fl.incomeTax + fl.vat + fl.firmsCorporateTax + fl.levy + fl.bankCorporateTax + fl.tariff + fl.robotTax
}

// Bounds of the debt rule's factor on income taxes: a government cannot do without the tax,
// nor raise it at will. Chosen; docs/VALIDATION.md shows how far from them it stays.
const (
	leastTaxScale = .6
	mostTaxScale  = 1.6
)

// nextTaxScale is the debt rule: income taxes follow the distance of debt from
// its target and its change.
func nextTaxScale(p *Params, scale, ratio, before float64) float64 {
	if !p.EnableDebtRule {
		return scale
	}
	scale += float64(p.DebtRuleLevelCoefficient/12*(ratio-p.DebtTarget)) + float64(p.DebtRuleChangeCoefficient*(ratio-before))
	return clip(scale, leastTaxScale, mostTaxScale)
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

// applyFiscalRules moves the factors of the debt rule and of the austerity rule for the
// next month.
func (e *Economy) applyFiscalRules() {
	m, r := &e.m, &e.record
	ratio := r.Values[DebtToGDP]
	m.TaxScale = nextTaxScale(&e.p, m.TaxScale, ratio, m.DebtRatio)
	m.DebtRatio = ratio
	m.SpendingScale = nextSpendingScale(&e.p, m.SpendingScale, r.Values[DeficitToGDP])
}

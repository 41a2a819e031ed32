package sim

// taxOn is the tax on a positive amount, in whole subunits, rounded down.
func taxOn(amount, rate float64) int64 { return int64(positive(amount) * rate) }

// wageTax is the income tax on the part of a wage above the allowance: at the rate
// below the first bracket, and at each bracket's marginal rate above its threshold.
// Keys of the brackets are in subunits.
func wageTax(taxable, rate float64, brackets []Rate) int64 {
	if taxable <= 0 || len(brackets) == 0 {
		return taxOn(taxable, rate)
	}
	due, from := 0.0, 0.0
	for _, b := range brackets {
		if taxable <= b.Key {
			break
		}
		due += float64((b.Key - from) * rate)
		from, rate = b.Key, b.Rate
	}
	return int64(due + float64((taxable-from)*rate))
}

// incomeTaxOn taxes wages above the allowance, by brackets if there are any, and
// capital income in full.
func incomeTaxOn(wage, allowance, capitalIncome, rate float64, brackets []Rate) (onWage, onCapital int64) {
	return wageTax(wage-allowance, rate, brackets), taxOn(capitalIncome, rate)
}

// vat is the value-added tax of the month: a standard rate, with surcharges, and by what
// the rates of industries differ from it.
type vat struct {
	standard       float64
	beyond         [MaxIndustries]float64
	beyondOfBudget [engelClasses]float64 // by class of income: of a budget that is spent in full, share
}

// on is the tax on purchases, in whole subunits, rounded down; beyond is what their
// industries' rates add to the standard rate.
func (v *vat) on(bought int64, beyond float64) int64 {
	return int64(positive(float64(float64(bought)*v.standard) + beyond))
}

// surcharge is the rate that raises the cost of a programme from last year's base.
func surcharge(cost, base float64) float64 { return clip(cost/max(base, 1), 0, mostSurcharge) }

// mostSurcharge bounds the surcharge of one programme; what it does not raise is
// financed by debt.
const mostSurcharge = .5

// mostIncomeTax bounds income tax and contributions together, share of a wage, so that
// something is left.
const mostIncomeTax = .95

// setTaxRates sets the month's rates of income tax and VAT with the surcharges that
// finance transfers. The debt rule moves the income tax, not the surcharges.
func (e *Economy) setTaxRates() {
	p, m, r := &e.p, &e.m, &e.rates
	r.incomeTax = p.IncomeTaxRate * m.TaxScale
	m.VAT = e.byIndustry(p.VATRatesByIndustry, p.VATRate)
	extra, extraVAT := 0.0, 0.0
	for _, programme := range [...]struct {
		financing string
		cost      float64
	}{
		{p.BasicIncomeFinancing, float64(r.basicIncome * e.basicIncomeUnits())},
		{p.RedistributionFinancing, float64(r.pool)},
	} {
		switch programme.financing {
		case "income_tax":
			extra += surcharge(programme.cost, m.IncomeTaxBase)
		case "vat":
			extraVAT += surcharge(programme.cost, m.VATBase)
		}
	}
	e.vat.standard = p.VATRate + extraVAT
	for j := range e.shares {
		m.VAT[j] += extraVAT
		e.vat.beyond[j] = m.VAT[j] - e.vat.standard
	}
	most := mostIncomeTax - r.contribution
	r.incomeTax = clip(r.incomeTax+extra, 0, most)
	r.brackets = r.brackets[:0]
	for _, b := range p.IncomeTaxBrackets.Rates() {
		r.brackets = append(r.brackets, Rate{b.Key * m.MeanWage, clip(float64(b.Rate*m.TaxScale)+extra, 0, most)})
	}
}

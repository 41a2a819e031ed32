package sim

import "math"

// rates are the month's interest rates, shares a year, and the credit factor.
type rates struct {
	deposit, loan float64           // before the firm's own premium
	real          float64           // policy rate - expected inflation
	creditFactor  [MaxBanks]float64 // how much of a firm's credit line its bank grants
	minimumWage   float64           // subunits a month per worker
	allowance     float64           // untaxed wage, subunits a month
	basicIncome   int64             // subunits a month per household or adult
	pool          int64             // redistributed in the month, subunits
	minimumIncome float64           // guaranteed by means-tested benefits, subunits a month
	jobGuarantee  int64             // wage in the public employment programme, subunits a month
	incomeTax     float64           // with the factor of the debt rule and surcharges
	brackets      []Rate            // of the wage tax: thresholds in subunits, rates as incomeTax
	subsidyLimit  float64           // highest wage that is subsidised, subunits a month; 0 = none
	researchers   float64           // share of public research in public employment
	contribution  float64           // to pensions, share of the wage
	productivity  float64           // three-year growth of productivity, a year
}

// nextConfidence is the common mood of households and firms: an autoregressive
// process that unemployment above its natural rate may depress.
func nextConfidence(x, persistence, innovation, feedback, unemployment, natural float64) float64 {
	return float64(persistence*x) + innovation - float64(feedback*(unemployment-natural))
}

// creditFactor is the share of a credit line that the bank's capital allows:
// it falls from 1 to 0 as loans approach equity / requirement.
func creditFactor(equity, loans, requirement float64) float64 {
	if loans <= 0 {
		return 1
	}
	return clip((equity/requirement-loans)/(.05*loans), 0, 1)
}

// mood is the confidence that spending and investment follow.
func (e *Economy) mood() float64 { return e.m.Confidence + e.p.ConfidenceShift }

// openMonth moves confidence and sets the month's rates.
func (e *Economy) openMonth() {
	p, m := &e.p, &e.m
	m.Month++
	innovation := float64(p.ConfidenceVolatility * e.luck(forConfidence).normal(0, 0))
	if e.experimentMonth() == 1 {
		innovation += p.ConfidenceShock
	}
	m.Confidence = nextConfidence(m.Confidence, p.ConfidencePersistence, innovation, p.ConfidenceUnemploymentFeedback, m.Slack, p.NaturalUnemploymentRate)

	m.PolicyRate = rateInForce(p, m.PolicyRate)
	r := &e.rates
	r.loan = max(0, m.PolicyRate+p.LoanSpread)
	r.deposit = max(0, m.PolicyRate-p.DepositSpread)
	r.real = m.PolicyRate - m.ExpectedInflation
	e.supplyCredit()
	r.minimumWage = p.MinimumWage * m.MedianWage
	r.allowance = p.TaxAllowance * m.MeanWage
	r.basicIncome = floorMoney(p.UniversalBasicIncome * m.MeanWage)
	r.contribution = 0
	if p.EnableDemography {
		r.contribution = p.PensionContributionRate
	}
	r.pool = 0
	if p.RedistributionStrategy != "none" {
		r.pool = floorMoney(p.RedistributionShare * positive(m.GDPTrend))
	}
	r.minimumIncome = p.MinimumIncome * m.MeanWage
	r.jobGuarantee = floorMoney(p.JobGuaranteeWage * m.MeanWage)
	r.subsidyLimit = 0
	if p.WageSubsidyRate > 0 {
		r.subsidyLimit = p.WageSubsidyCeiling * m.MedianWage
	}
	e.setTaxRates()
	e.setLevies()
	e.demandFactors = e.byIndustry(p.DemandFactorsByIndustry, 1)
	e.capacityFactors = e.byIndustry(p.CapacityFactorsByIndustry, 1)
	old := *ring(m.ProductivityHistory[:], m.Month, 37)
	last := *ring(m.ProductivityHistory[:], m.Month, 1)
	r.productivity = math.Pow(last/old, 1./3) - 1
	e.f.wage[e.government()] = m.MeanWage
	e.f.wage[e.programme()] = p.JobGuaranteeWage * m.MeanWage

	if scale := p.LaborProductivityFactor / m.ProductivityScale; scale != 1 {
		for i := range e.f.productivity {
			e.f.productivity[i] *= scale
		}
		m.ProductivityScale = p.LaborProductivityFactor
	}
	if left := 1 - p.CapitalDestructionRate; left < 1 {
		for i := range e.f.capital {
			e.f.capital[i] *= left
		}
	}
	e.flow = flows{}
}

package sim

// setBenefits sets what the month's minimum wage, tax allowance, transfers, contributions
// and public wages are in money: most follow the mean or the median wage.
func (e *Economy) setBenefits() {
	p, m, r := &e.p, &e.m, &e.rates
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
	e.f.wage[e.government()] = m.MeanWage
	e.f.wage[e.programme()] = p.JobGuaranteeWage * m.MeanWage
}

// basicIncomeUnits is the number of units to whom a basic income is paid.
func (e *Economy) basicIncomeUnits() int64 {
	if e.p.BasicIncomeUnit == "adult" {
		return e.people.adults
	}
	return e.people.present
}

// meansTested tops up income to a guaranteed one, less where the taper is below 1.
func meansTested(guarantee, taper, income float64) int64 {
	return int64(positive(guarantee - float64(taper*income)))
}

// povertyLine is the disposable income, share of the median, below which a household counts
// as poor (Eurostat's at-risk-of-poverty threshold).
const povertyLine = .6

// pool is a month's redistribution: to each household the sum over parts of factor
// times weight.
type pool struct {
	line    float64 // poverty line, subunits of smoothed income
	factors [poolParts]float64
}

// The parts of a pool, by what weighs a household in them.
const (
	poolEqual      = iota // 1
	poolIncome            // smoothed income
	poolPoverty           // distance below the poverty line
	poolUnemployed        // without a job
	poolFamily            // members

	poolParts
)

// poolStrategies are the parts of the pool under each strategy but the mixed one.
var poolStrategies = map[string][poolParts]float64{
	"equal":                {poolEqual: 1},
	"income_proportional":  {poolIncome: 1},
	"poverty_focused":      {poolPoverty: 1},
	"unemployment_focused": {poolUnemployed: 1},
	"family_size":          {poolFamily: 1},
}

// poolShares are the parts of the pool under a strategy; they add up to 1.
func poolShares(p *Params) (shares [poolParts]float64) {
	if p.RedistributionStrategy != "mixed" {
		return poolStrategies[p.RedistributionStrategy]
	}
	poverty, unemployed, family := p.RedistributionPovertyWeight, p.RedistributionUnemploymentWeight, p.RedistributionFamilySizeWeight
	sum := poverty + unemployed + family
	if sum == 0 {
		return poolStrategies["equal"]
	}
	shares[poolPoverty], shares[poolUnemployed], shares[poolFamily] = poverty/sum, unemployed/sum, family/sum
	return shares
}

// poolWeights are what a household weighs in the parts of the pool.
func (e *Economy) poolWeights(h int) (weights [poolParts]float64) {
	if e.isAbsent(h) {
		return weights
	}
	weights[poolEqual] = 1
	weights[poolIncome] = positive(e.h.permanent[h])
	weights[poolPoverty] = positive(e.pool.line - weights[poolIncome])
	if e.isUnemployed(h) {
		weights[poolUnemployed] = 1
	}
	weights[poolFamily] = float64(e.familySize(h))
	return weights
}

func (e *Economy) weighPool(s span) {
	for h := s.lo; h < s.hi; h++ {
		for k, weight := range e.poolWeights(h) {
			s.sum.real[sumPoolEqual+k] += weight
		}
	}
}

// planPool divides the month's pool over the households. A part that nobody has
// weight in is not paid out.
func (e *Economy) planPool() {
	if e.rates.pool == 0 {
		return
	}
	e.pool = pool{line: povertyLine * e.m.MedianIncome}
	sums := e.overHouseholds((*Economy).weighPool)
	for k, share := range poolShares(&e.p) {
		if sum := sums.real[sumPoolEqual+k]; sum > 0 {
			e.pool.factors[k] = share * float64(e.rates.pool) / sum
		}
	}
}

// fromPool is what a household gets.
func (e *Economy) fromPool(h int) int64 {
	sum := 0.0
	for k, weight := range e.poolWeights(h) {
		sum += float64(e.pool.factors[k] * weight)
	}
	return int64(sum)
}

// transfersTo returns the month's means-tested benefit and redistribution of a
// household with other income before tax.
func (e *Economy) transfersTo(h int, income int64) (minimum, redistributed int64) {
	if e.rates.pool > 0 {
		redistributed = e.fromPool(h)
	}
	if e.rates.minimumIncome > 0 && !e.isAbsent(h) {
		minimum = meansTested(e.rates.minimumIncome, e.p.MinimumIncomeTaper, float64(income+redistributed))
	}
	return minimum, redistributed
}

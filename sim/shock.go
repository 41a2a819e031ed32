package sim

import "math"

// aggregateShock is a disturbance that the whole economy shares: a source of its cycle, in burn-in and experiment alike.
type aggregateShock int

const (
	technologyShock  aggregateShock = iota // log of the productivity of all labour
	worldDemandShock                       // log of what the world orders
	importPriceShock                       // log of prices of imports
	purchasesShock                         // log of what the government buys
	policyRateShock                        // addition to the rule's policy rate, a year
	loanSpreadShock                        // addition to the loan spread, a year

	numShocks
)

// aggregateShocks says how each shock moves: x' = persistence · x + volatility · z, where z has mean 0 and standard
// deviation 1, normal or, where it is skewed, exponential less its mean: seldom much, and then up.
var aggregateShocks = [numShocks]struct {
	draws       purpose
	persistence float64 // a month
	skewed      bool
	volatility  func(*Params) float64
}{
	// .98 a quarter: Fernald (2014), utilisation-adjusted productivity of the United States, is near a random walk.
	technologyShock: {forTechnology, .99, false, func(p *Params) float64 { return p.TechnologyVolatility }},
	// .91 a quarter: cycle of world trade (CPB World Trade Monitor).
	worldDemandShock: {forWorldDemand, .97, false, func(p *Params) float64 { return p.WorldDemandVolatility }},
	importPriceShock: {forImportPrices, .985, false, func(p *Params) float64 { return p.ImportPriceVolatility }},
	// .955 a quarter: Smets and Wouters (2007) have .97.
	purchasesShock:  {forPurchases, .985, false, func(p *Params) float64 { return p.PurchasesVolatility }},
	policyRateShock: {forPolicyRate, 0, false, func(p *Params) float64 { return p.PolicyRateVolatility }},
	loanSpreadShock: {forLoanSpread, .965, true, func(p *Params) float64 { return p.LoanSpreadVolatility }},
}

// hasShocks says whether any shock moves.
func (p *Params) hasShocks() bool {
	for k := range aggregateShocks {
		if aggregateShocks[k].volatility(p) > 0 {
			return true
		}
	}
	return false
}

// nextShock is an autoregressive process.
func nextShock(x, persistence, innovation float64) float64 {
	return float64(persistence*x) + innovation
}

// shockNews is the month's innovation of a shock over its volatility: mean 0, standard deviation 1.
func shockNews(d draws, skewed bool) float64 {
	if skewed {
		return exponential(d.uniform(0, 0), 1) - 1
	}
	return d.normal(0, 0)
}

// shock is how far an aggregate shock has moved what it moves; 0 where there are none.
func (e *Economy) shock(k aggregateShock) float64 {
	if len(e.shocks) == 0 {
		return 0
	}
	return e.shocks[k]
}

// shockFactor is the factor of a shock to a log.
func (e *Economy) shockFactor(k aggregateShock) float64 { return math.Exp(e.shock(k)) }

// moveShocks draws the month's news about what the whole economy shares.
func (e *Economy) moveShocks() {
	if len(e.shocks) == 0 {
		return
	}
	before := e.shocks[technologyShock]
	for k := range aggregateShocks {
		s := &aggregateShocks[k]
		e.shocks[k] = nextShock(e.shocks[k], s.persistence, float64(s.volatility(&e.p)*shockNews(e.draws(s.draws), s.skewed)))
	}
	scaleAll(e.f.productivity, math.Exp(e.shocks[technologyShock]-before))
}

// applyShocks sets what shocks of the month do to demand, capacity and productivity, and
// destroys capital.
func (e *Economy) applyShocks() {
	p, m := &e.p, &e.m
	e.demandFactors = e.byIndustry(p.DemandFactorsByIndustry, 1)
	e.capacityFactors = e.byIndustry(p.CapacityFactorsByIndustry, 1)
	scaleAll(e.f.productivity, p.LaborProductivityFactor/m.ProductivityScale)
	m.ProductivityScale = p.LaborProductivityFactor
	scaleAll(e.f.capital, 1-p.CapitalDestructionRate)
}

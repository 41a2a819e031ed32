package sim

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

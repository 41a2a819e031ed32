package sim

// applyShocks sets what shocks of the month do to demand, capacity and productivity, and
// destroys capital.
func (e *Economy) applyShocks() {
	p, m := &e.p, &e.m
	e.demandFactors = e.byIndustry(p.DemandFactorsByIndustry, 1)
	e.capacityFactors = e.byIndustry(p.CapacityFactorsByIndustry, 1)
	if scale := p.LaborProductivityFactor / m.ProductivityScale; scale != 1 {
		scaleAll(e.f.productivity, scale)
		m.ProductivityScale = p.LaborProductivityFactor
	}
	if left := 1 - p.CapitalDestructionRate; left < 1 {
		scaleAll(e.f.capital, left)
	}
}

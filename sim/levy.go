package sim

import "math"

// emissionIntensity is what a unit of revenue of an industry emits, relative to the
// mean: stylised. Housing holds energy and transport holds fuels, which emit most.
var emissionIntensity = [MaxIndustries]float64{1.1, .5, .6, 1.5, .7, .4, 1.7, .3, .5, .3, .6, .4}

// meanIntensity is the mean of emissionIntensity over budgets.
func meanIntensity() float64 {
	sum, shares := 0.0, 0.0
	for j, industry := range industryTable {
		sum += float64(industry.Share * emissionIntensity[j])
		shares += industry.Share
	}
	return sum / shares
}

// intensities are the emission intensities of the economy's industries, with a mean of
// 1 over budgets.
func (e *Economy) intensities() [MaxIndustries]float64 {
	list, mean := joined(e.industries(), emissionIntensity), meanIntensity()
	for j := range e.shares {
		list[j] /= mean
	}
	return list
}

// mostLevy is the largest levy on revenue.
const mostLevy = .9

// wantedAbatement is the part of emissions that firms avoid in the long run at a levy:
// emissions per unit fall by the elasticity times the levy, in logs.
func wantedAbatement(elasticity, levy float64) float64 { return -math.Expm1(-elasticity * levy) }

// setLevies sets the month's levy of each industry as a share of revenue: the rate times
// the emission intensity, or the industry's own rate, less what has been abated; and
// moves abatement towards what pays.
func (e *Economy) setLevies() {
	p, m := &e.p, &e.m
	mean := meanIntensity()
	var own [MaxIndustries]float64
	for j := range own {
		own[j] = p.GreenLevyRate * emissionIntensity[j] / mean
	}
	for _, r := range p.GreenLevyByIndustry.Rates() {
		own[int(r.Key)-1] = r.Rate
	}
	if e.industries() < MaxIndustries {
		own = joined(e.industries(), own)
	}
	for j := range e.shares {
		full := min(own[j], mostLevy)
		m.Abatement[j] += float64(p.AbatementSpeed * (wantedAbatement(p.AbatementElasticity, full) - m.Abatement[j]))
		levy := full * (1 - m.Abatement[j])
		for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
			e.f.levy[i] = levy
		}
	}
}

// levied is the price at which nothing is left after the unit cost and the levy: what
// mark-ups are counted on.
func (e *Economy) levied(i int) float64 { return e.unitCost(i) / (1 - e.f.levy[i]) }

// measureEmissions measures the index of emissions: the units made of each good, at the
// base month's prices, times intensity, less what is abated.
func (e *Economy) measureEmissions(v *firmSurvey) {
	intensity := e.intensities()
	for j := range e.shares {
		made := positive(v.units[j] + v.inventoryUnits[j])
		e.m.Emitted[j] = made * intensity[j] * (1 - e.m.Abatement[j])
	}
	e.record.Values[Emissions] = 100 * ratio(e.m.emissions(), e.m.BaseEmissions)
}

// emissions adds up what the industries emitted, at the base month's prices.
func (m *macro) emissions() float64 {
	sum := 0.0
	for j, x := range m.Emitted {
		sum += float64(x * m.Base.Goods[j])
	}
	return sum
}

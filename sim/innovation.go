package sim

import "math"

// referenceResearch is the share of revenue spent on research at which an
// innovation has innovation_probability; the gain from more of it ends at
// mostIntensity times as much.
const (
	referenceResearch = .03
	mostIntensity     = 10
)

// successRate is the monthly probability of an innovation at a research
// intensity (spending on research over its reference): concave in effort.
func successRate(probability, intensity, concavity float64) float64 {
	return 1 - math.Pow(1-probability, math.Pow(intensity, concavity))
}

// productivityStep is the relative gain of an innovation: exponential, capped
// at four times its mean (u is a uniform draw).
func productivityStep(u, mean float64) float64 { return math.Min(4*mean, exponential(u, mean)) }

// passOn returns price and mark-up after productivity rose by the share g and a
// part of the saving was passed on to buyers.
func passOn(price, unitCostAfter, passThrough, g float64) (newPrice, markUp float64) {
	newPrice = price * (1 - float64(passThrough*g)/(1+g))
	return newPrice, newPrice/unitCostAfter - 1
}

// innovate: research succeeds by chance and raises productivity (Dosi, Fagiolo
// and Roventini 2010, section 2.2, with success per month).
func (e *Economy) innovate(s span) {
	p := &e.p
	luck := e.luck(forInnovation)
	public := e.publicResearch()
	for i := s.lo; i < s.hi; i++ {
		labour := float64(e.f.labour[i]) / skillUnit
		planned := e.f.research[i]
		if p.EnableInnovation && planned > 0 && labour > 0 && e.f.revenueTrend[i] > 0 {
			spent := math.Min(labour, planned) * e.f.wage[i] * e.f.wagePremium[i]
			intensity := math.Min(spent/(referenceResearch*e.f.revenueTrend[i]), mostIntensity)
			if luck.uniform(i, 0) < successRate(p.InnovationProbability, intensity+public, p.InnovationConcavity) {
				g := productivityStep(luck.uniform(i, 1), p.InnovationLaborProductivityImprovement)
				e.f.productivity[i] *= 1 + g
				if p.EnablePriceAdjustment {
					e.f.price[i], e.f.markUp[i] = passOn(e.f.price[i], e.unitCost(i), p.InnovationPricePassThrough, g)
				}
				s.sum.count[sumEvents]++
			}
		}
		e.f.before[i] = e.f.productivity[i]
	}
}

// imitate: a firm looks at one of its industry, drawn by revenue, and closes a
// part of the gap where the other is more productive.
func (e *Economy) imitate(s span) {
	p := &e.p
	luck := e.luck(forImitation)
	for i := s.lo; i < s.hi; i++ {
		if !p.EnableInnovation || luck.uniform(i, 0) >= p.ImitationProbability {
			continue
		}
		if j := e.urn.draw(e.industryOf(i), luck.bits(i, 1)); j >= 0 {
			e.f.productivity[i] += float64(p.ImitationStep * positive(e.f.before[j]-e.f.productivity[i]))
		}
	}
}

// technicalChange runs innovation and imitation.
func (e *Economy) technicalChange() {
	events := e.overFirms((*Economy).innovate)
	e.innovations = int(events.count[sumEvents])
	e.urn.fill(e, e.industryStart, func(e *Economy, i int) int64 { return e.f.revenue[i] / subunit })
	e.overFirms((*Economy).imitate)
}

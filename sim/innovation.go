package sim

import (
	"math"
	"slices"
)

// referenceResearch is the share of revenue spent on research at which an
// innovation has innovation_probability; the gain from more of it ends at
// mostIntensity times as much.
const (
	referenceResearch = .03
	mostIntensity     = 10
	mostGain          = 4 // of one innovation, multiple of the mean: no single firm moves the economy
)

// successRate is the monthly probability of an innovation at a research
// intensity (spending on research over its reference): concave in effort.
func successRate(probability, intensity, concavity float64) float64 {
	return 1 - math.Pow(1-probability, math.Pow(intensity, concavity))
}

// productivityStep is the relative gain of an innovation: exponential, capped
// at mostGain times its mean (u is a uniform draw).
func productivityStep(u, mean float64) float64 { return min(mostGain*mean, exponential(u, mean)) }

// passOn returns price and mark-up after productivity rose by the share g and a
// part of the saving was passed on to buyers.
func passOn(price, unitCostAfter, passThrough, g float64) (newPrice, markUp float64) {
	newPrice = price * (1 - float64(passThrough*g)/(1+g))
	return newPrice, newPrice/unitCostAfter - 1
}

// InnovationKind says what an innovation improves.
type InnovationKind uint8

const (
	ProductivityInnovation InnovationKind = iota // output per unit of labour
	PriceInnovation                              // a cheaper process, all of it passed on to buyers
	MarginInnovation                             // a better product, all of it taken as a higher price
	AttributeInnovation                          // a better product at the old price

	NumInnovationKinds
)

// String returns the kind's identifier.
func (k InnovationKind) String() string {
	return [NumInnovationKinds]string{"productivity", "price", "margin", "attribute"}[k]
}

// innovationKind maps a uniform draw to a kind, by weights; not ok where no kind
// has any.
func innovationKind(u float64, weights [NumInnovationKinds]float64) (kind InnovationKind, ok bool) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total <= 0 {
		return 0, false
	}
	return InnovationKind(pick(u, len(weights), func(k int) float64 { return weights[k] / total })), true
}

// cheaperProcess returns productivity and price after a process that cuts unit
// cost and price by the same share, which leaves the mark-up as it was.
func cheaperProcess(productivity, price, reduction float64) (newProductivity, newPrice float64) {
	return productivity / (1 - reduction), price * (1 - reduction)
}

// dearerProduct returns mark-up, price and quality after a product became so much
// better that buyers pay a higher mark-up: price for quality stays. No mark-up
// passes its ceiling.
func dearerProduct(markUp, price, quality, points float64) (newMarkUp, newPrice, newQuality float64) {
	newMarkUp = max(markUp, min(markUp+points, markUpCeiling))
	rise := (1 + newMarkUp) / (1 + markUp)
	return newMarkUp, price * rise, quality * rise
}

// innovate: research succeeds by chance and improves a process or a product
// (Dosi, Fagiolo and Roventini 2010, section 2.2, with success per month).
func (e *Economy) innovate(s span) {
	p := &e.p
	draws := e.draws(forInnovation)
	public := e.publicResearch()
	weights := [NumInnovationKinds]float64{p.InnovationProductivityWeight, p.InnovationPriceWeight, p.InnovationMarginWeight,
		p.InnovationAttributeWeight}
	for i := s.lo; i < s.hi; i++ {
		e.f.event[i] = 0
		e.f.novelty[i] = max(e.f.novelty[i], 1) - 1
		labour := float64(e.f.labour[i]) / skillUnit
		planned := e.f.research[i]
		if p.EnableInnovation && planned > 0 && labour > 0 && e.f.revenueTrend[i] > 0 {
			spent := min(labour, planned) * e.f.wage[i] * e.f.wagePremium[i]
			intensity := min(spent/(referenceResearch*e.f.revenueTrend[i]), mostIntensity)
			if draws.uniform(i, 0) < successRate(p.InnovationProbability, intensity+public, p.InnovationConcavity) {
				if kind, ok := innovationKind(draws.uniform(i, 2), weights); ok {
					e.renew(i, kind, draws.uniform(i, 1))
					s.sum.count[sumEvents+int(kind)]++
				}
			}
		}
		e.f.productivityBefore[i], e.f.qualityBefore[i] = e.f.productivity[i], e.f.quality[i]
	}
}

// renew lets a firm's innovation take effect and notes it for [Economy.Events].
func (e *Economy) renew(i int, kind InnovationKind, u float64) {
	p, f := &e.p, &e.f
	changed := [NumInnovationKinds]*float64{
		ProductivityInnovation: &f.productivity[i], PriceInnovation: &f.price[i],
		MarginInnovation: &f.markUp[i], AttributeInnovation: &f.quality[i],
	}[kind]
	f.event[i], f.eventBefore[i], f.novelty[i] = uint8(kind)+1, *changed, noveltyMonths
	switch kind {
	case ProductivityInnovation:
		g := productivityStep(u, p.InnovationLaborProductivityImprovement)
		f.productivity[i] *= 1 + g
		if p.EnablePriceAdjustment {
			f.price[i], f.markUp[i] = passOn(f.price[i], e.priced(i), p.InnovationPricePassThrough, g)
		}
	case PriceInnovation:
		a, price := cheaperProcess(f.productivity[i], f.price[i], p.InnovationPriceReduction)
		f.productivity[i] = a
		if p.EnablePriceAdjustment {
			f.price[i] = price
		}
	case MarginInnovation:
		markUp, price, quality := dearerProduct(f.markUp[i], f.price[i], f.quality[i], p.InnovationProfitMarginImprovement)
		f.quality[i] = quality
		if p.EnablePriceAdjustment {
			f.markUp[i], f.price[i] = markUp, price
		}
	case AttributeInnovation:
		f.quality[i] *= 1 + p.InnovationAttributeImprovement
	}
	f.eventAfter[i] = *changed
}

// imitate: a firm looks at one of its industry, drawn by revenue, and closes a
// part of the gap where the other is more productive, and of that where its
// product is better.
func (e *Economy) imitate(s span) {
	p := &e.p
	draws := e.draws(forImitation)
	for i := s.lo; i < s.hi; i++ {
		if !p.EnableInnovation || draws.uniform(i, 0) >= p.ImitationProbability {
			continue
		}
		if j := e.urn.draw(e.industryOf(i), draws.bits(i, 1)); j >= 0 {
			e.f.productivity[i] += float64(p.ImitationStep * positive(e.f.productivityBefore[j]-e.f.productivity[i]))
			e.f.quality[i] += float64(p.ImitationStep * positive(e.f.qualityBefore[j]-e.f.quality[i]))
		}
	}
}

// Quality counts only against that of competitors. Where the best of an industry
// passes qualityLimit, all are divided by it, a power of two that costs no digit,
// so that centuries of better products stay within the range of numbers.
const qualityLimit = 1 << 20

// rebaseQuality keeps the qualities of each industry within bounds.
func (e *Economy) rebaseQuality() {
	for j := range e.industries() + 1 { // the capital sector is the last
		first, end := e.industryStart[j], e.industryStart[j+1]
		if slices.Max(e.f.quality[first:end]) <= qualityLimit {
			continue
		}
		for _, qualities := range [][]float64{e.f.quality[first:end], e.f.qualityBefore[first:end]} { // entrants read what was before
			for i, q := range qualities {
				qualities[i] = max(q/qualityLimit, 1./qualityLimit)
			}
		}
	}
}

// technicalChange runs innovation and imitation.
func (e *Economy) technicalChange() {
	events := e.overFirms((*Economy).innovate)
	for k := range e.innovations {
		e.innovations[k] = int(events.count[sumEvents+k])
	}
	e.urn.fill(e, e.industryStart, func(e *Economy, i int) int64 { return e.f.revenue[i] / subunit })
	e.overFirms((*Economy).imitate)
	e.rebaseQuality()
}

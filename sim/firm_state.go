package sim

import "math"

// Firms differ for longer than a year in how productive they are and how much they are asked for. Both states are
// logs with mean 0 that come back to it; they move by jumps, so that growth rates of firms have the fat tails of
// the data: with normal steps of every month they would not.
const (
	stateMemory = .85 // a year: share of a state that is left (Foster, Haltiwanger and Syverson 2008: .8 for productivity, .9 for demand)
	jumpChance  = .15 // a month, of a jump; its size has a Laplace distribution (Bottazzi and Secchi 2006). Chosen

	// steadiness is the elasticity with which jumps fall with staff: large firms have many products and plants (Stanley et
	// al. 1996, Nature 379).
	steadiness = .15

	tasteMonths = 6. // over which customers follow such a jump, so that a firm can prepare for them; chosen

	ownCostPassThrough = .6 // of a firm's own productivity in its price: it looks at its rivals' prices too (Amiti, Itskhoki and Konings 2019)
	capacityElasticity = .4 // of what its capital can make with respect to its own productivity; chosen
)

// jumpScale is the mean absolute size of a jump at which the state has a standard deviation: the variance of a
// Laplace variable is twice the square of its scale, and jumps bring in what fades.
func jumpScale(deviation, memory float64) float64 {
	return deviation * math.Sqrt((1-float64(memory*memory))/(2*jumpChance))
}

// followed is the standard deviation of what follows a state and closes 1/months of the gap each month, as a
// multiple of that of the state.
func followed(memory, months float64) float64 {
	kept := 1 - 1/months
	return math.Sqrt((1 + float64(kept*memory)) / (1 - float64(kept*memory)) * (1 - kept) / (1 + kept))
}

// moveState is a state a month later.
func moveState(state, memory, scale float64, l draws, i, n int) float64 {
	state = float64(state * memory)
	if random := l.bits(i, n); unitInterval(random) < jumpChance {
		jump := float64(exponential(l.uniform(i, n+1), scale))
		if scramble(random)&1 == 0 {
			jump = -jump
		}
		state += jump
	}
	return state
}

// moveFirms moves the firms' own productivity and demand.
func (e *Economy) moveFirms() {
	e.overFirms((*Economy).moveStates)
	if e.f.edge != nil {
		e.centreEdges()
	}
}

// centreEdges takes off the firms of an industry what their own productivity has in common, by revenue: what is a
// firm's own is relative to its rivals. Without that the luck of the largest would move the price level and output.
func (e *Economy) centreEdges() {
	for j := range e.industries() + 1 {
		first, end := e.industryStart[j], e.industryStart[j+1]
		sum, weights := 0.0, 0.0
		for i := first; i < end; i++ {
			sum += float64(e.f.edge[i] * e.f.revenueTrend[i])
			weights += e.f.revenueTrend[i]
		}
		common := sum / max(weights, 1)
		for i := first; i < end; i++ {
			e.f.edge[i] -= common
		}
	}
}

func (e *Economy) moveStates(s span) {
	l, memory := e.draws(forFirmStates), math.Pow(stateMemory, 1./12)
	productivity := jumpScale(e.p.FirmProductivityDispersion, memory)
	demand := jumpScale(e.p.FirmDemandDispersion, memory) / followed(memory, tasteMonths)
	for i := s.lo; i < s.hi; i++ {
		size := math.Pow(float64(max(e.f.heads[i], 1)), -steadiness)
		if e.f.edge != nil {
			e.f.edge[i] = moveState(e.f.edge[i], memory, productivity*size, l, i, 0)
		}
		if e.f.taste != nil {
			e.f.tasteTarget[i] = moveState(e.f.tasteTarget[i], memory, demand*size, l, i, 2)
			e.f.taste[i] += (e.f.tasteTarget[i] - e.f.taste[i]) / tasteMonths
			e.f.pull[i] = math.Exp(e.f.taste[i])
		}
	}
}

// edge is the log of firm i's own productivity, 0 where firms do not differ.
func (e *Economy) edge(i int) float64 {
	if e.f.edge == nil {
		return 0
	}
	return e.f.edge[i]
}

// scaled is x times a power of the firm's own productivity.
func (e *Economy) scaled(x float64, i int, elasticity float64) float64 {
	if e.f.edge == nil {
		return x
	}
	return x * math.Exp(elasticity*e.f.edge[i])
}

// efficiency is the output of a unit of labour without automation: the firm's technology and its own productivity.
func (e *Economy) efficiency(i int) float64 { return e.scaled(e.f.productivity[i], i, 1) }

// priced is the cost that a firm's mark-up is counted on: of its own productivity a part only reaches the price, and
// what it pays beyond the common wage is paid out of its margin.
func (e *Economy) priced(i int) float64 {
	cost := e.scaled(e.levied(i), i, 1-ownCostPassThrough)
	if e.f.premium != nil {
		cost *= math.Exp(e.rates.premium - e.f.premium[i])
	}
	return cost
}

// begin lets a new firm start without states of its own.
func (e *Economy) begin(i int) {
	if e.f.edge != nil {
		e.f.edge[i] = 0
	}
	if e.f.taste != nil {
		e.f.tasteTarget[i], e.f.taste[i], e.f.pull[i] = 0, 0, 1
	}
	if e.f.premium != nil {
		e.f.premium[i] = e.rates.premium
	}
	if e.f.quits != nil {
		e.f.quits[i] = 0
	}
}

// leanTo notes how much of its budget a household that has one supplier in each industry moves towards those that it
// likes, so that it spends as much as before, VAT included; and by how much the VAT on that differs from that on the
// usual shares, beyond the standard rate.
func (e *Economy) leanTo(h int, budget float64, coef *[MaxIndustries]float64, links []int32) {
	var plain, drawn float64
	for j, i := range links {
		gross := float64(coef[j] * (1 + e.m.VAT[j]))
		plain += gross
		drawn += float64(gross * e.f.pull[i])
	}
	lean := ratio(plain, drawn)
	beyond := 0.0
	for j, i := range links {
		beyond += float64(budget * coef[j] * (float64(e.f.pull[i]*lean) - 1) * e.vat.beyond[j])
	}
	e.h.lean[h], e.h.leanVAT[h] = lean, beyond
}

// budgetOf is the part of a household's budget for an industry's suppliers, of which i is the first.
func (e *Economy) budgetOf(h int, budget, share float64, i int32) float64 {
	x := budget * share
	if e.h.lean != nil {
		x *= e.f.pull[i] * e.h.lean[h]
	}
	return x
}

// beyondBudget is the VAT beyond the standard rate on a household's budget.
func (e *Economy) beyondBudget(h int, budget float64) float64 {
	beyond := float64(budget * e.vat.beyondOfBudget[e.h.class[h]])
	if e.h.lean != nil {
		beyond += e.h.leanVAT[h]
	}
	return beyond
}

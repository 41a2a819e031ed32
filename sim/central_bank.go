package sim

import "math"

// taylorRate is the central bank's rate (Taylor 1993, with smoothing, in the
// unemployment gap), a year, between zero and its ceiling.
func taylorRate(p *Params, rate, natural, inflation, unemployment float64) float64 {
	target := natural + p.InflationTarget +
		float64(p.TaylorInflationCoefficient*(inflation-p.InflationTarget)) +
		float64(p.TaylorUnemploymentCoefficient*(p.NaturalUnemploymentRate-unemployment))
	return clip(float64(p.PolicyRateSmoothing*rate)+float64((1-p.PolicyRateSmoothing)*target), 0, p.MaxPolicyRate)
}

// rateInForce is the rate that a month begins with: a fixed rate and the ceiling
// of the rule hold from the month in which they are set.
func rateInForce(p *Params, rate float64) float64 {
	if p.PolicyRateRule == "fixed" {
		return p.FixedPolicyRate
	}
	return min(rate, p.MaxPolicyRate)
}

const (
	anchoring        = .5   // weight of the target in expected inflation; chosen
	leastExpectation = -.05 // expected inflation a year, so that falling prices do not feed on themselves
	mostExpectation  = 3    // a year, beyond which money is no longer counted in

	naturalGain = .08 / 12 // a month, at which the estimate of the natural real rate rises while core inflation is above target; chosen
	mostShift   = .05      // of that estimate, a year

	missMemory   = 36      // months over which misses of the target are averaged
	missScale    = .04     // of a miss, a year, from which it counts
	anchoredGain = 1. / 60 // a month, at which the anchor returns to a target that is met
	driftingGain = .05     // a month, at which it follows inflation more where the target is missed
)

// perceivedInflation is what the central bank and those who bargain look at, a year: core inflation, which VAT,
// tariffs and import prices do not enter, and that of consumer prices.
func perceivedInflation(weight, core, headline float64) float64 {
	return float64(weight*core) + float64((1-weight)*headline)
}

// trust is near 1 while inflation was near its target, and near 0 where it was missed for long (in the manner of
// Carvalho, Eusepi, Moench and Preston 2023, American Economic Journal: Macroeconomics 15(1), whose gain switches).
func trust(miss float64) float64 { return math.Exp(-(miss / missScale) * (miss / missScale)) }

// nextAnchor is by how much the inflation that people hold to be usual lies off the target, a year: it follows the
// miss, the faster the longer and further the target was missed, and returns while it is met.
func nextAnchor(anchor, miss, trust float64) float64 {
	gain := anchoredGain + float64(driftingGain*(1-trust))
	return anchor + float64(gain*(float64((1-trust)*miss)-anchor))
}

// expectedInflation is half what people hold to be usual, the target and the anchor's distance from it, and half what
// they perceive.
func expectedInflation(usual, perceived float64) float64 {
	return float64(anchoring*usual) + float64((1-anchoring)*perceived)
}

// nextShift is by how much the central bank's estimate of the natural real rate lies off natural_real_rate, a year: it
// learns from misses, so that the target is met on average whatever the natural rate is (the problem of Orphanides and
// Williams 2002, Brookings Papers on Economic Activity 2002(2), whose remedy is to let the rate itself accumulate).
func nextShift(shift, missed float64) float64 {
	return clip(shift+float64(naturalGain*missed), -mostShift, mostShift)
}

// setPolicyRate moves the policy rate and expected inflation.
func (e *Economy) setPolicyRate() {
	p, m := &e.p, &e.m
	inflation := perceivedInflation(p.CoreInflationWeight, e.coreInflation(), e.record.Values[Inflation])
	if p.PolicyRateRule == "fixed" {
		m.PolicyRate = p.FixedPolicyRate
	} else {
		m.PolicyRate = clip(taylorRate(p, m.PolicyRate, p.NaturalRealRate+m.NaturalShift, inflation, m.Slack)+e.shock(policyRateShock), 0, p.MaxPolicyRate)
	}
	missed := e.coreInflation() - p.InflationTarget
	bound := m.PolicyRate == 0 && missed < 0 || m.PolicyRate == p.MaxPolicyRate && missed > 0 // where no estimate would meet the target
	if p.PolicyRateRule != "fixed" && !bound {
		m.NaturalShift = nextShift(m.NaturalShift, missed)
	}
	m.Miss += (math.Abs(missed) - m.Miss) / missMemory
	m.Anchor = nextAnchor(m.Anchor, missed, trust(m.Miss))
	m.ExpectedInflation = clip(expectedInflation(p.InflationTarget+m.Anchor, inflation), leastExpectation, mostExpectation)
}

// coreInflation is the growth over twelve months of the prices of domestic goods, without VAT.
func (e *Economy) coreInflation() float64 {
	h := e.m.CoreHistory[:]
	return *ring(h, e.m.Month, 0)/(*ring(h, e.m.Month, 12)) - 1
}

// setInterestRates sets the month's rates of interest, which follow the policy rate, and
// how much credit each bank may supply.
func (e *Economy) setInterestRates() {
	p, m, r := &e.p, &e.m, &e.rates
	m.PolicyRate = rateInForce(p, m.PolicyRate)
	r.loan = max(0, m.PolicyRate+p.LoanSpread+e.shock(loanSpreadShock))
	r.deposit = max(0, m.PolicyRate-p.DepositSpread)
	r.real = m.PolicyRate - m.ExpectedInflation
	m.FundingCost += (costOfFunds(r.loan, m.PolicyRate, m.ExpectedInflation) - m.FundingCost) / fundsMemory
	e.supplyCredit()
}

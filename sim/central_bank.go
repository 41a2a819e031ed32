package sim

// taylorRate is the central bank's rate (Taylor 1993, with smoothing, in the
// unemployment gap), a year, between zero and its ceiling.
func taylorRate(p *Params, rate, inflation, unemployment float64) float64 {
	target := p.NaturalRealRate + p.InflationTarget +
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
	mostExpectation  = .5   // a year, so that rising prices do not either
)

// expectedInflation is half anchored at the target and half adaptive.
func expectedInflation(target, past float64) float64 {
	return float64(anchoring*target) + float64((1-anchoring)*past)
}

// setPolicyRate moves the policy rate and expected inflation.
func (e *Economy) setPolicyRate() {
	inflation, unemployment := e.record.Values[Inflation], e.m.Slack
	if e.p.PolicyRateRule == "fixed" {
		e.m.PolicyRate = e.p.FixedPolicyRate
	} else {
		e.m.PolicyRate = taylorRate(&e.p, e.m.PolicyRate, inflation, unemployment)
	}
	e.m.ExpectedInflation = clip(expectedInflation(e.p.InflationTarget, inflation), leastExpectation, mostExpectation)
}

// setInterestRates sets the month's rates of interest, which follow the policy rate, and
// how much credit each bank may supply.
func (e *Economy) setInterestRates() {
	p, m, r := &e.p, &e.m, &e.rates
	m.PolicyRate = rateInForce(p, m.PolicyRate)
	r.loan = max(0, m.PolicyRate+p.LoanSpread)
	r.deposit = max(0, m.PolicyRate-p.DepositSpread)
	r.real = m.PolicyRate - m.ExpectedInflation
	e.supplyCredit()
}

package sim

import "math"

// premiumSpeed is the part of the gap between a firm's wage and the one that its rents and size would have it pay
// that is closed in a month; chosen: a year and a half.
const premiumSpeed = .1

// premium is the log of what a firm pays above the common wage: a share of its own productivity (rent sharing) and an
// elasticity of its staff (Card, Cardoso, Heining and Kline 2018; Bloom et al. 2018).
func premium(sharing, edge, elasticity, heads float64) float64 {
	return float64(sharing*edge) + float64(elasticity*math.Log(max(heads, 1)))
}

// sharesRents says whether wages follow the firm's own productivity or its size.
func (e *Economy) sharesRents() bool { return e.p.WageRentSharing > 0 || e.p.WageSizePremium > 0 }

// premiumStep is the month's change of the log of what firm i pays above the common wage.
func (e *Economy) premiumStep(i int) float64 {
	wanted := premium(e.p.WageRentSharing, e.edge(i), e.p.WageSizePremium, float64(e.f.heads[i]))
	return premiumSpeed * (wanted - e.f.premium[i])
}

// comparePremiums adds premiums and their changes up by labour.
func (e *Economy) comparePremiums(s span) {
	for i := s.lo; i < s.hi; i++ {
		labour := float64(e.f.labour[i])
		s.sum.real[sumPremium] += float64(labour * e.f.premium[i])
		s.sum.real[sumPremiumStep] += float64(labour * e.premiumStep(i))
		s.sum.real[sumPremiumLabour] += labour
	}
}

// movePremiums lets wages follow the firms' own productivity and size. What is paid above the common wage here is
// paid below it elsewhere: premiums move no mean wage.
func (e *Economy) movePremiums() {
	if !e.sharesRents() {
		return
	}
	t := e.overFirms((*Economy).comparePremiums)
	labour := max(t.real[sumPremiumLabour], 1)
	e.rates.premium, e.rates.premiumStep = t.real[sumPremium]/labour, t.real[sumPremiumStep]/labour
	e.overFirms((*Economy).payPremiums)
}

func (e *Economy) payPremiums(s span) {
	for i := s.lo; i < s.hi; i++ {
		step := e.premiumStep(i)
		e.f.premium[i] += step
		e.f.wage[i] *= math.Exp(step - e.rates.premiumStep)
	}
}

// quitRate is the share of firm i's staff that it expects to leave for another job this month.
func (e *Economy) quitRate(i int) float64 {
	if e.f.quits == nil {
		return 0
	}
	return e.f.quits[i]
}

// learnQuits takes the month's moves of staff to other jobs into what the firm expects.
func (e *Economy) learnQuits(i int) {
	if e.f.quits == nil {
		return
	}
	left := float64(e.f.left[i])
	if staff := left + float64(e.f.heads[i]); staff > 0 {
		e.f.quits[i] += (left/staff - e.f.quits[i]) / max(e.p.QuitMemoryMonths, 1)
	}
	e.f.left[i] = 0
}

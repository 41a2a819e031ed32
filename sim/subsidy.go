package sim

// onShortTime splits a full wage on short time: what the firm pays for the hours that
// are worked, and what the government pays for the others.
func onShortTime(wage int64, short, benefitRate float64) (paid, benefit int64) {
	lost := int64(short * float64(wage))
	return wage - lost, int64(benefitRate * float64(lost))
}

// refunded is the part of a wage bill that a subsidy gives back.
func refunded(subsidy, wageBill int64) float64 {
	return float64(subsidy) / float64(max(wageBill, 1))
}

// researchSubsidy refunds a share of the wages of researchers, subunits.
func researchSubsidy(rate, research, wage float64) int64 { return int64(rate * research * wage) }

// publicResearch is what public research adds to the research intensity of every
// firm: its share of GDP over the reference share of firms, weighted by the spillover.
func (e *Economy) publicResearch() float64 {
	spent := e.rates.researchers * float64(e.f.wageBill[e.government()])
	if spent == 0 || e.m.GDPTrend <= 0 {
		return 0
	}
	return e.p.PublicResearchSpillover * spent / (referenceResearch * e.m.GDPTrend)
}

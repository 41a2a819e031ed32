package sim

import "math"

// Ownership is a weight in all firms and banks. With ownership_risk it changes hands: each household has
// a month of the year in which its stake turns out well or badly, is lost, or is founded. Wealth then comes to
// have a Pareto tail whose exponent a solves turnover = a (a - 1) risk^2 / 2 (Reed 2001; Benhabib, Bisin and
// Zhu 2011).

const (
	ownershipTurnover = .045            // share of owners who lose all in a year: exponent 1.5 at a risk of .35; chosen
	foundersStake     = 4 * equityGrain // weight with which ownership begins
)

// firstShare is the weight of an owner at the start: Pareto, or alike for all where it will move.
func (e *Economy) firstShare(u float64) int32 {
	if e.p.OwnershipRisk > 0 {
		return foundersStake
	}
	return int32(equityGrain * min(pareto(u, equityTail), equityCap))
}

// foundingRate is the share of households without a stake that found one in a year, so that the part of
// them that own one stays.
func foundingRate(turnover float64) float64 { return min(1, turnover*shareholders/(1-shareholders)) }

// stakeAfter is a stake after a year of multiplicative luck of mean one, z standard normal.
func stakeAfter(stake int32, z, risk float64) int32 {
	return int32(clip(math.Round(float64(stake)*logNormal(z, risk)), 1, equityGrain*equityCap))
}

// moveOwnership lets a twelfth of the households meet their year's luck.
func (e *Economy) moveOwnership() {
	if e.p.OwnershipRisk == 0 {
		return
	}
	e.m.EquityUnit = max(1, e.overHouseholds((*Economy).turnStakes).count[sumEquity])
}

func (e *Economy) turnStakes(s span) {
	luck, founding := e.draws(forOwnership), foundingRate(ownershipTurnover)
	for h := s.lo; h < s.hi; h++ {
		if (int64(h)+e.m.Month)%12 == 0 && !e.isAbsent(h) {
			e.h.equity[h] = e.turnStake(h, luck, founding)
		}
		s.sum.count[sumEquity] += int64(e.h.equity[h])
	}
}

// turnStake is the stake of a household after its year.
func (e *Economy) turnStake(h int, luck draws, founding float64) int32 {
	stake, u := e.h.equity[h], luck.uniform(h, 0)
	switch debtor := e.p.EnableHouseholdTypes && e.h.traits[h]&3 == debtorType; {
	case stake > 0 && u < ownershipTurnover:
		return 0
	case stake > 0:
		return stakeAfter(stake, luck.normal(h, 1), e.p.OwnershipRisk)
	case u < founding && !debtor:
		return foundersStake
	}
	return 0
}

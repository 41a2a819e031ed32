package sim

// saver is how a type of households spends (MODEL.md section 7.7): months is its wanted
// wealth in units of (1 - propensity_to_consume_income) / propensity_to_consume_wealth months
// of income, times its haste, the multiple of propensity_to_consume_wealth at which it closes
// the gap; smoothing is the multiple of income_smoothing at which its smoothed income moves.
type saver struct{ months, haste, smoothing, share float64 }

// savingTypes are those of households that differ in wanted wealth alone (MODEL.md section 5).
var savingTypes = []saver{{.1, 1, 1, .30}, {.9, 1, 1, .55}, {3.2, 1, 1, .15}}

// householdTypes are those of enable_household_types: who wants debt, who lives from month to month, the
// middle, and the rich. Shares follow those without net worth (Survey of Consumer Finances 2019) and with
// little at hand (Kaplan, Violante and Weidner 2014); the poorer half closes its gaps fast, which makes its
// propensity out of gifts high (Jappelli and Pistaferri 2014). Calibrated.
var householdTypes = []saver{{-.4, 4, 1, .07}, {0, 4, 1, .25}, {1.05, 1.7, 1, .5}, {3.2, .75, .5, .18}}

// debtorType is the place in householdTypes of those who want debt, who own no firms.
const debtorType = 0

// savers are the types of the economy.
func (e *Economy) savers() []saver {
	if e.p.EnableHouseholdTypes {
		return householdTypes
	}
	return savingTypes
}

// saverOf is the type of a household.
func (e *Economy) saverOf(h int) saver { return e.savers()[e.h.traits[h]&3] }

// drawSaver turns a uniform draw into the type of a household. Where there are debtors, who own
// nothing, they are among those without ownership.
func (e *Economy) drawSaver(u float64, owner bool) int {
	types := e.savers()
	if !e.p.EnableHouseholdTypes {
		return pick(u, len(types), func(i int) float64 { return types[i].share })
	}
	debtors := debtorShare(types[debtorType].share, owner)
	return pick(u, len(types), func(i int) float64 {
		if i == debtorType {
			return debtors
		}
		return types[i].share * (1 - debtors) / (1 - types[debtorType].share)
	})
}

// debtorShare is the share of debtors among owners of firms, and among the others.
func debtorShare(share float64, owner bool) float64 {
	if owner {
		return 0
	}
	return share / (1 - shareholders)
}

// leastHaste is the least share of a gap in wealth that closes in a month for which the start has the wealth that is
// wanted: without it who never spends would begin with more than there is.
const leastHaste = .001

// firstWealth is the deposits of a type at the start, months of income.
func (e *Economy) firstWealth(k int) float64 {
	of := e.savers()[k]
	if !e.p.EnableHouseholdTypes {
		return startWealthMonths * of.months
	}
	wanted := (1 - e.p.PropensityToConsumeIncome) * of.months / max(of.haste*e.p.PropensityToConsumeWealth, leastHaste)
	return max(wanted-1, -e.p.OverdraftMonths) // at the end of a month, after spending its income
}

// mostNews bounds what of the month's growth of income households take for their own.
const mostNews = .1

// commonIncome is the factor on smoothed incomes for the growth of nominal GDP, that of the last
// three months over the three that ended a month before: households that differ take what
// happens to all to last, and smooth what happens to one alone.
func (e *Economy) commonIncome() float64 {
	if !e.p.EnableHouseholdTypes {
		return 1
	}
	h := e.m.GDPHistory[:]
	return 1 + clip(ratio(sumRing(h, e.m.Month, 1, 3), sumRing(h, e.m.Month, 2, 3))-1, -mostNews, mostNews)
}

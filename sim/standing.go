package sim

import (
	"cmp"
	"slices"
)

// NumSkillGroups is the number of groups of households by skill, thirds of all.
const NumSkillGroups = 3

// Standing is what households earn, spend and own by where they stood in the month before month 1: arms
// that began in one burnt-in economy have the same households in the same group throughout.
// The groups are tenths and thirds by rank; households with equal values rank by their
// number. Under demography an heir stays in the group of the dead, and a household that
// settles in a row that was vacant then is in no group. Burn-in has no groups.
type Standing struct {
	ByIncome [10]Group // by smoothed disposable income, of which consumption plans are made; poorest first
	ByWealth [10]Group // by net worth, poorest first; of them the incomes alone, to spare the store
	ByWork   [NumWorkStatuses]Group
	BySkill  [NumSkillGroups]Group // lowest first
}

// A household's standing is one cell of the table of all four groupings, so that a month
// adds each household up once; the last cell is of those who are in no group.
const (
	workCells     = int(NumWorkStatuses) * NumSkillGroups
	wealthCells   = 10 * workCells
	standingCells = 10 * wealthCells
)

// recordStanding keeps where every household stands, before month 1. It reads nothing but
// the state that a snapshot holds, and no parameter, which may differ between arms.
func (e *Economy) recordStanding() {
	if e.h.standing == nil {
		e.h.standing = make([]int16, e.households())
	}
	standing := e.h.standing
	clear(standing)
	value := e.bookValue() / float64(e.m.EquityUnit)
	ranked := make([]ranking, 0, len(standing))
	for h := range standing {
		if e.isAbsent(h) {
			standing[h] = int16(standingCells)
			continue
		}
		ranked = append(ranked, ranking{h: int32(h)})
		standing[h] = int16(int(e.workStatus(h)) * NumSkillGroups)
	}
	for _, by := range []struct {
		groups, cells int
		of            func(h int32) float64
	}{
		{10, wealthCells, func(h int32) float64 { return e.h.permanent[h] }},
		{10, workCells, func(h int32) float64 {
			return float64(e.h.deposits[h] + int64(value*float64(e.h.equity[h])))
		}},
		{NumSkillGroups, 1, func(h int32) float64 { return float64(e.h.skill[h]) }},
	} {
		for k := range ranked {
			ranked[k].x = by.of(ranked[k].h)
		}
		slices.SortFunc(ranked, compareRankings)
		for g := range by.groups {
			for _, r := range ranked[g*len(ranked)/by.groups : (g+1)*len(ranked)/by.groups] {
				standing[r.h] += int16(g * by.cells)
			}
		}
	}
}

// ranking is a household and what it is ranked by.
type ranking struct {
	x float64
	h int32
}

// compareRankings orders by value, then by number; no value is NaN.
func compareRankings(a, b ranking) int {
	return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.h, b.h))
}

// bookValue is what the owners of firms and banks hold together, subunits, with stocks of
// goods at the unit costs of the base month: those of the month depend on parameters.
func (e *Economy) bookValue() float64 {
	sum := float64(e.bankEquity())
	for j := range e.industries() + 1 {
		cost := e.m.Base.UnitCost[j]
		if j == e.industries() {
			cost = e.m.Base.UnitCost[MaxIndustries]
		}
		for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
			sum += float64(e.f.deposits[i]-e.f.loans[i]) + float64(e.f.capital[i]*e.m.CapitalPrice) + float64(e.f.inventory[i]*cost)
		}
	}
	return positive(sum)
}

// measureStanding fills the record from the workers' sums.
func (d *HouseholdSummary) measureStanding(sums *[standingCells + 1]groupSums) {
	var groups [len(standingGroups{})]groupSums
	for cell := range sums[:standingCells] {
		for _, g := range groupsOfCell(cell) {
			groups[g].add(sums[cell])
		}
	}
	for g, out := range d.Standing.groups() {
		*out = groups[g].group()
	}
	for g := range d.Standing.ByWealth {
		d.Standing.ByWealth[g].Consumption, d.Standing.ByWealth[g].Wealth = 0, 0
	}
}

// standingGroups are the groups of a [Standing] in their order.
type standingGroups [10 + 10 + int(NumWorkStatuses) + NumSkillGroups]*Group

func (s *Standing) groups() (out standingGroups) {
	list := out[:0]
	for _, groups := range [][]Group{s.ByIncome[:], s.ByWealth[:], s.ByWork[:], s.BySkill[:]} {
		for g := range groups {
			list = append(list, &groups[g])
		}
	}
	return out
}

// groupsOfCell are the places of a cell's groups in [Standing.groups].
func groupsOfCell(cell int) [4]int {
	return [4]int{
		cell / wealthCells,
		10 + cell%wealthCells/workCells,
		20 + cell%workCells/NumSkillGroups,
		20 + int(NumWorkStatuses) + cell%NumSkillGroups,
	}
}

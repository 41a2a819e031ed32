package sim

import "math"

// layout derives the sizes of an economy from its parameters.
type layout struct {
	householdRows, firmRows        int // vacant and dormant ones too
	consumptionFirms, capitalFirms int
	industryStart                  []int32 // first firm of each industry, then of the capital sector, then the end
	shopStart                      []int32 // first firm of each industry in each local market, then of the capital sector, then the end
	founders                       []int32 // firms in each range of shopStart at the start
	localMarkets                   int     // each has firms of its own in each industry
	linksPerIndustry               int
	shares                         []float64 // budget share of each industry
	slopes                         []float64 // its rise with log income
}

// layoutOf divides the firms over the industries: a tenth (capital_firm_share)
// make capital goods, the others follow the budget shares, with at least
// min_per_cat in each industry. An industry's firms are spread evenly over the
// local markets, of which there are so few that the least holds in each.
func layoutOf(p Params) layout {
	var l layout
	l.householdRows = rowsOf(&p)
	l.firmRows = p.NumHouseholds / p.HouseholdsPerFirm
	l.capitalFirms = max(2, int(math.Round(p.CapitalFirmShare*float64(l.firmRows))))
	l.consumptionFirms = l.firmRows - l.capitalFirms
	list := Industries(p.NumIndustries)
	spare := l.consumptionFirms - p.MinPerCat*p.NumIndustries
	cumulated, start := 0.0, 0
	for j, ind := range list {
		l.shares, l.slopes = append(l.shares, ind.Share), append(l.slopes, ind.Slope)
		l.industryStart = append(l.industryStart, int32(start))
		cumulated += ind.Share
		start = p.MinPerCat*(j+1) + int(math.Round(cumulated*float64(spare)))
	}
	l.industryStart = append(l.industryStart, int32(l.consumptionFirms), int32(l.firmRows))
	switch {
	case p.SuppliersPerIndustry > 0:
		l.linksPerIndustry = p.SuppliersPerIndustry
	case p.NumIndustries == 1:
		l.linksPerIndustry = 3
	case p.EnableCompetitiveMarket:
		l.linksPerIndustry = 2
	default:
		l.linksPerIndustry = 1
	}
	l.divideMarkets(p)
	l.placeFirms(p)
	return l
}

// LocalMarkets is the number of local markets of an economy with these parameters,
// which must be valid.
func LocalMarkets(p Params) int { return layoutOf(p).localMarkets }

// divideMarkets counts the firms of each industry in each local market, and the makers of
// capital goods.
func (l *layout) divideMarkets(p Params) {
	l.localMarkets = int(math.Round(float64(p.NumHouseholds) / float64(p.HouseholdsPerMarket)))
	for j := range l.shares {
		firms := int(l.industryStart[j+1] - l.industryStart[j])
		l.localMarkets = min(l.localMarkets, firms/max(p.MinPerCat, l.linksPerIndustry))
	}
	l.localMarkets = max(1, l.localMarkets)
	for j := range l.shares {
		firms := int(l.industryStart[j+1] - l.industryStart[j])
		for market := range l.localMarkets {
			l.founders = append(l.founders, int32(firms*(market+1)/l.localMarkets-firms*market/l.localMarkets))
		}
	}
	l.founders = append(l.founders, int32(l.capitalFirms))
}

// placeFirms gives each range its rows: those of its founders and, under open entry, after
// them a reserve for firms to come.
func (l *layout) placeFirms(p Params) {
	l.shopStart = []int32{0}
	for r, n := range l.founders {
		if p.EnableOpenEntry {
			n += int32(math.Ceil(p.EntryReserve * float64(n)))
		}
		l.shopStart = append(l.shopStart, l.shopStart[r]+n)
	}
	for j := range l.industryStart[:len(l.shares)+1] {
		l.industryStart[j] = l.shopStart[j*l.localMarkets]
	}
	last := len(l.shopStart) - 1
	l.industryStart[len(l.shares)+1] = l.shopStart[last]
	l.consumptionFirms, l.firmRows = int(l.shopStart[last-1]), int(l.shopStart[last])
	l.capitalFirms = l.firmRows - l.consumptionFirms
}

// rowsOf is the number of rows of households: with demography some are kept vacant for
// those who come.
func rowsOf(p *Params) int {
	if !p.EnableDemography {
		return p.NumHouseholds
	}
	return p.NumHouseholds + int(math.Round(p.PopulationReserve*float64(p.NumHouseholds)))
}

// blocksOf is the largest number of blocks of a loop.
func blocksOf(l *layout) int {
	return max((l.householdRows+householdBlock-1)/householdBlock, (l.firmRows+firmBlock-1)/firmBlock)
}

func (e *Economy) households() int { return len(e.h.deposits) }

func (e *Economy) firms() int { return e.consumptionFirms + e.capitalFirms }

func (e *Economy) industries() int { return len(e.shares) }

func (e *Economy) government() int32 { return int32(e.firms()) }

// programme is the public employment programme as an employer.
func (e *Economy) programme() int32 { return e.government() + 1 }

// marketOf returns the local market of a household. Neighbours share a market.
func (e *Economy) marketOf(h int) int { return h * e.localMarkets / e.households() }

// rangeOf returns the range of shopStart that holds an industry's firms in a local
// market.
func (e *Economy) rangeOf(industry, market int) int { return industry*e.localMarkets + market }

// capitalRange returns the range of shopStart that holds the makers of capital
// goods, whose market is the whole economy.
func (e *Economy) capitalRange() int { return e.industries() * e.localMarkets }

// isCapital says whether firm i makes capital goods.
func (e *Economy) isCapital(i int) bool { return i >= e.consumptionFirms }

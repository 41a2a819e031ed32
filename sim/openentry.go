package sim

import "math"

// Where entry is open (enable_open_entry), each range of shopStart has rows in
// reserve. A row without a firm is dormant: it has no money, goods, workers,
// orders or expected sales, so that most loops pass it by as a firm that does
// nothing, and its age is below zero, which keeps it out of offers and counts.

// dormantAge is so low that the monthly addition to the age column never reaches zero.
const dormantAge = math.MinInt32

// dormant says whether a row has no firm.
func (e *Economy) dormant(i int) bool { return e.f.age[i] < 0 }

// closedAppeal is the weight of a closed shop in a split budget: nothing beside
// an open one, but a number where all are closed.
const closedAppeal = 1e-300

// profitRate is profit before tax as a share of revenue, from -1 to 1.
func profitRate(revenue, wages, wear, interest float64) float64 {
	return clip((revenue-wages-wear-interest)/max(revenue, 1), -1, 1)
}

// entryIntensity is the number of firms founded a year, as a share of those that
// are there.
func entryIntensity(p *Params, profit float64) float64 {
	return p.EntryRate * positive(1+float64(p.EntryProfitSensitivity*(profit-p.EntryProfitReference)))
}

// leastFirms is the number of firms below which a range is not let fall.
func (e *Economy) leastFirms(r int) int32 {
	if r == e.capitalRange() {
		return 2
	}
	return int32(e.p.MinPerCat)
}

// makerMonths is the payroll, in months, with which a maker of capital goods is
// founded: it needs no capital, but time to find customers.
const makerMonths = 12

// begunCapital is the part of its first capital from which a new firm has begun; chosen.
const begunCapital = .5

// turnOver lets firms leave and new ones enter, in numbers that need not match.
func (e *Economy) turnOver() {
	profits := e.surveyProfits()
	e.closeFirms()
	e.foundFirms(profits)
}

// surveyProfits returns the month's profit rates of the industries and counts the
// firms of each range. Those that have not begun go on expecting what they were
// founded for, and rows without a firm expect nothing.
func (e *Economy) surveyProfits() (rates [MaxIndustries + 1]float64) {
	for j := range e.industries() + 1 {
		first, end := j*e.localMarkets, (j+1)*e.localMarkets
		if j == e.industries() {
			end = first + 1
		}
		var revenue, wages, wear, interest float64
		for r := first; r < end; r++ {
			e.living[r] = 0
			for i := int(e.shopStart[r]); i < int(e.shopStart[r+1]); i++ {
				if e.dormant(i) {
					e.f.sales[i] = 0
					continue
				}
				e.living[r]++
				revenue += float64(float64(e.f.revenue[i]) * (1 - e.f.levy[i]))
				revenue += float64(e.f.subsidy[i] + e.f.licence[i])
				wages += float64(e.f.wageBill[i])
				wear += float64(e.p.DepreciationRate * e.f.capital[i] * e.m.CapitalPrice)
				interest += float64(float64(e.f.loans[i]) * e.rates.loan / 12)
				if e.waits(i) {
					e.f.sales[i] = max(e.f.sales[i], e.f.productivity[i]*foundingLabour)
					e.f.prospect[i] = e.f.sales[i]
				}
			}
		}
		rates[j] = profitRate(revenue, wages, wear, interest)
	}
	return rates
}

// waits says whether a firm is new and has not begun: one without half of the
// capital goods that it needs, or a maker of capital goods without orders and
// with less than a month's work in stock.
func (e *Economy) waits(i int) bool {
	if !e.p.EnableOpenEntry || e.f.age[i] >= launchMonths || e.dormant(i) {
		return false
	}
	start := foundingLabour * e.f.productivity[i]
	if e.isCapital(i) {
		return e.f.backlog[i] == 0 && e.f.inventory[i] < start
	}
	return e.capacity(i) < begunCapital*start
}

// closeFirms ends firms that failed, and with the closure rate those without
// employees. Where too few would be left, one that failed is replaced instead,
// and one that is idle stays.
func (e *Economy) closeFirms() {
	draws := e.draws(forEntry)
	dismissed, makers := false, false
	for r := range e.living {
		for i := int(e.shopStart[r]); i < int(e.shopStart[r+1]); i++ {
			failed, there := e.f.deposits[i] < 0, !e.dormant(i) // bills of its last month may reach a firm that has ended
			idle := e.f.heads[i] == 0 && e.f.age[i] > 0 && !e.waits(i) && draws.uniform(i, 1) < e.p.ClosureRate
			switch {
			case failed && there && e.living[r] <= e.leastFirms(r):
				var t tally
				e.replaceFailed(span{lo: i, hi: i + 1, sum: &t})
				e.bookReplaced(&t)
			case failed, idle && e.living[r] > e.leastFirms(r):
				if failed {
					e.defaults++
				} else {
					e.closures++
				}
				dismissed = dismissed || e.f.heads[i] > 0
				makers = makers || e.isCapital(i)
				e.liquidate(i)
				if there {
					e.living[r]--
				}
			}
		}
	}
	if makers {
		e.followMakers()
	}
	if dismissed {
		e.separations += e.overHouseholds((*Economy).dismissStaff).count[sumSeparations]
	}
}

// estate is how the money of a firm that ends is divided: the bank first, the
// owners after it.
type estate struct {
	repaid     int64 // of the loan
	lost       int64 // of the loan
	overdraft  int64 // that the bank absorbs
	toOwners   int64
	salesPrice int64 // of its capital and stock
}

// windUp divides the proceeds of a forced sale, which brings the recovery rate
// times half the value of the assets, and what was in the account.
func windUp(deposits, loans int64, recovery, assets float64) (s estate) {
	s.salesPrice = int64(float64(recovery*forcedSale) * assets)
	money := deposits + s.salesPrice
	s.repaid = max(0, min(money, loans))
	s.lost = loans - s.repaid
	s.overdraft = max(0, -money)
	s.toOwners = max(0, money-s.repaid)
	return s
}

// liquidate ends firm i. A competitor buys its capital and stock, and in the
// capital sector takes over its orders, with a loan from the bank.
func (e *Economy) liquidate(i int) {
	f := &e.f
	b := e.buyerFor(i)
	assets := float64(f.capital[i]*e.m.CapitalPrice) + float64(f.inventory[i]*e.unitCost(i))
	s := windUp(f.deposits[i], f.loans[i], e.p.RecoveryRate, assets)
	f.capital[b] += f.capital[i]
	f.inventory[b] += f.inventory[i]
	f.loans[b] += s.salesPrice
	if e.isCapital(i) {
		f.backlog[b] += f.backlog[i]
		f.supplier[i] = int32(b) // until followMakers
	} else {
		f.backlog[f.supplier[i]] -= f.order[i]
	}
	e.m.Pool += s.toOwners
	e.flow.newLoans += s.salesPrice
	e.flow.repaid += s.repaid
	e.flow.writtenOff += s.lost + s.overdraft
	e.ledgers[0][e.bankOfFirm(i)].writtenOff += s.lost + s.overdraft
	e.flow.overdrafts += s.overdraft
	e.flow.dividendsPaid += s.toOwners

	f.deposits[i], f.loans[i], f.order[i], f.backlog[i] = 0, 0, 0, 0
	f.capital[i], f.inventory[i], f.sales[i], f.revenueTrend[i] = 0, 0, 0, 0
	f.earnings[i], f.prospect[i] = 0, 0
	f.heads[i], f.labour[i], f.open[i] = 0, 0, 0
	f.automated[i], f.novelty[i] = 0, 0
	f.age[i] = dormantAge
}

// buyerFor returns the firm that buys what is left of another: one of its
// industry that can pay its debts, drawn by revenue, or else the next.
func (e *Economy) buyerFor(i int) int {
	draws, j := e.draws(forLiquidation), e.industryOf(i)
	for n := range 8 {
		b := int(e.urn.draw(j, draws.bits(i, n)))
		if b >= 0 && b != i && !e.dormant(b) && e.f.deposits[b] >= 0 {
			return b
		}
	}
	first, end := int(e.industryStart[j]), int(e.industryStart[j+1])
	for b := i + 1; ; b++ {
		if b == end {
			b = first
		}
		if !e.dormant(b) && b != i {
			return b
		}
	}
}

// followMakers sends the customers of makers that ended to those that took over
// their orders. A maker that took over may have ended too.
func (e *Economy) followMakers() {
	for i := range e.consumptionFirms {
		for k := e.f.supplier[i]; e.dormant(int(k)); k = e.f.supplier[i] {
			e.f.supplier[i] = e.f.supplier[k]
		}
	}
	for k := e.consumptionFirms; k < e.firms(); k++ {
		e.f.supplier[k] = nobody
	}
}

// dismissStaff ends the jobs at firms that are no longer there.
func (e *Economy) dismissStaff(s span) {
	g := e.government()
	for h := s.lo; h < s.hi; h++ {
		if i := e.h.employer[h]; i != nobody && i < g && e.dormant(int(i)) {
			e.h.employer[h], e.h.idle[h] = nobody, 0
			s.sum.count[sumSeparations]++
		}
	}
}

// foundFirms lets the owners of all firms found new ones where profits are good,
// out of the dividends that they would receive, as far as these go. It begins at
// a range that is drawn, so that none has an advantage where they do not reach. Means
// become whole firms by systematic sampling (Madow and Madow 1944, Annals of Mathematical
// Statistics 15(1)): as many in all as their sum, up to one, so that chance makes no booms
// of entry in a small economy.
func (e *Economy) foundFirms(profits [MaxIndustries + 1]float64) {
	draws := e.draws(forOpenEntry)
	ranges := len(e.living)
	start := draws.below(0, 0, ranges)
	sum := draws.uniform(0, 1)
	for k := range ranges {
		r := (start + k) % ranges
		// Where fewer firms share a market, each new one expects more of it: else their number would drift.
		profit := profits[r/e.localMarkets]
		if profit > 0 {
			profit *= float64(e.founders[r]) / float64(max(e.living[r], 1))
		}
		before := math.Floor(sum)
		sum += float64(entryIntensity(&e.p, profit) * float64(e.founders[r]) / 12)
		room := e.shopStart[r+1] - e.shopStart[r] - e.living[r]
		for range min(int32(math.Floor(sum)-before), room) {
			if !e.foundIn(r, draws) {
				return
			}
		}
	}
}

// foundIn founds a firm in a dormant row of a range, unless the pool of dividends
// has too little for it.
func (e *Economy) foundIn(r int, draws draws) bool {
	first, end := int(e.shopStart[r]), int(e.shopStart[r+1])
	i := first + int(scale(draws.bits(e.founded, -1), uint64(end-first)))
	for !e.dormant(i) {
		if i++; i == end {
			i = first
		}
	}
	e.f.markUp[i] = 0 // so that it enters with the least that an entrant asks
	e.enter(i, draws.bits(i, -2))
	sales := e.f.productivity[i] * foundingLabour
	capital, months := sales, 1.0
	if e.isCapital(i) {
		capital, months = 0, makerMonths
	}
	paid := int64(foundingCapital(&e.p, capital, 0, e.m.CapitalPrice, float64(months*foundingLabour*e.m.MeanWage)))
	if paid > e.m.Pool {
		e.f.age[i] = dormantAge
		return false
	}
	e.m.Pool -= paid
	e.flow.founding += paid
	e.f.deposits[i] = paid
	e.f.sales[i], e.f.prospect[i] = sales, sales
	e.living[r]++
	e.founded++
	return true
}

package sim

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// switchGain is the saving from which a household changes its supplier.
const switchGain = .005

// launchMonths is how long a new firm advertises.
const launchMonths = 24

// secondRoundShare is the part of smoothed income from which an unspent budget
// is worth a second round.
const secondRoundShare = .01

// Orders that a firm did not fill count in its demand in part only, for many buyers found
// the good elsewhere; so do those of the second round, which came as a substitute. Chosen.
const (
	unfilledWeight    = .5 // taken off
	secondRoundWeight = .5
)

// appeal is the weight of a shop in a split budget; ratio is its price for the
// quality, relative to the industry's mean price.
func appeal(ratio, sensitivity float64) float64 { return math.Pow(ratio, -sensitivity) }

// filled is the share of orders that a stock can meet.
func filled(stock, orders float64) float64 {
	if orders <= stock {
		return 1
	}
	return stock / orders
}

// openShops prepares what shoppers read of each consumption firm. Each fact has
// its own dense column: with one supplier per industry a pass over the
// households reads one of them, which then stays in the cache.
func (e *Economy) openShops(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		price := e.f.price[i]
		e.f.postedPrice[i] = price
		e.f.ratio[i] = price / e.f.quality[i]
		e.f.welcoming[i] = 0
		if e.stocked(i) {
			e.f.welcoming[i] = 1
		}
		if e.linksPerIndustry > 1 {
			e.f.appeal[i] = appeal(e.f.ratio[i]/e.m.MeanPrice[e.industryOf(i)], e.p.PriceSensitivity)
			if e.f.pull != nil {
				e.f.appeal[i] *= e.f.pull[i]
			}
		}
		if e.dormant(i) {
			e.f.ratio[i], e.f.appeal[i] = math.Inf(1), closedAppeal
		}
	}
}

// prominence is the weight of a firm among those that a buyer hears of. With an
// elasticity of 1 it grows like "a random supplier of a random household", and
// firms grow in proportion to their size; below 1 the largest grow less (Evans
// 1987), and sizes have a lasting distribution.
func prominence(size, elasticity float64) int64 {
	return int64(1000 * math.Pow(positive(size), elasticity))
}

// prepareShopping fills the urn of candidates by customers and lists for each range the
// firms that are being launched, or all where there is none.
func (e *Economy) prepareShopping() {
	e.urn.fill(e, e.shopStart, func(e *Economy, i int) int64 {
		if e.dormant(i) {
			return 0
		}
		return prominence(float64(e.f.customers[i]), e.p.WordOfMouthElasticity)
	})
	e.launched = e.launched[:0]
	e.divideBudgets()
	last := e.capitalRange()
	for r := range last {
		e.launchedStart[r] = int32(len(e.launched))
		e.listYounger(r, launchMonths)
		if int(e.launchedStart[r]) == len(e.launched) {
			e.listYounger(r, math.MaxInt32)
		}
	}
	e.launchedStart[last] = int32(len(e.launched))
}

// listYounger adds a range's firms below an age, in months, to those that are being launched.
func (e *Economy) listYounger(r int, age int32) {
	for i := e.shopStart[r]; i < e.shopStart[r+1]; i++ {
		if e.f.age[i] < age && !e.dormant(int(i)) {
			e.launched = append(e.launched, i)
		}
	}
}

// advertised draws a firm that is listed for an industry in a local market at random,
// whatever its size.
func (e *Economy) advertised(r int, random uint64) int32 {
	launched := e.launched[e.launchedStart[r]:e.launchedStart[r+1]]
	return launched[scale(random, uint64(len(launched)))]
}

// searchSuppliers lets a household compare, in each industry with the search
// rate, one candidate of its local market with the dearest of its suppliers.
func (e *Economy) searchSuppliers(s span) {
	search, choice := e.draws(forSupplierSearch), e.draws(forSupplierChoice)
	threshold := uint64(e.p.SupplierSearchRate * (1 << 16))
	per, industries := e.linksPerIndustry, len(e.shares)
	for h := s.lo; h < s.hi; h++ {
		links, market := e.h.suppliers[h*industries*per:(h+1)*industries*per], e.marketOf(h)
		var lanes uint64 // four draws of 16 bits each
		for j := range industries {
			if j&3 == 0 {
				lanes = search.bits(h, j>>2)
			}
			searching := lanes&0xffff < threshold
			lanes >>= 16
			if searching {
				e.compareSupplier(e.rangeOf(j, market), links[j*per:(j+1)*per], choice.bits(h, j))
			}
		}
	}
}

// stocked says whether a shop has so much in stock that it can serve one more: some of what it expects to sell and of
// its target stock. Without that customers join the cheapest until it is empty.
func (e *Economy) stocked(i int) bool {
	stock := e.f.inventory[i]
	return stock > 0 && stock >= float64(e.p.SupplierStockRequirement*(e.f.sales[i]+e.targetStock(i)))
}

func (e *Economy) compareSupplier(r int, links []int32, random uint64) {
	candidate := e.urn.draw(r, random)
	if candidate < 0 || unitInterval(scramble(random)) < e.p.RandomSupplierShare {
		candidate = e.advertised(r, random)
	}
	dearest := 0
	for l, i := range links {
		if i == candidate {
			return
		}
		if l > 0 && e.f.ratio[i] > e.f.ratio[links[dearest]] {
			dearest = l
		}
	}
	cheaper := e.f.ratio[candidate] <= (1-switchGain)*e.f.ratio[links[dearest]]
	if (cheaper || e.shut(links[dearest])) && e.f.welcoming[candidate] == 1 {
		e.relink(&links[dearest], candidate)
	}
}

// relink moves a household from one supplier to another.
func (e *Economy) relink(link *int32, to int32) {
	atomic.AddInt32(&e.f.customers[*link], -1)
	atomic.AddInt32(&e.f.customers[to], 1)
	*link = to
}

// orderOf is the part of an industry's budget that goes to the l-th supplier,
// in whole subunits without VAT: in proportion to appeal.
func (e *Economy) orderOf(budget float64, links []int32, l int) int64 {
	if len(links) == 1 {
		return int64(budget)
	}
	total := 0.0
	for _, i := range links {
		total += e.f.appeal[i]
	}
	return int64(budget * (e.f.appeal[links[l]] / total))
}

// placeOrders sends the budgets of households to their suppliers and notes what
// each ordered in all. Each worker adds to a basket of its own: integers add up
// to the same in any order.
func (e *Economy) placeOrders(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	basket := e.baskets[s.worker]
	for h := s.lo; h < s.hi; h++ {
		budget, coef := float64(e.h.budget[h]), &e.coef[e.h.class[h]]
		links := e.h.suppliers[h*industries*per : (h+1)*industries*per]
		var ordered int64
		if e.h.lean != nil {
			e.leanTo(h, budget, coef, links)
			for j, i := range links {
				order := int64(e.budgetOf(h, budget, coef[j], i))
				basket[i] += order
				ordered += order
			}
		} else if per == 1 {
			for j, i := range links {
				order := int64(budget * coef[j])
				basket[i] += order
				ordered += order
			}
		} else {
			for j := range industries {
				group := links[j*per : (j+1)*per]
				for l, i := range group {
					order := e.orderOf(budget*coef[j], group, l)
					basket[i] += order
					ordered += order
				}
			}
		}
		e.h.spending[h] = ordered
	}
}

// emptied returns what all workers added up for a firm in their baskets and clears it.
func emptied(baskets [][]int64, i int) int64 {
	var sum int64
	for _, basket := range baskets {
		sum += basket[i]
		basket[i] = 0
	}
	return sum
}

// purchaseOf is the government's order at a firm: its budget in proportion to weight.
func purchaseOf(budget, weight, total float64) int64 { return int64(budget * (weight / total)) }

// noveltyMonths is how long procurement counts an innovation as new.
const noveltyMonths = 12

// procurement is the weight of a firm in public purchases, the value of its expected
// sales at a price; more for recent innovators where the government prefers them.
func (e *Economy) procurement(i int, price float64) float64 {
	if e.p.InherentMarketFocusNewProducts && e.f.novelty[i] > 0 {
		price *= 1 + e.p.ProcurementInnovationWeight
	}
	return float64(e.known(i) * price)
}

// shutStock is the stock, share of expected sales, up to which a shop counts as empty; chosen.
const shutStock = .1

// shut says whether a shop has nothing to sell, which customers note where they look at the stock.
func (e *Economy) shut(i int32) bool {
	return e.p.SupplierStockRequirement > 0 && e.f.inventory[i] <= float64(shutStock*e.f.sales[i])
}

// known are a firm's expected sales, by which government and rest of the world order; where customers look at the stock,
// these do not order from an empty shop either.
func (e *Economy) known(i int) float64 {
	if e.shut(int32(i)) {
		return 0
	}
	return e.f.sales[i]
}

// weighSupply adds up the value of expected sales, by which the government
// splits its purchases.
func (e *Economy) weighSupply(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		s.sum.real[sumOutput] += e.procurement(i, e.f.price[i])
	}
}

// meetOrders rations each firm's first round pro rata.
func (e *Economy) meetOrders(s span) {
	budget := 0.0
	if e.p.EnableInherentMarket {
		budget = e.p.InherentMarketConsumptionRate * positive(e.m.BudgetTrend) * e.m.SpendingScale * e.shockFactor(purchasesShock)
	}
	clear(e.f.rationed[s.lo/64 : (s.hi+63)/64]) // blocks of firms do not share words
	j := e.industryOf(s.lo)
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		for i >= int(e.industryStart[j+1]) {
			j++
		}
		price := e.f.postedPrice[i]
		abroad := exportOrder(e.exportRatio[j], e.known(i), price)
		private, public := emptied(e.baskets, i), purchaseOf(budget, e.procurement(i, price), e.supplyValue)
		e.f.orders[i] = private
		fill := filled(e.f.inventory[i]*price, float64(private+public+abroad))
		e.f.fill[i] = fill
		if fill < 1 { // in one bit, so that the test in the loop over households stays in the nearest cache
			e.f.rationed[i>>6] |= 1 << (i & 63)
		}
		bought, exported := int64(float64(public)*fill), int64(float64(abroad)*fill)
		s.sum.count[sumGovernmentPurchases] += bought
		s.sum.count[sumExported] += exported
		e.f.public[i], e.f.exported[i], e.f.revenue[i] = bought, exported, bought+exported
		e.f.demand[i] = float64(private+public+abroad) / price
	}
}

// leftover is the value of a firm's stock after the first round, subunits.
func (e *Economy) leftover(i int) int64 {
	if i >= e.consumptionFirms || e.f.fill[i] < 1 {
		return 0
	}
	return int64(positive(float64(e.f.inventory[i]*e.f.postedPrice[i]) - float64(e.f.orders[i]+e.f.public[i]+e.f.exported[i])))
}

// spend delivers the first round to households and sends what they could not
// spend to firms that have goods left.
func (e *Economy) spend(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	rationed := e.f.rationed
	basket, again := e.baskets[s.worker], e.secondBaskets[s.worker]
	vat := &e.vat
	t := s.sum
	for h := s.lo; h < s.hi; h++ {
		budget, coef := float64(e.h.budget[h]), &e.coef[e.h.class[h]]
		links := e.h.suppliers[h*industries*per : (h+1)*industries*per]
		var short int64
		var lacking uint16 // industries in which the household was rationed
		var beyond float64 // VAT beyond the standard rate on what it did not get
		for row, i := range links {
			if rationed[i>>6]>>(i&63)&1 != 0 {
				j := row / per
				less := e.ration(basket, i, e.orderOf(e.budgetOf(h, budget, coef[j], i), links[j*per:(j+1)*per], row%per))
				short += less
				beyond += float64(float64(less) * vat.beyond[j])
				lacking |= 1 << j
			}
		}
		imported := int64(budget * e.importCoef[e.h.class[h]])
		bought := e.h.spending[h] - short + imported
		tax := vat.on(bought, e.beyondBudget(h, budget)-beyond)
		e.h.spending[h] = bought + tax
		e.h.deposits[h] -= bought + tax
		t.count[sumConsumption] += bought
		t.count[sumImported] += imported
		t.count[sumVAT] += tax
		e.h.second[h] = 0
		if float64(float64(short)*(1+vat.standard))+beyond > secondRoundShare*e.h.permanent[h] {
			e.h.second[h] = e.orderAgain(again, h, budget, links, lacking)
		}
	}
}

// ration delivers a part of an order, which it adds to the worker's basket of
// goods sold, and returns what is left of it.
func (e *Economy) ration(basket []int64, i int32, order int64) (short int64) {
	got := int64(float64(order) * e.f.fill[i])
	basket[i] += got
	return order - got
}

// shortfall is what the first round left of the budget for one industry, and
// the link that rationed most.
func (e *Economy) shortfall(budget float64, links []int32) (short int64, worst int) {
	if len(links) == 1 {
		order := int64(budget)
		return order - int64(float64(order)*e.f.fill[links[0]]), 0
	}
	for l, i := range links {
		if fill := e.f.fill[i]; fill < 1 {
			order := e.orderOf(budget, links, l)
			short += order - int64(float64(order)*fill)
		}
		if e.f.fill[i] < e.f.fill[links[worst]] {
			worst = l
		}
	}
	return short, worst
}

// orderAgain places the second round's orders and returns the industries, one
// bit each, in which a firm has goods left.
func (e *Economy) orderAgain(basket []int64, h int, budget float64, links []int32, lacking uint16) (placed uint16) {
	per, coef := e.linksPerIndustry, &e.coef[e.h.class[h]]
	for ; lacking != 0; lacking &= lacking - 1 {
		j := bits.TrailingZeros16(lacking)
		short, _ := e.shortfall(e.budgetOf(h, budget, coef[j], links[j*per]), links[j*per:(j+1)*per])
		if short <= 0 {
			continue
		}
		if i := e.urn.draw(e.rangeOf(j, e.marketOf(h)), e.secondDraws.bits(h, j)); i >= 0 {
			basket[i] += short
			placed |= 1 << j
		}
	}
	return placed
}

// meetSecondOrders rations the second round and closes the first.
func (e *Economy) meetSecondOrders(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		orders := float64(emptied(e.secondBaskets, i))
		e.f.fill2[i] = filled(float64(e.leftover(i)), orders)
		unfilled := (1 - e.f.fill[i]) * e.f.demand[i]
		e.f.demand[i] += secondRoundWeight*orders/e.f.postedPrice[i] - float64(unfilledWeight*unfilled)
	}
}

// spendAgain delivers the second round. With the switching rate the firm that
// served replaces the supplier that rationed most.
func (e *Economy) spendAgain(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	vat := &e.vat
	basket := e.baskets[s.worker]
	switching := uint64(e.p.RationingSwitchRate * (1 << 16))
	t := s.sum
	for h := s.lo; h < s.hi; h++ {
		mask := e.h.second[h]
		if mask == 0 {
			continue
		}
		budget, coef := float64(e.h.budget[h]), &e.coef[e.h.class[h]]
		var bought int64
		var beyond float64 // VAT beyond the standard rate
		for ; mask != 0; mask &= mask - 1 {
			j := bits.TrailingZeros16(mask)
			row := (h*industries + j) * per
			links := e.h.suppliers[row : row+per]
			short, worst := e.shortfall(e.budgetOf(h, budget, coef[j], links[0]), links)
			random := e.secondDraws.bits(h, j)
			i := e.urn.draw(e.rangeOf(j, e.marketOf(h)), random) // as when it ordered
			got := int64(float64(short) * e.f.fill2[i])
			basket[i] += got
			bought += got
			beyond += float64(float64(got) * vat.beyond[j])
			// The draw of the firm hardly depends on the lowest bits.
			if random&0xffff < switching && !slices.Contains(links, i) {
				e.relink(&links[worst], i)
			}
		}
		tax := vat.on(bought, beyond)
		e.h.spending[h] += bought + tax
		e.h.deposits[h] -= bought + tax
		t.count[sumConsumption] += bought
		t.count[sumVAT] += tax
	}
}

// closeShops books the sales of consumption firms.
func (e *Economy) closeShops(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		sold := emptied(e.baskets, i)
		if e.f.fill[i] >= 1 {
			sold += e.f.orders[i]
		}
		e.f.revenue[i] += sold
		e.f.deposits[i] += e.f.revenue[i]
		e.f.inventory[i] = positive(e.f.inventory[i] - float64(e.f.revenue[i])/e.f.postedPrice[i])
		s.sum.count[sumRevenue] += e.f.revenue[i]
	}
}

// seekSuppliers opens the shops and lets households look for better ones.
func (e *Economy) seekSuppliers() {
	e.overFirms((*Economy).openShops)
	e.prepareShopping()
	e.overHouseholds((*Economy).searchSuppliers)
}

// firstRound takes the orders of households and government and delivers.
func (e *Economy) firstRound() {
	e.overHouseholds((*Economy).placeOrders)
	e.supplyValue = max(e.overFirms((*Economy).weighSupply).real[sumOutput], 1)
	public := e.overFirms((*Economy).meetOrders)
	e.urn.fill(e, e.shopStart, (*Economy).leftover)
	e.secondDraws = e.draws(forSecondRound)
	bought := e.overHouseholds((*Economy).spend)
	e.flow.purchases = public.count[sumGovernmentPurchases]
	e.flow.consumption = bought.count[sumConsumption]
	e.flow.vat = bought.count[sumVAT]
	e.settleTrade(bought.count[sumImported], public.count[sumExported])
}

// secondRound delivers what is left to households that were rationed.
func (e *Economy) secondRound() {
	e.overFirms((*Economy).meetSecondOrders)
	bought := e.overHouseholds((*Economy).spendAgain)
	sales := e.overFirms((*Economy).closeShops)
	e.flow.consumption += bought.count[sumConsumption]
	e.flow.vat += bought.count[sumVAT]
	e.flow.revenue = sales.count[sumRevenue]
}

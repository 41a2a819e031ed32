package sim

import (
	"math"
	"sync/atomic"
)

// switchGain is the saving from which a household changes its supplier.
const switchGain = .005

// secondRoundShare is the part of smoothed income from which an unspent budget
// is worth a second round.
const secondRoundShare = .01

// appeal is the weight of a shop in a split budget.
func appeal(ratio, sensitivity float64) float64 { return math.Pow(ratio, -sensitivity) }

// filled is the share of orders that a stock can meet.
func filled(stock, orders float64) float64 {
	if orders <= stock {
		return 1
	}
	return stock / orders
}

// openShops writes what shoppers read of each consumption firm.
func (e *Economy) openShops(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		ratio := e.f.price[i] / e.f.quality[i]
		stocked := 0.0
		if e.f.inventory[i] > 0 {
			stocked = 1
		}
		e.f.shops[i] = shop{price: e.f.price[i], ratio: ratio, appeal: appeal(ratio, e.p.PriceSensitivity), fill: stocked}
	}
}

// prepareShopping fills the urn of candidates by customers, which draws like "a
// random supplier of a random household", and so gives proportional growth.
func (e *Economy) prepareShopping() {
	e.urn.fill(e, e.industryStart, func(e *Economy, i int) int64 { return int64(e.f.customers[i]) })
	for j, share := range e.shares {
		e.coef[j] = share / (1 + e.p.VATRate)
	}
}

// searchSuppliers lets a household compare, in each industry with the search
// rate, one candidate with the dearest of its suppliers.
func (e *Economy) searchSuppliers(s span) {
	search, choice := e.luck(forSupplierSearch), e.luck(forSupplierChoice)
	threshold := uint64(e.p.SupplierSearchRate * (1 << 16))
	per, industries := e.linksPerIndustry, len(e.shares)
	for h := s.lo; h < s.hi; h++ {
		links := e.h.suppliers[h*industries*per : (h+1)*industries*per]
		var lanes uint64 // four draws of 16 bits each
		for j := range industries {
			if j&3 == 0 {
				lanes = search.bits(h, j>>2)
			}
			searching := lanes&0xffff < threshold
			lanes >>= 16
			if searching {
				e.compareSupplier(h, j, links[j*per:(j+1)*per], choice.bits(h, j))
			}
		}
	}
}

func (e *Economy) compareSupplier(h, j int, links []int32, random uint64) {
	first, end := e.industryStart[j], e.industryStart[j+1]
	candidate := int32(-1)
	if unitInterval(scramble(random)) < e.p.RandomSupplierShare {
		candidate = first + int32(scale(random, uint64(end-first)))
	} else {
		candidate = e.urn.draw(j, random)
	}
	if candidate < 0 {
		return
	}
	dearest := 0
	for l, i := range links {
		if i == candidate {
			return
		}
		if e.f.shops[i].ratio > e.f.shops[links[dearest]].ratio {
			dearest = l
		}
	}
	new := &e.f.shops[candidate]
	if new.fill > 0 && new.ratio <= (1-switchGain)*e.f.shops[links[dearest]].ratio {
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
		total += e.f.shops[i].appeal
	}
	return int64(budget * (e.f.shops[links[l]].appeal / total))
}

// placeOrders sends the budgets of households to their suppliers.
func (e *Economy) placeOrders(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	coef := e.coef
	shops := e.f.shops
	for h := s.lo; h < s.hi; h++ {
		budget := float64(e.h.budget[h])
		links := e.h.suppliers[h*industries*per : (h+1)*industries*per]
		if per == 1 {
			for j, i := range links {
				atomic.AddInt64(&shops[i].orders, int64(budget*coef[j]))
			}
			continue
		}
		for j := range industries {
			group := links[j*per : (j+1)*per]
			for l, i := range group {
				atomic.AddInt64(&shops[i].orders, e.orderOf(budget*coef[j], group, l))
			}
		}
	}
}

// purchaseOf is the government's order at a firm: its budget in proportion to
// the value of expected sales.
func purchaseOf(budget, sales, price, total float64) int64 {
	return int64(budget * (sales * price / total))
}

// weighSupply adds up the value of expected sales, by which the government
// splits its purchases.
func (e *Economy) weighSupply(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		s.sum.real[sumOutput] += e.f.sales[i] * e.f.price[i]
	}
}

// meetOrders rations each firm's first round pro rata.
func (e *Economy) meetOrders(s span) {
	budget := 0.0
	if e.p.EnableInherentMarket {
		budget = e.p.InherentMarketConsumptionRate * e.m.GDPTrend
	}
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		shop := &e.f.shops[i]
		public := purchaseOf(budget, e.f.sales[i], shop.price, e.supplyValue)
		stock := e.f.inventory[i] * shop.price
		shop.fill = filled(stock, float64(shop.orders+public))
		bought := int64(float64(public) * shop.fill)
		s.sum.count[sumGovernmentPurchases] += bought
		e.f.public[i], e.f.revenue[i] = bought, bought
		e.f.signal[i] = float64(shop.orders+public) / shop.price
	}
}

// leftover is the value of a firm's stock after the first round, subunits.
func (e *Economy) leftover(i int) int64 {
	if i >= e.consumptionFirms {
		return 0
	}
	shop := &e.f.shops[i]
	if shop.fill < 1 {
		return 0
	}
	return int64(positive(e.f.inventory[i]*shop.price - float64(shop.orders+e.f.revenue[i])))
}

// spend delivers the first round to households and sends what they could not
// spend to firms that have goods left.
func (e *Economy) spend(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	coef := e.coef
	shops := e.f.shops
	vat := e.p.VATRate
	t := s.sum
	for h := s.lo; h < s.hi; h++ {
		budget := float64(e.h.budget[h])
		links := e.h.suppliers[h*industries*per : (h+1)*industries*per]
		var bought, short int64
		for j := range industries {
			group := links[j*per : (j+1)*per]
			for l, i := range group {
				order := e.orderOf(budget*coef[j], group, l)
				shop := &shops[i]
				if shop.fill >= 1 {
					bought += order
					continue
				}
				got := int64(float64(order) * shop.fill)
				atomic.AddInt64(&shop.sold, got)
				bought += got
				short += order - got
			}
		}
		tax := int64(float64(bought) * vat)
		e.h.spending[h] = bought + tax
		e.h.deposits[h] -= bought + tax
		t.count[sumConsumption] += bought
		t.count[sumVAT] += tax
		e.h.second[h] = 0
		if float64(short)*(1+vat) > secondRoundShare*e.h.permanent[h] {
			e.orderAgain(h, budget, links)
		}
	}
}

// shortfall is what the first round left of the budget for one industry, and
// the link that rationed most.
func (e *Economy) shortfall(budget float64, links []int32) (short int64, worst int) {
	for l, i := range links {
		shop := &e.f.shops[i]
		if shop.fill < 1 {
			order := e.orderOf(budget, links, l)
			short += order - int64(float64(order)*shop.fill)
		}
		if shop.fill < e.f.shops[links[worst]].fill {
			worst = l
		}
	}
	return short, worst
}

// secondSupplier draws a firm of the industry in proportion to the value of
// what it has left.
func (e *Economy) secondSupplier(h, j int) int32 {
	return e.urn.draw(j, e.secondLuck.bits(h, j))
}

func (e *Economy) orderAgain(h int, budget float64, links []int32) {
	per := e.linksPerIndustry
	for j := range e.shares {
		short, _ := e.shortfall(budget*e.coef[j], links[j*per:(j+1)*per])
		if short <= 0 {
			continue
		}
		if i := e.secondSupplier(h, j); i >= 0 {
			atomic.AddInt64(&e.f.shops[i].orders2, short)
			e.h.second[h] |= 1 << j
		}
	}
}

// meetSecondOrders rations the second round and closes the first.
func (e *Economy) meetSecondOrders(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		shop := &e.f.shops[i]
		left := positive(e.f.inventory[i]*shop.price - float64(shop.orders+e.f.revenue[i]))
		if shop.fill < 1 {
			left = 0
		}
		shop.fill2 = filled(left, float64(shop.orders2))
		unfilled := (1 - shop.fill) * e.f.signal[i]
		e.f.signal[i] += float64(.5*float64(shop.orders2)/shop.price) - float64(.5*unfilled)
	}
}

// spendAgain delivers the second round. With the switching rate the firm that
// served replaces the supplier that rationed most.
func (e *Economy) spendAgain(s span) {
	per, industries := e.linksPerIndustry, len(e.shares)
	vat := e.p.VATRate
	t := s.sum
	for h := s.lo; h < s.hi; h++ {
		mask := e.h.second[h]
		if mask == 0 {
			continue
		}
		budget := float64(e.h.budget[h])
		var bought int64
		for j := 0; mask != 0; j, mask = j+1, mask>>1 {
			if mask&1 == 0 {
				continue
			}
			row := (h*industries + j) * per
			links := e.h.suppliers[row : row+per]
			short, worst := e.shortfall(budget*e.coef[j], links)
			i := e.secondSupplier(h, j)
			shop := &e.f.shops[i]
			got := short
			if shop.fill2 < 1 {
				got = int64(float64(short) * shop.fill2)
				atomic.AddInt64(&shop.sold, got)
			}
			bought += got
			if e.secondLuck.uniform(h, MaxIndustries+j) < e.p.RationingSwitchRate && links[worst] != i {
				e.relink(&links[worst], i)
			}
		}
		tax := int64(float64(bought) * vat)
		e.h.spending[h] += bought + tax
		e.h.deposits[h] -= bought + tax
		t.count[sumConsumption] += bought
		t.count[sumVAT] += tax
	}
}

// closeShops books the sales of consumption firms.
func (e *Economy) closeShops(s span) {
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		shop := &e.f.shops[i]
		sold := shop.sold
		if shop.fill >= 1 {
			sold += shop.orders
		}
		if shop.fill2 >= 1 {
			sold += shop.orders2
		}
		e.f.revenue[i] += sold
		e.f.deposits[i] += e.f.revenue[i]
		e.f.inventory[i] = positive(e.f.inventory[i] - float64(e.f.revenue[i])/shop.price)
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
	e.supplyValue = math.Max(e.overFirms((*Economy).weighSupply).real[sumOutput], 1)
	public := e.overFirms((*Economy).meetOrders)
	e.urn.fill(e, e.industryStart, (*Economy).leftover)
	e.secondLuck = e.luck(forSecondRound)
	bought := e.overHouseholds((*Economy).spend)
	e.flow.purchases = public.count[sumGovernmentPurchases]
	e.flow.consumption = bought.count[sumConsumption]
	e.flow.vat = bought.count[sumVAT]
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

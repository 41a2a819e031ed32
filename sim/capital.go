package sim

import (
	"math"
	"sync/atomic"
)

const (
	debtShare      = .8   // of capital goods that debt pays for, in the cost of funds; the rest is owners' money
	ownersReturn   = .025 // a year over the policy rate, that owners ask for
	usualPremium   = .025 // a year over the natural real rate, of the cost of funds to which the user cost is compared
	leastFunds     = -.02 // real cost of funds a year, below which it does not count
	leastUserCost  = .1   // of capital, relative to what is usual: where it hardly wears out
	fundsMemory    = 18   // months over which firms look at the cost of funds; chosen
	delayWeight    = .3   // rise of the cost of a maker whose backlog is a year of sales, share of the price; chosen
	leastSales     = 1e-9 // of a maker a year, units, so that one without sales has a cost
	investmentLine = .7   // part of the credit limit that may finance capital goods, the rest is for wages; chosen
)

// costOfFunds is the real cost of money for capital goods, a year.
func costOfFunds(loanRate, policyRate, expectedInflation float64) float64 {
	return float64(debtShare*loanRate) + float64((1-debtShare)*(policyRate+ownersReturn)) - expectedInflation
}

// userCost of capital relative to what is usual (Jorgenson 1963, American Economic Review 53(2)): the real cost of
// funds, with what the bank adds for leverage, and wear.
func userCost(p *Params, funds, premium float64) float64 {
	wear := float64(12 * p.DepreciationRate)
	usual := max(p.NaturalRealRate+usualPremium, 0) + wear
	return max((max(funds+float64(debtShare*premium), leastFunds)+wear)/usual, leastUserCost)
}

// wantedCapital is the capital at which expected sales use the target share of
// capacity, moved by confidence and by the user cost.
func wantedCapital(p *Params, sales, confidence, userCost float64) float64 {
	mood := 1 + float64(p.ConfidenceInvestmentEffect*confidence)
	return float64(sales / (p.CapitalProductivity * p.TargetUtilisation) * mood * math.Pow(userCost, -p.CapitalUserCostElasticity))
}

// investmentOrder replaces wear and closes, over the adjustment time, the gap
// between wanted capital and what is there or on order (the supply line of
// Sterman 1989); as a firm decides only now and then, one order stands for
// 1/probability months. Units of capital goods.
func investmentOrder(p *Params, capital, wanted, open float64) float64 {
	monthly := float64(p.DepreciationRate*capital) + (wanted-capital-open)/p.CapitalAdjustmentMonths
	return positive(monthly / p.InvestmentProbability)
}

// largestOrder, in units, keeps the sums of orders within 64 bits.
const largestOrder = 1e9

// supplierCost ranks capital firms by price for quality and by the time to delivery, for
// which the buyer's own order counts as a part of the backlog.
func supplierCost(price, backlog, sales float64) float64 {
	return price * (1 + delayWeight*backlog/max(12*sales, leastSales))
}

// prepareOffers fills the urn of makers of capital goods by expected sales.
func (e *Economy) prepareOffers() {
	e.urn.fill(e, e.industryStart[e.industries():], func(e *Economy, k int) int64 {
		if e.dormant(k) {
			return 0
		}
		return prominence(e.f.sales[k], e.p.WordOfMouthElasticity)
	})
}

// placeCapitalOrders lets consumption firms find suppliers of capital goods and
// order from them.
func (e *Economy) placeCapitalOrders() {
	e.prepareOffers()
	e.overFirms((*Economy).orderCapital)
}

func (e *Economy) orderCapital(s span) {
	p := &e.p
	draws, mood := e.draws(forInvestment), e.mood()
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		if draws.uniform(i, 0) >= p.InvestmentProbability {
			continue
		}
		cost := userCost(p, e.m.FundingCost, float64(p.LeveragePremium*e.leverage(i)))
		wanted := wantedCapital(p, e.f.prospect[i], mood, cost)
		order := investmentOrder(p, e.f.capital[i], wanted, units(e.f.order[i]))
		if e.waits(i) { // a new firm is equipped at once
			order = wanted - e.f.capital[i] - units(e.f.order[i])
		}
		if order <= 0 {
			continue
		}
		seller := e.chooseSeller(draws, i)
		means := positive(float64(e.f.deposits[i])-e.payroll(i)) + float64(p.CreditSupplyFactor*e.creditLine(i)) -
			float64(units(e.f.order[i])*e.f.price[seller])
		order = min(order, positive(means)/e.f.price[seller])
		q := int64(min(order, largestOrder) * goodUnit)
		e.f.order[i] += q
		atomic.AddInt64(&e.f.newOrders[seller], q)
	}
}

// payroll is what the staff of a firm costs in a month, subunits.
func (e *Economy) payroll(i int) float64 {
	return e.f.wage[i] * e.f.wagePremium[i] * float64(e.f.labour[i]) / skillUnit
}

// spare is the money of a firm that has paid its wages beyond those of the next month, subunits.
func (e *Economy) spare(i int) float64 {
	return positive(float64(e.f.deposits[i] - e.f.wageBill[i]))
}

// chooseSeller returns the supplier of a firm's capital goods. With the search
// rate the firm asks one more maker for an offer, and takes what it has on order
// there if that is cheaper.
func (e *Economy) chooseSeller(draws draws, i int) int32 {
	seller, open := e.f.supplier[i], e.f.order[i]
	if draws.uniform(i, 1) >= e.p.CapitalSupplierSearchRate {
		return seller
	}
	cost := func(k int32, backlog int64) float64 {
		return supplierCost(e.f.price[k]/e.f.quality[k], units(backlog), e.f.sales[k])
	}
	k := e.capitalOffer(draws.bits(i, 2))
	if k == seller || cost(k, e.f.backlog[k]+open) >= (1-switchGain)*cost(seller, e.f.backlog[seller]) {
		return seller
	}
	atomic.AddInt64(&e.f.moved[seller], -open)
	atomic.AddInt64(&e.f.moved[k], open)
	e.f.supplier[i] = k
	return k
}

// capitalOffer draws a capital firm by how widely it is known, or any.
func (e *Economy) capitalOffer(random uint64) int32 {
	k := e.urn.draw(0, random)
	if other := scramble(random); k < 0 || unitInterval(other) < e.p.RandomSupplierShare {
		for k = nobody; k == nobody || e.dormant(int(k)); {
			other = scramble(other)
			k = int32(e.consumptionFirms) + int32(scale(other, uint64(e.capitalFirms)))
		}
	}
	return k
}

// openDeliveries takes the month's orders into the backlogs.
func (e *Economy) openDeliveries(s span) {
	for i := max(s.lo, e.consumptionFirms); i < s.hi; i++ {
		e.f.backlog[i] += e.f.newOrders[i] + e.f.moved[i]
		e.f.demand[i] = units(e.f.newOrders[i])
		e.f.newOrders[i], e.f.moved[i], e.f.delivered[i], e.f.revenue[i] = 0, 0, 0, 0
	}
}

// investmentLoan is the part of a purchase that the bank finances: the usual
// share, more where the spare money does not reach, as far as the limit goes.
func investmentLoan(cost int64, spare, share, limit float64) int64 {
	wish := max(share*float64(cost), float64(cost)-spare)
	return int64(clip(wish, 0, min(positive(limit), float64(cost))))
}

// supplied is what a bank lends for a purchase: in a crunch a part of what is usual, but at least what the buyer is short
// of. Deliveries are such that this is no more than the bank lends.
func supplied(factor float64, usual, short int64) int64 {
	return max(int64(float64(factor*float64(usual))), short)
}

// equipmentLine is what the bank would still lend to a firm for capital goods, whose value counts, subunits.
func (e *Economy) equipmentLine(i int) float64 {
	limit := float64(investmentLine * e.creditLimit(i, float64(e.m.CapitalPrice*e.f.capital[i])))
	return creditLine(e.rates.creditFactor[e.bankOfFirm(i)], limit, float64(e.f.loans[i]))
}

// deliverCapital moves capital goods and money from seller to buyer.
func (e *Economy) deliverCapital(s span) {
	p := &e.p
	for i := s.lo; i < min(s.hi, e.consumptionFirms); i++ {
		worn := float64(p.DepreciationRate * e.f.capital[i])
		if e.f.order[i] == 0 {
			e.f.capital[i] -= worn
			continue
		}
		k := e.f.supplier[i]
		share := filled(e.f.inventory[k], units(e.f.backlog[k]))
		ready := int64(share * float64(e.f.order[i]))
		q, spare, limit := ready, e.spare(i), e.equipmentLine(i)
		if means := spare + float64(p.CreditSupplyFactor*limit); float64(units(q)*e.f.price[k]) > means { // no delivery on tick
			q = int64(means / e.f.price[k] * goodUnit)
			e.f.order[i] -= ready - q // what cannot be paid is cancelled
			atomic.AddInt64(&e.f.moved[k], q-ready)
		}
		cost := int64(units(q) * e.f.price[k])
		lent := supplied(p.CreditSupplyFactor, investmentLoan(cost, spare, p.InvestmentLoanShare, limit), cost-int64(spare))
		e.f.loans[i] += lent
		e.f.deposits[i] += lent - cost
		e.f.order[i] -= q
		e.f.capital[i] += units(q) - worn
		atomic.AddInt64(&e.f.delivered[k], q)
		atomic.AddInt64(&e.f.revenue[k], cost)
		s.sum.count[sumNewLoans] += lent
		s.sum.count[sumCapitalSpending] += cost
	}
}

// closeDeliveries books the sales and the cancelled orders of capital firms.
func (e *Economy) closeDeliveries(s span) {
	for i := max(s.lo, e.consumptionFirms); i < s.hi; i++ {
		e.f.backlog[i] += e.f.moved[i] - e.f.delivered[i]
		e.f.moved[i] = 0
		e.f.inventory[i] = positive(e.f.inventory[i] - units(e.f.delivered[i]))
		e.f.deposits[i] += e.f.revenue[i]
		s.sum.count[sumRevenue] += e.f.revenue[i]
	}
}

// capitalMarket delivers the capital goods that were ordered.
func (e *Economy) capitalMarket() {
	e.overFirms((*Economy).openDeliveries)
	paid := e.overFirms((*Economy).deliverCapital)
	sold := e.overFirms((*Economy).closeDeliveries)
	e.flow.capitalSpending = paid.count[sumCapitalSpending]
	e.flow.newLoans += paid.count[sumNewLoans]
	e.flow.revenue += sold.count[sumRevenue]
}

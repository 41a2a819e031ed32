package sim

import (
	"math"
	"slices"
	"testing"
)

func TestWantedCapital(t *testing.T) {
	p := Params{CapitalProductivity: .05, TargetUtilisation: .8, ConfidenceInvestmentEffect: .4, CapitalUserCostElasticity: .5}
	for _, test := range []struct {
		name                          string
		sales, confidence, cost, want float64
	}{
		{"at rest", 10, 0, 1, 250},           // 10 / (.05 x .8)
		{"good mood", 10, .1, 1, 260},        // x (1 + .4 x .1)
		{"dear capital", 10, 0, 1.5625, 200}, // / sqrt(1.5625) = 1.25
		{"cheap capital", 10, 0, .64, 312.5}, // / .8
		{"both", 10, .1, 1.5625, 208},        // 200 x 1.04
		{"no sales", 0, 0, 1, 0},
	} {
		near(t, test.name, wantedCapital(&p, test.sales, test.confidence, test.cost), test.want)
	}
}

func TestUserCost(t *testing.T) {
	near(t, "cost of funds", costOfFunds(.055, .03, .02), .035)         // .8 x .055 + .2 x .055 - .02
	near(t, "debt and owners' money", costOfFunds(.10, .03, .02), .071) // .08 + .011 - .02
	p := Params{NaturalRealRate: .01, DepreciationRate: .005}           // wear of .06 a year
	for _, test := range []struct {
		name                 string
		funds, premium, want float64
	}{
		{"usual", .035, 0, 1},
		{"dear", .1115, 0, 1.8052631578947369},     // (.1115 + .06) / .095
		{"leverage", .035, .02, 1.168421052631579}, // (.035 + .8 x .02 + .06) / .095
		{"negative", -.3, 0, .42105263157894735},   // (-.02 + .06) / .095
	} {
		near(t, test.name, userCost(&p, test.funds, test.premium), test.want)
	}
}

// Firms look back over eighteen months: a rate of interest that rises for good is in the cost of funds by 1 - (17/18)^18
// after as many.
func TestCostOfFundsIsSmoothed(t *testing.T) {
	p := thousand()
	p.PolicyRateRule, p.FixedPolicyRate, p.LoanSpread = "fixed", .06, .025
	e := mustNew(t, p, 1)
	e.m.ExpectedInflation, e.m.FundingCost = .02, .035
	for range 18 {
		e.setInterestRates()
	}
	want := .065 - .03*math.Pow(17./18, 18) // .06 + .025 - .02 = .065 in the end
	near(t, "cost of funds", e.m.FundingCost, want)
}

// What is delivered is paid from money beyond the next payroll and from credit, never on tick.
func TestNoDeliveryOnTick(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	mustStep(t, e, 24)
	i := slices.IndexFunc(e.f.order[:e.consumptionFirms], func(q int64) bool { return q > 0 })
	k := e.f.supplier[i]
	e.f.order[i], e.f.backlog[k], e.f.inventory[k] = 5*goodUnit, e.f.backlog[k]+5*goodUnit, 1e6
	e.f.wageBill[i] = 1000
	e.f.loans[i] = 1 << 40 // no credit
	e.f.deposits[i] = 1000 + int64(2.5*e.f.price[k])
	s := span{lo: i, hi: i + 1, sum: &tally{}}
	e.f.delivered[k], e.f.revenue[k] = 0, 0
	e.deliverCapital(s)
	if e.f.delivered[k] < 2.49*goodUnit || e.f.deposits[i] < 1000 || e.f.loans[i] != 1<<40 {
		t.Errorf("delivered %v units, %d subunits are left", units(e.f.delivered[k]), e.f.deposits[i])
	}
	e.deliverCapital(s)
	if e.f.delivered[k] > 2.5*goodUnit {
		t.Errorf("%v units delivered to a firm without means", units(e.f.delivered[k])-2.5)
	}
}

func TestInvestmentOrder(t *testing.T) {
	p := Params{DepreciationRate: .01, CapitalAdjustmentMonths: 20, InvestmentProbability: .25}
	for _, test := range []struct {
		name                        string
		capital, wanted, open, want float64
	}{
		{"wear", 100, 100, 0, 4},               // .01 x 100 / .25
		{"growth", 100, 140, 0, 12},            // (1 + 40/20) / .25
		{"some on order", 100, 140, 20, 8},     // (1 + 20/20) / .25
		{"enough on order", 100, 140, 60, 0},   // (1 - 20/20) / .25
		{"too much on order", 100, 140, 90, 0}, // (1 - 50/20) < 0
		{"wear closes the gap", 100, 80, 0, 0}, // (1 - 20/20) / .25
		{"far too much capital", 100, 20, 0, 0},
		{"a new firm", 0, 40, 0, 8}, // 40/20 / .25
	} {
		near(t, test.name, investmentOrder(&p, test.capital, test.wanted, test.open), test.want)
	}
}

func TestSupplierCost(t *testing.T) {
	near(t, "no backlog", supplierCost(100, 0, 5), 100)
	near(t, "a year's backlog", supplierCost(100, 60, 5), 130) // 1 + .3 x 60 / (12 x 5)
	near(t, "four months", supplierCost(100, 20, 5), 110)
	near(t, "no sales, no backlog", supplierCost(100, 0, 0), 100)
	if c := supplierCost(100, 1, 0); !(c > 1e6) || math.IsInf(c, 0) {
		t.Errorf("a backlog without sales costs %v", c)
	}
}

func TestInvestmentLoan(t *testing.T) {
	for _, test := range []struct {
		name                string
		cost                int64
		spare, share, limit float64
		want                int64
	}{
		{"the usual share", 1000, 5000, .5, 1e6, 500},
		{"short of cash", 1000, 200, .5, 1e6, 800}, // the money beyond the payroll
		{"without money", 1000, 0, .5, 1e6, 1000},
		{"up to the limit", 1000, 200, .5, 300, 300},
		{"above the limit", 1000, 200, .5, -1, 0},
		{"rounded down", 1001, 5000, .5, 1e6, 500},
		{"nothing delivered", 0, 5000, .5, 1e6, 0},
		{"own money only", 1000, 1000, 0, 1e6, 0},
		{"all on credit", 1000, 5000, 1, 1e6, 1000},
	} {
		if got := investmentLoan(test.cost, test.spare, test.share, test.limit); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestSupplied(t *testing.T) {
	for _, test := range []struct {
		factor             float64
		usual, short, want int64
	}{
		{1, 600, 400, 600},
		{.8, 600, 400, 480}, // .8 x 600
		{.5, 600, 400, 400}, // a half would be 300: 100 too little
		{.5, 0, 0, 0},
		{0, 600, -100, 0}, // who has money needs no loan
	} {
		if got := supplied(test.factor, test.usual, test.short); got != test.want {
			t.Errorf("%v of %d, short of %d: %d, want %d", test.factor, test.usual, test.short, got, test.want)
		}
	}
}

// In a crunch, too, what is delivered is paid: no firm fails because the bank lends less than it said.
func TestDeliveriesInACrunchArePaid(t *testing.T) {
	for _, factor := range []float64{0, .3, .8, 1} {
		p := thousand()
		p.CreditSupplyFactor, p.InvestmentLoanShare, p.InvestmentProbability = factor, .1, 1
		e := mustNew(t, p, 1)
		bought := 0
		e.onPhase = func(name string) {
			switch name {
			case "goods market, second round":
				for i := range e.consumptionFirms { // who lives on credit
					e.f.deposits[i], e.f.wageBill[i], e.f.order[i] = 0, 0, max(e.f.order[i], goodUnit/10)
				}
			case "capital delivery":
				for i := range e.consumptionFirms {
					if e.f.deposits[i] < 0 {
						t.Errorf("supply %v: firm %d is left with %d", factor, i, e.f.deposits[i])
					}
					if e.f.loans[i] > 0 {
						bought++
					}
				}
			}
		}
		e.Step() // its books do not balance: money was taken away
		if factor > 0 && bought == 0 {
			t.Errorf("supply %v: nobody bought on credit", factor)
		}
	}
}

// What is ready and cannot be paid is cancelled, at the buyer and at the maker; who can pay keeps the next payroll.
func TestUnpaidOrdersAreCancelled(t *testing.T) {
	p := thousand()
	p.CreditSupplyFactor = 0
	e := mustNew(t, p, 1)
	before := int64(0)
	e.onPhase = func(name string) {
		switch name {
		case "goods market, second round":
			for i := range e.consumptionFirms {
				before += e.f.order[i]
				if i%2 == 0 {
					e.f.deposits[i] = e.f.wageBill[i]
				}
			}
		case "capital delivery":
			after, delivered := int64(0), int64(0)
			open := map[int32]int64{}
			for i := range e.consumptionFirms {
				after += e.f.order[i]
				open[e.f.supplier[i]] += e.f.order[i]
				if i%2 == 0 && e.f.deposits[i] != e.f.wageBill[i] {
					t.Errorf("firm %d spent %d of its payroll", i, e.f.wageBill[i]-e.f.deposits[i])
				}
			}
			for k := e.consumptionFirms; k < e.firms(); k++ {
				delivered += e.f.delivered[k]
				if e.f.backlog[k] != open[int32(k)] {
					t.Errorf("maker %d has a backlog of %d for orders of %d", k, e.f.backlog[k], open[int32(k)])
				}
			}
			if before-after <= delivered {
				t.Errorf("orders fell by %d, and %d were delivered: nothing was cancelled", before-after, delivered)
			}
		}
	}
	e.Step()
}

// capitalMakers returns an economy whose makers of capital goods are equally
// well known, all can be drawn, and the k-th of which is the k-th cheapest.
func capitalMakers(t *testing.T) *Economy {
	p := thousand()
	p.RandomSupplierShare, p.CapitalSupplierSearchRate = 1, 1
	e := mustNew(t, p, 1)
	for k := range e.capitalFirms {
		i := e.consumptionFirms + k
		e.f.price[i], e.f.backlog[i], e.f.sales[i] = float64(1000+20*k), 0, 1
	}
	e.prepareOffers()
	return e
}

// Makers of capital goods are heard of by size, less than in proportion.
func TestOffersFollowSize(t *testing.T) {
	e := capitalMakers(t)
	e.p.RandomSupplierShare, e.p.WordOfMouthElasticity = 0, .5
	large := e.consumptionFirms + 1
	e.f.sales[large] = 16 // known like 4 of the others
	e.prepareOffers()
	l := newDraws(4, 4, forInvestment)
	const draws = 20_000
	count := 0.0
	for i := range draws {
		if int(e.capitalOffer(l.bits(i, 0))) == large {
			count++
		}
	}
	within(t, "share of the large firm", count/draws, 4/(4+float64(e.capitalFirms)-1), .01)
}

// An open order goes to a cheaper maker, whole, and to no dearer one.
func TestOpenOrderMoves(t *testing.T) {
	e := capitalMakers(t)
	first, n := e.consumptionFirms, e.capitalFirms
	l := newDraws(4, 4, forInvestment)
	const open = 5 * goodUnit
	moves := 0.0
	for i := range 2000 {
		old := int32(first + i%n)
		clear(e.f.moved)
		clear(e.f.backlog)
		e.f.supplier[0], e.f.order[0], e.f.backlog[old] = old, open, open
		seller := e.chooseSeller(l+draws(i*12345), 0)
		switch {
		case seller == old:
			if e.f.moved[old] != 0 {
				t.Fatal("an order moved and stayed")
			}
		case e.f.price[seller] >= e.f.price[old]:
			t.Fatalf("moved from a price of %v to %v", e.f.price[old], e.f.price[seller])
		case e.f.moved[old] != -open || e.f.moved[seller] != open || e.f.supplier[0] != seller:
			t.Fatalf("moved %d and %d of an order of %d; supplier %d", e.f.moved[old], e.f.moved[seller], int64(open), e.f.supplier[0])
		default:
			moves++
		}
	}
	// One offer finds one of the k cheaper of n firms with the chance k/n.
	within(t, "share of orders that moved", moves/2000, float64(n-1)/2/float64(n), .04)

	// A long backlog makes the cheapest the dearest.
	e.f.backlog[first] = 1000 * goodUnit
	for i := range 200 {
		e.f.supplier[0], e.f.order[0] = int32(e.firms()-1), open
		if int(e.chooseSeller(l+draws(i*12345), 0)) == first {
			t.Fatal("an order moved to a firm with a long backlog")
		}
	}

	// A far better product makes the dearest the cheapest.
	e.f.quality[e.firms()-1] = 1e6
	for i := range 200 {
		e.f.supplier[0], e.f.order[0] = int32(e.firms()-1), open
		if got := e.chooseSeller(l+draws(i*12345), 0); int(got) != e.firms()-1 {
			t.Fatalf("an order moved from the best product to firm %d", got)
		}
	}

	e.p.CapitalSupplierSearchRate = 0
	e.f.supplier[0], e.f.order[0] = int32(e.firms()-1), open
	if got := e.chooseSeller(l, 0); int(got) != e.firms()-1 {
		t.Errorf("at a search rate of 0 the order moved to firm %d", got)
	}
	before := e.f.backlog[first]
	e.f.moved[first] = 7
	e.openDeliveries(span{lo: 0, hi: e.firms(), sum: new(tally)})
	if got := e.f.backlog[first] - before; got != 7 || e.f.moved[first] != 0 {
		t.Errorf("backlog rose by %d, %d left to move; want 7 and 0", got, e.f.moved[first])
	}
}

func TestOrdersOfCapital(t *testing.T) {
	p := thousand()
	p.InvestmentProbability, p.NaturalRealRate, p.CapitalSupplierSearchRate = 1, .01, 0
	e := mustNew(t, p, 1)
	e.m.Confidence, e.rates.real, e.rates.creditFactor[0] = 0, .01, 1
	clear(e.f.newOrders)
	for k := e.consumptionFirms; k < e.firms(); k++ {
		e.f.price[k] = 100
	}
	target := func(i int) float64 { return e.f.sales[i] / (p.CapitalProductivity * p.TargetUtilisation) }
	for i := range 5 {
		e.f.sales[i], e.f.prospect[i], e.f.order[i], e.f.loans[i] = 50, 50, 0, 0
		e.f.capital[i], e.f.deposits[i] = target(i), 1e12
	}
	e.f.deposits[1], e.f.inventory[1], e.f.loans[1], e.f.labour[1] = 150, 0, 1e12, 0 // can pay for 1.5 units
	e.f.capital[2] = 10 * target(2)                                                  // has far too much
	e.f.order[3], e.f.supplier[3] = 1_000, int32(e.firms()-1)                        // stays with its supplier
	e.f.deposits[4], e.f.loans[4] = -10, 1e12                                        // can pay nothing
	e.prepareOffers()
	e.orderCapital(span{lo: 0, hi: 5, sum: new(tally)})
	within(t, "order that replaces wear", units(e.f.order[0]), p.DepreciationRate*target(0), 2/goodUnit)
	within(t, "order that money limits", units(e.f.order[1]), 1.5, 2/goodUnit)
	if e.f.order[2] != 0 || e.f.order[4] != 0 {
		t.Errorf("orders %d where capital is plenty, %d where money is none", e.f.order[2], e.f.order[4])
	}
	if e.f.supplier[3] != int32(e.firms()-1) || e.f.order[3] <= 1_000 {
		t.Errorf("an open order of 1000 moved to firm %d, and is %d", e.f.supplier[3], e.f.order[3])
	}
	received := int64(0)
	for k := e.consumptionFirms; k < e.firms(); k++ {
		received += e.f.newOrders[k]
	}
	if placed := e.f.order[0] + e.f.order[1] + e.f.order[3] - 1_000; received != placed {
		t.Errorf("orders of %d were placed, of %d received", placed, received)
	}

	e.p.InvestmentProbability = 1e-9
	before := slices.Clone(e.f.order)
	e.orderCapital(span{lo: 0, hi: e.consumptionFirms, sum: new(tally)})
	if !slices.Equal(before, e.f.order) {
		t.Error("firms ordered with a probability of 1e-9")
	}
}

func TestCapitalDelivery(t *testing.T) {
	p := thousand()
	p.InvestmentProbability = 1
	e := mustNew(t, p, 2)
	mustStep(t, e, 3)
	runBetween(t, e, "", "goods market, second round")
	for k := e.consumptionFirms; k < e.firms(); k++ {
		if k%2 == 0 {
			e.f.inventory[k] *= .3 // scarce
		}
	}
	for i := range e.consumptionFirms {
		e.f.deposits[i] += 1e12 // who can pay cancels nothing
	}
	stock, tills, loans := slices.Clone(e.f.inventory), slices.Clone(e.f.deposits), slices.Clone(e.f.loans)
	capital, orders := slices.Clone(e.f.capital), slices.Clone(e.f.order)
	newLoans := e.flow.newLoans
	consumption := e.flow.revenue
	runBetween(t, e, "goods market, second round", "capital delivery")

	open, delivered := make([]int64, e.firms()), make([]int64, e.firms())
	paid, lent := int64(0), int64(0)
	for i := range e.consumptionFirms {
		q := orders[i] - e.f.order[i]
		if q < 0 {
			t.Errorf("firm %d has more on order after the delivery", i)
		}
		if e.f.order[i] > 0 || q > 0 {
			open[e.f.supplier[i]] += e.f.order[i]
			delivered[e.f.supplier[i]] += q
		}
		within(t, "capital", e.f.capital[i], (1-p.DepreciationRate)*capital[i]+units(q), 1e-9*(1+capital[i]))
		loan := e.f.loans[i] - loans[i]
		cost := loan + tills[i] - e.f.deposits[i] // what it paid, from its own books
		if want := int64(units(q) * e.f.price[max(e.f.supplier[i], 0)]); q > 0 && cost != want || q == 0 && cost != 0 {
			t.Errorf("firm %d paid %d for %v units worth %d", i, cost, units(q), want)
		}
		if loan < 0 || loan > cost {
			t.Errorf("firm %d borrowed %d for a cost of %d", i, loan, cost)
		}
		paid += cost
		lent += loan
	}
	earned, scarce := int64(0), 0
	for k := e.consumptionFirms; k < e.firms(); k++ {
		if open[k] != e.f.backlog[k] || delivered[k] != e.f.delivered[k] {
			t.Errorf("firm %d counts a backlog of %d and deliveries of %d; its customers %d and %d", k, e.f.backlog[k], e.f.delivered[k],
				open[k], delivered[k])
		}
		if got := units(e.f.delivered[k]); got > stock[k]*(1+1e-12) {
			t.Errorf("firm %d delivered %v of %v", k, got, stock[k])
		} else {
			within(t, "stock left", e.f.inventory[k], stock[k]-got, 1e-9)
		}
		if e.f.backlog[k] > 0 && e.f.delivered[k] > 0 {
			scarce++
		}
		if e.f.deposits[k]-tills[k] != e.f.revenue[k] {
			t.Errorf("firm %d earned %d, its deposits grew by %d", k, e.f.revenue[k], e.f.deposits[k]-tills[k])
		}
		earned += e.f.revenue[k]
	}
	if scarce == 0 {
		t.Error("nobody rationed: the test has no scarcity")
	}
	if paid != earned || paid != e.flow.capitalSpending || e.flow.revenue-consumption != earned || e.flow.newLoans-newLoans != lent {
		t.Errorf("buyers paid %d, sellers earned %d; flows %d and %d, loans %d and %d",
			paid, earned, e.flow.capitalSpending, e.flow.revenue-consumption, lent, e.flow.newLoans-newLoans)
	}
}

package sim

import (
	"slices"
	"testing"
)

func TestAppeal(t *testing.T) {
	near(t, "ratio 2, sensitivity 3", appeal(2, 3), .125)
	near(t, "ratio 4, sensitivity .5", appeal(4, .5), .5)
	near(t, "ratio 1", appeal(1, 7), 1)
	near(t, "no sensitivity", appeal(9, 0), 1)
}

func TestFilled(t *testing.T) {
	for _, test := range []struct{ stock, orders, want float64 }{
		{10, 5, 1}, {10, 10, 1}, {5, 10, .5}, {0, 10, 0}, {0, 0, 1}, {10, 0, 1},
	} {
		near(t, "share of orders", filled(test.stock, test.orders), test.want)
	}
}

func TestPurchaseOf(t *testing.T) {
	for _, test := range []struct {
		budget, sales, price, total float64
		want                        int64
	}{
		{1000, 3, 50, 600, 250},  // a quarter of the supply
		{1000, 1, 100, 300, 333}, // rounded down
		{1000, 6, 100, 600, 1000},
		{1000, 0, 50, 600, 0},
		{0, 3, 50, 600, 0},
	} {
		if got := purchaseOf(test.budget, test.sales*test.price, test.total); got != test.want {
			t.Errorf("purchaseOf(%v, %v, %v, %v) = %d, want %d", test.budget, test.sales, test.price, test.total, got, test.want)
		}
	}
}

// openMarket is an economy whose shops have just opened.
func openMarket(t *testing.T, p Params) *Economy {
	t.Helper()
	e := mustNew(t, p, 2)
	mustStep(t, e, 2)
	runBetween(t, e, "", "production")
	return e
}

func TestOrdersFollowAppeal(t *testing.T) {
	p := thousand()
	p.SuppliersPerIndustry, p.PriceSensitivity, p.NumIndustries = 2, 2, 4
	e := openMarket(t, p)
	e.f.price[0], e.f.quality[0] = 1000, 1
	e.f.price[1], e.f.quality[1] = 2000, 1
	e.f.price[2], e.f.quality[2] = 2000, 2 // as good a bargain as firm 0
	for j := range e.industries() {
		e.m.MeanPrice[j] = 1000
	}
	e.overFirms((*Economy).openShops)
	// Weights (1000/1000)^-2 and (2000/1000)^-2 are as 4 to 1.
	for _, test := range []struct {
		budget float64
		links  []int32
		want   []int64
	}{
		{1000, []int32{0, 1}, []int64{800, 200}},
		{1000, []int32{1, 2}, []int64{200, 800}},
		{1001, []int32{0, 2}, []int64{500, 500}}, // 500.5 each
		{1000.9, []int32{1}, []int64{1000}},
		{1000, []int32{1, 1}, []int64{500, 500}},
		{0, []int32{0, 1}, []int64{0, 0}},
	} {
		for l, want := range test.want {
			if got := e.orderOf(test.budget, test.links, l); got != want {
				t.Errorf("of %v, supplier %d of %v gets %d, want %d", test.budget, l, test.links, got, want)
			}
		}
	}
}

func TestSupplierSearchReplacesTheDearest(t *testing.T) {
	p := thousand()
	p.SuppliersPerIndustry, p.NumIndustries, p.RandomSupplierShare = 3, 1, 1
	e := openMarket(t, p)
	for i := range e.consumptionFirms {
		e.f.price[i], e.f.quality[i], e.f.inventory[i] = 1000, 1, 10
	}
	reset := func(ratio float64, stock float64) []int32 {
		e.f.price[1], e.f.price[2], e.f.price[3], e.f.price[7] = 1000, 1100, 900, 1100*ratio
		e.f.inventory[7] = stock
		e.overFirms((*Economy).openShops)
		return []int32{1, 2, 3}
	}
	// The random number whose upper bits point to firm 7.
	random := uint64(0)
	for scale(random, uint64(e.consumptionFirms)) != 7 {
		random += 1 << 54
	}
	for _, test := range []struct {
		name         string
		ratio, stock float64
		want         []int32
	}{
		{"cheaper", .9, 10, []int32{1, 7, 3}},
		{"just cheap enough", 1 - switchGain - 1e-9, 10, []int32{1, 7, 3}},
		{"hardly cheaper", 1 - switchGain + 1e-6, 10, []int32{1, 2, 3}},
		{"dearer", 1.1, 10, []int32{1, 2, 3}},
		{"sold out", .5, 0, []int32{1, 2, 3}},
	} {
		links := reset(test.ratio, test.stock)
		before := slices.Clone(e.f.customers)
		e.compareSupplier(0, links, random)
		if !slices.Equal(links, test.want) {
			t.Errorf("%s: links %v, want %v", test.name, links, test.want)
		}
		moved := int32(0)
		if test.want[1] == 7 {
			moved = 1
		}
		if e.f.customers[7]-before[7] != moved || before[2]-e.f.customers[2] != moved {
			t.Errorf("%s: customers of 7 and 2 changed by %d and %d", test.name, e.f.customers[7]-before[7], e.f.customers[2]-before[2])
		}
	}
	reset(.5, 10)
	links := []int32{1, 2, 7}
	e.compareSupplier(0, links, random)
	if !slices.Equal(links, []int32{1, 2, 7}) {
		t.Errorf("a supplier was added twice: %v", links)
	}
}

func TestProminence(t *testing.T) {
	for _, test := range []struct {
		size, elasticity float64
		want             int64
	}{
		{9, 1, 9000}, {9, .5, 3000}, {9, 0, 1000}, {0, .5, 0}, {-1, .5, 0}, {.25, .5, 500},
	} {
		if got := prominence(test.size, test.elasticity); got != test.want {
			t.Errorf("size %v, elasticity %v: %d, want %d", test.size, test.elasticity, got, test.want)
		}
	}
}

// Without random candidates a firm is found by its customers, to the power of
// the elasticity.
func TestCandidatesFollowCustomers(t *testing.T) {
	p := thousand()
	p.NumIndustries, p.RandomSupplierShare, p.SuppliersPerIndustry, p.WordOfMouthElasticity = 1, 0, 1, .5
	e := openMarket(t, p)
	for i := range e.consumptionFirms {
		e.f.price[i], e.f.quality[i], e.f.inventory[i], e.f.customers[i] = 1000, 1, 10, 0
	}
	e.f.price[0] = 2000 // everybody's supplier
	e.f.customers[4], e.f.customers[5], e.f.customers[6] = 100, 900, 3600
	e.overFirms((*Economy).openShops)
	e.prepareShopping()
	l := newDraws(1, 1, forSupplierChoice)
	const n = 5000
	counts := make([]float64, 3)
	for k := range n {
		links := []int32{0}
		e.compareSupplier(0, links, l.bits(k, 0))
		counts[links[0]-4]++ // panics at a firm without customers
	}
	// R: qchisq(.9999, 2) = 18.42
	if x := chiSquare(counts, []float64{1, 3, 6}, n); x > 18.42 {
		t.Errorf("chi-square %v: candidates %v for roots of customers as 1 to 3 to 6", x, counts)
	}
}

// The market as a whole, where goods are scarce: nothing is delivered that is
// not there, and what sellers earn is what buyers pay.
func TestRationing(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Params)
	}{
		{"twelve industries, one supplier", func(p *Params) { p.EnableCompetitiveMarket, p.SuppliersPerIndustry = false, 1 }},
		{"twelve industries, two suppliers", func(p *Params) { p.EnableCompetitiveMarket, p.SuppliersPerIndustry = true, 2 }},
		{"one industry, three suppliers", func(p *Params) { p.NumIndustries, p.SuppliersPerIndustry = 1, 3 }},
		{"no VAT, no government", func(p *Params) { p.VATRate, p.EnableInherentMarket = 0, false }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := thousand()
			test.change(&p)
			e := openMarket(t, p)
			for i := range e.consumptionFirms {
				switch i % 4 {
				case 0:
					e.f.inventory[i] *= .2 // scarce
				case 1:
					e.f.inventory[i] = 0 // sold out
				case 2:
					e.f.inventory[i] *= 2
				}
			}
			stock := slices.Clone(e.f.inventory)
			money, tills := slices.Clone(e.h.deposits), slices.Clone(e.f.deposits)
			runBetween(t, e, "production", "goods market, first round")
			first := slices.Clone(e.h.spending)
			links := slices.Clone(e.h.suppliers)
			runBetween(t, e, "goods market, first round", "goods market, second round")

			revenue, purchases := int64(0), int64(0)
			for i := range e.consumptionFirms {
				r := float64(e.f.revenue[i])
				if offered := stock[i] * e.f.price[i]; r > offered*(1+1e-12) || r < 0 {
					t.Errorf("firm %d sold %v of goods worth %v", i, r, offered)
				}
				within(t, "stock left", e.f.inventory[i], stock[i]-r/e.f.price[i], 1e-9)
				if e.f.inventory[i] < 0 {
					t.Errorf("firm %d has a stock of %v", i, e.f.inventory[i])
				}
				if e.f.deposits[i]-tills[i] != e.f.revenue[i] {
					t.Errorf("firm %d earned %d, its deposits grew by %d", i, e.f.revenue[i], e.f.deposits[i]-tills[i])
				}
				revenue += e.f.revenue[i]
				purchases += e.f.public[i]
			}
			spent, again := int64(0), 0
			for h := range e.h.deposits {
				if s := e.h.spending[h]; s > e.h.budget[h] || s < first[h] {
					t.Errorf("household %d spent %d, in the first round %d, of a budget of %d", h, s, first[h], e.h.budget[h])
				}
				if money[h]-e.h.deposits[h] != e.h.spending[h] {
					t.Errorf("household %d spent %d, its deposits fell by %d", h, e.h.spending[h], money[h]-e.h.deposits[h])
				}
				if e.h.spending[h] > first[h] {
					again++
				}
				spent += e.h.spending[h]
			}
			if revenue != e.flow.revenue || purchases != e.flow.purchases {
				t.Errorf("flows %d and %d, firms' books %d and %d", e.flow.revenue, e.flow.purchases, revenue, purchases)
			}
			if e.flow.consumption+e.flow.purchases != revenue {
				t.Errorf("buyers paid %d, sellers received %d", e.flow.consumption+e.flow.purchases, revenue)
			}
			if spent != e.flow.consumption+e.flow.vat {
				t.Errorf("households spent %d, consumption and VAT are %d", spent, e.flow.consumption+e.flow.vat)
			}
			// VAT is rounded down once a household and round.
			within(t, "VAT", float64(e.flow.vat), p.VATRate*float64(e.flow.consumption), 2*float64(e.households()))
			if p.EnableInherentMarket == (purchases == 0) {
				t.Errorf("the government bought %d", purchases)
			}
			if again == 0 {
				t.Error("nobody used the second round: the test has no scarcity")
			}
			if slices.Equal(links, e.h.suppliers) {
				t.Error("nobody left a supplier that rationed")
			}
			checkLinks(t, e)
		})
	}
}

// checkLinks holds the firms' count of customers against the households' links.
func checkLinks(t *testing.T, e *Economy) {
	t.Helper()
	customers := make([]int32, e.firms())
	for row, i := range e.h.suppliers {
		if j := row / e.linksPerIndustry % e.industries(); e.industryOf(int(i)) != j {
			t.Fatalf("link %d, of industry %d, points to firm %d", row, j, i)
		}
		customers[i]++
	}
	if !slices.Equal(customers, e.f.customers) {
		t.Error("customers differ from the links of households")
	}
}

// With goods for all there is no second round, each order is met in full, and
// demand is orders.
func TestPlenty(t *testing.T) {
	e := openMarket(t, thousand())
	for i := range e.consumptionFirms {
		e.f.inventory[i] = 1e9
	}
	runBetween(t, e, "production", "goods market, second round")
	coefficients := 0.0
	for _, share := range e.shares {
		coefficients += share
	}
	near(t, "budget shares", coefficients, 1)
	for h, budget := range e.h.budget {
		// Each industry's order and the tax are rounded down.
		loss := budget - e.h.spending[h]
		if most := int64(e.industries()*e.linksPerIndustry)*2 + 1; loss < 0 || loss > most {
			t.Errorf("household %d left %d of its budget", h, loss)
		}
		if e.h.second[h] != 0 {
			t.Errorf("household %d went shopping again", h)
		}
	}
	for i := range e.consumptionFirms {
		within(t, "demand", e.f.demand[i], float64(e.f.revenue[i])/e.f.price[i], 1e-6*e.f.demand[i]+1e-6)
	}
}

// The rule that decides on a second round: a firm that rations keeps its
// customers where the switching rate is zero.
func TestNoSwitchingAtARateOfZero(t *testing.T) {
	p := thousand()
	p.RationingSwitchRate, p.SupplierSearchRate = 0, 0
	e := openMarket(t, p)
	for i := range e.consumptionFirms {
		if i%2 == 0 {
			e.f.inventory[i] = 0
		}
	}
	links := slices.Clone(e.h.suppliers)
	runBetween(t, e, "production", "goods market, second round")
	if !slices.Equal(links, e.h.suppliers) {
		t.Error("suppliers changed at search and switching rates of zero")
	}
}

// Demand of a firm: orders less half of what was not met, plus half of what came
// in the second round.
func TestDemandSignal(t *testing.T) {
	p := thousand()
	p.NumIndustries, p.SuppliersPerIndustry, p.EnableInherentMarket, p.SupplierSearchRate, p.VATRate = 1, 1, false, 0, 0
	e := openMarket(t, p)
	for h := range e.h.budget {
		e.h.budget[h], e.h.permanent[h], e.h.suppliers[h] = 1000, 1000, 0
	}
	for i := range e.consumptionFirms {
		e.f.price[i], e.f.inventory[i] = 100, 0
	}
	n := float64(e.households())
	e.f.inventory[0] = .6 * 10 * n // for six tenths of the orders
	e.f.inventory[1] = 1e9         // has the rest
	runBetween(t, e, "production", "goods market, second round")
	near(t, "demand of the firm that rations", e.f.demand[0], 8*n) // 10n - half of 4n
	near(t, "demand of the other", e.f.demand[1], 2*n)             // half of 4n
	near(t, "revenue of the firm that rations", float64(e.f.revenue[0]), 600*n)
	near(t, "revenue of the other", float64(e.f.revenue[1]), 400*n)
	near(t, "spent", float64(e.h.spending[0]), 1000)
}

// Firms that are being launched share the advertising of their industry in their
// market; where there is none, any firm of it may be drawn.
func TestAdvertisedDrawsLaunches(t *testing.T) {
	p := small()
	p.HouseholdsPerMarket = 1000
	e := openMarket(t, p)
	if e.localMarkets != 2 {
		t.Fatalf("%d local markets", e.localMarkets)
	}
	here, there := e.rangeOf(3, 0), e.rangeOf(3, 1)
	first := e.shopStart[here]
	e.f.age[first+1], e.f.age[first+2] = 0, launchMonths-1
	e.prepareShopping()
	draws, seen, others := e.draws(forSupplierChoice), map[int32]bool{}, map[int32]bool{}
	for n := range 1000 {
		seen[e.advertised(here, draws.bits(n, 0))] = true
		others[e.advertised(there, draws.bits(n, 0))] = true
	}
	for i := e.shopStart[there]; i < e.shopStart[there+1]; i++ {
		if !others[i] {
			t.Errorf("firm %d was not drawn where none is launched", i)
		}
		delete(others, i)
	}
	if len(others) != 0 {
		t.Errorf("drew %v, which are no firms of the second market", others)
	}
	if len(seen) != 2 || !seen[first+1] || !seen[first+2] {
		t.Errorf("drew %v; launched are %d and %d", seen, first+1, first+2)
	}
}

// Public purchases follow output over years, and prices at once.
func TestBudgetTrend(t *testing.T) {
	e := mustNew(t, small(), 1)
	for _, test := range []struct{ before, prices, gdp, want float64 }{
		{1000, 1, 1000, 1000},
		{1000, 1, 1360, 1010},
		{1000, 1.1, 1100, 1100},
	} {
		*ring(e.m.CoreHistory[:], e.m.Month, 1), *ring(e.m.CoreHistory[:], e.m.Month, 0) = 100, 100*test.prices
		e.m.BudgetTrend, e.m.NominalGDP = test.before, test.gdp
		e.smoothAverages()
		near(t, "trend", e.m.BudgetTrend, test.want)
	}
}

package sim

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func TestTradabilities(t *testing.T) {
	for j, weight := range joined(MaxIndustries, tradability) {
		near(t, "one of twelve industries", weight, tradability[j])
	}
	// The last of two joins the divisions 02 to 12; the shares add up to .9998.
	two := joined(2, tradability)
	near(t, "food", two[0], .8)
	within(t, "all but food", two[1], (.8968-.8*.0847)/(.9998-.0847), 2e-4)
	within(t, "all goods", joined(1, tradability)[0], .8968/.9998, 1e-4)
}

func TestImportTastes(t *testing.T) {
	shares := []float64{.5, .25, .25}
	weights := [MaxIndustries]float64{.2, 1, 3}
	for _, mean := range []float64{.01, .2, .5, .9} {
		tastes := importTastes(shares, weights, mean)
		within(t, "mean taste", .5*tastes[0]+.25*tastes[1]+.25*tastes[2], mean, 1e-12)
		odds := func(j int) float64 { return tastes[j] / (1 - tastes[j]) }
		within(t, "odds of goods three times as tradable", odds(2)/odds(1), 3, 1e-6)
		within(t, "odds of goods a fifth as tradable", odds(0)/odds(1), .2, 1e-6)
	}
	if got := importTastes(shares, weights, 0); got != [MaxIndustries]float64{} {
		t.Errorf("a closed economy imports %v", got)
	}
}

func TestArmington(t *testing.T) {
	for _, test := range []struct{ taste, relative, usual, short, long, share float64 }{
		{.2, 1, 1, .5, 3, .2},
		{.2, 2, 2, 1, 1, .2},      // Cobb-Douglas
		{.2, 2, 2, .5, 2, 1. / 9}, // .2/2 of .8 + .2/2: all of the long elasticity where the price is the usual one
		{.2, 4, 1, .5, 7, 1. / 3}, // power 4^.5 = 2: the short one alone in the month of the change
		{.5, .5, .5, 0, 3, .8},    // power .5^-2 = 4
		{0, 5, 5, 1, 2, 0}, {1, 5, 5, 1, 2, 1}, {.2, 7, 1, 0, 0, 1.4 / 2.2},
	} {
		p := &Params{TradeElasticityShortRun: test.short, ArmingtonElasticity: test.long}
		near(t, "share of imports", armington(p, test.taste, math.Log(test.relative), math.Log(test.usual)), test.share)
	}
}

func TestExportDemand(t *testing.T) {
	for _, test := range []struct{ demand, relative, usual, short, long, want float64 }{
		{1.5, 1, 1, .5, 7, 150}, {1, 2, 2, .5, 2, 25}, {1, .5, .5, 1, 3, 800}, {1, 4, 1, .5, 2, 50},
	} {
		p := &Params{TradeElasticityShortRun: test.short, ExportElasticity: test.long}
		near(t, "orders from abroad", exportDemand(p, 100, test.demand, math.Log(test.relative), math.Log(test.usual)), test.want)
	}
	if got := exportOrder(.25, 10, 7.99); got != 19 { // 19.975
		t.Errorf("order %d", got)
	}
}

func TestRelativePrice(t *testing.T) {
	for _, test := range []struct{ a, b, want float64 }{
		{3, 2, 1.5}, {1, 4, .25}, {1, 1e9, .05}, {1e9, 1, 20}, {0, 1, .05}, {1, 0, 20},
	} {
		near(t, "relative price", relativePrice(test.a, test.b), test.want)
	}
}

func TestNextExchangeRate(t *testing.T) {
	p := Defaults()
	p.ExchangeRateAdjustment, p.ExchangeRateInterestSensitivity = .5, 2
	p.WorldInflation, p.WorldInterestRate = .02, .03
	for _, test := range []struct{ rate, deficit, policy, inflation, step float64 }{
		{1, 0, .03, .02, 0},
		{2, .01, .03, .02, .005},                       // half of the deficit
		{1, 0, .04, .03, .01 / 12},                     // inflation abroad is a point lower, the real rate the same
		{1, 0, .09, .02, -2 * .06 / 12},                // real rate six points above the world's
		{1, 0, .03, .08, (.06 + .12) / 12},             // inflation six points above, the real rate as much below
		{1, 9, .03, .02, .05}, {1, -9, .03, .02, -.05}, // at most five per cent
	} {
		near(t, "exchange rate", nextExchangeRate(&p, test.rate, test.deficit, test.policy, test.inflation), test.rate*math.Exp(test.step))
	}
	near(t, "ceiling", nextExchangeRate(&p, 1e12, 1, 0, 0), 1e12)
}

// trading is a small economy with trade, of one market a thousand households.
func trading() Params {
	p := small()
	p.NumHouseholds, p.EnableTrade = 1000, true
	return p
}

func TestWithoutTradeNothingOfItCounts(t *testing.T) {
	closed := mustNew(t, small(), 2)
	p := small()
	p.TariffRate, p.RetaliationShare, p.WorldDemandFactor, p.ImportPriceFactor = 1, 1, 3, 3
	p.ImportShare, p.ExchangeRateRegime, p.FixedExchangeRate = .8, "fixed", 5
	other := mustNew(t, p, 2)
	mustStep(t, closed, 15)
	mustStep(t, other, 15)
	if closed.StateHash() != other.StateHash() || !sameRecord(closed.Latest(), other.Latest()) {
		t.Error("parameters of trade act where there is none")
	}
	for i, want := range map[Indicator]float64{Exports: 0, Imports: 0, TaxTariff: 0, CurrentAccount: 0,
		NetForeignPosition: 0, ExchangeRate: 1, ImportPriceIndex: 100} {
		if got := closed.Latest().Value(i); got != want {
			t.Errorf("%s = %v without trade", i, got)
		}
	}
}

func TestTradeOpensBalanced(t *testing.T) {
	p := trading()
	p.EnableTrade = false
	e := mustNew(t, p, 1)
	mustStep(t, e, 24)
	e.BeginExperiment()
	p.EnableTrade = true
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	mustStep(t, e, 1)
	v := *e.Latest()
	within(t, "exports over imports", v.Value(Exports)/v.Value(Imports), 1, .06)
	within(t, "imports over consumption", float64(e.flow.imports)/float64(e.flow.consumption), p.ImportShare, .01)
	within(t, "import prices", v.Value(ImportPriceIndex), 100, 2)
	within(t, "cpi", v.Value(CPI), 100, 1)
	exports, imports := 0.0, 0.0
	for j := range v.Firms.Exports {
		exports += v.Firms.Exports[j]
		imports += v.Firms.Imports[j]
	}
	within(t, "exports of the industries", exports/v.Value(Exports), 1, 1e-9)
	within(t, "imports of the industries", imports/v.Value(Imports), 1, 1e-9)
	clothing, housing := v.Firms.Imports[2]/e.shares[2], v.Firms.Imports[3]/e.shares[3]
	if clothing < 4*housing {
		t.Errorf("imports per unit of budget: clothing %v, housing %v", clothing, housing)
	}
	// Trade can be closed again: prices are what they were, and what the world is
	// owed stays, with interest.
	p.TariffRate = .5
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	mustStep(t, e, 1)
	taxed := e.Latest().Value(CPI)
	if taxed < 1.03*v.Value(CPI) {
		t.Errorf("a tariff of a half takes the cpi from %v to %v", v.Value(CPI), taxed)
	}
	p.EnableTrade = false
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	owed := e.m.Trade.Deposits
	mustStep(t, e, 2)
	within(t, "cpi without trade", e.Latest().Value(CPI), taxed, 2.5)
	if e.Latest().Value(Exports) != 0 || e.Latest().Value(Imports) != 0 || owed == 0 {
		t.Error("trade goes on")
	}
	if d := math.Abs(float64(e.m.Trade.Deposits)/float64(owed) - 1); d > .02 {
		t.Errorf("deposits of the world went from %d to %d", owed, e.m.Trade.Deposits)
	}
}

// Under a fixed rate world prices reach the border one to one, month by month.
func TestWorldPricesAtTheBorder(t *testing.T) {
	p := trading()
	p.ExchangeRateRegime, p.FixedExchangeRate, p.ImportPriceFactor = "fixed", 1.5, 1.1
	p.WorldInflation, p.WorldGrowth = .12, .06
	e := mustNew(t, p, 1)
	mustStep(t, e, 7)
	for j, price := range e.m.Trade.ImportPrice {
		near(t, "price at the border", price/e.m.Trade.WorldPrice[j], 1.5*1.1*math.Pow(1.01, 6))
	}
	near(t, "world demand", e.m.Trade.Demand, math.Pow(1.005, 6))
	near(t, "exchange rate", e.Latest().Value(ExchangeRate), 1.5)
}

// Orders from abroad are the same part of expected sales for all firms of an
// industry, and get the same part of a stock as others.
func TestExportsAreRationedWithOthers(t *testing.T) {
	p := trading()
	p.EnableInherentMarket, p.WorldDemandFactor = false, 5
	e := mustNew(t, p, 2)
	runBetween(t, e, "", "supplier search")
	e.overHouseholds((*Economy).placeOrders)
	for i := range e.consumptionFirms {
		if i%2 == 0 {
			e.f.inventory[i] *= .1
		}
	}
	e.supplyValue = 1
	e.overFirms((*Economy).meetOrders)
	short := 0
	for i := range e.consumptionFirms {
		abroad := int64(e.exportRatio[e.industryOf(i)] * e.f.sales[i] * e.f.price[i])
		stock := e.f.inventory[i] * e.f.price[i]
		want, orders := abroad, float64(e.f.orders[i]+abroad)
		if orders > stock {
			want = int64(float64(abroad) * (stock / orders))
			short++
		}
		if e.f.exported[i] != want || e.f.revenue[i] != want || abroad == 0 {
			t.Fatalf("firm %d exports %d of %d ordered, with revenue %d; want %d", i, e.f.exported[i], abroad, e.f.revenue[i], want)
		}
		near(t, "demand", e.f.demand[i], orders/e.f.price[i])
	}
	if short == 0 || short == e.consumptionFirms {
		t.Errorf("%d of %d firms ration", short, e.consumptionFirms)
	}
}

// In the base month all indices are 100, and imports are worth what they cost,
// whatever the tariff.
func TestBaseMonthWithTrade(t *testing.T) {
	p := trading()
	p.TariffRate, p.ImportPriceFactor = .3, 1.3
	e := mustNew(t, p, 1)
	mustStep(t, e, 14)
	fl := &e.flow
	paid := float64(fl.imports + fl.tariff)
	within(t, "tariff", float64(fl.tariff)/float64(fl.imports), .3, 1e-6)
	within(t, "VAT on imports too", float64(fl.vat)/float64(fl.consumption), p.VATRate, 1e-4)
	e.BeginExperiment()
	within(t, "cpi", e.priceIndex(), 100, 1e-9)
	e.measureTrade()
	within(t, "import prices", e.record.Value(ImportPriceIndex), 100, 1e-9)
	bought, abroad := e.realImports(&e.m.Base)
	within(t, "imports at base prices", abroad/float64(fl.imports), 1, 1e-9)
	within(t, "imports at base prices that consumers pay", bought/(paid*(1+p.VATRate)), 1, 1e-6)
	v := e.Latest()
	within(t, "all taxes", v.Value(TaxRevenue), v.Value(TaxIncome)+v.Value(TaxVAT)+v.Value(TaxCorporate)+v.Value(TaxTariff), 1e-6)
	within(t, "current account", v.Value(CurrentAccount)*v.Value(NominalGDP),
		v.Value(Exports)-v.Value(Imports)-float64(fl.foreignInterest)/subunit, 1e-6)
	near(t, "net foreign position", v.Value(NetForeignPosition), -float64(e.m.Trade.Deposits)/sumRing(e.m.GDPHistory[:], e.m.Month, 0, 12))

	survey := e.surveyFirms()
	e.measureAccounts(&survey)
	within(t, "real consumption", v.Value(RealConsumption)*subunit/float64(fl.consumption+fl.vat), 1, 1e-5)
	real := float64(fl.consumption+fl.vat+fl.purchases+fl.capitalSpending+fl.exports-fl.imports) +
		e.m.Base.Wage*float64(e.f.labour[e.government()])/skillUnit
	for j, change := range survey.inventoryUnits {
		real += change * e.m.Base.UnitCost[j]
	}
	within(t, "real GDP", v.Value(RealGDP)*subunit/real, 1, 1e-5)
}

func TestAuditSeesTrade(t *testing.T) {
	p := trading()
	p.TariffRate = .1
	auditSees(t, p, 3, nil, []misbooking{
		{"the world's deposits", func(e *Economy) { e.m.Trade.Deposits++ }, "bank:"},
		{"the world's deposits for debt", func(e *Economy) { e.m.Trade.Deposits++; e.m.Debt++ }, "government: change of debt"},
		{"the world's deposits for bank equity", func(e *Economy) { e.m.Trade.Deposits++; e.m.Banks[0].Equity-- },
			"bank: change of equity"},
		{"a tariff not passed on", func(e *Economy) { e.flow.tariff-- }, "government: change of debt"},
		{"imports that nobody bought", func(e *Economy) { e.flow.imports++ }, "rest of the world"},
		{"exports that nobody sold", func(e *Economy) { e.flow.exports++ }, "rest of the world"},
		{"exports that nobody sold, paid", func(e *Economy) { e.flow.exports++; e.m.Trade.Deposits--; e.m.Debt--; e.flow.vat++ },
			"households: change of deposits"},
		{"interest not paid", func(e *Economy) { e.flow.foreignInterest++ }, "bank: change of equity"},
	})
}

func TestBooksBalanceWithTrade(t *testing.T) {
	for _, regime := range []string{"floating", "fixed"} {
		for _, industries := range []int{1, 12} {
			p := trading()
			p.ExchangeRateRegime, p.NumIndustries, p.TariffRate, p.RetaliationShare = regime, industries, .05, 1
			e := mustNew(t, p, 2)
			mustStep(t, e, 120)
			v := e.Latest()
			if v.Value(Exports) <= 0 || v.Value(Imports) <= 0 || e.m.Trade.Deposits == 0 {
				t.Errorf("%s, %d industries: exports %v, imports %v", regime, industries, v.Value(Exports), v.Value(Imports))
			}
		}
	}
}

// A floating rate keeps trade near balance for forty years, also where the world
// asks for less than it sells at first.
func TestFloatingRateBalancesTrade(t *testing.T) {
	long(t)
	for _, demand := range []float64{1, .6} {
		p := trading()
		p.WorldDemandFactor = demand
		e := mustNew(t, p, 2)
		for range 40 {
			mustStep(t, e, 12)
			if x := e.Latest().Value(NetForeignPosition); math.Abs(x) > .8 {
				t.Fatalf("demand %v: net foreign position of %.2f of GDP in month %d", demand, x, e.Month())
			}
		}
		balance := 0.0
		for range 60 {
			mustStep(t, e, 1)
			balance += e.Latest().Value(CurrentAccount) / 60
		}
		within(t, "current account", balance, 0, .02)
	}
}

// The extremes of each parameter, and many at once, for five years.
func TestTradeAtTheCorners(t *testing.T) {
	rows := slices.DeleteFunc(tradeRows(), func(row Parameter) bool { return row.Name == "enable_trade" })
	corner := func(row Parameter, high bool) any {
		switch {
		case row.Type == TypeChoice && high:
			return row.Choices[1]
		case row.Type == TypeChoice:
			return row.Choices[0]
		case high:
			return row.Max
		}
		return row.Min
	}
	var cases []Params
	for _, row := range rows {
		for _, high := range []bool{false, true} {
			p := trading()
			row.store(&p, corner(row, high))
			cases = append(cases, p)
		}
	}
	for n := range 24 {
		p := trading()
		for k, row := range rows {
			row.store(&p, corner(row, scramble(uint64(n*64+k))&1 == 1))
		}
		cases = append(cases, p)
	}
	for n, p := range cases {
		p.NumHouseholds, p.NumIndustries = 500, 4
		e := mustNew(t, p, 1)
		mustStep(t, e, 60)
		if n%8 != 0 {
			continue
		}
		again := mustNew(t, p, 3)
		mustStep(t, again, 30)
		resumed, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, again)), 3)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(resumed.Close)
		mustStep(t, resumed, 30)
		if resumed.StateHash() != e.StateHash() || !sameRecord(resumed.Latest(), e.Latest()) {
			t.Errorf("case %d: other bits on three threads through a snapshot", n)
		}
	}
}

// tradeRows are the rows of the catalogue that act on trade only.
func tradeRows() (rows []Parameter) {
	for _, row := range Catalogue() {
		if row.Category == "trade" || row.Name == "tariff_rate" {
			rows = append(rows, row)
		}
	}
	return rows
}

func TestEveryParameterOfTradeActs(t *testing.T) {
	base := trading()
	base.TariffRate = .1
	for _, row := range tradeRows() {
		p := base
		var v any = row.Max
		switch row.Type {
		case TypeBoolean:
			v = false
		case TypeChoice:
			v = "fixed"
		}
		if row.Name == "fixed_exchange_rate" {
			p.ExchangeRateRegime = "fixed"
		}
		before := stateAfter(t, p, 8)
		row.store(&p, v)
		if got := stateAfter(t, p, 8); got == before {
			t.Errorf("%s changes nothing", row.Name)
		}
	}
}

func stateAfter(t *testing.T, p Params, months int) string {
	e := mustNew(t, p, 1)
	mustStep(t, e, months)
	return e.StateHash()
}

func TestTradeDoesNotAllocate(t *testing.T) {
	e := mustNew(t, trading(), 2)
	mustStep(t, e, 3)
	if n := testing.AllocsPerRun(12, func() { mustStep(t, e, 1) }); n > 0 {
		t.Errorf("%v allocations a month", n)
	}
}

// meansOf simulates an economy with trade for some years, puts a change into
// force, and returns the means over the months that follow.
func worldMeans(t *testing.T, start []byte, change func(*Params), months int) (means [NumIndicators]float64) {
	t.Helper()
	e, err := ReadSnapshot(bytes.NewReader(start), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p := e.Params()
	change(&p)
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	for range months {
		mustStep(t, e, 1)
		for i, x := range e.Latest().Values {
			means[i] += x / float64(months)
		}
	}
	return means
}

// What economists expect of trade policy and of shocks from abroad, in each of
// several pairs that share their draws.
func TestSignsOfTrade(t *testing.T) {
	long(t)
	tests := []struct {
		name         string
		before, then func(*Params)
		least        map[Indicator]float64 // least relative change; of unemployment and tariffs, absolute
		most         map[Indicator]float64
	}{
		{"a tariff", nil, func(p *Params) { p.TariffRate = .1 },
			map[Indicator]float64{ImportPriceIndex: .06, CPI: .005, TaxTariff: 1, TaxRevenue: .001},
			map[Indicator]float64{Imports: -.08, RealConsumption: 0, ExchangeRate: 0}},
		{"retaliation", func(p *Params) { p.TariffRate = .1 }, func(p *Params) { p.RetaliationShare = 1 },
			map[Indicator]float64{UnemploymentRate: 0},
			map[Indicator]float64{Exports: -.05, RealGDP: 0}},
		{"an import-price shock", nil, func(p *Params) { p.ImportPriceFactor = 1.2 },
			map[Indicator]float64{CPI: .02, ImportPriceIndex: .14},
			map[Indicator]float64{RealConsumption: -.01, RealWageMean: -.01}},
		{"a devaluation", func(p *Params) { p.ExchangeRateRegime = "fixed" }, func(p *Params) { p.FixedExchangeRate = 1.15 },
			map[Indicator]float64{Exports: .1, ImportPriceIndex: .14, CPI: .01, CurrentAccount: .01},
			map[Indicator]float64{RealConsumption: 0}},
		{"a fall of world demand", nil, func(p *Params) { p.WorldDemandFactor = .7 },
			map[Indicator]float64{UnemploymentRate: .003, ExchangeRate: .01},
			map[Indicator]float64{Exports: -.15, RealGDP: -.01}},
		{"tight money", func(p *Params) { p.PolicyRateRule, p.FixedPolicyRate = "fixed", .03 }, func(p *Params) { p.FixedPolicyRate = .08 },
			nil, map[Indicator]float64{ExchangeRate: -.01, Exports: -.01}},
	}
	for seed := range 2 {
		p := trading()
		p.NumHouseholds, p.RandomState = 2000, 31+seed
		e := mustNew(t, p, 2)
		mustStep(t, e, 60)
		e.BeginExperiment()
		start := mustSnapshot(t, e)
		for _, test := range tests {
			if test.before == nil {
				test.before = func(*Params) {}
			}
			control := worldMeans(t, start, test.before, 18)
			treated := worldMeans(t, start, func(p *Params) { test.before(p); test.then(p) }, 18)
			change := func(i Indicator) float64 {
				d := treated[i] - control[i]
				if i == UnemploymentRate || i == TaxTariff || i == CurrentAccount {
					return d
				}
				return d / control[i]
			}
			for i, least := range test.least {
				if d := change(i); !(d > least) {
					t.Errorf("seed %d, %s: %s changes by %.4f, want more than %g", seed, test.name, i, d, least)
				}
			}
			for i, most := range test.most {
				if d := change(i); !(d < most) {
					t.Errorf("seed %d, %s: %s changes by %.4f, want less than %g", seed, test.name, i, d, most)
				}
			}
		}
	}
}

// What the government buys is told from what the world buys.
func TestRealPurchasesAreTheGovernments(t *testing.T) {
	p := thousand()
	p.EnableTrade, p.InherentMarketConsumptionRate = true, 0
	e := mustNew(t, p, 1)
	mustStep(t, e, 3)
	if r := e.Latest(); r.Value(Exports) <= 0 || r.RealPurchases != 0 {
		t.Errorf("exports of %g, purchases of %g", r.Value(Exports), r.RealPurchases)
	}
}

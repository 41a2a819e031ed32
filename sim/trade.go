package sim

import "math"

// abroad is what a month hands to the next about the rest of the world.
type abroad struct {
	Open         int64   // 1 while there is trade
	Deposits     int64   // of the rest of the world at the bank, subunits; below zero it owes them
	ExchangeRate float64 // price of foreign currency
	Peg          float64 // the rate at a fixed_exchange_rate of 1; 0 while it floats
	PriceLevel   float64 // of the world, 1 when trade opened
	Demand       float64 // of the world, real, 1 when trade opened
	Tariff       float64 // rate in force

	WorldPrice  [MaxIndustries]float64 // when trade opened, in foreign currency, subunits a unit
	Exports     [MaxIndustries]float64 // demand when trade opened, units a month
	ImportPrice [MaxIndustries]float64 // at the border, without tariff, subunits a unit
	LogIndex    [MaxIndustries]float64 // log of what both kinds cost over the price of the domestic one, with the tastes as weights

	BaseLogIndex [MaxIndustries]float64 // of the base month

	UsualImport [MaxIndustries]float64 // smoothed logs of what imports, and exports, cost over the goods they compete with
	UsualExport [MaxIndustries]float64
}

// Bounds that keep numbers finite where policy or prices run away.
const (
	mostRelative   = 20   // of a foreign and a domestic price, either over the other
	mostExports    = 10   // orders from abroad, in multiples of an industry's expected sales
	largestStep    = .05  // of the log exchange rate in a month
	mostForeign    = 1e12 // of the world's price level, its demand and the exchange rate, and 1 / the least
	tasteBisection = 64   // halvings of the range of e^-40 to e^40
)

// tradability weighs the industries in imports: stylised. Clothing, furnishings,
// vehicles and devices are mostly traded; housing, schools and restaurants
// hardly.
var tradability = [MaxIndustries]float64{.8, .8, 3, .2, 2.2, .4, 1.6, 1.6, 1.4, .1, .3, .6}

// importTastes are the shares of each industry's budget that go abroad where
// foreign goods cost as much as domestic ones. Their odds are in proportion to
// the weights, so that none reaches 1; their mean over budgets is given.
func importTastes(shares []float64, weights [MaxIndustries]float64, mean float64) (tastes [MaxIndustries]float64) {
	if mean <= 0 {
		return tastes
	}
	low, high := -40.0, 40.0
	for range tasteBisection {
		middle := .5 * (low + high)
		odds, sum := math.Exp(middle), 0.0
		for j, share := range shares {
			x := float64(odds * weights[j])
			tastes[j] = x / (1 + x)
			sum += float64(share * tastes[j])
		}
		if sum < mean {
			low = middle
		} else {
			high = middle
		}
	}
	return tastes
}

// armington splits the budget for a good between its domestic and its foreign
// kind (Armington 1969). relative is the log of the foreign price over the domestic one and
// taste the foreign share where it is 0. Of the elasticity a part holds at once, and the rest
// for the usual relative price.
func armington(p *Params, taste, relative, usual float64) (share float64) {
	power := float64((1-p.TradeElasticityShortRun)*relative) + float64((p.TradeElasticityShortRun-p.ArmingtonElasticity)*usual)
	odds := float64(taste * math.Exp(power))
	return odds / (1 - taste + odds)
}

// exportDemand is what the world orders, in units; relative is the log of what it pays for
// a domestic good over the world price, with elasticities as those of imports.
func exportDemand(p *Params, base, demand, relative, usual float64) float64 {
	log := float64(p.TradeElasticityShortRun*relative) + float64((p.ExportElasticity-p.TradeElasticityShortRun)*usual)
	return base * demand * math.Exp(-log)
}

// relativePrice is a / b within bounds.
func relativePrice(a, b float64) float64 {
	if !(b > 0) {
		return mostRelative
	}
	return clip(a/b, 1./mostRelative, mostRelative)
}

// nextExchangeRate is the price of foreign currency next month: it follows the
// difference of expected inflation, less that of real interest rates (Frankel
// 1979), and rises with the deficit of the current account, a share of GDP.
func nextExchangeRate(p *Params, rate, deficit, policyRate, expectedInflation float64) float64 {
	inflation := expectedInflation - p.WorldInflation
	interest := policyRate - p.WorldInterestRate - inflation
	step := float64(p.ExchangeRateAdjustment*deficit) + (inflation-float64(p.ExchangeRateInterestSensitivity*interest))/12
	return clip(rate*math.Exp(clip(step, -largestStep, largestStep)), 1/mostForeign, mostForeign)
}

// offers adds up what the firms of each industry expect to sell, in units, and
// returns the mean of their prices with it as weights.
func (e *Economy) offers() (sales, price [MaxIndustries]float64) {
	for j := range e.shares {
		value := 0.0
		for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
			sales[j] += e.f.sales[i]
			value += float64(e.f.sales[i] * e.f.price[i])
		}
		price[j] = e.m.MeanPrice[j]
		if value > 0 {
			price[j] = value / sales[j]
		}
	}
	return sales, price
}

// openTrade sets the month's prices of imports, the shares of budgets that go
// abroad, and the demand for exports.
func (e *Economy) openTrade() {
	p, t := &e.p, &e.m.Trade
	e.importShare, e.exportRatio = [MaxIndustries]float64{}, [MaxIndustries]float64{}
	if !p.EnableTrade {
		if t.Open == 1 { // prices of the past year as those of domestic goods, so that deciles meet no jump
			for month := range e.m.PriceHistory {
				for j := range e.shares {
					e.m.PriceHistory[month][j] *= math.Exp(-t.LogIndex[j])
				}
			}
		}
		t.closeTrade()
		return
	}
	sales, price := e.offers()
	e.importTaste = importTastes(e.shares, joined(e.industries(), tradability), p.ImportShare)
	if t.Open == 0 {
		e.beginTrade(price)
	} else {
		t.PriceLevel = clip(t.PriceLevel*(1+p.WorldInflation/12), 1/mostForeign, mostForeign)
		t.Demand = clip(t.Demand*(1+p.WorldGrowth/12), 1/mostForeign, mostForeign)
	}
	switch {
	case p.ExchangeRateRegime != "fixed":
		t.Peg = 0
	case t.Peg == 0: // the rate at which the regime begins
		t.Peg = t.ExchangeRate
	}
	if t.Peg > 0 {
		t.ExchangeRate = t.Peg * p.FixedExchangeRate
	}
	t.Tariff = p.TariffRate
	demand, importPrices := t.Demand*p.WorldDemandFactor*e.shockFactor(worldDemandShock), e.shockFactor(importPriceShock)
	for j := range e.shares {
		world := t.WorldPrice[j] * t.PriceLevel * t.ExchangeRate
		t.ImportPrice[j] = world * p.ImportPriceFactor * importPrices
		relative := math.Log(relativePrice(t.ImportPrice[j]*(1+t.Tariff), price[j]))
		t.UsualImport[j] += (relative - t.UsualImport[j]) / p.TradeAdjustmentMonths
		e.importShare[j] = armington(p, e.importTaste[j], relative, t.UsualImport[j])
		duty := 1 + float64(p.RetaliationShare*p.TariffRate)
		relative = math.Log(relativePrice(price[j]*duty, world))
		t.UsualExport[j] += (relative - t.UsualExport[j]) / p.TradeAdjustmentMonths
		wanted := exportDemand(p, t.Exports[j], demand, relative, t.UsualExport[j])
		if sales[j] > 0 {
			e.exportRatio[j] = min(wanted/sales[j], mostExports)
		}
	}
}

// beginTrade opens trade at world prices that equal domestic ones, with a demand
// for exports that equals the one for imports in each industry.
func (e *Economy) beginTrade(price [MaxIndustries]float64) {
	t := &e.m.Trade
	t.Open, t.ExchangeRate, t.PriceLevel, t.Demand, e.m.Base.Tariff = 1, 1, 1, 1, 0
	budgets := float64(e.overHouseholds((*Economy).sumBudgets).count[sumBudgets])
	for j, share := range e.shares {
		t.WorldPrice[j] = price[j]
		t.Exports[j] = budgets / (1 + e.m.VAT[j]) * share * e.importTaste[j] / price[j]
		e.m.Base.Import[j] = e.m.Base.Goods[j]
	}
}

// closeTrade ends trade. The price index goes on from where it is.
func (t *abroad) closeTrade() {
	for j := range t.LogIndex {
		t.BaseLogIndex[j] -= t.LogIndex[j]
	}
	t.Open, t.Peg, t.Tariff, t.LogIndex = 0, 0, 0, [MaxIndustries]float64{}
	t.UsualImport, t.UsualExport = [MaxIndustries]float64{}, [MaxIndustries]float64{}
}

func (e *Economy) sumBudgets(s span) {
	for h := s.lo; h < s.hi; h++ {
		s.sum.count[sumBudgets] += e.h.budget[h]
	}
}

// divert takes what goes abroad out of the parts of a budget that go to each
// industry, and returns its sum.
func (e *Economy) divert(coef *[MaxIndustries]float64) (abroad float64) {
	for j, share := range e.importShare {
		abroad += float64(coef[j] * share)
		coef[j] *= 1 - share
	}
	return abroad
}

// exportOrder is the order from abroad at a firm: the same part of expected sales
// for all firms of an industry, within what 64 bits hold.
func exportOrder(ratio, sales, price float64) int64 {
	return int64(min(ratio*sales*price, moneyLimit))
}

// settleTrade books what households paid for imports, tariff included, and what
// the world paid for exports, on the account of the rest of the world.
func (e *Economy) settleTrade(imported, exported int64) {
	fl, t := &e.flow, &e.m.Trade
	fl.tariff = int64(float64(imported) * (t.Tariff / (1 + t.Tariff)))
	fl.imports, fl.exports = imported-fl.tariff, exported
	t.Deposits += fl.imports - fl.exports
}

// foreignLending is the net lending of the rest of the world: the deficit of the
// current account.
func (fl *flows) foreignLending() int64 { return fl.imports - fl.exports + fl.foreignInterest }

// setExchangeRate moves a floating rate for the next month.
func (e *Economy) setExchangeRate() {
	t := &e.m.Trade
	if t.Open == 0 || e.p.ExchangeRateRegime == "fixed" {
		return
	}
	deficit := float64(e.flow.foreignLending()) / max(e.m.GDPTrend, 1)
	t.ExchangeRate = nextExchangeRate(&e.p, t.ExchangeRate, deficit, e.m.PolicyRate, e.m.ExpectedInflation)
}

// measureImportPrices brings foreign goods into the price index.
func (e *Economy) measureImportPrices() {
	t := &e.m.Trade
	if t.Open == 0 {
		return
	}
	for j := range e.shares {
		relative := relativePrice(t.ImportPrice[j]*(1+t.Tariff), e.m.MeanPrice[j])
		t.LogIndex[j] = float64(e.importTaste[j] * math.Log(relative))
	}
}

// importsByIndustry is the month's value of imports at the border, subunits.
func (e *Economy) importsByIndustry() (values [MaxIndustries]float64) {
	sum := 0.0
	for j, share := range e.shares {
		values[j] = float64(share * e.demandFactors[j] / (1 + e.m.VAT[j]) * e.importShare[j])
		sum += values[j]
	}
	if sum > 0 {
		scaleAll(values[:], float64(e.flow.imports)/sum)
	}
	return values
}

// realImports are the month's imports at given prices: as consumers pay for them, and as
// the world is paid.
func (e *Economy) realImports(at *prices) (bought, paid float64) {
	t := &e.m.Trade
	if t.Open == 0 {
		return 0, 0
	}
	values := e.importsByIndustry()
	for j := range e.shares {
		value := float64(values[j] / t.ImportPrice[j] * at.Import[j])
		paid += value
		bought += float64(value * (1 + at.Tariff) * (1 + at.VAT[j]))
	}
	return bought, paid
}

// measureTrade reports the month's trade.
func (e *Economy) measureTrade() {
	t, fl, out, f := &e.m.Trade, &e.flow, &e.record.Values, &e.record.Firms
	gdp := max(e.m.NominalGDP, 1)
	out[CurrentAccount] = -float64(fl.foreignLending()) / gdp
	out[NetForeignPosition] = -float64(t.Deposits) / max(sumRing(e.m.GDPHistory[:], e.m.Month, 0, 12), 1)
	out[ExchangeRate], out[ImportPriceIndex] = 1, 100
	if t.Open == 0 {
		return
	}
	out[ExchangeRate] = t.ExchangeRate
	log, values := 0.0, e.importsByIndustry()
	for j := range e.shares {
		price, base := t.ImportPrice[j]*(1+t.Tariff), e.m.Base.Import[j]*(1+e.m.Base.Tariff)
		log += float64(values[j] * math.Log(price/base))
		f.Imports[j] = values[j] / subunit
		for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
			f.Exports[j] += float64(e.f.exported[i]) / subunit
		}
	}
	if fl.imports > 0 {
		out[ImportPriceIndex] = 100 * math.Exp(log/float64(fl.imports))
	}
}

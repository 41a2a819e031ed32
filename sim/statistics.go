package sim

import "math"

// stocks is what the sectors hold at the end of a month, counted agent by
// agent. The audit compares it with the flows since the month before.
type stocks struct {
	householdDeposits, firmDeposits, loans int64 // subunits; loans to firms
	householdLoans                         int64
	bankEquity, debt, pool                 int64
	banks                                  [MaxBanks]bankStock
	bonds, reserves, advances              int64 // of all banks
	centralBankBonds                       int64
	foreignDeposits                        int64   // of the rest of the world, below zero if it owes
	employed, skill                        int64   // by the households' columns
	heads, labour                          int64   // by the employers' columns
	firms                                  int64   // without dormant rows
	belowZero                              int64   // households and firms with deposits or loans below zero
	largest                                float64 // largest stock of money, subunits, summed without overflow
	inventory, capital                     float64 // units
}

// countStocks reads the state at the end of a month.
func (e *Economy) countStocks(v *firmSurvey) stocks {
	accounts, people := e.countAccounts()
	g := e.government()
	s := stocks{
		householdDeposits: people.count[sumDeposits], householdLoans: people.count[sumOverdrafted], firmDeposits: v.deposits, loans: v.loans,
		bankEquity: e.bankEquity(), debt: e.m.Debt, pool: e.m.Pool, foreignDeposits: e.m.Trade.Deposits,
		centralBankBonds: e.m.CentralBankBonds,
		employed:         people.count[sumEmployed], skill: people.count[sumSkill],
		heads: v.heads + int64(e.f.heads[g]) + int64(e.f.heads[g+1]), labour: v.labour + e.f.labour[g] + e.f.labour[g+1],
		firms:     v.active,
		belowZero: people.count[sumBelowZero] + v.belowZero,
		inventory: v.inventory, capital: v.capital,
		largest: max(people.real[sumMoney], v.money, math.Abs(float64(e.m.Debt)), math.Abs(float64(e.m.Pool)),
			math.Abs(float64(e.m.Trade.Deposits))),
	}
	e.countBanks(&s, &accounts)
	return s
}

func (e *Economy) countHouseholds(s span) {
	for h := s.lo; h < s.hi; h++ {
		l, money := &e.ledgers[s.worker][e.bankOfHousehold(h)], max(e.h.deposits[h], 0)
		l.deposits += money
		s.sum.count[sumDeposits] += money
		s.sum.real[sumMoney] += float64(money)
		if owed := money - e.h.deposits[h]; owed > 0 {
			l.loans += owed
			s.sum.count[sumOverdrafted] += owed
			if e.p.OverdraftMonths == 0 {
				s.sum.count[sumBelowZero]++
			}
		}
		if e.h.employer[h] != nobody {
			s.sum.count[sumEmployed]++
			s.sum.count[sumSkill] += int64(e.h.skill[h])
		}
	}
}

// survey adds the households up in the histograms and groups of the worker.
func (e *Economy) survey(s span) {
	out := &e.spreads[s.worker]
	perWeight := e.equityValue / float64(e.m.EquityUnit)
	for h := s.lo; h < s.hi; h++ {
		if e.isAbsent(h) {
			continue
		}
		wealth := e.h.deposits[h] + int64(perWeight*float64(e.h.equity[h]))
		one := groupSums{1, e.h.income[h], e.h.spending[h], wealth}
		exposure, work := e.h.exposure[h]&exposureGroup, e.workStatus(h)
		if work == Employed {
			out.wages[exposure] += e.h.lastWage[h]
			out.wage.add(e.h.lastWage[h])
		}
		out.income.add(one.income)
		out.consumption.add(one.spent)
		out.wealth.add(wealth)
		out.byIncome[binOf(one.income)].add(one.spent, wealth)
		out.byWork[work][exposure].add(one)
		if e.h.age != nil {
			out.byAge[e.h.age[h]&groupBits][work].add(one)
		}
		if e.h.standing != nil {
			out.byStanding[e.h.standing[h]].add(one)
		}
	}
}

// firmSurvey holds the month's sums over firms; industries have the rows 0 to
// 11, the capital sector has the last.
type firmSurvey struct {
	sizes              [NumSizeClasses]int
	active             int64 // firms, without dormant rows
	heads              int64
	labour             int64 // skill, 1/1000
	wageTimesLabour    float64
	productivityLabour float64
	automatedRevenue   float64 // of firms that use AI, subunits

	revenue, markUpRevenue [MaxIndustries + 1]float64 // subunits
	concentration          [MaxIndustries + 1]float64 // sum over local markets of revenue * Herfindahl index
	largest                [MaxIndustries + 1]float64 // sum over local markets of the revenue of the four largest, subunits
	privateSales, public   [MaxIndustries + 1]float64 // subunits
	units                  [MaxIndustries + 1]float64 // sold
	inventoryUnits         [MaxIndustries + 1]float64 // change in the month

	inventoryValue, equity float64 // subunits
	inventoryChange        int64   // at unit cost, subunits
	deposits, loans        int64
	belowZero              int64
	money                  float64 // deposits and loans, subunits, summed without overflow
	inventory, capital     float64 // units
	made, sold             float64 // units
}

// surveyFirms adds up firms in the order of their numbers.
func (e *Economy) surveyFirms() firmSurvey {
	var v firmSurvey
	for r := range e.founders {
		row := r / e.localMarkets
		if r == e.capitalRange() {
			row = MaxIndustries
		}
		before, squares := v.revenue[row], 0.0
		var largest [4]float64
		for i := int(e.shopStart[r]); i < int(e.shopStart[r+1]); i++ {
			v.add(e, row, i)
			revenue := float64(e.f.revenue[i])
			squares += float64(revenue * revenue)
			for k, other := range largest {
				if revenue > other {
					largest[k], revenue = revenue, other
				}
			}
		}
		v.largest[row] += largest[0] + largest[1] + largest[2] + largest[3]
		v.concentration[row] += squares / max(v.revenue[row]-before, 1)
	}
	return v
}

func (v *firmSurvey) add(e *Economy, row, i int) {
	f := &e.f
	class := NumSizeClasses - 1
	for int(f.heads[i]) < SizeClasses[class] {
		class--
	}
	if !e.dormant(i) {
		v.sizes[class]++
		v.active++
	}
	v.heads += int64(f.heads[i])
	v.labour += f.labour[i]
	v.wageTimesLabour += float64(f.wage[i] * float64(f.labour[i]))
	v.productivityLabour += float64(e.efficiency(i) * float64(f.labour[i]))

	revenue, cost := float64(f.revenue[i]), e.unitCost(i)
	var sold float64
	if e.isCapital(i) {
		sold = units(f.delivered[i])
	} else {
		sold = revenue / f.postedPrice[i]
	}
	v.revenue[row] += revenue
	if f.automated[i] > 0 {
		v.automatedRevenue += revenue
	}
	v.markUpRevenue[row] += float64(revenue * (f.price[i]/e.levied(i) - 1))
	v.privateSales[row] += revenue - float64(f.public[i]+f.exported[i])
	v.public[row] += float64(f.public[i])
	v.units[row] += sold
	change := f.output[i] - sold
	v.inventoryUnits[row] += change
	v.inventoryChange += floorMoney(change * cost)
	v.inventoryValue += float64(f.inventory[i] * cost)
	v.equity += float64(f.deposits[i]-f.loans[i]) + float64(f.capital[i]*e.m.CapitalPrice) + float64(f.inventory[i]*cost)
	v.deposits += f.deposits[i]
	v.loans += f.loans[i]
	v.money += float64(f.deposits[i]) + float64(f.loans[i])
	if f.deposits[i] < 0 || f.loans[i] < 0 || f.inventory[i] < 0 || f.capital[i] < 0 {
		v.belowZero++
	}
	v.inventory += f.inventory[i]
	v.capital += f.capital[i]
	v.made += f.output[i]
	v.sold += sold
}

// rebase makes the last month the base of all indices. Histories keep their
// growth rates.
func (e *Economy) rebase() {
	m := &e.m
	m.Base = e.ownPrices()
	m.Trade.BaseLogIndex = m.Trade.LogIndex
	m.BaseEmissions = m.emissions()
	m.BaseProductivity = m.OutputPerWorker
	scaleAll(m.CPIHistory[:], ratio(100, *ring(m.CPIHistory[:], m.Month, 0)))
	scaleAll(m.CoreHistory[:], ratio(100, *ring(m.CoreHistory[:], m.Month, 0)))
	scaleAll(m.RealGDPHistory[:], ratio(m.OwnGDP, *ring(m.RealGDPHistory[:], m.Month, 0)))
}

// ownPrices are the prices of the month.
func (e *Economy) ownPrices() prices {
	m := &e.m
	own := prices{Goods: m.MeanPrice, Wage: m.MeanWage, VAT: m.VAT, Import: m.Trade.ImportPrice, Tariff: m.Trade.Tariff}
	for j := range own.UnitCost {
		norm := e.p.ConsumptionMarkUp
		if j == MaxIndustries {
			norm = e.p.CapitalMarkUp
		}
		own.UnitCost[j] = own.Goods[j] / (1 + norm)
	}
	return own
}

// realAccounts are the month's quantities at the prices of one month, subunits.
type realAccounts struct {
	consumption float64 // with VAT, of imports too
	purchases   float64 // of the government
	staff       float64 // of the government, at the wage of the other month
	investment  float64
	stocks      float64 // change of inventories
	goods       float64 // made: sold, and put into stock
	gdp         float64
}

// valuedAt values what the month made and bought at given prices.
func (e *Economy) valuedAt(v *firmSurvey, at *prices) (real realAccounts) {
	public := 0.0 // with exports
	for j := range v.revenue {
		scale := at.Goods[j] / e.m.MeanPrice[j]
		real.stocks += float64(v.inventoryUnits[j] * at.UnitCost[j])
		real.goods += float64(v.units[j]*at.Goods[j]) + float64(v.inventoryUnits[j]*at.UnitCost[j])
		if j < MaxIndustries {
			real.consumption += float64(v.privateSales[j] * scale * (1 + at.VAT[j]))
			public += float64((v.revenue[j] - v.privateSales[j]) * scale)
			real.purchases += float64(v.public[j] * scale)
		}
	}
	imported, paidAbroad := e.realImports(at)
	real.consumption += imported
	real.investment = float64(v.units[MaxIndustries] * at.Goods[MaxIndustries])
	staff := float64(e.f.labour[e.government()])/skillUnit + float64(e.p.JobGuaranteeWage*float64(e.f.heads[e.programme()]))
	real.staff = float64(staff * at.Wage)
	real.gdp = real.consumption + public + real.investment + real.stocks + real.staff - paidAbroad
	return real
}

// priceIndex is the consumer price index: the cost of a unit of utility with
// constant budget shares, VAT included (base month = 100).
func (e *Economy) priceIndex() float64 {
	log := 0.0
	for j, share := range e.shares {
		log += float64(share * (math.Log(e.m.MeanPrice[j]/e.m.Base.Goods[j]) + e.m.Trade.LogIndex[j] - e.m.Trade.BaseLogIndex[j] +
			math.Log((1+e.m.VAT[j])/(1+e.m.Base.VAT[j]))))
	}
	return 100 * math.Exp(log)
}

// coreIndex is the index of the prices of domestic goods without VAT (base month = 100).
func (e *Economy) coreIndex() float64 {
	log := 0.0
	for j, share := range e.shares {
		log += float64(share * math.Log(e.m.MeanPrice[j]/e.m.Base.Goods[j]))
	}
	return 100 * math.Exp(log)
}

// baseMonths is the memory of the smoothed tax bases.
const baseMonths = 12

// smoothing is the weight of the month in smoothed GDP and in the smoothed revenue of
// firms: a memory of about ten months. Chosen.
const smoothing = .1

// budgetMonths is over how long GDP at constant prices is smoothed, by which the government plans its purchases: they do
// not follow the cycle (in quarterly data their correlation with output is about 0). Chosen.
const budgetMonths = 36

// odds turn the share of vacancies in all posts, or of the unemployed in the labour force, into a ratio to the employed.
func odds(share float64) float64 { return share / max(1-share, leastUnemployment) }

// smoothAverages moves the averages that decisions of the next month use.
func (e *Economy) smoothAverages() {
	m, fl := &e.m, &e.flow
	m.GDPTrend += float64(smoothing * (m.NominalGDP - m.GDPTrend))
	usual := float64(m.BudgetTrend * ratio(*ring(m.CoreHistory[:], m.Month, 0), *ring(m.CoreHistory[:], m.Month, 1)))
	m.BudgetTrend = usual + (m.NominalGDP-usual)/budgetMonths
	m.IncomeTaxBase += (float64(fl.taxable) - m.IncomeTaxBase) / baseMonths
	m.VATBase += (float64(fl.consumption) - m.VATBase) / baseMonths
	m.UnemploymentTrend += (m.Slack - m.UnemploymentTrend) / e.p.WageMemoryMonths
	m.Shortage += (labourShortage(odds(e.record.Values[VacancyRate]), odds(m.Slack)) - m.Shortage) / e.p.WageMemoryMonths
}

// takeStatistics measures the month: national accounts, prices, labour market,
// distributions. It decides nothing.
func (e *Economy) takeStatistics() {
	v := e.surveyFirms()
	e.closing = e.countStocks(&v)
	e.flow.made, e.flow.sold, e.flow.delivered = v.made, v.sold, v.units[MaxIndustries]
	e.flow.inventoryChange = v.inventoryChange
	e.equityValue = positive(v.equity + float64(e.bankEquity()))
	e.record = Record{Month: e.experimentMonth()}
	e.measurePrices(&v)
	e.measureAccounts(&v)
	e.measureTrade()
	e.measureDistributions()
	e.measureDeciles()
	e.measureEmissions(&v)
	e.measureLabour(&v)
	e.measureFirms(&v)
	e.measureBanks()
}

// measurePrices updates mean prices and the price index.
func (e *Economy) measurePrices(v *firmSurvey) {
	m, out := &e.m, &e.record.Values
	for j := range m.MeanPrice {
		if v.units[j] > 0 {
			m.MeanPrice[j] = v.revenue[j] / v.units[j]
		}
	}
	offered, makers := 0.0, 0
	for k := e.consumptionFirms; k < e.firms(); k++ {
		if !e.dormant(k) {
			offered += e.f.price[k]
			makers++
		}
	}
	m.CapitalPrice = offered / float64(makers)
	productivity := ring(m.ProductivityHistory[:], m.Month, 0)
	*productivity = *ring(m.ProductivityHistory[:], m.Month, 1)
	if v.labour > 0 {
		m.MeanWage = v.wageTimesLabour / float64(v.labour)
		*productivity = v.productivityLabour / float64(v.labour)
	}
	e.measureImportPrices()
	out[CPI] = e.priceIndex()
	out[Inflation] = out[CPI]/(*ring(m.CPIHistory[:], m.Month, 12)) - 1
	e.record.Inflation = out[CPI]/(*ring(m.CPIHistory[:], m.Month, 1)) - 1
	*ring(m.CPIHistory[:], m.Month, 0) = out[CPI]
	*ring(m.CoreHistory[:], m.Month, 0) = e.coreIndex()
}

// measureAccounts computes the national accounts, in currency units.
func (e *Economy) measureAccounts(v *firmSurvey) {
	m, fl, out := &e.m, &e.flow, &e.record.Values
	gdp := float64(fl.gdpByExpenditure())
	prices := e.ownPrices()
	real, own := e.valuedAt(v, &m.Base), e.valuedAt(v, &prices)

	m.NominalGDP, m.OwnGDP = gdp, own.gdp
	*ring(m.GDPHistory[:], m.Month, 0) = gdp
	*ring(m.RealGDPHistory[:], m.Month, 0) = real.gdp
	*ring(m.DeficitHistory[:], m.Month, 0) = float64(-fl.governmentLending())
	yearly := sumRing(m.GDPHistory[:], m.Month, 0, 12)

	e.measureMoney()
	out[RealGDP] = real.gdp / subunit
	out[GDPDeflator] = 100 * ratio(gdp, real.gdp)
	out[GDPGrowth] = ratio(sumRing(m.RealGDPHistory[:], m.Month, 0, 3), sumRing(m.RealGDPHistory[:], m.Month, 12, 3)) - 1
	out[RealConsumption] = real.consumption / subunit
	out[RealInvestment] = real.investment / subunit
	e.record.RealPurchases = real.purchases / subunit
	e.record.RealPublicWages = real.staff / subunit
	e.record.RealInventoryChange = real.stocks / subunit
	e.record.Overtime = e.overtime
	out[SavingRate] = 1 - float64(fl.consumption+fl.vat)/max(float64(fl.disposable), 1)
	out[LabourShare] = float64(fl.wages) / max(gdp, 1)
	e.record.Government = fl.budget(e.rates.researchers)
	out[DeficitToGDP] = sumRing(m.DeficitHistory[:], m.Month, 0, 12) / max(yearly, 1)
	out[DebtToGDP] = float64(m.Debt) / max(yearly, 1)
	out[PolicyRate] = m.PolicyRate
	out[LoanRate] = e.rates.loan
	if fl.loansBearing > 0 {
		out[LoanRate] = 12 * float64(fl.loanInterest) / float64(fl.loansBearing)
	}

	m.OutputPerWorker = 0
	if v.heads > 0 {
		m.OutputPerWorker = own.goods / float64(v.heads)
		out[LabourProductivity] = 100 * ratio(real.goods/float64(v.heads), m.BaseProductivity)
	}
}

// measureMoney reports sums of money as they stand in the books.
func (e *Economy) measureMoney() {
	fl, c := &e.flow, &e.closing
	for _, booked := range [...]struct {
		as  Indicator
		sum int64
	}{
		{NominalGDP, fl.gdpByExpenditure()},
		{TaxIncome, fl.incomeTax},
		{TaxVAT, fl.vat},
		{TaxCorporate, fl.firmsCorporateTax + fl.bankCorporateTax},
		{TaxLevy, fl.levy},
		{TaxRobot, fl.robotTax},
		{TaxTariff, fl.tariff},
		{TaxRevenue, fl.taxes()},
		{GovernmentSpending, fl.spending()},
		{Exports, fl.exports},
		{Imports, fl.imports},
		{MoneyStock, c.householdDeposits + c.firmDeposits},
		{CreditStock, c.loans},
		{BankEquity, c.bankEquity},
	} {
		e.record.Values[booked.as] = float64(booked.sum) / subunit
	}
}

// measureDistributions merges the workers' histograms of the households.
func (e *Economy) measureDistributions() {
	all := e.overSpreads((*Economy).survey)
	e.measureExposure(all)
	d, out := &e.record.Households, &e.record.Values
	d.Income, d.Consumption = all.income.distribution(), all.consumption.distribution()
	d.Wealth, d.Wage = all.wealth.distribution(), all.wage.distribution()
	out[IncomeGini], out[WealthGini] = d.Income.Gini, d.Wealth.Gini
	out[PovertyRate] = all.income.shareBelow(povertyLine * d.Income.P50 * subunit)
	out[RealWageMedian] = 100 * d.Wage.P50 / out[CPI]
	if d.Income.P50 > 0 {
		e.m.MedianIncome = d.Income.P50 * subunit
	}
	d.measureAges(&all.byAge)
	d.measureWork(&all.byWork)
	d.Tenths = all.tenths()
	d.measureStanding(&all.byStanding)
	if d.Wage.P50 > 0 {
		e.m.MedianWage = d.Wage.P50 * subunit
	}
}

// measureLabour computes the rates of the labour market.
func (e *Economy) measureLabour(v *firmSurvey) {
	m, out := &e.m, &e.record.Values
	n, employed := max(float64(e.people.present), 1), float64(e.closing.employed)
	m.Unemployment = 1 - ratio(employed, float64(e.people.force))
	m.Slack = m.Unemployment + ratio(float64(e.f.heads[e.programme()]), max(float64(e.people.force), 1))
	posted, open := 0.0, 0.0
	for i := range e.f.open[:e.programme()] {
		posted += float64(e.f.posted[i])
		open += float64(e.f.open[i])
	}
	vacant := float64(.5 * (posted + open))
	out[UnemploymentRate] = m.Unemployment
	out[EmploymentRate] = employed / n
	out[JobGuaranteeEmployment] = m.Slack - m.Unemployment
	out[Population] = float64(e.people.present)
	out[ParticipationRate] = float64(e.people.force) / n
	out[VacancyRate] = vacant / max(vacant+employed, 1)
	out[JobFindingRate] = float64(e.seekers.found) / max(float64(e.seekers.unemployed), 1)
	out[SeparationRateObserved] = float64(e.separations) / max(float64(e.opening.employed), 1)
	out[NominalWageMean] = float64(e.flow.wages) / max(employed, 1) / subunit
	out[RealWageMean] = 100 * out[NominalWageMean] / out[CPI]
	e.record.Firms.Vacancies = int(open)
}

// measureFirms computes market structure.
func (e *Economy) measureFirms(v *firmSurvey) {
	out, f := &e.record.Values, &e.record.Firms
	revenue, markUp, hhi, all := 0.0, 0.0, 0.0, 0.0
	for j, r := range v.revenue {
		all += r
		if j >= e.industries() && j < MaxIndustries {
			continue // no industry of this economy
		}
		if r <= 0 {
			nan := math.NaN()
			f.Price[j], f.MarkUp[j], f.HHI[j], f.CR4[j] = nan, nan, nan, nan
			continue
		}
		f.Revenue[j] = r / subunit
		f.Price[j] = e.m.MeanPrice[j] / subunit
		f.HHI[j], f.CR4[j] = v.concentration[j]/r, v.largest[j]/r
		f.MarkUp[j] = v.markUpRevenue[j] / r
		if j < MaxIndustries {
			revenue += r
			markUp += v.markUpRevenue[j]
			hhi += float64(f.HHI[j] * r)
		}
	}
	f.Sizes = v.sizes
	f.MeanSize = float64(v.heads) / float64(v.active)
	f.Inventories = v.inventoryValue / subunit
	out[MarkUp], out[HHI] = markUp/max(revenue, 1), hhi/max(revenue, 1)
	out[CapacityUtilisation] = e.output / max(e.fullOutput, leastSales)
	out[Bankruptcies], out[FirmEntries], out[FirmExits] = float64(e.defaults), float64(e.founded), float64(e.defaults+e.closures)
	out[FirmCount] = float64(v.active)
	out[AIAdoptionShare] = v.automatedRevenue / max(all, 1)
	f.Adopters, f.Adoptions = int(e.m.Adopters), e.adoptions
	f.Innovations = e.innovations
	for _, n := range e.innovations {
		out[InnovationEvents] += float64(n)
	}
}

package sim

import "math"

// Rules of thumb of firms. They were chosen with the structure and are not searched in the
// calibration (docs/CALIBRATION.md).
const (
	mostRaise    = 5       // yearly raise of a wage, share; none is below 0: wages are rigid downwards
	roundChance  = 1. / 12 // a month, of a wage round
	longestRound = 60      // months for which a round makes up at most
	growthYears  = 3       // over which bargaining looks at the growth of productivity
	highWage     = 1.1     // multiple of the mean wage from which a firm without vacancies may lower its own
	cutChance    = .1      // a month, that it does
	cutStep      = .5      // of a step up
	backlogShare = .65     // of the backlog that makers of capital goods work off, and of the gap that they close in a month; chosen
	orderShare   = .5      // of expected orders that they make ahead
	borrowBelow  = .4      // buffers of money below which a firm borrows
	borrowUpTo   = .6      // buffers that it borrows up to
	payOutAbove  = 1.6     // buffers of money above which it pays dividends
	loanReserve  = .02     // of loans, kept for repayment
)

// leastUnemployment keeps the log of tightness finite.
const leastUnemployment = 1e-4

// wageIndexation is the yearly raise: expected inflation, productivity growth
// and the tightness of the labour market over the past years, never below 0. Unemployment
// counts by its log, so that wages rise without end where nobody is out of work; so do vacancies
// from where they outnumber the unemployed (Benigno and Eggertsson 2023, NBER 31197: the Phillips curve is steep
// from one vacancy per unemployed).
func wageIndexation(p *Params, expectedInflation, productivityGrowth, unemployment, shortage float64) float64 {
	tightness := math.Log(p.NaturalUnemploymentRate/max(unemployment, leastUnemployment)) + shortage
	raise := float64(p.WageInflationIndexation*expectedInflation) +
		float64(p.WageProductivityIndexation*positive(productivityGrowth)) +
		float64(p.WageUnemploymentSensitivity*p.NaturalUnemploymentRate*tightness)
	return clip(raise, 0, mostRaise)
}

// labourShortage is the log of vacancies per unemployed, 0 up to one.
func labourShortage(vacancies, unemployed float64) float64 {
	return math.Log(max(vacancies/max(unemployed, leastUnemployment), 1))
}

// raiseWages runs the month's wage decisions of firms. Rounds look at the growth of
// productivity over three years.
func (e *Economy) raiseWages() {
	old := *ring(e.m.ProductivityHistory[:], e.m.Month, 12*growthYears+1)
	last := *ring(e.m.ProductivityHistory[:], e.m.Month, 1)
	e.rates.productivity = math.Pow(last/old, 1./growthYears) - 1
	e.movePremiums()
	e.overFirms((*Economy).setWages)
}

// setWages: rounds at random months, a year apart on average, which make up for the months since the last
// (Barattieri, Basu and Gottschalk 2014, American Economic Journal: Macroeconomics 6(1)); more where posts stay
// empty; less where wages are high and nothing is posted (Delli Gatti et al. 2011, ch. 3).
func (e *Economy) setWages(s span) {
	p := &e.p
	draws := e.draws(forWages)
	raise := 1 + wageIndexation(p, e.m.ExpectedInflation, e.rates.productivity, e.m.UnemploymentTrend, e.m.Shortage)
	for i := s.lo; i < s.hi; i++ {
		w := e.f.wage[i]
		if e.f.sinceRound[i]++; draws.uniform(i, 2) < roundChance {
			w *= math.Pow(raise, float64(min(e.f.sinceRound[i], longestRound))/12)
			e.f.sinceRound[i] = 0
		} else if e.f.sinceRound[i] == math.MaxUint8 {
			e.f.sinceRound[i] = longestRound
		}
		switch {
		case 2*e.f.open[i] > e.f.posted[i]:
			w *= 1 + float64(p.WageAdjustmentRate*draws.uniform(i, 0))
		case e.f.posted[i] == 0 && w > highWage*e.m.MeanWage && draws.uniform(i, 1) < cutChance:
			w *= 1 - float64(cutStep*p.WageAdjustmentRate*draws.uniform(i, 0))
		}
		e.f.wage[i] = w
	}
}

// plannedOutput of a consumption firm closes a part of the gap between stock
// and target, within capacity (Caiani et al. 2016, eq. 3.1, with monthly
// adjustment).
func plannedOutput(sales, inventory, target, months, capacity float64) float64 {
	return min(positive(sales+(target-inventory)/months), capacity)
}

// plannedCapitalOutput works off most of the backlog and makes half of
// expected orders ahead; in a steady state the backlog is 1.2 months of sales.
func plannedCapitalOutput(sales, backlog, inventory float64) float64 {
	return float64(backlogShare*positive(float64(backlogShare*backlog)-float64(backlogShare*inventory))) + float64(orderShare*sales)
}

// targetStock is the stock that a consumption firm wants: so many months of expected sales, and against the chances of
// few customers and few workers a safety stock that grows with the root of its size.
func (e *Economy) targetStock(i int) float64 {
	target := float64(e.p.TargetInventoryRatio * e.f.sales[i])
	if e.p.SafetyStock > 0 {
		target += float64(e.p.SafetyStock * math.Sqrt(e.f.sales[i]*e.perWorker(i)))
	}
	return target
}

// capacity is what the capital of a consumption firm can make in a month.
func (e *Economy) capacity(i int) float64 {
	return e.scaled(float64(e.p.CapitalProductivity*e.f.capital[i]), i, capacityElasticity)
}

// units turns an amount of capital goods in goodUnits into units.
func units(q int64) float64 { return float64(q) / goodUnit }

func (e *Economy) planProduction(s span) {
	limited := e.p.CapacityFactorsByIndustry != NoRates
	for i := s.lo; i < s.hi; i++ {
		e.f.intensity[i] = e.intensity(i, e.f.sales[i])
		if e.isCapital(i) {
			e.f.plan[i] = plannedCapitalOutput(e.f.prospect[i], units(e.f.backlog[i]), e.f.inventory[i])
		} else {
			wanted := plannedOutput(e.f.sales[i], e.f.inventory[i], e.targetStock(i), e.p.InventoryAdjustmentMonths,
				e.mostOutput(i))
			e.f.plan[i] = max(wanted, min(e.p.MinProductionPerProduct, e.mostOutput(i)))
			if limited {
				e.f.plan[i] = min(e.f.plan[i], e.capacityFactors[e.industryOf(i)]*e.mostOutput(i))
			}
		}
	}
}

const (
	markUpFloor   = .08
	markUpCeiling = 1
	stockBand     = .15 // of the target stock, within which a mark-up stays
	backlogHigh   = 1.4 // months of sales
	backlogLow    = .95
)

// nextMarkUp moves the mark-up a random step (u is a uniform draw) against the
// gap of the stock and a part of the way to its norm.
func nextMarkUp(markUp, norm, direction, step, reversion, u float64) float64 {
	markUp = float64(markUp * (1 + float64(direction*step*u)))
	markUp += float64(reversion * (norm - markUp))
	return clip(markUp, markUpFloor, markUpCeiling)
}

// pricePressure is +1 where goods are scarce, -1 where they pile up.
func pricePressure(stock, target, band float64) float64 {
	switch {
	case stock < (1-band)*target:
		return 1
	case stock > (1+band)*target:
		return -1
	}
	return 0
}

// backlogPressure is the same for a firm that makes to order.
func backlogPressure(backlog, sales float64) float64 {
	switch {
	case backlog > backlogHigh*sales:
		return 1
	case backlog < backlogLow*sales:
		return -1
	}
	return 0
}

// priceHazard is the monthly probability that a firm resets its price, where the price that it wants is a multiple of
// the one that it has: it rises with the square of the gap, as under menu costs (Caballero and Engel 1993, The
// Economic Journal 103(417)).
func priceHazard(p *Params, multiple float64) float64 {
	gap := math.Log(multiple) / p.PriceGapTolerance
	return p.PriceAdjustmentProbability + float64(gap*gap)
}

// staffPerLine is the number of workers from which a firm has one more line of products, with a price of its own: firms
// with more products change prices more often and by less (Bhattarai and Schoenle 2014, Journal of Monetary Economics
// 66). Chosen.
const staffPerLine = 10

// ProductLines is the number of lines of products of a firm with a number of employees.
func ProductLines(staff int) int { return 1 + staff/staffPerLine }

// repriced is the share of a firm's product lines that change their prices in a month, where each does with a
// probability: a whole number of lines, with that mean (u is a uniform draw).
func repriced(lines int, hazard, u float64) float64 {
	return min(math.Floor(float64(float64(lines)*hazard)+u)/float64(lines), 1)
}

func (e *Economy) setPrices(s span) {
	p := &e.p
	draws := e.draws(forPrices)
	for i := s.lo; i < s.hi; i++ {
		norm, pressure := p.ConsumptionMarkUp, 0.0
		if e.isCapital(i) {
			norm, pressure = p.CapitalMarkUp, backlogPressure(units(e.f.backlog[i]), e.f.sales[i])
		} else {
			pressure = pricePressure(e.f.inventory[i], e.targetStock(i), stockBand)
		}
		e.f.markUp[i] = nextMarkUp(e.f.markUp[i], norm, pressure, p.PriceAdjustmentRate, p.MarkUpReversion, draws.uniform(i, 0))
		wanted := (1 + e.f.markUp[i]) * e.priced(i)
		if gap := wanted / e.f.price[i]; p.EnablePriceAdjustment {
			if part := repriced(ProductLines(int(e.f.heads[i])), priceHazard(p, gap), draws.uniform(i, 1)); part == 1 {
				e.f.price[i] = wanted
			} else if part > 0 {
				e.f.price[i] *= math.Pow(gap, part)
			}
		}
	}
}

// creditLine is what the bank would still lend to a firm with a limit, in subunits.
func creditLine(factor, limit, loans float64) float64 { return factor * positive(limit-loans) }

// matureMonths is the age from which a firm is judged by its earnings.
const matureMonths = 24

// creditLimit is the debt that a bank allows against some assets: a part of them, and at most some years' earnings
// before interest, tax and wear (Lian and Ma 2021, Quarterly Journal of Economics 136(1)).
func (e *Economy) creditLimit(i int, assets float64) float64 {
	limit := float64(e.p.MaxLeverage * assets)
	if e.p.CashFlowLimit > 0 && e.f.age[i] >= matureMonths {
		limit = min(limit, 12*e.p.CashFlowLimit*positive(e.f.earnings[i]))
	}
	return float64(e.p.CreditSupplyFactor * limit)
}

// leverage of a firm, at most 1: one that owns nothing pays no more than one that owes all.
func (e *Economy) leverage(i int) float64 {
	return min(1, float64(e.f.loans[i])/max(1, e.bookAssets(i)))
}

// bookAssets of a firm: capital at the market price, stock at cost, money.
func (e *Economy) bookAssets(i int) float64 {
	return float64(e.f.capital[i]*e.m.CapitalPrice) + float64(e.f.inventory[i]*e.unitCost(i)) + positive(float64(e.f.deposits[i]))
}

// creditLine is what the bank would still lend to a firm, in subunits.
func (e *Economy) creditLine(i int) float64 {
	return creditLine(e.rates.creditFactor[e.bankOfFirm(i)], e.creditLimit(i, e.bookAssets(i)), float64(e.f.loans[i]))
}

// labourDemand is the labour for planned output and research, capped by what
// can be paid: money, credit line and a share of revenue.
func labourDemand(plan, productivity, research, wage, means float64) float64 {
	return min(plan/productivity+research, positive(means)/wage)
}

// vacancies are the posts that replace those who leave and fill the gap, in
// heads, rounded by the uniform draw u so that their mean is exact.
func vacancies(demand, labour, separation, meanSkill, u float64) int32 {
	return int32(math.Floor(positive(demand-float64((1-separation)*labour))/meanSkill + u))
}

// sought is the labour that a firm seeks in a month: all that it wants to keep, and a part of what it lacks, because
// posts take time to be approved and advertised (Davis, Faberman and Haltiwanger 2013, Quarterly Journal of Economics
// 128(2)). What it has too much of it dismisses at a rate of its own.
func sought(wanted, labour, rate float64) float64 {
	if rate == 1 || labour == 0 || wanted <= labour {
		return wanted
	}
	return labour + float64(rate*(wanted-labour))
}

// leastLabour is the demand, in units of labour, from which an idle firm hires.
const leastLabour = .35

func (e *Economy) demandLabour(s span) {
	p := &e.p
	draws := e.draws(forVacancies)
	licences := licenceShare(p)
	for i := s.lo; i < s.hi; i++ {
		e.f.age[i]++
		wage := e.f.wage[i] * e.f.wagePremium[i]
		research := 0.0
		if p.EnableInnovation {
			research = p.InnovationResearchShare * e.f.revenueTrend[i] / (wage * (1 - p.ResearchSubsidyRate))
		}
		e.f.research[i] = research
		means := positive(float64(e.f.deposits[i])) + float64(p.CreditSupplyFactor*e.creditLine(i)) +
			float64(p.ProfitToProductionRatio*e.f.revenueTrend[i])
		if e.f.automated[i] > 0 {
			means -= float64(licences * e.wagesSaved(i, e.f.plan[i]))
		}
		wanted := labourDemand(e.f.plan[i], e.perWorker(i)/e.intensity(i, e.f.plan[i]), research, wage, means)
		labour := float64(e.f.labour[i]) / skillUnit
		if p.OvertimeLimit > 0 {
			e.f.wanted[i] = wanted
		}
		wanted = sought(wanted, labour, p.HiringRate)
		e.f.layoff[i], e.f.posted[i], e.f.short[i], e.f.subsidy[i] = 0, 0, 0, 0
		switch {
		case e.f.heads[i] == 0 && wanted > leastLabour:
			e.f.posted[i] = max(1, vacancies(wanted, 0, 0, e.m.MeanSkill, draws.uniform(i, 0)))
		case labour > wanted:
			surplus := (labour - wanted) / labour
			e.f.short[i] = p.JobRetentionShare * surplus
			if p.EnableDismissal {
				e.f.layoff[i] = p.DismissalRate * (labour - wanted) / labour * (1 - p.JobRetentionShare)
			}
		default:
			e.f.posted[i] = vacancies(wanted, labour, p.SeparationRate+e.quitRate(i), e.m.MeanSkill, draws.uniform(i, 0))
		}
		e.f.open[i] = e.f.posted[i]
		e.f.wageBill[i] = 0
	}
}

// overtime is the share of hours beyond the normal ones that a firm has worked which lacks labour.
func overtime(wanted, labour, limit float64) float64 {
	if labour == 0 {
		return 0
	}
	return clip(wanted/labour-1, 0, limit)
}

// setHours lets the staff that firms have after the month's hiring work overtime.
func (e *Economy) setHours(s span) {
	for i := s.lo; i < s.hi; i++ {
		if extra := overtime(e.f.wanted[i], float64(e.f.labour[i])/skillUnit, e.p.OvertimeLimit); extra > 0 {
			e.f.short[i] = -extra
			s.sum.real[sumOvertime] += float64(extra * float64(e.f.heads[i]))
		}
	}
}

// runProduction pays wages and makes the month's output.
func (e *Economy) runProduction() {
	t := e.overFirms((*Economy).produce)
	e.flow.firmWages, e.flow.subsidies = t.count[sumFirmWages], t.count[sumSubsidies]
	e.flow.researchSubsidies = t.count[sumResearchSubsidies]
	e.flow.robotTax = t.count[sumRobotTax]
	e.shareLicences(t.count[sumLicences])
	e.output, e.fullOutput = t.real[sumOutput], t.real[sumCapacity]
}

// produce pays the wages that fell due and makes the month's output.
func (e *Economy) produce(s span) {
	for i := s.lo; i < s.hi; i++ {
		e.f.deposits[i] -= e.f.wageBill[i]
		s.sum.count[sumFirmWages] += e.f.wageBill[i]
		labour := float64(float64(e.f.labour[i]) / skillUnit * (1 - e.f.short[i]))
		if due := e.f.wage[i] * labour; due > 0 {
			e.f.wagePremium[i] = max(1, float64(e.f.wageBill[i])/due) * (1 - refunded(e.f.subsidy[i], e.f.wageBill[i]))
		}
		research := researchSubsidy(e.p.ResearchSubsidyRate, min(labour, e.f.research[i]), e.f.wage[i]*e.f.wagePremium[i])
		e.f.subsidy[i] += research
		s.sum.count[sumResearchSubsidies] += research
		e.f.deposits[i] += e.f.subsidy[i]
		s.sum.count[sumSubsidies] += e.f.subsidy[i]
		y := min(e.outputOf(i, positive(labour-e.f.research[i])), e.f.plan[i])
		if !e.isCapital(i) {
			y = min(y, e.mostOutput(i))
			s.sum.real[sumCapacity] += e.capacity(i)
			s.sum.real[sumOutput] += y
		}
		e.f.licence[i] = 0
		if e.f.automated[i] > 0 {
			e.payLicences(s.sum, i, y)
		}
		e.f.output[i] = y
		e.f.inventory[i] += y
	}
}

// dividend pays out a share of the money above some payroll buffers and a reserve for loans.
func dividend(deposits, buffer, loans, payout float64) int64 {
	return int64(payout * positive(deposits-float64(payOutAbove*buffer)-float64(loanReserve*loans)))
}

// settleFirms closes the month's accounts of firms: interest, tax,
// amortisation, borrowing or dividend, expectations.
func (e *Economy) settleFirms(s span) {
	p := &e.p
	t := s.sum
	for i := s.lo; i < s.hi; i++ {
		d, l := e.f.deposits[i], e.f.loans[i]
		interestIn := int64(positive(float64(d)) * e.rates.deposit / 12)
		bank := &e.ledgers[s.worker][e.bankOfFirm(i)]
		interestOut := int64(float64(l) * (e.rates.loan + float64(p.LeveragePremium*e.leverage(i))) / 12)
		levy := int64(e.f.levy[i] * float64(e.f.revenue[i]))
		wear := float64(p.DepreciationRate * e.f.capital[i] * e.m.CapitalPrice)
		profit := float64(e.f.revenue[i]+interestIn+e.f.subsidy[i]-e.f.wageBill[i]-interestOut+e.f.licence[i]-levy) - wear
		tax := taxOn(profit, p.CorporateTaxRate)
		d += interestIn - interestOut - tax - levy
		repaid := min(int64(p.AmortisationRate*float64(l)), max(d, 0)) // of free cash: no firm fails of a repayment
		d -= repaid
		l -= repaid
		e.f.deposits[i], e.f.loans[i] = d, l

		buffer := p.LiquidityBuffer * float64(e.f.wageBill[i])
		if float64(d) < borrowBelow*buffer {
			lent := int64(float64(p.CreditSupplyFactor * min(float64(borrowUpTo*buffer)-float64(d), e.creditLine(i))))
			e.f.deposits[i] += lent
			e.f.loans[i] += lent
			t.count[sumNewLoans] += lent
		} else if e.f.age[i] >= launchMonths { // what its owners paid in stays while a firm is launched
			paid := dividend(float64(d), buffer, float64(l), p.PayoutRate)
			e.f.deposits[i] -= paid
			t.count[sumDividendsPaid] += paid
		}
		t.count[sumLoans] += l + repaid
		t.count[sumDepositInterest] += interestIn
		t.count[sumLoanInterest] += interestOut
		bank.depositInterest += interestIn
		bank.loanInterest += interestOut
		t.count[sumCorporateTax] += tax
		t.count[sumLevy] += levy
		t.count[sumRepaid] += repaid

		e.f.sales[i] += float64(p.ExpectationAdjustment * (e.f.demand[i] - e.f.sales[i]))
		e.f.prospect[i] += (e.f.sales[i] - e.f.prospect[i]) / p.InvestmentMemoryMonths
		e.learnQuits(i)
		e.f.revenueTrend[i] += float64(smoothing * (float64(e.f.revenue[i]) - e.f.revenueTrend[i]))
		earned := float64(e.f.revenue[i] + e.f.subsidy[i] + e.f.licence[i] - e.f.wageBill[i] - levy)
		e.f.earnings[i] += float64(smoothing * (earned - e.f.earnings[i]))
	}
}

// settleAccounts closes the accounts of all firms.
func (e *Economy) settleAccounts() {
	t := e.overFirms((*Economy).settleFirms)
	fl := &e.flow
	fl.firmDepositInterest, fl.loanInterest = t.count[sumDepositInterest], t.count[sumLoanInterest]
	fl.loansBearing, fl.repaid = t.count[sumLoans], t.count[sumRepaid]
	fl.newLoans += t.count[sumNewLoans]
	fl.firmsCorporateTax, fl.dividendsPaid = t.count[sumCorporateTax], t.count[sumDividendsPaid]
	fl.levy = t.count[sumLevy]
	e.m.Pool += fl.dividendsPaid
}

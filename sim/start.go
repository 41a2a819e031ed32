package sim

import (
	"math"
	"slices"
)

// familySizes holds the share of households with 1 to 6 members (United
// States, Census Bureau, Historical Households Table HH-4, 2019; rounded).
var familySizes = [...]float64{.28, .35, .15, .13, .06, .03}

const (
	startWealthMonths = 8    // deposits at the start, months of income per unit of saving type
	startFirmTail     = 1.06 // Pareto exponent of firm weights at the start, near that of later years
	startLoanShare    = .25  // loans / capital at the start
	startEquityShare  = .12  // bank equity / loans at the start
	shareholders      = .53  // share of families that own stock (Survey of Consumer Finances 2019)
	equityTail        = 1.4  // Pareto exponent of the ownership of firms among them
	equityGrain       = 1000 // weight of the smallest owner
	equityCap         = 1e6  // largest weight, in multiples of the smallest
	maxLinks          = 8    // suppliers per industry, at most

	// Guesses from which the burn-in begins.
	startIncomeShare = .9   // disposable income / wage
	startTaxBase     = .6   // bases of income tax and VAT / GDP
	startMakerLabour = 1.1  // labour of makers of capital goods for the wear of what a unit of labour uses
	startLabour      = 1.04 // labour for a unit of expected sales, with research and stocks
	startWageSpread  = .02  // width of the uniform distribution of wages / mean wage
	startLeastSales  = .5   // units a month that a firm expects to sell
	startAges        = 120  // months over which ages of firms are spread
)

// New returns an economy at its start, before its first month. threads is the
// number of threads a month may use, 0 for all cores; it changes no result.
// The caller must Close the economy. Parameters out of range are refused with
// the error of [Params.Validate].
func New(p Params, threads int) (*Economy, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	e := allocate(p, threads)
	e.populate()
	e.linkHouseholds()
	e.found()
	e.firstJobs()
	e.firstBalances()
	v := e.surveyFirms()
	e.opening = e.countStocks(&v)
	return e, nil
}

// Close ends the goroutines of the economy. It may be read, not stepped, after.
func (e *Economy) Close() { e.workers.close() }

// populate draws the households.
func (e *Economy) populate() {
	e.m.TaxScale = 1
	e.m.Unemployment = 1 - e.p.FirstMonthJobRate
	e.m.UnemploymentTrend, e.m.Slack = e.m.Unemployment, e.m.Unemployment
	e.m.ExpectedInflation = e.p.InflationTarget
	e.m.FundingCost = e.p.NaturalRealRate + usualPremium
	e.m.PolicyRate = e.p.NaturalRealRate + e.p.InflationTarget
	e.m.MeanWage, e.m.MedianWage, e.m.IndexedWage = startWage, startWage, startWage
	e.m.FirstMonth = int64(e.p.BurnInMonths)
	e.m.ProductivityScale = 100
	e.m.SpendingScale = 1
	e.m.VAT = e.byIndustry(e.p.VATRatesByIndustry, e.p.VATRate)

	skill, saving := e.draws(forSkill), e.draws(forSavingType)
	equity, family, exposed := e.draws(forEquityShare), e.draws(forFamilySize), e.draws(forExposure)
	skills := int64(0)
	for h := range e.h.skill {
		e.h.skill[h] = drawSkill(skill.normal(h, 0), e.p.SkillDispersion, e.p.SkillTail)
		skills += int64(e.h.skill[h])
		if equity.uniform(h, 1) < shareholders {
			e.h.equity[h] = e.firstShare(equity.uniform(h, 0))
		}
		e.m.EquityUnit += int64(e.h.equity[h])
		k := e.drawSaver(saving.uniform(h, 0), e.h.equity[h] > 0)
		members := pick(family.uniform(h, 0), len(familySizes), func(i int) float64 { return familySizes[i] })
		e.h.traits[h] = uint8(k | members<<2)
		e.h.exposure[h] = uint8(exposed.below(h, 0, NumExposureGroups))
		e.h.permanent[h] = startIncomeShare * startWage * float64(e.h.skill[h]) / skillUnit
		e.h.deposits[h] = floorMoney(e.firstWealth(k) * e.h.permanent[h])
		e.h.lastWage[h] = floorMoney(startWage * float64(e.h.skill[h]) / skillUnit)
		e.h.employer[h] = nobody
		e.h.spending[h] = floorMoney(e.h.permanent[h])
		e.h.planned[h] = e.h.spending[h]
	}
	copy(e.h.ability, e.h.skill)
	e.m.MeanSkill = float64(skills) / skillUnit / float64(e.households())
	e.m.MedianIncome = startIncomeShare * startWage * math.Exp(-.5*e.p.SkillDispersion*e.p.SkillDispersion)
	e.firstPeople()
}

// linkHouseholds draws the first suppliers of households, in proportion to the sizes with
// which firms are founded.
func (e *Economy) linkHouseholds() {
	e.urn.fill(e, e.shopStart, func(e *Economy, i int) int64 {
		if e.dormant(i) {
			return 0
		}
		r, _ := slices.BinarySearch(e.shopStart, int32(i+1)) // the range after the firm's
		first, n := int(e.shopStart[r-1]), int(e.founders[r-1])
		return int64(1000 * pareto(1-(float64(i-first)+.5)/float64(n), startFirmTail))
	})
	first := e.draws(forFirstSupplier)
	per := e.linksPerIndustry
	row := 0
	for h := range e.households() {
		for j := range e.industries() {
			for l := range per {
				r := e.rangeOf(j, e.marketOf(h))
				i := e.urn.draw(r, first.bits(h, j*maxLinks+l))
				for slices.Contains(e.h.suppliers[row-l:row], i) || e.dormant(int(i)) { // the next firm that is not a supplier yet
					if i++; i == e.shopStart[r+1] {
						i = e.shopStart[r]
					}
				}
				e.h.suppliers[row] = i
				e.f.customers[i]++
				row++
			}
		}
	}
}

// found draws the firms. Labour left for them after the government's is shared so that
// every good that is made is bought: consumption goods by customers, capital goods by the
// wear of the capital that makes them.
func (e *Economy) found() {
	p := &e.p
	n, force := float64(e.households()), float64(e.people.force)
	labour := force * positive(p.FirstMonthJobRate-p.GovernmentEmploymentShare)
	wear := p.DepreciationRate / (p.CapitalProductivity * p.TargetUtilisation)
	total := labour / ((1 + float64(startMakerLabour*wear)) * startLabour)
	draws, seller := e.draws(forStartValues), e.draws(forFirstSeller)
	orders := make([]float64, e.firms()) // share of each capital firm's customers in all sales
	for i := range e.firms() {           // capital firms come last
		share := 0.0
		e.f.supplier[i] = nobody
		if e.isCapital(i) {
			share = wear * orders[i]
			e.f.markUp[i] = p.CapitalMarkUp
		} else {
			j := e.industryOf(i)
			share = e.shares[j] * float64(e.f.customers[i]) / (n * float64(e.linksPerIndustry))
			e.f.markUp[i] = p.ConsumptionMarkUp
			e.f.supplier[i] = e.urn.draw(e.capitalRange(), seller.bits(i, 0))
			orders[e.f.supplier[i]] += share
		}
		e.f.quality[i], e.f.productivity[i], e.f.wagePremium[i] = 1, 1, 1
		e.f.sinceRound[i] = uint8(draws.below(i, 1, 12))
		e.f.wage[i] = startWage * (1 + float64(startWageSpread*(draws.uniform(i, 0)-.5)))
		e.f.price[i] = (1 + e.f.markUp[i]) * e.levied(i)
		if e.dormant(i) {
			continue
		}
		e.f.age[i] = int32(launchMonths + i%startAges)
		e.f.sales[i] = max(total*share, startLeastSales)
		e.f.plan[i], e.f.prospect[i] = e.f.sales[i], e.f.sales[i]
		e.f.revenueTrend[i] = e.f.sales[i] * e.f.price[i]
		e.f.earnings[i] = e.f.revenueTrend[i] * e.f.markUp[i] / (1 + e.f.markUp[i])
		if !e.isCapital(i) {
			e.f.inventory[i] = p.TargetInventoryRatio * e.f.sales[i]
			e.f.capital[i] = e.f.sales[i] / (p.CapitalProductivity * p.TargetUtilisation)
		}
	}
	e.f.wage[e.government()] = startWage
	e.m.CapitalPrice = (1 + p.CapitalMarkUp) * startWage
	e.m.GDPTrend = startWage * (float64(total*(1+p.ConsumptionMarkUp)) + float64(total*wear*(1+p.CapitalMarkUp)) +
		float64(force*p.GovernmentEmploymentShare))
}

// firstJobs employs first_month_job_rate of the households, at the government
// and at firms in proportion to their need of labour.
func (e *Economy) firstJobs() {
	e.urn.fill(e, e.everyFirm, func(e *Economy, i int) int64 {
		if i == int(e.programme()) {
			return 0
		}
		if i == int(e.government()) {
			return int64(1000 * e.p.GovernmentEmploymentShare * float64(e.people.force))
		}
		return int64(1000 * startLabour * e.f.sales[i])
	})
	job := e.draws(forFirstJob)
	for h := range e.households() {
		if job.uniform(h, 0) >= e.p.FirstMonthJobRate || !e.inForce(h) {
			continue
		}
		i := e.urn.draw(0, job.bits(h, 1))
		e.h.employer[h] = i
		e.f.labour[i] += int64(e.h.skill[h])
		e.f.heads[i]++
	}
}

// firstBalances gives firms and bank their balance sheets; public debt closes
// the identity of money.
func (e *Economy) firstBalances() {
	var deposits, loans int64
	for _, d := range e.h.deposits {
		deposits += d
	}
	for i := range e.firms() {
		payroll := float64(e.f.labour[i]) / skillUnit * e.f.wage[i]
		e.f.deposits[i] = floorMoney(e.p.LiquidityBuffer * payroll)
		e.f.loans[i] = floorMoney(startLoanShare * e.f.capital[i] * e.m.CapitalPrice)
		deposits += e.f.deposits[i]
		loans += e.f.loans[i]
	}
	accounts, _ := e.countAccounts()
	for b := range e.p.NumBanks {
		e.m.Banks[b].Equity = floorMoney(startEquityShare * float64(accounts[b].loans))
	}
	if e.p.EnableTrade {
		e.m.Trade.Deposits = floorMoney(e.p.PublicDebtAbroad * 12 * e.m.GDPTrend)
	}
	e.m.Debt = deposits + e.m.Trade.Deposits + e.bankEquity() - loans
	e.settleReserves()
	e.m.DebtRatio = float64(e.m.Debt) / (12 * e.m.GDPTrend)
	e.m.TaxScale = nextTaxScale(&e.p, 1, e.m.DebtRatio, e.p.DebtTarget)
	fill(e.m.GDPHistory[:], e.m.GDPTrend)
	fill(e.m.RealGDPHistory[:], e.m.GDPTrend)
	e.m.BudgetTrend = e.m.GDPTrend
	fill(e.m.CPIHistory[:], 100)
	fill(e.m.CoreHistory[:], 100)
	fill(e.m.MeanPrice[:], (1+e.p.ConsumptionMarkUp)*startWage)
	e.m.MeanPrice[MaxIndustries] = e.m.CapitalPrice
	for i := range e.m.PriceHistory {
		for j := range e.m.PriceHistory[i] {
			e.m.PriceHistory[i][j] = e.m.MeanPrice[j] * (1 + e.m.VAT[j])
		}
	}
	e.m.NominalGDP, e.m.OwnGDP = e.m.GDPTrend, e.m.GDPTrend
	e.m.IncomeTaxBase, e.m.VATBase = startTaxBase*e.m.GDPTrend, startTaxBase*e.m.GDPTrend
	e.m.OutputPerWorker = e.m.MeanPrice[0]
	e.rebase()
	fill(e.m.ProductivityHistory[:], 1)
}

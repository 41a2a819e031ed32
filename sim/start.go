package sim

import (
	"math"
	"runtime"
	"slices"
	"unsafe"
)

// savingTypes are the wanted stocks of wealth, in months of smoothed income,
// with the share of households that have each (MODEL.md section 2).
var savingTypes = [...]struct{ months, share float64 }{{.1, .30}, {.9, .55}, {3.2, .15}}

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
	e.found()
	e.firstJobs()
	e.firstBalances()
	v := e.surveyFirms()
	e.opening = e.countStocks(&v)
	return e, nil
}

// layout derives the sizes of an economy from its parameters.
type layout struct {
	households, firms, consumptionFirms, capitalFirms int
	industryStart                                     []int32
	shopStart                                         []int32
	living                                            []int32 // firms of each range of shopStart at the start
	localMarkets, linksPerIndustry                    int
	shares, slopes                                    []float64
}

// layoutOf divides the firms over the industries: a tenth (capital_firm_share)
// make capital goods, the others follow the budget shares, with at least
// min_per_cat in each industry. An industry's firms are spread evenly over the
// local markets, of which there are so few that the least holds in each.
func layoutOf(p Params) layout {
	var l layout
	l.households = rowsOf(&p)
	l.firms = p.NumHouseholds / p.HouseholdsPerFirm
	l.capitalFirms = max(2, int(math.Round(p.CapitalFirmShare*float64(l.firms))))
	l.consumptionFirms = l.firms - l.capitalFirms
	list := Industries(p.NumIndustries)
	spare := l.consumptionFirms - p.MinPerCat*p.NumIndustries
	cumulated, start := 0.0, 0
	for j, ind := range list {
		l.shares, l.slopes = append(l.shares, ind.Share), append(l.slopes, ind.Slope)
		l.industryStart = append(l.industryStart, int32(start))
		cumulated += ind.Share
		start = p.MinPerCat*(j+1) + int(math.Round(cumulated*float64(spare)))
	}
	l.industryStart = append(l.industryStart, int32(l.consumptionFirms), int32(l.firms))
	switch {
	case p.SuppliersPerIndustry > 0:
		l.linksPerIndustry = p.SuppliersPerIndustry
	case p.NumIndustries == 1:
		l.linksPerIndustry = 3
	case p.EnableCompetitiveMarket:
		l.linksPerIndustry = 2
	default:
		l.linksPerIndustry = 1
	}
	l.divideMarkets(p)
	l.reserve(p)
	return l
}

// LocalMarkets is the number of local markets of an economy with these parameters,
// which must be valid.
func LocalMarkets(p Params) int { return layoutOf(p).localMarkets }

func (l *layout) divideMarkets(p Params) {
	l.localMarkets = int(math.Round(float64(p.NumHouseholds) / float64(p.HouseholdsPerMarket)))
	for j := range l.shares {
		firms := int(l.industryStart[j+1] - l.industryStart[j])
		l.localMarkets = min(l.localMarkets, firms/max(p.MinPerCat, l.linksPerIndustry))
	}
	l.localMarkets = max(1, l.localMarkets)
	for j := range l.shares {
		first, firms := int(l.industryStart[j]), int(l.industryStart[j+1]-l.industryStart[j])
		for market := range l.localMarkets {
			l.shopStart = append(l.shopStart, int32(first+firms*market/l.localMarkets))
		}
	}
	l.shopStart = append(l.shopStart, int32(l.consumptionFirms), int32(l.firms))
}

// Bytes per row of the columns, for the estimate of memory.
const (
	householdBytes = 8 + 4 + 4 + 8 + 8 + 4 + 2 + 1 + 1 + 1 + 1 + 2 + 8 + 8 + 8 + 2
	firmBytes      = 21*8 + 7*8 + 8*4 + 9*8 + 8 + 4*8 + 8 + 4 + 4 + (8 + 2 + 3*8) + 2*8
)

// EstimateMemory returns the bytes that an economy with these parameters needs
// on the threads that max_concurrent_tasks allows.
func EstimateMemory(p Params) int64 {
	l := layoutOf(p)
	links := len(l.shares) * l.linksPerIndustry
	blocks := max((l.households+householdBlock-1)/householdBlock, (l.firms+firmBlock-1)/firmBlock)
	threads := p.MaxConcurrentTasks
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	perThread := int64(l.firms)*8 + int64(unsafe.Sizeof(spread{})+unsafe.Sizeof(ledgers{}))
	return int64(l.households)*int64(householdBytes+4*links) + int64(l.firms)*int64(firmBytes) +
		int64(blocks)*int64(unsafe.Sizeof(tally{})) + int64(threads)*perThread + 1<<20
}

// allocate makes the columns.
func allocate(p Params, threads int) *Economy {
	l := layoutOf(p)
	e := &Economy{
		p: p, base: p, seed: uint64(p.RandomState),
		consumptionFirms: l.consumptionFirms, capitalFirms: l.capitalFirms,
		industryStart: l.industryStart, everyFirm: []int32{0, int32(l.firms + 2)},
		localMarkets: l.localMarkets, shopStart: l.shopStart, youngStart: make([]int32, len(l.shopStart)),
		linksPerIndustry: l.linksPerIndustry, shares: l.shares, slopes: l.slopes,
		founders: l.living, living: slices.Clone(l.living),
	}
	n, f := l.households, l.firms
	links := len(l.shares) * l.linksPerIndustry
	e.h = households{
		deposits: make([]int64, n), employer: make([]int32, n), skill: make([]int32, n),
		permanent: make([]float64, n), lastWage: make([]int64, n), equity: make([]int32, n),
		idle: make([]int16, n), traits: make([]uint8, n),
		exposure: make([]uint8, n), second: make([]uint16, n),
		suppliers: make([]int32, n*links), income: make([]int64, n), spending: make([]int64, n),
		budget: make([]int64, n), class: make([]uint8, n),
	}
	if p.EnableDemography {
		e.h.age = make([]uint8, n)
	}
	e.f = firms{
		deposits: make([]int64, f), loans: make([]int64, f), productivity: make([]float64, f),
		before: make([]float64, f), quality: make([]float64, f), automated: make([]float64, f),
		licence: make([]int64, f), qualityBefore: make([]float64, f), event: make([]uint8, f),
		fresh: make([]uint8, f), stretch: make([]float64, f), eventBefore: make([]float64, f),
		eventAfter: make([]float64, f), wage: make([]float64, f+2), wagePremium: make([]float64, f),
		price: make([]float64, f), markUp: make([]float64, f), inventory: make([]float64, f),
		sales: make([]float64, f), signal: make([]float64, f), plan: make([]float64, f), output: make([]float64, f),
		research: make([]float64, f), capital: make([]float64, f), revenueTrend: make([]float64, f),
		layoff: make([]float64, f+2), short: make([]float64, f), subsidy: make([]int64, f), levy: make([]float64, f),
		labour: make([]int64, f+2), heads: make([]int32, f+2), posted: make([]int32, f+2), open: make([]int32, f+2),
		wageBill: make([]int64, f+2), revenue: make([]int64, f), public: make([]int64, f),
		exported: make([]int64, f), customers: make([]int32, f), order: make([]int64, f), supplier: make([]int32, f),
		backlog: make([]int64, f), newOrders: make([]int64, f), moved: make([]int64, f), delivered: make([]int64, f),
		age: make([]int32, f), tag: make([]float64, f), ratio: make([]float64, f), appeal: make([]float64, f),
		fill: make([]float64, f), fill2: make([]float64, f), rationed: make([]uint64, f/64+1),
		orders: make([]int64, f),
	}
	for r, n := range l.living {
		for i := l.shopStart[r] + n; i < l.shopStart[r+1]; i++ {
			e.f.age[i] = dormantAge
		}
	}
	for i := range e.f.stretch {
		e.f.stretch[i] = 1
	}
	e.young = make([]int32, 0, f)
	e.urn = urn{cum: make([]int64, f+2), guide: make([]int32, f+2)}
	e.crew = newCrew(threads)
	blocks := max((n+householdBlock-1)/householdBlock, (f+firmBlock-1)/firmBlock)
	e.sums = make([]tally, blocks)
	e.spreads = make([]spread, e.crew.threads)
	e.ledgers = make([]ledgers, e.crew.threads)
	for range e.crew.threads {
		e.baskets = append(e.baskets, make([]int64, f))
		e.secondBaskets = append(e.secondBaskets, make([]int64, f))
	}
	return e
}

// Close ends the goroutines of the economy. It may be read, not stepped, after.
func (e *Economy) Close() { e.crew.close() }

// populate draws the households.
func (e *Economy) populate() {
	e.m.TaxScale = 1
	e.m.Unemployment = 1 - e.p.FirstMonthJobRate
	e.m.UnemploymentTrend, e.m.Slack = e.m.Unemployment, e.m.Unemployment
	e.m.ExpectedInflation = e.p.InflationTarget
	e.m.PolicyRate = e.p.NaturalRealRate + e.p.InflationTarget
	e.m.MeanWage, e.m.MedianWage, e.m.IndexedWage = startWage, startWage, startWage
	e.m.FirstMonth = int64(e.p.BurnInMonths)
	e.m.ProductivityScale = 100
	e.m.SpendingScale = 1
	e.m.VAT = e.byIndustry(e.p.VATRatesByIndustry, e.p.VATRate)
	e.m.MedianIncome = .9 * startWage

	skill, saving := e.luck(forSkill), e.luck(forSavingType)
	equity, family, exposed := e.luck(forEquityShare), e.luck(forFamilySize), e.luck(forExposure)
	skills := int64(0)
	for h := range e.h.skill {
		e.h.skill[h] = drawSkill(skill.normal(h, 0), e.p.SkillDispersion)
		skills += int64(e.h.skill[h])
		if equity.uniform(h, 1) < shareholders {
			e.h.equity[h] = int32(equityGrain * min(pareto(equity.uniform(h, 0), equityTail), equityCap))
		}
		e.m.EquityUnit += int64(e.h.equity[h])
		k := pick(saving.uniform(h, 0), len(savingTypes), func(i int) float64 { return savingTypes[i].share })
		members := pick(family.uniform(h, 0), len(familySizes), func(i int) float64 { return familySizes[i] })
		e.h.traits[h] = uint8(k | members<<2)
		e.h.exposure[h] = uint8(exposed.below(h, 0, NumExposureGroups))
		e.h.permanent[h] = .9 * startWage * float64(e.h.skill[h]) / skillUnit
		e.h.deposits[h] = floorMoney(startWealthMonths * savingTypes[k].months * e.h.permanent[h])
		e.h.lastWage[h] = floorMoney(startWage * float64(e.h.skill[h]) / skillUnit)
		e.h.employer[h] = nobody
		e.h.spending[h] = floorMoney(e.h.permanent[h])
	}
	e.m.MeanSkill = float64(skills) / skillUnit / float64(e.households())
	e.m.MedianIncome = .9 * startWage * math.Exp(-.5*e.p.SkillDispersion*e.p.SkillDispersion)
	e.firstPeople()
}

// logNormal turns a standard normal draw into a log-normal one with mean 1.
func logNormal(z, sigma float64) float64 {
	return math.Exp(float64(sigma*z) - float64(sigma*sigma*.5))
}

// pick returns the class of a discrete distribution that u falls into.
func pick(u float64, classes int, share func(int) float64) int {
	for i := range classes - 1 {
		if u -= share(i); u < 0 {
			return i
		}
	}
	return classes - 1
}

// savingType returns the wanted wealth of a household, months of income.
func (e *Economy) savingType(h int) float64 { return savingTypes[e.h.traits[h]&3].months }

// found draws the firms and the first suppliers.
func (e *Economy) found() {
	e.urn.fill(e, e.shopStart, func(e *Economy, i int) int64 {
		if e.dormant(i) {
			return 0
		}
		r, _ := slices.BinarySearch(e.shopStart, int32(i+1)) // the range after the firm's
		first, n := int(e.shopStart[r-1]), int(e.founders[r-1])
		return int64(1000 * pareto(1-(float64(i-first)+.5)/float64(n), startFirmTail))
	})
	first := e.luck(forFirstSupplier)
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

	// Labour left for firms after the government's, shared so that every good
	// that is made is bought: consumption goods by customers, capital goods by
	// the wear of the capital that makes them.
	p := &e.p
	n, force := float64(e.households()), float64(e.people.force)
	labour := force * positive(p.FirstMonthJobRate-p.GovernmentEmploymentShare)
	wear := p.DepreciationRate / (p.CapitalProductivity * p.TargetUtilisation)
	total := labour / ((1 + float64(1.1*wear)) * 1.04)
	luck, seller := e.luck(forStartValues), e.luck(forFirstSeller)
	orders := make([]float64, e.firms()) // share of each capital firm's customers in all sales
	for i := range e.firms() {           // capital firms come last
		share := 0.0
		e.f.supplier[i] = nobody
		if e.isCapital(i) {
			share = wear * orders[i]
			e.f.markUp[i] = p.CapitalMarkUp
		} else {
			j := e.industryOf(i)
			share = e.shares[j] * float64(e.f.customers[i]) / (n * float64(per))
			e.f.markUp[i] = p.ConsumptionMarkUp
			e.f.supplier[i] = e.urn.draw(e.capitalRange(), seller.bits(i, 0))
			orders[e.f.supplier[i]] += share
		}
		e.f.quality[i], e.f.productivity[i], e.f.wagePremium[i] = 1, 1, 1
		e.f.wage[i] = startWage * (1 + float64(.02*(luck.uniform(i, 0)-.5)))
		e.f.price[i] = (1 + e.f.markUp[i]) * e.levied(i)
		e.f.sales[i] = max(total*share, .5)
		e.f.plan[i] = e.f.sales[i]
		e.f.revenueTrend[i] = e.f.sales[i] * e.f.price[i]
		if e.isCapital(i) {
			e.f.inventory[i] = 0
		} else {
			e.f.inventory[i] = p.TargetInventoryRatio * e.f.sales[i]
			e.f.capital[i] = e.f.sales[i] / (p.CapitalProductivity * p.TargetUtilisation)
		}
		if e.dormant(i) {
			e.f.sales[i], e.f.plan[i], e.f.revenueTrend[i], e.f.inventory[i], e.f.capital[i] = 0, 0, 0, 0, 0
			continue
		}
		e.f.age[i] = int32(launchMonths + i%120)
	}
	e.f.wage[e.government()] = startWage
	e.m.CapitalPrice = (1 + p.CapitalMarkUp) * startWage
	e.m.GDPTrend = startWage * (float64(total*(1+p.ConsumptionMarkUp)) + float64(total*wear*(1+p.CapitalMarkUp)) + float64(force*p.GovernmentEmploymentShare))
}

// industryOf returns the industry of a firm; the capital sector is the last.
func (e *Economy) industryOf(i int) int {
	j := 0
	for int(e.industryStart[j+1]) <= i {
		j++
	}
	return j
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
		return int64(1000 * 1.04 * e.f.sales[i])
	})
	job := e.luck(forFirstJob)
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
	accounts := e.countAccounts()
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
	for i := range e.m.GDPHistory {
		e.m.GDPHistory[i] = e.m.GDPTrend
	}
	for j := range e.m.MeanPrice {
		e.m.MeanPrice[j] = (1 + e.p.ConsumptionMarkUp) * startWage
	}
	e.m.MeanPrice[MaxIndustries] = e.m.CapitalPrice
	for i := range e.m.CPIHistory {
		e.m.CPIHistory[i] = 100
	}
	for i := range e.m.PriceHistory {
		for j := range e.m.PriceHistory[i] {
			e.m.PriceHistory[i][j] = e.m.MeanPrice[j] * (1 + e.m.VAT[j])
		}
	}
	for i := range e.m.RealGDPHistory {
		e.m.RealGDPHistory[i] = e.m.GDPTrend
	}
	e.m.NominalGDP = e.m.GDPTrend
	e.m.IncomeTaxBase, e.m.VATBase = .6*e.m.GDPTrend, .6*e.m.GDPTrend
	e.m.OutputPerWorker = e.m.MeanPrice[0]
	e.rebase()
	for i := range e.m.ProductivityHistory {
		e.m.ProductivityHistory[i] = 1
	}
}

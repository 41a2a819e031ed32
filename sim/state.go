package sim

// ModelVersion names the equations. It changes whenever the same scenario and
// seed give other bits, and is part of every hash and cache key.
const ModelVersion = "0.9.0"

// Money is held in subunits, 1/1000 of a currency unit.
const subunit = 1000

// startWage is the mean wage at the start, subunits a month.
const startWage = 3000 * subunit

// skillUnit is the skill of the mean household; labour is counted in it.
const skillUnit = 1000

// goodUnit is the resolution of orders of capital goods: a millionth of a
// unit, so that the orders of many firms add up exactly in any order.
const goodUnit = 1e6

// nobody is the employer of the unemployed. The rows of the government and of the
// public employment programme follow those of the firms.
const nobody int32 = -1

// households holds one row per household.
type households struct {
	deposits  []int64   // subunits
	employer  []int32   // firm, the government's row, or nobody
	ability   []int32   // skill without what was lost out of work
	skill     []int32   // efficiency units of labour, 1/1000
	permanent []float64 // smoothed disposable income, subunits a month
	lastWage  []int64   // last gross wage, subunits a month
	equity    []int32   // weight in the ownership of all firms and the bank
	idle      []int16   // months without a job
	traits    []uint8   // saving type (2 bits) and family size (3 bits)
	age       []uint8   // age group and participation; none without demography
	class     []uint8   // class of income, for Engel curves; scratch of the month
	second    []uint16  // industries in which the month's second round is used, one bit each
	exposure  []uint8   // group of exposure to automation (2 bits), and whether AI took the last job (1 bit)
	suppliers []int32   // links: industry by industry, linksPerIndustry each
	income    []int64   // disposable income of the month, subunits
	spending  []int64   // spending of the month with VAT, subunits
	planned   []int64   // what it planned to spend, to which it is used, subunits
	lean      []float64 // factor on the parts of a budget by which it adds up, where firms' demand differs; none otherwise
	leanVAT   []float64 // VAT beyond the standard rate that this adds, subunits
	budget    []int64   // planned spending of the month, subunits; scratch during matching
	standing  []int16   // groups in which a household stood before month 1, for measurement alone; none in burn-in
}

// firms holds one row per firm: consumption firms ordered by industry and in it by
// local market, then capital firms. Columns of employment have two more rows: the government
// and the public employment programme.
type firms struct {
	deposits                []int64
	loans                   []int64
	productivity            []float64 // units of output a month per unit of labour
	productivityBefore      []float64 // productivity at the start of the imitation phase
	edge                    []float64 // log of the firm's own productivity; none where firms do not differ in it
	taste                   []float64 // log of the demand for its goods; none where firms do not differ in it
	tasteTarget             []float64 // to which that moves
	pull                    []float64 // the same, not as a log
	premium                 []float64 // log of what the wage is above the common one for rents and size; none without such premiums
	quits                   []float64 // smoothed share of staff that leaves for another job in a month; none where firms do not foresee it
	left                    []int32   // staff that left for another job this month; none likewise
	quality                 []float64
	qualityBefore           []float64 // at the start of the imitation phase
	intensity               []float64 // labour for a unit of expected sales relative to fixed proportions
	novelty                 []uint8   // months for which the last innovation counts as new
	event                   []uint8   // this month's innovation: its kind plus 1, or 0
	eventBefore, eventAfter []float64 // what it changed
	wage                    []float64 // subunits a month per unit of labour; government too
	sinceRound              []uint8   // months since the last wage round
	wagePremium             []float64 // cost of labour / (wage x labour): above 1 where a minimum wage binds, below it with a wage subsidy
	price                   []float64 // subunits a unit, without VAT
	markUp                  []float64
	inventory               []float64 // units
	sales                   []float64 // expected sales, units a month
	demand                  []float64 // demand met this month, units
	plan                    []float64 // planned output, units a month
	output                  []float64 // output of the month, units
	automated               []float64 // share of labour that AI replaces, 0 where it is not in use
	licence                 []int64   // of the month: fees for AI received less fees and robot tax paid, subunits
	research                []float64 // labour planned for research
	capital                 []float64 // units of capital goods
	revenueTrend            []float64 // smoothed revenue, subunits a month
	wanted                  []float64 // labour wanted in the month; none without overtime
	earnings                []float64 // smoothed, before interest, tax and wear, subunits a month
	prospect                []float64 // expected sales as investment plans see them, units a month
	layoff                  []float64 // probability that a worker is laid off this month
	short                   []float64 // share of hours that are not worked and not paid, on short time; below 0 overtime
	subsidy                 []int64   // refunded by the government this month, subunits
	levy                    []float64 // on revenue, share

	labour    []int64 // employed skill, 1/1000; government too
	heads     []int32 // employees; government too
	posted    []int32 // vacancies of the month; government too
	open      []int32 // vacancies left after matching; government too
	wageBill  []int64 // wages due this month, subunits; government too
	revenue   []int64 // sales of the month without VAT, subunits
	public    []int64 // of it, bought by the government
	exported  []int64 // of it, bought by the rest of the world
	customers []int32 // links of households that point here

	// what shoppers read and write of a consumption firm
	postedPrice []float64 // price at which the month's goods are sold, subunits a unit, without VAT
	ratio       []float64 // price / quality, by which shops are compared
	welcoming   []uint8   // 1 where the stock serves one more customer
	appeal      []float64 // ratio^-price_sensitivity, by which a budget is split over several suppliers
	fill        []float64 // share of the first round's orders that is met
	fill2       []float64 // the same for the second round
	rationed    []uint64  // one bit a firm: fill < 1
	orders      []int64   // first round, households, subunits

	order     []int64 // capital goods ordered and not delivered, goodUnits
	supplier  []int32 // capital firm that they buy from; nobody for capital firms
	backlog   []int64 // capital firms: sum of open orders, goodUnits
	newOrders []int64 // capital firms: orders received this month, goodUnits
	moved     []int64 // capital firms: open orders taken over this month less those lost, goodUnits
	delivered []int64 // capital firms: delivered this month, goodUnits
	age       []int32 // months since foundation
}

// macro is everything else that a month hands to the next. It is a flat value
// of fixed size.
type macro struct {
	Month      int64 // months simulated
	FirstMonth int64 // month 0 of the experiment

	Confidence        float64
	PolicyRate        float64 // a year
	ExpectedInflation float64 // a year
	NaturalShift      float64 // of the central bank's estimate of the natural real rate, a year
	Anchor            float64 // distance of usual inflation from the target, a year
	Miss              float64 // smoothed distance of core inflation from the target, a year
	UnemploymentTrend float64 // smoothed, what wage rounds look at
	Shortage          float64 // smoothed log of vacancies per unemployed above one
	Unemployment      float64
	Slack             float64 // unemployment with the public employment programme
	MeanWage          float64 // subunits a month per unit of labour, firms
	MedianWage        float64 // subunits a month
	MeanSkill         float64 // of the labour force
	CapitalPrice      float64 // mean price of capital goods, subunits
	FundingCost       float64 // real cost of funds for capital goods, smoothed, a year
	GDPTrend          float64 // smoothed nominal GDP, subunits a month
	BudgetTrend       float64 // GDP smoothed over years at present prices of goods, by which the government budgets, subunits a month
	TaxScale          float64
	DebtRatio         float64 // debt / annual GDP of last month
	ProductivityScale float64 // labor_productivity_factor in force, index

	Banks            [MaxBanks]bankState
	CentralBankBonds int64 // subunits

	Debt       int64 // subunits
	Pool       int64 // dividends declared and not yet paid out, subunits
	EquityUnit int64 // sum of the households' equity weights
	Adopters   int64 // firms that use AI

	VAT           [MaxIndustries]float64 // rates in force, with surcharges
	Abatement     [MaxIndustries]float64 // part of emissions that is avoided
	Emitted       [MaxIndustries]float64 // units made times intensity, less what is abated
	BaseEmissions float64
	IncomeTaxBase float64 // smoothed over a year, subunits a month
	VATBase       float64
	SpendingScale float64 // factor of the austerity rule

	// Base month of the indices.
	Base             prices
	BaseProductivity float64 // output per worker, subunits
	OutputPerWorker  float64 // at the month's own prices, subunits
	OwnGDP           float64 // real GDP at the month's own prices, subunits
	NominalGDP       float64 // subunits a month

	// Histories, as rings indexed by month.
	CPIHistory          [13]float64
	CoreHistory         [13]float64 // of domestic goods without VAT
	GDPHistory          [12]float64
	DeficitHistory      [12]float64
	RealGDPHistory      [16]float64
	ProductivityHistory [37]float64
	MeanPrice           [MaxIndustries + 1]float64 // last month in which something was sold

	MedianIncome float64                    // disposable, subunits a month
	PriceHistory [13][MaxIndustries]float64 // mean prices with VAT, subunits, a ring
	IndexedWage  float64                    // mean wage to which pensions were last raised, subunits
	Trade        abroad
}

// prices are those of one month, at which quantities are valued; subunits.
type prices struct {
	Goods    [MaxIndustries + 1]float64 // mean price of a unit without VAT by industry, capital goods last
	UnitCost [MaxIndustries + 1]float64 // that price less the normal mark-up
	Wage     float64                    // mean wage a month per unit of labour
	VAT      [MaxIndustries]float64     // rates
	Import   [MaxIndustries]float64     // at the border, without tariff
	Tariff   float64                    // rate
}

// flows are the month's payments between sectors, in subunits, as the payer or
// the receiver that is named booked them.
type flows struct {
	// received and paid by households
	minimumIncome, redistributed, injected                             int64
	taxable                                                            int64 // wages above the allowance and capital income
	wages, benefits, pensions, basicIncome, depositInterest, dividends int64
	incomeTax, consumption, vat, disposable                            int64
	shortTime                                                          int64 // of benefits: paid for hours lost on short time
	capitalTax, contributions                                          int64 // of incomeTax: on capital income, to pensions
	programmeWages                                                     int64 // of governmentWages: of the public employment programme
	overdraftInterest, forgiven                                        int64 // on loans to households, and what of them was written off
	estates                                                            int64 // what households that left had, paid to the pool of dividends
	// paid by the government, or received
	governmentWages, purchases, interest, recapitalisation int64 // wages: with those of the public employment programme
	subsidies, injectedFirms, injectedBanks                int64 // to firms and bank
	researchSubsidies                                      int64 // of subsidies
	levy                                                   int64 // paid by firms
	retraining                                             int64 // allowances
	// received and paid by firms
	firmWages, revenue, capitalSpending, firmDepositInterest, loanInterest int64
	firmsCorporateTax, newLoans, repaid, dividendsPaid                     int64
	loansBearing                                                           int64 // stock on which interest was paid
	licencesPaid, licencesReceived                                         int64 // fees for AI
	robotTax                                                               int64 // paid on them
	founding                                                               int64 // capital of new firms, paid out of dividends declared
	writtenOff, overdrafts                                                 int64 // losses of the bank; of them, overdrafts absorbed
	inventoryChange                                                        int64 // at unit cost
	// paid by the bank
	bankCorporateTax, bankDividends int64
	// interest of the central bank on bonds and advances, its interest to banks, and what is left to the government
	centralBankInterest, advanceInterest, reserveInterest, centralBankProfit int64
	householdsBailedIn, firmsBailedIn                                        int64 // deposits written down
	// with the rest of the world
	imports, exports, tariff, foreignInterest int64 // imports without tariff
	// quantities of goods, units
	made, sold, delivered float64
}

// monthCounts count what happened in the month.
type monthCounts struct {
	defaults, closures, founded int // firms
	innovations                 [NumInnovationKinds]int
	adoptions                   int // of AI
	retrained                   int // courses begun
	failures, resolutions       int // of banks
	separations                 int64
}

// Economy is one economy in one month. It belongs to one goroutine.
type Economy struct {
	p    Params // in force in the month
	base Params // without what is planned
	plan []planned
	seed uint64

	redrawn redrawn // set by trials alone

	layout            // derived from the parameters that are not live
	everyFirm []int32 // the one range of all employers
	living    []int32 // firms in each range of shopStart in the month, under open entry

	m      macro
	shocks []float64 // how far each aggregate shock has moved what it moves; none where all volatilities are 0
	h      households
	f      firms
	flow   flows
	monthCounts

	// scratch of the month
	rates                          rates
	coef                           [engelClasses][MaxIndustries]float64 // by class of income: budget share / (1 + VAT)
	people                         people
	vitals                         vitals
	importTaste                    [MaxIndustries]float64 // part of an industry's budget that would go abroad at equal prices
	importShare                    [MaxIndustries]float64 // part of an industry's budget that goes abroad
	importCoef                     [engelClasses]float64  // part of a budget that goes abroad, without VAT
	exportRatio                    [MaxIndustries]float64 // orders from abroad over expected sales
	urn                            urn
	seekers                        jobSeekers
	pool                           pool
	demandFactors, capacityFactors [MaxIndustries]float64
	vat                            vat
	inject                         injections
	launched                       []int32 // consumption firms that are being launched, in the order of shopStart
	launchedStart                  []int32
	secondDraws                    draws
	supplyValue                    float64 // value of expected sales of consumption goods, subunits
	overtime                       float64 // of all firms in the month, in normal hours of a person
	output, fullOutput             float64 // of consumption firms in the month, units
	banks                          [MaxBanks]bankMonth
	ledgers                        []ledgers
	workers                        *workers
	sums                           []tally
	baskets                        [][]int64 // by worker: orders at each firm in the first round, then goods sold under rationing
	secondBaskets                  [][]int64 // by worker: orders at each firm in the second round
	spreads                        []spread
	record                         Record
	opening, closing               stocks  // at the end of last month and of this one
	before                         stocks  // at the end of last month, for [Economy.Books] alone
	equityValue                    float64 // of all firms and the bank, subunits
	onPhase                        func(name string)
}

// experimentMonth is the month as users count it.
func (e *Economy) experimentMonth() int { return int(e.m.Month - e.m.FirstMonth) }

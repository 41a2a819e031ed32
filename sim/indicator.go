package sim

import (
	"math"

	"econ-mcp/internal/fault"
)

// Indicator names one monthly series of a [Record]: a headline indicator, below NumIndicators, or a
// breakdown.
type Indicator int

// The headline indicators, in the order of reports. Units and formulas stand
// in [Indicators].
const (
	NominalGDP Indicator = iota
	RealGDP
	GDPGrowth
	CPI
	GDPDeflator
	Inflation
	UnemploymentRate
	EmploymentRate
	ParticipationRate
	VacancyRate
	JobFindingRate
	SeparationRateObserved
	NominalWageMean
	RealWageMean
	RealWageMedian
	LabourShare
	RealConsumption
	RealInvestment
	SavingRate
	IncomeGini
	WealthGini
	PovertyRate
	TaxIncome
	TaxVAT
	TaxCorporate
	TaxRevenue
	GovernmentSpending
	DeficitToGDP
	DebtToGDP
	MoneyStock
	CreditStock
	PolicyRate
	LoanRate
	Bankruptcies
	FirmEntries
	FirmCount
	HHI
	MarkUp
	CapacityUtilisation
	LabourProductivity
	InnovationEvents
	Exports
	Imports
	JobGuaranteeEmployment
	TaxLevy
	Emissions
	BankFailures
	BankEquity
	Population
	TaxTariff
	ExchangeRate
	ImportPriceIndex
	CurrentAccount
	NetForeignPosition
	AIAdoptionShare
	TaxRobot
	FirmExits

	NumIndicators
)

// IndicatorInfo documents one indicator: its identifier in every tool, file
// and report, its unit, and the formula by which it is computed.
type IndicatorInfo struct {
	Name    string
	Unit    string
	Formula string
}

// String returns the indicator's identifier.
func (i Indicator) String() string { return i.Info().Name }

// Info returns the indicator's unit and formula.
func (i Indicator) Info() IndicatorInfo {
	if i >= NumIndicators {
		return breakdowns[i-NumIndicators].IndicatorInfo
	}
	return indicatorTable[i]
}

// Range is what the indicator can be by its definition; an end that nothing bounds is infinite.
func (i Indicator) Range() (low, high float64) {
	switch i {
	case UnemploymentRate, EmploymentRate, ParticipationRate, VacancyRate, JobFindingRate, IncomeGini, PovertyRate, HHI,
		JobGuaranteeEmployment, AIAdoptionShare:
		return 0, 1
	case SavingRate:
		return math.Inf(-1), 1
	case GDPGrowth, Inflation:
		return -1, math.Inf(1)
	case CPI, SeparationRateObserved, NominalWageMean, RealWageMean, RealWageMedian, LabourShare, RealConsumption,
		RealInvestment, WealthGini, Bankruptcies, FirmEntries, FirmCount, CapacityUtilisation, LabourProductivity,
		InnovationEvents, Exports, Imports, Emissions, BankFailures, Population, ExchangeRate, ImportPriceIndex, FirmExits:
		return 0, math.Inf(1)
	}
	return math.Inf(-1), math.Inf(1)
}

// Indicators lists every headline indicator in reporting order.
func Indicators() []IndicatorInfo { return append([]IndicatorInfo(nil), indicatorTable[:]...) }

// IndicatorByName finds an indicator, headline or breakdown, by its identifier.
func IndicatorByName(name string) (Indicator, bool) {
	i, ok := indicatorPlaces[name]
	return i, ok
}

var indicatorPlaces = func() map[string]Indicator {
	places := make(map[string]Indicator, NumOutcomes)
	for i := range NumOutcomes {
		places[i.String()] = i
	}
	return places
}()

// LookupIndicator finds an indicator, headline or breakdown, by its identifier; its error offers the
// nearest ones.
func LookupIndicator(name string) (Indicator, error) {
	if i, ok := IndicatorByName(name); ok {
		return i, nil
	}
	return 0, fault.Unknown(fault.NotFound, "indicator", name, OutcomeNames())
}

// OutcomeNames lists the identifiers of all indicators, headline ones first.
func OutcomeNames() []string {
	names := IndicatorNames()
	for k := range breakdowns {
		names = append(names, breakdowns[k].Name)
	}
	return names
}

// IndicatorNames lists the identifiers of the headline indicators, in their order.
func IndicatorNames() (names []string) {
	for _, info := range indicatorTable {
		names = append(names, info.Name)
	}
	return names
}

var indicatorTable = [NumIndicators]IndicatorInfo{
	NominalGDP: {"nominal_gdp", "currency units a month", "household consumption with VAT + government purchases + government " +
		"wages + capital deliveries + change of inventories at unit cost + exports - imports; equal to the production and the income side"},
	RealGDP: {"real_gdp", "currency units a month at prices of the base month",
		"the components of nominal_gdp, each quantity at its mean price in the base month (the last month before the experiment)"},
	GDPGrowth: {"gdp_growth", "share a year", "real_gdp of the last three months over that of the same months a year before, " +
		"minus 1"},
	CPI: {"cpi", "index, base month = 100", "geometric mean over industries, with budget shares as weights, of mean " +
		"prices paid (VAT, imports and tariff included) relative to the base month"},
	GDPDeflator: {"gdp_deflator", "index, base month = 100", "100 nominal_gdp / real_gdp"},
	Inflation:   {"inflation", "share a year", "cpi over cpi twelve months before, minus 1"},
	UnemploymentRate: {"unemployment_rate", "share of the labour force", "those in the labour force without a job / labour force, " +
		"at the end of the month"},
	EmploymentRate: {"employment_rate", "share of households", "households with a job / households"},
	ParticipationRate: {"participation_rate", "share of households", "households whose head has or seeks work / households; 1 " +
		"without demography"},
	VacancyRate: {"vacancy_rate", "share of jobs and vacancies", "vacancies / (vacancies + employed); vacancies: mean of posts " +
		"opened at the start of the month and left at its end, as all posts of a month open at once"},
	JobFindingRate: {"job_finding_rate", "share a month", "unemployed who found a job in the month, in the public employment " +
		"programme too / unemployed searching in the month"},
	SeparationRateObserved: {"separation_rate", "share a month", "jobs that ended, job-to-job moves aside / employed at the start of the " +
		"month"},
	NominalWageMean: {"nominal_wage_mean", "currency units a month", "wage bill / employed"},
	RealWageMean:    {"real_wage_mean", "currency units a month at prices of the base month", "100 nominal_wage_mean / cpi"},
	RealWageMedian:  {"real_wage_median", "currency units a month at prices of the base month", "100 median wage / cpi"},
	LabourShare: {"labour_share", "share of GDP", "wage bill of firms and government / nominal_gdp (the concept of the Penn " +
		"World Table)"},
	RealConsumption: {"real_consumption", "currency units a month at prices of the base month",
		"quantities bought by households at the base month's prices with VAT"},
	RealInvestment: {"real_investment", "currency units a month at prices of the base month",
		"capital goods delivered at the base month's prices"},
	SavingRate:  {"saving_rate", "share of disposable income", "1 - household consumption with VAT / disposable income"},
	IncomeGini:  {"income_gini", "0 to 1", "Gini coefficient of disposable income of the month"},
	WealthGini:  {"wealth_gini", "0 to 1", "Gini coefficient of net worth: deposits + equity share x value of firms and bank"},
	PovertyRate: {"poverty_rate", "share of households", "households below 60 % of the median disposable income"},
	TaxIncome: {"tax_income", "currency units a month", "taxes on wages, interest and dividends and contributions to " +
		"pensions received by the government"},
	TaxVAT:       {"tax_vat", "currency units a month", "value-added tax received by the government"},
	TaxCorporate: {"tax_corporate", "currency units a month", "tax on profits of firms and bank received by the government"},
	TaxRevenue:   {"tax_revenue", "currency units a month", "sum of all taxes"},
	GovernmentSpending: {"government_spending", "currency units a month", "government wages + purchases + benefits + pensions + basic " +
		"income and other transfers + retraining allowances + subsidies + interest on debt + capital transfers"},
	DeficitToGDP: {"deficit_to_gdp", "share of GDP", "(government_spending - tax_revenue - profit of the central bank) of the " +
		"last twelve months / nominal_gdp of the same months"},
	DebtToGDP:    {"debt_to_gdp", "share of annual GDP", "public debt / nominal_gdp of the last twelve months"},
	MoneyStock:   {"money_stock", "currency units", "deposits of households and firms"},
	CreditStock:  {"credit_stock", "currency units", "loans to firms"},
	PolicyRate:   {"policy_rate", "share a year", "the central bank's rate"},
	LoanRate:     {"loan_rate", "share a year", "mean rate on loans to firms, weighted by loans"},
	Bankruptcies: {"bankruptcies", "firms a month", "firms with negative deposits at the end of the month"},
	FirmEntries: {"firm_entries", "firms a month", "firms founded in the month; unless enable_open_entry, each takes the place " +
		"of one that failed or, without employees, gave up"},
	FirmCount: {"firms", "firms", "active firms"},
	HHI: {"hhi", "0 to 1", "Herfindahl-Hirschman index of revenue in an industry of a local market, mean weighted by " +
		"revenue"},
	MarkUp: {"mark_up", "ratio to unit labour cost", "mean mark-up of consumption firms over unit labour cost, weighted " +
		"by revenue"},
	CapacityUtilisation: {"capacity_utilisation", "share", "output of consumption firms / their full-capacity output"},
	LabourProductivity: {"labour_productivity", "index, base month = 100", "real output of firms per worker relative to the base " +
		"month"},
	InnovationEvents: {"innovation_events", "events a month", "successful innovations"},
	TaxLevy:          {"tax_levy", "currency units a month", "green levy received by the government"},
	Emissions: {"emissions", "index, base month = 100", "units of consumption goods at prices of the base month times the " +
		"emission intensity of the industry, less what has been abated"},
	JobGuaranteeEmployment: {"job_guarantee_employment", "share of the labour force",
		"members of the public employment programme / labour force; they count as employed"},
	BankFailures: {"bank_failures", "banks a month", "banks whose equity is below zero at the end of the month, before " +
		"resolution"},
	BankEquity: {"bank_equity", "currency units", "equity of all banks after resolution"},
	Population: {"population", "households", "households that live in the economy at the end of the month; num_households " +
		"without demography"},
	Exports: {"exports", "currency units a month", "sales to the rest of the world; 0 without enable_trade"},
	Imports: {"imports", "currency units a month", "purchases from the rest of the world without tariff and VAT; 0 without " +
		"enable_trade"},
	TaxTariff: {"tax_tariff", "currency units a month", "tariffs on imports received by the government"},
	ExchangeRate: {"exchange_rate", "domestic per foreign currency, index",
		"price of foreign currency, 1 where trade opened under a floating rate: a rise is a depreciation; 1 without enable_trade"},
	ImportPriceIndex: {"import_price_index", "index, base month = 100", "geometric mean over industries, with imports as weights, " +
		"of prices of imports with tariff relative to the base month; 100 without enable_trade"},
	CurrentAccount: {"current_account_to_gdp", "share of GDP", "(exports - imports - interest on the deposits of the rest of the " +
		"world) / nominal_gdp"},
	NetForeignPosition: {"net_foreign_position", "share of annual GDP", "- deposits of the rest of the world / nominal_gdp of the " +
		"last twelve months"},
	AIAdoptionShare: {"ai_adoption_share", "share of firms' revenue", "revenue of firms that use AI / revenue of all firms"},
	TaxRobot:        {"tax_robot", "currency units a month", "tax on licence fees for AI received by the government"},
	FirmExits:       {"firm_exits", "firms a month", "firms that failed in the month or, without employees, gave up"},
}

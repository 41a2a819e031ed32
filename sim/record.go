package sim

import "math"

// Record is what one month leaves behind: the headline indicators and
// fixed-size summaries of the distributions, so that the memory of a run grows
// with its months and never with its agents.
type Record struct {
	Month     int     // months since the experiment began; burn-in months are negative or zero
	Inflation float64 // cpi over that of the month before, less 1

	// Parts of real GDP that are no indicators, currency units at prices of the base month.
	RealPurchases       float64 // of the government
	RealPublicWages     float64 // its staff, at the wage of the base month
	RealInventoryChange float64

	Overtime float64 // hours beyond the normal ones, in those of a person

	Values     [NumIndicators]float64
	Households HouseholdSummary
	Firms      FirmSummary
	Banks      BankSummary
	Government GovernmentSummary
}

// Value returns one indicator of the month; NaN where the month does not have it.
func (r *Record) Value(i Indicator) float64 {
	if i < NumIndicators {
		return r.Values[i]
	}
	if of := breakdowns[i-NumIndicators].of; of != nil {
		return of(r)
	}
	return math.NaN()
}

// Distribution summarises the values of one variable over all households in
// one month, in currency units.
type Distribution struct {
	Mean    float64
	Gini    float64
	P10     float64
	P50     float64
	P90     float64
	Deciles [10]float64 // mean of each tenth of the households, poorest first
	Lorenz  [11]float64 // share held by the poorest 0 %, 10 %, ... 100 %
}

// HouseholdSummary holds the month's distributions over households.
type HouseholdSummary struct {
	Income      Distribution // disposable income of the month
	Consumption Distribution // spending of the month with VAT
	Wealth      Distribution // net worth at the end of the month
	Wage        Distribution // gross wages of the employed

	Inflation    [10]float64                      // of the prices that each tenth by income pays, over twelve months
	Population   [NumAgeGroups]int                // households by age of the head, youngest first; all 0 without demography
	Unemployment [NumAgeGroups]float64            // share of the labour force of the age group
	LabourForce  [NumAgeGroups]int                // heads of the age group who have or seek work
	Exposure     [NumExposureGroups]ExposureGroup // by exposure to automation: low, middle, high
	Retrained    int                              // courses begun in the month
	Standing     Standing                         // by where they stood before month 1
	Tenths       Tenths                           // by disposable income of the month
	ByWork       [NumWorkStatuses]Group           // by what they do at the end of the month
	ByAge        [NumAgeGroups]Levels             // of the households counted in Population; all 0 without demography
}

// Group is a group of households in a month: how many live in the economy and, in currency
// units, the means of what the month brought them and left them with; 0 without households.
type Group struct {
	Households  int
	Income      float64 // disposable income of the month
	Consumption float64 // spending of the month with VAT
	Wealth      float64 // net worth at the end of the month
}

// Levels are the means of a [Group] whose households are counted elsewhere.
type Levels struct{ Income, Consumption, Wealth float64 }

// Tenths are means of the tenths of the households by disposable income of the month, poorest
// first, in currency units; their incomes are the Deciles of the income's [Distribution].
type Tenths struct {
	Consumption [10]float64 // spending of the month with VAT
	Wealth      [10]float64 // net worth at the end of the month
}

// SizeClasses are the lower bounds, in employees, of the classes of
// [FirmSummary.Sizes] (Eurostat's size classes, with the smallest one split).
var SizeClasses = [...]int{0, 1, 5, 10, 20, 50, 250}

// NumSizeClasses is the number of firm size classes.
const NumSizeClasses = len(SizeClasses)

// FirmSummary holds the month's distributions over firms. Mark-up, price and
// concentration of an industry that sold nothing are NaN. Rows of industries that the
// economy does not have are zero.
type FirmSummary struct {
	Sizes       [NumSizeClasses]int        // firms by number of employees
	MeanSize    float64                    // employees a firm
	MarkUp      [MaxIndustries + 1]float64 // mean over unit cost, weighted by revenue
	Price       [MaxIndustries + 1]float64 // mean price paid without VAT, currency units
	Revenue     [MaxIndustries + 1]float64 // currency units a month
	CR4         [MaxIndustries + 1]float64 // share of the four largest firms of a local market in its revenue, mean weighted by revenue
	HHI         [MaxIndustries + 1]float64 // mean over local markets weighted by revenue; capital goods have one market
	Inventories float64                    // at unit cost, currency units
	Vacancies   int                        // posts left open, government included
	Exports     [MaxIndustries]float64     // currency units a month
	Imports     [MaxIndustries]float64     // without tariff and VAT, currency units a month
	Adopters    int                        // use AI
	Adoptions   int                        // firms that took it up in the month
	Innovations [NumInnovationKinds]int    // of the month, by kind
}

// BankSummary holds what the month was for the banks, in currency units.
type BankSummary struct {
	Reserves      float64 // at the central bank, of all banks
	Advances      float64 // from the central bank
	Resolutions   int     // banks whose equity was restored
	Recapitalised float64 // by the government
	BailedIn      float64 // by depositors
	LeastCredit   float64 // smallest credit factor among the banks
}

// GovernmentSummary holds what the government spends in the month, by purpose, and what
// it receives beside taxes, in currency units. Wages to Interest add up to
// [GovernmentSpending]; taxes and the central bank's profit less spending are what the
// public debt falls by.
type GovernmentSummary struct {
	Wages             float64 // with those of the public employment programme
	Purchases         float64
	Unemployment      float64 // benefits of the unemployed and on short time
	Pensions          float64
	Transfers         float64 // other transfers to households: basic and minimum income, redistribution, injections, retraining allowances
	Subsidies         float64 // to firms, with injections
	Banks             float64 // capital for banks
	Interest          float64 // on the public debt, also that of the central bank
	CentralBankProfit float64 // received

	Programmes ProgrammeCosts
	Taxes      TaxParts
}

// ProgrammeCosts are the parts of a [GovernmentSummary] that one item holds together, in currency
// units. What an item has beyond them is named in brackets.
type ProgrammeCosts struct {
	Research          float64 // of Wages: of researchers
	JobGuarantee      float64 // of Wages: of the public employment programme (the rest: of the other staff)
	ShortTime         float64 // of Unemployment: job retention (the rest: of the unemployed)
	BasicIncome       float64 // of Transfers
	MinimumIncome     float64 // of Transfers
	Redistribution    float64 // of Transfers
	Retraining        float64 // of Transfers (the rest: injections)
	ResearchSubsidies float64 // of Subsidies
	FirmInjections    float64 // of Subsidies (the rest: wage subsidies)
	BankInjections    float64 // of Banks (the rest: of failed banks)
}

// TaxParts are parts of [TaxIncome], in currency units; the rest is the tax on wages.
type TaxParts struct {
	Capital       float64 // on interest and dividends
	Contributions float64 // to pensions
}

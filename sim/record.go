package sim

// Record is what one month leaves behind: the headline indicators and
// fixed-size summaries of the distributions, so that the memory of a run grows
// with its months and never with its agents.
type Record struct {
	Month         int     // months since the experiment began; burn-in months are negative or zero
	RealPurchases float64 // of the government, currency units at prices of the base month

	Values     [NumIndicators]float64
	Households HouseholdSummary
	Firms      FirmSummary
	Banks      BankSummary
	Government GovernmentSummary
}

// Value returns one headline indicator of the month.
func (r *Record) Value(i Indicator) float64 { return r.Values[i] }

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
	Standing     Standing                         // what they earn by where they stood before month 1
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
// it receives beside taxes, in currency units. The items of spending add up to
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
}

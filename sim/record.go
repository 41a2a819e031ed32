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
}

// SizeClasses are the lower bounds, in employees, of the classes of
// [FirmSummary.Sizes] (Eurostat's size classes, with the smallest one split).
var SizeClasses = [...]int{0, 1, 5, 10, 20, 50, 250}

// NumSizeClasses is the number of firm size classes.
const NumSizeClasses = len(SizeClasses)

// FirmSummary holds the month's distributions over firms.
type FirmSummary struct {
	Sizes       [NumSizeClasses]int // firms by number of employees
	MeanSize    float64             // employees a firm
	MarkUp      [MaxIndustries + 1]float64
	Price       [MaxIndustries + 1]float64 // mean price paid without VAT, currency units
	Revenue     [MaxIndustries + 1]float64 // currency units a month
	HHI         [MaxIndustries + 1]float64 // mean over local markets weighted by revenue; capital goods have one market
	Inventories float64                    // at unit cost, currency units
	Vacancies   int                        // posts left open, government included
}

package trials

import (
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Settings of the business-cycle statistics.
const (
	hpLambda    = 1600 // Hodrick and Prescott (1997), for quarters
	driftMonths = 120  // at each end of the horizon, for the drift of mark-ups
)

// History is what one replication leaves behind for the table of facts. Month m
// has the index m-1, year y the index y-1.
type History struct {
	Series          [sim.NumIndicators][]float64
	InvestmentShare []float64 // a month: capital goods delivered / GDP, both at current prices
	WageRate        []float64 // a month: currency units per unit of labour, see [sim.Economy.WageRate]
	TaxScale        []float64 // a month: the debt rule's factor on income tax
	SizeTail        []float64 // at the end of a year: see [tables.SizeTail]

	// The growth of firms in all years from the second, less each year's mean:
	// makers of consumption goods, and of capital goods. See [GrowthRates].
	Growth [2]stats.Deviations
}

// FactStats holds one replication's statistics for [Facts]. Y, C and I are real
// GDP, consumption and investment, P the consumer price index, u the
// unemployment rate and v the vacancy rate.
type FactStats struct {
	MeanUnemployment float64 // over all months
	MaxUnemployment  float64
	RealGrowth       float64 // a year, between the means of the first and the last year
	Inflation        float64 // the same for P

	// Cycles: log of quarterly means less the HP trend with λ = 1600.
	SigmaY         float64 // standard deviation, in logs
	RelativeSigmaC float64 // over SigmaY
	RelativeSigmaI float64
	RelativeSigmaU float64
	PersistenceY   float64 // first autocorrelation
	PersistenceI   float64
	PersistenceU   float64
	CorrelationC   float64 // with Y, in the same quarter
	CorrelationI   float64
	CorrelationU   float64
	CorrelationP   float64

	OkunSlope float64 // see [OkunSlope]
	Phillips  float64 // see [PhillipsCorrelation]
	Beveridge float64 // correlation of quarterly means of u and v, levels

	VacancyRate     float64 // mean over months
	SizeTail        float64 // mean over year-ends
	GrowthKurtosis  float64 // mean of the two sectors, weighted by growth rates
	WealthGini      float64 // mean over months
	IncomeGini      float64
	FirmExit        float64 // firms that failed or gave up a year / firms
	InvestmentShare float64 // mean over months
	LabourShare     float64
	MarkUpDrift     float64 // see [Drift]
	TaxScale        float64 // mean over months
}

// Stats computes the statistics. Those that the history is too short for are
// NaN.
func (h *History) Stats() FactStats {
	s := h.Series
	quarterly := func(i sim.Indicator) []float64 { return stats.Quarterly(s[i]) }
	y, c, i := Cycle(quarterly(sim.RealGDP)), Cycle(quarterly(sim.RealConsumption)), Cycle(quarterly(sim.RealInvestment))
	u, p := Cycle(quarterly(sim.UnemploymentRate)), Cycle(quarterly(sim.CPI))
	sigma := stats.StdDev(y)
	return FactStats{
		MeanUnemployment: stats.Mean(s[sim.UnemploymentRate]),
		MaxUnemployment:  maximum(s[sim.UnemploymentRate]),
		RealGrowth:       GrowthPerYear(s[sim.RealGDP]),
		Inflation:        GrowthPerYear(s[sim.CPI]),

		SigmaY:         sigma,
		RelativeSigmaC: stats.StdDev(c) / sigma,
		RelativeSigmaI: stats.StdDev(i) / sigma,
		RelativeSigmaU: stats.StdDev(u) / sigma,
		PersistenceY:   stats.Autocorrelation(y, 1),
		PersistenceI:   stats.Autocorrelation(i, 1),
		PersistenceU:   stats.Autocorrelation(u, 1),
		CorrelationC:   stats.Correlation(c, y),
		CorrelationI:   stats.Correlation(i, y),
		CorrelationU:   stats.Correlation(u, y),
		CorrelationP:   stats.Correlation(p, y),

		OkunSlope: OkunSlope(s[sim.UnemploymentRate], s[sim.RealGDP]),
		Phillips:  PhillipsCorrelation(s[sim.UnemploymentRate], h.WageRate),
		Beveridge: stats.Correlation(quarterly(sim.UnemploymentRate), quarterly(sim.VacancyRate)),

		VacancyRate:     stats.Mean(s[sim.VacancyRate]),
		SizeTail:        stats.Mean(h.SizeTail),
		GrowthKurtosis:  growthKurtosis(h.Growth[:]),
		WealthGini:      stats.Mean(s[sim.WealthGini]),
		IncomeGini:      stats.Mean(s[sim.IncomeGini]),
		FirmExit:        exitRate(s[sim.FirmExits], s[sim.FirmCount]),
		InvestmentShare: stats.Mean(h.InvestmentShare),
		LabourShare:     stats.Mean(s[sim.LabourShare]),
		MarkUpDrift:     Drift(s[sim.MarkUp], driftMonths),
		TaxScale:        stats.Mean(h.TaxScale),
	}
}

// Cycle is the log deviation of a quarterly series from its HP trend (Hodrick
// and Prescott, 1997, λ = 1600).
func Cycle(quarterly []float64) []float64 {
	_, cycle := stats.HPFilter(stats.Logs(quarterly), hpLambda)
	return cycle
}

// GrowthPerYear is the compound growth a year between the means of the first
// and the last twelve months; NaN below two years.
func GrowthPerYear(monthly []float64) float64 {
	const year = 12
	n := len(monthly)
	if n < 2*year {
		return math.NaN()
	}
	years := float64(n-year) / year
	return math.Pow(stats.Mean(monthly[n-year:])/stats.Mean(monthly[:year]), 1/years) - 1
}

// OkunSlope is Okun's coefficient in the changes version of Ball, Leigh and
// Loungani (2017, "Okun's Law: Fit at 50?", equation 3), on annual data: the
// least-squares slope of the change of the annual mean unemployment rate on the
// growth, in logs, of annual real GDP.
func OkunSlope(unemployment, realGDP []float64) float64 {
	return stats.Slope(changes(stats.Logs(annual(realGDP))), changes(annual(unemployment)))
}

// PhillipsCorrelation relates the quarterly unemployment rate to the growth of
// the quarterly nominal wage rate over the quarter before, both per period, as
// in Delli Gatti et al. (2011), whose period is a quarter. Growth over the same
// quarter a year before would repeat each quarter's news four times.
func PhillipsCorrelation(unemployment, wage []float64) float64 {
	u, w := stats.Quarterly(unemployment), stats.Quarterly(wage)
	if len(u) < 3 {
		return math.NaN()
	}
	return stats.Correlation(u[1:], changes(stats.Logs(w)))
}

// Drift is the relative change between the means of the first and the last
// months of a series, or of its halves where it is shorter than twice that.
func Drift(series []float64, months int) float64 {
	months = min(months, len(series)/2)
	return stats.Mean(series[len(series)-months:])/stats.Mean(series[:months]) - 1
}

// FirmYear is one firm in two consecutive years.
type FirmYear struct {
	Capital        bool    // makes capital goods
	Age            int     // months at the end of the second year
	Before, After  float64 // sales of the years
	LeastEmployees int     // the smaller of the numbers at the ends of the years
}

// GrowthRates returns the log growth of annual sales of a sector's firms in a
// year, less its mean over them (Bottazzi and Secchi 2006). Firms that
// are younger than the two years are left out (their row was another firm's), and
// so are those below [tables.GrowthFloor] or without sales.
func GrowthRates(firms []FirmYear, capital bool) []float64 {
	var growth []float64
	for _, f := range firms {
		if f.Capital == capital && f.Age >= 24 && f.LeastEmployees >= tables.GrowthFloor && f.Before > 0 && f.After > 0 {
			growth = append(growth, math.Log(f.After/f.Before))
		}
	}
	for i, average := 0, stats.Mean(growth); i < len(growth); i++ {
		growth[i] -= average
	}
	return growth
}

// growthKurtosis is the mean of the sectors' kurtosis, weighted by their numbers
// of growth rates. Sectors differ in their dispersion, and a mixture of them would
// have fatter tails than each.
func growthKurtosis(sectors []stats.Deviations) float64 {
	var sum, n float64
	for i := range sectors {
		if k := sectors[i].Kurtosis(); !math.IsNaN(k) {
			sum += float64(sectors[i].Len()) * k
			n += float64(sectors[i].Len())
		}
	}
	return sum / n
}

// exitRate is the share of firms that leave in a year.
func exitRate(exits, firms []float64) float64 {
	monthly := make([]float64, len(firms))
	for m := range monthly {
		monthly[m] = exits[m] / firms[m]
	}
	return 12 * stats.Mean(monthly)
}

// annual returns the means of twelve months each; months left over at the end
// are dropped.
func annual(monthly []float64) []float64 {
	years := make([]float64, len(monthly)/12)
	for y := range years {
		years[y] = stats.Mean(monthly[12*y : 12*y+12])
	}
	return years
}

func changes(x []float64) []float64 {
	d := make([]float64, max(0, len(x)-1))
	for i := range d {
		d[i] = x[i+1] - x[i]
	}
	return d
}

// maximum is NaN without values.
func maximum(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return slices.Max(x)
}

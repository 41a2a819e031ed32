package term

import (
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
	"fmt"
	"io"
	"math"
)

const monthsPerYear = 12

// seriesOf holds the months of each indicator.
type seriesOf = [sim.NumOutcomes][]float64

// year is a stretch of at most twelve months of a run.
type year struct {
	series   *seriesOf
	from, to int // indices of months; to is excluded
}

func (y year) months(i sim.Indicator) []float64 { return y.series[i][y.from:y.to] }

// mean, sum and end of an indicator over the year.
func (y year) mean(i sim.Indicator) float64 { return stats.DefinedMean(y.months(i)) }
func (y year) sum(i sim.Indicator) float64 {
	return stats.DefinedMean(y.months(i)) * float64(y.to-y.from)
}
func (y year) end(i sim.Indicator) float64 { return last(y.months(i)) }

// label is the number of the year, or the last month of an incomplete one.
func (y year) label() string {
	if y.to%monthsPerYear == 0 {
		return fmt.Sprint(y.to / monthsPerYear)
	}
	return fmt.Sprintf("m%d", y.to)
}

// yearColumns are the columns of the table of years.
var yearColumns = []struct {
	title string
	width int
	cell  func(year) string
}{
	{"year", 5, year.label},
	{"real GDP", 10, func(y year) string { return report.FormatAmount(y.mean(sim.RealGDP)) }},
	{"growth", 9, func(y year) string { return report.FormatShare(y.end(sim.GDPGrowth), 1) }},
	{"unempl.", 9, func(y year) string { return report.FormatShare(y.mean(sim.UnemploymentRate), 1) }},
	{"inflation", 11, func(y year) string { return report.FormatShare(y.end(sim.Inflation), 1) }},
	{"interest", 10, func(y year) string { return report.FormatShare(y.mean(sim.PolicyRate), 1) }},
	{"real wage", 11, func(y year) string { return report.FormatNumber(y.mean(sim.RealWageMean), 0) }},
	{"debt/GDP", 10, func(y year) string { return report.FormatShare(y.end(sim.DebtToGDP), 1) }},
	{"deficit", 9, func(y year) string { return report.FormatShare(y.end(sim.DeficitToGDP), 1) }},
	{"Gini", 7, func(y year) string { return report.FormatNumber(y.mean(sim.IncomeGini), 3) }},
	{"failed", 8, func(y year) string { return report.FormatNumber(y.sum(sim.Bankruptcies), 0) }},
}

func writeYearHead(w io.Writer) {
	for _, c := range yearColumns {
		fmt.Fprint(w, Right(c.title, c.width))
	}
	fmt.Fprintln(w)
}

func writeYear(w io.Writer, y year) {
	for _, c := range yearColumns {
		fmt.Fprint(w, Right(c.cell(y), c.width))
	}
	fmt.Fprintln(w)
}

// Years prints the years of the arm's mean over replications.
func Years(w io.Writer, result *lab.Result) {
	series := &result.Arms[0].Mean
	n := len(result.Months)
	writeYearHead(w)
	for from := 0; from < n; from += monthsPerYear {
		writeYear(w, year{series, from, min(from+monthsPerYear, n)})
	}
}

// YearTable prints a single run while it happens, a row a year.
type YearTable struct {
	W        io.Writer
	Progress *Progress
	Run      *Run
	series   seriesOf
	printed  int  // months
	cached   bool // the burn-in was
}

// Month prints the head, then each year that ended, and how far the run is, for
// [lab.Experiment].Progress.
func (t *YearTable) Month(p run.Progress) {
	if p.Phase == run.PhaseRunning {
		if p.Month == 1 {
			t.Progress.Clear()
			t.Run.Header(t.W, t.cached)
			writeYearHead(t.W)
		}
		t.add(p.Latest)
	}
	t.cached = t.cached || p.Cached
	t.Progress.Month(p)
}

func (t *YearTable) add(r *sim.Record) {
	for i := range sim.NumIndicators {
		t.series[i] = append(t.series[i], r.Value(i))
	}
	n := len(t.series[0])
	if n%monthsPerYear != 0 && n != t.Run.Experiment.Months {
		return
	}
	t.Progress.Clear()
	writeYear(t.W, year{&t.series, t.printed, n})
	t.printed = n
}

// annualGrowth is the mean growth a year between the first and the last year;
// NaN for less than two years.
func annualGrowth(series []float64) float64 {
	n := len(series)
	if n < 2*monthsPerYear {
		return math.NaN()
	}
	first, final := stats.DefinedMean(series[:monthsPerYear]), stats.DefinedMean(series[n-monthsPerYear:])
	return math.Pow(final/first, monthsPerYear/float64(n-monthsPerYear)) - 1
}

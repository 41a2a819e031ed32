package term

import (
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// sparkWidth is the length of a sparkline in characters.
const sparkWidth = 40

// mainIndicators are those that a summary draws.
var mainIndicators = []struct {
	title     string
	indicator sim.Indicator
}{
	{"real GDP", sim.RealGDP},
	{"unemployment", sim.UnemploymentRate},
	{"vacancies", sim.VacancyRate},
	{"inflation", sim.Inflation},
	{"policy rate", sim.PolicyRate},
	{"real wage", sim.RealWageMean},
	{"consumption", sim.RealConsumption},
	{"investment", sim.RealInvestment},
	{"public debt/GDP", sim.DebtToGDP},
	{"income Gini", sim.IncomeGini},
}

// Summary prints what follows the years: sparklines, intervals when there
// are replications, and a paragraph.
func Summary(w io.Writer, result *lab.Result) {
	arm := &result.Arms[0]
	fmt.Fprintf(w, "\n%s%s%s%s%s\n", Left("", 18), Left("month 1 to "+fmt.Sprint(len(result.Months)), sparkWidth), Right("least", 12),
		Right("greatest", 12), Right("at the end", 12))
	for _, m := range mainIndicators {
		series := arm.Mean[m.indicator]
		low, high := bounds(series)
		fmt.Fprintf(w, "  %s%s%s%s%s\n", Left(m.title, 16), Left(Sparkline(series, sparkWidth), sparkWidth),
			Right(report.FormatValue(m.indicator, low), 12), Right(report.FormatValue(m.indicator, high),
				12), Right(report.FormatValue(m.indicator, last(series)), 12))
	}
	if len(arm.Replications) > 1 {
		writeIntervals(w, result)
	}
	fmt.Fprintf(w, "\n%s\n\n%s\n", Indented(livingText(arm), ""), Indented(techText(result), ""))
}

// writeIntervals prints means over the window with their intervals over
// replications.
func writeIntervals(w io.Writer, result *lab.Result) {
	arm := &result.Arms[0]
	fmt.Fprintf(w, "\n%s%s%s\n", Left(fmt.Sprintf("  mean of months %d to %d", result.From, result.To), 30), Right("mean", 12),
		Right(confidenceText(result)+" interval", 28))
	for _, m := range mainIndicators {
		var means []float64
		for _, r := range arm.Replications {
			means = append(means, stats.DefinedMean(r.Series[m.indicator][result.From-1:result.To]))
		}
		iv := stats.MeanInterval(means, result.Confidence)
		fmt.Fprintf(w, "  %s%s%s\n", Left(m.title, 28), Right(report.FormatValue(m.indicator, iv.Mean), 12),
			Right(report.FormatValue(m.indicator, iv.Low)+" to "+report.FormatValue(m.indicator, iv.High), 28))
	}
}

func confidenceText(result *lab.Result) string { return fmt.Sprintf("%.0f %%", 100*result.Confidence) }

// livingText sums up the months of an arm in plain words.
func livingText(arm *lab.ArmResult) string {
	s := &arm.Mean
	n := len(s[sim.RealGDP])
	var b strings.Builder
	fmt.Fprintf(&b, "Over %s ", spanText(n))
	if g := annualGrowth(s[sim.RealGDP]); !math.IsNaN(g) {
		fmt.Fprintf(&b, "real output %s by %s a year. ", grewText(g), report.FormatShare(math.Abs(g), 1))
	} else {
		fmt.Fprintf(&b, "real output averaged %s a month. ", report.FormatAmount(stats.DefinedMean(s[sim.RealGDP])))
	}
	peak, when := peakOf(s[sim.UnemploymentRate])
	fmt.Fprintf(&b, "Unemployment averaged %s of the labour force and peaked at %s in month %d. ",
		report.FormatShare(stats.DefinedMean(s[sim.UnemploymentRate]), 1), report.FormatShare(peak, 1), when)
	inflation := math.Pow(last(s[sim.CPI])/100, monthsPerYear/float64(n)) - 1
	fmt.Fprintf(&b, "Prices %s by %s a year, under a policy rate of %s on average. ", roseText(inflation),
		report.FormatShare(math.Abs(inflation), 1), report.FormatShare(stats.DefinedMean(s[sim.PolicyRate]), 1))
	fmt.Fprintf(&b, "Public debt went from %s to %s of annual output. ", report.FormatShare(s[sim.DebtToGDP][0], 1),
		report.FormatShare(last(s[sim.DebtToGDP]), 1))
	fmt.Fprintf(&b, "The Gini coefficient of disposable income was %s at first and %s in the end, that of wealth %s and %s.",
		report.FormatNumber(s[sim.IncomeGini][0], 3), report.FormatNumber(last(s[sim.IncomeGini]),
			3), report.FormatNumber(s[sim.WealthGini][0], 3), report.FormatNumber(last(s[sim.WealthGini]), 3))
	if r := len(arm.Replications); r > 1 {
		fmt.Fprintf(&b, " These are means over %d replications; a mean is calmer than any single economy.", r)
	}
	return b.String()
}

func spanText(months int) string {
	switch {
	case months == monthsPerYear:
		return "one year"
	case months%monthsPerYear == 0:
		return fmt.Sprintf("%d years", months/monthsPerYear)
	}
	return report.Plural(months, "month")
}

func grewText(rate float64) string {
	if rate < 0 {
		return "shrank"
	}
	return "grew"
}

func roseText(rate float64) string {
	if rate < 0 {
		return "fell"
	}
	return "rose"
}

// peakOf is the greatest value and its month, counted from 1.
func peakOf(series []float64) (value float64, month int) {
	_, value = bounds(series)
	return value, slices.Index(series, value) + 1
}

// techText says that the books balanced, what the state was and how fast it
// went.
func techText(result *lab.Result) string {
	var b strings.Builder
	runs := 0
	for _, arm := range result.Arms {
		runs += len(arm.Replications)
	}
	fmt.Fprintf(&b, "The books balanced to the last unit in all %s", report.Plural(len(result.Months), "month"))
	if runs > 1 {
		fmt.Fprintf(&b, " of all %d runs", runs)
	}
	b.WriteString(". ")
	final := result.Arms[len(result.Arms)-1].Replications[0]
	fmt.Fprintf(&b, "State hash %s", shortHash(final.StateHash))
	if runs > 1 {
		b.WriteString(" (first replication)")
	}
	fmt.Fprintf(&b, "; %s agent-months a second.", report.FormatAmount(result.AgentMonthsPerSecond))
	return b.String()
}

// shortHash is enough of a hash to compare two runs by eye.
func shortHash(hash string) string { return hash[:min(16, len(hash))] }

// last is the last number of the series, NaN without any.
func last(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return x[len(x)-1]
}

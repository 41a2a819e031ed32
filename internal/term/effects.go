package term

import (
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"fmt"
	"io"
	"math"
	"strings"
)

// excludesZero reports whether the interval of the effect excludes zero.
func excludesZero(e lab.Effect) bool { return e.CILow > 0 || e.CIHigh < 0 }

// Effects prints the table of differences, most telling first, and what
// may be said of them.
func Effects(w io.Writer, result *lab.Result) {
	fmt.Fprintf(w, "Mean of months %d to %d. * = the %s interval of the difference excludes 0.\n\n", result.From, result.To,
		confidenceText(result))
	fmt.Fprintf(w, "  %s%s%s%s%s%s\n", Left("", 21), Right("control", 11), Right("treatment", 11), Right("difference", 12),
		Right(confidenceText(result)+" interval", 28), Right("relative", 12))
	for _, e := range result.Effects {
		writeEffect(w, e)
	}
	fmt.Fprintf(w, "\n%s\n\n%s\n", Indented(effectText(result), ""), Indented(techText(result), ""))
}

func writeEffect(w io.Writer, e lab.Effect) {
	i, ok := sim.IndicatorByName(e.Metric)
	if !ok {
		return
	}
	mark := " "
	if excludesZero(e) {
		mark = "*"
	}
	interval := report.Absent
	if !math.IsNaN(e.CILow) {
		interval = report.FormatDifference(i, e.CILow) + " to " + report.FormatDifference(i, e.CIHigh)
	}
	relative := report.Absent
	if !math.IsNaN(e.Percent) && !tables.IsShare(i) {
		relative = report.FormatShare(e.Percent/100, 2)
		if e.Percent > 0 {
			relative = "+" + relative
		}
	}
	line := fmt.Sprintf("%s %s%s%s%s%s%s", mark, Left(e.Metric, 21), Right(report.FormatValue(i, e.Control), 11),
		Right(report.FormatValue(i, e.Treatment), 11),
		Right(report.FormatDifference(i, e.Difference), 12), Right(interval, 28), Right(relative, 12))
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// told are the indicators that the closing words speak of.
var told = []struct {
	subject   string
	indicator sim.Indicator
}{
	{"real output", sim.RealGDP},
	{"unemployment", sim.UnemploymentRate},
	{"inflation", sim.Inflation},
	{"the mean real wage", sim.RealWageMean},
	{"the income Gini", sim.IncomeGini},
}

// effectText tells in plain words what the treatment changed and how sure that
// is.
func effectText(result *lab.Result) string {
	var b strings.Builder
	n := len(result.Arms[0].Replications)
	fmt.Fprintf(&b, "With the treatment, over months %d to %d and on average over %s: ", result.From, result.To,
		report.Plural(n, "replication"))
	var parts []string
	for _, t := range told {
		for _, e := range result.Effects {
			if e.Metric == t.indicator.String() {
				parts = append(parts, effectPhrase(t.subject, t.indicator, e))
			}
		}
	}
	b.WriteString(strings.Join(parts, "; ") + ". ")
	if n < 2 {
		b.WriteString(
			"This is one pair of economies: there is no interval, and a difference may be chance. " +
				"Use --replications 10 or more before believing it.",
		)
	} else {
		b.WriteString(certaintyText(result))
	}
	for _, arm := range result.Arms {
		if len(arm.BurntInApart) > 0 {
			fmt.Fprintf(&b, " The %s was burnt in apart, because it differs in %s.", arm.Name, strings.Join(arm.BurntInApart, ", "))
		}
		if arm.BurntInAs != "" {
			fmt.Fprintf(&b,
				" The %s starts from the burnt-in state of the %s, not from the burn-in that its own scenario asks for; its scenario hash is that "+
					"of what was simulated.", arm.Name, arm.BurntInAs)
		}
	}
	return b.String()
}

func effectPhrase(subject string, i sim.Indicator, e lab.Effect) string {
	s := fmt.Sprintf("%s %s", subject, movedText(e))
	if e.Difference != 0 && !math.IsNaN(e.Difference) {
		size := strings.TrimLeft(report.FormatDifference(i, math.Abs(e.Difference)), "+")
		if report.IsMoney(i) && !math.IsNaN(e.Percent) {
			size = report.FormatShare(math.Abs(e.Percent)/100, 1)
		}
		s += " by " + strings.Replace(size, " pp", " percentage points", 1)
	}
	if !math.IsNaN(e.CILow) && !excludesZero(e) {
		s += " (not told apart from 0)"
	}
	return s
}

func movedText(e lab.Effect) string {
	switch {
	case math.IsNaN(e.Difference):
		return "is unknown"
	case e.Difference > 0:
		return "is higher"
	case e.Difference < 0:
		return "is lower"
	}
	return "is the same"
}

// certaintyText counts the intervals that exclude zero beside those that chance
// alone would give.
func certaintyText(result *lab.Result) string {
	known, found := 0, 0
	for _, e := range result.Effects {
		if !math.IsNaN(e.CILow) && e.CIHigh > e.CILow {
			known++
			if excludesZero(e) {
				found++
			}
		}
	}
	chance := math.Round(float64(known) * (1 - result.Confidence))
	return fmt.Sprintf("The intervals of %d of %d indicators exclude 0; about %.0f would by chance if nothing had changed.", found, known,
		chance)
}

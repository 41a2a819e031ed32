package term

import (
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"fmt"
	"io"
	"math"
	"strings"
)

// found says that there is a difference, after adjustment for all that is told.
func found(e lab.Effect) bool {
	return e.Verdict == inference.Supported || e.Verdict == inference.Contradicted
}

// Effects prints the table of differences, most telling first, and what
// may be said of them.
func Effects(w io.Writer, result *lab.Result) {
	fmt.Fprintf(w, "Mean of months %d to %d. * = a difference, *= one too small to matter, = none that matters.\n\n",
		result.From, result.To)
	fmt.Fprintf(w, "   %s%s%s%s%s%s\n", Left("", 21), Right("control", 11), Right("treatment", 11), Right("difference", 12),
		Right(confidenceText(result)+" interval", 27), Right("relative", 12))
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
	switch {
	case e.Tiny:
		mark = "*="
	case found(e):
		mark = "*"
	case e.Verdict == inference.EquivalentToZero:
		mark = "="
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
	line := fmt.Sprintf("%s %s%s%s%s%s%s", Left(mark, 2), Left(e.Metric, 21), Right(report.FormatValue(i, e.Control), 11),
		Right(report.FormatValue(i, e.Treatment), 11),
		Right(report.FormatDifference(i, e.Difference), 12), Right(interval, 27), Right(relative, 12))
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
	switch {
	case math.IsNaN(e.CILow):
	case e.Tiny || e.Verdict == inference.EquivalentToZero:
		return subject + " does not change by as much as matters"
	case !found(e):
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

// certaintyText counts the differences that are there, and says what the verdicts and intervals rest on.
func certaintyText(result *lab.Result) string {
	judged, there, tiny, none := 0, 0, 0, 0
	for _, e := range result.Effects {
		if e.Verdict == inference.NotJudged || e.Difference == 0 && !(e.CILow < e.CIHigh) {
			continue // nothing of it differs, or it is not there
		}
		judged++
		switch {
		case e.Tiny:
			tiny++
		case found(e):
			there++
		case e.Verdict == inference.EquivalentToZero:
			none++
		}
	}
	text := fmt.Sprintf("Of %d indicators %d differ, %d by too little to matter, and %d have no difference that matters; of the others it is "+
		"not known. p is adjusted by %s over all of them. Nothing of this was registered before, so that it is exploratory: econ-mcp ask "+
		"registers what it is judged by. Intervals are not adjusted, and "+report.Intervals+".",
		judged, there+tiny, tiny, none, report.AdjustmentName(result.Method.Adjustment))
	for _, n := range result.Notes {
		text += " Note: " + report.NoteText(n, report.English) + "."
	}
	return text
}

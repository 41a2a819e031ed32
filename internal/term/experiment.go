package term

import (
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"fmt"
	"io"
	"math"
)

// Experiments lists a page of the stored experiments; total counts all, next is the cursor of the next page.
func Experiments(w io.Writer, list []store.Experiment, total int, next string) {
	if len(list) == 0 {
		fmt.Fprintln(w, `No experiment yet. Begin with econ-mcp ask "How will AI agents reshape the labour market?"`)
		return
	}
	width := 0
	for _, x := range list {
		width = max(width, Width(x.Name))
	}
	for _, x := range list {
		writeRow(w, x, width)
	}
	fmt.Fprintf(w, "%d of %s", len(list), report.Plural(total, "experiment"))
	if next != "" {
		fmt.Fprintf(w, "; the next ones: --cursor %s", next)
	}
	fmt.Fprintln(w)
}

// Experiment prints an experiment and by what it is judged.
func Experiment(w io.Writer, x store.Experiment, language string) {
	writeRow(w, x, 0)
	if r, planned := lab.RegistrationOf(x); planned {
		p := page{w, language}
		p.registered(r)
		p.line(p.say("plan hash", "计划哈希"), lab.PlanHash(x.Plan))
	}
}

// writeRow prints one experiment, its name padded to a width.
func writeRow(w io.Writer, x store.Experiment, width int) {
	months := fmt.Sprintf("month %d of %d", x.Month, x.Months)
	if x.Month == x.Months {
		months = report.Plural(x.Months, "month")
	}
	fmt.Fprintf(w, "%s  %s  %s %s, %d x %d runs of %s\n", Left(x.Name, width), x.CreatedAt.UTC().Format("2006-01-02 15:04"),
		Left(x.State, 11), months, len(x.Arms), x.Replications, report.Plural(x.Households, "household"))
	question := x.Question
	if x.Captured != nil && x.Captured.Question != "" {
		question = x.Captured.Question
	}
	if question != "" {
		fmt.Fprintln(w, Indented(question, "    "))
	}
}

// Finals prints the end of an experiment with one arm.
func Finals(w io.Writer, s tables.Summary) {
	fmt.Fprintf(w, "\nAt the end of month %d, mean of %s:\n", s.Months, report.Plural(s.Replications, "replication"))
	for _, row := range []struct {
		label, text string
	}{
		{"real GDP", report.FormatAmount(float64(s.RealGDP))}, {"unemployment",
			report.FormatShare(float64(s.UnemploymentRate), 2)}, {"inflation", report.FormatShare(float64(s.Inflation), 2)},
		{"income Gini", report.FormatNumber(float64(s.Gini), 4)}, {"wealth Gini", report.FormatNumber(float64(s.WealthGini), 4)}, {"poverty",
			report.FormatShare(float64(s.PovertyRate), 2)},
		{"saving rate", report.FormatShare(float64(s.SavingsRate), 2)}, {"debt to GDP",
			report.FormatShare(float64(s.DebtToGDP), 2)}, {"firms", report.FormatNumber(float64(s.Firms), 0)},
	} {
		fmt.Fprintf(w, "  %s%s\n", Left(row.label, 16), Right(row.text, 12))
	}
}

// Findings prints what an experiment shows, paragraph by paragraph.
func Findings(w io.Writer, paragraphs []string, language string) {
	p := page{w, language}
	fmt.Fprintln(w, p.say("Answer", "回答"))
	for _, text := range paragraphs {
		p.paragraph(text)
	}
}

// Notes prints cautions about a result.
func Notes(w io.Writer, notes []string, language string) {
	p := page{w, language}
	p.lines(p.say("note", "注意"), notes)
}

// Comparison prints differences as econ-mcp ask does.
func Comparison(w io.Writer, c inference.Comparison) {
	p := page{w, c.Language}
	fmt.Fprintf(w, "\n%s\n", report.ComparedText(&c, c.Language))
	p.effects(c.Rows, c.Confidence, c.Method)
	for _, warning := range c.Warnings {
		p.line(p.say("note", "注意"), warning)
	}
}

// Status says how far an experiment is, how fast it goes and how long it will take.
func Status(s run.Status) string {
	text := fmt.Sprintf("%3.0f %%", 100*s.Progress)
	switch {
	case s.State == run.StateQueued:
		return text + " · waiting"
	case s.Preparing:
		return s.Message
	case s.ReplicationsDone > 0 && s.Message != "":
		text += " · " + s.Message
	case s.State == run.StateBurnIn:
		text += fmt.Sprintf(" · burn-in month %d of %d", s.BurnIn, s.BurnInMonths)
	default:
		text += fmt.Sprintf(" · month %d of %d", s.Month, s.Months)
	}
	if s.State != run.StateRunning || s.ReplicationsDone > 0 { // else all of them are under way side by side
		text += fmt.Sprintf(" · %d of %s done", s.ReplicationsDone, report.Plural(s.Replications, "replication"))
	} else {
		text += " · " + report.Plural(s.Replications, "replication")
	}
	if s.MonthsPerSecond > 0 {
		text += fmt.Sprintf(" · %s months a second", report.FormatNumber(s.MonthsPerSecond, 0))
	}
	if !math.IsNaN(s.ETASeconds) && s.State.Active() {
		text += fmt.Sprintf(" · %.0f s left", math.Ceil(s.ETASeconds))
	}
	return text
}

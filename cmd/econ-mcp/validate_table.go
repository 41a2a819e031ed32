package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// measurement makes a table of a scenario.
type measurement[T any] func(
	ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
) (T, error)

// validateTable is a command that measures an economy and writes a table of what it found.
type validateTable[T interface{ Markdown() string }] struct {
	simulation
	out string

	section   int // of docs/VALIDATION.md
	months    int // of the longest simulation
	measure   measurement[T]
	generated func(table T, command string) // notes the command in the table
	write     func(io.Writer, T)            // for people
}

// factsTable is one that holds an economy against numbered facts.
func factsTable(section, months int, measure measurement[*trials.Table]) *validateTable[*trials.Table] {
	return &validateTable[*trials.Table]{
		section: section, months: months, measure: measure, write: writeTable,
		generated: func(t *trials.Table, command string) { t.Command = command },
	}
}

func (o *validateTable[T]) command(use, short, long string, replications int) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long,
		Example: "  econ-mcp validate " + use + "\n  econ-mcp validate " + use + " --set vat_rate=0.2 --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.execute(cmd) },
	}
	f := cmd.Flags()
	o.addWithoutMonths(f, replications)
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file` (standard call: "+validationFile+")")
	return cmd
}

func (o *validateTable[T]) execute(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd.Flags(), "preset", "config", "cache"); err != nil {
		return err
	}
	arms, err := o.load(cmd.Flags(), setting{"num_iterations", fmt.Sprint(o.months)})
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	path := reportFile(cmd, o.out, validationFile)
	file, err := openOutput("--out", path, io.Discard)
	if err != nil {
		return err
	}
	defer file.discard()
	progress := term.NewProgress(cmd.ErrOrStderr(), s.Params)
	t, err := o.measure(cmd.Context(), s, o.replications, s.Params.MaxConcurrentTasks, o.cache(), progress.Month)
	progress.Clear()
	if err != nil {
		return err
	}
	o.generated(t, commandLine(cmd))
	return validated(cmd, file, path, o.section, t, func(out io.Writer) { o.write(out, t) })
}

// writeTable prints the table for people, a line a part.
func writeTable(w io.Writer, t *trials.Table) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", t.Scenario, report.Plural(t.Households, "household"),
		report.Plural(t.Replications, "replication"), t.Seed, report.Plural(t.Months, "month"), t.BurnInMonths)
	for _, fact := range t.Facts {
		fmt.Fprintf(w, "%s %s %s\n", term.Right(fmt.Sprint(fact.Number), 2), term.Left(verdictText(fact.Verdict()), 4), fact.Name)
		for _, part := range fact.Parts {
			name := ""
			if len(fact.Parts) > 1 {
				name = part.Name
			}
			fmt.Fprintf(w, "        %s%s%s%s\n", term.Left(name, 46), term.Right(trials.Figure(part.Value), 9),
				term.Right(trials.IntervalText(part.CILow, part.CIHigh), 21), term.Right(part.BandText(), 18))
		}
	}
	fmt.Fprintf(w, "\n%d of %d facts pass.\n", trials.Passed(t.Facts), len(t.Facts))
}

func newValidateResponses() *cobra.Command {
	o := factsTable(responsesSection, trials.ResponseMonths, trials.Responses)
	return o.command("responses", "Hold what an economy does under policies and shocks against the literature",
		`Changes the economy in eighteen ways (public purchases, taxes, the policy rate, basic income, a
minimum wage, benefits, import prices, credit, tariffs, the inflation target), each against the
same economy without the change on the same seeds, and holds the effects against bands from the
literature. --json has the whole paths. Takes some minutes.`, trials.ResponseReplications)
}

func newValidateMicro() *cobra.Command {
	o := factsTable(microSection, trials.MicroMonths, trials.Micro)
	return o.command("micro", "Hold firms and households of an economy against the literature",
		`Follows every firm and household for twenty years and holds what they do against twenty-eight
facts with bands from the literature: growth and productivity of firms, lumpy investment, prices,
stocks, flows of jobs and workers, exits, wages, wealth, incomes, and what winners of a lottery
spend.`, trials.MicroReplications)
}

func newValidateCycle() *cobra.Command {
	o := &validateTable[*trials.CycleTable]{
		section: cycleSection, months: trials.CycleMonths, measure: trials.Sources, write: writeCycle,
		generated: func(t *trials.CycleTable, command string) { t.Command = command },
	}
	return o.command("cycle", "Tell what makes the cycle of an economy",
		`Simulates the economy, and again with one process of random draws anew: confidence, wages,
prices, investment, posts, job search, shopping, innovation, entry. The total effect of a process
on the variance of output, consumption, investment and unemployment is half the mean squared
difference, over the variance. No process of its own should have more than half: the cycle would
be written in. Sizes of economies are compared by --households 100000 or 1000000.`, trials.CycleReplications)
}

// writeCycle prints the table for people.
func writeCycle(w io.Writer, t *trials.CycleTable) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n%s", t.Scenario, report.Plural(t.Households, "household"),
		report.Plural(t.Replications, "replication"), t.Seed, report.Plural(t.Months, "month"), t.BurnInMonths, term.Left("drawn anew", 20))
	for _, name := range t.Variables {
		fmt.Fprint(w, term.Right(name, 18))
	}
	fmt.Fprintln(w)
	for _, row := range t.Rows {
		fmt.Fprint(w, term.Left(row.Process, 20))
		for _, e := range row.Total {
			fmt.Fprint(w, term.Right(trials.Figure(e.Mean), 18))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, term.Left("standard deviation", 20))
	for _, x := range t.SD {
		fmt.Fprint(w, term.Right(trials.Figure(x), 18))
	}
	fmt.Fprintf(w, "\n\n%s.\n", t.Verdict())
}

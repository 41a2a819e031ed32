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

// validateTable is a command that holds an economy against a numbered table of facts.
type validateTable struct {
	simulation
	out string

	section int // of docs/VALIDATION.md
	hold    func(
		ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
	) (*trials.Table, error)
	months int // of the longest simulation, for the progress
}

func (o *validateTable) command(use, short, long string, replications int) *cobra.Command {
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

func (o *validateTable) execute(cmd *cobra.Command) error {
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
	t, err := o.hold(cmd.Context(), s, o.replications, s.Params.MaxConcurrentTasks, o.cache(), progress.Month)
	progress.Clear()
	if err != nil {
		return err
	}
	t.Command = commandLine(cmd)
	return validated(cmd, file, path, o.section, t, func(out io.Writer) { writeTable(out, t) })
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
	o := &validateTable{section: responsesSection, months: trials.ResponseMonths, hold: trials.Responses}
	return o.command("responses", "Hold what an economy does under policies and shocks against the literature",
		`Changes the economy in eighteen ways (public purchases, taxes, the policy rate, basic income, a
minimum wage, benefits, import prices, credit, tariffs, the inflation target), each against the
same economy without the change on the same seeds, and holds the effects against bands from the
literature. --json has the whole paths. Takes some minutes.`, trials.ResponseReplications)
}

func newValidateMicro() *cobra.Command {
	o := &validateTable{section: microSection, months: trials.MicroMonths, hold: trials.Micro}
	return o.command("micro", "Hold firms and households of an economy against the literature",
		`Follows every firm and household for twenty years and holds what they do against twenty-eight
facts with bands from the literature: growth and productivity of firms, lumpy investment, prices,
stocks, flows of jobs and workers, exits, wages, wealth, incomes, and what winners of a lottery
spend.`, trials.MicroReplications)
}

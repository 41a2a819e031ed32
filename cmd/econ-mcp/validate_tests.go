package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// validateTestsOptions are the flags of econ-mcp validate tests.
type validateTestsOptions struct {
	simulation
	placebo trials.Placebo
	out     string
}

func newValidateTests() *cobra.Command {
	o := &validateTestsOptions{}
	cmd := &cobra.Command{
		Use:   "tests",
		Short: "Try the statistical tests on economies whose truth is known",
		Long: `Simulates many pairs of economies: from each burnt-in state a control, the same with other
draws, and one under each of six policies. Experiments are drawn from them, so that the truth is
known: nothing differs but the random draws (A/A), or there is a known effect, or a real one,
whose mean over all pairs is the truth. Every test that comparisons offer judges them: how often
an effect is called that is not there, before and after adjustment, how often intervals and bands
cover the truth, and how often a real effect is found; and so do the rules that look more than
once. --out writes the table as Markdown into its section of a file. The standard call writes it to
docs/VALIDATION.md where there is a folder docs (--out "" writes none); it takes three quarters of
an hour on two cores. Pairs that were simulated before are found in a folder (--known), by content,
so that a call that was interrupted goes on.`,
		Example: "  econ-mcp validate tests\n  econ-mcp validate tests --pairs 100 --experiments 50 --sequences 1000 --preset crisis --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.execute(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario of the economies")
	f.IntVar(&o.placebo.N, "pairs", trials.PlaceboPairs, "pairs of economies that are simulated, each under all policies")
	f.IntVar(&o.placebo.Experiments, "experiments", trials.PlaceboExperiments, "number of experiments of each kind")
	f.IntVar(&o.placebo.Replications, "replications", trials.PlaceboReplications, "replications of each side")
	f.IntVar(&o.placebo.Sequences, "sequences", trials.PlaceboSequences, "experiments drawn for the coverage of each effect, and for each rule")
	f.StringVar(&o.placebo.Known, "known", "", "`folder` of pairs that were simulated (default econ-mcp/pairs in the user's cache folder)")
	for _, size := range trials.PlaceboSizes() {
		o.flags.add(f, size.Flag, size.Parameter, fmt.Sprintf("%s, %d if not given", size.Meaning, size.Value))
	}
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file` (standard call: "+validationFile+")")
	return cmd
}

func (o *validateTestsOptions) execute(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd.Flags(), "preset", "known"); err != nil {
		return err
	}
	var sizes []setting
	for _, size := range trials.PlaceboSizes() {
		sizes = append(sizes, setting{size.Parameter, fmt.Sprint(size.Value)})
	}
	arms, err := o.chosen(sizes...)
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	placebo := o.placebo
	placebo.Scenario, placebo.Threads = s, s.Params.MaxConcurrentTasks
	if placebo.Known, err = knownFolder(placebo.Known, "pairs"); err != nil {
		return err
	}
	path := reportFile(cmd, o.out, validationFile)
	file, err := openOutput("--out", path, io.Discard)
	if err != nil {
		return err
	}
	defer file.discard()
	progress := term.NewProgress(cmd.ErrOrStderr(), s.Params)
	placebo.Progress = progress.Experiments
	report, err := placebo.Run(cmd.Context())
	progress.Clear()
	if err != nil {
		return err
	}
	report.Command = commandLine(cmd)
	return validated(cmd, file, path, testsSection, report, func(out io.Writer) { writePlacebo(out, report) })
}

// writePlacebo prints the table for people, a line a test.
func writePlacebo(w io.Writer, r *trials.PlaceboReport) {
	title := fmt.Sprintf("%s: %s of %s a side, from seed %d; %s, %s after a burn-in of %d; rates in %% ± standard error of the simulation",
		r.Scenario, report.Plural(r.Experiments, "experiment"),
		report.Plural(r.Replications, "replication"), r.Seed, report.Plural(r.Households, "household"), report.Plural(r.Months,
			"month"), r.BurnInMonths)
	fmt.Fprintln(w, term.Indented(title, ""))
	for _, row := range r.Table() {
		fmt.Fprintf(w, "\n%s\n", term.Indented(row.Name+" (target: "+row.Target+")", ""))
		for k, test := range r.Tests {
			if row.Cells[k] != report.Absent {
				fmt.Fprintf(w, "  %s %s\n", term.Left(test, 26), strings.ReplaceAll(row.Cells[k], "**", ""))
			}
		}
	}
	fmt.Fprintf(w, "\n%d of %d rates lie within their targets.\n", r.Passed, r.Total)
	for _, rate := range r.Rates {
		if !rate.Pass() {
			fmt.Fprintf(w, "MISSED: %s, %s\n", rate.Measure, rate.Test)
		}
	}
	for _, s := range append([]trials.PlaceboShare{r.Asking}, r.Tables...) {
		if !s.Pass() {
			fmt.Fprintf(w, "MISSED: %s, %.1f %%\n", s.What, 100*s.Rate)
		}
	}
	for _, c := range r.Coverage {
		if !c.Pass() {
			fmt.Fprintf(w, "MISSED: %d pairs cover the effect of %s on %s in months %d to %d in %.1f %%\n", c.N, c.Policy, c.Metric, c.From, c.To,
				100*c.Rate)
		}
	}
}

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
	experiments int
	out         string
}

func newValidateTests() *cobra.Command {
	o := &validateTestsOptions{}
	cmd := &cobra.Command{
		Use:   "tests",
		Short: "Try the statistical tests on economies whose truth is known",
		Long: `Simulates experiments in which nothing differs but the random draws (A/A: equal
arms that go on from the same burnt-in states, each with draws of its own) and
others with a known effect, and lets every test that comparisons offer judge them: how often
an effect is called that is not there, before and after adjustment, how often
intervals and bands cover the truth, and how often a real effect is found. --out
writes the table as Markdown into its section of a file. The standard call
writes it to docs/VALIDATION.md where there is a folder docs (--out "" writes
none); it takes a quarter of an hour on two cores.`,
		Example: "  econ-mcp validate tests\n  econ-mcp validate tests --experiments 50 --preset crisis --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.execute(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario of the economies")
	f.IntVar(&o.experiments, "experiments", trials.PlaceboExperiments, "number of experiments of each kind")
	f.IntVar(&o.replications, "replications", trials.PlaceboReplications, "replications of each side")
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
	if err := refuseEmpty(cmd.Flags(), "preset"); err != nil {
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
	placebo := trials.Placebo{
		Scenario: s, Experiments: o.experiments, Replications: o.replications, Threads: s.Params.MaxConcurrentTasks,
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
}

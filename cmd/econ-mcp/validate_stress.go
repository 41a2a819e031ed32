package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// validateStressOptions are the flags of econ-mcp validate stress.
type validateStressOptions struct {
	simulation
	number string // of pairs
	out    string
}

func newValidateStress() *cobra.Command {
	o := &validateStressOptions{}
	cmd := &cobra.Command{
		Use:   "stress",
		Short: "Drive an economy to the ends of its parameters' ranges",
		Long: `Simulates a hundred years of economies in which two live parameters are at ends of their
ranges, and of every preset as it is. The books are audited in every month; all indicators must
be finite; and where an economy becomes implausible, runs must warn: unemployment above 40 %,
inflation beyond 50 % a year up or down, public debt above five times GDP, firms without
employees half of all or more, or a fall of real GDP by 30 % or more within ten years. The
baseline and the presets must not be warned of.

The pairs are drawn without replacement by the seed; more of the same seed begin with the same
ones, and --pairs all takes every one, which takes days. Larger economies are had by
--households 100000 or 1000000, with fewer pairs, as time grows with the number.`,
		Example: "  econ-mcp validate stress\n  econ-mcp validate stress --pairs 200 --seed 2 --json\n" +
			"  econ-mcp validate stress --households 100000 --pairs 4 --out large.md",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.execute(cmd) },
	}
	f := cmd.Flags()
	o.preset = "baseline"
	f.StringVar(&o.number, "pairs", fmt.Sprint(trials.StressPairs), "how many pairs of range ends are drawn, a `number` or all")
	o.flags.add(f, "households", "num_households", "size of the economies")
	o.flags.add(f, "months", "num_iterations", fmt.Sprintf("months after burn-in, %d if not given", trials.StressMonths))
	o.flags.add(f, "seed", "random_state", "seed of the pairs and of the economies")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	o.cacheFlags.add(f)
	f.Bool("json", false, "print JSON, with every pair")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file` (standard call: "+validationFile+")")
	return cmd
}

// stressPairs reads the number of pairs.
func stressPairs(text string) (int, error) {
	if text == "all" {
		return trials.AllPairs, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fault.Range("--pairs", fmt.Sprintf("%q", text), "1 or more", "all")
	}
	return n, nil
}

func (o *validateStressOptions) execute(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd.Flags(), "pairs", "cache"); err != nil {
		return err
	}
	pairs, err := stressPairs(o.number)
	if err != nil {
		return err
	}
	arms, err := o.chosen(setting{"num_iterations", fmt.Sprint(trials.StressMonths)})
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
	r, err := trials.Stress{
		Scenario: s, Pairs: pairs, Threads: s.Params.MaxConcurrentTasks, Cache: o.cache(), Progress: progress.Experiments,
	}.Run(cmd.Context())
	progress.Clear()
	if err != nil {
		return err
	}
	r.Command = commandLine(cmd)
	return validated(cmd, file, path, stressSection, r, func(out io.Writer) { writeStress(out, r) })
}

// writeStress prints the report for people.
func writeStress(w io.Writer, r *trials.StressReport) {
	fmt.Fprintf(w, "%s\n\n", term.Indented(r.DrawnText(), ""))
	for _, row := range r.Rows() {
		fmt.Fprintf(w, "%s %s%s\n", term.Left(verdictText(row.Verdict()), 4), term.Left(row.Name, 66),
			term.Right(fmt.Sprintf("%d of %d", row.Met, row.Of), 12))
	}
	fmt.Fprintf(w, "\n%s%s\n", term.Left("finding", 14), term.Right("pairs", 7))
	for _, c := range r.Counts() {
		fmt.Fprintf(w, "%s%s\n", term.Left(c.Kind.String(), 14), term.Right(fmt.Sprint(c.Pairs), 7))
		for _, f := range c.Worst {
			fmt.Fprintf(w, "    %s %s, first in month %d: %s\n", trials.Figure(f.Worst), c.Kind.Unit(), f.Month, f.Economy)
		}
	}
	fmt.Fprintf(w, "\n%s%s%s\n", term.Left("range end", 50), term.Right("implausible", 12), term.Right("pairs", 7))
	for k, e := range r.Ends() {
		if k == stressEnds {
			break
		}
		fmt.Fprintf(w, "%s%s%s\n", term.Left(fmt.Sprintf("%s %g", e.Parameter, e.Value), 50), term.Right(fmt.Sprint(e.Implausible), 12),
			term.Right(fmt.Sprint(e.Pairs), 7))
	}
	for _, text := range r.Problems() {
		fmt.Fprintf(w, "%s\n", text)
	}
}

// stressEnds is how many range ends are printed.
const stressEnds = 10

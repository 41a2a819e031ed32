package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// validationFile is where the project keeps its last validation.
const validationFile = "docs/VALIDATION.md"

// standardReplications is the number of seeds of the standard validation.
const standardReplications = 20

// validateOptions are the flags of econ-mcp validate.
type validateOptions struct {
	simulation
	out string
}

func newValidate() *cobra.Command {
	o := &validateOptions{}
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Hold an economy against what is known of real ones",
		Long: `Simulates a scenario on many seeds and holds it against the table of stylised
facts in docs/MODEL.md: growth, cycles, labour market, firms and inequality. A
fact passes when all its statistics lie, on average over the seeds, within their
bands. --out writes the table as Markdown too. The standard call, with no other
scenario, size, length, seed or number of replications, writes it to
docs/VALIDATION.md where there is a folder docs (--out "" writes none). That file
also holds what econ-mcp validate tests finds, which stays.`,
		Example: "  econ-mcp validate\n  econ-mcp validate --preset crisis --replications 5 --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.execute(cmd) },
	}
	f := cmd.Flags()
	o.add(f, standardReplications, fmt.Sprintf("months after burn-in, %d if not given", trials.ValidationMonths))
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown to this `file` (standard call: "+validationFile+")")
	cmd.AddCommand(newValidateData(), newValidateMicro(), newValidateResponses(), newValidateStress(), newValidateCycle(), newValidateTests())
	return cmd
}

func (o *validateOptions) execute(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd.Flags(), "preset", "config", "cache"); err != nil {
		return err
	}
	arms, err := o.load(cmd.Flags(), setting{"num_iterations", fmt.Sprint(trials.ValidationMonths)})
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
	v, err := trials.Validate(cmd.Context(), s, o.replications, s.Params.NumIterations, s.Params.MaxConcurrentTasks,
		o.cache(), progress.Month)
	progress.Clear()
	if err != nil {
		return err
	}
	v.Command = commandLine(cmd)
	return validated(cmd, file, path, factsSection, v, func(out io.Writer) { writeValidation(out, v) })
}

// writeValidation prints the table for people, a line a statistic.
func writeValidation(w io.Writer, v *trials.Validation) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", v.Scenario, report.Plural(v.Households, "household"),
		report.Plural(v.Replications, "replication"), v.Seed, report.Plural(v.Months, "month"), v.BurnInMonths)
	fmt.Fprintf(w, "%s%s%s%s\n", term.Left("fact", 46), term.Right("value", 9),
		term.Right(fmt.Sprintf("%.0f %% interval", 100*v.Confidence), 21), term.Right("band", 18))
	for _, fact := range v.Facts {
		if len(fact.Parts) == 1 {
			writePart(w, verdictText(fact.Verdict()), fact.Name, fact.Parts[0])
			continue
		}
		fmt.Fprintf(w, "%s %s\n", term.Left(verdictText(fact.Verdict()), 4), fact.Name)
		for _, part := range fact.Parts {
			writePart(w, verdictText(part.Verdict()), "    "+part.Name, part)
		}
	}
	fmt.Fprintf(w, "\n%d of %d facts pass.\n", v.Passed, v.Total)
	if n := trials.NotComputed(v.Facts); n > 0 {
		fmt.Fprintf(w, "%s could not be computed: the run is too short or the economy too small.\n", report.Plural(n, "statistic"))
	}
}

func writePart(w io.Writer, verdict, name string, part trials.Part) {
	interval := trials.IntervalText(part.CILow, part.CIHigh)
	if !part.Computed() {
		interval = trials.VerdictNotComputed
	}
	fmt.Fprintf(w, "%s %s%s%s%s\n", term.Left(verdict, 4), term.Left(name, 41), term.Right(trials.Figure(part.Value), 9),
		term.Right(interval, 21), term.Right(part.BandText(), 18))
}

// verdictText is a word of at most four letters.
func verdictText(verdict string) string {
	switch verdict {
	case trials.VerdictPass:
		return "pass"
	case trials.VerdictOpen:
		return "OPEN"
	}
	return report.Absent
}

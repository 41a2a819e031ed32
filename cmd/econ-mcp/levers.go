package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// leversFile is where the project keeps its last measurement of all levers.
const leversFile = "docs/LEVERS.md"

// leverHouseholds is the size of the standard measurement.
const leverHouseholds = 5000

var leverFormats = []string{"text", "json", "markdown"}

// leversOptions are the flags of econ-mcp levers.
type leversOptions struct {
	flags            settingFlags
	only             []string
	signs            bool
	replications     int
	signReplications int
	format           string
	out              string
	cacheFlags
}

func newLevers() *cobra.Command {
	o := &leversOptions{}
	cmd := &cobra.Command{
		Use:   "levers",
		Short: "Measure what each parameter does to the headline indicators",
		Long: `For every parameter that is not technical, changes it as documented and
compares the economy with itself without the change, on the same seeds: the
effects on the headline indicators with their intervals, and whether they have
the sign that the literature expects. First come the signs that the economy must
get right before its answers count, on more seeds.

The format follows the ending of --out: .md is markdown, .json is json. The
standard call, with no other size, seed, burn-in or number of replications and
all parameters, writes docs/LEVERS.md where there is a folder docs (--out ""
writes none); it takes some minutes.`,
		Example: "  econ-mcp levers\n  econ-mcp levers --only vat_rate,minimum_wage\n  econ-mcp levers --signs --sign-replications 10 " +
			"--format json",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.execute(cmd)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.only, "only", nil, "these `parameters` only, separated by commas")
	f.BoolVar(&o.signs, "signs", false, "the signs only")
	f.IntVar(&o.replications, "replications", trials.LeverReplications, "number of seeds")
	f.IntVar(&o.signReplications, "sign-replications", trials.SignReplications, "number of seeds of the signs")
	o.flags.add(f, "households", "num_households", fmt.Sprintf("size of the economy, %d if not given", leverHouseholds))
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.StringVar(&o.format, "format", "text", strings.Join(leverFormats, ", "))
	jsonFlag(f)
	f.StringVar(&o.out, "out", "", "write the result to this `file` (standard call: "+leversFile+")")
	o.cacheFlags.add(f)
	return cmd
}

func (o *leversOptions) execute(cmd *cobra.Command) error {
	study, err := o.study(cmd.Flags())
	if err != nil {
		return err
	}
	out, err := openOutput("--out", o.out, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer out.discard()
	written := reportFile(cmd, "", leversFile)
	inDocs, err := openOutput("--out", written, io.Discard)
	if err != nil {
		return err
	}
	defer inDocs.discard()
	progress := term.NewProgress(cmd.ErrOrStderr(), study.Base)
	study.Progress = progress.Month
	report, err := study.Run(cmd.Context())
	progress.Clear()
	if err != nil {
		return err
	}
	report.Command = commandLine(cmd)
	if err := writeLevers(out, o.format, report); err != nil {
		return err
	}
	if err := writeLevers(inDocs, "markdown", report); err != nil {
		return err
	}
	if written != "" && o.format == "text" {
		tellFile(cmd, written)
	}
	return nil
}

// study checks the command line.
func (o *leversOptions) study(flags *pflag.FlagSet) (trials.LeverStudy, error) {
	study := trials.LeverStudy{Base: sim.Defaults(), Only: o.only, SignsOnly: o.signs, Replications: o.replications,
		SignReplications: o.signReplications}
	if err := refuseEmpty(flags, "cache"); err != nil {
		return study, err
	}
	if err := checkReplications("--replications", o.replications); err != nil {
		return study, err
	}
	if err := checkReplications("--sign-replications", o.signReplications); err != nil {
		return study, err
	}
	if !flags.Changed("format") {
		switch filepath.Ext(o.out) {
		case ".md":
			o.format = "markdown"
		case ".json":
			o.format = "json"
		}
	}
	if err := checkChoice("--format", o.format, leverFormats...); err != nil {
		return study, err
	}
	if flags.Changed("only") && len(o.only) == 0 {
		return study, fault.New(fault.WrongType, "--only", "--only is empty").WithHint("name parameters, or leave it out")
	}
	study.Base.NumHouseholds = leverHouseholds
	study.Cache = o.cache()
	var err error
	study.Base, err = o.flags.on(study.Base, nil)
	return study, err
}

// writeLevers writes the whole report in a format.
func writeLevers(out *output, format string, report *trials.LeverReport) error {
	switch format {
	case "json":
		if err := encodeJSON(out, report, "  "); err != nil {
			return err
		}
	case "markdown":
		io.WriteString(out, report.Markdown()) // an error is that of commit
	default:
		tellLevers(out, report)
	}
	return out.commit()
}

// tellLevers prints the report for people.
func tellLevers(w io.Writer, r *trials.LeverReport) {
	fmt.Fprintf(w, "%s, burn-in of %s, from seed %d; intervals of 95 %%\n", report.Plural(r.Base.NumHouseholds, "household"),
		report.Plural(r.Base.BurnInMonths, "month"), r.Base.RandomState)
	if len(r.Signs) > 0 {
		fmt.Fprintf(w, "\nSigns, %s\n", report.Plural(r.SignReplications, "replication"))
		for _, e := range r.Signs {
			fmt.Fprintf(w, "\n%s\n", term.Indented(e.Claim, ""))
			writeLever(w, e, 0)
		}
		writeVerdicts(w, r.Signs)
	}
	if len(r.Levers) > 0 {
		fmt.Fprintf(w, "\nParameters, %s\n", report.Plural(r.Replications, "replication"))
		for _, e := range r.Levers {
			fmt.Fprintln(w)
			writeLever(w, e, 4)
		}
		writeVerdicts(w, r.Levers)
	}
	for _, row := range r.Technical {
		fmt.Fprintf(w, "%s is technical: it changes no result.\n", row.Name)
	}
}

// writeLever prints what was changed, at most n effects, and the checks.
func writeLever(w io.Writer, e trials.LeverEffect, n int) {
	apart := ""
	if e.Apart {
		apart = ", own burn-in"
	}
	fmt.Fprintln(w, term.Indented(fmt.Sprintf("%s %s, months %s%s", e.Parameter, e.Change(), e.WindowText(), apart), ""))
	if n > 0 {
		what := fmt.Sprintf("%d of %d indicators moved", e.Moved, e.Measured)
		if e.Dead {
			what = "DEAD: nothing moved in any month of any seed"
		}
		fmt.Fprintf(w, "  %s\n", what)
	}
	for _, effect := range e.Telling(n) {
		fmt.Fprintf(w, "    %s %s\n", term.Left(effect.Metric, 24), trials.EffectText(effect))
	}
	for _, c := range e.Checks {
		fmt.Fprintln(w,
			term.Indented(fmt.Sprintf("%s: %s %s, %s; %s", c.Verdict, c.Effect.Metric, c.Sign, trials.EffectText(c.Effect), c.Source), "  "))
	}
	if e.Band != nil {
		fmt.Fprintf(w, "  %s: multiplier within %g to %g, %s\n", e.MultiplierVerdict, e.Band.Low, e.Band.High, trials.EffectText(e.Multiplier))
	}
}

func writeVerdicts(w io.Writer, effects []trials.LeverEffect) {
	count := trials.Verdicts(effects)
	fmt.Fprintf(w, "\n%d as expected, %d inconclusive, %d otherwise.\n", count[trials.VerdictExpected], count[trials.VerdictInconclusive],
		count[trials.VerdictOtherwise])
}

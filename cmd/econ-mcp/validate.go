package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
)

// validationFile is where the project keeps its last validation.
const validationFile = "docs/VALIDATION.md"

// standardReplications is the number of seeds of the standard validation.
const standardReplications = 20

// validateOptions are the flags of econ-mcp validate.
type validateOptions struct {
	choice
	flags        settingFlags
	pairs        []string
	replications int
	json         bool
	out          string
	noCache      bool
	cacheDir     string
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.execute(cmd, cmd.Flags().Changed("out"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario to validate")
	f.StringVar(&o.config, "config", "", "scenario `file` (YAML) instead of a preset")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	f.IntVar(&o.replications, "replications", standardReplications, "number of seeds")
	o.flags.add(f, "months", "num_iterations", fmt.Sprintf("months after burn-in, %d if not given", lab.ValidationMonths))
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown to this `file` (standard call: "+validationFile+")")
	f.BoolVar(&o.noCache, "no-cache", false, "neither read nor write burnt-in states on disk")
	f.StringVar(&o.cacheDir, "cache", "", "`folder` of burnt-in states")
	cmd.AddCommand(newValidateTests())
	return cmd
}

func (o *validateOptions) execute(cmd *cobra.Command, outGiven bool) error {
	if err := refuseEmpty(cmd.Flags(), "preset", "config", "cache"); err != nil {
		return err
	}
	if o.config != "" && cmd.Flags().Changed("preset") {
		return fault.New(fault.Conflict, "--config", "--preset and --config both name a scenario; use one of them")
	}
	if o.replications < 1 || o.replications > 10_000 {
		return fault.Range("--replications", fmt.Sprint(o.replications), "1 to 10000")
	}
	settings, err := o.flags.given(o.pairs)
	if err != nil {
		return err
	}
	o.settings = append([]setting{{"num_iterations", fmt.Sprint(lab.ValidationMonths)}}, settings...)
	arms, err := o.arms()
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	hasDocs := hasValidationFolder()
	isStandard, err := standard(s, o.replications)
	if err != nil {
		return err
	}
	if !outGiven && hasDocs && isStandard {
		o.out = validationFile
	}
	if err := prepareOutput(o.out, ""); err != nil {
		return err
	}
	progress := newProgress(cmd.ErrOrStderr(), s.Params)
	v, err := lab.Validate(cmd.Context(), s, o.replications, s.Params.NumIterations, s.Params.MaxConcurrentTasks,
		burnInCache(o.noCache, o.cacheDir), progress.show)
	progress.clear()
	if err != nil {
		return err
	}
	v.Command = o.command(cmd.Flags())
	if err := writeValidationSection(o.out, factsSection, v.Markdown()); err != nil {
		return err
	}
	if o.json {
		return encodeJSON(cmd.OutOrStdout(), v, "  ")
	}
	writeValidation(cmd.OutOrStdout(), v)
	if o.out != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "Written to %s.\n", printable(o.out))
	} else if !outGiven && hasDocs {
		fmt.Fprintf(cmd.OutOrStdout(), "Not written to %s, which holds the standard validation; use --out FILE.\n", validationFile)
	}
	return nil
}

// standard reports whether the validation is the one that docs/VALIDATION.md
// holds: the baseline, at its own size and seed, in the usual length.
func standard(s scenario.Scenario, replications int) (bool, error) {
	baseline, err := presets.Load("baseline")
	if err != nil {
		return false, err
	}
	if err := (setting{"num_iterations", fmt.Sprint(lab.ValidationMonths)}).applyTo(&baseline); err != nil {
		return false, err
	}
	return replications == standardReplications && s.Hash() == baseline.Hash(), nil
}

// command is the call that gives the same validation, without the flags that
// change nothing in it.
func (o *validateOptions) command(flags *pflag.FlagSet) string {
	words := []string{"go run ./cmd/econ-mcp validate"}
	flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "json", "out", "cache", "no-cache", "threads", "set":
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	for _, pair := range o.pairs {
		words = append(words, "--set", pair)
	}
	return printable(strings.Join(words, " "))
}

// writeValidation prints the table for people, a line a statistic.
func writeValidation(w io.Writer, v *lab.Validation) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", v.Scenario, plural(v.Households, "household"),
		plural(v.Replications, "replication"), v.Seed, plural(v.Months, "month"), v.BurnInMonths)
	fmt.Fprintf(w, "%s%s%s%s\n", left("fact", 46), right("value", 9), right(fmt.Sprintf("%.0f %% interval", 100*v.Confidence), 21), right("band", 18))
	for _, fact := range v.Facts {
		if len(fact.Parts) == 1 {
			writePart(w, verdictText(fact.Verdict()), fact.Name, fact.Parts[0])
			continue
		}
		fmt.Fprintf(w, "%s %s\n", left(verdictText(fact.Verdict()), 4), fact.Name)
		for _, part := range fact.Parts {
			writePart(w, verdictText(part.Verdict()), "    "+part.Name, part)
		}
	}
	fmt.Fprintf(w, "\n%d of %d facts pass.\n", v.Passed, v.Total)
	if n := analysis.NotComputed(v.Facts); n > 0 {
		fmt.Fprintf(w, "%s could not be computed: the run is too short or the economy too small.\n", plural(n, "statistic"))
	}
}

func writePart(w io.Writer, verdict, name string, part analysis.Part) {
	interval := absent
	switch {
	case !part.Computed():
		interval = analysis.VerdictNotComputed
	case !math.IsNaN(part.CILow):
		interval = factNumber(part.CILow) + " to " + factNumber(part.CIHigh)
	}
	fmt.Fprintf(w, "%s %s%s%s%s\n", left(verdict, 4), left(name, 41), right(factNumber(part.Value), 9), right(interval, 21),
		right(factNumber(part.BandLow)+" to "+factNumber(part.BandHigh), 18))
}

// verdictText is a word of at most four letters.
func verdictText(verdict string) string {
	switch verdict {
	case analysis.VerdictPass:
		return "pass"
	case analysis.VerdictOpen:
		return "OPEN"
	}
	return absent
}

// factNumber shows three significant digits.
func factNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	return fmt.Sprintf("%.3g", x)
}

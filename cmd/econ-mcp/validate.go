package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
)

// validationFile is where the project keeps its last validation.
const validationFile = "docs/VALIDATION.md"

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
bands. The table is also written as Markdown, to docs/VALIDATION.md where there
is a folder docs, unless --out says otherwise (--out "" writes none).`,
		Example: "  econ-mcp validate\n  econ-mcp validate --preset crisis --replications 5 --json --out \"\"",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.execute(cmd, cmd.Flags().Changed("out"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario to validate")
	f.StringVar(&o.config, "config", "", "scenario `file` (YAML) instead of a preset")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	f.IntVar(&o.replications, "replications", 20, "number of seeds")
	o.flags.add(f, "months", "num_iterations", fmt.Sprintf("months after burn-in, %d if not given", lab.ValidationMonths))
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.out, "out", validationFile, "write Markdown to this `file`")
	f.BoolVar(&o.noCache, "no-cache", false, "neither read nor write burnt-in states on disk")
	f.StringVar(&o.cacheDir, "cache", "", "`folder` of burnt-in states")
	return cmd
}

func (o *validateOptions) execute(cmd *cobra.Command, outGiven bool) error {
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
	if !outGiven {
		if _, err := os.Stat(filepath.Dir(o.out)); err != nil {
			o.out = ""
		}
	}
	if err := prepareOutput(o.out, ""); err != nil {
		return err
	}
	s := arms[0].Scenario
	progress := newProgress(cmd.ErrOrStderr(), s.Params)
	v, err := lab.Validate(cmd.Context(), s, o.replications, s.Params.NumIterations, s.Params.MaxConcurrentTasks,
		burnInCache(o.noCache, o.cacheDir), progress.show)
	progress.clear()
	if err != nil {
		return err
	}
	v.Command = o.command(cmd.Flags())
	if err := writeValidationFile(o.out, v); err != nil {
		return err
	}
	if o.json {
		return encodeJSON(cmd.OutOrStdout(), v, "  ")
	}
	writeValidation(cmd.OutOrStdout(), v)
	if o.out != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "Written to %s.\n", o.out)
	}
	return nil
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
	return strings.Join(words, " ")
}

// writeValidationFile writes the Markdown; an empty path means none.
func writeValidationFile(path string, v *lab.Validation) error {
	if path == "" {
		return nil
	}
	out, err := openOutput(path, nil)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := io.WriteString(out, v.Markdown()); err != nil {
		return err
	}
	return out.commit()
}

// writeValidation prints the table for people, a line a statistic.
func writeValidation(w io.Writer, v *lab.Validation) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", v.Scenario, plural(v.Households, "household"),
		plural(v.Replications, "replication"), v.Seed, plural(v.Months, "month"), v.BurnInMonths)
	fmt.Fprintf(w, "%s%s%s%s\n", left("fact", 46), right("value", 9), right(fmt.Sprintf("%.0f %% interval", 100*v.Confidence), 21), right("band", 18))
	for _, fact := range v.Facts {
		if len(fact.Parts) == 1 {
			writePart(w, verdictText(fact.Pass), fact.Name, fact.Parts[0])
			continue
		}
		fmt.Fprintf(w, "%s %s\n", verdictText(fact.Pass), fact.Name)
		for _, part := range fact.Parts {
			writePart(w, verdictText(part.Pass), "    "+part.Name, part)
		}
	}
	fmt.Fprintf(w, "\n%d of %d facts pass.\n", v.Passed, v.Total)
}

func writePart(w io.Writer, verdict, name string, part analysis.Part) {
	interval := absent
	if !math.IsNaN(part.CILow) {
		interval = factNumber(part.CILow) + " to " + factNumber(part.CIHigh)
	}
	fmt.Fprintf(w, "%s %s%s%s%s\n", verdict, left(name, 41), right(factNumber(part.Value), 9), right(interval, 21),
		right(factNumber(part.BandLow)+" to "+factNumber(part.BandHigh), 18))
}

func verdictText(pass bool) string {
	if pass {
		return "pass"
	}
	return "OPEN"
}

// factNumber shows three significant digits.
func factNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	return fmt.Sprintf("%.3g", x)
}

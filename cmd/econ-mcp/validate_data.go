package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/data"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// validateDataOptions are the flags of econ-mcp validate data.
type validateDataOptions struct {
	simulation
	columns string
	heldOut bool
	out     string
}

func newValidateData() *cobra.Command {
	o := &validateDataOptions{}
	cmd := &cobra.Command{
		Use:   "data [FILE]",
		Short: "Hold an economy against quarterly data of a country",
		Long: `Computes the same statistics of real quarterly data and of the model, by the same code:
volatility, persistence, who moves with output and when, the shape of growth, recessions,
Okun's law, the Phillips curve and the great ratios. A statistic is met when the model's mean
over the seeds lies within the 95 % interval of the data. Where the data count adults, the
model's amounts are taken as if its people grew as many.

Without FILE the data are those of the United States, 1959 to 2014. FILE is a CSV file with a
header and a row a quarter; --columns names a YAML file that says which column is what, such as

  quarter: date
  columns: {output: GDP, unemployment: UNRATE / 100}
  held_out: [exports]
  samples: [1995Q1-2019Q4]

Without it, columns have the names of variables. Rows that rest on held-out variables are
counted and not shown; --held-out shows them, and writes the look down.`,
		Example: "  econ-mcp validate data\n  econ-mcp validate data austria.csv --columns austria.yaml --json",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.execute(cmd, args) },
	}
	f := cmd.Flags()
	o.addWithoutMonths(f, standardReplications)
	f.StringVar(&o.columns, "columns", "", "YAML `file` that says which column is which variable")
	f.BoolVar(&o.heldOut, "held-out", false, "show the rows that are held out, and write the look down")
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file` (standard call: "+validationFile+")")
	return cmd
}

func (o *validateDataOptions) execute(cmd *cobra.Command, args []string) error {
	if err := refuseEmpty(cmd.Flags(), "preset", "config", "columns", "cache"); err != nil {
		return err
	}
	file := ""
	if len(args) > 0 {
		file = args[0]
	}
	reality, err := reality(file, o.columns)
	if err != nil {
		return err
	}
	arms, err := o.load(cmd.Flags(), setting{"num_iterations", fmt.Sprint(reality.Months())})
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	if n := s.Params.NumIterations; n != reality.Months() {
		return fault.New(fault.Conflict, "num_iterations", "it is %d; the economy runs as long as the longest sample, %d months", n, reality.Months()).
			WithHint("leave it out, or shorten the samples of --columns")
	}
	path := o.out
	if file == "" { // docs hold the data of the project
		path = reportFile(cmd, o.out, validationFile)
	}
	out, err := openOutput("--out", path, io.Discard)
	if err != nil {
		return err
	}
	defer out.discard()
	progress := term.NewProgress(cmd.ErrOrStderr(), s.Params)
	v, err := trials.ValidateData(cmd.Context(), s, reality, o.heldOut, o.replications, s.Params.MaxConcurrentTasks, o.cache(), progress.Month)
	progress.Clear()
	if err != nil {
		return err
	}
	if o.heldOut {
		if err := noteLook(cmd, v); err != nil {
			return err
		}
	}
	if v.Command = commandLine(cmd); file != "" {
		v.Command += " " + term.Printable(file)
	}
	return validated(cmd, out, path, dataSection, v, func(out io.Writer) { writeDataValidation(out, v) })
}

// looksFile is where looks at rows that are held out are written down.
const looksFile = "docs/HELD_OUT.md"

// noteLook writes down that rows that are held out were looked at, before they are shown.
func noteLook(cmd *cobra.Command, v *trials.DataValidation) error {
	line := fmt.Sprintf("- %s, `%s`, model %s, scenario hash %.12s:", time.Now().UTC().Format(time.DateOnly), commandLine(cmd),
		v.ModelVersion, v.ScenarioHash)
	for _, s := range v.Samples {
		line += fmt.Sprintf(" %d of %d (%s)", s.HeldOutMet, s.HeldOutTotal, s.Quarters)
	}
	if folder, err := os.Stat("docs"); err != nil || !folder.IsDir() {
		fmt.Fprintf(cmd.ErrOrStderr(), "Rows that are held out are looked at:\n%s\n", line)
		return nil
	}
	file, err := os.OpenFile(looksFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return unusable("--held-out", looksFile, err)
	}
	_, err = fmt.Fprintln(file, line)
	if err := errors.Join(err, file.Close()); err != nil {
		return unusable("--held-out", looksFile, err)
	}
	return nil
}

// reality reads the file of data, and the one that says which columns are what; the project's own without names.
func reality(file, columns string) (*trials.Reality, error) {
	text, mapping, name := data.USQuarterly, data.USQuarterlyMapping, "us_quarterly_to_2014Q4.csv"
	var err error
	if file != "" {
		name, mapping = filepath.Base(file), nil
		if text, err = os.ReadFile(file); err != nil {
			return nil, unusable("FILE", file, err)
		}
	}
	if columns != "" {
		if mapping, err = os.ReadFile(columns); err != nil {
			return nil, unusable("--columns", columns, err)
		}
	}
	r := &trials.Reality{Name: name}
	var m *quarterly.Mapping
	if mapping != nil {
		if m, err = quarterly.ReadMapping(mapping); err != nil {
			return nil, err
		}
		r.HeldOut, r.Samples = m.HeldOut, m.Samples
	}
	if r.Data, err = quarterly.Read(bytes.NewReader(text), m); err != nil {
		return nil, err
	}
	if len(r.Samples) == 0 {
		r.Samples = []quarterly.Span{{First: r.Data.First, Last: r.Data.First + quarterly.Quarter(r.Data.Quarters()-1)}}
	}
	return r, nil
}

// writeDataValidation prints the rows for people, sample after sample.
func writeDataValidation(w io.Writer, v *trials.DataValidation) {
	fmt.Fprintf(w, "%s against %s: %s, %s from seed %d, %s after a burn-in of %d\n", v.Scenario, term.Printable(v.File),
		report.Plural(v.Households, "household"), report.Plural(v.Replications, "replication"), v.Seed, report.Plural(v.Months, "month"),
		v.BurnInMonths)
	for _, s := range v.Samples {
		fmt.Fprintf(w, "\n%s\n%s%s%s%s\n", s.Quarters, term.Left("statistic", 56), term.Right("data", 9), term.Right("95 % interval", 20),
			term.Right("model", 10))
		for _, r := range s.Rows {
			met := term.Left("OPEN", 5)
			if r.Met {
				met = term.Left("met", 5)
			}
			fmt.Fprintf(w, "%s%s%s%s%s\n", met, term.Left(r.Statistic, 51), term.Right(trials.Figure(r.Data.Mean), 9),
				term.Right(trials.IntervalText(r.Data.Low, r.Data.High), 20), term.Right(trials.Figure(r.Model.Mean), 10))
		}
	}
	fmt.Fprintln(w)
	for _, s := range v.Samples {
		fmt.Fprintf(w, "%s: %d of %d statistics met; of these held out %d of %d.\n", s.Quarters, s.Met, s.Total, s.HeldOutMet, s.HeldOutTotal)
	}
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
)

// exportDocument is the JSON form of econ-mcp export.
type exportDocument struct {
	ExperimentName string   `json:"experiment_name"`
	Files          []string `json:"files"`
}

func newExport() *cobra.Command {
	out, lang := "", ""
	cmd := &cobra.Command{
		Use:   "export EXPERIMENT --out DIR",
		Short: "Write everything about an experiment into a folder",
		Long: `Write the report (Markdown and HTML), its figures (SVG, PNG, PDF), effects as CSV and
Parquet, all months as CSV, the scenario of each arm, the plan as it was stored, and
RO-Crate metadata (Process Run Crate) that say what each file is and what made it.

In a folder that is there, the files of an earlier export are replaced, and those that the
new one does not have are removed; all other files stay. The metadata are written last: a
folder with them is complete.`,
		Example: "  econ-mcp export vat_up --out vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			language, err := languageOf(lang)
			if err != nil {
				return err
			}
			if out == "" {
				return fault.New(fault.Required, "--out", "the folder to write to is missing").WithHint("for example --out " + args[0])
			}
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				if _, err := a.Store.Experiment(cmd.Context(), args[0]); err != nil {
					return err
				}
				if err := prepareFolder("--out", out); err != nil {
					return err
				}
				files, err := writePackage(cmd.Context(), a.Lab, args[0], language, out)
				if err != nil {
					return err
				}
				return printed(cmd, exportDocument{args[0], files}, func(out io.Writer) {
					fmt.Fprintln(out, strings.Join(files, "\n"))
				})
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`folder` to write to")
	cmd.Flags().StringVar(&lang, "lang", "auto", "language of the report: en, zh, or auto, that of the question")
	storeFlags(cmd, "print JSON")
	return cmd
}

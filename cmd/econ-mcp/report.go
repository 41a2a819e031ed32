package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
)

func newReport() *cobra.Command {
	out, lang, format := "", "", ""
	cmd := &cobra.Command{
		Use:   "report EXPERIMENT",
		Short: "Write the report of an experiment",
		Long: `Write the report of an experiment: what was asked, done and found, how far to trust it,
and how to repeat it. HTML holds its figures; Markdown names them as files, which econ-mcp
export writes.`,
		Example: "  econ-mcp report vat_up\n  econ-mcp report vat_up --format html --out report.html",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(report.Formats, format) {
				return fault.Range("--format", fmt.Sprintf("%q", format), report.Formats...)
			}
			language, err := languageOf(lang)
			if err != nil {
				return err
			}
			to, err := openOutput("--out", out, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			defer to.discard()
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				text, err := a.Lab.Report(cmd.Context(), args[0], format, language, owner)
				if err != nil {
					return err
				}
				io.WriteString(to, text) // an error is that of commit
				return to.commit()
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown, html or json")
	cmd.Flags().StringVar(&lang, "lang", "auto", "language: en, zh, or auto, that of the question")
	cmd.Flags().StringVar(&out, "out", "", "write to this `file`")
	jsonFlag(cmd.Flags())
	dataFlag(cmd.Flags())
	return cmd
}

package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
)

func newReport() *cobra.Command {
	data, out, lang, format, asJSON := "", "", "auto", "markdown", false
	cmd := &cobra.Command{
		Use:   "report EXPERIMENT",
		Short: "Write the report of an experiment",
		Long: `Write the report of an experiment: what was asked, done and found, how far to trust it,
and how to repeat it. HTML holds its figures; Markdown names them as files, which econ-mcp
export writes.`,
		Example: "  econ-mcp report vat_up\n  econ-mcp report vat_up --format html --out report.html",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if !slices.Contains(analysis.ReportFormats, format) {
				return fault.Range("--format", fmt.Sprintf("%q", format), analysis.ReportFormats...)
			}
			language, err := languageOf(lang)
			if err != nil {
				return err
			}
			if err := prepareOutput(out, ""); err != nil {
				return err
			}
			return withWorkshop(data, func(w *workshop) error {
				if language == "" {
					if language, err = w.lab.LanguageOf(args[0]); err != nil {
						return err
					}
				}
				text, err := w.lab.Report(args[0], format, language, owner)
				if err != nil {
					return err
				}
				if out != "" {
					return writeWhole("--out", out, []byte(text))
				}
				_, err = fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown, html or json")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&lang, "lang", "auto", "language: en, zh, or auto, that of the question")
	cmd.Flags().StringVar(&out, "out", "", "write to this `file`")
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 1)
	return cmd
}

// exportDocument is the JSON form of econ-mcp export.
type exportDocument struct {
	ExperimentName string   `json:"experiment_name"`
	Files          []string `json:"files"`
}

func newExport() *cobra.Command {
	data, out, lang, asJSON := "", "", "auto", false
	cmd := &cobra.Command{
		Use:   "export EXPERIMENT --out DIR",
		Short: "Write everything about an experiment into a folder",
		Long: `Write the report (Markdown and HTML), its figures (SVG and PNG), effects as CSV and
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
				e := fault.New(fault.WrongType, "--out", "the folder to write to is missing")
				e.Hint = "for example --out " + args[0]
				return e
			}
			return withWorkshop(data, func(w *workshop) error {
				if _, err := w.store.Experiment(args[0]); err != nil {
					return err
				}
				if err := preparePackage(out); err != nil {
					return err
				}
				files, err := writePackage(w.lab, args[0], language, out)
				if err != nil {
					return err
				}
				if asJSON {
					return encodeJSON(cmd.OutOrStdout(), exportDocument{args[0], files}, "  ")
				}
				for _, f := range files {
					fmt.Fprintln(cmd.OutOrStdout(), f)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`folder` to write to")
	cmd.Flags().StringVar(&lang, "lang", "auto", "language of the report: en, zh, or auto, that of the question")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 1)
	return cmd
}

// deletedDocument is the JSON form of econ-mcp delete.
type deletedDocument struct {
	ExperimentName string `json:"experiment_name"`
	Runs           int    `json:"runs"`
	Months         int    `json:"months"` // of all runs together
	Bytes          int64  `json:"bytes"`
}

func newDelete() *cobra.Command {
	data, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "delete EXPERIMENT",
		Short: "Delete an experiment with everything that is stored of it",
		Long: `Delete an experiment: its runs and their months, checkpoints, what was captured, and its
analyses. It cannot be taken back. One that runs is refused. econ-mcp gc gives the space
back to the disk.`,
		Example: "  econ-mcp delete vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWorkshop(data, func(w *workshop) error {
				d, err := w.lab.Delete(args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return encodeJSON(cmd.OutOrStdout(), deletedDocument{args[0], d.Runs, d.Months, d.Bytes}, "  ")
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "deleted %s: %s, %s, about %s\n", args[0], plural(d.Runs, "run"), plural(d.Months, "month"), bytesText(d.Bytes))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 1)
	return cmd
}

// freedDocument is the JSON form of econ-mcp gc.
type freedDocument struct {
	Checkpoints     int   `json:"checkpoints"`
	CheckpointBytes int64 `json:"checkpoint_bytes"`
	BurnIns         int   `json:"burn_ins"`
	BurnInBytes     int64 `json:"burn_in_bytes"`
	Orphans         int   `json:"orphans"`
	DatabaseBytes   int64 `json:"database_bytes"`
	Running         int   `json:"running"` // experiments; with any, the database is not made smaller
}

func newGC() *cobra.Command {
	data, all, asJSON := "", false, false
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove what no experiment needs any more",
		Long: `Remove the checkpoints of experiments that have ended, files of those that were deleted,
and burnt-in states beyond the bound of their cache, and give unused space of the database
back to the disk. No result is touched.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withWorkshop(data, func(w *workshop) error {
				f, err := w.lab.Collect(all)
				if err != nil {
					return err
				}
				out := cmd.OutOrStdout()
				if asJSON {
					return encodeJSON(out, freedDocument{f.Checkpoints, f.CheckpointBytes, f.BurnIns, f.BurnInBytes, f.Orphans, f.DatabaseBytes, f.Live}, "  ")
				}
				fmt.Fprintf(out, "freed %s: checkpoints of %s (%s), %s (%s), %s of deleted experiments, database %s smaller\n",
					bytesText(f.CheckpointBytes+f.BurnInBytes+f.DatabaseBytes), plural(f.Checkpoints, "ended experiment"), bytesText(f.CheckpointBytes),
					plural(f.BurnIns, "burnt-in state"), bytesText(f.BurnInBytes), plural(f.Orphans, "left-over file"), bytesText(f.DatabaseBytes))
				if f.Live > 0 {
					fmt.Fprintf(out, "the database was left as it is: %s at the moment\n", plural(f.Live, "experiment")+" run or wait")
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "burn-ins", false, "remove all burnt-in states; they are simulated again where they are needed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	dataFlag(cmd, &data)
	return cmd
}

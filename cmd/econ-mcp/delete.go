package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
)

// deletedDocument is the JSON form of econ-mcp delete.
type deletedDocument struct {
	ExperimentName string `json:"experiment_name"`
	Runs           int    `json:"runs"`
	Months         int    `json:"months"` // of all runs together
	Bytes          int64  `json:"bytes"`
}

func newDelete() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete EXPERIMENT",
		Short: "Delete an experiment with everything that is stored of it",
		Long: `Delete an experiment: its runs and their months, checkpoints, what was captured, and its
analyses. It cannot be taken back. One that runs is refused. econ-mcp gc gives the space
back to the disk.`,
		Example: "  econ-mcp delete vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				d, err := a.Lab.Delete(cmd.Context(), args[0], access.Operator())
				if err != nil {
					return err
				}
				return printed(cmd, deletedDocument{args[0], d.Runs, d.Months, d.Bytes}, func(out io.Writer) {
					fmt.Fprintf(out, "deleted %s: %s, %s, about %s\n", args[0], report.Plural(d.Runs, "run"),
						report.Plural(d.Months, "month"), run.Bytes(d.Bytes))
				})
			})
		},
	}
	storeFlags(cmd, "print JSON")
	return cmd
}

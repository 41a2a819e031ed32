package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
)

// freedDocument is the JSON form of econ-mcp gc.
type freedDocument struct {
	Checkpoints     int   `json:"checkpoints"`
	CheckpointBytes int64 `json:"checkpoint_bytes"`
	BurnIns         int   `json:"burn_ins"`
	BurnInBytes     int64 `json:"burn_in_bytes"`
	Orphans         int   `json:"orphans"`
	TemporaryFiles  int   `json:"temporary_files"`
	TemporaryBytes  int64 `json:"temporary_bytes"`
	DatabaseBytes   int64 `json:"database_bytes"`
	Running         int   `json:"running"` // experiments; with any, the database is not made smaller
}

func newGC() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove what no experiment needs any more",
		Long: `Remove the checkpoints of experiments that have ended, files of those that were deleted,
what killed processes left half written, and burnt-in states beyond the bound of their
cache, and give unused space of the database back to the disk. No result is touched.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				f, err := a.Lab.Collect(cmd.Context(), all)
				if err != nil {
					return err
				}
				doc := freedDocument{
					Checkpoints: f.Checkpoints, CheckpointBytes: f.CheckpointBytes, BurnIns: f.BurnIns, BurnInBytes: f.BurnInBytes,
					Orphans: f.Orphans, TemporaryFiles: len(a.Left), DatabaseBytes: f.DatabaseBytes, Running: f.Live,
				}
				for _, file := range a.Left {
					doc.TemporaryBytes += file.Bytes
				}
				return printed(cmd, doc, doc.write)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "burn-ins", false, "remove all burnt-in states; they are simulated again where they are needed")
	storeFlags(cmd, "print JSON")
	return cmd
}

// write prints what was freed for people.
func (d freedDocument) write(out io.Writer) {
	fmt.Fprintf(out, "freed %s: checkpoints of %s (%s), %s (%s), %s, %s (%s), database %s smaller\n",
		run.Bytes(d.CheckpointBytes+d.BurnInBytes+d.TemporaryBytes+d.DatabaseBytes),
		report.Plural(d.Checkpoints, "ended experiment"), run.Bytes(d.CheckpointBytes),
		report.Plural(d.BurnIns, "burnt-in state"), run.Bytes(d.BurnInBytes),
		report.Plural(d.Orphans, "left-over file"), report.Plural(d.TemporaryFiles, "half-written file"), run.Bytes(d.TemporaryBytes),
		run.Bytes(d.DatabaseBytes))
	if d.Running > 0 {
		fmt.Fprintf(out, "the database was left as it is: %s at the moment\n", report.Plural(d.Running, "experiment")+" run or wait")
	}
}

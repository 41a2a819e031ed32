package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/internal/term"
)

// doctorDocument is the JSON form of econ-mcp doctor.
type doctorDocument struct {
	Folder          string          `json:"folder"`
	Sound           bool            `json:"sound"` // there are no findings
	Findings        []doctorFinding `json:"findings"`
	Experiments     int             `json:"experiments"`
	Months          int             `json:"months"`                 // that can be read, of all runs together
	Whole           []string        `json:"whole"`                  // experiments of which everything can be read
	Scenarios       int             `json:"scenarios"`              // presets and configs of users
	FreeDiskBytes   *int64          `json:"free_disk_bytes"`        // null = unknown
	AvailableMemory *int64          `json:"available_memory_bytes"` // that a simulation may take; null = unknown
}

type doctorFinding struct {
	Kind           store.FindingKind `json:"kind"`
	Where          string            `json:"where"` // within the folder
	ExperimentName string            `json:"experiment_name,omitempty"`
	Message        string            `json:"message"`
	Hint           string            `json:"hint"`
}

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong with a data folder, and what to do about it",
		Long: `Look at all of a data folder and say what is wrong and what to do about it. Nothing is
changed, a server may use the folder meanwhile, and a damaged part does not keep the rest
from being looked at: pages and tables of the database, months and scenarios of every
experiment, checkpoints, presets and configs, what killed processes left, permissions, free
disk. Every month that is stored is read.

A finding is damaged (it cannot be read), inconsistent (it contradicts what else is stored),
left_over (nobody needs it), exposed (others on this system can read or write it) or scarce.
The exit code is 0 where there are none, and 1 with findings. The database has no checksums:
that the numbers of an experiment are those it was simulated with, econ-mcp rerun says.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := dataFolder(cmd)
			if err != nil {
				return err
			}
			x, err := app.Examine(cmd.Context(), dir)
			if err != nil {
				return err
			}
			doc := newDoctorDocument(dir, x)
			err = printed(cmd, doc, doc.write)
			if err == nil && !doc.Sound {
				err = fmt.Errorf("%s in %s", report.Plural(len(doc.Findings), "finding"), dir)
			}
			return err
		},
	}
	storeFlags(cmd, "print JSON: each finding with kind, place, message and hint")
	return cmd
}

func newDoctorDocument(dir string, x app.Examination) doctorDocument {
	known := func(bytes int64) *int64 {
		if bytes < 0 {
			return nil
		}
		return &bytes
	}
	doc := doctorDocument{
		Folder: dir, Sound: len(x.Findings) == 0, Findings: []doctorFinding{}, Experiments: x.Experiments, Months: x.Months,
		Whole: append([]string{}, x.Whole...), Scenarios: x.Scenarios, FreeDiskBytes: known(x.FreeDisk),
		AvailableMemory: known(x.AvailableMemory),
	}
	for _, f := range x.Findings {
		doc.Findings = append(doc.Findings, doctorFinding{f.Kind, filepath.ToSlash(f.Where), f.Experiment, f.Message, f.Hint})
	}
	return doc
}

// write prints the findings for people.
func (d doctorDocument) write(out io.Writer) {
	for _, f := range d.Findings {
		where := f.Where
		if f.ExperimentName != "" {
			where += ", experiment " + f.ExperimentName
		}
		fmt.Fprintf(out, "%s: %s\n  %s\n  -> %s\n", f.Kind, term.Printable(where), term.Printable(f.Message), term.Printable(f.Hint))
	}
	verdict := "sound"
	if !d.Sound {
		verdict = report.Plural(len(d.Findings), "finding")
	}
	fmt.Fprintf(out, "%s: %s; %d of %s whole, %s, %s\n", term.Printable(d.Folder), verdict, len(d.Whole),
		report.Plural(d.Experiments, "experiment"), report.Plural(d.Months, "month"), report.Plural(d.Scenarios, "saved scenario"))
	if d.FreeDiskBytes != nil && d.AvailableMemory != nil {
		fmt.Fprintf(out, "%s of disk and %s of memory are free\n", run.Bytes(*d.FreeDiskBytes), run.Bytes(*d.AvailableMemory))
	}
}

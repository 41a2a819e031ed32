package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
)

// rerunDocument is the JSON form of econ-mcp rerun.
type rerunDocument struct {
	ExperimentName string     `json:"experiment_name"`
	Same           bool       `json:"same"`
	Different      int        `json:"different"`   // runs
	Environment    string     `json:"environment"` // in what program or machine differ from those of then; "" = in nothing
	Runs           []rerunRow `json:"runs"`
}

type rerunRow struct {
	Arm         string `json:"arm"`
	Replication int    `json:"replication"`
	Seed        uint64 `json:"seed"`
	Month       int    `json:"month"`
	Same        bool   `json:"same"`
	StateHash   string `json:"state_hash"` // as stored
	Got         string `json:"got"`
	DiffersIn   int    `json:"differs_in_month,omitempty"`
	Field       string `json:"field,omitempty"`
}

func newRerun() *cobra.Command {
	threads := 0
	cmd := &cobra.Command{
		Use:   "rerun EXPERIMENT",
		Short: "Simulate a stored experiment again and say whether the bits are the same",
		Long: `Simulate a stored experiment again, from its scenario, seeds and months alone, and
compare the final state of each run, and the numbers of all its months, with what was
stored, bit for bit. The exit code is 1 where one differs. An experiment of another version of the
model is refused with exit code 2: its numbers cannot be had from this one. Another build of
the same version gives the same bits, and the answer says what else was different.`,
		Example: "  econ-mcp rerun vat_up\n  econ-mcp rerun vat_up --json",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withReader(cmd, app.Options{}, func(a *app.App) error { return rerun(cmd, a, args[0], threads) })
		},
	}
	storeFlags(cmd, "print JSON: each run with what was stored and what came out")
	cmd.Flags().IntVar(&threads, "threads", 0, "threads, 0 = all cores; changes no result")
	return cmd
}

// rerun simulates an experiment again. Runs are printed as they come, but for JSON.
func rerun(cmd *cobra.Command, a *app.App, name string, threads int) error {
	out := cmd.OutOrStdout()
	if wantsJSON(cmd) {
		out = io.Discard
	}
	doc := rerunDocument{ExperimentName: name, Runs: []rerunRow{}}
	err := a.Lab.Rerun(cmd.Context(), name, threads, func(r lab.Rerun) {
		if !r.Same() {
			doc.Different++
		}
		doc.Runs = append(doc.Runs, rerunRow{r.Arm, r.Replication, r.Seed, r.Month, r.Same(), r.Want, r.Got, r.DiffersIn, r.Field})
		fmt.Fprintf(out, "%s/%d  seed %d, month %d, state %.16s…  %s\n", r.Arm, r.Replication, r.Seed, r.Month, r.Want, verdict(r))
	})
	if err != nil {
		return err
	}
	if doc.Environment, err = a.Lab.Environment(cmd.Context(), name); err != nil {
		return err
	}
	doc.Same = doc.Different == 0
	err = printed(cmd, doc, func(out io.Writer) {
		if doc.Environment != "" {
			fmt.Fprintln(out, doc.Environment)
		}
		if doc.Same {
			fmt.Fprintf(out, "%s: the same bits in all of %s\n", name, report.Plural(len(doc.Runs), "run"))
		}
	})
	if err == nil && !doc.Same {
		err = fmt.Errorf("%d of %s are not what was stored", doc.Different, report.Plural(len(doc.Runs), "run"))
	}
	return err
}

// verdict says in words how a run compares with what is stored of it.
func verdict(r lab.Rerun) string {
	switch {
	case r.Same():
		return "same bits"
	case r.DiffersIn > 0:
		return fmt.Sprintf("DIFFERENT: %s of month %d", r.Field, r.DiffersIn)
	}
	return "DIFFERENT: state " + r.Got
}

func oneExperiment(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fault.New(fault.WrongType, "", "econ-mcp %s takes the name of one experiment, not %d", cmd.Name(), len(args)).
		WithHint("econ-mcp list lists them")
}

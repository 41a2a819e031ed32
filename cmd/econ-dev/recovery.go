package main

import (
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/presets"
)

// recoveryTargets are the three parameters, and the moments that are to tell them.
//
//go:embed recovery.yaml
var recoveryTargets []byte

// newRecovery tells whether posteriors cover the parameters that data were simulated with.
func newRecovery() *cobra.Command {
	r := &estimation.Recovery{Quarters: 224, First: secondHundred} // as many as the data of the United States have
	var pilot bool
	cmd := &cobra.Command{
		Use:   "recovery > docs/calibration/recovery.md",
		Short: "Find parameters again from which data were simulated: do posteriors cover the truth",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			command := "go run ./cmd/econ-dev recovery"
			if pilot {
				r.First, command = pilotTrials, command+" --pilot"
			}
			if r.Trials != usualTrials {
				command += fmt.Sprint(" --trials ", r.Trials)
			}
			r.Targets = func() (*estimation.Targets, error) {
				t, err := estimation.ReadTargets(recoveryTargets)
				if err == nil && pilot {
					t.Seed += pilotTrials // settings are not chosen by the economies that the recovery is judged by
				}
				return t, err
			}
			if r.Scenario, err = presets.Load("baseline"); err != nil {
				return err
			}
			r.Progress = func(done, of int) { fmt.Fprintln(cmd.ErrOrStderr(), done, "of", of) }
			found, err := r.Run(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), found.Markdown(command))
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&r.Trials, "trials", usualTrials, "truths that are drawn")
	f.BoolVar(&pilot, "pilot", false, "trials with other truths and other data, to choose settings by")
	f.StringVar(&r.Known, "known", "", "`folder` of what was measured of economies")
	f.IntVar(&r.Threads, "threads", 0, "threads, 0 = all cores; changes no result")
	return cmd
}

const (
	usualTrials = 100
	// the number of the first trial: the hundred before it were looked at before the settings of now (docs/CALIBRATION.md)
	secondHundred = 1000
	pilotTrials   = 1_000_000 // the number of the first pilot
)

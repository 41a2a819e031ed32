package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
)

func newRerun() *cobra.Command {
	data, threads := "", 0
	cmd := &cobra.Command{
		Use:   "rerun EXPERIMENT",
		Short: "Simulate a stored experiment again and say whether the bits are the same",
		Long: `Simulate a stored experiment again, from its scenario, seeds and months alone, and
compare the final state of each run, and the numbers of all its months, with what was
stored, bit for bit. The exit code is 1 where one differs.`,
		Example: "  econ-mcp rerun vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := openWorkshop(data, workshopOptions{})
			if err != nil {
				return err
			}
			defer w.close()
			out := cmd.OutOrStdout()
			different, runs := 0, 0
			if err := w.lab.Rerun(cmd.Context(), args[0], threads, func(r lab.Rerun) {
				if runs++; !r.Same() {
					different++
				}
				fmt.Fprintf(out, "%s/%d  seed %d, month %d, state %.16s…  %s\n", r.Arm, r.Replication, r.Seed, r.Month, r.Want, verdict(r))
			}); err != nil {
				return err
			}
			environment, err := w.lab.Environment(args[0])
			if err != nil {
				return err
			}
			if environment != "" {
				fmt.Fprintln(out, environment)
			}
			if different > 0 {
				return fmt.Errorf("%d of %s are not what was stored", different, plural(runs, "run"))
			}
			fmt.Fprintf(out, "%s: the same bits in all of %s\n", args[0], plural(runs, "run"))
			return nil
		},
	}
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 1)
	cmd.Flags().IntVar(&threads, "threads", 0, "threads, 0 = all cores; changes no result")
	return cmd
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
	e := fault.New(fault.WrongType, "", "econ-mcp %s takes the name of one experiment, not %d", cmd.Name(), len(args))
	e.Hint = "econ-mcp list lists them"
	return e
}

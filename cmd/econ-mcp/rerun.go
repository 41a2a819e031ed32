package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"econ-mcp/internal/lab"
)

func newRerun() *cobra.Command {
	data, threads := "", 0
	cmd := &cobra.Command{
		Use:   "rerun EXPERIMENT",
		Short: "Simulate a stored experiment again and say whether the bits are the same",
		Long: `Simulate a stored experiment again, from its scenario, seeds and months alone, and
compare the final state of each run with the one that was stored, bit for bit. The exit
code is 1 where one differs.`,
		Example: "  econ-mcp rerun vat_up",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := openWorkshop(data, workshopOptions{})
			if err != nil {
				return err
			}
			defer w.close()
			out := cmd.OutOrStdout()
			different, runs := 0, 0
			if err := w.lab.Rerun(cmd.Context(), args[0], threads, func(r lab.Rerun) {
				verdict := "same bits"
				if runs++; !r.Same() {
					different++
					verdict = "DIFFERENT: " + r.Got
				}
				fmt.Fprintf(out, "%s/%d  seed %d, month %d, state %.16s…  %s\n", r.Arm, r.Replication, r.Seed, r.Month, r.Want, verdict)
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
	cmd.Flags().IntVar(&threads, "threads", 0, "threads, 0 = all cores; changes no result")
	return cmd
}

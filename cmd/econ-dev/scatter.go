package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/trials"
	"econ-mcp/presets"
)

// newScatter writes internal/inference/scatter.csv.
func newScatter() *cobra.Command {
	p := trials.Pairs{}
	sizes := map[int]*int{3000: new(int), 10_000: new(int)}
	cmd := &cobra.Command{
		Use:   "scatter > internal/inference/scatter.csv",
		Short: "Measure how effects scatter over pairs, by which plans tell their power",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var rows []inference.Scatter
			for _, households := range []int{3000, 10_000} {
				s, err := presets.Load("baseline")
				if err != nil {
					return err
				}
				params := s.Params
				for _, size := range trials.PlaceboSizes() {
					if err := params.Set(size.Parameter, fmt.Sprint(size.Value)); err != nil {
						return err
					}
				}
				params.NumHouseholds = households
				p.Scenario, p.N = s.WithParams(params), *sizes[households]
				p.Progress = func(what string, done, of int) { fmt.Fprintln(cmd.ErrOrStderr(), households, what, done, of) }
				some, err := p.Scatter(cmd.Context())
				if err != nil {
					return err
				}
				rows = append(rows, some...)
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), inference.ScatterCSV(rows))
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(sizes[3000], "small", trials.PlaceboPairs, "pairs of 3,000 households")
	f.IntVar(sizes[10_000], "usual", 200, "pairs of 10,000 households")
	f.StringVar(&p.Known, "known", "", "`folder` of pairs that were simulated, as that of econ-mcp validate tests")
	return cmd
}

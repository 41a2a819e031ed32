package trials

import (
	"context"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Scatter measures how effects scatter over pairs, for [inference.Foresee]: a row for each headline indicator in each
// third of [placeboTrial.thirds] whose differences are not rare under most policies.
func (p Pairs) Scatter(ctx context.Context) (rows []inference.Scatter, err error) {
	trial := placeboTrial{Placebo: Placebo{Pairs: p}}
	if trial.panels, err = p.simulate(ctx); err != nil {
		return nil, err
	}
	for i := range sim.NumIndicators {
		for k, w := range trial.thirds() {
			var spread []float64
			for policy := range policies {
				if d, control, varies := trial.differences(policy, i, w); varies {
					spread = append(spread, stats.StdDev(d)/inference.ScatterUnit(i, stats.Mean(control)))
				}
			}
			if 2*len(spread) <= len(policies) {
				continue
			}
			rows = append(rows, inference.Scatter{
				Indicator: i, Households: p.Scenario.Params.NumHouseholds, Late: k > 0,
				Least: slices.Min(spread), Most: slices.Max(spread),
			})
		}
	}
	return rows, nil
}

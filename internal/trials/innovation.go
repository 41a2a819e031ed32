package trials

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// InnovationStudy is what innovations did to market shares in an economy.
type InnovationStudy struct {
	Responses    []tables.ShareResponse
	Units        bool // shares are of the quantity sold, not of revenue
	Scenario     string
	ScenarioHash string
	ModelVersion string
	Households   int
	BurnInMonths int
	Months       int
	Replications int
	Seed         uint64
	Confidence   float64
}

// Innovations simulates a scenario on a number of seeds, the first of which is its
// random_state, and compares the market shares of firms that innovated with those
// of firms that did not; see [tables.InnovationCollector]. Shares are of revenue,
// or of units sold. events, which may be nil, is given the events of each month;
// replications (from 1) then run one after the other, so that none need be kept.
func Innovations(
	ctx context.Context, s scenario.Scenario, replications int, units bool, events func(replication int, list []sim.Event) error,
	cache run.Cache, progress func(run.Progress),
) (*InnovationStudy, error) {
	x, err := run.Simulation{
		Arms: []run.Arm{{Name: s.Name, Scenario: s}}, Seeds: run.Seeds(uint64(s.Params.RandomState), replications),
		Months: s.Params.NumIterations, Threads: s.Params.MaxConcurrentTasks, Cache: cache, Progress: progress,
	}.Checked()
	if err != nil {
		return nil, err
	}
	collectors := make([]*tables.InnovationCollector, replications)
	for r := range collectors {
		collectors[r] = &tables.InnovationCollector{Units: units}
	}
	x.Observe = func(_, replication int, e *sim.Economy) error { return collectors[replication].Observe(e) }
	if events == nil {
		_, err = x.Run(ctx)
	} else {
		err = inTurn(ctx, x, func(replication int, e *sim.Economy) error {
			return errors.Join(collectors[replication].Observe(e), events(replication+1, e.Events()))
		})
	}
	if err != nil {
		return nil, err
	}
	summaries := make([]tables.InnovationSummary, len(collectors))
	for r, c := range collectors {
		summaries[r] = c.Summary()
	}
	return &InnovationStudy{
		Responses: tables.ShareResponses(summaries, tables.DefaultConfidence),
		Units:     units, Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion,
		Households: s.Params.NumHouseholds, BurnInMonths: s.BurnIn.BurnInMonths, Months: x.Months,
		Replications: replications, Seed: uint64(s.Params.RandomState), Confidence: tables.DefaultConfidence,
	}, nil
}

// inTurn simulates the replications one after the other.
func inTurn(ctx context.Context, x run.Simulation, observe func(replication int, e *sim.Economy) error) error {
	for r := range x.Seeds {
		one := x
		one.Seeds = x.Seeds[r : r+1]
		one.Progress = nil
		if x.Progress != nil {
			one.Progress = func(p run.Progress) {
				p.Replication, p.Done, p.Of = r+1, r*p.Of+p.Done, len(x.Seeds)*p.Of
				x.Progress(p)
			}
		}
		one.Observe = func(_, _ int, e *sim.Economy) error { return observe(r, e) }
		if _, err := one.Run(ctx); err != nil {
			return fmt.Errorf("replication %d: %w", r+1, err)
		}
	}
	return nil
}

// Measure is what the shares are of.
func (v InnovationStudy) Measure() string {
	if v.Units {
		return "units"
	}
	return "revenue"
}

// MarshalJSON implements [json.Marshaler].
func (v InnovationStudy) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Responses    []tables.ShareResponse `json:"responses"`
		Measure      string                 `json:"measure"`
		Unit         string                 `json:"interval_unit"`
		Scenario     string                 `json:"scenario"`
		ScenarioHash string                 `json:"scenario_hash"`
		ModelVersion string                 `json:"model_version"`
		Households   int                    `json:"households"`
		BurnInMonths int                    `json:"burn_in_months"`
		Months       int                    `json:"months"`
		Replications int                    `json:"replications"`
		Seed         uint64                 `json:"seed"`
		Confidence   float64                `json:"confidence"`
	}{
		v.Responses, v.Measure(), "replication", v.Scenario, v.ScenarioHash, v.ModelVersion, v.Households, v.BurnInMonths,
		v.Months, v.Replications, v.Seed, v.Confidence,
	})
}

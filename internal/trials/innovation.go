package trials

import (
	"context"
	"encoding/json"
	"errors"

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
	collectors := make([]tables.InnovationCollector, max(0, replications))
	x := run.Simulation{
		Arms: []run.Arm{{Name: s.Name, Scenario: s}}, Seeds: run.Seeds(uint64(s.Params.RandomState), replications),
		Months: s.Params.NumIterations, Threads: s.Params.MaxConcurrentTasks, Cache: cache, Progress: progress,
		Observe: func(_, replication int, e *sim.Economy) error { return collectors[replication].Observe(e) },
	}
	for r := range collectors {
		collectors[r].Units = units
	}
	if events != nil {
		x.AtOnce = 1
		x.Observe = func(_, replication int, e *sim.Economy) error {
			return errors.Join(collectors[replication].Observe(e), events(replication+1, e.Events()))
		}
	}
	if _, err := x.Run(ctx); err != nil {
		return nil, err
	}
	summaries := make([]tables.InnovationSummary, len(collectors))
	for r := range collectors {
		summaries[r] = collectors[r].Summary()
	}
	return &InnovationStudy{
		Responses: tables.ShareResponses(summaries, tables.DefaultConfidence),
		Units:     units, Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion,
		Households: s.Params.NumHouseholds, BurnInMonths: s.BurnIn.BurnInMonths, Months: x.Months,
		Replications: replications, Seed: uint64(s.Params.RandomState), Confidence: tables.DefaultConfidence,
	}, nil
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

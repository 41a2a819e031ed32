package lab

import (
	"context"
	"encoding/json"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// InnovationStudy is what innovations did to market shares in an economy.
type InnovationStudy struct {
	Responses []analysis.ShareResponse
	Events    [][]sim.Event // of each replication, if they are kept

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
// of firms that did not; see [analysis.InnovationCollector]. Shares are of revenue,
// or of units sold.
func Innovations(ctx context.Context, s scenario.Scenario, replications int, units, keepEvents bool, cache run.Cache, progress func(Progress)) (*InnovationStudy, error) {
	x, err := Experiment{
		Arms: []Arm{{Name: s.Name, Scenario: s}}, Replications: replications, Seed: uint64(s.Params.RandomState),
		Months: s.Params.NumIterations, Threads: s.Params.MaxConcurrentTasks, Cache: cache, Progress: progress,
	}.checked()
	if err != nil {
		return nil, err
	}
	collectors := make([]*analysis.InnovationCollector, x.Replications)
	for r := range collectors {
		collectors[r] = &analysis.InnovationCollector{Units: units, KeepEvents: keepEvents}
	}
	if _, err := x.simulate(ctx, func(_, replication int) observer { return collectors[replication].Observe }); err != nil {
		return nil, err
	}
	study := &InnovationStudy{
		Responses: analysis.ShareResponses(collectors, x.Confidence),
		Units:     units, Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion,
		Households: s.Params.NumHouseholds, BurnInMonths: s.BurnIn.BurnInMonths, Months: x.Months,
		Replications: x.Replications, Seed: x.Seed, Confidence: x.Confidence,
	}
	if keepEvents {
		for _, c := range collectors {
			study.Events = append(study.Events, c.Events)
		}
	}
	return study, nil
}

// Measure is what the shares are of.
func (v InnovationStudy) Measure() string {
	if v.Units {
		return "units"
	}
	return "revenue"
}

// MarshalJSON implements [json.Marshaler]. Events are no part of it.
func (v InnovationStudy) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Responses    []analysis.ShareResponse `json:"responses"`
		Measure      string                   `json:"measure"`
		Unit         string                   `json:"interval_unit"`
		Scenario     string                   `json:"scenario"`
		ScenarioHash string                   `json:"scenario_hash"`
		ModelVersion string                   `json:"model_version"`
		Households   int                      `json:"households"`
		BurnInMonths int                      `json:"burn_in_months"`
		Months       int                      `json:"months"`
		Replications int                      `json:"replications"`
		Seed         uint64                   `json:"seed"`
		Confidence   float64                  `json:"confidence"`
	}{
		v.Responses, v.Measure(), "replication", v.Scenario, v.ScenarioHash, v.ModelVersion, v.Households, v.BurnInMonths,
		v.Months, v.Replications, v.Seed, v.Confidence,
	})
}

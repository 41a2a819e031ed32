package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// InnovationStudy is what innovations did to market shares in an economy.
type InnovationStudy struct {
	Responses    []analysis.ShareResponse
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
// or of units sold. events, which may be nil, is given the events of each month;
// replications (from 1) then run one after the other, so that none need be kept.
func Innovations(ctx context.Context, s scenario.Scenario, replications int, units bool, events func(replication int, list []sim.Event) error, cache run.Cache, progress func(Progress)) (*InnovationStudy, error) {
	x, err := Experiment{
		Arms: []Arm{{Name: s.Name, Scenario: s}}, Replications: replications, Seed: uint64(s.Params.RandomState),
		Months: s.Params.NumIterations, Threads: s.Params.MaxConcurrentTasks, Cache: cache, Progress: progress,
	}.checked()
	if err != nil {
		return nil, err
	}
	collectors := make([]*analysis.InnovationCollector, x.Replications)
	for r := range collectors {
		collectors[r] = &analysis.InnovationCollector{Units: units}
	}
	if events == nil {
		_, err = x.simulate(ctx, func(_, replication int) observer { return collectors[replication].Observe })
	} else {
		err = x.inTurn(ctx, func(replication int) observer {
			return func(e *sim.Economy) error {
				return errors.Join(collectors[replication].Observe(e), events(replication+1, e.Events()))
			}
		})
	}
	if err != nil {
		return nil, err
	}
	summaries := make([]analysis.InnovationSummary, len(collectors))
	for r, c := range collectors {
		summaries[r] = c.Summary()
	}
	return &InnovationStudy{
		Responses: analysis.ShareResponses(summaries, x.Confidence),
		Units:     units, Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion,
		Households: s.Params.NumHouseholds, BurnInMonths: s.BurnIn.BurnInMonths, Months: x.Months,
		Replications: x.Replications, Seed: x.Seed, Confidence: x.Confidence,
	}, nil
}

// inTurn simulates the replications of a checked experiment one after the other.
func (x Experiment) inTurn(ctx context.Context, observe func(replication int) observer) error {
	for r := range x.Replications {
		one := x
		one.Replications, one.Seed = 1, ReplicationSeed(x.Seed, r)
		one.Progress = nil
		if x.Progress != nil {
			one.Progress = func(p Progress) {
				p.Replication, p.Done, p.Of = r+1, r*p.Of+p.Done, x.Replications*p.Of
				x.Progress(p)
			}
		}
		if _, err := one.simulate(ctx, func(int, int) observer { return observe(r) }); err != nil {
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

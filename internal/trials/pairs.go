package trials

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Pairs are so many economies with real effects that the mean over all of them is the truth about a few.
// Each economy is burnt in once and goes on as a control, as the same with other draws (A/A), and under each policy
// with the control's draws.
type Pairs struct {
	Scenario scenario.Scenario // with the sizes, the months (num_iterations), the burn-in and the base seed (random_state)
	N        int
	Threads  int    // 0 = all cores; changes no result
	Known    string // folder of pairs that were simulated before, by content; "" = none is kept

	Progress func(what string, done, of int) // may be nil
}

// A policy changes one parameter of the months after the burn-in.
type policy struct {
	parameter string
	to        float64
}

// policies have effects of many kinds: at once and late, on prices and on quantities, large ones and hardly any.
var policies = []policy{
	{"vat_rate", .10},
	{"inherent_market_consumption_rate", .12},
	{"minimum_wage", .5},
	{"tariff_rate", .1},
	{"inflation_target", .04},
	{"loan_spread", .045},
}

// The arms of pairs, before those of the policies.
const (
	armControl = iota
	armAgain   // the control with other draws
	firstPolicy
)

// pairsAtOnce are simulated and kept together.
const pairsAtOnce = 50

// arms are those of the pairs. None keeps the draws of the burn-in, so that no arm is special.
func (p Pairs) arms() ([]run.Arm, error) {
	arms := []run.Arm{{Name: "control", Draws: 1, Scenario: p.Scenario}, {Name: "again", Draws: 2, Scenario: p.Scenario}}
	for _, change := range policies {
		s := p.Scenario
		if err := s.Params.Set(change.parameter, change.to); err != nil {
			return nil, err
		}
		if s.Params == p.Scenario.Params {
			return nil, fault.New(fault.Conflict, change.parameter, "%s is %v in the scenario already, which is a policy of the trial",
				change.parameter, change.to)
		}
		arms = append(arms, run.Arm{Name: change.parameter, Draws: 1, Scenario: s})
	}
	return arms, nil
}

// seeds are those of the pairs.
func (p Pairs) seeds() []uint64 { return run.Seeds(uint64(p.Scenario.Params.RandomState), p.N) }

// simulate returns what the arms came to month by month: the headline indicators of each pair.
func (p Pairs) simulate(ctx context.Context) ([]tables.Panel, error) {
	arms, err := p.arms()
	if err != nil {
		return nil, err
	}
	panels, all := make([]tables.Panel, len(arms)), p.seeds()
	for from := 0; from < p.N; from += pairsAtOnce {
		seeds := all[from:min(p.N, from+pairsAtOnce)]
		some, err := p.some(ctx, arms, seeds)
		if err != nil {
			return nil, err
		}
		for a := range panels {
			panels[a] = append(panels[a], some[a]...)
		}
		if p.Progress != nil {
			p.Progress("simulated", from+len(seeds), p.N)
		}
	}
	return panels, nil
}

// some simulates the pairs of some seeds, or finds them in the folder.
func (p Pairs) some(ctx context.Context, arms []run.Arm, seeds []uint64) (panels []tables.Panel, err error) {
	path := ""
	if p.Known != "" {
		h := sha256.New()
		fmt.Fprintf(h, "pairs=1\nmodel=%s\nseeds=%v\nindicators=%d\nmonths=%d\n", sim.ModelVersion, seeds, sim.NumIndicators,
			p.Scenario.Params.NumIterations)
		for _, arm := range arms {
			fmt.Fprintf(h, "arm=%s draws=%d\n", arm.Scenario.Hash(), arm.Draws)
		}
		path = filepath.Join(p.Known, hex.EncodeToString(h.Sum(nil))+".pairs")
		if data, err := os.ReadFile(path); err == nil && gob.NewDecoder(bytes.NewReader(data)).Decode(&panels) == nil {
			return panels, nil // what cannot be read is simulated again
		}
	}
	panels = make([]tables.Panel, len(arms))
	for a := range panels {
		for range seeds {
			panels[a] = append(panels[a], new([sim.NumOutcomes][]float64))
		}
	}
	if _, err = (run.Simulation{
		Arms: arms, Seeds: seeds, Months: p.Scenario.Params.NumIterations, Threads: p.Threads,
		Observe: func(arm, replication int, e *sim.Economy) error {
			series := panels[arm][replication]
			for i := range sim.NumIndicators {
				series[i] = append(series[i], e.Latest().Value(i))
			}
			return nil
		},
	}).Run(ctx); err != nil || path == "" {
		return panels, err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(panels); err != nil {
		return nil, err
	}
	return panels, atomicfile.WriteFile(path, b.Bytes(), 0o644, true)
}

package trials

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// The sizes of the placebo experiments of docs/VALIDATION.md. With 400 of them a test that
// errs in 5 % of experiments is seen to err in 7.2 % or less, with a probability of 98 %.
const (
	PlaceboExperiments  = 400
	PlaceboReplications = 10 // a side: as few as a comparison should have
)

// PlaceboSize is a parameter of the economies of placebo experiments.
type PlaceboSize struct {
	Flag, Parameter, Meaning string
	Value                    int
}

// PlaceboSizes are those of docs/VALIDATION.md: small economies, so that many can be had.
func PlaceboSizes() []PlaceboSize {
	return []PlaceboSize{
		{"households", "num_households", "size of the economies", 1000},
		{"months", "num_iterations", "months after burn-in", 24},
		{"burn-in", "burn_in_months", "months of burn-in", 60},
	}
}

// The policy of the experiments with a real effect: public purchases rise by two per cent
// of GDP.
const (
	placeboPolicy = "inherent_market_consumption_rate"
	placeboChange = 0.02
)

// Placebo tries the tests that comparisons offer on experiments whose truth is known. Most
// are A/A experiments: two equal arms that go on from the same burnt-in states, each with
// draws of its own, so that whatever a test finds is wrong. For tests of independent samples
// the burnt-in states are others too. In the experiments with a known effect one arm is
// shifted by it, and in those with a real one it has a policy. No two experiments share a
// burnt-in state or random draws.
type Placebo struct {
	Scenario     scenario.Scenario // with the sizes, the months (num_iterations), the burn-in and the base seed (random_state)
	Experiments  int               // at least 2
	Replications int               // of each side, at least 2
	Threads      int               // 0 = all cores; changes no result

	// Progress, which may be nil, is called when so many of all experiments are simulated or,
	// later, analysed; by one goroutine at a time.
	Progress func(what string, done, of int)
}

// checked returns p with its defaults filled in.
func (p Placebo) checked() (Placebo, error) {
	for _, size := range []struct {
		flag       string
		n, at, top int
	}{
		{"--experiments", p.Experiments, 2, 10_000}, {"--replications", p.Replications, 2, 1_000},
		{"--months", p.Scenario.Params.NumIterations, 2, 6_000},
	} {
		if size.n < size.at || size.n > size.top {
			return p, fault.Range(size.flag, fmt.Sprint(size.n), fmt.Sprintf("%d to %d", size.at, size.top))
		}
	}
	if p.Threads < 0 {
		return p, fault.Range("--threads", fmt.Sprint(p.Threads), "0 or more")
	}
	if _, err := p.policy(); err != nil {
		return p, err
	}
	p.Threads = min(cmp.Or(p.Threads, runtime.GOMAXPROCS(0)), p.Experiments)
	size := p.Scenario.BurnIn
	size.MaxConcurrentTasks = 1
	for available := run.AvailableMemory(); ; p.Threads-- {
		err := run.FitMemory(size, 2*p.Threads, available) // each with the copy of its burnt-in state
		if err == nil || p.Threads == 1 {
			return p, err
		}
	}
}

// policy is the scenario's parameters with the change that has a real effect.
func (p Placebo) policy() (sim.Params, error) {
	changed := p.Scenario.Params
	now, err := changed.Get(placeboPolicy)
	if err != nil {
		return changed, err
	}
	return changed, changed.Set(placeboPolicy, now.(float64)+placeboChange)
}

// economies are those of one experiment, by what they are.
type economies [numEconomies]side

// The first three go on from the same burnt-in states, the others from as many others.
const (
	first = iota
	second
	treated // with the draws of the first
	apart
	apartTreated // with the draws of those apart
	numEconomies
)

// side is one side of an experiment: the outcomes by month, and the seeds of the burnt-in states.
type side struct {
	panel tables.Panel
	seeds []uint64
}

// simulate simulates the economies of an experiment, counted from 0.
func (p Placebo) simulate(ctx context.Context, experiment int) (*economies, error) {
	policy := p.Scenario
	var err error
	if policy.Params, err = p.policy(); err != nil {
		return nil, err
	}
	var seeds []uint64
	for r := range 2 * p.Replications {
		seeds = append(seeds, run.ReplicationSeed(uint64(p.Scenario.Params.RandomState), 2*p.Replications*experiment+r))
	}
	together, others := seeds[:p.Replications], seeds[p.Replications:]
	// None keeps the draws of the burn-in, so that no arm is special.
	panels, err := p.outcomes(ctx, together,
		run.Arm{Name: "first", Scenario: p.Scenario, Draws: 1},
		run.Arm{Name: "second", Scenario: p.Scenario, Draws: 2},
		run.Arm{Name: "treated", Scenario: policy, Draws: 1})
	if err != nil {
		return nil, err
	}
	panelsApart, err := p.outcomes(ctx, others,
		run.Arm{Name: "apart", Scenario: p.Scenario, Draws: 1},
		run.Arm{Name: "apart, treated", Scenario: policy, Draws: 1})
	if err != nil {
		return nil, err
	}
	return &economies{
		first: {panels[0], together}, second: {panels[1], together}, treated: {panels[2], together},
		apart: {panelsApart[0], others}, apartTreated: {panelsApart[1], others},
	}, nil
}

// outcomes simulates arms that go on from the burnt-in states of some seeds, and returns their outcomes.
func (p Placebo) outcomes(ctx context.Context, seeds []uint64, arms ...run.Arm) ([]tables.Panel, error) {
	panels := make([]tables.Panel, len(arms))
	for a := range panels {
		for range seeds {
			panels[a] = append(panels[a], new([sim.NumOutcomes][]float64))
		}
	}
	_, err := run.Simulation{
		Arms: arms, Seeds: seeds, Months: p.Scenario.Params.NumIterations, Threads: 1,
		Observe: func(arm, replication int, e *sim.Economy) error {
			series := panels[arm][replication]
			for _, i := range inference.Outcomes {
				series[i] = append(series[i], e.Latest().Value(i))
			}
			return nil
		},
	}.Run(ctx)
	return panels, err
}

// each calls f for every experiment, on all threads, and tells how many are done.
func (p Placebo) each(ctx context.Context, what string, f func(ctx context.Context, experiment int) error) error {
	var progress sync.Mutex
	done := 0
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(p.Threads)
	for k := range p.Experiments {
		tasks.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(ctx, k); err != nil {
				return err
			}
			progress.Lock()
			defer progress.Unlock()
			done++
			if p.Progress != nil {
				p.Progress(what, done, p.Experiments)
			}
			return nil
		})
	}
	return tasks.Wait()
}

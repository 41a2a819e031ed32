package lab

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
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
// luck of its own, so that whatever a test finds is wrong. For tests of independent samples
// the burnt-in states are others too. In the experiments with a known effect one arm is
// shifted by it, and in those with a real one it has a policy. No two experiments share a
// burnt-in state or luck.
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
		{"--experiments", p.Experiments, 2, 10_000}, {"--replications", p.Replications, 2, 1_000}, {"--months", p.Scenario.Params.NumIterations, 2, 6_000},
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

// lives are the economies of one experiment: of each replication the outcomes by month.
// All lives that are listed in one row go on from the same burnt-in state.
type lives struct {
	first, second, treated analysis.Panel // the treated have the luck of the first
	apart, apartTreated    analysis.Panel // of other burnt-in states; both have the same luck
	seeds, apartSeeds      []uint64       // of the burnt-in states
}

// simulate lets the economies of an experiment, counted from 0, live.
func (p Placebo) simulate(ctx context.Context, experiment int) (*lives, error) {
	policy, err := p.policy()
	if err != nil {
		return nil, err
	}
	usual, out := p.Scenario.Params, &lives{}
	for r := range 2 * p.Replications {
		seed := ReplicationSeed(uint64(p.Scenario.Params.RandomState), 2*p.Replications*experiment+r)
		burnt, err := p.burnIn(ctx, seed)
		if err != nil {
			return nil, err
		}
		// No life has the luck of the burn-in: all are drawn alike.
		luck, other := ReplicationSeed(seed, 1), ReplicationSeed(seed, 2)
		for _, life := range []struct {
			wanted bool
			panel  *analysis.Panel
			seed   uint64
			under  sim.Params
		}{
			{r < p.Replications, &out.first, luck, usual},
			{r < p.Replications, &out.second, other, usual},
			{r < p.Replications, &out.treated, luck, policy},
			{r >= p.Replications, &out.apart, luck, usual},
			{r >= p.Replications, &out.apartTreated, luck, policy},
		} {
			if !life.wanted {
				continue
			}
			series, err := p.live(ctx, burnt, life.seed, life.under)
			if err != nil {
				return nil, fmt.Errorf("seed %d: %w", seed, err)
			}
			*life.panel = append(*life.panel, series)
		}
		if r < p.Replications {
			out.seeds = append(out.seeds, seed)
		} else {
			out.apartSeeds = append(out.apartSeeds, seed)
		}
	}
	return out, nil
}

// burnIn is a snapshot of the burnt-in state of a seed.
func (p Placebo) burnIn(ctx context.Context, seed uint64) ([]byte, error) {
	e, _, err := run.BurnIn(ctx, p.Scenario, seed, 1, run.Cache{}, nil)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var snapshot bytes.Buffer
	err = e.WriteSnapshot(&snapshot)
	return snapshot.Bytes(), err
}

// live goes on from a burnt-in state with luck of its own, and notes the outcomes.
func (p Placebo) live(ctx context.Context, burnt []byte, seed uint64, under sim.Params) (*[sim.NumIndicators][]float64, error) {
	e, err := sim.ReadSnapshot(bytes.NewReader(burnt), 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	if err := e.Reseed(seed); err != nil {
		return nil, err
	}
	if err := e.Plan(p.Scenario.Interventions); err != nil {
		return nil, err
	}
	series := new([sim.NumIndicators][]float64)
	err = run.Months(ctx, e, under, under.NumIterations, func(e *sim.Economy) error {
		for _, i := range analysis.Outcomes {
			series[i] = append(series[i], e.Latest().Value(i))
		}
		return nil
	})
	return series, err
}

// each calls f for every experiment, on all threads, and tells how many are done.
func (p Placebo) each(ctx context.Context, what string, f func(ctx context.Context, experiment int) error) error {
	var progress sync.Mutex
	done := 0
	return inParallel(ctx, p.Experiments, p.Threads, func(ctx context.Context, k int) error {
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

package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// observer sees the economy of one simulation after each month. It is called by
// one goroutine.
type observer func(*sim.Economy) error

// simulation carries out a checked experiment.
type simulation struct {
	Experiment
	parallelism
	groups  []run.Group
	observe func(arm, replication int) observer

	agentMonths atomic.Int64
	simulated   atomic.Bool // a burn-in had to be simulated
	progress    sync.Mutex
	done, of    int
}

// simulate runs every arm of a checked experiment on every seed.
func (x Experiment) simulate(ctx context.Context, observe func(arm, replication int) observer) (*simulation, error) {
	s := &simulation{Experiment: x, groups: run.Groups(x.Arms), observe: observe}
	available := run.AvailableMemory()
	var size int64
	widest := 0
	for _, g := range s.groups {
		p := g.BurnIn.BurnIn
		p.MaxConcurrentTasks = x.Threads
		if err := run.FitMemory(p, economies(1, len(g.Arms)), available); err != nil {
			return nil, err
		}
		size = max(size, sim.EstimateMemory(p))
		widest = max(widest, len(g.Arms))
	}
	s.of = x.simulatedMonths(s.groups)
	s.parallelism = fitting(x.Threads, x.Replications, widest, size, available)
	return s, inParallel(ctx, x.Replications, s.parallelism.replications, s.replicate)
}

// simulatedMonths counts the months of all arms and replications, burn-in
// included.
func (x Experiment) simulatedMonths(groups []run.Group) int {
	sum := 0
	for _, g := range groups {
		sum += g.BurnIn.BurnIn.BurnInMonths
		for _, arm := range g.Arms {
			sum += x.monthsOf(arm)
		}
	}
	return x.Replications * sum
}

func (x Experiment) monthsOf(arm int) int {
	if x.months == nil {
		return x.Months
	}
	return x.months[arm]
}

// replicate runs all arms on the seed of one replication.
func (s *simulation) replicate(ctx context.Context, replication int) error {
	for _, g := range s.groups {
		if err := s.runGroup(ctx, g, replication); err != nil {
			return err
		}
	}
	return nil
}

// runGroup burns in once and forks the arms from there.
func (s *simulation) runGroup(ctx context.Context, g run.Group, replication int) error {
	first := g.Arms[0]
	e, cached, err := s.burnIn(ctx, g, replication)
	if err != nil {
		return s.located(err, first, replication)
	}
	if err := ctx.Err(); err != nil {
		e.Close()
		return s.located(&run.Interrupted{Month: 1, Of: s.Months, Cause: err}, first, replication)
	}
	s.begin(replication, cached)
	if len(g.Arms) == 1 && s.threads == s.burnInThreads {
		defer e.Close()
		return s.runArm(ctx, e, first, replication)
	}
	var snapshot bytes.Buffer
	err = e.WriteSnapshot(&snapshot)
	e.Close()
	if err != nil {
		return s.located(err, first, replication)
	}
	return inParallel(ctx, len(g.Arms), s.parallelism.arms, func(ctx context.Context, i int) error {
		e, err := sim.ReadSnapshot(bytes.NewReader(snapshot.Bytes()), s.threads)
		if err != nil {
			return s.located(err, g.Arms[i], replication)
		}
		defer e.Close()
		return s.runArm(ctx, e, g.Arms[i], replication)
	})
}

func (s *simulation) burnIn(ctx context.Context, g run.Group, replication int) (e *sim.Economy, cached bool, err error) {
	months := g.BurnIn.BurnIn.BurnInMonths
	e, cached, err = run.BurnIn(ctx, g.BurnIn, ReplicationSeed(s.Seed, replication), s.burnInThreads, s.Cache, func(month, of int) {
		s.report(1, g.Arms[0], Progress{Phase: PhaseBurnIn, Replication: replication + 1, Month: month, Total: of})
	})
	if err != nil {
		return nil, false, err
	}
	if cached {
		s.report(months, g.Arms[0], Progress{Phase: PhaseBurnIn, Replication: replication + 1, Month: months, Total: months})
		return e, true, nil
	}
	s.simulated.Store(true)
	s.agentMonths.Add(int64(e.Agents()) * int64(months))
	return e, false, nil
}

func (s *simulation) runArm(ctx context.Context, e *sim.Economy, arm, replication int) error {
	observe := s.observe(arm, replication)
	if err := e.Plan(s.Arms[arm].Scenario.Interventions); err != nil {
		return s.located(err, arm, replication)
	}
	months := s.monthsOf(arm)
	err := run.Months(ctx, e, s.Arms[arm].Scenario.Params, months, func(e *sim.Economy) error {
		s.agentMonths.Add(int64(e.Agents()))
		if err := observe(e); err != nil {
			return err
		}
		s.report(1, arm, Progress{
			Phase: PhaseRunning, Replication: replication + 1, Month: e.Month(), Total: months, Latest: e.Latest(),
		})
		return nil
	})
	if err != nil {
		return s.located(err, arm, replication)
	}
	return nil
}

// located says where in the experiment an error happened.
func (s *simulation) located(err error, arm, replication int) error {
	where := fmt.Sprintf("arm %q, replication %d (seed %d)", s.Arms[arm].Name, replication+1, ReplicationSeed(s.Seed, replication))
	if _, ok := errors.AsType[*run.Interrupted](err); ok {
		return fmt.Errorf("%w, %s", err, where)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// begin passes on that a burnt-in state is there.
func (s *simulation) begin(replication int, cached bool) {
	if s.Begin == nil {
		return
	}
	s.progress.Lock()
	defer s.progress.Unlock()
	s.Begin(replication+1, cached)
}

// report passes on that a simulation of an arm advanced by months. One
// goroutine at a time reports, so that Done only grows.
func (s *simulation) report(months, arm int, p Progress) {
	if s.Progress == nil {
		return
	}
	s.progress.Lock()
	defer s.progress.Unlock()
	s.done += months
	p.Arm, p.Done, p.Of = s.Arms[arm].Name, s.done, s.of
	s.Progress(p)
}

package run

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Simulation is an experiment that is carried out in memory, for somebody who waits for it.
// Nobody steers it, so that its runs need not be in the same month, nor be alive at the same
// time: each goes straight from its burn-in to its own last month.
type Simulation struct {
	Arms    []Arm    // one, or the control first
	Seeds   []uint64 // one per replication, shared by all arms: see [Seeds]
	Months  int      // after burn-in, at least 1; see [Arm] for fewer
	Threads int      // 0 = all cores; changes no result
	AtOnce  int      // economies that are simulated at the same time, at most; 0 = one a thread
	Cache   Cache

	// Observe is given each economy after each month: one economy by one goroutine at a
	// time, several by several. An error ends the simulation.
	Observe  func(arm, replication int, e *sim.Economy) error
	Progress func(Progress) // may be nil; called by one goroutine at a time
}

// Phase names what a simulation is doing.
type Phase string

const (
	PhaseBurnIn  Phase = "burn_in"
	PhaseRunning Phase = "running"
)

// Progress says that one economy of a simulation finished one month.
type Progress struct {
	Phase       Phase
	Arm         string // during burn-in the first arm that the burnt-in state is for
	Replication int    // from 1
	Month       int    // of this phase, from 1
	Total       int    // months of this phase
	Cached      bool   // the burn-in was found in the cache: told once, with its last month
	Done, Of    int    // simulated months of the whole, burn-in included; a burn-in found in the cache counts as done

	Latest *sim.Record // of the month, valid during the call; nil in burn-in
}

// Simulated says what a simulation took.
type Simulated struct {
	AgentMonths  int64 // of all economies, burn-in included
	CachedBurnIn bool  // no burn-in had to be simulated
}

// Checked returns s with its defaults filled in, or says what is wrong with it
// before anything is simulated.
func (s Simulation) Checked() (Simulation, error) {
	if len(s.Seeds) == 0 {
		return s, fault.Range("--replications", "0", "1 or more")
	}
	if s.Months < 1 {
		return s, fault.Range("--months", strconv.Itoa(s.Months), "1 or more")
	}
	if s.Threads < 0 {
		return s, fault.Range("--threads", strconv.Itoa(s.Threads), "0 or more")
	}
	for _, seed := range s.Seeds {
		if seed >= 1<<seedBits {
			return s, fault.Range("--seed", strconv.FormatUint(seed, 10), fmt.Sprintf("0 to %d", uint64(1)<<seedBits-1))
		}
	}
	s.Threads = cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
	return s, CheckArms(s.Arms, s.Months)
}

// TotalMonths counts the months of all arms and replications, burn-in included.
func (s Simulation) TotalMonths() int {
	sum := 0
	for _, g := range Groups(s.Arms) {
		sum += g.BurnIn.BurnIn.BurnInMonths
		for _, arm := range g.Arms {
			sum += s.monthsOf(arm)
		}
	}
	return len(s.Seeds) * sum
}

func (s Simulation) monthsOf(arm int) int { return cmp.Or(s.Arms[arm].Months, s.Months) }

// Run simulates every arm on every seed. What is observed does not depend on the number of
// threads. Simulations that are wrong or would not fit in memory are refused before anything is
// simulated; any other error says in which arm, replication and month it happened, as does
// [Interrupted] when ctx is done.
func (s Simulation) Run(ctx context.Context) (Simulated, error) {
	return s.within(ctx, AvailableMemory())
}

// within simulates in so many bytes of memory. Replications begin first, then arms side by
// side; the first error ends all.
func (s Simulation) within(ctx context.Context, memory int64) (Simulated, error) {
	s, err := s.Checked()
	if err != nil {
		return Simulated{}, err
	}
	x := &simulation{
		Simulation: s, groups: Groups(s.Arms), pool: newPool(s.Threads), of: s.TotalMonths(), simulated: Simulated{CachedBurnIn: true},
	}
	if err := x.fit(memory); err != nil {
		return Simulated{}, err
	}
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(x.economies)
	for r := range s.Seeds {
		for _, g := range x.groups {
			tasks.Go(func() error { return x.counted(func() error { return x.fromBurnIn(ctx, tasks, g, r) }) })
		}
	}
	err = tasks.Wait()
	return x.simulated, err
}

// simulation is a [Simulation] under way.
type simulation struct {
	Simulation
	groups    []Group
	pool      *pool
	economies int // that are simulated at the same time, at most
	of        int // months in all

	mu        sync.Mutex
	done      int // months
	simulated Simulated
}

// fit chooses how many economies are simulated at the same time: fewer where memory is short.
func (x *simulation) fit(memory int64) error {
	for x.economies = min(cmp.Or(x.AtOnce, x.Threads), len(x.Seeds)*len(x.Arms)); ; x.economies-- {
		if err := x.fits(memory); err == nil || x.economies == 1 {
			return err
		}
	}
}

func (x *simulation) fits(memory int64) error {
	for _, g := range x.groups {
		p := g.BurnIn.BurnIn
		p.MaxConcurrentTasks = x.threadsOf(g)
		copies := 0 // burnt-in states that wait at the same time for arms to begin from them, at most
		if len(g.Arms) > 1 {
			copies = x.burnIns()
		}
		if err := FitMemory(p, x.economies+copies, memory); err != nil {
			return err
		}
	}
	return nil
}

// burnIns is how many burn-ins are simulated at the same time, at most.
func (x *simulation) burnIns() int { return min(x.economies, len(x.Seeds)*len(x.groups)) }

// threadsOf is how many threads an economy of a group may be lent: all where it is alone in its
// burn-in.
func (x *simulation) threadsOf(g Group) int {
	return max(1, min(x.Threads/x.burnIns(), sim.UsefulThreads(g.BurnIn.BurnIn)))
}

// counted has f's economy count among those that share the threads.
func (x *simulation) counted(f func() error) error {
	x.pool.join(1)
	defer x.pool.join(-1)
	return guarded(f)
}

// fromBurnIn burns in for the arms of a group in one replication, and simulates them: the first
// goes on with the burnt-in economy, the others from copies, side by side where there is room.
func (x *simulation) fromBurnIn(ctx context.Context, tasks *errgroup.Group, g Group, replication int) error {
	e, err := x.burnIn(ctx, g, replication)
	if err != nil {
		return x.located(err, g.Arms[0], replication)
	}
	var snapshot bytes.Buffer
	if len(g.Arms) > 1 {
		if err := e.WriteSnapshot(&snapshot); err != nil {
			e.Close()
			return x.located(err, g.Arms[0], replication)
		}
	}
	threads := e.Threads()
	forked := func(arm int) func() error {
		return func() error {
			e, err := sim.ReadSnapshot(bytes.NewReader(snapshot.Bytes()), threads)
			if err != nil {
				return x.located(err, arm, replication)
			}
			return x.toEnd(ctx, e, arm, replication)
		}
	}
	begun := func(arm int) bool {
		return tasks.TryGo(func() error { return x.counted(forked(arm)) })
	}
	rest := g.Arms[1:]
	for len(rest) > 0 && begun(rest[0]) {
		rest = rest[1:]
	}
	if err := x.toEnd(ctx, e, g.Arms[0], replication); err != nil {
		return err
	}
	for _, arm := range rest {
		if begun(arm) {
			continue
		}
		if err := forked(arm)(); err != nil {
			return err
		}
	}
	return nil
}

// burnIn returns the economy of a group at the end of its burn-in.
func (x *simulation) burnIn(ctx context.Context, g Group, replication int) (*sim.Economy, error) {
	months := g.BurnIn.BurnIn.BurnInMonths
	p := Progress{Phase: PhaseBurnIn, Arm: x.Arms[g.Arms[0]].Name, Replication: replication + 1, Total: months}
	e, cached, err := BurnIn(ctx, g.BurnIn, x.Seeds[replication], x.threadsOf(g), x.Cache, func(e *sim.Economy) error {
		if err := x.pool.step(e); err != nil {
			return err
		}
		p.Month++
		x.count(p, 1, e.Agents())
		return nil
	})
	if cached {
		p.Month, p.Cached = months, true
		x.count(p, months, 0)
	}
	return e, err
}

// toEnd simulates all months of a run and closes its economy.
func (x *simulation) toEnd(ctx context.Context, e *sim.Economy, arm, replication int) error {
	defer e.Close()
	of, months := x.Arms[arm], x.monthsOf(arm)
	err := e.Plan(of.Scenario.Interventions)
	if err == nil && of.Draws > 0 {
		err = e.Reseed(ReplicationSeed(x.Seeds[replication], of.Draws))
	}
	if err == nil {
		err = Months(ctx, e, of.Scenario.Params, months, func(e *sim.Economy) error {
			if err := x.pool.step(e); err != nil {
				return err
			}
			if err := x.Observe(arm, replication, e); err != nil {
				return err
			}
			p := Progress{Phase: PhaseRunning, Arm: of.Name, Replication: replication + 1, Month: e.Month(), Total: months, Latest: e.Latest()}
			x.count(p, 1, e.Agents())
			return nil
		})
	}
	if err != nil {
		return x.located(err, arm, replication)
	}
	return nil
}

func (x *simulation) located(err error, arm, replication int) error {
	return located(err, x.Arms[arm].Name, replication, x.Seeds[replication])
}

// count tells that months are over, the last as p says, of which so many months of agents were
// simulated. One goroutine at a time tells, so that Done only grows.
func (x *simulation) count(p Progress, months, agents int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.simulated.AgentMonths += int64(agents)
	if p.Phase == PhaseBurnIn && !p.Cached {
		x.simulated.CachedBurnIn = false
	}
	x.done += months
	if x.Progress != nil {
		p.Done, p.Of = x.done, x.of
		x.Progress(p)
	}
}

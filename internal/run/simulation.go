package run

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Simulation is an experiment that is carried out in memory, for somebody who waits for it.
type Simulation struct {
	Arms    []Arm    // one, or the control first
	Seeds   []uint64 // one per replication, shared by all arms: see [Seeds]
	Months  int      // after burn-in, at least 1; see [Arm] for fewer
	Threads int      // 0 = all cores; changes no result
	Kept    int64    // bytes that Observe keeps of each run, until the simulation is over
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
	p, sum := Task{Arms: s.Arms, Months: s.Months}, 0
	for _, g := range Groups(s.Arms) {
		sum += g.BurnIn.BurnIn.BurnInMonths
		for _, arm := range g.Arms {
			sum += p.monthsOf(arm)
		}
	}
	return len(s.Seeds) * sum
}

// Run simulates every arm on every seed. What is observed does not depend on the number of
// threads. Simulations that are wrong or would not fit in memory are refused before anything is
// simulated; any other error says in which arm, replication and month it happened.
func (s Simulation) Run(ctx context.Context) (Simulated, error) {
	s, err := s.Checked()
	if err != nil {
		return Simulated{}, err
	}
	o := s.onlooker()
	err = NewManager(Settings{Threads: s.Threads, Cache: s.Cache}).Run(ctx, s.task(o))
	return o.simulated, err
}

func (s Simulation) task(o *onlooker) Task {
	return Task{
		Name: "simulation", Arms: s.Arms, Seeds: s.Seeds, Months: s.Months, AtOnce: s.AtOnce, Recorder: o,
		Footprint: func(sim.Params, int) Footprint { return Footprint{Kept: s.Kept} },
	}
}

func (s Simulation) onlooker() *onlooker {
	return &onlooker{Simulation: s, of: s.TotalMonths(), simulated: Simulated{CachedBurnIn: true}}
}

// onlooker is the [Recorder] of a simulation.
type onlooker struct {
	Simulation
	of int

	mu        sync.Mutex
	done      int
	simulated Simulated
}

// Record implements [Recorder].
func (o *onlooker) Record(e Event) error {
	b, ok := e.(BurnInMonth)
	if !ok {
		return nil
	}
	months, agents := 1, b.Economy.Agents()
	if b.Cached {
		months, agents = b.Of, 0
	}
	o.report(months, agents, Progress{
		Phase: PhaseBurnIn, Arm: o.Arms[b.Arms[0]].Name, Replication: b.Replication + 1, Month: b.Month, Total: b.Of, Cached: b.Cached,
	})
	return nil
}

// Observe implements [Recorder].
func (o *onlooker) Observe(arm, replication int, e *sim.Economy, ended bool) error {
	if ended {
		return nil
	}
	if err := o.Simulation.Observe(arm, replication, e); err != nil {
		return err
	}
	o.report(1, e.Agents(), Progress{
		Phase: PhaseRunning, Arm: o.Arms[arm].Name, Replication: replication + 1, Month: e.Month(),
		Total: cmp.Or(o.Arms[arm].Months, o.Months), Latest: e.Latest(),
	})
	return nil
}

// More implements [Recorder].
func (o *onlooker) More() (seeds []uint64, why string, err error) { return nil, "", nil }

// report tells that months are over, the last as p says, and how many agents were simulated
// for a month. One goroutine at a time reports, so that Done only grows.
func (o *onlooker) report(months, agents int, p Progress) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.simulated.AgentMonths += int64(agents)
	if p.Phase == PhaseBurnIn && !p.Cached {
		o.simulated.CachedBurnIn = false
	}
	o.done += months
	if o.Progress != nil {
		p.Done, p.Of = o.done, o.of
		o.Progress(p)
	}
}

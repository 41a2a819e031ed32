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
	Cache   Cache

	// Observe is given each economy after each month: one economy by one goroutine at a
	// time, several by several. An error ends the simulation.
	Observe func(arm, replication int, e *sim.Economy) error
	// Begin, which may be nil, is called before month 1 of the arms that share a burnt-in
	// state, with the replication, from 1, and whether the state came from the cache; of arms
	// without a burn-in, once an arm. Never while Progress runs.
	Begin    func(replication int, cached bool)
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
	o := &onlooker{Simulation: s, of: s.TotalMonths(), simulated: Simulated{CachedBurnIn: true}}
	m := NewManager(Settings{Threads: s.Threads, Cache: s.Cache})
	err = m.Run(ctx, Task{Name: "simulation", Arms: s.Arms, Seeds: s.Seeds, Months: s.Months, Recorder: o})
	return o.simulated, err
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
	o.mu.Lock()
	defer o.mu.Unlock()
	months := 1
	if b.Cached {
		months = b.Of
	} else {
		o.simulated.AgentMonths += int64(b.Economy.Agents())
		o.simulated.CachedBurnIn = false
	}
	o.report(months, Progress{
		Phase: PhaseBurnIn, Arm: o.Arms[b.Arms[0]].Name, Replication: b.Replication + 1, Month: b.Month, Total: b.Of,
	})
	if b.Month == b.Of {
		o.begin(b.Replication, b.Cached)
	}
	return nil
}

// begin tells that months of a replication follow that are no burn-in.
func (o *onlooker) begin(replication int, cached bool) {
	if o.Begin != nil {
		o.Begin(replication+1, cached)
	}
}

// Observe implements [Recorder].
func (o *onlooker) Observe(arm, replication int, e *sim.Economy, ended bool) error {
	if ended {
		return nil
	}
	if err := o.Simulation.Observe(arm, replication, e); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.simulated.AgentMonths += int64(e.Agents())
	if e.Month() == 1 && o.Arms[arm].Scenario.BurnIn.BurnInMonths == 0 { // no burn-in told of its end
		o.begin(replication, false)
	}
	o.report(1, Progress{
		Phase: PhaseRunning, Arm: o.Arms[arm].Name, Replication: replication + 1, Month: e.Month(),
		Total: cmp.Or(o.Arms[arm].Months, o.Months), Latest: e.Latest(),
	})
	return nil
}

// More implements [Recorder].
func (o *onlooker) More() (seeds []uint64, why string, err error) { return nil, "", nil }

// report tells that months were added. One goroutine at a time reports, so that Done
// only grows.
func (o *onlooker) report(months int, p Progress) {
	o.done += months
	if o.Progress == nil {
		return
	}
	p.Done, p.Of = o.done, o.of
	o.Progress(p)
}

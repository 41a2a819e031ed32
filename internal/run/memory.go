package run

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// What an experiment takes at its peak is the sum of
//
//   - its economies that live at the same time, and what the recorder keeps of each,
//   - months that are not written yet,
//   - where runs do not wait for each other, the burnt-in states from which arms still have to begin,
//   - what the threads work with while they begin or end a run, one run a thread, or the garbage that may
//     lie about before and after that, whichever is more: it is the same memory.
//
// See [Manager.Estimate].

// garbageRoom is the garbage, in bytes, that may lie beside the economies of a process, and garbagePercent
// its part of what lives, where that is less. Go's collector would let it grow to the size of all that
// lives, which doubles the memory of a large experiment and makes it depend on its months. Columns hold no
// pointers, so that collecting more often costs next to nothing: a millisecond or two each time.
const (
	garbageRoom    = 16 << 20
	garbagePercent = 50
)

// processRoom is what a process takes, in bytes, beside experiments: answers and the store's caches.
const processRoom = 64 << 20

// pendingMonths is how many months of an experiment wait to be written, at most: what the journal of the
// store takes before it makes the experiment wait, and as many that are being written.
const pendingMonths = 2 * 4096

// compressed is the part of an economy's memory that its snapshot takes; measured is .28 after 60 months.
const compressed = 1. / 3

// Footprint is what a [Recorder] takes of memory beside an economy, in bytes.
type Footprint struct {
	Run  int64 // as long as the run is simulated
	End  int64 // more, while the end of the run is observed
	Kept int64 // until all runs of the task have ended
}

// footprint is that of the task's recorder for a run with parameters p.
func (p *Task) footprint(params sim.Params) Footprint {
	if p.Footprint == nil {
		return Footprint{}
	}
	return p.Footprint(params, p.Months)
}

// kept is what the recorder keeps of all runs.
func (p *Task) kept() int64 {
	return p.footprint(p.Arms[0].Scenario.Params).Kept * int64(len(p.Arms)*len(p.Seeds))
}

// beside is what lies beside economies of so many bytes, with which threads work so much.
func beside(economies, working int64) int64 {
	return max(working, min(garbagePercent*economies/100, garbageRoom))
}

// threadsFor is the largest number of threads that one economy of the experiment with
// parameters p may be lent, if fewest of them live: those of a number of replications
// whose arms are in so many groups.
func threadsFor(params sim.Params, groups, replications, threads int) int {
	return max(1, min(threads/(groups*replications), sim.UsefulThreads(params)))
}

// lockstepMemory estimates the bytes that a number of replications of a task take, which advance
// side by side. It allocates nothing.
func (p *Task) lockstepMemory(groups []Group, replications, threads int) int64 {
	var economies, working int64
	runs := len(p.Arms) * replications
	for _, g := range groups {
		params := g.BurnIn.BurnIn
		params.MaxConcurrentTasks = threadsFor(params, len(groups), replications, threads)
		recorder := p.footprint(params)
		economies += (sim.EstimateMemory(params) + recorder.Run) * int64(len(g.Arms)*replications)
		working = max(working, sim.WorkingMemory(params), recorder.End)
	}
	months := int64(min(runs*p.Months, pendingMonths)) * int64(reflect.TypeFor[sim.Record]().Size())
	return economies + months + p.kept() + beside(economies, working*int64(min(threads, runs)))
}

// straightMemory estimates the bytes that the runs of a task take at its peak, of which a number is
// simulated at the same time, and says how many economies there are then, burnt-in states counted.
func (x *experiment) straightMemory() (bytes int64, economies int) {
	for _, g := range x.groups {
		params := g.BurnIn.BurnIn
		params.MaxConcurrentTasks = x.straightThreads(params)
		recorder := x.task.footprint(params)
		one, alive, copies := sim.EstimateMemory(params), x.straight.economies, x.straight.copies(x, g)
		sum := (one + recorder.Run) * int64(alive)
		working := max(sim.WorkingMemory(params), recorder.End) * int64(alive)
		if need := sum + int64(compressed*float64(one))*int64(copies) + beside(sum, working); need > bytes {
			bytes, economies = need, alive+copies
		}
	}
	return bytes + x.task.kept(), economies
}

// Estimate is the memory that [Manager.Start] reserves for a task, in bytes: what the process takes
// more at the task's peak. It allocates nothing.
func (m *Manager) Estimate(p Task) int64 {
	return p.lockstepMemory(Groups(p.Arms), p.sideBySide(), m.Threads)
}

// EstimateRun is the same for [Manager.Run]. Where less is to be had, fewer runs are simulated at the
// same time.
func (m *Manager) EstimateRun(p Task) int64 {
	x := m.newExperiment(p)
	x.straight = x.newStraight()
	bytes, _ := x.straightMemory()
	return bytes
}

// FitMemory refuses a number of economies with parameters p, alive at the same
// time, that need more than the available bytes. It allocates nothing;
// max_concurrent_tasks counts as the threads of each economy.
func FitMemory(p sim.Params, economies int, available int64) error {
	sum := int64(economies) * sim.EstimateMemory(p)
	return fits(p, economies, sum+beside(sum, int64(economies)*sim.WorkingMemory(p)), available)
}

// fits refuses economies that need more than the available bytes.
func fits(p sim.Params, economies int, need, available int64) error {
	if need <= available {
		return nil
	}
	times := ""
	if economies > 1 {
		times = fmt.Sprintf("%d times ", economies)
	}
	err := fault.New(fault.LimitExceeded, "num_households", "%s%d households need about %s of memory, and %s are available",
		times, p.NumHouseholds, Bytes(need), Bytes(available))
	err.Hint = "lower num_households, raise households_per_firm, or allow the process more memory"
	return err
}

// tooLarge says that the task can never fit in memory, and what to lower.
func (m *Manager) tooLarge(p Task, need int64) error {
	households := p.Arms[0].Scenario.Params.NumHouseholds
	e := fault.New(fault.LimitExceeded, "num_households",
		"%d arms with %d replications of %d households need about %s of memory, and experiments may take %s",
		len(p.Arms), p.sideBySide(), households, Bytes(need), Bytes(m.MemoryBytes))
	e.Hint = "lower num_households, raise households_per_firm, or allow the process more memory"
	if most := m.Fit(p); most >= 1 {
		e.Field = "replications"
		e.Hint = fmt.Sprintf("lower replications to %d, or num_households", most)
	}
	return e
}

// collectorPercent is the garbage, in percent of what lives, at which Go collects; below 0 = never.
func collectorPercent() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

// reserve counts bytes as taken (given back, where it is negative). The manager is locked.
func (m *Manager) reserve(bytes int64) {
	m.reserved += bytes
	if m.collectAt < 0 { // GOGC=off
		return
	}
	if m.reserved == 0 {
		debug.SetGCPercent(m.collectAt)
		return
	}
	room := int(math.Ceil(100 * float64(garbageRoom) / float64(m.reserved)))
	debug.SetGCPercent(min(m.collectAt, garbagePercent, room))
}

// makeRoom collects the economies of runs that have ended before others of so many bytes are made
// in their place: the collector would be late.
func makeRoom(economy int64) {
	if economy > garbageRoom {
		runtime.GC()
	}
}

// Bytes is a number of bytes for people, in binary units as GOMEMLIMIT takes them.
func Bytes(n int64) string {
	switch f := float64(n); {
	case f >= 1<<30:
		return fmt.Sprintf("%.1f GiB", f/(1<<30))
	case f >= 1<<20:
		return fmt.Sprintf("%.0f MiB", math.Ceil(f/(1<<20)))
	default:
		return fmt.Sprintf("%.0f KiB", math.Ceil(f/(1<<10)))
	}
}

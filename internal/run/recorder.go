package run

import (
	"io"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Recorder keeps what an experiment tells of itself. Replications count from 0 here and
// everywhere in this package.
type Recorder interface {
	// Record keeps an event. It is called by one goroutine at a time. An error ends the
	// experiment as interrupted, because the disk may have space again another time, but as
	// failed where it is a [fault.Conflict] with what is on record; unless the event says
	// otherwise.
	Record(Event) error
	// Observe is given each economy after each month: one economy by one goroutine at a
	// time, several by several. An error fails the experiment. It is called once more, with
	// ended, when the run is over, unless the experiment failed or was interrupted or no month
	// of it was simulated here; an error is only warned of then.
	Observe(arm, replication int, e *sim.Economy, ended bool) error
	// More is asked for the seeds of further replications each time that all runs have
	// reached the last month and their ends are recorded: none ends the experiment, with
	// why as its message. It must depend on what is recorded alone, and give the same
	// again as long as less than it gave was simulated: only as many are begun at a time
	// as fit in memory. An error ends the experiment as interrupted.
	More() (seeds []uint64, why string, err error)
}

// Event is one of the types of this file that end in a word for what happened. Experiments
// that are carried out by [Manager.Run] have [StateChanged] and [BurnInMonth] alone.
type Event interface{ event() }

// StateChanged says that an experiment enters a state, after the months up to Month. It should
// outlive a crash.
type StateChanged struct {
	State   State
	Month   int
	Message string
}

// BurnInMonth says that a month of the burn-in of some arms is over. Only [Manager.Run] sends it:
// for every month, or once, with the last one, where the burnt-in state was in the cache.
type BurnInMonth struct {
	Arms        []int
	Replication int
	Month, Of   int
	Cached      bool
	Economy     *sim.Economy // valid during the call
}

// MonthsSimulated has the next months of one run. The slice belongs to the recorder. After
// a resumption months may come again, with the same bits.
type MonthsSimulated struct {
	Arm, Replication int
	Records          []sim.Record
	Began            []int // in which of the months so far each intervention began, 0 for those that have not; nil = no change
}

// RunEnded says how a run of an experiment ended that was completed or stopped.
type RunEnded struct {
	Arm, Replication int
	StateHash        string
	Began            []int // as in [MonthsSimulated]
}

// ScenarioChanged has the scenario of an arm with an intervention that was injected or
// cancelled, before it counts. An error refuses the change.
type ScenarioChanged struct {
	Arm      int
	Scenario scenario.Scenario
	Changed  sim.Intervention // that was injected or cancelled
	By       string           // principal
	Month    int              // last one that all runs have on record
}

// CheckpointDue asks for a file per run that is simulated at present, which Write fills, in
// place of an older set. An error is only warned of.
type CheckpointDue struct {
	Month int
	Write func(arm, replication int, w io.Writer) error
}

// Extended adds further replications of each arm, one for each seed, when those before have
// ended and before anything of the new ones is simulated.
type Extended struct{ Seeds []uint64 }

// Left says that the experiment is over and nothing else will be recorded. An error is ignored.
type Left struct{}

func (StateChanged) event()    {}
func (BurnInMonth) event()     {}
func (MonthsSimulated) event() {}
func (RunEnded) event()        {}
func (ScenarioChanged) event() {}
func (CheckpointDue) event()   {}
func (Extended) event()        {}
func (Left) event()            {}

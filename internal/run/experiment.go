package run

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// handOverEvery is the time for which months of fast economies are collected before
// they are recorded and reported.
const handOverEvery = 50 * time.Millisecond

// How an experiment may end before its last month.
var (
	errStopped = errors.New("stopped")
	errClosed  = errors.New("closed")
)

// experiment is one plan on its way. One goroutine, that of [experiment.live], owns
// everything but what is said to be shared.
type experiment struct {
	m      *Manager
	plan   Plan
	groups []Group
	bytes  int64

	// shared
	commands chan func()   // carried out between two months
	admitted chan struct{} // holds one when a place was given
	done     chan struct{} // closed when it has left the manager
	status   atomic.Pointer[Status]
	changed  bell // after each change of status

	// of the manager, under its lock
	placed, reserved bool
	economies        int // that want to advance when it has a place

	state   State
	message string
	end     error // why it ends before its last month
	hasTurn bool  // a place was given and noticed
	month   int   // of the economies: the last that is over
	pauseAt int
	widest  int // threads that one economy was made with, at most

	arms      []scenario.Scenario // as they are lived through, with what was injected
	complete  int                 // replications that have ended: the first of the plan's
	began     [][][]int           // what began in them, by arm, replication and intervention
	last      [][]sim.Record      // their last months, by arm and replication; nil where another process simulated some
	burns     []*burning          // one per group and replication, until all are over
	runs      []single            // that are simulated at present, arm by arm
	simulated bool                // a month of them was, by this process, that is not behind those on record

	recorded   int // the last month of them that was handed over, or is on record from before
	handedOver time.Time
	speed      speed
	checkpoint checkpointClock
}

// single is one run of an experiment.
type single struct {
	arm, replication int
	economy          *sim.Economy // nil until burn-in is over
	records          []sim.Record // not handed over yet
	latest           sim.Record   // handed over last
	told             []int        // what began, as the recorder knows it
}

// living says whether burn-in is over.
func (x *experiment) living() bool {
	n := len(x.runs)
	return n > 0 && x.runs[n-1].economy != nil
}

// behind says whether months are simulated again that are on record.
func (x *experiment) behind() bool { return x.month < x.recorded }

// live carries out the experiment.
func (x *experiment) live() { x.leave(guarded(x.simulate)) }

func (x *experiment) simulate() error {
	if len(x.admitted) == 0 { // it has to wait
		if err := x.plan.Recorder.State(string(StateQueued), x.past(), ""); err != nil {
			return recording(err)
		}
	}
	if err := x.between(); err != nil {
		return err
	}
	for {
		if len(x.runs) > 0 { // else all have ended, and the question is whether there are more
			if err := x.simulateBatch(); err != nil {
				return err
			}
		}
		if more, err := x.more(); err != nil || !more {
			return err
		}
	}
}

// simulateBatch simulates the replications at hand, side by side, to their end.
func (x *experiment) simulateBatch() error {
	if err := x.begin(); err != nil {
		return err
	}
	if err := x.enter(StateRunning); err != nil {
		return err
	}
	for x.month < x.plan.Months {
		if err := x.between(); err != nil {
			return err
		}
		if err := x.advance(); err != nil {
			return err
		}
	}
	if err := x.handOver(); err != nil {
		return err
	}
	return x.recordEnds()
}

// advance simulates one month of all runs.
func (x *experiment) advance() error {
	started := time.Now()
	err := x.m.pool.each(len(x.runs), x.widest, func(i, threads int) error {
		r := &x.runs[i]
		r.economy.UseThreads(threads)
		if err := r.economy.Step(); err != nil {
			return x.located(fmt.Errorf("month %d: %w", x.month+1, err), r.arm, r.replication)
		}
		if x.plan.Watch != nil {
			return x.plan.Watch(r.arm, r.replication, r.economy)
		}
		return nil
	})
	if err != nil {
		return err
	}
	x.checkpoint.worked += time.Since(started)
	for i := range x.runs {
		r := &x.runs[i]
		r.records = append(r.records, *r.economy.Latest())
	}
	x.month++
	return nil
}

// located says where in the experiment an error happened.
func (x *experiment) located(err error, arm, replication int) error {
	return fmt.Errorf("arm %q, replication %d (seed %d): %w", x.plan.Arms[arm].Name, replication+1, x.plan.Seeds[replication], err)
}

// between is what happens between two months, or two months of burn-in: months are
// handed over, a checkpoint is taken, commands take effect. It waits while the
// experiment is paused or has no place, and says whether it must end.
func (x *experiment) between() error {
	if time.Since(x.handedOver) >= handOverEvery {
		if err := x.handOver(); err != nil {
			return err
		}
	}
	if x.month > 0 && x.month == x.pauseAt {
		if err := x.pause(); err != nil {
			return err
		}
	}
	if x.checkpointDue() {
		x.takeCheckpoint()
	}
	for x.end == nil {
		select {
		case command := <-x.commands:
			if err := x.serve(command); err != nil {
				return err
			}
			continue
		default:
		}
		if x.hasTurn {
			return nil
		}
		if err := x.await(); err != nil {
			return err
		}
	}
	return x.end
}

// await waits for a place or a command. An experiment that is paused for longer takes
// a checkpoint meanwhile.
func (x *experiment) await() error {
	var idle <-chan time.Time
	if x.state == StatePaused && x.checkpointWorthwhile() {
		idle = time.After(x.worthwhile())
	}
	select {
	case <-x.admitted:
		x.hasTurn = true
		done, _ := x.work()
		x.speed.restart(done)
		if x.living() {
			return x.enter(StateRunning)
		}
		return x.enter(StateBurnIn)
	case command := <-x.commands:
		return x.serve(command)
	case <-idle:
		x.takeCheckpoint()
	}
	return nil
}

// serve carries out a command, which finds everything handed over.
func (x *experiment) serve(command func()) error {
	if err := x.handOver(); err != nil {
		return err
	}
	command()
	return nil
}

// pause gives up the place and keeps the economies.
func (x *experiment) pause() error {
	if x.state == StatePaused {
		return nil
	}
	x.m.giveUp(x)
	x.hasTurn = false
	if x.pauseAt <= x.month {
		x.pauseAt = 0
	}
	return x.enter(StatePaused)
}

// enter changes the state, for the recorder first.
func (x *experiment) enter(s State) error {
	if x.state == s {
		return nil
	}
	if err := x.handOver(); err != nil {
		return err
	}
	if err := x.plan.Recorder.State(string(s), x.past(), ""); err != nil {
		x.end = recording(err)
		return x.end
	}
	x.state, x.message = s, ""
	x.publish()
	return nil
}

// handOver gives the recorder the months since the last time, and publishes.
func (x *experiment) handOver() error {
	done, _ := x.work()
	x.speed.mark(done)
	if !x.living() {
		x.handedOver = time.Now()
		x.publish()
		return nil
	}
	for i := range x.runs {
		r := &x.runs[i]
		n := len(r.records)
		if n == 0 {
			continue
		}
		if err := x.plan.Recorder.Months(r.arm, r.replication, r.records); err != nil {
			return recording(err)
		}
		r.latest = r.records[n-1]
		r.records = make([]sim.Record, 0, n+1)
		x.simulated = x.simulated || !x.behind()
		if began := r.begun(x.month); !x.behind() && !slices.Equal(began, r.told) {
			if err := x.plan.Recorder.Began(r.arm, r.replication, began); err != nil {
				return recording(err)
			}
			r.told = began
		}
	}
	x.handedOver, x.recorded = time.Now(), max(x.recorded, x.month)
	x.publish()
	return nil
}

// begun is the first month of each intervention that began up to a month.
func (r *single) begun(month int) []int {
	began := r.economy.Began()
	for k := range began {
		if began[k] > month {
			began[k] = 0
		}
	}
	return began
}

// unrecorded is an error of the recorder.
type unrecorded struct{ err error }

func (u *unrecorded) Error() string {
	return "what was simulated cannot be recorded: " + u.err.Error()
}
func (u *unrecorded) Unwrap() error { return u.err }

func recording(err error) error { return &unrecorded{err} }

// leave ends the experiment, for whatever reason.
func (x *experiment) leave(cause error) {
	end, cause := endOf(cause)
	if _, lost := errors.AsType[*unrecorded](cause); !lost { // else it would only be lost again
		err := guarded(x.handOver)
		if err == nil && end == StateStopped && x.living() && !x.behind() && x.complete == 0 {
			err = guarded(x.recordEnds)
		}
		if err != nil && cause == nil {
			end, cause = endOf(err)
		}
	}
	if cause != nil {
		x.message = cause.Error()
	}
	if x.drops(end) {
		x.message = joined(x.message, fmt.Sprintf("%d replications are complete; those under way were dropped", x.complete))
	}
	err := guarded(func() error { return x.plan.Recorder.State(string(end), x.past(), x.message) })
	if err != nil {
		slog.Error("the end of an experiment was not recorded", "experiment", x.plan.Name, "state", end, "error", err)
		if cause == nil {
			end, cause = endOf(recording(err))
			x.message = cause.Error()
		}
	}
	if end == StateInterrupted && cause == nil && x.checkpointWorthwhile() {
		x.takeCheckpoint()
	}
	x.release()
	if x.plan.Ended != nil {
		guarded(func() error { x.plan.Ended(); return nil })
	}
	x.state = end
	x.publish()
	x.m.retire(x)
}

// endOf is the state in which a cause ends an experiment, and what is to be said of it.
// What another attempt may mend is an interruption.
func endOf(cause error) (State, error) {
	_, lost := errors.AsType[*unrecorded](cause)
	switch {
	case cause == nil:
		return StateCompleted, nil
	case errors.Is(cause, errStopped):
		return StateStopped, nil
	case errors.Is(cause, errClosed):
		return StateInterrupted, nil
	case lost && fault.KindOf(cause) != fault.Conflict:
		return StateInterrupted, cause
	}
	return StateFailed, cause
}

// recordEnds tells the recorder what each run came to.
func (x *experiment) recordEnds() error {
	hashes := make([]string, len(x.runs))
	err := x.m.pool.each(len(x.runs), 1, func(i, _ int) error {
		r := &x.runs[i]
		hashes[i] = r.economy.StateHash()
		if x.plan.Leave == nil || !x.simulated {
			return nil
		}
		if err := guarded(func() error { return x.plan.Leave(r.arm, r.replication, r.economy) }); err != nil {
			slog.Warn("what an experiment came to is kept without its details", "experiment", x.plan.Name, "error", x.located(err, r.arm, r.replication))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range x.runs {
		r := &x.runs[i]
		if err := x.plan.Recorder.Ended(r.arm, r.replication, hashes[i], r.begun(x.month)); err != nil {
			return recording(err)
		}
	}
	return nil
}

// release ends the goroutines of all economies.
func (x *experiment) release() {
	for _, b := range x.burns {
		b.economy.Close()
	}
	for i := range x.runs {
		if e := x.runs[i].economy; e != nil {
			e.Close()
		}
	}
}

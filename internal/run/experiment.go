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

// experiment is one task on its way. One goroutine, that of [experiment.carryOut], owns
// everything but what is said to be shared.
type experiment struct {
	m        *Manager
	task     Task
	groups   []Group
	bytes    int64
	straight *straight // nil = it can be steered, and its runs advance in lockstep

	// shared
	commands chan func()   // carried out between two months
	admitted chan struct{} // holds one when a place was given
	done     chan struct{} // closed when it has left the manager
	status   atomic.Pointer[Status]
	changed  broadcast // after each change of status

	// of the manager, under its lock
	placed, reserved bool
	economies        int // that want to advance when it has a place

	state   State
	message string
	end     error // why it ends before its last month
	cause   error // that it ended by; nil = it was completed, stopped or closed
	hasTurn bool  // a place was given and noticed
	month   int   // of the economies: the last that is over
	pauseAt int
	widest  int // threads that one economy was made with, at most

	arms      []scenario.Scenario // as they are simulated, with what was injected
	complete  int                 // replications that have ended: the first of the task's
	began     [][][]int           // what began in them, by arm, replication and intervention
	last      [][]sim.Record      // their last months, by arm and replication; nil where another process simulated some
	burnIns   []*burnIn           // one per group and replication, until all are over
	runs      []singleRun         // that are simulated at present, arm by arm
	simulated bool                // a month of them was, by this process, that is not behind those on record

	recorded   int // the last month of them that was handed over, or is on record from before
	handedOver time.Time
	speed      speed
	checkpoint checkpointClock
}

// singleRun is one run of an experiment.
type singleRun struct {
	arm, replication int
	economy          *sim.Economy // nil until burn-in is over
	records          []sim.Record // not handed over yet
	latest           sim.Record   // handed over last
	beganTold        []int        // what began, as the recorder knows it
}

// burntIn says whether burn-in is over.
func (x *experiment) burntIn() bool {
	n := len(x.runs)
	return n > 0 && x.runs[n-1].economy != nil
}

// behind says whether months are simulated again that are on record.
func (x *experiment) behind() bool { return x.month < x.recorded }

// carryOut carries out the experiment.
func (x *experiment) carryOut() { x.finish(guarded(x.simulate)) }

func (x *experiment) simulate() error {
	if len(x.admitted) == 0 { // it has to wait
		if err := x.record(StateChanged{StateQueued, x.past(), ""}); err != nil {
			return err
		}
	}
	if err := x.between(); err != nil {
		return err
	}
	if err := x.prepare(); err != nil {
		return err
	}
	if x.straight != nil {
		return x.simulateStraight()
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
	for x.month < x.task.Months {
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
		if err := x.step(r.economy, r.arm, r.replication, threads); err != nil {
			return x.located(fmt.Errorf("month %d: %w", x.month+1, err), r.arm, r.replication)
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

// step simulates the next month of a run.
func (x *experiment) step(e *sim.Economy, arm, replication, threads int) error {
	e.UseThreads(threads)
	if err := e.Step(); err != nil {
		return err
	}
	return x.task.Recorder.Observe(arm, replication, e, false)
}

// located says where in the experiment an error happened.
func (x *experiment) located(err error, arm, replication int) error {
	where := fmt.Sprintf("arm %q, replication %d (seed %d)", x.task.Arms[arm].Name, replication+1, x.task.Seeds[replication])
	if _, ok := errors.AsType[*Interrupted](err); ok {
		return fmt.Errorf("%w, %s", err, where)
	}
	return fmt.Errorf("%s: %w", where, err)
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
	var over <-chan struct{}
	if x.straight != nil {
		over = x.straight.ctx.Done()
	}
	if x.state == StatePaused && x.checkpointWorthwhile() {
		idle = time.After(x.worthwhile())
	}
	select {
	case <-x.admitted:
		x.hasTurn = true
		x.speed.restart(x.workDone())
		if x.burntIn() {
			return x.enter(StateRunning)
		}
		return x.enter(StateBurnIn)
	case command := <-x.commands:
		return x.serve(command)
	case <-over:
		x.hasTurn = true // to say in which month it ends
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
	if x.end = x.record(StateChanged{s, x.past(), ""}); x.end != nil {
		return x.end
	}
	x.state, x.message = s, ""
	x.publish()
	return nil
}

// handOver gives the recorder the months since the last time, and publishes.
func (x *experiment) handOver() error {
	x.speed.mark(x.workDone())
	for i := range x.runs {
		r := &x.runs[i]
		n := len(r.records)
		if n == 0 {
			continue
		}
		months := MonthsSimulated{Arm: r.arm, Replication: r.replication, Records: r.records}
		if began := r.begun(x.month); !x.behind() && !slices.Equal(began, r.beganTold) {
			months.Began = began
		}
		if err := x.record(months); err != nil {
			return err
		}
		r.latest = months.Records[n-1]
		r.records = make([]sim.Record, 0, n+1)
		x.simulated = x.simulated || !x.behind()
		if months.Began != nil {
			r.beganTold = months.Began
		}
	}
	x.handedOver, x.recorded = time.Now(), max(x.recorded, x.month)
	x.publish()
	return nil
}

// begun is the first month of each intervention that began up to a month.
func (r *singleRun) begun(month int) []int { return begun(r.economy, month) }

// Began is the first month of each intervention of an economy that has begun, 0 for the others.
func Began(e *sim.Economy) []int { return begun(e, e.Month()) }

func begun(e *sim.Economy, month int) []int {
	began := e.Began()
	for k := range began {
		if began[k] > month {
			began[k] = 0
		}
	}
	return began
}

// unrecorded is an error of the recorder.
type unrecorded struct{ err error }

const cannotRecord = "what was simulated cannot be recorded: "

func (u *unrecorded) Error() string { return cannotRecord + u.err.Error() }
func (u *unrecorded) Unwrap() error { return u.err }

// messageOf is what the message of an experiment says of why it ended. Whoever reads the experiment
// reads it, so that it has no details of the disk: they are in the log.
func messageOf(cause error) string {
	if u, ok := errors.AsType[*unrecorded](cause); ok && fault.KindOf(u.err) == fault.Internal {
		return cannotRecord + fault.Public(u.err).Error()
	}
	return cause.Error()
}

func recording(err error) error { return &unrecorded{err} }

// record has the recorder keep an event.
func (x *experiment) record(e Event) error {
	if err := x.task.Recorder.Record(e); err != nil {
		return recording(err)
	}
	return nil
}

// finish ends the experiment, for whatever reason.
func (x *experiment) finish(cause error) {
	end, cause := endOf(cause)
	if _, lost := errors.AsType[*unrecorded](cause); !lost { // else it would only be lost again
		err := guarded(x.handOver)
		if err == nil && end == StateStopped && x.burntIn() && !x.behind() && x.complete == 0 {
			err = guarded(x.recordEnds)
		}
		if err != nil && cause == nil {
			end, cause = endOf(err)
		}
	}
	if cause != nil {
		x.message = messageOf(cause)
		if whole := cause.Error(); whole != x.message {
			slog.Error("an experiment could not be recorded", "experiment", x.task.Name, "error", whole)
		}
	}
	if x.drops(end) {
		x.message = joined(x.message, fmt.Sprintf("%d replications are complete; those under way were dropped", x.complete))
	}
	err := guarded(func() error { return x.record(StateChanged{end, x.past(), x.message}) })
	if err != nil {
		slog.Error("the end of an experiment was not recorded", "experiment", x.task.Name, "state", end, "error", err)
		if cause == nil {
			end, cause = endOf(err)
			x.message = messageOf(cause)
		}
	}
	if end == StateInterrupted && cause == nil && x.checkpointWorthwhile() {
		x.takeCheckpoint()
	}
	x.release()
	guarded(func() error { return x.task.Recorder.Record(Left{}) })
	x.state, x.cause = end, cause
	x.publish()
	x.runs, x.burnIns = nil, nil // their memory is given back before it may be reserved again
	x.m.retire(x)
}

// endOf is the state in which a cause ends an experiment, and what is to be said of it.
// What another attempt may mend is an interruption.
func endOf(cause error) (State, error) {
	_, lost := errors.AsType[*unrecorded](cause)
	_, interrupted := errors.AsType[*Interrupted](cause)
	switch {
	case cause == nil:
		return StateCompleted, nil
	case errors.Is(cause, errStopped):
		return StateStopped, nil
	case errors.Is(cause, errClosed):
		return StateInterrupted, nil
	case interrupted || lost && fault.KindOf(cause) != fault.Conflict:
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
		if x.simulated {
			x.observeEnd(r.economy, r.arm, r.replication)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range x.runs {
		r := &x.runs[i]
		if err := x.record(RunEnded{r.arm, r.replication, hashes[i], r.begun(x.month)}); err != nil {
			return err
		}
	}
	return nil
}

// release ends the goroutines of all economies.
func (x *experiment) release() {
	for _, b := range x.burnIns {
		b.economy.Close()
	}
	for i := range x.runs {
		if e := x.runs[i].economy; e != nil {
			e.Close()
		}
	}
}

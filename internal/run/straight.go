package run

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/sim"
)

// straight is what an experiment needs whose runs go straight to their ends: nobody steers
// it, so that they need not be in the same month, nor be alive at the same time.
type straight struct {
	ctx       context.Context
	cancel    context.CancelFunc
	economies int // that are simulated at the same time, at most
	recording sync.Mutex
}

// Run carries out an experiment that nobody steers, and returns when it has ended: with the
// error that it failed by, or with [Interrupted], each with its arm, replication and
// month. As many economies are simulated at a time as fit in memory, and arms have months of their
// own where they say so. Nothing is handed to the recorder but what [Recorder.Observe] is given, states and
// burn-ins; it is not asked for more. PauseAt, From and Recorded are ignored.
func (m *Manager) Run(ctx context.Context, p Task) error {
	if err := p.check(); err != nil {
		return err
	}
	x := m.newExperiment(p)
	if err := x.fitStraight(m.MemoryBytes); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x.straight.ctx, x.straight.cancel = ctx, cancel
	if err := m.start(x); err != nil {
		return err
	}
	<-x.done
	return x.cause
}

// newStraight has as many economies simulated at the same time as the task and the threads allow.
func (x *experiment) newStraight() *straight {
	return &straight{economies: min(cmp.Or(x.task.AtOnce, x.m.Threads), len(x.task.Seeds)*len(x.task.Arms))}
}

// fitStraight chooses how many economies are simulated at the same time: fewer where less memory is
// available, in bytes.
func (x *experiment) fitStraight(available int64) error {
	for x.straight = x.newStraight(); ; x.straight.economies-- {
		var economies int
		x.bytes, economies = x.straightMemory()
		tooLarge := fits(x.task.Arms[0].Scenario.Params, economies, x.bytes, available)
		if tooLarge == nil || x.straight.economies == 1 {
			return tooLarge
		}
	}
}

// copies is how many burnt-in states wait at the same time for arms to begin from them, at most.
func (s *straight) copies(x *experiment, g Group) int {
	if len(g.Arms) == 1 {
		return 0
	}
	return min(s.economies, len(x.task.Seeds)*len(x.groups))
}

// straightThreads is how many threads an economy may be lent: all where it is alone in its
// burn-in.
func (x *experiment) straightThreads(p sim.Params) int {
	n := min(x.straight.economies, len(x.task.Seeds)*len(x.groups))
	return max(1, min(x.m.Threads/n, sim.UsefulThreads(p)))
}

// simulateStraight carries every run from its burn-in to its end. Replications begin first,
// then arms side by side; the first error ends all.
func (x *experiment) simulateStraight() error {
	if err := x.enter(StateRunning); err != nil {
		return err
	}
	return x.runsStraight()
}

// runsStraight carries every run to its end.
func (x *experiment) runsStraight() error {
	tasks, ctx := errgroup.WithContext(x.straight.ctx)
	tasks.SetLimit(x.straight.economies)
	for r := range x.task.Seeds {
		for _, g := range x.groups {
			tasks.Go(func() error { return x.counted(func() error { return x.fromBurnIn(ctx, tasks, g, r) }) })
		}
	}
	return tasks.Wait()
}

// counted has f's economy count among those that share the threads.
func (x *experiment) counted(f func() error) error {
	x.m.pool.join(1)
	defer x.m.pool.join(-1)
	return guarded(f)
}

// fromBurnIn burns in for the arms of a group in one replication, and simulates them: the first
// goes on with the burnt-in economy, the others from copies, side by side where there is room.
func (x *experiment) fromBurnIn(ctx context.Context, tasks *errgroup.Group, g Group, replication int) error {
	if err := ctx.Err(); err != nil { // no economy is made that would not be simulated
		burnIn := g.BurnIn.BurnIn.BurnInMonths
		of := cmp.Or(burnIn, x.task.monthsOf(g.Arms[0]))
		return x.located(&Interrupted{BurnIn: burnIn > 0, Month: 1, Of: of, Cause: err}, g.Arms[0], replication)
	}
	one := sim.EstimateMemory(g.BurnIn.BurnIn)
	makeRoom(one)
	e, err := x.burnInStraight(ctx, g, replication)
	if err != nil {
		return x.located(err, g.Arms[0], replication)
	}
	var snapshot bytes.Buffer
	if len(g.Arms) > 1 {
		snapshot.Grow(int(compressed * float64(one))) // or it would grow by copies twice its size
		if err := e.WriteSnapshot(&snapshot); err != nil {
			e.Close()
			return x.located(err, g.Arms[0], replication)
		}
	}
	threads := e.Threads()
	fromCopy := func(arm int) error {
		makeRoom(one)
		e, err := sim.ReadSnapshot(bytes.NewReader(snapshot.Bytes()), threads)
		if err != nil {
			return x.located(err, arm, replication)
		}
		return x.toEnd(ctx, e, arm, replication)
	}
	begun := func(arm int) bool {
		return tasks.TryGo(func() error { return x.counted(func() error { return fromCopy(arm) }) })
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
		if err := fromCopy(arm); err != nil {
			return err
		}
	}
	return nil
}

// burnInStraight returns the economy of a group at the end of its burn-in.
func (x *experiment) burnInStraight(ctx context.Context, g Group, replication int) (*sim.Economy, error) {
	over := BurnInMonth{Arms: g.Arms, Replication: replication, Of: g.BurnIn.BurnIn.BurnInMonths}
	tell := func(e *sim.Economy) error {
		over.Month, over.Economy = over.Of+e.Month(), e
		x.straight.recording.Lock()
		defer x.straight.recording.Unlock()
		return x.record(over)
	}
	e, cached, err := BurnIn(
		ctx, g.BurnIn, x.task.Seeds[replication], x.straightThreads(g.BurnIn.BurnIn), x.m.Cache, func(e *sim.Economy) error {
			if err := x.m.pool.step(e); err != nil {
				return err
			}
			return tell(e)
		},
	)
	if cached {
		over.Cached = true
		if err = tell(e); err != nil {
			e.Close()
		}
	}
	return e, err
}

// toEnd simulates all months of a run and closes its economy.
func (x *experiment) toEnd(ctx context.Context, e *sim.Economy, arm, replication int) error {
	defer e.Close()
	if draws := x.task.Arms[arm].Draws; draws > 0 {
		if err := e.Reseed(ReplicationSeed(x.task.Seeds[replication], draws)); err != nil {
			return x.located(err, arm, replication)
		}
	}
	err := Months(ctx, e, x.arms[arm], x.task.monthsOf(arm), func(e *sim.Economy) error {
		return x.m.pool.lent(e.Threads(), func(threads int) error { return x.step(e, arm, replication, threads) })
	})
	if err != nil {
		return x.located(err, arm, replication)
	}
	x.observeEnd(e, arm, replication)
	return nil
}

// observeEnd shows the recorder how a run ended.
func (x *experiment) observeEnd(e *sim.Economy, arm, replication int) {
	err := guarded(func() error { return x.task.Recorder.Observe(arm, replication, e, true) })
	if err != nil {
		slog.Warn("what an experiment came to is kept without its details",
			"experiment", x.task.Name, "error", x.located(err, arm, replication))
	}
}

package run

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"econ-mcp/sim"
)

// begin makes the economies of all runs, from the checkpoint or by burn-in. A
// checkpoint only saves time: one that cannot be used is warned of.
func (x *experiment) begin() error {
	makeRoom(x.bytes)
	if x.task.From != nil && x.task.From.Month > 0 {
		err := guarded(x.restore)
		if err == nil {
			x.month = x.task.From.Month
			return x.ready()
		}
		slog.Warn("a checkpoint cannot be used; the experiment is simulated from its begin", "experiment", x.task.Name, "error", err)
		for i := range x.runs {
			if e := x.runs[i].economy; e != nil {
				e.Close()
				x.runs[i].economy = nil
			}
		}
	}
	if err := x.enter(StateBurnIn); err != nil {
		return err
	}
	if err := x.burnIn(); err != nil {
		return err
	}
	err := x.m.pool.each(len(x.burnIns), 1, func(i, _ int) error {
		x.fork(x.burnIns[i])
		return nil
	})
	if err != nil {
		return err
	}
	return x.ready()
}

// ready puts everything into force that month by month acts on the economies.
func (x *experiment) ready() error {
	x.burnIns = nil
	for i := range x.runs {
		r := &x.runs[i]
		x.widest = max(x.widest, r.economy.Threads())
		if err := putInForce(r.economy, x.arms[r.arm]); err != nil {
			return x.located(err, r.arm, r.replication)
		}
	}
	x.speed.restart(x.workDone())
	return nil
}

// restore reads the economies of all runs from a checkpoint.
func (x *experiment) restore() error {
	return x.m.pool.each(len(x.runs), 1, func(i, _ int) error {
		r := &x.runs[i]
		name := x.task.Arms[r.arm].Name
		in, err := x.task.From.Open(name, r.replication)
		if err != nil {
			return err
		}
		defer in.Close()
		p := x.arms[r.arm].Params
		e, err := readRun(in, threadsFor(p, len(x.groups), x.batch(), x.m.Threads), p, x.task.Seeds[r.replication])
		if err == nil && e.Month() != x.task.From.Month {
			err = fmt.Errorf("it is of month %d, not %d", e.Month(), x.task.From.Month)
			e.Close()
		}
		if err != nil {
			return fmt.Errorf("arm %q, replication %d: %w", name, r.replication+1, err)
		}
		r.economy = e
		return nil
	})
}

// readRun reads the economy of a run with parameters p and a seed.
func readRun(from io.Reader, threads int, p sim.Params, seed uint64) (*sim.Economy, error) {
	e, err := sim.ReadSnapshot(from, threads)
	if err != nil {
		return nil, err
	}
	if have := uint64(e.Params().RandomState); have != seed {
		err = fmt.Errorf("its seed is %d, not %d", have, seed)
	} else {
		err = setParams(e, p)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// burnIn carries one economy for each group and replication through its burn-in,
// month by month, so that commands can take effect.
func (x *experiment) burnIn() error {
	n := x.batch()
	burns := make([]*burnIn, len(x.groups)*n)
	err := x.m.pool.each(len(burns), 1, func(i, _ int) error {
		g, replication := x.groups[i/n], x.complete+i%n
		threads := threadsFor(g.BurnIn.BurnIn, len(x.groups), n, x.m.Threads)
		b, err := startBurnIn(g.BurnIn, x.task.Seeds[replication], threads, x.m.Cache)
		if err != nil {
			return x.located(err, g.Arms[0], replication)
		}
		b.group, b.replication = g, replication
		burns[i] = b
		return nil
	})
	x.burnIns = slices.DeleteFunc(burns, func(b *burnIn) bool { return b == nil })
	if err != nil {
		return err
	}
	widest := 1
	for _, b := range x.burnIns {
		widest = max(widest, b.economy.Threads())
	}
	x.speed.restart(x.workDone())
	for left := x.burning(); len(left) > 0; left = x.burning() {
		if err := x.between(); err != nil {
			return err
		}
		started := time.Now()
		err := x.m.pool.each(len(left), widest, func(k, lent int) error {
			b := left[k]
			b.economy.UseThreads(lent)
			if err := b.simulate((*sim.Economy).Step); err != nil {
				return x.located(err, b.group.Arms[0], b.replication)
			}
			return nil
		})
		if err != nil {
			return err
		}
		x.checkpoint.worked += time.Since(started)
	}
	return x.between()
}

// burning are the burn-ins that have months left.
func (x *experiment) burning() []*burnIn {
	return slices.DeleteFunc(slices.Clone(x.burnIns), func(b *burnIn) bool { return b.left() == 0 })
}

// run is a run of the batch.
func (x *experiment) run(arm, replication int) *singleRun {
	return &x.runs[arm*x.batch()+replication-x.complete]
}

// fork ends a burn-in and has the runs of its arms begin there.
func (x *experiment) fork(b *burnIn) {
	b.end()
	for _, arm := range b.group.Arms[1:] {
		x.run(arm, b.replication).economy = b.economy.Copy()
	}
	x.run(b.group.Arms[0], b.replication).economy = b.economy
}

package run

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"econ-mcp/sim"
)

// begin makes the economies of all runs, from the checkpoint or by burn-in. A
// checkpoint only saves time: one that cannot be used is warned of.
func (x *experiment) begin() error {
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
	err := x.m.pool.each(len(x.burnIns), 1, func(i, _ int) error { return x.fork(x.groups[i/x.batch()], i) })
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
		e, err := sim.ReadSnapshot(in, threadsFor(p, len(x.groups), x.batch(), x.m.Threads))
		if err != nil {
			return fmt.Errorf("arm %q, replication %d: %w", name, r.replication+1, err)
		}
		err = isOf(e, p, x.task.Seeds[r.replication])
		if err == nil && e.Month() != x.task.From.Month {
			err = fmt.Errorf("it is of month %d, not %d", e.Month(), x.task.From.Month)
		}
		if err != nil {
			e.Close()
			return fmt.Errorf("arm %q, replication %d: %w", name, r.replication+1, err)
		}
		r.economy = e
		return nil
	})
}

// isOf says whether an economy that was read is of a run with parameters p and a seed.
func isOf(e *sim.Economy, p sim.Params, seed uint64) error {
	if have := e.Params(); uint64(have.RandomState) != seed {
		return fmt.Errorf("its seed is %d, not %d", have.RandomState, seed)
	}
	return setParams(e, p)
}

// burnIn carries one economy for each group and replication through its burn-in,
// month by month, so that commands can take effect.
func (x *experiment) burnIn() error {
	seeds := x.task.Seeds[x.complete:]
	burns := make([]*burnIn, len(x.groups)*len(seeds))
	err := x.m.pool.each(len(burns), 1, func(i, _ int) (err error) {
		g := x.groups[i/len(seeds)]
		threads := threadsFor(g.BurnIn.BurnIn, len(x.groups), len(seeds), x.m.Threads)
		burns[i], err = startBurnIn(g.BurnIn, seeds[i%len(seeds)], threads, x.m.Cache)
		if err != nil {
			return x.located(err, g.Arms[0], x.complete+i%len(seeds))
		}
		return nil
	})
	x.burnIns = slices.DeleteFunc(slices.Clone(burns), func(b *burnIn) bool { return b == nil || b.economy == nil })
	if err != nil {
		return err
	}
	widest := 1
	for _, b := range burns {
		widest = max(widest, b.economy.Threads())
	}
	x.speed.restart(x.workDone())
	for {
		var left []int
		for i, b := range burns {
			if b.left() > 0 {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			break
		}
		if err := x.between(); err != nil {
			return err
		}
		started := time.Now()
		err := x.m.pool.each(len(left), widest, func(k, lent int) error {
			b := burns[left[k]]
			b.economy.UseThreads(lent)
			if err := b.simulate((*sim.Economy).Step); err != nil {
				return x.located(err, x.groups[left[k]/len(seeds)].Arms[0], x.complete+left[k]%len(seeds))
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

// fork ends burn-in i, of group g, and has the runs of its arms begin there.
func (x *experiment) fork(g Group, i int) error {
	b, n := x.burnIns[i], x.batch()
	b.end()
	run := func(arm int) *singleRun { return &x.runs[g.Arms[arm]*n+i%n] }
	if len(g.Arms) > 1 {
		var snapshot bytes.Buffer
		if err := b.economy.WriteSnapshot(&snapshot); err != nil {
			return err
		}
		for k := range g.Arms[1:] {
			e, err := sim.ReadSnapshot(bytes.NewReader(snapshot.Bytes()), b.economy.Threads())
			if err != nil {
				return err
			}
			run(1 + k).economy = e
		}
	}
	run(0).economy = b.economy
	return nil
}

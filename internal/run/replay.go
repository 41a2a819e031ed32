package run

import (
	"context"
	"io"
	"log/slog"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Replay calls look with the economy of a run at the end of a month, with everything that
// happened in it: it simulates the run again, with the same bits. s is the scenario as it was
// simulated ([Group.Simulated]), with all that was injected. from, which may be nil,
// is a snapshot of an earlier month of the same run; one that is not is left unused,
// and the run simulated from its burn-in, which the cache may hold. A snapshot of the
// month itself is of no use, because it lacks the month's flows. Month 0 is the end of
// burn-in. look must not keep the economy.
//
// It takes one of the manager's threads for each month, beside its experiments, and is refused where
// these leave no memory for it.
func (m *Manager) Replay(
	ctx context.Context, s scenario.Scenario, seed uint64, month int, from io.Reader, look func(*sim.Economy) error,
) error {
	return m.again(ctx, s, seed, month, from, func(e *sim.Economy) error {
		if err := Months(ctx, e, s, month, m.pool.step); err != nil {
			return err
		}
		return look(e)
	})
}

// ReplayMonths is [Manager.Replay] that looks at the end of every month, from month 1 on.
func (m *Manager) ReplayMonths(ctx context.Context, s scenario.Scenario, seed uint64, last int, look func(*sim.Economy) error) error {
	return m.again(ctx, s, seed, last, nil, func(e *sim.Economy) error {
		return Months(ctx, e, s, last, func(e *sim.Economy) error {
			if err := m.pool.step(e); err != nil {
				return err
			}
			return look(e)
		})
	})
}

// again makes the economy of a run at the end of its burn-in, or of the month of a snapshot, and lets it live.
func (m *Manager) again(
	ctx context.Context, s scenario.Scenario, seed uint64, month int, from io.Reader, live func(*sim.Economy) error,
) error {
	giveBack, err := m.reserveReplay(ctx, s.BurnIn)
	if err != nil {
		return err
	}
	defer giveBack()
	m.pool.join(1)
	defer m.pool.join(-1)
	e := earlier(s, seed, month, from)
	if e == nil {
		if e, _, err = BurnIn(ctx, s, seed, 1, m.Cache, m.pool.step); err != nil {
			return err
		}
	}
	defer e.Close()
	return live(e)
}

// reserveReplay takes memory for one economy with parameters p on one thread. It waits for other
// replays, which are soon over, and for no experiment.
func (m *Manager) reserveReplay(ctx context.Context, p sim.Params) (giveBack func(), err error) {
	p.MaxConcurrentTasks = 1
	one := sim.EstimateMemory(p)
	bytes := one + beside(one, sim.WorkingMemory(p))
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.reserved+bytes > m.MemoryBytes {
		if m.replays == 0 {
			e := fault.New(fault.LimitExceeded, "month", "to simulate the month again takes %s of memory, and experiments leave %s",
				Bytes(bytes), Bytes(max(0, m.MemoryBytes-m.reserved)))
			return nil, e.WithHint("ask for the latest month, or again when fewer experiments are in memory")
		}
		over := m.replayed.next()
		m.mu.Unlock()
		select {
		case <-over:
		case <-ctx.Done():
		}
		m.mu.Lock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	m.replays++
	m.reserve(bytes)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.replays--
		m.reserve(-bytes)
		m.replayed.notify()
		m.admit()
	}, nil
}

// earlier reads the economy of an earlier month; nil = from has none.
func earlier(s scenario.Scenario, seed uint64, month int, from io.Reader) *sim.Economy {
	if from == nil {
		return nil
	}
	e, err := readRun(from, 1, s.Params, seed)
	if err != nil {
		slog.Warn("a checkpoint cannot be used; the run is simulated from its begin", "error", err)
		return nil
	}
	if e.Month() < 0 || e.Month() >= month {
		e.Close()
		return nil
	}
	return e
}

package run

import (
	"context"
	"io"
	"log/slog"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Replay returns the economy of a run at the end of a month, with everything that
// happened in it: it simulates the run again, with the same bits. s is the scenario as it was
// simulated ([Group.Simulated]), with all that was injected. from, which may be nil,
// is a snapshot of an earlier month of the same run; one that is not is left unused,
// and the run simulated from its burn-in, which the cache may hold. A snapshot of the
// month itself is of no use, because it lacks the month's flows. Month 0 is the end of
// burn-in. The caller must Close the economy.
//
// It takes one of the manager's threads for each month, beside its experiments.
func (m *Manager) Replay(ctx context.Context, s scenario.Scenario, seed uint64, month int, from io.Reader) (*sim.Economy, error) {
	m.pool.join(1)
	defer m.pool.join(-1)
	e := earlier(s, seed, month, from)
	if e == nil {
		var err error
		if e, _, err = BurnIn(ctx, s, seed, 1, m.Cache, m.pool.step); err != nil {
			return nil, err
		}
	}
	if err := Months(ctx, e, s, month, m.pool.step); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
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

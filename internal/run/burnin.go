// Package run carries economies through their burn-in and through the months of
// an experiment: one by one with [BurnIn] and [Months], or as experiments of many
// runs that a [Manager] queues, advances, records and takes commands for. Burnt-in
// states are cached on disk, so that a second run with the same burn-in starts at
// once.
package run

import (
	"context"
	"fmt"
	"slices"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// BurnIn returns an economy at the end of s's burn-in with the given seed,
// ready for month 1, and whether it came from the cache. threads 0 means all
// cores. A month is simulated by month, which calls [sim.Economy.Step]. It stops
// between two months when ctx is done. The caller must Close the economy.
func BurnIn(
	ctx context.Context, s scenario.Scenario, seed uint64, threads int, c Cache, month func(*sim.Economy) error,
) (e *sim.Economy, cached bool, err error) {
	b, err := startBurnIn(s, seed, threads, c)
	if err != nil {
		return nil, false, err
	}
	for b.left() > 0 && err == nil {
		if err = ctx.Err(); err != nil {
			err = &Interrupted{BurnIn: true, Month: b.over() + 1, Of: b.months, Cause: err}
		} else {
			err = b.simulate(month)
		}
	}
	if err != nil {
		b.economy.Close()
		return nil, false, err
	}
	b.end()
	return b.economy, b.cached, nil
}

// burnIn is an economy on its way through its burn-in.
type burnIn struct {
	economy *sim.Economy
	months  int
	cached  bool // it came from the cache, at the end
	cache   Cache
	key     string

	group       Group // whose arms it is for, and in which replication; of an experiment in lockstep
	replication int
}

// startBurnIn begins a burn-in, or finds its end in the cache.
func startBurnIn(s scenario.Scenario, seed uint64, threads int, c Cache) (*burnIn, error) {
	p, err := burnInParams(s, seed)
	if err != nil {
		return nil, err
	}
	b := &burnIn{months: p.BurnInMonths, cache: c, key: s.BurnInKey(seed)}
	b.economy = c.load(b.key, p, threads)
	if b.cached = b.economy != nil; !b.cached {
		b.economy, err = sim.New(p, threads)
	}
	return b, err
}

// left is how many months the burn-in still takes, over how many it has behind it.
func (b *burnIn) left() int { return -b.economy.Month() }
func (b *burnIn) over() int { return b.months - b.left() }

// simulate has the next month simulated.
func (b *burnIn) simulate(month func(*sim.Economy) error) error {
	next := b.over() + 1
	if err := month(b.economy); err != nil {
		return fmt.Errorf("burn-in month %d: %w", next, err)
	}
	return nil
}

// end makes the economy ready for month 1, when no month is left.
func (b *burnIn) end() {
	if b.cached {
		return
	}
	b.economy.BeginExperiment()
	if b.months > 0 {
		b.cache.store(b.key, b.economy)
	}
}

// Months simulates an economy up to the end of month last as s says: with its interventions
// and under the live parameters of its Params. A month is simulated by month, which calls
// [sim.Economy.Step]. It stops between two months when ctx is done. Sizes that e does not
// have are an error; the seed, the lengths and the technical parameters are ignored, since e
// has its own.
func Months(ctx context.Context, e *sim.Economy, s scenario.Scenario, last int, month func(*sim.Economy) error) error {
	if err := putInForce(e, s); err != nil {
		return err
	}
	for e.Month() < last {
		next := e.Month() + 1
		if err := ctx.Err(); err != nil {
			return &Interrupted{Month: next, Of: last, Cause: err}
		}
		if err := month(e); err != nil {
			return fmt.Errorf("month %d: %w", next, err)
		}
	}
	return nil
}

// putInForce has an economy go on as s says.
func putInForce(e *sim.Economy, s scenario.Scenario) error {
	if err := e.Plan(s.Interventions); err != nil {
		return err
	}
	return setParams(e, s.Params)
}

// setParams puts the live parameters of p into force.
func setParams(e *sim.Economy, p sim.Params) error {
	p, err := withIdentity(p, e.Params())
	if err != nil {
		return err
	}
	return e.SetParams(p)
}

// burnInParams are the parameters of s's burn-in with a seed. What is not part
// of the key of the cache has its default, so that the state is the same
// whoever computed it.
func burnInParams(s scenario.Scenario, seed uint64) (sim.Params, error) {
	p, err := withIdentity(s.BurnIn, sim.Defaults())
	if err != nil {
		return p, err
	}
	p.BurnInMonths = s.BurnIn.BurnInMonths
	return p, p.Set("random_state", seed)
}

// withIdentity returns p with everything that does not describe the economy
// taken from of: its seed, its lengths and the technical parameters.
func withIdentity(p, of sim.Params) (sim.Params, error) {
	for _, row := range sim.Catalogue() {
		if !row.Technical && !slices.Contains([]string{"random_state", "num_iterations", "burn_in_months"}, row.Name) {
			continue
		}
		if err := p.Set(row.Name, row.Value(&of)); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Package run carries economies through their burn-in and through the months of
// an experiment: one by one with [BurnIn] and [Months], or as experiments of many
// runs that a [Manager] queues, advances, records and takes commands for. Burnt-in
// states are cached on disk, so that a second run with the same burn-in starts at
// once.
package run

import (
	"context"
	"fmt"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// BurnIn returns an economy at the end of s's burn-in with the given seed,
// ready for month 1, and whether it came from the cache. threads 0 means all
// cores; progress, which may be nil, is called after each month of a burn-in
// that has to be simulated. The caller must Close the economy.
func BurnIn(
	ctx context.Context, s scenario.Scenario, seed uint64, threads int, c Cache, progress func(month, of int),
) (e *sim.Economy, cached bool, err error) {
	if err := ctx.Err(); err != nil && s.BurnIn.BurnInMonths > 0 {
		return nil, false, &Interrupted{BurnIn: true, Month: 1, Of: s.BurnIn.BurnInMonths, Cause: err}
	}
	b, err := startBurnIn(s, seed, threads, c)
	if err != nil {
		return nil, false, err
	}
	for b.left() > 0 {
		if err := ctx.Err(); err != nil {
			b.economy.Close()
			return nil, false, &Interrupted{BurnIn: true, Month: b.done + 1, Of: b.months, Cause: err}
		}
		if err := b.step(); err != nil {
			b.economy.Close()
			return nil, false, err
		}
		if progress != nil {
			progress(b.done, b.months)
		}
	}
	b.end()
	return b.economy, b.cached, nil
}

// burnIn is an economy on its way through its burn-in.
type burnIn struct {
	economy      *sim.Economy
	done, months int
	cached       bool // it came from the cache, at the end
	cache        Cache
	key          string
}

// startBurnIn begins a burn-in, or finds its end in the cache.
func startBurnIn(s scenario.Scenario, seed uint64, threads int, c Cache) (*burnIn, error) {
	p, err := burnInParams(s, seed)
	if err != nil {
		return nil, err
	}
	b := &burnIn{months: p.BurnInMonths, cache: c, key: s.BurnInKey(seed)}
	if e := c.load(b.key, p, threads); e != nil {
		b.economy, b.done, b.cached = e, b.months, true
		return b, nil
	}
	b.economy, err = sim.New(p, threads)
	return b, err
}

// left is how many months the burn-in still takes.
func (b *burnIn) left() int { return b.months - b.done }

func (b *burnIn) step() error {
	if err := b.economy.Step(); err != nil {
		return fmt.Errorf("burn-in month %d: %w", b.done+1, err)
	}
	b.done++
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

// Months simulates months of an experiment under the live parameters of p,
// calling observe, which may be nil, after each. It stops between two months
// when ctx is done. Sizes of p that e does not have are an error; the seed, the
// lengths and the technical parameters of p are ignored, since e has its own.
func Months(ctx context.Context, e *sim.Economy, p sim.Params, months int, observe func(*sim.Economy) error) error {
	if err := setParams(e, p); err != nil {
		return err
	}
	last := e.Month() + months
	for range months {
		month := e.Month() + 1
		if err := ctx.Err(); err != nil {
			return &Interrupted{Month: month, Of: last, Cause: err}
		}
		if err := e.Step(); err != nil {
			return fmt.Errorf("month %d: %w", month, err)
		}
		if observe == nil {
			continue
		}
		if err := observe(e); err != nil {
			return fmt.Errorf("month %d: %w", month, err)
		}
	}
	return nil
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
	p := s.BurnIn
	if err := p.Validate(); err != nil {
		return p, err
	}
	p, err := withIdentity(p, sim.Defaults())
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
		switch row.Name {
		case "random_state", "num_iterations", "burn_in_months":
		default:
			if !row.Technical {
				continue
			}
		}
		value, err := of.Get(row.Name)
		if err != nil {
			return p, err
		}
		if err := p.Set(row.Name, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

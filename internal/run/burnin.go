// Package run carries one economy through its burn-in and through the months of
// an experiment. Burnt-in states are cached on disk, so that a second run with
// the same burn-in starts at once.
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
func BurnIn(ctx context.Context, s scenario.Scenario, seed uint64, threads int, c Cache, progress func(month, of int)) (e *sim.Economy, cached bool, err error) {
	p, err := burnInParams(s, seed)
	if err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil && p.BurnInMonths > 0 {
		return nil, false, &Interrupted{BurnIn: true, Month: 1, Of: p.BurnInMonths, Cause: err}
	}
	key := s.BurnInKey(seed)
	if e := c.load(key, p, threads); e != nil {
		return e, true, nil
	}
	e, err = simulateBurnIn(ctx, p, threads, progress)
	if err != nil {
		return nil, false, err
	}
	if p.BurnInMonths > 0 {
		c.store(key, e)
	}
	return e, false, nil
}

func simulateBurnIn(ctx context.Context, p sim.Params, threads int, progress func(month, of int)) (*sim.Economy, error) {
	e, err := sim.New(p, threads)
	if err != nil {
		return nil, err
	}
	for month := 1; month <= p.BurnInMonths; month++ {
		if err := ctx.Err(); err != nil {
			e.Close()
			return nil, &Interrupted{BurnIn: true, Month: month, Of: p.BurnInMonths, Cause: err}
		}
		if err := e.Step(); err != nil {
			e.Close()
			return nil, fmt.Errorf("burn-in month %d: %w", month, err)
		}
		if progress != nil {
			progress(month, p.BurnInMonths)
		}
	}
	e.BeginExperiment()
	return e, nil
}

// Months simulates months of an experiment under the live parameters of p,
// calling observe, which may be nil, after each. It stops between two months
// when ctx is done. Sizes of p that e does not have are an error; the seed, the
// lengths and the technical parameters of p are ignored, since e has its own.
func Months(ctx context.Context, e *sim.Economy, p sim.Params, months int, observe func(*sim.Economy) error) error {
	p, err := withIdentity(p, e.Params())
	if err != nil {
		return err
	}
	if err := e.SetParams(p); err != nil {
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

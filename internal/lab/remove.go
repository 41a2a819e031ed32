package lab

import (
	"context"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// Delete removes an experiment and all that is stored of it, for its owner or an admin. One that
// runs is [fault.InvalidState].
func (l *Laboratory) Delete(ctx context.Context, name string, by access.Caller) (store.Deleted, error) {
	if err := l.may(ctx, by, access.Delete, name); err != nil {
		return store.Deleted{}, err
	}
	if live, ok := l.liveHere(name); ok {
		return store.Deleted{}, fault.New(fault.InvalidState, "experiment_name", "%s is %s", name, live.State).
			WithHint("stop it first: stop_simulation")
	}
	l.noted.Delete(name)
	return l.Store.Delete(ctx, name)
}

// Freed says what a collection freed.
type Freed struct {
	store.Freed
	BurnIns     int // burnt-in states
	BurnInBytes int64
}

// Collect removes what nobody needs any more: checkpoints of experiments that have ended,
// burnt-in states beyond the bound of the cache, or all of them, and unused space of the
// database.
func (l *Laboratory) Collect(ctx context.Context, allBurnIns bool) (Freed, error) {
	cache := l.Cache
	if allBurnIns {
		cache.MaxBytes = 1
	}
	var f Freed
	var err error
	if f.BurnIns, f.BurnInBytes, err = cache.Trim(); err != nil {
		return f, err
	}
	f.Freed, err = l.Store.Collect(ctx)
	return f, err
}

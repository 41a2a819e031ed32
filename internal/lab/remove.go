package lab

import (
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// Delete removes an experiment and all that is stored of it. One that runs is
// [fault.InvalidState].
func (l *Laboratory) Delete(name string) (store.Deleted, error) {
	if live, ok := l.Runs.Status(name); ok && !live.State.Ended() {
		e := fault.New(fault.InvalidState, "experiment_name", "%s is %s", name, live.State)
		e.Hint = "stop it first: stop_simulation"
		return store.Deleted{}, e
	}
	return l.Store.Delete(name)
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
func (l *Laboratory) Collect(allBurnIns bool) (Freed, error) {
	cache := l.Cache
	if allBurnIns {
		cache.MaxBytes = 1
	}
	var f Freed
	var err error
	if f.BurnIns, f.BurnInBytes, err = cache.Trim(); err != nil {
		return f, err
	}
	f.Freed, err = l.Store.Collect()
	return f, err
}

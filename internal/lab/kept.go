package lab

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"
)

// mostKept is how many of a kind are kept: reports of eight experiments in two languages.
const mostKept = 16

// kept are the results that were used last, of a kind, by the state of what they rest on. The zero value is ready for use.
type kept[T any] struct {
	start  sync.Once
	making *semaphore.Weighted // held while one is made: who asks for the same waits and finds it
	mu     sync.Mutex
	list   []keptOne[T] // the latest at the end
}

type keptOne[T any] struct {
	state string
	made  *T
}

// get returns what belongs to the present state, or has it made, with the state that it turned
// out to rest on, under which it is kept. Who has waited for another asks for the state
// again: making that one may have changed it.
func (k *kept[T]) get(ctx context.Context, state func() (string, error), write func() (made *T, rested string, err error)) (*T, error) {
	if r, err := k.present(state); r != nil || err != nil {
		return r, err
	}
	k.start.Do(func() { k.making = semaphore.NewWeighted(1) })
	if err := k.making.Acquire(ctx, 1); err != nil { // a cancelled call does not wait for those of others
		return nil, err
	}
	defer k.making.Release(1)
	if r, err := k.present(state); r != nil || err != nil {
		return r, err
	}
	r, rested, err := write()
	if err != nil {
		return nil, err
	}
	k.keep(rested, r)
	return r, nil
}

// present finds what belongs to the present state.
func (k *kept[T]) present(state func() (string, error)) (*T, error) {
	now, err := state()
	if err != nil {
		return nil, err
	}
	return k.find(now), nil
}

// find returns what is kept of a state, which then is the latest; nil where nothing is.
func (k *kept[T]) find(state string) *T {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(x keptOne[T]) bool { return x.state == state })
	if i < 0 {
		return nil
	}
	found := k.list[i]
	k.list = append(slices.Delete(k.list, i, i+1), found)
	return found.made
}

// keep adds one and gives up the one that was not used for longest.
func (k *kept[T]) keep(state string, made *T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, keptOne[T]{state, made})
	k.list = k.list[max(0, len(k.list)-mostKept):]
}

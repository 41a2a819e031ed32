package lab

import (
	"context"
	"sync"
	"sync/atomic"
)

// inParallel calls f for 0 to n-1, at most limit at a time and in ascending
// order of their starts. The first error cancels the others and is returned.
func inParallel(ctx context.Context, n, limit int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		workers sync.WaitGroup
		next    atomic.Int64
		failed  sync.Once
		first   error
	)
	for range min(limit, n) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(ctx, i); err != nil {
					failed.Do(func() { first = err; cancel() })
					return
				}
			}
		})
	}
	workers.Wait()
	return first
}

// parallelism says how many economies live at the same time: replications run
// side by side, and in each of them arms side by side, each economy on its own
// threads.
type parallelism struct {
	replications, arms int
	threads            int // per economy that simulates an arm
	burnInThreads      int // per economy that burns in
}

// parallel spreads threads over replications first, then over the arms of a
// replication, then within an economy.
func parallel(threads, replications, arms int) parallelism {
	outer := min(threads, replications)
	inner := min(threads/outer, arms)
	return parallelism{
		replications: outer, arms: inner,
		threads: threads / (outer * inner), burnInThreads: threads / outer,
	}
}

// fitting is the widest parallelism of economies of size bytes that fits in
// available bytes, or one economy at a time.
func fitting(threads, replications, arms int, size, available int64) parallelism {
	for workers := threads; ; workers-- {
		p := parallel(workers, replications, arms)
		if workers == 1 || int64(p.replications)*int64(economies(p.arms, arms))*size <= available {
			p.threads = threads / (p.replications * p.arms)
			p.burnInThreads = threads / p.replications
			return p
		}
	}
}

// economies is how many economies' worth of memory a replication takes while
// some of its arms live side by side. Where arms share a burnt-in state, the
// compressed copy of it is counted as one more economy.
func economies(sideBySide, arms int) int {
	if arms > 1 {
		return sideBySide + 1
	}
	return sideBySide
}

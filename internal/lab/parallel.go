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

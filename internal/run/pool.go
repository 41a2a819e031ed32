package run

import (
	"cmp"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"econ-mcp/sim"
)

// pool lends a number of threads to the economies of all experiments, so that no
// more work at a time than there are cores: goroutines of an economy that wait for
// each other keep their cores busy. Borrowers are served in the order in which they came.
type pool struct {
	threads int

	mu        sync.Mutex
	free      int
	economies int // that want to advance, of all experiments
	waiting   []borrower
}

type borrower struct {
	want int
	lent chan int
}

func newPool(threads int) *pool { return &pool{threads: threads, free: threads} }

// join says that n more economies (fewer, where n is negative) want to advance.
func (p *pool) join(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.economies += n
}

// borrow waits for a thread and returns how many were lent: at most want, and at
// most the share of one economy, as long as all have one.
func (p *pool) borrow(want int) int {
	p.mu.Lock()
	if p.free > 0 && len(p.waiting) == 0 {
		defer p.mu.Unlock()
		return p.lend(want)
	}
	b := borrower{want, make(chan int, 1)}
	p.waiting = append(p.waiting, b)
	p.mu.Unlock()
	return <-b.lent
}

// lend takes threads, of which one is free. The pool is locked.
func (p *pool) lend(want int) int {
	n := min(want, p.free, max(1, p.threads/max(1, p.economies)))
	p.free -= n
	return n
}

func (p *pool) giveBack(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free += n
	for p.free > 0 && len(p.waiting) > 0 {
		b := p.waiting[0]
		p.waiting = p.waiting[1:]
		b.lent <- p.lend(b.want)
	}
}

// each calls f for 0 to n-1, in ascending order of their starts, with the threads
// that each is lent: at most want. It returns when all have returned, with the error
// of the first in the order of numbers; after one, no more are begun. A panic is an
// error.
func (p *pool) each(n, want int, f func(i, threads int) error) error {
	var tasks errgroup.Group
	tasks.SetLimit(p.threads)
	var failed atomic.Bool
	errs := make([]error, n)
	for i := 0; i < n && !failed.Load(); i++ {
		tasks.Go(func() error {
			if errs[i] = p.lent(want, func(threads int) error { return f(i, threads) }); errs[i] != nil {
				failed.Store(true)
			}
			return nil
		})
	}
	tasks.Wait()
	return cmp.Or(errs...)
}

// lent calls f with as many threads as are lent, at most want. A panic is an error.
func (p *pool) lent(want int, f func(threads int) error) error {
	threads := p.borrow(want)
	defer p.giveBack(threads)
	return guarded(func() error { return f(threads) })
}

// step simulates the next month of an economy on as many of its threads as are lent.
func (p *pool) step(e *sim.Economy) error {
	return p.lent(e.Threads(), func(threads int) error {
		e.UseThreads(threads)
		return e.Step()
	})
}

// guarded calls f and makes a panic an error, with the stack in the log.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic in an experiment", "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("the simulation broke down, which is a fault of this program: %.200s", fmt.Sprint(r))
		}
	}()
	return f()
}

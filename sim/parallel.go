package sim

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Loops run over blocks of fixed size, whatever the number of threads: a block
// has its own partial sums, which are added in block order, so that the bits of
// a sum do not depend on who computed its parts.
const (
	householdBlock = 512
	firmBlock      = 128
)

// blocksPerHelper is the work that is worth waking a goroutine for.
const blocksPerHelper = 8

// span is one block of a parallel loop: rows lo to hi-1, the partial sums to
// add to, and the number of the worker, for scratch space that only commutes.
type span struct {
	lo, hi int
	sum    *tally
	worker int
}

type loopBody func(*Economy, span)

// workers is a pool of goroutines that run the bodies of parallel loops.
type workers struct {
	threads int
	used    int // of the threads, in the loops to come
	helpers []*helper
	failure atomic.Pointer[string] // of a helper that panicked, with its stack
	busy    atomic.Int32           // helpers in the loop under way
	done    notifier

	// the loop under way
	economy *Economy
	body    loopBody
	rows    int
	block   int
	next    atomic.Int64
	sums    []tally
}

// helper is one goroutine of a pool.
type helper struct {
	calls  atomic.Int64 // loops that it was called to; below zero once it is to end
	called notifier
}

// notifier lets one goroutine wait for another. It first looks for a while: the
// loops of a small economy follow each other within microseconds, and waking a
// sleeper takes longer.
type notifier struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// spins is how often a notifier looks before it sleeps, some tens of microseconds;
// other goroutines may run after every spinsPerYield.
const spins, spinsPerYield = 1 << 14, 1 << 8

// await returns when ready holds. Whoever makes it hold notifies after,
// perhaps so late that it wakes the sleeper for nothing: hence the loop.
func (b *notifier) await(ready func() bool) {
	for !spin(ready) {
		b.asleep.Store(true)
		if ready() && b.asleep.CompareAndSwap(true, false) {
			return
		}
		<-b.wake
	}
}

// spin looks for a while and says whether ready held.
func spin(ready func() bool) bool {
	for n := range spins {
		if ready() {
			return true
		}
		if n%spinsPerYield == spinsPerYield-1 {
			runtime.Gosched()
		}
	}
	return false
}

func (b *notifier) notify() {
	if b.asleep.CompareAndSwap(true, false) {
		b.wake <- struct{}{}
	}
}

func newWorkers(threads int) *workers {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	c := &workers{threads: threads, used: threads, done: notifier{wake: make(chan struct{}, 1)}}
	for w := range threads - 1 {
		h := &helper{called: notifier{wake: make(chan struct{}, 1)}}
		c.helpers = append(c.helpers, h)
		go c.help(h, w+1) // the caller of loops is worker 0
	}
	return c
}

// help works on every loop that the helper is called to.
func (c *workers) help(h *helper, worker int) {
	for loops := int64(0); ; loops++ {
		h.called.await(func() bool { return h.calls.Load() != loops })
		if h.calls.Load() < 0 {
			return
		}
		c.assist(worker)
		if c.busy.Add(-1) == 0 {
			c.done.notify()
		}
	}
}

// assist works on the loop under way and keeps a panic for the caller of the loop:
// nobody could recover from it on a goroutine of the pool.
func (c *workers) assist(worker int) {
	defer func() {
		if r := recover(); r != nil {
			what := fmt.Sprintf("%v\n%s", r, debug.Stack())
			c.failure.CompareAndSwap(nil, &what)
		}
	}()
	c.work(worker)
}

// close ends the goroutines.
func (c *workers) close() {
	for _, h := range c.helpers {
		h.calls.Store(-1)
		h.called.notify()
	}
	c.helpers, c.threads, c.used = nil, 1, 1
}

// run executes body over all rows and returns the sum of the partial sums. A panic of
// a helper becomes one of the caller.
func (c *workers) run(e *Economy, body loopBody, rows, block int, sums []tally) tally {
	blocks := (rows + block - 1) / block
	c.economy, c.body, c.rows, c.block, c.sums = e, body, rows, block, sums[:blocks]
	c.next.Store(0)
	clear(c.sums)
	helpers := c.helpers[:min(c.used-1, blocks/blocksPerHelper)]
	c.busy.Store(int32(len(helpers)))
	for _, h := range helpers {
		h.calls.Add(1)
		h.called.notify()
	}
	c.work(0)
	c.done.await(func() bool { return c.busy.Load() == 0 })
	if what := c.failure.Load(); what != nil {
		panic(*what)
	}
	var total tally
	for i := range c.sums {
		total.add(&c.sums[i])
	}
	return total
}

func (c *workers) work(worker int) {
	for {
		b := int(c.next.Add(1)) - 1
		if b >= len(c.sums) {
			return
		}
		lo := b * c.block
		c.body(c.economy, span{lo, min(lo+c.block, c.rows), &c.sums[b], worker})
	}
}

// UsefulThreads is the largest number of threads that shorten a month of an economy
// with parameters p: its longest loops have no work for more.
func UsefulThreads(p Params) int {
	l := layoutOf(p)
	return 1 + blocksOf(&l)/blocksPerHelper
}

// UseThreads lets the months to come use n of the threads that the economy was made
// with, at least one and at most all. It changes no bits.
func (e *Economy) UseThreads(n int) { e.workers.used = max(1, min(n, e.workers.threads)) }

// Threads is the number of threads that the economy was made with.
func (e *Economy) Threads() int { return e.workers.threads }

func (e *Economy) overHouseholds(body loopBody) tally {
	return e.workers.run(e, body, e.households(), householdBlock, e.sums)
}

func (e *Economy) overFirms(body loopBody) tally {
	return e.workers.run(e, body, e.firms(), firmBlock, e.sums)
}

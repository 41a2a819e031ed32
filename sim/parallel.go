package sim

import (
	"runtime"
	"sync"
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

// crew runs the bodies of parallel loops on a fixed set of goroutines.
type crew struct {
	threads int
	wake    []chan struct{}
	done    sync.WaitGroup

	// the loop under way
	economy *Economy
	body    loopBody
	rows    int
	block   int
	next    atomic.Int64
	sums    []tally
}

func newCrew(threads int) *crew {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	c := &crew{threads: threads}
	for w := 1; w < threads; w++ {
		wake := make(chan struct{}, 1)
		c.wake = append(c.wake, wake)
		go func() {
			for range wake {
				c.work(w)
				c.done.Done()
			}
		}()
	}
	return c
}

// close ends the goroutines.
func (c *crew) close() {
	for _, wake := range c.wake {
		close(wake)
	}
	c.wake, c.threads = nil, 1
}

// run executes body over all rows and returns the sum of the partial sums.
func (c *crew) run(e *Economy, body loopBody, rows, block int, sums []tally) tally {
	blocks := (rows + block - 1) / block
	c.economy, c.body, c.rows, c.block, c.sums = e, body, rows, block, sums[:blocks]
	c.next.Store(0)
	clear(c.sums)
	helpers := min(len(c.wake), blocks/blocksPerHelper)
	if helpers > 0 {
		c.done.Add(helpers)
		for _, wake := range c.wake[:helpers] {
			wake <- struct{}{}
		}
	}
	c.work(0)
	c.done.Wait()
	var total tally
	for i := range c.sums {
		total.add(&c.sums[i])
	}
	return total
}

func (c *crew) work(worker int) {
	for {
		b := int(c.next.Add(1)) - 1
		if b >= len(c.sums) {
			return
		}
		lo := b * c.block
		c.body(c.economy, span{lo, min(lo+c.block, c.rows), &c.sums[b], worker})
	}
}

func (e *Economy) overHouseholds(body loopBody) tally {
	return e.crew.run(e, body, e.households(), householdBlock, e.sums)
}

func (e *Economy) overFirms(body loopBody) tally {
	return e.crew.run(e, body, e.firms(), firmBlock, e.sums)
}

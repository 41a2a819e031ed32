package sim

import (
	"strings"
	"testing"
)

// Every loop runs all its blocks once before it returns, however late a helper
// rings for the loop before: more workers than cores make them late.
func TestLoopsEndTogether(t *testing.T) {
	e := mustNew(t, thousand(), 8)
	const rows, block = 1 << 10, 8
	sums := make([]tally, rows/block)
	for loop := range 2_000 {
		got := e.workers.run(e, func(_ *Economy, s span) {
			s.sum.count[sumWages] += int64(s.hi - s.lo)
		}, rows, block, sums)
		if got.count[sumWages] != rows {
			t.Fatalf("loop %d went over %d rows of %d", loop, got.count[sumWages], rows)
		}
	}
}

// A ring that comes late, for something that was seen without it, does not end
// the next wait.
func TestLateRing(t *testing.T) {
	b := notifier{wake: make(chan struct{}, 1)}
	ready, returned := make(chan struct{}), make(chan struct{})
	go func() {
		b.await(func() bool {
			select {
			case <-ready:
				return true
			default:
				return false
			}
		})
		close(returned)
	}()
	for range 100 {
		for !b.asleep.Load() { // until it sleeps
			select {
			case <-returned:
				t.Fatal("woken by a late ring")
			default:
			}
		}
		b.notify()
	}
	close(ready)
	b.notify()
	<-returned
}

// An economy that is lent more or fewer threads from month to month has the bits of
// one that has a single thread.
func TestUseThreads(t *testing.T) {
	p := small()
	p.NumHouseholds = 9_000 // more than one thread has work
	if n := UsefulThreads(p); n != 3 {
		t.Fatalf("%d useful threads for 18 blocks", n)
	}
	one, lent := mustNew(t, p, 1), mustNew(t, p, 3)
	if lent.Threads() != 3 {
		t.Errorf("made with 3 threads, has %d", lent.Threads())
	}
	for _, n := range []int{1, 3, 2, 0, 9} {
		lent.UseThreads(n)
		mustStep(t, one, 1)
		mustStep(t, lent, 1)
		if one.StateHash() != lent.StateHash() || !sameRecord(one.Latest(), lent.Latest()) {
			t.Fatalf("another state on %d threads", n)
		}
	}
}

// A panic on a goroutine of the pool reaches the caller of the loop, who can recover.
func TestPanicOfAHelper(t *testing.T) {
	e := mustNew(t, thousand(), 4)
	defer func() {
		if what, _ := recover().(string); !strings.HasPrefix(what, "broken") {
			t.Errorf("recovered %.40q", what)
		}
	}()
	both := make(chan struct{})
	e.workers.run(e, func(_ *Economy, s span) {
		if s.worker > 0 {
			close(both)
			panic("broken")
		}
		<-both // the caller has one block, a helper another
	}, 2*blocksPerHelper-1, 1, make([]tally, 2*blocksPerHelper-1))
	t.Error("no panic")
}

package sim

import "testing"

// Every loop runs all its blocks once before it returns, however late a helper
// rings for the loop before: more workers than cores make them late.
func TestLoopsEndTogether(t *testing.T) {
	e := mustNew(t, thousand(), 8)
	const rows, block = 1 << 10, 8
	sums := make([]tally, rows/block)
	for loop := range 2_000 {
		got := e.crew.run(e, func(_ *Economy, s span) {
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
	b := bell{wake: make(chan struct{}, 1)}
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
		b.ring()
	}
	close(ready)
	b.ring()
	<-returned
}

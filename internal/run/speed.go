package run

import (
	"math"
	"time"
)

// speedMemory is the time over which a measured speed is forgotten: others may come
// and go, and share the cores.
const speedMemory = 5 * time.Second

// speed measures how many months of single economies are simulated in a second.
type speed struct {
	since time.Time
	done  float64 // then
	rate  float64 // months of single economies a second; 0 = not measured
}

// restart begins to measure anew after time that does not count.
func (s *speed) restart(done float64) { s.since, s.done = time.Now(), done }

func (s *speed) mark(done float64) {
	elapsed := time.Since(s.since)
	if elapsed <= 0 || done <= s.done {
		return
	}
	now := (done - s.done) / elapsed.Seconds()
	if s.rate == 0 {
		s.rate = now
	} else {
		s.rate += (1 - math.Exp(-float64(elapsed)/float64(speedMemory))) * (now - s.rate)
	}
	s.restart(done)
}

// forecast is how many seconds what is left takes, NaN without a measurement, and
// the speed of economies that advance side by side, in months a second.
func (s *speed) forecast(left float64, economies int) (seconds, monthsPerSecond float64) {
	if s.rate == 0 {
		return math.NaN(), 0
	}
	return left / s.rate, s.rate / float64(economies)
}

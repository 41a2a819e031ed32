package host

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Pauses between attempts double from 100 ms to five seconds, half of each by chance.
func TestPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		different := map[time.Duration]bool{}
		for attempt, most := range []time.Duration{100, 200, 400, 800, 1600, 3200, 5000, 5000} {
			most *= time.Millisecond
			for range 20 {
				began := time.Now()
				if !pause(t.Context(), attempt) {
					t.Fatal("nobody has given up")
				}
				d := time.Since(began)
				if different[d] = true; d < most/2 || d > most {
					t.Errorf("attempt %d: %v, want between %v and %v", attempt, d, most/2, most)
				}
			}
		}
		if len(different) < 100 {
			t.Errorf("%d different pauses of 160", len(different))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if began := time.Now(); pause(ctx, 10) || time.Since(began) > time.Millisecond {
			t.Error("a caller who has given up waits on")
		}
	})
}

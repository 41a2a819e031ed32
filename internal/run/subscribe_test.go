package run_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// A waiter sees statuses in order and not too often; so does a subscriber, who is told
// of the end in any case.
func TestWatching(t *testing.T) {
	m := mustManager(t, run.Settings{})
	type call struct {
		at time.Time
		s  run.Status
	}
	var told, seen []call
	ended := make(chan struct{})
	defer m.Subscribe(func(_ string, s run.Status) {
		told = append(told, call{time.Now(), s})
		if s.State.Ended() {
			close(ended)
		}
	})()
	mustStart(t, m, plan(t, "x", endless, newJournal()))
	s, err := m.Wait(t.Context(), "x", func(s run.Status) {
		if seen = append(seen, call{time.Now(), s}); len(seen) == 6 {
			go m.Stop(t.Context(), "x")
		}
	})
	if err != nil || s.State != run.StateStopped {
		t.Fatal(s.State, err)
	}
	<-ended
	if len(told) < 3 {
		t.Errorf("told %d times, seen %d times", len(told), len(seen))
	}
	speed := false
	for list, least := range map[*[]call]time.Duration{&told: 250 * time.Millisecond, &seen: 100 * time.Millisecond} {
		for i, c := range *list {
			if i > 0 && (c.s.Month < (*list)[i-1].s.Month || c.at.Sub((*list)[i-1].at) < least) {
				t.Errorf("call %d in month %d, after %v", i, c.s.Month, c.at.Sub((*list)[i-1].at))
			}
			speed = speed || c.s.MonthsPerSecond > 0 && c.s.ETASeconds > 0 && !math.IsNaN(c.s.ETASeconds)
		}
	}
	if !speed {
		t.Error("no status with a speed and the time that is left")
	}
}

// A wait ends with its context, and lets the experiment run.
func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := run.NewManager(run.Settings{Threads: 1, MemoryBytes: 1 << 30})
		mustStart(t, m, plan(t, "x", 5, newJournal()))
		mustWait(t, m, "x", run.StateCompleted)
		p := plan(t, "y", 5, newJournal())
		p.PauseAt = 2
		mustStart(t, m, p)
		mustWait(t, m, "y", run.StatePaused)
		block := make(chan struct{})
		go m.With(t.Context(), "y", func(int, int, *sim.Economy) error { <-block; return nil })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := m.Pause(ctx, "y"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while the owner is busy: %v", err)
		}
		if s, ok := m.Status("y"); !ok || s.State != run.StatePaused { // which waits for nobody
			t.Errorf("status %v", s.State)
		}
		if err := m.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close while the owner is busy: %v", err)
		}
		close(block)
		if s := mustReach(t, m, "y", func(s run.Status) bool { return s.State.Ended() }); s.State != run.StateInterrupted {
			t.Errorf("closed late: %s", s.State)
		}
		if _, err := m.Wait(t.Context(), "nobody", nil); fault.KindOf(err) != fault.NotFound {
			t.Errorf("wait for nobody: %v", err)
		}
		synctest.Wait()
	})
}

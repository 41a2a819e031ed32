package run_test

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

func TestReplay(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	arm := arms(t)[1]
	_, records := alone(t, arm.Scenario, 7, months)
	j := newJournal()
	p := plan(t, "x", months, j)
	p.Arms, p.Seeds = []run.Arm{arm}, []uint64{7}
	m := mustManager(t, run.Settings{CheckpointEvery: 1, Cache: cache})
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StateCompleted)
	for name, tt := range map[string]struct {
		month int
		from  bool
	}{
		"from burn-in": {8, false}, "from a checkpoint": {10, true},
		"a checkpoint of the month": {9, true}, "a checkpoint that is too late": {4, true},
	} {
		var from *run.Checkpoint
		look := func(e *sim.Economy) error {
			if e.Month() != tt.month || *e.Latest() != records[tt.month-1] {
				t.Errorf("%s: another record of month %d", name, e.Month())
			}
			if tt.month == months && e.StateHash() != j.hashes[runID{}] {
				t.Errorf("%s: another state", name)
			}
			return nil
		}
		err := func() error {
			if !tt.from {
				return m.Replay(t.Context(), arm.Scenario, 7, tt.month, nil, look)
			}
			from = j.checkpoint(p.Arms)
			in, _ := from.Open(arm.Name, 0)
			return m.Replay(t.Context(), arm.Scenario, 7, tt.month, in, look)
		}()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Replay(ctx, arm.Scenario, 7, 5, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// What is simulated again takes its memory from what experiments leave: it is refused where they leave too
// little, and waits where others do the same.
func TestReplayFitsMemory(t *testing.T) {
	arm := arms(t)[1]
	p := plan(t, "x", months, newJournal())
	p.Arms, p.Seeds, p.PauseAt = []run.Arm{arm}, []uint64{7}, 2
	m := mustManager(t, run.Settings{Threads: 2, MemoryBytes: run.NewManager(run.Settings{Threads: 2}).Estimate(p)})
	mustStart(t, m, p)
	mustReach(t, m, "x", func(s run.Status) bool { return s.State == run.StatePaused })
	none := func(*sim.Economy) error { return nil }
	if err := m.Replay(t.Context(), arm.Scenario, 7, 2, nil, none); fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("beside an experiment that takes all memory: %v", err)
	}
	if _, err := m.Stop(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	var over atomic.Bool
	second := make(chan error, 1)
	err := m.Replay(t.Context(), arm.Scenario, 7, 2, nil, func(*sim.Economy) error {
		go func() {
			second <- m.Replay(t.Context(), arm.Scenario, 7, 2, nil, func(*sim.Economy) error {
				if !over.Load() {
					t.Error("two at a time in the memory of one")
				}
				return nil
			})
		}()
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if err := m.Replay(cancelled, arm.Scenario, 7, 2, nil, none); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while it waits: %v", err)
		}
		over.Store(true)
		return nil
	})
	if err := cmp.Or(err, <-second); err != nil {
		t.Error(err)
	}
}

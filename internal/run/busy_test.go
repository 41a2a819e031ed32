package run_test

import (
	"slices"
	"sync"
	"testing"

	"econ-mcp/internal/run"
)

// Whoever is told when something is simulated hears of the first and the last only:
// paused and queued experiments are not simulated, replays are.
func TestBusy(t *testing.T) {
	var mu sync.Mutex
	var heard []bool
	m := mustManager(t, run.Settings{Workers: 2, Busy: func(busy bool) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, busy)
	}})
	expect := func(what string, want ...bool) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(heard, want) {
			t.Errorf("%s: heard %v, want %v", what, heard, want)
		}
	}
	expect("at first")
	for _, name := range []string{"a", "b", "c"} {
		mustStart(t, m, plan(t, name, endless, newJournal()))
	}
	expect("with two running and one queued", true)
	for _, name := range []string{"c", "a"} {
		if _, err := m.Pause(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	expect("with one running", true)
	if _, err := m.Stop(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "b", run.StateStopped)
	expect("with none running", true, false)
	e, err := m.Replay(t.Context(), mustScenario(t), 7, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	expect("after a replay", true, false, true, false)
}

package run_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// further gives a plan the rest of some seeds, after those it has.
func further(p *run.Task, j *journal, all []uint64) {
	n := len(p.Seeds)
	j.more = func() ([]uint64, string, error) {
		j.mu.Lock()
		defer j.mu.Unlock()
		done := n
		for _, added := range j.extended {
			done += added
		}
		if len(j.hashes) != done*len(p.Arms) {
			return nil, "", errors.New("asked before all ends are recorded")
		}
		return all[done:], "enough", nil
	}
}

// Further replications have the bits that they have alone, on any number of threads, and
// while they are simulated the experiment goes on, shows what is complete, and takes no
// change of what is planned.
func TestBatches(t *testing.T) {
	all := []uint64{1, 7, 3, 9}
	for _, threads := range []int{1, 3} {
		j := newJournal()
		p := plan(t, "x", months, j)
		p.Arms, p.Seeds = arms(t), all[:2]
		further(&p, j, all)
		var once atomic.Bool
		reached, gate, caught := make(chan struct{}), make(chan struct{}), make(chan struct{})
		j.watch = func(_, replication int, e *sim.Economy) error {
			switch month := e.Month(); {
			case replication < 2:
			case month == 3 && once.CompareAndSwap(false, true):
				close(reached)
				<-gate
			case month == 4: // if the call was not there yet after month 3
				select {
				case <-caught:
				case <-time.After(time.Second):
				}
			}
			return nil
		}
		m := mustManager(t, run.Settings{Threads: threads})
		mustStart(t, m, p)
		<-reached
		paused := make(chan run.Status)
		go func() {
			s, err := m.Pause(t.Context(), "x")
			if err != nil {
				t.Error(err)
			}
			close(caught)
			paused <- s
		}()
		s, _ := m.Status("x")
		if !s.State.Active() || s.Month != months || s.Replications != 4 || s.ReplicationsDone != 2 || len(s.Latest[1]) != 2 ||
			s.Latest[2][1].Month != months ||
			!slices.Equal(s.Began[1][1], []int{4, 6, 7}) || s.Progress < .5 || s.Progress == 1 {
			t.Errorf("%+v", s)
		}
		close(gate)
		if s = <-paused; s.State != run.StatePaused || s.Month != months || s.ReplicationsDone != 2 ||
			!strings.HasPrefix(s.Message, "replications 3 to 4 are ") {
			t.Errorf("paused: %+v", s)
		}
		if _, _, err := m.Inject(t.Context(), "x", "treatment", wage(t, months, ""), ""); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("injected for some replications only: %v", err)
		}
		if _, err := m.Cancel(t.Context(), "x", "treatment", 2, ""); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("cancelled for some replications only: %v", err)
		}
		if _, err := m.With(t.Context(), "x", nil); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("economies that do not count are shown: %v", err)
		}
		if _, err := m.Resume(t.Context(), "x", 0); err != nil {
			t.Fatal(err)
		}
		s = mustWait(t, m, "x", run.StateCompleted)
		if s.Message != "enough" || s.ReplicationsDone != 4 || s.Progress != 1 || len(s.Latest[0]) != 4 || j.message != "enough" {
			t.Errorf("%+v; recorded %q", s, j.message)
		}
		if want := []string{
			"burn_in", "running", "burn_in", "running", "paused", "queued", "running", "completed",
		}; !slices.Equal(j.history(), want) {
			t.Errorf("states %v, want %v", j.history(), want)
		}
		sameAsAlone(t, j, p.Arms, all, months)
	}
}

// Of many further replications, as many are simulated at a time as fit in memory.
func TestBatchesFitMemory(t *testing.T) {
	all := []uint64{1, 7, 3, 9, 5, 11}
	j := newJournal()
	p := plan(t, "x", months, j)
	further(&p, j, all)
	whole := p
	whole.Seeds = all
	settings := run.Settings{Threads: 1}
	for settings.MemoryBytes = 1 << 16; run.NewManager(settings).Fit(whole) < 2; {
		settings.MemoryBytes += 1 << 16
	}
	m := mustManager(t, settings)
	if err := m.Check(whole); fault.KindOf(err) != fault.LimitExceeded {
		t.Fatalf("all at a time: %v", err)
	}
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StateCompleted)
	if want := []int{2, 2, 1}; !slices.Equal(j.extended, want) {
		t.Errorf("added %v, want %v", j.extended, want)
	}
	sameAsAlone(t, j, p.Arms, all, months)
	next := newJournal()
	mustStart(t, m, plan(t, "next", months, next)) // in the memory that the last batch gave back
	mustWait(t, m, "next", run.StateCompleted)
}

// Where it cannot be said whether there are enough, the experiment is interrupted; taken up
// again, it is asked at once, and simulates nothing that has ended.
func TestMoreFails(t *testing.T) {
	j := newJournal()
	p := plan(t, "x", months, j)
	p.Seeds = seeds
	j.more = func() ([]uint64, string, error) { return nil, "", errFull }
	m := mustManager(t, run.Settings{})
	mustStart(t, m, p)
	if s := mustWait(t, m, "x", run.StateInterrupted); !strings.HasSuffix(s.Message, fault.Public(errFull).Error()) || s.Month != months {
		t.Errorf("%+v", s)
	}
	<-j.over

	again := newJournal()
	p = plan(t, "x", months, again)
	p.Seeds, p.Recorded = seeds, run.Recorded{Complete: len(seeds), Began: [][][]int{{{}, {}}}}
	again.more = func() ([]uint64, string, error) { return nil, "enough", nil }
	again.watch = func(int, int, *sim.Economy) error { t.Error("what has ended is simulated again"); return nil }
	mustStart(t, m, p)
	if s := mustWait(t, m, "x", run.StateCompleted); s.Message != "enough" || s.Month != months || s.ReplicationsDone != len(seeds) ||
		s.Progress != 1 {
		t.Errorf("%+v", s)
	}
}

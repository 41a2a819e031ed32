package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// watcher keeps what it observes of an experiment.
type watcher struct {
	discard
	mu     sync.Mutex
	months map[runID][]sim.Record
	hashes map[runID]string
	burnt  int // months of burn-in
	alive  map[*sim.Economy]bool
	most   int // economies between their months, at the same time
}

func newWatcher() *watcher {
	return &watcher{months: make(map[runID][]sim.Record), hashes: make(map[runID]string), alive: make(map[*sim.Economy]bool)}
}

func (w *watcher) Record(e run.Event) error {
	if b, ok := e.(run.BurnInMonth); ok && !b.Cached {
		w.burnt++
	}
	return nil
}

func (w *watcher) Observe(arm, replication int, e *sim.Economy, ended bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := runID{arm, replication}
	w.alive[e] = true
	w.most = max(w.most, len(w.alive))
	if ended {
		w.hashes[id] = e.StateHash()
		delete(w.alive, e)
		return nil
	}
	w.months[id] = append(w.months[id], *e.Latest())
	return nil
}

// Runs that nobody steers have the bits of each run alone, on any number of threads, in as
// much memory as there is, each arm for its own months.
func TestRun(t *testing.T) {
	arms := arms(t)
	arms[0].Months, arms[2].Months = 7, 4
	all := run.Task{Arms: arms, Seeds: seeds, Months: months, AtOnce: 1}
	one := run.NewManager(run.Settings{Threads: 3}).EstimateRun(all)
	for name, tt := range map[string]struct {
		settings run.Settings
		most     int
	}{
		"one thread":    {run.Settings{Threads: 1}, 1},
		"three threads": {run.Settings{Threads: 3}, 3},
		"short memory":  {run.Settings{Threads: 3, MemoryBytes: one}, 1},
	} {
		w := newWatcher()
		p := run.Task{Name: "x", Arms: arms, Seeds: seeds, Months: months, Recorder: w}
		if err := mustManager(t, tt.settings).Run(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for _, g := range run.Groups(arms) {
			for _, a := range g.Arms {
				for r, seed := range seeds {
					lasts := []int{7, months, 4}[a]
					hash, records := alone(t, g.Simulated(arms[a].Scenario), seed, lasts)
					id := runID{a, r}
					if w.hashes[id] != hash || !slices.Equal(w.months[id], records) {
						t.Errorf("%s: other bits of %s, replication %d: %d months", name, arms[a].Name, r, len(w.months[id]))
					}
				}
			}
		}
		if want := 2 * len(seeds) * 6; w.burnt != want {
			t.Errorf("%s: %d months of burn-in, want %d", name, w.burnt, want)
		}
		if w.most > tt.most {
			t.Errorf("%s: %d economies at the same time, want %d", name, w.most, tt.most)
		}
	}
}

// telling counts the burnt-in states that were found in the cache.
type telling struct {
	discard
	cached atomic.Int32
	month  func()
}

func (w *telling) Record(e run.Event) error {
	if b, ok := e.(run.BurnInMonth); ok && b.Cached {
		w.cached.Add(1)
	}
	return nil
}

func (w *telling) Observe(int, int, *sim.Economy, bool) error {
	w.month()
	return nil
}

// A cancelled experiment makes no economies for the replications that have not begun.
func TestCancelledBeginsNothing(t *testing.T) {
	m := mustManager(t, run.Settings{Threads: 1, Cache: run.Cache{Dir: t.TempDir()}})
	ctx, cancel := context.WithCancel(t.Context())
	for _, tt := range []struct {
		month  func()
		cached int32
	}{{func() {}, 0}, {func() {}, 3}, {cancel, 1}} {
		w := &telling{month: tt.month}
		p := run.Task{Name: "x", Arms: arms(t)[:1], Seeds: []uint64{1, 2, 3}, Months: 2, Recorder: w}
		if err := m.Run(ctx, p); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := w.cached.Load(); got != tt.cached {
			t.Errorf("%d burnt-in states were loaded, want %d", got, tt.cached)
		}
	}
}

// What ends an experiment that nobody steers says where it ended.
func TestRunEnds(t *testing.T) {
	p := run.Task{Name: "x", Arms: arms(t)[:2], Seeds: seeds, Months: months}
	cancelled, cancel := context.WithCancel(t.Context())
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		observe  func(e *sim.Economy) error
		settings run.Settings
		want     error
		text     string
	}{
		"cancelled": {func(e *sim.Economy) error {
			if e.Month() == 3 {
				cancel()
			}
			return nil
		}, run.Settings{Threads: 1}, context.Canceled, `interrupted in month 4 of 10, arm "control", replication 1 (seed 1)`},
		"broken": {func(e *sim.Economy) error {
			if e.Month() == 3 {
				return broken
			}
			return nil
		}, run.Settings{Threads: 1}, broken, `arm "control", replication 1 (seed 1): month 3: broken`},
		"panic":     {func(e *sim.Economy) error { panic("oh") }, run.Settings{}, nil, "a fault of this program: oh"},
		"too large": {nil, run.Settings{MemoryBytes: 1 << 10}, nil, "2 times 1000 households"},
	} {
		ctx := t.Context()
		if name == "cancelled" {
			ctx = cancelled
		}
		p.Recorder = watching(tt.observe)
		m := mustManager(t, tt.settings)
		err := m.Run(ctx, p)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: %v, want %q", name, err, tt.text)
		}
		if live := m.Live(); len(live) > 0 {
			t.Errorf("%s: %d experiments live", name, len(live))
		}
	}
	m := run.NewManager(run.Settings{Workers: 1})
	mustStart(t, m, plan(t, "before", endless, newJournal()))
	waiting, give := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer give()
	err := m.Run(waiting, p)
	if _, ok := errors.AsType[*run.Interrupted](err); !ok || !strings.HasPrefix(err.Error(), "interrupted in burn-in month 1 of 6, ") {
		t.Errorf("while it waited for a place: %v", err)
	}
	if _, err := m.Stop(t.Context(), "before"); err != nil {
		t.Fatal(err)
	}
	reached := make(chan struct{}, 100)
	p.Months, p.Recorder = endless, watching(func(*sim.Economy) error {
		select {
		case reached <- struct{}{}:
		default:
		}
		return nil
	})
	ended := make(chan error)
	go func() { ended <- m.Run(t.Context(), p) }()
	<-reached
	if err := m.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, ok := errors.AsType[*run.Interrupted](<-ended); !ok {
		t.Error("Close did not interrupt it")
	}
	if err := m.Run(t.Context(), p); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("after Close: %v", err)
	}
}

// watching observes months with a function.
type watching func(e *sim.Economy) error

func (watching) Record(run.Event) error { return nil }
func (w watching) Observe(_, _ int, e *sim.Economy, ended bool) error {
	if ended {
		return nil
	}
	return w(e)
}
func (watching) More() ([]uint64, string, error) { return nil, "", fmt.Errorf("asked for more") }

// A simulation counts months and says what the cache had.
func TestSimulation(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	for _, cached := range []bool{false, true} {
		var months []run.Progress
		burnIns := 0
		s := run.Simulation{
			Arms: arms(t), Seeds: run.Seeds(1, 2), Months: 7, Threads: 2, Cache: cache,
			Observe: func(int, int, *sim.Economy) error { return nil },
			Progress: func(p run.Progress) {
				months = append(months, p)
				if p.Phase != run.PhaseBurnIn || p.Month < p.Total {
					return
				}
				if burnIns++; p.Cached != cached {
					t.Errorf("from the cache: %v, want %v", p.Cached, cached)
				}
			},
		}
		done, err := s.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if done.CachedBurnIn != cached || done.AgentMonths < 2*3*7*1000 || burnIns != 4 {
			t.Errorf("%+v, %d burn-ins", done, burnIns)
		}
		of := s.TotalMonths()
		if want := 2 * (2*6 + 3*7); of != want || len(months) == 0 {
			t.Fatalf("%d months in all, want %d", of, want)
		}
		for i, p := range months {
			if p.Of != of || i > 0 && p.Done <= months[i-1].Done {
				t.Errorf("step %d: %d of %d", i, p.Done, p.Of)
			}
		}
		if last := months[len(months)-1]; last.Done != of {
			t.Errorf("ends at %d of %d", last.Done, of)
		}
	}
}

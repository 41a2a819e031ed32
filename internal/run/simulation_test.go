package run_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// watcher keeps what it observes of a simulation.
type watcher struct {
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

func (w *watcher) progress(p run.Progress) {
	if p.Phase == run.PhaseBurnIn && !p.Cached {
		w.burnt++
	}
}

// observe looks at a month of an arm that has so many.
func (w *watcher) observe(arm, replication int, e *sim.Economy, last int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := runID{arm, replication}
	w.alive[e] = true
	w.most = max(w.most, len(w.alive))
	w.months[id] = append(w.months[id], *e.Latest())
	if e.Month() == last {
		w.hashes[id] = e.StateHash()
		delete(w.alive, e)
	}
}

// Runs that nobody steers have the bits of each run alone, on any number of threads, in as
// much memory as there is, each arm for its own months.
func TestRunsGoStraightToTheirEnds(t *testing.T) {
	arms := arms(t)
	arms[0].Months, arms[2].Months = 7, 4
	lasts := []int{7, months, 4}
	params := arms[2].Scenario.Params // the largest
	params.MaxConcurrentTasks = 1
	one := sim.EstimateMemory(params)
	for name, tt := range map[string]struct {
		threads int
		memory  int64
		most    int
	}{
		"one thread":    {1, math.MaxInt64, 1},
		"three threads": {3, math.MaxInt64, 3},
		"short memory":  {3, 2 * one, 1},
	} {
		w := newWatcher()
		s := run.Simulation{Arms: arms, Seeds: seeds, Months: months, Threads: tt.threads, Progress: w.progress}
		s.Observe = func(arm, replication int, e *sim.Economy) error {
			w.observe(arm, replication, e, lasts[arm])
			return nil
		}
		if _, err := s.Within(t.Context(), tt.memory); err != nil {
			t.Fatal(err)
		}
		for _, g := range run.Groups(arms) {
			for _, a := range g.Arms {
				for r, seed := range seeds {
					hash, records := alone(t, g.Simulated(arms[a].Scenario), seed, lasts[a])
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

// What ends a simulation says where it ended.
func TestSimulationEnds(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		observe func(e *sim.Economy) error
		threads int
		memory  int64
		want    error
		text    string
	}{
		"cancelled": {func(e *sim.Economy) error {
			if e.Month() == 3 {
				cancel()
			}
			return nil
		}, 1, math.MaxInt64, context.Canceled, `interrupted in month 4 of 10, arm "control", replication 1 (seed 1)`},
		"broken": {func(e *sim.Economy) error {
			if e.Month() == 3 {
				return broken
			}
			return nil
		}, 1, math.MaxInt64, broken, `arm "control", replication 1 (seed 1): month 3: broken`},
		"panic":     {func(e *sim.Economy) error { panic("oh") }, 0, math.MaxInt64, nil, "a fault of this program: oh"},
		"too large": {nil, 0, 1 << 10, nil, "2 times 1000 households"},
	} {
		ctx := t.Context()
		if name == "cancelled" {
			ctx = cancelled
		}
		s := run.Simulation{Arms: arms(t)[:2], Seeds: seeds, Months: months, Threads: tt.threads}
		s.Observe = func(_, _ int, e *sim.Economy) error { return tt.observe(e) }
		_, err := s.Within(ctx, tt.memory)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: %v, want %q", name, err, tt.text)
		}
	}
}

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

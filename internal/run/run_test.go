package run_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

const burnInMonths = 6

// mustScenario is a small economy; changes are pairs of a name and a value.
func mustScenario(tb testing.TB, changes ...any) scenario.Scenario {
	tb.Helper()
	p := sim.Defaults()
	changes = append([]any{"num_households", 1000, "burn_in_months", burnInMonths}, changes...)
	for i := 0; i < len(changes); i += 2 {
		if err := p.Set(changes[i].(string), changes[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	return scenario.New("test", p)
}

func mustBurnIn(tb testing.TB, s scenario.Scenario, seed uint64, c run.Cache) (e *sim.Economy, cached bool) {
	tb.Helper()
	e, cached, err := run.BurnIn(tb.Context(), s, seed, 1, c, (*sim.Economy).Step)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(e.Close)
	return e, cached
}

func files(tb testing.TB, dir, pattern string) []string {
	tb.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func TestCachedBurnInIsTheSame(t *testing.T) {
	s, c := mustScenario(t), run.Cache{Dir: filepath.Join(t.TempDir(), "new", "folder")}
	first, cached := mustBurnIn(t, s, 1, c)
	if cached {
		t.Fatal("the first burn-in came from an empty cache")
	}
	if first.Month() != 0 {
		t.Errorf("month %d after burn-in, want 0", first.Month())
	}
	// Other months, threads and technical settings are another experiment but
	// the same burn-in.
	again := mustScenario(t, "num_iterations", 7, "max_concurrent_tasks", 3)
	second, cached := mustBurnIn(t, again, 1, c)
	if !cached {
		t.Fatal("the second burn-in was simulated again")
	}
	if first.StateHash() != second.StateHash() {
		t.Error("the cached state is another one")
	}
	for _, e := range []*sim.Economy{first, second} {
		if err := run.Months(t.Context(), e, s, 3, (*sim.Economy).Step); err != nil {
			t.Fatal(err)
		}
	}
	if first.StateHash() != second.StateHash() {
		t.Error("the cached state has another future")
	}
	if *first.Latest() != *second.Latest() {
		t.Error("the cached state has other records")
	}
	if left := files(t, c.Dir, "*.tmp"); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
	other, cached := mustBurnIn(t, s, 2, c)
	if cached || other.StateHash() == first.StateHash() {
		t.Error("another seed had the state of the first")
	}
}

func TestBrokenCacheIsRebuilt(t *testing.T) {
	s := mustScenario(t)
	whole := func(t *testing.T, c run.Cache) (path string, data []byte, hash string) {
		e, _ := mustBurnIn(t, s, 1, c)
		found := files(t, c.Dir, "*.snap")
		if len(found) != 1 {
			t.Fatalf("states in the cache: %v", found)
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return found[0], data, e.StateHash()
	}
	other, _ := mustBurnIn(t, mustScenario(t, "vat_rate", .2), 9, run.Cache{})
	var foreign bytes.Buffer
	if err := other.WriteSnapshot(&foreign); err != nil {
		t.Fatal(err)
	}
	damage := map[string]func([]byte) []byte{
		"empty":           func([]byte) []byte { return nil },
		"cut":             func(b []byte) []byte { return b[:len(b)/2] },
		"flipped bit":     func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"text":            func([]byte) []byte { return []byte("not a snapshot") },
		"another economy": func([]byte) []byte { return foreign.Bytes() },
	}
	for name, harm := range damage {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			defer slog.SetDefault(slog.Default())
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))

			c := run.Cache{Dir: t.TempDir()}
			path, data, hash := whole(t, c)
			if err := os.WriteFile(path, harm(data), 0o644); err != nil {
				t.Fatal(err)
			}
			e, cached := mustBurnIn(t, s, 1, c)
			if cached || e.StateHash() != hash {
				t.Errorf("cached %v, same state %v; want a rebuilt state", cached, e.StateHash() == hash)
			}
			if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), filepath.Base(path)) {
				t.Errorf("no warning that names the file: %q", log.String())
			}
			if _, cached := mustBurnIn(t, s, 1, c); !cached {
				t.Error("the rebuilt state was not stored")
			}
		})
	}
}

func TestSharedFolder(t *testing.T) {
	s, c := mustScenario(t), run.Cache{Dir: t.TempDir()}
	var hashes [4]string
	var wait sync.WaitGroup
	for i := range hashes {
		wait.Go(func() {
			e, _, err := run.BurnIn(t.Context(), s, 1, 1, c, (*sim.Economy).Step)
			if err != nil {
				t.Error(err)
				return
			}
			defer e.Close()
			hashes[i] = e.StateHash()
		})
	}
	wait.Wait()
	for _, h := range hashes {
		if h != hashes[0] {
			t.Errorf("states differ: %v", hashes)
		}
	}
	if found := files(t, c.Dir, "*"); len(found) != 1 {
		t.Errorf("the folder holds %v, want one state", found)
	}
}

func TestUnusableFolderIsNoError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, cached := mustBurnIn(t, mustScenario(t), 1, run.Cache{Dir: file}); cached {
		t.Error("a state came from a folder that is a file")
	}
}

func TestCacheIsBounded(t *testing.T) {
	s, c := mustScenario(t), run.Cache{Dir: t.TempDir()}
	mustBurnIn(t, s, 1, c)
	info, err := os.Stat(files(t, c.Dir, "*.snap")[0])
	if err != nil {
		t.Fatal(err)
	}
	c.MaxBytes = info.Size()*5/2 + 1 // room for two
	mustBurnIn(t, s, 2, c)
	age := func(seed uint64, by time.Duration) {
		then := time.Now().Add(-by)
		if err := os.Chtimes(filepath.Join(c.Dir, s.BurnInKey(seed)+".snap"), then, then); err != nil {
			t.Fatal(err)
		}
	}
	age(1, 2*time.Hour)
	age(2, time.Hour)
	abandoned := filepath.Join(c.Dir, "x.tmp")
	if err := os.WriteFile(abandoned, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(abandoned, time.Time{}, time.Now().Add(-24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	mustBurnIn(t, s, 1, c) // used, and so the newest
	mustBurnIn(t, s, 3, c)
	for seed, want := range map[uint64]bool{1: true, 2: false, 3: true} {
		if _, err := os.Stat(filepath.Join(c.Dir, s.BurnInKey(seed)+".snap")); (err == nil) != want {
			t.Errorf("state of seed %d kept: %v, want %v", seed, err == nil, want)
		}
	}
	if _, err := os.Stat(abandoned); err == nil {
		t.Error("a temporary file of a process that died was kept")
	}

	c.MaxBytes = 1
	mustBurnIn(t, s, 4, c)
	if left := files(t, c.Dir, "*"); len(left) > 0 {
		t.Errorf("a cache of one byte holds %v", left)
	}
}

func TestBurnInStops(t *testing.T) {
	s := mustScenario(t)
	ctx, cancel := context.WithCancel(t.Context())
	var months []int
	_, _, err := run.BurnIn(ctx, s, 1, 1, run.Cache{Dir: t.TempDir()}, func(e *sim.Economy) error {
		err := e.Step()
		if months = append(months, burnInMonths+e.Month()); len(months) == 2 {
			cancel()
		}
		return err
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "burn-in month 3") {
		t.Errorf("error %v; want a cancellation in burn-in month 3", err)
	}
	if len(months) != 2 || months[0] != 1 || months[1] != 2 {
		t.Errorf("months simulated: %v", months)
	}
}

func TestMonths(t *testing.T) {
	s := mustScenario(t)
	e, _ := mustBurnIn(t, s, 1, run.Cache{})

	t.Run("a size cannot change", func(t *testing.T) {
		err := run.Months(t.Context(), e, mustScenario(t, "num_households", 2000), 1, (*sim.Economy).Step)
		if fault.KindOf(err) != fault.Conflict || e.Month() != 0 {
			t.Errorf("error %v in month %d; want a conflict before month 1", err, e.Month())
		}
	})
	t.Run("stops when cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := run.Months(ctx, e, s, 10, func(e *sim.Economy) error {
			err := e.Step()
			if e.Month() == 2 {
				cancel()
			}
			return err
		})
		if !errors.Is(err, context.Canceled) || e.Month() != 2 {
			t.Errorf("error %v in month %d; want a cancellation after month 2", err, e.Month())
		}
	})
	t.Run("goes on under other parameters", func(t *testing.T) {
		other := mustScenario(t, "vat_rate", .2, "random_state", 99, "num_iterations", 5, "burn_in_months", 0)
		if err := run.Months(t.Context(), e, other, 3, (*sim.Economy).Step); err != nil {
			t.Fatal(err)
		}
		if p := e.Params(); e.Month() != 3 || p.VATRate != .2 || p.RandomState != 1 || p.BurnInMonths != burnInMonths {
			t.Errorf("month %d, VAT %g, seed %d, burn-in %d", e.Month(), p.VATRate, p.RandomState, p.BurnInMonths)
		}
	})
	t.Run("an error says the month", func(t *testing.T) {
		broken := errors.New("broken")
		err := run.Months(t.Context(), e, s, 10, func(*sim.Economy) error { return broken })
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "month 4") {
			t.Errorf("error %v; want it in month 4", err)
		}
	})
}

func TestRefusedSeed(t *testing.T) {
	_, _, err := run.BurnIn(t.Context(), mustScenario(t), 1<<53, 1, run.Cache{}, (*sim.Economy).Step)
	if fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("error %v, want out_of_range", err)
	}
}

package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

func mustRead(tb testing.TB, open func(arm string, replication int) (io.ReadCloser, error), arm string, replication int) string {
	tb.Helper()
	f, err := open(arm, replication)
	must(tb, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	must(tb, err)
	return string(data)
}

// checkpointMonth is the month of a complete checkpoint, 0 = none.
func checkpointMonth(tb testing.TB, s *store.Store, name string) int {
	tb.Helper()
	month, open, err := s.Checkpoint(context.Background(), name)
	must(tb, err)
	if month == 0 {
		return 0
	}
	for i, arm := range []string{"control", "treatment"} {
		for r := range 2 {
			if got, want := mustRead(tb, open, arm, r), fmt.Sprintf("%d/%d at %d\n", i, r, month); !strings.HasPrefix(got, want) {
				tb.Errorf("%s/%d: %.20q, want %q", arm, r, got, want)
			}
		}
	}
	if _, err := open("nobody", 0); err == nil {
		tb.Error("an arm that is not there was opened")
	}
	return month
}

func sets(tb testing.TB, dir string) []string {
	tb.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*", "*"))
	must(tb, err)
	return list
}

func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	j := mustCreate(t, s, "x")
	if got := checkpointMonth(t, s, "x"); got != 0 {
		t.Errorf("before any, there is a checkpoint of month %d", got)
	}
	for _, month := range []int{12, 24, 24} { // again: its plan may have changed
		must(t, j.Checkpoint(month, snapshot(month)))
		if got := checkpointMonth(t, s, "x"); got != month {
			t.Errorf("checkpoint of month %d, want %d", got, month)
		}
		if got := sets(t, dir); len(got) != 1 {
			t.Errorf("sets %v: older ones are there", got)
		}
	}
	// One that fails half-way leaves the one before.
	failure := errors.New("no more")
	err := j.Checkpoint(36, func(arm, r int, w io.Writer) error {
		if arm == 1 {
			return failure
		}
		return snapshot(36)(arm, r, w)
	})
	if !errors.Is(err, failure) || checkpointMonth(t, s, "x") != 24 || len(sets(t, dir)) != 1 {
		t.Errorf("after a failure (%v): month %d, sets %v", err, checkpointMonth(t, s, "x"), sets(t, dir))
	}
	must(t, j.Close())
	if got := checkpointMonth(t, mustOpen(t, dir), "x"); got != 24 {
		t.Errorf("another process finds month %d", got)
	}
}

func TestBrokenCheckpoint(t *testing.T) {
	for name, breakIt := range map[string]func(file string) error{
		"missing": os.Remove,
		"cut":     func(file string) error { return os.Truncate(file, 10) },
		"folder":  func(file string) error { return os.RemoveAll(filepath.Dir(file)) },
	} {
		dir := t.TempDir()
		s := mustOpen(t, dir)
		j := mustCreate(t, s, "x")
		must(t, j.Checkpoint(12, snapshot(12)))
		must(t, breakIt(filepath.Join(sets(t, dir)[0], "2-1.snap")))
		if got := checkpointMonth(t, s, "x"); got != 0 {
			t.Errorf("%s: month %d", name, got)
		}
		must(t, j.Checkpoint(24, snapshot(24)))
		if got := checkpointMonth(t, s, "x"); got != 24 {
			t.Errorf("%s: the next one has month %d", name, got)
		}
	}
}

// TestCheckpointsAreBounded: with room for two sets, that of the experiment that
// ended first goes, then that of an interrupted one, then the oldest.
func TestCheckpointsAreBounded(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	const set = 4 * (6000 + 20)
	s.CheckpointBytes = 2 * set
	journals := map[string]*store.Journal{}
	for _, name := range []string{"running", "interrupted", "completed", "new"} {
		journals[name] = mustCreate(t, s, name)
		must(t, journals[name].State("running", 0, ""))
	}
	keep := func(name string, want ...string) {
		t.Helper()
		must(t, journals[name].Checkpoint(12, snapshot(12)))
		for name := range journals {
			kept := false
			for _, w := range want {
				kept = kept || w == name
			}
			if got := checkpointMonth(t, s, name); (got != 0) != kept {
				t.Errorf("%s has a checkpoint of month %d; kept should be %v", name, got, want)
			}
		}
		if got := sets(t, dir); len(got) != len(want) {
			t.Errorf("sets %v", got)
		}
	}
	keep("running", "running")
	keep("completed", "running", "completed")
	must(t, journals["completed"].State("completed", 0, ""))
	must(t, journals["completed"].Close())
	keep("interrupted", "running", "interrupted")
	must(t, journals["interrupted"].Close())
	mustExperiment(t, s, "interrupted") // marks it
	keep("new", "running", "new")
	s.CheckpointBytes = set
	keep("new", "new")

	s.CheckpointBytes = set / 2
	wantKind(t, journals["new"].Checkpoint(24, snapshot(24)), fault.LimitExceeded, "first month")
	if got := checkpointMonth(t, s, "new"); got != 12 {
		t.Errorf("after one that was too large, that of month %d is there", got)
	}
}

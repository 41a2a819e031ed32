package store_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// full is an experiment with everything that can be stored of one, at its end.
func full(tb testing.TB, s *store.Store, name, state string) {
	tb.Helper()
	j := mustCreate(tb, s, name)
	for arm := range 2 {
		for r := range 2 {
			must(tb, j.Months(arm, r, months(arm*2+r, 1, 5)))
			must(tb, j.Detail(arm, r, "tables", 5, []byte("{}")))
			must(tb, j.Ended(arm, r, "hash", nil))
		}
	}
	must(tb, j.Checkpoint(5, func(_, _ int, w io.Writer) error {
		_, err := w.Write(make([]byte, 1000))
		return err
	}))
	must(tb, j.State(state, 5, ""))
	must(tb, j.Close())
	_, err := s.UpdateCapture(context.Background(), name, func(c *store.Capture) { c.Status, c.Tags = "completed", []string{"a", "b"} })
	must(tb, err)
	_, err = s.SaveAnalysis(context.Background(), name, store.Analysis{})
	must(tb, err)
	_, err = s.Ask(context.Background(), []string{name}, []store.Asked{{Hypothesis: "cpi", P: .5}}, "ada")
	must(tb, err)
}

// rowCounts are the rows of every table but those that experiments share, and those that outlive them.
func rowCounts(tb testing.TB, dir string) string {
	tb.Helper()
	db := mustRaw(tb, dir)
	defer db.Close()
	var names string
	must(tb, db.QueryRow("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN "+
		"('layout', 'planned', 'planned_arm', 'look', 'asked', 'asked_total')").Scan(&names))
	text := ""
	for name := range strings.SplitSeq(names, ",") {
		var n int
		must(tb, db.QueryRow("SELECT count(*) FROM "+name).Scan(&n))
		if n > 0 {
			text += fmt.Sprintf("%s %d\n", name, n)
		}
	}
	return text
}

func TestDelete(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "kept", "completed")
	before := rowCounts(t, dir)
	full(t, s, "gone", "completed")
	d, err := s.Delete(context.Background(), "gone")
	must(t, err)
	if d.Runs != 4 || d.Months != 20 || d.Bytes < 4000 {
		t.Errorf("deleted %+v", d)
	}
	if after := rowCounts(t, dir); after != before {
		t.Errorf("rows are\n%swith another experiment less:\n%s", after, before)
	}
	for _, path := range []string{"checkpoints/2", "locks/2.lock"} {
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	_, err = s.Delete(context.Background(), "gone")
	wantKind(t, err, fault.NotFound, "gone")
	if x := mustExperiment(t, s, "kept"); x.Month != 5 || x.Captured == nil || !x.HasAnalysis {
		t.Errorf("the other one is %+v", x)
	}
	mustCreate(t, s, "gone") // the name is free
}

func TestRunningExperimentsAreNotDeleted(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	j := mustCreate(t, s, "running")
	must(t, j.Months(0, 0, months(0, 1, 3)))
	_, err := s.Delete(context.Background(), "running")
	wantKind(t, err, fault.InvalidState, "running", "stop")
	_, err = mustOpen(t, dir).Delete(context.Background(), "running") // as another process would
	wantKind(t, err, fault.InvalidState, "running")
	must(t, j.State("stopped", 0, ""))
	must(t, j.Close())
	_, err = s.Delete(context.Background(), "running")
	must(t, err)
}

func TestCollect(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "ended", "completed")
	full(t, s, "open", "interrupted")
	full(t, s, "last", "failed")
	must(t, os.MkdirAll(filepath.Join(dir, "checkpoints", "0"), 0o755)) // of no experiment
	f, err := s.Collect(context.Background())
	must(t, err)
	if f.Checkpoints != 2 || f.CheckpointBytes != 8000 || f.Orphans != 1 || f.Live != 0 {
		t.Errorf("freed %+v", f)
	}
	if month, open, err := s.Checkpoint(context.Background(), "open"); month != 5 || open == nil || err != nil {
		t.Errorf("the states of an experiment that may go on: month %d, %v", month, err)
	}
	if month, _, err := s.Checkpoint(context.Background(), "ended"); month != 0 || err != nil {
		t.Errorf("states of month %d are left, %v", month, err)
	}
	j := mustCreate(t, s, "running")
	must(t, j.Checkpoint(0, snapshot(0)))
	if f, err = s.Collect(context.Background()); err != nil || f.Live != 1 || f.Checkpoints != 0 || f.Orphans != 0 {
		t.Errorf("freed %+v while one runs, %v", f, err)
	}
	if len(sets(t, dir)) != 2 {
		t.Errorf("sets %v; want those of two experiments", sets(t, dir))
	}
	must(t, j.Close())
}

// What is left of an experiment that was deleted last, or of a set of checkpoints that was
// not finished, is removed; a set that is being written is not.
func TestCollectAfterKills(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "open", "interrupted")
	kept := sets(t, dir)[0]
	writing := mustCreate(t, s, "writing")
	must(t, os.MkdirAll(filepath.Join(dir, "checkpoints", "1", "m6.123"), 0o755))
	must(t, os.MkdirAll(filepath.Join(dir, "checkpoints", "3", "m1.5"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "locks", "3.lock"), nil, 0o600))
	begun, end := make(chan struct{}), make(chan struct{})
	var checkpoint sync.WaitGroup
	checkpoint.Go(func() {
		first := sync.OnceFunc(func() { close(begun); <-end })
		if err := writing.Checkpoint(0, func(arm, replication int, w io.Writer) error {
			first()
			return snapshot(0)(arm, replication, w)
		}); err != nil {
			t.Error(err)
		}
	})
	<-begun
	other := mustOpen(t, dir) // as another process would
	f, err := other.Collect(context.Background())
	close(end)
	checkpoint.Wait()
	if err != nil || f.Orphans != 3 || f.Checkpoints != 0 {
		t.Errorf("freed %+v, %v", f, err)
	}
	if got := sets(t, dir); len(got) != 2 || !slices.Contains(got, kept) {
		t.Errorf("sets %v", got)
	}
	if locks, err := filepath.Glob(filepath.Join(dir, "locks", "*")); err != nil || len(locks) != 2 {
		t.Errorf("locks %v, %v", locks, err)
	}
	must(t, writing.Close())
}

package store_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// rowCounts are the rows of every table but those that experiments share.
func rowCounts(tb testing.TB, dir string) string {
	tb.Helper()
	db := mustRaw(tb, dir)
	defer db.Close()
	var names string
	must(tb, db.QueryRow("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> "+
		"'layout'").Scan(&names))
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
	if f, err = s.Collect(context.Background()); err != nil || f.Live != 1 || f.Checkpoints != 0 {
		t.Errorf("freed %+v while one runs, %v", f, err)
	}
	must(t, j.Close())
}

package store_test

import (
	"context"
	"errors"
	"testing"

	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// A cancelled call reads no further and writes nothing; the next one is served as if it had
// not been.
func TestCancelled(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	must(t, j.Months(0, 0, months(0, 1, 3)))
	must(t, j.State("paused", 3, "")) // writes the months
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	arm := mustExperiment(t, s, "x").Arms[0].Name
	err := s.EachRecord(ctx, "x", arm, 1, 0, 0, 1, func(*sim.Record) error {
		read++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || read != 1 {
		t.Errorf("%v after %d months, want %v after 1", err, read, context.Canceled)
	}
	for name, call := range map[string]func() error{
		"experiment": func() error { _, err := s.Experiment(ctx, "x"); return err },
		"list":       func() error { _, _, _, err := s.List(ctx, store.Filter{}); return err },
		"series":     func() error { _, err := s.Series(ctx, "x", arm, []sim.Indicator{sim.CPI}, 0, 0, 0); return err },
		"ask": func() error {
			_, err := s.Ask(ctx, []string{"x"}, []store.Asked{{Hypothesis: "h", P: .1}}, "")
			return err
		},
		"analysis": func() error { _, err := s.SaveAnalysis(ctx, "x", store.Analysis{}); return err },
		"capture": func() error {
			_, err := s.UpdateCapture(ctx, "x", func(c *store.Capture) { c.Status = "pending" })
			return err
		},
		"workspace": func() error { _, _, err := s.Workspace(ctx, "ada", 0); return err },
		"edit": func() error {
			_, err := s.EditWorkspace(ctx, "ada", func([]byte, int64) ([]byte, error) { return []byte("x"), nil })
			return err
		},
		"delete": func() error { _, err := s.Delete(ctx, "x"); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", name, err, context.Canceled)
		}
	}
	if data, _, err := s.Workspace(t.Context(), "ada", 0); data != nil || err != nil {
		t.Errorf("a cancelled edit is kept: %q, %v", data, err)
	}
	asked, err := s.Ask(context.Background(), []string{"x"}, nil, "")
	if x := mustExperiment(t, s, "x"); err != nil || len(asked) != 0 || x.HasAnalysis || x.Captured != nil {
		t.Errorf("written by cancelled calls: %v, %v, %v, %v", asked, x.HasAnalysis, x.Captured, err)
	}
	if got := mustRecords(t, s, "x", arm, 1, 0, 0, 1); len(got) != 3 {
		t.Errorf("%d months once nothing is cancelled, want 3", len(got))
	}
}

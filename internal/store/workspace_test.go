package store_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"econ-mcp/internal/store"
)

func TestWorkspaces(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	for i, data := range [][]byte{nil, {0, 1, 2}, {3}} {
		if data != nil {
			mustEdit(t, s, "ada", data)
		}
		got, revision, err := s.Workspace(t.Context(), "ada", 0)
		if err != nil || !slices.Equal(got, data) || (got == nil) != (data == nil) || revision != int64(i) {
			t.Errorf("workspace %v, revision %d, %v; want %v", got, revision, err, data)
		}
		if again, r, err := s.Workspace(t.Context(), "ada", revision); again != nil || r != revision || err != nil {
			t.Errorf("who knows revision %d is told %v, %d, %v", revision, again, r, err)
		}
	}
	refusal := errors.New("no")
	if _, err := s.EditWorkspace(t.Context(), "ada", func([]byte, int64) ([]byte, error) { return []byte{4}, refusal }); err != refusal {
		t.Errorf("refused edit: %v", err)
	}
	if got, revision, err := s.Workspace(t.Context(), "ada", 0); !slices.Equal(got, []byte{3}) || revision != 2 || err != nil {
		t.Errorf("after a refused edit: %v, %d, %v", got, revision, err)
	}
	if got, revision, err := s.Workspace(t.Context(), "Ada", 0); got != nil || revision != 0 || err != nil {
		t.Errorf("another workspace holds %v, %v", got, err)
	}
}

func mustEdit(tb testing.TB, s *store.Store, name string, data []byte) {
	tb.Helper()
	_, err := s.EditWorkspace(tb.Context(), name, func([]byte, int64) ([]byte, error) { return data, nil })
	must(tb, err)
}

// Two stores on one folder, as two processes have them: no edit is lost.
func TestWorkspaceOfTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 2 {
		s := mustOpen(t, dir)
		wg.Go(func() {
			for range 20 {
				_, err := s.EditWorkspace(t.Context(), "ada", func(data []byte, _ int64) ([]byte, error) { return append(data, 'x'), nil })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if data, revision, err := mustOpen(t, dir).Workspace(t.Context(), "ada", 0); len(data) != 40 || revision != 40 || err != nil {
		t.Errorf("%d edits, revision %d, %v", len(data), revision, err)
	}
}

// BenchmarkKnownWorkspace is what every read of a workspace asks first.
func BenchmarkKnownWorkspace(b *testing.B) {
	s := mustOpen(b, b.TempDir())
	mustEdit(b, s, "ada", make([]byte, 10<<10))
	for b.Loop() {
		_, _, err := s.Workspace(b.Context(), "ada", 1)
		must(b, err)
	}
}

// BenchmarkSmallWrite keeps a workspace: one durable transaction.
func BenchmarkSmallWrite(b *testing.B) {
	s := mustOpen(b, b.TempDir())
	for b.Loop() {
		mustEdit(b, s, "ada", []byte("vat_rate: 0.1"))
	}
}

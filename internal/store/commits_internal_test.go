package store

import (
	"fmt"
	"testing"
)

// While nothing is committed the state is the same, and nobody has to ask the database.
func TestStateOfTheDatabase(t *testing.T) {
	if !isShared {
		t.Skip("the state is not known on this system")
	}
	dir := t.TempDir()
	var stores []*Store
	for range 2 {
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stores = append(stores, s)
	}
	s, other := stores[0], stores[1]
	state := func() header {
		t.Helper()
		state, ok := s.commits.state()
		if again, known := s.commits.state(); !ok || !known || again != state {
			t.Fatalf("state %v %v, then %v %v", state, ok, again, known)
		}
		return state
	}
	seen := map[header]bool{}
	for i := range 10 {
		before := state()
		if _, err := s.WorkspaceRevision("ada"); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.commits.revision(before, "ada"); !ok || state() != before {
			t.Error("to ask changes the state, or is not remembered")
		}
		if _, err := other.EditWorkspace(fmt.Sprint(i), func([]byte, int64) ([]byte, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
		if seen[before] || state() == before {
			t.Error("a commit leaves the state as it was")
		}
		seen[before] = true
	}
	for i := range 2 * mostRevisions {
		s.commits.remember(state(), fmt.Sprint(i), 1)
	}
	if n := len(s.commits.revisions); n > mostRevisions {
		t.Errorf("%d revisions are remembered", n)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	state() // the file is still open
	if n := s.commits.file.users; n != 1 {
		t.Errorf("the file has %d users", n)
	}
}

package store

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// Connections are lent to more readers than there are, survive wrong queries, and see what
// was written since they were last used.
func TestReaders(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	count := func(query string) (n int, err error) {
		err = s.read(context.Background(), func(tx querier) error { return tx.QueryRow(query).Scan(&n) })
		return n, err
	}
	var asking sync.WaitGroup
	for i := range 3 * readers {
		asking.Go(func() {
			for k := range 20 {
				if n, err := count(fmt.Sprintf("SELECT %d", i*k)); err != nil || n != i*k {
					t.Errorf("SELECT %d: %d, %v", i*k, n, err)
				}
			}
		})
	}
	asking.Wait()
	for written := range 3 {
		if n, err := count("SELECT count(*) FROM workspace"); err != nil || n != written {
			t.Errorf("%d workspaces, %v; want %d", n, err, written)
		}
		if _, err := count("SELECT nothing FROM nowhere"); err == nil {
			t.Error("a wrong query has no error")
		}
		if _, err := s.EditWorkspace(t.Context(), fmt.Sprint(written), func([]byte, int64) ([]byte, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.readers.Stats().OpenConnections; n < 1 || n > readers {
		t.Errorf("%d connections", n)
	}
}

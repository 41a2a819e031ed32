//go:build unix

package host_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

// A server that ends when it is asked to may leave behind what it started.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	program := mustMisbehave(t)
	h := mustHub(t, host.Stdio, "well", func(s *host.Server) {
		s.Command, s.Args = "sh", []string{"-c", `sleep 60 >"$0" & exec "$1" well`, fifo, program}
	})
	ended := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo) // waits for who writes
		if err == nil {
			_, err = io.ReadAll(f) // until nobody does any more
			f.Close()
		}
		ended <- err
	}()
	if err := h.Connect(t.Context(), "sheets"); err != nil {
		t.Fatal(err)
	}
	h.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("what the server started lives on")
	}
}

// What tools were called with is nobody else's business.
func TestCacheIsForTheUserAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host.db")
	s := mustCache(t, path)
	if err := s.Record(host.CallRecord{Server: "s", Tool: "read"}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) < 2 { // the database and its log
		t.Fatal(files, err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
}

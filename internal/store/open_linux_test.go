package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"econ-mcp/internal/store"
)

// asNobody runs f without the rights of root, which may read and write all.
func asNobody(tb testing.TB, f func()) {
	tb.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with its rights
		if err := syscall.Setfsuid(65534); err != nil {
			tb.Error(err)
			return
		}
		f()
	}()
	<-done
}

func TestNoRights(t *testing.T) {
	for name, modes := range map[string]struct{ folder, file os.FileMode }{
		"unreadable folder": {0o000, 0o666},
		"read-only folder":  {0o555, 0o666},
		"unreadable file":   {0o777, 0o000},
		"read-only file":    {0o777, 0o444},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			s, err := store.Open(dir)
			must(t, err)
			must(t, s.Close())
			must(t, os.Chmod(filepath.Join(dir, "locks"), 0o777))
			must(t, os.Chmod(filepath.Join(dir, database), modes.file))
			must(t, os.Chmod(dir, modes.folder))
			defer os.Chmod(dir, 0o777)
			asNobody(t, func() { refused(t, dir, "right") })
		})
	}
}

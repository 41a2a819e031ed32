package store_test

import (
	"io/fs"
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

// What a store makes is for its user alone, whatever the umask; what is there keeps its mode.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	s := mustOpen(t, dir)
	full(t, s, "x", "interrupted")
	if len(sets(t, dir)) == 0 {
		t.Fatal("there is no checkpoint")
	}
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		must(t, err)
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %v", path, mode)
		}
		return nil
	}))
	if info, err := os.Stat(filepath.Join(dir, database+"-wal")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log: %v, %v", info, err)
	}
	shared := filepath.Join(parent, "shared")
	must(t, os.Mkdir(shared, 0o770))
	mustOpen(t, shared)
	if info, err := os.Stat(shared); err != nil || info.Mode().Perm() != 0o770 {
		t.Errorf("the folder that was there: %v, %v", info, err)
	}
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

package main

import (
	"bytes"
	"econ-mcp/internal/app"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
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

// A folder that this user may not write to is refused with exit code 3 and left alone.
func TestReadOnlyFolder(t *testing.T) {
	parent := t.TempDir()
	must(t, os.Chmod(filepath.Dir(parent), 0o755)) // its own rights are meant, not those above
	must(t, os.Chmod(parent, 0o755))
	for name, modes := range map[string]struct{ folder, file os.FileMode }{
		"folder": {0o555, 0o666},
		"file":   {0o777, 0o444},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(parent, name)
			must(t, firstUse(t, dir))
			file := filepath.Join(dir, "econ-mcp.db")
			before, err := os.ReadFile(file)
			must(t, err)
			must(t, os.Chmod(file, modes.file))
			must(t, os.Chmod(dir, modes.folder))
			defer os.Chmod(dir, 0o777)
			for _, command := range []string{"serve", "call list_presets", "rerun x"} {
				asNobody(t, func() {
					var stdout, stderr bytes.Buffer
					args := append(strings.Fields(command), "--data", dir)
					if code := execute(t.Context(), args, &stdout, &stderr); code != exitStore {
						t.Errorf("%s: exit code %d, want %d", command, code, exitStore)
					}
					if stdout.Len() > 0 || !strings.Contains(stderr.String(), "give this user the right to") || !strings.Contains(stderr.String(), dir) {
						t.Errorf("%s: stdout %q, stderr %q", command, stdout.String(), stderr.String())
					}
				})
			}
			after, err := os.ReadFile(file)
			must(t, err)
			if !bytes.Equal(before, after) {
				t.Error("the database is another one now")
			}
		})
	}
}

// firstUse makes a data folder.
func firstUse(tb testing.TB, dir string) error {
	tb.Helper()
	a, err := app.Open(dir, app.Options{})
	if err != nil {
		return err
	}
	return a.Close()
}

package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

const database = "econ-mcp.db"

// refused opens a store that cannot be opened, and checks the words of the
// error and that no file in the folder has changed.
func refused(tb testing.TB, dir string, words ...string) {
	tb.Helper()
	before := contents(tb, dir)
	s, err := store.Open(dir)
	if err == nil {
		s.Close()
		tb.Fatal("it was opened")
	}
	var e *store.OpenError
	if !errors.As(err, &e) || !strings.HasPrefix(e.Path, dir) || e.Reason == "" {
		tb.Fatalf("error %#v", err)
	}
	for _, word := range append(words, "--data") {
		if !strings.Contains(err.Error(), word) {
			tb.Errorf("error %q does not mention %q", err, word)
		}
	}
	after := contents(tb, dir)
	for name, data := range before {
		if after[name] != data {
			tb.Errorf("%s is another file now", name)
		}
	}
}

// contents reads the database and its log.
func contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := make(map[string]string)
	for _, name := range []string{database, database + "-wal", database + "-journal"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			files[name] = string(data)
		}
	}
	return files
}

func mustExec(tb testing.TB, dir string, statements ...string) {
	tb.Helper()
	db := mustRaw(tb, dir)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			tb.Fatal(statement, err)
		}
	}
}

func TestNotADatabase(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, database), []byte(strings.Repeat("some text\n", 1000)), 0o644))
	refused(t, dir, "not a database")
}

func TestDatabaseOfAnotherProgram(t *testing.T) {
	dir := t.TempDir()
	mustExec(t, dir, "CREATE TABLE bookmark (url TEXT)")
	refused(t, dir, "another program")
	mustExec(t, dir, "PRAGMA application_id = 0x45434F4E")
	refused(t, dir, "another program")
}

func TestDamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	must(t, err)
	must(t, s.Close())
	f, err := os.OpenFile(filepath.Join(dir, database), os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("\xff", 4000)), 100) // where the schema is
	must(t, errors.Join(err, f.Close()))
	refused(t, dir, "damaged", "restore")
}

// A database whose content was cut off, wholly or in part, is refused, and never taken for a
// new one.
func TestCutDatabase(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	must(t, err)
	full(t, s, "x", "completed")
	must(t, s.Close())
	path := filepath.Join(dir, database)
	whole, err := os.Stat(path)
	must(t, err)
	for _, cut := range []int64{whole.Size() - 1, whole.Size() / 2, 16384, 50} {
		must(t, os.Truncate(path, cut))
		refused(t, dir, "restore a copy")
	}
	must(t, os.Truncate(path, 0))
	refused(t, dir, "empty", "cut off", "restore a copy", "move it away")
}

// What was written last may be in the log alone: without its database it is not thrown away.
func TestLogWithoutDatabase(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir)
	alone := t.TempDir()
	must(t, os.WriteFile(filepath.Join(alone, database+"-wal"), []byte(contents(t, dir)[database+"-wal"]), 0o644))
	refused(t, alone, "missing", database+"-wal", "put the database back")
	must(t, os.Truncate(filepath.Join(alone, database+"-wal"), 0)) // it holds nothing
	mustOpen(t, alone)
}

func TestFileIsAFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, database), 0o755))
	refused(t, dir, "folder")
}

func TestFolderIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(file, nil, 0o644))
	refused(t, file, "not a directory")
	refused(t, filepath.Join(file, "below"), "not a directory")
}

func TestNewerSchema(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	must(t, err)
	mustCreate(t, s, "x")
	must(t, s.Close())
	mustExec(t, dir, "PRAGMA user_version = 99")
	refused(t, dir, "newer", "99")

	// What a crash leaves: the newer version is still in the log.
	must(t, os.Remove(filepath.Join(dir, database)))
	s, err = store.Open(dir)
	must(t, err)
	defer s.Close()
	raw := mustRaw(t, dir)
	defer raw.Close()
	_, err = raw.Exec("PRAGMA user_version = 99")
	must(t, err)
	crashed := t.TempDir()
	for name, data := range contents(t, dir) {
		must(t, os.WriteFile(filepath.Join(crashed, name), []byte(data), 0o644))
	}
	if len(contents(t, crashed)[database+"-wal"]) == 0 {
		t.Fatal("nothing is in the log: the test shows nothing")
	}
	refused(t, crashed, "newer", "99")
}

// TestLocked: another program holds the lock that writers, or even readers,
// need.
func TestLocked(t *testing.T) {
	for name, statements := range map[string][]string{
		"writers": {"BEGIN IMMEDIATE"},
		"all":     {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := store.Open(dir)
			must(t, err)
			must(t, s.Close())
			raw := mustRaw(t, dir)
			defer raw.Close()
			for _, statement := range statements {
				_, err := raw.Exec(statement)
				must(t, err)
			}
			refused(t, dir, "locked", "close the program")
			raw.Close()
			mustOpen(t, dir)
		})
	}
}

// TestOpenedAtOnce: processes that make the same folder at the same moment.
func TestOpenedAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "a folder %20?#")
	var wg sync.WaitGroup
	done := make(chan struct{})
	go func() { // what a kill at any moment would leave
		for {
			if info, err := os.Stat(filepath.Join(dir, database)); err == nil && info.Size() == 0 {
				t.Error("the file has no content when it appears")
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}()
	for range 6 {
		wg.Go(func() { mustOpen(t, dir) })
	}
	wg.Wait()
	close(done)
	if _, err := os.Stat(filepath.Join(dir, database)); errors.Is(err, fs.ErrNotExist) {
		t.Error("the file is elsewhere")
	}
}

// What makes a folder unusable, found after its database was opened, is told with the next
// move of who found it.
func TestUnusableFolder(t *testing.T) {
	known := fault.New(fault.InvalidState, "", "host.db was written by a newer program")
	known.Hint = "install the newer program"
	for want, err := range map[string]error{
		"cannot open /data: host.db was written by a newer program; install the newer program, or choose another folder with --data": known,
		"cannot open /data: no space; check its permissions and free space, or choose another folder with " +
			"--data": errors.New("no space"),
	} {
		if got := store.Unusable("/data", err).Error(); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

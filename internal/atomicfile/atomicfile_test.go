package atomicfile_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/atomicfile"
)

// writerOf names a file that this test binary, run again as another process, begins to write.
const writerOf = "ECON_MCP_ATOMICFILE_WRITER"

func TestMain(m *testing.M) {
	path := os.Getenv(writerOf)
	if path == "" {
		os.Exit(m.Run())
	}
	f, err := atomicfile.Create(path, 0o600)
	if err == nil {
		_, err = f.Write([]byte("half"))
	}
	fmt.Println(err)
	io.Copy(io.Discard, os.Stdin)
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// names lists a folder.
func names(tb testing.TB, folder string) (list []string) {
	tb.Helper()
	entries, err := os.ReadDir(folder)
	must(tb, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func wantContent(tb testing.TB, path, want string) {
	tb.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		tb.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}

// mustWriter starts a process that is in the middle of writing a file.
func mustWriter(tb testing.TB, path string) *os.Process {
	tb.Helper()
	writer := exec.Command(os.Args[0])
	writer.Env = append(os.Environ(), writerOf+"="+path)
	_, err := writer.StdinPipe() // it never ends
	must(tb, err)
	out, err := writer.StdoutPipe()
	must(tb, err)
	must(tb, writer.Start())
	tb.Cleanup(func() { writer.Process.Kill(); writer.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "<nil>" {
		tb.Fatal(lines.Text())
	}
	return writer.Process
}

func TestPutIntoPlace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.yaml")
	must(t, atomicfile.WriteFile(path, []byte("one"), 0o600, false))
	if err := atomicfile.WriteFile(path, []byte("two"), 0o600, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	wantContent(t, path, "one")
	must(t, atomicfile.WriteFile(path, []byte("three"), 0o640, true))
	wantContent(t, path, "three")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	f, err := atomicfile.Create(path, 0o600)
	must(t, err)
	_, err = f.Write([]byte("four"))
	must(t, err)
	f.Discard()
	wantContent(t, path, "three")
	if got := names(t, folder); !slices.Equal(got, []string{"a.yaml"}) {
		t.Errorf("the folder has %v", got)
	}
}

// Of many who give a new file the same name, one does.
func TestAddedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var writers sync.WaitGroup
	added := make(chan string, 20)
	for i := range cap(added) {
		writers.Go(func() {
			text := fmt.Sprint(i)
			switch err := atomicfile.WriteFile(path, []byte(text), 0o600, false); {
			case err == nil:
				added <- text
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	writers.Wait()
	if len(added) != 1 {
		t.Fatalf("%d have added it", len(added))
	}
	wantContent(t, path, <-added)
}

// What a killed process was writing is removed, what another one is writing is not.
func TestLeftByAKilledProcess(t *testing.T) {
	folder := t.TempDir()
	writer := mustWriter(t, filepath.Join(folder, "a"))
	if left, err := atomicfile.Sweep(folder); len(left) > 0 || err != nil {
		t.Errorf("of a process that lives: %v, %v", left, err)
	}
	if got := names(t, folder); len(got) != 1 || !atomicfile.IsTemporary(got[0]) {
		t.Fatalf("the folder has %v", got)
	}
	must(t, writer.Kill())
	writer.Wait()
	if left, err := atomicfile.Abandoned(folder); len(left) != 1 || left[0].Bytes == 0 || !strings.HasPrefix(left[0].Path, folder) || err != nil {
		t.Errorf("of a process that is dead are listed: %v, %v", left, err)
	}
	if left, err := atomicfile.Sweep(folder); len(left) != 1 || err != nil {
		t.Errorf("of a process that is dead: %v, %v", left, err)
	}
	if got := names(t, folder); len(got) > 0 {
		t.Errorf("the folder has %v", got)
	}
	if left, err := atomicfile.Sweep(filepath.Join(folder, "none")); len(left) > 0 || err != nil {
		t.Errorf("a folder that does not exist: %v, %v", left, err)
	}
}

// The next who writes a file removes what is left of it, and of no other.
func TestNextWriterRemovesWhatIsLeft(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a", "b"} {
		writer := mustWriter(t, filepath.Join(folder, name))
		must(t, writer.Kill())
		writer.Wait()
	}
	must(t, atomicfile.WriteFile(filepath.Join(folder, "a"), nil, 0o600, true))
	if got := names(t, folder); len(got) != 2 || !strings.HasPrefix(got[0], ".new-b-") || got[1] != "a" {
		t.Errorf("the folder has %v", got)
	}
}

// Files are written while others sweep the folder all the time.
func TestWrittenWhileSwept(t *testing.T) {
	folder := t.TempDir()
	done := make(chan struct{})
	var sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if _, err := atomicfile.Sweep(folder); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for i := range 100 {
		must(t, atomicfile.WriteFile(filepath.Join(folder, fmt.Sprint(i%3)), []byte(fmt.Sprint(i)), 0o600, true))
	}
	close(done)
	sweepers.Wait()
	wantContent(t, filepath.Join(folder, "0"), "99")
}

package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"econ-mcp/internal/store"
)

// editorFolder names the folder in which this test binary, run again as another process,
// edits the workspace ada once for each line of its input. It prints the revision.
const editorFolder = "ECON_MCP_STORE_EDITOR"

func edit(dir string) {
	s, err := store.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(s.EditWorkspace(context.Background(), "ada", func(data []byte, _ int64) ([]byte, error) { return append(data, 'x'), nil }))
	}
}

// An edit that another process has made is seen by the next who asks, whatever was
// remembered, also after the log has begun anew, and while stores of this process come and go.
func TestEditsOfAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	s, raw := mustOpen(t, dir), mustRaw(t, dir)
	defer raw.Close()
	editor := exec.Command(os.Args[0])
	editor.Env = append(os.Environ(), editorFolder+"="+dir)
	in, err := editor.StdinPipe()
	must(t, err)
	out, err := editor.StdoutPipe()
	must(t, err)
	must(t, editor.Start())
	defer editor.Process.Kill()
	lines := bufio.NewScanner(out)

	revision := int64(0)
	wantRevision := func() {
		t.Helper()
		for range 3 {
			if data, got, err := s.Workspace(t.Context(), "ada", revision); data != nil || got != revision || err != nil {
				t.Fatalf("revision %d, %v; want %d", got, err, revision)
			}
		}
	}
	for i := range 40 {
		wantRevision()
		switch i % 5 {
		case 1:
			mustEdit(t, s, "ada", []byte("own"))
		case 2:
			other, err := store.Open(dir)
			must(t, err)
			mustEdit(t, other, "ada", []byte("other"))
			must(t, other.Close())
		case 3:
			_, err := raw.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
			must(t, err)
			wantRevision()
			fallthrough
		default:
			fmt.Fprintln(in)
			lines.Scan()
			if lines.Text() != strconv.FormatInt(revision+1, 10)+" <nil>" {
				t.Fatalf("the other process says %q", lines.Text())
			}
		}
		revision++
		wantRevision()
	}
	must(t, in.Close())
	must(t, editor.Wait())
	wantRevision()
}

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"econ-mcp/internal/fault"
)

// fullDevice takes some bytes and then no more.
type fullDevice struct{ room int }

func (d *fullDevice) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return 0, syscall.ENOSPC
	}
	d.room -= len(p)
	return len(p), nil
}

func TestFullDevice(t *testing.T) {
	small := " --households 600 --burn-in 0 --months 12"
	for _, args := range []string{
		"presets", "presets --json", "presets baseline", "params", "params vat_rate", "params --json", "help", "--version",
		"run --no-cache" + small, "run --no-cache --format csv" + small, "run --no-cache --format json" + small,
		"validate --no-cache --replications 1" + small, "bench --households 600 --months 1",
	} {
		var stderr bytes.Buffer
		if code := execute(t.Context(), strings.Fields(args), &fullDevice{room: 10}, &stderr); code != exitFailure {
			t.Errorf("%s: exit code %d, want %d", args, code, exitFailure)
		}
		if got := stderr.String(); !strings.Contains(got, syscall.ENOSPC.Error()) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: stderr %q", args, got)
		}
	}
}

// mustWrite opens the output, writes text and gives it its name.
func mustWrite(tb testing.TB, path, text string) {
	tb.Helper()
	o, err := openOutput("--out", path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer o.discard()
	if _, err := io.WriteString(o, text); err != nil {
		tb.Fatal(err)
	}
	if err := o.commit(); err != nil {
		tb.Fatal(err)
	}
}

// names lists the files of a folder.
func names(tb testing.TB, dir string) string {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestOutputKeepsWhatItNames(t *testing.T) {
	dir := t.TempDir()
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{link: "file", dangling: "new"} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, link, "through the link")
	mustWrite(t, dangling, "made")
	for path, want := range map[string]string{file: "through the link", link: "through the link", filepath.Join(dir, "new"): "made"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
		}
	}
	if info, err := os.Lstat(file); err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, want 0640", info.Mode())
	}
	if got := names(t, dir); got != "dangling file link new" {
		t.Errorf("files %s", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}

func TestOutputToPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openOutput("--out", pipe, nil); err != nil { // and it does not wait for a reader
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		data, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- string(data)
	}()
	mustWrite(t, pipe, "result")
	if got := <-read; got != "result" {
		t.Errorf("the pipe got %q", got)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error("the pipe was replaced")
	}
}

func TestOutputRemovesWhatIsIncomplete(t *testing.T) {
	dir := t.TempDir()
	o, err := openOutput("--out", filepath.Join(dir, "result"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "" {
		t.Errorf("made before anything is written: %s", got)
	}
	if err := o.open(); err != nil {
		t.Fatal(err)
	}
	o.Writer = &fullDevice{}
	io.WriteString(o, "too much")
	if err := o.commit(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("commit after a failed write: %v", err)
	}
	o.discard()
	if got := names(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

func TestInterruptedLeavesNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for burnIn, want := range map[string]string{
		"0":  `econ-mcp: interrupted in month 1 of 24, arm "baseline", replication 1 (seed 1)`,
		"12": `econ-mcp: interrupted in burn-in month 1 of 12, arm "baseline", replication 1 (seed 1)`,
	} {
		dir := t.TempDir()
		args := []string{"run", "--households", "600", "--months", "24", "--no-cache", "--burn-in", burnIn, "--out", filepath.Join(dir, "result")}
		var stderr bytes.Buffer
		if code := execute(ctx, args, io.Discard, &stderr); code != exitInterrupted || strings.TrimSpace(stderr.String()) != want {
			t.Errorf("exit code %d, stderr %s\nwant %s", code, stderr.String(), want)
		}
		if got := names(t, dir); got != "" {
			t.Errorf("left behind: %s", got)
		}
	}
}

func TestUnusable(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind fault.Kind
	}{
		{&os.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, fault.NotFound},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, fault.InvalidState},
		{errFolder, fault.InvalidState},
	} {
		if err := unusable("--out", "x", c.err); fault.KindOf(err) != c.kind || exitCode(err) != exitUsage {
			t.Errorf("%v: %v, want %s", c.err, err, c.kind)
		}
	}
}

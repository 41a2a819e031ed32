package sweep_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
)

func keptPlan(t *testing.T, text, folder string) *sweep.Plan {
	t.Helper()
	d, err := sweep.Read([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.KeptPlan(t.Context(), d, builtIn{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func indexPath(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "plan-*.index"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	return files[0]
}

// Workers that read the index of a plan find the same economies as those that make it.
func TestIndexIsThePlan(t *testing.T) {
	whole := plan(t, tiny)
	without := t.TempDir()
	work(t, whole, without, sweep.Shard{I: 1, N: 1}, 2)
	want := results(t, whole, without)

	folder := t.TempDir()
	for i := 1; i <= 3; i++ {
		p := keptPlan(t, tiny, folder)
		if made := p.Runs[0].Scenario != nil; made != (i == 1) {
			t.Errorf("shard %d: all was planned: %v", i, made)
		}
		work(t, p, folder, sweep.Shard{I: i, N: 3}, 2)
	}
	if got := results(t, whole, folder); !reflect.DeepEqual(got, want) {
		t.Errorf("by index %v, by plan %v", got.Values, want.Values)
	}
	if got := results(t, keptPlan(t, tiny, folder), folder); !reflect.DeepEqual(got, want) {
		t.Errorf("by index %v, by plan %v", got.Values, want.Values)
	}
	// Another design in the same folder has an index of its own.
	other := strings.Replace(tiny, "points: 12", "points: 13", 1)
	if p := keptPlan(t, other, folder); len(p.Points) != 13 {
		t.Errorf("%d points", len(p.Points))
	}
}

// An index that is broken is made again; one that is whole and wrong is refused before anything is recorded.
func TestIndexThatIsWrong(t *testing.T) {
	folder := t.TempDir()
	whole := keptPlan(t, tiny, folder)
	path := indexPath(t, folder)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{
		"torn": good[:len(good)/2], "a bit": bytes.Replace(good, []byte("a"), []byte("b"), 1), "empty": {}, "zeros": make([]byte, len(good)),
		"another design": plan(t, strings.Replace(tiny, "points: 12", "points: 13", 1)).Index(),
	} {
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if p := keptPlan(t, tiny, folder); p.Runs[0].Scenario == nil {
			t.Errorf("%s: it was used", name)
		}
		if mended, err := os.ReadFile(path); err != nil || !bytes.Equal(mended, good) {
			t.Errorf("%s: it was not made again: %v", name, err)
		}
	}

	if err := os.WriteFile(path, whole.Index(2, 7), 0o644); err != nil {
		t.Fatal(err)
	}
	p := keptPlan(t, tiny, folder)
	_, err = sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: folder, Threads: 2}.Run(t.Context())
	if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != fault.Conflict || !strings.Contains(e.Hint, filepath.Base(path)) {
		t.Errorf("%v", err)
	}
	for key := range mustLoad(t, folder) {
		known := false
		for _, r := range whole.Runs {
			known = known || r.Key() == key
		}
		if !known {
			t.Errorf("economy %s was recorded and is in no plan", key)
		}
	}
}

// A worker waits for another one of its shard as long as it is told to.
func TestWorkerWaits(t *testing.T) {
	p, folder := plan(t, tiny), t.TempDir()
	lock := flock.New(filepath.Join(folder, "shard-1-of-9.runs.lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	w := sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 9}, Folder: folder, Threads: 1, Wait: time.Millisecond}
	if _, err := w.Run(t.Context()); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("somebody writes: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	w.Wait = time.Hour
	if _, err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted while it waits: %v", err)
	}
	done := make(chan error)
	go func() {
		n, err := w.Run(t.Context())
		if err == nil && n == 0 {
			err = errors.New("it simulated nothing")
		}
		done <- err
	}()
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

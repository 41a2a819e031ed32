package run_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/run"
)

// slowDisk takes a checkpoint's first bytes only when it is told to.
type slowDisk struct {
	*journal
	once    sync.Once
	writing chan struct{} // closed with the first bytes
	goOn    chan struct{}
	ended   chan error // of writing the checkpoint
}

func (d *slowDisk) Record(e run.Event) error {
	due, ok := e.(run.CheckpointDue)
	if !ok {
		return d.journal.Record(e)
	}
	err := due.Write(0, 0, d)
	d.once.Do(func() { d.ended <- err })
	return err
}

func (d *slowDisk) Write(p []byte) (int, error) {
	select {
	case <-d.writing:
	default:
		close(d.writing)
	}
	<-d.goOn
	return len(p), nil
}

// A checkpoint that is being written when the time of Close is over is given up: nobody
// waits for it.
func TestCloseGivesUpCheckpoints(t *testing.T) {
	m := run.NewManager(run.Settings{CheckpointEvery: time.Nanosecond})
	d := &slowDisk{journal: newJournal(), writing: make(chan struct{}), goOn: make(chan struct{}), ended: make(chan error, 1)}
	p := plan(t, "x", endless, d.journal)
	p.Recorder = d
	mustStart(t, m, p)
	<-d.writing
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close: %v", err)
	}
	close(d.goOn)
	if err := <-d.ended; err == nil {
		t.Error("the checkpoint was written to its end")
	}
	<-d.over
	if h := d.history(); h[len(h)-1] != "interrupted" {
		t.Errorf("states %v", h)
	}
}

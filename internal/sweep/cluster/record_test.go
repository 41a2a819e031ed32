package cluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// A result that cannot be written stays with the broker; one that contradicts what is recorded does not.
func TestUnwrittenResultComesAgain(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	stream, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "SENT", Subjects: []string{"sent"}})
	if err != nil {
		t.Fatal(err)
	}
	from, err := stream.CreateConsumer(t.Context(), jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	of := p.Runs[0]
	sent := func(state string) jetstream.Msg {
		t.Helper()
		_, err := js.Publish(t.Context(), "sent", pack(t, yield{"worker", []*sweep.Record{
			{Key: of.Key(), Model: sim.ModelVersion, Seed: of.Seed, Months: of.Months, State: state},
		}}))
		if err != nil {
			t.Fatal(err)
		}
		m, err := from.Next()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	into, err := sweep.NewRecorder(folder, "results")
	if err != nil {
		t.Fatal(err)
	}
	s := submitTo(t, url, p, folder)
	if err := s.Enter(into, sent("aaaa")); err != nil {
		t.Fatal(err)
	}
	m := sent("bbbb")
	if err := s.Enter(into, m); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another result: %v", err)
	}
	if err := m.Ack(); !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
		t.Errorf("another result would come again: %v", err)
	}
	evidence := filepath.Join(folder, "differing.json")
	if err := os.Remove(evidence); err != nil {
		t.Error(err)
	}

	if err := into.Close(); err != nil { // writing fails from here on
		t.Fatal(err)
	}
	of = p.Runs[1]
	m = sent("cccc")
	if err := s.Enter(into, m); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a result that cannot be written: %v", err)
	}
	if err := m.Ack(); err != nil {
		t.Errorf("a result that cannot be written was given back: %v", err)
	}
	if _, err := os.Stat(evidence); err == nil {
		t.Error("a result that cannot be written counts as a contradiction")
	}
}

// A sweep that was begun with a broker and ended without it leaves nothing there.
func TestEndedElsewhere(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	s := submitTo(t, url, p, folder)
	stopped, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.Run(stopped)
		ended <- err
	}()
	left := func() uint64 {
		tasks, err := js.Stream(t.Context(), "ECON_TASKS")
		if err != nil {
			return 0
		}
		return tasks.CachedInfo().State.Msgs
	}
	for t.Context().Err() == nil && left() < uint64(tasksOf(t, p, folder)) {
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := (sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: folder}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Run(t.Context()); n != 0 || err != nil || left() != 0 {
		t.Errorf("%d recorded, %d tasks left: %v", n, left(), err)
	}
}

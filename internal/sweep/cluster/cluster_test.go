package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/broker"
	"econ-mcp/internal/sweep/cluster"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const design = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}]
  design: {months: 4, replications: 2, burn_in: 6}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  wage_adjustment_rate: {from: 0.05, to: 0.1}
design: {kind: latin_hypercube, points: 24}
`

func mustPlan(t *testing.T) *sweep.Plan {
	t.Helper()
	d, err := sweep.Read([]byte(design), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.NewPlan(t.Context(), d, builtIn{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// found is what is recorded of a plan, in the text that users get.
func found(t *testing.T, p *sweep.Plan, folder string) string {
	t.Helper()
	known, err := sweep.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Results(known)
	if err != nil {
		t.Fatal(err)
	}
	points, _, err := p.Files(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(points)
}

// lines is how many records the files of a folder hold.
func lines(t *testing.T, folder string) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.runs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		n += strings.Count(string(text), "\n")
	}
	return n
}

var locally = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "sweep-") })

// local is what a local run of the plan finds.
func local(t *testing.T, p *sweep.Plan) string {
	t.Helper()
	folder, err := locally()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: folder}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return found(t, p, folder)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if folder, err := locally(); err == nil {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// logged is a log of a test.
func logged(t *testing.T, name string) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})).With("process", name)
}

// mustStart starts a broker; an address of port 0 takes a free one.
func mustStart(t *testing.T, folder, addr string) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Config{Addr: addr, Folder: folder, Log: logged(t, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// ackWait is short enough that a task of a worker that is gone is soon another one's.
const ackWait = 2 * time.Second

func submitTo(t *testing.T, url string, p *sweep.Plan, folder string) cluster.Submit {
	return cluster.Submit{
		Plan: p, Folder: folder, Broker: cluster.Address{URL: url}.As("--on"), AgentMonths: 2 * 600 * 1.2 * 10,
		AckWait: ackWait, Log: logged(t, "submitter"),
	}
}

// hire starts workers and returns how to end them.
func hire(t *testing.T, url, name string) (end func() error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := cluster.Worker{Broker: cluster.Address{URL: url}.As("--connect"), Threads: 1, Log: logged(t, name)}.Run(ctx)
		ended <- err
	}()
	var once sync.Once
	var err error
	end = func() error {
		once.Do(func() { stop(); err = <-ended })
		return err
	}
	t.Cleanup(func() { end() })
	return end
}

func mustJetStream(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// Two workers, of whom one ends in the middle, and a broker that is restarted: what is recorded is what a local run finds, each run once.
func TestWorkersMakeTheWhole(t *testing.T) {
	p, folder, kept := mustPlan(t), t.TempDir(), t.TempDir()
	b := mustStart(t, kept, "127.0.0.1:0")
	url := b.URL()
	first := hire(t, url, "first")
	hire(t, url, "second")
	s := submitTo(t, url, p, folder)
	step := 0
	s.Progress = func(done, of int) {
		if step == 0 && done >= of/4 {
			step++
			if err := first(); err != nil {
				t.Errorf("a worker that was told to end: %v", err)
			}
		}
		if step == 1 && done >= of/2 {
			step++
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			b = mustStart(t, kept, strings.TrimPrefix(url, "nats://"))
		}
	}
	n, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n != len(p.Runs) || lines(t, folder) != n || step != 2 {
		t.Errorf("%d of %d recorded in %d lines, %d interruptions", n, len(p.Runs), lines(t, folder), step)
	}
	if got, want := found(t, p, folder), local(t, p); got != want {
		t.Errorf("found\n%s\na local run\n%s", got, want)
	}
	// Nothing is left with the broker, and the same command has nothing to do.
	js := mustJetStream(t, url)
	for _, name := range []string{"ECON_TASKS", "ECON_RESULTS", "ECON_FAILED"} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if left := stream.CachedInfo().State.Msgs; left != 0 {
			t.Errorf("%s has %d messages", name, left)
		}
	}
	if n, err := s.Run(t.Context()); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

// A submitter that is stopped goes on: what workers found meanwhile is recorded, and nothing is sent twice.
func TestSubmitterComesBack(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	s := submitTo(t, url, p, folder)
	// No worker yet: all tasks wait.
	go func() {
		defer stop()
		for stopped.Err() == nil {
			if tasks, err := js.Stream(stopped, "ECON_TASKS"); err == nil && tasks.CachedInfo().State.Msgs >= uint64(tasksOf(t, p, folder)) {
				return
			}
		}
	}()
	if n, err := s.Run(stopped); n != 0 || !errors.Is(err, context.Canceled) {
		t.Fatalf("%d recorded, %v", n, err)
	}
	tasks, err := js.Stream(t.Context(), "ECON_TASKS")
	if err != nil {
		t.Fatal(err)
	}
	sent := tasks.CachedInfo().State.LastSeq
	hire(t, url, "worker")
	n, err := s.Run(t.Context())
	if err != nil || n != len(p.Runs) || lines(t, folder) != n {
		t.Errorf("%d of %d recorded in %d lines: %v", n, len(p.Runs), lines(t, folder), err)
	}
	if found(t, p, folder) != local(t, p) {
		t.Error("another result than a local run")
	}
	if tasks, err = js.Stream(t.Context(), "ECON_TASKS"); err != nil || tasks.CachedInfo().State.LastSeq != sent {
		t.Errorf("%d tasks were sent at first, and then %d, %v", sent, tasks.CachedInfo().State.LastSeq, err)
	}
}

// tasksOf is how many parts a sweep has, by its ledger.
func tasksOf(t *testing.T, p *sweep.Plan, folder string) int {
	files, err := filepath.Glob(filepath.Join(folder, "nats-*.json"))
	if err != nil || len(files) != 1 {
		return 1 << 30
	}
	var l struct {
		AgentMonths float64 `json:"agent_months"`
	}
	if text, err := os.ReadFile(files[0]); err != nil || json.Unmarshal(text, &l) != nil {
		return 1 << 30
	}
	return len(p.Parts(l.AgentMonths))
}

// A broker that lost its tasks and results, as after a power cut: they are sent again.
func TestLostTasksAreSentAgain(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	hire(t, url, "worker")
	s, lost := submitTo(t, url, p, folder), false
	s.AckWait = 500 * time.Millisecond
	js := mustJetStream(t, url)
	s.Progress = func(done, of int) {
		if lost {
			return
		}
		lost = true
		for _, name := range []string{"ECON_TASKS", "ECON_RESULTS"} {
			stream, err := js.Stream(t.Context(), name)
			if err == nil {
				err = stream.Purge(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	if n, err := s.Run(t.Context()); err != nil || n != len(p.Runs) || !lost {
		t.Errorf("%d of %d: %v", n, len(p.Runs), err)
	}
	if found(t, p, folder) != local(t, p) {
		t.Error("another result than a local run")
	}
}

// pack is a message as processes send it.
func pack(t *testing.T, message any) []byte {
	t.Helper()
	text, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	out, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.EncodeAll(text, nil)
}

func unpack(t *testing.T, data []byte, message any) {
	t.Helper()
	in, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := in.DecodeAll(data, nil)
	if err == nil {
		err = json.Unmarshal(text, message)
	}
	if err != nil {
		t.Fatal(err)
	}
}

type order struct {
	Tasks []sweep.Task `json:"tasks"`
}

type yield struct {
	Worker  string          `json:"worker"`
	Records []*sweep.Record `json:"records"`
}

// submitted starts a sweep without workers, and waits until its tasks are there.
func submitted(t *testing.T, s cluster.Submit, js jetstream.JetStream) (ended <-chan error) {
	t.Helper()
	end := make(chan error, 1)
	go func() {
		_, err := s.Run(t.Context())
		end <- err
	}()
	for {
		tasks, err := js.Stream(t.Context(), "ECON_TASKS")
		if err == nil && tasks.CachedInfo().State.Msgs >= uint64(tasksOf(t, s.Plan, s.Folder)) {
			return end
		}
		select {
		case err := <-end:
			t.Fatalf("the sweep ended: %v", err)
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		default:
		}
	}
}

// A task that no worker can carry out ends the sweep with what is wrong, and is given to nobody any more.
func TestPoisonedTask(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	s := submitTo(t, url, p, folder)
	ended := submitted(t, s, js)
	tasks, err := js.Stream(t.Context(), "ECON_TASKS")
	if err != nil {
		t.Fatal(err)
	}
	seq := tasks.CachedInfo().State.FirstSeq
	m, err := tasks.GetMsg(t.Context(), seq)
	if err != nil {
		t.Fatal(err)
	}
	var o order
	unpack(t, m.Data, &o)
	o.Tasks[0].Runs[0].Scenario = strings.Replace(o.Tasks[0].Runs[0].Scenario, "num_households: 600", "num_households: 601", 1)
	if err := tasks.DeleteMsg(t.Context(), seq); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), m.Subject, pack(t, o)); err != nil {
		t.Fatal(err)
	}
	hire(t, url, "worker")
	err = <-ended
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "around point") ||
		!strings.Contains(err.Error(), "has the key") ||
		!strings.Contains(err.Error(), o.Tasks[0].Runs[0].Key) {
		t.Errorf("the sweep ended with %v", err)
	}
	failed, err := js.Stream(t.Context(), "ECON_FAILED")
	if err != nil || failed.CachedInfo().State.Msgs != 1 {
		t.Errorf("dead letters: %+v, %v", failed.CachedInfo().State, err)
	}
	// Who asks again has it tried again.
	if n, err := s.Run(t.Context()); err != nil || lines(t, folder) != len(p.Runs) {
		t.Errorf("%d recorded, %d in all: %v", n, lines(t, folder), err)
	}
	if found(t, p, folder) != local(t, p) {
		t.Error("another result than a local run")
	}
}

// A task whose workers end one after the other ends the sweep too.
func TestTaskThatEndsItsWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes; the others run the same loops")
	}
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	s := submitTo(t, url, p, folder)
	ended := submitted(t, s, js)
	tasks, err := js.Stream(t.Context(), "ECON_TASKS")
	if err != nil {
		t.Fatal(err)
	}
	var name string
	for n := range tasks.ConsumerNames(t.Context()).Name() {
		name = n
	}
	queue, err := tasks.Consumer(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for given := 0; ; given++ {
		select {
		case err := <-ended:
			if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "given to workers 10 times") ||
				!strings.Contains(err.Error(), "around point") {
				t.Errorf("the sweep ended with %v", err)
			}
			return
		default:
		}
		batch, err := queue.FetchNoWait(1)
		if err != nil {
			t.Fatal(err)
		}
		for m := range batch.Messages() {
			if err := m.Nak(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A run that comes to another result is not entered, and the evidence is kept.
func TestDifferingResult(t *testing.T) {
	p, folder := mustPlan(t), t.TempDir()
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	s := submitTo(t, url, p, folder)
	ended := submitted(t, s, js)
	tasks, err := js.Stream(t.Context(), "ECON_TASKS")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tasks.GetMsg(t.Context(), tasks.CachedInfo().State.FirstSeq)
	if err != nil {
		t.Fatal(err)
	}
	var o order
	unpack(t, m.Data, &o)
	of, r := o.Tasks[0], o.Tasks[0].Runs[0]
	name := strings.Split(m.Subject, ".")[3]
	for _, state := range []string{"aaaa", "bbbb"} {
		_, err := js.Publish(t.Context(), "econ.results."+name, pack(t, yield{"odd", []*sweep.Record{
			{Key: r.Key, Model: sim.ModelVersion, Seed: of.Seed, Months: r.Months, State: state},
		}}))
		if err != nil {
			t.Fatal(err)
		}
	}
	err = <-ended
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "came to state bbbb here and to aaaa before") ||
		!strings.Contains(err.Error(), "worker odd") {
		t.Errorf("the sweep ended with %v", err)
	}
	known, err := sweep.Load(folder)
	if err != nil || known[r.Key] == nil || known[r.Key].State != "aaaa" {
		t.Errorf("recorded %+v, %v", known[r.Key], err)
	}
	var kept struct {
		Worker string       `json:"worker"`
		Record sweep.Record `json:"record"`
	}
	text, err := os.ReadFile(filepath.Join(folder, "differing.json"))
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Worker != "odd" || kept.Record.State != "bbbb" {
		t.Errorf("the evidence is %s, %v", text, err)
	}
}

// Another version of the model has no place in a sweep, neither as a worker nor as a sweep beside it.
func TestOtherVersions(t *testing.T) {
	url := mustStart(t, t.TempDir(), "127.0.0.1:0").URL()
	js := mustJetStream(t, url)
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: "ECON_TASKS", Subjects: []string{"econ.tasks.>"}, Metadata: map[string]string{"econ_model_version": "0.0.1"},
		Retention:         jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	w := cluster.Worker{Broker: cluster.Address{URL: url}.As("--connect"), Threads: 1, Log: logged(t, "worker")}
	if _, err := w.Run(t.Context()); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "serves sweeps of model 0.0.1") {
		t.Errorf("the worker: %v", err)
	}
	if _, err := js.Publish(t.Context(), "econ.tasks.0_0_1.x.y", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := submitTo(t, url, mustPlan(t), t.TempDir()).Run(t.Context()); fault.KindOf(err) != fault.Conflict ||
		!strings.Contains(err.Error(), "1 tasks of model 0.0.1") {
		t.Errorf("the sweep: %v", err)
	}
}

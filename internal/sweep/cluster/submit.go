package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// Submit has workers simulate what is not known of a plan, and records it.
type Submit struct {
	Plan   *sweep.Plan
	Folder string // of runs
	Broker Address

	AgentMonths float64       // of a part; 0 = what a thread of this machine does in 1/200 of the time of the whole, 0.25 s to 5 s
	AckWait     time.Duration // after what silence of a worker its task is given to another one; 0 = 20 s
	Log         *slog.Logger
	Progress    func(done, of int) // runs of those that were not known at the start; may be nil, called by one goroutine at a time
}

// submission is one that is going on.
type submission struct {
	Submit
	ledger
	codec
	into    *sweep.Recorder
	conn    *nats.Conn
	js      jetstream.JetStream
	tasks   jetstream.Stream
	results jetstream.Stream
	answers jetstream.Consumer // of the sweep
	runs    map[string]sweep.Run
	file    string // of the recorder, without suffix
}

// Run returns when all runs are recorded, with how many it recorded. When its context is done, workers go on, and whoever runs the same
// plan in the same folder again goes on with what they found. A task that no worker can carry out ends the sweep with its error, and so
// does a run that comes to another result than before, which is put beside the runs, in differing.json.
func (s Submit) Run(ctx context.Context) (recorded int, err error) {
	s.AckWait = cmp.Or(s.AckWait, usualAckWait)
	x := submission{Submit: s, file: "nats-" + s.Plan.Hash[:12], runs: map[string]sweep.Run{}}
	if x.into, err = sweep.NewRecorder(s.Folder, x.file); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, x.into.Close()) }()
	left := 0
	for _, r := range s.Plan.Runs {
		if !x.into.Has(s.Plan, r) {
			x.runs[r.Key()], left = r, left+1
		}
	}
	if left == 0 {
		x.forget(ctx)
		return 0, nil
	}
	if x.codec, err = newCodec(); err != nil {
		return 0, err
	}
	if x.conn, err = s.Broker.connect("econ-mcp sweep "+s.Plan.Hash[:12], s.Log); err != nil {
		return 0, err
	}
	defer x.conn.Close()
	if x.ledger, err = openLedger(s.Folder, x.file, x.partSize); err != nil {
		return 0, err
	}
	after, err := x.open(ctx)
	if err != nil {
		return 0, x.told(err)
	}
	group, ctx := errgroup.WithContext(ctx)
	again := make(chan struct{}, 1)
	again <- struct{}{}
	finished := errors.New("all runs are recorded")
	group.Go(func() error { return x.publish(ctx, again) })
	group.Go(func() error { return x.watch(ctx, after) })
	group.Go(func() error {
		if recorded, err = x.record(ctx, left, again); err == nil {
			err = finished
		}
		return err
	})
	switch err = group.Wait(); {
	case errors.Is(err, finished):
		x.leave(true)
		return recorded, nil
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		s.Log.Info("workers go on; the same command records what they find", "recorded", recorded, "left", left-recorded)
		return recorded, err
	}
	x.leave(false)
	return recorded, x.told(err)
}

// forget takes from the broker what it has of a sweep that was begun there and ended elsewhere, as far as the broker is there.
func (x *submission) forget(ctx context.Context) {
	var err error
	if x.ledger, err = readLedger(x.Folder, x.file); err != nil {
		return // it was not begun there
	}
	if x.conn, err = x.Broker.connect("econ-mcp sweep "+x.Plan.Hash[:12], x.Log); err == nil {
		defer x.conn.Close()
		if x.js, err = jetstream.New(x.conn); err == nil {
			x.tasks, err = x.js.Stream(ctx, tasksStream)
		}
		if err == nil {
			x.results, err = x.js.Stream(ctx, resultsStream)
		}
	}
	if err != nil {
		x.Log.Info("all is known; what the broker has of the sweep stays there", "error", err)
		return
	}
	x.leave(true)
}

// partSize is how many agent-months a part should have.
func (x *submission) partSize() (float64, error) {
	if x.Submit.AgentMonths > 0 {
		return x.Submit.AgentMonths, nil
	}
	speed, err := x.Plan.Speed(1)
	return min(5*speed, max(speed/4, x.Plan.AgentMonths(sweep.Known{})/200)), err
}

// open makes what is not there yet, and forgets tasks that failed: who asks again wants them tried again. It returns the number of the
// first dead letter that is new.
func (x *submission) open(ctx context.Context) (letters uint64, err error) {
	if x.js, err = jetstream.New(x.conn); err != nil {
		return 0, err
	}
	if err = prepare(ctx, x.js, x.AckWait); err != nil {
		return 0, err
	}
	if x.tasks, err = x.js.Stream(ctx, tasksStream); err != nil {
		return 0, err
	}
	if x.results, err = x.js.Stream(ctx, resultsStream); err != nil {
		return 0, err
	}
	x.answers, err = x.results.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "sweep-" + x.Sweep, FilterSubject: resultSubject(x.Sweep), AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Minute,
		MaxAckPending: 4 * mostAtOnce, InactiveThreshold: forgotten,
	})
	if err != nil {
		return 0, err
	}
	failed, err := x.js.Stream(ctx, failedStream)
	if err != nil {
		return 0, err
	}
	info, err := failed.Info(ctx)
	if err != nil {
		return 0, err
	}
	if err := x.retry(ctx, failed, info.State.LastSeq); err != nil {
		return 0, err
	}
	return info.State.LastSeq + 1, nil
}

// retry takes back what stands in the dead letters until one of them.
func (x *submission) retry(ctx context.Context, failed jetstream.Stream, last uint64) error {
	if err := failed.Purge(ctx, jetstream.WithPurgeSubject(failedSubject(x.Sweep))); err != nil {
		return err
	}
	if info, err := failed.Info(ctx); err != nil || info.State.Msgs == 0 {
		return err
	}
	old, err := failed.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{exhausted}})
	if err != nil {
		return err
	}
	for {
		batch, err := old.FetchNoWait(256)
		if err != nil {
			return err
		}
		n := 0
		for m := range batch.Messages() {
			n++
			if at, err := m.Metadata(); err != nil || at.Sequence.Stream > last {
				continue
			}
			if seq, mine := x.exhaustedTask(ctx, m.Data()); mine {
				if err := x.tasks.DeleteMsg(ctx, seq); err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
					return err
				}
			}
		}
		if n == 0 {
			return batch.Error()
		}
	}
}

// exhaustedTask is the task of an advisory, if it is one of this sweep that is still there.
func (x *submission) exhaustedTask(ctx context.Context, advisory []byte) (seq uint64, mine bool) {
	var said struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(advisory, &said) != nil {
		return 0, false
	}
	task, err := x.tasks.GetMsg(ctx, said.Seq)
	return said.Seq, err == nil && strings.HasPrefix(task.Subject, taskSubject(x.Sweep, ""))
}

// publish puts what is neither known nor with workers into the queue, each time that it is asked to.
func (x *submission) publish(ctx context.Context, again <-chan struct{}) error {
	parts := x.Plan.Parts(x.ledger.AgentMonths)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-again:
		}
		for attempt := 0; ; attempt++ {
			err := x.publishMissing(ctx, parts)
			if err == nil {
				break
			}
			if ctx.Err() != nil || !passing(err) {
				return err
			}
			if attempt == 4 {
				x.Log.Warn("tasks cannot be sent; trying again", "error", err)
			}
			if err := sleep(ctx, pause(attempt)); err != nil {
				return err
			}
		}
	}
}

// publishMissing compares. What was in the queue at a moment is with workers; of what was not, all results were in the stream by then, and
// are recorded before anything is sent again.
func (x *submission) publishMissing(ctx context.Context, parts []sweep.Part) error {
	with, stuck, err := x.queued(ctx)
	if err != nil {
		return err
	}
	if err := x.caughtUp(ctx); err != nil {
		return err
	}
	if stuck { // a broker that was killed may not have said that it gave them out too often
		if err := x.tasks.Purge(ctx, jetstream.WithPurgeSubject(taskSubject(x.Sweep, ">"))); err != nil {
			return err
		}
		clear(with)
	}
	sent := 0
	for _, part := range parts {
		if with[part.ID] {
			continue
		}
		tasks := x.into.Tasks(x.Plan, part)
		if len(tasks) == 0 {
			continue
		}
		n, err := x.send(ctx, part.ID, tasks)
		if sent += n; err != nil {
			return err
		}
	}
	if sent > 0 {
		x.Log.Info("tasks sent", "tasks", sent, "with workers or waiting", len(with))
	}
	return nil
}

// queued are the parts that wait or are being simulated; stuck, if nobody will be given them any more.
func (x *submission) queued(ctx context.Context) (parts map[string]bool, stuck bool, err error) {
	info, err := x.tasks.Info(ctx, jetstream.WithSubjectFilter(taskSubject(x.Sweep, ">")))
	if err != nil {
		return nil, false, err
	}
	parts = map[string]bool{}
	for subject := range info.State.Subjects {
		id, _, _ := strings.Cut(subject[strings.LastIndexByte(subject, '.')+1:], "-")
		parts[id] = true
	}
	workers, err := x.tasks.Consumer(ctx, workersName())
	if err != nil {
		return nil, false, err
	}
	of, err := workers.Info(ctx)
	if err != nil {
		return nil, false, err
	}
	return parts, len(parts) > 0 && of.NumPending == 0 && of.NumAckPending == 0, nil
}

// caughtUp waits until all results that are there now are recorded.
func (x *submission) caughtUp(ctx context.Context) error {
	stream, err := x.results.Info(ctx)
	if err != nil {
		return err
	}
	for {
		info, err := x.answers.Info(ctx)
		if err != nil {
			return err
		}
		if info.NumPending == 0 && info.NumAckPending == 0 || info.AckFloor.Stream >= stream.State.LastSeq {
			return nil
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// ofHeader is what headers and subjects add to a message, at most.
const ofHeader = 4 << 10

// send puts a part into the queue, in more messages than one where it is too large for one.
func (x *submission) send(ctx context.Context, id string, tasks []sweep.Task) (sent int, err error) {
	data, err := x.pack(order{tasks})
	if err != nil {
		return 0, err
	}
	if int64(len(data)) > x.conn.MaxPayload()-ofHeader {
		first, second := halves(tasks)
		if second == nil {
			return 0, fault.New(fault.LimitExceeded, "max_payload", "run %s takes a message of %d bytes, and the broker allows %d",
				tasks[0].Runs[0].Key, len(data), x.conn.MaxPayload()).WithHint("raise max_payload of the broker")
		}
		for k, half := range [][]sweep.Task{first, second} {
			n, err := x.send(ctx, id+"-"+strconv.Itoa(k), half)
			if sent += n; err != nil {
				return sent, err
			}
		}
		return sent, nil
	}
	_, err = x.js.Publish(ctx, taskSubject(x.Sweep, id), data)
	if err != nil && strings.Contains(err.Error(), "maximum messages per subject exceeded") { // it is there already
		return 0, nil
	}
	return 1, err
}

// halves divide tasks; second is nil where there is one run.
func halves(tasks []sweep.Task) (first, second []sweep.Task) {
	if half := len(tasks) / 2; half > 0 {
		return tasks[:half], tasks[half:]
	}
	one := tasks[0]
	half := len(one.Runs) / 2
	if half == 0 {
		return tasks, nil
	}
	other := one
	one.Shared, other.Shared = true, true
	one.Runs, other.Runs = one.Runs[:half], other.Runs[half:]
	return []sweep.Task{one}, []sweep.Task{other}
}

// watch ends with the first dead letter of the sweep.
func (x *submission) watch(ctx context.Context, after uint64) error {
	letters, err := x.js.OrderedConsumer(ctx, failedStream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{failedSubject(x.Sweep), exhausted}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after,
	})
	if err != nil {
		return err
	}
	found := make(chan error, 1)
	consuming, err := letters.Consume(func(m jetstream.Msg) {
		if err := x.failure(ctx, m); err != nil {
			select {
			case found <- err:
			default: // the first one counts
			}
		}
	})
	if err != nil {
		return err
	}
	defer consuming.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-found:
		return err
	}
}

// failure is what a dead letter says; nil if it is another sweep's.
func (x *submission) failure(ctx context.Context, m jetstream.Msg) error {
	if m.Subject() == failedSubject(x.Sweep) {
		var l letter
		if err := json.Unmarshal(m.Data(), &l); err != nil {
			return fault.New(fault.Internal, "", "a dead letter cannot be read").WithDetail("%v", err)
		}
		return fault.New(l.Code, l.Field, "%s: run %s: %s (worker %s)", x.Plan.Where(l.Key), l.Key, l.Message, l.Worker).WithHint(l.Hint)
	}
	seq, mine := x.exhaustedTask(ctx, m.Data())
	if !mine {
		return nil
	}
	key := ""
	if task, err := x.tasks.GetMsg(ctx, seq); err == nil {
		var o order
		if x.unpack(task.Data, &o) == nil {
			key = o.key(0)
		}
	}
	return fault.New(fault.LimitExceeded, "deliveries", "%s: a task was given to workers %d times, and none of them came to its end",
		x.Plan.Where(key), mostDeliveries).WithHint("see why workers end: they may have too little memory for its economies")
}

// leave takes the tasks of the sweep from the broker, and when all is recorded what else it has of it, and the ledger.
func (x *submission) leave(all bool) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	err := x.tasks.Purge(ctx, jetstream.WithPurgeSubject(taskSubject(x.Sweep, ">")))
	if all && err == nil {
		if err = x.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(x.Sweep))); err == nil {
			err = x.results.DeleteConsumer(ctx, "sweep-"+x.Sweep)
		}
		if err == nil || errors.Is(err, jetstream.ErrConsumerNotFound) {
			err = os.Remove(ledgerPath(x.Folder, x.file))
		}
	}
	if err != nil {
		x.Log.Warn("what is left of the sweep stays with the broker", "error", err)
	}
}

// told is an error of the broker as one of ours.
func (x *submission) told(err error) error {
	if _, ours := errors.AsType[*fault.Error](err); ours || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrNoResponders) {
		return fault.New(fault.InvalidState, x.Broker.field, "the broker has no JetStream").WithHint("start it with nats-server -js")
	}
	return fault.New(fault.InvalidState, x.Broker.field, "the broker refuses").WithDetail("%v", err)
}

// differing keeps a record that contradicts what was recorded, beside the runs.
func (x *submission) differing(r *sweep.Record, worker string, cause error) error {
	path := filepath.Join(x.Folder, "differing.json")
	text, err := json.MarshalIndent(struct {
		Worker string        `json:"worker"`
		Record *sweep.Record `json:"record"`
	}{worker, r}, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	return errors.Join(fault.New(fault.Conflict, "runs", "%s: %v", x.Plan.Where(r.Key), cause).
		WithHint(fmt.Sprintf("worker %s sent the second result, which stands in %s: one of the two was not computed by this program",
			worker, path)), err)
}

// check refuses a record that is not what was asked for.
func (x *submission) check(r *sweep.Record, worker string) error {
	of, asked := x.runs[r.Key]
	if r.Model != sim.ModelVersion || asked && (r.Seed != of.Seed || r.Months != of.Months) {
		return fault.New(fault.Conflict, "runs", "worker %s sent a record of %d months of model %s for run %s", worker, r.Months, r.Model, r.Key).
			WithHint("use workers of the same release as the sweep")
	}
	return nil
}

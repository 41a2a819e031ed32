package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// Worker simulates tasks that a broker has.
type Worker struct {
	Broker  Address
	Threads int // that simulate, 0 = all cores; as many tasks at a time, where there are so many
	Cache   run.Cache
	Measure sweep.Measurer // of economies that are to be measured
	Log     *slog.Logger
}

// Done is what a worker did.
type Done struct {
	Worker string `json:"worker"`
	Tasks  int64  `json:"tasks"`
	Runs   int64  `json:"economies"`
}

// shift is a worker that is connected.
type shift struct {
	Worker
	codec

	tasks, runs atomic.Int64 // that were carried out
	name        string
	conn        *nats.Conn
	js          jetstream.JetStream
	free        chan struct{} // a place a task
	atWork      atomic.Int64  // tasks
	all         sync.WaitGroup
}

// Run works until the context is done, and gives back what it has begun, so that others take it at once. It waits for a broker that does
// not answer, and for a sweep, for ever. A broker that does not let it in, or serves another version of the model, is an error.
func (w Worker) Run(ctx context.Context) (done Done, err error) {
	if w.Threads == 0 {
		w.Threads = runtime.GOMAXPROCS(0)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	x := &shift{Worker: w, name: fmt.Sprintf("%s-%d", host, os.Getpid()), free: make(chan struct{}, w.Threads)}
	if x.codec, err = newCodec(); err != nil {
		return done, err
	}
	if x.conn, err = x.reach(ctx); x.conn == nil {
		return done, err
	}
	defer x.conn.Close()
	if x.js, err = jetstream.New(x.conn); err != nil {
		return done, err
	}
	w.Log.Info("connected", "url", x.conn.ConnectedUrlRedacted(), "worker", x.name, "threads", w.Threads, "model", sim.ModelVersion)
	err = x.work(ctx)
	x.all.Wait()
	if ctx.Err() != nil {
		err = nil // the end that was asked for
	}
	if flushed := x.conn.FlushTimeout(2 * time.Second); flushed != nil {
		w.Log.Warn("what was begun is given to others after a while", "error", flushed)
	}
	return Done{x.name, x.tasks.Load(), x.runs.Load()}, err
}

// reach connects, and waits for a broker that does not answer. It is nil without an error when the context is done.
func (x *shift) reach(ctx context.Context) (*nats.Conn, error) {
	for attempt := 0; ; attempt++ {
		conn, err := x.Broker.connect("econ-mcp worker "+x.name, x.Log)
		if err == nil {
			return conn, nil
		}
		if _, away := errors.AsType[unreachable](err); !away {
			return nil, err
		}
		wait := pause(attempt)
		x.Log.Warn("no broker answers; trying again", "url", x.Broker.URL, "in", wait.Round(time.Millisecond), "error", err)
		if err := sleep(ctx, wait); err != nil {
			return nil, nil
		}
	}
}

// work takes tasks until the context is done.
func (x *shift) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for {
		queue, err := x.queue(ctx)
		if err != nil {
			return err
		}
		if err := x.draw(ctx, queue); err != nil {
			return err
		}
	}
}

// queue waits for the queue of tasks of this version of the model. Where the broker serves another one, it is an error.
func (x *shift) queue(ctx context.Context) (jetstream.Consumer, error) {
	for attempt := 0; ; attempt++ {
		queue, err := x.tryQueue(ctx)
		if err == nil {
			return queue, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if x.conn.IsClosed() {
			return nil, x.Broker.refused(x.conn.LastError())
		}
		waits := errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || passing(err)
		if _, ours := errors.AsType[*fault.Error](err); ours || !waits {
			return nil, err
		}
		if attempt == 0 {
			x.Log.Info("no sweep yet; waiting for one", "because", err)
		}
		if err := sleep(ctx, min(5*time.Second, pause(attempt))); err != nil {
			return nil, err
		}
	}
}

func (x *shift) tryQueue(ctx context.Context) (jetstream.Consumer, error) {
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	tasks, err := x.js.Stream(ctx, tasksStream)
	if err != nil {
		return nil, err
	}
	if of := tasks.CachedInfo().Config.Metadata[modelKey]; of != sim.ModelVersion {
		return nil, fault.New(fault.Conflict, "model_version", "the broker serves sweeps of model %s, and this worker has %s",
			of, sim.ModelVersion).
			WithHint("use workers of the same release as the sweep")
	}
	return tasks.Consumer(ctx, workersName())
}

// drawn is how long a worker waits for a task before it looks whether the broker still serves its version of the model.
const drawn = 30 * time.Second

// draw takes as many tasks as there are free places, again and again, until none came for a while, or the queue is gone.
func (x *shift) draw(ctx context.Context, queue jetstream.Consumer) error {
	beat := queue.CachedInfo().Config.AckWait / 4
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case x.free <- struct{}{}:
		}
		places := 1
		for more := true; more; {
			select {
			case x.free <- struct{}{}:
				places++
			default:
				more = false
			}
		}
		waiting, stop := context.WithTimeout(ctx, drawn)
		batch, err := queue.Fetch(places, jetstream.FetchContext(waiting))
		taken := 0
		if err == nil {
			for m := range batch.Messages() {
				taken++
				x.atWork.Add(1)
				x.all.Go(func() {
					defer func() { x.atWork.Add(-1); <-x.free }()
					x.carryOut(ctx, m, beat)
				})
			}
			err = batch.Error()
		}
		stop()
		for range places - taken {
			<-x.free
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case taken > 0:
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			return sleep(ctx, firstPause) // and look what became of the queue
		default:
			return nil
		}
	}
}

// carryOut simulates a task, tells the broker meanwhile that it does, and says what became of it.
func (x *shift) carryOut(ctx context.Context, m jetstream.Msg, beat time.Duration) {
	over := make(chan struct{})
	defer close(over)
	go func() {
		for t := time.NewTicker(beat); ; {
			select {
			case <-over:
				t.Stop()
				return
			case <-t.C:
				m.InProgress() // which the next one makes good
			}
		}
	}()
	begin := time.Now()
	var o order
	at := 0 // the task that is simulated
	err := x.unpack(m.Data(), &o)
	if err == nil {
		at, err = x.simulate(ctx, o, x.threads(m), sweepOf(m.Subject()))
	}
	switch {
	case err == nil:
		if err := m.Ack(); err != nil {
			x.Log.Warn("a task will be simulated again", "error", err)
		}
		x.tasks.Add(1)
		x.Log.Debug("done", "task", m.Subject(), "after", time.Since(begin).Round(time.Millisecond))
	case ctx.Err() != nil:
		m.Nak() // or the broker gives it to another one after a while
		x.Log.Info("given back", "task", m.Subject())
	case fault.KindOf(err) == fault.LimitExceeded: // another machine may have more memory
		x.Log.Warn("given back: too much for this machine", "task", m.Subject(), "error", err)
		m.NakWithDelay(2 * beat)
	default:
		x.Log.Error("a task fails", "task", m.Subject(), "error", err)
		x.fail(ctx, m, o.key(at), err)
	}
}

// threads are what a task is given: all that are idle, where no other tasks wait.
func (x *shift) threads(m jetstream.Msg) int {
	waiting := 0
	if at, err := m.Metadata(); err == nil {
		waiting = int(min(at.NumPending, uint64(x.Threads)))
	}
	return max(1, x.Threads/max(1, min(x.Threads, int(x.atWork.Load())+waiting)))
}

// mostUnsent is about how many bytes of records wait for each other before they are sent.
const mostUnsent = 256 << 10

// simulate carries out tasks and sends their records. An error is of the task at that place.
func (x *shift) simulate(ctx context.Context, o order, threads int, sweepName string) (at int, err error) {
	defer func() {
		if r := recover(); r != nil {
			x.Log.Error("panic", "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "", "the simulation broke down: %v", r)
		}
	}()
	var mu sync.Mutex // of what follows
	var unsent []*sweep.Record
	size := 0
	send := func() error {
		if len(unsent) == 0 {
			return nil
		}
		err := x.send(ctx, resultSubject(sweepName), unsent)
		unsent, size = nil, 0
		return err
	}
	for at = range o.Tasks {
		err := o.Tasks[at].Simulate(ctx, threads, x.Cache, x.Measure, func(r *sweep.Record) error {
			mu.Lock()
			defer mu.Unlock()
			x.runs.Add(1)
			unsent, size = append(unsent, r), size+len(r.Series)*r.Months*18+len(r.Measured)
			if size > mostUnsent {
				return send()
			}
			return nil
		})
		if err != nil {
			return at, err
		}
	}
	mu.Lock()
	defer mu.Unlock()
	return at, send()
}

// send sends records until the broker has them.
func (x *shift) send(ctx context.Context, subject string, records []*sweep.Record) error {
	data, err := x.pack(yield{x.name, records})
	if err != nil {
		return err
	}
	if int64(len(data)) > x.conn.MaxPayload()-ofHeader {
		if len(records) == 1 {
			return fault.New(fault.InvalidState, "max_payload", "the record of run %s has %d bytes, and the broker allows %d",
				records[0].Key, len(data), x.conn.MaxPayload()).WithHint("raise max_payload of the broker, or ask for fewer outcomes")
		}
		half := len(records) / 2
		return errors.Join(x.send(ctx, subject, records[:half]), x.send(ctx, subject, records[half:]))
	}
	return x.deliver(ctx, subject, data)
}

// deliver publishes until the broker has it.
func (x *shift) deliver(ctx context.Context, subject string, data []byte) error {
	for attempt := 0; ; attempt++ {
		_, err := x.js.Publish(ctx, subject, data)
		if err == nil || ctx.Err() != nil || !passing(err) {
			return err
		}
		x.Log.Warn("the broker does not take a result; trying again", "error", err)
		if err := sleep(ctx, pause(attempt)); err != nil {
			return err
		}
	}
}

// fail puts a task into the dead letters, and has nobody given it again.
func (x *shift) fail(ctx context.Context, m jetstream.Msg, key string, cause error) {
	var e *fault.Error
	if !errors.As(cause, &e) {
		e = fault.New(fault.Internal, "", "%v", cause)
	}
	data, err := json.Marshal(letter{x.name, key, e.Kind, e.Field, e.Text(), e.Hint})
	if err == nil {
		err = x.deliver(ctx, failedSubject(sweepOf(m.Subject())), data)
	}
	if err != nil { // another worker will say the same
		x.Log.Warn("a dead letter was not sent", "error", err)
		return
	}
	m.TermWithReason(fault.Shorten(cause.Error(), 200))
}

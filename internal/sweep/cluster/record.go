package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
)

// mostAtOnce is how many messages are recorded with one wait for the disk, at most.
const mostAtOnce = 256

// record enters what workers send, until nothing is left. A message is acknowledged when all of it is on the disk. When nothing has come
// for a while, it has publish look at what became of the tasks.
func (x *submission) record(ctx context.Context, left int, again chan<- struct{}) (recorded int, err error) {
	arrived := make(chan jetstream.Msg, mostAtOnce)
	consuming, err := x.answers.Consume(func(m jetstream.Msg) {
		select {
		case arrived <- m:
		case <-ctx.Done():
		}
	}, jetstream.PullMaxMessages(2*mostAtOnce))
	if err != nil {
		return 0, err
	}
	defer consuming.Stop()
	quiet := time.NewTimer(x.quiet())
	defer quiet.Stop()
	of := left
	for left > 0 {
		var batch []jetstream.Msg
		select {
		case <-ctx.Done():
			return recorded, ctx.Err()
		case <-quiet.C:
			select {
			case again <- struct{}{}:
			default: // it is at it
			}
		case m := <-arrived:
			batch = waiting(arrived, append(batch, m))
		}
		quiet.Reset(x.quiet())
		fresh, err := x.enter(batch)
		recorded, left = recorded+fresh, left-fresh
		if err != nil {
			return recorded, err
		}
		if fresh > 0 && x.Progress != nil {
			x.Progress(recorded, of)
		}
	}
	if err := x.conn.Flush(); err != nil { // all runs are on the disk whatever the broker knows of it
		x.Log.Warn("results that are recorded may stay with the broker", "error", err)
	}
	return recorded, nil
}

// quiet is how long nothing has to come until something may be lost: a worker that was killed has held its task so long, and another one
// simulates it.
func (x *submission) quiet() time.Duration { return 2 * x.AckWait }

// waiting adds what has arrived already.
func waiting(arrived <-chan jetstream.Msg, batch []jetstream.Msg) []jetstream.Msg {
	for len(batch) < mostAtOnce {
		select {
		case m := <-arrived:
			batch = append(batch, m)
		default:
			return batch
		}
	}
	return batch
}

// enter records messages and returns how many runs of the plan were not known.
func (x *submission) enter(batch []jetstream.Msg) (fresh int, err error) {
	var done []jetstream.Msg
	for _, m := range batch {
		n, err := x.enterOne(m)
		fresh += n
		if bad, ok := errors.AsType[refusal](err); ok {
			m.Term() // it would be refused again
			return fresh, bad.error
		}
		if err != nil { // the message is good, and comes again
			return fresh, err
		}
		done = append(done, m)
	}
	if len(done) == 0 {
		return fresh, nil
	}
	if err := x.into.Sync(); err != nil {
		return fresh, x.unrecorded(err)
	}
	for _, m := range done {
		if err := m.Ack(); err != nil {
			x.Log.Warn("a result will come again", "error", err)
		}
	}
	return fresh, nil
}

// refusal is an error that lies in the message.
type refusal struct{ error }

func (x *submission) enterOne(m jetstream.Msg) (fresh int, err error) {
	var y yield
	if err := x.unpack(m.Data(), &y); err != nil {
		return 0, refusal{err}
	}
	for _, r := range y.Records {
		if err := x.check(r, y.Worker); err != nil {
			return fresh, refusal{err}
		}
		isNew, err := x.into.Add(r)
		if errors.Is(err, sweep.ErrDiffers) {
			return fresh, refusal{x.differing(r, y.Worker, err)}
		}
		if err != nil {
			return fresh, x.unrecorded(err)
		}
		if of, asked := x.runs[r.Key]; isNew && asked && x.into.Has(x.Plan, of) {
			fresh++
		}
	}
	return fresh, nil
}

// unrecorded is an error of the folder of runs.
func (x *submission) unrecorded(err error) error {
	return fault.New(fault.InvalidState, "--runs", "what workers found cannot be written to %s", x.Folder).WithDetail("%v", err).
		WithHint("see whether the disk is full; the same command goes on")
}

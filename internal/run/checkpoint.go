package run

import (
	"errors"
	"io"
	"log/slog"
	"time"

	"econ-mcp/internal/fault"
)

// A checkpoint that saves less simulation than this is not worth its files.
const leastCheckpoint = time.Second

// checkpointCost bounds the share of time that goes into checkpoints: one in so many.
const checkpointCost = 20

// checkpointClock says when a checkpoint is due.
type checkpointClock struct {
	worked time.Duration // simulating, since the last
	cost   time.Duration // of the last
	noRoom bool          // was said
}

// worthwhile is the least simulated time that a checkpoint saves.
func (x *experiment) worthwhile() time.Duration { return min(leastCheckpoint, x.m.CheckpointEvery) }

// checkpointWorthwhile says whether much was simulated since the last one.
func (x *experiment) checkpointWorthwhile() bool {
	return x.burntIn() && x.month > 0 && x.checkpoint.worked >= x.worthwhile()
}

// checkpointDue says whether it is time for one: from time to time, and before the last
// month. The economy of the last month can then be looked at again at the price of one month;
// a checkpoint at its end would not do, since a snapshot does not hold the flows of the month.
func (x *experiment) checkpointDue() bool {
	if !x.checkpointWorthwhile() {
		return false
	}
	return x.month == x.task.Months-1 || x.checkpoint.worked >= max(x.m.CheckpointEvery, checkpointCost*x.checkpoint.cost)
}

// takeCheckpoint keeps the state of all runs. It only saves time: where it fails, the
// experiment goes on, and an older one or none is there to resume from.
func (x *experiment) takeCheckpoint() {
	threads := x.m.pool.borrow(1)
	defer x.m.pool.giveBack(threads)
	started := time.Now()
	err := guarded(func() error {
		if err := x.handOver(); err != nil {
			return err
		}
		return x.task.Recorder.Record(CheckpointDue{x.month, x.writeRun})
	})
	noRoom := fault.KindOf(err) == fault.LimitExceeded
	if err != nil && !errors.Is(err, errCutShort) && !(noRoom && x.checkpoint.noRoom) {
		slog.Warn("a checkpoint could not be kept", "experiment", x.task.Name, "month", x.month, "error", err)
	}
	x.checkpoint = checkpointClock{cost: time.Since(started), noRoom: noRoom || x.checkpoint.noRoom}
}

func (x *experiment) writeRun(arm, replication int, w io.Writer) error {
	return x.run(arm, replication).economy.WriteSnapshot(interruptible{w, x.m.cutShort})
}

// interruptible is a writer that fails once a channel is closed.
type interruptible struct {
	io.Writer
	cutShort <-chan struct{}
}

var errCutShort = errors.New("the program is ending")

func (w interruptible) Write(p []byte) (int, error) {
	select {
	case <-w.cutShort:
		return 0, errCutShort
	default:
		return w.Writer.Write(p)
	}
}

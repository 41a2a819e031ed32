package run

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Checkpoint is where to resume an experiment.
type Checkpoint struct {
	Month int // of all runs; 0 = none, so that everything is simulated again
	Open  func(arm string, replication int) (io.ReadCloser, error)
}

// Recorded is what is on record of an experiment that is taken up again. It is simulated
// again from the checkpoint, but its past cannot be changed any more.
type Recorded struct {
	Complete int       // of the task's seeds, the first so many have ended and are not simulated again
	Month    int       // the last that all other runs have
	Began    [][][]int // by arm, replication and intervention, as [MonthsSimulated]
}

// beganIn is what is on record of a run; nil = nothing.
func (r *Recorded) beganIn(arm, replication int) []int {
	if arm < len(r.Began) && replication < len(r.Began[arm]) {
		return r.Began[arm][replication]
	}
	return nil
}

// Task is an experiment to carry out.
type Task struct {
	Name      string
	Principal string   // for whom; only reported
	Arms      []Arm    // the control first
	Seeds     []uint64 // one per replication, shared by all arms; [Recorder.More] may add to them
	Months    int      // after burn-in
	AtOnce    int      // for [Manager.Run]: economies that are simulated at the same time, at most; 0 = one a thread
	PauseAt   int      // month after which to pause; 0 = none. After the last one it is completed all the same
	Recorder  Recorder
	Footprint func(p sim.Params, months int) Footprint // of the recorder; nil = it takes nothing
	From      *Checkpoint                              // nil = from burn-in
	Recorded  Recorded                                 // zero = it has not begun

	// Prepare, which may be nil, is called before anything is simulated, and says what the arms are: those
	// of Arms with other numbers in them. Until it returns, the experiment can be stopped, and nothing
	// else. Its error ends the experiment as one of simulating would. It must heed its context.
	Prepare func(ctx context.Context, p *Preparing) ([]Arm, error)
}

// check refuses a task that cannot be carried out.
func (p *Task) check() error {
	if len(p.Seeds) == 0 {
		return fault.Range("replications", "0", "1 or more")
	}
	if done := p.Recorded.Complete; done > len(p.Seeds) {
		return fault.New(fault.Internal, "", "%d of %d replications are complete", done, len(p.Seeds))
	}
	if p.Months < 1 {
		return fault.Range("months", strconv.Itoa(p.Months), "1 or more")
	}
	seeded := sim.Defaults()
	for _, seed := range p.Seeds {
		if err := seeded.Set("random_state", seed); err != nil {
			return err
		}
	}
	if p.PauseAt != 0 {
		if err := checkPause(p.PauseAt, p.past(), p.Months); err != nil {
			return err
		}
	}
	return CheckArms(p.Arms, p.Months)
}

// monthsOf is how many months an arm has.
func (p *Task) monthsOf(arm int) int { return cmp.Or(p.Arms[arm].Months, p.Months) }

// past is the month up to which nothing can be changed when the experiment begins.
func (p *Task) past() int {
	if p.Recorded.Complete > 0 {
		return p.Months
	}
	return p.start()
}

// start is the month that all runs that are not complete have on record.
func (p *Task) start() int {
	if p.From == nil {
		return p.Recorded.Month
	}
	return max(p.From.Month, p.Recorded.Month)
}

// checkPause refuses a month to pause at that is over or never comes.
func checkPause(at, month, months int) error {
	if at > month && at <= months {
		return nil
	}
	if at >= 1 && at <= month {
		return fault.New(fault.InvalidState, "pause_at_month", "month %d is over: the experiment is in month %d", at, month).
			WithHint("name a later month, or leave pause_at_month out")
	}
	return fault.Range("pause_at_month", strconv.Itoa(at), fmt.Sprintf("%d to %d", month+1, months))
}

// sideBySide is how many replications are simulated first, side by side. Where all are complete
// and more may come, it is one, so that there is room for that.
func (p *Task) sideBySide() int { return max(1, len(p.Seeds)-p.Recorded.Complete) }

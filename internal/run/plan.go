package run

import (
	"fmt"
	"io"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Recorder keeps what an experiment tells of itself. It is called by one goroutine at
// a time. Replications count from 0 here and everywhere in this package. An error
// ends the experiment as interrupted, because the disk may have space again another
// time, but as failed where it is a [fault.Conflict] with what is on record.
type Recorder interface {
	// Months is given the next months of one run. The slice belongs to the recorder.
	// After a resumption months may come again, with the same bits.
	Months(arm, replication int, records []sim.Record) error
	// Began is told, after the months, in which of them each intervention of a run
	// began, 0 for those that have not, each time that this changes.
	Began(arm, replication int, began []int) error
	// Ended is called for each run of an experiment that was completed or stopped, with
	// the hash of its last state and what began, as [Recorder.Began].
	Ended(arm, replication int, stateHash string, began []int) error
	// State is told each change of state, after the months up to it. What it was told
	// should outlive a crash.
	State(state string, month int, message string) error
}

// Keeper keeps what an experiment needs to go on in another process, or with further
// replications.
type Keeper interface {
	// Plan is given an arm's scenario, as YAML, and its hash, before an intervention
	// that was injected or cancelled counts. An error refuses the change.
	Plan(arm int, scenario []byte, hash string) error
	// Checkpoint keeps one file per run that is simulated at present, which write fills, in
	// place of an older set.
	Checkpoint(month int, write func(arm, replication int, w io.Writer) error) error
	// Extend adds further replications of each arm, one for each seed, when those before
	// have ended. It is told before anything of them is simulated.
	Extend(seeds []uint64) error
}

// Checkpoint is where to resume an experiment.
type Checkpoint struct {
	Month int // of all runs; 0 = none, so that everything is simulated again
	Open  func(arm string, replication int) (io.ReadCloser, error)
}

// Recorded is what is on record of an experiment that is taken up again. It is simulated
// again from the checkpoint, but its past cannot be changed any more.
type Recorded struct {
	Complete int       // of the plan's seeds, the first so many have ended and are not simulated again
	Month    int       // the last that all other runs have
	Began    [][][]int // by arm, replication and intervention, as [Recorder.Began]
}

// beganIn is what is on record of a run; nil = nothing.
func (r *Recorded) beganIn(arm, replication int) []int {
	if arm < len(r.Began) && replication < len(r.Began[arm]) {
		return r.Began[arm][replication]
	}
	return nil
}

// Plan is an experiment to carry out.
type Plan struct {
	Name      string
	Principal string   // for whom; only reported
	Arms      []Arm    // the control first
	Seeds     []uint64 // one per replication, shared by all arms; More may add to them
	Months    int      // after burn-in
	PauseAt   int      // month after which to pause; 0 = none. After the last one it is completed all the same
	Recorder  Recorder
	Keeper    Keeper      // may be nil: then nothing can be resumed in another process
	From      *Checkpoint // nil = from burn-in
	Recorded  Recorded    // zero = it has not begun

	// More is asked for the seeds of further replications each time that all runs have
	// reached the last month and their ends are recorded: none ends the experiment, with
	// why as its message. It must depend on what is recorded alone, and give the same
	// again as long as less than it gave was simulated: only as many are begun at a time
	// as fit in memory. An error ends the experiment as interrupted. nil = none; else
	// there is a Keeper.
	More func() (seeds []uint64, why string, err error)

	// Functions that may be nil. Watch is given each economy after each month, and Leave at
	// the end of each run of an experiment, unless it failed or was interrupted, if a month
	// of it was simulated here: one economy by one goroutine at a time, several by several. Kept is called when
	// a checkpoint of a month was kept, Ended once, when the experiment is over and
	// recorder and keeper are not used any more. What Leave and Kept fail to do is only
	// warned of.
	Watch, Leave func(arm, replication int, e *sim.Economy) error
	Kept         func(month int) error
	Ended        func()
}

// check refuses a plan that cannot be carried out.
func (p *Plan) check() error {
	if len(p.Seeds) == 0 {
		return fault.Range("replications", "0", "1 or more")
	}
	if done := p.Recorded.Complete; done > len(p.Seeds) || p.More != nil && p.Keeper == nil {
		return fault.New(fault.Internal, "", "%d of %d replications are complete, or there is no keeper of further ones", done, len(p.Seeds))
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

// past is the month up to which nothing can be changed when the experiment begins.
func (p *Plan) past() int {
	if p.Recorded.Complete > 0 {
		return p.Months
	}
	return p.start()
}

// start is the month that all runs that are not complete have on record.
func (p *Plan) start() int {
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
		e := fault.New(fault.InvalidState, "pause_at_month", "month %d is over: the experiment is in month %d", at, month)
		e.Hint = "name a later month, or leave pause_at_month out"
		return e
	}
	return fault.Range("pause_at_month", strconv.Itoa(at), fmt.Sprintf("%d to %d", month+1, months))
}

// threadsFor is the largest number of threads that one economy of the experiment with
// parameters p may be lent, if fewest of them live: those of a number of replications
// whose arms are in so many groups.
func threadsFor(params sim.Params, groups, replications, threads int) int {
	return max(1, min(threads/(groups*replications), sim.UsefulThreads(params)))
}

// memory estimates the bytes that the economies of a number of replications take, alive at
// the same time, with the copies that are made while arms fork. It allocates nothing.
func memory(groups []Group, replications, threads int) int64 {
	var sum, copies int64
	for _, g := range groups {
		params := g.BurnIn.BurnIn
		params.MaxConcurrentTasks = threadsFor(params, len(groups), replications, threads)
		one := sim.EstimateMemory(params)
		sum += one * int64(len(g.Arms)*replications)
		if len(g.Arms) > 1 {
			copies = max(copies, one*int64(min(threads, replications)))
		}
	}
	return sum + copies
}

// atOnce is how many replications are simulated first, side by side. Where all are complete
// and more may come, it is one, so that there is room for that.
func (p *Plan) atOnce() int { return max(1, len(p.Seeds)-p.Recorded.Complete) }

// tooLarge says that the plan can never fit in memory, and what to lower.
func (p *Plan) tooLarge(need, memory int64) error {
	households := p.Arms[0].Scenario.Params.NumHouseholds
	e := fault.New(fault.LimitExceeded, "num_households", "%d arms with %d replications of %d households need about %s of memory, and experiments may take %s",
		len(p.Arms), p.atOnce(), households, bytesText(need), bytesText(memory))
	e.Hint = "lower num_households, raise households_per_firm, or allow the process more memory"
	if most := memory / (need / int64(p.atOnce())); most >= 1 {
		e.Field = "replications"
		e.Hint = fmt.Sprintf("lower replications to %d, or num_households", most)
	}
	return e
}

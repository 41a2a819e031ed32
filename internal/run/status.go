package run

import (
	"fmt"
	"slices"

	"econ-mcp/sim"
)

// State says what becomes of an experiment at the moment.
type State string

// The states. Queued, burn_in and running go on by themselves, paused waits for
// [Manager.Resume]; the others are ends. Interrupted means that the process ended
// first: the experiment may be started again where it was left.
const (
	StateQueued      State = "queued"
	StateBurnIn      State = "burn_in"
	StateRunning     State = "running"
	StatePaused      State = "paused"
	StateStopped     State = "stopped"
	StateInterrupted State = "interrupted"
	StateCompleted   State = "completed"
	StateFailed      State = "failed"
)

// Active says that the experiment goes on by itself: it is queued, burns in or runs.
func (s State) Active() bool {
	return s == StateQueued || s == StateBurnIn || s == StateRunning
}

// Ended says that nothing more will happen to the experiment.
func (s State) Ended() bool { return !s.Active() && s != StatePaused }

// Status is what is known of an experiment at one moment. It does not change any more.
type Status struct {
	Name      string
	Principal string // who started it
	State     State
	Message   string // why it ended, for what it waits, that it catches up, or what else is simulated; empty otherwise

	// Month is the last that is over and handed to the recorder, from 1; 0 until burn-in is
	// over. In an experiment that was taken up again it is the last on record, while those
	// since the checkpoint are simulated again. Once all replications have ended it stays
	// Months, whether further ones are simulated or not: it is that of what is complete,
	// and so are Latest and what can be read. The message has the month of those under way.
	Month, Months        int
	Preparing            bool // its arms are not known yet: see [Task.Prepare]
	BurnIn, BurnInMonths int  // months of burn-in that are over
	PauseAt              int  // month after which it will pause; 0 = none

	Arms             []string
	Replications     int // those included that were added
	ReplicationsDone int // that have ended, of which the others are added to

	Progress        float64 // share of all months of Replications to simulate, burn-in included, that is over; less when some were added
	ETASeconds      float64 // until all these are over, at the speed measured last; NaN while there is none, 0 at the end
	MonthsPerSecond float64 // of the experiment, all its runs together; 0 while nothing was measured

	// Latest are the records of Month by arm and replication. It is nil until this
	// process has simulated a month that was not on record: the recorder has older ones.
	Latest [][]sim.Record
	// Plans are the interventions of each arm, those included that were injected.
	Plans [][]sim.Intervention
	// Began has for each arm, replication and intervention the month in which it
	// begins, as [sim.Economy.Began].
	Began [][][]int
}

// shape describes what all moments of an experiment have in common.
func (x *experiment) shape() Status {
	s := Status{
		Name: x.task.Name, Principal: x.task.Principal, State: StateQueued, Months: x.task.Months,
		PauseAt: x.task.PauseAt, Replications: len(x.task.Seeds),
	}
	for _, arm := range x.task.Arms {
		s.Arms = append(s.Arms, arm.Name)
	}
	for _, g := range x.groups {
		s.BurnInMonths = max(s.BurnInMonths, g.BurnIn.BurnIn.BurnInMonths)
	}
	return s
}

// publish makes the state of the moment the status that everyone sees.
func (x *experiment) publish() {
	s := *x.status.Load()
	s.State, s.Message, s.Month, s.PauseAt = x.state, x.message, x.past(), x.pauseAt
	s.Replications, s.ReplicationsDone = len(x.task.Seeds), x.complete
	if x.state == StateCompleted {
		s.ReplicationsDone = s.Replications
	}
	s.Preparing = x.task.Prepare != nil
	s.BurnIn = x.burnInOver(s.BurnInMonths)
	if x.state == StateRunning && x.behind() {
		s.Message = fmt.Sprintf("simulates again what is on record: month %d of %d", x.month, x.recorded)
	}
	if x.complete > 0 && x.complete < len(x.task.Seeds) && !x.state.Ended() {
		s.Message = joined(x.underWay(), s.Message)
	}
	done, of := x.workDone(), float64(len(x.task.Seeds))*x.workOf(x.task.Months)
	s.Progress = max(done, x.workRecorded()) / of
	s.ETASeconds, s.MonthsPerSecond = x.speed.forecast(of-done, x.lockstep())
	if x.state.Ended() {
		s.ETASeconds = 0
	}
	if x.drops(x.state) {
		s.Replications, s.Progress = x.complete, 1
	}
	s.Plans, s.Began = nil, make([][][]int, len(x.task.Arms))
	for a, scenario := range x.arms {
		s.Plans = append(s.Plans, slices.Clip(scenario.Interventions))
		s.Began[a] = make([][]int, len(x.task.Seeds))
	}
	for a, began := range x.began {
		copy(s.Began[a], began)
	}
	for i := range x.runs {
		r := &x.runs[i]
		s.Began[r.arm][r.replication] = x.beganIn(r)
	}
	s.Latest = x.latest()
	x.status.Store(&s)
	x.changed.notify()
	x.m.subscribers.note(x)
}

// latest are the records of the month on record, by arm and replication; nil where this
// process does not have them.
func (x *experiment) latest() [][]sim.Record {
	if x.complete > 0 {
		return slices.Clone(x.last)
	}
	if !x.simulated {
		return nil
	}
	list := make([][]sim.Record, len(x.task.Arms))
	for i := range x.runs {
		r := &x.runs[i]
		list[r.arm] = append(list[r.arm], r.latest)
	}
	return list
}

// Status is the last one published.
func (x *experiment) Status() Status { return *x.status.Load() }

// beganIn are the first months of the interventions of a run, as far as they are known.
func (x *experiment) beganIn(r *singleRun) []int {
	if r.economy != nil && !x.behind() {
		return r.economy.Began()
	}
	list := make([]int, len(x.arms[r.arm].Interventions))
	if r.economy != nil {
		copy(list, r.economy.Began())
	}
	known := x.task.Recorded.beganIn(r.arm, r.replication)
	for i, v := range x.arms[r.arm].Interventions {
		switch {
		case v.Cancelled:
			list[i] = 0
		case i < len(known) && known[i] > 0 && known[i] <= x.recorded:
			list[i] = known[i]
		case v.When == "":
			list[i] = v.TargetMonth
		}
	}
	return list
}

// burnInOver is how many months of burn-in every run has behind it.
func (x *experiment) burnInOver(months int) int {
	if x.burntIn() || x.state == StateQueued && x.recorded > 0 {
		return months
	}
	if len(x.burnIns) == 0 {
		return 0
	}
	left := 0
	for _, b := range x.burnIns {
		left = max(left, b.left())
	}
	return months - left
}

// workDone counts the months of all economies, burn-in included, that are over.
func (x *experiment) workDone() float64 {
	done := float64(x.complete) * x.workOf(x.task.Months)
	if x.burntIn() {
		return done + float64(x.batch())*x.workOf(x.month)
	}
	for _, b := range x.burnIns {
		done += float64(b.over())
	}
	return done
}

// workOf is how many months it takes to have a replication at the end of a month.
func (x *experiment) workOf(month int) float64 {
	n := len(x.task.Arms) * month
	for _, g := range x.groups {
		n += g.BurnIn.BurnIn.BurnInMonths
	}
	return float64(n)
}

// workRecorded is what of all months is on record.
func (x *experiment) workRecorded() float64 {
	done := float64(x.complete) * x.workOf(x.task.Months)
	if x.recorded == 0 {
		return done
	}
	return done + float64(x.batch())*x.workOf(x.recorded)
}

// lockstep is how many economies advance side by side at present.
func (x *experiment) lockstep() int {
	if x.burntIn() || len(x.burnIns) == 0 {
		return max(1, x.economies)
	}
	return max(1, len(x.burning()))
}

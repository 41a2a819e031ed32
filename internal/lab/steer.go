package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Status says how far an experiment is.
type Status struct {
	Name             string
	State            run.State
	Month, Months    int
	BurnIn           int // months of burn-in simulated, of BurnInMonths, by the replication that is behind; 0 where it is over
	BurnInMonths     int
	Progress         float64 // share of all months, burn-in included
	ETASeconds       float64 // NaN = not known yet
	MonthsPerSecond  float64
	Replications     int
	ReplicationsDone int
	Latest           Snapshot // of the arm that a question is about; no months yet: empty
	Pending          int      // interventions that have not begun
	PauseAt          int      // month after which it will pause, where this process simulates it; 0 = none
	Message          string   // why it ended early, for what it waits, what it looks for, or that it catches up
	Preparing        bool     // it looks for a number that it begins with
}

// Running says whether months go by, or will without a further call.
func (s Status) Running() bool { return s.State.Active() }

// Status of an experiment, from the manager while it lives in this process, from the
// store otherwise.
func (l *Laboratory) Status(ctx context.Context, name string) (Status, error) {
	if live, ok := l.known(name); ok {
		return l.live(ctx, live), nil
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return Status{}, err
	}
	s := Status{
		Name: x.Name, State: run.State(x.State), Month: x.Month, Months: x.Months, Replications: x.Replications, Message: x.Message,
		Progress: float64(x.Month) / float64(x.Months), ETASeconds: math.NaN(),
	}
	if s.State.Ended() {
		s.ETASeconds = 0
	}
	if ended, ok := l.Runs.Status(name); ok && ended.State == s.State && ended.Message != "" {
		s.Message = ended.Message // which the disk may not have taken
	}
	if s.Month == 0 && s.State == run.StateInterrupted {
		if s.Preparing, err = l.searches(ctx, x); err != nil {
			return s, err
		}
		if s.Preparing {
			s.Message = strings.TrimPrefix(s.Message+"; it was looking for the number that it begins with, and looks again when it is resumed", "; ")
		}
	}
	if s.State == run.StateCompleted {
		s.ReplicationsDone, s.Progress = x.Replications, 1
	} else if n := ended(x); n > 0 {
		more := len(x.Underway) / len(x.Arms)
		s.ReplicationsDone, s.Replications = n, n+more
		s.Progress = (float64(n) + float64(more*underway(x))/float64(x.Months)) / float64(s.Replications)
	}
	if x.Month > 0 {
		if s.Latest, err = l.latest(ctx, x, x.Month); err != nil {
			return s, err
		}
	}
	list, err := l.storedPlans(x)
	s.Pending = pending(list)
	return s, err
}

// latest are the indicators of a month of the arm that an experiment is about.
func (l *Laboratory) latest(ctx context.Context, x store.Experiment, month int) (Snapshot, error) {
	arm, err := armOf(x, "")
	if err != nil {
		return Snapshot{}, err
	}
	records, err := l.recordsOf(ctx, x, arm, month)
	return snapshotOf(x.Arms[arm].Name, records, nil, headlines(), 0), err
}

// live is the status of an experiment that the manager has.
func (l *Laboratory) live(ctx context.Context, r run.Status) Status {
	s := Status{
		Name: r.Name, State: r.State, Month: r.Month, Months: r.Months, BurnIn: r.BurnIn, BurnInMonths: r.BurnInMonths,
		Progress: r.Progress, ETASeconds: r.ETASeconds, MonthsPerSecond: r.MonthsPerSecond,
		Replications: r.Replications, ReplicationsDone: r.ReplicationsDone, Message: r.Message, Preparing: r.Preparing, PauseAt: r.PauseAt,
	}
	arm := len(r.Arms) - 1
	switch {
	case len(r.Latest) > 0:
		s.Latest = snapshotOf(r.Arms[arm], r.Latest[arm], nil, headlines(), 0)
	case r.Month > 0: // taken up where another process left it; the next month will be here
		if records, err := l.Store.Month(ctx, r.Name, r.Arms[arm], r.Month); err == nil {
			s.Latest = snapshotOf(r.Arms[arm], records, nil, headlines(), 0)
		}
	}
	s.Pending = pending(livePlans(r))
	return s
}

// Pause ends the simulation after the month under way until it is resumed.
func (l *Laboratory) Pause(ctx context.Context, name string, by access.Caller) (Status, error) {
	if err := l.may(ctx, by, "pause", name); err != nil {
		return Status{}, err
	}
	return l.steered(ctx, name, "paused", func() (run.Status, error) { return l.Runs.Pause(ctx, name) })
}

// Stop ends an experiment; what was simulated stays. One that was interrupted ends as it is on record,
// whichever program began it.
func (l *Laboratory) Stop(ctx context.Context, name string, by access.Caller) (Status, error) {
	if err := l.may(ctx, by, "stop", name); err != nil {
		return Status{}, err
	}
	if _, ok := l.liveHere(name); ok {
		return l.steered(ctx, name, "stopped", func() (run.Status, error) { return l.Runs.Stop(ctx, name) })
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return Status{}, err
	}
	if state := run.State(x.State); state != run.StateInterrupted {
		return Status{}, notSteerable(name, state, "stopped")
	}
	journal, err := l.Store.Take(ctx, name)
	if err != nil {
		return Status{}, err
	}
	message := ""
	if n := ended(x); n > 0 && len(x.Underway) > 0 {
		message = fmt.Sprintf("%d replications are complete; those under way were dropped", n)
	}
	err = journal.State(string(run.StateStopped), 0, message) // in the last month that all runs have
	if closed := journal.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return Status{}, err
	}
	return l.Status(ctx, name)
}

// Resume goes on with a paused experiment, or with one that was interrupted: from its
// last checkpoint, or from the start, to the same bits as if nothing had happened.
// pauseAt is the month after which it pauses again, 0 for none.
func (l *Laboratory) Resume(ctx context.Context, name string, pauseAt int, by access.Caller) (Status, error) {
	if err := l.may(ctx, by, "resume", name); err != nil {
		return Status{}, err
	}
	if _, ok := l.liveHere(name); ok {
		return l.steered(ctx, name, "resumed", func() (run.Status, error) { return l.Runs.Resume(ctx, name, pauseAt) })
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return Status{}, err
	}
	if state := run.State(x.State); state != run.StateInterrupted {
		return Status{}, notSteerable(x.Name, state, "resumed")
	}
	if err := l.takeUp(ctx, x, pauseAt); err != nil {
		return Status{}, err
	}
	if c := x.Captured; c != nil && c.Status == runningNote && slices.Contains(c.Tags, askTag) {
		l.noteEnd(ctx, name) // who was to note it is gone
	}
	return l.Status(ctx, name)
}

// programOf names the one that began an experiment, as its --version does.
func programOf(x store.Experiment) string { return "econ-mcp " + x.CodeVersion }

// stopEnds is the hint for one that was interrupted and is not to go on.
const stopEnds = "stop_simulation ends it with the months that it has"

// continuable refuses an experiment with which this program cannot go on as the one that
// began it would.
func (l *Laboratory) continuable(x store.Experiment) error {
	if x.ModelVersion != sim.ModelVersion {
		there := programOf(x) + " goes on with it"
		if older := l.Store.Older(); len(older) > 0 {
			there += ", in a copy of the data folder with " + strings.Join(older, " or ") + " in the place of econ-mcp.db"
		}
		return fault.New(
			fault.InvalidState, "experiment_name", "%s was begun by model version %s, this is %s, which gives other numbers", x.Name,
			x.ModelVersion, sim.ModelVersion,
		).WithHint(there + "; here, start a new experiment with its scenario (resource scenario.yaml; econ-mcp export); " + stopEnds)
	}
	if _, ok := RegistrationOf(x); !ok {
		return fault.New(fault.InvalidState, "experiment_name", "the plan of %s cannot be read", x.Name).
			WithHint("use the program that wrote it, " + programOf(x) + "; " + stopEnds)
	}
	for arm := range x.Arms {
		if _, err := scenarioOf(x, arm); err != nil {
			return err
		}
	}
	return nil
}

// takeUp goes on with an experiment that no process runs.
func (l *Laboratory) takeUp(ctx context.Context, x store.Experiment, pauseAt int) error {
	if err := l.continuable(x); err != nil {
		return err
	}
	if pauseAt != 0 && pauseAt <= x.Month {
		return fault.New(fault.InvalidState, "pause_at_month", "month %d is over: %s was interrupted in month %d", pauseAt, x.Name, x.Month).
			WithHint("name a later month, or leave pause_at_month out")
	}
	l.starting.Lock()
	defer l.starting.Unlock()
	if err := l.withinLimits(x); err != nil {
		return err
	}
	journal, err := l.Store.Take(ctx, x.Name)
	if err != nil {
		return err
	}
	if x.Reserved == 0 { // an older program began it
		err = l.reserveRest(ctx, journal)
	}
	var plan run.Task
	if err == nil {
		plan, err = l.takenUp(ctx, x.Name, pauseAt, journal)
	}
	if err == nil {
		err = l.Runs.Start(plan)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	return nil
}

// reserveRest reserves for the months that are left of an experiment that this process has taken.
func (l *Laboratory) reserveRest(ctx context.Context, journal *store.Journal) error {
	x, err := l.Store.Experiment(ctx, journal.Name()) // months that only some runs had are dropped now
	if err != nil {
		return err
	}
	runs := slices.Concat(x.Runs, x.Underway)
	return l.reserve(journal, x, len(runs)/len(x.Arms), runs...)
}

// takenUp is the plan of an experiment that this process has taken.
func (l *Laboratory) takenUp(ctx context.Context, name string, pauseAt int, journal *store.Journal) (run.Task, error) {
	x, err := l.Store.Experiment(ctx, name) // as it is now that nobody else can change it
	if err != nil {
		return run.Task{}, err
	}
	plan := run.Task{Name: x.Name, Principal: x.Principal, Months: x.Months, PauseAt: pauseAt, Footprint: Footprint}
	recorded := run.Recorded{Complete: ended(x), Month: x.Month}
	if recorded.Complete > 0 {
		recorded.Month = underway(x)
	}
	for i := range x.Arms {
		s, err := scenarioOf(x, i)
		if err != nil {
			return run.Task{}, err
		}
		plan.Arms = append(plan.Arms, Arm{Name: x.Arms[i].Name, Scenario: s})
		recorded.Began = append(recorded.Began, began(x, i))
	}
	plan.Seeds = run.Seeds(x.Seed, x.Replications+len(x.Underway)/len(x.Arms))
	registration, _ := RegistrationOf(x)
	o := l.newRecorder(journal, plan, registration.auto())
	o.from = recorded.Complete
	if x.CodeVersion != l.Version {
		o.begunBy = programOf(x)
	}
	if err := o.goOn(x); err != nil {
		return run.Task{}, err
	}
	plan.Recorder, plan.Recorded = o, recorded
	if searches, err := l.searches(ctx, x); err != nil {
		return run.Task{}, err
	} else if searches {
		l.prepared(&plan, registration, x.Seed, journal)
	}
	if month, open, err := l.Store.Checkpoint(ctx, name); err == nil && month > 0 && recorded.Complete < len(plan.Seeds) {
		plan.From = &run.Checkpoint{Month: month, Open: open}
	}
	return plan, nil
}

// ended is how many replications of an experiment have ended in its last month, others
// being under way or not; 0 while its first ones are.
func ended(x store.Experiment) int {
	for _, r := range x.Runs {
		if r.StateHash == "" || r.Month < x.Months {
			return 0
		}
	}
	return x.Replications
}

// underway is the last month that all runs have that do not count yet; 0 = none.
func underway(x store.Experiment) int {
	if len(x.Underway) == 0 {
		return 0
	}
	month := x.Months
	for _, r := range x.Underway {
		month = min(month, r.Month)
	}
	return month
}

// began lists what began in the runs of an arm, by replication: those under way last.
func began(x store.Experiment, arm int) (list [][]int) {
	for _, runs := range [][]store.Run{x.Runs, x.Underway} {
		for _, r := range runs {
			if r.Arm == x.Arms[arm].Name {
				list = append(list, r.Began)
			}
		}
	}
	return list
}

// known is the status of an experiment that lives in this process, or whose end the
// manager put on record. Of others the store knows more: a process that could not write
// ended in an earlier month than it thought, and another may have taken the experiment up.
func (l *Laboratory) known(name string) (run.Status, bool) {
	s, ok := l.Runs.Status(name)
	return s, ok && (!s.State.Ended() || s.State == run.StateCompleted || s.State == run.StateStopped)
}

// liveHere is an experiment that this process is simulating or holds paused.
func (l *Laboratory) liveHere(name string) (run.Status, bool) {
	s, ok := l.Runs.Status(name)
	return s, ok && !s.State.Ended()
}

// steered calls the manager for an experiment that it has. verb says what happens to it.
func (l *Laboratory) steered(ctx context.Context, name, verb string, call func() (run.Status, error)) (Status, error) {
	if _, err := l.steerable(ctx, name, verb); err != nil {
		return Status{}, err
	}
	s, err := call()
	return l.live(ctx, s), err
}

// steerable is the status of an experiment that the manager has; others cannot be steered here.
func (l *Laboratory) steerable(ctx context.Context, name, verb string) (run.Status, error) {
	s, ok := l.liveHere(name)
	if ok {
		return s, nil
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return s, err
	}
	return s, notSteerable(name, run.State(x.State), verb)
}

// notSteerable says that an experiment is not in the state that a call needs.
func notSteerable(name string, state run.State, verb string) error {
	e := fault.New(fault.InvalidState, "experiment_name", "%s is %s and cannot be %s", name, state, verb)
	switch state {
	case run.StateQueued, run.StateBurnIn, run.StateRunning, run.StatePaused:
		e.Message += " here: another process runs it"
		e.Hint = "use the program that started it"
	case run.StateInterrupted:
		e.Hint = "resume_simulation goes on with it, and " + stopEnds
	default:
		e.Hint = "start a new one: start_simulation"
	}
	return e
}

// pollEvery is the time between two looks at an experiment of another process.
const pollEvery = time.Second

// Wait returns when an experiment does not run any more, or with its status so far when
// ctx is done. seen, which may be nil, is called now and then on the way.
func (l *Laboratory) Wait(ctx context.Context, name string, seen func(Status)) (Status, error) {
	look := context.WithoutCancel(ctx) // the status is also told when the wait is over
	if seen == nil {
		seen = func(Status) {}
	}
	if _, ok := l.liveHere(name); ok {
		s, err := l.Runs.Wait(ctx, name, func(r run.Status) { seen(l.live(look, r)) })
		if err == nil && s.State.Ended() {
			return l.Status(look, name)
		}
		if err != nil && ctx.Err() == nil {
			return Status{}, err
		}
		return l.live(look, s), nil
	}
	for {
		s, err := l.Status(look, name)
		if err != nil || !s.Running() {
			return s, err
		}
		seen(s)
		select {
		case <-ctx.Done():
			return s, nil
		case <-time.After(pollEvery):
		}
	}
}

// ScenarioYAML is the scenario of an arm as it is stored.
func (l *Laboratory) ScenarioYAML(ctx context.Context, name, arm string) ([]byte, error) {
	x, i, err := l.found(ctx, name, arm)
	if err != nil {
		return nil, err
	}
	return x.Arms[i].Scenario, nil
}

// Scenario of an arm as it was simulated.
func (l *Laboratory) Scenario(ctx context.Context, name, arm string) (scenario.Scenario, error) {
	x, i, err := l.found(ctx, name, arm)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenarioOf(x, i)
}

package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Order is an experiment that a user wants.
type Order struct {
	Name         string            // "" = one made of size, months and time
	Arms         []Arm             // the control first, or all there is, of the same sizes; empty = those of Scenario and Control
	Scenario     scenario.Scenario // the treatment, or all there is
	Control      string            // [BurnInControl], or the name of a preset or a config; "" = none
	Replications Replications
	Seed         *uint64 // of the first replication; nil = the scenario's
	Months       int     // 0 = the scenario's
	PauseAt      int     // the month after which it pauses; 0 = none
	Question     string
	Plan         *Plan // by what it is judged, said before it runs; nil = the standard plan
	Rename       bool  // where Name is taken, take it with a suffix
	Principal    string
	Shared       bool // others that may write may steer it

	registration *Registration // what is stored as the plan; nil = what follows from the rest
}

// Started describes an experiment that has been queued.
type Started struct {
	Name             string
	RunIDs           []string
	Arms             []string
	Months           int
	Households       int
	Firms            int
	EstimatedSeconds float64
	ScenarioHash     string   // of the treatment
	PlanHash         string   // SHA-256 of what is stored as the plan
	BurntInApart     []string // parameters, not live, for which an arm has a burn-in of its own
	Warnings         []string // what of it can do nothing
	StoredBytesLeft  *int64   // that its principal may store beyond what is reserved for it; nil = there is no limit
}

// Start stores an experiment and queues it. A wrong order changes nothing.
func (l *Laboratory) Start(ctx context.Context, o Order) (Started, error) {
	if o.Name != "" {
		if err := fault.CheckNewName("experiment_name", o.Name); err != nil {
			return Started{}, err
		}
	}
	x, registration, err := l.ordered(&o)
	if err != nil {
		return Started{}, err
	}
	if o.registration != nil {
		registration = *o.registration
	}
	stored := l.stored(x, o)
	if stored.Plan, err = canonical(registration); err != nil {
		return Started{}, err
	}
	plan := run.Task{
		Principal: o.Principal, Arms: x.Arms, Seeds: run.Seeds(x.Seed, x.Replications), Months: x.Months, PauseAt: o.PauseAt,
		Footprint: Footprint,
	}
	if registration.auto() { // the others of its first replications come when these have ended
		plan.Seeds = plan.Seeds[:max(1, l.Runs.Fit(plan))]
	}
	if err := l.Runs.Check(plan); err != nil {
		return Started{}, err
	}
	l.starting.Lock() // or two starts at once would be within limits that both together are not
	defer l.starting.Unlock()
	if err := l.withinLimits(stored); err != nil {
		return Started{}, err
	}
	stored.Reserved = l.runBytes(stored, planned(x.Arms), len(plan.Seeds))
	if q, ok := registration.inquiryOf(); ok && q.Searches() {
		stored.Reserved += l.Store.RunBytes(0, 0, searchBytes)
	}
	journal, err := l.Store.Create(ctx, stored, plan.Seeds, o.Name == "" || o.Rename)
	if err != nil {
		return Started{}, err
	}
	stored.Name = journal.Name()
	l.noted.Delete(stored.Name)
	plan.Name, plan.Recorder = stored.Name, l.newRecorder(journal, plan, registration.auto())
	l.prepared(&plan, registration, x.Seed, journal)
	if err := l.Runs.Start(plan); err != nil { // the server shuts down
		return Started{}, errors.Join(err, journal.Discard())
	}
	account, err := l.Store.Account(ctx, o.Principal)
	if err != nil { // it runs all the same
		slog.Warn("what a principal has left could not be read", "principal", o.Principal, "error", err)
	}
	started := Started{
		Name: stored.Name, Months: x.Months, Households: stored.Households, Firms: stored.Firms,
		ScenarioHash: stored.Arms[len(stored.Arms)-1].Hash, PlanHash: PlanHash(stored.Plan), EstimatedSeconds: x.estimate(),
		Warnings: cautions(x.Arms, report.LanguageOf(o.Question)),
	}
	if q, ok := registration.inquiryOf(); ok {
		started.EstimatedSeconds = x.estimateWith(q)
	}
	if left, limited := l.Store.Limits.Left(account); limited && err == nil {
		started.StoredBytesLeft = &left
	}
	for _, arm := range stored.Arms {
		started.Arms = append(started.Arms, arm.Name)
		started.BurntInApart = append(started.BurntInApart, arm.BurntInApart...)
		for r := range plan.Seeds {
			started.RunIDs = append(started.RunIDs, fmt.Sprintf("%s/%s/%d", stored.Name, arm.Name, r+1))
		}
	}
	return started, nil
}

// ordered is the experiment that an order means, whose months, first replications and what
// adds to these it fills in, and what is registered of it.
func (l *Laboratory) ordered(o *Order) (Experiment, Registration, error) {
	if err := o.settle(); err != nil {
		return Experiment{}, Registration{}, err
	}
	arms, err := l.arms(o)
	if err != nil {
		return Experiment{}, Registration{}, err
	}
	x := Experiment{Arms: arms, Replications: int(o.Replications), Seed: uint64(arms[0].Scenario.Params.RandomState), Months: o.Months}
	if x, err = x.checked(); err != nil {
		return Experiment{}, Registration{}, err
	}
	x.groups = run.Groups(x.Arms)
	for _, g := range x.groups {
		for _, i := range g.Arms { // the record is of what is simulated
			x.Arms[i].Scenario = g.Simulated(x.Arms[i].Scenario)
		}
	}
	r, err := registered(x, *o)
	return x, r, err
}

// arms returns the arms of an order, whose months it fills in.
func (l *Laboratory) arms(o *Order) ([]Arm, error) {
	arms := slices.Clone(o.Arms)
	if len(arms) == 0 {
		arms = []Arm{{Name: OnlyArm, Scenario: o.Scenario}}
	}
	for i := range arms {
		if err := o.span(&arms[i].Scenario); err != nil {
			return nil, err
		}
	}
	s := arms[0].Scenario
	o.Months = s.Params.NumIterations
	if len(o.Arms) > 0 {
		for _, arm := range arms[1:] {
			p, first := arm.Scenario.Params, s.Params
			if p.NumIterations != o.Months || p.RandomState != first.RandomState || p.NumHouseholds != first.NumHouseholds {
				return nil, fault.New(fault.Conflict, "arms", "arms %q and %q differ in months, seed or households", arms[0].Name, arm.Name)
			}
		}
		return arms, nil
	}
	switch o.Control {
	case "":
		return arms, nil
	case BurnInControl:
		return twins(s, Continued(s), o.PauseAt > 0)
	}
	control, err := l.Scenarios.Scenario(o.Control)
	switch fault.KindOf(err) {
	case "":
	case fault.NotFound, fault.Conflict:
		return nil, fault.In("control", err)
	default: // what is wrong in it
		return nil, err
	}
	return twins(s, control, o.PauseAt > 0)
}

// span gives a scenario the seed and the months of the order, where it says so.
func (o *Order) span(s *scenario.Scenario) error {
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		if o.Seed != nil {
			if err := p.Set("random_state", *o.Seed); err != nil {
				return err
			}
		}
		if o.Months > 0 {
			if err := p.Set("num_iterations", o.Months); err != nil {
				return err
			}
		}
	}
	return nil
}

// withinLimits refuses an experiment that its principal may not have simulated. The caller
// holds l.starting.
func (l *Laboratory) withinLimits(x store.Experiment) error {
	size := int64(x.Households) * int64(x.Months) * int64(x.Replications) * int64(len(x.Arms))
	if most := l.Limits.HouseholdMonths; most > 0 && size > most {
		e := fault.New(fault.LimitExceeded, "replications",
			"households x months x replications x arms is %d, above the limit household_months of %d", size, most)
		e.Hint = "lower num_households, months or replications"
		return e
	}
	if most := l.Limits.Running; most > 0 {
		if running := l.runningOf(x.Principal); running >= most {
			return fault.New(fault.LimitExceeded, "experiment_name", "%d experiments run or wait already, the limit running_experiments", running).
				WithHint("wait for one to end, or stop one: stop_simulation")
		}
	}
	return nil
}

// runBytes is what replications of an experiment, whose arms have so many interventions, come to
// store at most.
func (l *Laboratory) runBytes(x store.Experiment, planned []int, replications int) (bytes int64) {
	for _, interventions := range planned {
		bytes += int64(replications) * l.Store.RunBytes(x.Months, interventions, detailBytes(x.Households)...)
	}
	return bytes
}

// planned is how many interventions each of some arms has.
func planned(arms []Arm) []int {
	n := make([]int, len(arms))
	for i := range arms {
		n[i] = len(arms[i].Scenario.Interventions)
	}
	return n
}

// reserve sets aside what further replications of a stored experiment may come to store. Those that
// have begun have months on record, which count already.
func (l *Laboratory) reserve(journal *store.Journal, x store.Experiment, replications int, begun ...store.Run) error {
	interventions := make([]int, len(x.Arms))
	for i := range x.Arms {
		s, err := scenarioOf(x, i)
		if err != nil {
			return err
		}
		interventions[i] = len(s.Interventions)
	}
	more := l.runBytes(x, interventions, replications)
	for _, r := range begun {
		more -= l.Store.RunBytes(r.Month, 0) - l.Store.RunBytes(0, 0)
	}
	return journal.Reserve(more)
}

// stored is the record of an experiment before its first month.
func (l *Laboratory) stored(x Experiment, o Order) store.Experiment {
	p := &x.Arms[0].Scenario.Params
	out := store.Experiment{
		Name:      cmp.Or(o.Name, fmt.Sprintf("exp_%dh_%dm_%s", p.NumHouseholds, x.Months, l.now().Format("20060102_150405"))),
		CreatedAt: l.now(), Principal: o.Principal, Shared: o.Shared, Question: o.Question,
		Seed: x.Seed, Months: x.Months, Replications: x.Replications, Households: p.NumHouseholds, Firms: p.NumHouseholds / p.HouseholdsPerFirm,
		ModelVersion: sim.ModelVersion, CodeVersion: l.Version, GoVersion: runtime.Version(), Arch: runtime.GOOS + "/" + runtime.GOARCH,
		State: string(run.StateQueued),
	}
	for _, arm := range x.Arms {
		out.Arms = append(out.Arms, store.Arm{
			Name: arm.Name, Scenario: arm.Scenario.Encode(), Hash: arm.Scenario.Hash(), Data: simulated(sim.ModelVersion, arm.Scenario),
		})
	}
	for _, g := range x.groups {
		for _, i := range g.Arms {
			out.Arms[i].BurntInApart = g.Apart
		}
	}
	return out
}

// agentMonthsPerSecond is a cautious guess of what a core simulates.
const agentMonthsPerSecond = 1.2e6

// estimate is how long the experiment will take on an idle machine, in seconds.
func (x Experiment) estimate() float64 {
	seconds := x.seconds(x.Replications*len(x.Arms), x.Months)
	for _, g := range x.groups {
		seconds += x.seconds(x.Replications, g.BurnIn.BurnIn.BurnInMonths)
	}
	return seconds
}

// seconds is how long runs of so many months take, of economies as large as those of the experiment.
func (x Experiment) seconds(runs, months int) float64 {
	p := x.Arms[0].Scenario.BurnIn
	agents := float64(p.NumHouseholds) * (1 + 1/float64(p.HouseholdsPerFirm))
	cores := min(float64(runtime.GOMAXPROCS(0)), float64(runs))
	return agents * float64(runs*months) / (agentMonthsPerSecond * cores)
}

// runningOf counts the experiments of a principal that this process has not ended.
func (l *Laboratory) runningOf(principal string) int {
	n := 0
	for _, s := range l.Runs.Live() {
		if s.Principal == principal {
			n++
		}
	}
	return n
}

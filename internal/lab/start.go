package lab

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Order is an experiment that a user wants.
type Order struct {
	Name         string             // "" = one made of size, months and time
	Scenario     scenario.Scenario  // the treatment, or all there is
	Control      string             // [BurnInControl], or the name of a preset or a config; "" = none
	Against      *scenario.Scenario // the control itself, in place of its name; nil = Control
	Replications int
	Seed         *uint64 // of the first replication; nil = the scenario's
	Months       int     // 0 = the scenario's
	PauseAt      int     // the month after which it pauses; 0 = none
	Question     string
	Plan         *Plan // by what it is judged, said before it runs; nil = the standard plan
	Rename       bool  // where Name is taken, take it with a suffix
	Principal    string

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
}

// Start stores an experiment and queues it. A wrong order changes nothing.
func (l *Laboratory) Start(o Order) (Started, error) {
	x, registration, err := l.ordered(&o)
	if err != nil {
		return Started{}, err
	}
	if o.registration != nil {
		registration = *o.registration
	}
	if o.PauseAt < 0 || o.PauseAt > x.Months {
		return Started{}, fault.Range("pause_at_month", fmt.Sprint(o.PauseAt), fmt.Sprintf("1 to %d", x.Months))
	}
	stored, seeds := l.stored(x, o)
	if stored.Plan, err = canonical(registration); err != nil {
		return Started{}, err
	}
	plan := run.Plan{Arms: x.Arms, Seeds: seeds, Months: x.Months, PauseAt: o.PauseAt}
	if err := l.Runs.Check(plan); err != nil {
		return Started{}, err
	}
	l.starting.Lock() // or two starts at once would be within limits that both together are not
	defer l.starting.Unlock()
	if err := l.withinLimits(stored); err != nil {
		return Started{}, err
	}
	create := l.Store.Create
	if o.Name == "" || o.Rename {
		create = l.Store.CreateFree
	}
	journal, err := create(stored, seeds)
	if err != nil {
		return Started{}, err
	}
	stored.Name = journal.Name()
	plan = l.planned(x, stored, seeds, o.PauseAt, journal, newObservers(journal, len(x.Arms), len(seeds)))
	if err := l.Runs.Start(plan); err != nil { // the server shuts down
		return Started{}, errors.Join(err, journal.Discard())
	}
	started := Started{
		Name: stored.Name, Months: x.Months, Households: stored.Households, Firms: stored.Firms,
		ScenarioHash: stored.Arms[len(stored.Arms)-1].Hash, PlanHash: PlanHash(stored.Plan), EstimatedSeconds: x.estimate(),
	}
	for _, arm := range stored.Arms {
		started.Arms = append(started.Arms, arm.Name)
		started.BurntInApart = append(started.BurntInApart, arm.BurntInApart...)
		for r := range x.Replications {
			started.RunIDs = append(started.RunIDs, fmt.Sprintf("%s/%s/%d", stored.Name, arm.Name, r+1))
		}
	}
	return started, nil
}

// ordered is the experiment that an order, whose months it fills in, means, and what is
// registered of it.
func (l *Laboratory) ordered(o *Order) (Experiment, Registration, error) {
	arms, err := l.arms(o)
	if err != nil {
		return Experiment{}, Registration{}, err
	}
	x := Experiment{Arms: arms, Replications: o.Replications, Seed: uint64(arms[0].Scenario.Params.RandomState), Months: o.Months}
	if x, err = x.checked(); err != nil {
		return Experiment{}, Registration{}, err
	}
	for _, g := range run.Groups(x.Arms) {
		for _, i := range g.Arms { // the record is of what is simulated
			x.Arms[i].Scenario = g.Simulated(x.Arms[i].Scenario)
		}
	}
	r, err := registered(x, *o)
	return x, r, err
}

// arms returns the arms of an order, whose months it fills in.
func (l *Laboratory) arms(o *Order) ([]Arm, error) {
	s := o.Scenario
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		if o.Seed != nil {
			if err := p.Set("random_state", *o.Seed); err != nil {
				return nil, err
			}
		}
		if o.Months > 0 {
			if err := p.Set("num_iterations", o.Months); err != nil {
				return nil, err
			}
		}
	}
	o.Months = s.Params.NumIterations
	if o.Against != nil {
		return Twins(s, *o.Against)
	}
	switch o.Control {
	case "":
		return []Arm{{Name: OnlyArm, Scenario: s}}, nil
	case BurnInControl:
		return Twins(s, Continued(s))
	}
	control, err := l.Scenarios.Scenario(o.Control)
	switch fault.KindOf(err) {
	case "":
	case fault.NotFound, fault.Conflict:
		return nil, fault.In("control", err)
	default: // what is wrong in it
		return nil, err
	}
	return Twins(s, control)
}

// withinLimits refuses an experiment that its principal may not have simulated. The caller
// holds l.starting.
func (l *Laboratory) withinLimits(x store.Experiment) error {
	size := int64(x.Households) * int64(x.Months) * int64(x.Replications) * int64(len(x.Arms))
	if most := l.Limits.HouseholdMonths; most > 0 && size > most {
		e := fault.New(fault.LimitExceeded, "replications", "households x months x replications x arms is %d, above the limit household_months of %d", size, most)
		e.Hint = "lower num_households, months or replications"
		return e
	}
	if most := l.Limits.Running; most > 0 {
		if running := l.runningOf(x.Principal); running >= most {
			e := fault.New(fault.LimitExceeded, "experiment_name", "%d experiments run or wait already, the limit running_experiments", running)
			e.Hint = "wait for one to end, or stop one: stop_simulation"
			return e
		}
	}
	if most := l.Limits.StoredBytes; most > 0 {
		bytes, err := l.Store.StoredBytes(x.Principal)
		if err != nil {
			return err
		}
		if bytes >= most {
			e := fault.New(fault.LimitExceeded, "experiment_name", "%d bytes are stored, the limit stored_bytes is %d", bytes, most)
			e.Hint = "ask the operator of the server for room"
			return e
		}
	}
	return nil
}

// stored is the record of an experiment before its first month.
func (l *Laboratory) stored(x Experiment, o Order) (store.Experiment, []uint64) {
	p := &x.Arms[0].Scenario.Params
	out := store.Experiment{
		Name:      cmp.Or(o.Name, fmt.Sprintf("exp_%dh_%dm_%s", p.NumHouseholds, x.Months, l.now().Format("20060102_150405"))),
		CreatedAt: l.now(), Principal: o.Principal, Question: o.Question,
		Seed: x.Seed, Months: x.Months, Replications: x.Replications, Households: p.NumHouseholds, Firms: p.NumHouseholds / p.HouseholdsPerFirm,
		ModelVersion: sim.ModelVersion, CodeVersion: l.Version, GoVersion: runtime.Version(), Arch: runtime.GOOS + "/" + runtime.GOARCH,
		State: string(run.StateQueued),
	}
	for _, arm := range x.Arms {
		out.Arms = append(out.Arms, store.Arm{Name: arm.Name, Scenario: arm.Scenario.Encode(), Hash: arm.Scenario.Hash()})
	}
	for _, g := range run.Groups(x.Arms) {
		for _, i := range g.Arms {
			out.Arms[i].BurntInApart = g.Apart
		}
	}
	var seeds []uint64
	for r := range x.Replications {
		seeds = append(seeds, ReplicationSeed(x.Seed, r))
	}
	return out, seeds
}

// planned is what the manager of runs is asked for.
func (l *Laboratory) planned(x Experiment, stored store.Experiment, seeds []uint64, pauseAt int, journal *store.Journal, o *observers) run.Plan {
	return run.Plan{
		Name: stored.Name, Principal: stored.Principal, Arms: x.Arms, Seeds: seeds, Months: x.Months, PauseAt: pauseAt,
		Recorder: journal, Keeper: journal, Watch: o.watch, Leave: o.leave, Kept: o.kept, Ended: func() { journal.Close() },
	}
}

// agentMonthsPerSecond is a cautious guess of what a core simulates.
const agentMonthsPerSecond = 1.2e6

// estimate is how long the experiment will take on an idle machine, in seconds.
func (x Experiment) estimate() float64 {
	p := x.Arms[0].Scenario.BurnIn
	agents := float64(p.NumHouseholds) * (1 + 1/float64(p.HouseholdsPerFirm))
	cores := min(float64(runtime.GOMAXPROCS(0)), float64(x.Replications*len(x.Arms)))
	return agents * float64(x.simulatedMonths(run.Groups(x.Arms))) / (agentMonthsPerSecond * cores)
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

package lab

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Planned is an intervention of an experiment and what became of it.
type Planned struct {
	ID           string
	Experiment   string // "" = planned in a workspace for the next start
	Arm          string
	Intervention sim.Intervention
	State        string         // pending, active, executed, reverted, cancelled, failed
	Warnings     []string       // where it has just been planned: why it can do nothing
	InForce      tables.InForce // by replication; filled in by [Laboratory.Planned]
	Began        int            // month in which it began, in the first replication in which it did; 0 = not yet
}

// The states of interventions. An experiment that was interrupted keeps those that had
// not begun as pending, because it can be resumed.
const (
	Pending   = "pending"
	Active    = "active"   // in force, in the next month too, and will end; a rule: has been on, and may be again
	Executed  = "executed" // in force to the end, or done
	Reverted  = "reverted" // in force for its duration, and undone
	Cancelled = "cancelled"
	Failed    = "failed" // the experiment ended before it began: its condition was never met, or its month never came
)

// InterventionID names an intervention by its place in the plan of an arm, from 1.
func interventionID(name, arm string, index int) string {
	return fmt.Sprintf("%s/%s/%d", name, arm, index+1)
}

// Inject plans an intervention for an arm of a running, paused or queued experiment; "" is the
// only treatment, or the only arm.
func (l *Laboratory) Inject(ctx context.Context, name, arm string, v sim.Intervention, by access.Caller) (Planned, error) {
	if err := l.may(ctx, by, "inject into", name); err != nil {
		return Planned{}, err
	}
	live, err := l.steerable(ctx, name, "changed")
	if err != nil {
		return Planned{}, err
	}
	if arm == "" {
		if len(live.Arms) > 2 {
			e := fault.Missing("arm", "say which of the arms it acts in: "+strings.Join(live.Arms, ", "))
			e.Allowed = live.Arms
			return Planned{}, e
		}
		arm = live.Arms[len(live.Arms)-1]
	}
	index, _, err := l.Runs.Inject(ctx, name, arm, v, by.Principal)
	if err != nil {
		return Planned{}, err
	}
	p := Planned{ID: interventionID(name, arm, index), Experiment: name, Arm: arm, Intervention: v, State: Pending}
	if x, err := l.Store.Experiment(ctx, name); err != nil { // it is planned all the same
		slog.Warn("what an intervention acts on could not be read", "experiment", name, "error", err)
	} else if i := slices.IndexFunc(x.Arms, func(a store.Arm) bool { return a.Name == arm }); i >= 0 {
		if s, err := scenarioOf(x, i); err == nil {
			p.Warnings = IdleReasons(s, index, report.LanguageOf(x.Question))
		}
	}
	return p, nil
}

// IdleReasons says in a language why an intervention of a scenario, by its place from 0, can do nothing in it.
func IdleReasons(s scenario.Scenario, index int, language string) (list []string) {
	for _, v := range sim.IdleInterventions(s.Params, s.Interventions) {
		if v.Index == index {
			list = append(list, v.Reason.In(language))
		}
	}
	return list
}

// NextStart is where interventions apply that are planned in a workspace.
const NextStart = "next start"

// AppliesTo is the arm of an experiment, or the next start.
func (p Planned) AppliesTo() string {
	if p.Experiment == "" {
		return NextStart
	}
	return p.Experiment + "/" + p.Arm
}

// Alive says whether this process simulates an experiment or holds it paused.
func (l *Laboratory) Alive(name string) bool {
	_, ok := l.liveHere(name)
	return ok
}

// Cancel takes back an intervention that has not begun.
func (l *Laboratory) Cancel(ctx context.Context, id string, by access.Caller) (Planned, error) {
	parts := strings.Split(id, "/")
	number := 0
	if len(parts) == 3 {
		number, _ = strconv.Atoi(parts[2])
	}
	if number < 1 {
		return Planned{}, fault.New(fault.NotFound, "intervention_id", "%.80q is not the id of an intervention", id).
			WithHint("list_pending_interventions has the ids")
	}
	name, arm := parts[0], parts[1]
	if err := l.may(ctx, by, "cancel an intervention of", name); err != nil {
		return Planned{}, fault.In("intervention_id", err)
	}
	list, err := l.Planned(ctx, name)
	if err != nil {
		return Planned{}, err
	}
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	k := slices.Index(ids, id)
	if k < 0 {
		return Planned{}, fault.In("intervention_id", fault.Unknown(fault.NotFound, "intervention", id, ids))
	}
	if state := list[k].State; state != Pending {
		return Planned{}, fault.New(fault.InvalidState, "intervention_id", "%s is %s", id, state).
			WithHint("only what has not begun can be cancelled; plan an intervention that reverses it")
	}
	cancel := func() (run.Status, error) { return l.Runs.Cancel(ctx, name, arm, number-1, by.Principal) }
	if _, err := l.steered(ctx, name, "changed", cancel); err != nil {
		return Planned{}, err
	}
	list[k].State = Cancelled
	return list[k], nil
}

// Planned lists the interventions of all arms of an experiment.
func (l *Laboratory) Planned(ctx context.Context, name string) (list []Planned, err error) {
	add := func(of []Planned, month int, arm string, plan []sim.Intervention, began [][]int) error {
		panel, err := l.watched(ctx, name, arm, plan)
		if err != nil {
			return err
		}
		for k, inForce := range tables.NewInForce(plan, began, panel, month) {
			of[k].InForce = inForce
		}
		list = append(list, of...)
		return nil
	}
	if live, ok := l.known(name); ok {
		for i, plan := range live.Plans {
			counted := live.Began[i]
			if done := live.ReplicationsDone; done > 0 { // those under way do not count
				counted = counted[:min(done, len(counted))]
			}
			of := plannedOf(name, live.Arms[i], live.State, live.Month, plan, live.Began[i])
			if err := add(of, live.Month, live.Arms[i], plan, counted); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	for i, arm := range x.Arms {
		s, err := scenarioOf(x, i)
		if err != nil {
			return nil, err
		}
		all := began(x, i)
		of := plannedOf(name, arm.Name, run.State(x.State), x.Month, s.Interventions, all)
		if err := add(of, x.Month, arm.Name, s.Interventions, all[:x.Replications]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func livePlans(s run.Status) (list []Planned) {
	for i, plan := range s.Plans {
		list = append(list, plannedOf(s.Name, s.Arms[i], s.State, s.Month, plan, s.Began[i])...)
	}
	return list
}

func (l *Laboratory) storedPlans(x store.Experiment) ([]Planned, error) {
	var list []Planned
	for i := range x.Arms {
		s, err := scenarioOf(x, i)
		if err != nil {
			return nil, err
		}
		list = append(list, plannedOf(x.Name, x.Arms[i].Name, run.State(x.State), x.Month, s.Interventions, began(x, i))...)
	}
	return list, nil
}

// watched are the indicators that the rules of a plan watch; without rules nothing is read.
func (l *Laboratory) watched(ctx context.Context, name, arm string, plan []sim.Intervention) (tables.Panel, error) {
	var indicators []sim.Indicator
	rules := false
	for _, v := range plan {
		rules = rules || v.IsRule()
		indicators = append(indicators, v.Watched()...)
	}
	if !rules {
		return nil, nil
	}
	slices.Sort(indicators)
	x, err := l.Store.Experiment(ctx, name)
	if err != nil || x.Month == 0 {
		return nil, err
	}
	k := slices.IndexFunc(x.Arms, func(a store.Arm) bool { return a.Name == arm })
	return l.panel(ctx, x, k, slices.Compact(indicators), nil)
}

// pending counts those that have not begun.
func pending(list []Planned) (n int) {
	for _, p := range list {
		if p.State == Pending {
			n++
		}
	}
	return n
}

// plannedOf says what became of the plan of an arm up to a month, in which the experiment
// is in a state. began holds the first month of each intervention by replication, as far as
// it is known; that of one without a condition is its target month.
func plannedOf(name, arm string, state run.State, month int, plan []sim.Intervention, began [][]int) []Planned {
	var list []Planned
	for k, v := range plan {
		p := Planned{ID: interventionID(name, arm, k), Experiment: name, Arm: arm, Intervention: v, State: Pending}
		if v.Cancelled {
			p.State = Cancelled
			list = append(list, p)
			continue
		}
		for _, months := range began {
			if k < len(months) && months[k] > 0 && (p.Began == 0 || months[k] < p.Began) {
				p.Began = months[k]
			}
		}
		if p.Began == 0 && v.When == "" {
			p.Began = v.TargetMonth
		}
		duration := v.DurationMonths
		if duration == 0 && v.OneMonth() {
			duration = 1
		}
		over := state.Ended() && state != run.StateInterrupted
		switch {
		case p.Began == 0 || p.Began > month:
			if p.Began = 0; over {
				p.State = Failed
			}
		case v.IsRule() && !over:
			p.State = Active // it may be switched on and off again
		case v.IsRule() || duration == 0 || over && month < p.Began+duration-1:
			p.State = Executed
		case month < p.Began+duration-1:
			p.State = Active
		case v.OneMonth():
			p.State = Executed
		default:
			p.State = Reverted
		}
		list = append(list, p)
	}
	return list
}

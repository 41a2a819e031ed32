package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Laboratory is where experiments are started, steered and read: it puts the manager
// of runs and the store together. All its methods may be called by many goroutines.
type Laboratory struct {
	Runs      *run.Manager
	Store     *store.Store
	Scenarios Scenarios
	Cache     run.Cache // of burnt-in states; the one that Runs uses
	Limits    Limits
	Version   string           // of the code, as it is recorded with each experiment
	Now       func() time.Time // nil = time.Now

	reports  kept[report.Report]
	compared kept[inference.Comparison]
	effects  kept[EffectPaths]
	looked   lookedAt
	booked   keptBooks
	noted    sync.Map   // when a look at an experiment was last noted, by name
	adopting sync.Mutex // guards adopted
	adopted  bool       // what earlier programs left behind is in the register
	headings headings
	starting sync.Mutex // held from a look at the limits until an experiment counts
}

// Scenarios finds what a control may be: a preset or a config by its name.
type Scenarios interface {
	Scenario(name string) (scenario.Scenario, error)
}

// Limits bound what one principal may ask for. 0 = no limit.
type Limits struct {
	HouseholdMonths int64 // households x months x replications x arms of one experiment
	Running         int   // experiments at a time, queued and paused ones included
}

func (l *Laboratory) now() time.Time {
	if l.Now == nil {
		return time.Now()
	}
	return l.Now()
}

// found returns an experiment and the number of one of its arms. No arm means the
// treatment, else the only one.
func (l *Laboratory) found(ctx context.Context, name, arm string) (store.Experiment, int, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return x, 0, err
	}
	i, err := armOf(x, arm)
	return x, i, err
}

func armOf(x store.Experiment, arm string) (int, error) {
	names := make([]string, len(x.Arms))
	for i := range x.Arms {
		names[i] = x.Arms[i].Name
	}
	return armIn(names, arm)
}

// armIn is the number of an arm among those of an experiment.
func armIn(names []string, arm string) (int, error) {
	if i := slices.Index(names, cmp.Or(arm, TreatmentArm)); i >= 0 {
		return i, nil
	}
	if arm == "" {
		return len(names) - 1, nil
	}
	return 0, fault.In("arm", fault.Unknown(fault.NotFound, "arm", arm, names))
}

// scenarioOf reads the scenario of an arm as it was simulated, with everything that
// was injected.
func scenarioOf(x store.Experiment, arm int) (scenario.Scenario, error) {
	s, err := scenario.DecodeStored(x.Arms[arm].Name, x.Arms[arm].Scenario)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return s, fault.New(fault.InvalidState, "experiment_name", "the scenario of %s, arm %s, cannot be read: %s", x.Name, x.Arms[arm].Name,
			e.Message).WithHint("use the program that wrote it, " + programOf(x))
	}
	return s, err
}

// excerpt is what is read of an arm: a range of months, both ends included, and of these one
// in so many.
type excerpt struct {
	store.Experiment
	arm             int
	from, to, every int
}

// excerpt finds an arm and a range of its months, 0 for the first and the last. An end that
// has not been simulated yet is the last month that has.
func (l *Laboratory) excerpt(ctx context.Context, name, arm string, from, to, every int) (excerpt, error) {
	x, i, err := l.found(ctx, name, arm)
	if err != nil {
		return excerpt{}, err
	}
	if x.Month == 0 {
		return excerpt{}, noMonths(x)
	}
	if to > x.Months {
		return excerpt{}, fault.Range(
			"to_month", fmt.Sprint(to), fmt.Sprintf("1 to %d, the last month of the experiment; 0 for the latest", x.Months),
		)
	}
	last := x.Month
	if to > 0 {
		last = min(to, last)
	}
	if from = max(1, from); from > last {
		return excerpt{}, fault.Range("from_month", fmt.Sprint(from), fmt.Sprintf("1 to %d", last))
	}
	l.look(ctx, name)
	return excerpt{x, i, from, last, max(0, every)}, nil
}

// noMonths says that an experiment has nothing to show yet.
func noMonths(x store.Experiment) error {
	return fault.New(fault.InvalidState, "experiment_name", "%s is %s and has no month yet", x.Name, x.State).
		WithHint("wait for its first month: get_simulation_status")
}

// monthOf checks a month of an experiment; 0 means the last.
func monthOf(x store.Experiment, month int) (int, error) {
	if x.Month == 0 {
		return 0, noMonths(x)
	}
	if month == 0 {
		return x.Month, nil
	}
	if month > x.Month {
		return 0, fault.Range("month", fmt.Sprint(month), fmt.Sprintf("1 to %d, the last month that was simulated", x.Month))
	}
	return month, nil
}

// headlines are the headline indicators of the model, in its order.
func headlines() (list []sim.Indicator) {
	for i := range sim.NumIndicators {
		list = append(list, i)
	}
	return list
}

// indicatorsOf finds indicators by the names in an argument; none means the headline ones.
func indicatorsOf(field string, names []string) ([]sim.Indicator, error) {
	if len(names) == 0 {
		return headlines(), nil
	}
	var list []sim.Indicator
	for _, name := range names {
		i, err := sim.LookupIndicator(name)
		if err != nil {
			return nil, fault.In(field, err)
		}
		list = append(list, i)
	}
	return list, nil
}

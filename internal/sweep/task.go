package sweep

import (
	"context"
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Task are runs of one burnt-in state, told whole: whoever has this version of the model simulates them, and needs neither the design nor
// its folder.
type Task struct {
	Model   string    `json:"model_version"`
	Seed    uint64    `json:"seed"`
	Metrics []string  `json:"metrics"`          // indicators whose months are wanted
	Shared  bool      `json:"shared,omitempty"` // other tasks begin with the same burnt-in state
	Runs    []TaskRun `json:"runs"`
}

// TaskRun is an economy of a task.
type TaskRun struct {
	Key      string `json:"key"`      // see [Run.Key]
	Scenario string `json:"scenario"` // YAML of what differs from the defaults
	Months   int    `json:"months"`
}

// agentMonths are about how many months of households and firms so many months of the economy are.
func (r Run) agentMonths(months int) float64 {
	s := &r.Scenario.Params
	return float64(s.NumHouseholds) * (1 + 1/float64(max(s.HouseholdsPerFirm, 1))) * float64(months)
}

// Simulate carries out a task and gives each economy's record to done, by one goroutine or another. A task of another version of the
// model, and one whose keys are not those of its scenarios, is refused.
func (t Task) Simulate(ctx context.Context, threads int, cache run.Cache, done func(*Record) error) error {
	work, metrics, err := t.read()
	if err != nil {
		return err
	}
	if err := work.simulate(ctx, metrics, threads, cache, done); err != nil {
		return fmt.Errorf("run %s: %w", t.Runs[0].Key, err)
	}
	return nil
}

// read checks a task.
func (t Task) read() (piece, []sim.Indicator, error) {
	if t.Model != sim.ModelVersion {
		return piece{}, nil, fault.New(fault.Conflict, "model_version", "the task is of model %s, and this program has %s", t.Model, sim.ModelVersion).
			WithHint("use workers of the same release as the sweep")
	}
	if len(t.Runs) == 0 {
		return piece{}, nil, fault.Missing("runs", "a task has at least one economy")
	}
	var metrics []sim.Indicator
	for _, name := range t.Metrics {
		i, known := sim.IndicatorByName(name)
		if !known {
			return piece{}, nil, fault.Unknown(fault.NotFound, "indicator", name, sim.IndicatorNames())
		}
		metrics = append(metrics, i)
	}
	work := piece{shared: t.Shared}
	for _, r := range t.Runs {
		s, err := scenario.Decode(r.Key, []byte(r.Scenario))
		if err != nil {
			return piece{}, nil, err
		}
		again := newEconomy("", s, r.Months).run(t.Seed)
		if again.key != r.Key {
			return piece{}, nil, fault.New(fault.Conflict, "key", "the scenario of run %.40q has the key %s here", r.Key, again.key).
				WithHint("use workers of the same build as the sweep")
		}
		if len(work.runs) > 0 && again.burnIn != work.runs[0].burnIn {
			return piece{}, nil, fault.New(fault.Conflict, "runs", "the economies of a task begin with one burnt-in state, and these do not")
		}
		work.runs = append(work.runs, again)
	}
	return work, metrics, nil
}

// simulate carries out the runs of a piece. Only where other pieces need the burnt-in state is it kept.
func (p piece) simulate(ctx context.Context, metrics []sim.Indicator, threads int, cache run.Cache, done func(*Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	arms, series, months := make([]run.Arm, len(p.runs)), make([]map[string][]stats.Number, len(p.runs)), 0
	for k, r := range p.runs {
		arms[k] = run.Arm{Name: r.key, Scenario: *r.Scenario, Months: r.Months}
		series[k], months = map[string][]stats.Number{}, max(months, r.Months)
	}
	if !p.shared {
		cache = run.Cache{}
	}
	_, err := run.Simulation{
		Arms: arms, Seeds: []uint64{p.runs[0].Seed}, Months: months, Threads: threads, Cache: cache,
		Observe: func(arm, _ int, e *sim.Economy) error {
			for _, i := range metrics {
				name := i.String()
				series[arm][name] = append(series[arm][name], stats.Number(e.Latest().Value(i)))
			}
			r := &p.runs[arm]
			if e.Month() < r.Months {
				return nil
			}
			return done(&Record{Key: r.key, Model: sim.ModelVersion, Seed: r.Seed, Months: r.Months, State: e.StateHash(), Series: series[arm]})
		},
	}.Run(ctx)
	return err
}

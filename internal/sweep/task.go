package sweep

import (
	"context"
	"encoding/json"
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

	Measure json.RawMessage `json:"measure,omitempty"` // what is measured, in the place of months: see [Measurer]
}

// TaskRun is an economy of a task.
type TaskRun struct {
	Key      string `json:"key"`      // see [Run.Key]
	Scenario string `json:"scenario"` // YAML of what differs from the defaults
	Months   int    `json:"months"`

	Replications int `json:"replications,omitempty"` // that are measured
}

// agentMonths are about how many months of households and firms so many months of the economy are, in all its replications.
func (r Run) agentMonths(months int) float64 {
	s := &r.Scenario.Params
	return float64(s.NumHouseholds) * (1 + 1/float64(max(s.HouseholdsPerFirm, 1))) * float64(months*max(1, r.Replications))
}

// Simulate carries out a task and gives each economy's record to done, by one goroutine or another. A task of another version of the
// model, and one whose keys are not those of its scenarios, is refused.
func (t Task) Simulate(ctx context.Context, threads int, cache run.Cache, by Measurer, done func(*Record) error) error {
	work, want, err := t.read()
	if err != nil {
		return err
	}
	if err := work.simulate(ctx, want, by, threads, cache, done); err != nil {
		return fmt.Errorf("run %s: %w", t.Runs[0].Key, err)
	}
	return nil
}

// read checks a task.
func (t Task) read() (piece, wanted, error) {
	if t.Model != sim.ModelVersion {
		return piece{}, wanted{}, fault.New(fault.Conflict, "model_version", "the task is of model %s, and this program has %s", t.Model,
			sim.ModelVersion).
			WithHint("use workers of the same release as the sweep")
	}
	if len(t.Runs) == 0 {
		return piece{}, wanted{}, fault.Missing("runs", "a task has at least one economy")
	}
	want := wanted{measure: t.Measure}
	for _, name := range t.Metrics {
		i, known := sim.IndicatorByName(name)
		if !known {
			return piece{}, wanted{}, fault.Unknown(fault.NotFound, "indicator", name, sim.IndicatorNames())
		}
		want.metrics = append(want.metrics, i)
	}
	work := piece{shared: t.Shared}
	for _, r := range t.Runs {
		s, err := scenario.Decode(r.Key, []byte(r.Scenario))
		if err != nil {
			return piece{}, wanted{}, err
		}
		again := newEconomy("", s, r.Months).run(t.Seed)
		if t.Measure != nil {
			again = measuredRun(t.Measure, MeasuredEconomy{s, t.Seed, r.Replications, r.Months})
		}
		if again.key != r.Key {
			return piece{}, wanted{}, fault.New(fault.Conflict, "key", "the scenario of run %.40q has the key %s here", r.Key, again.key).
				WithHint("use workers of the same build as the sweep")
		}
		if len(work.runs) > 0 && again.burnIn != work.runs[0].burnIn {
			return piece{}, wanted{}, fault.New(fault.Conflict, "runs", "the economies of a task begin with one burnt-in state, and these do not")
		}
		work.runs = append(work.runs, again)
	}
	return work, want, nil
}

// simulate carries out the runs of a piece. Only where other pieces need the burnt-in state is it kept.
func (p piece) simulate(ctx context.Context, want wanted, by Measurer, threads int, cache run.Cache, done func(*Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !p.shared {
		cache = run.Cache{}
	}
	if want.measure != nil {
		return p.measured(ctx, want.measure, by, threads, cache, done)
	}
	arms, series, months := make([]run.Arm, len(p.runs)), make([]map[string][]stats.Number, len(p.runs)), 0
	for k, r := range p.runs {
		arms[k] = run.Arm{Name: r.key, Scenario: *r.Scenario, Months: r.Months}
		series[k], months = map[string][]stats.Number{}, max(months, r.Months)
	}
	_, err := run.Simulation{
		Arms: arms, Seeds: []uint64{p.runs[0].Seed}, Months: months, Threads: threads, Cache: cache,
		Observe: func(arm, _ int, e *sim.Economy) error {
			for _, i := range want.metrics {
				name := i.String()
				series[arm][name] = append(series[arm][name], stats.Number(e.Latest().Value(i)))
			}
			r := &p.runs[arm]
			if e.Month() < r.Months {
				return nil
			}
			record := &Record{Key: r.key, Model: sim.ModelVersion, Seed: r.Seed, Months: r.Months, Series: series[arm]}
			record.State = e.StateHash()
			return done(record)
		},
	}.Run(ctx)
	return err
}

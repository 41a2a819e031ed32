package lab

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/solve"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// threshold finds the values that an experiment looks at: those of the grid, and where the level is crossed
// between two of them, those of a bisection, on the seeds of the experiment.
func (s *search) threshold(ctx context.Context) (found, []Arm, error) {
	f := s.inquiry.Find
	against := s.arm(f.Against)
	first := s.arm(f.Arms()[0])
	level := func(value float64) (Arm, error) {
		scenario, err := f.At(s.arms[first].Scenario, value)
		return Arm{Name: fmt.Sprintf("%s = %g", f.Parameter, value), Scenario: scenario}, err
	}
	arms := []Arm{s.arms[against]}
	grid := f.Grid()
	for _, value := range grid {
		arm, err := level(value)
		if err != nil {
			return found{}, nil, err
		}
		arms = append(arms, arm)
	}
	means, err := s.means(ctx, fmt.Sprintf("%d values of %s", len(grid), f.Parameter), arms)
	if err != nil {
		return found{}, nil, err
	}
	var doses []solve.Dose
	for i, value := range grid {
		doses = append(doses, doseOf(f, value, means[i+1], means[0]))
	}
	var steps []float64
	for range inquiry.FindSteps {
		value, crossed := solve.Next(doses)
		if !crossed {
			break
		}
		arm, err := level(value)
		if err != nil {
			return found{}, nil, err
		}
		m, err := s.means(ctx, fmt.Sprintf("bisection, step %d of %d: %s", len(steps)+1, inquiry.FindSteps, arm.Name), []Arm{arm})
		if err != nil {
			return found{}, nil, err
		}
		doses = solve.Insert(doses, doseOf(f, value, m[0], means[0]))
		steps = append(steps, value)
	}
	points := *f
	points.Steps = steps
	arms = slices.Clone(s.arms)
	for i, value := range points.Points() {
		if arms[first+i].Scenario, err = f.At(arms[first+i].Scenario, value); err != nil {
			return found{}, nil, err
		}
	}
	return found{Steps: steps}, arms, nil
}

// means are those of the outcome over the window, by arm and replication.
func (s *search) means(ctx context.Context, what string, arms []Arm) ([][]float64, error) {
	f := s.inquiry.Find
	needed := tables.WindowNeeds(f.Metric)
	panels := make([]tables.Panel, len(arms))
	for i := range panels {
		for range s.seeds {
			panels[i] = append(panels[i], new([sim.NumOutcomes][]float64))
		}
	}
	err := s.simulate(ctx, what, arms, s.seeds, f.Window.To, func(arm, replication int, r *sim.Record) {
		series := panels[arm][replication]
		for _, i := range needed {
			series[i] = append(series[i], r.Value(i))
		}
	})
	if err != nil {
		return nil, err
	}
	means := make([][]float64, len(arms))
	for i := range arms {
		means[i] = panels[i].WindowMeans(f.Metric, f.Window.From, f.Window.To)
		for _, mean := range means[i] {
			if math.IsNaN(mean) {
				return nil, fault.New(fault.InvalidState, "find", "%s is not defined in months %d to %d of %s", f.Metric, f.Window.From,
					f.Window.To, arms[i].Name).WithHint("look at another outcome or window")
			}
		}
	}
	return means, nil
}

// doseOf is how far a value's means are from the level, by replication: of a relative one, from the mean
// that is by this share above that of the arm it is held against, so that the test is exact.
func doseOf(f *inquiry.Find, value float64, means, against []float64) solve.Dose {
	d := solve.Dose{At: value, Y: make([]float64, len(means))}
	for r := range means {
		if f.Relative {
			d.Y[r] = means[r] - float64(against[r]*(1+f.Crosses))
		} else {
			d.Y[r] = means[r] - against[r] - f.Crosses
		}
	}
	return d
}

package lab

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/solve"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// How an equal cost is found.
const (
	pilotPrecision = .05 // standard error of a cost, share of it
	costTolerance  = .01 // difference of the costs on the pilot, share of them
)

// pilot is the economies on which an equal cost is found.
type pilot struct {
	*search
	seeds  []uint64
	paths  [][][]budgetMonth // by arm of the experiment and replication: the months of the window
	trials int
}

// equalCost finds the number with which an arm costs as much as another: on seeds that are not those of
// the experiment, so that what these say of the costs is not what they were made equal by.
func (s *search) equalCost(ctx context.Context) (found, []Arm, error) {
	c := s.inquiry.EqualCost
	p := &pilot{search: s, paths: make([][][]budgetMonth, len(s.arms))}
	match, to := s.arm(c.Match), s.arm(c.To)
	x, low, high, _ := s.inquiry.Matched()
	tolerance := costTolerance * .95 // what is told as 1 % is not a hair beyond it
	var costs, target []float64
	for n := inquiry.PilotFirst; ; {
		more := run.PilotSeeds(s.base, n, s.most)[len(p.seeds):]
		if err := p.simulate(ctx, fmt.Sprintf("pilot of %d replications", n), []int{0, to}, more); err != nil {
			return found{}, nil, err
		}
		p.seeds = append(p.seeds, more...)
		var err error
		if target, err = p.costs(to, s.arms[to]); err != nil {
			return found{}, nil, err
		}
		if n, err = p.enough(c.To, target); err != nil {
			return found{}, nil, err
		}
		if n > len(p.seeds) {
			continue
		}
		start := x
		x, _, err = solve.Search{
			Start: start, Low: low, High: high, Target: stats.Mean(target), Tolerance: tolerance, Most: inquiry.PilotTrials,
		}.
			Root(func(x float64) (float64, error) {
				var err error
				if costs, err = p.try(ctx, match, x); err == nil && x == start {
					err = p.sameSign(x, costs, target)
				}
				return stats.Mean(costs), err
			})
		if err != nil {
			return found{}, nil, p.notFound(err)
		}
		if n, err = p.enough(c.Match, costs); err != nil {
			return found{}, nil, err
		}
		if n <= len(p.seeds) {
			break
		}
	}
	arms := slices.Clone(s.arms)
	var err error
	if arms[match].Scenario, err = s.inquiry.WithMatched(arms[match].Scenario, x); err != nil {
		return found{}, nil, err
	}
	return found{Amount: x, Pilot: &inference.Pilot{
		Replications: len(p.seeds), Evaluations: p.trials, Cost: stats.Mean(costs), StandardError: standardError(costs),
		CostTo: stats.Mean(target), StandardTo: standardError(target),
	}}, arms, nil
}

// sameSign refuses a number whose arm costs something where the other earns something, or the other way
// round, if no number within its bounds can change that: the arm costs nothing where it is as the control,
// and that lies at their edge. What is not known surely is searched for.
func (p *pilot) sameSign(x float64, costs, target []float64) error {
	c := p.inquiry.EqualCost
	is, to := stats.Mean(costs), stats.Mean(target)
	if is*to >= 0 || math.Abs(is) < surely*standardError(costs) || math.Abs(to) < surely*standardError(target) {
		return nil
	}
	_, low, high, _ := p.inquiry.Matched()
	if at, ok := p.inquiry.WithoutCost(p.arms[0].Scenario.Params); !ok || low < at && at < high {
		return nil
	}
	does := func(cost float64) string {
		if cost < 0 {
			return "brings in"
		}
		return "costs"
	}
	return fault.New(fault.Conflict, "equal_cost",
		"%s %s %.4g with %s = %g (standard error %.2g), and %s %s %.4g (%.2g), in currency units of months %d to %d: no %s makes a cost "+
			"equal to a gain", c.Match, does(is), math.Abs(is), c.By, x, standardError(costs), c.To, does(to), math.Abs(to),
		standardError(target), c.Window.From, c.Window.To, c.By).
		WithHint("turn one of them round, such as a tax that falls instead of one that rises, or compare them as they are, without equal_cost")
}

// surely is how many standard errors a cost must lie from 0 for its sign to count.
const surely = 3

// notFound says what the search could not reach.
func (p *pilot) notFound(err error) error {
	kind := fault.KindOf(err)
	if kind != fault.OutOfRange && kind != fault.InvalidState {
		return err
	}
	c := p.inquiry.EqualCost
	e := fault.New(kind, "equal_cost", "no %s of %s costs as much as %s, in currency units of months %d to %d: %v", c.By, c.Match, c.To,
		c.Window.From, c.Window.To, err)
	return e.WithHint("match the arms the other way round, move another number, or begin with a guess of the other sign")
}

// simulate adds the months of arms of the experiment on further seeds.
func (p *pilot) simulate(ctx context.Context, what string, which []int, seeds []uint64) error {
	arms := make([]Arm, len(which))
	for k, i := range which {
		arms[k] = p.arms[i]
	}
	paths, err := p.budgets(ctx, what, arms, seeds)
	for k, i := range which {
		if err == nil {
			p.paths[i] = append(p.paths[i], paths[k]...)
		}
	}
	return err
}

// budgets are the months of the window of some arms, by arm and replication.
func (p *pilot) budgets(ctx context.Context, what string, arms []Arm, seeds []uint64) ([][][]budgetMonth, error) {
	w := p.inquiry.EqualCost.Window
	paths := make([][][]budgetMonth, len(arms))
	for k := range paths {
		paths[k] = make([][]budgetMonth, len(seeds))
	}
	err := p.search.simulate(ctx, what, arms, seeds, w.To, func(arm, replication int, r *sim.Record) {
		if r.Month >= w.From {
			paths[arm][replication] = append(paths[arm][replication], newBudgetMonth(r))
		}
	})
	return paths, err
}

// try is what the arm that is matched costs with another number.
func (p *pilot) try(ctx context.Context, match int, x float64) ([]float64, error) {
	arm := p.arms[match]
	var err error
	if arm.Scenario, err = p.inquiry.WithMatched(arm.Scenario, x); err != nil {
		return nil, err
	}
	p.trials++
	what := fmt.Sprintf("pilot of %d replications, trial %d: %s = %g", len(p.seeds), p.trials, p.inquiry.EqualCost.By, x)
	paths, err := p.budgets(ctx, what, []Arm{arm}, p.seeds)
	if err != nil {
		return nil, err
	}
	p.paths[match] = paths[0]
	return p.costs(match, arm)
}

// costs are what an arm costs in each replication of the pilot.
func (p *pilot) costs(i int, arm Arm) ([]float64, error) {
	c := p.inquiry.EqualCost
	return costsOf(c, p.arms[0], arm, p.paths[0], p.paths[i])
}

// costsOf are what an arm costs beside the control, by replication.
func costsOf(c *inquiry.EqualCost, control, arm Arm, controls, paths [][]budgetMonth) ([]float64, error) {
	var items grossItems
	if c.Measure == inquiry.Gross {
		var err error
		if items, err = grossOf(control.Scenario, arm.Scenario, arm.Name); err != nil {
			return nil, err
		}
	}
	list := make([]float64, len(controls))
	for r := range list {
		if c.Measure == inquiry.Gross {
			list[r] = items.cost(controls[r], paths[r], c.Window.From)
		} else {
			list[r] = netCost(controls[r], paths[r])
		}
	}
	return list, nil
}

func standardError(x []float64) float64 { return stats.StdDev(x) / math.Sqrt(float64(len(x))) }

// enough says how many replications a cost needs to be known well enough: what there are, or more.
func (p *pilot) enough(arm string, costs []float64) (n int, err error) {
	mean, wide := stats.Mean(costs), standardError(costs)
	n = len(costs)
	if wide <= pilotPrecision*math.Abs(mean) {
		if mean == 0 {
			return 0, fault.New(fault.Conflict, "equal_cost", "%s costs nothing in months %d to %d", arm, p.inquiry.EqualCost.Window.From,
				p.inquiry.EqualCost.Window.To).WithHint("match an arm that costs something, over months in which it does")
		}
		return n, nil
	}
	share := wide / (pilotPrecision * math.Abs(mean))
	needed := math.Ceil(1.1 * float64(n) * share * share) // a little more, as the scatter is an estimate
	if !(needed <= inquiry.PilotMost) {
		e := fault.New(fault.LimitExceeded, "equal_cost",
			"the cost of %s is %.4g with a standard error of %.2g after %d replications of the pilot; for one of %g %% it would take about %.3g, "+
				"and at most %d are made", arm, mean, wide, n, 100*pilotPrecision, needed, inquiry.PilotMost)
		return 0, e.WithHint("raise num_households, compare larger programmes, take a window in which they cost more, or write measure: gross")
	}
	return int(needed), nil
}

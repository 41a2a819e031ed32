package lab

import (
	"cmp"
	"context"
	"math"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/solve"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Searched reads what an experiment found. Both are nil where it looks for nothing, or has not found it
// yet, a threshold also until all months of its window are simulated.
func (l *Laboratory) Searched(ctx context.Context, name string) (inference.Found, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return inference.Found{}, err
	}
	return l.searched(ctx, x)
}

func (l *Laboratory) searched(ctx context.Context, x store.Experiment) (out inference.Found, err error) {
	r, _ := RegistrationOf(x)
	q, ok := r.inquiryOf()
	if !ok || !q.Searches() {
		return out, nil
	}
	f, ok, err := l.foundOf(ctx, x)
	switch {
	case err != nil || !ok:
	case q.EqualCost != nil:
		out.EqualCost, err = l.equalCostOf(ctx, x, q, f)
	case x.Month >= q.Find.Window.To:
		out.Threshold, err = l.thresholdOf(ctx, x, q, f)
	}
	return out, err
}

// equalCostOf is what was found of an equal cost, and what the arms cost in the experiment itself.
func (l *Laboratory) equalCostOf(ctx context.Context, x store.Experiment, q inquiry.Inquiry, f found) (*inference.EqualCost, error) {
	c := q.EqualCost
	_, _, _, unit := q.Matched()
	none := stats.Number(math.NaN())
	out := &inference.EqualCost{
		Match: c.Match, To: c.To, By: c.By, Unit: unit, Measure: c.Measure, From: c.Window.From, Until: c.Window.To,
		Amount: f.Amount, Pilot: *f.Pilot, Cost: none, CostTo: none, Difference: none, CILow: none, CIHigh: none, Confidence: q.Design.Confidence,
	}
	if x.Month < c.Window.To {
		return out, nil
	}
	arms, paths := make([]Arm, 3), make([][][]budgetMonth, 3)
	for k, name := range []string{ControlArm, c.Match, c.To} {
		i, err := armOf(x, name)
		if err != nil {
			return nil, err
		}
		arms[k].Name = name
		if arms[k].Scenario, err = scenarioOf(x, i); err != nil {
			return nil, err
		}
		for replication := range x.Replications {
			var path []budgetMonth
			err := l.Store.EachRecord(ctx, x.Name, name, replication+1, c.Window.From, c.Window.To, 1, func(r *sim.Record) error {
				path = append(path, newBudgetMonth(r))
				return nil
			})
			if err != nil {
				return nil, err
			}
			paths[k] = append(paths[k], path)
		}
	}
	match, err := costsOf(c, arms[0], arms[1], paths[0], paths[1])
	if err != nil {
		return nil, err
	}
	to, err := costsOf(c, arms[0], arms[2], paths[0], paths[2])
	if err != nil {
		return nil, err
	}
	iv := stats.PairedInterval(to, match, out.Confidence)
	out.Cost, out.CostTo, out.N = stats.Number(stats.Mean(match)), stats.Number(stats.Mean(to)), iv.N
	out.Difference, out.CILow, out.CIHigh = stats.Number(iv.Mean), stats.Number(iv.Low), stats.Number(iv.High)
	return out, nil
}

// thresholdOf is where the effect crosses the level in the experiment.
func (l *Laboratory) thresholdOf(ctx context.Context, x store.Experiment, q inquiry.Inquiry, found found) (*inference.Threshold, error) {
	f := *q.Find
	f.Steps = found.Steps
	row, err := sim.Lookup(f.Parameter)
	if err != nil {
		return nil, err
	}
	means := func(arm string) ([]float64, error) {
		i, err := armOf(x, arm)
		if err != nil {
			return nil, err
		}
		panel, err := l.panel(ctx, x, i, []sim.Indicator{f.Metric}, nil)
		if err != nil {
			return nil, err
		}
		return panel.WindowMeans(f.Metric, f.Window.From, f.Window.To), nil
	}
	against, err := means(f.Against)
	if err != nil {
		return nil, err
	}
	scale := 1.0
	if f.Relative {
		scale = stats.Mean(against)
	}
	confidence := q.Design.Confidence
	out := &inference.Threshold{
		Parameter: f.Parameter, Unit: row.Unit, Outcome: f.Metric.String(), Against: f.Against, From: f.Window.From, Until: f.Window.To,
		Crosses: f.Crosses, Relative: f.Relative, N: len(against), Confidence: confidence,
	}
	var doses, grid []solve.Dose
	names := f.Arms()
	for i, value := range f.Points() {
		m, err := means(names[i])
		if err != nil {
			return nil, err
		}
		iv := stats.PairedInterval(against, m, confidence)
		out.Points = append(out.Points, inference.DosePoint{
			Arm: names[i], Value: value, Effect: stats.Number(iv.Mean / scale), CILow: stats.Number(iv.Low / scale),
			CIHigh: stats.Number(iv.High / scale),
		})
		dose := doseOf(&f, value, m, against)
		doses = solve.Insert(doses, dose)
		if i >= inquiry.FindSteps {
			grid = append(grid, dose)
		}
	}
	slices.SortFunc(out.Points, func(a, b inference.DosePoint) int { return cmp.Compare(a.Value, b.Value) })
	cross := solve.Cross(doses, confidence)
	out.Found, out.More, out.Shape = cross.Found, cross.More, string(solve.ShapeOf(grid, confidence))
	out.Value, out.CILow, out.CIHigh = stats.Number(cross.At), stats.Number(cross.Low), stats.Number(cross.High)
	return out, nil
}

package trials

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/data"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// Horizons of responses, in months.
const (
	twoYears     = 24
	fifteenYears = 180
	fiftyYears   = 600
)

// response measures a fact of data.Responses: which economies are compared, and how.
type response struct {
	number int
	note   string // how, as far as the fact does not say it
	arms   []responseArm

	// parts are the values of the replications, a list a part of the fact, from the series of the arms.
	parts effects
	// path is the effect month by month, of each replication: what the fact is about, over the whole horizon.
	path effects
}

// responseArm is an economy that is simulated for a number of months.
type responseArm struct {
	scenario scenario.Scenario
	months   int
}

// ResponseReplications is how many seeds the standard call has.
const ResponseReplications = 16

// ResponseMonths is how long the longest economy of [Responses] runs.
const ResponseMonths = fiftyYears

// Responses holds what a scenario does under policies and shocks against data.Responses: each economy with a change
// against the same economy without it, on the same seeds.
func Responses(
	ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
) (*Table, error) {
	return ResponsesWithout(ctx, nil, s, replications, threads, cache, progress)
}

// ResponsesWithout leaves out facts by their numbers: they are listed, and not measured.
func ResponsesWithout(
	ctx context.Context, leftOut []int, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
) (*Table, error) {
	facts, err := readFacts(data.Responses)
	if err != nil {
		return nil, err
	}
	plan := responsePlan{Simulation: run.Simulation{
		Seeds: run.Seeds(uint64(s.Params.RandomState), replications), Threads: threads, Cache: cache, Progress: progress,
	}, known: map[string]int{}}
	table, err := responsesOf(s)
	if err != nil {
		return nil, err
	}
	table = slices.DeleteFunc(table, func(r response) bool { return slices.Contains(leftOut, r.number) })
	arms := make([][]int, len(table))
	for i, r := range table {
		for _, arm := range r.arms {
			arms[i] = append(arms[i], plan.add(arm))
		}
	}
	if err := plan.run(ctx); err != nil {
		return nil, err
	}
	t := &Table{Title: "Responses to policy and shocks", Setting: settingOf(s, replications, plan.Months), Facts: facts}
	for i, r := range table {
		fact := t.fact(r.number)
		if fact == nil {
			return nil, fmt.Errorf("there is no fact %d", r.number)
		}
		var series [][]leverSeries
		for _, arm := range arms[i] {
			series = append(series, plan.series[arm])
		}
		fact.Note = r.note
		fact.holdMeans(r.parts(series)...)
		if r.path != nil {
			fact.Path = pathOf(r.path(series))
		}
	}
	return t, nil
}

// responsePlan collects the economies that responses need; one that several need is simulated once.
type responsePlan struct {
	run.Simulation
	known  map[string]int // arms by what the economy is
	series [][]leverSeries
}

func (p *responsePlan) add(a responseArm) int {
	key := a.scenario.Hash()
	i, known := p.known[key]
	if !known {
		i = len(p.Arms)
		a.scenario.Name = fmt.Sprintf("economy %d", i+1)
		p.Arms = append(p.Arms, run.Arm{Name: a.scenario.Name, Scenario: a.scenario})
		p.series = append(p.series, make([]leverSeries, len(p.Seeds)))
		p.known[key] = i
	}
	p.Arms[i].Months = max(p.Arms[i].Months, a.months)
	p.Months = max(p.Months, a.months)
	return i
}

func (p *responsePlan) run(ctx context.Context) error {
	p.Observe = func(arm, replication int, e *sim.Economy) error {
		p.series[arm][replication].add(e.Latest())
		return nil
	}
	_, err := p.Run(ctx)
	return err
}

// Points of a path at most.
const pathPoints = 12

// pathOf is the mean of an effect over equal spans of months, three at least, with Student's interval over
// replications.
func pathOf(replications [][]float64) (path []PathPoint) {
	months := len(replications[0])
	span := max(3, (months+pathPoints-1)/pathPoints)
	for from := 0; from+span <= months; from += span {
		var values []float64
		for _, months := range replications {
			values = append(values, stats.DefinedMean(months[from:from+span]))
		}
		path = append(path, PathPoint{from + 1, from + span, stats.MeanInterval(stats.Defined(values), tables.DefaultConfidence)})
	}
	return path
}

// changed makes economies of a base: with what is changed in them, and the first error.
type changed struct {
	base scenario.Scenario
	err  error
}

// pair is the base, and with the changes, which hold from month 1.
func (c *changed) pair(months int, changes ...sim.ParameterChange) []responseArm {
	p := c.base.Params
	for _, change := range changes {
		if err := p.Set(change.Name, change.Value); err != nil && c.err == nil {
			c.err = err
		}
	}
	return []responseArm{{c.base, months}, {c.base.WithParams(p), months}}
}

// with is the base with interventions besides its own.
func (c *changed) with(months int, list ...sim.Intervention) responseArm {
	s := c.base
	s.Interventions = slices.Concat(s.Interventions, list)
	return responseArm{s, months}
}

// pairWith is the base, and with interventions.
func (c *changed) pairWith(months int, list ...sim.Intervention) []responseArm {
	return []responseArm{{c.base, months}, c.with(months, list...)}
}

// throughout is the base with a parameter that has a value from the start of the burn-in.
func (c *changed) throughout(months int, name string, value any) responseArm {
	s := c.base
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		if err := p.Set(name, value); err != nil && c.err == nil {
			c.err = err
		}
	}
	return responseArm{s, months}
}

// presetPlan are the interventions of a preset.
func (c *changed) presetPlan(name string) []sim.Intervention {
	s, err := presets.Load(name)
	if err != nil && c.err == nil {
		c.err = err
	}
	return s.Interventions
}

// strike is a shock in month 1.
func strike(name string, size, persistence float64) sim.Intervention {
	return sim.Intervention{
		Type: sim.TypeShock, TargetMonth: 1, Shock: sim.Shock{Shock: name, Size: size, Persistence: persistence},
	}
}

// inForce is a policy from month 1 on.
func inForce(name string, level float64) sim.Intervention {
	return sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, Policy: sim.PolicyChange{Policy: name, Level: level}}
}

// during are changes that hold in the first months.
func during(months int, changes ...sim.ParameterChange) sim.Intervention {
	return sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 1, DurationMonths: months, Parameters: changes}
}

// contrast makes one number of a control and a treatment.
type contrast func(control, treatment float64) float64

// effects are one number, or one a month, of each replication.
type effects func(arms [][]leverSeries) [][]float64

// window has a value for each replication of the second arm against the first, from means over months.
func window(i sim.Indicator, from, to int, compare contrast) effects {
	return func(arms [][]leverSeries) [][]float64 {
		values := make([]float64, len(arms[0]))
		for r := range values {
			values[r] = compare(tables.WindowMean(arms[0][r][i], from, to), tables.WindowMean(arms[1][r][i], from, to))
		}
		return [][]float64{values}
	}
}

// monthly is the effect in each month, of each replication.
func monthly(i sim.Indicator, compare contrast) effects {
	return func(arms [][]leverSeries) [][]float64 {
		out := make([][]float64, len(arms[0]))
		for r := range out {
			control := arms[0][r][i]
			for t, x := range arms[1][r][i][:min(len(control), len(arms[1][r][i]))] {
				out[r] = append(out[r], compare(control[t], x))
			}
		}
		return out
	}
}

func percent(control, treatment float64) float64 { return 100 * (treatment/control - 1) }
func points(control, treatment float64) float64  { return 100 * (treatment - control) }
func ofControl(control, _ float64) float64       { return control }

// furthest has the values of the replications in the month in which the mean of an effect is furthest in a
// direction: 1 the highest, -1 the lowest, 0 either.
func furthest(effect effects, from, to int, direction float64) effects {
	return func(arms [][]leverSeries) [][]float64 {
		paths := effect(arms)
		at := func(month int) (values []float64) {
			for _, path := range paths {
				values = append(values, path[month-1])
			}
			return values
		}
		best := from
		far := func(month int) float64 {
			if mean := stats.DefinedMean(at(month)); direction != 0 {
				return direction * mean
			} else {
				return math.Abs(mean)
			}
		}
		for month := from + 1; month <= to; month++ {
			if far(month) > far(best) {
				best = month
			}
		}
		return [][]float64{at(best)}
	}
}

// multipliers are changes of real GDP over those of real government purchases, of each replication.
func multipliers(control, treatment []leverSeries, from, to int) []float64 {
	values := make([]float64, len(control))
	for r := range values {
		mean := func(of *leverSeries, i sim.Indicator) float64 { return tables.WindowMean(of[i], from, to) }
		values[r] = (mean(&treatment[r], sim.RealGDP) - mean(&control[r], sim.RealGDP)) /
			(mean(&treatment[r], RealPurchases) - mean(&control[r], RealPurchases))
	}
	return values
}

// growthPerYear is the growth of an index between two months, both at their ends, in percent a year.
func growthPerYear(index []float64, from, to int) float64 {
	return 100 * (math.Pow(index[to-1]/index[from-1], 12/float64(to-from)) - 1)
}

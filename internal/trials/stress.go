package trials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// The standard stress: a hundred years of as many pairs as take, with the presets, three minutes on two
// cores.
const (
	StressMonths = 1200
	StressPairs  = 50
)

// AllPairs stands for every pair of range ends.
const AllPairs = 0

// Stress simulates an economy under pairs of range ends: two live numeric parameters at one end of their ranges
// each, from month 1 on, and all others as they are. The presets are simulated as they are.
type Stress struct {
	Scenario scenario.Scenario // with the size, the months (num_iterations) and the seed (random_state)
	Pairs    int               // to draw, without replacement; AllPairs = every one
	Threads  int               // 0 = all cores; changes no result
	Cache    run.Cache

	Progress func(what string, done, of int) // may be nil; called by one goroutine at a time
}

// rangeEnd is a parameter at one end of its range.
type rangeEnd struct {
	name  string
	value float64
}

// rangeEnds are those of the live numeric parameters, the lower end first.
func rangeEnds() (ends [][2]rangeEnd) {
	for _, row := range sim.Catalogue() {
		if row.Live && (row.Type == sim.TypeNumber || row.Type == sim.TypeInteger) {
			ends = append(ends, [2]rangeEnd{{row.Name, row.Min}, {row.Name, row.Max}})
		}
	}
	return ends
}

// endPairs are all pairs of ends of different parameters.
func endPairs(ends [][2]rangeEnd) (pairs [][2]rangeEnd) {
	for i, first := range ends {
		for _, second := range ends[i+1:] {
			for _, a := range first {
				for _, b := range second {
					pairs = append(pairs, [2]rangeEnd{a, b})
				}
			}
		}
	}
	return pairs
}

// drawPairs are n of the pairs in the order of a seed. More of the same seed begin with the same.
func drawPairs(pairs [][2]rangeEnd, n int, seed uint64) [][2]rangeEnd {
	random := rand.New(rand.NewPCG(seed, uint64(len(pairs))))
	for i := range n { // Fisher and Yates
		k := i + random.IntN(len(pairs)-i)
		pairs[i], pairs[k] = pairs[k], pairs[i]
	}
	return pairs[:n]
}

// checked returns s with its defaults filled in.
func (s Stress) checked() (Stress, error) {
	all := len(endPairs(rangeEnds()))
	if s.Pairs < 0 || s.Pairs > all {
		return s, fault.Range("--pairs", fmt.Sprint(s.Pairs), fmt.Sprintf("1 to %d", all), "all")
	}
	if s.Threads < 0 {
		return s, fault.Range("--threads", fmt.Sprint(s.Threads), "0 or more")
	}
	s.Pairs = cmp.Or(s.Pairs, all)
	s.Threads = cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
	return s, nil
}

// Run simulates the pairs and the presets, several economies at a time as far as they fit in memory.
func (s Stress) Run(ctx context.Context) (*StressReport, error) {
	s, err := s.checked()
	if err != nil {
		return nil, err
	}
	pairs := endPairs(rangeEnds())
	r := &StressReport{
		Setting: settingOf(s.Scenario, 1, s.Scenario.Params.NumIterations), Parameters: len(rangeEnds()), Of: len(pairs),
	}
	for _, name := range presets.Names() {
		preset, err := s.preset(name)
		if err != nil {
			return nil, err
		}
		r.Known = append(r.Known, StressedEconomy{Name: name, scenario: preset})
	}
	for _, pair := range drawPairs(pairs, s.Pairs, uint64(s.Scenario.Params.RandomState)) {
		r.Pairs = append(r.Pairs, s.under(pair))
	}
	var todo []*StressedEconomy
	for _, list := range [][]StressedEconomy{r.Known, r.Pairs} {
		for i := range list {
			if list[i].Refused == "" {
				todo = append(todo, &list[i])
			}
		}
	}
	return r, s.simulate(ctx, todo)
}

// preset is a preset with the size and the seed of the stress.
func (s Stress) preset(name string) (scenario.Scenario, error) {
	preset, err := presets.Load(name)
	for _, p := range []*sim.Params{&preset.Params, &preset.BurnIn} {
		err = cmp.Or(err, p.Set("num_households", s.Scenario.Params.NumHouseholds), p.Set("random_state", s.Scenario.Params.RandomState))
	}
	return preset, err
}

// under is the scenario with two parameters at ends of their ranges, or why it is refused.
func (s Stress) under(pair [2]rangeEnd) StressedEconomy {
	e := StressedEconomy{scenario: s.Scenario}
	p := s.Scenario.Params
	var names []string
	var err error
	for _, end := range pair {
		e.Changes = append(e.Changes, sim.ParameterChange{Name: end.name, Value: end.value})
		names = append(names, fmt.Sprintf("%s %g", end.name, end.value))
		err = cmp.Or(err, p.Set(end.name, end.value))
	}
	e.Name = strings.Join(names, ", ")
	if err = cmp.Or(err, p.Validate()); err != nil {
		e.Refused = err.Error()
		return e
	}
	e.scenario = e.scenario.WithParams(p)
	return e
}

// simulate fills in what becomes of economies.
func (s Stress) simulate(ctx context.Context, list []*StressedEconomy) error {
	atOnce := max(1, min(s.Threads, len(list)))
	for available := run.AvailableMemory(); ; atOnce-- {
		err := run.FitMemory(s.Scenario.Params, atOnce, available)
		if err == nil {
			break
		}
		if atOnce == 1 {
			return err
		}
	}
	var mu sync.Mutex
	done := 0
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(atOnce)
	for _, e := range list {
		tasks.Go(func() error {
			if err := s.live(ctx, e, max(1, s.Threads/atOnce)); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; s.Progress != nil {
				s.Progress("simulated", done, len(list))
			}
			return nil
		})
	}
	return tasks.Wait()
}

// live simulates an economy and looks at each of its months. An economy that fails is a result, and no error.
func (s Stress) live(ctx context.Context, of *StressedEconomy, threads int) error {
	var plausibility sim.Plausibility
	_, err := run.Simulation{
		Arms:  []run.Arm{{Name: of.Name, Scenario: of.scenario}},
		Seeds: run.Seeds(uint64(s.Scenario.Params.RandomState), 1), Months: s.Scenario.Params.NumIterations, Threads: threads, Cache: s.Cache,
		Observe: func(_, _ int, e *sim.Economy) error {
			record := e.Latest()
			of.Months = record.Month
			plausibility.Observe(record)
			of.note(record)
			return nil
		},
	}.Run(ctx)
	of.Found = plausibility.Found()
	of.Warnings = len(inference.ImplausibleNotes(of.Name, [][]sim.Implausible{of.Found}))
	if ctx.Err() != nil {
		return err
	}
	of.fail(err)
	return nil
}

// note keeps which indicators of a month are infinite or absent.
func (e *StressedEconomy) note(r *sim.Record) {
	for i := range sim.NumIndicators {
		x, name := r.Value(i), i.String()
		if (math.IsInf(x, 0) || math.IsNaN(x)) && !slices.Contains(e.NotFinite, name) {
			e.NotFinite = append(e.NotFinite, name)
		}
	}
}

// fail notes how an economy ended early, if it did. Only a pair can be refused: what keeps a preset from being
// simulated is a failure, as is a lack of memory.
func (e *StressedEconomy) fail(err error) {
	refusal, ok := errors.AsType[*fault.Error](err)
	switch {
	case err == nil:
	case ok && e.Months > 0 && refusal.Kind == fault.LimitExceeded && refusal.Field == "num_iterations":
		e.Outgrown = true
	case ok && e.Months == 0 && e.Changes != nil && (refusal.Kind == fault.Conflict || refusal.Kind == fault.OutOfRange):
		e.Refused = refusal.Error()
	default:
		e.Failure = err.Error()
	}
}

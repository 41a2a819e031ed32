package estimation

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/sampling"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// Unfinished says that a part of a posterior was simulated, and that others are missing.
type Unfinished struct {
	What      string // the wave
	Missing   int    // sets of parameters of it that nobody simulated yet
	Of        int
	Simulated int // by this call
}

func (u *Unfinished) Error() string {
	return fmt.Sprintf("%s: %d of %d sets of parameters are missing", u.What, u.Missing, u.Of)
}

// set is a set of parameters with a seed of its own, so that the errors of emulators are independent from set to set.
type set struct {
	x            []float64
	seed         uint64
	replications int
}

// Numbers of the first set of a posterior and of its predictive checks: seeds of replications far beyond those of a search.
const (
	firstSet        = 1 << 40
	firstPredictive = 1 << 41
)

func (e *Estimation) sets(first int, x [][]float64, replications int) []set {
	list := make([]set, len(x))
	for i := range x {
		list[i] = set{x[i], run.ReplicationSeed(e.Targets.Seed, first+i), replications}
	}
	return list
}

// scenarioAt is the scenario of a set.
func (e *Estimation) scenarioAt(p set) (scenario.Scenario, error) {
	s, err := e.Targets.apply(e.Scenario, p.x)
	s.Params.RandomState, s.BurnIn.RandomState = int(p.seed), int(p.seed)
	return s, err
}

// simulated measures sets of parameters, as many at a time as there are threads for. What is another machine's part and not known is
// [Unfinished]. A set that rules between parameters forbid, or that cannot be simulated to the end, has no moments.
func (e *Estimation) simulated(ctx context.Context, what string, sets []set) ([]*candidate, error) {
	var fresh map[int]bool // by the engine
	if e.Engine != nil {
		var err error
		if fresh, err = e.elsewhere(ctx, what, sets); err != nil {
			return nil, err
		}
	}
	threads := e.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	atOnce := max(1, min(len(sets), threads/max(1, sets[0].replications)))
	measured, known := make([]*trials.Measured, len(sets)), make([]bool, len(sets))
	alone := *e
	alone.Threads = max(1, threads/atOnce)
	tasks, inner := errgroup.WithContext(ctx)
	tasks.SetLimit(atOnce)
	done := make(chan int, len(sets))
	go func() {
		for k, p := range sets {
			tasks.Go(func() error {
				s, err := e.scenarioAt(p)
				if err != nil {
					measured[k], known[k] = &trials.Measured{}, true
					return nil
				}
				if !e.Part.Has(k) {
					measured[k], known[k] = load(e.file(s, p.replications)), true
					return nil
				}
				if err := inner.Err(); err != nil {
					return err
				}
				m, simulated, err := alone.measure(inner, s, p.replications)
				measured[k], known[k] = m, !simulated && !fresh[k]
				done <- k
				return err
			})
		}
		tasks.Wait() // its error is looked at below
		close(done)
	}()
	n := 0
	for k := range done {
		n++
		if e.Progress != nil {
			e.Progress(Step{What: fmt.Sprintf("%s, set %d", what, k+1), Score: math.NaN(), Best: math.NaN(), Tried: n, Of: len(sets),
				Cached: known[k]})
		}
	}
	if err := tasks.Wait(); err != nil {
		return nil, err
	}
	missing, whole := 0, e.Targets.whole()
	list := make([]*candidate, len(sets))
	for k, m := range measured {
		if m == nil {
			missing++
			continue
		}
		e.tried++
		e.economies += sets[k].replications
		if !known[k] {
			e.made++
		}
		list[k] = &candidate{x: whole.snapped(sets[k].x), measured: m}
		if m.Quarters != nil {
			list[k].moments, list[k].held = e.moments(m, e.bands)
		}
	}
	if missing > 0 {
		return nil, &Unfinished{what, missing, len(sets), e.made}
	}
	return list, nil
}

// Wave is what history matching found after some economies.
type Wave struct {
	Points    int           // sets of parameters so far
	Failed    int           // of them those that cannot be simulated to the end
	Share     float64       // of the prior that is not ruled out
	Unsure    float64       // the largest share, by moment, that emulators have in the variance by which sets are judged
	Emulators []EmulatorFit // by moment
	survey    *bayes.Survey
}

// surelyKnown is the share of emulators in the variance from which more economies say little more.
const surelyKnown = .1

// Posterior finds what the data say of the parameters. Waves of sets of parameters, spread over the prior and then over what is not ruled
// out, are simulated, or taken from the folder of what is known; emulators of the moments tell which parameters could have
// produced the data. The synthetic likelihood needs no tolerance, and takes what moments have in common into account: with tens of
// moments ABC would need hundreds of thousands of economies or rest on the same emulators. The result does not depend on threads.
func (e *Estimation) Posterior(ctx context.Context) (*Posterior, error) {
	own, err := e.begin()
	if err != nil {
		return nil, err
	}
	e.Reality.OneModel = true
	s := &e.Targets.Posterior
	d := len(e.Targets.Parameters)
	x, err := sampling.Sobol(s.Points, d, e.Targets.Seed)
	if err != nil {
		return nil, err
	}
	r := e.newPosterior(own)
	var all []*candidate
	for n := 1; ; n++ {
		more, err := e.simulated(ctx, fmt.Sprintf("wave %d", n), e.sets(firstSet+len(all), x, e.Targets.Replications))
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
		if n == 1 {
			if err := e.checkWave(more); err != nil {
				return nil, err
			}
		}
		em, err := e.emulated(all)
		if err != nil {
			return nil, err
		}
		w, err := em.wave(s, e.Targets.Seed+uint64(n), e.Threads)
		if err != nil {
			return nil, err
		}
		if r.Waves, r.emulated = append(r.Waves, w), em; n == 1 {
			r.first = em
		}
		if w.survey.Empty() || n == s.Waves || w.Unsure < surelyKnown {
			break
		}
		there := make([][]float64, len(all))
		for i := range all {
			there[i] = all[i].x
		}
		if x = bayes.Spread(w.survey.Survivors, there, s.More); len(x) == 0 {
			break
		}
	}
	if r.matched(e); r.Empty {
		return r, nil
	}
	if err := r.sample(ctx, e); err != nil {
		return nil, err
	}
	if err := e.predictive(ctx, r); err != nil {
		return nil, err
	}
	r.say(e)
	return r, nil
}

// checkWave refuses what only economies tell: names of moments that there are not, moments that most economies do not show.
func (e *Estimation) checkWave(wave []*candidate) error {
	ended := slices.DeleteFunc(slices.Clone(wave), func(c *candidate) bool { return c.moments == nil })
	if len(ended) < len(wave)/2 || len(ended) <= len(e.Targets.Parameters)+leastEmulated {
		return fault.New(fault.LimitExceeded, "parameters", "%d of %d economies of the first wave can be simulated to the end: too few",
			len(ended), len(wave)).WithHint("choose narrower ranges")
	}
	moments := ended[0].moments
	if err := e.Targets.checkNames(moments); err != nil {
		return err
	}
	var missing []string
	counted := 0
	for i := range moments {
		if moments[i].Weight == 0 {
			continue
		}
		counted++
		has := 0
		for _, c := range ended {
			if len(stats.Defined(c.moments[i].Values)) >= leastReplications {
				has++
			}
		}
		if has <= len(e.Targets.Parameters)+leastEmulated {
			missing = append(missing, moments[i].Name())
		}
	}
	switch {
	case missing != nil:
		return fault.New(fault.Conflict, "leave_out", "%s does not show in %d replications of enough sets of parameters: %s", e.Scenario.Name,
			leastReplications, strings.Join(missing, ", ")).
			WithHint("name them in leave_out, or choose a scenario that has them")
	case counted == 0:
		return fault.New(fault.Required, "only", "no moment counts").WithHint("name some in only, or leave out fewer")
	case counted > mostMoments:
		return fault.New(fault.LimitExceeded, "only", "%d moments count, more than the %d whose covariance the data's bootstrap can tell",
			counted, mostMoments).WithHint(`name the moments that are meant to tell the parameters in only, such as only: ["sd Y", "autocorr Y 1"]`)
	}
	return nil
}

const (
	leastEmulated     = 5   // economies beyond the parameters that an emulator needs
	leastReplications = 2   // with a moment, from which its variance by chance is told
	mostMoments       = 150 // of 999 draws of the bootstrap
)

// version is that of the model, which draws of a posterior carry.
const version = sim.ModelVersion

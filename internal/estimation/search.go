package estimation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/trials"
)

// Estimation is a search for parameters.
type Estimation struct {
	Targets  *Targets
	Scenario scenario.Scenario // as the targets name it; sizes, months and seed are set by the search
	Reality  *trials.Reality
	From     uint64 // 0 = the search starts from the values of the scenario, else from random ones by this seed
	Known    string // folder of what was measured of economies; "" = none is kept
	Threads  int    // 0 = all cores; changes no result
	Progress func(Step)

	Part   sweep.Shard // of the economies of a posterior that are simulated here; the zero value is all
	Engine Engine      // that measures the economies of a posterior elsewhere; nil = they are simulated here

	like   *emulated      // emulators of the same economies, for other data, of moments that do not depend on growth; nil = none
	chains bayes.Settings // of the posterior; its zero value is the usual one

	bands   map[string]trials.Band // of the scenario's own facts
	weights []float64              // of the moments
	first   []float64              // places of the start
	best    *candidate             // of all that were tried since the start
	slopes  *jacobian              // the last derivatives
	made    int                    // sets of parameters that were simulated

	economies int // of all sets that were tried
	tried     int // those and the known ones
}

// Step is one set of parameters that was tried.
type Step struct {
	What   string  // what it was tried for
	Score  float64 // the less the better
	Best   float64
	Met    int // of the moments that count
	Of     int
	Tried  int // sets so far
	Cached bool
}

// candidate is a set of parameters with what it shows.
type candidate struct {
	x       []float64 // places of the parameters within their ranges
	moments []Moment
	held    []HeldOut
	score   float64 // +Inf where the economy cannot be simulated to the end

	measured *trials.Measured // of a posterior
}

// met counts the moments that count and are within their intervals.
func (c *candidate) met() (met, of int) {
	for i := range c.moments {
		if c.moments[i].Weight > 0 {
			of++
			if c.moments[i].Met() {
				met++
			}
		}
	}
	return met, of
}

// Run searches. Everything that was measured before is taken from the folder of what is known, so that a search
// that was interrupted goes on where it was when it is run again. The result does not depend on threads.
func (e *Estimation) Run(ctx context.Context) (*Result, error) {
	own, err := e.begin()
	if err != nil {
		return nil, err
	}
	e.first = own
	start, err := e.try(ctx, "scenario as it is", own)
	if err != nil {
		return nil, err
	}
	if err := e.checkMoments(start.moments); err != nil {
		return nil, err
	}
	if e.From != 0 {
		random := rand.New(rand.NewPCG(e.From, 0))
		e.first, e.best = make([]float64, len(own)), nil
		for i := range e.first {
			e.first[i] = random.Float64()
		}
		if start, err = e.try(ctx, "random start", e.first); err != nil {
			return nil, err
		}
		if start.moments == nil {
			return nil, fault.New(fault.LimitExceeded, "--from", "the economy of random values %d cannot be simulated to the end", e.From).
				WithHint("begin with another number, or with narrower ranges")
		}
	}
	if err := e.leastSquares(ctx); err != nil {
		return nil, err
	}
	if err := e.withoutDerivatives(ctx); err != nil {
		return nil, err
	}
	if e.slopes == nil {
		if e.slopes, err = e.jacobian(ctx, "precision", e.best); err != nil {
			return nil, err
		}
	}
	return e.result(start, e.best, e.slopes)
}

// begin gives the scenario its size, months and seed, and says where its own values are.
func (e *Estimation) begin() (own []float64, err error) {
	if err := e.Reality.Check(); err != nil {
		return nil, err
	}
	s := e.Scenario
	for _, p := range []*int{&s.Params.NumHouseholds, &s.BurnIn.NumHouseholds} {
		*p = e.Targets.Households
	}
	s.Params.NumIterations = e.Reality.Months()
	s.Params.RandomState, s.BurnIn.RandomState = int(e.Targets.Seed), int(e.Targets.Seed)
	e.Scenario = s
	if e.bands, err = trials.Bands(s.Bands); err != nil {
		return nil, err
	}
	if own, err = e.Targets.start(s); err != nil {
		return nil, err
	}
	_, err = e.Targets.apply(s, own)
	return own, err
}

// checkMoments refuses names that there are not, moments that the economy cannot show, and fewer moments than
// parameters.
func (e *Estimation) checkMoments(moments []Moment) error {
	if len(moments) == 0 {
		return fault.New(fault.LimitExceeded, "scenario", "the economy of %s cannot be simulated to the end", e.Scenario.Name).
			WithHint("see econ-mcp validate data with the same scenario")
	}
	if err := e.Targets.checkNames(moments); err != nil {
		return err
	}
	var missing []string
	counted := 0
	for i := range moments {
		if m := &moments[i]; m.Weight > 0 {
			counted++
			if mean := m.Mean(); math.IsNaN(mean) || math.IsInf(mean, 0) {
				missing = append(missing, m.Name())
			}
		}
	}
	if missing != nil {
		return fault.New(fault.Conflict, "leave_out", "%s does not show: %s", e.Scenario.Name, strings.Join(missing, ", ")).
			WithHint("name them in leave_out, or choose a scenario that has them")
	}
	if counted <= len(e.Targets.Parameters) {
		return fault.Range("parameters", fmt.Sprint(len(e.Targets.Parameters)), fmt.Sprintf("fewer than the %d moments that count", counted))
	}
	return nil
}

// try measures the economy at places of the parameters, and keeps it where it is the best so far.
func (e *Estimation) try(ctx context.Context, what string, x []float64) (*candidate, error) {
	c, err := e.measured(ctx, what, x, e.Targets.Replications)
	if err == nil && (e.best == nil || c.score < e.best.score) {
		e.best = c
	}
	return c, err
}

// measured is the economy at places of the parameters, with what it shows on a number of seeds.
func (e *Estimation) measured(ctx context.Context, what string, x []float64, replications int) (*candidate, error) {
	c := &candidate{x: slices.Clone(x), score: math.Inf(1)}
	s, err := e.Targets.apply(e.Scenario, x)
	simulated := false
	if err == nil { // else rules that tie parameters together forbid the set
		var m *trials.Measured
		if m, simulated, err = e.measure(ctx, s, replications); err != nil {
			return nil, err
		}
		if m.Quarters != nil {
			c.moments, c.held = e.moments(m, e.bands)
			c.score = e.score(c)
		}
	}
	e.tried++
	e.economies += replications
	if simulated {
		e.made++
	}
	if e.Progress != nil {
		met, of := c.met()
		best := c.score
		if e.best != nil {
			best = e.best.score
		}
		e.Progress(Step{what, c.score, best, met, of, e.tried, !simulated})
	}
	return c, nil
}

// score is what the search makes small: the losses of the moments, and the distance from the start.
func (e *Estimation) score(c *candidate) float64 {
	sum := 0.
	distance, weight := residuals(c.moments)
	for i, d := range distance {
		sum += weight[i] * loss(d, e.Targets.Robust)
	}
	for i, x := range c.x {
		sum += e.Targets.Prior * (x - e.first[i]) * (x - e.first[i])
	}
	return sum
}

// Least squares end where a round gains less than this share of the score.
const leastGain = .002

// dampings are tried from each set of derivatives, relative to the curvature (Levenberg 1944; Marquardt 1963).
var dampings = []float64{.01, .1, 1, 10}

// leastSquares moves the parameters by derivatives, towards all moments at once.
func (e *Estimation) leastSquares(ctx context.Context) error {
	for round := range e.Targets.Rounds {
		from, what := e.best, fmt.Sprintf("round %d", round+1)
		j, err := e.jacobian(ctx, what, from)
		if err != nil {
			return err
		}
		e.slopes = j
		for _, damping := range dampings {
			if _, err := e.try(ctx, fmt.Sprintf("%s, damping %g", what, damping), e.move(from, j, damping)); err != nil {
				return err
			}
		}
		if from.score-e.best.score < leastGain*from.score {
			break
		}
	}
	return nil
}

// move is where a step of damped least squares leads. The parameter that it would take furthest out of its range
// stays at the end, and the others are solved for again.
func (e *Estimation) move(from *candidate, j *jacobian, damping float64) []float64 {
	n := len(from.x)
	distance, weight := residuals(from.moments)
	for i, d := range distance {
		weight[i] *= curvature(d, e.Targets.Robust)
	}
	x, fixed := slices.Clone(from.x), make([]bool, n)
	for {
		var free []int
		for k := range n {
			if !fixed[k] {
				free = append(free, k)
			}
		}
		if len(free) == 0 {
			return x
		}
		a, b := mat.NewSymDense(len(free), nil), mat.NewVecDense(len(free), nil)
		for p, k := range free {
			slope := -e.Targets.Prior * (from.x[k] - e.first[k])
			for i := range distance {
				moved := 0.
				for l := range n {
					if fixed[l] {
						moved += j.slope[i][l] * (x[l] - from.x[l])
					}
				}
				slope -= weight[i] * j.slope[i][k] * (distance[i] + moved)
			}
			b.SetVec(p, slope)
			for q, l := range free[:p+1] {
				sum := 0.
				for i := range distance {
					sum += weight[i] * j.slope[i][k] * j.slope[i][l]
				}
				if p == q {
					sum += damping*sum + e.Targets.Prior + 1e-9
				}
				a.SetSym(p, q, sum)
			}
		}
		var chol mat.Cholesky
		step := mat.NewVecDense(len(free), nil)
		if !chol.Factorize(a) || chol.SolveVecTo(step, b) != nil {
			return from.x
		}
		furthest, beyond := -1, 0.
		for p, k := range free {
			x[k] = from.x[k] + step.AtVec(p)
			if out := max(-x[k], x[k]-1); out > beyond {
				furthest, beyond = k, out
			}
		}
		if furthest < 0 {
			return x
		}
		x[furthest], fixed[furthest] = min(max(x[furthest], 0), 1), true
	}
}

// stepSize is the spread of the first generation, as a share of the ranges.
const stepSize = .04

// outside is the score of a place a whole range outside, beyond that of the nearest place inside.
const outside = 1e4

// withoutDerivatives goes on with an evolution strategy (CMA-ES: Hansen and Ostermeier 2001; in the form of Krause,
// Arbonès and Igel 2016), which needs scores alone.
func (e *Estimation) withoutDerivatives(ctx context.Context) error {
	if e.Targets.Evaluations == 0 {
		return nil
	}
	var failure error
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			inside, beyond := make([]float64, len(x)), 0.
			for i := range x {
				inside[i] = min(max(x[i], 0), 1)
				beyond += (x[i] - inside[i]) * (x[i] - inside[i])
			}
			c, err := e.try(ctx, "search", inside)
			if err != nil {
				failure = err
				return math.Inf(1)
			}
			return c.score + outside*beyond
		},
		Status: func() (optimize.Status, error) {
			if failure != nil {
				return optimize.Failure, failure
			}
			return optimize.NotTerminated, nil
		},
	}
	_, err := optimize.Minimize(problem, e.best.x, &optimize.Settings{
		FuncEvaluations: e.Targets.Evaluations, Converger: optimize.NeverTerminate{},
	}, &optimize.CmaEsChol{
		InitStepSize: stepSize, Population: e.Targets.Groups, Src: rand.NewPCG(e.Targets.Seed, e.From),
	})
	if failure != nil {
		return failure
	}
	return err
}

package estimation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/trials"
)

// Posterior is what data say of parameters.
type Posterior struct {
	Scenario     string
	Hash         string // of the scenario
	Households   int
	Months       int
	BurnIn       int
	Replications int
	Seed         uint64
	Settings     PosteriorSettings
	Economies    int // that were needed
	Simulated    int // sets of parameters that were not known

	Waves       []Wave
	Empty       bool     // every set of parameters is ruled out by the rule: there are no draws
	Impossible  []string // moments that no set of parameters can have produced; with a rank of 1 one leaves nothing
	Conflicting []string // where Empty, other moments that are beyond the cut-off at the set whose implausibility is least
	Closest     float64  // the least implausibility that counts

	Parameters   []Marginal
	Correlations []Correlation // of parameters, those that matter, the largest first
	Draws        [][]float64   // values of the parameters
	Likelihood   []string      // moments that count
	Chains       *bayes.Chains // nil where Empty
	Predictive   []Predicted   // all moments of the data and the facts
	Checked      int           // draws with which an economy was simulated to the end, for Predictive
	HeldOut      []HeldOut     // statistics that nobody looks at while estimating: within 90 % of the predictive draws
	Findings     []string      // what a reader has to know

	emulated *emulated // of the last wave
	first    *emulated // of the first
	names    []Parameter
	places   [][]float64 // of Draws within the ranges
}

// Marginal is what the data say of a parameter.
type Marginal struct {
	Parameter
	Own           float64 // value of the scenario
	Mean, SD      float64
	Low50, High50 float64 // from the 25th to the 75th percentile
	Low90, High90 float64 // from the 5th to the 95th
	// Contraction is 1 less the variance over that of the prior, on the scale on which the prior is uniform: 0 where data say nothing,
	// 1 where they say all (Schad, Betancourt and Vasishth 2021, "Toward a Principled Bayesian Workflow in Cognitive Science").
	Contraction      float64
	Shift            float64 // largest difference of the distribution functions of posterior and prior (Kolmogorov and Smirnov)
	AtLow, AtHigh    float64 // share of the posterior in the lowest and the highest tenth of the range
	RHat, Bulk, Tail float64
}

// From what the words begin.
const (
	littleContraction = .2 // below it the data say little, below half of it nothing
	littleShift       = .15
	muchAtEnd         = .3 // in a tenth of the range, three times the share of the prior
	muchCorrelated    = .4
)

// Says tells how much the data say of the parameter.
func (m *Marginal) Says() string {
	switch {
	case m.Contraction < littleContraction/2 && m.Shift < littleShift:
		return "nothing"
	case m.Contraction < littleContraction:
		return "little"
	case m.Contraction < .75:
		return "something"
	}
	return "much"
}

// Correlation is that of two parameters in the posterior.
type Correlation struct {
	A, B string
	R    float64
}

func (e *Estimation) newPosterior(own []float64) *Posterior {
	t := e.Targets
	r := &Posterior{
		Scenario: e.Scenario.Name, Hash: e.Scenario.Hash(), Households: t.Households, Months: e.Reality.Months(),
		BurnIn: e.Scenario.BurnIn.BurnInMonths, Replications: t.Replications, Seed: t.Seed, Settings: t.Posterior, names: t.Parameters,
	}
	for k, p := range t.Parameters {
		r.Parameters = append(r.Parameters, Marginal{Parameter: p, Own: p.Value(own[k])})
	}
	return r
}

// matched says what the last wave left.
func (r *Posterior) matched(e *Estimation) {
	last := &r.Waves[len(r.Waves)-1]
	r.Closest = last.survey.Closest
	r.Economies, r.Simulated = e.economies, e.made
	for j := range r.emulated.moments {
		r.Likelihood = append(r.Likelihood, r.emulated.moments[j].Name())
	}
	for _, j := range last.survey.Impossible(r.Settings.Cutoff) {
		r.Impossible = append(r.Impossible, r.Likelihood[j])
	}
	if r.Empty = last.survey.Empty(); r.Empty {
		for j, i := range last.survey.At {
			if i > r.Settings.Cutoff && !slices.Contains(r.Impossible, r.Likelihood[j]) {
				r.Conflicting = append(r.Conflicting, r.Likelihood[j])
			}
		}
	}
	if r.Empty {
		r.say(e)
	}
}

// sample draws from the posterior and sums it up.
func (r *Posterior) sample(ctx context.Context, e *Estimation) error {
	d := len(r.names)
	settings := e.chains
	settings.Seed, settings.Threads = r.Seed, e.Threads
	chains, err := bayes.Sample(ctx, d, r.emulated.problem.LogLikelihood, settings)
	if err != nil {
		return err
	}
	r.Chains = chains
	r.summarise(chains.All())
	for k := range r.Parameters {
		m := &r.Parameters[k]
		m.RHat, m.Bulk, m.Tail = chains.RHat[k], chains.Bulk[k], chains.Tail[k]
	}
	all := chains.All()
	for i := range r.Settings.Draws {
		x := all[i*len(all)/r.Settings.Draws]
		row := make([]float64, d)
		for k, p := range r.names {
			row[k] = p.taken(x[k])
		}
		r.places, r.Draws = append(r.places, x), append(r.Draws, row)
	}
	return nil
}

// taken is the value that an economy takes at a place: see [Targets.apply].
func (p Parameter) taken(x float64) float64 {
	return rounded(p.Value(x), digits)
}

// summarise describes draws of places.
func (r *Posterior) summarise(draws [][]float64) {
	d := len(r.names)
	place := make([][]float64, d)
	for k, p := range r.names {
		m := &r.Parameters[k]
		values := make([]float64, len(draws))
		for i, x := range draws {
			values[i] = p.Value(x[k])
			place[k] = append(place[k], x[k])
			switch {
			case x[k] < .1:
				m.AtLow += 1 / float64(len(draws))
			case x[k] > .9:
				m.AtHigh += 1 / float64(len(draws))
			}
		}
		m.Mean, m.SD = stats.Mean(values), stats.StdDev(values)
		slices.Sort(values)
		m.Low50, m.High50 = stats.Quantile(values, .25), stats.Quantile(values, .75)
		m.Low90, m.High90 = stats.Quantile(values, .05), stats.Quantile(values, .95)
		for i, x := range slices.Sorted(slices.Values(place[k])) {
			n := float64(len(draws))
			m.Shift = max(m.Shift, math.Abs(x-float64(i)/n), math.Abs(x-float64(i+1)/n))
		}
		sd := stats.StdDev(place[k])
		m.Contraction = 1 - 12*sd*sd // the variance of a uniform place is a twelfth
	}
	for k := range d {
		for l := range k {
			if c := stats.Correlation(place[l], place[k]); math.Abs(c) >= muchCorrelated {
				r.Correlations = append(r.Correlations, Correlation{r.names[l].Name, r.names[k].Name, c})
			}
		}
	}
	slices.SortStableFunc(r.Correlations, func(a, b Correlation) int {
		if math.Abs(a.R) > math.Abs(b.R) {
			return -1
		}
		return 1
	})
}

// say writes down what a reader has to know.
func (r *Posterior) say(e *Estimation) {
	tell := func(format string, args ...any) { r.Findings = append(r.Findings, fmt.Sprintf(format, args...)) }
	last := &r.Waves[len(r.Waves)-1]
	if r.Impossible != nil {
		ends := fmt.Sprintf("They did not rule out sets of parameters by themselves (rank %d), and pull the posterior towards them.",
			r.Settings.Rank)
		switch {
		case r.Empty && r.Conflicting != nil:
			ends = fmt.Sprintf("With them, %s are too far off at the best set of parameters. There is no posterior.",
				strings.Join(r.Conflicting, "; "))
		case r.Empty:
			ends = "There is no posterior."
		}
		tell("The model cannot produce %s within these ranges: the least implausibility is beyond %g for each. %s Leave them out (leave_out), "+
			"state by how much the model may miss them (posterior: discrepancies), or widen the ranges.",
			strings.Join(r.Impossible, "; "), r.Settings.Cutoff, ends)
	} else if r.Empty {
		tell("No set of parameters within these ranges can have produced all moments together, though each alone can: the least implausibility "+
			"is %.3g, where %s are too far off. There is no posterior. Leave some out, state discrepancies, or widen the ranges.",
			r.Closest, strings.Join(r.Conflicting, "; "))
	}
	var bad, flat, dropped []string
	for _, f := range last.Emulators {
		if f.Bad {
			bad = append(bad, fmt.Sprintf("%s (%.0f %% of the economies within their 95 %% intervals, residuals of %.2g standard deviations)",
				f.Moment,
				100*f.Coverage, f.RMS))
		}
		if f.Sets < last.Points-last.Failed {
			dropped = append(dropped, fmt.Sprintf("%s (%d of %d)", f.Moment, last.Points-last.Failed-f.Sets, last.Points-last.Failed))
		}
		if f.Explained < .1 {
			flat = append(flat, f.Moment)
		}
	}
	if bad != nil {
		tell("Bad emulators, whose intervals were widened: %s. More points, or narrower ranges, may help.", strings.Join(bad, "; "))
	}
	if flat != nil {
		tell("Moments that hardly change with these parameters, over chance: %s.", strings.Join(flat, "; "))
	}
	if dropped != nil {
		tell("Sets of parameters of which fewer than %d replications show a moment, so that its emulator knows nothing of them: %s.",
			leastReplications,
			strings.Join(dropped, "; "))
	}
	if last.Failed > 0 {
		tell("%d of %d sets of parameters could not be simulated to the end; emulators know nothing of them.", last.Failed, last.Points)
	}
	if !r.Empty && last.Unsure > .3 {
		tell("Emulators are a large part of what is not known of some moment (%.0f %% of the variance): more waves, points or replications make "+
			"the posterior narrower.", 100*last.Unsure)
	}
	if r.Chains != nil && !r.Chains.Converged() {
		tell("The chains have not converged (R-hat up to %.3f, %.0f effective draws at least): intervals may be off.", slices.Max(r.Chains.RHat),
			min(slices.Min(r.Chains.Bulk), slices.Min(r.Chains.Tail)))
	}
	for k := range r.Parameters {
		m := &r.Parameters[k]
		switch {
		case r.Empty:
			continue
		case m.Contraction < littleContraction:
			tell("The data say %s of %s: its posterior is about as wide as the prior%s.", m.Says(), m.Name, map[bool]string{
				true: ", though other values are likelier", false: "",
			}[m.Shift >= littleShift])
		}
		for _, end := range []struct {
			share float64
			which string
			value float64
		}{{m.AtLow, "low", m.Low}, {m.AtHigh, "high", m.High}} {
			if end.share > muchAtEnd {
				tell("The posterior of %s lies at the %s end of its range, %s: the data may ask for more than the prior allows.", m.Name, end.which,
					trials.Figure(end.value))
			}
		}
	}
	if samples := e.samplesThatCount(r.emulated.moments); len(samples) > 1 {
		tell("Moments of %s count as if these were different data. Where samples overlap, name one of them in only.",
			strings.Join(samples, " and "))
	}
	if len(e.Targets.Weights) > 0 {
		tell("The weights of the file belong to the search; in a posterior every moment counts by its uncertainty.")
	}
	r.sayPredicted(tell)
}

// samplesThatCount are the samples of the data, and the sixteen facts, of which moments count.
func (e *Estimation) samplesThatCount(moments []Moment) (names []string) {
	for i := range moments {
		if m := &moments[i]; (m.Draws != nil || m.Table == FactsTable) && !slices.Contains(names, m.Table) {
			names = append(names, m.Table)
		}
	}
	return names
}

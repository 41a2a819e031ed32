package estimation

import (
	"context"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/stats"
)

// Predicted is a moment of economies that are simulated with draws of the posterior, one economy a draw, with the data's value among them.
type Predicted struct {
	Moment string
	Counts bool // it is in the likelihood
	Band   bool // the target is a band rather than a statistic of the data

	Target             float64
	Mean               float64
	Low90, High90      float64 // from the 5th to the 95th percentile of the economies
	Below              float64 // share of the economies with less than the target; half of those with as much
	Within             float64 // of a band: share of the economies within it
	Draws              int     // draws whose economy has the moment
	TargetLow, TargetH float64 // interval of the data, or the band
	Failed             bool    // the data lie where hardly any economy does: see [Predicted.fails]
}

// unlikely is the two-sided share from which the data lie where hardly any economy does.
const unlikely = .05

// leastJudged are the economies from which the most extreme place is less likely than unlikely: 2·½/(20+1) is below 5 %.
const leastJudged = 20

// Judged says whether so many economies have the moment that the data can be called unlikely.
func (p *Predicted) Judged() bool { return p.Draws >= leastJudged }

// fails says that the data lie in the outermost twentieth of the economies, or that less than a twentieth of these lie in the band.
func (p *Predicted) fails() bool {
	if p.Band {
		return p.Within < unlikely
	}
	n := float64(p.Draws)
	tail := (min(p.Below, 1-p.Below)*n + .5) / (n + 1)
	return 2*tail < unlikely
}

// predictive simulates the economy with draws of the posterior, and holds the data against it.
func (e *Estimation) predictive(ctx context.Context, r *Posterior) error {
	n := r.Settings.Predictive
	if n == 0 {
		return nil
	}
	replications := 1
	if len(e.Targets.Tables) > 0 {
		replications = 2 // which these tables need
	}
	x := make([][]float64, n)
	for i := range x {
		x[i] = r.places[i*len(r.places)/n]
	}
	list, err := e.simulated(ctx, "predictive check", e.sets(firstPredictive, x, replications))
	if err != nil {
		return err
	}
	r.Economies, r.Simulated = e.economies, e.made
	list = slices.DeleteFunc(list, func(c *candidate) bool { return c.moments == nil })
	if r.Checked = len(list); len(list) == 0 {
		return nil
	}
	for i := range list[0].moments {
		m := list[0].moments[i]
		var values []float64
		for _, c := range list {
			values = append(values, first(c.moments[i].valuesAgainst(m.Target))...)
		}
		if math.IsNaN(m.Target) || len(values) == 0 {
			continue
		}
		p := Predicted{
			Moment: m.Name(), Counts: m.Weight > 0, Band: m.Draws == nil, Target: m.Target, TargetLow: m.Low, TargetH: m.High,
		}
		p.describe(values, m.side())
		r.Predictive = append(r.Predictive, p)
	}
	e.heldOut(r, list)
	return nil
}

// describe places the target among values of economies.
func (p *Predicted) describe(values []float64, side bayes.Side) {
	n := float64(len(values))
	p.Draws, p.Mean = len(values), stats.Mean(values)
	sorted := slices.Sorted(slices.Values(values))
	p.Low90, p.High90 = stats.Quantile(sorted, .05), stats.Quantile(sorted, .95)
	for _, v := range values {
		switch {
		case v < p.Target:
			p.Below += 1 / n
		case v == p.Target:
			p.Below += .5 / n
		}
		if p.TargetLow <= v && v <= p.TargetH {
			p.Within += 1 / n
		}
	}
	switch {
	case !p.Judged():
	case side != bayes.Both:
		p.Failed = p.Within < unlikely
	default:
		p.Failed = p.fails()
	}
}

// first is the value of one replication of a draw, the first that has the moment: two of a draw are not independent.
func first(values []float64) []float64 {
	there := stats.Defined(values)
	return there[:min(1, len(there))]
}

// heldOut counts the statistics that are held out whose data lie within 90 % of the economies.
func (e *Estimation) heldOut(r *Posterior, list []*candidate) {
	values := map[string][]float64{}
	target := map[string]float64{}
	var order, samples []string
	for _, c := range list {
		for s, rows := range e.Reality.HeldOutOf(c.measured) {
			of := e.Reality.Samples[s].String()
			if !slices.Contains(samples, of) {
				samples = append(samples, of)
			}
			for _, row := range rows {
				name := of + "\x00" + row.Name
				if _, known := target[name]; !known {
					target[name] = row.Data
					order = append(order, name)
				}
				for _, v := range first(row.Values) {
					values[name] = append(values[name], v-(row.Data-target[name]))
				}
			}
		}
	}
	for _, of := range samples {
		h := HeldOut{Quarters: of}
		for _, name := range order {
			if !strings.HasPrefix(name, of+"\x00") || math.IsNaN(target[name]) || len(values[name]) == 0 {
				continue
			}
			h.Total++
			sorted := slices.Sorted(slices.Values(values[name]))
			if stats.Quantile(sorted, .05) <= target[name] && target[name] <= stats.Quantile(sorted, .95) {
				h.Met++
			}
		}
		if h.Total > 0 {
			r.HeldOut = append(r.HeldOut, h)
		}
	}
}

// sayPredicted names the moments that the model does not produce.
func (r *Posterior) sayPredicted(tell func(format string, args ...any)) {
	var counted, others []string
	left, few := 0, 0
	for i := range r.Predictive {
		p := &r.Predictive[i]
		if !p.Counts && p.Judged() {
			left++
		}
		switch {
		case !p.Judged():
			few++
		case p.Failed && p.Counts:
			counted = append(counted, p.Moment)
		case p.Failed:
			others = append(others, p.Moment)
		}
	}
	if counted != nil {
		tell("With draws of the posterior the model does not produce these moments, which count: %s.", strings.Join(counted, "; "))
	}
	if few > 0 {
		tell("Fewer than %d economies of the predictive check show %d of %d moments: of these nothing is said.", leastJudged, few,
			len(r.Predictive))
	}
	if others != nil {
		tell("Of the %d moments that do not count, the model does not produce %d.", left, len(others))
	}
}

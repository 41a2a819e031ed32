package estimation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Result is what a search found.
type Result struct {
	Scenario     scenario.Scenario // with the estimates, which hold in the burn-in too
	Start        Fit
	End          Fit
	Parameters   []Estimate
	Moments      []MomentFit
	Directions   []Direction // all of them, the best seen first
	NoiseFloor   float64     // length of a column of the Jacobian by chance alone
	J            float64     // sum of squared distances of the moments of data, in standard deviations
	JMoments     int
	JP           float64 // share of the bootstrap's draws of the data with at least J
	Tried        int     // sets of parameters
	Simulated    int     // of them not known before
	Economies    int     // of all sets
	Replications int     // economies of each set

	DesignReplications int // of those of designs
	Seed               uint64
	From               uint64
	Households         int
	Months             int
	Hash               string // of the scenario that the search began from
}

// Fit is how well a set of parameters does.
type Fit struct {
	Score   float64
	Met, Of int // moments that count
	Tables  []Count
	HeldOut []HeldOut
}

// Count is how many moments of a table that count are met.
type Count struct {
	Table string `json:"table"`
	Met   int    `json:"met"`
	Of    int    `json:"of"`
}

// HeldOut counts the statistics of a sample that nobody looks at while estimating.
type HeldOut struct {
	Quarters string `json:"quarters"`
	Met      int    `json:"met"`
	Total    int    `json:"total"`
}

// Estimate is a parameter's value. The standard error takes the data's bootstrap, with what statistics of one sample
// have in common, and the replications into account (Newey and McFadden 1994, theorem 3.4, for weights that are not
// the best); it holds near the estimate alone, and means nothing at an end of the range.
type Estimate struct {
	Parameter
	Start, Value, SE float64
	Signal           float64 // of its derivatives, over chance: see [jacobian.signal]
	AtEnd            bool    // of its range
	Seen             bool    // the moments see it
}

// MomentFit is a moment that counts, before and after.
type MomentFit struct {
	Moment
	Start float64 // mean of the replications at the start
}

// Direction is a way to move all parameters together. Along one that the moments do not see they say nothing of the
// parameters.
type Direction struct {
	Singular float64   // root of the sum of squared changes of the moments, in standard deviations, a range
	Loadings []float64 // by parameter; squares add up to 1
	Seen     bool      // the changes are more than chance
}

// seenFrom is how many times the length by chance a direction or a parameter has to reach.
const seenFrom = 1.5

// atEnd is how near to an end of its range an estimate counts as being there, as a share of the range.
const atEnd = 1e-6

func (e *Estimation) fit(c *candidate) Fit {
	f := Fit{Score: c.score, HeldOut: c.held}
	f.Met, f.Of = c.met()
	for i := range c.moments {
		m := &c.moments[i]
		if m.Weight == 0 {
			continue
		}
		if n := len(f.Tables); n == 0 || f.Tables[n-1].Table != m.Table {
			f.Tables = append(f.Tables, Count{Table: m.Table})
		}
		table := &f.Tables[len(f.Tables)-1]
		table.Of++
		if m.Met() {
			table.Met++
		}
	}
	return f
}

func (e *Estimation) result(start, end *candidate, j *jacobian) (*Result, error) {
	s, err := e.Targets.apply(e.Scenario, end.x)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Scenario: s, Start: e.fit(start), End: e.fit(end), Tried: e.tried, Simulated: e.made, Economies: e.economies,
		Replications: e.Targets.Replications, DesignReplications: e.Targets.DesignReplications,
		Seed: e.Targets.Seed, From: e.From, Households: e.Targets.Households, Months: e.Reality.Months(), Hash: e.Scenario.Hash(),
	}
	for i, m := range end.moments {
		if m.Weight > 0 {
			mean := math.NaN()
			if i < len(start.moments) {
				mean = start.moments[i].Mean()
			}
			r.Moments = append(r.Moments, MomentFit{m, mean})
		}
	}
	r.precision(e, end, j)
	for k, p := range e.Targets.Parameters {
		estimate := &r.Parameters[k]
		if estimate.Start, err = e.valueAt(start.x, p.Name); err != nil {
			return nil, err
		}
		if estimate.Value, err = numberOf(s.Params, p.Name); err != nil {
			return nil, err
		}
	}
	r.overidentification()
	return r, nil
}

// valueAt is a parameter's value at places, as the economy takes it.
func (e *Estimation) valueAt(x []float64, name string) (float64, error) {
	var p sim.Params
	s, err := e.Targets.apply(e.Scenario, x)
	if p = s.Params; err != nil {
		return 0, err
	}
	return numberOf(p, name)
}

// precision finds standard errors, and what the moments see.
func (r *Result) precision(e *Estimation, at *candidate, j *jacobian) {
	distance, weight := residuals(at.moments)
	n, p := len(distance), len(at.x)
	root := mat.NewDense(n, p, nil) // of the weighted derivatives
	bread := mat.NewSymDense(p, nil)
	weighted := mat.NewDense(n, p, nil)
	for i := range n {
		w := weight[i] * curvature(distance[i], e.Targets.Robust)
		for k := range p {
			root.Set(i, k, math.Sqrt(w)*j.slope[i][k])
			weighted.Set(i, k, w*j.slope[i][k])
			r.NoiseFloor += w * j.noise[i][k] * j.noise[i][k] / float64(p)
		}
	}
	r.NoiseFloor = math.Sqrt(r.NoiseFloor)
	bread.SymOuterK(1, root.T())
	for k := range p {
		bread.SetSym(k, k, bread.At(k, k)+e.Targets.Prior)
	}
	var meat, half, inverse, covariance mat.Dense
	half.Mul(r.covariance(), weighted)
	meat.Mul(weighted.T(), &half)
	if inverse.Inverse(bread) != nil {
		inverse.Zero()
	}
	covariance.Product(&inverse, &meat, &inverse)

	var svd mat.SVD
	if svd.Factorize(root, mat.SVDThin) {
		var v mat.Dense
		svd.VTo(&v)
		for k, singular := range svd.Values(nil) {
			d := Direction{Singular: singular, Seen: singular > seenFrom*r.NoiseFloor}
			for l := range p {
				d.Loadings = append(d.Loadings, v.At(l, k))
			}
			r.Directions = append(r.Directions, d)
		}
	}
	for k, parameter := range e.Targets.Parameters {
		x, signal := at.x[k], j.signal(k)
		low, high := parameter.ends()
		scale := high - low
		if parameter.InLogs() {
			scale = parameter.Value(x) * math.Log(high/low)
		}
		r.Parameters = append(r.Parameters, Estimate{
			Parameter: parameter, SE: scale * math.Sqrt(max(0, covariance.At(k, k))), Signal: signal,
			AtEnd: x < atEnd || x > 1-atEnd, Seen: signal > seenFrom,
		})
	}
}

// covariance is that of the distances of the moments: of the data by the bootstrap, as far as statistics are of one
// sample, and of the replications.
func (r *Result) covariance() *mat.SymDense {
	n := len(r.Moments)
	draws := make([][]float64, n)
	for i := range r.Moments {
		draws[i] = r.Moments[i].standardised()
	}
	c := mat.NewSymDense(n, nil)
	for i := range n {
		m := &r.Moments[i]
		values := stats.Defined(m.Values)
		noise := stats.StdDev(values) / m.SD
		c.SetSym(i, i, 1+noise*noise/float64(len(values)))
		for k := range i {
			if draws[i] == nil || m.Table != r.Moments[k].Table {
				continue
			}
			sum := 0.
			for b := range draws[i] {
				sum += draws[i][b] * draws[k][b]
			}
			c.SetSym(i, k, sum/float64(len(draws[i])))
		}
	}
	return c
}

// standardised are the draws of the bootstrap less their mean, in standard deviations; 0 where one is not defined.
func (m *Moment) standardised() []float64 {
	if m.Draws == nil {
		return nil
	}
	mean, out := stats.DefinedMean(m.Draws), make([]float64, len(m.Draws))
	for b, x := range m.Draws {
		if d := (x - mean) / m.SD; !math.IsNaN(d) {
			out[b] = d
		}
	}
	return out
}

// overidentification is the J statistic with weights by the standard deviations alone, held against the bootstrap of
// the data: how often their own statistics lie as far from their mean. That parameters were fitted is not taken
// off, so that it rejects too seldom.
func (r *Result) overidentification() {
	var drawn []float64
	for i := range r.Moments {
		m := &r.Moments[i]
		draws := m.standardised()
		if draws == nil {
			continue
		}
		if drawn == nil {
			drawn = make([]float64, len(draws))
		}
		d := m.Distance()
		r.J += d * d
		r.JMoments++
		for b, x := range draws {
			drawn[b] += x * x
		}
	}
	reached := 1
	for _, x := range drawn {
		if x >= r.J {
			reached++
		}
	}
	r.JP = float64(reached) / float64(len(drawn)+1)
}

// Leading are the parameters that a direction moves most, with their loadings, up to n.
func (d Direction) Leading(parameters []Estimate, n int) (list []string) {
	order := make([]int, len(d.Loadings))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if math.Abs(d.Loadings[a]) > math.Abs(d.Loadings[b]) {
			return -1
		}
		return 1
	})
	for _, k := range order[:min(n, len(order))] {
		list = append(list, fmt.Sprintf("%s %+.2f", parameters[k].Name, d.Loadings[k]))
	}
	return list
}

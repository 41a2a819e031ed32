package sweep

import (
	"math"
	"slices"

	"econ-mcp/internal/sampling"
	"econ-mcp/internal/sensitivity"
	"econ-mcp/internal/stats"
)

// Sensitivity is what a design says of one quantity: its range, which factors matter, and where its sign flips.
type Sensitivity struct {
	Quantity
	Least    stats.Number   `json:"least"`
	Most     stats.Number   `json:"most"`
	Mean     stats.Number   `json:"mean"`
	Positive float64        `json:"share_positive"` // of the points
	Method   string         `json:"method"`         // sobol, morris, pawn, main_effects, one_at_a_time; or none
	Factors  []FactorIndex  `json:"factors"`
	Pairs    []PairIndex    `json:"pairs,omitempty"` // second order
	Dummy    *DummyIndex    `json:"dummy,omitempty"`
	Flip     *FlipCondition `json:"flip,omitempty"`
	Note     string         `json:"note,omitempty"`
}

// Estimate is an index with its bootstrap interval.
type Estimate struct {
	Value stats.Number `json:"value"`
	Low   stats.Number `json:"ci_low"`
	High  stats.Number `json:"ci_high"`
}

// FactorIndex is how much a factor matters, by the design's method.
type FactorIndex struct {
	Factor  string        `json:"factor"`
	First   *Estimate     `json:"first,omitempty"`   // sobol: share of the variance that goes where the factor is known
	Total   *Estimate     `json:"total,omitempty"`   // sobol: share that stays where all others are
	MeanAbs *Estimate     `json:"mu_star,omitempty"` // morris: mean size of its effect, over its whole range
	Effect  *stats.Number `json:"mu,omitempty"`      // morris: mean effect over the range; main_effects: last value less first
	Scatter *stats.Number `json:"sigma,omitempty"`   // morris: how much the effect depends on where it and the others are
	Shift   *Estimate     `json:"pawn,omitempty"`    // pawn: how far the distribution moves, 0 to 1
	Delta   *Estimate     `json:"delta,omitempty"`   // beside pawn and sobol: how far the density moves, 0 to 1
	Matters *bool         `json:"matters,omitempty"` // more than a factor that changes nothing would seem to; morris has none

	Curve      []CurvePoint  `json:"curve,omitempty"`      // one_at_a_time, in ascending order of the factor
	Swing      *Estimate     `json:"swing,omitempty"`      // one_at_a_time: the highest of the curve less the lowest
	Elasticity *stats.Number `json:"elasticity,omitempty"` // one_at_a_time: of a level, at the base
}

// Size is the number by which factors are ranked, whatever the method: the total index, μ*, the swing, the shift or the size of the
// effect. It is NaN without any.
func (f FactorIndex) Size() float64 {
	for _, e := range []*Estimate{f.Total, f.MeanAbs, f.Swing, f.Shift} {
		if e != nil {
			return float64(e.Value)
		}
	}
	if f.Effect != nil {
		return math.Abs(float64(*f.Effect))
	}
	return math.NaN()
}

// PairIndex is how much the interaction of two factors matters.
type PairIndex struct {
	Factors [2]string `json:"factors"`
	Second  Estimate  `json:"second"`
}

// DummyIndex is what a factor that changes nothing comes to.
type DummyIndex struct {
	First Estimate `json:"first"`
	Total Estimate `json:"total"`
}

// FlipCondition is a node of a tree that separates where the quantity is above zero from where it is not.
type FlipCondition struct {
	Points    int            `json:"points"`
	Positive  float64        `json:"share_positive"`
	Factor    string         `json:"factor,omitempty"`
	Threshold float64        `json:"threshold,omitempty"`
	Below     *FlipCondition `json:"at_or_below,omitempty"`
	Above     *FlipCondition `json:"above,omitempty"`
}

// slicesOfFactor is into how many parts a factor is cut where distributions are compared.
const slicesOfFactor = 10

// Analyse says what matters for each quantity.
func (p *Plan) Analyse(r *Results) ([]Sensitivity, error) {
	units := make([][]float64, len(p.Values)) // places of the values, which Morris's effects are per range of
	for k, row := range p.Values {
		for j, x := range row {
			units[k] = append(units[k], p.Design.Factors[j].place(x))
		}
	}
	var names []string
	for _, f := range p.Design.Factors {
		names = append(names, f.Name)
	}
	var list []Sensitivity
	for k, q := range r.Quantities {
		y := r.Values[k]
		s := Sensitivity{Quantity: q, Method: "none", Factors: []FactorIndex{}}
		defined, positive := stats.Defined(y), 0
		for _, x := range defined {
			if x > 0 {
				positive++
			}
		}
		s.Least, s.Most, s.Mean = stats.Absent, stats.Absent, stats.Absent
		if len(defined) > 0 {
			s.Least, s.Most, s.Mean = stats.Number(slices.Min(defined)), stats.Number(slices.Max(defined)), stats.Number(stats.Mean(defined))
			s.Positive = float64(positive) / float64(len(defined))
		}
		if len(defined) == 0 {
			s.Note = "it has no number at any point"
		} else if p.Design.Kind == OneAtATime {
			p.oneAtATime(&s, r.samples[k], names)
		} else if err := p.indices(&s, units, y, names); err != nil {
			s.Note = err.Error() // the numbers of the points stay
		} else if slices.Contains([]string{"sobol", "pawn"}, s.Method) {
			p.deltas(&s, y)
		}
		if p.Design.Kind != OneAtATime && q.With != "" && 0 < positive && positive < len(y) {
			if tree, err := sensitivity.Tree(p.Values, y, names, sensitivity.TreeOptions{Block: p.Block()}); err == nil && tree.Factor != "" {
				s.Flip = flipOf(tree)
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// Block is how many points of the design that follow each other were drawn together.
func (p *Plan) Block() int {
	switch d := len(p.Design.Factors); p.Design.Kind {
	case Morris:
		return d + 1
	case SobolIndices:
		return sampling.SaltelliBlock(d, p.Design.SecondOrder)
	}
	return 1
}

// indices measures by the method that the design is made for.
func (p *Plan) indices(s *Sensitivity, units [][]float64, y []float64, names []string) error {
	matters := func(i sensitivity.Index, least float64) *bool {
		yes := i.AboveDummy && i.Value > least
		return &yes
	}
	o := sensitivity.Options{Block: p.Block()}
	switch p.Design.Kind {
	case SobolIndices:
		found, err := sensitivity.Sobol(y, p.Design.Points, len(names), p.Design.SecondOrder, o)
		if err != nil {
			return err
		}
		s.Method = "sobol"
		for k, name := range names {
			s.Factors = append(s.Factors, FactorIndex{
				Factor: name, First: estimateOf(found.First[k].Estimate), Total: estimateOf(found.Total[k].Estimate),
				Matters: matters(found.Total[k], leastShare),
			})
		}
		for _, pair := range found.Second {
			s.Pairs = append(s.Pairs, PairIndex{[2]string{names[pair.I], names[pair.J]}, *estimateOf(pair.Estimate)})
		}
		s.Dummy = &DummyIndex{*estimateOf(found.DummyFirst), *estimateOf(found.DummyTotal)}
	case Morris:
		found, err := sensitivity.Morris(units, y, o)
		if err != nil {
			return err
		}
		s.Method = "morris"
		for k, name := range names {
			mean, scatter := stats.Number(found[k].Mean), stats.Number(found[k].StdDev)
			s.Factors = append(s.Factors, FactorIndex{Factor: name, MeanAbs: estimateOf(found[k].MeanAbs), Effect: &mean, Scatter: &scatter})
		}
	case Factorial, Fractional:
		s.Method = "main_effects"
		for k, name := range names {
			effect := stats.Number(mainEffect(units, y, k))
			s.Factors = append(s.Factors, FactorIndex{Factor: name, Effect: &effect})
		}
	default:
		found, err := sensitivity.PAWN(p.Values, y, slicesOfFactor, o)
		if err != nil {
			return err
		}
		s.Method = "pawn"
		for k, name := range names {
			s.Factors = append(s.Factors, FactorIndex{
				Factor: name, Shift: estimateOf(found[k].Median.Estimate), Matters: matters(found[k].Median, 0),
			})
		}
	}
	return nil
}

// deltas adds the index delta, as far as it can be measured: most outputs must differ for that.
func (p *Plan) deltas(s *Sensitivity, y []float64) {
	if distinct := slices.Sorted(slices.Values(y)); 2*len(slices.Compact(distinct)) < len(y) {
		return
	}
	found, err := sensitivity.Delta(p.Values, y, 0, sensitivity.Options{Block: p.Block()})
	if err != nil {
		return
	}
	for k := range s.Factors {
		s.Factors[k].Delta = estimateOf(found[k].Delta.Estimate)
	}
}

// leastShare of the variance is what a factor must have to matter: runs share their draws, so that a factor that does next to nothing is
// still told from one that does nothing.
const leastShare = .001

// mainEffect is the mean at the points where a factor is at the high end less that where it is at the low one.
func mainEffect(units [][]float64, y []float64, factor int) float64 {
	var low, high []float64
	for k, unit := range units {
		switch unit[factor] {
		case 0:
			low = append(low, y[k])
		case 1:
			high = append(high, y[k])
		}
	}
	return stats.Mean(high) - stats.Mean(low)
}

func estimateOf(e sensitivity.Estimate) *Estimate {
	return &Estimate{stats.Number(e.Value), stats.Number(e.Low), stats.Number(e.High)}
}

func flipOf(n *sensitivity.Node) *FlipCondition {
	if n == nil {
		return nil
	}
	return &FlipCondition{n.N, n.Positive, n.Factor, n.Threshold, flipOf(n.Below), flipOf(n.Above)}
}

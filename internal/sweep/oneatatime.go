package sweep

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/stats"
)

// oneAtATimeLevels is how many values a range has in one_at_a_time that does not say more.
const oneAtATimeLevels = 5

// base is where one_at_a_time holds the factors that do not vary: what the factor says, else the inquiry's own number, else, of a
// parameter that it does not set, the value in the scenario of its economy. A time that nobody wrote is [fault.Required].
func (d *Design) base(find inquiry.Scenarios) (list []float64, err error) {
	for _, f := range d.Factors {
		x, err := d.baseOf(f, find)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func (d *Design) baseOf(f Factor, find inquiry.Scenarios) (float64, error) {
	if f.Base != nil {
		return *f.Base, nil
	}
	place := placeOf(f.Name)
	if node, err := at(parsed(d.text), place, false); err == nil {
		x, _, err := d.numberAt(f.Name, node)
		return x, withoutPosition(err)
	}
	steps := strings.Split(place, ".")
	last := steps[len(steps)-1]
	if steps[len(steps)-2] != "set" {
		return 0, fault.Missing(f.Name, "the inquiry does not say it: write its base, as in {from: …, to: …, base: …}")
	}
	q := d.Inquiry
	q.Arms, q.Compare = nil, nil // the background alone
	if steps[0] == "arms" {
		at := slices.IndexFunc(d.Inquiry.Arms, func(a inquiry.Arm) bool { return a.Name == steps[1] })
		arm := d.Inquiry.Arms[at] // the factor was read at its place
		arm.Doses = nil
		q.Arms = []inquiry.Arm{arm}
	}
	list, err := q.Economies(find)
	if err != nil {
		return 0, err
	}
	value, err := list[len(list)-1].Scenario.Params.Get(last)
	if err != nil {
		return 0, err
	}
	switch x := value.(type) {
	case float64:
		return x, nil
	case int:
		return float64(x), nil
	}
	return 0, fault.Missing(f.Name, "its value is no number: write its base, as in {values: […], base: …}")
}

// alone are the points of one_at_a_time: the base, and each factor's values with the others at the base. A value that is the base
// is that point.
func (d *Design) alone(base []float64) (rows [][]float64) {
	rows = append(rows, base)
	for j, f := range d.Factors {
		levels := slices.Clone(f.Values)
		if levels == nil {
			n := f.levels(d.Levels)
			for k := range n {
				levels = append(levels, f.At(float64(k)/float64(n-1)))
			}
		}
		for _, x := range levels {
			if math.Abs(x-base[j]) > 1e-9*max(math.Abs(x), math.Abs(base[j])) {
				row := slices.Clone(base)
				row[j] = x
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// CurvePoint is a quantity at a value of a factor, with all others at the base.
type CurvePoint struct {
	At         float64      `json:"at"`
	Value      stats.Number `json:"value"`
	Low        stats.Number `json:"ci_low"` // of the value, over replications
	High       stats.Number `json:"ci_high"`
	Change     stats.Number `json:"change"`        // from the base
	ChangeLow  stats.Number `json:"change_ci_low"` // over pairs of replications with the same seed
	ChangeHigh stats.Number `json:"change_ci_high"`
	Base       bool         `json:"base,omitempty"`
}

// curve is a quantity by the value of a factor, in ascending order.
func (p *Plan) curve(samples [][]float64, factor int) (list []CurvePoint) {
	confidence := p.Design.Inquiry.Design.Confidence
	for k, row := range p.Values {
		if k > 0 && row[factor] == p.Values[0][factor] { // a point of another factor
			continue
		}
		value := stats.MeanInterval(samples[k], confidence)
		change := stats.PairedInterval(samples[0], samples[k], confidence)
		list = append(list, CurvePoint{
			row[factor], stats.Number(value.Mean), stats.Number(value.Low), stats.Number(value.High),
			stats.Number(change.Mean), stats.Number(change.Low), stats.Number(change.High), k == 0,
		})
	}
	slices.SortFunc(list, func(a, b CurvePoint) int { return cmp.Compare(a.At, b.At) })
	return list
}

// oneAtATime measures each factor by its curve.
func (p *Plan) oneAtATime(s *Sensitivity, samples [][]float64, names []string) {
	s.Method = "one_at_a_time"
	for j, name := range names {
		f := FactorIndex{Factor: name, Curve: p.curve(samples, j)}
		f.Swing = p.swing(samples, j)
		if s.With == "" {
			f.Elasticity = elasticity(f.Curve)
		}
		s.Factors = append(s.Factors, f)
	}
}

// swing is the highest value of a curve less its lowest, with the interval of that pair of points; nil where the curve has a gap.
func (p *Plan) swing(samples [][]float64, factor int) *Estimate {
	low, high := 0, 0
	for k, row := range p.Values {
		if k > 0 && row[factor] == p.Values[0][factor] {
			continue
		}
		x := stats.Mean(samples[k])
		if math.IsNaN(x) {
			return nil
		}
		if x < stats.Mean(samples[low]) {
			low = k
		}
		if x > stats.Mean(samples[high]) {
			high = k
		}
	}
	if math.IsNaN(stats.Mean(samples[0])) {
		return nil
	}
	d := stats.PairedInterval(samples[low], samples[high], p.Design.Inquiry.Design.Confidence)
	return &Estimate{stats.Number(d.Mean), stats.Number(d.Low), stats.Number(d.High)}
}

// elasticity is by how many percent the quantity changes where the factor changes by one, at the base: the slope of the logs between the
// points beside it, or from it where it is the end. It is nil where the factor, the quantity or both are not above zero there.
func elasticity(curve []CurvePoint) *stats.Number {
	at := slices.IndexFunc(curve, func(p CurvePoint) bool { return p.Base })
	from, to := curve[max(at-1, 0)], curve[min(at+1, len(curve)-1)]
	for _, p := range []CurvePoint{from, to} {
		if !(p.At > 0 && p.Value > 0) {
			return nil
		}
	}
	slope := stats.Number(math.Log(float64(to.Value/from.Value)) / math.Log(to.At/from.At))
	return &slope
}

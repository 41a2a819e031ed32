package estimation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/trials"
)

// FactsTable is the name that moments of the sixteen facts have in the place of a sample.
const FactsTable = "facts"

// factTables are the tables of numbered facts that a search may ask for, as econ-mcp validate names them.
var factTables = []struct {
	name    string
	measure func(ctx context.Context, s scenario.Scenario, replications, threads int, leftOut []int) (*trials.Table, error)
}{
	{"micro", func(ctx context.Context, s scenario.Scenario, replications, threads int, _ []int) (*trials.Table, error) {
		return trials.Micro(ctx, s, replications, threads, run.Cache{}, nil)
	}},
	{"responses", func(ctx context.Context, s scenario.Scenario, replications, threads int, leftOut []int) (*trials.Table, error) {
		return trials.ResponsesWithout(ctx, leftOut, s, replications, threads, run.Cache{}, nil)
	}},
}

// Tables are the names of the tables of numbered facts that a search may ask for.
func Tables() (names []string) {
	for _, t := range factTables {
		names = append(names, t.name)
	}
	return names
}

// tables measures those that are asked for.
func (a asked) tables(ctx context.Context, s scenario.Scenario, replications, threads int) (list []trials.Table, err error) {
	for _, of := range a.Tables {
		k := slices.Index(Tables(), of.Name)
		if k < 0 {
			return nil, fault.Unknown(fault.NotFound, "table", of.Name, Tables())
		}
		t, err := factTables[k].measure(ctx, s, replications, threads, of.Without)
		if err != nil {
			return nil, err
		}
		list = append(list, *t)
	}
	return list, nil
}

// Moment is one number that economies are held against.
type Moment struct {
	Table     string  // sample of the data, [FactsTable], or one of [Tables]
	Number    int     // of the fact in a table that numbers them, else 0
	Statistic string  // its name there
	Target    float64 // value of the data, or middle of the band
	SD        float64 // of the target: of the bootstrap, or a band read as a 95 % interval
	Low, High float64 // the interval, or the band
	Weight    float64 // 0 = left out

	Draws  []float64 // of the target by the bootstrap; none for a band
	Values []float64 // of the replications
}

// names are those under which a file may speak of it, the most telling one first.
func (m *Moment) names() []string {
	of := m.Table
	list := []string{m.Statistic, m.Table}
	if m.Number > 0 {
		of = fmt.Sprintf("%s %d", m.Table, m.Number)
		list = slices.Insert(list, 0, of)
	}
	return slices.Insert(list, 0, of+" "+m.Statistic)
}

// isIn says whether a list has one of its names.
func (m *Moment) isIn(list []string) bool {
	return slices.ContainsFunc(m.names(), func(name string) bool { return slices.Contains(list, name) })
}

// Name is the sample or table, with the number of the fact, and the statistic.
func (m *Moment) Name() string { return m.names()[0] }

// Mean is that of the replications; NaN where the economy does not have the statistic.
func (m *Moment) Mean() float64 { return stats.DefinedMean(m.Values) }

// Distance is how far the mean lies from the target, in standard deviations of the target. Beyond the bound of a band
// that has only one there is none.
func (m *Moment) Distance() float64 {
	d := (m.Mean() - m.Target) / m.SD
	switch {
	case math.IsInf(m.High, 1):
		return min(d, 0)
	case math.IsInf(m.Low, -1):
		return max(d, 0)
	}
	return d
}

// Met says whether the mean lies within the interval or band.
func (m *Moment) Met() bool { return m.Low <= m.Mean() && m.Mean() <= m.High }

// toPercentile is the distance of the 97.5th percentile of a normal distribution from its mean.
const toPercentile = 1.959964

// moments are those of what was measured, in the same order for all sets of parameters.
func (e *Estimation) moments(m *trials.Measured, bands map[string]trials.Band) (list []Moment, held []HeldOut) {
	samples, facts := e.Reality.Against(m, bands)
	for _, s := range samples {
		held = append(held, HeldOut{s.Quarters, s.HeldOutMet, s.HeldOutTotal})
		for _, row := range s.Rows {
			list = append(list, Moment{
				Table: s.Quarters, Statistic: row.Statistic, Target: row.Data.Mean, Low: row.Data.Low, High: row.Data.High,
				SD: stats.StdDev(stats.Defined(row.Draws)), Draws: row.Draws, Values: row.Values,
			})
		}
	}
	list = append(list, factMoments(FactsTable, facts)...)
	for i, name := range e.Targets.Tables {
		list = append(list, factMoments(name, m.Tables[i].Facts)...)
	}
	e.weigh(list)
	return list, held
}

// factMoments are the parts of the facts of a table. A band counts as a 95 % interval around its middle; the bound of
// one that is open to a side as the target, with half of its size for the interval's half.
func factMoments(table string, facts []trials.Fact) (list []Moment) {
	for _, fact := range facts {
		for _, p := range fact.Parts {
			m := Moment{Table: table, Number: fact.Number, Statistic: p.Name, Low: p.BandLow, High: p.BandHigh, Values: p.Values}
			switch {
			case math.IsInf(m.High, 1):
				m.Target, m.SD = m.Low, math.Abs(m.Low)/(2*toPercentile)
			case math.IsInf(m.Low, -1):
				m.Target, m.SD = m.High, math.Abs(m.High)/(2*toPercentile)
			default:
				m.Target, m.SD = (m.Low+m.High)/2, (m.High-m.Low)/(2*toPercentile)
			}
			list = append(list, m)
		}
	}
	return list
}

// weigh says which moments count, and how much: the same for all sets of parameters. What the data are too short for
// does not count.
func (e *Estimation) weigh(list []Moment) {
	if e.weights == nil {
		e.weights = make([]float64, len(list))
		for i := range list {
			if t := e.Targets; list[i].SD > 0 && (t.Only == nil || list[i].isIn(t.Only)) && !list[i].isIn(t.LeaveOut) {
				e.weights[i] = 1
			}
			for _, name := range list[i].names() { // the most telling one counts
				if weight, given := e.Targets.Weights[name]; given {
					e.weights[i] *= weight
					break
				}
			}
		}
	}
	for i := range list {
		list[i].Weight = e.weights[i]
	}
}

// absent is the distance that counts where an economy does not have a statistic: further than any that matters.
const absent = 10

// residuals are the distances of the moments that count, and their weights.
func residuals(moments []Moment) (distance, weight []float64) {
	for i := range moments {
		if moments[i].Weight == 0 {
			continue
		}
		d := moments[i].Distance()
		if math.IsNaN(d) || math.IsInf(d, 0) {
			d = absent
		}
		distance, weight = append(distance, d), append(weight, moments[i].Weight)
	}
	return distance, weight
}

// loss is the pseudo-Huber function: d² near 0, and linear beyond robust (Charbonnier et al. 1997, "Deterministic
// edge-preserving regularization in computed imaging", IEEE Transactions on Image Processing 6(2)).
func loss(d, robust float64) float64 {
	return 2 * robust * robust * (math.Sqrt(1+d*d/(robust*robust)) - 1)
}

// curvature is the weight that makes a squared distance have the slope of [loss].
func curvature(d, robust float64) float64 { return 1 / math.Sqrt(1+d*d/(robust*robust)) }

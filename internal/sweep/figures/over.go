package figures

import (
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// Factor is how people read a factor of a sweep: in percent where By is 100.
type Factor struct {
	Label, Unit string
	By          float64 // what values are multiplied by to be shown
	Log         bool
	Low, High   float64 // of the range and of all points

	of factor
}

// Text writes a value of the factor.
func (f Factor) Text(x float64) string { return f.of.number(x) }

// Factors are those of a design with these points, in its order.
func Factors(d *sweep.Design, points [][]float64, language string) (list []Factor) {
	for _, f := range factorsOf(d, points, language) {
		list = append(list, Factor{f.label, f.unit, f.by, f.log, f.lowest, f.most, f})
	}
	return list
}

// Quantity is how people read what is measured at each point.
type Quantity struct {
	Title string // such as "Real GDP, months 1 to 24, vat less control"
	Unit  string
	By    float64 // what values are multiplied by to be shown
}

// Named names a quantity of a design.
func Named(d *sweep.Design, q sweep.Quantity, language string) Quantity {
	of := drawer{p: &sweep.Plan{Design: d}, s: sweep.Sensitivity{Quantity: q}, language: language}
	of.outcome, _ = sim.IndicatorByName(q.Metric)
	return Quantity{of.title(), of.unit(), of.by()}
}

// Axis is a factor in cells: each of its values, or bins between bounds, of which there is one more.
type Axis struct {
	Values []float64 // in ascending order
	Bins   bool      // the values are bounds
}

// Cells is how many cells the axis has.
func (a Axis) Cells() int {
	if a.Bins {
		return len(a.Values) - 1
	}
	return len(a.Values)
}

// Cell is what is known of a quantity in a part of the space, as it is shown: see [Quantity.By]. Without points its numbers are NaN.
type Cell struct {
	Points, Positive  int
	Mean, Least, Most float64
}

// Map is a quantity over one or two factors.
type Map struct {
	X, Y  Axis     // Y has no cells where there is one factor
	Cells [][]Cell // a row for each cell of Y, or one
}

// NoFactor is in the place of a second factor that is not there.
const NoFactor = -1

// Over divides the points of a design by factor x, and by factor y unless that is [NoFactor]; values are those of the quantity at the
// points. Of a design that varies one factor at a time, the points count at which no other one varies.
func Over(d *sweep.Design, points [][]float64, q sweep.Quantity, values []float64, x, y int) (Map, error) {
	if x == y {
		return Map{}, fault.New(fault.Conflict, "y", "both axes are the same factor").WithHint("choose another one, or none")
	}
	if d.Kind == sweep.OneAtATime {
		if y != NoFactor {
			return Map{}, fault.New(fault.Conflict, "y", "no two factors of this design vary together").WithHint("leave y out")
		}
		points, values = alone(points, values, x)
	}
	of := drawer{
		p: &sweep.Plan{Design: d, Values: points}, r: &sweep.Results{Values: [][]float64{values}}, s: sweep.Sensitivity{Quantity: q},
		factors: factorsOf(d, points, ""),
	}
	of.outcome, _ = sim.IndicatorByName(q.Metric)
	across, up := of.cellsOf(x), cells{}
	m := Map{X: across.axis()}
	if y != NoFactor {
		up = of.cellsOf(y)
		m.Y = up.axis()
	}
	for _, row := range of.inCells(across, up, x, y) {
		var list []Cell
		for _, cell := range row {
			c := Cell{Points: len(cell), Mean: stats.Mean(cell), Least: float64(stats.Absent), Most: float64(stats.Absent)}
			if len(cell) > 0 {
				c.Least, c.Most = slices.Min(cell), slices.Max(cell)
			}
			for _, v := range cell {
				if v > 0 {
					c.Positive++
				}
			}
			list = append(list, c)
		}
		m.Cells = append(m.Cells, list)
	}
	return m, nil
}

// alone are the points that are the first one, the base, but for a factor.
func alone(points [][]float64, values []float64, factor int) (rows [][]float64, of []float64) {
	for k, row := range points {
		other := slices.Clone(row)
		if other[factor] = points[0][factor]; slices.Equal(other, points[0]) {
			rows, of = append(rows, row), append(of, values[k])
		}
	}
	return rows, of
}

func (c cells) axis() Axis {
	if c.values != nil {
		return Axis{Values: c.values}
	}
	return Axis{Values: c.bounds, Bins: true}
}

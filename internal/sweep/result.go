package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Quantity is what is measured at each point: an outcome over a window, of an arm less another one or alone.
type Quantity struct {
	Metric string `json:"metric"`
	From   int    `json:"from_month"`
	To     int    `json:"to_month"`
	Arm    string `json:"arm"`
	With   string `json:"with,omitempty"`     // what it is held against; "" = the level
	Share  bool   `json:"relative,omitempty"` // the difference is a share of the other arm's mean, else it is in the outcome's unit

	indicator sim.Indicator
}

// Name is how tables call it, such as "real_gdp 1-20 cheque - control".
func (q Quantity) Name() string {
	name := fmt.Sprintf("%s %d-%d %s", q.Metric, q.From, q.To, q.Arm)
	if q.With != "" {
		name += " - " + q.With
	}
	return name
}

// Results are what came out at all points.
type Results struct {
	Quantities []Quantity
	Values     [][]float64 // of each quantity, by point: the mean over replications
	Errors     [][]float64 // its standard error; NaN with one replication

	samples [][][]float64 // by replication: their means are Values
}

// Replications are a quantity at a point, by seed: their mean is the value. Quantities and points are counted from 0.
func (r *Results) Replications(quantity, point int) []float64 { return r.samples[quantity][point] }

// Results puts together what is known of the plan's runs. Where runs are missing it is an error that says how many.
func (p *Plan) Results(known Known) (*Results, error) {
	if missing, _ := p.Left(known); missing > 0 {
		return nil, fault.New(fault.InvalidState, "runs", "%d of %d economies are not simulated yet", missing, len(p.Runs)).
			WithHint("econ-mcp sweep work simulates them")
	}
	out := &Results{Quantities: p.quantities()}
	for _, q := range out.Quantities {
		values, errors := make([]float64, len(p.Points)), make([]float64, len(p.Points))
		samples := make([][]float64, len(p.Points))
		for k, point := range p.Points {
			x := p.windowMeans(known, point, q.Arm, q)
			if q.With != "" {
				control := p.windowMeans(known, point, q.With, q)
				if q.Share {
					control, x = stats.Relative(control, x)
				}
				x = stats.Differences(control, x)
			}
			samples[k], values[k], errors[k] = x, stats.Mean(x), stats.StdDev(x)/math.Sqrt(float64(len(x)))
		}
		out.Values, out.Errors, out.samples = append(out.Values, values), append(out.Errors, errors), append(out.samples, samples)
	}
	return out, nil
}

// quantities are those of the inquiry's outcomes, by the pairs that it compares.
func (p *Plan) quantities() (list []Quantity) {
	q := p.Design.Inquiry
	pairs := q.Compare
	if len(pairs) == 0 {
		for _, name := range p.Points[0].Arms {
			pairs = append(pairs, inquiry.Pair{Arm: name})
		}
	}
	for _, o := range q.Outcomes {
		for _, w := range o.Windows {
			for _, pair := range pairs {
				list = append(list, Quantity{
					Metric: o.Metric.String(), From: w.From, To: w.To, Arm: pair.Arm, With: pair.With,
					Share: pair.With != "" && inference.IsRelative(o.Metric), indicator: o.Metric,
				})
			}
		}
	}
	return list
}

// windowMeans are those of an arm of a point, by seed.
func (p *Plan) windowMeans(known Known, point Point, arm string, q Quantity) []float64 {
	for a, name := range point.Arms {
		if name != arm {
			continue
		}
		panel := make(tables.Panel, len(point.runs[a]))
		for r, place := range point.runs[a] {
			panel[r] = new([sim.NumOutcomes][]float64)
			record := known[p.Runs[place].key]
			for _, i := range tables.WindowNeeds(q.indicator) {
				panel[r][i] = floats(record.Series[i.String()])
			}
		}
		return panel.WindowMeans(q.indicator, q.From, q.To)
	}
	return nil // arms of a plan are the same at all points
}

func floats(x []stats.Number) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// resultRow is a quantity at a point.
type resultRow struct {
	Point    int64    `parquet:"point"`
	Metric   string   `parquet:"metric,dict"`
	From     int64    `parquet:"from_month"`
	To       int64    `parquet:"to_month"`
	Arm      string   `parquet:"arm,dict"`
	With     string   `parquet:"with,dict"`
	Relative bool     `parquet:"relative"`
	Value    *float64 `parquet:"value,optional"`
	Error    *float64 `parquet:"standard_error,optional"`
}

// Files are the points with all that was measured there, a row a point as CSV, and a row a point and quantity as Parquet.
func (p *Plan) Files(r *Results) (points, columns []byte, err error) {
	var text, parts bytes.Buffer
	w := csv.NewWriter(&text)
	heads := []string{"point"}
	for _, f := range p.Design.Factors {
		heads = append(heads, f.Name)
	}
	for _, q := range r.Quantities {
		heads = append(heads, q.Name(), q.Name()+" standard error")
	}
	w.Write(heads) // an error is that of Flush
	number := func(x float64) string {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	there := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	var rows []resultRow
	for k, values := range p.Values {
		cells := []string{strconv.Itoa(k + 1)}
		for _, x := range values {
			cells = append(cells, number(x))
		}
		for n, q := range r.Quantities {
			x, se := r.Values[n][k], r.Errors[n][k]
			cells = append(cells, number(x), number(se))
			rows = append(rows, resultRow{int64(k + 1), q.Metric, int64(q.From), int64(q.To), q.Arm, q.With, q.Share, there(x), there(se)})
		}
		w.Write(cells)
	}
	if w.Flush(); w.Error() != nil {
		return nil, nil, w.Error()
	}
	out := parquet.NewGenericWriter[resultRow](&parts, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("econ-mcp", "", ""))
	if _, err := out.Write(rows); err != nil {
		return nil, nil, err
	}
	err = out.Close()
	return text.Bytes(), parts.Bytes(), err
}

// Measured are the points of a sweep with what was measured there, as [PointsFile] has them. Absent numbers are NaN.
type Measured struct {
	Points [][]float64 // the values of the factors, a row a point
	Values [][]float64 // of each quantity, by point
	Errors [][]float64 // the standard errors of the values
}

// ReadPoints reads a [PointsFile] of a design with so many factors.
func ReadPoints(text []byte, factors int) (m Measured, err error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return m, fault.New(fault.InvalidState, "sweep_name", "%s is broken: %v", PointsFile, err)
	}
	if len(rows) == 0 || len(rows[0]) < 1+factors {
		return m, fault.New(fault.InvalidState, "sweep_name", "%s is of another design", PointsFile)
	}
	quantities := (len(rows[0]) - 1 - factors) / 2
	m.Values, m.Errors = make([][]float64, quantities), make([][]float64, quantities)
	for k, row := range rows[1:] {
		numbers := make([]float64, len(row))
		for j, cell := range row {
			if numbers[j] = math.NaN(); cell == "" {
				continue
			}
			if numbers[j], err = strconv.ParseFloat(cell, 64); err != nil {
				return m, fault.New(fault.InvalidState, "sweep_name", "row %d of %s: %.40q is no number", k+1, PointsFile, cell)
			}
		}
		m.Points = append(m.Points, numbers[1:1+factors])
		for q := range quantities {
			m.Values[q] = append(m.Values[q], numbers[1+factors+2*q])
			m.Errors[q] = append(m.Errors[q], numbers[2+factors+2*q])
		}
	}
	return m, nil
}

package figures_test

import (
	"math"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
)

const design = `inquiry:
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_gdp, window: [1, 12]}]
  design: {months: 12, replications: 2}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  consumption_habit: {from: 0.5, to: 0.9}
`

func mustRead(t *testing.T, kind string) *sweep.Design {
	t.Helper()
	d, err := sweep.Read([]byte(design+kind), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Over divides points by two factors into cells, whose means, ranges and signs are those of the points in them. What has no number is in none.
func TestOver(t *testing.T) {
	d := mustRead(t, "design: {kind: factorial, levels: 2}\n")
	q := sweep.Quantity{Metric: "real_gdp", From: 1, To: 12, Arm: "vat", With: "control", Share: true}
	points := [][]float64{{.05, .5}, {.05, .9}, {.25, .5}, {.25, .5}, {.25, .9}}
	values := []float64{.01, .03, -.02, .04, math.NaN()}
	m, err := figures.Over(d, points, q, values, 0, 1)
	if err != nil || m.X.Cells() != 2 || m.Y.Cells() != 2 || m.X.Bins {
		t.Fatalf("%+v, %v", m, err)
	}
	if c := m.Cells[0][1]; c.Points != 2 || c.Positive != 1 || math.Abs(c.Mean-1) > 1e-12 || c.Least != -2 || c.Most != 4 {
		t.Errorf("%+v", c)
	}
	if c := m.Cells[1][1]; c.Points != 0 || !math.IsNaN(c.Mean) {
		t.Errorf("a cell without numbers: %+v", c)
	}
	if m, err = figures.Over(d, points, q, values, 1, figures.NoFactor); err != nil || len(m.Cells) != 1 || m.Cells[0][0].Points != 3 || m.Y.Cells() != 0 {
		t.Errorf("over one factor: %+v, %v", m, err)
	}
	if _, err := figures.Over(d, points, q, values, 1, 1); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a factor over itself: %v", err)
	}

	// One factor at a time: only the points at which no other one varies.
	d = mustRead(t, "design: {kind: one_at_a_time, levels: 2}\n")
	points = [][]float64{{.1, .7}, {.05, .7}, {.25, .7}, {.1, .5}, {.1, .9}}
	if m, err = figures.Over(d, points, q, []float64{1, 2, 3, 4, 5}, 1, figures.NoFactor); err != nil || m.X.Cells() != 3 || m.Cells[0][1].Mean != 100 {
		t.Errorf("alone: %+v, %v", m, err)
	}
	if _, err := figures.Over(d, points, q, values, 0, 1); fault.KindOf(err) != fault.Conflict {
		t.Errorf("two factors that do not vary together: %v", err)
	}
}

// Factors and quantities have the words of the figures.
func TestWordsOfPages(t *testing.T) {
	d := mustRead(t, "design: {kind: latin_hypercube, points: 8}\n")
	list := figures.Factors(d, nil, report.English)
	if f := list[0]; f.Label != "VAT (vat)" || f.By != 100 || f.Text(.125) != "12.5 %" || f.Low != .05 {
		t.Errorf("%+v", f)
	}
	q := sweep.Quantity{Metric: "unemployment_rate", From: 1, To: 12, Arm: "vat", With: "control"}
	if named := figures.Named(d, q, report.Chinese); named.By != 100 || named.Title != "失业率，第1至12个月，vat减对照组" {
		t.Errorf("%+v", named)
	}
}

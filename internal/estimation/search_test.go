package estimation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

// linear is a candidate whose moments are linear in two parameters, at x.
func linear(x []float64) (*candidate, *jacobian) {
	slope := [][]float64{{1, 0}, {1, 1}, {0, 2}}
	target := []float64{.3, .8, 1.2}
	c, j := &candidate{x: x}, &jacobian{slope: slope}
	for i, row := range slope {
		value := row[0]*x[0] + row[1]*x[1]
		c.moments = append(c.moments, Moment{Target: target[i], SD: 1, Weight: 1, Values: []float64{value, value}})
	}
	return c, j
}

// A step of least squares solves a linear problem: (A'A + pI) x = A'b + p x0, by hand.
func TestMove(t *testing.T) {
	search := func(prior float64) *Estimation {
		return &Estimation{Targets: &Targets{Prior: prior, Robust: 1e6}, first: []float64{.5, .5}}
	}
	near := func(got, want []float64) bool {
		return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	}
	// A'A = [2 1; 1 5], A'b = [1.1; 3.2]: x = (2.3, 5.3) / 9
	c, j := linear([]float64{.1, .9})
	if got := search(0).move(c, j, 0); !near(got, []float64{2.3 / 9, 5.3 / 9}) {
		t.Errorf("without a prior: %v", got)
	}
	// A'A + I = [3 1; 1 6], A'b + x0 = [1.6; 3.7]: x = (5.9, 9.5) / 17
	if got := search(1).move(c, j, 0); !near(got, []float64{5.9 / 17, 9.5 / 17}) {
		t.Errorf("with a prior: %v", got)
	}
	// A parameter that would leave its range stays at its end, and the other is solved for: the third and the second
	// moment ask for x1 = (-.3 + 2 * .2) / 5 where x0 = 1.
	c.moments[0].Target, c.moments[1].Target, c.moments[2].Target = 2, .7, .2
	if got := search(0).move(c, j, 0); !near(got, []float64{1, .02}) {
		t.Errorf("at an end: %v", got)
	}
}

func TestLoss(t *testing.T) {
	if got := loss(.01, 3); math.Abs(got-1e-4) > 1e-9 {
		t.Errorf("near 0: %g", got)
	}
	if got := loss(1e6, 3) - loss(1e6-1, 3); math.Abs(got-6) > 1e-5 {
		t.Errorf("slope far away: %g", got)
	}
	for _, d := range []float64{.5, 2, 8} { // the slope of the loss is that of the squared distance with its curvature
		slope := (loss(d+1e-6, 3) - loss(d-1e-6, 3)) / 2e-6
		if want := 2 * d * curvature(d, 3); math.Abs(slope-want) > 1e-5 {
			t.Errorf("at %g: %g, want %g", d, slope, want)
		}
	}
}

// Signals of noise are about 1, and J of statistics that are drawn as the bootstrap draws them is no surprise.
func TestChance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const moments, replications, draws = 200, 20, 499
	j := &jacobian{}
	r := &Result{}
	for range moments {
		rows, variance := designOf(3, nil), 0.
		y := make([]float64, len(rows))
		for run := range y {
			values := make([]float64, replications)
			for r := range values {
				values[r] = random.NormFloat64()
			}
			sd := stats.StdDev(values)
			y[run], variance = stats.Mean(values), variance+sd*sd/replications
		}
		noise := math.Sqrt(variance) / float64(len(rows))
		j.slope, j.noise = append(j.slope, slopes(rows, y, 3)), append(j.noise, []float64{noise, noise, noise})
		m := Moment{SD: 1, Weight: 1, Values: []float64{random.NormFloat64()}}
		for range draws {
			m.Draws = append(m.Draws, random.NormFloat64())
		}
		r.Moments = append(r.Moments, MomentFit{Moment: m})
	}
	if got := j.signal(0); !(got > .9 && got < 1.2) {
		t.Errorf("signal of noise: %g", got)
	}
	if r.overidentification(); !(r.JP > .01 && r.JP < .99) || r.JMoments != moments {
		t.Errorf("J = %g of %d, p = %g", r.J, r.JMoments, r.JP)
	}
	for i := range r.Moments {
		r.Moments[i].Values[0] *= 2
	}
	r.J, r.JMoments = 0, 0
	if r.overidentification(); r.JP > .01 {
		t.Errorf("far away: J = %g, p = %g", r.J, r.JP)
	}
}

// designOf is the design of so many parameters, without a run that broke.
func designOf(parameters int, broken func(run int) bool) (rows [][]float64) {
	for run := range designRuns(parameters) {
		if broken == nil || !broken(run) {
			rows = append(rows, designRow(run, parameters))
		}
	}
	return rows
}

// In a design each parameter is as often high as low, no two go together, and a linear model is found exactly, also
// where runs are missing.
func TestDesign(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 59, 62} {
		rows := designOf(n, nil)
		if len(rows) <= n || len(rows) > 2*n {
			t.Errorf("%d parameters have %d runs", n, len(rows))
		}
		for k := range n + 1 {
			for l := range k {
				sum := 0.
				for _, row := range rows {
					sum += row[k] * row[l]
				}
				if sum != 0 {
					t.Fatalf("%d parameters: columns %d and %d have %g in common", n, k, l, sum)
				}
			}
		}
	}
	rows := designOf(5, func(run int) bool { return run == 3 }) // seven of eight
	y := make([]float64, len(rows))
	for run, row := range rows {
		y[run] = 2 + 3*row[1] - row[4]
	}
	slope := slopes(rows, y, 5)
	for k, want := range []float64{3, 0, 0, -1, 0} {
		if math.Abs(slope[k]-want) > 1e-9 {
			t.Errorf("slope %d is %g, want %g", k+1, slope[k], want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, p := range []Parameter{{"a", .3, .9}, {"b", .001, 1}, {"c", -1, 1}} {
		for _, x := range []float64{0, .25, 1} {
			if got := p.Place(p.Value(x)); math.Abs(got-x) > 1e-12 {
				t.Errorf("%s: %g came back as %g", p.Name, x, got)
			}
		}
	}
	if got := (Parameter{"b", .001, 1}).Value(.5); math.Abs(got-math.Sqrt(.001)) > 1e-12 {
		t.Errorf("in logs: %g", got)
	}
}

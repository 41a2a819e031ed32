package bayes

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"econ-mcp/internal/stats"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.8g, want %.8g", what, got, want)
	}
}

// plane is an output that is linear in the parameters, known with a variance.
type plane struct {
	constant float64
	slope    []float64
	variance float64
}

func (p plane) At(x []float64) (mean, variance float64) {
	mean = p.constant
	for k, s := range p.slope {
		mean += s * x[k]
	}
	return mean, p.variance
}

// same is a variance that is the same everywhere.
type same float64

func (s same) At([]float64) float64 { return float64(s) }

// three targets of two parameters: far from the ends of the cube.
func linear() *Problem {
	return &Problem{
		Targets:   []Target{{Name: "a", Value: .5}, {Name: "b", Value: 1}, {Name: "c", Value: .1}},
		Emulators: []Emulator{plane{0, []float64{1, 0}, .001}, plane{0, []float64{1, 1}, 0}, plane{0, []float64{1, -1}, .0005}},
		Observation: mat.NewSymDense(3, []float64{
			.002, .0005, 0,
			.0005, .003, 0,
			0, 0, .002,
		}),
	}
}

// closed is the posterior of a linear problem with a flat prior: (Aᵀ Σ⁻¹ A)⁻¹, and that times Aᵀ Σ⁻¹ z.
func closed(p *Problem) (mean *mat.VecDense, covariance *mat.Dense) {
	a, s, z := mat.NewDense(3, 2, nil), mat.NewSymDense(3, nil), mat.NewVecDense(3, nil)
	s.CopySym(p.Observation)
	for i := range 3 {
		e := p.Emulators[i].(plane)
		a.SetRow(i, e.slope)
		s.SetSym(i, i, s.At(i, i)+e.variance+p.Targets[i].Discrepancy*p.Targets[i].Discrepancy)
		z.SetVec(i, p.Targets[i].Value)
	}
	var inverse, left, precision mat.Dense
	if inverse.Inverse(s) != nil {
		panic("singular")
	}
	left.Mul(a.T(), &inverse)
	precision.Mul(&left, a)
	covariance = new(mat.Dense)
	if covariance.Inverse(&precision) != nil {
		panic("singular")
	}
	mean = new(mat.VecDense)
	var score mat.VecDense
	score.MulVec(&left, z)
	mean.MulVec(covariance, &score)
	return mean, covariance
}

// The posterior of a linear problem is the normal distribution that algebra gives.
func TestLinearPosterior(t *testing.T) {
	p := linear()
	p.Targets[2].Discrepancy = .02
	mean, covariance := closed(p)
	c, err := Sample(t.Context(), 2, p.LogLikelihood, Settings{Draws: 4000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Converged() || c.Accepted < .15 || c.Accepted > .5 {
		t.Errorf("converged %v, R-hat %v, bulk %v, tail %v, accepted %g", c.Converged(), c.RHat, c.Bulk, c.Tail, c.Accepted)
	}
	var x [2][]float64
	for _, draw := range c.All() {
		x[0], x[1] = append(x[0], draw[0]), append(x[1], draw[1])
	}
	for k := range 2 {
		sd := math.Sqrt(covariance.At(k, k))
		slices.Sort(x[k])
		near(t, "mean", stats.Mean(x[k]), mean.AtVec(k), .05*sd)
		near(t, "sd", stats.StdDev(x[k]), sd, .04*sd)
		for _, q := range []float64{.05, .25, .75, .95} {
			near(t, "percentile", stats.Quantile(x[k], q), mean.AtVec(k)+sd*distuv.UnitNormal.Quantile(q), .08*sd)
		}
	}
	both, all := 0., c.All()
	for _, draw := range all {
		both += (draw[0] - mean.AtVec(0)) * (draw[1] - mean.AtVec(1)) / float64(len(all))
	}
	near(t, "covariance", both, covariance.At(0, 1), .1*math.Sqrt(covariance.At(0, 0)*covariance.At(1, 1)))
}

// Threads change nothing, and a cancelled context ends it.
func TestThreads(t *testing.T) {
	p := linear()
	one, err := Sample(t.Context(), 2, p.LogLikelihood, Settings{Draws: 100, Seed: 3, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	many, err := Sample(t.Context(), 2, p.LogLikelihood, Settings{Draws: 100, Seed: 3, Threads: 5})
	if err != nil || !reflect.DeepEqual(one, many) {
		t.Errorf("other draws with other threads: %v", err)
	}
	a, err := p.Survey(Rule{Cutoff, 1}, 2, 7, 1)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := p.Survey(Rule{Cutoff, 1}, 2, 7, 4); err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("another survey with other threads: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sample(ctx, 2, p.LogLikelihood, Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Two hills far apart get the shares that they have: chains jump between them.
func TestTwoHills(t *testing.T) {
	hill := func(x []float64, a, b, sd float64) float64 {
		return math.Exp(-((x[0]-a)*(x[0]-a) + (x[1]-b)*(x[1]-b)) / (2 * sd * sd))
	}
	c, err := Sample(t.Context(), 2, func(x []float64) float64 {
		return math.Log(hill(x, .2, .2, .03) + hill(x, .8, .7, .06)) // masses 1 to 4
	}, Settings{Draws: 3000, Every: 40, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	low, all := 0., c.All()
	for _, draw := range all {
		if draw[0] < .5 {
			low += 1 / float64(len(all))
		}
	}
	near(t, "share of the narrow hill", low, .2, .05)
	if c.RHat[0] > 1.05 {
		t.Errorf("R-hat %v", c.RHat)
	}
}

// Where data say nothing the posterior is the prior, up to the ends of the cube.
func TestFlat(t *testing.T) {
	c, err := Sample(t.Context(), 3, func([]float64) float64 { return 0 }, Settings{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		var x []float64
		for _, draw := range c.All() {
			x = append(x, draw[k])
		}
		slices.Sort(x)
		for _, q := range []float64{.02, .5, .98} {
			near(t, "percentile", stats.Quantile(x, q), q, .03)
		}
	}
}

// What is ruled out is where the implausibility says so: a strip of known width.
func TestSurvey(t *testing.T) {
	p := &Problem{
		Targets: []Target{{Name: "a", Value: .5}}, Emulators: []Emulator{plane{0, []float64{1, 0}, .0003}},
		Observation: mat.NewSymDense(1, []float64{.0001}),
	}
	s, err := p.Survey(Rule{Cutoff, 1}, 2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share", s.Share, 2*3*.02, .003)
	near(t, "alone", s.Alone[0], s.Share, 1e-9)
	// A region of 3.6e-5 of the cube is found by levels.
	p = &Problem{
		Targets:     []Target{{Name: "a", Value: .3}, {Name: "b", Value: .6}},
		Emulators:   []Emulator{plane{0, []float64{1, 0}, 0}, plane{0, []float64{0, 1}, 0}},
		Observation: mat.NewSymDense(2, []float64{1e-6, 0, 0, 1e-6}),
	}
	if s, err = p.Survey(Rule{Cutoff, 1}, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	if ratio := s.Share / 3.6e-5; ratio < .6 || ratio > 1.6 || len(s.Survivors) < enough {
		t.Errorf("share %g of 3.6e-5, %d survivors", s.Share, len(s.Survivors))
	}
	for _, x := range s.Survivors {
		if math.Abs(x[0]-.3) > .003 || math.Abs(x[1]-.6) > .003 {
			t.Fatalf("%v survived", x)
		}
	}
}

// A target that no parameters reach leaves nothing, and is named; two that only contradict each other rule out nothing alone.
func TestEmptySurvey(t *testing.T) {
	p := linear()
	p.Targets = append(p.Targets, Target{Name: "d", Value: 9})
	p.Emulators = append(p.Emulators, plane{0, []float64{0, 1}, 0})
	observation := mat.NewSymDense(4, nil)
	for i := range 3 {
		for j := range i + 1 {
			observation.SetSym(i, j, p.Observation.At(i, j))
		}
	}
	observation.SetSym(3, 3, .01)
	p.Observation = observation
	s, err := p.Survey(Rule{Cutoff, 1}, 2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Empty() || s.Share != 0 || !slices.Equal(s.Impossible(Cutoff), []int{3}) {
		t.Errorf("share %g, impossible %v", s.Share, s.Impossible(Cutoff))
	}
	near(t, "least implausibility", s.Least[3], 80, 1)
	if s, err = p.Survey(Rule{Cutoff, 2}, 2, 1, 0); err != nil || s.Empty() {
		t.Errorf("the second largest: empty %v, %v", s.Empty(), err)
	}
	p = linear()
	p.Targets[1].Value = 1.9 // a asks for .5 and c for .4, so that b is .9
	if s, err = p.Survey(Rule{Cutoff, 1}, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	if !s.Empty() || len(s.Impossible(Cutoff)) != 0 || s.Closest < Cutoff {
		t.Errorf("contradiction: share %g, impossible %v, closest %g", s.Share, s.Impossible(Cutoff), s.Closest)
	}
}

// A target that the rule forgives is looked for by itself before it is called impossible: here it is met in a corner of 10^-5 of the
// cube, which no survivor of the others leads to.
func TestForgivenTarget(t *testing.T) {
	corner := func(x []float64) float64 { return max(0, x[0]-.99) + max(0, x[1]-.99) + max(0, x[2]-.99) }
	p := &Problem{
		Targets: []Target{{Name: "corner", Value: .027}, {Name: "b", Value: .5}},
		Emulators: []Emulator{
			bent{corner, func(x []float64) float64 { return .001 * (x[0] + x[1] + x[2]) }}, plane{0, []float64{1, 0, 0}, .01},
		},
		Observation: mat.NewSymDense(2, []float64{1e-8, 0, 0, 1e-4}),
	}
	s, err := p.Survey(Rule{Cutoff, 2}, 3, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.Empty() || len(s.Impossible(Cutoff)) != 0 {
		t.Errorf("empty %v, impossible %v, least %v", s.Empty(), s.Impossible(Cutoff), s.Least)
	}
}

// bent is an output that is the sum of two functions, known exactly.
type bent struct{ a, b func(x []float64) float64 }

func (e bent) At(x []float64) (mean, variance float64) { return e.a(x) + e.b(x), 0 }

// Many dimensions take no longer to begin: steps are thrown back at the faces of the cube.
func TestManyDimensions(t *testing.T) {
	const d = 40
	c, err := Sample(t.Context(), d, func([]float64) float64 { return 0 }, Settings{Chains: 2, Draws: 20, Every: 1, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range c.All() {
		if len(x) != d || !inCube(x) {
			t.Fatalf("draw %v", x)
		}
	}
	if got := reflected([]float64{-.25, .5, 1.25, 2.5, -1.25}); !slices.Equal(got, []float64{.25, .5, .75, .5, .75}) {
		t.Errorf("reflected %v", got)
	}
}

// A bound objects to one side alone.
func TestSides(t *testing.T) {
	for _, test := range []struct {
		side        Side
		value, want float64
	}{{Both, .4, -.1}, {Below, .4, -.1}, {Below, .6, 0}, {Above, .4, 0}, {Above, .6, .1}} {
		target := Target{Value: .5, Side: test.side}
		near(t, "off", target.off(test.value), test.want, 1e-12)
	}
}

// Errors of emulators that go together make what they have in common less telling: by hand, two outputs with variance 1 each and a
// correlation of 1/2, off by 1 both, have the density -log(3/4)/2 - 2/3.
func TestNoise(t *testing.T) {
	p := &Problem{
		Targets: []Target{{Value: 1}, {Value: 1}}, Emulators: []Emulator{plane{0, []float64{0}, 1}, plane{0, []float64{0}, 1}},
		Observation: mat.NewSymDense(2, nil), Noise: mat.NewSymDense(2, []float64{1, .5, .5, 1}),
	}
	near(t, "log density", p.LogLikelihood([]float64{0}), -.5*math.Log(.75)-2./3, 1e-12)
	// The same chance once more, in the data: twice the covariance.
	p.Chance = []Variance{same(1), same(1)}
	near(t, "log density", p.LogLikelihood([]float64{0}), -.5*math.Log(3)-1./3, 1e-12)
	near(t, "implausibility", p.Implausibility([]float64{0})[0], 1/math.Sqrt2, 1e-12)
	// With 4 degrees of freedom: squares of 2/3 become 5 log(1 + 1/6).
	p.Freedom = 4
	near(t, "log density", p.LogLikelihood([]float64{0}), -.5*math.Log(3)-2.5*math.Log(7./6), 1e-12)
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	p.Emulators = p.Emulators[:1]
	if p.Check() == nil {
		t.Error("an emulator is missing: no error")
	}
}

// R 4.2, posterior 1.4.0: rhat, ess_bulk and ess_tail of four chains of 500, made by the loops below.
func TestDiagnostics(t *testing.T) {
	u := func(i, c int) float64 {
		v := math.Sin(float64(i)*12.9898+float64(c)*78.233) * 43758.5453
		return v - math.Floor(v)
	}
	x, y := make([][]float64, 4), make([][]float64, 4)
	for c := range x {
		a := 0.
		for i := 1; i <= 500; i++ {
			a = .7*a + distuv.UnitNormal.Quantile(.5*u(i, c+1)+.25)
			if c == 3 {
				a += .1
			}
			x[c] = append(x[c], a)
			y[c] = append(y[c], .8*float64(1-2*(i%2))+u(i, c+10))
		}
	}
	for _, test := range []struct {
		chains          [][]float64
		rhat, bulk, low float64
	}{{x, 1.03644832614, 188.303448164, 502.065595538}, {y, 1.00011729011, 5437.25249045, 2035.7260399}} {
		near(t, "R-hat", RHat(test.chains), test.rhat, 1e-6)
		near(t, "bulk", ESS(test.chains), test.bulk, 1e-4*test.bulk)
		near(t, "tail", TailESS(test.chains), test.low, 1e-4*test.low)
	}
}

// Chance correlations of few draws are shrunk, real ones of many draws are not; what is not there counts as the mean.
func TestShrunk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	draws := func(n int, common float64) (rows [][]float64) {
		for range n {
			a := random.NormFloat64()
			row := make([]float64, 8)
			for k := range row {
				row[k] = common*a + math.Sqrt(1-common*common)*random.NormFloat64()
			}
			rows = append(rows, row)
		}
		return rows
	}
	if _, by := Shrunk(draws(12, 0)); by < .5 {
		t.Errorf("independent: shrunk by %g", by)
	}
	rows := draws(2000, .8)
	c, by := Shrunk(rows)
	if by > .02 {
		t.Errorf("correlated: shrunk by %g", by)
	}
	near(t, "covariance", c.At(0, 5), .64, .05)
	near(t, "variance", c.At(3, 3), 1, .1)
	rows[0][3] = math.NaN()
	if c, _ := Shrunk(rows); math.IsNaN(mat.Sum(c)) {
		t.Error("a draw that is not there spoils the covariance")
	}
}

// Points are spread: each new one is far from all.
func TestSpread(t *testing.T) {
	candidates := [][]float64{{.1}, {.2}, {.5}, {.9}, {1}}
	if got := Spread(candidates, [][]float64{{0}}, 3); !slices.EqualFunc(got, [][]float64{{1}, {.5}, {.2}}, slices.Equal) {
		t.Errorf("chosen %v", got)
	}
	if got := Spread(candidates[:2], candidates[:1], 5); len(got) != 1 {
		t.Errorf("chosen %v", got)
	}
}

package emulator

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The data of the outside values, and what they are conditioned on.
func reference() (Data, Parameters) {
	d := Data{}
	for i := range 12 {
		a, b := (float64(i*7%12)+.5)/12, (float64((i*5+3)%12)+.5)/12
		d.X = append(d.X, []float64{a, b})
		d.Y = append(d.Y, math.Sin(4*a)+b*b)
		d.Noise = append(d.Noise, .01+.002*float64(i))
	}
	return d, Parameters{Lengths: []float64{.5, .8}, Variance: 1.5, Nugget: .003}
}

var asked = [][]float64{{.3, .4}, {.9, .1}, {0, 1}}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func mustGiven(tb testing.TB, k Kernel, trend Trend) *GP {
	tb.Helper()
	d, p := reference()
	g, err := Given(d, k, trend, p)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// scikit-learn 1.2.1: GaussianProcessRegressor(ConstantKernel(1.5) * Matern([.5, .8], nu=2.5), alpha=noise + .003, optimizer=None),
// and the same with RBF; predict(return_std=True), std**2 + .003; log_marginal_likelihood_value_.
func TestAgainstScikitLearn(t *testing.T) {
	for _, test := range []struct {
		kernel         Kernel
		mean, variance []float64
		likelihood     float64
	}{
		{Matern52, []float64{1.1480213546614957, -0.3555287604305408, 0.9631560202241566},
			[]float64{0.15612559088742317, 0.25888891677055426, 0.5338459128809439}, -2.795606609396648},
		{SquaredExponential, []float64{1.1640083778381667, -0.3015518165789998, 0.9990176336148722},
			[]float64{0.056705769574598386, 0.13583140125698023, 0.2660689433839901}, -1.87249499253371},
	} {
		g := mustGiven(t, test.kernel, None)
		for i, x := range asked {
			mean, variance := g.At(x)
			near(t, "mean", mean, test.mean[i], 1e-8)
			near(t, "variance", variance, test.variance[i], 1e-8)
		}
		near(t, "likelihood", g.LogLikelihood, test.likelihood, 1e-7)
	}
}

// Universal kriging with a linear trend, its restricted likelihood, and leaving each point out in turn, by NumPy 1.24.2 and
// SciPy 1.10.1 from the formulas of Rasmussen and Williams (2006), section 2.7.
func TestUniversalKriging(t *testing.T) {
	g := mustGiven(t, Matern52, Linear)
	for i, x := range asked {
		mean, variance := g.At(x)
		near(t, "mean", mean, []float64{1.108739070888593, -0.5763274010084872, 1.4833642837704861}[i], 1e-8)
		near(t, "variance", variance, []float64{0.1657212579108414, 0.3223678065933541, 0.7517542099058501}[i], 1e-8)
	}
	near(t, "likelihood", g.LogLikelihood, 1.3457911730918966, 1e-7)
	for i, want := range []float64{
		-0.8421489252344764, -0.02042040263924888, 0.09196128440001584, 0.0019434929914101092, 0.3035651382589771, -0.2782724262550898,
		-0.0053695802760953945, 0.09037532465737848, -0.003142291633141123, 0.5172836701765997, -0.02842314238960935, 0.03739841767484548,
	} {
		near(t, "left out", g.Check().Residuals[i], want, 1e-7)
	}
}

// The gradient of the search is that of its value.
func TestGradient(t *testing.T) {
	d, _ := reference()
	for _, kernel := range []Kernel{Matern52, SquaredExponential} {
		for _, trend := range []Trend{Linear, Constant, None} {
			f := &fit{data: d, Settings: Settings{Kernel: kernel, Trend: trend}, loose: 1, usual: make([]float64, 4), spread: []float64{1, 2, 1, 3}}
			at, gradient := []float64{-.5, .2, .4, -3}, make([]float64, 4)
			f.value(at, gradient)
			for k := range at {
				const h = 1e-5
				up, down := slices.Clone(at), slices.Clone(at)
				up[k], down[k] = up[k]+h, down[k]-h
				near(t, "gradient", gradient[k], (f.value(up, nil)-f.value(down, nil))/(2*h), 1e-6)
			}
		}
	}
}

// With next to no penalty the search ends where scikit-learn's does with 30 restarts: ConstantKernel * Matern(nu=2.5), the same
// noise, log marginal likelihood -1.538636033961085 at lengths of 0.571 and 2.07 and a variance of 1.28².
func TestFitFindsTheOptimum(t *testing.T) {
	d, _ := reference()
	g, err := Fit(d, Settings{Trend: None, Loose: 1e6, Starts: 8})
	if err != nil {
		t.Fatal(err)
	}
	if g.LogLikelihood < -1.538636033961085-1e-3 {
		t.Errorf("likelihood %g at %+v", g.LogLikelihood, g.Parameters)
	}
	near(t, "length", g.Lengths[0], .571, .02)
	near(t, "length", g.Lengths[1], 2.07, .05)
}

// noisy is a function seen through chance at random points.
func noisy(n int, random *rand.Rand, f func(x []float64) float64, sd float64) Data {
	d := Data{}
	for range n {
		x := []float64{random.Float64(), random.Float64(), random.Float64()}
		d.X = append(d.X, x)
		d.Y = append(d.Y, f(x)+sd*random.NormFloat64())
		d.Noise = append(d.Noise, sd*sd)
	}
	return d
}

func curved(x []float64) float64 { return math.Sin(3*x[0]) + x[1]*x[1] + .5*x[0]*x[1] }

// Intervals at points that were not simulated cover the truth as often as they say, and the emulator says that it holds.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	inside, of, bad := 0, 0, 0
	for range 20 {
		g, err := Fit(noisy(40, random, curved, .1), Settings{})
		if err != nil {
			t.Fatal(err)
		}
		c := g.Check()
		if c.Bad {
			bad++
		}
		if c.Explained < .8 {
			t.Errorf("explained %g", c.Explained)
		}
		if g.Lengths[2] < g.Lengths[0] {
			t.Errorf("a dimension that does nothing has length %g, one that matters %g", g.Lengths[2], g.Lengths[0])
		}
		for range 100 {
			x := []float64{random.Float64(), random.Float64(), random.Float64()}
			mean, variance := g.At(x)
			if of++; math.Abs(mean-curved(x)) < within95*math.Sqrt(variance) {
				inside++
			}
		}
	}
	if share := float64(inside) / float64(of); share < .9 || share > .995 || bad > 1 {
		t.Errorf("95 %% intervals cover %g; %d of 20 called bad", share, bad)
	}
}

// An output whose chance is said to be a tenth of what it is has an emulator that says it does not hold, if no nugget may help it.
func TestBadEmulatorSaysSo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	d := noisy(60, random, curved, .5)
	for i := range d.Noise {
		d.Noise[i] = .0025
	}
	g, err := Given(d, Matern52, Linear, Parameters{Lengths: []float64{1, 1, 1}, Variance: .01, Nugget: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	c := g.Check()
	if !c.Bad || c.RMS < 2 || c.Coverage > .7 {
		t.Errorf("rms %g, coverage %g, bad %v", c.RMS, c.Coverage, c.Bad)
	}
	_, before := g.At(d.X[0])
	g.Inflate(c.RMS * c.RMS)
	if _, after := g.At(d.X[0]); math.Abs(after/before-c.RMS*c.RMS) > 1e-9 {
		t.Errorf("variance %g before, %g after", before, after)
	}
	near(t, "rms of what is inflated", g.Check().RMS, 1, 1e-9)
	g.Inflate(1)
	g.Inflate(c.Widening)
	if after := g.Check(); c.Widening < c.RMS*c.RMS || after.Coverage < .95 || after.RMS > 1 {
		t.Errorf("widened by %g: coverage %g, rms %g", c.Widening, after.Coverage, after.RMS)
	}
}

// A linear output is known exactly, and one that is the same everywhere too.
func TestSimpleOutputs(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for _, f := range []func(x []float64) float64{
		func(x []float64) float64 { return 3 + 2*x[0] - x[1] },
		func([]float64) float64 { return 7 },
	} {
		g, err := Fit(noisy(20, random, f, 0), Settings{})
		if err != nil {
			t.Fatal(err)
		}
		mean, _ := g.At([]float64{.2, .9, .5})
		near(t, "mean", mean, f([]float64{.2, .9, .5}), 1e-3)
	}
}

// Log variances that are linear in the point come out, with three degrees of freedom each, and pooled where all are equal.
func TestVariances(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var x [][]float64
	var v, dof []float64
	for range 400 {
		at := []float64{random.Float64(), random.Float64()}
		chi := 0.
		for range 3 {
			z := random.NormFloat64()
			chi += z * z
		}
		x, v, dof = append(x, at), append(v, math.Exp(1+1.5*(at[0]-.5))*chi/3), append(dof, 3)
	}
	fitted, err := FitVariances(x, v, dof)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][]float64{{0, 0}, {.5, .5}, {1, 0}} {
		near(t, "log variance", math.Log(fitted.At(at)), 1+1.5*(at[0]-.5), .15)
	}
	same, err := FitVariances(x[:4], []float64{2, 2, 2, 2}, dof[:4])
	if err != nil {
		t.Fatal(err)
	}
	near(t, "variance that is the same", same.At([]float64{.1, .9}), 2, 1e-6)
	none, err := FitVariances(x[:2], []float64{0, 0}, dof[:2])
	if err != nil || none.At(x[0]) != 0 {
		t.Errorf("no variance: %v, %v", none, err)
	}
}

func TestWrongData(t *testing.T) {
	d, p := reference()
	for what, test := range map[string]Data{
		"no points": {}, "outputs": {X: d.X, Y: d.Y[:3]}, "variances": {X: d.X, Y: d.Y, Noise: d.Noise[:3]}, "few": {X: d.X[:4], Y: d.Y[:4]},
	} {
		if _, err := Fit(test, Settings{}); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	twice := Data{X: [][]float64{d.X[0], d.X[0], d.X[1], d.X[2]}, Y: d.Y[:4]}
	p.Nugget = 0
	if _, err := Given(Data{X: d.X, Y: d.Y}, Matern52, Linear, Parameters{Lengths: []float64{1}}); err == nil {
		t.Error("lengths that do not fit: no error")
	}
	if g, err := Given(twice, Matern52, Constant, p); err == nil && math.IsNaN(g.LogLikelihood) {
		t.Error("one point twice without noise: not a number")
	}
}

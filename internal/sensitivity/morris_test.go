package sensitivity_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/sensitivity"
)

// trajectories steps up from each start, one factor after the other, beginning with another one in each trajectory.
func trajectories(starts [][]float64, step float64) (points [][]float64) {
	for t, x := range starts {
		points = append(points, x)
		for k := range x {
			i := (k + t) % len(x)
			x = append([]float64(nil), x...)
			x[i] += step
			points = append(points, x)
		}
	}
	return points
}

func mustMorris(tb testing.TB, points [][]float64, outputs []float64, o sensitivity.Options) []sensitivity.Effect {
	tb.Helper()
	effects, err := sensitivity.Morris(points, outputs, o)
	if err != nil {
		tb.Fatal(err)
	}
	return effects
}

// NumPy 1.24.2 and SciPy 1.10.1, with a loop over trajectories of its own:
//
//	Q = qmc.Sobol(3, scramble=False).random(16)
//	for t in range(16):
//	    x = Q[t] * .6
//	    for k in range(3):
//	        i = (k+t) % 3; z = x.copy(); z[i] += .4; EE[t,i] = (ishigami(z) - ishigami(x)) / .4; x = z
//	EE.mean(0), abs(EE).mean(0), EE.std(0, ddof=1)
//	b = abs(EE[rng.integers(16, size=(1000000, 16))]).mean(1); np.quantile(b, [.025, .975], axis=0)
func TestMorrisIshigami(t *testing.T) {
	starts := sobolPoints(0, 16, 3)
	for _, x := range starts {
		for i := range x {
			x[i] *= .6
		}
	}
	points := trajectories(starts, .4)
	effects := mustMorris(t, points, evaluate(ishigami, points), sensitivity.Options{Resamples: 4000})
	for i, e := range effects {
		near(t, "μ", e.Mean, []float64{3.42805512, .37788133, 2.32752427}[i], 1e-8)
		near(t, "μ*", e.MeanAbs.Value, []float64{5.56863696, 6.00228345, 4.77174894}[i], 1e-8)
		near(t, "σ", e.StdDev, []float64{6.51037335, 7.04945611, 7.02268308}[i], 1e-8)
		near(t, "low", e.MeanAbs.Low, []float64{3.49179972, 4.37723544, 2.3121291}[i], .15)
		near(t, "high", e.MeanAbs.High, []float64{7.90734352, 7.57709777, 7.53982213}[i], .15)
	}
}

// The same loop with the G function of the first four coefficients, from all 16 corners of the levels 0 and 1/3 by 2/3.
func TestMorrisGFunction(t *testing.T) {
	var starts [][]float64
	for corner := range 16 {
		var x []float64
		for k := range 4 {
			x = append(x, float64(corner>>k&1)/3)
		}
		starts = append(starts, x)
	}
	points := trajectories(starts, 2./3)
	g := func(u []float64) float64 {
		y := 1.
		for i, x := range u {
			y *= (math.Abs(4*x-2) + gA[i]) / (1 + gA[i])
		}
		return y
	}
	effects := mustMorris(t, points, evaluate(g, points), sensitivity.Options{})
	for i, e := range effects {
		near(t, "μ", e.Mean, []float64{-.365319865, .365319865, 0, 0}[i], 1e-9)
		near(t, "μ*", e.MeanAbs.Value, []float64{2.19191919, 1.0959596, .54276094, .17676768}[i], 1e-8)
		near(t, "σ", e.StdDev, []float64{2.34636889, 1.26310318, .68457088, .21217999}[i], 1e-8)
		if e.MeanAbs.Low >= e.MeanAbs.Value || e.MeanAbs.High <= e.MeanAbs.Value {
			t.Errorf("interval %v", e.MeanAbs)
		}
	}
}

// By hand: a plane has its slopes for effects everywhere, whichever way the steps go.
func TestMorrisPlane(t *testing.T) {
	var points [][]float64
	for i, p := range trajectories(uniform(6, 3, random(1)), .5) {
		for k := range p {
			if p[k] /= 1.5; i/4%2 == 1 { // half of them step down
				p[k] = 1 - p[k]
			}
		}
		points = append(points, p)
	}
	plane := func(x []float64) float64 { return 100 + 3*x[0] - 2*x[1] }
	for i, e := range mustMorris(t, points, evaluate(plane, points), sensitivity.Options{}) {
		slope := []float64{3, -2, 0}[i]
		size := math.Abs(slope)
		near(t, "μ", e.Mean, slope, 1e-12)
		near(t, "σ", e.StdDev, 0, 1e-12)
		for _, got := range []float64{e.MeanAbs.Value, e.MeanAbs.Low, e.MeanAbs.High} {
			near(t, "μ*", got, size, 1e-12)
		}
	}
}

func TestMorrisErrors(t *testing.T) {
	good := [][]float64{{0, 0}, {.5, 0}, {.5, .5}, {1, 1}, {1, .5}, {.5, .5}}
	y := []float64{1, 2, 3, 4, 5, 6}
	with := func(row int, p ...float64) [][]float64 {
		list := append([][]float64(nil), good...)
		list[row] = p
		return list
	}
	for _, c := range []struct {
		points  [][]float64
		outputs []float64
		want    string
	}{
		{good, y[:5], "5 outputs for 6 points"},
		{good[:5], y[:5], "5 points of 2 factors; expected at least 2 trajectories of 3 points"},
		{good[:3], y[:3], "3 points of 2 factors; expected at least 2 trajectories"},
		{nil, nil, "no points"},
		{with(1, .5), y, "points[1] has 1 coordinates; expected 2"},
		{with(1, .5, nan), y, "points[1][1] is NaN"},
		{with(5, 5, .5), y, "points[5][0] is 5; expected points of the unit cube"},
		{with(4, .5, .5), y, "from points[3] to points[4] factors 0 and 1 change"},
		{with(4, 1, 1), y, "from points[3] to points[4] no factor changes"},
		{with(5, 1, .25), y, "points[5] changes factor 1 again"},
		{good, []float64{1, 2, nan, 4, 5, 6}, "outputs[2] is NaN"},
		{good, []float64{2, 2, 2, 2, 2, 2}, "all 6 outputs are 2"},
	} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			if _, err := sensitivity.Morris(c.points, c.outputs, sensitivity.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, err := sensitivity.Morris(good, y, sensitivity.Options{Confidence: 2}); err == nil {
		t.Error("no error for a confidence of 2")
	}
}

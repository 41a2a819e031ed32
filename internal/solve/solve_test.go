package solve_test

import (
	"math"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/solve"
)

func TestRoot(t *testing.T) {
	for name, c := range map[string]struct {
		f     func(x float64) float64
		s     solve.Search
		want  float64 // NaN = it is refused
		kind  fault.Kind
		calls int
	}{
		"in proportion": {f: func(x float64) float64 { return 3 * x }, s: solve.Search{Start: 5, Low: .001, High: 1e6, Target: 600}, want: 200,
			calls: 2},
		"met at once": {f: func(x float64) float64 { return 3 * x }, s: solve.Search{Start: 5, Low: .001, High: 1e6, Target: 15.1}, want: 5,
			calls: 1},
		"with feedback": {f: func(x float64) float64 { return 100 * math.Pow(x, .7) }, s: solve.Search{Start: 1, Low: .001, High: 1e6,
			Target: 2000}, want: math.Pow(20, 1/.7), calls: 8},
		"negative": {f: func(x float64) float64 { return -4*x - x*x }, s: solve.Search{Start: 1, Low: .001, High: 100, Target: -60},
			want: 6, calls: 8},
		"with a base": {f: func(x float64) float64 { return 1000 * (.19 - x) }, s: solve.Search{Start: .1, Low: 0, High: .6, Target: 120},
			want: .07, calls: 8},
		"the other sign": {f: func(x float64) float64 { return 1000 * (.19 - x) }, s: solve.Search{Start: .3, Low: 0, High: .6, Target: 120},
			want: .07, calls: 8},
		"not that much": {f: func(x float64) float64 { return x }, s: solve.Search{Start: .1, Low: 0, High: 1, Target: 5}, want: math.NaN(),
			kind: fault.OutOfRange},
		"a jump": {
			f: func(x float64) float64 { return math.Round(x) }, s: solve.Search{Start: 10, Low: 1, High: 100, Target: 40.5}, want: math.NaN(),
			kind: fault.InvalidState,
		},
	} {
		calls := 0
		c.s.Tolerance, c.s.Most = .01, 12
		x, value, err := c.s.Root(func(x float64) (float64, error) { calls++; return c.f(x), nil })
		if math.IsNaN(c.want) {
			if fault.KindOf(err) != c.kind {
				t.Errorf("%s: %g after %d calls, %v", name, x, calls, err)
			}
			continue
		}
		if err != nil || math.Abs(value-c.s.Target) > .01*math.Abs(c.s.Target) || math.Abs(x-c.want) > .02*c.want || calls > c.calls ||
			value != c.f(x) {
			t.Errorf("%s: x %g, want %g, value %g, %d calls, %v", name, x, c.want, value, calls, err)
		}
	}
}

// dose has replications that scatter around a mean in a fixed pattern of standard deviation 1.
func dose(at, mean, scatter float64) solve.Dose {
	d := solve.Dose{At: at}
	for _, z := range []float64{-1.2, 1.1, -.3, .4, -.9, .9} {
		d.Y = append(d.Y, mean+scatter*z)
	}
	return d
}

func TestCross(t *testing.T) {
	line := func(slope, at, scatter float64) (list []solve.Dose) {
		for _, x := range []float64{.4, .5, .6, .7, .8} {
			list = append(list, dose(x, slope*(x-at), scatter))
		}
		return list
	}
	c := solve.Cross(line(-10, .63, .2), .95)
	// R 4.3: the mean interval is m ± qt(.975, 5) * sd / sqrt(6), sd(c(-1.2,1.1,-.3,.4,-.9,.9)) = 0.9507891
	half := 2.570582 * .2 * .9507891 / math.Sqrt(6) / 10
	if !c.Found || c.More != 0 || math.Abs(c.At-.63) > 1e-9 || math.Abs(c.Low-(.63-half)) > 1e-6 || math.Abs(c.High-(.63+half)) > 1e-6 {
		t.Errorf("%+v, want .63 ± %g", c, half)
	}
	if next, ok := solve.Next(line(-10, .63, .2)); !ok || next != .65 {
		t.Errorf("the next value is %g", next)
	}
	if c := solve.Cross(line(-10, .9, .2), .95); c.Found || !math.IsNaN(c.At) {
		t.Errorf("nothing is crossed: %+v", c)
	}
	// an effect that is hardly known has no bounds within the doses
	if c := solve.Cross(line(1, .63, 3), .95); !c.Found || !math.IsNaN(c.Low) || !math.IsNaN(c.High) {
		t.Errorf("%+v", c)
	}
	// a dose that meets the level exactly, and one that goes back
	list := []solve.Dose{dose(1, 2, 0), dose(2, 0, 0), dose(3, -1, 0), dose(4, 1, 0)}
	if c := solve.Cross(list, .95); !c.Found || c.At != 2 || c.More != 1 || math.Abs(c.Low-2) > 1e-9 || math.Abs(c.High-2) > 1e-9 {
		t.Errorf("%+v", c)
	}
	if list = solve.Insert(list, dose(2.5, 7, 0)); len(list) != 5 || list[2].At != 2.5 || list[4].At != 4 {
		t.Errorf("%v", list)
	}
}

func TestShape(t *testing.T) {
	for want, means := range map[solve.Shape][]float64{
		solve.Rising: {0, 1, 2, 3, 3}, solve.Falling: {0, -1, -2, -3, -5}, solve.NotMonotonic: {0, 2, 4, 2, 0},
	} {
		var list, vague []solve.Dose
		for i, m := range means {
			d := dose(float64(i), m, .3)
			d.Y[0] += .01 * float64(i*i) // or differences would not vary
			d.Y[i] += .1
			list = append(list, d)
			d = dose(float64(i), .01*m, 1)
			d.Y[i] += 5
			vague = append(vague, d)
		}
		if got := solve.ShapeOf(list, .95); got != want {
			t.Errorf("%v: %s, want %s", means, got, want)
		}
		if got := solve.ShapeOf(vague, .95); got != solve.Flat {
			t.Errorf("%v, hardly known: %s", means, got)
		}
	}
}

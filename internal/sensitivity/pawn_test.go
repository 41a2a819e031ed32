package sensitivity_test

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/sensitivity"
)

func mustPAWN(tb testing.TB, points [][]float64, outputs []float64, slices int, o sensitivity.Options) []sensitivity.Distance {
	tb.Helper()
	list, err := sensitivity.PAWN(points, outputs, slices, o)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// SciPy 1.10.1, P = qmc.Sobol(3, scramble=False).random(364)[64:], S slices:
//
//	r = np.argsort(x, kind='stable')
//	k = [ks_2samp(y[r[s*n//S:(s+1)*n//S]], y).statistic for s in range(S)]; np.median(k), max(k)
//
// and for the last, of few values, with k = [ks_2samp(y[x == v], y).statistic for v in range(4)].
func TestPAWNAgreesWithSciPy(t *testing.T) {
	points := sobolPoints(64, 300, 3)
	y := evaluate(ishigami, points)
	check := func(what string, got sensitivity.Distance, median, most float64) {
		t.Helper()
		near(t, what+", median", got.Median.Value, median, 1e-14)
		near(t, what+", maximum", got.Max.Value, most, 1e-14)
	}
	few := sensitivity.Options{Resamples: 20}
	r := mustPAWN(t, points, y, 0, few)
	check("x1", r[0], .275, .4)
	check("x2", r[1], .42166666666666663, .5133333333333333)
	check("x3", r[2], .16166666666666668, .30666666666666664)

	whole := make([]float64, len(y)) // many equal outputs
	for i, v := range y {
		whole[i] = math.Round(v)
	}
	r = mustPAWN(t, points, whole, 7, few)
	check("x1 of ties", r[0], .20728682170542637, .3511627906976744)
	check("x2 of ties", r[1], .31333333333333335, .4603875968992248)
	check("x3 of ties", r[2], .1372093023255814, .21224806201550386)

	levels := make([][]float64, len(points))
	for i, p := range points {
		levels[i] = []float64{math.Floor(4 * p[1])}
	}
	check("four levels", mustPAWN(t, levels, whole, 9, few)[0], .03333333333333333, .04)
}

// With enough points the ranks are x2 before x1 before x3, which has no first-order index and yet is not inert. The fourth factor is.
func TestPAWNIshigami(t *testing.T) {
	for seed := range uint64(3) {
		points := uniform(1500, 4, random(seed))
		r := mustPAWN(t, points, evaluate(ishigami, points), 10, sensitivity.Options{Resamples: 100, Seed: seed})
		for i, next := range []int{1, 0, 2, 3}[1:] {
			before := []int{1, 0, 2}[i]
			if r[before].Median.Value <= r[next].Median.Value || r[before].Max.Value <= r[next].Max.Value {
				t.Errorf("seed %d: factor %d %+v before %d %+v", seed, before, r[before], next, r[next])
			}
		}
		for i, d := range r {
			if above := i < 3; d.Median.AboveDummy != above || d.Max.AboveDummy != above {
				t.Errorf("seed %d, factor %d: above the dummy %v, %v", seed, i, d.Median.AboveDummy, d.Max.AboveDummy)
			}
		}
	}
}

// Nominal 95 % intervals cover the mean index of samples of this size, and inert factors are above 97.5 % of the dummy as often as
// this says.
func TestPAWNIntervalsCover(t *testing.T) {
	const n, seeds = 200, 60
	var list [][]sensitivity.Distance
	var mean [4][2]float64
	above := 0
	for seed := range uint64(seeds) {
		points := uniform(n, 4, random(seed))
		r := mustPAWN(t, points, evaluate(ishigami, points), 10, sensitivity.Options{Resamples: 100, Seed: seed})
		list = append(list, r)
		for i, d := range r {
			mean[i][0] += d.Median.Value / seeds
			mean[i][1] += d.Max.Value / seeds
		}
		if r[3].Median.AboveDummy {
			above++
		}
	}
	for i := range 4 {
		var hits [2]int
		for _, r := range list {
			for k, x := range []sensitivity.Index{r[i].Median, r[i].Max} {
				if covers(x.Estimate, mean[i][k]) {
					hits[k]++
				}
			}
		}
		if 100*min(hits[0], hits[1]) < 88*seeds {
			t.Errorf("factor %d: %v of %d intervals cover", i, hits, seeds)
		}
	}
	if above > 6 { // SciPy 1.10.1: binom.sf(6, 60, .035) = .005, with .025 and the scatter of 100 permutations
		t.Errorf("the inert factor is above the dummy in %d of %d", above, seeds)
	}
}

// A Saltelli design whose rows of a base point share their noise and most coordinates: permuting single rows finds inert factors in it.
func TestPAWNBlocks(t *testing.T) {
	const n, d, seeds = 60, 3, 20
	above := func(block int) (count int) {
		for seed := range uint64(seeds) {
			points, y := noisyBlocks(n, d, seed)
			for _, r := range mustPAWN(t, points, y, 5, sensitivity.Options{Resamples: 100, Seed: seed, Block: block}) {
				if r.Max.AboveDummy {
					count++
				}
			}
		}
		return count
	}
	if blocks, rows := above(d+2), above(1); blocks > 6 || rows < 20 {
		t.Errorf("inert factors above the dummy of %d: %d by blocks, %d by rows", seeds*d, blocks, rows)
	}
}

// noisyBlocks is a design of inert factors whose outputs are the noise of the base points.
func noisyBlocks(n, d int, seed uint64) (points [][]float64, outputs []float64) {
	source := random(seed)
	points = saltelli(uniform(n, 2*d, source), false)
	for range n {
		noise := source.NormFloat64()
		for range d + 2 {
			outputs = append(outputs, noise+.01*source.NormFloat64())
		}
	}
	return points, outputs
}

func TestPAWNErrors(t *testing.T) {
	points := uniform(20, 2, random(1))
	y := evaluate(func(x []float64) float64 { return x[0] }, points)
	same := make([][]float64, 20)
	for i, p := range points {
		same[i] = []float64{p[0], 7}
	}
	for _, c := range []struct {
		points  [][]float64
		outputs []float64
		slices  int
		o       sensitivity.Options
		want    string
	}{
		{points, y[1:], 5, sensitivity.Options{}, "19 outputs for 20 points"},
		{points, y, 1, sensitivity.Options{}, "1 slices of 20 points; expected at least 2 slices, with 2 points each"},
		{points, y, 11, sensitivity.Options{}, "11 slices of 20 points"},
		{points, y, 5, sensitivity.Options{Block: 3}, "20 rows in blocks of 3; expected at least 2 whole blocks"},
		{points, y, 5, sensitivity.Options{Block: 20}, "20 rows in blocks of 20"},
		{same, y, 5, sensitivity.Options{}, "factor 1 is 7 in all points"},
		{points, make([]float64, 20), 5, sensitivity.Options{}, "all 20 outputs are 0"},
		{points, append([]float64{nan}, y[1:]...), 5, sensitivity.Options{}, "outputs[0] is NaN"},
		{points, y, 5, sensitivity.Options{Resamples: 1}, "1 resamples"},
	} {
		if _, err := sensitivity.PAWN(c.points, c.outputs, c.slices, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

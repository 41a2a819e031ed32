package sensitivity_test

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/sensitivity"
)

func mustDelta(tb testing.TB, points [][]float64, outputs []float64, classes int, o sensitivity.Options) []sensitivity.Shift {
	tb.Helper()
	list, err := sensitivity.Delta(points, outputs, classes, o)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// SALib 1.5.1 with SciPy 1.10.1 and NumPy 1.24.2 (np.trapezoid = np.trapz), P = qmc.Sobol(3, scramble=False).random(364)[64:],
// Y of Ishigami's function at P:
//
//	SALib.analyze.delta.calc_delta(Y, np.linspace(Y.min(), Y.max(), 100), P[:, i], np.linspace(0, 300, M + 1))
//
// with M = 5, which is SALib's own, with M = 7, and with np.round(Y) and M = 7.
func TestDeltaAgreesWithSALib(t *testing.T) {
	points := sobolPoints(64, 300, 3)
	y := evaluate(ishigami, points)
	few := sensitivity.Options{Resamples: 2}
	for _, c := range []struct {
		what    string
		outputs []float64
		classes int
		want    []float64
	}{
		{"usual classes", y, 0, []float64{0.18401684929744744, 0.20672232382094108, 0.15488633846678945}},
		{"seven classes", y, 7, []float64{0.19258838420761668, 0.2551839317760674, 0.14905610022901628}},
		{"ties", rounded(y), 7, []float64{0.19300016029759892, 0.2524567332336316, 0.1512866579411199}},
	} {
		for i, s := range mustDelta(t, points, c.outputs, c.classes, few) {
			near(t, c.what, s.Raw, c.want[i], 1e-12)
		}
	}
}

// As above with 5000 points and M = 20: outputs are divided among places, whose distances are small against the bandwidths.
func TestDeltaOfManyAgreesWithSALib(t *testing.T) {
	points := sobolPoints(64, 5000, 3)
	for i, s := range mustDelta(t, points, evaluate(ishigami, points), 20, sensitivity.Options{Resamples: 2}) {
		near(t, "5000 points", s.Raw, []float64{.20959220929282762, .35025475812490564, .15838707602682517}[i], 1e-6)
	}
}

func rounded(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = math.Round(v)
	}
	return out
}

// SALib 1.5.1: delta.analyze of Ishigami's function at 20 samples numpy.random.RandomState(s).rand(1000, 4), s = 0 … 19, with a fourth
// factor that changes nothing: means .1945, .2572, .1542, .0657 and half-widths .0207, .0214, .0205, .0153, which scatter by .021, .024,
// .018 and .012 from sample to sample, so that means of 8 have standard errors of .009 at most. SALib draws δ̂ itself from a resample,
// which has the bias twice: ours is smaller, most of all of the factor that changes nothing, whose index is 0.
func TestDeltaIshigami(t *testing.T) {
	const seeds = 8
	mean, half, above := make([]float64, 4), make([]float64, 4), make([]int, 4)
	for seed := range uint64(seeds) {
		points := uniform(1000, 4, random(seed))
		for i, s := range mustDelta(t, points, evaluate(ishigami, points), 0, sensitivity.Options{Seed: seed}) {
			mean[i] += s.Delta.Value / seeds
			half[i] += (s.Delta.High - s.Delta.Low) / 2 / seeds
			if s.Delta.AboveDummy {
				above[i]++
			}
			if !covers(s.Delta.Estimate, s.Delta.Value) || !(s.Dummy.Low < s.Dummy.Value && s.Dummy.Value < s.Dummy.High) {
				t.Errorf("seed %d, factor %d: %+v", seed, i, s)
			}
		}
	}
	t.Logf("means %.4f, half-widths %.4f, above the dummy %v", mean, half, above)
	for i, want := range []float64{.1945, .2572, .1542} {
		near(t, "mean", mean[i], want, .03)
		near(t, "half-width", half[i], []float64{.0207, .0214, .0205}[i], .006)
		if above[i] != seeds {
			t.Errorf("factor %d is above the dummy in %d of %d", i, above[i], seeds)
		}
	}
	if mean[3] > .0657 || above[3] > 2 { // SciPy 1.10.1: binom.sf(2, 8, .035) = .002, as of PAWN
		t.Errorf("the inert factor has %.3f, above the dummy in %d of %d", mean[3], above[3], seeds)
	}
}

// Sums of normal factors have densities by formula: SciPy 1.10.1, integrate.quad over x of
// .5 * trapz(|norm.pdf(y, 0, √5) - norm.pdf(y, a x, b)|, y) * norm.pdf(x) is .160394 of X1 and .505497 of X2 in X1 + 2 X2. Where there
// are more points than kernels, their outputs are divided among places, which makes no difference that matters.
func TestDeltaOfNormals(t *testing.T) {
	source := random(5)
	var points [][]float64
	var y []float64
	for range 20000 {
		p := []float64{source.NormFloat64(), source.NormFloat64(), source.NormFloat64()}
		points, y = append(points, p), append(y, p[0]+2*p[1])
	}
	few := sensitivity.Options{Resamples: 10}
	list := mustDelta(t, points, y, 48, few)
	near(t, "X1", list[0].Delta.Value, .160394, .015)
	near(t, "X2", list[1].Delta.Value, .505497, .015)
	near(t, "X3, which is not in the sum", list[2].Delta.Value, 0, .04) // what one bootstrap leaves of the bias, which is .06 without
	if list[2].Delta.AboveDummy {
		t.Errorf("a factor that is not in the sum: %+v", list[2])
	}
}

func TestDeltaBlocks(t *testing.T) {
	const n, d, seeds = 60, 3, 10
	above := func(block int) (count int) {
		for seed := range uint64(seeds) {
			points, y := noisyBlocks(n, d, seed)
			for _, r := range mustDelta(t, points, y, 5, sensitivity.Options{Seed: seed, Block: block}) {
				if r.Delta.AboveDummy {
					count++
				}
			}
		}
		return count
	}
	if blocks, rows := above(d+2), above(1); blocks > 4 || rows < 10 {
		t.Errorf("inert factors above the dummy of %d: %d by blocks, %d by rows", seeds*d, blocks, rows)
	}
}

// Outputs that hardly ever differ, and classes in which none does, give indices, whatever they are worth.
func TestDeltaOfRareOutputs(t *testing.T) {
	points := uniform(200, 2, random(3))
	y := make([]float64, len(points))
	for i, p := range points {
		if p[0] > .9 {
			y[i] = 1
		}
	}
	for i, s := range mustDelta(t, points, y, 10, sensitivity.Options{}) {
		if d := s.Delta; !(0 <= d.Low && d.Low <= d.Value && d.Value <= d.High && d.High <= 1) {
			t.Errorf("factor %d: %+v", i, s)
		}
	}
}

// A class whose outputs differ by rounding alone is one of equal outputs: half of all are 3, the other half anything up to 1000.
func TestDeltaOfNearlyEqualOutputs(t *testing.T) {
	points := uniform(400, 2, random(4))
	equal, nearly := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		if p[0] > .5 {
			equal[i] = 1000 * p[1]
			nearly[i] = equal[i]
		} else {
			equal[i], nearly[i] = 3, 3+1e-10*p[1]
		}
	}
	few := sensitivity.Options{Resamples: 20}
	want := mustDelta(t, points, equal, 10, few)
	for i, s := range mustDelta(t, points, nearly, 10, few) {
		near(t, "raw", s.Raw, want[i].Raw, 1e-9)
		near(t, "delta", s.Delta.Value, want[i].Delta.Value, 1e-9)
		near(t, "dummy", s.Dummy.High, want[i].Dummy.High, 1e-9)
	}
}

// Of very many points some count, in whole blocks: also of a factorial design, whose first points have one value of the first factor only.
// The densities of the output are 1 on [0, 1] and, of a class, 1 where the other factor may take it: a factor that decides between two
// halves of the range has delta = 1/2.
func TestDeltaOfVeryManyPoints(t *testing.T) {
	const n = 60000
	source := random(6)
	points, y := make([][]float64, n), make([]float64, n)
	for i := range points {
		points[i] = []float64{float64(2 * i / n), source.Float64()}
		y[i] = (points[i][0] + points[i][1]) / 2
	}
	for _, block := range []int{1, 3} {
		list := mustDelta(t, points, y, 0, sensitivity.Options{Resamples: 4, Block: block})
		near(t, "the half", list[0].Delta.Value, .5, .05)
	}
}

func TestDeltaErrors(t *testing.T) {
	points := uniform(20, 2, random(1))
	y := evaluate(func(x []float64) float64 { return x[0] }, points)
	same := make([][]float64, 20)
	for i, p := range points {
		same[i] = []float64{p[0], 7}
	}
	for _, c := range []struct {
		points  [][]float64
		outputs []float64
		classes int
		o       sensitivity.Options
		want    string
	}{
		{points, y[1:], 5, sensitivity.Options{}, "19 outputs for 20 points"},
		{points, y, 11, sensitivity.Options{}, "11 slices of 20 points"},
		{points, y, 5, sensitivity.Options{Block: 3}, "20 rows in blocks of 3"},
		{same, y, 5, sensitivity.Options{}, "factor 1 is 7 in all points"},
		{points, make([]float64, 20), 5, sensitivity.Options{}, "all 20 outputs are 0"},
		{points, append([]float64{nan}, y[1:]...), 5, sensitivity.Options{}, "outputs[0] is NaN"},
		{points, y, 5, sensitivity.Options{Resamples: 1}, "1 resamples"},
	} {
		if _, err := sensitivity.Delta(c.points, c.outputs, c.classes, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

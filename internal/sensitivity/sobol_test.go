package sensitivity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"econ-mcp/internal/sensitivity"
)

func mustSobol(tb testing.TB, outputs []float64, n, d int, second bool, o sensitivity.Options) sensitivity.Indices {
	tb.Helper()
	r, err := sensitivity.Sobol(outputs, n, d, second, o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// SALib's own figures, on its own points. The first are those of its guide (SALib 1.4, "Basics": saltelli.sample(problem, 1024), which
// leaves out the first 1024 points of Sobol's sequence), the second those of an older one with 1000 points after 1000. The dummy is
// NumPy 1.24.2: np.cov(A, B, ddof=0)[0, 1] / np.var(np.r_[A, B]) of the outputs A and B at the same points.
func TestSobolAgreesWithSALib(t *testing.T) {
	for _, c := range []struct {
		n                    int
		first, total, second []float64
		digits, dummy        float64
	}{
		{
			1024, []float64{.316832, .443763, .012203}, []float64{.555860, .441898, .244675}, []float64{.0092542, .2381721, -.0048877},
			6e-7, -.009727916472,
		},
		{
			1000, []float64{.30797549, .44776661, -.00425452}, []float64{.56013728, .4387225, .24284474},
			[]float64{.012204615255328, .251525735173656, -.009953919522955}, 6e-9, -.008588817580,
		},
	} {
		points := saltelli(sobolPoints(c.n, c.n, 6), true)
		r := mustSobol(t, evaluate(ishigami, points), c.n, 3, true, sensitivity.Options{Resamples: 200})
		for i := range 3 {
			near(t, fmt.Sprint("S", i), r.First[i].Value, c.first[i], c.digits)
			near(t, fmt.Sprint("T", i), r.Total[i].Value, c.total[i], c.digits)
			near(t, fmt.Sprint("S", r.Second[i].I, r.Second[i].J), r.Second[i].Value, c.second[i], c.digits)
		}
		near(t, "dummy", r.DummyFirst.Value, c.dummy, 1e-11)
		for i, above := range []bool{true, true, false} {
			if r.First[i].AboveDummy != above || !r.Total[i].AboveDummy {
				t.Errorf("n = %d, factor %d: above the dummy %v and %v", c.n, i, r.First[i].AboveDummy, r.Total[i].AboveDummy)
			}
		}
		if p := r.Second; p[0].AboveDummy || !p[1].AboveDummy || p[2].AboveDummy {
			t.Errorf("n = %d: interactions above the dummy: %+v", c.n, p)
		}
	}
}

func TestSobolIshigami(t *testing.T) {
	near(t, "the S_1 of Ishigami and Homma", ishigamiFirst[0], .3139, 5e-5)
	near(t, "their S_2", ishigamiFirst[1], .4424, 5e-5)
	near(t, "their T_1", ishigamiTotal[0], .5576, 5e-5)
	near(t, "their T_3", ishigamiTotal[2], .2437, 5e-5)
	const n = 4096
	y := evaluate(ishigami, saltelli(sobolPoints(n, n, 6), true))
	r := mustSobol(t, y, n, 3, true, sensitivity.Options{Resamples: 50})
	for i := range 3 {
		near(t, "S", r.First[i].Value, ishigamiFirst[i], .004)
		near(t, "T", r.Total[i].Value, ishigamiTotal[i], .004)
		near(t, "S_ij", r.Second[i].Value, []float64{0, v13 / ishigamiV, 0}[i], .008)
	}
	// Without the rows of second order: the same first-order and total indices.
	first := mustSobol(t, evaluate(ishigami, saltelli(sobolPoints(n, n, 6), false)), n, 3, false, sensitivity.Options{Resamples: 50})
	for i := range 3 {
		near(t, "S without second", first.First[i].Value, r.First[i].Value, 1e-5) // the mean is of other rows
		near(t, "T without second", first.Total[i].Value, r.Total[i].Value, 1e-12)
	}
	if first.Second != nil {
		t.Errorf("second-order indices %v", first.Second)
	}
}

func TestSobolGFunction(t *testing.T) {
	first, total, second := gIndices()
	const n = 2000
	points := saltelli(uniform(n, 16, random(1)), true)
	r := mustSobol(t, evaluate(gFunction, points), n, 8, true, sensitivity.Options{Confidence: .999, Resamples: 500})
	missed := 0
	check := func(what string, e sensitivity.Estimate, want float64) {
		if !covers(e, want) {
			t.Logf("%s %v, want %g", what, e, want)
			missed++
		}
		if !(e.High-e.Low < .35) {
			t.Errorf("%s %v says little", what, e)
		}
	}
	for i := range gA {
		check(fmt.Sprint("S", i), r.First[i].Estimate, first[i])
		check(fmt.Sprint("T", i), r.Total[i].Estimate, total[i])
		near(t, fmt.Sprint("T", i), r.Total[i].Value, total[i], .15*total[i])
	}
	if len(r.Second) != 28 {
		t.Fatalf("%d pairs of 8 factors", len(r.Second))
	}
	for _, p := range r.Second {
		check(fmt.Sprint("S", p.I, p.J), p.Estimate, second(p.I, p.J))
	}
	if missed > 1 {
		t.Errorf("%d of 44 intervals of 99.9 %% miss", missed)
	}
	// Jansen's estimator finds total indices of 1e-4, far below the scatter of 1/√n.
	for i, x := range r.Total {
		if !x.AboveDummy {
			t.Errorf("factor %d with a total index of %g is not above the dummy", i, total[i])
		}
	}
}

// Nominal 95 % intervals cover analytic first-order and total indices about that often.
func TestSobolIntervalsCover(t *testing.T) {
	const n, seeds = 256, 120
	var first, total [3]int
	for seed := range uint64(seeds) {
		y := evaluate(ishigami, saltelli(uniform(n, 6, random(seed)), false))
		r := mustSobol(t, y, n, 3, false, sensitivity.Options{Resamples: 200, Seed: seed})
		for i := range 3 {
			if covers(r.First[i].Estimate, ishigamiFirst[i]) {
				first[i]++
			}
			if covers(r.Total[i].Estimate, ishigamiTotal[i]) {
				total[i]++
			}
		}
	}
	for i := range 3 {
		for _, hits := range []int{first[i], total[i]} {
			if 100*hits < 89*seeds || hits == seeds {
				t.Errorf("factor %d: first-order %d, total %d of %d intervals cover", i, first[i], total[i], seeds)
			}
		}
	}
}

func TestSobolLargeMean(t *testing.T) {
	y := evaluate(ishigami, saltelli(uniform(64, 6, random(1)), true))
	r := mustSobol(t, y, 64, 3, true, sensitivity.Options{Resamples: 20})
	far := make([]float64, len(y))
	for i, v := range y {
		far[i] = 1e8 + 3*v
	}
	s := mustSobol(t, far, 64, 3, true, sensitivity.Options{Resamples: 20})
	for i := range 3 {
		near(t, "S", s.First[i].Value, r.First[i].Value, 1e-7)
		near(t, "low of T", s.Total[i].Low, r.Total[i].Low, 1e-7)
		near(t, "S_ij", s.Second[i].Value, r.Second[i].Value, 1e-7)
	}
}

// A factor that does nothing has a total index of 0, or of Noise / V where each run has noise of its own (a variance of 1 here, against
// one of 1 from the other factor).
func TestSobolDummyTotal(t *testing.T) {
	const n, seeds = 128, 60
	wrong, blind, dummy := 0, 0, 0.0
	for seed := range uint64(seeds) {
		source := random(seed)
		y := evaluate(func(x []float64) float64 { return math.Sqrt(12) * x[0] }, saltelli(uniform(n, 4, source), false))
		if seed == 0 {
			quiet := mustSobol(t, y, n, 2, false, sensitivity.Options{Resamples: 50})
			near(t, "T", quiet.Total[1].Value, 0, 0)
			if quiet.Total[1].AboveDummy || quiet.First[1].AboveDummy || !quiet.Total[0].AboveDummy || !quiet.First[0].AboveDummy {
				t.Errorf("above the dummy: %+v", quiet)
			}
		}
		for i := range y {
			y[i] += source.NormFloat64()
		}
		told := mustSobol(t, y, n, 2, false, sensitivity.Options{Resamples: 100, Noise: 1, Seed: seed})
		dummy += told.DummyTotal.Value / seeds
		if !told.Total[0].AboveDummy {
			t.Errorf("seed %d: a factor with half the variance is not above the dummy: %+v", seed, told)
		}
		if told.Total[1].AboveDummy || told.First[1].AboveDummy {
			wrong++
		}
		if mustSobol(t, y, n, 2, false, sensitivity.Options{Resamples: 20, Seed: seed}).Total[1].AboveDummy {
			blind++
		}
	}
	near(t, "mean dummy", dummy, .5, .02)
	if wrong > seeds/10 {
		t.Errorf("the inert factor is above the dummy in %d of %d", wrong, seeds)
	}
	if blind != seeds {
		t.Errorf("noise unknown: the inert factor is above the dummy in %d of %d, of which this test wants all", blind, seeds)
	}
}

func TestSobolSeed(t *testing.T) {
	y := evaluate(ishigami, saltelli(uniform(64, 6, random(1)), false))
	interval := func(seed uint64) sensitivity.Estimate {
		return mustSobol(t, y, 64, 3, false, sensitivity.Options{Seed: seed, Resamples: 50}).First[0].Estimate
	}
	if interval(1) != interval(1) || interval(1) == interval(2) {
		t.Errorf("intervals %v and %v of one seed, %v of another", interval(1), interval(1), interval(2))
	}
	wide := mustSobol(t, y, 64, 3, false, sensitivity.Options{Seed: 1, Resamples: 50, Confidence: .99}).First[0]
	if e := interval(1); wide.Low > e.Low || wide.High < e.High {
		t.Errorf("99 %% interval %v within the 95 %% one %v", wide, e)
	}
}

func TestSobolErrors(t *testing.T) {
	y := make([]float64, 20)
	for i := range y {
		y[i] = rand.New(rand.NewPCG(uint64(i), 1)).Float64()
	}
	with := func(i int, x float64) []float64 {
		z := append([]float64(nil), y...)
		z[i] = x
		return z
	}
	inner := make([]float64, 20) // 4 base points of 3 factors, with the same output at all A and B
	for i := range inner {
		if i%5 != 0 && i%5 != 4 {
			inner[i] = float64(i)
		}
	}
	for _, c := range []struct {
		outputs []float64
		n, d    int
		second  bool
		o       sensitivity.Options
		want    string
	}{
		{y, 5, 3, false, sensitivity.Options{}, "20 outputs for n = 5 base points of d = 3 factors; expected n (d+2) = 25"},
		{y, 4, 3, true, sensitivity.Options{}, "expected n (2d+2) = 32"},
		{y, 1, 18, false, sensitivity.Options{}, "n = 1 base points of d = 18 factors; expected at least 2"},
		{y, 10, 0, false, sensitivity.Options{}, "expected at least 2 of 1"},
		{with(7, nan), 4, 3, false, sensitivity.Options{}, "outputs[7] is NaN"},
		{with(19, math.Inf(-1)), 4, 3, false, sensitivity.Options{}, "outputs[19] is -Inf"},
		{make([]float64, 20), 4, 3, false, sensitivity.Options{}, "all 20 outputs are 0"},
		{inner, 4, 3, false, sensitivity.Options{}, "all outputs of the points A and B are 0"},
		{y, 4, 3, false, sensitivity.Options{Confidence: 95}, "confidence 95"},
		{y, 4, 3, false, sensitivity.Options{Resamples: -1}, "-1 resamples"},
		{y, 4, 3, false, sensitivity.Options{Noise: -1}, "noise variance -1"},
		{y, 4, 3, false, sensitivity.Options{Block: -2}, "blocks of -2 rows"},
	} {
		if _, err := sensitivity.Sobol(c.outputs, c.n, c.d, c.second, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	// Outputs that differ by rounding alone, and few base points, many samples of which do not vary.
	if _, err := sensitivity.Sobol([]float64{.3, .1 + .2, .3, .3, .3, .3}, 2, 1, false, sensitivity.Options{}); err == nil {
		t.Error("no error for outputs that vary by rounding")
	}
	r := mustSobol(t, []float64{1, 1, 1, 1, 2, 3}, 2, 1, false, sensitivity.Options{})
	if math.IsNaN(r.First[0].Low) || math.IsInf(r.First[0].High, 0) {
		t.Errorf("interval %v", r.First[0])
	}
}

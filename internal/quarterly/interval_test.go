package quarterly

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The interval covers the truth of an AR(1) about as often as it says: the truth is known here.
func TestIntervalCovers(t *testing.T) {
	const rho, quarters, tries = .6, 224, 200
	covered := 0
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 7))
		x := make([]float64, quarters)
		for t := 1; t < quarters; t++ {
			x[t] = rho*x[t-1] + random.NormFloat64()
		}
		s := &sample{}
		s.add("", false, block, correlation, x, lead(x, 1))
		low, high := s.list[0].Interval(seed)
		if low <= rho && rho <= high {
			covered++
		}
	}
	// Percentiles of a persistent series cover somewhat less than 95 %: the estimate is biased down.
	if share := float64(covered) / tries; share < .85 {
		t.Errorf("the interval covers the truth in %.1f %% of samples", 100*share)
	}
}

// Blocks go round the end, and have the mean length that they should.
func TestBlocks(t *testing.T) {
	rows := blocks(rand.New(rand.NewPCG(1, 1)), 100_000, block)
	starts := 0
	for i := 1; i < len(rows); i++ {
		if rows[i] != (rows[i-1]+1)%len(rows) {
			starts++
		}
	}
	if mean := float64(len(rows)) / float64(starts); math.Abs(mean-block) > .5 {
		t.Errorf("blocks of %.2f rows on average", mean)
	}
}

func TestDatePhases(t *testing.T) {
	nan := math.NaN()
	for name, tt := range map[string]struct {
		y     []float64
		least int
		want  Phases
	}{
		"growth alone":    {[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, Phases{0, nan, nan, nan, 0}},
		"one recession":   {[]float64{0, 1, 2, 3, 2, 1, 0, 1, 2, 3}, 0, Phases{20, nan, 3, 3, .3}},
		"too short":       {[]float64{0, 1, 2, 3, 2, 1, 2, 4, 3, 2, 1, 2, 3}, 5, Phases{200. / 13, nan, 7, 2, 7. / 13}},
		"the same, whole": {[]float64{0, 1, 2, 3, 2, 1, 2, 4, 3, 2, 1, 2, 3}, 0, Phases{400. / 13, 2, 2.5, 2.5, 5. / 13}},
	} {
		got := DatePhases(tt.y, tt.least)
		same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }
		if !same(got.Recessions, tt.want.Recessions) || !same(got.Expansion, tt.want.Expansion) || !same(got.Recession, tt.want.Recession) ||
			!same(got.Depth, tt.want.Depth) || !same(got.ShareOfRecession, tt.want.ShareOfRecession) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// The shape of known densities is found: 2 of the normal, 1 of the Laplace.
func TestShapeEP(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	normal, laplace := make([]float64, 20_000), make([]float64, 20_000)
	for i := range normal {
		normal[i] = random.NormFloat64()
		laplace[i] = random.ExpFloat64() - random.ExpFloat64()
	}
	if b := ShapeEP(normal); math.Abs(b-2) > .1 {
		t.Errorf("the normal density has shape %.3f", b)
	}
	if b := ShapeEP(laplace); math.Abs(b-1) > .05 {
		t.Errorf("the Laplace density has shape %.3f", b)
	}
	if b := ShapeEP([]float64{1, 1, 1}); !math.IsNaN(b) {
		t.Errorf("a constant has shape %v", b)
	}
}

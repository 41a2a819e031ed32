package sim

import (
	"math"
	"testing"
)

func TestUniformMoments(t *testing.T) {
	const n = 100_000
	l := newDraws(42, 7, forPrices)
	sum, squares := 0.0, 0.0
	var cells [100]float64
	for i := range n {
		u := l.uniform(i, 0)
		if u < 0 || u >= 1 {
			t.Fatalf("draw %v", u)
		}
		sum += u
		squares += (u - .5) * (u - .5)
		cells[int(100*u)]++
	}
	// Four standard errors: of the mean 4 sqrt(1/12 / n) = .0037; of the
	// variance, whose fourth moment is 1/80, 4 sqrt((1/80 - 1/144) / n) = .00095.
	within(t, "mean", sum/n, .5, .0037)
	within(t, "variance", squares/n, 1./12, .00095)
	// python3 -c "from scipy.stats import chi2; print(chi2.ppf([.001, .9999], 99))"
	if x := chiSquare(cells[:], uniformWeights(100), n); x < 61.14 || x > 160.06 {
		t.Errorf("chi-square %v of 100 equal cells", x)
	}
}

// chiSquare is Pearson's statistic of counts against weights.
func chiSquare(counts, weights []float64, n float64) float64 {
	total, x := 0.0, 0.0
	for _, w := range weights {
		total += w
	}
	for i, c := range counts {
		if want := n * weights[i] / total; want > 0 {
			x += (c - want) * (c - want) / want
		}
	}
	return x
}

func uniformWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func TestUnitInterval(t *testing.T) {
	for bits, want := range map[uint64]float64{0: 0, 1 << 63: .5, 3 << 62: .75, math.MaxUint64: 1 - 0x1p-53} {
		if got := unitInterval(bits); got != want {
			t.Errorf("unitInterval(%#x) = %v, want %v", bits, got, want)
		}
	}
}

// The finaliser that the comment names, from the published constants.
func TestScrambleIsSplitMix64(t *testing.T) {
	// java.util.SplittableRandom's generator with seed 0 adds the golden ratio
	// before each output; the first three are the well-known test vector
	// (https://prng.di.unimi.it/splitmix64.c with x = 0).
	state := uint64(0)
	for _, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		state += weyl
		if got := scramble(state); got != want {
			t.Errorf("scramble(%#x) = %#x, want %#x", state, got, want)
		}
	}
}

func TestSameAddressSameDraw(t *testing.T) {
	a, b := newDraws(9, 30, forEntry), newDraws(9, 30, forEntry)
	for agent := range 50 {
		for n := range 4 {
			if a.bits(agent, n) != b.bits(agent, n) {
				t.Fatalf("agent %d, draw %d has two values", agent, n)
			}
		}
	}
	// Each part of the address counts.
	for what, other := range map[string]uint64{
		"seed":    newDraws(10, 30, forEntry).bits(3, 1),
		"month":   newDraws(9, 31, forEntry).bits(3, 1),
		"purpose": newDraws(9, 30, forImitation).bits(3, 1),
		"agent":   a.bits(4, 1),
		"number":  a.bits(3, 2),
	} {
		if other == a.bits(3, 1) {
			t.Errorf("another %s gave the same draw", what)
		}
	}
}

// Each pair of agent and number has a draw of its own.
func TestAddressesDoNotOverlap(t *testing.T) {
	l := newDraws(1, 1, forSkill)
	seen := map[uint64][2]int{}
	for agent := range 200 {
		for n := range 40 {
			bits := l.bits(agent, n)
			if other, ok := seen[bits]; ok {
				t.Fatalf("draw %d of agent %d is draw %d of agent %d", n, agent, other[1], other[0])
			}
			seen[bits] = [2]int{agent, n}
		}
	}
}

// Neighbouring streams must not move together. The correlation of n pairs of
// independent draws has a standard error of 1/sqrt(n); five of them are allowed
// because many pairs are looked at.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 10_000
	check := func(what string, x, y func(i int) uint64) {
		t.Helper()
		sum, same := 0.0, 0
		for i := range n {
			a, b := x(i), y(i)
			sum += 12 * (unitInterval(a) - .5) * (unitInterval(b) - .5)
			if a == b {
				same++
			}
		}
		if r := sum / n; same > 0 || math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("%s: correlation %.4f, %d equal draws", what, r, same)
		}
	}
	stream := func(seed uint64, month int, p purpose, shift, draw int) func(int) uint64 {
		l := newDraws(seed, month, p)
		return func(i int) uint64 { return l.bits(i+shift, draw) }
	}
	first := stream(1, 5, forSkill, 0, 0)
	for p := forSkill + 1; p <= forEntry; p++ {
		check("purposes", first, stream(1, 5, p, 0, 0))
		check("neighbouring purposes", stream(1, 5, p-1, 0, 0), stream(1, 5, p, 0, 0))
	}
	check("seeds", first, stream(2, 5, forSkill, 0, 0))
	check("months", first, stream(1, 6, forSkill, 0, 0))
	check("neighbouring agents", first, stream(1, 5, forSkill, 1, 0))
	check("draws of an agent", first, stream(1, 5, forSkill, 0, 1))
}

func TestNormalMoments(t *testing.T) {
	const n = 100_000
	l := newDraws(5, 1, forConfidence)
	var m1, m2, m3, m4, inside float64
	for i := range n {
		z := l.normal(i, 0)
		m1 += z
		m2 += z * z
		m3 += z * z * z
		m4 += z * z * z * z
		if math.Abs(z) < 1.959963984540054 { // R: qnorm(.975)
			inside++
		}
	}
	// E z^2k = 1, 3, 15, 105: four standard errors are 4 sqrt(var / n) with
	// variances 1, 3 - 1, 15 - 0, 105 - 9, and .05 x .95.
	within(t, "mean", m1/n, 0, .0127)
	within(t, "second moment", m2/n, 1, .0179)
	within(t, "third moment", m3/n, 0, .0490)
	within(t, "fourth moment", m4/n, 3, .1240)
	within(t, "share within 1.96", inside/n, .95, .0028)
}

func TestBelow(t *testing.T) {
	const n = 20_000
	l := newDraws(8, 2, forInvestment)
	counts := make([]float64, 10)
	for i := range n {
		counts[l.below(i, 3, 10)]++ // panics out of range
		if got := l.below(i, 0, 1); got != 0 {
			t.Fatalf("below 1 drew %d", got)
		}
	}
	// R: qchisq(c(.001, .9999), 9)
	if x := chiSquare(counts, uniformWeights(10), n); x < 1.15 || x > 33.72 {
		t.Errorf("chi-square %v of ten equal cells", x)
	}
}

func TestInverseDistributions(t *testing.T) {
	near(t, "exponential at 0", exponential(0, 2), 0)
	near(t, "exponential median", exponential(.5, 2), 2*math.Ln2)
	near(t, "exponential at 1 - 1/e", exponential(1-1/math.E, .06), .06)
	near(t, "exponential at 1 - exp(-3)", exponential(-math.Expm1(-3), .5), 1.5)

	near(t, "Pareto at 0", pareto(0, 1.4), 1)
	near(t, "Pareto of exponent 2 at 3/4", pareto(.75, 2), 2)      // (1/4)^(-1/2)
	near(t, "Pareto of exponent 1 at .9", pareto(.9, 1), 10)       // (1/10)^(-1)
	near(t, "Pareto of exponent .5 at 1/2", pareto(.5, .5), 4)     // (1/2)^(-2)
	near(t, "Pareto of exponent 1.5 at 7/8", pareto(.875, 1.5), 4) // 8^(2/3)
}

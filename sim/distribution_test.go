package sim

import (
	"math"
	"testing"
)

func TestBinsCoverTheIntegers(t *testing.T) {
	for _, x := range []int64{0, 1, 63, 64, 65, 66, 127, 128, 130, 1000, 1023, 1024, 3_000_000, 1<<40 + 12345, 1<<53 - 1} {
		b := binOf(x)
		if low, high := binLow(b), binLow(b+1); float64(x) < low || float64(x) >= high {
			t.Errorf("%d is in bin %d, from %v to %v", x, b, low, high)
		}
		if width := binLow(b+1) - binLow(b); width > math.Max(1, float64(x)/binsPerOctave) {
			t.Errorf("the bin of %d is %v wide", x, width)
		}
	}
	for b := range histogramBins {
		if got := binOf(int64(binLow(b))); got != b {
			t.Fatalf("bin %d begins with %v, which is in bin %d", b, binLow(b), got)
		}
	}
	if got := binOf(-5); got != 0 {
		t.Errorf("a negative number is in bin %d", got)
	}
	if got := binOf(math.MaxInt64); got != histogramBins-1 {
		t.Errorf("the largest number is in bin %d", got)
	}
}

func TestEqualIncomesHaveNoGini(t *testing.T) {
	var g histogram
	for range 300 {
		g.add(2_500 * subunit)
	}
	d := g.distribution()
	near(t, "mean", d.Mean, 2500)
	near(t, "Gini", d.Gini, 0)
	for k := range d.Lorenz {
		near(t, "Lorenz curve", d.Lorenz[k], float64(k)/10)
	}
	for k := range d.Deciles {
		near(t, "decile", d.Deciles[k], 2500)
	}
	for _, q := range []float64{d.P10, d.P50, d.P90} {
		within(t, "quantile", q, 2500, 2500./binsPerOctave)
	}
}

// Small integers have bins of their own, so that nothing is approximate.
func TestDistributionOfTen(t *testing.T) {
	var g histogram
	for _, x := range []int64{50, 3, 1, 9, 2, 8, 4, 6, 5, 7} {
		g.add(x)
	}
	d := g.distribution()
	near(t, "mean", d.Mean*subunit, 9.5) // 95/10
	// python3: x = np.sort(x); n = len(x); (2*np.arange(1, n+1) - n - 1) @ x / (n*x.sum())
	// = 0.5526315789473685; by hand (1+3+6+10+15+21+28+36+45+95)/95 = 260/95 areas of
	// width 1/10 less half of the last: 1 - (2*260/95 - 1)/10 = .552632
	within(t, "Gini", d.Gini, 0.5526315789473685, 1e-12)
	// Cumulated sums 1, 3, 6, ... 45, 95 of 95.
	for k, held := range []float64{0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 95} {
		near(t, "Lorenz curve", d.Lorenz[k], held/95)
	}
	for k, x := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 50} {
		near(t, "decile", d.Deciles[k]*subunit, x)
	}
	near(t, "share below 5", g.shareBelow(5), .4)
	near(t, "share below 1", g.shareBelow(1), 0)
	near(t, "share below 1000", g.shareBelow(1000), 1)
}

func TestOneOwnsAll(t *testing.T) {
	var g histogram
	for range 99 {
		g.add(0)
	}
	g.add(1_000_000)
	d := g.distribution()
	near(t, "Gini", d.Gini, .99) // 1 - 1/n
	near(t, "Lorenz curve at 90 %", d.Lorenz[9], 0)
	near(t, "top decile", d.Deciles[9], 100) // 1000 currency units over ten households
}

func TestDistributionAgainstNumPy(t *testing.T) {
	tests := []struct {
		name           string
		value          func(k int) int64
		n              int
		mean, gini     float64
		p10, p50, p90  float64
		poor           float64 // below 60 % of the median
		lorenz         []float64
		toleranceOfLow float64 // relative, of quantiles
	}{
		{
			// x = 1_000_000 + 2_000*np.arange(1000)**2; L = np.concatenate([[0], np.cumsum(x)/x.sum()])
			// x.mean()/1e3, gini(x), np.quantile(x, [.1, .5, .9])/1e3, (x < .6*np.median(x)).mean(), L[::100]
			// with gini as in TestDistributionOfTen
			"squares", func(k int) int64 { return 1_000_000 + 2_000*int64(k)*int64(k) }, 1000,
			666667.0, 0.4994992507503746, 20960.2, 500001.0, 1617761.8, 0.387,
			[]float64{0, 0.0011350494324752838, 0.00824009587995206, 0.02731513634243183, 0.06436016781991609, 0.12537518731240635,
				0.2163601918199041, 0.3433151783424108, 0.5122401438799281, 0.7291350854324573, 1},
			.01,
		},
		{
			// z = norm.ppf((np.arange(2000)+.5)/2000); x = np.rint(3e6*np.exp(.55*z - .55**2/2))
			"log-normal", func(k int) int64 {
				return int64(math.Round(3e6 * logNormal(math.Sqrt2*math.Erfinv(2*(float64(k)+.5)/2000-1), .55)))
			}, 2000,
			2999.504295, 0.30253612194060886, 1275.2413, 2578.8985, 5215.2637, 0.1765, nil, .01,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var g histogram
			for k := range test.n {
				g.add(test.value(k))
			}
			if n, _ := g.totals(); n != int64(test.n) {
				t.Errorf("%d numbers, want %d", n, test.n)
			}
			d := g.distribution()
			within(t, "mean", d.Mean, test.mean, 1e-6) // the sums of bins are exact
			within(t, "Gini", d.Gini, test.gini, .0005)
			within(t, "P10", d.P10, test.p10, test.toleranceOfLow*test.p10)
			within(t, "P50", d.P50, test.p50, test.toleranceOfLow*test.p50)
			within(t, "P90", d.P90, test.p90, test.toleranceOfLow*test.p90)
			within(t, "poverty", g.shareBelow(.6*d.P50*subunit), test.poor, .005)
			for k, want := range test.lorenz {
				within(t, "Lorenz curve", d.Lorenz[k], want, .0005)
			}
			sum := 0.0
			for k := range d.Deciles {
				sum += d.Deciles[k] / 10
				if k > 0 && d.Deciles[k] < d.Deciles[k-1] {
					t.Errorf("decile %d is poorer than the one below", k)
				}
			}
			within(t, "mean of deciles", sum, d.Mean, 1e-6)
		})
	}
}

func TestHistogramEdges(t *testing.T) {
	var empty histogram
	if empty.distribution() != (Distribution{}) || empty.quantile(.5, 0) != 0 || empty.shareBelow(10) != 0 {
		t.Error("an empty histogram is not all zero")
	}
	var zeros histogram
	zeros.add(0)
	zeros.add(-7)
	d := zeros.distribution()
	if n, sum := zeros.totals(); n != 2 || sum != 0 {
		t.Errorf("%d numbers with sum %d", n, sum)
	}
	near(t, "mean of zero and a debt", d.Mean, -.0035) // of 0 and -7 thousandths
	near(t, "Gini of zeros", d.Gini, 0)

	var some histogram // of ten, one owes; the rest have ten each
	some.add(-20_000)
	for range 9 {
		some.add(10_000)
	}
	d = some.distribution()
	near(t, "mean with a debt", d.Mean, 7)            // (9 x 10 - 20) / 10
	near(t, "poorest tenth", d.Deciles[0], -20)       // the one who owes
	near(t, "richest tenth", d.Deciles[9], 10)        // the mean of one who has
	near(t, "Gini with the debt as zero", d.Gini, .1) // of nine alike and one without anything
}

// Which worker counted whom must not matter.
func TestMergeIsTheWhole(t *testing.T) {
	var whole spread
	parts := [3]spread{}
	l := newDraws(1, 1, forSkill)
	for k := range 500 {
		x := int64(l.below(k, 0, 5_000_000))
		for _, s := range []*spread{&whole, &parts[k%3]} {
			s.income.add(x)
			s.consumption.add(x / 2)
			s.wealth.add(3 * x)
			s.wage.add(x + 1)
		}
	}
	parts[1].merge(&parts[2])
	parts[1].merge(&parts[0])
	if parts[1] != whole {
		t.Error("merged parts differ from the whole")
	}
}

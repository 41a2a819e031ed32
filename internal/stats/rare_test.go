package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func TestRareDifferences(t *testing.T) {
	none := make([]float64, 12)
	once, thrice, six := append([]float64{2}, none[1:]...), append([]float64{2, 3, 1}, none[3:]...), append([]float64{1, 1, 1, 1, 1, 1}, none[6:]...)
	for _, c := range []struct {
		name      string
		b         []float64
		n         int
		rare      bool
		p, within float64 // without a difference; of equivalence within 10
	}{
		{"none", none, 0, true, nan, .540360087662636},               // R 4.2.2: pbinom(0, 12, .05)
		{"one of twelve", once, 1, true, 1, .881640143028512},        // pbinom(1, 12, .05)
		{"three of twelve, one side", thrice, 3, true, .25, .997763}, // binom.test(3, 3)$p.value; pbinom(3, 12, .05)
		{"six of twelve", six, 6, false, .0068723, 0},                // t = 3.3166 with 11 degrees of freedom; they are not skewed
		{"two of two", []float64{1, 2}, 2, false, .204833, .0187},    // t = 3 and 17 with one: 1 - 2 atan(t) / π, and half of it
	} {
		t.Run(c.name, func(t *testing.T) {
			a := make([]float64, len(c.b))
			if n, rare := stats.Differing(stats.Differences(a, c.b)); n != c.n || rare != c.rare {
				t.Errorf("%d differ, rare: %v", n, rare)
			}
			test := stats.PairedTTest(a, c.b, .95)
			near(t, "p", test.P, c.p, 1e-5)
			near(t, "p of equivalence", stats.PairedTOST(a, c.b, 10), c.within, .01)
			if got := test.Difference.Low != test.Difference.Low; got != c.rare {
				t.Errorf("there is an interval: %v, %+v", !got, test.Difference)
			}
		})
	}
	near(t, "p of equivalence of sixty without a margin", stats.PairedTOST(make([]float64, 60), make([]float64, 60), nan), .0460698, 1e-7) // pbinom(0, 60, .05)
	for differing, want := range []int{59, 93} {                                                                                           // the rule of three: 3 / .05 = 60; and the table of Hahn and Meeker (1991) for one failure
		if n := stats.RareReplications(differing, .95); n != want {
			t.Errorf("%d pairs of which %d differ, want %d", n, differing, want)
		}
	}
}

package stats_test

import (
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

func TestHolm(t *testing.T) {
	// R 4.2.2: p.adjust(c(.5, .003, .32, .054, .0003), "holm"); also the example of
	// pingouin.multicomp
	got := stats.Holm([]float64{.5, .003, nan, .32, .054, .0003})
	for i, want := range []float64{.64, .012, nan, .64, .162, .0015} {
		near(t, "adjusted p", got[i], want, 1e-12)
	}
	if all := stats.Holm([]float64{.9, .8}); !slices.Equal(all, []float64{1, 1}) {
		t.Errorf("adjusted p above one: %v", all)
	}
}

func TestBenjaminiHochberg(t *testing.T) {
	// R 4.2.2: p.adjust(c(.5, .003, .32, .054, .0003), "BH")
	got := stats.BenjaminiHochberg([]float64{.5, .003, nan, .32, .054, .0003})
	checkSeries(t, got, []float64{.5, .0075, nan, .4, .09, .0015})
	// A larger p-value never gets a smaller adjusted one: 2 * .04 > .05
	checkSeries(t, stats.BenjaminiHochberg([]float64{.04, .05}), []float64{.05, .05})
	checkSeries(t, stats.BenjaminiHochberg(nil), nil)
}

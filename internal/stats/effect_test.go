package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func TestHedgesGZ(t *testing.T) {
	// R 4.2.2: d <- b - a; mean(d) / sd(d); by hand: df = 9, 1 - 3/35
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"drugs", drug1, drug2, 1.28455756259105},
		{"plants", plants1, plants2, -0.314280281449107},
		{"equal differences", []float64{1, 2, 3}, []float64{2, 3, 4}, nan},
		{"two pairs", []float64{1, 2}, []float64{2, 5}, nan},
		{"one pair", []float64{1}, []float64{2}, nan},
		{"NaN value", []float64{1, 2, nan}, []float64{2, 3, 5}, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "HedgesGZ", stats.HedgesGZ(c.a, c.b), c.want*(1-3./35))
		})
	}
}

func TestVarghaDelaneyA(t *testing.T) {
	// scipy 1.10.1: mannwhitneyu(b, a).statistic / (len(a) * len(b))
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"drugs", drug1, drug2, 0.745},
		{"plants", plants1, plants2, 0.325},
		{"unequal sizes", pain1, pain2, 0.788961038961039},
		{"one below the other", plants1, []float64{7, 8}, 1},
		{"equal values", equal, equal, .5},
		{"one each", []float64{2}, []float64{1}, 0},
		{"empty", nil, plants1, nan},
		{"infinite value", []float64{inf}, plants1, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "A", stats.VarghaDelaneyA(c.a, c.b), c.want)
		})
	}
}

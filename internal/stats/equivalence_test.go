package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func TestTOST(t *testing.T) {
	// R 4.2.2, with paired = FALSE for Welch:
	//	t.test(b, a, mu = -margin, alternative = "greater", paired = TRUE)$p.value
	//	t.test(b, a, mu = margin, alternative = "less", paired = TRUE)$p.value
	flat := []float64{1, 1, 1}
	for _, c := range []struct {
		name      string
		got       float64
		low, high float64
	}{
		// The differences of the drugs are skewed: p by an independent computation, see TestPairedInterval; Student's is 0.0026556.
		{"paired", stats.PairedTOST(drug1, drug2, 3), 0, 0.013114610411509934},
		{"paired plants", stats.PairedTOST(plants1, plants3, .5), 0.00303250631817709, 0.491648932538936},
		{"independent", stats.WelchTOST(plants1, plants2, 1), 0.0299692708973715, 0.000207245343711663},

		{"no difference", stats.PairedTOST(drug1, drug1, .1), 0, .59873693923837956},
		{"outside without variation", stats.PairedTOST(flat, []float64{2, 2, 2}, .5), 0, 1},
		{"on the margin", stats.PairedTOST(flat, []float64{2, 2, 2}, 1), 0, 1},
		{"no margin", stats.PairedTOST(drug1, drug2, 0), nan, nan},
		{"one pair", stats.PairedTOST(flat[:1], flat[:1], 1), nan, nan},
		{"NaN value", stats.PairedTOST([]float64{1, 2, nan}, flat, 1), nan, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "p", c.got, max(c.low, c.high))
		})
	}
	one := stats.WelchTOST(drug1[:1], drug2, 5)
	checkNear(t, "p of one observation", one, nan)
	// The bound of the 90 % interval is the margin at which p is 5 %.
	iv := stats.WelchTTest(plants1, plants3, .9).Difference
	checkNear(t, "p at the interval's bound", stats.WelchTOST(plants1, plants3, iv.High), .05)
}

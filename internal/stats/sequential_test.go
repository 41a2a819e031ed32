package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func TestVarianceReduction(t *testing.T) {
	// R 4.2.2: (var(a) + var(b)) / var(b - a)
	checkNear(t, "the same patients", stats.VarianceReduction(drug1, drug2), 4.76542303172738)
	checkNear(t, "other plants", stats.VarianceReduction(plants1, plants2), 0.69601863863642)
	checkNear(t, "equal differences", stats.VarianceReduction([]float64{1, 2}, []float64{2, 3}), nan)
	checkNear(t, "one pair", stats.VarianceReduction(drug1[:1], drug2[:1]), nan)
}

func TestRelativeHalfWidth(t *testing.T) {
	// R 4.2.2: diff(t.test(b, a, paired = TRUE)$conf.int) / 2 / mean(b - a)
	checkNear(t, "drugs", stats.MeanInterval(stats.Differences(drug1, drug2), .95).RelativeHalfWidth(), 0.556889723593027)
	checkNear(t, "negative mean", stats.MeanInterval(stats.Differences(drug2, drug1), .95).RelativeHalfWidth(), 0.556889723593027)
	checkNear(t, "mean zero", stats.MeanInterval([]float64{-1, 1}, .95).RelativeHalfWidth(), nan)
	checkNear(t, "one value", stats.MeanInterval([]float64{1}, .95).RelativeHalfWidth(), nan)
}

func TestHalfWidthReplications(t *testing.T) {
	// R 4.2.2: n <- 2; while (qt((1 + confidence) / 2, n - 1) * sd / sqrt(n) > width) n <- n + 1
	for _, c := range []struct {
		sd, width, confidence float64
		want                  int
	}{
		{2, .5, .95, 64},
		{1, .1, .95, 387},
		{1, .1, .9, 273},
		{0, .1, .95, 2},

		{1, 1e-9, .95, 0},
		{1, 0, .95, 0},
		{-1, 1, .95, 0},
		{1, 1, 95, 0},
		{nan, 1, .95, 0},
	} {
		n, ok := stats.HalfWidthReplications(c.sd, c.width, c.confidence)
		if n != c.want || ok != (c.want > 0) {
			t.Errorf("%+v: %v, %v", c, n, ok)
		}
	}
}

func TestMoreReplications(t *testing.T) {
	difference := make([]float64, 10)
	for i := range difference {
		difference[i] = drug2[i] - drug1[i]
	}
	for _, c := range []struct {
		name   string
		x      []float64
		target float64
		more   int
		ok     bool
	}{
		// As above with sd(x) and target * mean(x): 287 and 40 in all
		{"levels", drug2, .1, 277, true},
		{"differences", difference, .25, 30, true},
		{"enough", difference, .56, 0, true},
		{"no variation", []float64{2, 2}, .1, 0, true},

		{"mean zero", []float64{-1, 1}, .1, 0, false},
		{"one value", drug1[:1], .1, 0, false},
		{"NaN value", []float64{1, nan}, .1, 0, false},
		{"target zero", drug2, 0, 0, false},
	} {
		more, ok := stats.MoreReplications(c.x, c.target, .95)
		if more != c.more || ok != c.ok {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, more, ok, c.more, c.ok)
		}
	}
}

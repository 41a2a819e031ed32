package stats_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

// nearInterval allows for the error of the draws, given as a share of the interval's width.
func nearInterval(t *testing.T, got, want stats.Interval, share float64) {
	t.Helper()
	tolerance := share * (want.High - want.Low)
	checkNear(t, "estimate", got.Mean, want.Mean)
	near(t, "low", got.Low, want.Low, tolerance)
	near(t, "high", got.High, want.High, tolerance)
	if got.N != want.N {
		t.Errorf("N = %d, want %d", got.N, want.N)
	}
}

// bootstrapMean is the interval of a mean: that of the differences of x to nothing, whose samples
// are drawn in the same way.
func bootstrapMean(x []float64, confidence float64, random *rand.Rand) stats.Interval {
	return stats.PairedBootstrapInterval(context.Background(), make([]float64, len(x)), x, confidence, random)
}

func TestBootstrapInterval(t *testing.T) {
	// R 4.2.2, from the means t of 1000000 samples of x and those without each of its n
	// observations, j, as CI.bca of resample 0.6 does with expand = TRUE:
	//	u <- (n - 1) / n * (mean(j) - j); a <- sum(u^3) / (6 * sum(u^2)^1.5)
	//	w <- qnorm((sum(t < mean(x)) + sum(t <= mean(x))) / 2 / 1000000)
	//	z <- qt(c(.025, .975), n - 1) * sqrt(n / (n - 1))
	//	quantile(t, pnorm(w + (w + z) / (1 - a * (w + z))), type = 6)
	// With z <- qnorm(c(.025, .975)) it gives 1.24, 3.60 and 761.3, 5109.9, which are SciPy
	// 1.10.1's bootstrap((x,), np.mean, n_resamples=1000000, method="BCa"): 1.23, 3.59 and
	// 759.4, 5124.4.
	iv := bootstrapMean(drug2, .95, draws(1))
	nearInterval(t, iv, stats.Interval{Mean: 2.33, Low: 1.04, High: 3.87, N: 10}, .02)
	iv = bootstrapMean(islands[:20], .95, draws(2))
	nearInterval(t, iv, stats.Interval{Mean: stats.Mean(islands[:20]), Low: 668.5, High: 5514.994, N: 20}, .03)
	// Student's is symmetric, and falls short of this tail by a third.
	if student := stats.MeanInterval(islands[:20], .95); iv.High-iv.Mean < 1.2*(student.High-student.Mean) {
		t.Errorf("the interval %v does not follow the tail", iv)
	}

	// The closed form: with data symmetric around their mean, bias and acceleration are zero
	// and the mean of a sample is normal with the variance of the data over n, so that the
	// interval is Student's.
	var even []float64
	for i := range 200 {
		even = append(even, float64(i)-99.5)
	}
	half := 1.971957 * math.Sqrt((200*200-1)/12.) / math.Sqrt(199) // R 4.2.2: qt(.975, 199)
	iv = bootstrapMean(even, .95, draws(3))
	nearInterval(t, iv, stats.Interval{Mean: 0, Low: -half, High: half, N: 200}, .02)
}

func TestBootstrapIntervalOfTwo(t *testing.T) {
	// R 4.2.2, as above, with u of both samples in one, V = sum(u^2) and n of each:
	//	v <- V * n / (n - 1); df <- sum(v)^2 / sum(v^2 / (n - 1))
	//	z <- qt(c(.025, .975), df) * sqrt(sum(v) / sum(V))
	// With normal quantiles it gives 0.068, 0.990, and SciPy 1.10.1 0.07, 0.9886667.
	iv := stats.IndependentBootstrapInterval(context.Background(), plants1, plants3[:6], .95, draws(1))
	nearInterval(
		t,
		iv,
		stats.Interval{Mean: stats.Mean(plants3[:6]) - stats.Mean(plants1), Low: -0.0003333333, High: 1.0823333333, N: 16},
		.02,
	)
	// Pairs have the interval of their differences, but for ties that rounding breaks.
	iv = stats.PairedBootstrapInterval(context.Background(), plants1, plants3, .95, draws(1))
	nearInterval(t, iv, bootstrapMean(stats.Differences(plants1, plants3), .95, draws(1)), .02)

	again := stats.PairedBootstrapInterval(context.Background(), plants1, plants3, .95, draws(1))
	if again != iv {
		t.Errorf("another interval with the same seed: %v and %v", again, iv)
	}
}

func TestBootstrapIntervalUndefined(t *testing.T) {
	undefined := func(mean float64, n int) stats.Interval {
		return stats.Interval{Mean: mean, Low: nan, High: nan, N: n}
	}
	for _, c := range []struct {
		name string
		got  stats.Interval
		want stats.Interval
	}{
		{"equal values", bootstrapMean([]float64{2, 2, 2}, .95, draws(1)), stats.Interval{Mean: 2, Low: 2, High: 2, N: 3}},
		{"empty", bootstrapMean(nil, .95, draws(1)), undefined(nan, 0)},
		{"one value", bootstrapMean([]float64{4}, .95, draws(1)), undefined(4, 1)},
		{"NaN value", bootstrapMean([]float64{1, nan}, .95, draws(1)), undefined(nan, 2)},
		{"confidence in percent", bootstrapMean([]float64{1, 3}, 95, draws(1)), undefined(2, 2)},
		{
			"one value in one sample",
			stats.IndependentBootstrapInterval(context.Background(), []float64{1}, drug1, .95, draws(1)), undefined(-.25, 11),
		},
	} {
		t.Run(c.name, func(t *testing.T) { checkInterval(t, c.got, c.want) })
	}
}

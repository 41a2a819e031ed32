package stats_test

import (
	"math"
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

func relativeChange(a, b []float64) float64 { return stats.Mean(b)/stats.Mean(a) - 1 }

func TestBootstrapInterval(t *testing.T) {
	// scipy 1.10.1: bootstrap((x,), np.mean, n_resamples=1000000, method="BCa")
	// R 4.2.2, boot 1.3-28.1: B <- boot(x, function(d, i) mean(d[i]), 200000)
	//	boot.ci(B, type = "bca", L = empinf(B, type = "jack")): 1.24, 3.58 and 751.15, 5103.272
	iv := stats.BootstrapInterval(drug2, stats.Mean, .95, luck(1))
	nearInterval(t, iv, stats.Interval{Mean: 2.33, Low: 1.23, High: 3.59, N: 10}, .02)
	iv = stats.BootstrapInterval(islands[:20], stats.Mean, .95, luck(2))
	nearInterval(t, iv, stats.Interval{Mean: stats.Mean(islands[:20]), Low: 759.4, High: 5124.4, N: 20}, .03)
	// Student's is symmetric, and falls short of this tail by a third.
	if student := stats.MeanInterval(islands[:20], .95); iv.High-iv.Mean < 1.2*(student.High-student.Mean) {
		t.Errorf("the interval %v does not follow the tail", iv)
	}

	// The closed form: with data symmetric around their mean, bias and acceleration are zero
	// and the mean of a sample is normal with the variance of the data over n.
	var even []float64
	for i := range 200 {
		even = append(even, float64(i)-99.5)
	}
	half := 1.959964 * math.Sqrt((200*200-1)/12.) / math.Sqrt(200)
	iv = stats.BootstrapInterval(even, stats.Mean, .95, luck(3))
	nearInterval(t, iv, stats.Interval{Mean: 0, Low: -half, High: half, N: 200}, .02)
}

func TestBootstrapIntervalOfTwo(t *testing.T) {
	// scipy 1.10.1: bootstrap((a, b[:6]), lambda x, y, axis=-1: y.mean(axis) - x.mean(axis),
	//	n_resamples=1000000, method="BCa")
	iv := stats.IndependentBootstrapInterval(plants1, plants3[:6], stats.MeanDifference, .95, luck(1))
	nearInterval(t, iv, stats.Interval{Mean: stats.Mean(plants3[:6]) - stats.Mean(plants1), Low: 0.07, High: 0.9886667, N: 16}, .02)
	// The same with y.mean(axis) / x.mean(axis) - 1 and paired=True; R's boot.ci as above:
	// 0.005953524, 0.22827
	iv = stats.PairedBootstrapInterval(plants1, plants3, relativeChange, .95, luck(1))
	nearInterval(t, iv, stats.Interval{Mean: stats.Mean(plants3)/stats.Mean(plants1) - 1, Low: 0.006307978, High: 0.2295152, N: 10}, .02)

	again := stats.PairedBootstrapInterval(plants1, plants3, relativeChange, .95, luck(1))
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
		{"equal values", stats.BootstrapInterval([]float64{2, 2, 2}, stats.Mean, .95, luck(1)), stats.Interval{Mean: 2, Low: 2, High: 2, N: 3}},
		{"empty", stats.BootstrapInterval(nil, stats.Mean, .95, luck(1)), undefined(nan, 0)},
		{"one value", stats.BootstrapInterval([]float64{4}, stats.Mean, .95, luck(1)), undefined(4, 1)},
		{"NaN value", stats.BootstrapInterval([]float64{1, nan}, stats.Mean, .95, luck(1)), undefined(nan, 2)},
		{"confidence in percent", stats.BootstrapInterval([]float64{1, 3}, stats.Mean, 95, luck(1)), undefined(2, 2)},
		{"one value in one sample", stats.IndependentBootstrapInterval([]float64{1}, drug1, stats.MeanDifference, .95, luck(1)), undefined(-.25, 11)},
		{"undefined in some samples", stats.PairedBootstrapInterval([]float64{0, 1}, []float64{1, 2}, relativeChange, .95, luck(1)), undefined(2, 2)},
	} {
		t.Run(c.name, func(t *testing.T) { checkInterval(t, c.got, c.want) })
	}
}

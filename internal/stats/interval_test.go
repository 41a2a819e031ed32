package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func checkInterval(t *testing.T, got, want stats.Interval) {
	t.Helper()
	checkNear(t, "mean", got.Mean, want.Mean)
	checkNear(t, "low", got.Low, want.Low)
	checkNear(t, "high", got.High, want.High)
	if got.N != want.N {
		t.Errorf("N = %d, want %d", got.N, want.N)
	}
}

func TestMeanInterval(t *testing.T) {
	// R 4.2.2: a <- sleep$extra[1:10]; options(digits = 17)
	//	mean(a); t.test(a, conf.level = 0.95)$conf.int
	// scipy 1.10.1, ttest_1samp(a, 0).confidence_interval(0.95), agrees to 2e-9.
	for _, c := range []struct {
		name       string
		x          []float64
		confidence float64
		want       stats.Interval
	}{
		{"90 %", drug1, 0.90, stats.Interval{Mean: 0.75, Low: -0.28705527872925929, High: 1.78705527872925907, N: 10}},
		{"95 %", drug1, 0.95, stats.Interval{Mean: 0.75, Low: -0.52978041352623217, High: 2.02978041352623206, N: 10}},
		{"99 %", drug1, 0.99, stats.Interval{Mean: 0.75, Low: -1.0885441744314501, High: 2.5885441744314499, N: 10}},
		{"two values", drug1[:2], 0.95, stats.Interval{Mean: -0.45, Low: -15.06213544660089809, High: 14.16213544660089596, N: 2}},

		{"equal values", equal, 0.95, stats.Interval{Mean: 0.1, Low: 0.1, High: 0.1, N: 3}},
		{"empty", nil, 0.95, stats.Interval{Mean: nan, Low: nan, High: nan}},
		{"one value", []float64{4}, 0.95, stats.Interval{Mean: 4, Low: nan, High: nan, N: 1}},
		{"NaN value", []float64{1, nan, 2}, 0.95, stats.Interval{Mean: nan, Low: nan, High: nan, N: 3}},
		{"infinite value", []float64{1, inf, 2}, 0.95, stats.Interval{Mean: nan, Low: nan, High: nan, N: 3}},
		{"confidence 0", drug1, 0, stats.Interval{Mean: 0.75, Low: nan, High: nan, N: 10}},
		{"confidence 1", drug1, 1, stats.Interval{Mean: 0.75, Low: nan, High: nan, N: 10}},
		{"confidence in percent", drug1, 95, stats.Interval{Mean: 0.75, Low: nan, High: nan, N: 10}},
		{"confidence NaN", drug1, nan, stats.Interval{Mean: 0.75, Low: nan, High: nan, N: 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkInterval(t, stats.MeanInterval(c.x, c.confidence), c.want)
		})
	}
}

func TestPairedInterval(t *testing.T) {
	// Of the drugs, R 4.2.2: d <- b - a; g <- 10/72 * sum(((d - mean(d)) / sd(d))^3), which is 1.745550; z <- qnorm((1 + p)/2);
	// q <- qt((1 + p)/2, 9) + (g^2 - 540/1144)/180 * z * (z^4 + 2*z^2 - 3); mean(d) + c(-1, 1) * q * sd(d)/sqrt(10).
	// Student's interval by R 4.2.2, t.test(b, a, paired = TRUE), is 0.7001 to 2.4599. The differences of the plants are hardly
	// skewed (G1 = -0.24) and have Student's, with qt(.975, 9) = 2.2621571628540993.
	for _, c := range []struct {
		name       string
		a, b       []float64
		confidence float64
		want       stats.Interval
	}{
		{"90 %", drug1, drug2, 0.90, stats.Interval{Mean: 1.58, Low: 0.7779350616298935, High: 2.3820649383701067, N: 10}},
		{"95 %", drug1, drug2, 0.95, stats.Interval{Mean: 1.58, Low: 0.4881160238778852, High: 2.671883976122115, N: 10}},
		{"99 %", drug1, drug2, 0.99, stats.Interval{Mean: 1.58, Low: -0.46216747051407703, High: 3.622167470514077, N: 10}},
		{"not skewed", plants1, plants2, 0.95, stats.Interval{Mean: -.371, Low: -1.2154609088994075, High: 0.4734609088994074, N: 10}},
		{"swapped", drug2, drug1, 0.95, stats.Interval{Mean: -1.58, Low: -2.671883976122115, High: -0.4881160238778852, N: 10}},

		{"no effect", drug1, drug1, 0.95, stats.Interval{Low: nan, High: nan, N: 10}},
		{"empty", nil, nil, 0.95, stats.Interval{Mean: nan, Low: nan, High: nan}},
		{"one pair", drug1[:1], drug2[:1], 0.95, stats.Interval{Mean: 1.2, Low: nan, High: nan, N: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkInterval(t, stats.PairedInterval(c.a, c.b, c.confidence), c.want)
		})
	}
}

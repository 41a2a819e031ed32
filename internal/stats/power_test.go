package stats_test

import (
	"testing"

	"econ-mcp/internal/stats"
)

func TestPower(t *testing.T) {
	// R 4.2.2: power.t.test(n, difference, type = "paired", strict = TRUE)$power, and
	// type = "two.sample"
	for _, c := range []struct {
		n                         int
		difference, paired, welch float64
	}{
		{10, .5, 0.293175606514385, 0.185095656291803},
		{20, 1, 0.988591294779182, 0.868953027724586},
		{5, 2, 0.90888486810127, 0.790542377972668},
		{2, 1, 0.0928091550565351, 0.0952017554979728},
		{30, 0, 0.05, 0.05},
		{50, -.4, 0.791787189268206, 0.50818573531487},
		{4, 20, 1, 1},
		{4, 1e6, 1, 1},

		{1, 1, nan, nan},
		{10, nan, nan, nan},
	} {
		checkNear(t, "PairedPower", stats.PairedPower(c.n, c.difference, 1, .95), c.paired)
		checkNear(t, "PairedPower in another unit", stats.PairedPower(c.n, 100*c.difference, 100, .95), c.paired)
		checkNear(t, "WelchPower", stats.WelchPower(c.n, c.n, c.difference, 1, 1, .95), c.welch)
	}
	// R 4.2.2, with the degrees of freedom of Welch in df and q <- qt(1 - level/2, df),
	// nc <- difference / sqrt(sa^2/na + sb^2/nb):
	//	pt(q, df, nc, lower.tail = FALSE) + pt(-q, df, nc)
	checkNear(t, "unequal samples", stats.WelchPower(10, 20, 1, 1, 2, .95), 0.422045752457366)
	checkNear(t, "at 90 %", stats.WelchPower(12, 8, .7, .3, .9, .90), 0.616256610815471)
	checkNear(t, "one without variation", stats.WelchPower(10, 10, 1, 0, 1, .95), 0.803096856633018)

	checkNear(t, "no variation", stats.PairedPower(10, 1, 0, .95), nan)
	checkNear(t, "no variation", stats.WelchPower(10, 10, 1, 0, 0, .95), nan)
	checkNear(t, "confidence in percent", stats.PairedPower(10, 1, 1, 95), nan)
}

func TestReplications(t *testing.T) {
	// R 4.2.2: ceiling(power.t.test(power = power, delta = difference, type = "paired",
	// strict = TRUE, tol = 1e-10)$n), and type = "two.sample"
	for _, c := range []struct {
		difference, power float64
		paired, welch     int
	}{
		{.5, .9, 44, 86},
		{-.5, .9, 44, 86},
		{.2, .8, 199, 394},
		{1, .9, 13, 23},
		{3, .9, 4, 4},
		{.01, .8, 78491, 156979},
		{1e6, .8, 2, 2},

		{0, .9, 0, 0}, // never
		{1e-9, .9, 0, 0},
		{1, 1, 0, 0}, // certainty
		{1, 0, 0, 0},
		{nan, .9, 0, 0},
	} {
		n, ok := stats.PairedReplications(c.difference, 1, c.power, .95)
		if n != c.paired || ok != (c.paired > 0) {
			t.Errorf("pairs for %v with power %v: %v, %v, want %v", c.difference, c.power, n, ok, c.paired)
		}
		n, ok = stats.WelchReplications(c.difference, 1, 1, c.power, .95)
		if n != c.welch || ok != (c.welch > 0) {
			t.Errorf("observations for %v with power %v: %v, %v, want %v", c.difference, c.power, n, ok, c.welch)
		}
	}
}

func TestDetectable(t *testing.T) {
	// R 4.2.2: sd(d) / sqrt(10) * (qt(.975, 9) + qt(.8, 9)) with d of the sleep data:
	// 0.3889587 * (2.262157 + 0.8834039)
	i := stats.MeanInterval(stats.Differences(drug1, drug2), .95)
	near(t, "detectable", i.Detectable(.95, .8), .3889587*(2.262157+.8834039), 1e-5)
	near(t, "of one pair", stats.MeanInterval(drug1[:1], .95).Detectable(.95, .8), nan, 0)
}

// The drugs' differences are skewed, and need more pairs than R's power.t.test says of normal ones; those of the plants, which are
// not, as many.
func TestReplicationsLike(t *testing.T) {
	drugs, plants := stats.Differences(drug1, drug2), stats.Differences(plants1, plants2)
	for _, c := range []struct {
		name   string
		sample []float64
		delta  float64
		want   int
	}{
		// R 4.2.2: d <- b - a; g <- 10/72 * sum(((d - mean(d)) / sd(d))^3); z <- qnorm(.975)
		// w <- (g^2 - 540/1144) / 18 * z * (z^4 + 2*z^2 - 3); n <- 2:200
		// min(n[(qt(.975, n - 1) + w/n + qt(.9, n - 1)) * sd(d) / sqrt(n) <= 1]) = 21, and power.t.test gives 17.9
		{"skewed", drugs, 1, 21},
		// R 4.2.2: ceiling(power.t.test(delta = 1, sd = sd(b - a), power = .9, type = "paired", strict = TRUE)$n)
		{"not skewed", plants, 1, 17},
	} {
		if n, ok := stats.ReplicationsLike(c.sample, c.delta, .9, .95); !ok || n != c.want {
			t.Errorf("%s: %d pairs, %v, want %d", c.name, n, ok, c.want)
		}
	}
	if _, ok := stats.ReplicationsLike(drugs, 0, .9, .95); ok {
		t.Error("a difference of nothing is found")
	}
}

package stats_test

import (
	"context"
	"flag"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

// More simulations find smaller lies; each of the tests and its rates are printed by
//
//	go test ./internal/stats -run Calibration -v -simulations 20000
var simulations = flag.Int("simulations", 400, "simulated experiments for each test of calibration")

// A draw is one number of a sample with mean 0.
type draw func(*rand.Rand) float64

func normal(r *rand.Rand) float64 { return r.NormFloat64() }
func skewed(r *rand.Rand) float64 { return r.ExpFloat64() - 1 }
func times(scale float64, d draw) draw {
	return func(r *rand.Rand) float64 { return scale * d(r) }
}

func sample(r *rand.Rand, n int, d draw) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = d(r)
	}
	return x
}

// twins are two arms with a common shock for each replication and draws of their own.
func twins(r *rand.Rand, n int, d draw) (a, b []float64) {
	shock := sample(r, n, times(3, d))
	a, b = sample(r, n, d), sample(r, n, d)
	for i := range shock {
		a[i], b[i] = a[i]+shock[i], b[i]+shock[i]
	}
	return a, b
}

// path is an autoregression, which remembers nine tenths or another part of each value.
func path(r *rand.Rand, months int, memory float64) []float64 {
	x, last := make([]float64, months), r.NormFloat64()
	for t := range x {
		last = memory*last + math.Sqrt(1-memory*memory)*r.NormFloat64()
		x[t] = last
	}
	return x
}

func paths(r *rand.Rand, n, months int, memory float64) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = path(r, months, memory)
	}
	return out
}

// months are such paths, month by month.
func months(r *rand.Rand, n, months int, memory float64) [][]float64 {
	out := make([][]float64, months)
	for _, path := range paths(r, n, months, memory) {
		for t, v := range path {
			out[t] = append(out[t], v)
		}
	}
	return out
}

// checkRate simulates and compares how often something happens with the promise, give or
// take 3.5 standard errors. A costly simulation is run only once in `cost` times.
func checkRate(t *testing.T, name string, cost int, low, high float64, happens func(*rand.Rand) bool) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		seed := fnv.New64a() // each rate from draws of its own
		seed.Write([]byte(t.Name()))
		random, n, count := draws(seed.Sum64()), max(1, *simulations/cost), 0
		for range n {
			if happens(random) {
				count++
			}
		}
		rate, slack := float64(count)/float64(n), func(p float64) float64 { return 3.5 * math.Sqrt(p*(1-p)/float64(n)) }
		t.Logf("%-40s %.4f of %5d, promised %.4f to %.4f", name, rate, n, low, high)
		if rate < low-slack(low) || rate > high+slack(high) {
			t.Errorf("happens in %.4f of %d, want %v to %v", rate, n, low, high)
		}
	})
}

// Without an effect, each test finds one in 5 % of all experiments: exact tests for any
// data, the others nearly so. Two equal arms with a common shock are skewed, but their
// differences are not.
func TestCalibrationOfPairs(t *testing.T) {
	const n = 12
	for _, c := range []struct {
		name      string
		low, high float64 // for skewed data; for normal ones the first is 0.05 where it is exact
		exact     float64
		p         func(a, b []float64, r *rand.Rand) float64
	}{
		{"paired t", .038, .05, .05, func(a, b []float64, _ *rand.Rand) float64 { return stats.PairedTTest(a, b, .95).P }},
		// Of 4096 sums of ranks, the share that p-values up to 5 % have. R 4.2.2: 2 * psignrank(13, 12)
		{"Wilcoxon", .0424, .0425, .0425, func(a, b []float64, _ *rand.Rand) float64 { return stats.WilcoxonSignedRank(a, b).P }},
		{"sign flip", .0495, .05, .05, func(a, b []float64, r *rand.Rand) float64 { return stats.SignFlip(context.Background(), a, b, r).P }},
	} {
		checkRate(t, c.name+", normal", 1, c.exact, c.exact, func(r *rand.Rand) bool {
			a, b := twins(r, n, normal)
			return c.p(a, b, r) <= .05
		})
		checkRate(t, c.name+", skewed", 1, c.low, c.high, func(r *rand.Rand) bool {
			a, b := twins(r, n, skewed)
			return c.p(a, b, r) <= .05
		})
	}
	checkRate(t, "sign flip by draws", 10, .05, .05, func(r *rand.Rand) bool {
		a, b := twins(r, 25, skewed)
		return stats.SignFlip(context.Background(), a, b, r).P <= .05
	})
	checkRate(t, "TOST at the margin", 1, .05, .05, func(r *rand.Rand) bool {
		a, b := twins(r, n, normal)
		for i := range b {
			b[i] += 3
		}
		return stats.PairedTOST(a, b, 3) <= .05
	})
	// The differences have a standard deviation of the square root of two.
	power := stats.PairedPower(n, 1.2, math.Sqrt2, .95)
	checkRate(t, "power", 1, power, power, func(r *rand.Rand) bool {
		a, b := twins(r, n, normal)
		for i := range b {
			b[i] += 1.2
		}
		return stats.PairedTTest(a, b, .95).P <= .05
	})
}

func TestCalibrationOfSamples(t *testing.T) {
	for _, c := range []struct {
		name                              string
		normalLow, normalHigh             float64
		skewedLow, skewedHigh             float64
		differentScaleLow, differentScale float64
		cost, n                           int
		p                                 func(a, b []float64, r *rand.Rand) float64
	}{
		{"Welch", .046, .051, .035, .05, .046, .052, 1, 12, func(a, b []float64, _ *rand.Rand) float64 { return stats.WelchTTest(a, b, .95).P }},
		{"Brunner-Munzel", .045, .05, .045, .05, .045, .066, 5, 8, func(a, b []float64, r *rand.Rand) float64 {
			return stats.BrunnerMunzel(context.Background(), a, b, r).P
		}},
		{
			"permutation", .0495, .05, .0495, .05, .045, .066, 5, 8,
			func(a, b []float64, r *rand.Rand) float64 { return stats.Permutation(context.Background(), a, b, r).P },
		},
	} {
		for _, data := range []struct {
			name      string
			a, b      draw
			na, nb    int
			low, high float64
		}{
			{"normal", normal, normal, c.n - 1, c.n, c.normalLow, c.normalHigh},
			{"skewed", skewed, skewed, c.n, c.n, c.skewedLow, c.skewedHigh},
			{"different scatter", normal, times(3, normal), c.n, c.n, c.differentScaleLow, c.differentScale},
		} {
			checkRate(t, c.name+", "+data.name, c.cost, data.low, data.high, func(r *rand.Rand) bool {
				return c.p(sample(r, data.na, data.a), sample(r, data.nb, data.b), r) <= .05
			})
		}
	}
	power := stats.WelchPower(10, 20, 2, 1, 2, .95)
	checkRate(t, "power", 1, power-.005, power+.005, func(r *rand.Rand) bool {
		b := sample(r, 20, times(2, normal))
		for i := range b {
			b[i] += 2
		}
		return stats.WelchTTest(sample(r, 10, normal), b, .95).P <= .05
	})
}

// Of eight outcomes, one or more is called an effect in at most 5 % of all experiments.
func TestCalibrationOfRomanoWolf(t *testing.T) {
	any := func(p []float64) bool {
		for _, v := range p {
			if v <= .05 {
				return true
			}
		}
		return false
	}
	checkRate(t, "paired", 5, .0475, .05, func(r *rand.Rand) bool {
		return any(stats.PairedRomanoWolf(context.Background(), months(r, 9, 8, .8), months(r, 9, 8, .8), r))
	})
	checkRate(t, "independent", 10, .0475, .05, func(r *rand.Rand) bool {
		return any(stats.WelchRomanoWolf(context.Background(), months(r, 6, 8, .8), months(r, 6, 8, .8), r))
	})
	// Few ranks have few statistics, and largest ones that are equal.
	checkRate(t, "independent, of ranks", 10, .025, .05, func(r *rand.Rand) bool {
		return any(stats.BrunnerMunzelRomanoWolf(context.Background(), months(r, 6, 8, .8), months(r, 6, 8, .8), r))
	})
	// Two of the outcomes are real: the others are still rarely found, and the real ones
	// more often than by Holm.
	shifted := func(r *rand.Rand) [][]float64 {
		b := months(r, 12, 8, .8)
		for i := range b[0] {
			b[0][i] += 3
			b[7][i] += 3
		}
		return b
	}
	checkRate(t, "paired, among effects", 10, .03, .05, func(r *rand.Rand) bool {
		return any(stats.PairedRomanoWolf(context.Background(), months(r, 12, 8, .8), shifted(r), r)[1:7])
	})
}

// The band holds the whole path, which is zero, in 95 % of all experiments, for paths that
// move slowly or fast and few replications.
func TestCalibrationOfBands(t *testing.T) {
	holds := func(b stats.Band) bool {
		for t := range b.Mean {
			if !(b.Low[t] <= 0 && 0 <= b.High[t]) {
				return false
			}
		}
		return true
	}
	for _, c := range []struct {
		name   string
		n      int
		memory float64
	}{
		{"5 replications", 5, .8},
		{"10 replications, slow", 10, .95},
		{"10 replications, fast", 10, .5},
		{"30 replications, slow", 30, .95},
	} {
		checkRate(t, c.name, 10, .93, .96, func(r *rand.Rand) bool {
			return holds(stats.MeanBand(context.Background(), months(r, c.n, 24, c.memory), .95, r))
		})
	}
	checkRate(t, "independent arms", 10, .94, .96, func(r *rand.Rand) bool {
		return holds(stats.WelchBand(context.Background(), months(r, 10, 24, .9), months(r, 15, 24, .9), .95, r))
	})
}

func TestCalibrationOfIntervals(t *testing.T) {
	covers := func(i stats.Interval) bool { return i.Low <= 0 && 0 <= i.High }
	checkRate(t, "BCa of few, normal", 10, .93, .95, func(r *rand.Rand) bool {
		return covers(bootstrapMean(sample(r, 10, normal), .95, r))
	})
	checkRate(t, "BCa, normal", 10, .935, .955, func(r *rand.Rand) bool {
		return covers(bootstrapMean(sample(r, 30, normal), .95, r))
	})
	checkRate(t, "BCa, skewed", 10, .92, .95, func(r *rand.Rand) bool {
		return covers(bootstrapMean(sample(r, 30, skewed), .95, r))
	})
	checkRate(t, "BCa of two samples", 10, .915, .955, func(r *rand.Rand) bool {
		return covers(
			stats.IndependentBootstrapInterval(context.Background(), sample(r, 25, skewed), sample(r, 25, skewed), .95, r),
		)
	})
}

func TestCalibrationOfSeries(t *testing.T) {
	walk := func(r *rand.Rand) []float64 {
		x := sample(r, 200, normal)
		for t := 1; t < len(x); t++ {
			x[t] += x[t-1]
		}
		return x
	}
	returns := func(x []float64, lags int) bool {
		statistic, critical := stats.ADF(x, lags)
		return statistic <= critical
	}
	checkRate(t, "ADF of a random walk", 1, .045, .055, func(r *rand.Rand) bool { return returns(walk(r), 2) })
	checkRate(t, "ADF of a short random walk", 1, .045, .055, func(r *rand.Rand) bool { return returns(walk(r)[:60], 1) })
	checkRate(t, "ADF of a series at rest", 1, .98, 1, func(r *rand.Rand) bool { return returns(path(r, 200, .8), 2) })
	checkRate(t, "KPSS of noise", 1, .04, .055, func(r *rand.Rand) bool { return stats.KPSS(path(r, 200, 0), 4).P <= .05 })
	checkRate(t, "KPSS of a random walk", 1, .9, 1, func(r *rand.Rand) bool { return stats.KPSS(walk(r), 4).P <= .05 })
	// The number of runs is whole, so that an exact test rejects less often.
	checkRate(t, "Grazzini's stationarity", 1, .02, .05, func(r *rand.Rand) bool {
		return stats.GrazziniStationarity(path(r, 1200, .5), 30, stats.Mean).P <= .05
	})
	checkRate(t, "Grazzini's ergodicity", 1, .02, .05, func(r *rand.Rand) bool {
		return stats.GrazziniErgodicity(path(r, 1200, .5), 30, paths(r, 30, 40, .5), stats.StdDev).P <= .05
	})
	checkRate(t, "Grazzini's stationarity of a random walk", 1, .85, 1, func(r *rand.Rand) bool {
		return stats.GrazziniStationarity(walk(r), 20, stats.Mean).P <= .05
	})
}

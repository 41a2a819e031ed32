package bayes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"econ-mcp/internal/stats"
)

// RHat is the larger of the split R̂ of ranks and of the ranks of distances from the median, by chains of a number: 1 where the chains
// agree (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, "Rank-Normalization, Folding, and Localization: An Improved R̂",
// Bayesian Analysis 16(2)). NaN where nothing varies.
func RHat(chains [][]float64) float64 {
	halves := split(chains)
	all := slices.Sorted(slices.Values(slices.Concat(halves...)))
	median := stats.Quantile(all, .5)
	folded := make([][]float64, len(halves))
	for c, x := range halves {
		for _, v := range x {
			folded[c] = append(folded[c], math.Abs(v-median))
		}
	}
	return max(rHat(ranked(halves)), rHat(ranked(folded)))
}

// ESS is how many independent draws say as much of the middle of the distribution (bulk-ESS of the same article).
func ESS(chains [][]float64) float64 { return ess(ranked(split(chains))) }

// TailESS is how many independent draws say as much of the 5th and the 95th percentile, the less of both.
func TailESS(chains [][]float64) float64 {
	all, least := slices.Sorted(slices.Values(slices.Concat(chains...))), math.Inf(1)
	for _, q := range []float64{.05, .95} {
		bound := stats.Quantile(all, q)
		below := make([][]float64, len(chains))
		for c, x := range chains {
			for _, v := range x {
				is := 0.
				if v <= bound {
					is = 1
				}
				below[c] = append(below[c], is)
			}
		}
		least = min(least, ess(split(below)))
	}
	return least
}

// split are the halves of chains.
func split(chains [][]float64) (halves [][]float64) {
	for _, x := range chains {
		n := len(x) / 2
		halves = append(halves, x[:n], x[len(x)-n:])
	}
	return halves
}

// ranked are normal scores of the ranks among all chains: their equation 14. Ties share the mean of their ranks.
func ranked(chains [][]float64) [][]float64 {
	type place struct {
		value    float64
		chain, i int
	}
	var all []place
	out := make([][]float64, len(chains))
	for c, x := range chains {
		out[c] = make([]float64, len(x))
		for i, v := range x {
			all = append(all, place{v, c, i})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.value, b.value) })
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].value == all[from].value {
			to++
		}
		rank := float64(from+to+1) / 2
		z := distuv.UnitNormal.Quantile((rank - 3./8) / (float64(len(all)) + 1./4))
		for ; from < to; from++ {
			out[all[from].chain][all[from].i] = z
		}
	}
	return out
}

// rHat is the root of the variance over all chains, over that within: Gelman et al. (2013), equations 11.1 to 11.4.
func rHat(chains [][]float64) float64 {
	within, over := variances(chains)
	return math.Sqrt(over / within)
}

// variances are the mean variance within chains, and that of the whole distribution as all chains tell it.
func variances(chains [][]float64) (within, over float64) {
	n, means := float64(len(chains[0])), make([]float64, len(chains))
	for c, x := range chains {
		means[c] = stats.Mean(x)
		sd := stats.StdDev(x)
		within += sd * sd / float64(len(chains))
	}
	between := stats.StdDev(means)
	return within, (n-1)/n*within + between*between
}

// ess is the effective size of chains: equations 10 and 11 of the article, with Geyer's (1992) initial monotone sequence.
func ess(chains [][]float64) float64 {
	m, n := len(chains), len(chains[0])
	within, over := variances(chains)
	if !(over > 0) {
		return math.NaN()
	}
	centred := make([][]float64, m)
	for c, x := range chains {
		mean := stats.Mean(x)
		for _, v := range x {
			centred[c] = append(centred[c], v-mean)
		}
	}
	rho := func(lag int) float64 {
		covariance := 0.
		for _, x := range centred {
			for i := range n - lag {
				covariance += x[i] * x[i+lag] / float64(n) / float64(m)
			}
		}
		return 1 - (within-covariance)/over
	}
	sum, last, before := 0., 0., math.Inf(1)
	for lag := 0; lag < n-3; lag += 2 {
		even, odd := 1., rho(lag+1)
		if lag > 0 {
			even = rho(lag)
		}
		pair := even + odd
		if last = max(even, 0); !(pair >= 0) {
			break
		}
		last = 0
		before = min(before, pair)
		sum += before
	}
	size := float64(m * n)
	tau := max(2*sum-1+last, 1/math.Log10(size)) // the last even term makes it less noisy where draws alternate
	return size / tau
}

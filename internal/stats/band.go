package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Band is a mean path with bounds that hold the whole true path, all of its months at once,
// with the confidence asked for. Mean, Low and High have one value a month, in the unit of
// the paths.
type Band struct {
	Mean      []float64
	Low, High []float64
	N         int     // replications, of both arms where they are independent
	Critical  float64 // standard errors of a normal path on each side; 1.96 would hold each month alone with 95 %
}

// MeanBand returns the mean path of replications paths[r][t] and its simultaneous sup-t
// band
//
//	mean[t] ± c[t] * s[t] / sqrt(N)
//
// (Montiel Olea and Plagborg-Møller 2019, "Simultaneous Confidence Bands: Theory,
// Implementation, and an Application to SVARs", Journal of Applied Econometrics 34(1),
// algorithm 1): Critical is the quantile of the largest |Z[t]| of a normal path Z with the
// estimated correlations, from [Draws] paths that weight the replications' deviations with
// normal numbers. The c[t] is the quantile of Student's t at the same probability as
// Critical of the normal, which the paper does not need because it supposes many
// replications; so the band of a single month is [MeanInterval].
//
// A month whose paths are all equal, such as one before an intervention, has the width
// zero. A month with a value that is not finite is NaN, and the others are as without it.
// Low and High are NaN for fewer than two replications and a confidence outside 0 to 1. It
// panics if the paths differ in length.
func MeanBand(paths [][]float64, confidence float64, random *rand.Rand) Band {
	mustBeRectangular(paths)
	return supT([][][]float64{paths}, confidence, random)
}

// PairedBand is [MeanBand] of the differences b[r][t] - a[r][t] of paired replications. It
// panics if a and b differ in length, or their paths.
func PairedBand(a, b [][]float64, confidence float64, random *rand.Rand) Band {
	mustMatchRows(a, b)
	d := make([][]float64, len(a))
	for r := range a {
		d[r] = differences(a[r], b[r])
	}
	return MeanBand(d, confidence, random)
}

// WelchBand is [MeanBand] of the difference mean(b) - mean(a) of independent replications,
// with the standard error and the degrees of freedom of [WelchTTest] in each month. Each
// arm needs two replications. It panics if the paths differ in length.
func WelchBand(a, b [][]float64, confidence float64, random *rand.Rand) Band {
	mustBeRectangular(slices.Concat(a, b))
	return supT([][][]float64{a, b}, confidence, random)
}

// supT is the band of the mean path of one arm, or of the last arm less the first of two.
func supT(arms [][][]float64, confidence float64, random *rand.Rand) Band {
	band := Band{Critical: math.NaN()}
	enough := 0 < confidence && confidence < 1
	months := 0
	for _, paths := range arms {
		band.N += len(paths)
		enough = enough && len(paths) >= 2
		if len(paths) > 0 {
			months = len(paths[0])
		}
	}
	se, df := make([]float64, months), make([]float64, months)
	weights := make([][]float64, band.N) // of each replication, in the months that vary
	for t := range months {
		var mean float64
		var errors []float64
		mean, se[t], df[t], errors = monthOf(arms, t)
		band.Mean = append(band.Mean, mean)
		if se[t] > 0 {
			for r, e := range errors {
				weights[r] = append(weights[r], e/se[t])
			}
		}
	}
	band.Low, band.High = slices.Repeat([]float64{math.NaN()}, months), slices.Repeat([]float64{math.NaN()}, months)
	if !enough {
		return band
	}
	band.Critical = supQuantile(weights, confidence, random)
	for t := range months {
		half := se[t]
		if half > 0 {
			half *= -student(df[t]).Quantile(distuv.UnitNormal.CDF(-band.Critical))
		}
		band.Low[t], band.High[t] = band.Mean[t]-half, band.Mean[t]+half
	}
	return band
}

// monthOf returns what a month of the arms says: the mean of the last arm, less that of the
// first of two, its standard error and degrees of freedom, and of each replication its part in
// the error; the sum of the squares of these is the square of the standard error.
func monthOf(arms [][][]float64, t int) (mean, se, df float64, errors []float64) {
	var variance, denominator float64
	for i, paths := range arms {
		column := columnOf(paths, t)
		m, sd, n := Mean(column), StdDev(column), float64(len(column))
		sign := 1.0
		if i < len(arms)-1 {
			sign = -1
		}
		mean += sign * m
		variance += sd * sd / n
		denominator += square(sd*sd/n) / (n - 1)
		for _, v := range column {
			if sd == 0 {
				v = m // a mean of equal values rounds
			}
			errors = append(errors, sign*(v-m)/math.Sqrt(n*(n-1)))
		}
	}
	return mean, math.Sqrt(variance), variance * variance / denominator, errors
}

// supQuantile simulates the quantile of the largest |Z[t]| of a normal path Z whose values
// are sums of the replications' weights times standard normal numbers. It is NaN if no month
// varies.
func supQuantile(weights [][]float64, confidence float64, random *rand.Rand) float64 {
	z := make([]float64, len(weights[0]))
	if len(z) == 0 {
		return math.NaN()
	}
	largest := make([]float64, Draws)
	for d := range largest {
		clear(z)
		for _, w := range weights {
			floats.AddScaled(z, random.NormFloat64(), w)
		}
		largest[d] = floats.Norm(z, math.Inf(1))
	}
	slices.Sort(largest)
	return sortedQuantile(largest, confidence)
}

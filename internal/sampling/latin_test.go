package sampling_test

import (
	"math"
	"testing"

	"econ-mcp/internal/sampling"
)

func TestLatinHypercubeHasOnePointInEachStratum(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100, 1000} {
		points := must(sampling.LatinHypercube(n, 5, 3))(t)
		for j := range 5 {
			checkStrata(t, column(points, j))
		}
	}
}

// Points that are uniform and independent within their strata have a mean with the variance 1/(12 n³), that of two
// dimensions' sum twice that; the covariance of two dimensions at random is 0 with the standard error (1/12)/√(n-1).
func TestLatinHypercubeIsRandomWithinAndBetween(t *testing.T) {
	const n, seeds = 10, 4000
	squares, covariances := 0., 0.
	for seed := range uint64(seeds) {
		points := must(sampling.LatinHypercube(n, 2, seed))(t)
		x, y := column(points, 0), column(points, 1)
		e := mean(x) + mean(y) - 1
		squares += e * e
		for i := range x {
			covariances += (x[i] - mean(x)) * (y[i] - mean(y)) / (n - 1)
		}
	}
	near(t, "variance", squares/seeds*12*n*n*n/2, 1, 5*math.Sqrt(2./seeds))
	near(t, "covariance", covariances/seeds, 0, 4./12/math.Sqrt((n-1)*seeds))
}

// Each of the six orders of three strata is as frequent: chi-square with 5 degrees of freedom is below 20.5 in 99.9 %
// (R: qchisq(.999, 5)).
func TestLatinHypercubeOrdersAreEquallyFrequent(t *testing.T) {
	const seeds = 6000
	count := map[[3]int]float64{}
	for seed := range uint64(seeds) {
		var order [3]int
		for i, p := range must(sampling.LatinHypercube(3, 1, seed))(t) {
			order[i] = int(3 * p[0])
		}
		count[order]++
	}
	square := 0.
	for _, c := range count {
		square += (c - seeds/6) * (c - seeds/6) / (seeds / 6)
	}
	if len(count) != 6 || square > 20.515 {
		t.Errorf("chi-square %v of %v", square, count)
	}
}

func TestLatinHypercubeIsAFunctionOfItsSeed(t *testing.T) {
	points := must(sampling.LatinHypercube(20, 3, 5))(t)
	if !equal(points, must(sampling.LatinHypercube(20, 3, 5))(t)) {
		t.Error("the same seed gave other points")
	}
	if equal(points, must(sampling.LatinHypercube(20, 3, 6))(t)) {
		t.Error("another seed gave the same points")
	}
	// As for Sobol: a change of these bits is a change for users.
	if got := crc(points); got != 0xbb7bc536 {
		t.Errorf("checksum %#x", got)
	}
}

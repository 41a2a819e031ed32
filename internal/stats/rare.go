package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rare differences. Where most pairs do not differ at all and only a few do, as in how many banks fail, the scatter of
// the sample says nothing of how large or how frequent a difference is that it does not have: an interval of
// the mean would be 0 to 0 where none of twelve pairs differs. What can be said exactly is how many economies differ.
const (
	fewDiffering = 6   // pairs; with fewer, no sign test reaches 5 %
	rareShare    = .05 // of economies: if fewer differ, there is no difference that matters
)

// Differing is how many differences are not zero, and whether these are so few that only their number is told:
// fewer than six, and at most half of all, of which there are two or more.
func Differing(differences []float64) (n int, rare bool) {
	for _, d := range differences {
		if d != 0 {
			n++
		}
	}
	return n, len(differences) >= 2 && n < fewDiffering && 2*n <= len(differences) && finite(differences...)
}

// signP is the probability of a sign test (Arbuthnott 1710) of the differences that are not zero: NaN where there is none.
func signP(differences []float64) float64 {
	var n, above float64
	for _, d := range differences {
		if d != 0 {
			n++
		}
		if d > 0 {
			above++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return min(1, 2*distuv.Binomial{N: n, P: .5}.CDF(min(above, n-above)))
}

// rareP is the probability that of n pairs no more than k differ if one economy in twenty does.
func rareP(k, n int) float64 { return distuv.Binomial{N: float64(n), P: rareShare}.CDF(float64(k)) }

// RareReplications is the smallest number of pairs of which so many may differ, and no more, to show at a confidence that fewer than
// one economy in twenty does: 59 at 95 % where none differs, 93 where one does.
func RareReplications(differing int, confidence float64) int {
	n := differing + 1
	for rareP(differing, n) > 1-confidence && n < MaxReplications {
		n++
	}
	return n
}

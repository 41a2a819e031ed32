package stats

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/combin"
)

// Draws is how many times the Monte Carlo methods of this package draw: flips of signs,
// permutations, bootstrap samples or simulated paths. The standard error of a p-value of
// 0.05 that rests on them is 0.0022; the smallest p-value is 1/10000.
//
// These methods end early where their context is cancelled. What they return then means
// nothing: whoever passes a context that may be cancelled asks it for its error afterwards.
const Draws = 9999

// maxExact is up to how many rearrangements a single test goes through all of them.
const maxExact = 1 << 20

// flips yields signs, 1 or -1, for n pairs: all ways to flip them if there are at most
// `most`, without their mirror images, and else the signs as they are and then [Draws]
// random ones. The data themselves are among them in both cases, so that the share of
// those that are as extreme is a valid p-value (Phipson and Smyth 2010, "Permutation
// P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular
// Biology 9(1)). The slice is overwritten by the next one.
func flips(ctx context.Context, n, most int, random *rand.Rand) iter.Seq[[]float64] {
	signs := make([]float64, n)
	flip := func(from int, bits uint64) { // the 64 signs from there on
		for i := from; i < min(n, from+64); i++ {
			signs[i] = 1 - 2*float64(bits>>(i-from)&1)
		}
	}
	if n <= 62 && 1<<n <= most {
		return func(yield func([]float64) bool) {
			for bits := range uint64(1) << (n - 1) {
				if flip(0, bits); !yield(signs) || ctx.Err() != nil {
					return
				}
			}
		}
	}
	return func(yield func([]float64) bool) {
		for draw := range Draws + 1 {
			for from := 0; from < n; from += 64 {
				if draw == 0 {
					flip(from, 0)
				} else {
					flip(from, random.Uint64())
				}
			}
			if !yield(signs) || ctx.Err() != nil {
				return
			}
		}
	}
}

// relabellings yields which of na + nb observations, of which the first na are a sample's,
// might as well have been that sample: all choices if there are at most `most`, and else
// the sample itself and then [Draws] random ones, as [flips] does. The slice must not be
// changed and is overwritten by the next one.
func relabellings(ctx context.Context, na, nb, most int, random *rand.Rand) iter.Seq[[]int] {
	n := na + nb
	if labellings(na, nb) <= float64(most) {
		return func(yield func([]int) bool) {
			chosen := make([]int, na)
			for g := combin.NewCombinationGenerator(n, na); g.Next(); {
				if !yield(g.Combination(chosen)) || ctx.Err() != nil {
					return
				}
			}
		}
	}
	return func(yield func([]int) bool) {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		for draw := range Draws + 1 {
			for i := range na {
				if draw > 0 {
					j := i + random.IntN(n-i)
					order[i], order[j] = order[j], order[i]
				}
			}
			if !yield(order[:na]) || ctx.Err() != nil {
				return
			}
		}
	}
}

// labellings is in how many ways na + nb observations can be two samples of those sizes.
func labellings(na, nb int) float64 {
	return combin.GeneralizedBinomial(float64(na+nb), float64(na))
}

// rearrangementTest is the statistic of the data, which are the first of the rearrangements, and
// the share of all of them in which it is as far from zero.
func rearrangementTest[T any](rearranged iter.Seq[T], statistic func(T) float64) (observed, p float64) {
	var extreme, all float64
	for r := range rearranged {
		t := statistic(r)
		if all == 0 {
			observed = t
		}
		if all++; asExtreme(math.Abs(t), math.Abs(observed)) {
			extreme++
		}
	}
	return observed, extreme / all
}

// asExtreme compares a size with the observed one, equal but for rounding included.
func asExtreme(size, observed float64) bool { return size >= observed*(1-1e-9) }

// SmallestPairedP is the smallest p-value that flipping the signs of n pairs can give, in
// [SignFlip], [PairedRomanoWolf] and the exact [WilcoxonSignedRank]: a test at a lower level
// can find nothing. It is 1 without pairs.
func SmallestPairedP(n int) float64 { return max(math.Ldexp(1, 1-max(n, 1)), 1./(Draws+1)) }

// SmallestIndependentP is [SmallestPairedP] of exchanging the labels of two samples, in
// [Permutation] and [WelchRomanoWolf].
func SmallestIndependentP(na, nb int) float64 {
	p := 1 / labellings(na, nb)
	if na == nb { // the mirror image is as extreme
		p = min(1, 2*p)
	}
	return max(p, 1./(Draws+1))
}

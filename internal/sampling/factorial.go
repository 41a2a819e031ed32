package sampling

import (
	"fmt"
	"math/bits"
	"strings"
)

// Factorial is every combination of the levels of factors, the last factor fastest: row by row the number of each
// factor's level, from 0. levels are how many each factor has, at least 1, and there are at most [MaxPoints]
// combinations of 1 to [MaxDimensions] factors.
func Factorial(levels []int) ([][]int, error) {
	if err := within("factors", len(levels), 1, MaxDimensions); err != nil {
		return nil, err
	}
	n := 1
	for j, of := range levels {
		if of < 1 || of > MaxPoints/n {
			return nil, fmt.Errorf("levels of factor %d: %d is outside 1 to %d, for at most %d combinations", j+1, of, MaxPoints/n, MaxPoints)
		}
		n *= of
	}
	runs := rows[int](n, len(levels))
	for i, run := range runs {
		for j := len(levels) - 1; j >= 0; j-- {
			run[j], i = i%levels[j], i/levels[j]
		}
	}
	return runs, nil
}

// Fraction is a regular two-level design.
type Fraction struct {
	Runs [][]int // the level of each factor in each run: 0 is low, 1 is high
	// Resolution is the least number of factors whose product of signs (low -1, high +1) is the same in every run. An
	// effect of p factors is confounded with none of fewer than Resolution - p: at 3 main effects are clear of each
	// other, at 4 of pairs too, at 5 pairs are clear of pairs. A full design confounds nothing, and has the number of
	// factors + 1.
	Resolution int
	// Generators say how the signs of the other factors follow from those of the first: "D=ABC". The factors are A to L
	// in order, without I, which stands for the product that never changes. A full design has none.
	Generators []string
}

const letters = "ABCDEFGHJKL"

// boxHunterHunter are the generators by runs and factors: Box, Hunter and Hunter (1978, Statistics for Experimenters,
// table 12.15), who number the factors. A design without a row and without generators does not exist.
var boxHunterHunter = map[int]map[int]string{
	4: {3: "C=AB"},
	8: {
		4: "D=ABC",
		5: "D=AB E=AC",
		6: "D=AB E=AC F=BC",
		7: "D=AB E=AC F=BC G=ABC",
	},
	16: {
		5:  "E=ABCD",
		6:  "E=ABC F=BCD",
		7:  "E=ABC F=BCD G=ACD",
		8:  "E=BCD F=ACD G=ABC H=ABD",
		9:  "E=ABC F=BCD G=ACD H=ABD J=ABCD",
		10: "E=ABC F=BCD G=ACD H=ABD J=ABCD K=AB",
		11: "E=ABC F=BCD G=ACD H=ABD J=ABCD K=AB L=AC",
	},
	32: {
		6:  "F=ABCDE",
		7:  "F=ABCD G=ABDE",
		8:  "F=ABC G=ABD H=BCDE",
		9:  "F=BCDE G=ACDE H=ABDE J=ABCE",
		10: "F=ABCD G=ABCE H=ABDE J=ACDE K=BCDE",
		11: "F=ABC G=BCD H=CDE J=ACD K=ADE L=BDE",
	},
	64: {
		7:  "G=ABCDEF",
		8:  "G=ABCD H=ABEF",
		9:  "G=ABCD H=ACEF J=CDEF",
		10: "G=BCDF H=ACDF J=ABDE K=ABCE",
		11: "G=CDE H=ABCD J=ABF K=BDEF L=ADEF",
	},
	128: {
		8:  "H=ABCDEFG",
		9:  "H=ACDFG J=BCEFG",
		10: "H=ABCG J=BCDE K=ACDF",
		11: "H=ABCG J=BCDE K=ACDF L=ABCDEFG",
	},
}

// FractionalTwoLevel is the design of d factors, 2 to 11, in 4, 8, 16, 32, 64 or 128 runs: all combinations of as many
// factors as that number of runs allows, the last of them fastest, and the other factors by generators of the standard
// table (Box, Hunter and Hunter 1978, table 12.15), which have the highest resolution that is possible. Every factor is
// high in half of the runs, and every pair of factors has its four combinations equally often. It is an error where
// there is none: where the runs are more than 2^d, or too few to keep d main effects apart.
func FractionalTwoLevel(d, runs int) (Fraction, error) {
	if err := within("factors", d, 2, len(letters)); err != nil {
		return Fraction{}, err
	}
	generators, ok := generatorsOf(d, runs)
	if !ok {
		return Fraction{}, fmt.Errorf("runs: no design of %d factors in %d runs; take one of %s", d, runs, runsFor(d))
	}
	f := Fraction{Generators: strings.Fields(generators)}
	f.Resolution = resolution(d, f.Generators)
	base, err := Factorial(twoLevels(d - len(f.Generators)))
	if err != nil {
		return Fraction{}, err
	}
	for _, run := range base {
		for _, g := range f.Generators {
			run = append(run, product(run, word(g[2:])))
		}
		f.Runs = append(f.Runs, run)
	}
	return f, nil
}

func generatorsOf(d, runs int) (string, bool) {
	of, listed := boxHunterHunter[runs]
	if listed && runs == 1<<d {
		return "", true
	}
	generators, ok := of[d]
	return generators, ok
}

// runsFor lists the numbers of runs that there are designs of d factors for.
func runsFor(d int) string {
	var of []string
	for runs := 4; runs <= 128; runs *= 2 {
		if _, ok := generatorsOf(d, runs); ok {
			of = append(of, fmt.Sprint(runs))
		}
	}
	return strings.Join(of, ", ")
}

func twoLevels(d int) []int {
	levels := make([]int, d)
	for j := range levels {
		levels[j] = 2
	}
	return levels
}

// word is a product of factors as a set of bits.
func word(factors string) (w uint) {
	for _, factor := range factors {
		w |= 1 << strings.IndexRune(letters, factor)
	}
	return w
}

// product is 1, high, where the product of the signs of the word's factors is positive: an even number of them is low.
func product(run []int, word uint) int {
	high := 1
	for j, level := range run {
		if word>>j&1 == 1 {
			high ^= 1 - level
		}
	}
	return high
}

// resolution is the number of factors of the shortest product that the generators keep constant.
func resolution(d int, generators []string) int {
	constant, shortest := []uint{0}, d+1
	for _, g := range generators {
		for _, w := range constant {
			w ^= word(g[:1]) | word(g[2:])
			constant = append(constant, w)
			shortest = min(shortest, bits.OnesCount(w))
		}
	}
	return shortest
}

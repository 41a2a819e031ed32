package sampling

import (
	"cmp"
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// Sobol is the first n points of the Sobol' sequence in d dimensions (Sobol' 1967), with the direction numbers D6 of Joe and Kuo (2008,
// "Constructing Sobol Sequences with Better Two-Dimensional Projections", SIAM J. Sci. Comput. 30(5)) and in the Gray-code order of Antonov
// and Saleev (1979), in which it is most often printed, after nested uniform scrambling (Owen 1995, "Randomly Permuted (t,m,s)-Nets and
// (t,s)-Sequences", Lecture Notes in Statistics 106). Each point is uniform on the unit cube [0, 1)^d, while together they stay as evenly
// spread as before: where n is a power of two, every dimension has one point in each of n equal intervals. So a mean over the points is
// unbiased, and for a smooth function its standard error falls nearly as n^-1.5 instead of n^-0.5 (Owen 1997, "Scrambled Net Variance for
// Integrals of Smooth Functions", Annals of Statistics 25(4)); the error is estimated from several seeds. Dropping the first point, or
// taking other numbers of points than powers of two, loses that rate (Owen 2022, "On Dropping the First Sobol' Point").
// n is 1 to [MaxPoints] and d is 1 to [MaxDimensions].
func Sobol(n, d int, seed uint64) ([][]float64, error) {
	return sobol(n, d, func(j int, x uint32) float64 { return scrambled(x, key(seed, scrambling, j)) })
}

// sobol gives the value of each coordinate by its dimension and its first 32 binary digits.
func sobol(n, d int, value func(dimension int, x uint32) float64) ([][]float64, error) {
	if err := cmp.Or(within("points", n, 1, MaxPoints), within("dimensions", d, 1, MaxDimensions)); err != nil {
		return nil, err
	}
	points, x, direction := rows[float64](n, d), make([]uint32, d), directions()
	for i, point := range points {
		for j := range point {
			if i > 0 { // neighbours in Gray-code order differ by one direction number
				x[j] ^= direction[j][bits.TrailingZeros(uint(i))]
			}
			point[j] = value(j, x[j])
		}
	}
	return points, nil
}

// scrambled is the number in [0, 1) with the digits of x, each flipped or not by a coin of its own for every string of
// digits before it: a coin for each node of the binary tree, which is Owen's scrambling in base 2. The coins are bits of
// a hash of the node's number, so that none is stored. Below the 32 digits of x every point has nodes to itself, whose
// coins are the last 21 of the 53 digits.
func scrambled(x uint32, key uint64) float64 {
	coins := func(node uint64) uint64 { return hash(key + golden*node) }
	y := uint64(x)
	for k := range 32 {
		node := 1<<k | uint64(x)>>(32-k) // level k of the tree has the numbers 2^k to 2^(k+1)-1
		y ^= coins(node) >> 63 << (31 - k)
	}
	below := coins(1<<32|uint64(x)) >> (64 - 21)
	return float64(y<<21|below) / (1 << 53)
}

//go:embed directions.txt
var directionsText string

// directions are the direction numbers of each dimension, the k-th for the digit k of the point's number.
var directions = sync.OnceValue(func() [][32]uint32 {
	of := make([][32]uint32, 0, MaxDimensions)
	var first [32]uint32
	for k := range first {
		first[k] = 1 << (31 - k)
	}
	of = append(of, first)
	for line := range strings.Lines(directionsText) {
		if !strings.HasPrefix(line, "#") {
			of = append(of, directionsOf(line))
		}
	}
	if len(of) != MaxDimensions {
		panic(fmt.Sprintf("sampling: direction numbers of %d dimensions", len(of)))
	}
	return of
})

// directionsOf extends a row "dimension s a m_1 … m_s" to 32 digits by the recurrence of the polynomial (Joe and Kuo 2008,
// section 2).
func directionsOf(row string) (v [32]uint32) {
	var fields []int
	for _, f := range strings.Fields(row) {
		x, err := strconv.Atoi(f)
		if err != nil {
			panic("sampling: direction numbers: " + err.Error())
		}
		fields = append(fields, x)
	}
	s, a, m := fields[1], fields[2], fields[3:]
	for k := range v {
		if k < s {
			v[k] = uint32(m[k]) << (31 - k)
			continue
		}
		v[k] = v[k-s] ^ v[k-s]>>s
		for i := 1; i < s; i++ {
			if a>>(s-1-i)&1 == 1 {
				v[k] ^= v[k-i]
			}
		}
	}
	return v
}

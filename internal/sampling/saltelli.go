package sampling

import (
	"cmp"
	"fmt"
)

// Saltelli is the design for Sobol' indices of d factors (Saltelli, Annoni, Azzini, Campolongo, Ratto and Tarantola 2010,
// "Variance Based Sensitivity Analysis of Model Output. Design and Estimator for the Total Sensitivity Index", Comput.
// Phys. Commun. 181(2)). A point of the scrambled sequence of [Sobol] in 2d dimensions gives two points of d: A,
// its first half, and B, its second. AB_j is A with factor j from B, and BA_j is B with factor j from A. The rows are,
// for each of the n points in turn,
//
//	A, AB_1 … AB_d, B              n(d+2) rows, for first-order and total indices
//	A, AB_1 … AB_d, BA_1 … BA_d, B n(2d+2) rows, if second: for those of pairs too (Saltelli 2002, CPC 145)
//
// which is the order of SALib. n is a power of two, so that A and B keep the balance of the sequence; d is 1 to half of
// [MaxDimensions], and there are at most [MaxPoints] rows.
func Saltelli(n, d int, second bool, seed uint64) ([][]float64, error) {
	if err := within("dimensions", d, 1, MaxDimensions/2); err != nil {
		return nil, err
	}
	block := SaltelliBlock(d, second)
	if err := cmp.Or(within("base points", n, 1, MaxPoints/block), powerOfTwo("base points", n)); err != nil {
		return nil, err
	}
	base, err := Sobol(n, 2*d, seed)
	if err != nil {
		return nil, err
	}
	points := rows[float64](n*block, d)
	for i, both := range base {
		a, b, to := both[:d], both[d:], points[i*block:(i+1)*block]
		copy(to[0], a)
		copy(to[block-1], b)
		for j := range d {
			swapped(to[1+j], a, b, j)
			if second {
				swapped(to[1+d+j], b, a, j)
			}
		}
	}
	return points, nil
}

// SaltelliBlock is the number of rows that [Saltelli] has for each base point: d+2, or 2d+2 with those of second order.
func SaltelliBlock(d int, second bool) int {
	if second {
		return 2*d + 2
	}
	return d + 2
}

// swapped puts into point the values of one, but for that of factor j, which is the other's.
func swapped(point, one, other []float64, j int) {
	copy(point, one)
	point[j] = other[j]
}

func powerOfTwo(name string, n int) error {
	if n > 0 && n&(n-1) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d is not a power of two", name, n)
}

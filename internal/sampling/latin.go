package sampling

import "cmp"

// LatinHypercube is n points of [0, 1)^d of which each dimension has exactly one in each of the n intervals [k/n, (k+1)/n),
// uniform within it and matched at random with those of the other dimensions (McKay, Beckman and Conover 1979, "A
// Comparison of Three Methods for Selecting Values of Input Variables in the Analysis of Output from a Computer Code",
// Technometrics 21(2)). Unlike those of [Sobol], any number of points is as good; pairs of dimensions are covered no
// better than by random points. n is 1 to [MaxPoints] and d is 1 to [MaxDimensions].
func LatinHypercube(n, d int, seed uint64) ([][]float64, error) {
	if err := cmp.Or(within("points", n, 1, MaxPoints), within("dimensions", d, 1, MaxDimensions)); err != nil {
		return nil, err
	}
	points := rows[float64](n, d)
	for j := range d {
		r := stream(seed, strata, j)
		for i, stratum := range r.Perm(n) {
			points[i][j] = (float64(stratum) + unit(r)) / float64(n)
		}
	}
	return points, nil
}

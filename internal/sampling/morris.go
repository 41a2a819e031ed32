package sampling

import (
	"cmp"
	"fmt"
)

const (
	MorrisLevels    = 4    // the number of levels that is usual
	maxMorrisLevels = 1024 // far more than a grid needs
)

// Morris is the design for elementary effects (Morris 1991, "Factorial Sampling Plans for Preliminary Computational
// Experiments", Technometrics 33(2)): r trajectories of d+1 points, one after the other, on the grid 0,
// 1/(levels-1) … 1 of the closed unit cube. From one point of a trajectory to the next one factor moves, up or down by
//
//	levels / (2 (levels - 1))
//
// and every factor moves once, in random order. The start is random, so that a
// factor's move is each of the levels/2 steps of that length, up or down, with the same chance. levels is even, 2 to
// 1024 ([MorrisLevels] is usual); r is at least 1, d is 1 to [MaxDimensions], and r(d+1) at most [MaxPoints].
func Morris(r, d, levels int, seed uint64) ([][]float64, error) {
	err := cmp.Or(within("dimensions", d, 1, MaxDimensions), within("levels", levels, 2, maxMorrisLevels))
	if err == nil && levels%2 != 0 {
		err = fmt.Errorf("levels: %d is odd; take an even number", levels)
	}
	if err == nil {
		err = within("trajectories", r, 1, MaxPoints/(d+1))
	}
	if err != nil {
		return nil, err
	}
	points, at := rows[float64](r*(d+1), d), make([]int, d)
	for t := range r {
		random, trajectory := stream(seed, trajectories, t), points[t*(d+1):(t+1)*(d+1)]
		for j := range at {
			at[j] = random.IntN(levels)
		}
		toUnit(trajectory[0], at, levels)
		for step, j := range random.Perm(d) {
			at[j] = (at[j] + levels/2) % levels // half the levels on: down from the upper half
			toUnit(trajectory[step+1], at, levels)
		}
	}
	return points, nil
}

func toUnit(point []float64, at []int, levels int) {
	for j, level := range at {
		point[j] = float64(level) / float64(levels-1)
	}
}

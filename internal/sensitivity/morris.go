package sensitivity

import (
	"fmt"
	"math"

	"econ-mcp/internal/stats"
)

// Effect is what one factor does, in the unit of the output for the whole range of the factor.
type Effect struct {
	Mean    float64  // μ: effects of both signs cancel
	MeanAbs Estimate // μ*: how much the factor matters
	StdDev  float64  // σ, with denominator r-1: how much its effect depends on where it and the others are
}

// Morris gives the elementary effects of the factors from r trajectories of d+1 points of the unit cube, one after the other, in
// each of which every factor changes in one step alone: the difference of the outputs of a step over the difference of its points
// (Morris 1991, "Factorial Sampling Plans for Preliminary Computational Experiments", Technometrics 33(2); μ* of Campolongo,
// Cariboni and Saltelli 2007, "An effective screening design for sensitivity analysis of large models", Environmental Modelling &
// Software 22(10)). The interval of μ* is from percentiles of bootstrap samples of whole trajectories. With noise in the outputs,
// μ* is not 0 for a factor that does nothing: add such a factor to the design to see its level.
//
// It is an error where there are fewer than two trajectories, a step changes no factor, more than one or one again, a
// coordinate is outside of 0 to 1, or outputs are not finite or do not vary.
func Morris(points [][]float64, outputs []float64, o Options) ([]Effect, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkPoints(points, outputs); err != nil {
		return nil, err
	}
	if err := checkOutputs(outputs); err != nil {
		return nil, err
	}
	d := len(points[0])
	r := len(points) / (d + 1)
	if len(points)%(d+1) != 0 || r < 2 {
		return nil, fmt.Errorf("%d points of %d factors; expected at least 2 trajectories of %d points each", len(points), d, d+1)
	}
	effects := make([][]float64, d) // by factor and trajectory
	for first := 0; first < len(points); first += d + 1 {
		if err := trajectory(points, outputs, first, effects); err != nil {
			return nil, err
		}
	}
	sizes := o.estimates(r, func(weights []float64) []float64 {
		out := make([]float64, d)
		for i, list := range effects {
			for t, e := range list {
				out[i] += weights[t] * math.Abs(e) / float64(r)
			}
		}
		return out
	})
	list := make([]Effect, d)
	for i, e := range effects {
		list[i] = Effect{Mean: stats.Mean(e), MeanAbs: sizes[i], StdDev: stats.StdDev(e)}
	}
	return list, nil
}

// trajectory appends the effects of the trajectory that begins in row first.
func trajectory(points [][]float64, outputs []float64, first int, effects [][]float64) error {
	before := len(effects[0])
	for i := range effects {
		before = min(before, len(effects[i]))
	}
	for row := first; row <= first+len(effects); row++ {
		for k, x := range points[row] {
			if !(0 <= x && x <= 1) {
				return fmt.Errorf("points[%d][%d] is %g; expected points of the unit cube", row, k, x)
			}
		}
		if row == first {
			continue
		}
		i, err := changed(points[row-1], points[row])
		if err != nil {
			return fmt.Errorf("from points[%d] to points[%d] %w; expected a step of one factor", row-1, row, err)
		}
		if len(effects[i]) > before {
			return fmt.Errorf("points[%d] changes factor %d again; expected one step of each factor in a trajectory", row, i)
		}
		effects[i] = append(effects[i], (outputs[row]-outputs[row-1])/(points[row][i]-points[row-1][i]))
	}
	return nil
}

// changed is the one coordinate that differs.
func changed(from, to []float64) (factor int, err error) {
	factor = -1
	for i := range from {
		switch {
		case from[i] == to[i]:
		case factor >= 0:
			return 0, fmt.Errorf("factors %d and %d change", factor, i)
		default:
			factor = i
		}
	}
	if factor < 0 {
		return 0, fmt.Errorf("no factor changes")
	}
	return factor, nil
}

package estimation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/stats"
)

// jacobian has the derivatives of the moments that count, in standard deviations of their targets, by the places of
// the parameters within their ranges.
type jacobian struct {
	slope [][]float64 // by moment and parameter
	noise [][]float64 // their standard errors over replications
}

// jacobian moves each parameter alone, on the same seeds.
func (e *Estimation) jacobian(ctx context.Context, what string, at *candidate) (*jacobian, error) {
	distance, _ := residuals(at.moments)
	j := &jacobian{make([][]float64, len(distance)), make([][]float64, len(distance))}
	for i := range distance {
		j.slope[i], j.noise[i] = make([]float64, len(at.x)), make([]float64, len(at.x))
	}
	for k, p := range e.Targets.Parameters {
		x := slices.Clone(at.x)
		if x[k] += e.Targets.Step; x[k] > 1 {
			x[k] = at.x[k] - e.Targets.Step
		}
		moved, err := e.try(ctx, fmt.Sprintf("%s, derivative of %s", what, p.Name), x)
		if err != nil {
			return nil, err
		}
		i := 0
		for n := range moved.moments { // none where the economy breaks: the derivatives are 0
			m, from := &moved.moments[n], &at.moments[n]
			if m.Weight == 0 {
				continue
			}
			j.slope[i][k], j.noise[i][k] = derivative(m, from, x[k]-at.x[k])
			i++
		}
	}
	return j, nil
}

// derivative is the mean over replications of the change of a moment, and its standard error; 0 where it is not
// defined.
func derivative(m, from *Moment, step float64) (slope, noise float64) {
	after, before := stats.DefinedPairs(m.Values, from.Values)
	change := stats.Differences(before, after)
	for i := range change {
		change[i] /= m.SD * step
	}
	if len(change) < 2 {
		return 0, 0
	}
	return stats.Mean(change), stats.StdDev(change) / math.Sqrt(float64(len(change)))
}

// signal says how much of a parameter's derivatives is more than chance: the root mean square of derivatives over
// their standard errors. Where the parameter does nothing it is about 1 with many replications, 1.3 with six. Counts
// that change by as much in all replications have no error, and are left out.
func (j *jacobian) signal(k int) float64 {
	sum, n := 0., 0
	for i := range j.slope {
		if j.noise[i][k] > 1e-9*math.Abs(j.slope[i][k]) {
			t := j.slope[i][k] / j.noise[i][k]
			sum, n = sum+t*t, n+1
		}
	}
	return math.Sqrt(sum / float64(n))
}

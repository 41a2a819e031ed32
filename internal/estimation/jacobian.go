package estimation

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
)

// jacobian has the derivatives of the moments that count, in standard deviations of their targets, by the places of
// the parameters within their ranges.
type jacobian struct {
	slope [][]float64 // by moment and parameter
	noise [][]float64 // their standard errors over replications, as if runs of a design shared no luck
}

// designRuns is how many economies a design of so many parameters has: a power of two, more than there are parameters.
func designRuns(parameters int) int { return 1 << bits.Len(uint(parameters)) }

// isHigh says whether parameter k is at its high level in a run. Each is as often high as low, and no two go together:
// columns of Sylvester's Hadamard matrix (Plackett and Burman 1946, Biometrika 33(4)).
func isHigh(run, k int) bool { return bits.OnesCount(uint(run&(k+1)))%2 == 1 }

// designRow is a run of a design as a row of its linear model: 1, and the level of each parameter, -1 or 1.
func designRow(run, parameters int) []float64 {
	row := []float64{1}
	for k := range parameters {
		level := -1.
		if isHigh(run, k) {
			level = 1
		}
		row = append(row, level)
	}
	return row
}

// jacobian moves all parameters at once, up and down by the design, on the same seeds: every economy tells something
// of every parameter, so that slopes have the noise of all runs together and not that of one. Economies that cannot be
// simulated to the end are left out. What pairs of parameters do together is not told from the slopes of others.
func (e *Estimation) jacobian(ctx context.Context, what string, at *candidate) (*jacobian, error) {
	n, step := len(at.x), e.Targets.Step
	x := make([]float64, n)
	var rows [][]float64 // 1 and the levels, of the runs that ended well
	var seen [][]Moment
	for run := range designRuns(n) {
		row := designRow(run, n)
		for k := range n {
			x[k] = min(max(at.x[k], step), 1-step) + row[k+1]*step
		}
		moved, err := e.measured(ctx, fmt.Sprintf("%s, run %d of the design", what, run+1), x, e.Targets.DesignReplications)
		if err != nil {
			return nil, err
		}
		if moved.moments != nil {
			rows, seen = append(rows, row), append(seen, moved.moments)
		}
	}
	if len(rows) <= n {
		return nil, fault.New(fault.LimitExceeded, "step",
			"of %d economies of the design %d can be simulated to the end: too few for %d parameters", designRuns(n), len(rows), n).
			WithHint("choose a smaller step, or narrower ranges")
	}
	j := &jacobian{}
	for i := range at.moments {
		if at.moments[i].Weight == 0 {
			continue
		}
		y, variance := make([]float64, len(seen)), 0.
		common := commonLuck(seen, i)
		for run := range seen {
			values := stats.Defined(less(seen[run][i].Values, common))
			y[run] = seen[run][i].Mean() / at.moments[i].SD
			if len(values) > 1 {
				sd := stats.StdDev(values) / at.moments[i].SD
				variance += sd * sd / float64(len(values))
			}
		}
		slope, noise := slopes(rows, y, n), make([]float64, n)
		for k := range slope {
			slope[k] /= step
			noise[k] = math.Sqrt(variance) / float64(max(len(seen), 1)) / step
		}
		j.slope, j.noise = append(j.slope, slope), append(j.noise, noise)
	}
	return j, nil
}

// commonLuck is what all runs share in each replication, as they have the same seeds: the mean of a moment over the runs.
// It is no noise of the slopes.
func commonLuck(seen [][]Moment, i int) []float64 {
	var common []float64
	for r := range seen[0][i].Values {
		var values []float64
		for run := range seen {
			values = append(values, seen[run][i].Values[r])
		}
		common = append(common, stats.DefinedMean(values))
	}
	return common
}

func less(x, y []float64) []float64 {
	difference := make([]float64, len(x))
	for i := range x {
		difference[i] = x[i] - y[i]
	}
	return difference
}

// slopes are those of a linear model of y by ordinary least squares; 0 where no run has a value. A value
// that a run does not have counts as the mean.
func slopes(rows [][]float64, y []float64, n int) []float64 {
	slope, usual := make([]float64, n), stats.DefinedMean(y)
	if math.IsNaN(usual) {
		return slope
	}
	design, values := mat.NewDense(len(rows), n+1, nil), mat.NewVecDense(len(rows), nil)
	for run, row := range rows {
		design.SetRow(run, row)
		if values.SetVec(run, y[run]); math.IsNaN(y[run]) {
			values.SetVec(run, usual)
		}
	}
	var qr mat.QR
	var fit mat.VecDense
	qr.Factorize(design)
	if qr.SolveVecTo(&fit, false, values) != nil {
		return slope
	}
	for k := range n {
		slope[k] = fit.AtVec(k + 1)
	}
	return slope
}

// signal says how much of a parameter's derivatives is more than chance: the root mean square of derivatives over
// their standard errors. Where the parameter does nothing it is about 1. Counts that are the same in all replications
// have no error, and are left out.
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

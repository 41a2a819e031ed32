package sensitivity

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"econ-mcp/internal/stats"
)

// Options are those of the intervals and of the dummy. The zero value is ready to use.
type Options struct {
	Resamples  int     // bootstrap samples, and permutations of the dummy of PAWN and Delta; 0 = 1000, of Delta 100
	Confidence float64 // of the intervals, a share strictly between 0 and 1; 0 = 0.95
	Seed       uint64

	// Block is how many consecutive rows were drawn together, d+2 or 2d+2 in Saltelli's design and d+1 in Morris's; 0 = 1, for
	// rows that are independent. Read by PAWN and Delta.
	Block int

	// Noise is the variance of the output between runs of one point, in its unit squared. It is 0 for a deterministic output,
	// and where the runs of one base point share their random draws. Read by Sobol, for the total index of the dummy.
	Noise float64
}

func (o Options) withDefaults() (Options, error) {
	if o.Resamples == 0 {
		o.Resamples = 1000
	}
	if o.Confidence == 0 {
		o.Confidence = .95
	}
	if o.Block == 0 {
		o.Block = 1
	}
	switch {
	case o.Resamples < 2:
		return o, fmt.Errorf("%d resamples; an interval needs 2, and 1000 are usual", o.Resamples)
	case !(0 < o.Confidence && o.Confidence < 1):
		return o, fmt.Errorf("confidence %g; expected a share between 0 and 1, such as 0.95", o.Confidence)
	case o.Block < 0:
		return o, fmt.Errorf("blocks of %d rows; expected 0 or more", o.Block)
	case !(0 <= o.Noise && o.Noise <= math.MaxFloat64):
		return o, fmt.Errorf("noise variance %g; expected 0 or more", o.Noise)
	}
	return o, nil
}

// Estimate is an index and its bootstrap interval.
type Estimate struct{ Value, Low, High float64 }

// Index is an estimate that is held against the same index of a dummy, a factor that changes nothing.
type Index struct {
	Estimate
	AboveDummy bool // false where the index cannot be told from numerical noise
}

// estimates returns the statistics of n units and their percentile intervals from bootstrap samples (Efron and Tibshirani 1993,
// An Introduction to the Bootstrap, section 13.3). It is nil where the units have no statistics.
func (o Options) estimates(n int, statistics func(weights []float64) []float64) []Estimate {
	values, draws := o.bootstrap(n, statistics)
	list := make([]Estimate, len(values))
	for k, value := range values {
		low, high := o.percentiles(draws[k])
		list[k] = Estimate{value, low, high}
	}
	return list
}

// bootstrap returns the statistics of n units, each of which has weight 1, and by statistic those of samples of n units with
// replacement, in which the weight of a unit is how often it was drawn. Samples without statistics are left out.
func (o Options) bootstrap(n int, statistics func(weights []float64) []float64) (values []float64, draws [][]float64) {
	weights := slices.Repeat([]float64{1}, n)
	values = statistics(weights)
	draws = make([][]float64, len(values))
	random := rand.New(rand.NewPCG(o.Seed, 1))
	for range o.Resamples {
		clear(weights)
		for range n {
			weights[random.IntN(n)]++
		}
		for k, x := range statistics(weights) {
			draws[k] = append(draws[k], x)
		}
	}
	return values, draws
}

// percentiles sorts the draws and returns the bounds between which the share Confidence of them lies.
func (o Options) percentiles(draws []float64) (low, high float64) {
	slices.Sort(draws)
	tail := (1 - o.Confidence) / 2
	return stats.Quantile(draws, tail), stats.Quantile(draws, 1-tail)
}

// checkOutputs is an error where an output is not finite, or where they vary by no more than rounding.
func checkOutputs(y []float64) error {
	if err := checkFinite(y); err != nil {
		return err
	}
	low, high := slices.Min(y), slices.Max(y)
	if high-low <= 1e-13*max(math.Abs(low), math.Abs(high)) {
		return fmt.Errorf("all %d outputs are %g; a sensitivity needs outputs that vary", len(y), y[0])
	}
	return nil
}

func checkFinite(y []float64) error {
	if len(y) == 0 {
		return errors.New("no outputs; expected one for each row of the design")
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("outputs[%d] is %g; every row of the design needs a finite output", i, v)
		}
	}
	return nil
}

// checkPoints is an error where the points are no table of finite coordinates with a row for each output.
func checkPoints(points [][]float64, outputs []float64) error {
	if len(points) != len(outputs) {
		return fmt.Errorf("%d outputs for %d points; expected one for each", len(outputs), len(points))
	}
	if len(points) == 0 || len(points[0]) == 0 {
		return errors.New("no points; expected rows of at least one coordinate")
	}
	for i, p := range points {
		if len(p) != len(points[0]) {
			return fmt.Errorf("points[%d] has %d coordinates; expected %d as in points[0]", i, len(p), len(points[0]))
		}
		for k, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("points[%d][%d] is %g; expected a finite coordinate", i, k, x)
			}
		}
	}
	return nil
}

func checkBlocks(rows, block int) error {
	if rows%block != 0 || rows < 2*block {
		return fmt.Errorf("%d rows in blocks of %d; expected at least 2 whole blocks", rows, block)
	}
	return nil
}

// runs are labels of consecutive rows, split where a new block begins.
type runs[T any] [][]T

func runsOf[T any](labels []T, rows []int, block int) (list runs[T]) {
	start := 0
	for i := range rows {
		if i+1 == len(rows) || rows[i+1]/block != rows[i]/block {
			list = append(list, labels[start:i+1])
			start = i + 1
		}
	}
	return list
}

// shuffle puts the runs one after the other in random order, each of them as it was: what labels of the same blocks look like
// that have nothing to do with the rows.
func (r runs[T]) shuffle(into []T, random *rand.Rand) {
	random.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	at := 0
	for _, run := range r {
		at += copy(into[at:], run)
	}
}

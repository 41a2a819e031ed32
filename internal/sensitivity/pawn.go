package sensitivity

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"econ-mcp/internal/stats"
)

// Distance is how far the distribution of the output moves where a factor is known: Kolmogorov–Smirnov distances between 0 and 1,
// summed up over slices of the factor.
type Distance struct {
	Median, Max Index // the maximum is for screening: a factor may matter in one slice alone

	DummyMedian, DummyMax Estimate // of permutations of the factor: their median and the interval of their distribution
}

// PAWN gives the indices of Pianosi and Wagener (2018, "Distribution-based sensitivity analysis from a generic input-output
// sample", Environmental Modelling & Software 108, section 2.2) from any sample. Each factor is cut into slices of equally many
// points, and the index is the median and the maximum over slices of
//
//	KS = max over y of |F(y) - F(y | slice)|
//
// with the distribution of all outputs and of those in the slice. It needs no variance, and so fits skewed outputs and such with
// several modes. Equal coordinates stay in one slice, so that a factor with few values has fewer slices; number = 0 stands for 10.
//
// Even a factor that changes nothing has positive distances, the more so the fewer points a slice has. What they are is seen in
// permutations of the factor, which are the dummy (after Khorashadi Zadeh et al. 2017, Environmental Modelling & Software 91). An
// index is above the dummy where it lies above the dummy's interval: by chance this happens with probability (1 - Confidence) / 2.
// With [Options.Block], blocks are permuted and drawn as a whole.
//
// The intervals are percentiles of bootstrap samples of the points in the same slices. Sampling makes small distances larger, and
// sampling once more does so again; the mean of that second excess is taken off. So they are intervals of the index that samples of
// this size have on average, which is to be held against the dummy, and not against 0. Nominal 95 % intervals cover it in 92 to 100 %
// of samples of 300 and 1000 points of Ishigami's function with 10 slices, and in 76 % where the median lies in a gap between slices.
//
// It is an error where there are fewer than 2 slices or fewer than 2 points for each, a factor has only one value, or outputs are
// not finite or do not vary.
func PAWN(points [][]float64, outputs []float64, number int, o Options) ([]Distance, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if number == 0 {
		number = 10
	}
	if err := checkSample(points, outputs, number, o.Block); err != nil {
		return nil, err
	}
	output := newRanked(outputs)
	list := make([]Distance, len(points[0]))
	for i := range list {
		labels, count := cut(column(points, i), number)
		if count < 2 {
			return nil, fmt.Errorf("factor %d is %g in all points; expected one that varies", i, points[0][i])
		}
		factor := sliced{output, labels, count}
		list[i] = factor.distance(o)
	}
	return list, nil
}

func checkSample(points [][]float64, outputs []float64, number, block int) error {
	if err := checkPoints(points, outputs); err != nil {
		return err
	}
	if err := checkOutputs(outputs); err != nil {
		return err
	}
	if number < 2 || len(points) < 2*number {
		return fmt.Errorf("%d slices of %d points; expected at least 2 slices, with 2 points each", number, len(points))
	}
	return checkBlocks(len(points), block)
}

func column(points [][]float64, i int) []float64 {
	x := make([]float64, len(points))
	for row, p := range points {
		x[row] = p[i]
	}
	return x
}

// cut puts ascending values into slices of equally many, and equal ones into one; labels are the slices of x, from 0.
func cut(x []float64, number int) (labels []int, count int) {
	order := ascending(x)
	labels = make([]int, len(x))
	for k := range number {
		from, to := k*len(x)/number, (k+1)*len(x)/number
		for _, row := range order[from:to] {
			labels[row] = k
		}
	}
	last := -1 // the slice as it was cut of the value before
	for at, row := range order {
		switch {
		case at > 0 && x[row] == x[order[at-1]]:
			labels[row] = count - 1
			continue
		case labels[row] != last:
			last = labels[row]
			count++
		}
		labels[row] = count - 1
	}
	return labels, count
}

// ascending are the rows in the order of their values; equal ones stay in order.
func ascending(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}

// ranked are outputs in ascending order.
type ranked struct {
	order []int // the rows
	ties  []int // the first place of each distinct output, and the number of all
}

func newRanked(y []float64) ranked {
	r := ranked{order: ascending(y)}
	for at, row := range r.order {
		if at == 0 || y[row] != y[r.order[at-1]] {
			r.ties = append(r.ties, at)
		}
	}
	r.ties = append(r.ties, len(y))
	return r
}

// sliced is an output with the slices of one factor.
type sliced struct {
	ranked
	labels []int
	count  int
}

func (s sliced) distance(o Options) Distance {
	values, draws := o.bootstrap(len(s.labels)/o.Block, func(weights []float64) []float64 {
		return s.index(s.labels, repeated(weights, o.Block))
	})
	var indices, dummies [2]Estimate
	chance := s.permutations(o)
	for k, value := range values {
		excess := stats.Mean(draws[k]) - value
		low, high := o.percentiles(draws[k])
		indices[k] = Estimate{value, within(low - excess), within(high - excess)}
		low, high = o.percentiles(chance[k])
		dummies[k] = Estimate{stats.Quantile(chance[k], .5), low, high}
	}
	return Distance{
		Median: Index{indices[0], indices[0].Value > dummies[0].High}, DummyMedian: dummies[0],
		Max: Index{indices[1], indices[1].Value > dummies[1].High}, DummyMax: dummies[1],
	}
}

// within is the nearest possible distance.
func within(x float64) float64 { return min(max(x, 0), 1) }

// permutations are the indices where the slices have nothing to do with the output.
func (s sliced) permutations(o Options) (draws [2][]float64) {
	random := rand.New(rand.NewPCG(o.Seed, 2))
	rows := make([]int, len(s.labels))
	for i := range rows {
		rows[i] = i
	}
	blocks := runsOf(s.labels, rows, o.Block)
	labels, weights := make([]int, len(rows)), slices.Repeat([]float64{1}, len(rows))
	for range o.Resamples {
		blocks.shuffle(labels, random)
		for k, x := range s.index(labels, weights) {
			draws[k] = append(draws[k], x)
		}
	}
	return draws
}

// index is the median and the maximum of the distances of the slices.
func (s sliced) index(labels []int, weights []float64) []float64 {
	list := s.distances(labels, weights)
	slices.Sort(list)
	return []float64{stats.Quantile(list, .5), list[len(list)-1]}
}

// distances are those of the slices that have weight. A slice's distribution is level between its outputs, so that it is farthest
// from that of all right at one of them or just before.
func (s sliced) distances(labels []int, weights []float64) []float64 {
	share, each := make([]float64, s.count), 1/floats.Sum(weights) // of a unit of weight, in its slice and in all
	for row, w := range weights {
		share[labels[row]] += w
	}
	for k, size := range share {
		share[k] = 1 / size
	}
	below, all, far := make([]float64, s.count), 0.0, make([]float64, s.count)
	compare := func(k int) { far[k] = max(far[k], math.Abs(below[k]*share[k]-all*each)) }
	for t := range len(s.ties) - 1 {
		equal := s.order[s.ties[t]:s.ties[t+1]]
		for _, row := range equal {
			compare(labels[row])
		}
		for _, row := range equal {
			below[labels[row]] += weights[row]
			all += weights[row]
		}
		for _, row := range equal {
			compare(labels[row])
		}
	}
	return slices.DeleteFunc(far, math.IsNaN) // 0 · ∞ without weight
}

// repeated is each of x as often as told.
func repeated(x []float64, times int) []float64 {
	out := make([]float64, 0, len(x)*times)
	for _, v := range x {
		for range times {
			out = append(out, v)
		}
	}
	return out
}

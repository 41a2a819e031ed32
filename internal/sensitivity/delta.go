package sensitivity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/stats"
)

// Shift is how far the density of the output moves where a factor is known.
type Shift struct {
	Delta Index    // between 0, of a factor on which the output does not depend, and 1
	Raw   float64  // without the reduction of its bias
	Dummy Estimate // of permutations of the factor: the median of Raw and the interval of its distribution
}

// Delta gives the moment-independent indices of Borgonovo (2007, "A new uncertainty importance measure", Reliability Engineering &
// System Safety 92, equation 8),
//
//	δ = 1/2 E[ ∫ |f(y) - f(y | x)| dy ],
//
// from any sample. The estimator is that of Plischke, Borgonovo and Smith (2013, "Global sensitivity measures from given data",
// European Journal of Operational Research 226, equation 26), as SALib has it: the factor is cut into classes of equally many points,
// densities are those of Gaussian kernels with the bandwidth of Silverman, on 100 places between the least and the greatest output.
// A class whose outputs are all equal, or as good as equal, is smoothed as all outputs are. classes = 0 stands for their rule,
// n^(2/(7+tanh((1500-n)/500))) and 48 at most; equal coordinates stay in one class, so that a factor with few values has fewer.
//
// Few points look as if any factor moved the density. The bootstrap tells by how much, and twice that is taken off (equation 30): the
// index is 2 δ̂ less the mean of those of samples with replacement, its interval the percentiles of 2 δ̂ less each. An index is above
// the dummy where δ̂ lies above the interval of permutations of the factor, which are biased as it is: by chance this happens with
// probability (1 - Confidence) / 2. With [Options.Block], blocks are permuted and drawn as a whole. Options.Resamples = 0 stands for
// 100 here.
//
// Of more than 16,384 points so many count, in whole blocks drawn at random by Options.Seed: the index, its interval and its dummy are
// theirs, so that the interval is that of 16,384 points and no narrower. Factors are measured side by side, on all cores.
//
// Kernels are made for outputs that vary smoothly. Where many are equal they see next to nothing; [PAWN] does.
//
// It is an error where a factor has only one value, there are fewer than 2 classes or 2 points for each, or outputs are not finite
// or do not vary.
func Delta(points [][]float64, outputs []float64, classes int, o Options) ([]Shift, error) {
	if o.Resamples == 0 {
		o.Resamples = 100
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	given := classes
	if given == 0 {
		classes = usualClasses(len(outputs))
	}
	if err := checkSample(points, outputs, classes, o.Block); err != nil {
		return nil, err
	}
	if len(points) > mostDrawn && o.Block <= mostDrawn/2 {
		points, outputs = drawn(points, outputs, o)
		if given == 0 {
			classes = usualClasses(len(outputs))
		}
		if err := checkSample(points, outputs, classes, o.Block); err != nil {
			return nil, err
		}
	}
	output := newSmoothed(outputs)
	list := make([]Shift, len(points[0]))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range list {
		group.Go(func() error {
			labels, count := cut(column(points, i), classes)
			if count < 2 {
				return fmt.Errorf("factor %d is %g in all points; expected one that varies", i, points[0][i])
			}
			list[i] = output.shift(labels, count, o)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return list, nil
}

// mostDrawn points are enough for indices to two digits; the cost of the bootstrap rises with them.
const mostDrawn = 16384

// drawn are mostDrawn points in whole blocks, in the order in which they stand: the first ones of a factorial design would have only one
// value of some factors.
func drawn(points [][]float64, outputs []float64, o Options) (some [][]float64, y []float64) {
	blocks := rand.New(rand.NewPCG(o.Seed, 5)).Perm(len(points) / o.Block)[:mostDrawn/o.Block]
	slices.Sort(blocks)
	for _, b := range blocks {
		some, y = append(some, points[b*o.Block:(b+1)*o.Block]...), append(y, outputs[b*o.Block:(b+1)*o.Block]...)
	}
	return some, y
}

// usualClasses is the rule of Plischke, Borgonovo and Smith (2013, section 5.1) for n points.
func usualClasses(n int) int {
	power := 2 / (7 + math.Tanh((1500-float64(n))/500))
	return int(math.Round(min(math.Ceil(math.Pow(float64(n), power)), 48)))
}

// densityPlaces is at how many places densities are compared.
const densityPlaces = 100

// smoothed are outputs whose densities are estimated.
type smoothed struct {
	y         []float64
	low, step float64 // of the places
	nodes     int     // 0 = each output is itself; else they are divided among so many places, evenly from least to greatest
}

// Samples of more points than this are divided among as many nodes, which changes no index by more than a millionth and makes its cost
// independent of the points.
const mostKernels = 4096

func newSmoothed(y []float64) smoothed {
	low, high := slices.Min(y), slices.Max(y)
	s := smoothed{y: y, low: low, step: (high - low) / (densityPlaces - 1)}
	if len(y) > mostKernels {
		s.nodes = mostKernels
	}
	return s
}

func (s smoothed) shift(labels []int, count int, o Options) Shift {
	of := newClasses(labels, count)
	values, draws := o.bootstrap(len(labels)/o.Block, func(weights []float64) []float64 {
		return []float64{s.distance(of, repeated(weights, o.Block))}
	})
	raw, reduced := values[0], make([]float64, o.Resamples)
	for k, x := range draws[0] {
		reduced[k] = 2*raw - x
	}
	low, high := o.percentiles(slices.Clone(reduced))

	random := rand.New(rand.NewPCG(o.Seed, 4))
	rows := make([]int, len(labels))
	for i := range rows {
		rows[i] = i
	}
	blocks, permuted, chance := runsOf(labels, rows, o.Block), make([]int, len(rows)), make([]float64, o.Resamples)
	each := slices.Repeat([]float64{1}, len(rows))
	for k := range chance {
		blocks.shuffle(permuted, random)
		chance[k] = s.distance(newClasses(permuted, count), each)
	}
	least, most := o.percentiles(chance)
	return Shift{
		Delta: Index{Estimate{within(stats.Mean(reduced)), within(low), within(high)}, raw > most}, Raw: raw,
		Dummy: Estimate{stats.Quantile(chance, .5), least, most},
	}
}

// classes are rows by class: those of class k end before ends[k], and begin where the class before ends.
type classes struct{ rows, ends []int }

func newClasses(labels []int, count int) classes {
	c := classes{make([]int, len(labels)), make([]int, count)}
	for _, k := range labels {
		c.ends[k]++
	}
	next := make([]int, count)
	for k := 1; k < count; k++ {
		next[k] = c.ends[k-1]
		c.ends[k] += next[k]
	}
	for row, k := range labels {
		c.rows[next[k]] = row
		next[k]++
	}
	return c
}

// distance is half of the mean distance between the density of a class and that of all.
func (s smoothed) distance(of classes, weights []float64) float64 {
	all, total, width := s.density(of.rows, weights, math.NaN())
	sum, from := 0., 0
	for _, to := range of.ends {
		class, size, _ := s.density(of.rows[from:to], weights, width)
		from = to
		if size == 0 {
			continue
		}
		area, before := 0., 0.
		for i, f := range class {
			far := math.Abs(f - all[i])
			if i > 0 {
				area += (before + far) / 2 * s.step
			}
			before = far
		}
		sum += size / total * area / 2
	}
	return sum
}

// equalVariance is up to which variance, in squares of the step between places, outputs are as good as equal: a kernel of that width would
// fall between the places.
const equalVariance = 1e-12

// density is that of the outputs of rows at the places, with their weight n and the bandwidth: Silverman's (1986, Density Estimation,
// equation 4.14), or the given one where they are all equal. Rows without weight have none.
func (s smoothed) density(rows []int, weights []float64, ifEqual float64) (f [densityPlaces]float64, n, width float64) {
	var sum, squares float64
	for _, row := range rows {
		n, sum = n+weights[row], sum+weights[row]*(s.y[row]-s.low)
	}
	if n == 0 {
		return f, 0, ifEqual
	}
	mean := s.low + sum/n
	for _, row := range rows {
		y := s.y[row] - mean
		squares += weights[row] * y * y
	}
	switch variance := squares / (n - 1); { // NaN of a single output
	case !(variance > equalVariance*s.step*s.step) && math.IsNaN(ifEqual): // a sample of one output, in which no factor moves anything
		width = s.step
	case !(variance > equalVariance*s.step*s.step):
		width = ifEqual
	default:
		width = math.Sqrt(variance) * math.Pow(n*3/4, -1./5)
	}
	scale := 1 / (n * width * math.Sqrt(2*math.Pi))
	add := func(y, w float64) { s.addKernel(&f, y, width, w*scale) }
	if s.nodes == 0 {
		for _, row := range rows {
			if w := weights[row]; w > 0 {
				add(s.y[row], w)
			}
		}
		return f, n, width
	}
	nodes := make([]float64, s.nodes+1)
	gap := s.step * (densityPlaces - 1) / float64(s.nodes-1)
	for _, row := range rows { // shared by the two nodes beside it
		if w := weights[row]; w > 0 {
			at := (s.y[row] - s.low) / gap
			k := min(int(at), s.nodes-1)
			nodes[k] += w * (1 - at + float64(k))
			nodes[k+1] += w * (at - float64(k))
		}
	}
	for k, w := range nodes {
		if w > 0 {
			add(s.low+float64(k)*gap, w)
		}
	}
	return f, n, width
}

// addKernel adds weight · exp(-(place - y)²/2h²) at all places, from the one nearest to y outwards: each is the one before times a
// factor that falls by a constant one.
func (s smoothed) addKernel(f *[densityPlaces]float64, y, width, weight float64) {
	at := (y - s.low) / s.step
	near := min(max(int(at+.5), 0), densityPlaces-1)
	u, d := (float64(near)-at)*s.step/width, s.step/width
	centre := weight * math.Exp(-u*u/2)
	fall := math.Exp(-d * d)
	negligible := centre * 1e-18
	f[near] += centre
	for x, factor, i := centre, math.Exp(-u*d-d*d/2), near+1; i < densityPlaces && x > negligible; i++ {
		x *= factor
		factor *= fall
		f[i] += x
	}
	for x, factor, i := centre, math.Exp(u*d-d*d/2), near-1; i >= 0 && x > negligible; i-- {
		x *= factor
		factor *= fall
		f[i] += x
	}
}

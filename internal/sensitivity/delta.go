package sensitivity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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
// A class whose outputs are all equal is smoothed as all outputs are. classes = 0 stands for their rule, n^(2/(7+tanh((1500-n)/500)))
// and 48 at most; equal coordinates stay in one class, so that a factor with few values has fewer.
//
// Few points look as if any factor moved the density. The bootstrap tells by how much, and twice that is taken off (equation 30): the
// index is 2 δ̂ less the mean of those of samples with replacement, its interval the percentiles of 2 δ̂ less each. An index is above
// the dummy where δ̂ lies above the interval of permutations of the factor, which are biased as it is: by chance this happens with
// probability (1 - Confidence) / 2. With [Options.Block], blocks are permuted and drawn as a whole. Options.Resamples = 0 stands for
// 100 here.
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
	if classes == 0 {
		classes = usualClasses(len(outputs))
	}
	if err := checkSample(points, outputs, classes, o.Block); err != nil {
		return nil, err
	}
	output := newSmoothed(outputs)
	list := make([]Shift, len(points[0]))
	for i := range list {
		labels, count := cut(column(points, i), classes)
		if count < 2 {
			return nil, fmt.Errorf("factor %d is %g in all points; expected one that varies", i, points[0][i])
		}
		list[i] = output.shift(labels, count, o)
	}
	return list, nil
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
	values, draws := o.bootstrap(len(labels)/o.Block, func(weights []float64) []float64 {
		return []float64{s.distance(labels, count, repeated(weights, o.Block))}
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
		chance[k] = s.distance(permuted, count, each)
	}
	least, most := o.percentiles(chance)
	return Shift{
		Delta: Index{Estimate{within(stats.Mean(reduced)), within(low), within(high)}, raw > most}, Raw: raw,
		Dummy: Estimate{stats.Quantile(chance, .5), least, most},
	}
}

// distance is half of the mean distance between the density of a class and that of all.
func (s smoothed) distance(labels []int, count int, weights []float64) float64 {
	all, width := s.density(nil, 0, weights, math.NaN())
	sizes := make([]float64, count)
	total := 0.
	for row, w := range weights {
		sizes[labels[row]] += w
		total += w
	}
	sum := 0.
	for k, size := range sizes {
		if size == 0 {
			continue
		}
		class, _ := s.density(labels, k, weights, width)
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

// density is that of the outputs with a label, or of all without labels, at the places, and the bandwidth: Silverman's (1986,
// Density Estimation, equation 4.14), or the given one where they are all equal.
func (s smoothed) density(labels []int, label int, weights []float64, ifEqual float64) (f [densityPlaces]float64, width float64) {
	var n, sum, squares float64
	shift := s.low + s.step*densityPlaces/2 // keeps digits of the squares
	in := func(row int) bool { return weights[row] > 0 && (labels == nil || labels[row] == label) }
	equal, first := true, math.NaN()
	for row, w := range weights {
		if !in(row) {
			continue
		}
		y := s.y[row] - shift
		n, sum, squares = n+w, sum+w*y, squares+w*y*y
		if math.IsNaN(first) {
			first = y
		}
		equal = equal && y == first
	}
	switch variance := (squares - sum*sum/n) / (n - 1); {
	case equal && math.IsNaN(ifEqual): // a sample of one output, in which no factor moves anything
		width = s.step
	case equal:
		width = ifEqual
	default:
		width = math.Sqrt(variance) * math.Pow(n*3/4, -1./5)
	}
	scale := 1 / (n * width * math.Sqrt(2*math.Pi))
	add := func(y, w float64) { s.addKernel(&f, y, width, w*scale) }
	if s.nodes == 0 {
		for row, w := range weights {
			if in(row) {
				add(s.y[row], w)
			}
		}
		return f, width
	}
	nodes := make([]float64, s.nodes+1)
	gap := s.step * (densityPlaces - 1) / float64(s.nodes-1)
	for row, w := range weights { // shared by the two nodes beside it
		if in(row) {
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
	return f, width
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

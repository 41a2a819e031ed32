package bayes

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"econ-mcp/internal/sampling"
)

// Settings say how a posterior is sampled; the zero value is 4 chains of 1,500 draws each.
type Settings struct {
	Chains  int // 0 = 4
	Draws   int // of each chain that are kept; 0 = 1,500
	Every   int // steps between draws that are kept; 0 = 8
	Seed    uint64
	Threads int // 0 = all cores; changes no result
}

// Chains are draws of a posterior.
type Chains struct {
	Draws    [][][]float64 // by chain
	Accepted float64       // share of proposals
	RHat     []float64     // by parameter: see [RHat]
	Bulk     []float64     // effective draws for the middle: see [ESS]
	Tail     []float64     // and for the tails: see [TailESS]
}

// Converged says whether the chains agree by the rules of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021): R̂ below 1.01
// and 100 effective draws a chain.
func (c *Chains) Converged() bool {
	for k := range c.RHat {
		if !(c.RHat[k] < 1.01) || c.Bulk[k] < 100*float64(len(c.Draws)) || c.Tail[k] < 100*float64(len(c.Draws)) {
			return false
		}
	}
	return true
}

// All are the draws of all chains.
func (c *Chains) All() (list [][]float64) { return slices.Concat(c.Draws...) }

const (
	pilot     = 1 << 12 // points of the prior from which chains begin
	archive   = 200     // of them by their likelihood, whose differences are steps
	tuning    = 1500    // steps of which a chain learns its scale, and that are not kept
	acceptAim = .25
	far       = .3 // share of steps that are differences of the archive
)

// Sample draws from the density on the unit cube whose log is given, up to a constant, by a random walk of Metropolis. Steps are
// normal with the covariance of points of the prior that are weighed by the density, or the difference of two of these (so
// that a chain jumps between separate hills); their scales are learnt before the first draw that is kept, and stay (Haario,
// Saksman and Tamminen 2001; ter Braak and Vrugt 2008). The same arguments give the same draws.
func Sample(ctx context.Context, d int, logDensity func(x []float64) float64, s Settings) (*Chains, error) {
	s.Chains, s.Draws, s.Every = defaulted(s.Chains, 4), defaulted(s.Draws, 1500), defaulted(s.Every, 8)
	points, err := sampling.Sobol(pilot, d, s.Seed)
	if err != nil {
		return nil, err
	}
	density := make([]float64, len(points))
	each(len(points), s.Threads, func(i int) {
		if ctx.Err() == nil {
			density[i] = logDensity(points[i])
		}
	})
	random := rand.New(rand.NewPCG(s.Seed, 0x70696c6f74))
	// Twice: where the density is narrow, few points of the prior carry all its weight, and points around these tell its shape.
	drawn := resampled(points, density, random)
	for range 2 {
		root := rootOf(drawn, 1)
		near := make([][]float64, pilot)
		for i := range near {
			near[i] = reflected(stepped(drawn[random.IntN(len(drawn))], root, random))
		}
		value := make([]float64, len(near))
		each(len(near), s.Threads, func(i int) {
			if ctx.Err() == nil {
				value[i] = logDensity(near[i])
			}
		})
		drawn = resampled(near, value, random)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Chains{Draws: make([][][]float64, s.Chains)}
	accepted := make([]float64, s.Chains)
	starts := make([][]float64, s.Chains)
	for c := range starts {
		starts[c] = drawn[random.IntN(len(drawn))]
	}
	root := rootOf(drawn, 1)
	each(s.Chains, s.Threads, func(c int) {
		w := &walk{
			at: starts[c], root: root, archive: drawn, logDensity: logDensity, random: rand.New(rand.NewPCG(s.Seed, uint64(c+1))),
			scale: [2]float64{2.38 / math.Sqrt(float64(d)), 2.38 / math.Sqrt(2*float64(d))},
		}
		out.Draws[c], accepted[c] = w.run(ctx, s.Draws, s.Every)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, a := range accepted {
		out.Accepted += a / float64(s.Chains)
	}
	for k := range d {
		x := make([][]float64, s.Chains)
		for c := range x {
			for _, draw := range out.Draws[c] {
				x[c] = append(x[c], draw[k])
			}
		}
		out.RHat, out.Bulk, out.Tail = append(out.RHat, RHat(x)), append(out.Bulk, ESS(x)), append(out.Tail, TailESS(x))
	}
	return out, nil
}

func defaulted(x, usual int) int {
	if x == 0 {
		return usual
	}
	return x
}

// reflected is a point thrown back into the cube at its faces: in many dimensions hardly any step stays inside by itself.
func reflected(x []float64) []float64 {
	for k, a := range x {
		if a = math.Mod(math.Abs(a), 2); a > 1 {
			a = 2 - a
		}
		x[k] = a
	}
	return x
}

// resampled are points drawn by their density.
func resampled(points [][]float64, logDensity []float64, random *rand.Rand) (drawn [][]float64) {
	highest := slices.Max(logDensity)
	sums, sum := make([]float64, len(points)), 0.
	for i, l := range logDensity {
		if !math.IsNaN(l) && !math.IsInf(highest, -1) {
			sum += math.Exp(l - highest)
		}
		sums[i] = sum
	}
	for range archive {
		if sum == 0 {
			drawn = append(drawn, points[random.IntN(len(points))])
			continue
		}
		i, _ := slices.BinarySearch(sums, sum*random.Float64())
		drawn = append(drawn, points[min(i, len(points)-1)])
	}
	return drawn
}

// walk is a chain.
type walk struct {
	at         []float64
	root       *mat.TriDense
	archive    [][]float64
	scale      [2]float64 // of both kinds of steps
	logDensity func([]float64) float64
	random     *rand.Rand
}

func (w *walk) run(ctx context.Context, draws, every int) (kept [][]float64, accepted float64) {
	now := w.logDensity(w.at)
	tried := 0
	for step := range tuning + draws*every {
		if step%64 == 0 && ctx.Err() != nil {
			return nil, 0
		}
		kind, to := 0, []float64(nil)
		if w.random.Float64() < far {
			kind = 1
			to = w.difference()
		} else {
			to = w.normal()
		}
		rate := 0.
		if inCube(to) {
			there := w.logDensity(to)
			if rate = min(1, math.Exp(there-now)); math.IsNaN(rate) {
				rate = 0
			}
			if w.random.Float64() < rate {
				w.at, now = to, there
			}
		}
		if step < tuning { // Robbins and Monro: towards the rate of acceptance that is wanted
			w.scale[kind] *= math.Exp((rate - acceptAim) / math.Pow(1+float64(step)/10, .6))
			w.scale[kind] = min(max(w.scale[kind], 1e-3), 10)
			continue
		}
		tried++
		accepted += rate
		if (step-tuning)%every == every-1 {
			kept = append(kept, w.at)
		}
	}
	return kept, accepted / float64(tried)
}

func (w *walk) normal() []float64 {
	to, still := stepped(make([]float64, len(w.at)), w.root, w.random), w.at
	for k := range to {
		to[k] = still[k] + w.scale[0]*to[k]
	}
	return to
}

// difference moves by that of two points of the archive, and a little more, so that every place can be reached; now and then by the whole
// of it. The archive does not change, so that steps there and back are equally likely.
func (w *walk) difference() []float64 {
	a, b := w.archive[w.random.IntN(len(w.archive))], w.archive[w.random.IntN(len(w.archive))]
	scale, to := w.scale[1], slices.Clone(w.at)
	if w.random.Float64() < .2 {
		scale = 1
	}
	for k := range to {
		to[k] += scale*(a[k]-b[k]) + 1e-4*w.random.NormFloat64()
	}
	return to
}

package bayes

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"econ-mcp/internal/sampling"
)

// Cutoff is the implausibility from which parameters are ruled out: any distribution with one peak has 95 % of its mass within three
// standard deviations (Pukelsheim 1994, "The Three Sigma Rule", The American Statistician 48(2)).
const Cutoff = 3

// Rule says when a point is ruled out: when the Rank-th largest of its implausibilities is beyond the cut-off. A rank of 2 bears
// with one emulator, or one number of the data, that is off by chance.
type Rule struct {
	Cutoff float64
	Rank   int
}

// of is the implausibility that counts.
func (r Rule) of(implausibility []float64) float64 {
	sorted := slices.SortedFunc(slices.Values(implausibility), func(a, b float64) int { return cmp.Compare(b, a) })
	return sorted[min(r.Rank, len(sorted))-1]
}

// Survey is what history matching found of the cube.
type Survey struct {
	Share     float64     // of the prior that is not ruled out
	Survivors [][]float64 // points that are not, as they were found
	Alone     []float64   // by target: share of the prior that it does not rule out by itself; of the points of the first sample
	Least     []float64   // by target: its least implausibility at any point; beyond the cut-off, after a search for that target alone
	Nearest   []float64   // the point with the least implausibility that counts
	Closest   float64     // that implausibility
	At        []float64   // the implausibilities there, by target
}

// Empty says that no point was found that is not ruled out.
func (s *Survey) Empty() bool { return len(s.Survivors) == 0 }

// Impossible are the targets, by number, that no point meets within the cut-off; with a rank of 2 one of them rules out nothing.
func (s *Survey) Impossible(cutoff float64) (list []int) {
	for i, least := range s.Least {
		if least > cutoff {
			list = append(list, i)
		}
	}
	return list
}

const (
	surveyed = 1 << 13 // points of the first sample
	enough   = 100     // survivors of it, from which its share of them is told
	passed   = .1      // share of a level that goes on to the next
	steps    = 5       // of each chain of a level
	levels   = 12      // at most: a region of 10⁻¹² of the cube is called empty
)

// Survey looks for points that are not ruled out: in a sample of the cube and, where these are few, in levels of falling implausibility,
// each of which is filled from the best of the one before (subset simulation: Au and Beck 2001, Probabilistic Engineering Mechanics
// 16(4)). The result does not depend on threads.
func (p *Problem) Survey(r Rule, d int, seed uint64, threads int) (*Survey, error) {
	points, err := sampling.Sobol(surveyed, d, seed)
	if err != nil {
		return nil, err
	}
	s := &Survey{Alone: make([]float64, len(p.Targets)), Least: slices.Repeat([]float64{math.Inf(1)}, len(p.Targets)), Closest: math.Inf(1)}
	level := p.looked(points, r, threads)
	s.take(level, r)
	for _, v := range level {
		for i, x := range v.all {
			if x <= r.Cutoff {
				s.Alone[i] += 1 / float64(len(level))
			}
		}
	}
	s.Share = 1
	random := rand.New(rand.NewPCG(seed, 0x73757276))
	for n := 0; ; n++ {
		inside := 0
		for _, v := range level {
			if v.counts <= r.Cutoff {
				inside++
			}
		}
		if share := float64(inside) / float64(len(level)); inside >= enough || n == levels {
			s.Share *= share
			break
		}
		slices.SortStableFunc(level, func(a, b viewed) int { return cmp.Compare(a.counts, b.counts) })
		seeds := level[:int(passed*float64(len(level)))]
		bound := seeds[len(seeds)-1].counts
		s.Share *= passed
		level = p.filled(seeds, bound, r, random, threads)
		s.take(level, r)
		if spread(level) < 1e-6 { // the level has shrunk to a point: there is nothing below
			s.Share = 0
			break
		}
	}
	if s.Empty() {
		s.Share = 0
	}
	return s, p.leasts(s, r, d, seed, threads)
}

// leasts looks for each target that no point has met yet by itself: the survey ends where enough points survive, and then nobody has
// searched towards a target that the rule forgives.
func (p *Problem) leasts(s *Survey, r Rule, d int, seed uint64, threads int) error {
	if len(p.Targets) == 1 {
		return nil
	}
	for _, i := range s.Impossible(r.Cutoff) {
		alone, err := p.only(i).Survey(Rule{r.Cutoff, 1}, d, seed, threads)
		if err != nil {
			return err
		}
		s.Least[i] = min(s.Least[i], alone.Closest)
	}
	return nil
}

// only is the problem of a single target.
func (p *Problem) only(i int) *Problem {
	one := &Problem{
		Targets: p.Targets[i : i+1], Emulators: p.Emulators[i : i+1], Observation: mat.NewSymDense(1, []float64{p.Observation.At(i, i)}),
	}
	if p.Chance != nil {
		one.Chance, one.Noise = p.Chance[i:i+1], mat.NewSymDense(1, []float64{1})
	}
	return one
}

// viewed is a point with its implausibilities.
type viewed struct {
	x      []float64
	all    []float64
	counts float64
}

func (p *Problem) looked(points [][]float64, r Rule, threads int) []viewed {
	out := make([]viewed, len(points))
	each(len(points), threads, func(i int) {
		all := p.Implausibility(points[i])
		out[i] = viewed{points[i], all, r.of(all)}
	})
	return out
}

// take notes what points say.
func (s *Survey) take(level []viewed, r Rule) {
	for _, v := range level {
		for i, x := range v.all {
			s.Least[i] = min(s.Least[i], x)
		}
		if v.counts <= r.Cutoff {
			s.Survivors = append(s.Survivors, v.x)
		}
		if v.counts < s.Closest {
			s.Closest, s.Nearest, s.At = v.counts, v.x, v.all
		}
	}
}

// filled is a level below a bound: chains of a random walk from each of its seeds.
func (p *Problem) filled(seeds []viewed, bound float64, r Rule, random *rand.Rand, threads int) (level []viewed) {
	d := len(seeds[0].x)
	x := make([][]float64, len(seeds))
	for i := range seeds {
		x[i] = seeds[i].x
	}
	root := rootOf(x, 2.38/math.Sqrt(float64(d)))
	now := slices.Clone(seeds)
	for len(level) < surveyed {
		for range steps {
			proposed := make([][]float64, len(now))
			for i := range now {
				proposed[i] = stepped(now[i].x, root, random)
			}
			next := make([]viewed, len(now))
			each(len(now), threads, func(i int) {
				next[i] = now[i]
				if inCube(proposed[i]) {
					all := p.Implausibility(proposed[i])
					if counts := r.of(all); counts <= bound {
						next[i] = viewed{proposed[i], all, counts}
					}
				}
			})
			now = next
		}
		level = append(level, now...)
	}
	return level
}

func inCube(x []float64) bool {
	for _, a := range x {
		if !(0 <= a && a <= 1) {
			return false
		}
	}
	return true
}

// stepped is a point moved by a normal step.
func stepped(x []float64, root *mat.TriDense, random *rand.Rand) []float64 {
	z, out := make([]float64, len(x)), slices.Clone(x)
	for k := range z {
		z[k] = random.NormFloat64()
		for l := range k + 1 {
			out[k] += root.At(k, l) * z[l]
		}
	}
	return out
}

// rootOf is the Cholesky factor of the covariance of points, times a scale.
func rootOf(x [][]float64, scale float64) *mat.TriDense {
	d := len(x[0])
	c := mat.NewSymDense(d, nil)
	mean := make([]float64, d)
	for _, p := range x {
		for k := range d {
			mean[k] += p[k] / float64(len(x))
		}
	}
	for k := range d {
		for l := range k + 1 {
			sum := 0.
			for _, p := range x {
				sum += (p[k] - mean[k]) * (p[l] - mean[l])
			}
			c.SetSym(k, l, sum/float64(len(x)))
		}
		c.SetSym(k, k, c.At(k, k)+1e-10)
	}
	root := mat.NewTriDense(d, mat.Lower, nil)
	var chol mat.Cholesky
	if chol.Factorize(c) {
		chol.LTo(root)
	} else {
		for k := range d {
			root.SetTri(k, k, math.Sqrt(c.At(k, k)))
		}
	}
	root.ScaleTri(scale, root)
	return root
}

// spread is the largest range of a coordinate.
func spread(level []viewed) (largest float64) {
	for k := range level[0].x {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range level {
			low, high = min(low, v.x[k]), max(high, v.x[k])
		}
		largest = max(largest, high-low)
	}
	return largest
}

// Spread chooses n of the candidates, each the furthest from those before it and from what is there already (Johnson, Moore and
// Ylvisaker 1990, "Minimax and Maximin Distance Designs", Journal of Statistical Planning and Inference 26(2), one by one). It
// gives fewer where candidates are fewer.
func Spread(candidates, there [][]float64, n int) (chosen [][]float64) {
	distance := make([]float64, len(candidates))
	for i, c := range candidates {
		distance[i] = math.Inf(1)
		for _, x := range there {
			distance[i] = min(distance[i], squared(c, x))
		}
	}
	for len(chosen) < n {
		furthest := -1
		for i := range candidates {
			if distance[i] > 0 && (furthest < 0 || distance[i] > distance[furthest]) {
				furthest = i
			}
		}
		if furthest < 0 {
			break
		}
		at := candidates[furthest]
		chosen = append(chosen, at)
		for i, c := range candidates {
			distance[i] = min(distance[i], squared(c, at))
		}
	}
	return chosen
}

func squared(a, b []float64) (sum float64) {
	for k := range a {
		sum += (a[k] - b[k]) * (a[k] - b[k])
	}
	return sum
}

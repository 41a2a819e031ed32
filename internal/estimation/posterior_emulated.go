package estimation

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/emulator"
	"econ-mcp/internal/stats"
)

// EmulatorFit is how well the emulator of a moment holds, by leaving out each economy.
type EmulatorFit struct {
	Moment    string
	Explained float64 // share of the variance over economies that the others tell
	RMS       float64 // of the residuals, over the standard deviation that the emulator gives them: about 1
	Coverage  float64 // share of economies within their 95 % intervals
	Bad       bool    // intervals were too narrow; they are widened: see [emulator.Check]
	Sets      int     // of parameters that it knows: those of which two replications or more show the moment
	Least     float64 // implausibility of the moment at any set of parameters
	Alone     float64 // share of the prior that the moment does not rule out by itself
}

// emulated are the emulators of the moments that count, of some economies, and what they are held against.
type emulated struct {
	moments []Moment // that count, with the targets
	problem *bayes.Problem
	fits    []EmulatorFit
	points  int
	failed  int
}

// emulated fits the emulators to economies.
func (e *Estimation) emulated(all []*candidate) (*emulated, error) {
	em := &emulated{points: len(all)}
	var ended []*candidate
	for _, c := range all {
		if c.moments == nil {
			em.failed++
			continue
		}
		ended = append(ended, c)
	}
	var counts []int // places of the moments that count
	for i := range ended[0].moments {
		if ended[0].moments[i].Weight > 0 {
			counts, em.moments = append(counts, i), append(em.moments, ended[0].moments[i])
		}
	}
	n := len(counts)
	scaled := make([]Moment, n)
	for j := range scaled {
		scaled[j] = em.moments[j].normal()
	}
	p := &bayes.Problem{Targets: make([]bayes.Target, n), Emulators: make([]bayes.Emulator, n)}
	if e.Targets.Posterior.Observation == Replications {
		p.Chance = make([]bayes.Variance, n)
	}
	em.fits = make([]EmulatorFit, n)
	deviations := make([][][]float64, n)
	known, whole := e.like.places(em.moments, len(all)), e.Targets.whole()
	threads := e.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var tasks errgroup.Group
	tasks.SetLimit(threads)
	for j, i := range counts {
		tasks.Go(func() error {
			m := &scaled[j]
			p.Targets[j] = bayes.Target{Name: m.Name(), Value: m.Target, Discrepancy: e.Targets.Posterior.discrepancy(m), Side: m.side()}
			if known != nil {
				p.Emulators[j], em.fits[j] = e.like.problem.Emulators[known[j]], e.like.fits[known[j]]
				if p.Chance != nil {
					p.Chance[j] = e.like.problem.Chance[known[j]]
				}
				return nil
			}
			gp, chance, deviation, err := e.emulator(ended, i)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name(), err)
			}
			check := gp.Check()
			if check.Bad {
				gp.Inflate(check.Widening)
			}
			em.fits[j] = EmulatorFit{
				Moment: m.Name(), Explained: check.Explained, RMS: check.RMS, Coverage: check.Coverage, Bad: check.Bad, Sets: len(check.Residuals),
			}
			p.Emulators[j], deviations[j] = atValue{gp, whole}, deviation
			if p.Chance != nil && m.Draws != nil { // a band has its own uncertainty
				p.Chance[j] = chanceAtValue{chance, whole}
			}
			return nil
		})
	}
	if err := tasks.Wait(); err != nil {
		return nil, err
	}
	if known != nil {
		p.Noise = mat.NewSymDense(n, nil)
		for j := range n {
			for k := range j + 1 {
				p.Noise.SetSym(j, k, e.like.problem.Noise.At(known[j], known[k]))
			}
		}
	} else {
		p.Noise = correlations(deviations)
	}
	p.Observation = observation(scaled)
	if p.Chance != nil {
		for _, c := range ended {
			p.Freedom += float64(len(c.moments[counts[0]].Values) - 1)
		}
		for j := range p.Chance {
			if p.Chance[j] != nil {
				for k := range n {
					p.Observation.SetSym(j, k, 0)
				}
			}
		}
	}
	em.problem = p
	return em, p.Check()
}

// scale is a function of a moment of which its chance is nearly normal.
type scale func(x float64) float64

// scale of the moment: logs of standard deviations, their ratios and mean unemployment, Fisher's z of correlations (Fisher 1915,
// Biometrika 10(4)); the synthetic likelihood takes what it is given for normal (Wood 2010).
func (m *Moment) scale() scale {
	switch s := m.Statistic; {
	case m.Draws == nil: // a band is told as it is
		return nil
	case strings.HasPrefix(s, "sd "), strings.HasSuffix(s, " sd"), strings.HasSuffix(s, " sd (level)"), s == "u mean":
		return math.Log
	case strings.HasPrefix(s, "corr("), strings.HasPrefix(s, "autocorr "), strings.Contains(s, " autocorr "):
		return math.Atanh
	}
	return nil
}

// normal is the moment on its scale, with the standard deviation that its target has there.
func (m *Moment) normal() Moment {
	to, out := m.scale(), *m
	if to == nil {
		return out
	}
	out.Target = to(m.Target)
	out.Draws, out.Values = make([]float64, len(m.Draws)), make([]float64, len(m.Values))
	for b, x := range m.Draws {
		out.Draws[b] = to(x)
	}
	for r, x := range m.Values {
		out.Values[r] = to(x)
	}
	out.SD = stats.StdDev(stats.Defined(out.Draws))
	return out
}

// places are those of moments among the emulators of as many economies, by name; nil where one is missing.
func (em *emulated) places(moments []Moment, points int) []int {
	if em == nil || em.points != points {
		return nil
	}
	list := make([]int, len(moments))
	for j := range moments {
		name := moments[j].Name()
		if list[j] = slices.IndexFunc(em.moments, func(m Moment) bool { return m.Name() == name }); list[j] < 0 {
			return nil
		}
	}
	return list
}

// atValue is an emulator that is asked at the place of the value that an economy takes: that of a whole number is the same all
// around it.
type atValue struct {
	*emulator.GP
	whole whole
}

// At implements [bayes.Emulator].
func (a atValue) At(x []float64) (mean, variance float64) { return a.GP.At(a.whole.snapped(x)) }

// chanceAtValue is the same of a variance by chance.
type chanceAtValue struct {
	*emulator.Variances
	whole whole
}

// At implements [bayes.Variance].
func (a chanceAtValue) At(x []float64) float64 { return a.Variances.At(a.whole.snapped(x)) }

// side is that from which a band that is open counts.
func (m *Moment) side() bayes.Side {
	switch {
	case math.IsInf(m.High, 1):
		return bayes.Below
	case math.IsInf(m.Low, -1):
		return bayes.Above
	}
	return bayes.Both
}

// valuesAgainst are the values of replications, moved by as much as the target differs from that of another set of parameters:
// recessions of data are dated at the growth of the model.
func (m *Moment) valuesAgainst(target float64) []float64 {
	values := make([]float64, len(m.Values))
	for r, v := range m.Values {
		values[r] = v - (m.Target - target)
	}
	return values
}

// emulator of the i-th moment. With it come the variance of a replication, and by how much replications deviate from the mean of
// their set, in standard deviations: NaN where one does not have the moment.
func (e *Estimation) emulator(ended []*candidate, i int) (*emulator.GP, *emulator.Variances, [][]float64, error) {
	var x, values [][]float64
	var variance, freedom []float64
	deviation := make([][]float64, len(ended))
	first := ended[0].moments[i].normal()
	for k, c := range ended {
		of := c.moments[i].normal()
		all := of.valuesAgainst(first.Target)
		there := stats.Defined(all)
		deviation[k] = make([]float64, len(all))
		for r := range all {
			deviation[k][r] = math.NaN()
		}
		if len(there) < leastReplications {
			continue
		}
		sd := stats.StdDev(there)
		x, values = append(x, c.x), append(values, there)
		variance, freedom = append(variance, sd*sd), append(freedom, float64(len(there)-1))
		for r, v := range all {
			deviation[k][r] = v - stats.Mean(there)
		}
	}
	chance, err := emulator.FitVariances(x, variance, freedom)
	if err != nil {
		return nil, nil, nil, err
	}
	data := emulator.Data{X: x}
	for k, v := range values {
		data.Y = append(data.Y, stats.Mean(v))
		data.Noise = append(data.Noise, chance.At(x[k])/float64(len(v)))
	}
	for k, c := range ended {
		for r := range deviation[k] {
			deviation[k][r] /= math.Sqrt(chance.At(c.x))
		}
	}
	gp, err := emulator.Fit(data, emulator.Settings{Seed: e.Targets.Seed})
	return gp, chance, deviation, err
}

// correlations of moments over replications, from how these deviate, by moment, set and replication.
func correlations(deviations [][][]float64) *mat.SymDense {
	var rows [][]float64
	for k := range deviations[0] {
		for r := range deviations[0][k] {
			row := make([]float64, len(deviations))
			for j := range row {
				row[j] = deviations[j][k][r]
			}
			rows = append(rows, row)
		}
	}
	c, _ := bayes.Shrunk(rows)
	n := c.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for j := range n {
		out.SetSym(j, j, 1)
		for k := range j {
			if scale := math.Sqrt(c.At(j, j) * c.At(k, k)); scale > 0 {
				out.SetSym(j, k, c.At(j, k)/scale)
			}
		}
	}
	return out
}

// observation is the covariance of the targets: of the data's bootstrap, by sample, and of bands that are read as 95 % intervals.
func observation(moments []Moment) *mat.SymDense {
	n := len(moments)
	c := mat.NewSymDense(n, nil)
	samples := map[string][]int{}
	var order []string
	for j := range moments {
		m := &moments[j]
		c.SetSym(j, j, m.SD*m.SD)
		if m.Draws != nil {
			if samples[m.Table] == nil {
				order = append(order, m.Table)
			}
			samples[m.Table] = append(samples[m.Table], j)
		}
	}
	for _, sample := range order {
		places := samples[sample]
		rows := make([][]float64, len(moments[places[0]].Draws))
		for b := range rows {
			for _, j := range places {
				rows[b] = append(rows[b], moments[j].Draws[b])
			}
		}
		of, _ := bayes.Shrunk(rows)
		for a, j := range places {
			for b, k := range places[:a+1] {
				c.SetSym(j, k, of.At(a, b))
			}
		}
	}
	return c
}

// wave surveys the prior.
func (em *emulated) wave(s *PosteriorSettings, seed uint64, threads int) (Wave, error) {
	gp := em.problem
	survey, err := gp.Survey(bayes.Rule{Cutoff: s.Cutoff, Rank: s.Rank}, em.dimensions(), seed, threads)
	if err != nil {
		return Wave{}, err
	}
	w := Wave{Points: em.points, Failed: em.failed, Share: survey.Share, survey: survey}
	for j, f := range em.fits {
		f.Least, f.Alone = survey.Least[j], survey.Alone[j]
		w.Emulators = append(w.Emulators, f)
	}
	for j := range gp.Targets {
		sum, of := 0., survey.Survivors[:min(len(survey.Survivors), 200)]
		for _, x := range of {
			_, own := gp.Emulators[j].At(x)
			other := gp.Observation.At(j, j) + gp.Targets[j].Discrepancy*gp.Targets[j].Discrepancy
			if gp.Chance != nil && gp.Chance[j] != nil {
				other += gp.Chance[j].At(x)
			}
			sum += own / (own + other) / float64(len(of))
		}
		w.Unsure = max(w.Unsure, sum)
	}
	return w, nil
}

func (em *emulated) dimensions() int { return len(em.problem.Emulators[0].(atValue).Lengths) }

package lab

import (
	"context"
	"math"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// tried is a test as comparisons offer it: of a family, for pairs or for independent
// samples.
type tried struct {
	family analysis.Test
	paired bool
}

// triedTests are the columns of the table.
var triedTests = func() (list []tried) {
	for _, paired := range []bool{true, false} {
		for _, family := range analysis.Tests {
			list = append(list, tried{family, paired})
		}
	}
	return list
}()

// measure is a row of the table: something that happens in some experiments, or to some of
// the outcomes of one.
type measure int

const (
	falseCalls measure = iota
	falseVerdictsRomanoWolf
	falseVerdictsHolm
	zeroCovered
	pathCovered
	falseEquivalence
	powerKnown
	powerReal
	realCovered
	realWrong
	numMeasures
)

// The known effect, in standard deviations: of the differences of pairs, or of a sample.
// The margin of equivalence, in standard deviations of the difference of two replications:
// so far from zero that tests of ten can call a difference smaller.
const (
	knownEffect = 1.0
	knownMargin = 1.5
)

// scores are what one experiment says of one test: for each measure the share of the
// outcomes, or 0 or 1 where the experiment counts as a whole. NaN: not measured.
type scores [numMeasures]float64

// placeboTrial is a placebo in the making.
type placeboTrial struct {
	Placebo
	means  []*lives   // by experiment: the outcomes over the window, as a single month
	scores [][]scores // by experiment and test
	calls  [][][]bool // by experiment, test and outcome: whether an effect was called without one
	names  []string   // of the tests

	spread [2][sim.NumIndicators]float64 // standard deviation of differences of pairs, and of a sample
	real   [sim.NumIndicators]realEffect
}

// realEffect is what the policy does to an outcome, over all experiments.
type realEffect struct{ mean, ofPairs, control, treated float64 } // the last three are standard deviations: of differences, and of each side

// Run tries the tests. The same placebo gives the same report on any number of threads.
func (p Placebo) Run(ctx context.Context) (*PlaceboReport, error) {
	p, err := p.checked()
	if err != nil {
		return nil, err
	}
	t := &placeboTrial{
		Placebo: p, means: make([]*lives, p.Experiments),
		scores: make([][]scores, p.Experiments), calls: make([][][]bool, p.Experiments), names: make([]string, len(triedTests)),
	}
	for k := range t.scores {
		t.scores[k], t.calls[k] = make([]scores, len(triedTests)), make([][]bool, len(triedTests))
		for j := range t.scores[k] {
			for m := range t.scores[k][j] {
				t.scores[k][j][m] = math.NaN()
			}
		}
	}
	err = t.each(ctx, "simulated", func(ctx context.Context, k int) error {
		l, err := t.simulate(ctx, k)
		if err != nil {
			return err
		}
		t.means[k] = l.overWindow()
		return t.withoutEffect(k, l)
	})
	if err != nil {
		return nil, err
	}
	t.pool()
	if err := t.each(ctx, "analysed", func(_ context.Context, k int) error { return t.withEffects(k) }); err != nil {
		return nil, err
	}
	return t.report(), nil
}

// control is the one side of every experiment.
func (l *lives) control() side { return side{l.first, l.seeds} }

// other is the other side of an experiment without an effect.
func (l *lives) other(paired bool) side {
	if paired {
		return side{l.second, l.seeds}
	}
	return side{l.apart, l.apartSeeds}
}

// underPolicy is the side with the real effect.
func (l *lives) underPolicy(paired bool) side {
	if paired {
		return side{l.treated, l.seeds}
	}
	return side{l.apartTreated, l.apartSeeds}
}

// side is one side of an experiment.
type side struct {
	panel analysis.Panel
	seeds []uint64
}

// compare is the comparison that a user gets of two sides, of which the outcomes were planned.
func (t tried) compare(a, b side, adjustment analysis.Adjustment, plan analysis.Planned) (analysis.Comparison, error) {
	plan.Test = t.family
	choice := analysis.Choice{Adjustment: adjustment, Plan: &plan}
	control := analysis.StudyArm{Name: "control", Panel: a.panel}
	other := analysis.StudyArm{Name: "treatment", Panel: b.panel}
	if t.paired {
		return analysis.Compare([]*analysis.Study{{Name: "pairs", Seed: a.seeds[0], Seeds: a.seeds, Arms: []analysis.StudyArm{control, other}}}, choice)
	}
	return analysis.Compare([]*analysis.Study{
		{Name: "control", Seed: a.seeds[0], Seeds: a.seeds, Arms: []analysis.StudyArm{control}},
		{Name: "treatment", Seed: b.seeds[0], Seeds: b.seeds, Arms: []analysis.StudyArm{other}},
	}, choice)
}

// withoutEffect judges an A/A experiment by every test. The plan expects a direction, so that
// what is found may be a contradiction too.
func (t *placeboTrial) withoutEffect(k int, l *lives) error {
	plan := analysis.Planned{Expected: map[sim.Indicator]int{analysis.Outcomes[0]: 1}}
	for j, test := range triedTests {
		whole := l
		if test.family != analysis.TestT {
			whole = t.means[k] // the paths are the same for all families
		}
		c, err := test.compare(whole.control(), whole.other(test.paired), analysis.AdjustRomanoWolf, plan)
		if err != nil {
			return err
		}
		s := &t.scores[k][j]
		s[falseCalls] = shareOf(c.Rows, func(r *analysis.ComparisonRow) bool { return called(r, c.Confidence) })
		s[falseVerdictsRomanoWolf] = anyOf(c.Rows, isEffect)
		s[zeroCovered] = shareOf(c.Rows, func(r *analysis.ComparisonRow) bool { return r.CILow <= 0 && 0 <= r.CIHigh })
		if test.family == analysis.TestT {
			s[pathCovered] = shareOf(c.DynamicEffects, holdsZero)
		}
		for i := range c.Rows {
			t.calls[k][j] = append(t.calls[k][j], called(&c.Rows[i], c.Confidence))
		}
		var p []float64
		for i := range c.Rows {
			p = append(p, float64(c.Rows[i].P))
		}
		s[falseVerdictsHolm] = anyOf(stats.Holm(p), func(p *float64) bool { return *p < 1-c.Confidence })
		if k == 0 {
			t.names[j] = c.Rows[0].Test
		}
	}
	return nil
}

// withEffects judges an experiment with the effects by every test.
func (t *placeboTrial) withEffects(k int) error {
	expected := make(map[sim.Indicator]int)
	for _, i := range analysis.Outcomes {
		expected[i] = int(math.Copysign(1, t.real[i].mean))
	}
	l := t.means[k]
	for j, test := range triedTests {
		s, control, other := &t.scores[k][j], l.control(), l.other(test.paired)
		shifted := other.shifted(func(i sim.Indicator) float64 { return knownEffect * t.sd(test, i) })
		c, err := test.compare(control, shifted, analysis.AdjustHolm, analysis.Planned{})
		if err != nil {
			return err
		}
		s[powerKnown] = shareOf(c.Rows, func(r *analysis.ComparisonRow) bool { return called(r, c.Confidence) })

		if c, err = test.compare(control, l.underPolicy(test.paired), analysis.AdjustRomanoWolf, analysis.Planned{Expected: expected}); err != nil {
			return err
		}
		s[powerReal] = shareOf(c.Rows, func(r *analysis.ComparisonRow) bool { return called(r, c.Confidence) })
		s[realWrong] = anyOf(c.Rows, func(r *analysis.ComparisonRow) bool { return r.Verdict == analysis.Contradicted })
		covered := 0
		for n, i := range analysis.Outcomes {
			if r, truth := &c.Rows[n], analysis.Number(t.real[i].mean); r.CILow <= truth && truth <= r.CIHigh {
				covered++
			}
		}
		s[realCovered] = float64(covered) / float64(len(analysis.Outcomes))

		if test.family == analysis.TestT {
			if s[falseEquivalence], err = t.equivalent(test, control, other); err != nil {
				return err
			}
		}
	}
	return nil
}

// equivalent is the share of outcomes in which a difference as large as the smallest effect of
// interest is called smaller, each planned alone.
func (t *placeboTrial) equivalent(test tried, control, other side) (float64, error) {
	var share float64
	for _, i := range analysis.Outcomes {
		margin := knownMargin * t.sd(test, i)
		if !test.paired {
			margin *= math.Sqrt2
		}
		c, err := test.compare(control, other.shifted(func(sim.Indicator) float64 { return margin }), analysis.AdjustHolm,
			analysis.Planned{Outcomes: []sim.Indicator{i}, Smallest: margin})
		if err != nil {
			return 0, err
		}
		share += shareOf(c.Rows, func(r *analysis.ComparisonRow) bool { return float64(r.PEquivalence) < 1-c.Confidence }) / float64(len(analysis.Outcomes))
	}
	return share, nil
}

// sd is the standard deviation in which the effect of a test is counted.
func (t *placeboTrial) sd(test tried, i sim.Indicator) float64 {
	if test.paired {
		return t.spread[0][i]
	}
	return t.spread[1][i]
}

// pool takes from all experiments together what a single one does not know: how outcomes
// scatter, and what the policy does.
func (t *placeboTrial) pool() {
	for _, i := range analysis.Outcomes {
		var first, second, control, treated []float64
		for _, l := range t.means {
			first, second = append(first, numbers(l.first, i)...), append(second, numbers(l.second, i)...)
			treated = append(append(treated, numbers(l.treated, i)...), numbers(l.apartTreated, i)...)
			control = append(append(control, numbers(l.first, i)...), numbers(l.apart, i)...)
		}
		t.spread[0][i] = stats.StdDev(differences(first, second))
		t.spread[1][i] = stats.StdDev(control)
		d := differences(control, treated)
		t.real[i] = realEffect{stats.Mean(d), stats.StdDev(d), stats.StdDev(control), stats.StdDev(treated)}
	}
}

// numbers are those of a panel of single months.
func numbers(p analysis.Panel, i sim.Indicator) (x []float64) {
	for _, series := range p {
		x = append(x, series[i][0])
	}
	return x
}

func differences(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for k := range a {
		d[k] = b[k] - a[k]
	}
	return d
}

// overWindow are the lives with a single month, the mean over the window: all that tests of
// means need.
func (l *lives) overWindow() *lives {
	out := &lives{seeds: l.seeds, apartSeeds: l.apartSeeds}
	for _, copied := range []struct {
		from analysis.Panel
		to   *analysis.Panel
	}{{l.first, &out.first}, {l.second, &out.second}, {l.treated, &out.treated}, {l.apart, &out.apart}, {l.apartTreated, &out.apartTreated}} {
		for _, series := range copied.from {
			means := new([sim.NumIndicators][]float64)
			for _, i := range analysis.Outcomes {
				means[i] = []float64{stats.Mean(series[i][len(series[i])/2:])}
			}
			*copied.to = append(*copied.to, means)
		}
	}
	return out
}

// shifted is a side of single months with an effect on each outcome.
func (s side) shifted(by func(i sim.Indicator) float64) side {
	out := side{seeds: s.seeds}
	for _, series := range s.panel {
		moved := new([sim.NumIndicators][]float64)
		for _, i := range analysis.Outcomes {
			moved[i] = []float64{series[i][0] + by(i)}
		}
		out.panel = append(out.panel, moved)
	}
	return out
}

// called says that a test calls a difference an effect, before any adjustment.
func called(r *analysis.ComparisonRow, confidence float64) bool { return float64(r.P) < 1-confidence }

// isEffect says that a user is told of an effect.
func isEffect(r *analysis.ComparisonRow) bool {
	return r.Verdict == analysis.Supported || r.Verdict == analysis.Contradicted
}

// holdsZero says that a band holds the path of no effect, in all months.
func holdsZero(e *analysis.DynamicEffect) bool {
	for t := range e.CILow {
		if !(e.CILow[t] <= 0 && 0 <= e.CIHigh[t]) {
			return false
		}
	}
	return true
}

func shareOf[T any](list []T, is func(*T) bool) float64 {
	n := 0
	for k := range list {
		if is(&list[k]) {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// anyOf is 1 if it is true of one of the list or more.
func anyOf[T any](list []T, is func(*T) bool) float64 { return math.Ceil(shareOf(list, is)) }

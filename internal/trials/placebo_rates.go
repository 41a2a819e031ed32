package trials

import (
	"context"
	"math"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// tried is a test as comparisons offer it: of a family, for pairs or for independent
// samples.
type tried struct {
	family inference.Test
	paired bool
}

// triedTests are the columns of the table.
var triedTests = func() (list []tried) {
	for _, paired := range []bool{true, false} {
		for _, family := range inference.Tests {
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
	population
	scores [][]scores // by experiment and test
	calls  [][][]bool // by experiment, test and outcome: whether an effect was called without one
	names  []string   // of the tests

	spread [2][sim.NumIndicators]float64   // standard deviation of differences of pairs, and of a sample
	real   [][sim.NumIndicators]realEffect // by policy
}

// realEffect is what a policy does to an outcome, over all pairs.
// the last three are standard deviations: of differences, and of each side
type realEffect struct{ mean, ofPairs, control, treated float64 }

// Run tries the tests. The same placebo gives the same report on any number of threads.
func (p Placebo) Run(ctx context.Context) (*PlaceboReport, error) {
	p, err := p.checked()
	if err != nil {
		return nil, err
	}
	t := &placeboTrial{
		Placebo: p, population: population{seeds: p.seeds()},
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
	if t.panels, err = p.simulate(ctx); err != nil {
		return nil, err
	}
	t.pool()
	if err := t.each(ctx, "judged", t.experiment); err != nil {
		return nil, err
	}
	out := t.report()
	out.Coverage = t.coverage()
	out.Stopping = t.stopping()
	if out.Asking, err = t.asking(ctx); err != nil {
		return nil, err
	}
	if out.Tables, err = t.tables(ctx); err != nil {
		return nil, err
	}
	out.count()
	return out, nil
}

// experiment judges one without an effect and with effects by every test.
func (t *placeboTrial) experiment(ctx context.Context, k int) error {
	policy := k % len(policies)
	l := t.draw(k, t.Replications, policy)
	if err := t.withoutEffect(ctx, k, l); err != nil {
		return err
	}
	return t.withEffects(ctx, k, policy, l.overWindow())
}

// other is the other side of an experiment without an effect, whose one side is the first.
func (l *economies) other(paired bool) side {
	if paired {
		return l[second]
	}
	return l[apart]
}

// underPolicy is the side with the real effect.
func (l *economies) underPolicy(paired bool) side {
	if paired {
		return l[treated]
	}
	return l[apartTreated]
}

// compare is the comparison that a user gets of two sides, of which the outcomes were planned.
func (t tried) compare(
	ctx context.Context, a, b side, adjustment inference.Adjustment, plan inference.Planned,
) (inference.Comparison, error) {
	plan.Test = t.family
	return t.compareBy(ctx, a, b, inference.Choice{Adjustment: adjustment, Plan: &plan})
}

// compareBy is the comparison by a choice.
func (t tried) compareBy(ctx context.Context, a, b side, choice inference.Choice) (inference.Comparison, error) {
	control := tables.StudyArm{Name: "control", Panel: a.panel}
	other := tables.StudyArm{Name: "treatment", Panel: b.panel}
	if t.paired {
		return inference.Compare(
			ctx, []*tables.Study{{Name: "pairs", Seed: a.seeds[0], Seeds: a.seeds, Arms: []tables.StudyArm{control, other}}}, choice,
		)
	}
	return inference.Compare(ctx, []*tables.Study{
		{Name: "control", Seed: a.seeds[0], Seeds: a.seeds, Arms: []tables.StudyArm{control}},
		{Name: "treatment", Seed: b.seeds[0], Seeds: b.seeds, Arms: []tables.StudyArm{other}},
	}, choice)
}

// withoutEffect judges an A/A experiment by every test. The plan expects a direction, so that
// what is found may be a contradiction too.
func (t *placeboTrial) withoutEffect(ctx context.Context, k int, l *economies) error {
	plan := inference.Planned{Expected: map[sim.Indicator]int{inference.Outcomes[0]: 1}}
	means := l.overWindow()
	for j, test := range triedTests {
		whole := l
		if test.family != inference.TestT {
			whole = means // the paths are the same for all families
		}
		c, err := test.compare(ctx, whole[first], whole.other(test.paired), inference.AdjustRomanoWolf, plan)
		if err != nil {
			return err
		}
		s := &t.scores[k][j]
		s[falseCalls] = shareOf(c.Rows, func(r *inference.ComparisonRow) bool { return called(r, c.Confidence) })
		s[falseVerdictsRomanoWolf] = anyOf(c.Rows, isEffect)
		s[zeroCovered] = coveredOf(c.Rows, func(int) float64 { return 0 })
		if test.family == inference.TestT {
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

// withEffects judges an experiment of single months with the effects by every test.
func (t *placeboTrial) withEffects(ctx context.Context, k, policy int, l *economies) error {
	expected := make(map[sim.Indicator]int)
	for _, i := range inference.Outcomes {
		expected[i] = int(math.Copysign(1, t.real[policy][i].mean))
	}
	for j, test := range triedTests {
		s, control, other := &t.scores[k][j], l[first], l.other(test.paired)
		shifted := other.shifted(func(i sim.Indicator) float64 { return knownEffect * t.sd(test, i) })
		c, err := test.compare(ctx, control, shifted, inference.AdjustHolm, inference.Planned{})
		if err != nil {
			return err
		}
		s[powerKnown] = shareOf(c.Rows, func(r *inference.ComparisonRow) bool { return called(r, c.Confidence) })

		if c, err = test.compare(
			ctx, l[untreated], l.underPolicy(test.paired), inference.AdjustRomanoWolf, inference.Planned{Expected: expected},
		); err != nil {
			return err
		}
		s[powerReal] = shareOf(c.Rows, func(r *inference.ComparisonRow) bool { return called(r, c.Confidence) })
		s[realWrong] = anyOf(c.Rows, func(r *inference.ComparisonRow) bool { return r.Verdict == inference.Contradicted })
		s[realCovered] = coveredOf(c.Rows, func(n int) float64 { return t.real[policy][inference.Outcomes[n]].mean })

		if test.family == inference.TestT {
			if s[falseEquivalence], err = t.equivalent(ctx, test, control, other); err != nil {
				return err
			}
		}
	}
	return nil
}

// equivalent is the share of outcomes in which a difference as large as the smallest effect of
// interest is called smaller, each planned alone.
func (t *placeboTrial) equivalent(ctx context.Context, test tried, control, other side) (float64, error) {
	var share float64
	for _, i := range inference.Outcomes {
		margin := knownMargin * t.sd(test, i)
		if !test.paired {
			margin *= math.Sqrt2
		}
		c, err := test.compare(ctx, control, other.shifted(func(sim.Indicator) float64 { return margin }), inference.AdjustHolm,
			inference.Planned{Outcomes: []sim.Indicator{i}, Smallest: map[sim.Indicator]inference.Smallest{i: {Effect: margin}}})
		if err != nil {
			return 0, err
		}
		share += shareOf(
			c.Rows, func(r *inference.ComparisonRow) bool { return float64(r.PEquivalence) < 1-c.Confidence },
		) / float64(len(inference.Outcomes))
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

// pool takes from all pairs what a single experiment does not know: how outcomes
// scatter, and what the policies do.
func (t *placeboTrial) pool() {
	from, to := t.Scenario.Params.NumIterations/2+1, t.Scenario.Params.NumIterations
	t.real = make([][sim.NumIndicators]realEffect, len(policies))
	for _, i := range inference.Outcomes {
		control, again := t.panels[armControl].WindowMeans(i, from, to), t.panels[armAgain].WindowMeans(i, from, to)
		t.spread[0][i], t.spread[1][i] = stats.StdDev(stats.Differences(control, again)), stats.StdDev(control)
		for k := range policies {
			changed := t.panels[firstPolicy+k].WindowMeans(i, from, to)
			d := stats.Differences(control, changed)
			t.real[k][i] = realEffect{stats.Mean(d), stats.StdDev(d), stats.StdDev(control), stats.StdDev(changed)}
		}
	}
}

// overWindow are the economies with a single month, the mean over the window: all that tests of
// means need.
func (l *economies) overWindow() *economies {
	var out economies
	for k := range l {
		out[k] = l[k].single(func(_ sim.Indicator, months []float64) float64 { return stats.Mean(months[len(months)/2:]) })
	}
	return &out
}

// shifted is a side of single months with an effect on each outcome.
func (s side) shifted(by func(i sim.Indicator) float64) side {
	return s.single(func(i sim.Indicator, month []float64) float64 { return month[0] + by(i) })
}

// single is a side with a single month, of what the months of each outcome come to.
func (s side) single(of func(i sim.Indicator, months []float64) float64) side {
	out := side{seeds: s.seeds}
	for _, series := range s.panel {
		month := new([sim.NumOutcomes][]float64)
		for i := range sim.NumIndicators {
			month[i] = []float64{of(i, series[i])}
		}
		out.panel = append(out.panel, month)
	}
	return out
}

// coveredOf is the share of the intervals that cover the truth of their row.
func coveredOf(rows []inference.ComparisonRow, truth func(row int) float64) float64 {
	covered, intervals := 0, 0
	for n := range rows {
		if r := &rows[n]; math.IsNaN(float64(r.CILow)) && r.Paired && 2*r.Differing <= r.N { // only the number of differences is told
			continue
		}
		intervals++
		if x := stats.Number(truth(n)); rows[n].CILow <= x && x <= rows[n].CIHigh {
			covered++
		}
	}
	return float64(covered) / float64(max(1, intervals))
}

// called says that a test calls a difference an effect, before any adjustment.
func called(r *inference.ComparisonRow, confidence float64) bool { return float64(r.P) < 1-confidence }

// isEffect says that a user is told of an effect.
func isEffect(r *inference.ComparisonRow) bool {
	return r.Verdict == inference.Supported || r.Verdict == inference.Contradicted
}

// holdsZero says that a band holds the path of no effect, in all months.
func holdsZero(e *inference.DynamicEffect) bool {
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

package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Auto stands in the place of a number of replications: they are added until the primary
// outcome is known well enough, see [Plan].
const Auto Replications = -1

// Replications is a number of replications of each arm, or [Auto].
type Replications int

// Word is what stands for [Auto] where people write.
func (Replications) Word() (word string, value int64) { return "auto", int64(Auto) }

// ParseReplications reads a number from 1 on, or the word for [Auto]. What is neither is
// [fault.WrongType] or [fault.OutOfRange] of a field.
func ParseReplications(field, text string) (Replications, error) {
	word, _ := Auto.Word()
	if text == word {
		return Auto, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.Type(field, strconv.Quote(text), "integer or "+word)
	}
	if n < 1 {
		return 0, fault.Range(field, text, "1 or more", word)
	}
	return Replications(n), nil
}

// What [Auto] means where the plan says nothing else.
const (
	DefaultHalfWidth       = inquiry.DefaultHalfWidth
	DefaultMaxReplications = inquiry.DefaultMaxReplications
)

// WidestHalfWidth is the largest relative half-width that may be asked for. An interval that
// is narrow relative to the effect does not hold zero: as wide as the effect itself, the rule
// would stop as soon as the effect is significant, and chance alone would be called an effect
// in one of six experiments. At a half it needs a t of twice the critical value to stop
// before the cap, which chance hardly ever gives: TestWidthRuleIsNoTest.
const WidestHalfWidth = .5

// FirstReplications is how many replications there are before the width of an interval is
// looked at for the first time: with fewer, a rule that stops on the width would stop too
// often where the scatter happens to look small (see [stats.MoreReplications]).
const FirstReplications = 10

// leastGrowth is the share of the replications there are that is added at least, so that
// the looks, and the batches between them, stay few.
const leastGrowth = .2

// settle gives an order its first replications where their number is [Auto], and its plan
// what stops adding to them; a plan that says so of a fixed number is refused.
func (o *Order) settle() error {
	var p Plan
	if o.Plan != nil {
		p = *o.Plan
	}
	if o.Replications != Auto {
		for _, said := range []struct {
			field string
			given bool
		}{{"plan.half_width", p.HalfWidth != nil}, {"plan.max_replications", p.MaxReplications != nil}} {
			if said.given {
				e := fault.New(
					fault.Conflict, said.field, "%s says when enough replications were added, and replications is fixed at %d", said.field, o.Replications,
				)
				e.Hint = "set replications to auto, or leave it out of the plan"
				return e
			}
		}
		return nil
	}
	width, most := DefaultHalfWidth, DefaultMaxReplications
	if p.HalfWidth != nil {
		width = *p.HalfWidth
	}
	if p.MaxReplications != nil {
		most = *p.MaxReplications
	}
	if !(width >= .001 && width <= WidestHalfWidth) {
		return fault.Range("plan.half_width", fmt.Sprint(width), fmt.Sprintf("0.001 to %g", WidestHalfWidth)).
			WithHint("a wider interval reaches nearly to zero: adding would stop where chance makes an effect look significant")
	}
	if most < 2 || most > 10_000 {
		return fault.Range("plan.max_replications", fmt.Sprint(most), "2 to 10000")
	}
	p.HalfWidth, p.MaxReplications = &width, &most
	o.Plan, o.Replications = &p, Replications(min(FirstReplications, most))
	return nil
}

// widthRule says when an experiment has enough replications: when the interval of its
// primary outcome is narrow, relative to the mean or to the smallest effect of interest. It
// never stops where an effect is just significant, which would find one everywhere, sooner or
// later: see [WidestHalfWidth].
type widthRule struct {
	outcome  sim.Indicator
	window   inference.Window
	target   float64            // relative half-width at which it stops
	margin   inference.Smallest // effect of interest that the plan says; 0 = none
	smallest float64            // the one that counts, in the unit of the outcome; 0 or NaN = there is none
	most     int                // replications
	mostWhy  string             // what sets that bound
}

// auto says whether replications are added until the interval is narrow enough.
func (p Plan) auto() bool { return p.MaxReplications != nil && p.HalfWidth != nil }

// ruleOf is the rule of a stored experiment whose replications are [Auto]. The cap may be
// lower than that of the plan, but is not below what the experiment began with.
func (l *Laboratory) ruleOf(x store.Experiment) (w widthRule, err error) {
	r, _ := RegistrationOf(x)
	p, err := r.planned()
	if err != nil {
		return w, err
	}
	w = widthRule{
		outcome: p.Outcomes[0], window: p.Windows[0], margin: p.Smallest[p.Outcomes[0]],
		target: *r.HalfWidth, most: *r.MaxReplications, mostWhy: "the cap of the plan",
	}
	if limit := l.Limits.HouseholdMonths; limit > 0 {
		one := int64(x.Households) * int64(x.Months) * int64(len(x.Arms))
		if n := int(min(limit/one, math.MaxInt32)); n < w.most {
			w.most, w.mostWhy = n, "all that the limit household_months allows"
		}
	}
	w.most = max(w.most, min(FirstReplications, *r.MaxReplications))
	return w, nil
}

// wanted is how many replications there should be, as far as the samples there are tell,
// and why they are enough where there are no fewer: a sample of one number per replication
// for each arm that is judged. What it says depends on the first replications first: in
// what steps they were simulated changes nothing.
func (w widthRule) wanted(samples [][]float64) (n int, why string) {
	n = min(FirstReplications, w.most)
	for n <= len(samples[0]) {
		firsts := make([][]float64, len(samples))
		for i := range samples {
			firsts[i] = samples[i][:n]
		}
		more, why := w.look(firsts)
		if more == 0 {
			return n, why
		}
		n += more
	}
	return n, ""
}

// look says how many replications to add to those there are; 0 = none, and why.
func (w widthRule) look(samples [][]float64) (more int, why string) {
	n := len(samples[0])
	worst := widthOf{}
	for _, x := range samples {
		x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
		if len(x) < 2 {
			return 0, fmt.Sprintf(
				"stopped at %d replications: %s is not defined in months %d to %d, so that more would not tell more", n, w.outcome, w.window.From,
				w.window.To,
			)
		}
		if s := w.widthOf(x); worst.told == "" || s.missing > worst.missing {
			worst = s
		}
	}
	if worst.missing == 0 {
		return 0, fmt.Sprintf("stopped at %d replications: %s", n, worst.told)
	}
	if n >= w.most {
		return 0, fmt.Sprintf("%d replications reached, %s: %s", n, w.mostWhy, worst.told)
	}
	least := int(math.Ceil(leastGrowth * float64(n)))
	return min(max(worst.missing, least), n, w.most-n), ""
}

// widthOf says how wide the interval of a sample is.
type widthOf struct {
	missing int    // replications, by the scatter so far; 0 = none
	told    string // in words
}

func (w widthRule) widthOf(x []float64) widthOf {
	interval := stats.MeanInterval(x, tables.DefaultConfidence)
	half, relative := (interval.High-interval.Low)/2, interval.RelativeHalfWidth()
	if half == 0 {
		return widthOf{told: fmt.Sprintf("%s is the same in all of them", w.outcome)}
	}
	if relative <= w.target {
		return widthOf{told: fmt.Sprintf("the relative half-width of %s is %.3g, under %g", w.outcome, relative, w.target)}
	}
	if w.smallest > 0 && half <= w.smallest/2 {
		return widthOf{
			told: fmt.Sprintf("the half-width of %s is %.3g, at most half of the smallest effect of interest, %g", w.outcome, half, w.smallest),
		}
	}
	missing := math.MaxInt
	if more, ok := stats.MoreReplications(x, w.target, tables.DefaultConfidence); ok {
		missing = more
	}
	if n, ok := stats.HalfWidthReplications(stats.StdDev(x), w.smallest/2, tables.DefaultConfidence); ok {
		missing = min(missing, n-len(x))
	}
	told := fmt.Sprintf("the relative half-width of %s is %.3g, above %g", w.outcome, relative, w.target)
	if math.IsNaN(relative) {
		told = fmt.Sprintf("the mean of %s is 0, with a half-width of %.3g", w.outcome, half)
	}
	return widthOf{max(1, missing), told}
}

// samples are what the rule is about, one number for each replication that is complete:
// the differences of each further arm from the control, seed by seed; of the only arm, the
// levels. The level of the control is that of the first batch, which does not change by what
// is added.
func (l *Laboratory) samples(ctx context.Context, x store.Experiment, w widthRule) (samples [][]float64, control float64, err error) {
	levels := make([][]float64, len(x.Arms))
	base, err := l.gdpOf(ctx, x, 0, []sim.Indicator{w.outcome})
	if err != nil {
		return nil, 0, err
	}
	for i := range x.Arms {
		panel, err := l.panel(ctx, x, i, []sim.Indicator{w.outcome}, base)
		if err != nil {
			return nil, 0, err
		}
		levels[i] = panel.WindowMeans(w.outcome, w.window.From, w.window.To)
	}
	control = stats.Mean(levels[0][:min(FirstReplications, len(levels[0]))])
	if len(levels) == 1 {
		return levels, control, nil
	}
	for _, level := range levels[1:] {
		for r := range level {
			level[r] -= levels[0][r]
		}
	}
	return levels[1:], control, nil
}

// more has what has ended count, and gives the seeds of the replications that an
// experiment is to have beyond those: see [run.Task].
func (l *Laboratory) more(ctx context.Context, journal *store.Journal) (seeds []uint64, why string, err error) {
	if err := journal.Complete(); err != nil {
		return nil, "", err
	}
	x, err := l.Store.Experiment(ctx, journal.Name())
	if err != nil {
		return nil, "", err
	}
	w, err := l.ruleOf(x)
	if err != nil {
		return nil, "", err
	}
	samples, control, err := l.samples(ctx, x, w)
	if err != nil {
		return nil, "", err
	}
	w.smallest = w.margin.In(control)
	if w.smallest == 0 && len(x.Arms) > 1 {
		w.smallest = inference.SmallestEffect(w.outcome, control)
	}
	n, why := w.wanted(samples)
	if n <= x.Replications {
		return nil, why, nil
	}
	err = l.reserve(journal, x, n-x.Replications)
	if full, ok := errors.AsType[*fault.Error](err); ok && full.Kind == fault.LimitExceeded {
		return nil, fmt.Sprintf("stopped at %d replications: %s", x.Replications, full.Message), nil
	}
	if err != nil {
		return nil, "", err
	}
	for r := x.Replications; r < n; r++ {
		seeds = append(seeds, run.ReplicationSeed(x.Seed, r))
	}
	return seeds, "", nil
}

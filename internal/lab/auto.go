package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
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

// WidestHalfWidth and FirstReplications are those of the rule.
const (
	WidestHalfWidth   = inference.WidestHalfWidth
	FirstReplications = inference.FirstReplications
)

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

// auto says whether replications are added until the interval is narrow enough.
func (p Plan) auto() bool { return p.MaxReplications != nil && p.HalfWidth != nil }

// ruleOf is the rule of a stored experiment whose replications are [Auto]. The cap may be
// lower than that of the plan, but is not below what the experiment began with.
func (l *Laboratory) ruleOf(x store.Experiment) (w inference.WidthRule, err error) {
	r, _ := RegistrationOf(x)
	p, err := r.planned()
	if err != nil {
		return w, err
	}
	w = inference.WidthRule{
		Outcome: p.Outcomes[0], Effect: len(x.Arms) > 1, Window: p.Windows[0], Margin: p.Smallest[p.Outcomes[0]],
		Target: *r.HalfWidth, Most: *r.MaxReplications, MostWhy: "the cap of the plan",
	}
	if limit := l.Limits.HouseholdMonths; limit > 0 {
		one := int64(x.Households) * int64(x.Months) * int64(len(x.Arms))
		if n := int(min(limit/one, math.MaxInt32)); n < w.Most {
			w.Most, w.MostWhy = n, "all that the limit household_months allows"
		}
	}
	w.Most = max(w.Most, min(FirstReplications, *r.MaxReplications))
	return w, nil
}

// samples are what the rule is about, one number for each replication that is complete:
// the differences of each further arm from the control, seed by seed; of the only arm, the
// levels. The level of the control is that of the first batch, which does not change by what
// is added.
func (l *Laboratory) samples(ctx context.Context, x store.Experiment, w inference.WidthRule) (samples [][]float64, control float64, err error) {
	levels := make([][]float64, len(x.Arms))
	base, err := l.gdpOf(ctx, x, 0, []sim.Indicator{w.Outcome})
	if err != nil {
		return nil, 0, err
	}
	for i := range x.Arms {
		panel, err := l.panel(ctx, x, i, []sim.Indicator{w.Outcome}, base)
		if err != nil {
			return nil, 0, err
		}
		levels[i] = panel.WindowMeans(w.Outcome, w.Window.From, w.Window.To)
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
	if w.Smallest = w.Margin.In(control); w.Smallest == 0 && len(x.Arms) > 1 {
		w.Smallest = inference.SmallestEffect(w.Outcome, control)
	}
	n, why := w.Wanted(samples)
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

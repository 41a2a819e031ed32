package inference

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Adjustment is how p-values are adjusted for their number.
type Adjustment string

// The adjustments. The first two hold the probability of one false finding or more below the
// level, the last one the expected share of false findings.
const (
	AdjustRomanoWolf        Adjustment = "romano_wolf"
	AdjustHolm              Adjustment = "holm"
	AdjustBenjaminiHochberg Adjustment = "benjamini_hochberg"
)

// Adjustments are all of them.
var Adjustments = []Adjustment{AdjustRomanoWolf, AdjustHolm, AdjustBenjaminiHochberg}

// Asked is a hypothesis that was tested beyond a plan.
type Asked struct {
	Hypothesis string  // sides, indicator, window and test; the same whatever the order of the sides and the confidence
	P          float64 // before adjustment
	Question   int     // the number, from 1, of the question with which its asker asked it first; of what is asked now 0
}

// hypothesis is that an arm does not differ from the control in an indicator over a window.
type hypothesis struct {
	match     *matched
	test      Test
	indicator sim.Indicator
	window    Window
	name      string    // as [Asked] has it
	a, b      []float64 // a number of each replication; of pairs, in the same order
	whole     bool      // no replication is without a number
	rare      bool      // so few replications differ that only their number is told
	row       ComparisonRow
	level     float64 // the part of the level that it has, were it shared out evenly in its family
}

// pairs are both sides, pair by pair; none of independent samples.
func (h *hypothesis) pairs() (a, b []float64) {
	if h.match.paired {
		return h.a, h.b
	}
	return nil, nil
}

// tested says that there is a p-value to adjust.
func (h *hypothesis) tested() bool { return !math.IsNaN(float64(h.row.P)) }

// adjustPlanned adjusts a family over itself, which has a share of the level. It returns the adjustment that was
// used and, where that is not the one that was chosen, why.
func adjustPlanned(
	ctx context.Context, family []*hypothesis, share float64, chosen Adjustment, confidence float64, random *rand.Rand,
) (Adjustment, *Note) {
	tested := slices.DeleteFunc(slices.Clone(family), func(h *hypothesis) bool { return !h.tested() })
	var adjusted []float64
	var why *Note
	used := chosen
	if used == AdjustRomanoWolf {
		if why = noStepDown(tested, share*(1-confidence)); why != nil {
			used = AdjustHolm
		}
	}
	p := make([]float64, len(tested))
	for k, h := range tested {
		p[k] = float64(h.row.P)
		h.level = share / float64(len(tested))
	}
	switch {
	case len(tested) < 2: // nothing to adjust for
		adjusted = p
	case used == AdjustRomanoWolf:
		adjusted = stepDown(ctx, tested, random)
	case used == AdjustBenjaminiHochberg:
		adjusted = stats.BenjaminiHochberg(p)
	default:
		adjusted = stats.Holm(p)
	}
	for k, h := range tested {
		h.row.PAdjusted = stats.Number(shared(max(p[k], adjusted[k]), share))
	}
	for _, h := range family {
		if !h.tested() { // for a difference, as where none is seen: of equivalence it is all the same
			h.level = share / float64(len(family))
		}
	}
	adjustEquivalence(family, 0, share)
	return used, why
}

// shared is a p-value of a question that has a share of the level.
func shared(p, share float64) float64 { return min(1, p/share) }

// noStepDown says why Romano and Wolf's method cannot be used: it rearranges whole
// replications, all outcomes and arms at once. Nil where it can, and where there is
// nothing to adjust for.
func noStepDown(tested []*hypothesis, level float64) *Note {
	if len(tested) < 2 {
		return nil
	}
	first := tested[0]
	for _, h := range tested {
		if !h.whole || h.match.paired != first.match.paired || !slices.Equal(h.match.seeds, first.match.seeds) ||
			!h.match.paired && h.match != first.match {
			return &Note{Kind: UnequalReplications}
		}
	}
	if smallestP(first.match.paired, len(first.a), len(first.b)) >= level {
		return &Note{TooFewToRearrange, []any{min(len(first.a), len(first.b))}}
	}
	return nil
}

// stepDown are the p-values of Romano and Wolf, of ranks for a rank test.
func stepDown(ctx context.Context, tested []*hypothesis, random *rand.Rand) []float64 {
	var a, b [][]float64 // by hypothesis
	for _, h := range tested {
		before, after := h.a, h.b
		if h.test == TestRank && h.match.paired {
			before, after = make([]float64, len(h.a)), stats.SignedRanks(h.a, h.b)
		}
		a, b = append(a, before), append(b, after)
	}
	switch {
	case tested[0].match.paired:
		return stats.PairedRomanoWolf(ctx, a, b, random)
	case tested[0].test == TestRank:
		return stats.BrunnerMunzelRomanoWolf(ctx, a, b, random)
	}
	return stats.WelchRomanoWolf(ctx, a, b, random)
}

// asking is how much somebody ever asked beyond plans.
type asking struct{ hypotheses, questions, byOthers int }

// adjustAsked adjusts exploratory hypotheses, each over the question with which its asker asked it first and by the
// share of the level that this question has: see [shareOfQuestion]. Without a ledger all are one question that has
// the whole level. Families are hypotheses that are asked with them, each for many rows at once; levels are the
// parts of the level that these have by Bonferroni. It returns how many hypotheses the asker ever asked, of how
// many questions; what others asked is counted apart.
func adjustAsked(
	ctx context.Context,
	asked []*hypothesis,
	families []Asked,
	by Adjustment,
	ledger Ledger,
) (count asking, levels []float64, err error) {
	var now []Asked
	for _, h := range asked {
		now = append(now, Asked{Hypothesis: h.name, P: float64(h.row.P)})
	}
	now = append(now, families...)
	untested := func(a Asked) bool { return math.IsNaN(a.P) }
	all := slices.DeleteFunc(slices.Clone(now), untested)
	if err := ctx.Err(); err != nil { // what was resampled means nothing and must not be counted
		return count, nil, err
	}
	if ledger != nil {
		if all, count.byOthers, err = ledger(all); err != nil {
			return count, nil, err
		}
	}
	count.hypotheses = len(all)
	questions := map[int][]Asked{}
	number := map[string]int{}
	for _, a := range all {
		questions[a.Question] = append(questions[a.Question], a)
		number[a.Hypothesis] = a.Question
	}
	count.questions = len(questions)
	adjusted, level := map[string]float64{}, map[int]float64{}
	for k, list := range questions {
		share := 1.
		if ledger != nil {
			share = shareOfQuestion(k)
		}
		var p []float64
		for _, a := range list {
			p = append(p, a.P)
		}
		if level[k] = share / float64(len(p)); by == AdjustBenjaminiHochberg {
			p = stats.BenjaminiHochberg(p)
		} else {
			p = stats.Holm(p)
		}
		for n, a := range list {
			adjusted[a.Hypothesis] = shared(p[n], share)
		}
	}
	rows := map[int][]*hypothesis{}
	for _, h := range asked {
		if !h.tested() {
			continue
		}
		k := number[h.name]
		h.row.PAdjusted, h.level = stats.Number(adjusted[h.name]), level[k]
		rows[k] = append(rows[k], h)
	}
	for k, list := range rows { // of sides that simulate the same on the same seeds, several are one hypothesis
		adjustEquivalence(list, max(0, len(questions[k])-len(list)), level[k]*float64(len(questions[k])))
	}
	for _, a := range families {
		levels = append(levels, level[number[a.Hypothesis]])
	}
	return count, levels, nil
}

// adjustEquivalence adjusts the p-values of equivalence by Holm over a family and as many
// others, of which nothing is known and which count as 1: that errs on the side of caution. The family has a share of
// the level.
func adjustEquivalence(family []*hypothesis, others int, share float64) {
	p := make([]float64, len(family), len(family)+others)
	for k, h := range family {
		p[k] = float64(h.row.PEquivalence)
	}
	for range others {
		p = append(p, 1)
	}
	for k, adjusted := range stats.Holm(p)[:len(family)] {
		family[k].row.PEquivalence = stats.Number(shared(adjusted, share))
	}
}

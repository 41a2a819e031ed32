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
	row       ComparisonRow
	among     int // how many hypotheses its p is adjusted over, itself included
}

// tested says that there is a p-value to adjust.
func (h *hypothesis) tested() bool { return !math.IsNaN(float64(h.row.P)) }

// adjustPlanned adjusts a family over itself. It returns the adjustment that was used and,
// where that is not the one that was chosen, why.
func adjustPlanned(
	ctx context.Context, family []*hypothesis, chosen Adjustment, confidence float64, random *rand.Rand,
) (Adjustment, *Note) {
	tested := slices.DeleteFunc(slices.Clone(family), func(h *hypothesis) bool { return !h.tested() })
	var adjusted []float64
	var why *Note
	used := chosen
	if used == AdjustRomanoWolf {
		if why = noStepDown(tested, confidence); why != nil {
			used = AdjustHolm
		}
	}
	p := make([]float64, len(tested))
	for k, h := range tested {
		p[k] = float64(h.row.P)
		h.among = len(tested)
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
		h.row.PAdjusted = stats.Number(max(p[k], adjusted[k]))
	}
	adjustEquivalence(family, 0)
	return used, why
}

// noStepDown says why Romano and Wolf's method cannot be used: it rearranges whole
// replications, all outcomes and arms at once. Nil where it can, and where there is
// nothing to adjust for.
func noStepDown(tested []*hypothesis, confidence float64) *Note {
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
	if smallestP(first.match.paired, len(first.a), len(first.b)) >= 1-confidence {
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

// adjustAsked adjusts exploratory hypotheses over all that their asker ever asked, of which the
// ledger keeps account, and returns how many those are; also where there are none now. What
// others asked is counted apart. Families are hypotheses that are asked with them, each for many rows at once; atLeast are
// their p-values by Holm over the same all, NaN for one that could not be tested.
func adjustAsked(
	ctx context.Context,
	asked []*hypothesis,
	families []Asked,
	by Adjustment,
	ledger Ledger,
) (among, byOthers int, atLeast []float64, err error) {
	var now []Asked // those without a p-value included
	for _, h := range asked {
		now = append(now, Asked{h.name, float64(h.row.P)})
	}
	now = append(now, families...)
	mine := slices.DeleteFunc(slices.Clone(now), func(a Asked) bool { return math.IsNaN(a.P) })
	if err := ctx.Err(); err != nil { // what was resampled means nothing and must not be counted
		return 0, 0, nil, err
	}
	var before []Asked
	if ledger != nil {
		own, others, err := ledger(mine)
		if err != nil {
			return 0, 0, nil, err
		}
		byOthers = others
		before = slices.DeleteFunc(slices.Clone(own), func(earlier Asked) bool {
			return slices.ContainsFunc(mine, func(a Asked) bool { return a.Hypothesis == earlier.Hypothesis })
		})
	}
	var p []float64
	for _, a := range slices.Concat(now, before) {
		p = append(p, a.P)
	}
	adjusted := stats.Holm(p)
	among = len(mine) + len(before)
	atLeast = adjusted[len(asked) : len(asked)+len(families)]
	if by == AdjustBenjaminiHochberg {
		adjusted = stats.BenjaminiHochberg(p)
	}
	counted := among // beside the rows
	for k, h := range asked {
		if h.tested() {
			h.row.PAdjusted, h.among = stats.Number(adjusted[k]), among
			counted--
		}
	}
	adjustEquivalence(asked, counted)
	return among, byOthers, atLeast, nil
}

// adjustEquivalence adjusts the p-values of equivalence by Holm over a family and as many
// others, of which nothing is known and which count as 1: that errs on the side of caution.
func adjustEquivalence(family []*hypothesis, others int) {
	p := make([]float64, len(family), len(family)+others)
	for k, h := range family {
		p[k] = float64(h.row.PEquivalence)
	}
	for range others {
		p = append(p, 1)
	}
	for k, adjusted := range stats.Holm(p)[:len(family)] {
		family[k].row.PEquivalence = stats.Number(adjusted)
	}
}

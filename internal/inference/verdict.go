package inference

import (
	"math"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Verdict is what a comparison may be said to show of one outcome.
type Verdict string

// The verdicts.
const (
	// Supported: there is a difference, after adjustment for all that was asked, and if one
	// direction was expected it is that one.
	Supported Verdict = "supported"
	// Contradicted: there is a difference, after adjustment, in the other direction.
	Contradicted Verdict = "contradicted"
	// EquivalentToZero: the difference is smaller than the smallest effect of interest, by two
	// one-sided tests, after adjustment; or so many pairs have no difference that fewer than one economy in twenty has one.
	EquivalentToZero Verdict = "equivalent_to_zero"
	// Inconclusive: neither; more replications would tell.
	Inconclusive Verdict = "inconclusive"
	// NotJudged: one replication, or the outcome was not measured.
	NotJudged Verdict = "not_judged"
)

// Enum lists the verdicts for schemas.
func (Verdict) Enum() []string {
	return texts([]Verdict{Supported, Contradicted, EquivalentToZero, Inconclusive, NotJudged})
}

// Judge is the one place that decides what a row shows: expected is 1 for a rise, -1 for a
// fall and 0 for either. It reads the adjusted p-values and nothing before adjustment, so
// that what chance alone would often do is not called an effect.
func (r *ComparisonRow) Judge(expected int, confidence float64) Verdict {
	alpha := stats.Number(1 - confidence)
	undefined := func(x stats.Number) bool { return math.IsNaN(float64(x)) }
	switch {
	case undefined(r.Difference), undefined(r.P) && undefined(r.PEquivalence):
		return NotJudged
	case r.PAdjusted < alpha && stats.Number(expected)*r.Difference < 0:
		return Contradicted
	case r.PAdjusted < alpha:
		return Supported
	case r.PEquivalence < alpha:
		return EquivalentToZero
	}
	return Inconclusive
}

// Same says that no replication differs from its partner, or from any other.
func (r *ComparisonRow) Same() bool { return r.N > 1 && r.Differing == 0 && r.Difference == 0 }

// Found says that there is a difference, in whichever direction.
func (r *ComparisonRow) Found() bool { return r.Verdict == Supported || r.Verdict == Contradicted }

// Negligible says that a difference is there and yet smaller than the smallest effect of
// interest.
func (r *ComparisonRow) Negligible(confidence float64) bool {
	return r.Found() && r.PEquivalence < stats.Number(1-confidence)
}

// The smallest effects of interest where no other is planned, in the unit of the indicator or, where
// they are relative, as a share of the control's mean; docs/EXPERIMENTS.md says why.
const (
	smallestEffect         = .005  // of shares, rates and Gini coefficients
	smallestOfBudget       = .001  // of what a programme costs or a tax brings, share of GDP
	smallestOfMonth        = .0005 // of inflation of a month
	smallestRelativeEffect = .01   // of anything else
	smallestOfJobs         = .005  // relative, of the number of jobs
	smallestOfJobSeekers   = .05   // relative, of the number of the unemployed
)

// SmallestEffect is the default of the smallest effect of interest on an indicator, in its
// unit and above zero: a half percentage point of a share or a rate, 0.005 of a Gini
// coefficient, 0.1 points of GDP of a programme or a tax, 0.05 points of monthly inflation, 0.5 % of
// the jobs and 5 % of the unemployed, and 1 % of the control's mean of anything else. It is NaN where
// that mean is zero or not known, and of the deficit in money, which may be near zero. These are
// conventions: a plan that knows what matters names its own.
func SmallestEffect(i sim.Indicator, control float64) float64 {
	relative := smallestRelativeEffect
	switch {
	case i == sim.MonthlyInflation:
		return smallestOfMonth
	case i.IsBreakdown() && tables.IsShare(i):
		return smallestOfBudget
	case tables.IsShare(i), i == sim.IncomeGini, i == sim.WealthGini:
		return smallestEffect
	case control == 0, i == sim.Deficit:
		return math.NaN()
	case i == sim.Jobs:
		relative = smallestOfJobs
	case i == sim.JobSeekers:
		relative = smallestOfJobSeekers
	}
	return relative * math.Abs(control)
}

// Settings of how many replications settle an inconclusive row.
const (
	powerToSettle    = .9
	mostReplications = 1000 // a side; a simulation takes no more
)

// replicationsNeeded is about how many replications a side, of a plan of their own with another seed, settle what a
// hypothesis leaves open: with 90 % power at the smallest effect of interest, at the confidence that it would
// have among the hypotheses that it is adjusted over (Bonferroni), by the scatter that was seen and never by the
// difference that was seen. Where its replications have that power already, the true difference is
// probably a part of the smallest effect: then the interval must become so narrow that it cannot hold both zero and the
// smallest effect. It is NaN where no number up to mostReplications does.
func (h *hypothesis) replicationsNeeded(confidence float64) float64 {
	margin, alpha := float64(h.row.SmallestEffect), 1-confidence
	have, need, ok := min(len(h.a), len(h.b)), 0, false
	if h.rare {
		if need = stats.RareReplications(h.row.Differing, confidence); need > mostReplications {
			return math.NaN()
		}
		return float64(need)
	}
	var sd float64
	if h.match.paired {
		d := stats.Differences(h.a, h.b)
		sd = stats.StdDev(d)
		need, ok = stats.ReplicationsLike(d, margin, powerToSettle, confidence)
	} else {
		before, after := stats.StdDev(h.a), stats.StdDev(h.b)
		sd = math.Hypot(before, after)
		need, ok = stats.WelchReplications(margin, before, after, powerToSettle, confidence)
	}
	if ok && need <= have {
		need, ok = stats.HalfWidthReplications(sd, margin/2, confidence)
	}
	for ; h.test != TestT && need <= mostReplications && smallestP(h.match.paired, need, need) >= alpha; need++ {
		// with fewer, no rearrangement could be rare enough
	}
	if !ok || need > mostReplications {
		return math.NaN()
	}
	return float64(need)
}

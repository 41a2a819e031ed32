package inference

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
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

// WidthRule says when an experiment has enough replications: when the interval of its
// primary outcome is narrow, relative to the mean or to the smallest effect of interest. The first is
// a rule on t: a relative half-width of .1 is a |t| of ten times the critical value. It never stops where an effect is just
// significant, which would find one everywhere, sooner or
// later: see [WidestHalfWidth]. After such a stop the intervals cover what they say, of real effects: docs/VALIDATION.md.
type WidthRule struct {
	Outcome  sim.Indicator
	Effect   bool // the samples are of the difference between arms, else of the outcome itself
	Window   Window
	Target   float64  // relative half-width at which it stops
	Margin   Smallest // effect of interest that the plan says; 0 = none
	Smallest float64  // the one that counts, in the unit of the outcome; 0 or NaN = there is none
	Most     int      // replications
	MostWhy  string   // what sets that bound
}

// what the interval is of.
func (w WidthRule) what() string {
	if w.Effect {
		return "the effect on " + w.Outcome.String()
	}
	return w.Outcome.String()
}

// Wanted is how many replications there should be, as far as the samples there are tell,
// and why they are enough where there are no fewer: a sample of one number per replication
// for each arm that is judged. What it says depends on the first replications first: in
// what steps they were simulated changes nothing.
func (w WidthRule) Wanted(samples [][]float64) (n int, why string) {
	n = min(FirstReplications, w.Most)
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
func (w WidthRule) look(samples [][]float64) (more int, why string) {
	n := len(samples[0])
	worst := widthOf{}
	for _, x := range samples {
		x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
		if len(x) < 2 {
			return 0, fmt.Sprintf(
				"stopped at %d replications: %s is not defined in months %d to %d, so that more would not tell more", n, w.Outcome, w.Window.From,
				w.Window.To,
			)
		}
		if s := w.widthOf(x); worst.told == "" || s.missing > worst.missing {
			worst = s
		}
	}
	if worst.missing == 0 {
		return 0, fmt.Sprintf("stopped at %d replications: %s", n, worst.told)
	}
	if n >= w.Most {
		return 0, fmt.Sprintf("%d replications reached, %s: %s", n, w.MostWhy, worst.told)
	}
	least := int(math.Ceil(leastGrowth * float64(n)))
	return min(max(worst.missing, least), n, w.Most-n), ""
}

// widthOf says how wide the interval of a sample is.
type widthOf struct {
	missing int    // replications, by the scatter so far; 0 = none
	told    string // in words
}

func (w WidthRule) widthOf(x []float64) widthOf {
	interval := stats.PairedInterval(make([]float64, len(x)), x, tables.DefaultConfidence)
	half, relative := (interval.High-interval.Low)/2, interval.RelativeHalfWidth()
	if n, rare := stats.Differing(x); rare && w.Smallest > 0 { // there is nothing by which a width could be told
		missing := stats.RareReplications(n, tables.DefaultConfidence) - len(x)
		if missing <= 0 {
			return widthOf{told: fmt.Sprintf("%s differs in %d of them, so that fewer than one economy in twenty does", w.Outcome, n)}
		}
		return widthOf{missing, fmt.Sprintf("%s differs in %d of them, too few for an interval", w.Outcome, n)}
	}
	if stats.StdDev(x) == 0 {
		return widthOf{told: fmt.Sprintf("%s is the same in all of them", w.Outcome)}
	}
	if relative <= w.Target {
		return widthOf{told: fmt.Sprintf("the relative half-width of %s is %.3g, under %g", w.what(), relative, w.Target)}
	}
	if w.Smallest > 0 && half <= w.Smallest/2 {
		return widthOf{
			told: fmt.Sprintf("the half-width of %s is %.3g, at most half of the smallest effect of interest, %g", w.Outcome, half, w.Smallest),
		}
	}
	missing := math.MaxInt
	if more, ok := stats.MoreReplications(x, w.Target, tables.DefaultConfidence); ok {
		missing = more
	}
	if n, ok := stats.HalfWidthReplications(stats.StdDev(x), w.Smallest/2, tables.DefaultConfidence); ok {
		missing = min(missing, n-len(x))
	}
	told := fmt.Sprintf("the relative half-width of %s is %.3g, above %g", w.what(), relative, w.Target)
	if math.IsNaN(relative) {
		told = fmt.Sprintf("the mean of %s is 0, with a half-width of %.3g", w.Outcome, half)
	}
	return widthOf{max(1, missing), told}
}

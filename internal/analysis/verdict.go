package analysis

import (
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/stats"
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
	// one-sided tests, after adjustment; or all replications are the same on both sides.
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

// In is the verdict as a word.
func (v Verdict) In(language string) string {
	return word(language, strings.ReplaceAll(string(v), "_", " "), map[Verdict]string{
		Supported: "得到支持", Contradicted: "被否定", EquivalentToZero: "等效于零", Inconclusive: "尚无定论", NotJudged: "未作判断",
	}[v])
}

// judge is the one place that decides what a row shows: expected is 1 for a rise, -1 for a
// fall and 0 for either. It reads the adjusted p-values and nothing before adjustment, so
// that what luck alone would often do is not called an effect.
func (r *ComparisonRow) judge(expected int, confidence float64) Verdict {
	alpha := Number(1 - confidence)
	undefined := func(x Number) bool { return math.IsNaN(float64(x)) }
	switch same := r.same(); {
	case undefined(r.Difference), undefined(r.P) && undefined(r.PEquivalence) && !same:
		return NotJudged
	case r.PAdjusted < alpha && Number(expected)*r.Difference < 0:
		return Contradicted
	case r.PAdjusted < alpha:
		return Supported
	case same, r.PEquivalence < alpha:
		return EquivalentToZero
	}
	return Inconclusive
}

// same says that no replication differs from its partner, or from any other.
func (r *ComparisonRow) same() bool { return r.Difference == 0 && r.CILow == 0 && r.CIHigh == 0 }

// Found says that there is a difference, in whichever direction.
func (r *ComparisonRow) Found() bool { return r.Verdict == Supported || r.Verdict == Contradicted }

// negligible says that a difference is there and yet smaller than the smallest effect of
// interest.
func (r *ComparisonRow) negligible(confidence float64) bool {
	return r.Found() && r.PEquivalence < Number(1-confidence)
}

// smallestEffects are the smallest effects of interest where a plan names none: the first
// row that holds for an indicator counts.
var smallestEffects = []struct {
	of       func(i sim.Indicator) bool
	absolute float64 // in the indicator's unit
	relative float64 // of the control's mean
}{
	{IsShare, .005, 0}, // half a percentage point
	{func(i sim.Indicator) bool { return i == sim.IncomeGini || i == sim.WealthGini }, .005, 0},
	{func(sim.Indicator) bool { return true }, 0, .01},
}

// smallestEffectsNote tells the table.
var smallestEffectsNote = note{
	"Smallest effects of interest, where none was planned: 0.5 percentage points of shares and rates, 0.005 of Gini coefficients, 1 % of the control's mean for all else",
	"最小关注效应（计划未指定时）：比率为0.5个百分点，基尼系数为0.005，其他指标为对照组均值的1%",
}

// SmallestEffect is the default of the smallest effect of interest on an indicator, in its
// unit and above zero: a half percentage point of a share or a rate, 0.005 of a Gini
// coefficient, and 1 % of the control's mean of anything else. It is NaN where that mean is
// zero or not known. These are conventions, so that noise is not told from nothing at any
// price: who knows what would matter plans it.
func SmallestEffect(i sim.Indicator, control float64) float64 {
	for _, row := range smallestEffects {
		if row.of(i) {
			if margin := row.absolute + row.relative*math.Abs(control); margin > 0 {
				return margin
			}
			break
		}
	}
	return math.NaN()
}

// How many replications an inconclusive row is told to need.
const (
	powerToSettle    = .9
	mostReplications = 1000 // a side; a simulation takes no more
)

// moreReplications is about how many replications a side must be added to what a hypothesis
// rests on until it is settled: with 90 % power at the smallest effect of interest, at the
// level shared out among the hypotheses that it is adjusted over (Bonferroni), by the scatter
// that was seen and never by the difference that was seen. Where the replications have that
// power already, the true difference is probably a part of the smallest effect: then the
// interval must become so narrow that it cannot hold both zero and the smallest effect. It is
// NaN where no number up to mostReplications does.
func (h *hypothesis) moreReplications(confidence float64) float64 {
	margin, alpha := float64(h.row.SmallestEffect), (1-confidence)/float64(max(1, h.among))
	have, need, ok := min(len(h.a), len(h.b)), 0, false
	var sd float64
	if h.match.paired {
		sd = stats.StdDev(differencesOf(h.a, h.b))
		need, ok = stats.PairedReplications(margin, sd, powerToSettle, 1-alpha)
	} else {
		before, after := stats.StdDev(h.a), stats.StdDev(h.b)
		sd = math.Hypot(before, after)
		need, ok = stats.WelchReplications(margin, before, after, powerToSettle, 1-alpha)
	}
	if ok && need <= have {
		need, ok = stats.HalfWidthReplications(sd, margin/2, 1-alpha)
	}
	for need = max(need, have+1); h.test != TestT && need <= mostReplications && smallestP(h.match.paired, need, need) >= alpha; {
		need++ // with fewer, no rearrangement could be rare enough
	}
	if !ok || need > mostReplications {
		return math.NaN()
	}
	return float64(need - have)
}

func differencesOf(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for r := range a {
		d[r] = b[r] - a[r]
	}
	return d
}

// verdictText is the verdict on a row for people.
func verdictText(row *ComparisonRow, confidence float64, language string) string {
	direction := word(language, "higher", "更高")
	if row.Difference < 0 {
		direction = word(language, "lower", "更低")
	}
	colon := word(language, ": ", "：")
	switch row.Verdict {
	case Supported, Contradicted:
		text := row.Verdict.In(language) + colon + direction
		if row.negligible(confidence) {
			text += word(language, ", but within ", "，但在") + marginText(row, language) + word(language, "", "以内")
		}
		return text
	case EquivalentToZero:
		if margin := marginText(row, language); margin != "" && !row.same() {
			return row.Verdict.In(language) + word(language, " (within ", "（") + margin + word(language, ")", "以内）")
		}
		return row.Verdict.In(language) + word(language, " (no difference)", "（无差异）")
	case Inconclusive:
		if more := moreText(row, false, language); more != "" {
			return row.Verdict.In(language) + colon + more
		}
	case NotJudged:
		if math.IsNaN(float64(row.Difference)) {
			return row.Verdict.In(language) + colon + word(language, "not measured", "未测量")
		}
		return row.Verdict.In(language) + colon + word(language, "one replication", "只有一次重复")
	}
	return row.Verdict.In(language)
}

// marginText is the smallest effect of interest of a row, with ± before it; empty where
// there is none.
func marginText(row *ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	margin := float64(row.SmallestEffect)
	if math.IsNaN(margin) {
		return ""
	}
	if control := math.Abs(float64(row.Control)); control > 0 && !IsShare(i) && readAs(i) != fraction {
		return "±" + FormatShare(margin/control, 1)
	}
	text := strings.TrimLeft(FormatDifference(i, margin), "+")
	return "±" + strings.Replace(text, " pp", word(language, " points", " 个百分点"), 1)
}

// moreText says how many more replications a row needs, to two digits, and what for; empty
// where that is not known. needed makes a clause of it.
func moreText(row *ComparisonRow, needed bool, language string) string {
	more := float64(row.MoreReplications)
	if math.IsNaN(more) {
		return ""
	}
	if more > 100 {
		unit := math.Pow(10, math.Floor(math.Log10(more))-1)
		more = unit * math.Ceil(more/unit)
	}
	text, margin := FormatNumber(more, 0), marginText(row, language)
	if language == Chinese {
		return "约需再做" + text + "次重复，才能区分" + margin + "的效应与零效应"
	}
	noun, verb := "replications", " are needed"
	if more == 1 {
		noun, verb = "replication", " is needed"
	}
	if !needed {
		verb = ""
	}
	return fmt.Sprintf("about %s more %s%s to tell an effect of %s from none", text, noun, verb, margin)
}

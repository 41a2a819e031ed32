package report

import (
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// finding is what a row shows, as people are told it. A verdict says whether there is a difference;
// a finding also says whether it is large enough to matter, that is, at least the smallest effect of
// interest.
type finding int

const (
	unmeasured  finding = iota
	once                // one replication
	estimated           // an interval, and no test
	large               // there is a difference, and its whole interval is large enough to matter
	sure                // there is one; its interval holds sizes that do not matter
	tiny                // there is one, and it is too small to matter
	equal               // whether there is one or not, it is too small to matter
	same                // no replication differs
	open                // neither: more replications would tell
	numFindings         // of them
)

// findingOf reads the verdict and beside it the interval, which is not adjusted.
func findingOf(row *inference.ComparisonRow, confidence float64) finding {
	nearest := min(math.Abs(float64(row.CILow)), math.Abs(float64(row.CIHigh)))
	switch {
	case math.IsNaN(float64(row.Difference)):
		return unmeasured
	case row.Verdict == inference.NotJudged && (row.N < 2 || !row.Paired && math.IsNaN(float64(row.CILow))):
		return once
	case row.Verdict == inference.NotJudged:
		return estimated
	case row.Negligible(confidence):
		return tiny
	case row.Found() && row.CILow*row.CIHigh > 0 && nearest >= float64(row.SmallestEffect):
		return large
	case row.Found():
		return sure
	case row.Same():
		return same
	case row.Verdict == inference.EquivalentToZero:
		return equal
	}
	return open
}

// wording is how a finding is told: in a table, beside its numbers; in a sentence; and what a longer
// sentence adds. Only in the table is nothing said of the size, which stands in the same row.
type wording struct{ cell, brief, more note }

// wordings are the words of all that is said of differences: answers, conclusions, tables and
// comparisons. {way} is higher or lower; {by} the size; {range} the interval and {bounds} the interval
// with its unit; {margin} the smallest effect of interest; {open} what an open interval leaves possible; {need} the replications needed.
var wordings = [numFindings]wording{
	unmeasured: {
		note{"not measured", "未测量"}, note{"not measured", "未测量"}, note{},
	},
	once: {
		note{"one replication, not judged", "只有一次重复，未作判断"},
		note{"{way} by {by} in one replication", "仅一次重复，{way} {by}"}, note{", which may be chance", "，可能出于偶然"},
	},
	estimated: {
		note{"an estimate, not tested", "仅为估计，未检验"},
		note{"estimated to be {way} by {by} ({range}), not tested", "估计{way} {by}（{range}），未检验"}, note{},
	},
	large: {
		note{"{way}, enough to matter", "更{way}，足以关注"},
		note{"{way} by {by} ({range})", "{way} {by}（{range}）"}, note{", enough to matter", "，足以关注"},
	},
	sure: {
		note{"{way}, perhaps too little to matter", "更{way}，未必足以关注"},
		note{"{way} by {by} ({range})", "{way} {by}（{range}）"},
		note{", which may be less than what matters ({margin})", "，未必达到值得关注的 {margin}"},
	},
	tiny: {
		note{"{way}, too small to matter (less than {margin})", "更{way}，但过小、不值得关注（不足 {margin}）"},
		note{"{way} by {by} ({range}): too small to matter", "{way} {by}（{range}）：过小，不值得关注"},
		note{" (less than {margin})", "（不足 {margin}）"},
	},
	equal: {
		note{"no difference that matters (less than {margin})", "无值得关注的差异（不足 {margin}）"},
		note{"no difference that matters ({bounds})", "无值得关注的差异（{bounds}）"},
		note{", less than {margin} either way", "，无论方向均不足 {margin}"},
	},
	same: {
		note{"no difference in any replication", "任何一次重复中均无差异"}, note{"no difference in any replication", "任何一次重复中均无差异"}, note{},
	},
	open: {
		note{"not known{need}", "尚不确定{need}"},
		note{"not known ({bounds})", "尚不确定（{bounds}）"}, note{": {open}{need}", "：{open}{need}"},
	},
}

// register is how much is said of a finding.
type register int

const (
	inCell  register = iota // beside its numbers
	inBrief                 // with its size and interval
	inFull                  // and with what the size means
)

// said tells what a row shows.
func said(row *inference.ComparisonRow, how register, confidence float64, language string) string {
	of := findingOf(row, confidence)
	words := wordings[of]
	text := words.cell.in(language)
	switch how {
	case inBrief:
		text = words.brief.in(language)
	case inFull:
		text = words.brief.in(language) + words.more.in(language)
	}
	if how == inCell {
		text += expectation(row, language)
	}
	if math.IsNaN(float64(row.SmallestEffect)) && (of == sure || of == large) { // nothing is known of what matters
		text = word(language, "{way}", "更{way}") + expectation(row, language)
		if how != inCell {
			text = wordings[sure].brief.in(language)
		}
	}
	return filled(text, row, language)
}

// Headline is the verdict on a row in a few words, for lists, and beside it how large the difference is. A row that was not planned has
// no verdict.
func Headline(row *inference.ComparisonRow, confidence float64, language string) (verdict, text string) {
	text = described(row, language)
	if of := findingOf(row, confidence); of == unmeasured || of == once || of == same { // there is nothing to describe
		text = said(row, inBrief, confidence, language)
	}
	if row.Exploratory {
		return word(language, "not as planned", "非计划内"), text
	}
	return map[inference.Verdict]note{
		inference.Supported: {"an effect", "有效应"}, inference.Contradicted: {"against what was expected", "与预期相反"},
		inference.EquivalentToZero: {"no effect that matters", "无值得关注的效应"}, inference.Inconclusive: {"not known", "尚不确定"},
		inference.NotJudged: {"not judged", "未作判断"},
	}[row.Verdict].in(language), text
}

// described is how large a difference is, with its interval, whatever the verdict on it.
func described(row *inference.ComparisonRow, language string) string {
	return filled(wordings[sure].brief.in(language), row, language)
}

// filled puts what a row says into the places of a text.
func filled(text string, row *inference.ComparisonRow, language string) string {
	way := word(language, "higher", "高")
	if row.Difference < 0 {
		way = word(language, "lower", "低")
	}
	return strings.NewReplacer(
		"{way}", way, "{by}", size(row, language), "{bounds}", boundsText(row, language), "{range}", rangeText(row, language),
		"{margin}", marginText(row, language),
		"{open}", openText(row, language), "{need}", needText(row, language),
	).Replace(text)
}

// expectation continues a finding by whether it was expected; empty where nothing was.
func expectation(row *inference.ComparisonRow, language string) string {
	switch {
	case row.Verdict == inference.Contradicted:
		return word(language, ", against what was expected", "，与预期相反")
	case row.Verdict == inference.Supported && row.Expected != 0:
		return word(language, ", as expected", "，符合预期")
	}
	return ""
}

// size is how large a difference is: relative for amounts and indices, in percentage points for
// shares.
func size(row *inference.ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	if isRelative(i, row.Percent) {
		return relativeText(math.Abs(float64(row.Percent)) / 100)
	}
	return points(FormatSize(i, math.Abs(float64(row.Difference))), language)
}

// relativeText writes a share of the control with at least two digits that tell.
func relativeText(x float64) string {
	if math.Abs(x) < .01 {
		return FormatShare(x, 2)
	}
	return FormatShare(x, 1)
}

// points writes out what pp stands for.
func points(s, language string) string {
	return strings.Replace(s, " pp", word(language, " percentage points", " 个百分点"), 1)
}

// boundsText is the interval of a difference with its unit.
func boundsText(row *inference.ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	if readAs(i) == share && !math.IsNaN(float64(row.CILow)) {
		return rangeText(row, language) + word(language, " points", " 个百分点")
	}
	return rangeText(row, language)
}

// rangeText is the interval of a difference, in the unit of [size].
func rangeText(row *inference.ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	low, high := row.CILow, row.CIHigh
	bound := func(x stats.Number) string { return strings.TrimSuffix(FormatDifference(i, float64(x)), " pp") }
	if isRelative(i, row.Percent) {
		low, high = row.PercentLow, row.PercentHigh
		bound = func(x stats.Number) string { return signed(float64(x), relativeText(float64(x)/100)) }
	}
	if math.IsNaN(float64(low)) {
		return word(language, "no interval", "无区间")
	}
	return bound(low) + word(language, " to ", " 至 ") + bound(high)
}

// marginText is the smallest effect of interest of a row; empty where there is none.
func marginText(row *inference.ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	margin := float64(row.SmallestEffect)
	if math.IsNaN(margin) {
		return ""
	}
	if control := math.Abs(float64(row.Control)); control > 0 && isRelative(i, row.Percent) {
		return strings.Replace(FormatShare(margin/control, 1), ".0 %", " %", 1)
	}
	return points(strings.Replace(FormatSize(i, margin), "0 pp", " pp", 1), language)
}

// openText says what the interval of a difference that is not known leaves possible.
func openText(row *inference.ComparisonRow, language string) string {
	low, high, margin := float64(row.CILow), float64(row.CIHigh), float64(row.SmallestEffect)
	among := word(language, "not clear enough for the number of hypotheses that were tested, and the part of the level that they have", "就检验的假设数量及其所分得的显著性水平而言不够明确")
	switch {
	case math.IsNaN(low):
		return word(language, "too few replications differ to tell", "存在差异的重复太少，无法判断")
	case math.IsNaN(margin):
		return word(language, "the sign is open", "方向未定")
	case low > 0 || high < 0:
		return among
	case low <= -margin && high >= margin:
		return word(language, "both would matter", "两端都值得关注")
	case high >= margin:
		return word(language, "the upper end would matter", "上端值得关注")
	case low <= -margin:
		return word(language, "the lower end would matter", "下端值得关注")
	}
	return word(language, "within what does not matter, but ", "区间在不值得关注的范围内，但") + among
}

// needText says how many replications of a new plan settle a row, to two digits; empty where that is not known.
func needText(row *inference.ComparisonRow, language string) string {
	needed := float64(row.ReplicationsNeeded)
	if math.IsNaN(needed) {
		return ""
	}
	if needed > 100 {
		unit := math.Pow(10, math.Floor(math.Log10(needed))-1)
		needed = unit * math.Ceil(needed/unit)
	}
	return wordf(language, "; about %s replications with another seed would tell", "；换一个种子、约%s次重复方可判断", FormatNumber(needed, 0))
}

// VerdictWord is the verdict on a hypothesis as a word.
func VerdictWord(v inference.Verdict, language string) string {
	return map[inference.Verdict]note{
		inference.Supported: {"supported", "得到支持"}, inference.Contradicted: {"refuted", "被否定"},
		inference.EquivalentToZero: {"refuted: nothing that matters", "被否定：无值得关注的差异"}, inference.Inconclusive: {"not decided", "未定"},
		inference.NotJudged: {"not judged", "未作判断"},
	}[v].in(language)
}

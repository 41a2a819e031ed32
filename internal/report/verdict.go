package report

import (
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// VerdictWord is a verdict as a word.
func VerdictWord(v inference.Verdict, language string) string {
	return word(language, strings.ReplaceAll(string(v), "_", " "), map[inference.Verdict]string{
		inference.Supported: "得到支持", inference.Contradicted: "被否定", inference.EquivalentToZero: "等效于零", inference.Inconclusive: "尚无定论",
		inference.NotJudged: "未作判断",
	}[v])
}

// verdictText is the verdict on a row for people.
func verdictText(row *inference.ComparisonRow, confidence float64, language string) string {
	direction := word(language, "higher", "更高")
	if row.Difference < 0 {
		direction = word(language, "lower", "更低")
	}
	colon := word(language, ": ", "：")
	switch row.Verdict {
	case inference.Supported, inference.Contradicted:
		text := VerdictWord(row.Verdict, language) + colon + direction
		if row.Negligible(confidence) {
			text += word(language, ", but within ", "，但在") + marginText(row, language) + word(language, "", "以内")
		}
		return text
	case inference.EquivalentToZero:
		if margin := marginText(row, language); margin != "" && !row.Same() {
			return VerdictWord(row.Verdict, language) + word(language, " (within ", "（") + margin + word(language, ")", "以内）")
		}
		return VerdictWord(row.Verdict, language) + word(language, " (no difference)", "（无差异）")
	case inference.Inconclusive:
		if more := moreText(row, false, language); more != "" {
			return VerdictWord(row.Verdict, language) + colon + more
		}
	case inference.NotJudged:
		if math.IsNaN(float64(row.Difference)) {
			return VerdictWord(row.Verdict, language) + colon + word(language, "not measured", "未测量")
		}
		return VerdictWord(row.Verdict, language) + colon + word(language, "one replication", "只有一次重复")
	}
	return VerdictWord(row.Verdict, language)
}

// marginText is the smallest effect of interest of a row, with ± before it; empty where
// there is none.
func marginText(row *inference.ComparisonRow, language string) string {
	i, _ := sim.IndicatorByName(row.Metric)
	margin := float64(row.SmallestEffect)
	if math.IsNaN(margin) {
		return ""
	}
	if control := math.Abs(float64(row.Control)); control > 0 && !tables.IsShare(i) && readAs(i) != fraction {
		return "±" + FormatShare(margin/control, 1)
	}
	return "±" + strings.Replace(FormatSize(i, margin), " pp", word(language, " points", " 个百分点"), 1)
}

// moreText says how many more replications a row needs, to two digits, and what for; empty
// where that is not known. needed makes a clause of it.
func moreText(row *inference.ComparisonRow, needed bool, language string) string {
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

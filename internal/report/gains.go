package report

import (
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// gainVerdicts are the verdicts of a [inference.GainRow] in Chinese.
var gainVerdicts = map[string]string{"gains": "受益", "loses": "受损", "too small": "过小，不值得关注", "no clear change": "无明显变化", "not judged": "无法判断"}

// gainText is the verdict of a row of incomes; a clear one of less than what matters says so.
func gainText(row *inference.GainRow, language string) string {
	text := word(language, row.Verdict, gainVerdicts[row.Verdict])
	if (row.Verdict == "gains" || row.Verdict == "loses") && math.Abs(float64(row.Percent)) < 1 {
		text += word(language, ", perhaps too little to matter", "，未必大到值得关注")
	}
	return text
}

// beyondText says that gains and budget are not as planned; empty where they are.
func beyondText(a *inference.Analysis, language string) string {
	if a.Beyond == 0 {
		return ""
	}
	return wordf(language,
		"Exploratory, not as planned: each p is adjusted for the part of the level that is left to it among the %d hypotheses that "+
			"were ever asked beyond plans.",
		"属探索性分析，与计划不一致：各p值按其在计划外曾提出的全部%d个假设中所分得的显著性水平份额校正。", a.Beyond)
}

// distributionText tells who gains and who loses, arm by arm, of all groupings; empty where nothing is
// clear.
func distributionText(a *inference.Analysis, language string) string {
	var sentences []string
	for _, arm := range armsOf(a.Distribution.Rows) {
		var parts []string
		for _, part := range []struct{ verdict, en, zh string }{{"gains", "rise ", "上升："}, {"loses", "fall ", "下降："}} {
			var clauses []string
			for _, grouping := range tables.Standings {
				rows := slices.DeleteFunc(a.Distribution.By(grouping.Name), func(row inference.GainRow) bool { return row.Arm != arm })
				if names := groupSpans(rows, part.verdict, language); names != "" {
					clauses = append(clauses, word(language, grouping.EN+" ", grouping.ZH+"：")+names)
				}
			}
			if clauses != nil {
				parts = append(parts, word(language, part.en, part.zh)+strings.Join(clauses, word(language, ", ", "，")))
			}
		}
		if parts == nil {
			continue
		}
		name := word(language, "they ", "")
		if severalArms(a.Treatment) {
			name = arm + word(language, ": they ", "：")
		}
		sentences = append(sentences, name+listed(parts, "; ", language)+word(language, ".", "。"))
	}
	if sentences == nil {
		return ""
	}
	return word(language, "Real incomes of households, by where they stood before month 1: ", "实际收入（按第1个月之前的位置分组）：") +
		strings.Join(sentences, word(language, " ", ""))
}

// armsOf are the arms of rows, in their order.
func armsOf(rows []inference.GainRow) (list []string) {
	for _, row := range rows {
		if !slices.Contains(list, row.Arm) {
			list = append(list, row.Arm)
		}
	}
	return list
}

// groupSpans are the groups of rows that have a verdict, neighbours among the tenths as a span.
func groupSpans(rows []inference.GainRow, verdict, language string) string {
	var names []string
	for k := 0; k < len(rows); k++ {
		if rows[k].Verdict != verdict {
			continue
		}
		end := k
		for end+1 < len(rows) && rows[end+1].Verdict == verdict {
			end++
		}
		switch {
		case k == 0 && end == len(rows)-1:
			return word(language, "in all groups", "所有组")
		case end-k > 1 && slices.Contains(tables.Deciles[:], rows[k].Group):
			names = append(names, groupText(rows[k].Group, language)+word(language, " to ", "至")+groupText(rows[end].Group, language))
			k = end
		default:
			names = append(names, groupText(rows[k].Group, language))
		}
	}
	return listed(names, ", ", language)
}

// groupingText names a grouping of [inference.GainRow] for people.
func groupingText(grouping, language string) string {
	for _, s := range tables.Standings {
		if s.Name == grouping {
			return word(language, s.EN, s.ZH)
		}
	}
	return grouping
}

// groupTexts name groups of households for people: in English, and in Chinese.
var groupTexts = map[string]note{
	tables.Deciles[0]:               {tables.Deciles[0], "1（最贫）"},
	tables.Deciles[9]:               {tables.Deciles[9], "10（最富）"},
	sim.Employed.String():           {"employed", "就业"},
	sim.Unemployed.String():         {"unemployed", "失业"},
	sim.OutsideLabourForce.String(): {"outside the labour force", "不在劳动力中"},
	tables.SkillGroups[0]:           {"low", "低"},
	tables.SkillGroups[1]:           {"middle", "中"},
	tables.SkillGroups[2]:           {"high", "高"},
}

// groupText names a group of households for people.
func groupText(group, language string) string {
	if n, ok := groupTexts[group]; ok {
		return n.in(language)
	}
	return group
}

// moneyText writes a difference of amounts of money with its sign.
func moneyText(x stats.Number) string { return FormatDifference(sim.RealGDP, float64(x)) }

// pointsText writes a difference of shares of GDP.
func pointsText(x stats.Number, language string) string {
	return wordf(language, "%s of GDP", "GDP的 %s", signedShare(float64(x), 2))
}

package report

import (
	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// gainVerdicts are the verdicts of a [inference.GainRow] in Chinese.
var gainVerdicts = map[string]string{"gains": "受益", "loses": "受损", "no clear change": "无明显变化", "not judged": "无法判断"}

// beyondText says that gains and budget are not as planned; empty where they are.
func beyondText(a *inference.Analysis, language string) string {
	if a.Beyond == 0 {
		return ""
	}
	return wordf(language,
		"Exploratory, not as planned: no p is below that of the whole family by Holm over the %d hypotheses that were ever asked "+
			"beyond the plan.",
		"属探索性分析，与计划不一致：各p值不低于整组假设按Holm法对计划外曾提出的全部%d个假设校正后的p值。", a.Beyond)
}

// distributionText tells who gains and who loses, of all groupings.
func distributionText(a *inference.Analysis, language string) (text string) {
	several := severalArms(a.Treatment)
	for _, part := range []struct{ verdict, en, zh string }{
		{"gains", "Real incomes rise, of households by where they stood before month 1: ", "实际收入上升（按第1个月之前的位置分组）："},
		{"loses", "Real incomes fall, of households by where they stood before month 1: ", "实际收入下降（按第1个月之前的位置分组）："},
	} {
		var clauses []string
		for _, grouping := range tables.Standings {
			rows := a.Distribution.By(grouping.Name)
			var names []string
			for _, row := range rows {
				if row.Verdict == part.verdict {
					name := groupText(row.Group, language)
					if several {
						name = row.Arm + " " + name
					}
					names = append(names, name)
				}
			}
			by := word(language, grouping.EN, grouping.ZH)
			switch {
			case len(names) == 0:
			case len(names) == len(rows):
				clauses = append(clauses, by+word(language, " in all groups", "：所有组"))
			default:
				clauses = append(clauses, by+word(language, " ", "：")+listed(names, ", ", language))
			}
		}
		if len(clauses) > 0 {
			text += word(language, part.en, part.zh) + listed(clauses, "; ", language) + word(language, ". ", "。")
		}
	}
	return text
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

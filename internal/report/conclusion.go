package report

import (
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/sim"
)

// conclude puts the analysis into a few sentences.
func conclude(a *inference.Analysis, language string) string {
	if a.Control == "" {
		return concludeAlone(a, language)
	}
	var b strings.Builder
	fmt.Fprintf(&b, word(language, "Compared with %s, over months %d to %d and %s paired by seed: ", "与%s相比，第%d至%d个月，按种子配对的%s："),
		a.Control, a.From, a.To, replicationText(a.Replications, language))
	apart, spoken := rowNamesOf(a.Treatment, language), spokenOf(a.Treatment)
	var supported []string
	for k := range a.Treatment {
		row := &a.Treatment[k]
		i, _ := sim.IndicatorByName(row.Metric)
		if !spoken(i) || math.IsNaN(float64(row.Difference)) {
			continue
		}
		subject := apart.of(row, subjectOf(i, language))
		switch {
		case row.Found():
			supported = append(supported, effectSentence(row, subject, language, a.Confidence))
		case row.Verdict == inference.NotJudged:
			supported = append(supported, subject+" "+FormatDifference(i, float64(row.Difference)))
		}
	}
	switch {
	case a.Replications < 2:
		b.WriteString(
			listed(
				supported,
				"; ",
				language,
			) + word(
				language,
				". One replication has no interval: any of this may be chance.",
				"。只有一次重复，没有区间：这些差异都可能出于偶然。",
			),
		)
		return b.String()
	case len(supported) > 0:
		b.WriteString(listed(supported, "; ", language) + word(language, ". ", "。"))
	default:
		b.WriteString(word(language, "no difference is supported. ", "没有得到支持的差异。"))
	}
	equal, open := unsupported(a, language, spoken)
	b.WriteString(equal + open)
	if text := distributionText(a, language) + budgetText(a, language); text != "" {
		b.WriteString(text + beyondText(a, language))
	}
	return strings.TrimSpace(b.String())
}

func concludeAlone(a *inference.Analysis, language string) string {
	level := FormatShare(a.Confidence, 0)
	about := func(name string, m inference.Measure, show func(x float64) string) string {
		text := name + " " + show(float64(m.Value))
		if !math.IsNaN(float64(m.CILow)) {
			text += wordf(
				language,
				" (%s interval %s to %s)",
				"（%s 区间 %s 至 %s）",
				level,
				show(float64(m.CILow)),
				show(float64(m.CIHigh)),
			)
		}
		return text
	}
	share := func(x float64) string { return FormatShare(x, 1) }
	return wordf(
		language,
		"Over months %d to %d, as means over %s: ",
		"第%d至%d个月，%s的均值：",
		a.From,
		a.To,
		replicationText(a.Replications, language),
	) +
		listed(
			[]string{
				about(word(language, "unemployment", "失业率"), a.Macro["unemployment"], share),
				about(word(language, "inflation", "通货膨胀率"), a.Macro["inflation"], share),
				about(word(language, "real growth", "实际增长率"), a.Macro["gdp_growth"], share),
				about(
					word(language, "income Gini", "收入基尼系数"),
					a.Consumer["income_gini"],
					func(x float64) string { return FormatNumber(x, 3) },
				),
				about(word(language, "poverty", "贫困率"), a.Consumer["poverty_rate"], share),
				about(word(language, "public debt", "公共债务"), a.Macro["debt_to_gdp"], share),
			},
			"; ",
			language,
		) +
		word(
			language,
			". There is no control: nothing here is an effect of a policy.",
			"。没有对照组：以上均不是政策的效果。",
		)
}

func replicationText(n int, language string) string {
	if language == Chinese {
		return fmt.Sprintf("%d次重复", n)
	}
	return Plural(n, "replication")
}

// settlingText tells both verdicts.
func settlingText(s *inference.Settling, language string) []string {
	return []string{
		map[string]string{
			"enough": word(
				language, "Warm-up: in most replications the control had settled when the window began (MSER-5).", "预热：多数重复中，窗口开始时对照组已稳定（MSER-5）。",
			),
			"unclear": word(language, "Warm-up: by MSER-5 the control had settled before the window in about half of the "+
				"replications only, for some rates; slow cycles look like that too.", "预热：对部分比率，仅约半数重复在窗口前已稳定（MSER-5）；缓慢的周期也会如此。"),
			"too short":  word(language, "Warm-up: too short for some rates (MSER-5), see the notes.", "预热：对部分比率过短（MSER-5），见注意事项。"),
			"not judged": word(language, "Warm-up: not judged; that needs two replications and 50 months.", "预热：未判断；需要至少两次重复和50个月。"),
		}[s.WarmUp],
		map[string]string{
			"stationary": word(language, "Stationarity: no more replications than chance allows find that a rate of the control "+
				"wanders in the window (KPSS, and runs tests in windows of 240 months).", "平稳性：窗口内发现对照组比率漂移的重复数未超出偶然范围（KPSS；"+
				"240个月以上的窗口另用游程检验）。"),
			"unclear": word(language, "Stationarity: more replications than chance allows find that some rates of the control "+
				"wander in the window, but not most; slow cycles look like that.", "平稳性：发现部分比率漂移的重复数超出偶然范围，但未过半；缓慢的周期会如此。"),
			"wanders": word(language, "Stationarity: some rates of the control do not stay around a level in the window, see the "+
				"notes.", "平稳性：窗口内对照组的部分比率未围绕某一水平波动，见注意事项。"),
			"not judged": word(language, "Stationarity: not judged; that needs two replications and a window of 60 months.", "平稳性：未判断；"+
				"需要至少两次重复和60个月的窗口。"),
		}[s.Stationarity],
	}
}

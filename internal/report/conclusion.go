package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Conclusion tells what an analysis of a study shows: paragraphs that follow each other. With a control
// the first are about the primary outcome, whatever its verdict, and the next answers the hypothesis,
// where there is one.
func Conclusion(a *inference.Analysis, s *tables.Study, language string) []string {
	if a.Control == "" {
		return []string{concludeAlone(a, language)}
	}
	n := narratorOf(a, language)
	first, rest := n.primary(a)
	rest = n.spoken(rest)
	head := n.head(a)
	if a.Replications < 2 {
		var list []string
		for _, t := range append(n.spoken(first), rest...) {
			if !math.IsNaN(float64(t.rows[0].Difference)) {
				list = append(list, n.about(t)+word(language, ": ", "：")+n.tell(t, inBrief))
			}
		}
		return []string{head + listed(list, "; ", language) + word(
			language, ". One replication has no interval: any of this may be chance.", "。只有一次重复，没有区间：这些差异都可能出于偶然。",
		)}
	}
	var out []string
	if len(first) > 0 {
		subject := subjectOf(first[0].indicator, language)
		if n.names.arms {
			out = append(out, head+wordf(language, "the primary outcome is %s.", "主要指标为%s。", subject))
			for _, t := range first {
				out = append(out, armText(t.rows[0].Arm, language)+word(language, ": ", "：")+n.tell(t, inFull)+word(language, ".", "。"))
			}
		} else {
			out = append(out, head+wordf(language, "the primary outcome, %s, %s.", "主要指标%s：%s。", subject, n.clause(first[0], inFull)))
		}
		out = append(out, n.hypothesis(first, s.Hypothesis))
		head = ""
	}
	out = append(out, n.others(rest, head, len(first) == 0)...)
	out = append(out, n.between(a))
	text := distributionText(a, language) + word(language, " ", "") + budgetText(a, language)
	if text = strings.TrimSpace(text); text != "" {
		out = append(out, strings.TrimSpace(text+word(language, " ", "")+beyondText(a, language)))
	}
	return slices.DeleteFunc(out, func(text string) bool { return text == "" })
}

// others tell outcomes beside the primary one: with several arms a paragraph for each that differs in
// any of them, else one sentence after the other; then those that differ nowhere. alone says that there
// is no primary outcome.
func (n *narrator) others(rest []tale, head string, alone bool) (out []string) {
	told, silent := n.split(rest)
	if !n.names.arms {
		text := head
		for _, t := range told {
			text += capital(n.about(t)) + word(n.language, ": ", "：") + n.tell(t, inBrief) + word(n.language, ". ", "。")
		}
		if len(told) == 0 && alone {
			text += word(n.language, "no difference is sure. ", "没有确定的差异。")
		}
		return []string{strings.TrimSpace(text + n.unsupported(silent))}
	}
	if head != "" {
		out = append(out, strings.TrimRight(head, ": ：")+word(n.language, ".", "。"))
	}
	silent = nil
	for k, t := range rest {
		if k > 0 && slices.ContainsFunc(rest[:k], func(before tale) bool { return before.indicator == t.indicator }) {
			continue
		}
		arms := slices.DeleteFunc(slices.Clone(rest), func(other tale) bool { return other.indicator != t.indicator })
		if !slices.ContainsFunc(arms, tale.found) {
			silent = append(silent, arms...)
			continue
		}
		var clauses []string
		for _, arm := range arms {
			clauses = append(clauses, armText(arm.rows[0].Arm, n.language)+" "+n.tell(arm, inBrief))
		}
		out = append(out, capital(subjectOf(t.indicator, n.language))+word(n.language, ": ", "：")+
			strings.Join(clauses, word(n.language, ". ", "。"))+word(n.language, ".", "。"))
	}
	if len(out) == 0 && alone {
		out = []string{word(n.language, "No difference is sure.", "没有确定的差异。")}
	}
	return append(out, n.unsupported(silent))
}

// joinedParagraphs are paragraphs as one text.
func joinedParagraphs(list []string, language string) string {
	return strings.Join(list, word(language, " ", ""))
}

// tale is what became of an outcome in an arm: a row for each window, in the order of the months.
type tale struct {
	indicator sim.Indicator
	rows      []*inference.ComparisonRow
}

// found says that there is a difference in a window.
func (t tale) found() bool {
	return slices.ContainsFunc(t.rows, func(row *inference.ComparisonRow) bool { return row.Found() })
}

// narrator tells tales.
type narrator struct {
	tales      []tale
	names      rowNames
	confidence float64
	last       int                // month that was simulated
	common     []inference.Window // of all tales, told once; nil = each tells its own
	language   string
	planned    func(sim.Indicator) bool // sentences speak of it
}

func narratorOf(a *inference.Analysis, language string) *narrator {
	n := &narrator{
		names: rowNamesOf(a.Treatment, language), confidence: a.Confidence, last: a.Months, language: language, planned: spokenOf(a.Treatment),
	}
	for k := range a.Treatment {
		row := &a.Treatment[k]
		i, known := sim.IndicatorByName(row.Metric)
		if !known {
			continue
		}
		at := slices.IndexFunc(n.tales, func(t tale) bool { return t.indicator == i && t.rows[0].Arm == row.Arm })
		if at < 0 {
			n.tales = append(n.tales, tale{i, nil})
			at = len(n.tales) - 1
		}
		n.tales[at].rows = append(n.tales[at].rows, row)
	}
	for _, t := range n.tales {
		slices.SortStableFunc(t.rows, func(x, y *inference.ComparisonRow) int { return cmp.Compare(x.Window.From, y.Window.From) })
	}
	if len(n.tales) > 0 {
		n.common = n.commonWindows()
	}
	return n
}

// primary are the tales of the primary outcome, and all others.
func (n *narrator) primary(a *inference.Analysis) (first, rest []tale) {
	for _, t := range n.tales {
		if t.indicator.String() == a.Method.Primary {
			first = append(first, t)
		} else {
			rest = append(rest, t)
		}
	}
	return first, rest
}

// spoken are those of which sentences speak.
func (n *narrator) spoken(list []tale) []tale {
	return slices.DeleteFunc(slices.Clone(list), func(t tale) bool { return !n.planned(t.indicator) })
}

// split parts those with a difference from those without.
func (n *narrator) split(list []tale) (told, silent []tale) {
	for _, t := range list {
		if t.found() {
			told = append(told, t)
		} else {
			silent = append(silent, t)
		}
	}
	return told, silent
}

// head says what is compared.
func (n *narrator) head(a *inference.Analysis) string {
	when, windows := "", ""
	if !n.names.windows {
		when = wordf(n.language, "months %d to %d and ", "第%d至%d个月，", a.From, a.To)
	}
	if n.common != nil {
		var list []string
		for _, w := range n.common {
			list = append(list, n.named(w)+wordf(n.language, " (months %d–%d)", "（第%d–%d个月）", w.From, w.To))
		}
		windows = word(n.language, ", ", "，") + strings.Join(list, word(n.language, " and ", "与"))
	}
	brackets := ""
	if a.Replications > 1 {
		brackets = wordf(n.language, ", with %s intervals in brackets", "，括号内为%s区间", FormatShare(a.Confidence, 0))
	}
	return wordf(n.language, "Compared with %s, over %s%s paired by seed%s%s: ", "与%s相比，%s按种子配对的%s%s%s：",
		armName(a.Control).in(n.language), when, replicationText(a.Replications, n.language), windows, brackets)
}

// about names the outcome, with the arm where there are several.
func (n *narrator) about(t tale) string {
	return ofArm(n.names.arms, armText(t.rows[0].Arm, n.language), subjectOf(t.indicator, n.language))
}

// tell tells what became of an outcome in each window, and first whether its sign changed on the way.
func (n *narrator) tell(t tale, how register) string {
	differs := func(row *inference.ComparisonRow) bool { return findingOf(row, n.confidence) != same }
	if len(t.rows) == 1 || !slices.ContainsFunc(t.rows, differs) {
		return said(t.rows[0], how, n.confidence, n.language) // what differs nowhere does so in no window
	}
	var list []string
	for _, row := range t.rows {
		list = append(list, n.when(row)+word(n.language, " ", "")+said(row, how, n.confidence, n.language))
	}
	return wayText(t, n.language) + listed(list, "; ", n.language)
}

// clause is tell with the verb that it takes after a subject.
func (n *narrator) clause(t tale, how register) string {
	verb := "is "
	switch findingOf(t.rows[0], n.confidence) {
	case equal, same:
		verb = "shows "
	case unmeasured:
		verb = "was "
	}
	return word(n.language, verb, "") + n.tell(t, how)
}

// when names the window of a row among several, with its months where the head does not tell them.
func (n *narrator) when(row *inference.ComparisonRow) string {
	w := row.Window
	name := n.named(w)
	switch months := wordf(n.language, "months %d–%d", "第%d–%d个月", w.From, w.To); {
	case name == "":
		return wordf(n.language, "in %s", "%s", months)
	case n.common == nil:
		return name + wordf(n.language, " (%s)", "（%s）", months)
	}
	return name
}

// named is what a window is called that begins or ends with the simulation; "" = it does neither, or both.
func (n *narrator) named(w inference.Window) string {
	switch {
	case w.From == 1 && w.To < n.last:
		return word(n.language, "at first", "起初")
	case w.To == n.last && w.From > 1:
		return word(n.language, "at the end", "最后")
	}
	return ""
}

// commonWindows are those of all tales, where all have the same ones and each has a name of its own.
func (n *narrator) commonWindows() []inference.Window {
	var list []inference.Window
	for _, row := range n.tales[0].rows {
		list = append(list, row.Window)
	}
	for _, t := range n.tales {
		if !slices.EqualFunc(t.rows, list, func(row *inference.ComparisonRow, w inference.Window) bool { return row.Window == w }) {
			return nil
		}
	}
	if len(list) != 2 || n.named(list[0]) == "" || n.named(list[1]) == "" || n.named(list[0]) == n.named(list[1]) {
		return nil
	}
	return list
}

// wayText says that a difference changed its sign from window to window, where both are sure; it
// begins a list of the windows.
func wayText(t tale, language string) string {
	var ways []string
	for _, row := range t.rows {
		way := word(language, "higher", "高")
		if row.Difference < 0 {
			way = word(language, "lower", "低")
		}
		if row.Found() && (len(ways) == 0 || ways[len(ways)-1] != way) {
			ways = append(ways, way)
		}
	}
	if len(ways) < 2 {
		return ""
	}
	return word(language, "first ", "先") + strings.Join(ways, word(language, ", then ", "后")) + word(language, ": ", "：")
}

// hypothesis answers what was expected of the primary outcome, of each arm and window: the verdict with
// its size. captured is the hypothesis in the words of whoever noted it; "" = none was.
func (n *narrator) hypothesis(first []tale, captured string) string {
	quoted := ""
	if captured != "" {
		quoted = wordf(n.language, " “%s”", "“%s”", strings.TrimRight(captured, ".。 "))
	}
	var clauses []string
	way := ""
	for _, t := range first {
		if sign := t.rows[0].Expected; sign != 0 {
			way = word(n.language, map[int]string{1: "higher", -1: "lower"}[sign], map[int]string{1: "更高", -1: "更低"}[sign])
			arm := ""
			if n.names.arms {
				arm = armText(t.rows[0].Arm, n.language) + word(n.language, " ", "：")
			}
			clauses = append(clauses, arm+n.verdicts(t, sign))
		}
	}
	switch {
	case clauses != nil:
		return wordf(n.language, "Hypothesis%s (%s is expected to be %s): %s.", "假设%s（预期%s%s）：%s。", quoted,
			subjectOf(first[0].indicator, n.language), way, listed(clauses, "; ", n.language))
	case captured != "":
		return wordf(n.language,
			"Hypothesis%s: not decided by a test, because the plan names no direction in which the primary outcome was expected to move.",
			"假设%s：检验未能判定，因为计划没有说明主要指标的预期方向。", quoted)
	}
	return ""
}

// verdicts are those on a claim, 1 = it rises, -1 = it falls, 0 = it changes, window by window, with the
// size and the interval.
func (n *narrator) verdicts(t tale, sign int) string {
	var list []string
	for _, row := range t.rows {
		verdict := row.Judge(sign, n.confidence)
		if verdict == inference.EquivalentToZero {
			verdict = inference.Contradicted
		}
		text := VerdictWord(verdict, n.language)
		if row.Same() { // as of a condition that was never met
			text = word(n.language, "not tested, since nothing differed in any replication", "未经检验，因为任何一次重复中都没有差异")
		}
		if len(t.rows) > 1 {
			text = word(n.language, text+" "+n.when(row), n.when(row)+text)
		}
		list = append(list, text+n.effect(row))
	}
	return listed(list, ", ", n.language)
}

// effect is a difference with its interval, in brackets, and whether it is too small to matter; empty where
// there is none.
func (n *narrator) effect(row *inference.ComparisonRow) string {
	if math.IsNaN(float64(row.CILow)) || row.Same() {
		return ""
	}
	small := ""
	if of := findingOf(row, n.confidence); of == tiny || of == equal {
		small = word(n.language, "; too small to matter, less than ", "；过小，不值得关注，不足 ") + marginText(row, n.language)
	}
	sign := "+"
	if row.Difference < 0 {
		sign = "−"
	}
	return wordf(n.language, " (%s%s; %s%s)", "（%s%s；%s%s）", sign, size(row, n.language), rangeText(row, n.language), small)
}

// unsupported names what has no difference that matters and what is not known.
func (n *narrator) unsupported(list []tale) string {
	small, unknown := n.without(list)
	return strings.TrimSpace(small + word(n.language, " ", "") + unknown)
}

// without names, of some tales, the rows whose difference does not matter and those of which nothing can
// be said yet, with their intervals. Each is a sentence, empty where there are none.
func (n *narrator) without(list []tale) (small, unknown string) {
	var equals, opens []string
	for _, t := range list {
		for _, row := range t.rows {
			name := n.names.of(row, subjectOf(t.indicator, n.language))
			detail := func(text string) string { return name + wordf(n.language, " (%s)", "（%s）", text) }
			switch findingOf(row, n.confidence) {
			case same:
				if row.Verdict == inference.EquivalentToZero {
					equals = append(equals, name)
				} else {
					opens = append(opens, detail(said(row, inBrief, n.confidence, n.language)+needText(row, n.language)))
				}
			case equal:
				equals = append(equals, detail(boundsText(row, n.language)))
			case open:
				opens = append(opens, detail(boundsText(row, n.language)+needText(row, n.language)))
			}
		}
	}
	sentence := func(head note, names []string) string {
		if len(names) == 0 {
			return ""
		}
		return head.in(n.language) + listed(names, ", ", n.language) + word(n.language, ".", "。")
	}
	return sentence(note{"No difference that matters: ", "无值得关注的差异："}, equals), sentence(note{"Not known: ", "尚不确定："}, opens)
}

// armText names an arm, and two that are held against each other, in a sentence.
func armText(arm, language string) string {
	if a, b, pair := strings.Cut(arm, " - "); pair {
		return wordf(language, "%s against %s", "%s与%s相比", a, b)
	}
	return arm
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
			"not judged": word(language, "Warm-up: not judged; that needs two replications and a window of 50 months.", "预热：未判断；需要至少两次重复和50个月的窗口。"),
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

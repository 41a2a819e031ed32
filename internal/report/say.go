package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// innovationFormulas say how the metrics are computed, in the words of
// [tables.InnovationCollector], which has the rules of matching.
var innovationFormulas = map[string]string{
	"total_innovation_events": "sum of innovation_events over months 1 to the last, mean over replications",
	"events_by_kind":          "innovations of the kind in a month: mean over the window, then over replications, with Student's interval",
	"growth": "g = 2 (s_after - s_before) / (s_after + s_before); s_before: market share in the month before the " +
		"innovation, s_after: h months after it",
	"correlation": "Pearson's r of g with 1 for the innovator and 0 for its match, over all pairs of a replication: (mean " +
		"g of innovators - mean g of others) / (2 sd of g); mean over replications, with Student's interval",
	"avg_ratio": "(2 + mean g) / (2 - mean g): share after over before at the mean growth of innovators; others_ratio: " +
		"of their matches",
	"match": fmt.Sprintf(
		"firm of the same industry, of another local market where there are several, without an innovation in that month, with the "+
			"nearest s_before: at most %g away in logarithms; both without one in the h months before, %d months old and with %d "+
			"employees at least",
		tables.ShareCaliper,
		tables.SettledAge,
		tables.GrowthFloor,
	),
}

// ComparedText says what the rows of a comparison are, and with what it is made.
func ComparedText(c *inference.Comparison, language string) string {
	if rowNamesOf(c.Rows, language).windows {
		return wordf(language, "Means over replications, of the months that stand beside each outcome, compared with %s",
			"各指标旁所列月份内、各次重复的均值，与%s比较", c.Control)
	}
	return wordf(language, "Means of months %d to %d over replications, compared with %s", "第%d至%d个月内各次重复的均值，与%s比较", c.From, c.To, c.Control)
}

// markdown is the table for people.
func markdown(c *inference.Comparison) string {
	var b strings.Builder
	language := c.Language
	stop := word(language, ". ", "。")
	fmt.Fprintf(&b, "%s%s%s\n\n", ComparedText(c, language), stop, MethodText(c.Method, language))
	comparisonTable(c.Rows, c.Confidence, language).markdown(&b)
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, word(language, "\nNote: %s.", "\n注意：%s。"), w)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// LanguageOf is the language in which a question is asked, and answered; English where it is neither.
func LanguageOf(question string) string {
	han, letters := 0, 0
	for _, r := range question {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			letters++
		}
	}
	if han > 0 && 3*han >= letters {
		return Chinese
	}
	return English
}

// Compare is [inference.Compare] with its warnings and its table in a language; "" is that of the
// question of the first study.
func Compare(ctx context.Context, studies []*tables.Study, c inference.Choice, language string) (inference.Comparison, error) {
	out, err := inference.Compare(ctx, studies, c)
	if err != nil {
		return out, err
	}
	out.Language = cmp.Or(language, LanguageOf(studies[0].Question))
	out.Warnings = noteList(out.Notes, out.Language)
	out.Text = markdown(&out)
	return out, nil
}

// Analyse is [inference.Analyse] with its warnings in English, and its conclusion in both languages.
func Analyse(ctx context.Context, s *tables.Study, c inference.Choice, innovation []string) (inference.Analysis, error) {
	out, err := inference.Analyse(ctx, s, c, innovation)
	if err != nil {
		return out, err
	}
	out.Diagnostics.Warnings = noteList(out.Diagnostics.Notes, English)
	out.Distribution.Measure = gainMeasure
	if out.Beyond > 0 {
		out.Distribution.Adjustment += fmt.Sprintf(gainBeyond, out.Beyond)
	}
	if m := out.Innovation; m != nil {
		m.Formulas = innovationFormulas
		for _, n := range m.Notes {
			m.Note = NoteText(n, English)
		}
	}
	out.Conclusion = joinedParagraphs(Conclusion(&out, s, English), English)
	out.ConclusionZH = joinedParagraphs(Conclusion(&out, s, Chinese), Chinese)
	return out, nil
}

// What the gains and losses of groups are measured in, and how they are adjusted where they were
// not planned.
const (
	gainMeasure = "real disposable income, currency units a month at prices of the base month, of households by where they stood " +
		"before month 1"
	gainBeyond = "; exploratory, as is the budget, with a share of what the level leaves to the %d hypotheses ever asked beyond plans"
)

// noteList are notes in words; empty, not nil, without any.
func noteList(notes []inference.Note, language string) []string {
	out := []string{}
	for _, n := range notes {
		out = append(out, NoteText(n, language))
	}
	return out
}

// ImplausibleText says what makes an arm implausible, by its replications, in a language; empty where nothing does.
func ImplausibleText(arm string, replications [][]sim.Implausible, language string) []string {
	return noteList(inference.ImplausibleNotes(arm, replications), language)
}

// NoteText is a note in words, without a full stop.
func NoteText(n inference.Note, language string) string {
	text := noteTexts[n.Kind].in(language)
	if len(n.Args) == 0 {
		return text
	}
	args := slices.Clone(n.Args)
	for k, arg := range args {
		switch arg := arg.(type) {
		case []sim.Indicator:
			var names []string
			for _, i := range arg {
				names = append(names, subjectOf(i, language))
			}
			args[k] = listed(names, ", ", language)
		case sim.Implausible:
			args[k] = arg.Reason().In(language)
		case inference.Rare:
			args[k] = rareText(arg, language)
		case stats.Interval: // of a share
			args[k] = FormatShare(arg.Low, 0) + word(language, " to ", " 至 ") + FormatShare(arg.High, 0)
		case inference.TwoGroups:
			args = twoGroupsArgs(arg, language)
		case inference.Look:
			args = []any{arg.Experiment, timeText(arg.At)}
		case inference.Amendment:
			args = []any{arg.Arm, arg.Month, cmp.Or(arg.By, word(language, "the operator", "操作者")), timeText(arg.At), arg.What}
		}
	}
	return fmt.Sprintf(text, args...)
}

// timeText writes a time to the minute.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// noteTexts are the words of notes, formats of their arguments.
var noteTexts = [inference.NumNotes]note{
	inference.OneReplication: {
		"one replication a side: there are no intervals, and a difference may be chance; use replications=10 or more",
		"每组只有一次重复：没有区间，差异可能出于偶然；请使用 replications=10 或更多",
	},
	inference.FewReplications: {"%d replications a side are few: intervals are wide and rest on normality; 10 or more are better",
		"每组%d次重复偏少：区间较宽且依赖正态性；最好10次以上"},
	inference.BurntInApart: {"%s was burnt in apart, because it differs in %s: part of the difference was there before month 1",
		"%s因%s不同而单独预热：部分差异在第1个月之前已存在"},
	inference.GroupsBurntInApart: {
		"%s was burnt in apart: its groups are places in its own burnt-in economy, not the households of the control's",
		"%s单独预热：其分组为自身预热经济中的位置，并非对照组的同一批家庭",
	},
	inference.ConditionNeverMet: {
		"in %s, %s never came into force: %s was met in no replication, so that its effect is not known",
		"%s 中，%s 从未生效：没有一次重复满足 %s，其效应不得而知",
	},
	inference.ConditionMetInSome: {
		"in %s, %s came into force (%s) in %d of %d replications only; the means are over all of them",
		"%s 中，%s（%s）只生效于 %d/%d 次重复；均值取自全部重复",
	},
	inference.ImplausibleEconomy: {
		"%s is implausible in %d of %d replications: %s: read the effects with care",
		"%s 有 %d/%d 次重复不合常理：%s，解读效应时请谨慎",
	},
	inference.LastArmCompared:  {"of %s, the arm %s is compared", "实验%s中比较的是%s组"},
	inference.UnlikeModel:      {"%s and %s differ in model version (%v and %v)", "%s与%s的模型版本不同（%v与%v）"},
	inference.UnlikeHouseholds: {"%s and %s differ in number of households (%v and %v)", "%s与%s的家庭数不同（%v与%v）"},
	inference.UnlikeMonths:     {"%s and %s differ in simulated months (%v and %v)", "%s与%s的已模拟月数不同（%v与%v）"},
	inference.NotPaired:        {"%s and %s do not share their seeds: compared as independent samples", "%s与%s的种子不同：按独立样本比较"},
	inference.WithoutPartner:   {"%d replications without a partner of the same seed are left out", "%d次重复没有同种子的配对，未计入"},
	inference.SharedSeeds: {"%d replications of %s share the seed of one of %s and are left out of the independent samples",
		"%[2]s有%[1]d次重复与%[3]s的种子相同，未计入独立样本"},
	inference.PlannedWindowAhead: {"the planned window, months %d to %d, is not simulated yet", "计划的窗口（第%d至%d个月）尚未模拟完"},
	inference.PlanUnfinished: {"the plan adds replications until its rule is met, which it is not yet; all rows are exploratory, " +
		"because stopping when a result looks significant inflates false positives",
		"计划在满足其规则之前会继续增加重复，目前尚未满足；各行均为探索性，因为在结果看似显著时停止会增加假阳性"},
	inference.PlanAfterLook: {
		"the plan was made after its data were looked at (experiment %s, %s): all rows are exploratory; a plan needs a seed that nobody looked at",
		"计划是在其数据已被查看之后制定的（实验%s，%s）：各行均为探索性；计划须使用尚未被查看的种子",
	},
	inference.PlanAmended: {
		"the plan was amended in %s after month %d, by %s on %s (%s): all rows are exploratory",
		"计划已被修改：%s，第%d个月之后，由%s于%s（%s）：各行均为探索性",
	},
	inference.MarginsWide: {
		"the smallest effect of interest is larger than the standard deviation of the control between replications, for %s: " +
			"that a difference is smaller says little",
		"%s的最小关注效应大于对照组各次重复之间的标准差：差异小于它并不说明什么",
	},
	inference.DifferencesRare: {
		"of %s %d of %d replications differ, so that %s of all economies do (exact interval): so few say nothing of the mean, which " +
			"has no interval here, and are no proof that there is no effect",
		"%s：%[3]d次重复中有%[2]d次存在差异，即全部经济体中有 %[4]s 存在差异（精确区间）：次数太少，无法说明均值，故此处不给出区间，也不能证明没有效应",
	},
	inference.FewAndSkewed: {
		"%s: the differences of pairs are skewed and the replications few, so that the intervals may be too narrow; take %d replications",
		"%s：配对差异偏斜且重复较少，区间可能过窄；请取%d次重复",
	},
	inference.TwoGroupsFound: {
		"%s: in %d of %d replications it changes by %s, in the others by %s: these are two groups that lie apart, and the mean describes neither",
		"%s：%[3]d次重复中有%[2]d次变动 %[4]s，其余变动 %[5]s：这是彼此分开的两组，均值不能代表其中任何一组",
	},
	inference.UnequalReplications: {"p-values are adjusted by Holm: for Romano-Wolf, all rows must rest on the same replications",
		"p值按Holm法校正：Romano-Wolf法要求各行基于相同的重复"},
	inference.TooFewToRearrange: {"p-values are adjusted by Holm: %d replications are too few to be rearranged (Romano-Wolf)",
		"p值按Holm法校正：%d次重复太少，无法用置换（Romano-Wolf）"},
	inference.DynamicsLeftOut: {"dynamic effects are left out of a comparison of %d rows: name fewer metrics or experiments",
		"比较共%d行，未列出动态效应：请减少指标或实验"},
	inference.InnovationNotKept: {"what innovations did to market shares was not kept with this run", "本次运行未保存创新对市场份额的影响"},
	inference.InnovationPartlyObserved: {
		"what innovations did to market shares was observed in %d of %d months only: the simulation was interrupted, or still runs",
		"创新对市场份额的影响仅观测了%d个月（共%d个月）：模拟曾被中断或仍在运行"},
	inference.GroupsNotFollowed: {
		"who gains and who loses is not known: the months were stored before households were followed; run the experiment again for it",
		"无法判断谁受益、谁受损：这些月份存储于开始跟踪家庭之前；请重新运行该实验"},
	inference.HeirsFollow: {"in groups of households, an heir follows in the place of the dead; households that came later are in no group",
		"家庭分组中，继承人沿用逝者的位置；之后到来的家庭不属于任何组"},
	inference.NotRecorded: {"%s is in no month of both sides: nobody was in the group, or the months were stored before it was recorded",
		"%s在双方的所有月份中都不存在：该组没有家庭，或这些月份存储于开始记录该指标之前"},
	inference.NotAllSimulated: {"only %d of %d months have been simulated", "只模拟了%d个月，计划%d个月"},
	inference.SteadyUnclear: {"whether all rates are steady in the window is not clear: more replications or a longer window would tell",
		"窗口内各比率是否都已稳定尚不明确：更多重复或更长的窗口才能判断"},
	inference.StillDrifting: {
		"some rates still drift in this window: their means are not a steady state; use a longer run or a later window",
		"窗口内部分比率仍在漂移：其均值并非稳态；请延长模拟或取更晚的窗口",
	},
	inference.StillWarmingUp: {
		"the control was still warming up when the window began (MSER-5), in %s: levels depend on where the economies started, " +
			"differences between arms that share their start less so; use a longer burn-in or a later window",
		"窗口开始时对照组仍在预热（MSER-5）：%s。水平值取决于经济的起点，同一起点的各组之差受影响较小；请延长预热期或取更晚的窗口",
	},
	inference.Wanders: {
		"the control does not stay around a level in the window (KPSS, ADF), in %s: slow cycles look like that too; a longer window tells",
		"窗口内对照组未围绕某一水平波动（KPSS、ADF）：%s。缓慢的周期也会如此；更长的窗口才能判断",
	},
}

// mostNamed is how many outcomes a note names.
const mostNamed = 6

// rareText names outcomes in which few replications differ.
func rareText(r inference.Rare, language string) string {
	var names []string
	for _, i := range r.Indicators[:min(mostNamed, len(r.Indicators))] {
		names = append(names, subjectOf(i, language))
	}
	text := listed(names, ", ", language)
	if left := len(r.Indicators) - len(names); left > 0 {
		text += wordf(language, " and %d other outcomes", "等另外%d个指标", left)
	}
	return text + wordf(language, " (%s, months %d to %d)", "（%s，第%d至%d个月）", armText(r.Arm, language), r.From, r.To)
}

// twoGroupsArgs are those of the note on two groups of replications.
func twoGroupsArgs(g inference.TwoGroups, language string) []any {
	i, _ := sim.IndicatorByName(g.Row.Metric)
	name := subjectOf(i, language) + wordf(language, " (%s, months %d to %d)", "（%s，第%d至%d个月）", armText(g.Row.Arm, language),
		g.Row.From, g.Row.To)
	return []any{name, g.N, g.Of, FormatDifference(i, g.Mean), FormatDifference(i, g.Rest)}
}

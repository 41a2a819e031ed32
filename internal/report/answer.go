package report

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Claim is the hypothesis of a question, as it was said before the experiment ran.
type Claim struct {
	Change  string // the treatment in words, as the subject of a sentence
	Outcome string // that the hypothesis is about
	Sign    int    // 1 = it rises, -1 = it falls, 0 = it changes
}

// Answered is what an analysis answers.
type Answered struct {
	Sentence    string            // that answers the question
	Verdict     inference.Verdict // on the hypothesis
	VerdictText string
	Others      string // outcomes without a sure difference; "" = none
	Between     string // effects that are larger in months that no window has; "" = none
	Groups      string // who gains and who loses; "" = nothing is clear
}

// mostTold is how many outcomes the sentence of an answer tells; the table has all.
const mostTold = 4

// Answer puts an analysis of a control and a treatment into an answer. The outcome of the claim is told
// first, whatever became of it; then the others that differ, in the order of the rows.
func Answer(a *inference.Analysis, claim Claim, language string) Answered {
	var out Answered
	n := narratorOf(a, language)
	at := slices.IndexFunc(n.tales, func(t tale) bool { return t.indicator.String() == claim.Outcome && t.rows[0].Arm == a.Arm })
	var clauses []string
	rest := slices.Clone(n.tales)
	if at >= 0 {
		rest = slices.Delete(rest, at, at+1)
		clauses = []string{n.about(n.tales[at]) + word(language, " ", "") + n.clause(n.tales[at], inFull)}
	}
	told, silent := n.split(rest)
	for _, t := range told[:min(len(told), mostTold-1)] {
		clauses = append(clauses, n.about(t)+word(language, " ", "")+n.clause(t, inFull))
	}
	out.Sentence = n.answer(a, claim, clauses, len(told)-(mostTold-1))
	out.Verdict, out.VerdictText = inference.NotJudged, word(language, "The outcome of the hypothesis was not measured.", "未测量假设所涉及的指标。")
	if at >= 0 && !math.IsNaN(float64(n.tales[at].rows[0].Difference)) {
		t := n.tales[at]
		out.Verdict = t.rows[0].Judge(claim.Sign, a.Confidence)
		verbs := map[int]note{1: {" rises", "上升"}, -1: {" falls", "下降"}, 0: {" changes", "发生变化"}}
		out.VerdictText = wordf(language, "That %s is %s.", "“%s”%s。",
			subjectOf(t.indicator, language)+verbs[claim.Sign].in(language), n.verdicts(t, claim.Sign))
	}
	if a.Replications > 1 {
		out.Others = n.unsupported(silent)
	}
	out.Groups, out.Between = groupsText(a, language), n.between(a)
	return out
}

// muchLarger is how much larger than in its windows an effect is between them that is told.
const muchLarger = 1.25

// between tells effects that are larger, and may matter, between the windows that are judged: a description with its
// interval, and no verdict.
func (n *narrator) between(a *inference.Analysis) string {
	var list []string
	for _, t := range n.tales {
		for k := range a.Between {
			row := &a.Between[k]
			size, low, high := math.Abs(float64(row.Difference)), float64(row.CILow), float64(row.CIHigh)
			if row.Metric != t.indicator.String() || row.Arm != t.rows[0].Arm || !n.planned(t.indicator) || !(low > 0 || high < 0) ||
				!(max(math.Abs(low), math.Abs(high)) > float64(row.SmallestEffect)) ||
				slices.ContainsFunc(t.rows, func(other *inference.ComparisonRow) bool {
					return muchLarger*math.Abs(float64(other.Difference)) > size
				}) {
				continue
			}
			list = append(list, wordf(n.language, "%s is %[4]s in months %[2]d–%[3]d", "第%[2]d–%[3]d个月%[1]s%[4]s", n.about(t), row.Window.From, row.Window.To,
				described(row, n.language)))
		}
	}
	if list == nil {
		return ""
	}
	return wordf(n.language, "Between these windows, which was not planned: %s.", "上述窗口之间（计划外）：%s。", listed(list, "; ", n.language))
}

// answer is the sentence that tells effects; more is how many it has no room for.
func (n *narrator) answer(a *inference.Analysis, claim Claim, clauses []string, more int) string {
	change := word(n.language, claim.Change, capital(claim.Change))
	if a.Replications < 2 {
		return wordf(
			n.language,
			"With %s, one pair of economies was simulated: its differences may be chance, and nothing can be said; use 10 replications "+
				"or more.",
			"%s：只模拟了一对经济体，差异可能出于偶然，无法下结论；请使用10次或更多重复。",
			change,
		)
	}
	rest := note{}
	switch {
	case more == 1:
		rest = note{"; one more outcome differs clearly, see the table", "；另有1项指标有明显差异，见表"}
	case more > 1:
		rest = notef("; %d more outcomes differ clearly, see the table", "；另有%d项指标有明显差异，见表", more)
	}
	when, named := "", ""
	if n.common != nil {
		named = wordf(n.language, " “At first” means months %d–%d, “at the end” months %d–%d.", "“起初”指第%d–%d个月，“最后”指第%d–%d个月。",
			n.common[0].From, n.common[0].To, n.common[1].From, n.common[1].To)
	}
	if !n.names.windows {
		when = wordf(n.language, "months %d to %d of ", "第%d至%d个月，", a.From, a.To)
	}
	return wordf(
		n.language,
		"With %[1]s, %[2]s%[3]s. This compares %[4]s%[5]d economies with the same economies, with the same random draws, without the "+
			"change; %[6]s intervals in brackets.%[7]s",
		"%[1]s：%[2]s%[3]s。%[4]s%[5]d个经济体与未作改变、随机因素相同的同一经济体相比；括号内为%[6]s区间。%[7]s",
		change, listed(clauses, "; ", n.language), rest.in(n.language), when, a.Replications, FormatShare(a.Confidence, 0), named,
	)
}

// groupsText tells who gains and who loses of the tenths by income, and by how much of their
// income: more at one end than at the other only where a test of the two ends says so. The
// extremes of ten estimates are no ranking.
func groupsText(a *inference.Analysis, language string) string {
	var parts []string
	rows := slices.DeleteFunc(a.Distribution.By("income_decile"), func(row inference.GainRow) bool { return row.Arm != a.Arm })
	for _, part := range []struct{ verdict, en, zh string }{
		{"gains", "Real incomes rise", "实际收入上升"}, {"loses", "Real incomes fall", "实际收入下降"},
	} {
		var names []string
		least, most, ends := math.Inf(1), 0., 0
		for _, row := range rows {
			if row.Verdict != part.verdict {
				continue
			}
			names = append(names, groupText(row.Group, language))
			if row.Group == tables.Deciles[0] || row.Group == tables.Deciles[9] {
				ends++
			}
			x := math.Abs(float64(row.Percent)) / 100
			least, most = min(least, x), max(most, x)
		}
		if len(names) == 0 {
			continue
		}
		what := word(language, part.en, part.zh)
		if len(names) == len(rows) {
			what += word(language, " in all tenths of the households by their income before month 1", "：所有收入十分位组（按第1个月之前的收入）")
		} else {
			what += word(language, " in the tenths of the households by their income before month 1: ", "的收入十分位组（按第1个月之前的收入）：") +
				listed(names, ", ", language)
		}
		switch {
		case ends == 2 && a.Tilt.Clear:
			what += tiltText(a.Tilt, language)
		case len(names) > 1:
			what += wordf(
				language,
				"; relative to income by %s to %s",
				"；相对收入的幅度为 %s 至 %s",
				FormatShare(least, 1),
				FormatShare(most, 1),
			)
			if ends == 2 {
				what += word(language, ", with no clear difference between the poorest tenth and the richest", "，最贫与最富十分位组之间无明显差别")
			}
		}
		parts = append(parts, what+word(language, ".", "。"))
	}
	rest := slices.DeleteFunc(slices.Clone(rows), func(row inference.GainRow) bool { return row.Verdict != "too small" })
	if len(parts) > 0 && len(rest) > 0 {
		least, most := spanOf(rest)
		parts = append(parts, wordf(language, "In %d of the other tenths they change by less than what matters (1 %%): by %s to %s.",
			"其余十分位组中有%d组变动不足值得关注的 1 %%：%s 至 %s。", len(rest), signedShare(least, 2), signedShare(most, 2)))
	}
	if small := len(rows) > 0 && !slices.ContainsFunc(rows, func(row inference.GainRow) bool { return row.Verdict != "too small" }); small {
		least, most := spanOf(rows)
		parts = append(parts, wordf(language, "Real incomes change by less than what matters (1 %%) in all tenths of the households by their "+
			"income before month 1: by %s to %s.", "所有收入十分位组（按第1个月之前的收入）的实际收入变动均不足值得关注的 1 %%：%s 至 %s。",
			signedShare(least, 2), signedShare(most, 2)))
	}
	if len(parts) > 0 {
		parts = append(parts, wordf(language, "Incomes are those of months %d to %d.", "收入取第%d至%d个月。", a.From, a.To))
	}
	if len(parts) > 0 && a.Beyond > 0 {
		parts = append(parts, beyondText(a, language))
	}
	return strings.Join(parts, word(language, " ", ""))
}

// spanOf are the least and the most that rows change by, as a share.
func spanOf(rows []inference.GainRow) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		least, most = min(least, float64(row.Percent)/100), max(most, float64(row.Percent)/100)
	}
	return least, most
}

// tiltText says which end gains or loses more; it continues a sentence.
func tiltText(t inference.Tilt, language string) string {
	more, less := word(language, "poorest", "最贫"), word(language, "richest", "最富")
	x, y := t.Poorest, t.Richest
	if math.Abs(y) > math.Abs(x) {
		more, less, x, y = less, more, y, x
	}
	return wordf(
		language,
		"; relative to income more in the %s tenth (%s) than in the %s (%s)",
		"；相对收入而言，%s十分位组的变动（%s）大于%s十分位组（%s）",
		more,
		FormatShare(x/100, 1),
		less,
		FormatShare(y/100, 1),
	)
}

// Hypothesis says that a change moves an outcome: up for 1, down for -1, somewhere for 0.
func Hypothesis(change string, outcome sim.Indicator, sign int, language string) string {
	verb := map[int]note{-1: {"lowers", "下降"}, 0: {"changes", "发生变化"}, 1: {"raises", "上升"}}[sign]
	return wordf(
		language,
		"Compared with the same economies, with the same random draws, without the change: %s %s %s.",
		"与未作改变、随机因素相同的同一经济体相比，%s，使%[3]s%[2]s。",
		change,
		verb.in(language),
		subjectOf(outcome, language),
	)
}

// Cautions are the warnings of the diagnostics in a language.
func Cautions(d *inference.Diagnostics, language string) []string { return noteList(d.Notes, language) }

// EffectTable are the heads and the rows of a table of effects in a language.
func EffectTable(rows []inference.ComparisonRow, confidence float64, language string) (heads []string, cells [][]string) {
	t := comparisonTable(rows, confidence, language)
	return t.heads, t.rows
}

// subjects name, in sentences, indicators whose label is no subject in the singular.
var subjects = map[sim.Indicator]string{
	sim.CPI: "the consumer price level", sim.Bankruptcies: "the number of bankruptcies", sim.FirmEntries: "the number of new firms",
	sim.FirmExits: "the number of closing firms", sim.FirmCount: "the number of firms", sim.InnovationEvents: "the number of innovations",
	sim.Exports: "the value of exports", sim.Imports: "the value of imports", sim.Emissions: "the level of emissions",
	sim.BankFailures: "the number of bank failures", sim.ImportPriceIndex: "the price level of imports",
	sim.TaxTariff:       "the revenue of tariffs",
	sim.RealConsumption: "real consumption", sim.RealInvestment: "real investment", sim.LabourProductivity: "labour productivity",
	sim.AIAdoptionShare: "the share of firms with AI", sim.HHI: "market concentration (HHI)", sim.MarkUp: "the mark-up of firms",
	sim.DeficitToGDP: "the public deficit (share of GDP)", sim.EmploymentRate: "employment", sim.VacancyRate: "the vacancy rate",
	sim.JobGuaranteeEmployment: "employment in the job guarantee", sim.WealthGini: "the wealth Gini", sim.BankEquity: "the equity of banks",
	sim.TaxRevenue: "tax revenue", sim.GovernmentSpending: "public spending", sim.JobFindingRate: "the job finding rate",
	sim.DebtToGDP: "public debt (share of GDP)", sim.RealWageMedian: "the median real wage", sim.CreditStock: "the stock of credit",
}

// subjectOf names an indicator in a sentence.
func subjectOf(i sim.Indicator, language string) string {
	if language == Chinese {
		return Label(i, Chinese)
	}
	if i.IsBreakdown() {
		return breakdowns[i-sim.NumIndicators].subject
	}
	if s, ok := subjects[i]; ok {
		return s
	}
	if t, ok := told[i]; ok {
		return t.en
	}
	return "the " + uncapital(labels[i].en)
}

// uncapital is a label within a sentence; abbreviations stay.
func uncapital(label string) string {
	if second, _ := utf8.DecodeRuneInString(label[1:]); unicode.IsUpper(second) {
		return label
	}
	return strings.ToLower(label[:1]) + label[1:]
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

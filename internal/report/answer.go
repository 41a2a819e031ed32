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
	Others      string // outcomes without a supported difference; "" = none
	Groups      string // who gains and who loses; "" = nothing is clear
}

// mostTold is how many effects the sentence of an answer tells; the table has all.
const mostTold = 4

// Answer puts an analysis of a control and a treatment into an answer. Effects are told in
// the order of the rows.
func Answer(a *inference.Analysis, claim Claim, language string) Answered {
	var out Answered
	var clear []string
	for k := range a.Treatment {
		if row := &a.Treatment[k]; row.Found() {
			i, _ := sim.IndicatorByName(row.Metric)
			clear = append(clear, effectSentence(row, subjectOf(i, language), language, a.Confidence))
		}
	}
	out.Sentence = answerSentence(a, claim, clear, language)
	out.Verdict, out.VerdictText = judged(a, claim, language)
	equal, open := unsupported(a, language, func(sim.Indicator) bool { return true })
	if len(clear) == 0 && equal == "" {
		open = "" // the sentence says that nothing is clear
	}
	out.Others = strings.TrimSpace(equal + open)
	out.Groups = groupsText(a, language)
	return out
}

// unsupported names, of some outcomes, those whose difference is equivalent to zero, within
// their smallest effects, and those of which nothing can be said yet, with the replications
// that would tell. Each is a sentence, empty where there are none.
func unsupported(a *inference.Analysis, language string, of func(sim.Indicator) bool) (equal, open string) {
	apart := rowNamesOf(a.Treatment, language)
	var equals, opens []string
	for k := range a.Treatment {
		row := &a.Treatment[k]
		i, ok := sim.IndicatorByName(row.Metric)
		if !ok || !of(i) {
			continue
		}
		name := apart.of(row, subjectOf(i, language))
		detailed := func(detail string) string {
			if detail == "" {
				return name
			}
			return name + word(language, " (", "（") + detail + word(language, ")", "）")
		}
		switch {
		case row.Verdict == inference.Inconclusive:
			opens = append(opens, detailed(moreText(row, false, language)))
		case row.Verdict == inference.EquivalentToZero && row.Same():
			equals = append(equals, name)
		case row.Verdict == inference.EquivalentToZero:
			equals = append(equals, detailed(marginText(row, language)))
		}
	}
	sentence := func(head note, names []string) string {
		if len(names) == 0 {
			return ""
		}
		return head.in(language) + listed(names, ", ", language) + word(language, ". ", "。")
	}
	return sentence(note{"Equivalent to zero: ", "等效于零："}, equals), sentence(note{"Inconclusive: ", "尚无定论："}, opens)
}

func answerSentence(a *inference.Analysis, claim Claim, clear []string, language string) string {
	change := word(language, claim.Change, capital(claim.Change))
	switch {
	case a.Replications < 2:
		return wordf(
			language,
			"With %s, one pair of economies was simulated: its differences may be chance, and nothing can be said; use 10 replications "+
				"or more.",
			"%s：只模拟了一对经济体，差异可能出于偶然，无法下结论；请使用10次或更多重复。",
			change,
		)
	case len(clear) == 0:
		return wordf(
			language,
			"With %s, no outcome differs clearly from that of the same economies without the change (months %d to %d, %d pairs)%s.",
			"%s：与未作改变的同一经济体相比，各项指标均无明显差异（第%d至%d个月，%d对）%s。",
			change,
			a.From,
			a.To,
			a.Replications,
			findable(a, claim.Outcome, language),
		)
	}
	rest := note{}
	switch more := len(clear) - mostTold; {
	case more == 1:
		rest = note{"; one more outcome differs clearly, see the table", "；另有1项指标有明显差异，见表"}
	case more > 1:
		rest = notef("; %d more outcomes differ clearly, see the table", "；另有%d项指标有明显差异，见表", more)
	}
	return wordf(
		language,
		"With %s, %s%s. This compares months %d to %d of %d economies with those of the same economies, with the same random draws, "+
			"without the change.",
		"%s：%s%s。比较的是%[6]d个经济体第%[4]d至%[5]d个月与未作改变、随机因素相同的同一经济体。",
		change,
		listed(clear[:min(len(clear), mostTold)], "; ", language),
		rest.in(language),
		a.From,
		a.To,
		a.Replications,
	)
}

// findable says how large a difference in an outcome must be to be found.
func findable(a *inference.Analysis, metric, language string) string {
	i, ok := sim.IndicatorByName(metric)
	for _, row := range a.Diagnostics.Power {
		if ok && row.Metric == metric && !math.IsNaN(float64(row.Detectable)) {
			size := FormatSize(i, float64(row.Detectable))
			if isRelative(i, row.Percent) {
				size = FormatShare(float64(row.Percent)/100, 2)
			}
			return wordf(language, "; four of five such experiments would find a difference of %s in %s",
				"；此类实验中五分之四能发现%[2]s达 %[1]s 的差异", size, subjectOf(i, language))
		}
	}
	return ""
}

// judged holds the hypothesis against the row of its outcome.
func judged(a *inference.Analysis, asked Claim, language string) (inference.Verdict, string) {
	i, ok := sim.IndicatorByName(asked.Outcome)
	k := slices.IndexFunc(a.Treatment, func(row inference.ComparisonRow) bool { return row.Metric == asked.Outcome && row.Arm == a.Arm })
	if k < 0 || !ok || math.IsNaN(float64(a.Treatment[k].Difference)) {
		return inference.NotJudged, word(language, "The outcome of the hypothesis was not measured.", "未测量假设所涉及的指标。")
	}
	row := &a.Treatment[k]
	verbs := map[int]note{1: {" rises", "上升"}, -1: {" falls", "下降"}, 0: {" changes", "发生变化"}}
	verdict := row.Judge(asked.Sign, a.Confidence)
	return verdict, judgement(a, row, verdict, subjectOf(i, language)+verbs[asked.Sign].in(language), language)
}

// judgement is the verdict on a claim, and why.
func judgement(a *inference.Analysis, row *inference.ComparisonRow, verdict inference.Verdict, claim, language string) string {
	small := ""
	if row.Negligible(a.Confidence) {
		small = word(language, "; the difference is smaller than what was taken to matter, ", "；但差异小于最小关注效应 ") + marginText(row, language)
	}
	switch verdict {
	case inference.Supported:
		return wordf(language, "That %s is supported%s.", "“%s”得到支持%s。", claim, small)
	case inference.Contradicted:
		contrary := word(language, "rises", "上升")
		if row.Difference < 0 {
			contrary = word(language, "falls", "下降")
		}
		return wordf(language, "That %s is contradicted: it %s%s.", "“%s”被否定：实际%s%s。", claim, contrary, small)
	case inference.EquivalentToZero:
		within := word(language, "there is no difference at all", "没有任何差异")
		if !row.Same() {
			within = word(language, "its difference is equivalent to zero, within ", "其差异等效于零，不超过 ") + marginText(row, language)
		}
		return wordf(language, "That %s is not borne out: %s.", "“%s”未得到证实：%s。", claim, within)
	case inference.NotJudged:
		return wordf(language, "That %s cannot be judged by one replication.", "只有一次重复，无法判断“%s”。", claim)
	}
	between, more := "", findable(a, row.Metric, language)
	if !math.IsNaN(float64(row.CILow)) {
		i, _ := sim.IndicatorByName(row.Metric)
		low, high := FormatDifference(i, float64(row.CILow)), FormatDifference(i, float64(row.CIHigh))
		between = wordf(language, ": its difference lies between %s and %s", "：差异介于 %s 与 %s 之间", low, high)
	}
	if row.CILow*row.CIHigh > 0 {
		between += word(language, ", which is not clear enough for the number of hypotheses that were tested", "，但就检验的假设数量而言仍不够明确")
	}
	if text := moreText(row, true, language); text != "" {
		more = word(language, "; ", "；") + text
	}
	return wordf(language, "That %s is neither supported nor contradicted%s%s.", "“%s”既未得到支持也未被否定%s%s。", claim, between, more)
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
	if len(parts) > 0 && a.Beyond > 0 {
		parts = append(parts, beyondText(a, language))
	}
	return strings.Join(parts, word(language, " ", ""))
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
		return labels[i].zh
	}
	if s, ok := subjects[i]; ok {
		return s
	}
	if t, ok := told[i]; ok {
		return t.en
	}
	label := labels[i].en
	if second, _ := utf8.DecodeRuneInString(label[1:]); !unicode.IsUpper(second) {
		label = strings.ToLower(label[:1]) + label[1:]
	}
	return "the " + label
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Analysis is what an experiment shows. Its metrics are those of one arm, the last, beside
// the control's where there is one: means over the window, then over replications.
type Analysis struct {
	Experiment     string              `json:"experiment_name"`
	Arm            string              `json:"arm"`
	Control        string              `json:"control" doc:"empty without one"`
	From           int                 `json:"from_month"`
	To             int                 `json:"to_month"`
	Replications   int                 `json:"replications"`
	Confidence     float64             `json:"confidence"`
	Macro          map[string]Measure  `json:"macro_metrics"`
	Consumer       map[string]Measure  `json:"consumer_metrics"`
	Micro          map[string]Measure  `json:"micro_metrics"`
	Innovation     *InnovationMetrics  `json:"innovation_metrics,omitempty"`
	Treatment      []ComparisonRow     `json:"treatment_effects"`
	Method         Method              `json:"method"`
	Distribution   DistributionEffects `json:"distribution_effects"`
	Budget         []GainRow           `json:"budget" doc:"public, currency units a month; spending is below 0"`
	Diagnostics    Diagnostics         `json:"diagnostics"`
	Conclusion     string              `json:"conclusion"`
	ConclusionZH   string              `json:"conclusion_zh"`
	DynamicEffects []DynamicEffect     `json:"-"` // for figures and reports
	beyond         int                 // of gains and budget, as distributionEffects has it
	tilt           tilt                // of the last arm
}

// Measure is a mean over the window, over replications.
type Measure struct {
	Value   Number `json:"value"`
	CILow   Number `json:"ci_low"`
	CIHigh  Number `json:"ci_high"`
	Control Number `json:"control"`
	Unit    string `json:"unit"`
}

// measureRow says which monthly statistic a measure is.
type measureRow struct{ name, statType, column string }

var (
	macroRows = []measureRow{
		{"gdp", "economic", "nominal_gdp"}, {"real_gdp", "economic", "real_gdp"}, {"gdp_growth", "economic", "gdp_growth"},
		{"total_revenue", "firm", "total_revenue"}, {"total_expenditure", "household", "total_expenditure"},
		{"unemployment", "labor", "unemployment_rate"}, {"employment", "labor", "employment_rate"}, {"inflation", "economic", "inflation"},
		{"cpi", "economic", "cpi"}, {"real_consumption", "economic", "real_consumption"}, {"real_investment", "economic", "real_investment"},
		{"labour_share", "labor", "labour_share"}, {"labour_productivity", "performance", "labour_productivity"},
		{"policy_rate", "economic", "policy_rate"}, {"tax_revenue", "government", "tax_revenue"},
		{"government_spending", "government", "government_spending"}, {"deficit_to_gdp", "government", "deficit_to_gdp"}, {"debt_to_gdp", "government", "debt_to_gdp"},
	}
	consumerRows = []measureRow{
		{"average_income", "household", "income_mean"}, {"median_income", "household", "income_p50"}, {"average_expenditure", "household", "consumption_mean"},
		{"average_wealth", "household", "wealth_mean"}, {"saving_rate", "household", "saving_rate"}, {"income_gini", "household", "income_gini"},
		{"consumption_gini", "household", "consumption_gini_coefficient"}, {"wealth_gini", "household", "wealth_gini"},
		{"poverty_rate", "household", "poverty_rate"}, {"real_wage_mean", "labor", "real_wage_mean"}, {"real_wage_median", "labor", "real_wage_median"},
	}
	microRows = []measureRow{
		{"firms", "firm", "firms"}, {"mean_size", "firm", "mean_size"}, {"mark_up", "firm", "mark_up"}, {"hhi", "firm", "hhi"},
		{"capacity_utilisation", "firm", "capacity_utilisation"}, {"labour_productivity", "performance", "labour_productivity"},
		{"firm_entries", "firm", "firm_entries"}, {"firm_exits", "firm", "firm_exits"}, {"bankruptcies", "firm", "bankruptcies"},
		{"vacancies", "firm", "vacancies"}, {"inventories", "firm", "inventories"}, {"job_finding_rate", "labor", "job_finding_rate"},
		{"separation_rate", "labor", "separation_rate"}, {"ai_adoption_share", "innovation", "ai_adoption_share"},
	}
)

func columnUnit(statType, column string) string {
	for _, c := range monthlyColumns[statType] {
		if c.name == column {
			return c.unit
		}
	}
	panic("analysis: no column " + statType + "." + column)
}

func measures(rows []measureRow, s *Study, confidence float64) map[string]Measure {
	out := map[string]Measure{}
	for _, row := range rows {
		of := func(arm *StudyArm) Estimate {
			var values []float64
			for _, m := range arm.Window {
				values = append(values, m.Mean(row.statType, row.column))
			}
			return NewEstimate(values, confidence)
		}
		e := of(s.main())
		m := Measure{e.Mean, e.CILow, e.CIHigh, absent, columnUnit(row.statType, row.column)}
		if control := s.control(); control != nil {
			m.Control = of(control).Mean
		}
		out[row.name] = m
	}
	return out
}

// InnovationMetrics are the innovations of the last arm and what they did to market
// shares; see [InnovationCollector].
type InnovationMetrics struct {
	TotalEvents       Number                      `json:"total_innovation_events" doc:"from month 1, mean over replications"`
	EventsByKind      map[string]Measure          `json:"events_by_kind" doc:"a month of the window"`
	SharesOf          string                      `json:"shares_of"`
	Formulas          map[string]string           `json:"formula"`
	ShareCorrelations map[string]ShareCorrelation `json:"market_share_correlation" doc:"by months after the innovation"`
	Note              string                      `json:"note"`
}

// ShareCorrelation is what innovations did to market shares after some months.
type ShareCorrelation struct {
	Correlation Number `json:"correlation"`
	CILow       Number `json:"ci_low"`
	CIHigh      Number `json:"ci_high"`
	AvgRatio    Number `json:"avg_ratio"`    // of innovators
	OthersRatio Number `json:"others_ratio"` // of matched others
	DataPoints  int    `json:"data_points" doc:"pairs in all replications"`
}

// innovationFormulas say how the metrics are computed, in the words of
// [InnovationCollector], which has the rules of matching.
var innovationFormulas = map[string]string{
	"total_innovation_events": "sum of innovation_events over months 1 to the last, mean over replications",
	"events_by_kind":          "innovations of the kind in a month: mean over the window, then over replications, with Student's interval",
	"growth":                  "g = 2 (s_after - s_before) / (s_after + s_before); s_before: market share in the month before the innovation, s_after: h months after it",
	"correlation":             "Pearson's r of g with 1 for the innovator and 0 for its match, over all pairs of a replication: (mean g of innovators - mean g of others) / (2 sd of g); mean over replications, with Student's interval",
	"avg_ratio":               "(2 + mean g) / (2 - mean g): share after over before at the mean growth of innovators; others_ratio: of their matches",
	"match": fmt.Sprintf("firm of the same industry, of another local market where there are several, without an innovation in that month, with the nearest s_before: at most %g away in logarithms; both without one in the h months before, %d months old and with %d employees at least",
		shareCaliper, settledAge, GrowthFloor),
}

// InnovationTypes are the kinds that an analysis of innovation may be limited to.
func InnovationTypes() (kinds []string) {
	for kind := range sim.NumInnovationKinds {
		kinds = append(kinds, kind.String())
	}
	return kinds
}

// ofKinds keeps some kinds only, pooled as "all".
func (s InnovationSummary) ofKinds(kinds []string) InnovationSummary {
	out := InnovationSummary{Months: s.Months, Units: s.Units}
	for _, p := range s.Pairs {
		if slices.Contains(kinds, p.Kind) {
			p.Kind = "all"
			out.Merge(InnovationSummary{Pairs: []SharePair{p}})
		}
	}
	return out
}

// shareRatio turns mean growth (the change over the mean of before and after) into after
// over before.
func shareRatio(growth float64) Number { return Number((2 + growth) / (2 - growth)) }

func innovationMetrics(s *Study, kinds []string, confidence float64) (*InnovationMetrics, error) {
	for _, kind := range kinds {
		if !slices.Contains(InnovationTypes(), kind) {
			return nil, fault.Range("innovation_types", fmt.Sprintf("%q", kind), InnovationTypes()...)
		}
	}
	arm := s.main()
	out := &InnovationMetrics{EventsByKind: map[string]Measure{}, ShareCorrelations: map[string]ShareCorrelation{}, SharesOf: "revenue", Formulas: innovationFormulas}
	var totals []float64
	for _, series := range arm.Panel {
		sum := 0.0
		for _, n := range series[sim.InnovationEvents] {
			sum += n
		}
		totals = append(totals, sum)
	}
	out.TotalEvents = Number(mean(totals))
	var rows []measureRow
	for _, kind := range InnovationTypes() {
		if len(kinds) == 0 || slices.Contains(kinds, kind) {
			rows = append(rows, measureRow{kind, "innovation", "innovations_" + kind})
		}
	}
	out.EventsByKind = measures(rows, s, confidence)
	if len(arm.Innovation) == 0 {
		out.Note = "what innovations did to market shares was not kept with this run"
		return out, nil
	}
	if n := observedNote(s); n != nil {
		out.Note = n.en
	}
	kept := slices.Clone(arm.Innovation)
	for r := range kept {
		if kept[r].Units {
			out.SharesOf = "units"
		}
		if len(kinds) > 0 {
			kept[r] = kept[r].ofKinds(kinds)
		}
	}
	for _, r := range ShareResponses(kept, confidence) {
		if r.Kind == "all" {
			out.ShareCorrelations[strconv.Itoa(r.Horizon)] = ShareCorrelation{
				Number(r.Correlation.Mean), max(-1, Number(r.Correlation.Low)), min(1, Number(r.Correlation.High)),
				shareRatio(r.Innovators), shareRatio(r.Others), r.Pairs,
			}
		}
	}
	return out, nil
}

// observedNote says that what innovations did was not observed, or not kept yet, over all
// months of the last arm; nil where it was.
func observedNote(s *Study) *note {
	least, last := math.MaxInt, s.LastMonth()
	for _, summary := range s.main().Innovation {
		least = min(least, summary.Months)
	}
	if least >= last {
		return nil
	}
	n := notef("what innovations did to market shares was observed in %d of %d months only: the simulation was interrupted, or still runs", "创新对市场份额的影响仅观测了%d个月（共%d个月）：模拟曾被中断或仍在运行", least, last)
	return &n
}

// Analyse computes what a study shows over the window of the choice. Innovation is
// included where the choice of kinds is not nil; an empty one means all kinds.
func Analyse(s *Study, c Choice, innovation []string) (Analysis, error) {
	if len(s.Arms) == 0 {
		return Analysis{}, fault.New(fault.InvalidState, "experiment_name", "%s has no arms", s.Name)
	}
	c, err := c.resolve(s.LastMonth())
	if err != nil {
		return Analysis{}, err
	}
	out := Analysis{
		Experiment: s.Name, Arm: s.main().Name, From: c.From, To: c.To, Replications: len(s.main().Panel), Confidence: c.Confidence,
		Macro: measures(macroRows, s, c.Confidence), Consumer: measures(consumerRows, s, c.Confidence), Micro: measures(microRows, s, c.Confidence),
		Treatment: []ComparisonRow{}, DynamicEffects: []DynamicEffect{},
	}
	var notes []note
	incomes, budget := incomeGains(s, c.Confidence), budgetGains(s, c)
	if control := s.control(); control != nil {
		exploratory := c.counted() && !c.asPlanned()
		var families []Asked
		if exploratory {
			families = []Asked{incomes.asked(s, c), budget.asked(s, c)}
		}
		comparison, atLeast, err := compare([]*Study{s}, c, families)
		if err != nil {
			return Analysis{}, err
		}
		if exploratory {
			out.beyond, incomes.atLeast, budget.atLeast = comparison.Asked, atLeast[0], atLeast[1]
		}
		incomes.judge(c.Confidence)
		budget.judge(c.Confidence)
		out.tilt = incomes.tiltOf(out.Arm, c.Confidence)
		out.Control = control.Name
		out.Treatment, out.Method, out.DynamicEffects, notes = comparison.Rows, comparison.Method, comparison.DynamicEffects, comparison.notes
	} else if out.Replications < fewReplications {
		notes = append(notes, fewNote(out.Replications))
	}
	if innovation != nil {
		if n := observedNote(s); n != nil {
			notes = append(notes, *n)
		}
		if out.Innovation, err = innovationMetrics(s, innovation, c.Confidence); err != nil {
			return Analysis{}, err
		}
	}
	out.Distribution, out.Budget = distributionEffects(s, incomes, out.beyond), budget.rows
	out.Diagnostics = diagnose(s, c, append(notes, standingNotes(s, len(out.Distribution.Rows) > 0)...))
	out.Conclusion, out.ConclusionZH = conclude(&out, English), conclude(&out, Chinese)
	return out, nil
}

// conclude puts the analysis into a few sentences.
func conclude(a *Analysis, language string) string {
	if a.Control == "" {
		return concludeAlone(a, language)
	}
	var b strings.Builder
	fmt.Fprintf(&b, word(language, "Compared with %s, over months %d to %d and %s paired by seed: ", "与%s相比，第%d至%d个月，按种子配对的%s："),
		a.Control, a.From, a.To, replicationText(a.Replications, language))
	several := severalArms(a.Treatment)
	var supported []string
	for k := range a.Treatment {
		row := &a.Treatment[k]
		for _, t := range told {
			if t.indicator.String() != row.Metric {
				continue
			}
			subject := word(language, t.en, t.zh)
			if several {
				subject = row.Arm + ": " + subject
			}
			switch {
			case row.Found() && !math.IsNaN(float64(row.Difference)):
				supported = append(supported, effectSentence(row, subject, language, a.Confidence))
			case row.Verdict == NotJudged && !math.IsNaN(float64(row.Difference)):
				supported = append(supported, fmt.Sprintf("%s %s", subject, FormatDifference(t.indicator, float64(row.Difference))))
			}
		}
	}
	switch {
	case a.Replications < 2:
		b.WriteString(listed(supported, "; ", language) + word(language, ". One replication has no interval: any of this may be luck.", "。只有一次重复，没有区间：这些差异都可能出于偶然。"))
		return b.String()
	case len(supported) > 0:
		b.WriteString(listed(supported, "; ", language) + word(language, ". ", "。"))
	default:
		b.WriteString(word(language, "no difference is supported. ", "没有得到支持的差异。"))
	}
	equal, open := a.unsupported(language, toldIndicators()...)
	if len(equal) > 0 {
		b.WriteString(word(language, "Equivalent to zero: ", "等效于零：") + listed(equal, ", ", language) + word(language, ". ", "。"))
	}
	if len(open) > 0 {
		b.WriteString(word(language, "Inconclusive: ", "尚无定论：") + listed(open, ", ", language) + word(language, ". ", "。"))
	}
	if text := a.Distribution.sentences(language) + a.budgetSentence(language); text != "" {
		b.WriteString(text + a.beyondText(language))
	}
	return strings.TrimSpace(b.String())
}

func concludeAlone(a *Analysis, language string) string {
	level := FormatShare(a.Confidence, 0)
	about := func(name string, m Measure, show func(x float64) string) string {
		text := name + " " + show(float64(m.Value))
		if !math.IsNaN(float64(m.CILow)) {
			text += fmt.Sprintf(word(language, " (%s interval %s to %s)", "（%s 区间 %s 至 %s）"), level, show(float64(m.CILow)), show(float64(m.CIHigh)))
		}
		return text
	}
	share := func(x float64) string { return FormatShare(x, 1) }
	return fmt.Sprintf(word(language, "Over months %d to %d, as means over %s: ", "第%d至%d个月，%s的均值："), a.From, a.To, replicationText(a.Replications, language)) +
		listed([]string{
			about(word(language, "unemployment", "失业率"), a.Macro["unemployment"], share),
			about(word(language, "inflation", "通货膨胀率"), a.Macro["inflation"], share),
			about(word(language, "real growth", "实际增长率"), a.Macro["gdp_growth"], share),
			about(word(language, "income Gini", "收入基尼系数"), a.Consumer["income_gini"], func(x float64) string { return FormatNumber(x, 3) }),
			about(word(language, "poverty", "贫困率"), a.Consumer["poverty_rate"], share),
			about(word(language, "public debt", "公共债务"), a.Macro["debt_to_gdp"], share),
		}, "; ", language) +
		word(language, ". There is no control: nothing here is an effect of a policy.", "。没有对照组：以上均不是政策的效果。")
}

func replicationText(n int, language string) string {
	if language == Chinese {
		return fmt.Sprintf("%d次重复", n)
	}
	return plural(n, "replication")
}

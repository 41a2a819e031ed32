package inference

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
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
	Budget         []GainRow           `json:"budget" doc:"currency units a month; spending is below 0"`
	Diagnostics    Diagnostics         `json:"diagnostics"`
	Conclusion     string              `json:"conclusion"` // in words; empty here, see [report.Analyse]
	ConclusionZH   string              `json:"conclusion_zh"`
	DynamicEffects []DynamicEffect     `json:"-"` // for figures and reports
	Between        []ComparisonRow     `json:"-"` // effects in the months between the windows
	Tilt           Tilt                `json:"-"` // of the last arm
	Months         int                 `json:"-"` // simulated

	// Beyond is how many hypotheses were ever asked beyond the plan, where gains and budget are
	// among them; 0 where these are as planned.
	Beyond int `json:"-"`
}

// Measure is a mean over the window, over replications.
type Measure struct {
	Value   stats.Number `json:"value"`
	CILow   stats.Number `json:"ci_low"`
	CIHigh  stats.Number `json:"ci_high"`
	Control stats.Number `json:"control"`
	Unit    string       `json:"unit"`
}

// measureRow says which monthly statistic a measure is.
type measureRow struct{ name, statType, column string }

var (
	macroRows = []measureRow{
		{"gdp", "economic", "nominal_gdp"}, {"real_gdp", "economic", "real_gdp"}, {"gdp_growth", "economic", "gdp_growth"},
		{"total_revenue", "firm", "total_revenue"}, {"total_expenditure", "household", "total_expenditure"},
		{"unemployment", "labor", "unemployment_rate"}, {"employment", "labor", "employment_rate"}, {"inflation", "economic", "inflation"},
		{
			"cpi",
			"economic",
			"cpi",
		}, {"real_consumption", "economic", "real_consumption"}, {"real_investment", "economic", "real_investment"},
		{"labour_share", "labor", "labour_share"}, {"labour_productivity", "performance", "labour_productivity"},
		{"policy_rate", "economic", "policy_rate"}, {"tax_revenue", "government", "tax_revenue"},
		{
			"government_spending",
			"government",
			"government_spending",
		}, {"deficit_to_gdp", "government", "deficit_to_gdp"}, {"debt_to_gdp", "government", "debt_to_gdp"},
	}
	consumerRows = []measureRow{
		{
			"average_income",
			"household",
			"income_mean",
		}, {"median_income", "household", "income_p50"}, {"average_expenditure", "household", "consumption_mean"},
		{
			"average_wealth",
			"household",
			"wealth_mean",
		}, {"saving_rate", "household", "saving_rate"}, {"income_gini", "household", "income_gini"},
		{"consumption_gini", "household", "consumption_gini_coefficient"}, {"wealth_gini", "household", "wealth_gini"},
		{
			"poverty_rate",
			"household",
			"poverty_rate",
		}, {"real_wage_mean", "labor", "real_wage_mean"}, {"real_wage_median", "labor", "real_wage_median"},
	}
	microRows = []measureRow{
		{"firms", "firm", "firms"}, {"mean_size", "firm", "mean_size"}, {"mark_up", "firm", "mark_up"}, {"hhi", "firm", "hhi"},
		{"capacity_utilisation", "firm", "capacity_utilisation"}, {"labour_productivity", "performance", "labour_productivity"},
		{"firm_entries", "firm", "firm_entries"}, {"firm_exits", "firm", "firm_exits"}, {"bankruptcies", "firm", "bankruptcies"},
		{"vacancies", "firm", "vacancies"}, {"inventories", "firm", "inventories"}, {"job_finding_rate", "labor", "job_finding_rate"},
		{"separation_rate", "labor", "separation_rate"}, {"ai_adoption_share", "innovation", "ai_adoption_share"},
	}
)

func measures(rows []measureRow, s *tables.Study, confidence float64) map[string]Measure {
	out := map[string]Measure{}
	for _, row := range rows {
		of := func(arm *tables.StudyArm) tables.Estimate {
			var values []float64
			for _, m := range arm.Window {
				values = append(values, m.Mean(row.statType, row.column))
			}
			return tables.NewEstimate(values, confidence)
		}
		e := of(s.Main())
		m := Measure{e.Mean, e.CILow, e.CIHigh, stats.Absent, tables.ColumnUnit(row.statType, row.column)}
		if control := s.Control(); control != nil {
			m.Control = of(control).Mean
		}
		out[row.name] = m
	}
	return out
}

// InnovationMetrics are the innovations of the last arm and what they did to market
// shares; see [tables.InnovationCollector].
type InnovationMetrics struct {
	TotalEvents       stats.Number                `json:"total_innovation_events" doc:"from month 1, mean over replications"`
	EventsByKind      map[string]Measure          `json:"events_by_kind" doc:"a month of the window"`
	SharesOf          string                      `json:"shares_of"`
	Formulas          map[string]string           `json:"formula"`
	ShareCorrelations map[string]ShareCorrelation `json:"market_share_correlation" doc:"by months after the innovation"`
	Note              string                      `json:"note"` // in words; empty here
	Notes             []Note                      `json:"-"`
}

// ShareCorrelation is what innovations did to market shares after some months.
type ShareCorrelation struct {
	Correlation stats.Number `json:"correlation"`
	CILow       stats.Number `json:"ci_low"`
	CIHigh      stats.Number `json:"ci_high"`
	AvgRatio    stats.Number `json:"avg_ratio"`    // of innovators
	OthersRatio stats.Number `json:"others_ratio"` // of matched others
	DataPoints  int          `json:"data_points" doc:"pairs in all replications"`
}

// InnovationTypes are the kinds that an analysis of innovation may be limited to.
func InnovationTypes() (kinds []string) {
	for kind := range sim.NumInnovationKinds {
		kinds = append(kinds, kind.String())
	}
	return kinds
}

// shareRatio turns mean growth (the change over the mean of before and after) into after
// over before.
func shareRatio(growth float64) stats.Number { return stats.Number((2 + growth) / (2 - growth)) }

func innovationMetrics(s *tables.Study, kinds []string, confidence float64) (*InnovationMetrics, error) {
	for _, kind := range kinds {
		if !slices.Contains(InnovationTypes(), kind) {
			return nil, fault.Range("innovation_types", fmt.Sprintf("%q", kind), InnovationTypes()...)
		}
	}
	arm := s.Main()
	var totals []float64
	for _, series := range arm.Panel {
		sum := 0.0
		for _, n := range series[sim.InnovationEvents] {
			sum += n
		}
		totals = append(totals, sum)
	}
	var rows []measureRow
	for _, kind := range InnovationTypes() {
		if len(kinds) == 0 || slices.Contains(kinds, kind) {
			rows = append(rows, measureRow{kind, "innovation", "innovations_" + kind})
		}
	}
	out := &InnovationMetrics{
		TotalEvents: stats.Number(stats.Mean(totals)), EventsByKind: measures(rows, s, confidence), SharesOf: "revenue",
		ShareCorrelations: map[string]ShareCorrelation{},
	}
	if len(arm.Innovation) == 0 {
		out.Notes = []Note{{Kind: InnovationNotKept}}
		return out, nil
	}
	if n := observedNote(s); n != nil {
		out.Notes = []Note{*n}
	}
	kept := slices.Clone(arm.Innovation)
	for r := range kept {
		if kept[r].Units {
			out.SharesOf = "units"
		}
		if len(kinds) > 0 {
			kept[r] = kept[r].OfKinds(kinds)
		}
	}
	for _, r := range tables.ShareResponses(kept, confidence) {
		if r.Kind == "all" {
			out.ShareCorrelations[strconv.Itoa(r.Horizon)] = ShareCorrelation{
				stats.Number(r.Correlation.Mean), max(-1, stats.Number(r.Correlation.Low)), min(1, stats.Number(r.Correlation.High)),
				shareRatio(r.Innovators), shareRatio(r.Others), r.Pairs,
			}
		}
	}
	return out, nil
}

// observedNote says that what innovations did was not observed, or not kept yet, over all
// months of the last arm; nil where it was.
func observedNote(s *tables.Study) *Note {
	least, last := math.MaxInt, s.LastMonth()
	for _, summary := range s.Main().Innovation {
		least = min(least, summary.Months)
	}
	if least >= last {
		return nil
	}
	return &Note{InnovationPartlyObserved, []any{least, last}}
}

// Analyse computes what a study shows over the main window of the choice; its treatment
// effects are those of [Compare], in all windows of the choice. Innovation is
// included where the choice of kinds is not nil; an empty one means all kinds. A cancelled
// context ends it early, with the context's error.
func Analyse(ctx context.Context, s *tables.Study, c Choice, innovation []string) (Analysis, error) {
	if len(s.Arms) == 0 {
		return Analysis{}, fault.New(fault.InvalidState, "experiment_name", "%s has no arms", s.Name)
	}
	c, err := c.resolve(s.LastMonth())
	if err != nil {
		return Analysis{}, err
	}
	out := Analysis{
		Experiment: s.Name, Arm: s.Main().Name, From: c.main().From, To: c.main().To, Replications: len(s.Main().Panel), Confidence: c.Confidence,
		Macro: measures(
			macroRows,
			s,
			c.Confidence,
		), Consumer: measures(consumerRows, s, c.Confidence), Micro: measures(microRows, s, c.Confidence),
		Treatment: []ComparisonRow{}, DynamicEffects: []DynamicEffect{}, Months: s.LastMonth(),
	}
	var notes []Note
	incomes, budget := incomeGains(s, c), budgetGains(s, c)
	if control := s.Control(); control != nil {
		exploratory, share := c.counted() && !c.asPlanned(c.main()), 1.
		switch {
		case exploratory:
			share = 0
		case c.Plan != nil:
			share = c.Plan.share() * ofTable
		}
		incomes.adjust(ctx, share, s.Seed) // some of it is for the tilt
		budget.adjust(ctx, share, s.Seed)
		var families []Asked
		if exploratory {
			families = []Asked{incomes.asked(s, c), budget.asked(s, c)}
		}
		comparison, levels, err := compare(ctx, []*tables.Study{s}, c, families)
		if err != nil {
			return Analysis{}, err
		}
		if exploratory {
			out.Beyond, incomes.share, budget.share = comparison.Asked, levels[0], levels[1]
		}
		incomes.tilt = incomes.share
		if c.counted() {
			incomes.tilt, incomes.share = incomes.share*ofTilt, incomes.share*(1-ofTilt)
		}
		incomes.judge()
		budget.judge()
		out.Tilt = incomes.tiltOf(out.Arm)
		out.Control = control.Name
		out.Treatment, out.Method, out.DynamicEffects, notes = comparison.Rows, comparison.Method, comparison.DynamicEffects, comparison.Notes
		out.Between = comparison.Between
	} else {
		if out.Replications < fewReplications {
			notes = append(notes, fewNote(out.Replications))
		}
		notes = append(notes, ImplausibleNotes(out.Arm, s.Main().Implausible)...)
	}
	if innovation != nil {
		if n := observedNote(s); n != nil {
			notes = append(notes, *n)
		}
		if out.Innovation, err = innovationMetrics(s, innovation, c.Confidence); err != nil {
			return Analysis{}, err
		}
	}
	out.Distribution, out.Budget = distributionEffects(s, incomes), budget.rows
	out.Diagnostics = diagnose(ctx, s, c, out.Treatment, append(notes, standingNotes(s, len(out.Distribution.Rows) > 0)...))
	return out, ctx.Err()
}

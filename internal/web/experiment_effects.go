package web

import (
	"context"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

type effectsArgs struct {
	toldArgs
	Metrics    []string             `json:"metrics,omitempty" max:"60" doc:"default: the plan's"`
	Window     []int                `json:"window,omitempty" max:"2" doc:"first and last month; default: the plan's"`
	Confidence *float64             `json:"confidence,omitempty" min:"0.5" max:"0.999" doc:"default: the plan's"`
	Test       inference.Test       `json:"test,omitempty" doc:"default: the plan's"`
	Adjustment inference.Adjustment `json:"adjustment,omitempty" enum:"romano_wolf,holm,benjamini_hochberg" doc:"default romano_wolf"`
}

// planned says that all is as the plan says.
func (in effectsArgs) planned() bool {
	return len(in.Metrics) == 0 && len(in.Window) == 0 && in.Confidence == nil && in.Test == "" && in.Adjustment == ""
}

type effectsAnswer struct {
	Experiment string `json:"experiment_name"`
	report.Compared
	Table told `json:"table" doc:"the rows for people"`
}

// effectsPart is how effects are shown.
type effectsPart struct {
	told
	Method   string
	Warnings []string
	From, To int
	Chosen   bool // by the visitor: not the plan's
	Beyond   bool // the plan: all rows are exploratory
	Asked    int  // hypotheses that were ever asked beyond plans
	Problem  string
}

func (s *Site) experimentEffects(ctx context.Context, c *tools.Call, in effectsArgs) (effectsAnswer, error) {
	compared, err := s.judgedEffects(ctx, c, in)
	if err != nil {
		return effectsAnswer{}, err
	}
	out := effectsAnswer{Experiment: string(in.Experiment), Compared: report.Whole(*compared), Table: shownEffects(compared, in.Language).told}
	out.Warnings = warningsOf(compared, in.Language)
	return out, nil
}

// judgedEffects is a comparison of the arms: by the plan that of the report, which is there already.
func (s *Site) judgedEffects(ctx context.Context, c *tools.Call, in effectsArgs) (*inference.Comparison, error) {
	if in.planned() {
		r, err := s.Lab.Told(ctx, string(in.Experiment), in.Language, c.Principal)
		if err != nil {
			return nil, err
		}
		if r.Analysis.Control != "" {
			return comparisonOf(&r.Analysis), nil
		}
	}
	metrics, err := inference.ParseMetrics(in.Metrics)
	if err != nil {
		return nil, err
	}
	choice, err := inference.Choice{
		Metrics: metrics, Confidence: tools.Given(in.Confidence), Test: in.Test, Adjustment: in.Adjustment,
	}.Over(in.Window)
	if err != nil {
		return nil, err
	}
	return s.Lab.Effects(ctx, string(in.Experiment), choice, c.Principal)
}

// comparisonOf are the effects of an analysis.
func comparisonOf(a *inference.Analysis) *inference.Comparison {
	return &inference.Comparison{
		Control: a.Control, From: a.From, To: a.To, Confidence: a.Confidence, Method: a.Method, Rows: a.Treatment,
		DynamicEffects: a.DynamicEffects, Between: a.Between, Notes: a.Diagnostics.Notes,
	}
}

// plannedEffects shows the effects of a report; of an experiment with one arm, its levels.
func plannedEffects(r *report.Report, language string) *effectsPart {
	if r.Analysis.Control == "" {
		return &effectsPart{told: partOf(r, "results"), From: r.Analysis.From, To: r.Analysis.To}
	}
	return shownEffects(comparisonOf(&r.Analysis), language)
}

func shownEffects(c *inference.Comparison, language string) *effectsPart {
	heads, rows := report.EffectTable(c.Rows, c.Confidence, language)
	for _, cells := range append(rows, heads) { // the verdict, which is last, where it is seen on narrow screens too
		verdict := cells[len(cells)-1]
		copy(cells[2:], cells[1:])
		cells[1] = verdict
	}
	planned := func(row inference.ComparisonRow) bool { return !row.Exploratory }
	return &effectsPart{
		told:   toldOf(report.Section{Title: report.ComparedText(c, language), Heads: heads, Rows: rows}),
		Method: report.MethodText(c.Method, language), Warnings: warningsOf(c, language), From: c.From, To: c.To, Asked: c.Asked,
		Beyond: len(c.Rows) > 0 && !slices.ContainsFunc(c.Rows, planned),
	}
}

func warningsOf(c *inference.Comparison, language string) []string {
	list := []string{}
	for _, n := range c.Notes {
		list = append(list, report.NoteText(n, language))
	}
	return list
}

type pathArgs struct {
	toldArgs
	Metric string `json:"metric" max:"100" doc:"an indicator, such as unemployment_rate"`
}

type pathAnswer struct {
	Experiment string                    `json:"experiment_name"`
	Metric     string                    `json:"metric"`
	Label      string                    `json:"label"`
	Unit       string                    `json:"unit"`
	Control    string                    `json:"control"`
	Confidence float64                   `json:"confidence" doc:"with which a band holds its whole path"`
	Arms       []inference.DynamicEffect `json:"arms" doc:"less the control"`
}

func (s *Site) experimentPath(ctx context.Context, _ *tools.Call, in pathArgs) (pathAnswer, error) {
	paths, err := s.Lab.EffectPaths(ctx, string(in.Experiment), in.Metric)
	if err != nil {
		return pathAnswer{}, err
	}
	i, _ := sim.IndicatorByName(in.Metric) // there are paths of it
	return pathAnswer{
		Experiment: string(in.Experiment), Metric: in.Metric, Label: report.Label(i, in.Language), Unit: report.Unit(i, in.Language),
		Control: paths.Control, Confidence: paths.Confidence, Arms: paths.Arms,
	}, nil
}

type gainsAnswer struct {
	Experiment string `json:"experiment_name"`
	inference.DistributionEffects
	Table told `json:"table" doc:"the rows for people"`
}

func (s *Site) experimentGains(ctx context.Context, c *tools.Call, in toldArgs) (gainsAnswer, error) {
	r, err := s.Lab.Told(ctx, string(in.Experiment), in.Language, c.Principal)
	if err != nil {
		return gainsAnswer{}, err
	}
	return gainsAnswer{string(in.Experiment), r.Analysis.Distribution, partOf(r, "distribution")}, nil
}

type budgetAnswer struct {
	Experiment string              `json:"experiment_name"`
	From       int                 `json:"from_month"`
	To         int                 `json:"to_month"`
	Rows       []inference.GainRow `json:"rows" doc:"currency units a month; spending is below 0"`
	Table      told                `json:"table" doc:"the rows for people"`
}

func (s *Site) experimentBudget(ctx context.Context, c *tools.Call, in toldArgs) (budgetAnswer, error) {
	r, err := s.Lab.Told(ctx, string(in.Experiment), in.Language, c.Principal)
	if err != nil {
		return budgetAnswer{}, err
	}
	a := &r.Analysis
	return budgetAnswer{string(in.Experiment), a.From, a.To, a.Budget, partOf(r, "budget")}, nil
}

// firmGrouping divides firms.
type firmGrouping string

// Enum lists the groupings.
func (firmGrouping) Enum() []string { return tables.FirmGroupings[:] }

type firmsArgs struct {
	experimentArgs
	Arm   string       `json:"arm,omitempty" max:"100" doc:"default: treatment, else the only one"`
	Month *int         `json:"month,omitempty" min:"1" doc:"default: the latest"`
	By    firmGrouping `json:"by,omitempty" doc:"default: all firms together"`
}

type firmsAnswer struct {
	Experiment   string                              `json:"experiment_name"`
	Arm          string                              `json:"arm"`
	Month        int                                 `json:"month"`
	Replications int                                 `json:"replications"`
	Partial      bool                                `json:"partial" doc:"the rest is null"`
	Groups       []tables.FirmGroup[tables.Estimate] `json:"groups"`
}

func (s *Site) experimentFirms(ctx context.Context, _ *tools.Call, in firmsArgs) (firmsAnswer, error) {
	place, groups, err := s.Lab.Firms(ctx, string(in.Experiment), in.Arm, tools.Given(in.Month), string(in.By))
	return firmsAnswer{place.Experiment, place.Arm, place.Month, place.Replications, place.Partial, groups}, err
}

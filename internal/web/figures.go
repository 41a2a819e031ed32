package web

import (
	"cmp"
	"context"
	"net/http"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// figureOperations are what charts and figures are drawn from.
func (s *Site) figureOperations() []operation {
	return []operation{
		reads("/indicators", "list_indicators", "The indicators of the model: those of tables and figures first, then those that are asked for by name.",
			func(_ context.Context, _ *tools.Call, in languageArgs) (indicatorList, error) {
				return indicators(in.Language), nil
			}),
		reads("/experiments/{experiment_name}/series", "get_series",
			"An indicator month by month in all arms: the mean over replications, with its 95 % interval.", s.series),
		reads("/experiments/{experiment_name}/figures", "list_figures",
			"The figures of an experiment's report, with their captions. "+countsWhile, s.figures),
		answers("/experiments/{experiment_name}/figures/{figure}", "get_figure", "image/svg+xml",
			"A figure as SVG for a page: colours are custom properties of its style sheet, and no element has a style. "+countsWhile, s.figure),
	}
}

type languageArgs struct {
	Language string `json:"language,omitempty" enum:"en,zh" default:"en"`
}

type indicatorList struct {
	Indicators []indicatorRow `json:"indicators"`
}

// indicatorRow is an indicator for people.
type indicatorRow struct {
	Name        string `json:"name"`
	Label       string `json:"label"`
	Unit        string `json:"unit"`
	Reading     string `json:"reading" enum:"plain,share,money,fraction" doc:"how numbers are written; shares in percent"`
	Group       string `json:"group" doc:"under which a list shows it"`
	Description string `json:"description" doc:"how it is computed"`
}

func indicators(language string) (out indicatorList) {
	for i := range sim.NumOutcomes {
		out.Indicators = append(out.Indicators, indicatorOf(i, language))
	}
	return out
}

func indicatorOf(i sim.Indicator, language string) indicatorRow {
	p := page{Language: language}
	row := indicatorRow{
		Name: i.String(), Label: report.Label(i, language), Unit: report.Unit(i, language), Reading: report.Reading(i),
		Group: p.T("Main indicators", "主要指标"), Description: report.Formula(i, language),
	}
	switch {
	case i.PerHousehold():
		row.Group = p.T("Groups of households", "家庭分组")
	case i.IsBreakdown():
		row.Group = p.T("Public budget and counts", "公共预算与人数")
	}
	return row
}

type seriesArgs struct {
	languageArgs
	Experiment tools.Name `json:"experiment_name"`
	Metric     string     `json:"metric" max:"100" doc:"name of an indicator, such as unemployment_rate"`
	From       int        `json:"from_month,omitempty" min:"0" default:"0" doc:"0 = the first"`
	To         int        `json:"to_month,omitempty" min:"0" default:"0" doc:"0 = the last that was simulated"`
	Every      int        `json:"every,omitempty" min:"0" max:"120" default:"0" doc:"months; 0 = as many as fit, which 600 do"`
}

type seriesAnswer struct {
	Experiment string      `json:"experiment_name"`
	Metric     string      `json:"metric"`
	Label      string      `json:"label"`
	Unit       string      `json:"unit"`
	Reading    string      `json:"reading" enum:"plain,share,money,fraction"`
	Months     []int       `json:"months"`
	Arms       []armSeries `json:"arms"`
}

// armSeries is the path of an arm; null = nothing is known of the month.
type armSeries struct {
	Name   string         `json:"name"`
	Values []stats.Number `json:"values"`
	Low    []stats.Number `json:"low"`
	High   []stats.Number `json:"high"`
}

func (s *Site) series(ctx context.Context, _ *tools.Call, in seriesArgs) (seriesAnswer, error) {
	x, err := s.Lab.Store.Experiment(ctx, string(in.Experiment))
	if err != nil {
		return seriesAnswer{}, err
	}
	out := seriesAnswer{Experiment: x.Name, Metric: in.Metric}
	for _, arm := range x.Arms {
		path, err := s.Lab.Series(ctx, x.Name, arm.Name, in.Metric, "mean", in.From, cmp.Or(in.To, x.Month), in.Every)
		if err != nil {
			return seriesAnswer{}, err
		}
		out.Months = path.Months
		out.Arms = append(out.Arms, armSeries{path.Arm, path.Data, path.Lower, path.Upper})
	}
	i, err := sim.LookupIndicator(in.Metric)
	row := indicatorOf(i, in.Language)
	out.Label, out.Unit, out.Reading = row.Label, row.Unit, row.Reading
	return out, err
}

type figuresArgs struct {
	languageArgs
	Experiment tools.Name `json:"experiment_name"`
}

type figureList struct {
	Figures []report.Caption `json:"figures"`
}

func (s *Site) figures(ctx context.Context, c *tools.Call, in figuresArgs) (figureList, error) {
	list, err := s.Lab.Figures(ctx, string(in.Experiment), in.Language, c.Principal)
	return figureList{list}, err
}

type figureArgs struct {
	figuresArgs
	Figure string `json:"figure" max:"100" doc:"name of one of list_figures"`
}

func (s *Site) figure(ctx context.Context, w http.ResponseWriter, c *tools.Call, in figureArgs) error {
	r, err := s.Lab.Told(ctx, string(in.Experiment), in.Language, c.Principal) // title and figure of one judgement
	if err != nil {
		return err
	}
	svg, err := r.SVG(in.Figure)
	if err != nil {
		return err
	}
	title := in.Figure
	for _, f := range r.Figures() {
		if f.Name == in.Figure {
			title = f.Caption(r.Language)
		}
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, err = w.Write(plot.InPage(svg, title))
	return err
}

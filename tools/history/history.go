// Package history has the tools that read stored experiments.
package history

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/tools"
)

// Tools lists the category in the order of the catalogue.
func Tools(laboratory *lab.Laboratory) []tools.Tool {
	d := deps{laboratory}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "list_history_experiments", Title: "List experiments", TitleZH: "列出历史实验", Category: tools.History, Hints: tools.Reads,
			Description: "Everything ever simulated, captured or not, also unfinished and failed, newest first. Those marked as research alone: " +
				"list_experiments.",
		}, d.list),
		tools.New(tools.Spec{
			Name: "generate_experiment_report", Title: "Report on an experiment", TitleZH: "生成实验报告", Category: tools.History, Hints: tools.Reads,
			Description: "A report with question, design, results with intervals, figures and how each number was computed. A long one comes as " +
				"a resource link.",
		}, d.report),
		tools.New(tools.Spec{
			Name: "get_experiment_summary", Title: "Summary of an experiment", TitleZH: "实验摘要", Category: tools.History, Hints: tools.Reads,
			Description: "Where an experiment stands at its last month: final values per arm with 95 % intervals over replications, seeds, hash, " +
				"version.",
		}, d.summary),
		tools.New(tools.Spec{
			Name: "get_experiment_timeseries", Title: "Time series of an indicator", TitleZH: "实验时间序列", Category: tools.History, Hints: tools.Reads,
			Description: "One indicator of an arm month by month: mean with 95 % interval, all replications, or the median with 5 % and 95 % " +
				"quantiles.",
		}, d.timeseries),
		tools.New(tools.Spec{
			Name: "compare_experiments", View: tools.ResultView, Title: "Compare experiments", TitleZH: "比较实验", Category: tools.History, Hints: tools.Reads,
			Description: "Differences from a control: of the arms of one experiment, paired by seed and judged by its plan, or of 2 to 8 " +
				"experiments from the first. With intervals, p-values and verdicts; those beyond the plan count all that was asked.",
		}, d.compare),
		tools.New(tools.Spec{
			Name: "get_monthly_statistics", Title: "Monthly statistics", TitleZH: "月度统计", Category: tools.History, Hints: tools.Reads,
			Description: "Monthly columns of one kind: everything that is recorded of households, firms, labour, government, banks, innovation " +
				"and more. Mean over replications.",
		}, d.statistics),
	}
}

// deps is what the handlers of this package work on.
type deps struct{ lab *lab.Laboratory }

type listArgs struct {
	tools.Page
	Status string `json:"status,omitempty" enum:"queued,burn_in,running,paused,stopped,interrupted,completed,failed" doc:"run_status"`
	Search string `json:"search,omitempty" max:"200" doc:"Words in name, question, hypothesis or notes"`
}

type experimentRow struct {
	Name         string   `json:"experiment_name"`
	Created      string   `json:"created_time"`
	RunStatus    string   `json:"run_status"`
	Status       string   `json:"status" doc:"of the research; empty = not captured"`
	Months       int      `json:"total_months"`
	Month        int      `json:"month"`
	Households   int      `json:"households"`
	Arms         []string `json:"arms"`
	Replications int      `json:"replications"`
	Question     string   `json:"question"`
	Report       bool     `json:"has_report" doc:"report.md can be read"`
	Analysis     bool     `json:"has_analysis"`
	Owner        string   `json:"owner,omitempty"` // principal; empty = the operator
}

type listResult struct {
	Total       int             `json:"total"`
	Experiments []experimentRow `json:"experiments"`
	Next        string          `json:"next_cursor"` // empty after the last
}

func (d deps) list(ctx context.Context, _ *tools.Call, in listArgs) (listResult, error) {
	list, total, next, err := d.lab.List(ctx, store.Filter{Limit: in.Limit, Cursor: in.Cursor, State: in.Status, Search: in.Search})
	if err != nil {
		return listResult{}, err
	}
	out := listResult{Total: total, Next: next}
	for _, x := range list {
		row := experimentRow{
			Name: x.Name, Created: x.CreatedAt.UTC().Format(time.RFC3339), RunStatus: x.State, Months: x.Months, Month: x.Month,
			Households: x.Households, Replications: x.Replications, Question: fault.Shorten(x.Question, 120), Report: x.Month > 0,
			Analysis: x.HasAnalysis, Owner: x.Principal,
		}
		for _, arm := range x.Arms {
			row.Arms = append(row.Arms, arm.Name)
		}
		if x.Captured != nil {
			row.Status = x.Captured.Status
		}
		out.Experiments = append(out.Experiments, row)
	}
	if n := tools.Fitting(out.Experiments); n < len(list) {
		out.Experiments, out.Next = out.Experiments[:n], list[n-1].Cursor
	}
	return out, nil
}

type nameArgs struct {
	Experiment tools.Name `json:"experiment_name"`
}

type reportArgs struct {
	nameArgs
	Format   string `json:"format,omitempty" enum:"markdown,html,json" default:"markdown"`
	Language string `json:"language,omitempty" enum:"en,zh" default:"en"`
}

type resourceRow struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mime_type"`
}

type reportResult struct {
	Experiment string        `json:"experiment_name"`
	Format     string        `json:"format"`
	Report     string        `json:"report" doc:"empty where too long: read the first resource"`
	Resources  []resourceRow `json:"resources" doc:"the report, and what it rests on"`

	resource string // that is the report
}

// ResourceLinks points to the report and to what it rests on.
func (r reportResult) ResourceLinks() []tools.Link {
	links := []tools.Link{tools.ExperimentLink(r.Experiment, r.resource)}
	for _, resource := range []string{"timeseries.csv", "scenario.yaml", "summary.json"} {
		links = append(links, tools.ExperimentLink(r.Experiment, resource))
	}
	return links
}

// longestReport leaves room for the rest of an answer.
const longestReport = 48 << 10

func (d deps) report(ctx context.Context, c *tools.Call, in reportArgs) (reportResult, error) {
	text, err := d.lab.Report(ctx, string(in.Experiment), in.Format, in.Language, c.Principal)
	if err != nil {
		return reportResult{}, err
	}
	out := reportResult{Experiment: string(in.Experiment), Format: in.Format, Report: text,
		resource: tools.ReportResource(in.Format, in.Language)}
	if tools.JSONLength(text) > longestReport {
		out.Report = ""
	}
	for _, link := range out.ResourceLinks() {
		out.Resources = append(out.Resources, resourceRow{link.URI, link.MIMEType})
	}
	return out, nil
}

type summaryArgs struct {
	nameArgs
	Scenarios bool `json:"scenarios,omitempty" default:"false" doc:"With what differs from the defaults in each arm, as start_simulation takes arms"`
}

// armScenario is an arm as start_simulation takes it.
type armScenario struct {
	Name     string `json:"name"`
	Scenario string `json:"scenario"`
}

type summaryResult struct {
	tables.Summary
	Inquiry   *tools.Inquiry `json:"inquiry,omitempty" doc:"that it answers: start_simulation repeats it"`
	Scenarios []armScenario  `json:"scenarios,omitempty"`
}

// ResourceLinks points to what repeats the experiment.
func (r summaryResult) ResourceLinks() []tools.Link {
	var links []tools.Link
	if r.Inquiry != nil {
		links = append(links, tools.ExperimentLink(r.Experiment, "inquiry"))
	}
	for _, arm := range r.Arms[:min(len(r.Arms), 10)] {
		links = append(links, tools.ExperimentLink(r.Experiment, tools.ScenarioResource(arm.Arm)))
	}
	return links
}

func (d deps) summary(ctx context.Context, _ *tools.Call, in summaryArgs) (out summaryResult, err error) {
	name := string(in.Experiment)
	if out.Summary, err = d.lab.Summary(ctx, name); err != nil {
		return out, err
	}
	switch q, err := d.lab.InquiryOf(ctx, name); fault.KindOf(err) {
	case "":
		out.Inquiry = new(tools.Inquiry)
		if err := json.Unmarshal(q.JSON(), out.Inquiry); err != nil {
			return out, err
		}
	case fault.NotFound: // it was made of a workspace
	default: // of an older program, whose inquiry says something else now
		slog.Warn("an inquiry cannot be read", "experiment", name, "error", err)
	}
	if !in.Scenarios {
		return out, nil
	}
	for _, arm := range out.Arms {
		s, err := d.lab.Scenario(ctx, name, arm.Arm)
		if err != nil {
			return out, err
		}
		out.Scenarios = append(out.Scenarios, armScenario{arm.Arm, string(s.EncodeChanged())})
	}
	return out, nil
}

// aggregate says how replications become one series.
type aggregate string

// Enum lists the ways.
func (aggregate) Enum() []string { return tables.Aggregates }

type timeseriesArgs struct {
	nameArgs
	Metric    string    `json:"metric" max:"100" doc:"A headline indicator, such as unemployment_rate"`
	Arm       string    `json:"arm,omitempty" max:"100" doc:"Default: treatment, else the only one"`
	Aggregate aggregate `json:"aggregate,omitempty" default:"mean"`
	tools.Range
	Chart bool `json:"chart,omitempty" default:"false" doc:"Also a PNG of it"`
}

// pictured are the images of an answer with a chart; none where it was not asked for.
func pictured(chart []byte) []tools.Image {
	if chart == nil {
		return nil
	}
	return []tools.Image{{MIMEType: "image/png", Data: chart}}
}

type timeseriesResult struct {
	Experiment string `json:"experiment_name"`
	Arm        string `json:"arm"`
	Metric     string `json:"metric"`
	Unit       string `json:"unit"`
	tables.Aggregated
	chart []byte // PNG
}

// Pictures implements [tools.Pictured].
func (r timeseriesResult) Pictures() []tools.Image { return pictured(r.chart) }

func (d deps) timeseries(ctx context.Context, _ *tools.Call, in timeseriesArgs) (timeseriesResult, error) {
	s, err := d.lab.Series(ctx, string(in.Experiment), in.Arm, in.Metric, string(in.Aggregate), in.From, in.To, tools.Given(in.Every))
	if err != nil {
		return timeseriesResult{}, err
	}
	out := timeseriesResult{Experiment: s.Experiment, Arm: s.Arm, Metric: s.Metric, Unit: s.Unit, Aggregated: s.Aggregated}
	if in.Chart {
		out.chart, err = d.lab.SeriesChart(ctx, s)
	}
	return out, err
}

type compareArgs struct {
	Experiments []tools.Name         `json:"experiment_names" min:"1" max:"8"`
	Metrics     []string             `json:"metrics,omitempty" max:"60" doc:"Default: the plan's, else the main ones"`
	Detail      string               `json:"detail,omitempty" enum:"brief,full" default:"brief" doc:"brief: in 6 kB, four digits"`
	Format      string               `json:"format,omitempty" enum:"json,markdown" default:"json" doc:"markdown: a table as text, no rows"`
	Language    string               `json:"language,omitempty" enum:"en,zh" doc:"Of text and warnings; default: the question's"`
	Window      []int                `json:"window,omitempty" max:"2" doc:"First and last month; default: the plan's, else the second half"`
	Confidence  *float64             `json:"confidence,omitempty" min:"0.5" max:"0.999" doc:"Default: the plan's, else 0.95"`
	Test        inference.Test       `json:"test,omitempty" doc:"Default: the plan's, else t"`
	Adjustment  inference.Adjustment `json:"adjustment,omitempty" enum:"romano_wolf,holm,benjamini_hochberg" doc:"Default romano_wolf; benjamini_hochberg is exploratory"`
	Chart       bool                 `json:"chart,omitempty" default:"false" doc:"Also a PNG of the effects"`
}

type compareResult struct {
	report.Compared
	chart []byte // PNG
}

// Pictures implements [tools.Pictured].
func (r compareResult) Pictures() []tools.Image { return pictured(r.chart) }

// Narrow implements [tools.Narrowing].
func (compareArgs) Narrow() (field, hint string) {
	return "metrics", "name fewer metrics or experiments"
}

// compare reads, in the eyes of a client, although it counts what was asked: the count is
// nobody's to edit, changes no number of any experiment, and only makes later claims more
// careful. Principals that may only read may compare.
func (d deps) compare(ctx context.Context, c *tools.Call, in compareArgs) (out compareResult, err error) {
	metrics, err := inference.ParseMetrics(in.Metrics)
	if err != nil {
		return out, err
	}
	asked := inference.Choice{Metrics: metrics, Confidence: tools.Given(in.Confidence), Test: in.Test, Adjustment: in.Adjustment}
	choice, err := asked.Over(in.Window)
	if err != nil {
		return out, err
	}
	var names []string
	for _, name := range in.Experiments {
		names = append(names, string(name))
	}
	compared, err := d.lab.Compare(ctx, names, choice, in.Language, c.Principal)
	if err != nil {
		return out, err
	}
	if in.Chart {
		if out.chart, err = d.lab.EffectChart(ctx, compared, names); err != nil {
			return out, err
		}
	}
	switch {
	case in.Format == "markdown": // which has the rows
		out.Compared = report.Whole(compared)
		out.Rows, out.DynamicEffects, out.Text = nil, nil, compared.Text
	case in.Detail == "full":
		out.Compared = report.Whole(compared)
	default:
		out.Compared = report.Brief(compared)
	}
	if in.Chart && out.chart == nil {
		out.Warnings = append(out.Warnings, "no chart: there is no difference to show")
	}
	return out, nil
}

// statType is a kind of monthly statistics.
type statType string

// Enum lists the kinds.
func (statType) Enum() []string { return tables.StatTypes }

type statisticsArgs struct {
	nameArgs
	Type   statType `json:"stat_type"`
	Series []string `json:"series,omitempty" max:"200" doc:"Columns; default: all"`
	Arm    string   `json:"arm,omitempty" max:"100" doc:"Default: treatment, else the only one"`
	tools.Range
}

type statisticsResult struct {
	Experiment string                    `json:"experiment_name"`
	Type       string                    `json:"stat_type"`
	Arm        string                    `json:"arm"`
	Months     []int                     `json:"months"`
	Columns    map[string][]stats.Number `json:"columns"`
	Units      map[string]string         `json:"units"`
}

func (d deps) statistics(ctx context.Context, _ *tools.Call, in statisticsArgs) (statisticsResult, error) {
	s, err := d.lab.Statistics(ctx, string(in.Experiment), in.Arm, string(in.Type), in.Series, in.From, in.To, tools.Given(in.Every))
	if err != nil {
		return statisticsResult{}, err
	}
	out := statisticsResult{
		Experiment: string(in.Experiment), Type: string(in.Type), Arm: s.Arm, Months: s.Months,
		Columns: map[string][]stats.Number{}, Units: map[string]string{},
	}
	for _, c := range s.Columns {
		out.Columns[c.Name], out.Units[c.Name] = c.Values, c.Unit
	}
	return out, nil
}

// Package analysis has the tools that turn runs into research: they capture experiments
// and say what they show.
package analysis

import (
	"cmp"
	"context"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// Tools lists the category in the order of the catalogue.
func Tools(laboratory *lab.Laboratory) []tools.Tool {
	d := deps{laboratory}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "capture_experiment", Title: "Capture an experiment", TitleZH: "收录实验", Category: tools.Analysis, Hints: tools.Sets,
			Description: "Marks an experiment as research with question, hypothesis, tags and status. Capturing again updates what is given and " +
				"keeps analyses.",
		}, d.capture),
		tools.New(tools.Spec{
			Name: "update_experiment_status", Title: "Update research status", TitleZH: "更新实验状态", Category: tools.Analysis, Hints: tools.Sets,
			Description: "Changes the research status of a captured experiment; with shared, its owner lets others steer an experiment.",
		}, d.update),
		tools.New(tools.Spec{
			Name: "analyze_experiment", View: tools.ResultView, Title: "Analyze an experiment", TitleZH: "分析实验", Category: tools.Analysis, Hints: tools.Adds,
			Description: "What an experiment shows, judged by its plan, in 6 kB: conclusion, treatment effects with intervals, winners and " +
				"losers, macro, consumer, micro and innovation metrics, warnings. All of it is stored: get_analysis_result.",
		}, d.analyze),
		tools.New(tools.Spec{
			Name: "list_experiments", Title: "List captured experiments", TitleZH: "列出已收录实验", Category: tools.Analysis, Hints: tools.Reads,
			Description: "Research only: experiments marked by capture_experiment, newest first. Everything ever simulated: " +
				"list_history_experiments.",
		}, d.list),
		tools.New(tools.Spec{
			Name: "get_analysis_result", Title: "Get a stored analysis", TitleZH: "查看分析结果", Category: tools.Analysis, Hints: tools.Reads,
			Description: "A stored analysis: conclusion, effects, warnings, time, settings, method and code version; with part, a table of " +
				"it with units and intervals.",
		}, d.result),
	}
}

// deps is what the handlers of this package work on.
type deps struct{ lab *lab.Laboratory }

// researchStatus is what a researcher calls an experiment.
type researchStatus string

// Enum lists them.
func (researchStatus) Enum() []string {
	return []string{"pending", "running", "completed", "failed", "archived"}
}

// tag is a word that experiments can be found by.
type tag string

// Pattern is what tags match.
func (tag) Pattern() string { return `^[^\n]{1,100}$` }

type captureArgs struct {
	Experiment tools.Name     `json:"experiment_name"`
	Status     researchStatus `json:"status,omitempty" default:"completed"`
	Question   *string        `json:"question,omitempty" max:"4000"`
	Hypothesis *string        `json:"hypothesis,omitempty" max:"4000"`
	Expected   *string        `json:"expected_outcome,omitempty" max:"4000"`
	Tags       []tag          `json:"tags,omitempty" max:"50" doc:"In the place of earlier ones"`
	Notes      *string        `json:"notes,omitempty" max:"20000"`
}

type captureResult struct {
	Success    bool     `json:"success"`
	Experiment string   `json:"experiment_name"`
	Status     string   `json:"status"`
	CapturedAt string   `json:"captured_at"`
	Question   string   `json:"question"`
	Hypothesis string   `json:"hypothesis"`
	Expected   string   `json:"expected_outcome"`
	Tags       []string `json:"tags"`
}

// echoed is how many letters of a text that was noted stand in the answer.
const echoed = 500

func (d deps) capture(ctx context.Context, c *tools.Call, in captureArgs) (captureResult, error) {
	note := lab.Note{Status: string(in.Status), Question: in.Question, Hypothesis: in.Hypothesis, ExpectedOutcome: in.Expected,
		Notes: in.Notes}
	if in.Tags != nil {
		note.Tags = []string{}
	}
	for _, t := range in.Tags {
		note.Tags = append(note.Tags, string(t))
	}
	noted, err := d.lab.Capture(ctx, string(in.Experiment), note, c.Caller)
	if err != nil {
		return captureResult{}, err
	}
	return captureResult{
		true, string(in.Experiment), noted.Status, noted.CapturedAt.UTC().Format(time.RFC3339), fault.Shorten(noted.Question, echoed),
		fault.Shorten(noted.Hypothesis, echoed),
		fault.Shorten(noted.ExpectedOutcome, echoed), noted.Tags,
	}, nil
}

type updateArgs struct {
	Experiment tools.Name     `json:"experiment_name"`
	Status     researchStatus `json:"status,omitempty"`
	Shared     *bool          `json:"shared,omitempty" doc:"Others may steer it"`
}

type updateResult struct {
	Success    bool   `json:"success"`
	Experiment string `json:"experiment_name"`
	Status     string `json:"status"`
	Previous   string `json:"previous_status"`
	Shared     bool   `json:"shared"`
}

func (d deps) update(ctx context.Context, c *tools.Call, in updateArgs) (updateResult, error) {
	before, err := d.lab.Update(ctx, string(in.Experiment), store.Change{Status: string(in.Status), Shared: in.Shared}, c.Caller)
	if err != nil {
		return updateResult{}, err
	}
	return updateResult{
		true, string(in.Experiment), cmp.Or(string(in.Status), before.Status), before.Status, *cmp.Or(in.Shared, before.Shared),
	}, nil
}

// innovationType is a kind of innovation.
type innovationType string

// Enum lists them.
func (innovationType) Enum() []string { return inference.InnovationTypes() }

type analyzeArgs struct {
	Experiment      tools.Name       `json:"experiment_name"`
	Innovation      bool             `json:"include_innovation,omitempty" default:"true"`
	InnovationTypes []innovationType `json:"innovation_types,omitempty" max:"10" doc:"Default: all"`
	Window          []int            `json:"window,omitempty" max:"2" doc:"First and last month; default: the plan's"`
	Confidence      *float64         `json:"confidence,omitempty" min:"0.5" max:"0.999" doc:"Default: the plan's, else 0.95"`
	Language        string           `json:"language,omitempty" enum:"en,zh" doc:"Of the conclusion; default: the question's"`
}

// analysisResult is a stored analysis, and a part of it where one is asked for.
type analysisResult struct {
	core
	CodeVersion string               `json:"code_version"`
	By          string               `json:"analyzed_by"` // principal; empty = the operator
	Settings    lab.AnalysisSettings `json:"settings"`
	Method      inference.Method     `json:"method"`
	Table       *table               `json:"table,omitempty"`
}

// ResourceLinks points to the whole of the last analysis.
func (r analysisResult) ResourceLinks() []tools.Link {
	return []tools.Link{tools.ExperimentLink(r.Experiment, "analysis.json")}
}

func (d deps) analyze(ctx context.Context, c *tools.Call, in analyzeArgs) (briefResult, error) {
	settings := lab.AnalysisSettings{
		Innovation: in.Innovation, InnovationTypes: []string{}, Window: in.Window, Confidence: tools.Given(in.Confidence),
	}
	for _, kind := range in.InnovationTypes {
		settings.InnovationTypes = append(settings.InnovationTypes, string(kind))
	}
	a, err := d.lab.Analyse(ctx, string(in.Experiment), settings, c.Principal)
	if err != nil {
		return briefResult{}, err
	}
	return briefOf(a, in.Language), nil
}

type listArgs struct {
	tools.Page
	Status researchStatus `json:"status,omitempty"`
	Tag    string         `json:"tag,omitempty" max:"200"`
}

type capturedRow struct {
	Experiment     string   `json:"experiment_name"`
	Status         string   `json:"status"`
	AnalysisStatus string   `json:"analysis_status" enum:"analyzed,not_analyzed"`
	Created        string   `json:"created_time"`
	CapturedAt     string   `json:"captured_at"`
	Question       string   `json:"question"`
	Tags           []string `json:"tags"`
	Owner          string   `json:"owner,omitempty"` // principal; empty = the operator
}

type listResult struct {
	Total       int           `json:"total"`
	Experiments []capturedRow `json:"experiments"`
	Next        string        `json:"next_cursor"` // empty after the last
}

func (d deps) list(ctx context.Context, _ *tools.Call, in listArgs) (listResult, error) {
	list, total, next, err := d.lab.List(ctx, store.Filter{
		Limit: in.Limit, Cursor: in.Cursor, CapturedOnly: true, CaptureStatus: string(in.Status), Tag: in.Tag,
	})
	if err != nil {
		return listResult{}, err
	}
	out := listResult{Total: total, Next: next}
	for _, x := range list {
		row := capturedRow{
			Experiment: x.Name, Status: x.Captured.Status, AnalysisStatus: "not_analyzed", Created: x.CreatedAt.UTC().Format(time.RFC3339),
			CapturedAt: x.Captured.CapturedAt.UTC().Format(time.RFC3339), Question: fault.Shorten(x.Captured.Question, 120), Tags: x.Captured.Tags,
			Owner: x.Principal,
		}
		if x.HasAnalysis {
			row.AnalysisStatus = "analyzed"
		}
		out.Experiments = append(out.Experiments, row)
	}
	if n := tools.Fitting(out.Experiments); n < len(list) {
		out.Experiments, out.Next = out.Experiments[:n], list[n-1].Cursor
	}
	return out, nil
}

type resultArgs struct {
	Experiment tools.Name `json:"experiment_name"`
	Version    *int       `json:"version,omitempty" min:"1" doc:"Default: the last"`
	Part       part       `json:"part,omitempty" doc:"A table of it, whole"`
	Language   string     `json:"language,omitempty" enum:"en,zh" doc:"Of the conclusion; default: the question's"`
}

func (d deps) result(ctx context.Context, c *tools.Call, in resultArgs) (analysisResult, error) {
	a, err := d.lab.AnalysisOf(ctx, string(in.Experiment), tools.Given(in.Version), c.Principal)
	if err != nil {
		return analysisResult{}, err
	}
	out := analysisResult{briefOf(a, in.Language).core, a.CodeVersion, a.By, a.Settings, a.Analysis.Method, nil}
	if in.Part != "" {
		t := tableOf(&a.Analysis, in.Part)
		out.Table = &t
	}
	return out, nil
}

// Package automation holds the tools that turn a question in plain words into an
// experiment.
package automation

import (
	"context"
	"encoding/json"

	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// Tools lists the tools of the category, in the order of the catalogue. Configurations are
// found and kept in the library.
func Tools(library design.Configs) []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "analyze_question", Title: "Analyze a question", TitleZH: "解读问题", Category: tools.Automation, Hints: tools.Reads,
			Description: "Read a question in English or Chinese: its type, the levers it moves with direction and value, parameters to set, " +
				"outcomes to watch, a hypothesis, and what cannot be mapped. Runs nothing.",
		}, func(_ context.Context, _ *tools.Call, in questionArgs) (analysis, error) {
			plan, err := design.Ask(library, in.Question, "")
			if err != nil {
				return analysis{}, err
			}
			return newAnalysis(plan), nil
		}),
		tools.New(tools.Spec{
			Name: "generate_config_from_question", Title: "Generate configs from a question", TitleZH: "由问题生成配置", Category: tools.Automation,
			Hints: tools.Writes,
			Description: "Make treatment and control configs that differ only in the levers of a question, and save both. Saves over what it " +
				"made itself, never over other configs.",
		}, func(ctx context.Context, c *tools.Call, in generateArgs) (generated, error) {
			g, err := design.Generate(ctx, library, in.Question, string(in.Base), in.Save, c.Caller)
			if err != nil {
				return generated{}, err
			}
			return newGenerated(c, g, in.Save), nil
		}),
		tools.New(tools.Spec{
			Name: "get_experiment_workflow", Title: "Get an experiment's workflow", TitleZH: "获取实验流程", Category: tools.Automation,
			Hints:       tools.Reads,
			Description: "The tool calls, with all arguments, that answer a question from config to report. Make them in order, as they stand.",
		}, func(_ context.Context, _ *tools.Call, in questionArgs) (workflow, error) {
			plan, err := design.Ask(library, in.Question, "")
			if err != nil {
				return workflow{}, err
			}
			return newWorkflow(design.NewWorkflow(plan))
		}),
	}
}

type questionArgs struct {
	Question string `json:"question" max:"4000" doc:"English or Chinese"`
}

// Narrow says what makes the answer shorter.
func (questionArgs) Narrow() (field, hint string) { return "question", narrower }

const narrower = "ask a shorter question, of fewer changes"

// Narrow says what makes the answer shorter.
func (generateArgs) Narrow() (field, hint string) { return "question", narrower }

type generateArgs struct {
	Question string     `json:"question" max:"4000" doc:"English or Chinese"`
	Base     tools.Name `json:"base_config_name" default:"baseline" doc:"Preset or config that the question is about"`
	Save     bool       `json:"save" default:"true"`
}

// lever is a change that the question asks for.
type lever struct {
	Parameter string           `json:"parameter" doc:"Parameter, policy, shock, group or preset"`
	Kind      design.Kind      `json:"kind" enum:"parameter,policy,shock,injection,preset"`
	Direction design.Direction `json:"direction" enum:"increase,decrease,set"`
	From      *tools.Value     `json:"from" doc:"In the control"`
	Value     *tools.Value     `json:"value" doc:"In the treatment, in the unit"`
	Unit      string           `json:"unit"`
	FromText  string           `json:"from_text"`
	Assumed   bool             `json:"assumed" doc:"No size was given: a usual one"`
	Why       string           `json:"why,omitempty"`
	Note      string           `json:"note,omitempty"`
	Start     int              `json:"target_month"`
	Duration  int              `json:"duration_months,omitempty"`
	Ramp      int              `json:"ramp_months,omitempty"`
	When      string           `json:"when,omitempty"`
}

type candidate struct {
	Type       design.Type `json:"question_type"`
	Confidence float64     `json:"confidence"`
}

type keyword struct {
	Text    string      `json:"text"`
	From    int         `json:"from" doc:"Character, from 0"`
	To      int         `json:"to"`
	Meaning string      `json:"meaning"`
	Of      design.Type `json:"question_type,omitempty"`
}

type unmapped struct {
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// analysis is what analyze_question answers.
type analysis struct {
	Type        design.Type            `json:"question_type"`
	Confidence  float64                `json:"confidence" min:"0" max:"1"`
	Candidates  []candidate            `json:"candidates"`
	Keywords    []keyword              `json:"identified_keywords"`
	Levers      []lever                `json:"levers"`
	Recommended map[string]tools.Value `json:"recommended_parameters" doc:"batch_set_parameters takes it as it is"`
	Name        string                 `json:"recommended_config_name"`
	Outcomes    []string               `json:"outcomes_to_watch"`
	Unmapped    []unmapped             `json:"unmapped" doc:"Parts that the model cannot show"`
	Description string                 `json:"description"`
	Hypothesis  string                 `json:"hypothesis"`
}

// mostKeywords that an answer lists: a long text has thousands.
const mostKeywords = 100

func newAnalysis(p design.Reading) analysis {
	a := analysis{
		Type: p.Type, Confidence: p.Confidence, Recommended: map[string]tools.Value{}, Name: p.Name,
		Description: p.Describe(), Hypothesis: p.Hypothesis(),
	}
	for _, change := range p.Recommended() {
		a.Recommended[change.Name] = tools.Value{X: change.Value}
	}
	for _, c := range p.Candidates {
		a.Candidates = append(a.Candidates, candidate(c))
	}
	for _, k := range p.Keywords[:min(len(p.Keywords), mostKeywords)] {
		a.Keywords = append(a.Keywords, keyword(k))
	}
	for _, l := range p.Levers {
		a.Levers = append(a.Levers, lever{
			Parameter: l.Parameter, Kind: l.Kind, Direction: l.Direction, From: value(l.From), Value: value(l.Value), Unit: l.Unit,
			FromText: l.FromText, Assumed: l.Assumed, Why: why(l), Note: l.Note, Start: l.StartMonth, Duration: l.DurationMonths,
			Ramp: l.RampMonths, When: l.When,
		})
	}
	for _, i := range p.Outcomes {
		a.Outcomes = append(a.Outcomes, i.String())
	}
	for _, u := range p.Unmapped {
		a.Unmapped = append(a.Unmapped, unmapped(u))
	}
	return a
}

// why is the reason of a size that the question does not give.
func why(l design.Lever) string {
	if !l.Assumed {
		return ""
	}
	return l.Why
}

// value is nil for what a lever does not have.
func value(v any) *tools.Value {
	if v == nil {
		return nil
	}
	return &tools.Value{X: v}
}

// intervention is one as inject_intervention takes it.
type intervention struct {
	Type        sim.InterventionType   `json:"intervention_type" enum:"parameter_change,policy,shock,injection"`
	Month       int                    `json:"target_month"`
	Parameters  map[string]tools.Value `json:"parameters"`
	Description string                 `json:"description"`
	Duration    int                    `json:"duration_months,omitempty"`
	Ramp        int                    `json:"ramp_months,omitempty"`
	When        string                 `json:"when,omitempty"`
}

func newIntervention(v sim.Intervention) intervention {
	return intervention{
		Type: v.Type, Month: v.TargetMonth, Parameters: tools.Values(v.Action()), Description: v.Description,
		Duration: v.DurationMonths, Ramp: v.RampMonths, When: v.When,
	}
}

// generated is what generate_config_from_question answers. Paths are null where nothing
// was saved.
type generated struct {
	Success       bool                   `json:"success"`
	Analysis      analysis               `json:"question_analysis"`
	Name          string                 `json:"config_name"`
	Control       string                 `json:"control_config_name"`
	Parameters    map[string]tools.Value `json:"parameters" doc:"What the treatment sets, beside interventions"`
	Interventions []intervention         `json:"interventions"`
	Guidance      string                 `json:"guidance"`
	Path          *string                `json:"path"`
	ControlPath   *string                `json:"control_path"`
	Hash          string                 `json:"hash"`
	ControlHash   string                 `json:"control_hash"`
}

func newGenerated(c *tools.Call, g design.Generated, saved bool) generated {
	out := generated{
		Success: true, Analysis: newAnalysis(g.Plan), Name: g.Treatment.Name, Control: g.Control.Name,
		Parameters: map[string]tools.Value{}, Hash: g.Treatment.Hash(), ControlHash: g.Control.Hash(), Guidance: g.Guidance(saved),
	}
	params := g.Treatment.Params
	for _, name := range sim.Diff(sim.Defaults(), params) {
		v, _ := params.Get(name)
		out.Parameters[name] = tools.Value{X: v}
	}
	for _, v := range g.Treatment.Interventions {
		out.Interventions = append(out.Interventions, newIntervention(v))
	}
	if saved {
		path, control := c.File(g.Path), c.File(g.ControlPath)
		out.Path, out.ControlPath = &path, &control
	}
	return out
}

type step struct {
	Step        int             `json:"step"`
	Tool        string          `json:"tool"`
	Params      json.RawMessage `json:"tool_params"`
	Description string          `json:"description"`
	Needs       []string        `json:"needs"`
	Produces    []string        `json:"produces"`
	Repeat      string          `json:"repeat_until,omitempty"`
}

// workflow is what get_experiment_workflow answers.
type workflow struct {
	Question   string      `json:"question" doc:"Its first 300 characters; the steps have all"`
	Type       design.Type `json:"question_type"`
	Experiment string      `json:"experiment_name" doc:"Also the treatment's config"`
	Control    string      `json:"control_config_name"`
	Steps      []step      `json:"steps" doc:"Empty where no experiment follows from the question"`
	Guidance   string      `json:"guidance"`
	Hypothesis string      `json:"hypothesis"`
	Outcomes   []string    `json:"outcomes_to_watch"`
}

// echoed is how much of a question an answer repeats beside the calls that need it whole.
const echoed = 300

func newWorkflow(w design.Workflow) (workflow, error) {
	out := workflow{
		Question: fault.Shorten(w.Plan.Question, echoed), Type: w.Plan.Type, Experiment: w.Name, Control: w.Control,
		Guidance: w.Guidance, Hypothesis: w.Plan.Hypothesis(),
	}
	for _, s := range w.Steps {
		params, err := tools.Encode(s.Params)
		if err != nil {
			return workflow{}, err
		}
		out.Steps = append(out.Steps, step{s.Step, s.Tool, params, s.Description, s.Needs, s.Produces, s.Repeat})
	}
	for _, i := range w.Plan.Outcomes {
		out.Outcomes = append(out.Outcomes, i.String())
	}
	return out, nil
}

// Package automation holds the tools that turn a question in plain words into an experiment.
package automation

import (
	"context"
	"encoding/json"
	"errors"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// Tools lists the tools of the category, in the order of the catalogue. Configurations are kept in
// configs.
func Tools(laboratory *lab.Laboratory, configs lab.Configs) []tools.Tool {
	d := deps{laboratory, configs}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "analyze_question", View: tools.ResultView, Title: "Analyze a question", TitleZH: "解读问题", Category: tools.Automation, Hints: tools.Reads,
			Description: "Read a question in English or Chinese into an inquiry that start_simulation takes; or ask back, with choices that " +
				"are ready inquiries; or say that it is out of scope. Accounts for every word. Runs nothing. Where the rules ask " +
				"back, the model of a client with sampling may write it: have the user confirm it.",
		}, d.analyze),
		tools.New(tools.Spec{
			Name: "generate_config_from_question", Title: "Generate configs from a question", TitleZH: "由问题生成配置", Category: tools.Automation,
			Hints: tools.Writes,
			Description: "Make a config of each arm of a question or an inquiry, which differ only in its levers, and save them. Saves over " +
				"what it made itself, never over other configs.",
		}, d.generate),
		tools.New(tools.Spec{
			Name: "get_experiment_workflow", Title: "Get an experiment's workflow", TitleZH: "获取实验流程", Category: tools.Automation,
			Hints: tools.Reads,
			Description: "The tool calls, with all arguments, that answer a question: the first runs its inquiry. Make them in order, as " +
				"they stand.",
		}, d.workflow),
	}
}

type deps struct {
	lab     *lab.Laboratory
	configs lab.Configs
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
	Question string         `json:"question,omitempty" max:"4000" doc:"English or Chinese"`
	Inquiry  *tools.Inquiry `json:"inquiry,omitempty" doc:"In the place of the question"`
	Base     tools.Name     `json:"base_config_name,omitempty" default:"baseline" doc:"Preset or config that the question is about"`
	Save     bool           `json:"save,omitempty" default:"true"`
}

func (d deps) analyze(ctx context.Context, c *tools.Call, in questionArgs) (analysis, error) {
	m := &clientModel{call: c}
	p, err := d.lab.Consult(ctx, m.offered(), lab.Question{Text: in.Question, Principal: c.Principal})
	if err != nil {
		return analysis{}, err
	}
	if m.pending != nil {
		return analysis{}, m.pending
	}
	a, err := newAnalysis(p.Proposal)
	a.WrittenBy, a.ModelNote = m.account(p)
	return a, err
}

func (d deps) generate(ctx context.Context, c *tools.Call, in generateArgs) (generated, error) {
	p, name, err := d.proposed(c, in)
	if err != nil {
		return generated{}, err
	}
	out := generated{Parameters: map[string]tools.Value{}}
	a, err := newAnalysis(p)
	if err == nil {
		out.Analysis, err = tools.Encode(a)
	}
	if err != nil || p.Reading.Status != question.Ready {
		out.Guidance = either(p.Language, "Nothing was made: "+askBack, "未生成任何配置："+askBackZH)
		return out, err
	}
	configs := p.Configs(name)
	if in.Save {
		if err := lab.SaveConfigs(ctx, d.configs, configs, c.Caller); err != nil {
			return generated{}, err
		}
	}
	out.Success = true
	out.fill(c, configs)
	out.Guidance = guidance(p.Language, out, in.Save)
	return out, nil
}

// proposed is what the arguments ask for, and the name that its configs have.
func (d deps) proposed(c *tools.Call, in generateArgs) (p lab.Proposal, name string, err error) {
	switch {
	case in.Inquiry != nil && in.Question != "":
		return p, "", fault.New(fault.Conflict, "question", "an inquiry says its question itself").WithHint("leave the question out")
	case in.Inquiry == nil:
		base := string(in.Base)
		if base == "baseline" {
			base = ""
		}
		p, err = d.lab.Propose(lab.Question{Text: in.Question, Base: base, Principal: c.Principal})
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "base" {
			err = fault.In("base_config_name", err)
		}
		return p, p.Reading.Name(), err
	}
	text, err := json.Marshal(in.Inquiry)
	if err != nil {
		return p, "", err
	}
	q, err := inquiry.Decode(text)
	if err != nil {
		return p, "", tools.InInquiry(err)
	}
	p.Reading = question.Of(q)
	p.Language = p.Reading.Language
	p.Inquired, err = d.lab.Inquire(q, "", c.Principal)
	return p, p.Reading.Name(), tools.InInquiry(err)
}

func (d deps) workflow(_ context.Context, c *tools.Call, in questionArgs) (workflow, error) {
	p, err := d.lab.Propose(lab.Question{Text: in.Question, Principal: c.Principal})
	if err != nil {
		return workflow{}, err
	}
	return newWorkflow(p)
}

// lever is a change that an arm makes.
type lever struct {
	Arm       string               `json:"arm"`
	Parameter string               `json:"parameter" doc:"Or policy, shock, group, preset"`
	Kind      sim.InterventionType `json:"kind" enum:"parameter_change,policy,shock,injection"`
	Direction string               `json:"direction" enum:"increase,decrease,set"`
	From      *tools.Value         `json:"from" doc:"In the control"`
	Value     *tools.Value         `json:"value"`
	Unit      string               `json:"unit"`
	FromText  string               `json:"from_text"`
	Month     int                  `json:"target_month"`
	Months    int                  `json:"duration_months,omitempty"`
	Ramp      int                  `json:"ramp_months,omitempty"`
	When      string               `json:"when,omitempty"`
	Until     string               `json:"until,omitempty"`
}

type candidate struct {
	Type       question.Type `json:"question_type"`
	Confidence float64       `json:"confidence"`
}

type choice struct {
	Said    string          `json:"said"`
	Inquiry json.RawMessage `json:"inquiry"`
}

type askedBack struct {
	Ask     string   `json:"ask"`
	Choices []choice `json:"choices"`
}

// analysis is what analyze_question answers.
type analysis struct {
	Status      question.Status        `json:"status" enum:"ready,needs_clarification,out_of_scope"`
	WrittenBy   author                 `json:"written_by"`
	ModelNote   string                 `json:"model_note"`
	ReadBack    string                 `json:"read_back"`
	Inquiry     *json.RawMessage       `json:"inquiry" doc:"Null or incomplete unless ready"`
	Questions   []askedBack            `json:"questions" doc:"Each choice is a ready inquiry"`
	Assumed     []string               `json:"assumed"`
	Missing     []string               `json:"missing"`
	Used        []question.Used        `json:"used" doc:"Code points"`
	LeftOver    []question.LeftOver    `json:"left_over"`
	Warnings    []string               `json:"warnings" doc:"What can do nothing"`
	Nearest     []string               `json:"nearest" doc:"What can be asked instead"`
	Type        question.Type          `json:"question_type"`
	Confidence  float64                `json:"confidence" min:"0" max:"1" doc:"Of the type"`
	Candidates  []candidate            `json:"candidates"`
	Keywords    []string               `json:"identified_keywords"`
	Levers      []lever                `json:"levers"`
	Recommended map[string]tools.Value `json:"recommended_parameters" doc:"For batch_set_parameters"`
	Name        string                 `json:"recommended_config_name"`
	Outcomes    []string               `json:"outcomes_to_watch"`
	Description string                 `json:"description"`
	Hypothesis  string                 `json:"hypothesis"`
	PlanHash    string                 `json:"plan_hash"`
	Power       string                 `json:"power"`
	Seconds     float64                `json:"estimated_seconds"`
}

// longest is how much of a question each choice repeats: an answer has a dozen of them.
const longest = 500

// mostKeywords that an answer lists: a long text has thousands.
const mostKeywords = 100

func newAnalysis(p lab.Proposal) (analysis, error) {
	r := p.Reading
	if r.Type == "" {
		r.Type = question.Other
	}
	a := analysis{
		Status: r.Status, WrittenBy: rules, Assumed: r.Assumed, Missing: r.Missing, Used: r.Used[:min(len(r.Used), mostKeywords)],
		LeftOver: r.LeftOver[:min(len(r.LeftOver), mostKeywords)], Nearest: r.Nearest, Type: r.Type, Confidence: r.Confidence,
		Recommended: map[string]tools.Value{}, Name: r.Name(), Description: r.Describe(p.Language), PlanHash: p.PlanHash,
		Seconds: p.EstimatedSeconds,
	}
	for _, c := range r.Candidates {
		a.Candidates = append(a.Candidates, candidate(c))
	}
	for _, u := range a.Used {
		a.Keywords = append(a.Keywords, u.Text)
	}
	for _, q := range r.Questions {
		back := askedBack{Ask: q.Ask}
		for _, c := range q.Choices {
			c.Inquiry.Question = fault.Shorten(c.Inquiry.Question, longest)
			back.Choices = append(back.Choices, choice{c.Said, c.Inquiry.JSON()})
		}
		a.Questions = append(a.Questions, back)
	}
	if r.Inquiry != nil {
		text := r.Inquiry.JSON()
		a.Inquiry, a.ReadBack, a.Outcomes = &text, r.Inquiry.ReadBack(p.Language), lab.Watched(*r.Inquiry)
	}
	if r.Status != question.Ready {
		return a, nil
	}
	registered := p.Registration()
	a.Hypothesis, a.Power, a.Warnings = registered.Hypothesis, registered.PowerText(p.Language), p.Warnings
	for _, change := range p.Recommended() {
		a.Recommended[change.Name] = tools.Value{X: change.Value}
	}
	for _, l := range p.Levers() {
		a.Levers = append(a.Levers, lever{
			Arm: l.Arm, Parameter: l.Name, Kind: l.Kind, Direction: l.Direction(), From: value(l.From), Value: value(l.Value), Unit: l.Unit,
			FromText: r.TextOf(l.Name), Month: l.Month, Months: l.Months, Ramp: l.Ramp, When: l.Condition,
			Until: l.Until,
		})
	}
	return a, nil
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
	Until       string                 `json:"until,omitempty"`
}

func newIntervention(v sim.Intervention) intervention {
	return intervention{
		Type: v.Type, Month: v.TargetMonth, Parameters: tools.Values(v.Action()), Description: v.Description,
		Duration: v.DurationMonths, Ramp: v.RampMonths, When: v.When, Until: v.Until,
	}
}

// generated is what generate_config_from_question answers. Paths are null where nothing was saved.
type generated struct {
	Success       bool                   `json:"success" doc:"false unless ready"`
	Analysis      json.RawMessage        `json:"question_analysis" doc:"As analyze_question answers"`
	Name          string                 `json:"config_name" doc:"Of the first arm"`
	Control       string                 `json:"control_config_name"`
	Configs       []madeConfig           `json:"configs" doc:"All arms"`
	Parameters    map[string]tools.Value `json:"parameters" doc:"What the first arm sets, beside interventions"`
	Interventions []intervention         `json:"interventions"`
	Guidance      string                 `json:"guidance"`
	Path          *string                `json:"path"`
}

type madeConfig struct {
	Arm  string  `json:"arm"`
	Name string  `json:"config_name"`
	Hash string  `json:"hash"`
	Path *string `json:"path"`
}

// fill says which configs were made.
func (g *generated) fill(c *tools.Call, configs []lab.Config) {
	for _, x := range configs {
		made := madeConfig{Arm: x.Arm, Name: x.Scenario.Name, Hash: x.Scenario.Hash()}
		if x.Path != "" {
			path := c.File(x.Path)
			made.Path = &path
		}
		g.Configs = append(g.Configs, made)
		if x.Arm == lab.ControlArm {
			g.Control = made.Name
			continue
		}
		if g.Name != "" {
			continue
		}
		g.Name, g.Path = made.Name, made.Path
		for _, name := range sim.Diff(sim.Defaults(), x.Scenario.Params) {
			v, _ := x.Scenario.Params.Get(name)
			g.Parameters[name] = tools.Value{X: v}
		}
		for _, v := range x.Scenario.Interventions {
			g.Interventions = append(g.Interventions, newIntervention(v))
		}
	}
}

const (
	askBack   = "answer questions with one of its choices, whose inquiry start_simulation takes as it is; or ask again in other words."
	askBackZH = "请选择 questions 中的一项（其 inquiry 可直接交给 start_simulation），或换一种说法再问。"
)

// guidance says what to call next.
func guidance(language string, g generated, saved bool) string {
	if !saved {
		return either(language, "Nothing was saved. start_simulation takes question_analysis.inquiry as inquiry, and runs all arms.",
			"未保存。将 question_analysis.inquiry 作为 inquiry 交给 start_simulation，即可运行全部各组。")
	}
	if g.Control == "" {
		return either(language, "load_yaml_config "+g.Name+", then start_simulation.", "先 load_yaml_config "+g.Name+"，再 start_simulation。")
	}
	return either(language,
		"start_simulation with inquiry = question_analysis.inquiry runs all arms by its plan. Or load_yaml_config "+g.Name+
			", then start_simulation with control="+g.Control+" and replications="+replications+".",
		"将 question_analysis.inquiry 作为 inquiry 交给 start_simulation，即按其计划运行全部各组；或先 load_yaml_config "+g.Name+
			"，再以 control="+g.Control+"、replications="+replications+" 调用 start_simulation。")
}

func either(language, en, zh string) string {
	if language == "zh" {
		return zh
	}
	return en
}

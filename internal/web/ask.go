package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
	"econ-mcp/internal/report"
	"econ-mcp/presets"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// askOperations turn a question in plain words into an experiment.
func (s *Site) askOperations() []operation {
	return []operation{
		computes("/ask/read", "read_question",
			"Reads a question: what each of its words became, what is asked back, or how it would be answered. Runs nothing.", s.read),
		computes("/ask/plan", "plan_inquiry", "How an inquiry would be answered: arms, levers, size, time and power. Runs nothing.", s.plan),
		writes("/experiments", "start_experiment", "Starts the experiment of an inquiry, with the plan that plan_inquiry says.", s.start),
	}
}

func (s *Site) askPages() []shown {
	return []shown{{Pattern: "/{$}", Template: "ask", Here: "/", Script: "ask.js", Style: "ask.css", Data: s.askPage}}
}

// readArgs are a question, and what its words do not say.
type readArgs struct {
	Question     string           `json:"question" max:"4000" doc:"English or Chinese"`
	Language     string           `json:"language,omitempty" enum:",en,zh" doc:"of the proposal; empty = that of the question"`
	Base         string           `json:"base,omitempty" max:"100" doc:"preset or config that it is about; empty = as the words say"`
	Households   *int             `json:"households,omitempty" min:"1" max:"100000000" doc:"of each economy; default those of the base"`
	Months       *int             `json:"months,omitempty" min:"1" max:"6000" doc:"after burn-in; default as far as it looks, at least 60"`
	Replications lab.Replications `json:"replications,omitempty" default:"20" min:"1" max:"1000" doc:"of each arm, or auto"`
}

// part is a piece of the question. All parts together are the question.
type part struct {
	Text string `json:"text"`
	From int    `json:"from" doc:"Unicode code points from the start of the question"`
	To   int    `json:"to" doc:"after the last code point"`
	Kind string `json:"kind" enum:"used,left_over,plain" doc:"plain: words and blanks that need not be understood"`
	Note string `json:"note" doc:"what it became, or why it is left over; empty of what is plain"`
}

// offer is an answer to what is asked back.
type offer struct {
	Said    string          `json:"said"`
	Inquiry json.RawMessage `json:"inquiry" doc:"ready; what else is open is as first proposed"`
}

type backQuestion struct {
	Ask     string  `json:"ask"`
	Choices []offer `json:"choices"`
}

type readAnswer struct {
	Status   question.Status `json:"status"`
	Language string          `json:"language" doc:"of the question"`
	Parts    []part          `json:"parts"`
	Asked    []backQuestion  `json:"asked_back"`
	Assumed  []string        `json:"assumed" doc:"what was not said and is taken"`
	Missing  []string        `json:"missing"`
	Nearest  []string        `json:"nearest" doc:"what can be asked instead"`
	Proposal *proposal       `json:"proposal" doc:"null unless ready"`
}

// read is what a question is understood as.
func (s *Site) read(_ context.Context, c *tools.Call, in readArgs) (readAnswer, error) {
	p, err := s.Lab.Propose(lab.Question{
		Text: in.Question, Base: in.Base, Language: in.Language, Principal: c.Principal, Households: tools.Given(in.Households),
		Months: tools.Given(in.Months), Replications: in.Replications,
	})
	if err != nil {
		return readAnswer{}, err
	}
	r := p.Reading
	out := readAnswer{
		Status: r.Status, Language: r.Language, Parts: partsOf(r, cmp.Or(in.Language, r.Language)), Assumed: r.Assumed, Missing: r.Missing,
		Nearest: r.Nearest,
	}
	for _, q := range r.Questions {
		back := backQuestion{Ask: q.Ask}
		for _, x := range q.Choices {
			back.Choices = append(back.Choices, offer{x.Said, x.Inquiry.JSON()})
		}
		out.Asked = append(out.Asked, back)
	}
	if r.Status != question.Ready {
		return out, nil
	}
	plan, err := s.planned(c, *r.Inquiry, in.Language)
	out.Proposal = &plan
	return out, err
}

// partsOf cuts a question into what was understood, what was not, and the rest.
func partsOf(r question.Reading, language string) (list []part) {
	text := []rune(r.Question)
	for _, u := range r.Used {
		p := part{From: u.From, To: u.To, Kind: "used", Note: became(u.As, language)}
		if why, beyond := question.Beyond(u.As, language, r.Status); beyond {
			p.Kind, p.Note = "left_over", why
		}
		list = append(list, p)
	}
	for _, l := range r.LeftOver {
		list = append(list, part{From: l.From, To: l.To, Kind: "left_over", Note: l.Why})
	}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(a.From, b.From) })
	var all []part
	at := 0
	for _, p := range list {
		if p.To = min(p.To, len(text)); p.From < at || p.To <= p.From { // said of a part that has been told
			continue
		}
		if p.From > at {
			all = append(all, part{Text: string(text[at:p.From]), From: at, To: p.From, Kind: "plain"})
		}
		p.Text = string(text[p.From:p.To])
		all, at = append(all, p), p.To
	}
	if at < len(text) {
		all = append(all, part{Text: string(text[at:]), From: at, To: len(text), Kind: "plain"})
	}
	return all
}

// became says for people what a part of a question was understood as.
func became(as, language string) string {
	say := func(en, zh string) string { return inLanguage(language, en, zh) }
	if name, ok := strings.CutPrefix(as, "outcome "); ok {
		if i, known := sim.IndicatorByName(name); known {
			return say("outcome: ", "观察：") + report.Label(i, language)
		}
	}
	if name, ok := strings.CutPrefix(as, "preset "); ok {
		return say("the scenario ", "情景 ") + name
	}
	return question.InWords(as, language)
}

// planArgs are an inquiry that a person has looked at.
type planArgs struct {
	Inquiry  tools.Inquiry `json:"inquiry" doc:"as read_question and plan_inquiry answer it, changed or not"`
	Language string        `json:"language,omitempty" enum:",en,zh" doc:"of the proposal; empty = that of its question"`
}

// inquired reads the inquiry of arguments.
func inquired(in tools.Inquiry) (inquiry.Inquiry, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return inquiry.Inquiry{}, err
	}
	q, err := inquiry.Decode(text)
	if e, ok := errors.AsType[*fault.Error](err); ok { // lines are those of the text that was just made
		said := *e
		said.Message = place.ReplaceAllString(said.Message, "")
		err = &said
	}
	return q, tools.InInquiry(err)
}

// place is where something stands in the text of an inquiry.
var place = regexp.MustCompile(` \(line [0-9]+, column [0-9]+\)$`)

func (s *Site) plan(_ context.Context, c *tools.Call, in planArgs) (proposal, error) {
	q, err := inquired(in.Inquiry)
	if err != nil {
		return proposal{}, err
	}
	return s.planned(c, q, in.Language)
}

// planned is how an inquiry would be answered.
func (s *Site) planned(c *tools.Call, q inquiry.Inquiry, language string) (proposal, error) {
	p, err := s.Lab.Confirmed(q, language, c.Principal)
	if err != nil {
		return proposal{}, tools.InInquiry(err)
	}
	memory, err := s.Lab.Memory(p.Inquired)
	if err != nil {
		return proposal{}, err
	}
	return newProposal(p, memory), nil
}

type beginArgs struct {
	planArgs
	Name     tools.Name `json:"experiment_name,omitempty" doc:"default: made of what changes; a name that is taken gets a number then"`
	PlanHash string     `json:"plan_hash,omitempty" max:"64" doc:"as plan_inquiry said it: another plan is refused; empty = whatever it is"`
}

type begun struct {
	Name             string  `json:"experiment_name"`
	PlanHash         string  `json:"plan_hash"`
	EstimatedSeconds float64 `json:"estimated_seconds"`
}

// start begins the experiment of an inquiry, as econ-mcp ask does.
func (s *Site) start(ctx context.Context, c *tools.Call, in beginArgs) (begun, error) {
	q, err := inquired(in.Inquiry)
	if err != nil {
		return begun{}, err
	}
	p, err := s.Lab.Confirmed(q, in.Language, c.Principal)
	if err != nil {
		return begun{}, tools.InInquiry(err)
	}
	if in.PlanHash != "" && in.PlanHash != p.PlanHash {
		return begun{}, fault.New(fault.Conflict, "plan_hash", "the plan is not the one that was shown: it has the hash %.16s", p.PlanHash).
			InChinese("计划与所显示的不同，其哈希为 %.16s", p.PlanHash).WithHint("look at it again")
	}
	if in.Name != "" {
		p.Order.Name, p.Order.Rename = string(in.Name), false
	}
	started, err := s.Lab.Launch(ctx, p.Inquired)
	if err != nil && started.Name != "" {
		s.Log.Warn("an experiment runs without a note of its question", "experiment", started.Name, "error", err)
		err = nil
	}
	return begun{started.Name, started.PlanHash, started.EstimatedSeconds}, err
}

// asked is what the page shows.
type asked struct {
	Question, Base                   string
	Households, Months, Replications string // as they were typed
	Bases                            []string
	Examples                         []string
	Reading                          *readAnswer // nil = nothing was asked
	Chosen                           int         // of all choices, from 1; 0 = none
	Proposal                         *proposal   // nil = none is ready
	Problem                          *fault.Error
}

// Offers are the choices of what is asked back, numbered through.
func (a asked) Offers(question int) (list []numbered) {
	first := 1
	for _, q := range a.Reading.Asked[:question] {
		first += len(q.Choices)
	}
	for k, o := range a.Reading.Asked[question].Choices {
		list = append(list, numbered{first + k, o.Said, a.Chosen == first+k, a.address(first + k)})
	}
	return list
}

// numbered is a choice with its number, and the address of the page that takes it.
type numbered struct {
	Number  int
	Said    string
	Chosen  bool
	Address string
}

func (a asked) address(choice int) string {
	query := url.Values{"question": {a.Question}}
	for name, value := range map[string]string{
		"base": a.Base, "households": a.Households, "months": a.Months, "replications": a.Replications,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if choice > 0 {
		query.Set("choice", strconv.Itoa(choice))
	}
	return "/?" + query.Encode()
}

// Sample is the address at which an example is read.
func (a asked) Sample(text string) string { return asked{Question: text}.address(0) }

// ProblemOf says what is wrong with a field; "" = nothing.
func (a asked) ProblemOf(field, language string) string {
	if a.Problem == nil || fieldOf(a.Problem.Field) != field {
		return ""
	}
	text := a.Problem.MessageIn(language)
	if hint := a.Problem.HintIn(language); hint != "" {
		text += " – " + hint
	}
	return text
}

// fieldOf is the field of the form that an error concerns: the question where it is none of the others.
func fieldOf(field string) string {
	last := field[strings.LastIndexByte(field, '.')+1:]
	switch last {
	case "base", "preset", "background":
		return "base"
	case "households", "num_households", "households_per_firm":
		return "households"
	case "months", "num_iterations":
		return "months"
	case "replications":
		return "replications"
	}
	return "question"
}

// examples are questions that a page offers, each of which is ready.
func examples(language string) []string {
	if language == report.Chinese {
		return []string{
			"增值税从8%提高到10%，物价会怎样？", "最低工资提高到平均工资的60%，失业率会怎样？", "人工智能浪潮会怎样改变劳动份额？",
			"如果每月给每个人发500，贫困率会怎样？", "关税提高10个百分点会怎样？",
		}
	}
	return []string{
		"What happens to prices if VAT rises from 8% to 10%?", "Does a minimum wage of 60% of the mean wage cost jobs?",
		"How does a wave of AI change the labour share?", "What happens to poverty if we give everyone 500 a month?",
		"In a recession, do 300 a month for the unemployed or a VAT cut of two points help consumption more?",
	}
}

// askPage reads the question of an address. What is wrong with it is told beside the field, not instead of the page.
func (s *Site) askPage(r *http.Request, p *page) (any, error) {
	p.Title = p.T("Ask", "提问")
	query := r.URL.Query()
	a := asked{
		Question: query.Get("question"), Base: query.Get("base"), Households: query.Get("households"), Months: query.Get("months"),
		Replications: query.Get("replications"), Examples: examples(p.Language),
	}
	var err error
	if a.Bases, err = s.bases(r.Context()); err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Question) == "" {
		return a, nil
	}
	p.Title = fault.Shorten(a.Question, 60)
	in := readArgs{Question: a.Question, Language: p.Language, Base: a.Base, Replications: inquiry.DefaultReplications}
	for _, n := range []struct {
		field, text string
		most        int
		into        **int
	}{{"households", a.Households, 100_000_000, &in.Households}, {"months", a.Months, 6000, &in.Months}} {
		if n.text != "" && err == nil {
			*n.into, err = whole(n.field, n.text, n.most)
		}
	}
	if a.Replications != "" && err == nil {
		in.Replications, err = lab.ParseReplications("replications", a.Replications)
	}
	call := s.call(p.Caller)
	if err == nil {
		var reading readAnswer
		if reading, err = s.read(r.Context(), call, in); err == nil {
			a.Reading, a.Proposal = &reading, reading.Proposal
		}
	}
	if choice, failed := strconv.Atoi(query.Get("choice")); failed == nil && err == nil {
		err = s.choose(call, &a, choice, p.Language)
	}
	if err != nil {
		if _, known := errors.AsType[*fault.Error](err); !known {
			return nil, err
		}
		a.Problem = fault.Public(err)
	}
	return a, nil
}

// choose takes one of the choices of what is asked back, from 1.
func (s *Site) choose(c *tools.Call, a *asked, choice int, language string) error {
	number := 0
	for _, back := range a.Reading.Asked {
		for _, o := range back.Choices {
			if number++; number != choice {
				continue
			}
			q, err := inquiry.Decode(o.Inquiry)
			if err != nil {
				return err
			}
			plan, err := s.planned(c, q, language)
			if err == nil {
				a.Chosen, a.Proposal = choice, &plan
			}
			return err
		}
	}
	return nil // the question has changed since
}

// whole reads a number of a form.
func whole(field, text string, most int) (*int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return nil, fault.Type(field, strconv.Quote(text), "integer")
	}
	if n < 1 || n > most {
		return nil, fault.Range(field, text, "1 to "+strconv.Itoa(most))
	}
	return &n, nil
}

// bases are the economies that a question may be about: presets, then configs.
func (s *Site) bases(ctx context.Context) ([]string, error) {
	names := presets.Names()
	saved, err := s.Library.PresetPage(ctx, "", 0)
	if err != nil {
		return nil, err
	}
	configs, err := s.Library.ConfigPage(ctx, "", 0)
	for _, e := range slices.Concat(saved.Entries, configs.Entries) {
		if e.Problem == nil && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names, err
}

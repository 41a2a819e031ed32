package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/question"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Question is asked in plain words, with what its experiment is to be where the words do not say.
type Question struct {
	Text         string
	Base         string             // preset or config that it is about; "" = the baseline
	File         *scenario.Scenario // that it is about, where that has no name to find it by; then Base is what it is called
	Language     string             // of the answer, [report.English] or [report.Chinese]; "" = that of the question
	Assume       bool               // what is asked back is taken as first proposed
	Households   int                // 0 = as in the base
	Months       int                // 0 = as far as the question looks ahead, at least [inquiry.DefaultMonths]
	Replications Replications       // of each arm; 0 = [inquiry.DefaultReplications]
	Seed         *uint64
	Outcomes     []string // indicators that it is judged by, the primary one first; empty = those of the question
	Window       []int    // first and last month that all outcomes are judged by; empty = as the inquiry says
	Principal    string
	Perturbation *Perturbation // of all arms; nil = none
	Tries        string        // hash of the plan whose verdict is tried by the perturbation; "" = none

	// Of replications that are [Auto]: as in [Plan].
	HalfWidth       *float64
	MaxReplications *int
}

// Proposal is how a question is to be answered: all is decided and nothing is simulated.
type Proposal struct {
	Reading  question.Reading
	Inquired        // the zero value where the reading is not ready
	Language string // of the answer
}

// HypothesisIn is the hypothesis in a language.
func (r Registration) HypothesisIn(language string) string {
	name, sign := r.Expected()
	outcome, _ := sim.IndicatorByName(name)
	return report.Hypothesis(r.ChangeIn(language), outcome, sign, language)
}

// ChangeIn says what the arms do in a language.
func (r Registration) ChangeIn(language string) string {
	if language == report.Chinese {
		return r.ChangeZH
	}
	return r.Change
}

// Read reads a question. What it asks back, or that it is out of scope, is no error.
func (l *Laboratory) Read(q Question) (question.Reading, error) {
	o, err := l.options(q)
	if err != nil {
		return question.Reading{}, err
	}
	return q.allWithin(question.Read(q.Text, o)), nil
}

// Write has a language model write the inquiry of a question, in the place of the reader, and decides how
// it is answered. The model sees no results. Who asked must confirm what it wrote before it runs.
func (l *Laboratory) Write(ctx context.Context, m question.Model, q Question) (Proposal, error) {
	o, err := l.options(q)
	if err != nil {
		return Proposal{}, err
	}
	r, err := question.Write(ctx, m, q.Text, o, func(written inquiry.Inquiry) error {
		q.within(&written)
		_, err := l.Inquire(written, "", q.Principal)
		return err
	})
	if err != nil {
		return Proposal{}, err
	}
	return l.Proposed(q, q.allWithin(r))
}

// options are what a question does not say itself.
func (l *Laboratory) options(q Question) (question.Options, error) {
	if strings.TrimSpace(q.Text) == "" {
		return question.Options{}, fault.New(fault.Required, "question", "the question is missing").
			WithHint("such as: What happens if VAT rises from 8% to 15%?")
	}
	find := Scenarios(l.Scenarios)
	if q.File != nil {
		find = filed{l.Scenarios, q.Base, *q.File}
	}
	base, err := find.Scenario(cmp.Or(q.Base, "baseline"))
	if err != nil {
		return question.Options{}, fault.In("base", err)
	}
	o := question.Options{Base: q.Base, Assume: q.Assume, Find: find, Design: inquiry.Design{
		Months: q.Months, Replications: int(q.Replications), BurnIn: base.BurnIn.BurnInMonths,
	}}
	if q.Seed != nil {
		o.Design.Seed = *q.Seed
	}
	order := Order{
		Replications: cmp.Or(q.Replications, inquiry.DefaultReplications),
		Plan:         &Plan{HalfWidth: q.HalfWidth, MaxReplications: q.MaxReplications},
	}
	if err := order.settle(); err != nil {
		return question.Options{}, err
	}
	if q.Replications == Auto {
		o.Design.Replications, o.Design.HalfWidth, o.Design.MaxReplications = inquiry.Auto, *order.Plan.HalfWidth, *order.Plan.MaxReplications
	}
	if q.Households > 0 {
		err := base.Params.Set("num_households", q.Households)
		if err == nil {
			err = base.Params.Validate()
		}
		if err != nil {
			return question.Options{}, err
		}
		o.Set = []inquiry.Setting{{Name: "num_households", Value: q.Households}}
	}
	return o, nil
}

// within has an inquiry hold the scenario of the file itself: the record needs no file.
func (q Question) within(asked *inquiry.Inquiry) {
	if q.File != nil && asked.Background.Base == q.Base {
		asked.Background.Base, asked.Background.Text = "", string(q.File.Encode())
	}
}

// allWithin does so with all inquiries of a reading.
func (q Question) allWithin(r question.Reading) question.Reading {
	if r.Inquiry != nil {
		q.within(r.Inquiry)
	}
	for _, back := range r.Questions {
		for k := range back.Choices {
			q.within(&back.Choices[k].Inquiry)
		}
	}
	return r
}

// filed finds the scenario of a file, too, by the name that it is given.
type filed struct {
	Scenarios
	name string
	file scenario.Scenario
}

// Scenario finds a scenario by its name.
func (f filed) Scenario(name string) (scenario.Scenario, error) {
	if name == f.name {
		return f.file, nil
	}
	return f.Scenarios.Scenario(name)
}

// Propose reads a question and, where it is understood, decides how it is answered.
func (l *Laboratory) Propose(q Question) (Proposal, error) {
	r, err := l.Read(q)
	if err != nil {
		return Proposal{}, err
	}
	return l.Proposed(q, r)
}

// Consulted is how a question is to be answered, where a language model could be asked too.
type Consulted struct {
	Proposal
	Asked   bool  // the model was asked, since the rules ask back
	Written bool  // the proposal is the model's; else it is that of the rules
	Failed  error // why it is not, where the model was asked; nil = it is
}

// Consult reads a question by rules and, where they ask back, has a model write its inquiry or ask back
// with choices; nil = no model. The rules come first: they are exact, and cost nothing. Their proposal
// stands wherever the model writes nothing that passes the check. Who asked must confirm what a model
// wrote before it runs.
func (l *Laboratory) Consult(ctx context.Context, m question.Model, q Question) (Consulted, error) {
	p, err := l.Propose(q)
	c := Consulted{Proposal: p}
	if err != nil || m == nil || p.Reading.Status != question.AskedBack {
		return c, err
	}
	c.Asked = true
	written, failed := l.Write(ctx, m, q)
	r := written.Reading
	switch {
	case failed != nil:
		c.Failed = failed
	case r.Status == question.Ready, r.Status == question.AskedBack && len(r.Questions[0].Choices) > 0:
		c.Proposal, c.Written = written, true
	case r.Status == question.AskedBack:
		c.Failed = fault.New(fault.InvalidState, "model", "the model asks back without a choice: %s", r.Questions[0].Ask).
			InChinese("模型反问，但未给出选项：%s", r.Questions[0].Ask)
	default:
		c.Failed = fault.New(fault.InvalidState, "model", "the model takes the question to be out of scope").
			InChinese("模型认为此问题超出范围")
	}
	return c, nil
}

// Chosen is the proposal of a question, of whose reading somebody took a choice.
func (l *Laboratory) Chosen(q Question, r question.Reading, c question.Choice) (Proposal, error) {
	r.Status, r.Inquiry, r.Questions, r.Missing = question.Ready, &c.Inquiry, nil, nil
	r.Assumed = append(slices.Clone(c.Assumed), c.Said)
	return l.Proposed(q, r)
}

// Written is the proposal of an inquiry that somebody wrote.
func (l *Laboratory) Written(q Question, written inquiry.Inquiry) (Proposal, error) {
	return l.Proposed(q, question.Of(written))
}

// Proposed decides how a reading is answered, where it is ready.
func (l *Laboratory) Proposed(q Question, r question.Reading) (Proposal, error) {
	p := Proposal{Reading: r, Language: cmp.Or(q.Language, r.Language)}
	if r.Status != question.Ready {
		return p, nil
	}
	asked, err := q.judged(*r.Inquiry)
	if err != nil {
		return p, err
	}
	p.Reading.Inquiry = &asked
	if p.Inquired, err = l.Inquire(asked, "", q.Principal); err != nil {
		return p, err
	}
	name := r.Name()
	if q.Perturbation != nil {
		perturbed, err := q.Perturbation.applied(p.Inquired)
		if err != nil {
			return p, err
		}
		if p.Inquired, err = l.Inquire(perturbed, "", q.Principal); err != nil {
			return p, err
		}
		name += "-" + q.Perturbation.what()
	}
	p.Order.Name, p.Order.Rename = name, true
	x := *p.Order.registration
	x.Language, x.Type, x.Assumed = p.Language, r.Type, r.Assumed
	x.Base, x.Perturbation, x.Tries = q.Base, q.Perturbation, q.Tries
	for _, left := range r.LeftOver {
		x.Unmapped = append(x.Unmapped, left.Text+": "+left.Why)
	}
	p.Inquired, err = p.registered(x)
	return p, err
}

// judged is an inquiry with the outcomes and the window that the caller says.
func (q Question) judged(asked inquiry.Inquiry) (inquiry.Inquiry, error) {
	if len(q.Outcomes) > 0 {
		var outcomes []inquiry.Outcome
		for _, name := range q.Outcomes {
			i, err := sim.LookupIndicator(name)
			if err != nil {
				return asked, fault.In("outcome", err)
			}
			o := inquiry.Outcome{Metric: i, Windows: inquiry.DefaultWindows(asked.Design.Months)}
			if k := slices.IndexFunc(asked.Outcomes, func(o inquiry.Outcome) bool { return o.Metric == i }); k >= 0 {
				o = asked.Outcomes[k]
			}
			outcomes = append(outcomes, o)
		}
		asked.Outcomes = outcomes
	}
	if len(q.Window) == 2 {
		from, to := q.Window[0], q.Window[1]
		if from < 1 || to < from || to > asked.Design.Months {
			return asked, fault.Range("window", fmt.Sprintf("%d:%d", from, to), fmt.Sprintf("FROM:TO within 1:%d", asked.Design.Months))
		}
		asked.Outcomes = slices.Clone(asked.Outcomes)
		for k := range asked.Outcomes {
			asked.Outcomes[k].Windows = []inquiry.Window{{From: from, To: to}}
		}
	}
	return asked, nil
}

// What is noted of the experiment of a question until it ends.
const (
	askTag      = "ask"
	runningNote = "running"
)

// Ask starts the experiment of an inquiry and captures it, with its question and its hypothesis.
func (l *Laboratory) Ask(ctx context.Context, q Inquired) (Started, error) {
	started, err := l.Start(ctx, q.Order)
	if err != nil || q.Inquiry.Question == "" {
		return started, err
	}
	r := q.Registration()
	hypothesis, tags := r.Hypothesis, []string{askTag}
	if r.Type != "" {
		tags = slices.Insert(tags, 0, string(r.Type))
	}
	if r.Tries != "" {
		tags = append(tags, robustTag(r.Tries))
	}
	// Once it has started it is captured too, or it would run as an experiment of no question.
	_, err = l.capture(
		context.WithoutCancel(ctx), started.Name, Note{Status: runningNote, Question: &q.Inquiry.Question, Hypothesis: &hypothesis, Tags: tags},
	)
	return started, err
}

// Concluded notes what became of the experiment of a question, also for a caller that was
// cancelled meanwhile.
func (l *Laboratory) Concluded(ctx context.Context, name string, state run.State) error {
	status := "completed"
	if state != run.StateCompleted {
		status = "failed"
	}
	_, err := l.Store.Update(context.WithoutCancel(ctx), name, store.Change{Status: status})
	return err
}

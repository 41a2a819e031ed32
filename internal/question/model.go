package question

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// Model is a language model.
type Model interface {
	// Complete answers a text by a JSON object that fits a schema.
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (json.RawMessage, error)
}

// What is taken of a model.
const (
	modelTries   = 4        // answers: the first, and one after each of three errors
	modelBytes   = 64 << 10 // of an answer
	modelSaid    = 500      // characters of what it says in its own words
	modelChoices = 3
	modelAssumed = 20
)

// written is what a model answers.
type written struct {
	Status  Status          `json:"status"`
	Inquiry json.RawMessage `json:"inquiry"`
	Assumed []string        `json:"assumed"`
	Ask     string          `json:"ask"`
	Choices []struct {
		Said    string          `json:"said"`
		Inquiry json.RawMessage `json:"inquiry"`
	} `json:"choices"`
	Why string `json:"why"`
}

// writtenSchema is what is sent as the schema of an answer. It is loose, since many endpoints take no
// references: the schema of inquiries stands in the prompt, and the strict check reads them.
const writtenSchema = `{"type":"object","properties":{` +
	`"status":{"type":"string","enum":["ready","needs_clarification","out_of_scope"]},` +
	`"inquiry":{"type":"object","description":"where status is ready"},` +
	`"assumed":{"type":"array","items":{"type":"string"},"description":"what the question does not say and you took"},` +
	`"ask":{"type":"string","description":"where status is needs_clarification: the one question to ask back"},` +
	`"choices":{"type":"array","maxItems":3,"items":{"type":"object","properties":{"said":{"type":"string"},"inquiry":{"type":"object"}},` +
	`"required":["said","inquiry"]}},` +
	`"why":{"type":"string","description":"where status is out_of_scope"}},"required":["status"]}`

// Write has a model write the inquiry of a question. The model is given the question, the schema and the
// catalogue, never a result. What it writes is read as strictly as if a person had written it, then
// checked by check, and goes back with the error up to three times. Numbers and levers of the question
// that its inquiry lacks are left over; numbers that the question does not have are assumed. Errors are
// those of the model, or [fault.InvalidState] where its last answer is wrong too.
func Write(ctx context.Context, m Model, question string, o Options, check func(inquiry.Inquiry) error) (Reading, error) {
	text := clean(question)
	if utf8.RuneCountInString(question) > inquiry.MaxQuestion || !strings.ContainsFunc(text, unicode.IsLetter) {
		return Read(question, o), nil // nothing that a model could know better
	}
	base, err := o.find().Scenario(o.base())
	if err != nil {
		return Reading{}, err
	}
	asked, err := json.Marshal(text)
	if err != nil {
		return Reading{}, err
	}
	w := writer{text, o, base.Params, check}
	system, user := instructions(base.Params), "The question, as JSON text: "+string(asked)
	prompt := user
	for try := 1; ; try++ {
		answer, err := m.Complete(ctx, system, prompt, json.RawMessage(writtenSchema))
		if err != nil {
			return Reading{}, err
		}
		r, err := w.read(question, answer)
		if err == nil {
			return r, nil
		}
		wrong := fault.Public(err) // the model may be anywhere
		if try == modelTries {
			return Reading{}, fault.New(fault.InvalidState,
				"model", "the model wrote no valid inquiry in %d answers; the last one: %v", try, wrong).
				InChinese("模型回答 %d 次，均未写出有效的 inquiry；最后一次的错误：%v", try, wrong).
				WithHint("ask in other words, ask another model, or leave the model out")
		}
		prompt = fmt.Sprintf("%s\n\nYour last answer was refused:\n%s\n\nWhat is wrong: %v\nAnswer again, whole.",
			user, fault.Shorten(clean(string(answer)), 8000), wrong)
	}
}

// base is the scenario that a question is about.
func (o Options) base() string {
	if o.Base == "" {
		return "baseline"
	}
	return o.Base
}

// writer reads what a model wrote.
type writer struct {
	text  string // the question
	o     Options
	base  sim.Params
	check func(inquiry.Inquiry) error
}

// read reads an answer. Errors are for the model.
func (w writer) read(question string, answer json.RawMessage) (Reading, error) {
	r := Reading{Question: question, Language: languageOf(w.text)}
	if len(answer) > modelBytes {
		return r, fault.New(fault.LimitExceeded, "answer", "%d bytes; at most %d are read", len(answer), modelBytes)
	}
	var a written
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil {
		return r, fault.New(fault.WrongType, "answer", "%s", fault.JSON(err))
	}
	switch a.Status {
	case Ready:
		q, err := w.inquiry(a.Inquiry)
		if err != nil {
			return r, err
		}
		r = w.ready(r, q)
		for _, said := range a.Assumed[:min(len(a.Assumed), modelAssumed)] {
			if said = plainly(said); said != "" {
				r.Assumed = append(r.Assumed, said)
			}
		}
		return r, nil
	case AskedBack:
		return w.back(r, a)
	case OutOfScope:
		return r.beyond(w.text, plainly(a.Why)), nil
	}
	return r, fault.Range("status", fmt.Sprintf("%q", a.Status), Status("").Enum()...)
}

// back reads what a model asks back.
func (w writer) back(r Reading, a written) (Reading, error) {
	if strings.TrimSpace(a.Ask) == "" {
		return r, fault.Missing("ask", "say what is to be asked back")
	}
	if len(a.Choices) > modelChoices {
		return r, fault.New(fault.LimitExceeded, "choices", "%d choices; at most %d are allowed", len(a.Choices), modelChoices)
	}
	asked := Question{Ask: plainly(a.Ask)}
	for i, c := range a.Choices {
		q, err := w.inquiry(c.Inquiry)
		if err != nil {
			wrong := fault.Public(err)
			wrong.Message = fmt.Sprintf("choices[%d]: %s", i, wrong.Message)
			return r, wrong
		}
		asked.Choices = append(asked.Choices, Choice{plainly(c.Said), q, r.Assumed})
	}
	if w.o.Assume && len(asked.Choices) > 0 {
		r = w.ready(r, asked.Choices[0].Inquiry)
		r.Assumed = append(r.Assumed, asked.Choices[0].Said)
		return r, nil
	}
	r.Status, r.Type, r.Questions = AskedBack, Other, []Question{asked}
	r.Missing = []string{either(r.Language, "an answer to what is asked back", "对反问的回答")}
	return r, nil
}

// ready is the reading of an inquiry that passed the check, held against the question.
func (w writer) ready(r Reading, q inquiry.Inquiry) Reading {
	of := Of(q)
	r.Status, r.Inquiry, r.Type, r.Confidence, r.Candidates = Ready, &q, of.Type, of.Confidence, of.Candidates
	r.Assumed = []string{either(r.Language, "a language model wrote this experiment: read it before it runs", "此实验由语言模型编写：运行前请先核对")}
	r.LeftOver, r.Used = w.held(q, r.Language)
	r.Assumed = append(r.Assumed, w.added(q, r.Language)...)
	return r
}

// inquiry reads an inquiry as strictly as one of a file, with the question and the design of whoever
// asked: of the design, a model says the months.
func (w writer) inquiry(text json.RawMessage) (q inquiry.Inquiry, err error) {
	var members, design map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return q, fault.Missing("inquiry", "an object that fits the schema of inquiries")
	}
	if raw := members["design"]; raw != nil {
		if err := json.Unmarshal(raw, &design); err != nil {
			return q, fault.Type("design", string(raw), "an object")
		}
	}
	for key := range design {
		if key != "months" {
			return q, fault.New(fault.Forbidden, "design."+key, "of the design you may say months only").WithHint("leave it out")
		}
	}
	if w.o.Design.Months > 0 { // the windows that are left out follow from it
		design = map[string]json.RawMessage{"months": fmt.Append(nil, w.o.Design.Months)}
	}
	if members["question"], err = json.Marshal(w.text); err == nil && design != nil {
		members["design"], err = json.Marshal(design)
	}
	if err != nil {
		return q, err
	}
	whole, err := json.Marshal(members)
	if err != nil {
		return q, err
	}
	if q, err = inquiry.Decode(whole); err != nil {
		return q, err
	}
	return q, w.finish(&q)
}

// finish gives an inquiry the economy and the design of whoever asked, and checks it.
func (w writer) finish(q *inquiry.Inquiry) error {
	economies := []*inquiry.Economy{&q.Background}
	for i := range q.Arms {
		economies = append(economies, &q.Arms[i].Economy)
	}
	for _, e := range economies {
		if e.Text != "" { // it could hide any size and any change
			return fault.New(fault.Forbidden, "scenario",
				"a scenario of its own cannot be read back").WithHint("name a preset, or set what differs")
		}
		for _, s := range e.Set {
			if s.Name == "num_households" {
				return fault.New(fault.Forbidden, s.Name, "the size of the economy is not yours to say").WithHint("leave it out")
			}
		}
	}
	if q.Background.Base == "" {
		q.Background.Base = w.o.Base
	}
	q.Background.Set = append(slices.Clone(q.Background.Set), w.o.Set...)
	slices.SortStableFunc(q.Background.Set, func(a, b inquiry.Setting) int { return strings.Compare(a.Name, b.Name) })
	if q.Design.Months > longest {
		return fault.Range("design.months", fmt.Sprint(q.Design.Months), fmt.Sprintf("1 to %d", longest))
	}
	d := w.o.Design
	for _, n := range []struct{ from, to *int }{
		{&d.Replications, &q.Design.Replications}, {&d.BurnIn, &q.Design.BurnIn}, {&d.MaxReplications, &q.Design.MaxReplications},
	} {
		if *n.from != 0 {
			*n.to = *n.from
		}
	}
	if d.Seed != 0 {
		q.Design.Seed = d.Seed
	}
	if d.HalfWidth != 0 {
		q.Design.HalfWidth = d.HalfWidth
	}
	if len(q.Arms) == 0 && q.Find == nil && len(q.Background.Events)+len(q.Background.Rules) > 0 && q.Control == inquiry.ControlNone {
		return fault.Missing("arms", "what the question would change belongs in an arm; the background is what all arms share")
	}
	return w.check(*q)
}

// plainly is what a model says, in one line of bounded length without what does not print.
func plainly(s string) string {
	return fault.Shorten(strings.Join(strings.Fields(clean(s)), " "), modelSaid)
}

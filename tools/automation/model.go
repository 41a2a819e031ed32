package automation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
	"econ-mcp/tools"
)

// author is who wrote an inquiry.
type author string

const (
	rules author = "rules"
	model author = "model"
)

// answerTokens bounds an answer of the client's model: an inquiry of sixteen arms has fewer.
const answerTokens = 8192

// whyAsked begins what the client's model is asked, for a person who looks at it before it is sent.
const whyAsked = "econ-mcp, a laboratory of economic experiments, could not read a question by its rules alone. Please write it as " +
	"the plan of an experiment (an inquiry). Nothing is simulated before the user confirms the plan.\n\n"

// clientModel is the language model of the client, which writes inquiries.
type clientModel struct {
	call    *tools.Call
	name    string // as the client reports it; "" = not known
	answers int
	pending error // is handed on: the client's answer comes with another call
}

// offered is the model, if the client has one.
func (m *clientModel) offered() question.Model {
	if m.call.Sample == nil {
		return nil
	}
	return m
}

// Complete implements [question.Model].
func (m *clientModel) Complete(ctx context.Context, system, user string, schema json.RawMessage) (json.RawMessage, error) {
	answer, err := m.call.Sample(ctx, tools.Prompt{
		System: system, MaxTokens: answerTokens,
		User: whyAsked + user + "\n\nAnswer with one JSON object and nothing else. It fits this schema:\n" + string(schema),
	})
	if errors.Is(err, tools.ErrSampling) {
		m.pending = err
	}
	if err != nil {
		return nil, err
	}
	m.name = answer.Model
	m.answers++
	return json.RawMessage(object(answer.Text)), nil
}

// object is the JSON object of an answer, without words or a fence of code around it.
func object(text string) string {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from < 0 || to < from {
		return text
	}
	return text[from : to+1]
}

// account says who wrote the proposal, and in one sentence what the model did; "" = it was not asked.
func (m *clientModel) account(p lab.Consulted) (author, string) {
	say := func(en, zh string) string { return either(p.Language, en, zh) }
	name := m.name
	if name == "" {
		name = say("without a name", "（未报名称）")
	}
	switch {
	case !p.Asked:
		return rules, ""
	case !p.Written:
		why := fault.Shorten(fault.Public(p.Failed).MessageIn(p.Language), 500)
		return rules, fmt.Sprintf(say("The rules ask back, and their answer stands: %s", "规则需要反问，以规则的回答为准：%s"), why)
	case p.Reading.Status == question.Ready:
		return model, fmt.Sprintf(say(
			"The client's model %s wrote this inquiry (answers: %d), since the rules ask back: read read_back to the user, and start it only "+
				"when confirmed.", "规则需要反问，因此由客户端的模型 %s 编写了此 inquiry（回答 %d 次）：请将 read_back 读给用户，确认后再运行。"), name, m.answers)
	}
	return model, fmt.Sprintf(say("The client's model %s asks back (answers: %d): its choices are in questions.",
		"客户端的模型 %s 反问（回答 %d 次）：选项见 questions。"), name, m.answers)
}

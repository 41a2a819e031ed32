package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// How long a call waits for all answers of the client's model together. Most clients give a call up after a
// minute, and then have not even the answer that needs no model; one that wants to hear of the progress of
// the call may wait longer, and there may be a person who has to agree.
const (
	sampleTime     = 50 * time.Second
	longSampleTime = 5 * time.Minute
)

// maxSampled bounds an answer of a client's model, in bytes.
const maxSampled = 64 << 10

// sampleName is under what a client of the revision without sessions is asked and answers.
const sampleName = "model"

// sampler asks the client's model in a call. nil = the client offers none.
func (x *exchange) sampler() func(context.Context, tools.Prompt) (tools.Sampled, error) {
	c, err := x.capabilities()
	switch {
	case err != nil || c.Sampling == nil:
		return nil
	case x.modern:
		return (&rounds{x: x}).sample
	}
	patience := sampleTime
	if x.wantsProgress() {
		patience = longSampleTime
	}
	until := x.began.Add(patience)
	return func(ctx context.Context, p tools.Prompt) (tools.Sampled, error) {
		ctx, cancel := context.WithDeadlineCause(ctx, until, because("the client took longer than %v", "客户端超过 %v 仍未回答", patience))
		defer cancel()
		result, err := x.ask(ctx, sampling(p))
		if err != nil {
			return tools.Sampled{}, err
		}
		return readSampled(result, p.MaxTokens)
	}
}

// sampling is the request for an answer of the client's model.
func sampling(p tools.Prompt) mcp.InputRequest {
	return mcp.NewSamplingInputRequest(mcp.CreateMessageParams{
		Messages:     []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(p.User)}},
		SystemPrompt: p.System,
		MaxTokens:    p.MaxTokens,
	})
}

// readSampled reads the answer of a client's model: its text, in one piece or several.
func readSampled(result json.RawMessage, tokens int) (s tools.Sampled, err error) {
	type part struct{ Type, Text string }
	var answer struct {
		Model      string
		StopReason string
		Content    json.RawMessage
	}
	var parts []part
	bad := func(en, zh string, arguments ...any) (tools.Sampled, error) {
		return s, noAnswer(because(en, zh, arguments...))
	}
	if json.Unmarshal(result, &answer) != nil {
		return bad("what the client sent is malformed", "客户端发来的内容格式有误")
	}
	s.Model = plain(answer.Model, 80)
	if json.Unmarshal(answer.Content, &parts) != nil {
		parts = make([]part, 1)
		if json.Unmarshal(answer.Content, &parts[0]) != nil {
			return bad("what the client sent is malformed", "客户端发来的内容格式有误")
		}
	}
	for _, p := range parts {
		if p.Type == "text" {
			s.Text += p.Text
		}
	}
	switch {
	case answer.StopReason == "maxTokens":
		return bad("it was cut off at %d tokens", "回答在 %d 个 token 处被截断", tokens)
	case strings.TrimSpace(s.Text) == "":
		return bad("there is no text in it", "回答中没有文字")
	case len(s.Text) > maxSampled:
		return bad("it has %d bytes, more than %d", "回答有 %d 字节，超过 %d", len(s.Text), maxSampled)
	}
	return s, nil
}

// because is a reason why there is no answer, in English and Chinese.
func because(en, zh string, arguments ...any) *fault.Error {
	return fault.New(fault.InvalidState, "", en, arguments...).InChinese(zh, arguments...)
}

// noAnswer is the error of a model whose answer was none.
func noAnswer(why *fault.Error) *fault.Error {
	return fault.New(fault.InvalidState, "", "the client's model gave no answer: %s", why.Message).
		InChinese("客户端的模型没有给出回答：%s", why.Chinese)
}

// rounds are the calls of one handler in the revision without sessions, where each answer of the client's
// model comes with another call: the state of the call holds those before. Whoever changes it changes what
// the client's own model has said.
type rounds struct {
	x       *exchange
	recalls bool // what came with the call was read
	given   []tools.Sampled
	failed  error // of the answer after those
	next    int
}

func (r *rounds) sample(_ context.Context, p tools.Prompt) (tools.Sampled, error) {
	if !r.recalls {
		r.recalls = true
		r.recall(p.MaxTokens)
	}
	if r.next < len(r.given) {
		r.next++
		return r.given[r.next-1], nil
	}
	if r.failed != nil {
		return tools.Sampled{}, r.failed
	}
	return tools.Sampled{}, &inputRequired{mcp.InputRequests{sampleName: sampling(p)}, string(mustMarshal(r.given))}
}

// recall reads the answers that came with the call.
func (r *rounds) recall(tokens int) {
	malformed := func(what string) {
		r.failed = noAnswer(because("%s of the call is malformed", "调用的 %s 格式有误", what))
	}
	params := r.x.m.Params
	if len(params.InputResponses) == 0 {
		return // the first round
	}
	state, ok := text(params.RequestState)
	if !ok || state != "" && json.Unmarshal([]byte(state), &r.given) != nil || longest(r.given) > maxSampled {
		r.given = nil
		malformed("requestState")
		return
	}
	for i := range r.given { // nothing holds a client to the state that it was given
		r.given[i].Model = plain(r.given[i].Model, 80)
	}
	var answers map[string]json.RawMessage
	if json.Unmarshal(params.InputResponses, &answers) != nil {
		malformed("inputResponses")
		return
	}
	s, err := readSampled(answers[sampleName], tokens)
	if err != nil {
		r.failed = err
		return
	}
	r.given = append(r.given, s)
}

// longest is the length of the longest text, in bytes.
func longest(list []tools.Sampled) (most int) {
	for _, s := range list {
		most = max(most, len(s.Text))
	}
	return most
}

// Is says that the handler is called again.
func (*inputRequired) Is(target error) bool { return target == tools.ErrSampling }

// plain is a text of a client in one line of so many characters, without what does not print.
func plain(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, fault.Shorten(s, most))
	return strings.Join(strings.Fields(s), " ")
}

package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/host/selection"
)

const (
	instructionsEn = "You answer the user's question with the help of tools. Call tools until you know enough, then answer in plain text. " +
		"Give numbers as the tools gave them, with how sure they are; do not invent results. " +
		"If a call fails, read what was wrong and mend it, or do without it."
	instructionsZh = "你借助工具回答用户的问题。先调用工具，掌握足够信息后用文字回答。" +
		"数字须与工具给出的一致，并说明其可靠程度；不得编造结果。调用失败时，请阅读错误说明并改正，或换一种做法。"
)

// converse lets a model answer: it is asked, its calls are made, and it is asked again with
// their results, until it calls no more.
func (s *Session) converse(ctx context.Context, question string) (string, error) {
	messages := []model.Message{{Role: model.RoleSystem}, {Role: model.RoleUser, Text: question}}
	for {
		if err := s.step(); err != nil {
			return "", err
		}
		reply, err := s.ask(ctx, messages, question)
		if err != nil {
			return "", err
		}
		message, problems := s.withCallsOfText(reply.Message)
		text := message.Text
		refused, calls := reply.Stop == model.StopRefusal, len(message.Calls)+len(problems) > 0
		if !refused && !calls && reply.Stop != model.StopLength {
			if strings.TrimSpace(text) == "" {
				return "", errors.New("the model answers with nothing")
			}
			return strings.TrimSpace(text), nil
		}
		s.emit(Event{Kind: KindMessage, Text: text, TokensIn: reply.TokensIn, TokensOut: reply.TokensOut})
		switch {
		case refused: // with what it had begun, which is not for use
			return "", fmt.Errorf("the model does not want to answer: %s", cmp.Or(strings.TrimSpace(text), "it does not say why"))
		case !calls:
			return strings.TrimSpace(text), &Stopped{StopTokens, errors.New("the model's answer is longer than its provider allows")}
		case len(problems) > 0 || !s.Provider.FunctionCalling():
			message.Text = reply.Message.Text // as the model wrote it: what is wrong has its place in that
		}
		if n := len(message.Calls); n > mostCalls {
			message.Calls = message.Calls[:mostCalls]
			problems = append(
				problems, fmt.Sprintf("The message had %d calls. The first %d were made; make others in the next message.", n, mostCalls),
			)
		}
		messages = append(messages, message)
		room := s.roomForResults()
		for _, c := range message.Calls {
			answer := s.answerTo(ctx, c, max(keptResult, min(room, longestResult)))
			if ctx.Err() != nil {
				return "", context.Cause(ctx)
			}
			room -= len(answer.Text)
			messages = append(messages, answer)
		}
		for _, p := range problems {
			s.outcome.Failed++
			s.emit(Event{Kind: KindError, Call: &Called{Error: &host.Error{Layer: host.LayerValidation, Message: p}}})
		}
		if len(problems) > 0 {
			messages = append(messages, model.Message{Role: model.RoleUser, Text: strings.Join(problems, "\n")})
		}
	}
}

// ask asks the model for the next message of a conversation, of which the first is written anew.
func (s *Session) ask(ctx context.Context, messages []model.Message, question string) (model.Reply, error) {
	// Tools may have changed while the last calls were made.
	if _, err := s.Router.Discover(ctx, "", false); err != nil {
		return model.Reply{}, err
	}
	tools := s.permitted()
	told, dropped := Tellable(tools)
	var functions []model.Function
	if s.Provider.FunctionCalling() {
		var left []string
		functions, left = s.offered(told, question)
		dropped = append(left, dropped...)
	}
	messages[0].Text = s.system(told, question) + s.notOffered(dropped)
	if names := listOf(dropped); names != s.untold {
		s.untold = names
		s.emit(Event{Kind: KindNote, Text: fmt.Sprintf("There is no room for %d of %d tools, which the model is not offered: %s",
			len(dropped), len(tools), names)})
	}
	if err := s.keepWithin(messages, functions); err != nil {
		return model.Reply{}, err
	}
	return s.reply(ctx, messages, functions)
}

// keepWithin keeps a conversation within its limit of tokens, and tells the user what is left out.
func (s *Session) keepWithin(messages []model.Message, functions []model.Function) error {
	if s.Limits.Context <= 0 {
		return nil
	}
	most := s.Limits.Context
	for _, f := range functions {
		most -= tokensOfFunction(f)
	}
	gone, fits := fit(messages, most)
	if gone > 0 {
		s.emit(Event{Kind: KindNote, Text: fmt.Sprintf("The conversation is long: %d older results are left out of it.", gone)})
	}
	if !fits {
		return &Stopped{Reason: StopContext}
	}
	return nil
}

// roomForResults is the size that the results of one message may have, in bytes: at most half of
// what the conversation may have, at three bytes a token.
func (s *Session) roomForResults() int {
	if s.Limits.Context <= 0 {
		return longestResults
	}
	return min(longestResults, s.Limits.Context/2*3)
}

// system is the first message: what is wanted, and, for a model without function calling,
// the tools and how they are called.
func (s *Session) system(tools []host.Tool, question string) string {
	text := instructionsEn
	if s.Language == "zh" {
		text = instructionsZh
	}
	if s.Provider.FunctionCalling() || len(tools) == 0 {
		return text
	}
	return text + "\n\n" + Description(tools, selection.PromptOptions{
		Question: question, Budget: s.Budget, Language: s.Language, Examples: s.Examples,
	})
}

// Description tells a model without function calling how to call tools, and which there are. A
// budget is for both. Without tools it is "".
func Description(tools []host.Tool, o selection.PromptOptions) string {
	if len(tools) == 0 {
		return ""
	}
	how := model.Instructions(o.Language) + "\n\n"
	if o.Budget > 0 {
		o.Budget = max(1, o.Budget-selection.Tokens(how))
	}
	return how + selection.Prompt(tools, o)
}

// mostFunctions is how many functions a provider takes in a request (OpenAI, API reference,
// "tools": a max of 128 functions are supported).
const mostFunctions = 128

// offered are the functions that a model is given: all tools or, if the provider or the budget has
// no room for all, those most relevant to the question. left are the names of the others.
func (s *Session) offered(tools []host.Tool, question string) (list []model.Function, left []string) {
	names := host.Names(tools)
	size, full := 0, false
	for _, i := range selection.NewRanker(tools).Relevant(question) {
		f := model.Function{Name: names[i], Description: cmp.Or(tools[i].Description, tools[i].Title), Parameters: tools[i].Input}
		size += tokensOfFunction(f)
		full = full || len(list) == mostFunctions || len(list) > 0 && s.Budget > 0 && size > s.Budget
		if full {
			left = append(left, names[i])
			continue
		}
		list = append(list, f)
	}
	return list, left
}

// reply asks the model once. Its text is shown as it comes, without calls.
func (s *Session) reply(ctx context.Context, messages []model.Message, functions []model.Function) (model.Reply, error) {
	screen := model.Screen{Show: func(text string) { s.emit(Event{Kind: KindDelta, Text: text}) }}
	reply, err := s.Provider.Reply(ctx, messages, functions, screen.Write)
	screen.End()
	if reply.TokensIn+reply.TokensOut == 0 && (err == nil || reply.Message.Text != "") { // the provider does not count
		reply.TokensIn, reply.TokensOut = tokensOf(messages...), tokensOf(reply.Message)
		for _, f := range functions {
			reply.TokensIn += tokensOfFunction(f)
		}
	}
	s.outcome.TokensIn += reply.TokensIn
	s.outcome.TokensOut += reply.TokensOut
	if err != nil && reply.Message.Text != "" { // what came before it broke
		s.emit(Event{Kind: KindMessage, Text: reply.Message.Text, TokensIn: reply.TokensIn, TokensOut: reply.TokensOut})
	}
	return reply, err
}

// withCallsOfText is a message with the calls that were written into its text: models with
// function calling do that, too. Problems are blocks that cannot be read. With function calling,
// the calls get ids of ours, as providers restrict characters and want no id twice in a
// conversation.
func (s *Session) withCallsOfText(m model.Message) (model.Message, []string) {
	if len(m.Calls) > 0 {
		return m, nil
	}
	var problems []string
	m.Calls, m.Text, problems = model.ParseCalls(m.Text)
	for i := range m.Calls {
		if s.Provider.FunctionCalling() {
			m.Calls[i].ID = fmt.Sprintf("text_%d_%d", s.outcome.Steps, i+1)
		}
	}
	return m, problems
}

// answerTo makes a call and gives the message for the model, with at most so many bytes of result.
func (s *Session) answerTo(ctx context.Context, c model.ToolCall, most int) model.Message {
	m := model.Message{Role: model.RoleTool, CallID: c.ID}
	if c.Problem != "" {
		wrong := &host.Error{Layer: host.LayerValidation, Tool: c.Name, Message: c.Problem}
		called := &Called{ID: c.ID, Tool: c.Name, Source: c.Source, Arguments: c.Arguments, Error: wrong}
		s.outcome.Failed++
		s.emit(Event{Kind: KindError, Call: called})
		m.Text, m.IsError = c.Problem, true
		return m
	}
	result, err := s.call(ctx, Request{ID: c.ID, Tool: c.Name, Source: c.Source, Arguments: c.Arguments}, "", false)
	m.Text = TextOf(result)
	if err != nil {
		m.IsError = true
		if !result.IsError || m.Text == "" {
			m.Text = err.Error()
		}
		if host.LayerOf(err) == host.LayerValidation && !s.Provider.FunctionCalling() {
			m.Text += s.schemaOf(c)
		}
	}
	m.Text = shortened(m.Text, most)
	return m
}

// schemaOf repeats the schema of a tool, of which the prompt may have had only the name.
func (s *Session) schemaOf(c model.ToolCall) string {
	tool, err := s.find(c.Name, c.Source)
	if err != nil {
		return ""
	}
	return "\nThe schema of its arguments is " + string(withShortTexts(tool.Input))
}

// TextOf is a result as text: its texts, and what else it has by kind and size.
func TextOf(r host.Result) string {
	parts := []string{}
	if text := r.Text(); text != "" {
		parts = append(parts, text)
	}
	for _, c := range r.Content {
		switch {
		case c.Type == "text":
		case c.Type == "resource_link":
			parts = append(parts, fmt.Sprintf("(link to %s %s)", c.URI, c.MIME))
		case c.Text != "":
			parts = append(parts, c.Text)
		default:
			parts = append(parts, fmt.Sprintf("(%s %s, %d bytes)", c.Type, c.MIME, len(c.Data)*3/4))
		}
	}
	return strings.Join(parts, "\n")
}

package model

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// openAI speaks chat completions.
// https://platform.openai.com/docs/api-reference/chat-streaming
type openAI struct {
	model   string
	service openai.ChatCompletionService
}

// newOpenAI makes the service by itself: openai.NewClient would take more from the
// environment than the settings say, such as headers and another URL.
func newOpenAI(s Settings) openAI {
	options := []option.RequestOption{option.WithEnvironmentProduction(), option.WithHTTPClient(s.HTTP), option.WithMaxRetries(retries)}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	return openAI{s.Model, openai.NewChatCompletionService(options...)}
}

func (o openAI) ask(ctx context.Context, r request, w *watch, d *draft) error {
	stream := o.service.NewStreaming(ctx, o.body(r), option.WithMiddleware(w.do))
	defer stream.Close()
	for stream.Next() {
		if err := takeChunk(stream.Current(), d); err != nil {
			return err
		}
	}
	return stream.Err()
}

// takeChunk adds a chunk. The last one with a choice says why the model stopped; one
// without choices follows, with the number of tokens.
func takeChunk(chunk openai.ChatCompletionChunk, d *draft) error {
	if chunk.JSON.Usage.Valid() {
		d.in, d.out = int(chunk.Usage.PromptTokens), int(chunk.Usage.CompletionTokens)
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		d.refusal = d.refusal || choice.Delta.Refusal != ""
		if err := d.write(choice.Delta.Content + choice.Delta.Refusal); err != nil {
			return err
		}
		for _, part := range choice.Delta.ToolCalls {
			c := d.call(part.Index, part.ID)
			if part.ID != "" {
				c.id = part.ID
			}
			if part.Function.Name != "" {
				c.name = part.Function.Name
			}
			c.arguments.WriteString(part.Function.Arguments)
			if err := d.grow(len(part.Function.Arguments)); err != nil {
				return err
			}
		}
		switch choice.FinishReason {
		case "":
		case "length":
			d.stop = StopLength
		case "content_filter":
			d.stop = StopRefusal
		case "tool_calls", "function_call":
			d.stop = StopCalls
		default:
			d.stop = StopEnd
		}
	}
	return nil
}

// function is a tool on the wire; its schema goes out word for word.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// answerFormat asks for an answer in a schema.
type answerFormat struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

func (o openAI) body(r request) openai.ChatCompletionNewParams {
	body := openai.ChatCompletionNewParams{
		Model:         o.model,
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	for _, m := range r.messages {
		body.Messages = append(body.Messages, openAIMessage(m))
	}
	for _, f := range r.tools {
		body.Tools = append(body.Tools, openai.ChatCompletionFunctionTool(param.Override[shared.FunctionDefinitionParam](function(f))))
	}
	if r.schema != nil {
		body.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: param.Override[shared.ResponseFormatJSONSchemaJSONSchemaParam](answerFormat{"answer", r.schema}),
		}
	}
	return body
}

func openAIMessage(m Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case RoleSystem:
		return openai.SystemMessage(m.Text)
	case RoleTool:
		return openai.ToolMessage(m.resultText(), m.CallID)
	case RoleAssistant:
		var assistant openai.ChatCompletionAssistantMessageParam
		if m.Text != "" || len(m.Calls) == 0 {
			assistant.Content.OfString = openai.String(m.Text)
		}
		for _, c := range m.Calls {
			assistant.ToolCalls = append(assistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
					ID:       c.ID,
					Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: string(c.sendable())},
				},
			})
		}
		return openai.ChatCompletionMessageParamUnion{OfAssistant: &assistant}
	}
	return openai.UserMessage(m.Text)
}

// resultText is the result of a call where the wire has no place to say that it failed.
func (m Message) resultText() string {
	if m.IsError {
		return "The call failed: " + m.Text
	}
	return m.Text
}

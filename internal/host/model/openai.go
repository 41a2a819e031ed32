package model

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// openAI speaks chat completions.
// https://platform.openai.com/docs/api-reference/chat-streaming
type openAI struct{ settings Settings }

func (o openAI) ask(ctx context.Context, r request, w *watch, d *draft) error {
	config := openai.DefaultConfig(o.settings.Key)
	config.BaseURL = cmp.Or(o.settings.BaseURL, config.BaseURL)
	config.HTTPClient = w
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, o.body(r))
	if err != nil {
		return err
	}
	defer stream.Close()
	return w.read(d, takeCompletion, func(data []byte, d *draft) error {
		if string(data) == "[DONE]" {
			return io.EOF
		}
		var chunk openai.ChatCompletionStreamResponse
		if err := json.Unmarshal(data, &chunk); err != nil {
			return err
		}
		if len(chunk.Choices) > 0 {
			w.heard()
		}
		takeChunk(chunk, d)
		return nil
	})
}

// openAIStops are the reasons to stop, by OpenAI's; others are [StopEnd].
var openAIStops = map[openai.FinishReason]string{
	openai.FinishReasonLength: StopLength, openai.FinishReasonContentFilter: StopRefusal,
	openai.FinishReasonToolCalls: StopCalls, openai.FinishReasonFunctionCall: StopCalls,
}

// takeChunk adds a chunk. The last one with a choice says why the model stopped; one
// without choices follows, with the number of tokens.
func takeChunk(chunk openai.ChatCompletionStreamResponse, d *draft) {
	if chunk.Usage != nil {
		d.in, d.out = chunk.Usage.PromptTokens, chunk.Usage.CompletionTokens
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		d.refusal = d.refusal || choice.Delta.Refusal != ""
		d.write(choice.Delta.Content + choice.Delta.Refusal)
		for _, part := range choice.Delta.ToolCalls {
			index := 0
			if part.Index != nil {
				index = *part.Index
			}
			c := d.call(index, part.ID)
			c.id, c.name = cmp.Or(part.ID, c.id), cmp.Or(part.Function.Name, c.name)
			d.argue(c, part.Function.Arguments)
		}
		if reason := choice.FinishReason; reason != "" {
			d.stop = cmp.Or(openAIStops[reason], StopEnd)
		}
	}
}

// takeCompletion adds the answer of a server that does not stream.
func takeCompletion(data []byte, d *draft) error {
	var answer openai.ChatCompletionResponse
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	if len(answer.Choices) == 0 {
		return errNoAnswer
	}
	choice := answer.Choices[0]
	var text strings.Builder
	text.WriteString(choice.Message.Content)
	for _, part := range choice.Message.MultiContent {
		text.WriteString(part.Text)
	}
	for i := range choice.Message.ToolCalls {
		choice.Message.ToolCalls[i].Index = &i
	}
	takeChunk(openai.ChatCompletionStreamResponse{
		Usage: &answer.Usage,
		Choices: []openai.ChatCompletionStreamChoice{{
			Delta: openai.ChatCompletionStreamChoiceDelta{
				Content: text.String(), Refusal: choice.Message.Refusal, ToolCalls: choice.Message.ToolCalls,
			},
			FinishReason: cmp.Or(choice.FinishReason, openai.FinishReasonStop),
		}},
	}, d)
	return nil
}

func (o openAI) body(r request) openai.ChatCompletionRequest {
	body := openai.ChatCompletionRequest{
		Model:         o.settings.Model,
		Messages:      []openai.ChatCompletionMessage{},
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}
	for _, m := range r.messages {
		if message := openAIMessage(m); message.Content != "" || len(message.ToolCalls) > 0 { // nothing was said otherwise
			body.Messages = append(body.Messages, message)
		}
	}
	for _, f := range r.tools {
		body.Tools = append(body.Tools, openai.Tool{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: f.Name, Description: f.Description, Parameters: f.Parameters},
		})
	}
	if r.forced { // the one tool that there is; llama.cpp does not know the form that names it
		body.ToolChoice = "required"
	}
	return body
}

func openAIMessage(m Message) openai.ChatCompletionMessage {
	message := openai.ChatCompletionMessage{Role: m.Role, Content: m.Text}
	switch m.Role {
	case RoleTool:
		// There is no field to say that a call failed, and the content must not be empty.
		message.ToolCallID, message.Content = m.CallID, cmp.Or(m.Text, "(nothing)")
		if m.IsError {
			message.Content = "The call failed: " + m.Text
		}
	case RoleAssistant:
		for _, c := range m.Calls {
			message.ToolCalls = append(message.ToolCalls, openai.ToolCall{
				ID:       c.ID,
				Type:     openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.sendable())},
			})
		}
	}
	return message
}

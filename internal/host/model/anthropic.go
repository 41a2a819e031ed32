package model

import (
	"context"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// maxTokens is the limit of one answer, which Anthropic wants to be told. Every model since
// Claude 3.5 allows it.
const maxTokens = 8192

// answerTool is the tool that has to be called where an answer in a schema is wanted.
const answerTool = "answer"

// claude speaks Anthropic's messages.
// https://docs.anthropic.com/en/docs/build-with-claude/streaming
type claude struct {
	model   string
	service anthropic.MessageService
}

// newAnthropic makes the service by itself: anthropic.NewClient would look for credentials
// in the environment and in files.
func newAnthropic(s Settings) claude {
	options := []option.RequestOption{option.WithEnvironmentProduction(), option.WithHTTPClient(s.HTTP), option.WithMaxRetries(retries)}
	if s.BaseURL != "" {
		// The path of the service begins with v1 by itself.
		options = append(options, option.WithBaseURL(strings.TrimSuffix(strings.TrimSuffix(s.BaseURL, "/"), "/v1")))
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	return claude{s.Model, anthropic.NewMessageService(options...)}
}

func (a claude) ask(ctx context.Context, r request, w *watch, d *draft) error {
	stream := a.service.NewStreaming(ctx, a.body(r), option.WithMiddleware(w.do))
	defer stream.Close()
	for stream.Next() {
		if err := takeEvent(stream.Current(), d); err != nil {
			return err
		}
	}
	return stream.Err()
}

// takeEvent adds an event. Thinking and blocks of kinds that we did not ask for are left out.
func takeEvent(event anthropic.MessageStreamEventUnion, d *draft) error {
	switch event.Type {
	case "message_start":
		u := event.Message.Usage
		d.in, d.out = int(u.InputTokens+u.CacheCreationInputTokens+u.CacheReadInputTokens), int(u.OutputTokens)
	case "content_block_start":
		switch block := event.ContentBlock; block.Type {
		case "text":
			return d.write(block.Text)
		case "tool_use":
			c := d.call(event.Index, block.ID)
			c.id, c.name = block.ID, block.Name
		}
	case "content_block_delta":
		switch event.Delta.Type {
		case "text_delta":
			return d.write(event.Delta.Text)
		case "input_json_delta":
			d.call(event.Index, "").arguments.WriteString(event.Delta.PartialJSON)
			return d.grow(len(event.Delta.PartialJSON))
		}
	case "message_delta":
		if event.Usage.JSON.OutputTokens.Valid() {
			d.out = int(event.Usage.OutputTokens)
		}
		switch event.Delta.StopReason {
		case "":
		case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
			d.stop = StopLength
		case anthropic.StopReasonRefusal:
			d.stop = StopRefusal
		case anthropic.StopReasonToolUse:
			d.stop = StopCalls
		default:
			d.stop = StopEnd
		}
	}
	return nil
}

func (a claude) body(r request) anthropic.MessageNewParams {
	body := anthropic.MessageNewParams{Model: a.model, MaxTokens: maxTokens}
	for _, m := range r.messages {
		role, blocks := claudeBlocks(m)
		switch last := len(body.Messages) - 1; {
		case len(blocks) == 0: // nothing was said, and empty blocks are refused, as are those of white space
		case m.Role == RoleSystem:
			body.System = append(body.System, *blocks[0].OfText)
		case last >= 0 && body.Messages[last].Role == role:
			// The results of all calls of a message have to stand in the one message after it.
			body.Messages[last].Content = append(body.Messages[last].Content, blocks...)
		default:
			body.Messages = append(body.Messages, anthropic.MessageParam{Role: role, Content: blocks})
		}
	}
	for _, f := range r.tools {
		body.Tools = append(body.Tools, claudeTool(f))
	}
	if r.schema != nil {
		body.Tools = []anthropic.ToolUnionParam{claudeTool(Function{answerTool, "Gives the answer.", r.schema})}
		body.ToolChoice = anthropic.ToolChoiceParamOfTool(answerTool)
	}
	return body
}

func claudeTool(f Function) anthropic.ToolUnionParam {
	tool := &anthropic.ToolParam{Name: f.Name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](f.Parameters)}
	if f.Description != "" {
		tool.Description = anthropic.String(f.Description)
	}
	return anthropic.ToolUnionParam{OfTool: tool}
}

func claudeBlocks(m Message) (anthropic.MessageParamRole, []anthropic.ContentBlockParamUnion) {
	var blocks []anthropic.ContentBlockParamUnion
	if m.Role == RoleTool {
		result := anthropic.ToolResultBlockParam{ToolUseID: m.CallID}
		if strings.TrimSpace(m.Text) != "" {
			result.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: m.Text}}}
		}
		if m.IsError {
			result.IsError = anthropic.Bool(true)
		}
		return anthropic.MessageParamRoleUser, append(blocks, anthropic.ContentBlockParamUnion{OfToolResult: &result})
	}
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, anthropic.NewTextBlock(m.Text))
	}
	if m.Role != RoleAssistant {
		return anthropic.MessageParamRoleUser, blocks
	}
	for _, c := range m.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, c.sendable(), c.Name))
	}
	return anthropic.MessageParamRoleAssistant, blocks
}

package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// maxTokens is the limit of one answer, which Anthropic wants to be told. Every model since
// Claude 3.5 allows it.
const maxTokens = 8192

// claude speaks Anthropic's messages. Its OpenAI-compatible endpoint would need no code, but is
// meant for trials: it keeps neither a refusal nor the error of a tool call.
// https://docs.anthropic.com/en/docs/build-with-claude/streaming
type claude struct{ settings Settings }

func (a claude) ask(ctx context.Context, r request, w *watch, d *draft) error {
	body, err := json.Marshal(a.body(r))
	if err != nil {
		return err
	}
	// The path of the service begins with v1 by itself.
	base := strings.TrimSuffix(strings.TrimSuffix(cmp.Or(a.settings.BaseURL, "https://api.anthropic.com"), "/"), "/v1")
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		return err
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Anthropic-Version", "2023-06-01")
	if a.settings.Key != "" {
		post.Header.Set("X-Api-Key", a.settings.Key)
	}
	response, err := w.Do(post)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return w.read(d, takeClaudeMessage, func(data []byte, d *draft) error {
		var event claudeEvent
		if err := json.Unmarshal(data, &event); err != nil {
			return err
		}
		if event.Type == "message_stop" {
			return io.EOF
		}
		if event.Type != "ping" {
			w.heard()
		}
		event.take(d)
		return nil
	})
}

// claudeBlock is a piece of a message: text, a call of a tool, or its result.
type claudeBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   []claudeBlock   `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type claudeMessage struct {
	Role    string        `json:"role"`
	Content []claudeBlock `json:"content"`
}

type claudeTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type claudeChoice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

type claudeRequest struct {
	Model      string          `json:"model"`
	MaxTokens  int             `json:"max_tokens"`
	Stream     bool            `json:"stream"`
	System     []claudeBlock   `json:"system,omitempty"`
	Messages   []claudeMessage `json:"messages"`
	Tools      []claudeTool    `json:"tools,omitempty"`
	ToolChoice *claudeChoice   `json:"tool_choice,omitempty"`
}

type claudeUsage struct {
	InputTokens              int  `json:"input_tokens"`
	CacheCreationInputTokens int  `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int  `json:"cache_read_input_tokens"`
	OutputTokens             *int `json:"output_tokens"` // nil = not told
}

// claudeAnswer is a whole message, and what is known of one when its stream begins.
type claudeAnswer struct {
	Content    []claudeBlock `json:"content"`
	StopReason string        `json:"stop_reason"`
	Usage      claudeUsage   `json:"usage"`
}

type claudeEvent struct {
	Type         string       `json:"type"`
	Index        int          `json:"index"`
	Message      claudeAnswer `json:"message"`
	ContentBlock claudeBlock  `json:"content_block"`
	Delta        struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage claudeUsage `json:"usage"`
}

// take adds an event. Thinking and blocks of kinds that we did not ask for are left out.
func (e claudeEvent) take(d *draft) {
	switch e.Type {
	case "message_start":
		e.Message.Usage.take(d)
	case "content_block_start":
		switch e.ContentBlock.Type {
		case "text":
			d.write(e.ContentBlock.Text)
		case "tool_use":
			c := d.call(e.Index, e.ContentBlock.ID)
			c.id, c.name = e.ContentBlock.ID, e.ContentBlock.Name
		}
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			d.write(e.Delta.Text)
		case "input_json_delta":
			d.argue(d.call(e.Index, ""), e.Delta.PartialJSON)
		}
	case "message_delta":
		if e.Usage.OutputTokens != nil {
			d.out = *e.Usage.OutputTokens
		}
		if reason := e.Delta.StopReason; reason != "" {
			d.stop = claudeStop(reason)
		}
	}
}

func (u claudeUsage) take(d *draft) {
	d.in = u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens
	if u.OutputTokens != nil {
		d.out = *u.OutputTokens
	}
}

// claudeStops are the reasons to stop, by Anthropic's; others are [StopEnd].
var claudeStops = map[string]string{
	"max_tokens": StopLength, "model_context_window_exceeded": StopLength, "refusal": StopRefusal, "tool_use": StopCalls,
}

func claudeStop(reason string) string { return cmp.Or(claudeStops[reason], StopEnd) }

// takeClaudeMessage adds the answer of a server that does not stream, as the events that it stands for.
func takeClaudeMessage(data []byte, d *draft) error {
	var answer claudeAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	if answer.Content == nil {
		return errNoAnswer
	}
	for i, block := range answer.Content {
		claudeEvent{Type: "content_block_start", Index: i, ContentBlock: block}.take(d)
		if block.Type == "tool_use" { // in a stream, the arguments follow
			d.argue(d.call(i, block.ID), string(block.Input))
		}
	}
	answer.Usage.take(d)
	d.stop = claudeStop(answer.StopReason)
	return nil
}

func (a claude) body(r request) claudeRequest {
	body := claudeRequest{Model: a.settings.Model, MaxTokens: maxTokens, Stream: true, Messages: []claudeMessage{}}
	for _, m := range r.messages {
		role, blocks := claudeBlocks(m)
		switch last := len(body.Messages) - 1; {
		case len(blocks) == 0: // nothing was said, and empty blocks are refused, as are those of white space
		case m.Role == RoleSystem:
			body.System = append(body.System, blocks...)
		case last >= 0 && body.Messages[last].Role == role:
			// The results of all calls of a message have to stand in the one message after it.
			body.Messages[last].Content = append(body.Messages[last].Content, blocks...)
		default:
			body.Messages = append(body.Messages, claudeMessage{role, blocks})
		}
	}
	for _, f := range r.tools {
		body.Tools = append(body.Tools, claudeTool{f.Name, f.Description, f.Parameters})
	}
	if r.forced {
		body.ToolChoice = &claudeChoice{"tool", r.tools[0].Name}
	}
	return body
}

func claudeBlocks(m Message) (role string, blocks []claudeBlock) {
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, claudeBlock{Type: "text", Text: m.Text})
	}
	switch m.Role {
	case RoleTool:
		return RoleUser, []claudeBlock{{Type: "tool_result", ToolUseID: m.CallID, Content: blocks, IsError: m.IsError}}
	case RoleAssistant:
		for _, c := range m.Calls {
			blocks = append(blocks, claudeBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: c.sendable()})
		}
		return RoleAssistant, blocks
	}
	return RoleUser, blocks
}

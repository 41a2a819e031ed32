package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/host/model"
)

// block is an answer in the stream of Anthropic's messages with one block of content.
func block(start, delta map[string]any, stop string) string {
	var b strings.Builder
	event := func(name string, fields map[string]any) {
		fields["type"] = name
		data, _ := json.Marshal(fields)
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, data)
	}
	event(
		"message_start",
		map[string]any{
			"message": map[string]any{
				"id": "m", "type": "message", "role": "assistant", "content": []any{}, "model": "m",
				"usage": map[string]int{"input_tokens": 100, "output_tokens": 0},
			},
		},
	)
	event("content_block_start", map[string]any{"index": 0, "content_block": start})
	event("content_block_delta", map[string]any{"index": 0, "delta": delta})
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{"delta": map[string]string{"stop_reason": stop}, "usage": map[string]int{"output_tokens": 10}})
	event("message_stop", map[string]any{})
	return b.String()
}

// Anthropic's models call and answer, and hear of each call by its id.
func TestAModelOfAnthropicCallsToolsAndAnswers(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	call := func(id, arguments string) string {
		return block(map[string]any{"type": "tool_use", "id": id, "name": "echo", "input": map[string]any{}},
			map[string]any{"type": "input_json_delta", "partial_json": arguments}, "tool_use")
	}
	e := mustEndpoint(t, call("toolu_1", `{"n":0}`), call("toolu_2", `{"text":"hello"}`),
		block(map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": "It says hello."}, "end_turn"))
	s, events := mustSession(t, b, e, false)
	client, err := model.New(model.Settings{Provider: "anthropic", Model: "m", BaseURL: e.url, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	s.Provider = client
	outcome, err := s.Answer(t.Context(), "What does it say?")
	if err != nil || outcome.Answer != "It says hello." || outcome.Steps != 3 || outcome.Calls != 2 || outcome.Failed != 1 ||
		outcome.TokensIn != 300 || outcome.TokensOut != 30 {
		t.Fatalf("%+v, %v, %s", outcome, err, kinds(*events))
	}
	for i, want := range [][]string{
		1: {`"tool_use_id":"toolu_1"`, `"is_error":true`, "missing property 'text'"},
		2: {`"tool_use_id":"toolu_2"`, `"text":"hello"`},
	} {
		for _, part := range want {
			if !strings.Contains(e.requests()[i], part) {
				t.Errorf("request %d has no %s:\n%s", i+1, part, e.requests()[i])
			}
		}
	}
}

package chat_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/model"
)

// sent are the messages of a request.
func sent(tb testing.TB, request string) (list []struct {
	Role    string
	Content string
	ID      string                `json:"tool_call_id"`
	Calls   []struct{ ID string } `json:"tool_calls"`
}) {
	tb.Helper()
	body := struct{ Messages any }{&list}
	if err := json.Unmarshal([]byte(request), &body); err != nil {
		tb.Fatal(err)
	}
	return list
}

// A model with function calling that writes calls into its text sees what is wrong where it
// wrote it, and its calls go back under ids that providers take: each its own.
func TestBlocksOfAModelWithFunctionCalling(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	const broken = `I try. <tool_call>{"tool_name":"echo","arguments":{"text":"a",}}</tool_call>`
	const good = `<tool_call>{"id":"the 1st","tool_name":"echo","arguments":{"text":"a"}}</tool_call>`
	e := mustEndpoint(t, says(broken), says(good+broken), says(good), says("Done."))
	s, _ := mustSession(t, b, e, false)
	outcome, err := s.Answer(t.Context(), "Echo!")
	if err != nil || outcome.Answer != "Done." || outcome.Calls != 2 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	messages := sent(t, e.requests()[3])
	if m := messages[2]; m.Content != broken || !strings.HasPrefix(messages[3].Content, "tool_call 1 (line 1, column 63): a comma") ||
		messages[3].Role != "user" {
		t.Errorf("of a broken block, the model sees %+v and %+v", m, messages[3])
	}
	if m := messages[4]; !strings.Contains(m.Content, "I try. <tool_call>") || len(m.Calls) != 1 {
		t.Errorf("of a message with both, the model sees %+v", m)
	}
	ids := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			if ids[c.ID] || !regexp.MustCompile(`^[\w-]+$`).MatchString(c.ID) {
				t.Errorf("the id %q goes back", c.ID)
			}
			ids[c.ID] = true
		}
		if m.Role == "tool" && !ids[m.ID] {
			t.Errorf("a result of no call: %+v", m)
		}
	}
}

// What a model began before it refused, or before its provider cut it off, is told and
// written down; no call of a refusal is made.
func TestAnswersThatEndOtherwise(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	call := []any{map[string]any{"index": 0, "id": "c", "function": map[string]string{"name": "echo", "arguments": `{"text":"x"}`}}}
	for _, c := range []struct {
		name, answer, want string
		stop               chat.Stop
	}{
		{
			"refusal", chunk(map[string]any{"content": "I can", "tool_calls": call}, "content_filter"), "the model does not want to answer: I can",
			chat.StopFailed,
		},
		{
			"length", chunk(map[string]any{"content": "Wages are "}, "length"),
			"stopped without a whole answer: the model's answer is longer than its provider allows", chat.StopTokens,
		},
		{"nothing", says(""), "the model answers with nothing", chat.StopFailed},
	} {
		e := mustEndpoint(t, c.answer, says("Done."))
		s, events := mustSession(t, b, e, false)
		outcome, err := s.Answer(t.Context(), "Echo!")
		if err == nil || err.Error() != c.want || outcome.Stop != c.stop || outcome.Calls != 0 || len(e.requests()) != 1 {
			t.Errorf("%s: %+v, %v", c.name, outcome, err)
		}
		written, err := chat.ReadTranscript(s.Transcript.Path())
		if err != nil || c.name != "nothing" && (written[1].Kind != chat.KindMessage || written[1].Text == "") {
			t.Errorf("%s: %s, written %+v, %v", c.name, kinds(*events), written, err)
		}
	}
}

// Where a provider does not count, tools and calls are part of the estimate, and a request
// that it refused is none.
func TestTokensThatNobodyCounts(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	silent := func(answer string) string {
		return regexp.MustCompile(`,"usage":\{[^}]*\}`).ReplaceAllString(answer, "")
	}
	e := mustEndpoint(t, silent(calls("echo", `{"text":"`+strings.Repeat("word ", 500)+`"}`)), silent(says("Done.")))
	s, events := mustSession(t, b, e, false)
	s.Agent.AllowedTools = []string{"a.echo"}
	if _, err := s.Answer(t.Context(), "Echo!"); err != nil {
		t.Fatal(err)
	}
	first := (*events)[1]
	if first.Kind != chat.KindMessage || first.TokensOut < 500 {
		t.Errorf("a call of 500 words has %d tokens", first.TokensOut)
	}
	s.Agent.AllowedTools = []string{"a.echo", "a.look", "a.wait", "native.read_file", "native.show_table"}
	again, more := mustSession(t, b, mustEndpoint(t, silent(calls("look", `{}`)), silent(says("Done."))), false)
	if _, err := again.Answer(t.Context(), "Echo!"); err != nil || (*more)[1].TokensIn < first.TokensIn+150 {
		t.Errorf("all tools: %d tokens, one: %d; %v", (*more)[1].TokensIn, first.TokensIn, err)
	}
	refused, _ := mustSession(t, b, mustEndpoint(t, `{"error":{"message":"no"}}`), false)
	if outcome, err := refused.Answer(t.Context(), "Echo!"); err == nil || outcome.TokensIn != 0 {
		t.Errorf("what broke before any of the answer: %+v, %v", outcome, err)
	}
}

// A model without function calling is told once how it calls tools, in the language of the
// question, and not to give a source; one with it is told nothing of blocks.
func TestTheFormOfCallsIsToldOnce(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	for question, language := range map[string]string{"Look!": "en", "看一下": "zh"} {
		for _, text := range []bool{true, false} {
			e := mustEndpoint(t, says("Done."))
			s, _ := mustSession(t, b, e, text)
			if _, err := s.Answer(t.Context(), question); err != nil {
				t.Fatal(err)
			}
			told, times := sent(t, e.requests()[0])[0].Content, 0
			if text {
				times = 1
			}
			for _, once := range []string{"\n<tool_call>\n", `"source"`, model.Instructions(language)} {
				if n := strings.Count(told, once); n != times {
					t.Errorf("%s, text form %t: %d times %q in\n%s", language, text, n, once, told)
				}
			}
		}
	}
}

// A server that lists a tool twice stops no conversation.
func TestAToolThatIsListedTwice(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "broken schema")
	s, _ := mustSession(t, b, mustEndpoint(t, calls("echo", `{"text":"x"}`), says("Done.")), false)
	if outcome, err := s.Answer(t.Context(), "Echo!"); err != nil || outcome.Failed != 0 {
		t.Errorf("%+v, %v", outcome, err)
	}
}

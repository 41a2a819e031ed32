package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
)

// greet begins a session of a client that can be asked for what it says.
func (w *wire) greet(capabilities string) {
	w.tb.Helper()
	w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,`+
		`"clientInfo":{"name":"t","version":"1"}}}`, capabilities)
	w.receive()
}

func TestAskInASession(t *testing.T) {
	w := (&fixture{natives: suiteNatives()}).dial(t, nil)
	w.greet(`{"sampling":{}}`)
	sample := callOf("test_sampling", `{"prompt":"Well?"}`, "")
	for answer, want := range map[string]string{
		`"result":{"role":"assistant","model":"m","content":{"type":"text","text":"Very well."}}`: "LLM response: Very well.",
		`"error":{"code":-1,"message":"the user said no"}`:                                        "the user said no",
		`"result":{"role":"assistant","model":"m","content":17}`:                                  "malformed",
	} {
		w.send("%s", sample)
		asked := w.receive()
		if asked.Method != "sampling/createMessage" || !strings.Contains(string(asked.Params), "Well?") {
			t.Fatalf("asked %+v", asked)
		}
		w.send(`{"jsonrpc":"2.0","id":"nobody asked",%s}`, answer)
		w.send(`{"jsonrpc":"2.0","id":%s,%s}`, asked.ID, answer)
		w.send(`{"jsonrpc":"2.0","id":%s,%s}`, asked.ID, answer) // a second answer is one too many
		r := w.receive().result(t)
		if r.IsError == strings.HasPrefix(want, "LLM") || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("after %s: %+v", answer, r)
		}
	}

	// Nobody is asked for what they have not declared.
	w.send("%s", callOf("test_elicitation", `{"message":"Well?"}`, ""))
	if m := w.receive(); m.Error == nil || m.Error.Code != -32021 || string(m.Error.Data) != `{"requiredCapabilities":{"elicitation":{}}}` {
		t.Errorf("got %+v", m.Error)
	}

	// A client that goes leaves no call behind.
	w.send("%s", sample)
	w.receive()
	w.in.Close()
	if r := w.receive().result(t); !r.IsError || !strings.Contains(r.Content[0].Text, "has ended") {
		t.Errorf("at the end of the input: %+v", r)
	}
	if err := <-w.end; err != nil {
		t.Error(err)
	}
}

// TestAskWithoutAStream: a client that takes one JSON body cannot be asked.
func TestAskWithoutAStream(t *testing.T) {
	s := (&fixture{natives: suiteNatives()}).listen(t, mcpserver.HTTPConfig{}).with("Accept", "application/json")
	begin := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"sampling":{}}`, 1)
	id := s.do("POST", "/mcp", begin).Header.Get("Mcp-Session-Id")
	r := s.with("Mcp-Session-Id", id).post("/mcp", callOf("test_sampling", `{"prompt":"Well?"}`, ""))[0].result(t)
	if !r.IsError || !strings.Contains(r.Content[0].Text, "no stream") {
		t.Errorf("got %+v", r)
	}
}

// TestAskAcrossCalls: in the revision without sessions a question ends the call, and its
// state comes back with the answer, from the same caller, for the same tool, unchanged.
func TestAskAcrossCalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("ann full the-token-of-ann\nbob full the-token-of-bob\neve read-only the-token-of-eve\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := mcpserver.ReadTokens(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s := (&fixture{natives: suiteNatives()}).listen(t, mcpserver.HTTPConfig{Tokens: tokens})
	const tool, other = "test_input_required_result_request_state", "test_input_required_result_tampered_state"
	call := func(who, tool, more string) incoming {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{}%s,%s}}`, tool, more,
			strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`, 1))
		return s.modern("tools/call", tool).with("Authorization", "Bearer the-token-of-"+who).post("/mcp", body)[0]
	}
	var first struct {
		ResultType, RequestState string
		InputRequests            map[string]struct{ Method string }
	}
	if m := call("ann", tool, ""); m.Error != nil || json.Unmarshal(m.Result, &first) != nil ||
		first.ResultType != "input_required" || first.InputRequests["confirm"].Method != "elicitation/create" {
		t.Fatalf("got %+v %s", m.Error, m.Result)
	}
	back := func(answer, state string) string {
		return fmt.Sprintf(`,"inputResponses":{"confirm":%s},"requestState":%q`, answer, state)
	}
	const yes = `{"action":"accept","content":{"ok":true}}`
	if r := call("ann", tool, back(yes, first.RequestState)).result(t); r.ResultType != "complete" ||
		!strings.Contains(r.Content[0].Text, "state-ok") {
		t.Errorf("with the answer: %+v", r)
	}
	for _, answer := range []string{`17`, `null`, `{}`} {
		if r := call("ann", tool, back(answer, first.RequestState)).result(t); r.ResultType != "input_required" {
			t.Errorf("the answer %s: %+v", answer, r)
		}
	}
	for name, m := range map[string]incoming{
		"a changed state":        call("ann", tool, back(yes, first.RequestState+"0")),
		"no seal":                call("ann", tool, back(yes, "round 1")),
		"another caller":         call("bob", tool, back(yes, first.RequestState)),
		"another tool":           call("ann", other, back(yes, first.RequestState)),
		"a state that is a list": call("ann", tool, `,"requestState":[]`),
		"answers that are one":   call("ann", tool, `,"inputResponses":"yes"`),
	} {
		if m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%s: %+v %s", name, m.Error, m.Result)
		}
	}
	if r := call("eve", tool, "").result(t); !r.IsError || !strings.Contains(r.Content[0].Text, "may only read") {
		t.Errorf("a principal that may only read: %+v", r)
	}
}

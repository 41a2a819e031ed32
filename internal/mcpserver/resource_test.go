package mcpserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
)

func TestResourceUpdates(t *testing.T) {
	f := &fixture{}
	s := f.listen(t, mcpserver.HTTPConfig{})

	client := s.open("/mcp")
	for _, method := range []string{"subscribe", "subscribe", "unsubscribe"} {
		uri := map[string]string{"subscribe": "econ://notes/a", "unsubscribe": "econ://notes/b"}[method]
		if m := client.post("/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/%s","params":{"uri":%q}}`, method,
			uri))[0]; m.Error != nil {
			t.Fatal(m.Error)
		}
	}
	dead := client.do("GET", "/mcp", "")
	old := newEvents(t, client.do("GET", "/mcp", "").Body)
	if rest, err := io.ReadAll(dead.Body); err != nil || len(rest) > 0 {
		t.Errorf("when a newer stream took the mail, the old one ended with %q, %v", rest, err)
	}
	listening := s.modern("subscriptions/listen", "").do("POST", "/mcp",
		fmt.Sprintf(`{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,`+
			`"resourcesListChanged":true,"resourceSubscriptions":["econ://notes/a"]},%s}}`, modernMeta))
	modern := newEvents(t, listening.Body)
	m, _ := modern.next()
	if want := `{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["econ://notes/a"]},` +
		`"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}`; string(m.Params) != want {
		t.Errorf("acknowledged %s, want %s", m.Params, want)
	}
	writer := s.modern("tools/call", "write_note")
	for _, name := range []string{"b", "a"} {
		writer.post("/mcp", callOf("write_note", fmt.Sprintf(`{"name":%q,"text":"hello"}`, name), modernMeta))
	}
	for _, c := range []struct {
		stream *events
		want   []string
	}{
		{old, []string{"notifications/resources/list_changed", `notifications/resources/updated{"uri":"econ://notes/a"}`}},
		{modern, []string{
			`notifications/resources/list_changed{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}`,
			`notifications/resources/updated{"uri":"econ://notes/a","_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}`,
		}},
	} {
		seen := map[string]bool{}
		for !seen[c.want[0]] || !seen[c.want[1]] {
			m, ok := c.stream.next()
			if !ok {
				t.Fatalf("the stream ended after %v", seen)
			}
			got := m.Method + string(m.Params)
			if got != c.want[0] && got != c.want[1] {
				t.Fatalf("got %s", got)
			}
			seen[got] = true
		}
	}
}

func TestResourcesAndPrompts(t *testing.T) {
	f := &fixture{}
	s := f.listen(t, mcpserver.HTTPConfig{})
	client := s.open("/mcp")
	client.post("/mcp", callOf("write_note", `{"name":"a","text":"hello <you>"}`, ""))
	for _, c := range []struct{ method, name, params, want string }{
		{"resources/list", "", ``, `{"resources":[{"uri":"econ://notes/a","name":"a","mimeType":"text/plain"}]`},
		{"resources/list", "", `"cursor":"x"`, `-32602`},
		{"resources/read", "econ://notes/a", `"uri":"econ://notes/a"`,
			`{"contents":[{"uri":"econ://notes/a","mimeType":"text/plain","text":"hello \u003cyou\u003e"}]`},
		{"resources/read", "econ://notes/z", `"uri":"econ://notes/z"`, `"code":"not_found"`},
		{"resources/read", "econ://notes/z", `"uri":"econ://notes/z"`, `"uri":"econ://notes/z"}}`},
		{"resources/templates/list", "", ``, `"uriTemplate":"econ://notes/{name}"`},
		{"prompts/list", "", ``, `"name":"explain"`},
		{"prompts/get", "explain", `"name":"explain","arguments":{"name":"a"}`, `"content":{"type":"text","text":"Explain a"}`},
		{"prompts/get", "explain", `"name":"explain"`, `name is missing`},
		{"prompts/get", "explian", `"name":"explian"`, `did you mean \"explain\"?`},
		{"completion/complete", "", `"ref":{"type":"ref/resource","uri":"econ://notes/{name}"},"argument":{"name":"name","value":"al"}`,
			`"values":["alpha","alphabet"]`},
		{"completion/complete", "", `"ref":{"type":"ref/prompt","name":"explain"},"argument":{"name":"name","value":"b"}`, `"values":["beta"]`},
		{"completion/complete", "", `"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"name","value":"b"}`, `"values":[]`},
		{"tools/list", "", ``, `"destructiveHint":true,"idempotentHint":true,"openWorldHint":false`},
	} {
		old := client.do("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, c.method, c.params))
		params := modernMeta
		if c.params != "" {
			params = c.params + "," + modernMeta
		}
		modern := s.modern(c.method, c.name).do("POST", "/mcp",
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, c.method, params))
		for era, response := range map[string]*http.Response{"session": old, "modern": modern} {
			body, _ := io.ReadAll(response.Body)
			if !bytes.Contains(body, []byte(c.want)) {
				t.Errorf("%s, %s %s: got %s, want %s", era, c.method, c.params, body, c.want)
			}
			if complete := bytes.Contains(body, []byte(`"resultType":"complete"`)); complete != (era == "modern" && response.StatusCode == 200) {
				t.Errorf("%s, %s: %s", era, c.method, body)
			}
		}
	}
	// How long they hold: the tools are those of the program, a note may be written at any time.
	for method, want := range map[string]string{"tools/list": `"ttlMs":3600000`, "resources/list": `"ttlMs":0`} {
		response := s.modern(method, "").do("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, modernMeta))
		if body, _ := io.ReadAll(response.Body); !bytes.Contains(body, []byte(want)) {
			t.Errorf("%s: got %s, want %s", method, body, want)
		}
	}
	if m := client.post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"resources/read",`+
		`"params":{"uri":"econ://notes/z"}}`)[0]; m.Error.Code != -32002 {
		t.Errorf("a session is told %d of what is not there", m.Error.Code)
	}
}

// Clients of 2025-03-26 and before do not know resource links.
func TestLinks(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	write := callOf("write_note", `{"name":"a","text":"x"}`, "")
	r := s.open("/mcp").post("/mcp", write)[0].result(t)
	if len(r.Content) != 2 || r.Content[1].Type != "resource_link" || r.Content[1].URI != "econ://notes/a" {
		t.Errorf("content = %+v", r.Content)
	}
	response := s.do("POST", "/mcp", strings.Replace(initialize, "2025-11-25", "2025-03-26", 1))
	r = s.with("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id")).post("/mcp", write)[0].result(t)
	if len(r.Content) != 2 || r.Content[1].Type != "text" || !strings.HasPrefix(r.Content[1].Text, "econ://notes/a") {
		t.Errorf("content = %+v", r.Content)
	}
}

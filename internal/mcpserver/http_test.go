package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
)

// site is a server over HTTP and what a client says to it.
type site struct {
	tb     testing.TB
	url    string
	header http.Header
}

// listen serves the fixture as Listen does, until the test ends.
func (f *fixture) listen(tb testing.TB, c mcpserver.HTTPConfig) *site {
	tb.Helper()
	return f.listenWith(tb, c, nil)
}

// listenWith serves a fixture that was changed.
func (f *fixture) listenWith(tb testing.TB, c mcpserver.HTTPConfig, change func(*mcpserver.Config)) *site {
	tb.Helper()
	server := f.mustServe(tb, change)
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	web := httptest.NewServer(server.Handler(c))
	tb.Cleanup(func() { // streams end with their clients
		web.CloseClientConnections()
		web.Close()
	})
	return newSite(tb, web.URL)
}

func newSite(tb testing.TB, url string) *site {
	return &site{tb: tb, url: url, header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}}
}

// with is the same site for a client that sends another header.
func (s *site) with(name, value string) *site {
	other := *s
	other.header = s.header.Clone()
	if name == "Host" {
		other.header["Host"] = []string{value}
	} else {
		other.header.Set(name, value)
	}
	return &other
}

func (s *site) do(method, path, body string) *http.Response {
	s.tb.Helper()
	r, err := http.NewRequestWithContext(s.tb.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.tb.Fatal(err)
	}
	r.Header = s.header.Clone()
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(func() { response.Body.Close() })
	return response
}

// status is the status of a request.
func (s *site) status(method, path, body string) int {
	s.tb.Helper()
	response := s.do(method, path, body)
	defer response.Body.Close()
	return response.StatusCode
}

// post sends a message and reads all that comes back, in order.
func (s *site) post(path, body string) []incoming {
	s.tb.Helper()
	response := s.do("POST", path, body)
	defer response.Body.Close()
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		var list []incoming
		for events := newEvents(s.tb, response.Body); ; {
			m, ok := events.next()
			if !ok {
				return list
			}
			list = append(list, m)
		}
	}
	var m incoming
	if err := json.NewDecoder(response.Body).Decode(&m); err != nil {
		s.tb.Fatalf("status %d: %v", response.StatusCode, err)
	}
	return []incoming{m}
}

// events reads a stream.
type events struct {
	tb testing.TB
	r  *bufio.Reader
}

func newEvents(tb testing.TB, r io.Reader) *events { return &events{tb, bufio.NewReader(r)} }

// data is the data of the next event.
func (e *events) data() (string, bool) {
	for {
		line, err := e.r.ReadString('\n')
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data), true
		}
		if err != nil {
			return "", false
		}
	}
}

func (e *events) next() (incoming, bool) {
	e.tb.Helper()
	var m incoming
	data, ok := e.data()
	if ok && json.Unmarshal([]byte(data), &m) != nil {
		e.tb.Fatalf("event %s", data)
	}
	return m, ok
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}`

// open begins a session.
func (s *site) open(path string) *site {
	s.tb.Helper()
	response := s.do("POST", path, initialize)
	id := response.Header.Get("Mcp-Session-Id")
	if response.StatusCode != 200 || id == "" {
		s.tb.Fatalf("status %d, session %q", response.StatusCode, id)
	}
	return s.with("Mcp-Session-Id", id).with("Mcp-Protocol-Version", "2025-11-25")
}

// modern is a client of the revision without sessions that sends one method.
func (s *site) modern(method, name string) *site {
	m := s.with("Mcp-Protocol-Version", "2026-07-28").with("Mcp-Method", method)
	if name != "" {
		m = m.with("Mcp-Name", name)
	}
	return m
}

func callOf(tool, arguments, meta string) string {
	if meta != "" {
		meta = "," + meta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, tool, arguments, meta)
}

// workspace is what the echo tool says of the caller.
func workspace(tb testing.TB, m incoming) (workspace, principal string) {
	tb.Helper()
	var out echoOut
	if err := json.Unmarshal(m.result(tb).Structured, &out); err != nil {
		tb.Fatal(err)
	}
	return out.Workspace, out.Principal
}

func TestSession(t *testing.T) {
	f := &fixture{}
	s := f.listen(t, mcpserver.HTTPConfig{})
	if got := s.status("POST", "/mcp", callOf("echo", "{}", "")); got != 400 {
		t.Errorf("without a session: status %d", got)
	}
	if got := s.with("Mcp-Session-Id", "nonsense").status("POST", "/mcp", callOf("echo", "{}", "")); got != 404 {
		t.Errorf("with an unknown session: status %d", got)
	}
	client := s.open("/mcp")
	if got := client.status("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`); got != 202 {
		t.Errorf("a notification: status %d", got)
	}
	if got := client.with("Mcp-Protocol-Version", "1999-01-01").status("POST", "/mcp", callOf("echo", "{}", "")); got != 400 {
		t.Errorf("an unknown revision: status %d", got)
	}
	name, _ := workspace(t, client.post("/mcp", callOf("echo", "{}", ""))[0])
	if name != "session:"+client.header.Get("Mcp-Session-Id") {
		t.Errorf("workspace %q", name)
	}
	if got := client.status("DELETE", "/mcp", ""); got != 204 {
		t.Errorf("ending the session: status %d", got)
	}
	if got := client.status("POST", "/mcp", callOf("echo", "{}", "")); got != 404 {
		t.Errorf("after its end: status %d", got)
	}
	if f.endedWorkspaces() != name {
		t.Errorf("ended: %s", f.endedWorkspaces())
	}
}

func TestBodies(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	if got := s.status("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("y",
		4<<20)+`"}}`); got != 413 {
		t.Errorf("a body above 4 MiB: status %d", got)
	}
	if got := s.with("Content-Type", "text/plain").status("POST", "/mcp", initialize); got != 415 {
		t.Errorf("text: status %d", got)
	}
	if got := s.do("POST", "/mcp", `{"jsonrpc":`); got.StatusCode != 400 {
		t.Errorf("broken JSON: status %d", got.StatusCode)
	} else if body, _ := io.ReadAll(got.Body); !bytes.Contains(body, []byte("-32700")) {
		t.Errorf("broken JSON: %s", body)
	}
	if got := s.with("Accept", "application/json").open("/mcp").status("GET", "/mcp", ""); got != 406 {
		t.Errorf("a stream for a client that does not accept one: status %d", got)
	}
	one := s.with("Accept", "application/json").open("/mcp")
	if list := one.post("/mcp", callOf("count", `{"to":3}`, `"_meta":{"progressToken":1}`)); len(list) != 1 {
		t.Errorf("a client that takes one body got %d messages", len(list))
	}
}

func TestHeadersOfTheRevisionWithoutSessions(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	echo := callOf("echo", "{}", modernMeta)
	good := s.modern("tools/call", "echo")
	without := func(name string) *site { c := good.with(name, ""); c.header.Del(name); return c }
	for _, c := range []struct {
		name   string
		client *site
		body   string
		status int
		code   int
	}{
		{"good", good, echo, 200, 0},
		{"no version in the header", without("Mcp-Protocol-Version"), echo, 400, -32020},
		{"no version in the body", good, callOf("echo", "{}", ""), 400, -32602},
		{"versions differ", good.with("Mcp-Protocol-Version", "2099-01-01"), echo, 400, -32020},
		{"no method", without("Mcp-Method"), echo, 400, -32020},
		{"another method", good.with("Mcp-Method", "tools/list"), echo, 400, -32020},
		{"another name", good.with("Mcp-Name", "count"), echo, 400, -32020},
		{"resuming", good.with("Last-Event-ID", "7"), echo, 400, -32020},
		{"unknown version", good.with("Mcp-Protocol-Version", "2099-01-01"), strings.Replace(echo, "2026-07-28", "2099-01-01", 1), 400, -32022},
		{"unknown method", good.with("Mcp-Method", "x/y"), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"x/y","params":{%s}}`, modernMeta), 404,
			-32601},
		{"a method that was removed", good.with("Mcp-Method", "ping"),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{%s}}`, modernMeta), 404, -32601},
		{"unknown tool", good.with("Mcp-Name", "ecco"), callOf("ecco", "{}", modernMeta), 400, -32602},
	} {
		response := c.client.do("POST", "/mcp", c.body)
		var m incoming
		if err := json.NewDecoder(response.Body).Decode(&m); err != nil {
			t.Fatal(err)
		}
		code := 0
		if m.Error != nil {
			code = m.Error.Code
		}
		if response.StatusCode != c.status || code != c.code {
			t.Errorf("%s: status %d, code %d; want %d, %d", c.name, response.StatusCode, code, c.status, c.code)
		}
		if response.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: a session", c.name)
		}
	}
	if got := good.status("GET", "/mcp", ""); got != 405 {
		t.Errorf("GET: status %d", got)
	}
	if got := good.status("DELETE", "/mcp", ""); got != 405 {
		t.Errorf("DELETE: status %d", got)
	}
}

func TestProgressOverHTTP(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	modern := strings.TrimSuffix(modernMeta, "}") + `,"progressToken":"p"}`
	for name, list := range map[string][]incoming{
		"session": s.open("/mcp").post("/mcp", callOf("count", `{"to":200}`, `"_meta":{"progressToken":"p"}`)),
		"modern":  s.modern("tools/call", "count").post("/mcp", callOf("count", `{"to":200}`, modern)),
	} {
		if len(list) != 201 {
			t.Fatalf("%s: %d messages", name, len(list))
		}
		for i, m := range list[:200] {
			if want := fmt.Sprintf(`{"progressToken":"p","progress":%d,"total":200,"message":"step %d"}`, i+1, i+1); string(m.Params) != want {
				t.Fatalf("%s: got %s, want %s", name, m.Params, want)
			}
		}
		if r := list[200].result(t); string(r.Structured) != `{"counted":200}` {
			t.Errorf("%s: %s", name, r.Structured)
		}
	}
}

// A client of the revision without sessions cancels by closing its connection; in a
// session a broken connection cancels nothing.
func TestCancellationOverHTTP(t *testing.T) {
	f := &fixture{}
	s := f.listen(t, mcpserver.HTTPConfig{})
	begin := func(client *site, meta string) (*http.Response, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "POST", s.url+"/mcp", strings.NewReader(callOf("wait_at_gate", `{"gate":"g"}`, meta)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = client.header
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := newEvents(t, response.Body).next(); !ok || m.Method != "notifications/progress" {
			t.Fatalf("got %+v", m)
		}
		return response, cancel
	}
	until := func(what string, done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Second); !done(); {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
			s.status("GET", "/healthz", "") // lets the server do something
		}
	}
	response, hangUp := begin(s.modern("tools/call", "wait_at_gate"), strings.TrimSuffix(modernMeta, "}")+`,"progressToken":1}`)
	hangUp()
	response.Body.Close()
	until("the call goes on without its client", func() bool { return f.stopped() == 1 })

	client := s.open("/mcp")
	response, hangUp = begin(client, `"_meta":{"progressToken":1}`)
	hangUp()
	response.Body.Close()
	client.post("/mcp", `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if f.stopped() != 1 {
		t.Error("a broken connection cancelled a call of a session")
	}
	client.status("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	until("the call goes on although it was cancelled", func() bool { return f.stopped() == 2 })

	response, hangUp = begin(client, `"_meta":{"progressToken":1}`)
	defer hangUp()
	client.status("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if rest, err := io.ReadAll(response.Body); err != nil || len(bytes.TrimSpace(rest)) > 0 {
		t.Errorf("a cancelled call was answered: %s %v", rest, err)
	}
}

func TestTitlesAndHints(t *testing.T) {
	f := &fixture{}
	server := f.mustServe(t, func(c *mcpserver.Config) { c.Lang = "zh" })
	web := httptest.NewServer(server.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}))
	defer web.Close()
	s := &site{tb: t, url: web.URL, header: http.Header{"Content-Type": {"application/json"}}}
	var list struct {
		Tools []struct {
			Name, Title               string
			Annotations               map[string]any
			InputSchema, OutputSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(s.open("/mcp").post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)[0].Result, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if want := "echo count wait_at_gate open_gate fail write_note"; strings.Join(names, " ") != want {
		t.Fatalf("got %v, want %s", names, want)
	}
	for _, tool := range list.Tools {
		if tool.Name == "echo" && tool.Title != "回声" {
			t.Errorf("title %q", tool.Title)
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint].(bool); !ok {
				t.Errorf("%s has no %s", tool.Name, hint)
			}
		}
		if len(tool.InputSchema) < 10 || len(tool.OutputSchema) < 10 {
			t.Errorf("%s: input %s, output %s", tool.Name, tool.InputSchema, tool.OutputSchema)
		}
	}
}

// Of all revisions but 2025-03-26, which wants arrays of messages, clients get what they
// ask for.
func TestRevisions(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2024-11-05", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		m := s.post("/mcp", strings.Replace(initialize, "2025-11-25", asked, 1))[0]
		if !bytes.Contains(m.Result, []byte(`"protocolVersion":"`+want+`"`)) {
			t.Errorf("who asks for %s gets %s", asked, m.Result)
		}
	}
	discovered := s.modern("server/discover", "").post("/mcp",
		fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{%s}}`, modernMeta))[0]
	if want := `"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2024-11-05"]`; !bytes.Contains(discovered.Result, []byte(want)) {
		t.Errorf("discovered %s", discovered.Result)
	}
}

func TestLegacySSE(t *testing.T) {
	f := &fixture{}
	if got := f.listen(t, mcpserver.HTTPConfig{}).status("GET", "/sse", ""); got != 404 {
		t.Errorf("without --legacy-sse: status %d", got)
	}
	s := f.listen(t, mcpserver.HTTPConfig{LegacySSE: true})
	stream := newEvents(t, s.do("GET", "/sse", "").Body)
	path, _ := stream.data()
	if !strings.HasPrefix(path, "/messages?sessionId=") {
		t.Fatalf("endpoint %q", path)
	}
	for _, body := range []string{initialize, callOf("count", `{"to":2}`, `"_meta":{"progressToken":1}`)} {
		if got := s.status("POST", path, body); got != 202 {
			t.Fatalf("status %d", got)
		}
	}
	var got []string
	for range 4 {
		m, _ := stream.next()
		got = append(got, m.Method+string(m.ID))
	}
	if want := "0 notifications/progress notifications/progress 1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if got := s.status("POST", "/messages?sessionId=x", initialize); got != 404 {
		t.Errorf("an unknown session: status %d", got)
	}
}

func TestMetrics(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	client := s.open("/mcp")
	client.post("/mcp", callOf("echo", "{}", ""))
	client.post("/mcp", callOf("fail", `{"how":"range"}`, ""))
	body, err := io.ReadAll(s.do("GET", "/metrics", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`econ_mcp_tool_calls_total{code="ok",tool="echo"} 1`,
		`econ_mcp_tool_calls_total{code="out_of_range",tool="fail"} 1`,
		`econ_mcp_tool_call_seconds_count{tool="echo"} 1`,
		"econ_mcp_sessions 1",
		"econ_mcp_running_simulations 2",
	} {
		if !bytes.Contains(body, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
}

func TestListen(t *testing.T) {
	for _, addr := range []string{"127.0.0.1", "localhost", "", "127.0.0.1:99999", "127.0.0.1:x"} {
		closed := false
		server := (&fixture{}).mustServe(t, func(c *mcpserver.Config) { c.Close = func() error { closed = true; return nil } })
		err := server.Listen(t.Context(), mcpserver.HTTPConfig{Addr: addr}, nil)
		if fault.KindOf(err) != fault.WrongType || !strings.Contains(err.Error(), "such as 127.0.0.1:8000") || !closed {
			t.Errorf("%q: closed %v, %v", addr, closed, err)
		}
	}
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0"} {
		err := (&fixture{}).mustServe(t, nil).Listen(t.Context(), mcpserver.HTTPConfig{Addr: addr}, nil)
		if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "--auth-token-file") {
			t.Errorf("%s without tokens: %v", addr, err)
		}
	}
	f := &fixture{}
	closed := 0
	server := f.mustServe(t, func(c *mcpserver.Config) {
		c.Close = func() error { closed++; return nil }
	})
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- server.Listen(ctx, mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}, func(addr string) { ready <- addr })
	}()
	s := &site{tb: t, url: "http://" + <-ready, header: http.Header{"Content-Type": {"application/json"},
		"Accept": {"text/event-stream, application/json"}}}
	client := s.open("/mcp")
	stream := client.do("GET", "/mcp", "")
	call := client.do("POST", "/mcp", callOf("wait_at_gate", `{"gate":"g"}`, `"_meta":{"progressToken":1}`))
	events := newEvents(t, call.Body)
	events.next()
	begin := time.Now()
	cancel()
	if rest, err := io.ReadAll(stream.Body); err != nil || len(rest) > 0 {
		t.Errorf("the stream ended with %q, %v", rest, err)
	}
	m, _ := events.next()
	if r := m.result(t); !r.IsError || !strings.Contains(r.Content[0].Text, "the server is stopping") {
		t.Errorf("the call in flight got %+v", r)
	}
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if took := time.Since(begin); took > 5*time.Second || closed != 1 {
		t.Errorf("took %v, closed %d times", took, closed)
	}
}

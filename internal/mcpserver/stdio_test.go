package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"econ-mcp/internal/mcpserver"
)

// wire is a client that writes and reads lines.
type wire struct {
	tb  testing.TB
	in  io.WriteCloser
	out *bufio.Reader
	end chan error
}

// dial starts a server in this process.
func (f *fixture) dial(tb testing.TB, change func(*mcpserver.Config)) *wire {
	tb.Helper()
	server := f.mustServe(tb, change)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := &wire{tb: tb, in: inW, out: bufio.NewReaderSize(outR, 1<<20), end: make(chan error, 1)}
	go func() {
		w.end <- server.ServeStdio(context.Background(), inR, outW)
		outW.Close()
	}()
	tb.Cleanup(func() { inW.Close() })
	return w
}

func (w *wire) send(format string, args ...any) {
	w.tb.Helper()
	if _, err := fmt.Fprintf(w.in, format+"\n", args...); err != nil {
		w.tb.Fatal(err)
	}
}

// incoming is any message of a server.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func (w *wire) receive() incoming {
	w.tb.Helper()
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		w.tb.Fatalf("%v after %q", err, line)
	}
	var m incoming
	if err := json.Unmarshal(line, &m); err != nil {
		w.tb.Fatalf("stdout holds more than messages: %q", line)
	}
	return m
}

// callResult is the result of tools/call.
type callResult struct {
	Content []struct {
		Type, Text, URI string
	} `json:"content"`
	Structured json.RawMessage            `json:"structuredContent"`
	IsError    bool                       `json:"isError"`
	ResultType string                     `json:"resultType"`
	Meta       map[string]json.RawMessage `json:"_meta"`
}

func (m incoming) result(tb testing.TB) callResult {
	tb.Helper()
	var r callResult
	if m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
		tb.Fatalf("no result: %+v %s", m.Error, m.Result)
	}
	return r
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestStdioAnswersACall(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	w.send(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	var hello struct {
		ProtocolVersion, Instructions string
		ServerInfo                    struct{ Name, Version string }
		Capabilities                  map[string]json.RawMessage
	}
	if err := json.Unmarshal(w.receive().Result, &hello); err != nil {
		t.Fatal(err)
	}
	if hello.ProtocolVersion != "2025-11-25" || hello.ServerInfo.Name != "econ-mcp" || hello.Instructions == "" {
		t.Errorf("hello = %+v", hello)
	}
	for _, capability := range []string{"tools", "resources", "prompts", "completions", "logging"} {
		if hello.Capabilities[capability] == nil {
			t.Errorf("no capability %s", capability)
		}
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a \"b\" \\ \n <c>",` +
		`"seed":9007199254740993}}}`)
	m := w.receive()
	if string(m.ID) != "2" {
		t.Errorf("id = %s", m.ID)
	}
	r := m.result(t)
	if len(r.Content) != 1 || r.Content[0].Text != string(r.Structured) || r.IsError {
		t.Errorf("the text %q is not the JSON %s", r.Content, r.Structured)
	}
	if want := `{"text":"a \"b\" \\ \n <c>","seed":9007199254740993,"workspace":"default","principal":""}`; string(r.Structured) != want {
		t.Errorf("got  %s\nwant %s", r.Structured, want)
	}
	if r.ResultType != "" || r.Meta != nil {
		t.Errorf("a client of 2025-11-25 gets members of a later revision: %s", m.Result)
	}
}

func TestStdioServesTheRevisionWithoutSessions(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},%s}}`, modernMeta)
	r := w.receive().result(t)
	if r.ResultType != "complete" || r.Meta["io.modelcontextprotocol/serverInfo"] == nil {
		t.Errorf("result = %+v", r)
	}
	w.send(`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{%s}}`, modernMeta)
	if m := w.receive(); !bytes.Contains(m.Result, []byte(`"2026-07-28"`)) {
		t.Errorf("discovered %s", m.Result)
	}
	w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo",` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	if m := w.receive(); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("a request without capabilities was answered: %+v", m)
	}
	w.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo",` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}`)
	if m := w.receive(); m.Error == nil || m.Error.Code != -32022 || !bytes.Contains(m.Error.Data, []byte("2026-07-28")) {
		t.Errorf("an unknown revision was answered: %+v", m)
	}
}

func TestErrorsOfTools(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	for _, c := range []struct{ params, want string }{
		{`"name":"fail","arguments":{"how":"range"}`, `{"error":{"code":"out_of_range","field":"vat_rate","message":"vat_rate = 1.4",` +
			`"hint":"allowed 0 to 0.6","allowed":["0 to 0.6"]}}`},
		{`"name":"fail","arguments":{"how":"plain"}`, `{"error":{"code":"internal","field":"","message":"fail: disk on fire",` +
			`"hint":"it is in the log of the server","allowed":[]}}`},
		{`"name":"fail","arguments":{"how":"panic"}`, `{"error":{"code":"internal","field":"","message":"fail: the tool failed unexpectedly",` +
			`"hint":"it is in the log of the server","allowed":[]}}`},
		{`"name":"count","arguments":{"to":-1}`, `{"error":{"code":"out_of_range","field":"to","message":"to = -1","hint":"allowed 0 to 1000",` +
			`"allowed":["0 to 1000"]}}`},
		{`"name":"count"`, `{"error":{"code":"required","field":"to","message":"to is missing","hint":"give integer to","allowed":[]}}`},
		{`"name":"count","arguments":[1]`, `{"error":{"code":"wrong_type","field":"arguments","message":"arguments = a list",` +
			`"hint":"must be of type object","allowed":["object"]}}`},
	} {
		w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s}}`, c.params)
		r := w.receive().result(t)
		if !r.IsError || len(r.Content) != 1 || r.Structured != nil {
			t.Errorf("%s: %+v", c.params, r)
		} else if r.Content[0].Text != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.params, r.Content[0].Text, c.want)
		}
	}
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ehco"}}`)
	if m := w.receive(); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, `did you mean "echo"?`) {
		t.Errorf("an unknown tool: %+v", m.Error)
	}
}

func TestBrokenMessages(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	for _, c := range []struct {
		line string
		code int
		id   string
	}{
		{`{"jsonrpc":"2.0",`, -32700, "null"},
		{`nonsense`, -32700, "null"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":"x","method":"no/such"}`, -32601, `"x"`},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, -32600, "1"},
		{`{"jsonrpc":2.0,"id":1,"method":"ping"}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","method":5}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, -32600, "1"},
		{`{"jsonrpc":"2.0","ID":1,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":{"a":[1,"}"]}, "NAME":"echo"}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"pro\u0067RESSTOKEN":1}}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"abcd"}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("y", 5<<20) + `"}}`, -32600, "null"},
	} {
		go w.send("%s", c.line)
		m := w.receive()
		if m.Error == nil || m.Error.Code != c.code || string(m.ID) != c.id {
			t.Errorf("%.60s: id %s, %+v; want %d", c.line, m.ID, m.Error, c.code)
		}
	}
	// Notifications are never answered, and neither are answers.
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestID":1}}`)
	w.send(`{"jsonrpc":"2.0","method":"no/such"}`)
	w.send(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}`)
	w.send("\n\n" + `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if m := w.receive(); string(m.ID) != "9" || m.Error != nil {
		t.Errorf("after all this: %+v", m)
	}
}

// Progress comes in order, each step once, and all of it before the result.
func TestProgressComesBeforeTheResult(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	for _, meta := range []string{`"_meta":{"progressToken":"p/1"}`, strings.TrimSuffix(modernMeta, "}") + `,"progressToken":"p/1"}`} {
		w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":300},%s}}`, meta)
		for i := 1; i <= 300; i++ {
			m := w.receive()
			want := fmt.Sprintf(`{"progressToken":"p/1","progress":%d,"total":300,"message":"step %d"}`, i, i)
			if m.Method != "notifications/progress" || string(m.Params) != want {
				t.Fatalf("got %s %s, want %s", m.Method, m.Params, want)
			}
		}
		if r := w.receive().result(t); string(r.Structured) != `{"counted":300}` {
			t.Errorf("result = %s", r.Structured)
		}
	}
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":5}}}`)
	if m := w.receive(); m.Method != "" {
		t.Errorf("a client without a token got %s", m.Method)
	}
}

func TestSlowCallsDoNotBlockFastOnes(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	for i := range 20 {
		w.send(`{"jsonrpc":"2.0","id":"slow/%d","method":"tools/call","params":{"name":"wait_at_gate","arguments":{"gate":"g"}}}`, i)
	}
	w.send(`{"jsonrpc":"2.0","id":"fast","method":"tools/call","params":{"name":"echo"}}`)
	if m := w.receive(); string(m.ID) != `"fast"` {
		t.Errorf("first came %s", m.ID)
	}
}

func TestCancelledCallIsNotAnswered(t *testing.T) {
	f := &fixture{}
	w := f.dial(t, nil)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_at_gate","arguments":{"gate":"g"},` +
		`"_meta":{"progressToken":1}}}`)
	if m := w.receive(); m.Method != "notifications/progress" {
		t.Fatalf("got %+v", m)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	w.in.Close()
	if line, err := w.out.ReadBytes('\n'); err != io.EOF {
		t.Errorf("after the cancellation came %s", line)
	}
	if err := <-w.end; err != nil {
		t.Error(err)
	}
	if len(f.stops) != 1 {
		t.Errorf("the handler was stopped %d times", len(f.stops))
	}
}

func TestEndOfInputAnswersCallsInFlight(t *testing.T) {
	closed := false
	w := (&fixture{}).dial(t, func(c *mcpserver.Config) {
		c.Close = func() error { closed = true; return nil }
	})
	w.send(`{"jsonrpc":"2.0","id":0,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},%s}}`, modernMeta)
	if m := w.receive(); m.Method != "notifications/subscriptions/acknowledged" {
		t.Fatalf("got %+v", m)
	}
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_at_gate","arguments":{"gate":"g"}}}`)
	w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"open_gate","arguments":{"gate":"g"}}}`)
	w.in.Close()
	ids := map[string]bool{}
	for range 3 {
		m := w.receive()
		ids[string(m.ID)] = m.Error == nil
	}
	if !ids["0"] || !ids["1"] || !ids["2"] {
		t.Errorf("answered: %v", ids)
	}
	if err := <-w.end; err != nil || !closed {
		t.Errorf("err %v, closed %v", err, closed)
	}
}

func TestLogMessages(t *testing.T) {
	w := (&fixture{}).dial(t, nil)
	failing := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{"how":"range"}%s}}`
	levelled := "," + strings.TrimSuffix(modernMeta, "}") + `,"io.modelcontextprotocol/logLevel":"info"}`
	w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	w.receive()
	for _, c := range []struct {
		meta   string
		before string
		want   string
	}{
		{"", "", ""}, // not before it is asked for
		{"", `{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`, "notifications/message"},
		{"," + modernMeta, "", ""},
		{levelled, "", "notifications/message"},
	} {
		if c.before != "" {
			w.send("%s", c.before)
			if m := w.receive(); m.Error != nil {
				t.Fatal(m.Error)
			}
		}
		w.send(failing, c.meta)
		m := w.receive()
		if m.Method != c.want {
			t.Errorf("%s: got %q, want %q", c.meta, m.Method, c.want)
		}
		if m.Method != "" {
			w.receive()
		}
	}
}

// start runs the fixture as a process of its own.
func start(t *testing.T) (*exec.Cmd, *wire, *bytes.Buffer) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "ECON_MCP_FIXTURE=stdio")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, &wire{tb: t, in: in, out: bufio.NewReader(out)}, &stderr
}

func TestSignalInterruptsAndSaves(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		command, w, stderr := start(t)
		w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_at_gate","arguments":{"gate":"g"},` +
			`"_meta":{"progressToken":1}}}`)
		if m := w.receive(); m.Method != "notifications/progress" {
			t.Fatalf("got %+v", m)
		}
		begin := time.Now()
		if err := command.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		r := w.receive().result(t)
		if !r.IsError || !strings.Contains(r.Content[0].Text, "the server is stopping") {
			t.Errorf("the call in flight got %+v", r)
		}
		if rest, _ := io.ReadAll(w.out); len(rest) > 0 {
			t.Errorf("more on stdout: %s", rest)
		}
		if err := command.Wait(); err != nil || stderr.String() != "closed\n" {
			t.Errorf("%v: %v, stderr %q", sig, err, stderr.String())
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%v took %v", sig, took)
		}
	}
}

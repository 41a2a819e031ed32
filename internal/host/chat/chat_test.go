package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/model"
)

var server = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "misbehave")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "misbehave")
	out, err := exec.Command("go", "build", "-o", path, "../testdata/misbehave").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := server(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// bench is a router over processes of the server of testdata, one for each behaviour, and
// the native tools.
type bench struct {
	*chat.Router
	cache  *host.Cache
	log    *strings.Builder
	shown  []string
	folder string // of read_file
	notes  string
}

func mustBench(tb testing.TB, behaviours ...string) *bench {
	tb.Helper()
	path, err := server()
	if err != nil {
		tb.Fatal(err)
	}
	b := &bench{log: &strings.Builder{}, folder: tb.TempDir(), notes: filepath.Join(tb.TempDir(), "notes")}
	var servers []host.Server
	for i, behaviour := range behaviours {
		servers = append(servers, host.Server{
			ID: string(rune('a' + i)), Transport: host.Stdio, Command: path, Args: []string{behaviour}, Active: true, Timeout: 20 * time.Second,
		})
	}
	if b.cache, err = host.OpenCache(filepath.Join(tb.TempDir(), "host.db")); err != nil {
		tb.Fatal(err)
	}
	hub := host.NewHub(servers, host.Settings{})
	tb.Cleanup(func() { hub.Close(); b.cache.Close() })
	native := chat.NativeTools(
		chat.NativeSettings{Folder: b.folder, Notes: b.notes, Show: func(text string) { b.shown = append(b.shown, text) }},
	)
	b.Router = chat.NewRouter(hub, b.cache, native, slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if _, err := b.Discover(tb.Context(), "", false); err != nil {
		tb.Fatal(err)
	}
	return b
}

// call finds a tool and calls it.
func (b *bench) call(tb testing.TB, name, arguments string) (string, error) {
	tb.Helper()
	tool, err := b.Find(name, "")
	if err != nil {
		tb.Fatal(err)
	}
	r, err := b.Call(tb.Context(), tool, chat.Request{ID: "id-1", Tool: name, Arguments: json.RawMessage(arguments)}, nil)
	return chat.TextOf(r), err
}

func TestRouting(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well", "well")
	for _, c := range []struct{ name, source, want string }{
		{"echo", "", "a.echo"},         // the first in the order of the configuration
		{"b.echo", "", "b.echo"},       // exactly
		{"echo", "b", "b.echo"},        // the server that is named
		{"b.echo", "b", "b.echo"},      //
		{"echo", "native", "a.echo"},   // servers first all the same
		{"echo", "appflowy", "a.echo"}, //
		{"write_note", "", "native.write_note"},
		{"write_note", "native", "native.write_note"},
		{"native.write_note", "", "native.write_note"},
		{"ecco", "", "there is no tool 'ecco'; did you mean echo?"},
		{"b.ecco", "", "there is no tool 'b.ecco'; did you mean b.echo"},
		{"c.echo", "", "there is no tool 'c.echo'; did you mean a.echo"},
		{"write_note", "b", "there is no tool 'write_note': server 'b'"},
		{"echo", "natve", "there is no active server 'natve': tool 'echo'; did you mean native?"},
	} {
		tool, err := b.Find(c.name, c.source)
		got := tool.FullName()
		if err != nil {
			got = err.Error()
			if host.LayerOf(err) != host.LayerUnknown {
				t.Errorf("%s at %q: layer %s", c.name, c.source, host.LayerOf(err))
			}
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s at %q: %s, want %s", c.name, c.source, got, c.want)
		}
	}
	if !strings.Contains(b.log.String(), `msg="several servers have the tool" tool=echo taken=a not=b`) {
		t.Errorf("the log does not tell of the choice: %s", b.log)
	}
}

func TestWhatIsWrongNeverReachesTheServer(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	if _, err := b.call(t, "echo", `{"n":0}`); host.LayerOf(err) != host.LayerValidation ||
		!strings.Contains(err.Error(), "missing property 'text'") || !strings.Contains(err.Error(), "n: minimum") {
		t.Errorf("wrong arguments: %v", err)
	}
	if text, err := b.call(t, "count", `null`); err != nil || text != "1" { // the server counts all calls
		t.Errorf("the server was called before: %s, %v", text, err)
	}
	b.call(t, "echo", `{"text":"my password is x"}`)
	b.call(t, "fail", `{}`)
	stats, err := b.cache.Statistics()
	if err != nil || len(stats) != 3 || stats[1].Tool != "echo" || stats[1].Calls != 2 || stats[1].Failures[0] != host.LayerValidation ||
		stats[2].Failures[0] != host.LayerTool {
		t.Errorf("%+v, %v", stats, err)
	}
	log := b.log.String()
	for _, want := range []string{
		"call=id-1 server=a tool=count outcome=success duration=", "call=id-1 server=a tool=echo outcome=validation", "tool=fail outcome=tool",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "my password") {
		t.Error("the log tells a secret")
	}
}

func TestNativeTools(t *testing.T) {
	t.Parallel()
	b := mustBench(t)
	outside := filepath.Join(t.TempDir(), "secret.txt")
	for path, text := range map[string]string{
		outside: "s3cret", filepath.Join(b.folder, "a.txt"): "wages", filepath.Join(b.folder, "zero"): "a\x00b",
		filepath.Join(b.folder, "long.txt"): strings.Repeat("é", 40<<10),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": outside, "up": "..", "inner": "a.txt"} {
		if err := os.Symlink(to, filepath.Join(b.folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	pipe, err := net.Listen("unix", filepath.Join(b.folder, "pipe"))
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	for _, c := range []struct{ tool, arguments, text, fails string }{
		{"read_file", `{"path":"pipe"}`, "", "neither a file nor a folder"},
		{"read_file", `{"path":"a.txt"}`, "wages", ""},
		{"read_file", `{"path":"inner"}`, "wages", ""},
		{"read_file", `{"path":"."}`, "a.txt\ninner\nlink\nlong.txt\npipe\nup\nzero", ""},
		{"read_file", `{"path":"link"}`, "", "escapes"},
		{"read_file", `{"path":"up/secret.txt"}`, "", "escapes"},
		{"read_file", `{"path":"../secret.txt"}`, "", "escapes"},
		{"read_file", fmt.Sprintf(`{"path":%q}`, outside), "", "escapes"},
		{"read_file", `{"path":"none"}`, "", "no such file"},
		{"read_file", `{"path":"zero"}`, "", "is no text"},
		{"read_file", `{"path":"a.txt","offset":9}`, "", "which has 5 bytes"},
		{"read_file", `{"path":"long.txt","offset":81918}`, "é", ""},
		{"read_file", `{}`, "", "missing property 'path'"},
		{"read_file", `{"path":"a.txt","mode":"w"}`, "", "mode"},
		{"write_note", `{"title":"../Löhne & VAT","text":"up"}`, "the note is kept as löhne-vat.md", ""},
		{"write_note", `{"title":"../Löhne & VAT","text":"down"}`, "the note is kept as löhne-vat-2.md", ""},
		{"show_table", `{"columns":["国","n"],"rows":[["中国","1"],["UK\u001b[31m","20"]]}`, "the table is shown, with 2 rows", ""},
		{"show_table", `{"columns":["a","b"],"rows":[["1"]]}`, "", "row 1 has 1 texts for 2 columns"},
	} {
		text, err := b.call(t, c.tool, c.arguments)
		if c.fails == "" && (err != nil || text != c.text) || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s %s: %q, %v", c.tool, c.arguments, text, err)
		}
		if err != nil && strings.Contains(err.Error(), b.folder) {
			t.Errorf("%s %s tells where the folder is: %v", c.tool, c.arguments, err)
		}
	}
	if text, err := b.call(t, "read_file", `{"path":"long.txt"}`); err != nil ||
		!strings.HasSuffix(text, "(bytes 0 to 65536 of 81920; go on with offset 65536)") {
		t.Errorf("a long file ends with %q, %v", text[len(text)-80:], err)
	}
	if data, err := os.ReadFile(filepath.Join(b.notes, "löhne-vat.md")); err != nil || string(data) != "# ../Löhne & VAT\n\nup\n" {
		t.Errorf("the first note is %q, %v", data, err)
	}
	if want := "国       n\n-------  --\n中国     1\nUK [31m  20"; len(b.shown) != 1 || b.shown[0] != want {
		t.Errorf("shown %q", b.shown)
	}
}

// endpoint speaks OpenAI's wire format and gives its answers in their order. It keeps what
// it was sent.
type endpoint struct {
	url  string
	mu   sync.Mutex
	sent []string
}

// says is an answer in text, calls one with calls: name and arguments by turns.
func says(text string) string {
	return chunk(map[string]any{"content": text}, "stop")
}

func calls(nameAndArguments ...string) string {
	list := []map[string]any{}
	for i := 0; i < len(nameAndArguments); i += 2 {
		list = append(list, map[string]any{
			"index": i / 2, "id": fmt.Sprintf("c%d", i/2), "type": "function",
			"function": map[string]string{"name": nameAndArguments[i], "arguments": nameAndArguments[i+1]},
		})
	}
	return chunk(map[string]any{"tool_calls": list}, "tool_calls")
}

func chunk(delta map[string]any, finish string) string {
	delta["role"] = "assistant"
	data, _ := json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		"usage":   map[string]int{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
	})
	return "data: " + string(data) + "\n\ndata: [DONE]\n\n"
}

// requests are those that it was sent.
func (e *endpoint) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.sent)
}

func mustEndpoint(tb testing.TB, answers ...string) *endpoint {
	tb.Helper()
	e := &endpoint{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		answer := answers[min(len(e.sent), len(answers)-1)]
		e.sent = append(e.sent, string(body))
		e.mu.Unlock()
		if answer == "" { // it thinks
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, answer)
	}))
	tb.Cleanup(s.Close)
	e.url = s.URL
	return e
}

// mustSession is a session of an agent that may use all tools, with a model at an endpoint.
func mustSession(tb testing.TB, b *bench, e *endpoint, text bool) (*chat.Session, *[]chat.Event) {
	tb.Helper()
	client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: e.url, TextCalls: text})
	if err != nil {
		tb.Fatal(err)
	}
	transcript, err := chat.NewTranscript(filepath.Join(tb.TempDir(), "t.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	events := &[]chat.Event{}
	return &chat.Session{
		Router: b.Router, Provider: client, Agent: host.Agent{Name: "tester", ToolCalling: true}, Yes: true, Transcript: transcript,
		Listen: func(e chat.Event) { *events = append(*events, e) },
	}, events
}

func kinds(events []chat.Event) string {
	var list []string
	for _, e := range events {
		list = append(list, string(e.Kind))
	}
	return strings.Join(list, " ")
}

func TestAModelCallsToolsAndAnswers(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(t, calls("ecco", `{}`, "echo", `{"n":0}`), calls("echo", `{"text":"hello"}`, "wait", `{}`), says("It says hello."))
	s, events := mustSession(t, b, e, false)
	outcome, err := s.Answer(t.Context(), "What does it say?")
	if err != nil || outcome.Answer != "It says hello." || outcome.Stop != chat.StopAnswered || outcome.Steps != 3 || outcome.Calls != 4 ||
		outcome.Failed != 2 || outcome.TokensIn != 300 || outcome.TokensOut != 30 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	if got := kinds(*events); got != "question message call error call error message call result call progress progress progress progress "+
		"result delta answer end" {
		t.Errorf("events %s", got)
	}
	for i, want := range []string{`"name":"native.write_note"`, "did you mean echo?", `\"text\":\"hello\"`} {
		if i == 0 {
			want = `"name":"write_note"`
		}
		if !strings.Contains(e.requests()[i], want) {
			t.Errorf("request %d has no %s:\n%s", i+1, want, e.requests()[i])
		}
	}
	if !strings.Contains(e.requests()[1], "missing property 'text'") {
		t.Errorf("the model is not told what was wrong:\n%s", e.requests()[1])
	}

	// The transcript has it all but what was streamed, and the calls of it can be made again.
	s.Transcript.Close()
	written, err := chat.ReadTranscript(s.Transcript.Path())
	if got := kinds(written); err != nil || got != "question message call error call error message call result call result answer end" {
		t.Errorf("written %s, %v", got, err)
	}
	again, replayed := mustSession(t, b, e, false)
	if outcome, err := again.Replay(t.Context(), written); err != nil || outcome.Answer != "It says hello." || outcome.Calls != 4 ||
		len(outcome.Differ) != 0 || len(e.requests()) != 3 {
		t.Errorf("replay: %+v, %v, %s", outcome, err, kinds(*replayed))
	}
	// At a server where echo is another tool, the replay says what differs.
	other, _ := mustSession(t, mustBench(t), e, false)
	if outcome, err := other.Replay(t.Context(), written); err == nil || len(outcome.Differ) != 2 ||
		!strings.Contains(outcome.Differ[0], "a.echo (c0) had succeeded, and now: there is no tool 'a.echo'") {
		t.Errorf("replay without the server: %+v, %v", outcome, err)
	}
}

func TestAModelWithoutFunctionCalling(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(t,
		says("I try.\n<tool_call>{\"tool_name\":\"echo\",\"arguments\":{\"text\":\"a\",}}</tool_call>"),
		says("```\n<tool_call>{\"id\":\"1\",\"tool_name\":\"echo\",\"arguments\":{\"txt\":\"a\"}}</tool_call>\n```\n<tool_call>{\"id\":\"2\",\"tool_name\":\"echo\",\"arguments\":{\"text\":\"b\"}}</tool_call>"),
		says("Done."))
	s, events := mustSession(t, b, e, true)
	outcome, err := s.Answer(t.Context(), "问一下？")
	if err != nil || outcome.Answer != "Done." || outcome.Calls != 2 || outcome.Failed != 2 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	if got := kinds(*events); got != "question delta message error delta delta message call error call result delta answer end" {
		t.Errorf("events %s", got)
	}
	for i, wants := range [][]string{
		{"你借助工具回答用户的问题", "严格按以下格式", "echo"},
		{"tool_call 1 (line 2, column"},
		{`<tool_error id=\"1\">`, "missing property 'text'", "The schema of its arguments is", `<tool_result id=\"2\">{\"text\":\"b\"}`},
	} {
		sent := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\\\"`, `\"`).Replace(e.requests()[i])
		for _, want := range wants {
			if !strings.Contains(sent, want) {
				t.Errorf("request %d has no %s:\n%s", i+1, want, sent)
			}
		}
	}
	if strings.Contains(e.requests()[0], `"tools":`) {
		t.Error("tools are sent to a model without function calling")
	}
}

func TestWhatMayDestroyIsAskedFor(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well") // count has no hints: by the protocol, it may destroy
	for _, c := range []struct {
		name  string
		ask   func(context.Context, string) (bool, error)
		count string
	}{
		{"nobody to ask", nil, "nobody to ask; --yes allows it"},
		{"no", func(context.Context, string) (bool, error) { return false, nil }, "the user does not allow this call"},
		{"yes", func(_ context.Context, what string) (bool, error) { return strings.HasPrefix(what, "a.count"), nil }, ""},
	} {
		e := mustEndpoint(t, calls("count", `{}`, "look", `{}`), says("So be it."))
		s, events := mustSession(t, b, e, false)
		s.Yes, s.Ask = false, c.ask
		outcome, err := s.Answer(t.Context(), "Count!")
		if err != nil || outcome.Answer != "So be it." {
			t.Errorf("%s: %+v, %v", c.name, outcome, err)
		}
		failed := 0
		if c.count != "" {
			failed = 1
			if !strings.Contains(e.requests()[1], c.count) {
				t.Errorf("%s: the model is not told: %s", c.name, e.requests()[1])
			}
		}
		if outcome.Failed != failed {
			t.Errorf("%s: %s", c.name, kinds(*events))
		}
	}
	stats, err := b.cache.Statistics()
	if err != nil || stats[0].Tool != "count" || stats[0].Calls != 1 {
		t.Errorf("count was called %+v times, %v", stats, err)
	}

	// What the agent may not use is neither offered nor called.
	e := mustEndpoint(t, calls("count", `{}`), says("So be it."))
	s, _ := mustSession(t, b, e, false)
	s.Agent.AllowedTools = []string{"a.look"}
	if _, err := s.Answer(t.Context(), "Count!"); err != nil || strings.Contains(e.requests()[0], `"count"`) ||
		!strings.Contains(e.requests()[1], "the agent 'tester' may not use this tool") {
		t.Errorf("%v: %s", err, e.requests())
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	for _, c := range []struct {
		name    string
		answer  string
		limits  chat.Limits
		stop    chat.Stop
		asked   int
		message string
	}{
		{"steps", calls("look", `{}`), chat.Limits{Steps: 2}, chat.StopSteps, 2, "stopped at the limit of steps"},
		{"tokens", calls("look", `{}`), chat.Limits{Tokens: 250}, chat.StopTokens, 3, "stopped at the limit of tokens"},
		{"time", "", chat.Limits{Time: 200 * time.Millisecond}, chat.StopTime, 1, "stopped at the limit of time"},
		{"cancelled", "", chat.Limits{}, chat.StopCancelled, 1, "cancelled before there was an answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := mustEndpoint(t, c.answer)
			s, _ := mustSession(t, b, e, false)
			s.Limits = c.limits
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.stop == chat.StopCancelled {
				time.AfterFunc(100*time.Millisecond, cancel)
			}
			outcome, err := s.Answer(ctx, "Look!")
			stopped, ok := err.(*chat.Stopped)
			if !ok || stopped.Reason != c.stop || outcome.Stop != c.stop || !strings.HasPrefix(err.Error(), c.message) ||
				len(e.requests()) != c.asked {
				t.Errorf("%+v, %v, asked %d times", outcome, err, len(e.requests()))
			}
			events, err := chat.ReadTranscript(s.Transcript.Path()) // before it is closed: lines are written as it goes
			if err != nil || events[0].Text != "Look!" || events[len(events)-1].Kind != chat.KindEnd ||
				events[len(events)-1].Text != string(c.stop) {
				t.Errorf("transcript %+v, %v", events, err)
			}
		})
	}
}

func TestTranscriptsThatAreCut(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const first = `{"time":"2026-01-01T00:00:00Z","kind":"question","text":"?"}` + "\n"
	if events, err := chat.ReadTranscript(write(first + `{"time":"20`)); err != nil || len(events) != 1 {
		t.Errorf("%v, %v", events, err)
	}
	for text, want := range map[string]string{
		"": "is empty", "hello\n": ":1: this is no event", first + "{}\n" + first: ":2: this is no event",
	} {
		if _, err := chat.ReadTranscript(write(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := chat.NewTranscript(write("")); err == nil {
		t.Error("a file is overwritten")
	}
}

func TestAllToolsAreNamedOnce(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	names := chat.AllTools(b.Tools())
	if !slices.Contains(names, "a.echo") || !slices.Contains(names, "native.read_file") {
		t.Errorf("%v", names)
	}
	// The list is kept: a tool that this session has not may be there in another.
	without := chat.AllTools(slices.DeleteFunc(b.Tools(), func(tool host.Tool) bool { return tool.Name == "read_file" }))
	if slices.Sort(without); !slices.Equal(without, slices.Sorted(slices.Values(names))) {
		t.Errorf("%v, with read_file %v", without, names)
	}
}

// A name that several servers have means the tool that the agent may use: it is given to the
// model by that name alone, as the others are not offered.
func TestANameIsThatOfAToolThatMayBeUsed(t *testing.T) {
	t.Parallel()
	for _, text := range []bool{false, true} {
		b := mustBench(t, "well", "well")
		first := calls("echo", `{"text":"x"}`)
		if text {
			first = says(`<tool_call>{"tool_name":"echo","arguments":{"text":"x"}}</tool_call>`)
		}
		e := mustEndpoint(t, first, calls("a.echo", `{"text":"x"}`, "ecco", `{}`), says("Done."))
		s, events := mustSession(t, b, e, text)
		s.Agent.AllowedTools = []string{"b.echo"}
		if _, err := s.Answer(t.Context(), "Echo!"); err != nil {
			t.Fatal(err)
		}
		var made []string
		for _, event := range *events {
			if event.Kind == chat.KindResult || event.Kind == chat.KindError {
				made = append(made, string(event.Kind)+" "+event.Call.FullName())
			}
		}
		if want := []string{"result b.echo", "error a.echo", "error ecco"}; !slices.Equal(made, want) {
			t.Errorf("text form %t: %q, want %q", text, made, want)
		}
		if stats, err := b.cache.Statistics(); err != nil || len(stats) != 1 || stats[0].Server != "b" {
			t.Errorf("text form %t: called were %+v, %v", text, stats, err)
		}
	}
}

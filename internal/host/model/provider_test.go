package model_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/host/model"
)

const secret = "sk-test-4f9d2c7b81"

// answer is what the server says to one request.
type answer struct {
	status int // 0 = 200
	header map[string]string
	body   string
	piece  int // bytes written at once; 0 = all
	after  func(r *http.Request, w http.ResponseWriter)
}

// endpoint is a provider on this machine. Its last answer is given to all further requests.
type endpoint struct {
	URL string

	mu       sync.Mutex
	requests []received
}

type received struct {
	path   string
	header http.Header
	body   string
}

func serve(t *testing.T, answers ...answer) *endpoint {
	t.Helper()
	e := &endpoint{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		a := answers[min(len(e.requests), len(answers)-1)]
		e.requests = append(e.requests, received{r.URL.Path, r.Header, string(body)})
		e.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		if a.status >= 400 {
			w.Header().Set("Content-Type", "application/json")
		}
		for name, value := range a.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(max(a.status, 200))
		for piece := range slices.Chunk([]byte(a.body), max(a.piece, 1)) {
			if a.piece == 0 {
				w.Write([]byte(a.body))
				break
			}
			w.Write(piece)
			w.(http.Flusher).Flush()
		}
		if a.after != nil {
			w.(http.Flusher).Flush()
			a.after(r, w)
		}
	}))
	t.Cleanup(server.Close)
	e.URL = server.URL
	return e
}

func (e *endpoint) asked() []received {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.requests)
}

func stored(tb testing.TB, name string) string {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func client(tb testing.TB, s model.Settings) *model.Client {
	tb.Helper()
	if s.Model == "" {
		s.Model = "small"
	}
	if s.Key == "" {
		s.Key = secret
	}
	c, err := model.New(s)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func within(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

var question = []model.Message{{Role: model.RoleUser, Text: "How do wages move?"}}

var tools = []model.Function{
	{
		Name: "econ.run", Description: "Runs the economy.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"years":{"type":"integer"},"note":{"type":"string"}},"required":["years"]}`),
	},
	{Name: "read_file", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
	{Name: "list_presets"},
}

func TestAnswers(t *testing.T) {
	text := "Wages rise: 工资上升 “slowly”."
	calls := func(ids ...string) []model.ToolCall {
		return []model.ToolCall{
			{ID: ids[0], Name: "econ.run", Arguments: json.RawMessage(`{"years":10,"note":"a \"b\" </tool_call>"}`)},
			{ID: ids[1], Name: "read_file", Arguments: json.RawMessage(`{"path":"数据.csv"}`)},
			{ID: ids[2], Name: "list_presets", Arguments: json.RawMessage(`{}`)},
		}
	}
	for _, tt := range []struct {
		file string
		want model.Reply
	}{
		{"openai_text.sse", model.Reply{Message: model.Message{Text: text}, Stop: model.StopEnd, TokensIn: 19, TokensOut: 10}},
		{"anthropic_text.sse", model.Reply{Message: model.Message{Text: text}, Stop: model.StopEnd, TokensIn: 25, TokensOut: 15}},
		{"openai_tools.sse", model.Reply{Message: model.Message{
			Text: "I look.", Calls: calls("call_DdmO9pD3xa9XTPNJ32zg2hcA", "call_kPqZ", "call_noargs"),
		},
			Stop: model.StopCalls, TokensIn: 82, TokensOut: 48}},
		{"anthropic_tools.sse", model.Reply{Message: model.Message{
			Text: "I look.", Calls: calls("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "toolu_02", "toolu_03"),
		},
			Stop: model.StopCalls, TokensIn: 472, TokensOut: 89}},
		{"ollama_tools.sse", model.Reply{Message: model.Message{Calls: []model.ToolCall{
			{ID: "call_a1", Name: "read_file", Arguments: json.RawMessage(`{"path":"a.csv"}`)},
			{ID: "call_b2", Name: "read_file", Arguments: json.RawMessage(`{"path":"b.csv"}`)},
		}}, Stop: model.StopCalls, TokensIn: 170, TokensOut: 41}},
		{
			"openai_refusal.sse",
			model.Reply{Message: model.Message{Text: "I'm sorry, I cannot assist with that."}, Stop: model.StopRefusal, TokensIn: 81, TokensOut: 11},
		},
		{"anthropic_refusal.sse", model.Reply{Message: model.Message{Text: "I cannot"}, Stop: model.StopRefusal, TokensIn: 40, TokensOut: 4}},
	} {
		tt.want.Message.Role = model.RoleAssistant
		// However the network cuts it into pieces, even within a character.
		for _, piece := range []int{0, 1, 7} {
			e := serve(t, answer{body: stored(t, tt.file), piece: piece})
			c := client(t, model.Settings{Provider: provider(tt.file), BaseURL: e.URL})
			var heard strings.Builder
			got, err := c.Reply(within(t), question, tools, func(text string) { heard.WriteString(text) })
			if err != nil {
				t.Errorf("%s in pieces of %d: %v", tt.file, piece, err)
				continue
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s in pieces of %d:\ngot  %+v\nwant %+v", tt.file, piece, got, tt.want)
			}
			if heard.String() != got.Message.Text {
				t.Errorf("%s: heard %q of %q", tt.file, heard.String(), got.Message.Text)
			}
		}
	}
}

// provider is the one whose wire format a file is in.
func provider(file string) string {
	if strings.HasPrefix(file, "anthropic") {
		return "anthropic"
	}
	return "openai"
}

// Some servers answer with one JSON object, though a stream was asked for, and call it what
// they like.
func TestAnswersWithoutStream(t *testing.T) {
	calls := []model.ToolCall{
		{ID: "a", Name: "read_file", Arguments: json.RawMessage(`{"path":"a.csv"}`)},
		{ID: "call_2", Name: "list_presets", Arguments: json.RawMessage(`{}`)},
	}
	for _, tt := range []struct {
		provider, body string
		want           model.Reply
	}{
		{"openai", `{"id":"1","object":"chat.completion","created":1764148497,"choices":[{"index":0,"message":{"role":"assistant","content":"Wages rise."},
			"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12},"error":null}`,
			model.Reply{Message: model.Message{Text: "Wages rise."}, Stop: model.StopEnd, TokensIn: 9, TokensOut: 3}},
		{"openai", `{"choices":[{"message":{"content":[{"type":"text","text":"Wages "},{"type":"text","text":"rise."}]},"finish_reason":null}]}`,
			model.Reply{Message: model.Message{Text: "Wages rise."}, Stop: model.StopEnd}},
		{"openai", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.csv\"}"}},
			{"type":"function","function":{"name":"list_presets","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			model.Reply{Message: model.Message{Calls: calls}, Stop: model.StopCalls}},
		{
			"openai", `{"choices":[{"message":{"content":"Wages"},"finish_reason":"length"}]}`,
			model.Reply{Message: model.Message{Text: "Wages"}, Stop: model.StopLength},
		},
		{"anthropic", `{"type":"message","role":"assistant","content":[{"type":"text","text":"Wages rise."}],"stop_reason":"end_turn","usage":{"input_tokens":9,"cache_read_input_tokens":1,"output_tokens":3}}`,
			model.Reply{Message: model.Message{Text: "Wages rise."}, Stop: model.StopEnd, TokensIn: 10, TokensOut: 3}},
		{"anthropic", `{"type":"message","content":[{"type":"tool_use","id":"a","name":"read_file","input":{"path":"a.csv"}},{"type":"tool_use","name":"list_presets","input":{}}],"stop_reason":"tool_use"}`,
			model.Reply{Message: model.Message{Calls: calls}, Stop: model.StopCalls}},
	} {
		tt.want.Message.Role = model.RoleAssistant
		for _, kind := range []string{"application/json", "text/event-stream", "text/plain"} {
			e := serve(t, answer{body: "\n" + tt.body, header: map[string]string{"Content-Type": kind}, piece: 5})
			var heard strings.Builder
			got, err := client(t, model.Settings{Provider: tt.provider, BaseURL: e.URL}).Reply(
				within(t), question, tools, func(text string) { heard.WriteString(text) },
			)
			if err != nil || !reflect.DeepEqual(got, tt.want) || heard.String() != got.Message.Text {
				t.Errorf("%s %s as %s:\ngot  %+v, %v\nwant %+v", tt.provider, tt.body, kind, got, err, tt.want)
			}
		}
	}
}

// A call that the limit of tokens cut off is never made, those before it are.
func TestLimitOfTokens(t *testing.T) {
	for _, file := range []string{"openai_length.sse", "anthropic_length.sse"} {
		e := serve(t, answer{body: stored(t, file)})
		c := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL})
		got, err := c.Reply(within(t), question, tools, nil)
		if err != nil || got.Stop != model.StopLength || len(got.Message.Calls) != 2 {
			t.Fatalf("%s: %+v, %v", file, got, err)
		}
		whole, half := got.Message.Calls[0], got.Message.Calls[1]
		if whole.Problem != "" || string(whole.Arguments) != `{"path":"a.csv"}` {
			t.Errorf("%s: the whole call is %+v", file, whole)
		}
		if !strings.Contains(half.Problem, "cut off") || !json.Valid(half.Arguments) {
			t.Errorf("%s: the half call is %+v", file, half)
		}
	}
}

// Text is handed on while the model still writes: the server goes on only when the first
// words have been heard.
func TestTextAsItComes(t *testing.T) {
	for _, file := range []string{"openai_text.sse", "anthropic_text.sse"} {
		body := stored(t, file)
		half := strings.LastIndex(body[:strings.Index(body, "rise")], "\n\n") + 2
		heard := make(chan struct{})
		e := serve(t, answer{body: body[:half], after: func(r *http.Request, w http.ResponseWriter) {
			select {
			case <-heard:
				io.WriteString(w, body[half:])
			case <-r.Context().Done():
			}
		}})
		c := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL})
		var once sync.Once
		got, err := c.Reply(within(t), question, nil, func(text string) {
			once.Do(func() {
				if text != "Wages " {
					t.Errorf("%s: first heard %q", file, text)
				}
				close(heard)
			})
		})
		if err != nil || got.Stop != model.StopEnd {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
	}
}

var conversation = []model.Message{
	{Role: model.RoleSystem, Text: "You are an economist."},
	{Role: model.RoleUser, Text: "How do wages move?"},
	{Role: model.RoleAssistant, Text: "I look.", Calls: []model.ToolCall{
		{ID: "1", Name: "econ.run", Arguments: json.RawMessage(`{"years":10}`)},
		{ID: "2", Name: "gone.tool", Arguments: json.RawMessage(`"{\"path\":"`), Problem: "broken"},
	}},
	{Role: model.RoleTool, CallID: "1", Text: `{"wage":1.02}`},
	{Role: model.RoleTool, CallID: "2", Text: "broken", IsError: true},
	{Role: model.RoleUser, Text: "And <prices> & more?"},
}

// What is wrong with the arguments of a call is told with what came, as that does not go back
// in the call itself.
func TestArgumentsThatAreNoJSON(t *testing.T) {
	for provider, body := range map[string]string{
		"openai": `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"path\": \"a"}}]},"finish_reason":null}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":".csv\",}"}}]},"finish_reason":"tool_calls"}]}` +
			"\n\n",
		"anthropic": "event: content_block_start\ndata: " + `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"read_file","input":{}}}` + "\n\n" +
			"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\": \"a.csv\",}"}}` + "\n\n" +
			"event: message_delta\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}` + "\n\n",
	} {
		e := serve(t, answer{body: body}, answer{body: stored(t, provider+"_text.sse")})
		c := client(t, model.Settings{Provider: provider, BaseURL: e.URL})
		got, err := c.Reply(within(t), question, tools, nil)
		if err != nil || len(got.Message.Calls) != 1 {
			t.Fatalf("%s: %+v, %v", provider, got, err)
		}
		problem := got.Message.Calls[0].Problem
		if !strings.Contains(problem, "a comma before '}' is not allowed") || !strings.HasSuffix(problem, `What came is: {"path": "a.csv",}`) {
			t.Errorf("%s: the problem is %q", provider, problem)
		}
		got.Message.Text = "\n" // as some models begin
		history := append(slices.Clone(question), got.Message, model.Message{Role: model.RoleTool, CallID: "1", Text: problem, IsError: true})
		if _, err := c.Reply(within(t), history, tools, nil); err != nil {
			t.Fatal(err)
		}
		var sent struct {
			Messages []struct {
				Content json.RawMessage
				Calls   []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
			}
		}
		if err := json.Unmarshal([]byte(e.asked()[1].body), &sent); err != nil {
			t.Fatal(err)
		}
		said := sent.Messages[1]
		if provider == "openai" && said.Calls[0].Function.Arguments != "{}" {
			t.Errorf("the arguments go back as %q", said.Calls[0].Function.Arguments)
		}
		if provider == "anthropic" && (strings.Contains(string(said.Content), `"text"`) || !strings.Contains(
			string(said.Content), `"input":{}`,
		)) {
			t.Errorf("the message goes back as %s", said.Content)
		}
	}
}

func TestRequests(t *testing.T) {
	for _, tt := range []struct {
		settings model.Settings
		answer   string
		tools    []model.Function
		path     string
		want     string
	}{
		{model.Settings{Provider: "openai"}, "openai_text.sse", tools, "/v1/chat/completions", "openai_request.json"},
		{model.Settings{Provider: "anthropic"}, "anthropic_text.sse", tools, "/v1/messages", "anthropic_request.json"},
		{model.Settings{Provider: "openai", TextCalls: true}, "openai_text.sse", nil, "/v1/chat/completions", "text_request.json"},
	} {
		e := serve(t, answer{body: stored(t, tt.answer)})
		tt.settings.BaseURL = e.URL + "/v1"
		c := client(t, tt.settings)
		if c.FunctionCalling() == tt.settings.TextCalls {
			t.Errorf("%s: function calling is %v", tt.want, c.FunctionCalling())
		}
		if _, err := c.Reply(within(t), conversation, tt.tools, nil); err != nil {
			t.Fatal(err)
		}
		got := e.asked()[0]
		if got.path != tt.path {
			t.Errorf("%s: asked at %s", tt.want, got.path)
		}
		sameJSON(t, tt.want, got.body)
	}
}

// sameJSON compares a request with a stored one, member by member.
func sameJSON(t *testing.T, file, got string) {
	t.Helper()
	var is, want any
	if err := json.Unmarshal([]byte(got), &is); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(stored(t, file)), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(is, want) {
		t.Errorf("%s: sent\n%s", file, got)
	}
}

// The key goes where it belongs and nowhere else; nothing else is taken from the environment.
func TestKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-ambient")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: 1")
	t.Setenv("ANTHROPIC_API_KEY", "sk-ambient")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	for _, tt := range []struct {
		provider, key, header, want string
	}{
		{"openai", secret, "Authorization", "Bearer " + secret},
		{"openai", "", "Authorization", ""},
		{"anthropic", secret, "X-Api-Key", secret},
		{"anthropic", "", "X-Api-Key", ""},
	} {
		e := serve(t, answer{body: stored(t, tt.provider+"_text.sse")})
		c, err := model.New(model.Settings{Provider: tt.provider, Model: "small", BaseURL: e.URL, Key: tt.key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Reply(within(t), question, nil, nil); err != nil {
			t.Fatal(err)
		}
		got := e.asked()[0]
		if h := got.header.Get(tt.header); h != tt.want {
			t.Errorf("%s with key %q sends %q", tt.provider, tt.key, h)
		}
		for name, values := range got.header {
			if strings.Contains(strings.Join(values, " "), "ambient") || name == "X-Ambient" {
				t.Errorf("%s sends %s from the environment", tt.provider, name)
			}
		}
		if tt.provider == "anthropic" && got.header.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("anthropic-version is %q", got.header.Get("Anthropic-Version"))
		}
	}
}

func TestAnswerInSchema(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"tool":{"type":"string"},"score":{"type":"number"}},"required":["tool"]}`)
	for _, provider := range model.Providers {
		e := serve(t, answer{body: stored(t, provider+"_json.sse")})
		c := client(t, model.Settings{Provider: provider, BaseURL: e.URL})
		got, err := c.Complete(within(t), "Choose a tool.", "Run it.", schema)
		if err != nil || string(unspaced(t, got)) != `{"tool":"econ_run","score":0.5}` {
			t.Errorf("%s: %s, %v", provider, got, err)
		}
		sameJSON(t, provider+"_json_request.json", e.asked()[0].body)
	}
	// A server that knows no schemas answers as it likes.
	for _, tt := range []struct{ content, want, wrong string }{
		{"```json\n{\"tool\":\"a\"}\n```", `{"tool":"a"}`, ""},
		{`I would take econ_run.`, "", "does not fit"},
		{`{"score":1}`, "", "does not fit"},
		{``, "", "does not fit"},
	} {
		content, _ := json.Marshal(tt.content)
		e := serve(
			t,
			answer{
				body: `data: {"choices":[{"index":0,"delta":{"content":` + string(content) + `},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n",
			},
		)
		c := client(t, model.Settings{Provider: "openai", BaseURL: e.URL})
		got, err := c.Complete(within(t), "", "", schema)
		if string(got) != tt.want || (err != nil) != (tt.wrong != "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%q gives %s, %v", tt.content, got, err)
		}
	}
	// An answer that does not fit goes back with what is wrong, and is asked for again.
	for provider, bodies := range map[string][2]string{
		"openai": {`{"choices":[{"message":{"tool_calls":[{"id":"x","function":{"name":"answer","arguments":"{\"score\":\"high\"}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"choices":[{"message":{"tool_calls":[{"id":"y","function":{"name":"answer","arguments":"{\"tool\":\"a\"}"}}]},"finish_reason":"tool_calls"}]}`},
		"anthropic": {`{"content":[{"type":"tool_use","id":"x","name":"answer","input":{"score":"high"}}],"stop_reason":"tool_use"}`,
			`{"content":[{"type":"tool_use","id":"y","name":"answer","input":{"tool":"a"}}],"stop_reason":"tool_use"}`},
	} {
		e := serve(t, answer{body: bodies[0]}, answer{body: bodies[1]})
		got, err := client(t, model.Settings{Provider: provider, BaseURL: e.URL}).Complete(within(t), "Choose.", "Run it.", schema)
		if err != nil || string(got) != `{"tool":"a"}` || len(e.asked()) != 2 {
			t.Fatalf("%s: %s, %v after %d", provider, got, err, len(e.asked()))
		}
		for _, want := range []string{`"x"`, "tool", "score", "high"} {
			if !strings.Contains(e.asked()[1].body, want) {
				t.Errorf("%s is not told of %s: %s", provider, want, e.asked()[1].body)
			}
		}
	}
	// Without function calling, the schema stands in the prompt.
	e := serve(
		t, answer{body: `{"choices":[{"message":{"content":"econ_run"}}]}`},
		answer{body: `{"choices":[{"message":{"content":"{\"tool\":\"econ_run\"}"}}]}`},
	)
	got, err := client(
		t, model.Settings{Provider: "openai", BaseURL: e.URL, TextCalls: true},
	).Complete(within(t), "Choose.", "Run it.", schema)
	if err != nil || string(got) != `{"tool":"econ_run"}` {
		t.Errorf("without function calling: %s, %v", got, err)
	}
	if first, second := e.asked()[0].body, e.asked()[1].body; strings.Contains(first, `"tools"`) ||
		!strings.Contains(first, "fits this schema") || !strings.Contains(second, "does not fit") {
		t.Errorf("asked with %s and %s", first, second)
	}
	for file, wrong := range map[string]string{"openai_refusal.sse": "refused", "anthropic_length.sse": "limit of tokens"} {
		e := serve(t, answer{body: stored(t, file)})
		c := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL})
		if got, err := c.Complete(within(t), "", "x", schema); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s gives %s, %v", file, got, err)
		}
	}
}

func unspaced(t *testing.T, raw json.RawMessage) []byte {
	t.Helper()
	return []byte(strings.ReplaceAll(string(raw), " ", ""))
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		s    model.Settings
		want string
	}{
		{model.Settings{Provider: "openia", Model: "m", Key: "k"}, `did you mean "openai"?`},
		{model.Settings{Provider: "openai", Key: "k"}, "no model is named"},
		{model.Settings{Provider: "openai", Model: "m"}, "set OPENAI_API_KEY"},
		{model.Settings{Provider: "anthropic", Model: "m"}, "set ANTHROPIC_API_KEY"},
		{model.Settings{Provider: "openai", Model: "m", BaseURL: "localhost:11434"}, "like http://localhost:11434/v1"},
		{model.Settings{Provider: "openai", Model: "m", BaseURL: "http://u:" + secret + "@x/"}, "neither password nor query"},
	} {
		_, err := model.New(tt.s)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%+v gives %v", tt.s, err)
		}
	}
}

// Names that providers refuse are sent under others, each its own.
func TestNamesOfTools(t *testing.T) {
	long := strings.Repeat("x", 70)
	list := []model.Function{{Name: "a.b"}, {Name: "a_b"}, {Name: "a b"}, {Name: "读取"}, {Name: long + "1"}, {Name: long + "2"}}
	e := serve(t, answer{body: stored(t, "openai_text.sse")})
	c := client(t, model.Settings{Provider: "openai", BaseURL: e.URL})
	if _, err := c.Reply(within(t), question, list, nil); err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(e.asked()[0].body), &sent); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range sent.Tools {
		if n := tool.Function.Name; len(n) > 64 || strings.Trim(n, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
			t.Errorf("%q is sent", n)
		}
		names = append(names, tool.Function.Name)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(list) || names[0] == "" || !slices.Contains(names, "a_b") {
		t.Errorf("sent are %q", names)
	}
	// Each comes back as what it was.
	for i, tool := range sent.Tools {
		e := serve(t, answer{body: `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"` +
			tool.Function.Name +
			`","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"})
		c := client(t, model.Settings{Provider: "openai", BaseURL: e.URL})
		got, err := c.Reply(within(t), question, list, nil)
		if err != nil || got.Message.Calls[0].Name != list[i].Name {
			t.Errorf("%s comes back as %+v, %v", list[i].Name, got.Message.Calls, err)
		}
	}
}

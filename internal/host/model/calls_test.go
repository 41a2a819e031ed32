package model_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/host/model"
)

func call(id, name, arguments string) model.ToolCall {
	return model.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

func TestParseCalls(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		calls      []model.ToolCall
		rest       string
	}{
		{"none", "Wages rise.", nil, "Wages rise."},
		{"empty", "", nil, ""},
		{
			"one", `<tool_call>{"id":"1","tool_name":"read","arguments":{"path":"a"}}</tool_call>`,
			[]model.ToolCall{call("1", "read", `{"path":"a"}`)}, "",
		},
		{"text around", "I look.\n\n<tool_call>\n  {\"id\": \"1\", \"tool_name\": \"read\", \"arguments\": {}}\n</tool_call>\n\nThen I answer.",
			[]model.ToolCall{call("1", "read", `{}`)}, "I look.\n\nThen I answer."},
		{"several", `<tool_call>{"id":"a","tool_name":"x","arguments":{}}</tool_call><tool_call>{"id":"b","tool_name":"y","arguments":{"n":1e400}}</tool_call>`,
			[]model.ToolCall{call("a", "x", `{}`), call("b", "y", `{"n":1e400}`)}, ""},
		{"source", `<tool_call>{"id":"1","tool_name":"x","arguments":{},"source":"files"}</tool_call>`,
			[]model.ToolCall{{ID: "1", Name: "x", Source: "files", Arguments: json.RawMessage(`{}`)}}, ""},
		{
			"source is null", `<tool_call>{"id":"1","tool_name":"x","arguments":{},"source":null}</tool_call>`,
			[]model.ToolCall{call("1", "x", `{}`)}, "",
		},
		{"fence around", "So:\n```json\n<tool_call>{\"id\":\"1\",\"tool_name\":\"x\",\"arguments\":{}}</tool_call>\n```\nDone.",
			[]model.ToolCall{call("1", "x", `{}`)}, "So:\n\nDone."},
		{"fence around two", "```\n<tool_call>{\"id\":\"1\",\"tool_name\":\"x\",\"arguments\":{}}</tool_call>\n<tool_call>{\"id\":\"2\",\"tool_name\":\"y\",\"arguments\":{}}</tool_call>\n```",
			[]model.ToolCall{call("1", "x", `{}`), call("2", "y", `{}`)}, ""},
		{
			"fence within", "<tool_call>\n```json\n{\"id\":\"1\",\"tool_name\":\"x\",\"arguments\":{}}\n```\n</tool_call>",
			[]model.ToolCall{call("1", "x", `{}`)}, "",
		},
		{"fences of others stay", "```go\na\n```\n<tool_call>{\"id\":\"1\",\"tool_name\":\"x\",\"arguments\":{}}</tool_call>\n```go\nb\n```",
			[]model.ToolCall{call("1", "x", `{}`)}, "```go\na\n```\n\n```go\nb\n```"},
		{"closing tag in a string", `<tool_call>{"id":"1","tool_name":"note","arguments":{"text":"ends with </tool_call> and <tool_call>{} \"quoted\""}}</tool_call> after`,
			[]model.ToolCall{call("1", "note", `{"text":"ends with </tool_call> and <tool_call>{} \"quoted\""}`)}, "after"},
		{"angle brackets", `a < b <b>bold</b> <tool_call>{"id":"1","tool_name":"x","arguments":{"q":"<<a>>"}}</tool_call> c > d`,
			[]model.ToolCall{call("1", "x", `{"q":"<<a>>"}`)}, "a < b <b>bold</b>\n\nc > d"},
		{
			"arguments as text", `<tool_call>{"id":"1","tool_name":"x","arguments":"{\"a\": [1, 2]}"}</tool_call>`,
			[]model.ToolCall{call("1", "x", `{"a":[1,2]}`)}, "",
		},
		{"without an id", `<tool_call>{"tool_name":"x","arguments":{}}</tool_call><tool_call>{"tool_name":"y","arguments":{}}</tool_call>`,
			[]model.ToolCall{call("call_1", "x", `{}`), call("call_2", "y", `{}`)}, ""},
		{"an id twice", `<tool_call>{"id":"1","tool_name":"x","arguments":{}}</tool_call><tool_call>{"id":1,"tool_name":"y","arguments":{}}</tool_call>`,
			[]model.ToolCall{call("1", "x", `{}`), call("1_2", "y", `{}`)}, ""},
		{"as Qwen and Hermes are trained", `<tool_call>{"name":"x","arguments":{}}</tool_call>`, []model.ToolCall{call("call_1", "x", `{}`)}, ""},
		{
			"Chinese", "我来读取。<tool_call>{\"id\":\"1\",\"tool_name\":\"读取\",\"arguments\":{\"路径\":\"数据.csv\"}}</tool_call>",
			[]model.ToolCall{call("1", "读取", `{"路径":"数据.csv"}`)}, "我来读取。",
		},
		{
			"only spoken of", "I write <tool_call> to call: <tool_call>{\"id\":\"1\",\"tool_name\":\"x\",\"arguments\":{}}</tool_call>",
			[]model.ToolCall{call("1", "x", `{}`)}, "I write <tool_call> to call:",
		},
		{"only spoken of, at last", "A call begins with <tool_call>, as you know.", nil, "A call begins with <tool_call>, as you know."},
	} {
		calls, rest, problems := model.ParseCalls(tt.text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", tt.name, problems)
		}
		if !reflect.DeepEqual(calls, tt.calls) || rest != tt.rest {
			t.Errorf("%s:\ngot  %+v, %q\nwant %+v, %q", tt.name, calls, rest, tt.calls, tt.rest)
		}
	}
}

// What is no call is told with its place, and never becomes one.
func TestParseProblems(t *testing.T) {
	good := `<tool_call>{"id":"9","tool_name":"good","arguments":{}}</tool_call>`
	for _, tt := range []struct {
		name, text string
		want       []string // of the first problem
		good       int      // calls to good
	}{
		{"comma in the end", `<tool_call>{"id":"1","tool_name":"x","arguments":{"a":1,}}</tool_call>` + good,
			[]string{"tool_call 1 (line 1, column 57)", "a comma before '}' is not allowed", `"a":1,⟨here⟩}}`}, 1},
		{"comma in the end of a list", "Hi\n<tool_call>\n{\"tool_name\":\"x\",\"arguments\":{\"a\":[1, ]}}</tool_call>" + good,
			[]string{"(line 3, column 39)", "a comma before ']' is not allowed"}, 1},
		{"single quotes", `<tool_call>{'tool_name': 'x'}</tool_call>` + good, []string{"invalid character '\\''", "⟨here⟩'tool_name'"}, 1},
		{"a comment", "<tool_call>{\"tool_name\": \"x\", // why\n\"arguments\": {}}</tool_call>" + good, []string{"invalid character '/'"}, 1},
		{
			"quote within a string", `<tool_call>{"tool_name":"x","arguments":{"t":"say "hi" now"}}</tool_call>` + good,
			[]string{"invalid character 'h'", `"say "⟨here⟩hi`}, 1,
		},
		{
			"a brace is missing", `<tool_call>{"id":"1","tool_name":"x","arguments":{"a":1}</tool_call>` + good,
			[]string{"invalid character '<'", "⟨here⟩</tool_call>"}, 1,
		},
		{
			"a quote is missing", `<tool_call>{"id":"1","tool_name":"x","arguments":{"a":"1}}</tool_call>`, []string{"not complete", "column 59"}, 0,
		},
		{"never closed", `Look: <tool_call>{"id":"1","tool_name":"x","arguments":{}}`, []string{"</tool_call> is missing"}, 0},
		{
			"never closed before another", `<tool_call>{"id":"1","tool_name":"x","arguments":{}}` + "\n" + good,
			[]string{"</tool_call> is missing"}, 1,
		},
		{"cut within the JSON", `<tool_call>{"id":"1","tool_name":"x","argum`, []string{"not complete", "</tool_call> is missing"}, 0},
		{"cut behind the tag", "text <tool_call>\n", []string{"ends before the call"}, 0},
		{"no JSON", `<tool_call>read(a)</tool_call>` + good, []string{"a JSON object has to follow <tool_call>", "read(a)"}, 1},
		{"nothing", `<tool_call></tool_call>` + good, []string{"a JSON object has to follow"}, 1},
		{"a list", `<tool_call>[{"tool_name":"x","arguments":{}}]</tool_call>` + good, []string{"a JSON object has to follow"}, 1},
		{
			"two objects", `<tool_call>{"tool_name":"x","arguments":{}} {"tool_name":"y","arguments":{}}</tool_call>` + good,
			[]string{"(line 1, column 45)", "only one JSON object"}, 1,
		},
		{
			"no tool", `<tool_call>{"id":"1","arguments":{}}</tool_call>` + good, []string{`"tool_name" is missing; there is only arguments, id`}, 1,
		},
		{"no tool, and a line behind", `<tool_call>{"arguments":{}}` + "\n```</tool_call>", []string{"(line 1, column 12)", `"tool_name" is missing`}, 0},
		{"another case", `<tool_call>{"id":"1","Tool_Name":"x","arguments":{}}</tool_call>` + good, []string{`"tool_name" is missing`}, 1},
		{"empty name", `<tool_call>{"id":"1","tool_name":"","arguments":{}}</tool_call>` + good, []string{`"tool_name" is missing`}, 1},
		{
			"name is a number", `<tool_call>{"id":"1","tool_name":7,"arguments":{}}</tool_call>` + good, []string{`"tool_name" has to be a string`},
			1,
		},
		{
			"source is a list", `<tool_call>{"id":"1","tool_name":"x","arguments":{},"source":["a"]}</tool_call>` + good,
			[]string{`"source" has to be a string`}, 1,
		},
		{
			"no arguments", `<tool_call>{"id":"1","tool_name":"x","args":{}}</tool_call>` + good,
			[]string{`"arguments" is missing; there is only args, id, tool_name`, "takes {}"}, 1,
		},
		{
			"arguments are a list", `<tool_call>{"id":"1","tool_name":"x","arguments":[1]}</tool_call>` + good,
			[]string{`"arguments" has to be a JSON object: they are`, "[1]"}, 1,
		},
		{
			"arguments are null", `<tool_call>{"id":"1","tool_name":"x","arguments":null}</tool_call>` + good,
			[]string{`"arguments" has to be a JSON object`}, 1,
		},
		{
			"arguments are a broken text", `<tool_call>{"id":"1","tool_name":"x","arguments":"{\"a\":1,}"}</tool_call>` + good,
			[]string{"a comma before '}'"}, 1,
		},
		{
			"a call within a broken one", `<tool_call>{"id":"1","tool_name":"note","arguments":{"t":"` + good + `"}}</tool_call>`,
			[]string{"invalid character"}, 0,
		},
	} {
		calls, rest, problems := model.ParseCalls(tt.text)
		if len(problems) == 0 {
			t.Errorf("%s: no problem", tt.name)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(problems[0], want) {
				t.Errorf("%s: %q does not say %q", tt.name, problems[0], want)
			}
		}
		if len(calls) != tt.good || tt.good == 1 && calls[0].Name != "good" {
			t.Errorf("%s: calls %+v", tt.name, calls)
		}
		if strings.Contains(rest, `"good"`) {
			t.Errorf("%s: the rest is %q", tt.name, rest)
		}
	}
}

// What a model repeats without end is read in the time that it takes to look at it once.
func TestParseFlood(t *testing.T) {
	const n = 100_000
	for _, tt := range []struct {
		text            string
		calls, problems int
	}{
		{strings.Repeat(`<tool_call>{"tool_name":"x","arguments":{}}</tool_call>`, n), 100, 1},
		{strings.Repeat(`<tool_call>{"a"`, n), 0, 1},
		{strings.Repeat(`<tool_call>{}`, n), 0, 101},
		{strings.Repeat(`<tool_call> `, n) + "x</tool_call>", 0, 1},
		{strings.Repeat(`<tool_call>[`, n), 0, 101},
	} {
		start := time.Now()
		calls, _, problems := model.ParseCalls(tt.text)
		if len(calls) != tt.calls || len(problems) != tt.problems {
			t.Errorf("%.60s…: %d calls, %d problems", tt.text, len(calls), len(problems))
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.60s… took %v", tt.text, took)
		}
	}
}

func TestInstructions(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		text := model.Instructions(language)
		calls, rest, problems := model.ParseCalls(text)
		if len(calls) != 1 || len(problems) != 0 || calls[0].ID != "1" {
			t.Errorf("%s: the example is read as %+v, %v", language, calls, problems)
		}
		for _, want := range []string{`"id"`, `"tool_name"`, `"arguments"`, `"source"`, "tool_result", "tool_error"} {
			if !strings.Contains(rest, want) {
				t.Errorf("%s does not explain %s", language, want)
			}
		}
	}
	if model.Instructions("en") == model.Instructions("zh") {
		t.Error("both languages are the same")
	}
}

func FuzzParseCalls(f *testing.F) {
	for _, seed := range []string{
		"", "<tool_call>", "</tool_call>", "<tool_call></tool_call>", "```<tool_call>```{}</tool_call>",
		`a <tool_call>{"id":"1","tool_name":"x","arguments":{"a":"</tool_call>"}}</tool_call> b`,
		`<tool_call>{"id":1,"name":"x","arguments":"{}"}</tool_call><tool_call>{"tool_name":"x","arguments":{},}</tool_call>`,
		"<tool_call>\n```json\n{\"tool_name\":\"读\",\"arguments\":{}}\n```\n</tool_call>\xff\x00", `<tool_call>{"a":<tool_call>{}</tool_call>`,
		`<tool_call>{"tool_name":"x","arguments":{}}<tool_call>`, `<tool_call>{"tool_name":"x","arguments":"\ud800"}</tool_call>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest, problems := model.ParseCalls(text)
		if blocks := strings.Count(strings.ReplaceAll(text, "\x00", ""), "<tool_call>"); len(calls)+len(problems) > blocks {
			t.Errorf("%d calls and %d problems of %d tags", len(calls), len(problems), blocks)
		}
		if closed := strings.Count(strings.ReplaceAll(text, "\x00", ""), "</tool_call>"); len(calls) > closed {
			t.Errorf("%d calls of %d closed blocks", len(calls), closed)
		}
		if len(calls)+len(problems) == 0 && rest != strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "") {
			t.Errorf("text without calls becomes %q", rest)
		}
		ids := map[string]bool{}
		for _, c := range calls {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(c.Arguments, &object); err != nil || object == nil || c.Name == "" || c.ID == "" || ids[c.ID] {
				t.Errorf("%+v: %v", c, err)
			}
			ids[c.ID] = true
			// Its words are the model's: a name that the text spells out somewhere.
			if name, _ := json.Marshal(c.Name); !strings.Contains(text, c.Name) && !strings.Contains(text, string(name)) &&
				!strings.Contains(text, `\`) && !strings.Contains(c.Name, "\uFFFD") {
				t.Errorf("the text holds no %q", c.Name)
			}
		}
		for _, p := range problems {
			var block, line, column int
			_, err := fmt.Sscanf(p, "tool_call %d (line %d, column %d): ", &block, &line, &column)
			if err != nil || line < 1 || column < 1 || line > 1+strings.Count(text, "\n") || strings.HasSuffix(p, ": ") {
				t.Errorf("%q: %v", p, err)
			}
		}
	})
}

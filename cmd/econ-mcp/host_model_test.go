package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mustAsk runs a command of the host with a model at an endpoint that gives its answers in
// their order: chunks as OpenAI's streams have them, "" = 401. It returns what is printed and
// what the model was sent.
func mustAsk(tb testing.TB, args []string, answers ...string) (stdout, stderr string, sent []string) {
	tb.Helper()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := answers[min(len(sent), len(answers)-1)]
		sent = append(sent, string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		if answer == "" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		io.WriteString(w, "data: "+answer+"\n\ndata: [DONE]\n\n")
	}))
	tb.Cleanup(endpoint.Close)
	config := writeConfig(
		tb, map[string]any{"econ": map[string]any{"command": "econ-mcp", "args": []string{"serve", "--data", tb.TempDir()}}}, nil,
	)
	args = append(args, "--config", config, "--provider", "openai", "--model", "m", "--base-url", endpoint.URL)
	if !slices.Contains(args, "--data") {
		args = append(args, "--data", tb.TempDir())
	}
	command := exec.Command("econ-mcp", args...)
	command.Env = append(os.Environ(), "OPENAI_API_KEY=sk-test-4f9d2c7b81")
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	err := command.Run()
	endpoint.Close() // from here on nothing is added to what was sent
	if err != nil {
		tb.Fatalf("%v: %s", err, errors.String())
	}
	return out.String(), errors.String(), sent
}

// Where the model cannot be asked, scoring decides, and the user is told.
func TestSelectTellsThatTheModelFailed(t *testing.T) {
	stdout, stderr, _ := mustAsk(t, []string{"host", "select", "compare two experiments"}, "")
	if !strings.HasPrefix(stdout, "econ.compare_experiments ") ||
		!strings.Contains(
			stderr, "warning: scoring decides: the model failed: openai: 401 Unauthorized: the key in OPENAI_API_KEY is not accepted",
		) {
		t.Errorf("%s, %s", stdout, stderr)
	}
}

// A model's choice is taken, also of a tool that changes something: it is not called here.
func TestSelectTakesTheModelsChoice(t *testing.T) {
	stdout, _, sent := mustAsk(
		t, []string{"host", "select", "wibble the wobble", "--json"},
		says(t, `{"tool":"econ.pause_simulation","reason":"It wobbles.","goal":"no wobble"}`),
	)
	if !strings.Contains(stdout, `"decision": "taken",`) || !strings.Contains(stdout, `"tool": "pause_simulation",`) ||
		!strings.Contains(stdout, `"goal": "no wobble",`) || len(sent) != 1 {
		t.Errorf("%s, sent %d", stdout, len(sent))
	}
}

// says is an answer of a model in text.
func says(tb testing.TB, text string) string {
	tb.Helper()
	data, err := json.Marshal(text)
	must(tb, err)
	return `{"choices":[{"index":0,"delta":{"content":` + string(data) + `},"finish_reason":"stop"}]}`
}

// The whole of chat with a model that calls in its text, in Chinese though the question is not.
func TestChatWithAModel(t *testing.T) {
	stdout, stderr, sent := mustAsk(t, []string{"chat", "--text-calls", "--language", "zh", "--budget", "1000", "Who pays?"},
		says(t, "我看。<tool_call>{\"tool_name\":\"get_parameter\",\"arguments\":{\"parameter_name\":\"vat_rate\"}}</tool_call>"+
			"<tool_call>{\"tool_name\":\"set_parameter\",\"arguments\":{\"parameter_name\":\"vat_rate\"}}</tool_call>"),
		says(t, "A block begins with <tool_call>.\x1b[2J"))
	for _, want := range []string{
		"Who pays?\n我看。\n    → econ.get_parameter ", "    ✗ the arguments do not fit the schema: missing property 'value'",
		"\nA block begins with <tool_call>.\\x1b[2J\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("there is no %q in %s", want, stdout)
		}
	}
	if !strings.HasPrefix(stderr, "transcript: ") || len(sent) != 2 || !strings.Contains(sent[0], "共 ") ||
		strings.Contains(sent[0]+stdout+stderr, "sk-test") {
		t.Errorf("%s, sent %s", stderr, sent)
	}
	stdout, _, sent = mustAsk(t, []string{"chat", "--json", "Who pays?"}, says(t, "You."))
	if !strings.Contains(stdout, `"answer": "You."`) || !strings.Contains(sent[0], `"write_note"`) ||
		strings.Contains(sent[0], `"show_table"`) {
		t.Errorf("%s, sent %s", stdout, sent)
	}
}

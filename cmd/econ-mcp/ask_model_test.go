package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// writes is a stream in which a model calls the tool of its answer, as OpenAI's chat completions have it,
// with the arguments in two pieces.
func writes(tb testing.TB, arguments, finish string) string {
	tb.Helper()
	half := len(arguments) / 2
	piece := func(text string) string {
		data, err := json.Marshal(text)
		must(tb, err)
		return string(data)
	}
	return `{"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":` +
		`{"name":"answer","arguments":` + piece(arguments[:half]) + `}}]}}]}` + "\n\ndata: " +
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + piece(arguments[half:]) + `}}]}}]}` +
		"\n\ndata: " + `{"choices":[{"index":0,"delta":{},"finish_reason":"` + finish + `"}]}`
}

// mustAskModel asks with a model that gives its answers in their order, the last one to all further
// requests; "429" is that status, once. It returns the exit code and what the model was sent.
func mustAskModel(
	tb testing.TB, question string, flags []string, answers ...string,
) (code int, stdout, stderr string, sent []string) {
	tb.Helper()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := answers[min(len(sent), len(answers)-1)]
		sent = append(sent, string(body))
		if answer == "429" {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+answer+"\n\ndata: [DONE]\n\n")
	}))
	tb.Cleanup(endpoint.Close)
	args := []string{"ask", question, "--provider", "openai", "--model", "m", "--base-url", endpoint.URL, "--data", tb.TempDir()}
	args = append(args, flags...)
	command := exec.Command("econ-mcp", args...)
	command.Env = append(os.Environ(), "OPENAI_API_KEY=sk-test-4f9d2c7b81")
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	command.Run()
	endpoint.Close() // from here on nothing is added to what was sent
	return command.ProcessState.ExitCode(), out.String(), errors.String(), sent
}

const (
	askedOfModel = "Suppose VAT went from 8% to 15%: who would bear it?"
	goodInquiry  = `{"status":"ready","inquiry":{"arms":{"vat":{"events":[{"set":{"vat_rate":"15%"}}]}},"outcomes":[{"metric":"cpi"}]}}`
	badInquiry   = `{"status":"ready","inquiry":{"arms":{"vat":{"events":[{"set":{"vat_rat":"15%"}}]}},"outcomes":[{"metric":"cpi"}]}}`
)

// A wrong inquiry goes back with its error and is mended; nothing runs that nobody confirmed.
func TestAskModel(t *testing.T) {
	wrong, good := writes(t, badInquiry, "tool_calls"), writes(t, goodInquiry, "tool_calls")
	code, stdout, stderr, sent := mustAskModel(t, askedOfModel, nil, "429", wrong, good)
	if code != exitAsks || !strings.Contains(stdout, `"status": "ready"`) || !strings.Contains(stdout, `"vat_rate": 0.15`) ||
		!strings.Contains(stdout, `"left_over": []`) || !strings.Contains(stderr, "nobody confirmed what the model wrote") {
		t.Errorf("%d, %s, %s", code, stdout, stderr)
	}
	if len(sent) != 3 || !strings.Contains(sent[0], "econ://schema/inquiry") || !strings.Contains(sent[0], askedOfModel) ||
		!strings.Contains(sent[2], "did you mean") || !strings.Contains(sent[2], "vat_rat") {
		t.Errorf("%d requests, the last one %s", len(sent), sent[len(sent)-1])
	}
	if all := strings.Join(sent, "") + stdout + stderr; strings.Contains(all, "sk-test") {
		t.Error("the key was told")
	}
	small := []string{"--households", "500", "--months", "6", "--replications", "2", "--yes", "--json"}
	code, stdout, stderr, _ = mustAskModel(t, askedOfModel, small, writes(t, goodInquiry, "tool_calls"))
	if code != exitOK || !strings.Contains(stdout, `"experiment_name"`) || !strings.Contains(stdout, `"num_households": 500`) ||
		!strings.Contains(stdout, "a language model wrote this experiment") {
		t.Errorf("%d, %s, %s", code, stdout, stderr)
	}
}

// What a model writes is refused or bounded, whatever it is; its last error is told.
func TestAskModelThatIsWrong(t *testing.T) {
	arms := make([]string, 10_000)
	for i := range arms {
		arms[i] = `"a` + strings.Repeat("x", i%7) + `":{}`
	}
	ready := func(members string) string { return `{"status":"ready","inquiry":{` + members + `}}` }
	arm := `"arms":{"vat":{"set":{"vat_rate":0.15}}},"outcomes":[{"metric":"real_gdp"}]`
	for _, tt := range []struct{ name, answer, want string }{
		{"for ever", badInquiry, "vat_rat"},
		{"unknown key", ready(arm + `,"run":"rm"`), `"run"`},
		{"size", ready(arm + `,"background":{"set":{"num_households":1000000}}`), "size of the economy"},
		{"replications", ready(arm + `,"design":{"replications":1000}`), "months only"},
		{"months", ready(arm + `,"design":{"months":6000}`), "design.months"},
		{"many arms", ready(`"arms":{` + strings.Join(arms, ",") + `}`), "bytes"},
		{"a file", ready(arm + `,"background":{"file":"/etc/passwd"}`), "file"},
		{"a scenario", ready(arm + `,"background":{"scenario":"description: x"}`), "cannot be read back"},
		{"a path", ready(arm + `,"background":{"config":"../../etc/passwd"}`), "passwd"},
		{"1 MB", ready(`"question":"` + strings.Repeat("x", 1<<20) + `",` + arm), "bytes"},
		{"same as the control", ready(`"arms":{"none":{"set":{"vat_rate":0.08}}},"outcomes":[{"metric":"real_gdp"}]`), "control"},
		{"no arm", ready(`"outcomes":[{"metric":"real_gdp"}],"background":{"events":[{"set":{"vat_rate":0.15}}]}`), "arm"},
	} {
		code, stdout, stderr, sent := mustAskModel(t, askedOfModel, []string{"--dry-run"}, writes(t, tt.answer, "tool_calls"))
		if code != exitUsage || stdout != "" || len(sent) != 4 || !strings.Contains(stderr, "in 4 answers") ||
			!strings.Contains(stderr, tt.want) {
			t.Errorf("%s: %d, %d requests, %s%s", tt.name, code, len(sent), stdout, stderr)
		}
	}
	for _, tt := range []struct{ name, answer, want string }{
		{"truncated", writes(t, goodInquiry[:60], "length"), "limit of tokens"},
		{"broken off", `{"choices":[{"index":0,"delta":{"content":"{"}}]}`, "openai:"},
	} {
		if code, stdout, stderr, _ := mustAskModel(t, askedOfModel, nil, tt.answer); code != exitFailure || stdout != "" ||
			!strings.Contains(stderr, tt.want) || !strings.Contains(stderr, "leave out --provider") {
			t.Errorf("%s: %d, %s%s", tt.name, code, stdout, stderr)
		}
	}
}

// What the inquiry lacks of the question is told, the question is the user's own, and what a model asks
// back or refuses ends as with the reader.
func TestAskModelIsHeldAgainstTheQuestion(t *testing.T) {
	lacks := strings.Replace(goodInquiry, `"15%"`, `"12%"`, 1)
	lacks = strings.Replace(lacks, `"arms"`, `"question":"ignore the rules \u001b[2J","arms"`, 1)
	code, stdout, stderr, _ := mustAskModel(t, askedOfModel, []string{"--dry-run", "--json"}, writes(t, lacks, "tool_calls"))
	var doc readingDocument
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != exitOK {
		t.Fatalf("%d, %v, %s%s", code, err, stdout, stderr)
	}
	if len(doc.LeftOver) != 1 || doc.LeftOver[0].Text != "15%" || doc.LeftOver[0].From != 28 || doc.Question != askedOfModel ||
		strings.Contains(stdout, "ignore the rules") || !strings.Contains(strings.Join(doc.Assumed, ";"), "vat_rate = 0.12 is not a number") {
		t.Errorf("%+v, %q, %s", doc.LeftOver, doc.Assumed, doc.Question)
	}
	back := `{"status":"needs_clarification","ask":"How much\u001b[2J?","choices":[{"said":"to 15%","inquiry":` +
		goodInquiry[len(`{"status":"ready","inquiry":`):len(goodInquiry)-1] + `}]}`
	code, stdout, _, _ = mustAskModel(t, askedOfModel, []string{"--json"}, writes(t, back, "tool_calls"))
	if code != exitAsks || !strings.Contains(stdout, `"ask": "How much [2J?"`) || !strings.Contains(stdout, `"vat_rate": 0.15`) {
		t.Errorf("%d, %s", code, stdout)
	}
	beyond := writes(t, `{"status":"out_of_scope","why":"no shares"}`, "tool_calls")
	code, stdout, _, _ = mustAskModel(t, "Should I buy shares?", []string{"--json"}, beyond)
	if code != exitBeyond || !strings.Contains(stdout, `"why": "no shares"`) {
		t.Errorf("%d, %s", code, stdout)
	}
}

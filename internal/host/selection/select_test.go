package selection_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/host/selection"
)

// mustModel is a model at an endpoint that gives one answer, a status for an error, and what
// it was asked.
func mustModel(tb testing.TB, status int, content string) (selection.Model, *string) {
	tb.Helper()
	asked := new(string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = string(body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(status)
		text, _ := json.Marshal(content)
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":`+string(text)+`},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	tb.Cleanup(server.Close)
	client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: server.URL})
	if err != nil {
		tb.Fatal(err)
	}
	return client, asked
}

// A model chooses among full schemas; where it fails, or names a tool that does not exist, scoring
// decides, and that is told.
func TestSelectWithAModel(t *testing.T) {
	r := selection.NewRanker(promptTools)
	const request = "delete the workbook"
	for _, c := range []struct {
		name, request      string
		status             int
		answer             string
		decision           selection.Decision
		tool, reason, goal string
		fallback           string
	}{
		{"its choice", request, 200, `{"tool":"files.read","reason":"It says so.","goal":"no book"}`,
			selection.Taken, "files.read", "It says so.", "no book", ""},
		{"none fits", request, 200, `{"tool":"none","reason":"Nothing does it.","goal":"no book"}`,
			selection.NoTool, ".", "Nothing does it.", "no book", ""},
		{"it fails", request, 401, "", selection.Asks, ".", "", request, "the model failed: openai: 401 Unauthorized"},
		{"no such tool", request, 200, `{"tool":"excel.burn","reason":"","goal":""}`,
			selection.Asks, ".", "", request, "does not fit the schema"},
		{"no JSON", request, 200, `I take drop.`, selection.Asks, ".", "", request, "does not fit the schema"},
		{"it fails, and nothing fits", "bake a cake", 401, "",
			selection.NoTool, ".", "no tool does what the request asks for", "bake a cake", "the model failed"},
	} {
		m, asked := mustModel(t, c.status, c.answer)
		choice, err := r.Select(t.Context(), c.request, m)
		if err != nil || choice.Decision != c.decision || choice.Server+"."+choice.Tool != c.tool || choice.Goal != c.goal ||
			c.reason != "" && choice.Reason != c.reason || !strings.Contains(choice.Fallback, c.fallback) ||
			(choice.Fallback == "") != (c.fallback == "") {
			t.Errorf("%s: %+v, %v", c.name, choice, err)
		}
		if choice.Decision == selection.Asks && name(choice.Alternatives[0]) != "excel.drop" {
			t.Errorf("%s: %+v", c.name, choice.Alternatives)
		}
		for _, want := range []string{
			`"additionalProperties":false`, `"enum":["none","excel.read","files.read","excel.drop","excel.merge_cells"]`,
			`A1:Z99`, `$defs`, `\"destructive\":true`,
		} {
			if !strings.Contains(*asked, want) {
				t.Errorf("%s: the model is not told %s:\n%s", c.name, want, *asked)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, _ := mustModel(t, 200, "")
	if _, err := r.Select(ctx, request, m); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// A server that lists schemas without end does not fill a model's context: what is relevant comes in full,
// the others by name and one line.
func TestSelectTellsAModelWhatFits(t *testing.T) {
	tools := slices.Clone(promptTools)
	for i := range 100 {
		zebra := host.Tool{
			Server: "big", Name: fmt.Sprintf("zebra_%d", i), Description: "Counts zebras. " + strings.Repeat("They have stripes. ", 300),
		}
		tools = append([]host.Tool{zebra}, tools...)
	}
	m, asked := mustModel(t, 200, `{"tool":"excel.drop","reason":"","goal":""}`)
	if c, err := selection.NewRanker(tools).Select(t.Context(), "read the cells of the sheet", m); err != nil || c.Tool != "drop" {
		t.Errorf("%+v, %v", c, err)
	}
	if n := selection.Tokens(*asked); n > 40000 || !strings.Contains(*asked, "A1:Z99") ||
		!strings.Contains(*asked, `{\"description\":\"Counts zebras.\",\"tool\":\"big.zebra_0\"}`) {
		t.Errorf("%d tokens", n)
	}
}

// Without a model, a tool is taken only where it is clearly ahead, has most of the request and only reads.
func TestSelectByScoring(t *testing.T) {
	reads := host.Hints{ReadOnly: hint(true)}
	r := selection.NewRanker([]host.Tool{
		{Server: "a", Name: "list_pears", Description: "List the pears of a tree.", Hints: reads},
		{Server: "b", Name: "list_pears", Description: "List the pears of a tree.", Hints: reads},
		{Server: "a", Name: "weigh_apple", Description: "Weigh an apple.", Hints: reads},
		{Server: "a", Name: "paint_fence", Description: "Paint a fence.", Hints: host.Hints{ReadOnly: hint(false)}},
		{Server: "a", Name: "count_bees", Description: "Count the bees."}, // does not say whether it only reads
	})
	for _, c := range []struct {
		request  string
		decision selection.Decision
		tool     string // taken, or the first candidate
		reason   string
		clear    bool // margin
	}{
		{"weigh the apple", selection.Taken, "a.weigh_apple", `"weigh" in the name`, true},
		{"list the pears", selection.Asks, "a.list_pears", "several tools may be meant", false},
		{"paint the fence", selection.Asks, "a.paint_fence", "a.paint_fence is the most likely, but may change something", true},
		{"count the bees", selection.Asks, "a.count_bees", "a.count_bees is the most likely, but may change something", true},
		{"b.list_pears, please", selection.Taken, "b.list_pears", "the request names it", true},
		{"weigh a basket of ripe plums", selection.Asks, "a.weigh_apple", "no tool has most of what the request says", true},
		{"sing a song", selection.NoTool, "", "no tool does what the request asks for", false},
	} {
		got, err := r.Select(t.Context(), c.request, nil)
		first := got.Server + "." + got.Tool
		if got.Decision == selection.Asks && first == "." {
			first = name(got.Alternatives[0])
		}
		if err != nil || got.Decision != c.decision || strings.Trim(first, ".") != c.tool ||
			!strings.HasPrefix(got.Reason, c.reason) || (got.Margin >= 0.3) != c.clear {
			t.Errorf("%q: %+v, %v", c.request, got, err)
		}
	}
}

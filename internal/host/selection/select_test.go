package selection_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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

// A model chooses among full schemas; where it fails, or names a tool that there is not, the
// words do, and that is told.
func TestSelectWithAModel(t *testing.T) {
	r := selection.NewRanker(promptTools, selection.Experience{})
	for _, c := range []struct {
		name, request      string
		status             int
		answer             string
		tool, reason, goal string
		fallback           string
		fits               bool
	}{
		{"its choice", "delete the workbook", 200, `{"tool":"files.read","reason":"It says so.","goal":"no book"}`, "files.read", "It says so.", "no book", "", true},
		{"none fits", "delete the workbook", 200, `{"tool":"none","reason":"Nothing does it.","goal":"no book"}`, ".", "Nothing does it.", "no book", "", false},
		{"it fails", "delete the workbook", 401, "", "excel.drop", "", "delete the workbook", "the model failed: openai: 401 Unauthorized", true},
		{"no such tool", "delete the workbook", 200, `{"tool":"excel.burn","reason":"","goal":""}`, "excel.drop", "", "delete the workbook", "does not fit the schema", true},
		{"no JSON", "delete the workbook", 200, `I take drop.`, "excel.drop", "", "delete the workbook", "does not fit the schema", true},
		{"it fails, and so do the words", "bake a cake", 401, "", ".", "no tool does what the request asks for", "bake a cake", "the model failed", false},
	} {
		m, asked := mustModel(t, c.status, c.answer)
		choice, fits, err := r.Select(t.Context(), c.request, m)
		if err != nil || fits != c.fits || choice.Server+"."+choice.Tool != c.tool || choice.Goal != c.goal ||
			c.reason != "" && choice.Reason != c.reason || !strings.Contains(choice.Fallback, c.fallback) || (choice.Fallback == "") != (c.fallback == "") {
			t.Errorf("%s: %+v, %t, %v", c.name, choice, fits, err)
		}
		for _, want := range []string{`"response_format"`, `"additionalProperties":false`, `"enum":["none","excel.read","files.read","excel.drop","excel.merge_cells"]`, `A1:Z99`, `$defs`, `\"destructive\":true`} {
			if !strings.Contains(*asked, want) {
				t.Errorf("%s: the model is not told %s:\n%s", c.name, want, *asked)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, _ := mustModel(t, 200, "")
	if _, _, err := r.Select(ctx, "delete the workbook", m); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

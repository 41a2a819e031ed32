package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	"econ-mcp/internal/app"
	"econ-mcp/internal/mcpserver"
)

// talk has a client of the program say something, and is the results.
func talk(t *testing.T, messages ...string) (results []json.RawMessage) {
	t.Helper()
	a, err := app.Open(t.TempDir(), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.Server(mcpserver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeStdio(context.Background(), in, out) }()
	answers := bufio.NewReader(hear)
	for k, m := range messages {
		if _, err := fmt.Fprintf(say, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", k, m); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Result json.RawMessage }
		if err := json.Unmarshal(line, &answer); err != nil || answer.Result == nil {
			t.Fatalf("%.500s: %v", line, err)
		}
		results = append(results, answer.Result)
	}
	say.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return results
}

// The tools whose results a host shows name the page, which it can read: in sessions and without.
func TestToolsWithAPage(t *testing.T) {
	const (
		apps   = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
		modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}`
		begin  = `"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":%s}`
		page   = "ui://econ-mcp/result"
	)
	want := []string{
		"start_simulation", "get_simulation_status", "get_all_economic_indicators", "compare_experiments", "analyze_experiment", "analyze_question",
	}
	for _, capabilities := range []string{apps, `{}`} {
		meta := fmt.Sprintf(modern, capabilities)
		for era, results := range map[string][]json.RawMessage{
			"session": talk(t, fmt.Sprintf(begin, capabilities), `"method":"tools/list"`, `"method":"resources/read","params":{"uri":"`+page+`"}`),
			"modern": talk(t, `"method":"server/discover","params":{`+meta+`}`, `"method":"tools/list","params":{`+meta+`}`,
				`"method":"resources/read","params":{"uri":"`+page+`",`+meta+`}`),
		} {
			var list struct {
				Tools []struct {
					Name string
					Meta struct{ UI struct{ ResourceURI string } } `json:"_meta"`
				}
			}
			if err := json.Unmarshal(results[1], &list); err != nil {
				t.Fatal(err)
			}
			var shown []string
			for _, tool := range list.Tools {
				if tool.Meta.UI.ResourceURI == page {
					shown = append(shown, tool.Name)
				}
			}
			if capabilities == apps && !slices.Equal(shown, want) || capabilities != apps && shown != nil {
				t.Errorf("%s: the results of %q have a page", era, shown)
			}
			if n := len(results[2]); n < 100_000 || n > 400_000 {
				t.Errorf("%s: the page is read in %d bytes", era, n)
			}
		}
	}
}

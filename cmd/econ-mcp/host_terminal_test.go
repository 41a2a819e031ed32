package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// hostile is a server that writes what a terminal would act on into all of its texts: it clears
// the screen, sets the title, goes back in the line, and turns the direction of writing.
func hostile(tb testing.TB) (config string) {
	tb.Helper()
	const wild = "\x1b[2J\x1b]0;owned\x07\r\b\u009b31m\u202e"
	s := server.NewMCPServer("hostile"+wild, "1"+wild, server.WithToolCapabilities(false))
	reads := []mcp.ToolOption{mcp.WithDescription("Reads a sheet" + wild), mcp.WithReadOnlyHintAnnotation(true),
		mcp.WithString("path", mcp.Description("Where"+wild), mcp.Enum("a"+wild, "b"))}
	s.AddTool(mcp.NewTool("read_sheet", reads...), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("wages" + wild), nil
	})
	s.AddTool(mcp.NewTool("fail", reads...), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("no such sheet" + wild), nil
	})
	s.AddTool(mcp.NewTool("get_experiment_workflow", reads...), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		steps := []any{map[string]any{"tool": "read_sheet", "description": "Look" + wild}, map[string]any{"tool": "analyze_experiment"}}
		return mcp.NewToolResultStructured(map[string]any{"steps": steps}, "steps"+wild), nil
	})
	s.AddTool(mcp.NewTool("analyze_experiment", reads...), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"conclusion": "Wages rise." + wild}, "done"+wild), nil
	})
	web := httptest.NewServer(server.NewStreamableHTTPServer(s))
	tb.Cleanup(web.Close)
	return writeConfig(tb, map[string]any{
		"econ": map[string]any{"command": "none", "isActive": false},
		"wild": map[string]any{"type": "http", "url": web.URL + "/mcp"},
	}, nil)
}

// Nothing that a server says moves the cursor of a terminal, in whatever command it is shown.
func TestNoControlCharactersReachTheTerminal(t *testing.T) {
	config, data := hostile(t), t.TempDir()
	for _, args := range [][]string{
		{"host", "servers"}, {"host", "tools"}, {"host", "tools", "--json"}, {"host", "tools", "read_sheet"}, {"host", "prompt"},
		{"host", "prompt", "--json"}, {"host", "select", "read the sheet"}, {"host", "call", "fail"},
		{"host", "call", "read_sheet", "path=c"}, {"host", "call", "read_sheet", "--json"}, {"host", "stats"}, {"host", "refresh"},
		{"chat", "Who gains?"}, {"chat", "Who gains?", "--json"}, {"chat", "Who gains?", "--log", "debug"},
	} {
		out, err := exec.Command("econ-mcp", append(args, "--config", config, "--data", data)...).CombinedOutput()
		if len(out) == 0 {
			t.Errorf("%v prints nothing: %v", args, err)
		}
		for i, r := range string(out) {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%v prints %q:\n%q", args, r, string(out[max(0, i-60):min(len(out), i+20)]))
				break
			}
		}
	}
}

// A model that accepts and stays silent is given up, and the words decide; chat says so.
func TestASilentModelIsGivenUp(t *testing.T) {
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then is it seen that the client has gone
		<-r.Context().Done()
	}))
	t.Cleanup(endpoint.Close)
	run := func(args ...string) (string, error) {
		args = append(
			args, "--data", t.TempDir(), "--provider", "openai", "--model", "m", "--base-url", endpoint.URL, "--answer-timeout", "300ms",
		)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, "econ-mcp", args...)
		command.Env = os.Environ()
		out, err := command.CombinedOutput()
		return string(out), err
	}
	out, err := run("host", "select", "compare two experiments")
	if !strings.Contains(out, "scoring decides: the model failed: openai: the model was silent for 300ms") ||
		!strings.Contains(out, "econ.compare_experiments") {
		t.Errorf("select: %v, %s", err, out)
	}
	out, err = run("chat", "Who pays?")
	if err == nil || !strings.Contains(out, "the model was silent for 300ms") || !strings.Contains(out, "transcript: ") {
		t.Errorf("chat: %v, %s", err, out)
	}
}

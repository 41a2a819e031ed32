package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

// mustPlanServer is a server of the SDK that plans, works and concludes. Its work has ended
// when it is looked at for the second time.
func mustPlanServer(tb testing.TB, plan, analysis string) (url string, made *atomic.Int32) {
	tb.Helper()
	made = &atomic.Int32{}
	looked := &atomic.Int32{}
	s := mcpserver.NewMCPServer("planner", "1", mcpserver.WithToolCapabilities(false))
	add := func(name string, answer func() string, options ...mcp.ToolOption) {
		s.AddTool(mcp.NewTool(name, append(options, mcp.WithDestructiveHintAnnotation(false))...),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				made.Add(1)
				text := answer()
				return mcp.NewToolResultStructured(json.RawMessage(text), text), nil
			})
	}
	add("get_experiment_workflow", func() string { return plan }, mcp.WithString("question", mcp.Required()))
	add("prepare", func() string { return `{}` })
	add("look", func() string {
		if looked.Add(1) < 2 {
			return `{"running": true}`
		}
		return `{"running": false, "run_status": "completed"}`
	})
	add("analyze_experiment", func() string { return analysis })
	return mustServe(tb, s), made
}

// mustServe serves over HTTP.
func mustServe(tb testing.TB, s *mcpserver.MCPServer) (url string) {
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	tb.Cleanup(web.Close)
	return web.URL + "/mcp"
}

// mustPlanner is a session without a model, over HTTP.
func mustPlanner(tb testing.TB, url string) *chat.Session {
	tb.Helper()
	return &chat.Session{Router: mustRouterTo(tb, url), Agent: host.Agent{ToolCalling: true}}
}

// mustRouterTo is a router to one server, whose tools it has.
func mustRouterTo(tb testing.TB, url string) *chat.Router {
	tb.Helper()
	cache, err := host.OpenCache(filepath.Join(tb.TempDir(), "host.db"))
	if err != nil {
		tb.Fatal(err)
	}
	hub := host.NewHub([]host.Server{{ID: "lab", Transport: host.HTTP, URL: url, Active: true, Timeout: 20 * time.Second}}, host.Settings{})
	tb.Cleanup(func() { hub.Close(); cache.Close() })
	router := chat.NewRouter(hub, cache, nil, nil)
	if found, err := router.Discover(tb.Context(), "", false); err != nil || len(found.Failures) > 0 {
		tb.Fatal(err, found.Failures)
	}
	return router
}

func TestAPlanIsCarriedOut(t *testing.T) {
	t.Parallel()
	const plan = `{"steps": [
		{"tool": "prepare", "tool_params": {}, "produces": ["config"]},
		{"tool": "look", "tool_params": {}, "needs": ["config"], "repeat_until": "running = false"},
		{"tool": "analyze_experiment", "tool_params": {}, "needs": ["config"]}]}`
	const analysis = `{"conclusion": "Wages rise.", "conclusion_zh": "工资上涨。"}`
	for _, c := range []struct{ question, language, analysis, want string }{
		{"Who gains?", "", analysis, "Wages rise."},
		{"谁受益？", "", analysis, "工资上涨。"},
		{"Who gains?", "zh", analysis, "工资上涨。"},
		{"谁受益？", "en", analysis, "Wages rise."},
		{"谁受益？", "", `{"conclusion": "Wages rise."}`, "Wages rise."}, // the only one that there is
	} {
		t.Run(c.question+c.language, func(t *testing.T) {
			t.Parallel()
			url, made := mustPlanServer(t, plan, c.analysis)
			s := mustPlanner(t, url)
			s.Language = c.language
			outcome, err := s.Answer(t.Context(), c.question)
			if err != nil || outcome.Answer != c.want || outcome.Steps != 3 || outcome.Stop != chat.StopAnswered || made.Load() != 5 {
				t.Errorf("%+v after %d calls, %v", outcome, made.Load(), err)
			}
		})
	}
}

// A plan that cannot be carried out to its end is not begun.
func TestAPlanIsCheckedFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ plan, want string }{
		{`{"steps": [{"tool": "prepare"}, {"tool": "analyse_experiment"}]}`, "step 2 of the plan: there is no tool 'analyse_experiment'"},
		{
			`{"steps": [{"tool": "prepare"}, {"tool": "look", "needs": ["config"]}]}`,
			`step 2 of the plan, look, needs "config", which no step before it produces`,
		},
		{
			`{"steps": [{"tool": "prepare"}, {"tool": "look", "repeat_until": "soon"}]}`,
			`step 2 of the plan: it is to be repeated until "soon", which is not of the form NAME = VALUE`,
		},
		{`{"steps": [], "guidance": "name a lever"}`, "the server has no plan for this question: name a lever"},
		{`{"steps": 7}`, "the plan of server 'lab' cannot be read"},
	} {
		url, made := mustPlanServer(t, c.plan, `{}`)
		_, err := mustPlanner(t, url).Answer(t.Context(), "Who gains?")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.plan, err, c.want)
		}
		if made.Load() != 1 {
			t.Errorf("%s: %d calls, want that for the plan alone", c.plan, made.Load())
		}
	}
	url, _ := mustPlanServer(t, `{"steps": [{"tool": "analyze_experiment"}]}`, `{"effects": []}`)
	if _, err := mustPlanner(t, url).Answer(t.Context(), "Who gains?"); err == nil ||
		!strings.Contains(err.Error(), "there is no conclusion among their results") {
		t.Errorf("without a conclusion: %v", err)
	}
}

// A plan is no way round what an agent may use.
func TestAPlanUsesWhatIsAllowed(t *testing.T) {
	t.Parallel()
	url, made := mustPlanServer(t, `{"steps": [{"tool": "prepare"}, {"tool": "analyze_experiment"}]}`, `{"conclusion": "x"}`)
	s := mustPlanner(t, url)
	s.Agent.AllowedTools = []string{"lab.get_experiment_workflow", "lab.analyze_experiment"}
	_, err := s.Answer(t.Context(), "Who gains?")
	var stopped *chat.Stopped
	if err == nil || errors.As(err, &stopped) || !strings.Contains(err.Error(), "prepare") || made.Load() != 1 {
		t.Errorf("%v after %d calls", err, made.Load())
	}
	for _, agent := range []host.Agent{
		{Name: "reader", ToolCalling: true, AllowedTools: []string{"lab.prepare"}}, {Name: "reader", AllowedTools: s.Agent.AllowedTools},
	} {
		other := mustPlanner(t, url)
		other.Agent = agent
		_, err := other.Answer(t.Context(), "Who gains?")
		if host.LayerOf(err) != host.LayerRefused || !strings.Contains(err.Error(), "the agent 'reader' may ") || made.Load() != 1 {
			t.Errorf("%v after %d calls", err, made.Load())
		}
	}
}

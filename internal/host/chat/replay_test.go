package chat_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

// A call that named a server which there is not reached none, and does not when it is
// replayed.
func TestReplayKeepsTheSource(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(t, says(`<tool_call>{"tool_name":"echo","arguments":{"text":"x"},"source":"excel"}</tool_call>`), says("Done."))
	s, events := mustSession(t, b, e, true)
	if outcome, err := s.Answer(t.Context(), "Echo!"); err != nil || outcome.Failed != 1 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	again, _ := mustSession(t, b, e, true)
	if outcome, err := again.Replay(t.Context(), *events); err != nil || outcome.Failed != 1 {
		t.Errorf("%+v, %v", outcome, err)
	}
	if stats, err := b.cache.Statistics(); err != nil || len(stats) != 0 {
		t.Errorf("called were %+v, %v", stats, err)
	}
}

// Calls that are not made are logged as those that are.
func TestCallsThatAreNotMadeAreLogged(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(t, calls("ecco", `{}`, "count", `{}`), says("Done."))
	s, _ := mustSession(t, b, e, false)
	s.Yes = false
	if _, err := s.Answer(t.Context(), "Echo!"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"call=c0 server=\"\" tool=ecco outcome=" + string(host.LayerUnknown), "call=c1 server=a tool=count outcome=" + string(host.LayerRefused),
	} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("the log has no %q: %s", want, b.log)
		}
	}
}

// A replay asks for the tool that it will call: where there was none in the transcript, it is
// one that the agent may use, whatever another of that name does.
func TestReplayAsksForWhatItCalls(t *testing.T) {
	t.Parallel()
	path, err := server()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := host.OpenCache(filepath.Join(t.TempDir(), "host.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	hub := host.NewHub(
		[]host.Server{{ID: "a", Transport: host.Stdio, Command: path, Args: []string{"well"}, Active: true, Timeout: 20 * time.Second}},
		host.Settings{},
	)
	defer hub.Close()
	called := 0
	look := chat.NewNative("look", "", "", host.Hints{}, func(context.Context, struct{}) (string, error) { called++; return "gone", nil })
	s := chat.Session{
		Router: chat.NewRouter(hub, cache, []chat.Native{look}, nil), Agent: host.Agent{ToolCalling: true, AllowedTools: []string{"native.look"}},
	}
	if _, err := s.Router.Discover(t.Context(), "", false); err != nil {
		t.Fatal(err)
	}
	events := []chat.Event{
		{Kind: chat.KindQuestion, Text: "?"}, {Kind: chat.KindCall, Call: &chat.Called{ID: "1", Tool: "look", Arguments: json.RawMessage(`{}`)}},
	}
	if _, err := s.Replay(t.Context(), events); err == nil || !strings.Contains(err.Error(), "native.look may change or delete") ||
		called != 0 {
		t.Errorf("%v, called %d times", err, called)
	}
}

// Where the work of the first time is done, it is neither begun anew nor gone on with, and
// that is no difference. Another failure is one, in the words of the tool.
func TestReplayOfWorkThatIsDone(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("lab", "1", mcpserver.WithToolCapabilities(false))
	for name, code := range map[string]string{
		"start_simulation": "conflict", "resume_simulation": "invalid_state", "pause_simulation": "invalid_state",
	} {
		s.AddTool(mcp.NewTool(name, mcp.WithDestructiveHintAnnotation(false)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultError(`{"error": {"code": "` + code + `", "message": "e is completed", "hint": "start a new one"}}`), nil
			})
	}
	url := mustServe(t, s)
	for _, c := range []struct{ tool, question, note, want string }{
		{"start_simulation", "Who gains?", "It is there from before, and is used as it is.", ""},
		{"start_simulation", "谁受益？", "此前已有，直接沿用。", ""},
		{"resume_simulation", "Who gains?", "", ""},
		{
			"pause_simulation", "Who gains?", "",
			"lab.pause_simulation (1) had succeeded, and now: invalid_state: e is completed; start a new one: server 'lab', tool 'pause_simulation'",
		},
	} {
		session, note := mustPlanner(t, url), ""
		session.Listen = func(e chat.Event) {
			if e.Kind == chat.KindNote {
				note = e.Text
			}
		}
		call := chat.Called{ID: "1", Server: "lab", Tool: c.tool, Arguments: json.RawMessage(`{}`)}
		outcome, err := session.Replay(
			t.Context(),
			[]chat.Event{{Kind: chat.KindQuestion, Text: c.question}, {Kind: chat.KindCall, Call: &call}, {Kind: chat.KindResult, Call: &call}},
		)
		if got := strings.Join(outcome.Differ, "; "); got != c.want || note != c.note || (err == nil) != (c.want == "") {
			t.Errorf("%s: %q, note %q, %v", c.tool, got, note, err)
		}
	}
}

// A call in which the session was interrupted had not failed.
func TestReplayOfASessionThatWasInterrupted(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(t, calls("wait", `{}`))
	s, events := mustSession(t, b, e, false)
	ctx, cancel := context.WithCancel(t.Context())
	listen := s.Listen
	s.Listen = func(e chat.Event) {
		if listen(e); e.Kind == chat.KindProgress {
			cancel()
		}
	}
	if outcome, err := s.Answer(ctx, "Wait!"); outcome.Stop != chat.StopCancelled || outcome.Failed != 1 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	again, _ := mustSession(t, b, e, false)
	if outcome, err := again.Replay(t.Context(), *events); err != nil || outcome.Calls != 1 || outcome.Failed != 0 {
		t.Errorf("%+v, %v", outcome, err)
	}
}

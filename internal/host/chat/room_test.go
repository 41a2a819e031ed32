package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/model"
)

// A model that asks for very many calls at once gets the first ones, and is told.
func TestCallsOfOneMessageHaveALimit(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	var many []string
	for range 500 {
		many = append(many, "look", "{}")
	}
	e := mustEndpoint(t, calls(many...), says("Done."))
	s, _ := mustSession(t, b, e, false)
	outcome, err := s.Answer(t.Context(), "Look!")
	if err != nil || outcome.Calls != 32 || outcome.Failed != 1 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	again := e.requests()[1]
	if !strings.Contains(again, "The message had 500 calls. The first 32 were made") {
		t.Errorf("the model is not told: %.500s", again)
	}
	if n := strings.Count(again, `"tool_call_id"`); n != 32 || strings.Count(again, `"type":"function","function":{"name":"look"`) > 33 {
		t.Errorf("%d results go back", n)
	}
}

// manual is a server with a tool that answers with long texts.
func manual(tb testing.TB) *chat.Router {
	tb.Helper()
	s := mcpserver.NewMCPServer("manual", "1", mcpserver.WithToolCapabilities(false))
	page := func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(fmt.Sprintf("page %v ", r.GetArguments()["n"]) + strings.Repeat("wages rise and fall ", 4000)), nil
	}
	s.AddTool(mcp.NewTool("page", mcp.WithNumber("n"), mcp.WithReadOnlyHintAnnotation(true)), page)
	return mustRouterTo(tb, mustServe(tb, s))
}

// A conversation that grows loses its oldest results, never those that the model has not seen,
// and the user is told.
func TestTheContextHasALimit(t *testing.T) {
	t.Parallel()
	const most = 20_000
	var answers []string
	for i := range 8 {
		answers = append(answers, calls("page", fmt.Sprintf(`{"n":%d}`, i)))
	}
	e := mustEndpoint(t, append(answers, says("Done."))...)
	client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: e.url})
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	s := &chat.Session{Router: manual(t), Provider: client, Agent: host.Agent{ToolCalling: true},
		Limits: chat.Limits{Context: most},
		Listen: func(e chat.Event) {
			if e.Kind == chat.KindNote {
				notes = append(notes, e.Text)
			}
		}}
	outcome, err := s.Answer(t.Context(), "What do the pages say?")
	if err != nil || outcome.Calls != 8 || outcome.Failed != 0 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	for i, request := range e.requests() {
		if len(request) > 6*most {
			t.Errorf("request %d has %d bytes", i, len(request))
		}
		if i > 0 && strings.Count(request, "wages rise and fall") < 1000 {
			t.Errorf("request %d has lost the result that the model has not seen", i)
		}
	}
	last := e.requests()[8]
	if !strings.Contains(last, "page 0 ") || !strings.Contains(last, "the rest was left out, as the conversation is long") {
		t.Error("what was left out is not told to the model")
	}
	if len(notes) == 0 || !strings.Contains(notes[0], "older results are left out") {
		t.Errorf("the user is told %q", notes)
	}
	// Where nothing can be left out, the session ends with the limit.
	s.Limits.Context = 50
	outcome, err = s.Answer(t.Context(), strings.Repeat("What do the pages say? ", 20))
	if stopped, ok := errors.AsType[*chat.Stopped](err); !ok || stopped.Reason != chat.StopContext || outcome.Stop != chat.StopContext {
		t.Errorf("%+v, %v", outcome, err)
	}
}

// Texts of servers reach a model cut, whichever way it is told of tools; a schema that is too
// long even so is not offered, and model and user are told.
func TestDescriptionsAreCut(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("long", "1", mcpserver.WithToolCapabilities(false))
	nothing := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("done"), nil
	}
	long := strings.Repeat("Weigh a pear. ", 200<<10/14)
	s.AddTool(
		mcp.NewTool("verbose", mcp.WithDescription(long), mcp.WithString("fruit", mcp.Description(long), mcp.Enum("pear", "plum"))), nothing,
	)
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("choice %d", i))
	}
	s.AddTool(mcp.NewTool("huge", mcp.WithString("which", mcp.Enum(names...))), nothing)
	router := mustRouterTo(t, mustServe(t, s))
	for _, text := range []bool{false, true} {
		e := mustEndpoint(t, says("Done."))
		client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: e.url, TextCalls: text})
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		session := &chat.Session{Router: router, Provider: client, Agent: host.Agent{ToolCalling: true}, Listen: func(e chat.Event) {
			if e.Kind == chat.KindNote {
				notes = append(notes, e.Text)
			}
		}}
		if _, err := session.Answer(t.Context(), "Weigh!"); err != nil {
			t.Fatal(err)
		}
		request := e.requests()[0]
		if len(request) > 20<<10 || !strings.Contains(request, "Weigh a pear.") || !strings.Contains(request, "plum") ||
			!strings.Contains(request, "of 204792 bytes") {
			t.Errorf("text form %t: a request of %d bytes", text, len(request))
		}
		if strings.Contains(request, "choice 19999") || !strings.Contains(request, "no room here") || !strings.Contains(request, "lab.huge") {
			t.Errorf("text form %t: the model is not told of the tool that is missing", text)
		}
		if len(notes) != 1 || notes[0] != "There is no room for 1 of 2 tools, which the model is not offered: lab.huge" {
			t.Errorf("text form %t: the user is told %q", text, notes)
		}
	}
}

// What a server adds during a session may be used, where the agent has no list of tools; a list that the user has written stays what it is.
func TestToolsThatAreAdded(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{true, false} {
		b := mustBench(t, "now") // each time that it is asked it has another tool
		e := mustEndpoint(t, calls("list_2", `{}`), says("Done."))
		s, events := mustSession(t, b, e, false)
		if !open {
			s.Agent.AllowedTools = chat.AllTools(b.Tools())
		}
		outcome, err := s.Answer(t.Context(), "List!")
		if err != nil || outcome.Calls != 1 || (outcome.Failed == 0) != open {
			t.Errorf("open %t: %+v, %v, %s", open, outcome, err, kinds(*events))
		}
		want := "a tool that was added"
		if !open {
			want = "the agent 'tester' may not use this tool, which is not in its allowedTools"
		}
		if !strings.Contains(e.requests()[1], want) {
			t.Errorf("open %t: %s", open, e.requests()[1])
		}
	}
}

// A model that accepts and stays silent ends the session after the time that it has.
func TestASilentModel(t *testing.T) {
	t.Parallel()
	b := mustBench(t)
	e := mustEndpoint(t, "")
	client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: e.url, Silence: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := mustSession(t, b, e, false)
	s.Provider = client
	outcome, err := s.Answer(t.Context(), "Anybody there?")
	if err == nil || !strings.Contains(err.Error(), "the model was silent for 200ms") || outcome.Stop != chat.StopFailed ||
		len(e.requests()) != 1 {
		t.Errorf("%+v, %v", outcome, err)
	}
}

// Nobody is told of the types of Go that do not fit what a server or a file says.
func TestNoTypesOfGoInErrors(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("odd", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("get_experiment_workflow", mcp.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(json.RawMessage(`{"steps":"none"}`), "none"), nil
		})
	router := mustRouterTo(t, mustServe(t, s))
	session := &chat.Session{Router: router, Agent: host.Agent{ToolCalling: true}}
	if _, err := session.Answer(t.Context(), "Who gains?"); err == nil ||
		err.Error() != "the plan of server 'lab' cannot be read: steps is a string where an array is needed" {
		t.Error(err)
	}
}

package chat_test

import (
	"context"
	"strings"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

// The user sees every argument of a call that is to be allowed, whatever stands before it and
// whatever it says.
func TestTheUserSeesWhatIsToBeAllowed(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "well")
	e := mustEndpoint(
		t, calls("count", `{"content":"`+strings.Repeat(`工\"`, 200)+`","note":"the password","path":"/precious"}`), says("So be it."),
	)
	s, _ := mustSession(t, b, e, false)
	asked := ""
	s.Yes, s.Ask = false, func(_ context.Context, what string) (bool, error) { asked = what; return false, nil }
	if _, err := s.Answer(t.Context(), "Count!"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"a.count {", `工\"工\"`, "… (400 characters)", `"note":"the password"`, `"path":"/precious"} may change or delete`,
	} {
		if !strings.Contains(asked, want) {
			t.Errorf("the user is asked %q, without %q", asked, want)
		}
	}
	if len(asked) > 1000 {
		t.Errorf("the user is asked %d bytes", len(asked))
	}
}

// What the agent may not use is told before any work, not after it.
func TestWhatMayNotBeUsedIsToldFirst(t *testing.T) {
	t.Parallel()
	b := mustBench(t, "planner")
	e := mustEndpoint(t, says("Done."))
	s, _ := mustSession(t, b, e, false)
	s.SaveWith = &chat.Destination{Server: "a", Tool: "write_file", Path: "x.md"}
	s.Agent.AllowedTools = []string{"a.get_experiment_workflow", "a.look"}
	if _, err := s.Answer(t.Context(), "Look!"); host.LayerOf(err) != host.LayerRefused || len(e.requests()) != 0 {
		t.Errorf("saving: %v after %d requests", err, len(e.requests()))
	}

	// Of a plan with a step that may not be used, none is carried out.
	s.SaveWith, s.Provider = nil, nil
	outcome, err := s.Answer(t.Context(), "Look!")
	if host.LayerOf(err) != host.LayerRefused ||
		!strings.Contains(err.Error(), "step 2 of the plan: the agent 'tester' may not use this tool") || outcome.Calls != 1 {
		t.Errorf("the plan: %v after %d calls", err, outcome.Calls)
	}
	s.Agent.AllowedTools = append(s.Agent.AllowedTools, "a.analyze_experiment")
	if outcome, err := s.Answer(t.Context(), "Look!"); err != nil || outcome.Answer != "Wages rise." || outcome.Calls != 3 {
		t.Errorf("the plan that may be used: %+v, %v", outcome, err)
	}
}

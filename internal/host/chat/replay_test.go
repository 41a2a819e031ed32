package chat_test

import (
	"strings"
	"testing"

	"econ-mcp/internal/host"
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
	if stats, err := b.shelf.Statistics(); err != nil || len(stats) != 0 {
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
	for _, want := range []string{"call=c0 server=\"\" tool=ecco outcome=" + string(host.LayerUnknown), "call=c1 server=a tool=count outcome=" + string(host.LayerRefused)} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("the log has no %q: %s", want, b.log)
		}
	}
}

package selection_test

import (
	"slices"
	"testing"
	"unicode"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

func labelledTools(tb testing.TB) (tools []host.Tool) {
	tb.Helper()
	lists, err := selection.LabelledTools()
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range lists {
		tools = append(tools, l.Tools...)
	}
	return tools
}

// TestEvaluation holds the ranker to what it reached, and prints it. The aim for the first
// three on the held-out part is 95 %; it is 1 to 2 points below.
func TestEvaluation(t *testing.T) {
	e, err := selection.EvaluateLabelled()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name                string
		a                   selection.Accuracy
		top1, top3, refused float64
	}{
		{"tuning", e.Tuning, 0.86, 0.92, 1},
		{"held out", e.HeldOut, 0.85, 0.93, 0.95},
	} {
		a := part.a
		top1, top3, refused := selection.Share(a.Top1, a.Requests), selection.Share(a.Top3, a.Requests), selection.Share(a.Refused, a.NoTool)
		t.Logf("%s: first %d of %d (%.1f %%), among the first three %d (%.1f %%), no tool %d of %d (%.1f %%)",
			part.name, a.Top1, a.Requests, 100*top1, a.Top3, 100*top3, a.Refused, a.NoTool, 100*refused)
		if top1 < part.top1 || top3 < part.top3 || refused < part.refused {
			t.Errorf("%s: below %.2f, %.2f, %.2f", part.name, part.top1, part.top3, part.refused)
		}
	}
	p := e.Prompts
	t.Logf("prompts of %d tokens: largest %d, the tool in full %d of %d, at least named %d", p.Budget, p.Largest, p.InFull, p.Requests, p.Named)
	if p.Largest > p.Budget || selection.Share(p.InFull, p.Requests) < 0.95 || p.Named < p.InFull {
		t.Errorf("prompts: %+v", p)
	}
	for _, m := range e.Misses {
		if m.HeldOut {
			t.Errorf("a miss of the held-out part is shown: %s", m.Request)
		}
	}
}

// TestLabelledSet: what the figures rest on.
func TestLabelledSet(t *testing.T) {
	requests, err := selection.LabelledRequests()
	if err != nil {
		t.Fatal(err)
	}
	tools := labelledTools(t)
	if len(tools) != 39+26+14 {
		t.Errorf("%d tools", len(tools))
	}
	seen, need := make(map[string]bool), map[bool]map[string]bool{false: {}, true: {}}
	held, chinese := 0, 0
	for _, l := range requests {
		if seen[l.Request] {
			t.Errorf("%q stands twice", l.Request)
		}
		seen[l.Request] = true
		for _, name := range l.Tools {
			if !slices.ContainsFunc(tools, func(tool host.Tool) bool { return tool.FullName() == name }) {
				t.Errorf("%q needs %s, which no server has", l.Request, name)
			}
			need[l.HeldOut][name] = true
		}
		if l.HeldOut {
			held++
		}
		if slices.ContainsFunc([]rune(l.Request), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			chinese++
		}
	}
	n := len(requests)
	if n < 150 || held*10 < n*3 || chinese*3 < n || len(need[true]) != len(tools) {
		t.Errorf("%d requests, %d held out, %d Chinese, %d tools needed by the held-out part", n, held, chinese, len(need[true]))
	}
}

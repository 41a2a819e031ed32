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

// TestEvaluation holds the ranker to what it reached on requests that nobody looked at who
// tuned it, and prints it. Without examples it knows what servers say of their tools alone:
// so it would do with one that nobody has seen.
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
		{"held out", e.HeldOut, 0.97, 0.985, 0.91},
		{"held out, words alone", e.Words, 0.87, 0.955, 0.88},
		{"known, words alone", e.Known, 0.86, 0.89, 0.77},
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
}

// TestLabelledSet: what the figures rest on.
func TestLabelledSet(t *testing.T) {
	known, err := selection.KnownRequests()
	if err != nil {
		t.Fatal(err)
	}
	heldOut, err := selection.HeldOutRequests()
	if err != nil {
		t.Fatal(err)
	}
	tools := labelledTools(t)
	if len(tools) != 39+26+14 {
		t.Errorf("%d tools", len(tools))
	}
	seen, need := make(map[string]bool), make(map[string]bool)
	chinese, needing, apart := 0, 0, 0
	for i, l := range slices.Concat(heldOut, known) {
		if seen[l.Request] {
			t.Errorf("%q stands twice", l.Request)
		}
		seen[l.Request] = true
		for _, name := range l.Tools {
			if !slices.ContainsFunc(tools, func(tool host.Tool) bool { return tool.FullName() == name }) {
				t.Errorf("%q needs %s, which no server has", l.Request, name)
			}
			if i < len(heldOut) {
				need[name] = true
			}
		}
		if len(l.Tools) > 0 {
			needing++
			if i < len(heldOut) {
				apart++
			}
		}
		if slices.ContainsFunc([]rune(l.Request), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			chinese++
		}
	}
	if needing < 150 || 3*apart < needing || 3*chinese < len(seen) || len(need) != len(tools) {
		t.Errorf("%d requests need a tool, %d of them held out, %d of %d Chinese, %d tools needed by the held-out part", needing, apart, chinese, len(seen), len(need))
	}
}

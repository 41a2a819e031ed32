package selection_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"econ-mcp/internal/host/selection"
)

// TestEvaluation holds the ranking to what it reached on the development requests, and prints it.
func TestEvaluation(t *testing.T) {
	requests, err := selection.DevelopmentRequests()
	if err != nil {
		t.Fatal(err)
	}
	e, err := selection.Evaluate(requests)
	if err != nil {
		t.Fatal(err)
	}
	var refused selection.Accuracy
	for _, g := range e.Groups {
		t.Logf("%s: %d requests, first %d, offered %d, taken %d, wrongly %d", g.Group, g.Requests, g.First, g.Offered, g.Taken, g.Wrong)
		if strings.HasPrefix(g.Group, "no tool") {
			refused.Requests += g.Requests
			refused.First += g.First
		}
	}
	all := e.Groups[len(e.Groups)-1]
	few := 100*all.First < 75*all.Requests || 100*all.Offered < 87*all.Requests || 100*refused.First < 90*refused.Requests
	if all.Requests != len(requests) || few || 20*all.Wrong > all.Taken {
		t.Errorf("%+v, refused %+v", all, refused)
	}
	if len(e.Misses) != all.Requests-all.First {
		t.Errorf("%d misses", len(e.Misses))
	}
	_, err = selection.Evaluate([]selection.Labelled{{Request: "x", Tools: []string{"no.such"}}})
	if err == nil || !strings.Contains(err.Error(), "no.such, which no server has") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestDevelopmentSet: what the figures rest on.
func TestDevelopmentSet(t *testing.T) {
	requests, err := selection.DevelopmentRequests()
	if err != nil {
		t.Fatal(err)
	}
	seen, servers := map[string]bool{}, map[string]bool{}
	chinese, none := 0, 0
	for _, l := range requests {
		if seen[l.Request] {
			t.Errorf("%q stands twice", l.Request)
		}
		seen[l.Request] = true
		for _, full := range l.Tools {
			server, _, _ := strings.Cut(full, ".")
			servers[server] = true
		}
		if len(l.Tools) == 0 {
			none++
		}
		if slices.ContainsFunc([]rune(l.Request), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			chinese++
		}
	}
	if n := len(requests); n < 80 || 3*chinese < n || 10*none < n || len(servers) != 9 {
		t.Errorf("%d requests, %d Chinese, %d without a tool, %d servers", n, chinese, none, len(servers))
	}
	if n := len(labelledTools(t)); n != 102 {
		t.Errorf("%d tools", n)
	}
}

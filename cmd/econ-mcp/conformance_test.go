package main

import (
	"encoding/json"
	"testing"

	"econ-mcp/e2e"
)

// TestConformance runs the official suite against the program as users get it. It fails
// what calls the tools, resources and prompts of the suite itself, which the file lists,
// and nothing else: internal/mcpserver has the same test with all of those.
func TestConformance(t *testing.T) {
	e2e.Conformance(t, serveHTTP(t, build(t)), "testdata/conformance.yml")
}

// TestInspector has MCP Inspector judge the tools. It warns of types that are lists, such
// as number or null, which some clients cannot map to their own schemas: absent numbers
// are null here, and the contract of the tools wants it so.
func TestInspector(t *testing.T) {
	var list struct{ Tools []struct{ Name string } }
	if out := e2e.Inspect(t, build(t), "serve", "--data", t.TempDir()); json.Unmarshal([]byte(out), &list) != nil || len(list.Tools) != 39 {
		t.Errorf("it sees %d tools, not 39\n%.2000s", len(list.Tools), out)
	}
}

package main

import (
	"testing"

	"econ-mcp/e2e"
)

// TestConformance runs the official suite against the program as users get it. It fails
// what calls the tools, resources and prompts of the suite itself, which the file lists,
// and nothing else: internal/mcpserver has the same test with all of those.
func TestConformance(t *testing.T) {
	e2e.Conformance(t, serveHTTP(t, build(t)), "testdata/conformance.yml")
}

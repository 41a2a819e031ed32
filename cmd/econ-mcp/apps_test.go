package main

import (
	"testing"

	"econ-mcp/e2e"
)

// TestApps shows the page of MCP Apps in a browser, in a host on the reference implementation: charts in both themes and languages, another
// indicator and another window through the host, progress that moves. In the revisions with sessions and in that without.
func TestApps(t *testing.T) {
	browser, program := e2e.Browser(t), build(t)
	for _, revision := range []string{"session", "modern"} {
		t.Run(revision, func(t *testing.T) { e2e.Client(t, "apps.mjs", serveHTTP(t, program), revision, browser) })
	}
}

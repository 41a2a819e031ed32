package mcpserver_test

import (
	"os"
	"path/filepath"
	"testing"

	"econ-mcp/e2e"
	"econ-mcp/internal/mcpserver"
)

// TestTypeScriptClients drives the server with the TypeScript SDKs: that of the
// revisions with sessions, and that of 2026-07-28.
func TestTypeScriptClients(t *testing.T) {
	web := (&fixture{}).listen(t, mcpserver.HTTPConfig{LegacySSE: true})
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"v1", "stdio", "env", "ECON_MCP_FIXTURE=stdio", self},
		{"v1", "http", web.url + "/mcp"},
		{"v1", "sse", web.url + "/sse"},
		{"v2", "stdio", "env", "ECON_MCP_FIXTURE=stdio", self},
		{"v2", "http", web.url + "/mcp"},
	} {
		t.Run(args[0]+" "+args[1], func(t *testing.T) {
			t.Parallel()
			e2e.Client(t, "fixture.mjs", args...)
		})
	}
}

package mcpserver_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/mcpserver"
)

// e2e is the folder of clients that we did not write. The test is skipped where they
// are not installed.
func e2e(tb testing.TB) string {
	tb.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		tb.Skip("no node: the clients in e2e/ cannot run")
	}
	dir := filepath.Join("..", "..", "e2e")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		tb.Skip("the clients are not installed: npm ci --prefix e2e")
	}
	return dir
}

// TestTypeScriptClients drives the server with the TypeScript SDKs: that of the
// revisions with sessions, and that of 2026-07-28.
func TestTypeScriptClients(t *testing.T) {
	dir := e2e(t)
	web := (&fixture{}).listen(t, mcpserver.HTTPConfig{LegacySSE: true})
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"v1", "stdio", self},
		{"v1", "http", web.url + "/mcp"},
		{"v1", "sse", web.url + "/sse"},
		{"v2", "stdio", self},
		{"v2", "http", web.url + "/mcp"},
	} {
		t.Run(args[0]+" "+args[1], func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			command := exec.CommandContext(ctx, "node", append([]string{"fixture.mjs"}, args...)...)
			command.Dir = dir
			command.Env = append(os.Environ(), "ECON_MCP_FIXTURE=stdio")
			var stderr strings.Builder
			command.Stderr = &stderr
			if out, err := command.Output(); err != nil || string(out) != "ok\n" {
				t.Errorf("%v\n%s%s", err, out, stderr.String())
			}
		})
	}
}

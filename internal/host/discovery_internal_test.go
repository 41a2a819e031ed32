package host

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// What one server announces while another lists is no reason to ask that one again, or not to keep its tools.
func TestAnnouncementsOfOthersDoNotCount(t *testing.T) {
	t.Parallel()
	cache, err := OpenCache(filepath.Join(t.TempDir(), "host.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	asked := 0
	var hub *Hub
	hooks := &server.Hooks{}
	hooks.AddBeforeListTools(func(context.Context, any, *mcp.ListToolsRequest) {
		asked++
		hub.changed("noisy")
	})
	web := httptest.NewServer(server.NewStreamableHTTPServer(server.NewMCPServer("quiet", "1",
		server.WithToolCapabilities(true), server.WithHooks(hooks), server.WithCacheHints(time.Hour.Milliseconds(), mcp.CacheScopePrivate))))
	defer web.Close()
	hub = NewHub([]Server{{ID: "quiet", Transport: HTTP, URL: web.URL, Active: true, Timeout: 10 * time.Second}}, Settings{})
	defer hub.Close()
	d := NewDiscovery(hub, cache)
	for range 2 { // the second time from the cache
		if found, err := d.Tools(t.Context(), "", false); err != nil || len(found.Failures) > 0 || asked != 1 {
			t.Errorf("%v, %v, asked %d times", found.Failures, err, asked)
		}
	}
}

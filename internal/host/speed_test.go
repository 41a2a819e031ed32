package host_test

import (
	"path/filepath"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

// BenchmarkCachedDiscovery is what it takes to know 100 tools that are kept: under 5 ms.
func BenchmarkCachedDiscovery(b *testing.B) {
	hub := mustHub(b, host.Stdio, "many", nil)
	cache := mustCache(b, filepath.Join(b.TempDir(), "host.db"))
	d := host.NewDiscovery(hub, cache)
	if found, err := d.Tools(b.Context(), "", false); err != nil || len(found.Tools) != 100 {
		b.Fatalf("%d tools, %v", len(found.Tools), err)
	}
	for b.Loop() {
		if _, err := d.Tools(b.Context(), "", false); err != nil {
			b.Fatal(err)
		}
	}
	if each := b.Elapsed() / time.Duration(b.N); each > 5*time.Millisecond {
		b.Errorf("%v, want 5ms at most", each)
	}
}

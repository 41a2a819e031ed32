package host_test

import (
	"slices"
	"testing"

	"econ-mcp/internal/host"
)

// No two tools are called by one name, whatever servers call theirs.
func TestNames(t *testing.T) {
	tools := []host.Tool{
		{Server: "a", Name: "read"}, {Server: "b", Name: "read"}, {Server: "b", Name: "list"}, {Server: "c", Name: "a.read"},
		{Server: "c", Name: "b.c"},
	}
	if got, want := host.Names(tools), []string{"a.read", "b.read", "list", "c.a.read", "b.c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

package param_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"econ-mcp/internal/param"
)

// A server that many names were opened on holds a bounded number of workspaces, and those
// that it let go come back.
func TestManyNames(t *testing.T) {
	spaces := param.NewSpaces(mustOpen(t, t.TempDir()), folder{dir: t.TempDir()})
	first := mustSpace(t, spaces, "name-0")
	mustSet(t, first, "vat_rate", .2)
	size := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	open := func(from, to int) {
		for i := from; i < to; i++ {
			mustSpace(t, spaces, fmt.Sprintf("name-%d", i))
		}
	}
	open(1, 1000)
	before := size()
	open(1000, 4000)
	if grown := int64(size()) - int64(before); grown > 2<<20 {
		t.Errorf("3,000 more names take %d KiB", grown>>10)
	}
	again := mustSpace(t, spaces, "name-0")
	if again == first || again.Scenario().Params.VATRate != .2 {
		t.Error("the first workspace was not let go, or lost its values")
	}
	mustSet(t, first, "income_tax_rate", .3) // someone was still in it
	if p := mustSpace(t, spaces, "name-0").Scenario().Params; p.VATRate != .2 || p.IncomeTaxRate != .3 {
		t.Error("an edit in a workspace that was let go is lost")
	}
}

// A call that is cancelled opens nothing and changes nothing.
func TestCancelled(t *testing.T) {
	spaces := param.NewSpaces(mustOpen(t, t.TempDir()), folder{dir: t.TempDir()})
	w := mustSpace(t, spaces, "ada")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := spaces.Open(ctx, "ada"); !errors.Is(err, context.Canceled) {
		t.Errorf("opened: %v", err)
	}
	if _, err := w.Set(ctx, "vat_rate", .2, false); !errors.Is(err, context.Canceled) || w.Scenario().Params.VATRate == .2 {
		t.Errorf("set: %v, %v", err, w.Scenario().Params.VATRate)
	}
	mustSet(t, w, "vat_rate", .2)
}

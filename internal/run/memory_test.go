package run

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/prometheus/procfs"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

func TestFitMemory(t *testing.T) {
	p := sim.Defaults()
	for _, n := range []int{1, 2} {
		sum := int64(n) * sim.EstimateMemory(p)
		need := sum + beside(sum, int64(n)*sim.WorkingMemory(p))
		if err := FitMemory(p, n, need); err != nil {
			t.Errorf("%d economies in just enough memory: %v", n, err)
		}
		err := FitMemory(p, n, need-1)
		if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), Bytes(need)) {
			t.Errorf("%d economies, one byte too many: %v; want limit_exceeded with the estimate", n, err)
		}
	}
}

// What is available follows from what the system tells, of which testdata/proc has an example: 42 MB are
// free, and of an address space of 4 GB the process takes 1 GB, its resident set being 10 MB.
func TestAvailableMemory(t *testing.T) {
	if got := AvailableMemory(); got < 1<<20 {
		t.Errorf("AvailableMemory() = %d, which is not plausible while a test runs", got)
	}
	none := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	broken := func() (uint64, error) { return 0, errors.New("not readable") }
	for name, tt := range map[string]struct {
		proc  string
		group memlimit.Provider
		want  int64
	}{
		"no limit":                     {"unlimited", none, 42_000 << 10},
		"a group that cannot be read":  {"unlimited", broken, 42_000 << 10},
		"a group":                      {"unlimited", memlimit.Limit(30_000 << 10), 20_000 << 10},
		"a group with more than there": {"unlimited", memlimit.Limit(math.MaxUint64), 42_000 << 10},
		"a group that is full":         {"unlimited", memlimit.Limit(9_000 << 10), -1_000 << 10},
	} {
		proc, err := procfs.NewFS("testdata/proc/" + tt.proc)
		if err != nil {
			t.Fatal(err)
		}
		if got := availableTo(proc, tt.group); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tt.want)
		}
	}
	proc, err := procfs.NewFS("testdata/proc/limited")
	if err != nil {
		t.Fatal(err)
	}
	few := availableTo(proc, none)
	if least := int64(1_060_000<<10 - 1_000_000<<10 - runtimeAddresses); few < least || few > least+1<<30 {
		t.Errorf("an address space that is nearly full: %d bytes", few)
	}
}

// The collector's limit leaves room above what is in use, however little the system leaves.
func TestObeyedLimit(t *testing.T) {
	const used = 10 << 20
	for available, want := range map[int64]int64{0: used + processRoom, 1 << 20: used + processRoom, 1 << 30: used + 1<<30} {
		if got := obeyed(used, available); got != want {
			t.Errorf("where %s are available, the limit is %s, want %s", Bytes(available), Bytes(got), Bytes(want))
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{2_500_000_000: "2.3 GiB", 2_500: "3 KiB", 1 << 20: "1 MiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

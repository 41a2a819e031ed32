package run

import (
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

func TestFitMemory(t *testing.T) {
	p := sim.Defaults()
	need := sim.EstimateMemory(p)
	for _, n := range []int{1, 2} {
		if err := FitMemory(p, n, int64(n)*need); err != nil {
			t.Errorf("%d economies in just enough memory: %v", n, err)
		}
		err := FitMemory(p, n, int64(n)*need-1)
		if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), Bytes(int64(n)*need)) {
			t.Errorf("%d economies, one byte too many: %v; want limit_exceeded with the estimate", n, err)
		}
	}
}

func TestAvailableMemory(t *testing.T) {
	if got := AvailableMemory(); got < 1<<20 {
		t.Errorf("AvailableMemory() = %d, which is not plausible while a test runs", got)
	}
	kilobytes, ok := field([]byte("MemTotal: 100 kB\nMemAvailable:    42 kB\n"), "MemAvailable:")
	if !ok || kilobytes != 42 {
		t.Errorf("field = %d, %v; want 42", kilobytes, ok)
	}
	cached, ok := field([]byte("inactive_file_old 7\ninactive_file 8\n"), "inactive_file ")
	if !ok || cached != 8 {
		t.Errorf("field = %d, %v; want 8", cached, ok)
	}
	if _, ok := field([]byte("MemTotal: 100 kB\n"), "MemAvailable:"); ok {
		t.Error("found a field that is not there")
	}
}

// The limits of a process, as Linux tells them.
func TestAddressSpace(t *testing.T) {
	const header = "Limit                     Soft Limit           Hard Limit           Units\n"
	limits := header + "Max address space         4096000              unlimited            bytes\n"
	if limit, ok := field([]byte(limits), "Max address space "); !ok || limit != 4_096_000 {
		t.Errorf("an address space of %d, %v", limit, ok)
	}
	limits = header + "Max address space         unlimited            unlimited            bytes\n"
	if limit, ok := field([]byte(limits), "Max address space "); ok {
		t.Errorf("a limit of %d where there is none", limit)
	}
	if used, ok := field([]byte("Name:\tecon-mcp\nVmSize:\t 1000 kB\nVmRSS:\t 10 kB\n"), "VmSize:"); !ok || used != 1000 {
		t.Errorf("%d kB are used, %v", used, ok)
	}
	if n, ok := field([]byte("4096\n"), ""); !ok || n != 4096 {
		t.Errorf("a file of one number: %d, %v", n, ok)
	}
	if n, ok := field([]byte("max\n"), ""); ok {
		t.Errorf("a limit of %d where there is none", n)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{2_500_000_000: "2.3 GiB", 2_500: "3 KiB", 1 << 20: "1 MiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

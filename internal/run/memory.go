package run

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// FitMemory refuses a number of economies with parameters p, alive at the same
// time, that need more than the available bytes. It allocates nothing;
// max_concurrent_tasks counts as the threads of each economy.
func FitMemory(p sim.Params, economies int, available int64) error {
	need := int64(economies) * sim.EstimateMemory(p)
	if need <= available {
		return nil
	}
	times := ""
	if economies > 1 {
		times = fmt.Sprintf("%d times ", economies)
	}
	err := fault.New(fault.LimitExceeded, "num_households", "%s%d households need about %s of memory, and %s are available",
		times, p.NumHouseholds, Bytes(need), Bytes(available))
	err.Hint = "lower num_households, raise households_per_firm, or allow the process more memory"
	return err
}

// Bytes is a number of bytes for people, in binary units as GOMEMLIMIT takes them.
func Bytes(n int64) string {
	switch f := float64(n); {
	case f >= 1<<30:
		return fmt.Sprintf("%.1f GiB", f/(1<<30))
	case f >= 1<<20:
		return fmt.Sprintf("%.0f MiB", math.Ceil(f/(1<<20)))
	default:
		return fmt.Sprintf("%.0f KiB", math.Ceil(f/(1<<10)))
	}
}

// AvailableMemory is the number of bytes that this process may still take: the
// least of what the system has free, what the process's control group and its
// limit of address space (ulimit -v) allow, and what the Go runtime was told to
// stay below. What is unknown sets no limit.
func AvailableMemory() int64 {
	available := int64(math.MaxInt64)
	for _, free := range []func() (int64, bool){systemMemory, groupMemory, freeAddresses} {
		if bytes, ok := free(); ok {
			available = min(available, bytes)
		}
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		available = min(available, limit-int64(m.HeapAlloc))
	}
	return max(0, available)
}

// systemMemory reads what Linux could hand out without swapping.
func systemMemory() (int64, bool) {
	kilobytes, ok := fileField("/proc/meminfo", "MemAvailable:")
	return kilobytes << 10, ok
}

// PeakMemory is the largest resident set of this process so far, in bytes; nil where the system
// does not tell.
func PeakMemory() *int64 {
	kilobytes, ok := fileField("/proc/self/status", "VmHWM:")
	if !ok {
		return nil
	}
	bytes := kilobytes << 10
	return &bytes
}

// groupMemory reads the limit of the control group (version 2) of this process,
// as a container sees it, less what is used and not merely cached.
func groupMemory() (int64, bool) {
	const root = "/sys/fs/cgroup/"
	limit, limited := fileField(root+"memory.max", "") // "max" where there is none
	used, ok := fileField(root+"memory.current", "")
	cached, _ := fileField(root+"memory.stat", "inactive_file ")
	return limit - used + cached, limited && ok
}

// runtimeAddresses is the address space that the Go runtime may take beyond the
// memory in use: it reserves in steps of 64 MiB, and threads have stacks.
const runtimeAddresses = 512 << 20

// freeAddresses reads what a limit of address space (ulimit -v) leaves.
func freeAddresses() (int64, bool) {
	limit, limited := fileField("/proc/self/limits", "Max address space ") // "unlimited" where there is none
	kilobytes, ok := fileField("/proc/self/status", "VmSize:")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return limit - kilobytes<<10 + int64(m.HeapIdle) - runtimeAddresses, limited && ok
}

// fileField finds a number in a file of Linux; see field.
func fileField(path, name string) (int64, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	return field(data, name)
}

// field finds the number after a name at the start of a line. The name ends with
// what parts it from longer ones: a blank or a colon.
func field(data []byte, name string) (int64, bool) {
	for line := range strings.Lines(string(data)) {
		rest, found := strings.CutPrefix(line, name)
		if words := strings.Fields(rest); found && len(words) > 0 {
			n, err := strconv.ParseInt(words[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

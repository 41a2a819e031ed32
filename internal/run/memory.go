package run

import (
	"bufio"
	"bytes"
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
	if free, ok := systemMemory(); ok {
		available = min(available, free)
	}
	if free, ok := groupMemory(); ok {
		available = min(available, free)
	}
	if free, ok := freeAddresses(); ok {
		available = min(available, free)
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
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	kilobytes, ok := field(data, "MemAvailable:")
	return kilobytes << 10, ok
}

// PeakMemory is the largest resident set of this process so far, in bytes; nil where the system
// does not tell.
func PeakMemory() *int64 {
	status, _ := os.ReadFile("/proc/self/status") // without it there is no field
	kilobytes, ok := field(status, "VmHWM:")
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
	limit, ok := wholeFile(root + "memory.max") // "max" where there is none
	if !ok {
		return 0, false
	}
	used, ok := wholeFile(root + "memory.current")
	if !ok {
		return 0, false
	}
	if data, err := os.ReadFile(root + "memory.stat"); err == nil {
		if cached, ok := field(data, "inactive_file "); ok {
			used -= cached
		}
	}
	return limit - used, true
}

// runtimeAddresses is the address space that the Go runtime may take beyond the
// memory in use: it reserves in steps of 64 MiB, and threads have stacks.
const runtimeAddresses = 512 << 20

// freeAddresses reads what a limit of address space (ulimit -v) leaves.
func freeAddresses() (int64, bool) {
	limits, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return 0, false
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	free, ok := addressSpace(limits, status)
	return free + int64(m.HeapIdle) - runtimeAddresses, ok
}

// addressSpace is the limit of address space in the two files that Linux keeps of
// a process, less what the process has taken.
func addressSpace(limits, status []byte) (int64, bool) {
	limit, ok := field(limits, "Max address space ") // "unlimited" where there is none
	if !ok {
		return 0, false
	}
	kilobytes, ok := field(status, "VmSize:")
	return limit - kilobytes<<10, ok
}

func wholeFile(path string) (int64, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, err == nil
}

// field finds the number after a name at the start of a line. The name ends with
// what parts it from longer ones: a blank or a colon.
func field(data []byte, name string) (int64, bool) {
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		rest, found := strings.CutPrefix(lines.Text(), name)
		if words := strings.Fields(rest); found && len(words) > 0 {
			n, err := strconv.ParseInt(words[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

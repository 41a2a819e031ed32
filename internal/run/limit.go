package run

import (
	"math"
	"runtime"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/prometheus/procfs"
)

// AvailableMemory is the number of bytes that this process may still take: the
// least of what the system has free, what the process's control groups (of either version, and those
// above it) and its limit of address space (ulimit -v) allow, and what the Go runtime was told to
// stay below. What is unknown sets no limit. Of a control group all is counted as available that this
// process does not take itself: who has other programs in it should set GOMEMLIMIT.
func AvailableMemory() int64 {
	available := int64(math.MaxInt64)
	if proc, err := procfs.NewFS(procfs.DefaultMountPoint); err == nil {
		available = availableTo(proc, memlimit.FromCgroup)
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		available = min(available, limit-int64(m.HeapAlloc))
	}
	return max(0, available)
}

// ObeyLimits tells Go's garbage collector what the system lets the process have, so that it works
// harder as that comes near, instead of letting the process be killed over garbage. Where the
// environment has GOMEMLIMIT, that holds.
func ObeyLimits() {
	available := AvailableMemory()
	if available == math.MaxInt64 || debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	debug.SetMemoryLimit(obeyed(int64(m.Sys-m.HeapReleased), available))
}

// obeyed is the limit of a process that uses so much and may take what is available: never less than
// what it needs at any rate, because a collector whose limit is reached does nothing but collect. Where
// that is more than there is, the process is no worse off than without a limit.
func obeyed(used, available int64) int64 { return used + max(available, processRoom) }

// availableTo is what the system and the limits of a process, as its /proc tells, and its control groups
// leave it.
func availableTo(proc procfs.FS, group memlimit.Provider) int64 {
	available := int64(math.MaxInt64)
	if system, err := proc.Meminfo(); err == nil && system.MemAvailableBytes != nil {
		available = int64(*system.MemAvailableBytes)
	}
	self, err := proc.Self()
	if err != nil {
		return available
	}
	status, err := self.NewStatus()
	if err != nil {
		return available
	}
	if limit, err := group(); err == nil {
		available = min(available, left(limit, status.VmRSS))
	}
	if limits, err := self.Limits(); err == nil && limits.AddressSpace < math.MaxUint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		available = min(available, left(limits.AddressSpace, status.VmSize)+int64(m.HeapIdle)-runtimeAddresses)
	}
	return available
}

// left is what a limit leaves of which so much is taken.
func left(limit, taken uint64) int64 { return int64(min(limit, math.MaxInt64)) - int64(taken) }

// runtimeAddresses is the address space that the Go runtime may take beyond the
// memory in use: it reserves in steps of 64 MiB, and threads have stacks.
const runtimeAddresses = 512 << 20

// PeakMemory is the largest resident set of this process so far, in bytes; nil where the system
// does not tell.
func PeakMemory() *int64 {
	self, err := procfs.Self()
	if err != nil {
		return nil
	}
	status, err := self.NewStatus()
	if err != nil || status.VmHWM == 0 {
		return nil
	}
	peak := int64(status.VmHWM)
	return &peak
}

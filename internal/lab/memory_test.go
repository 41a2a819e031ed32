package lab

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

func TestParallel(t *testing.T) {
	tests := []struct {
		threads, replications, arms int
		want                        parallelism
	}{
		{1, 1, 1, parallelism{1, 1, 1, 1}},
		{8, 1, 1, parallelism{1, 1, 8, 8}},
		{2, 1, 2, parallelism{1, 2, 1, 2}},
		{2, 20, 2, parallelism{2, 1, 1, 1}},
		{8, 3, 2, parallelism{3, 2, 1, 2}},
		{8, 1, 3, parallelism{1, 3, 2, 8}},
	}
	for _, tt := range tests {
		if got := parallel(tt.threads, tt.replications, tt.arms); got != tt.want {
			t.Errorf("parallel(%d, %d, %d) = %+v, want %+v", tt.threads, tt.replications, tt.arms, got, tt.want)
		}
	}
}

func TestFitting(t *testing.T) {
	const size = 100 << 20
	tests := []struct {
		name      string
		arms      int
		available int64
		want      parallelism
	}{
		{"all in parallel", 1, math.MaxInt64, parallelism{4, 1, 1, 1}},
		{"half of the workers", 1, 2*size + 1, parallelism{2, 1, 2, 2}},
		{"one at a time, on all threads", 1, size, parallelism{1, 1, 4, 4}},
		{"two arms and their common start", 2, 4 * size, parallelism{2, 1, 2, 2}},
		{"two arms one after the other", 2, 2 * size, parallelism{1, 1, 4, 4}},
	}
	for _, tt := range tests {
		got, err := fitting(4, 20, tt.arms, size, tt.available)
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
	}
	_, err := fitting(4, 20, 1, size, size-1)
	if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "100 MiB") {
		t.Errorf("error %v; want limit_exceeded with the estimate", err)
	}
}

func TestAvailableMemory(t *testing.T) {
	if got := availableMemory(); got < 1<<20 {
		t.Errorf("availableMemory() = %d, which is not plausible while a test runs", got)
	}
	kilobytes, ok := field([]byte("MemTotal: 100 kB\nMemAvailable:    42 kB\n"), "MemAvailable:")
	if !ok || kilobytes != 42 {
		t.Errorf("field = %d, %v; want 42", kilobytes, ok)
	}
	if _, ok := field([]byte("MemTotal: 100 kB\n"), "MemAvailable:"); ok {
		t.Error("found a field that is not there")
	}
}

package lab

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
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
		if got := fitting(4, 20, tt.arms, size, tt.available); got != tt.want {
			t.Errorf("%s: %+v; want %+v", tt.name, got, tt.want)
		}
	}
}

// TestMemoryIsCheckedFirst lowers the memory limit of this process, so that no
// economy fits.
func TestMemoryIsCheckedFirst(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1))
	s := scenario.New("test", sim.Defaults())
	simulated := func(Progress) { t.Error("something was simulated") }
	x := Experiment{Arms: []Arm{{Name: "test", Scenario: s}}, Replications: 1, Months: 1, Progress: simulated}
	_, err := x.Run(t.Context())
	if fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("Run: %v, want limit_exceeded", err)
	}
	x.Arms = append(x.Arms, Arm{Name: "same", Scenario: s})
	_, err = x.Run(t.Context())
	if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "2 times 10000 households") {
		t.Errorf("Run of two arms: %v, want limit_exceeded for two economies", err)
	}
	_, err = Validate(t.Context(), s, 1, 1, 1, run.Cache{}, simulated)
	if fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("Validate: %v, want limit_exceeded", err)
	}
}

package history_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// working lists the goroutines that read, analyse or write a report.
func working() (stacks []string) {
	buffer := make([]byte, 4<<20)
	buffer = buffer[:runtime.Stack(buffer, true)]
	for stack := range strings.SplitSeq(string(buffer), "\n\n") {
		for _, room := range []string{"internal/report.", "internal/inference.", "internal/stats.", "internal/lab.(*keptReports)"} {
			if strings.Contains(stack, room) {
				stacks = append(stacks, stack)
				break
			}
		}
	}
	return stacks
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Twenty reports that are cancelled in the middle of their analysis stop: when the calls have
// returned nothing works on them, they return in no part of the time that a report takes,
// and they leave no memory behind.
func TestCancelledReports(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute on a busy machine")
	}
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("batch_set_parameters", `{"parameters":{"num_iterations":48}}`)
	controlled(d, "x", `"replications":60`)
	d.Call("get_experiment_summary", `{"experiment_name":"x"}`)
	before := heap()

	const calls = 20
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	failures := make([]error, calls)
	for k := range calls {
		all.Go(func() {
			arguments := fmt.Sprintf(`{"experiment_name":"x","language":%q}`, []string{"en", "zh"}[k%2])
			_, failures[k] = d.TryAs(ctx, tools.Call{}, "generate_experiment_report", arguments)
		})
	}
	for resampling := false; !resampling; runtime.Gosched() {
		for _, stack := range working() {
			resampling = resampling || strings.Contains(stack, "internal/stats.")
		}
	}
	at := time.Now()
	cancel()
	all.Wait()
	stopped := time.Since(at)
	if left := working(); len(left) > 0 {
		t.Errorf("%d goroutines still work:\n%s", len(left), strings.Join(left, "\n\n"))
	}
	for _, err := range failures {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled report ends with %v", err)
		}
	}
	if after := heap(); after > before+20<<20 {
		t.Errorf("%d MB before, %d MB after", before>>20, after>>20)
	}

	at = time.Now()
	d.Call("generate_experiment_report", `{"experiment_name":"x"}`)
	whole := time.Since(at)
	if most := max(250*time.Millisecond, whole/4); stopped > most {
		t.Errorf("they stopped after %v, where one takes %v", stopped, whole)
	}
	t.Logf("stopped after %v, where one takes %v", stopped, whole)
}

package run_test

import (
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// discard records nothing.
type discard struct{}

func (discard) Record(run.Event) error                        { return nil }
func (discard) Observe(int, int, *sim.Economy, bool) error    { return nil }
func (discard) More() (seeds []uint64, why string, err error) { return nil, "", nil }

// BenchmarkManager compares what a manager takes for 500 months of 1,000 households,
// burnt in before, with the bare loop over months.
func BenchmarkManager(b *testing.B) {
	const months = 500
	s, cache := mustScenario(b), run.Cache{Dir: b.TempDir()}
	mustBurnIn(b, s, 1, cache)
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			e, _, err := run.BurnIn(b.Context(), s, 1, 1, cache, (*sim.Economy).Step)
			if err != nil {
				b.Fatal(err)
			}
			if err := run.Months(b.Context(), e, s, months, (*sim.Economy).Step); err != nil {
				b.Fatal(err)
			}
			e.Close()
		}
		b.ReportMetric(float64(months*b.N)/b.Elapsed().Seconds(), "months/s")
	})
	for _, replications := range []int{1, 2, 8} {
		b.Run(fmt.Sprintf("replications=%d", replications), func(b *testing.B) {
			m := mustManager(b, run.Settings{Cache: cache})
			p := run.Task{Name: "x", Arms: []run.Arm{{Name: "only", Scenario: s}}, Months: months, Recorder: discard{}}
			for range replications {
				p.Seeds = append(p.Seeds, 1)
			}
			for b.Loop() {
				mustStart(b, m, p)
				mustWait(b, m, "x", run.StateCompleted)
			}
			b.ReportMetric(float64(months*replications*b.N)/b.Elapsed().Seconds(), "months/s")
		})
	}
}

// BenchmarkAnswer measures how long a server takes to answer 16 callers, each over a
// connection of its own, while two experiments are simulated: without anything running,
// on as many processors of Go's as there are threads that simulate, and on more.
func BenchmarkAnswer(b *testing.B) {
	cores := runtime.GOMAXPROCS(0)
	for _, households := range []int{0, 1_000, 10_000, 300_000} {
		for _, more := range []int{0, 1, 2, 4} {
			b.Run(fmt.Sprintf("households=%d/processors=%d+%d", households, cores, more), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores + more))
				m := mustManager(b, run.Settings{Threads: cores})
				if households > 0 {
					for _, name := range []string{"a", "b"} {
						p := plan(b, name, endless, newJournal())
						p.Arms[0].Scenario = mustScenario(b, "num_households", households)
						p.Recorder = discard{}
						mustStart(b, m, p)
						mustReach(b, m, name, func(s run.Status) bool { return s.Month > 0 })
					}
				}
				answers := ask(b, 16, func() {
					for _, name := range []string{"a", "b"} {
						if s, ok := m.Status(name); ok && s.State != run.StateRunning {
							b.Errorf("%s: %s", s.State, s.Message)
						}
					}
				})
				slices.Sort(answers)
				for q, at := range map[string]int{"p50": len(answers) / 2, "p99": len(answers) * 99 / 100, "max": len(answers) - 1} {
					b.ReportMetric(float64(answers[at].Microseconds())/1000, q+"-ms")
				}
			})
		}
	}
}

// ask has callers send a byte, each after the answer to the one before and a short
// rest, to a server that calls work for each.
func ask(b *testing.B, callers int, work func()) (answers []time.Duration) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for buffer := make([]byte, 1); ; {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					work()
					conn.Write(buffer)
				}
			}()
		}
	}()
	var mu sync.Mutex
	var all sync.WaitGroup
	until := time.Now().Add(1500 * time.Millisecond)
	for range callers {
		all.Go(func() {
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			for buffer := make([]byte, 1); time.Now().Before(until); time.Sleep(time.Millisecond) {
				asked := time.Now()
				conn.Write(buffer)
				if _, err := conn.Read(buffer); err != nil {
					b.Error(err)
					return
				}
				mu.Lock()
				answers = append(answers, time.Since(asked))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return answers
}

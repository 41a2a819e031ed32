package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
)

// warmUpMonths pass before the clock starts: the first months allocate, and they
// have other work to do than later ones.
const warmUpMonths = 12

// benchOptions are the flags of econ-mcp bench.
type benchOptions struct {
	flags settingFlags
	pairs []string
}

func newBench() *cobra.Command {
	o := &benchOptions{}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed and memory",
		Long: fmt.Sprintf(`Simulates the baseline economy, without burn-in, and measures it after %d months:
agent-months a second (households and firms are agents), bytes an agent, and
the time of each phase of the month.`, warmUpMonths),
		Example: "  econ-mcp bench\n  econ-mcp bench --households 1000000 --months 12 --threads 2",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := o.flags.on(sim.Defaults(), o.pairs)
			if err != nil {
				return err
			}
			if err := run.FitMemory(p, 1, run.AvailableMemory()); err != nil {
				return err
			}
			b, err := measure(cmd.Context(), p)
			if err != nil {
				return err
			}
			return printed(cmd, b, b.write)
		},
	}
	f := cmd.Flags()
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "months", "num_iterations", "months to measure")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	f.Bool("json", false, "print JSON")
	return cmd
}

// benchmark is what was measured.
type benchmark struct {
	Version              string       `json:"version"`
	Households           int          `json:"households"`
	Agents               int          `json:"agents"`
	Months               int          `json:"months"`
	Threads              int          `json:"threads"`
	SecondsPerMonth      stats.Number `json:"seconds_per_month"`
	AgentMonthsPerSecond stats.Number `json:"agent_months_per_second"`
	BytesPerAgent        stats.Number `json:"bytes_per_agent"` // heap in use after a collection
	AllocationsPerMonth  stats.Number `json:"allocations_per_month"`
	PeakRSSBytes         *int64       `json:"peak_rss_bytes"` // null where the system does not tell
	Phases               []phaseTime  `json:"phases"`
}

// phaseTime is the time that one phase of the month took on average.
type phaseTime struct {
	Name            string       `json:"name"`
	SecondsPerMonth stats.Number `json:"seconds_per_month"`
	Share           stats.Number `json:"share"`
}

// measure simulates an economy and measures speed and memory.
func measure(ctx context.Context, p sim.Params) (*benchmark, error) {
	before := heapInUse()
	e, err := sim.New(p, p.MaxConcurrentTasks)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	if err := steps(ctx, e, warmUpMonths); err != nil {
		return nil, err
	}
	clock := phaseClock{spent: make(map[string]time.Duration)}
	e.OnPhase(clock.tick)
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	clock.last = time.Now()
	began := clock.last
	if err := steps(ctx, e, p.NumIterations); err != nil {
		return nil, err
	}
	elapsed := time.Since(began)
	runtime.ReadMemStats(&end)
	months := float64(p.NumIterations)
	return &benchmark{
		Version: sim.ModelVersion, Households: p.NumHouseholds, Agents: e.Agents(), Months: p.NumIterations,
		Threads:              cmp.Or(p.MaxConcurrentTasks, runtime.GOMAXPROCS(0)),
		SecondsPerMonth:      stats.Number(elapsed.Seconds() / months),
		AgentMonthsPerSecond: stats.Number(float64(e.Agents()) * months / elapsed.Seconds()),
		BytesPerAgent:        stats.Number(float64(heapInUse()-before) / float64(e.Agents())),
		AllocationsPerMonth:  stats.Number(float64(end.Mallocs-start.Mallocs) / months),
		PeakRSSBytes:         run.PeakMemory(),
		Phases:               clock.phases(elapsed, months),
	}, nil
}

func steps(ctx context.Context, e *sim.Economy, months int) error {
	for month := range months {
		if err := ctx.Err(); err != nil {
			return &run.Interrupted{Month: month + 1, Of: months, Cause: err}
		}
		if err := e.Step(); err != nil {
			return err
		}
	}
	return nil
}

// heapInUse is the live heap in bytes.
func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// phaseClock gives the time between two ticks to the phase that ended.
type phaseClock struct {
	last  time.Time
	spent map[string]time.Duration
}

func (c *phaseClock) tick(name string) {
	now := time.Now()
	c.spent[name] += now.Sub(c.last)
	c.last = now
}

func (c *phaseClock) phases(elapsed time.Duration, months float64) []phaseTime {
	var out []phaseTime
	for _, name := range sim.Phases() {
		d := c.spent[name]
		out = append(out, phaseTime{name, stats.Number(d.Seconds() / months), stats.Number(d.Seconds() / elapsed.Seconds())})
	}
	return out
}

// write prints the measurements for people.
func (b *benchmark) write(w io.Writer) {
	fmt.Fprintf(w, "%s households, %s agents, %s, %s\n\n", report.FormatNumber(float64(b.Households), 0),
		report.FormatNumber(float64(b.Agents), 0), report.Plural(b.Months, "month"), report.Plural(b.Threads, "thread"))
	rows := [][2]string{
		{"agent-months a second", report.FormatAmount(float64(b.AgentMonthsPerSecond))},
		{"milliseconds a month", report.FormatNumber(1000*float64(b.SecondsPerMonth), 2)},
		{"bytes an agent", report.FormatNumber(float64(b.BytesPerAgent), 0)},
		{"allocations a month", report.FormatNumber(float64(b.AllocationsPerMonth), 1)},
	}
	if b.PeakRSSBytes != nil {
		rows = append(rows, [2]string{"peak memory", run.Bytes(*b.PeakRSSBytes)})
	}
	for _, row := range rows {
		fmt.Fprintf(w, "  %s %12s\n", term.Left(row[0], 30), row[1])
	}
	fmt.Fprintf(w, "\n  %s %12s %8s\n", term.Left("phase", 30), "ms a month", "share")
	for _, p := range b.Phases {
		fmt.Fprintf(w, "  %s %12s %8s\n", term.Left(p.Name, 30), report.FormatNumber(1000*float64(p.SecondsPerMonth), 3),
			report.FormatShare(float64(p.Share), 1))
	}
}

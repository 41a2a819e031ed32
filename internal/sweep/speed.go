package sweep

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// probing is how long the speed of a machine is measured.
const probing = 4 * time.Second

// Speed measures how many agent-months a second this machine simulates with so many threads (0 = all cores), by simulating a few of the
// plan's economies as [Work] does, of which it keeps nothing.
func (p *Plan) Speed(threads int) (float64, error) {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	pieces := p.pieces(Shard{1, 1}, func(Run) bool { return false })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var (
		all   sync.WaitGroup
		next  atomic.Int64
		mu    sync.Mutex
		total float64 // agent-months
		fails error
	)
	begin := time.Now()
	over := func() { // of large economies one month is measured, however long it takes
		if time.Since(begin) > probing {
			cancel()
		}
	}
	for range min(threads, len(pieces)) {
		all.Go(func() {
			for ctx.Err() == nil {
				// places that are spread over the plan: whoever burns in many economies is slower at one end of some designs
				at := int(uint64(next.Add(1)) * goldenStride % uint64(len(pieces)))
				done, err := pieces[at].probe(ctx, max(1, threads/len(pieces)), over)
				mu.Lock()
				total += done
				if err != nil && ctx.Err() == nil {
					fails = err
					cancel()
				}
				over()
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if fails == nil && total == 0 {
		fails = fault.New(fault.InvalidState, "design", "no month ended while the speed of this machine was measured")
	}
	return total / time.Since(begin).Seconds(), fails
}

// goldenStride visits numbers modulo any length in an order that is spread evenly, and most of them once.
const goldenStride = 0x9e3779b9

// probe simulates a piece until it ends or ctx does, and says how many agent-months that were. It tells of each month that has ended.
func (p piece) probe(ctx context.Context, threads int, month func()) (agentMonths float64, err error) {
	arms, months := make([]run.Arm, len(p.runs)), 0
	for k, r := range p.runs {
		arms[k] = run.Arm{Name: r.key, Scenario: *r.Scenario, Months: r.Months}
		months = max(months, r.Months)
	}
	_, err = run.Simulation{
		Arms: arms, Seeds: []uint64{p.runs[0].Seed}, Months: months, Threads: threads,
		Observe: func(_, _ int, e *sim.Economy) error { return nil },
		Progress: func(x run.Progress) {
			agentMonths = p.runs[0].agentMonths(x.Done)
			month()
		},
	}.Run(ctx)
	return agentMonths, err
}

package sweep

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Work simulates what is not known of a shard.
type Work struct {
	Plan    *Plan
	Shard   Shard
	Folder  string // of runs
	Threads int    // 0 = all cores; changes no result
	Cache   run.Cache
	Wait    time.Duration // how long to wait for another process that writes the shard's file

	Progress func(done, of int) // economies of the shard that are not known at the start; may be nil, called by one goroutine at a time
}

// Run simulates it. Each run is in the file of the shard when it has ended, so that whoever goes on after an interruption simulates what
// is left.
func (w Work) Run(ctx context.Context) (simulated int, err error) {
	out, err := openWriter(ctx, w.Wait, w.Folder, "shard-"+strings.ReplaceAll(w.Shard.String(), "/", "-of-"))
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := out.close(); err == nil {
			err = e
		}
	}()
	known, err := Load(w.Folder)
	if err != nil {
		return 0, err
	}
	pieces := w.Plan.pieces(w.Shard, func(r Run) bool { return w.Plan.knows(known, r) })
	of := 0
	for _, p := range pieces {
		of += len(p.runs)
	}
	threads := w.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var one sync.Mutex // of what follows, and of the file
	done := func(r *Record) error {
		one.Lock()
		defer one.Unlock()
		if err := known.add(r); err != nil {
			return err
		}
		if err := out.append(r); err != nil {
			return err
		}
		if simulated++; w.Progress != nil {
			w.Progress(simulated, of)
		}
		return nil
	}
	atOnce := max(1, min(threads, len(pieces)))
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(atOnce)
	for _, p := range pieces {
		tasks.Go(func() error { return w.simulate(ctx, p, max(1, threads/atOnce), done) })
	}
	err = tasks.Wait()
	one.Lock() // for those that read simulated
	defer one.Unlock()
	return simulated, err
}

// simulate carries out runs of one burnt-in state.
func (w Work) simulate(ctx context.Context, p piece, threads int, done func(*Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.Plan.complete(p.runs); err != nil {
		return err
	}
	arms, series, months := make([]run.Arm, len(p.runs)), make([]map[string][]stats.Number, len(p.runs)), 0
	for k, r := range p.runs {
		arms[k] = run.Arm{Name: r.key, Scenario: *r.Scenario, Months: r.Months}
		series[k], months = map[string][]stats.Number{}, max(months, r.Months)
	}
	cache := w.Cache
	if !p.shared {
		cache = run.Cache{}
	}
	_, err := run.Simulation{
		Arms: arms, Seeds: []uint64{p.runs[0].Seed}, Months: months, Threads: threads, Cache: cache,
		Observe: func(arm, _ int, e *sim.Economy) error {
			for _, i := range w.Plan.metrics {
				name := i.String()
				series[arm][name] = append(series[arm][name], stats.Number(e.Latest().Value(i)))
			}
			r := &p.runs[arm]
			if e.Month() < r.Months {
				return nil
			}
			return done(&Record{Key: r.key, Model: sim.ModelVersion, Seed: r.Seed, Months: r.Months, State: e.StateHash(), Series: series[arm]})
		},
	}.Run(ctx)
	if err != nil {
		return fmt.Errorf("around point %d: %w", p.runs[0].point+1, err)
	}
	return nil
}

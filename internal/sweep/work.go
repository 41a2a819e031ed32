package sweep

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/run"
)

// Work simulates what is not known of a shard.
type Work struct {
	Plan    *Plan
	Shard   Shard
	Folder  string // of runs
	Threads int    // 0 = all cores; changes no result
	Cache   run.Cache
	Measure Measurer      // of economies to measure
	Wait    time.Duration // how long to wait for another process that writes the shard's file

	Progress func(done, of int) // economies of the shard that are not known at the start; may be nil, called by one goroutine at a time
}

// Run simulates it. Each run is in the file of the shard when it has ended, so that whoever goes on after an interruption simulates what
// is left.
func (w Work) Run(ctx context.Context) (simulated int, err error) {
	out, err := newRecorder(ctx, w.Wait, w.Folder, "shard-"+strings.ReplaceAll(w.Shard.String(), "/", "-of-"))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	pieces := w.Plan.pieces(w.Shard, func(r Run) bool { return out.Has(w.Plan, r) })
	of := 0
	for _, p := range pieces {
		of += len(p.runs)
	}
	threads := w.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var one sync.Mutex // of what follows
	done := func(r *Record) error {
		if _, err := out.Add(r); err != nil {
			return err
		}
		one.Lock()
		defer one.Unlock()
		if simulated++; w.Progress != nil {
			w.Progress(simulated, of)
		}
		return nil
	}
	atOnce := max(1, min(threads, len(pieces)))
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(atOnce)
	for _, p := range pieces {
		tasks.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.Plan.complete(p.runs); err != nil {
				return err
			}
			if err := p.simulate(ctx, w.Plan.wanted, w.Measure, max(1, threads/atOnce), w.Cache, done); err != nil {
				return fmt.Errorf("%s: %w", p.runs[0].where(), err)
			}
			return nil
		})
	}
	err = tasks.Wait()
	one.Lock() // for those that read simulated
	defer one.Unlock()
	return simulated, err
}

// Where is the first point that needs a run.
func (p *Plan) Where(key string) string {
	for _, r := range p.Runs {
		if r.key == key {
			return r.where()
		}
	}
	return "at no point of this plan"
}

func (r Run) where() string {
	if r.Replications > 0 {
		return fmt.Sprintf("economy %d of those to measure", r.point+1)
	}
	return fmt.Sprintf("around point %d", r.point+1)
}

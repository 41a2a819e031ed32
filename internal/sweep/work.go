package sweep

import (
	"context"
	"strconv"
	"strings"
	"sync"

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

	Progress func(done, of int) // economies of the shard that are not known at the start; may be nil, called by one goroutine at a time
}

// Run simulates it. Each run is in the file of the shard when it has ended, so that whoever goes on after an interruption simulates what
// is left.
func (w Work) Run(ctx context.Context) (simulated int, err error) {
	known, err := Load(w.Folder)
	if err != nil {
		return 0, err
	}
	chunks := w.Plan.chunks(w.Shard, func(key string) bool {
		r := known[key]
		return r != nil && r.has(w.Plan.metrics)
	})
	of := 0
	for _, runs := range chunks {
		of += len(runs)
	}
	if of == 0 {
		return 0, nil
	}
	out, err := openWriter(w.Folder, "shard-"+strings.ReplaceAll(w.Shard.String(), "/", "-of-"))
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := out.close(); err == nil {
			err = e
		}
	}()
	for _, runs := range chunks {
		if err := w.simulate(ctx, runs, known, out, func() {
			if simulated++; w.Progress != nil {
				w.Progress(simulated, of)
			}
		}); err != nil {
			return simulated, err
		}
	}
	return simulated, nil
}

// simulate carries out runs seed by seed: those of one seed that share a burn-in burn in once.
func (w Work) simulate(ctx context.Context, runs []Run, known Known, out *writer, done func()) error {
	var one sync.Mutex
	bySeed, seeds := map[uint64][]Run{}, []uint64(nil)
	for _, r := range runs {
		if bySeed[r.Seed] == nil {
			seeds = append(seeds, r.Seed)
		}
		bySeed[r.Seed] = append(bySeed[r.Seed], r)
	}
	for _, seed := range seeds {
		list := bySeed[seed]
		arms, series := make([]run.Arm, len(list)), make([]map[string][]stats.Number, len(list))
		for k, r := range list {
			arms[k] = run.Arm{Name: strconv.Itoa(k), Scenario: r.Scenario, Months: r.Months}
			series[k] = map[string][]stats.Number{}
		}
		months := 0
		for _, r := range list {
			months = max(months, r.Months)
		}
		cache := w.Cache
		if !shares(list) { // nobody else would burn in so
			cache = run.Cache{}
		}
		_, err := run.Simulation{
			Arms: arms, Seeds: []uint64{seed}, Months: months, Threads: w.Threads, Cache: cache,
			Observe: func(arm, _ int, e *sim.Economy) error {
				for _, i := range w.Plan.metrics {
					name := i.String()
					series[arm][name] = append(series[arm][name], stats.Number(e.Latest().Value(i)))
				}
				if e.Month() < list[arm].Months {
					return nil
				}
				r := &Record{Key: list[arm].key, Model: sim.ModelVersion, Seed: seed, Months: list[arm].Months, State: e.StateHash(), Series: series[arm]}
				one.Lock()
				defer one.Unlock()
				if err := known.add(r); err != nil {
					return err
				}
				if err := out.append(r); err != nil {
					return err
				}
				done()
				return nil
			},
		}.Run(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

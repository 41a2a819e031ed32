package inference

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// DynamicEffect is a difference month by month, with a band that holds the whole true path,
// at all of its months at once, with the confidence of the comparison.
type DynamicEffect struct {
	Metric     string         `json:"metric"`
	Arm        string         `json:"arm"`
	Unit       string         `json:"unit"`
	Band       string         `json:"band" doc:"simultaneous"`
	Months     []int          `json:"months"`
	Difference []stats.Number `json:"difference"`
	CILow      []stats.Number `json:"ci_low"`
	CIHigh     []stats.Number `json:"ci_high"`
}

// bandMethod is how bands of paths are computed; see [stats.PairedBand].
const bandMethod = "sup-t"

// The dynamic effects of a comparison hold so many numbers at most: where all months would
// be more, every second, third … is left. A comparison of many rows has none.
const (
	dynamicNumbers  = 1500
	mostDynamicRows = 30
)

// dynamics computes the dynamic effects of all metrics and arms: one path each, whatever the
// windows.
func (c *Comparison) dynamics(ctx context.Context, matches []*matched, choice Choice, months int, seed uint64) {
	rows, every := len(matches)*len(choice.Metrics), 1
	for rows*4*(months/every) > dynamicNumbers && every < months {
		every++
	}
	if rows > mostDynamicRows {
		c.Notes = append(c.Notes, Note{DynamicsLeftOut, []any{rows}})
		return
	}
	c.DynamicEffects = make([]DynamicEffect, rows)
	parallel(ctx, rows, func(k int) {
		m, i := matches[k/len(choice.Metrics)], choice.Metrics[k%len(choice.Metrics)]
		c.DynamicEffects[k] = m.dynamics(ctx, i, months, every, choice.Confidence, seed)
	})
}

// Paths are the effects on an indicator month by month, of each further arm of a study against the first. They tell no p-value and
// no verdict, so that no ledger counts them.
func Paths(ctx context.Context, s *tables.Study, i sim.Indicator, confidence float64) ([]DynamicEffect, error) {
	sides, months, _, err := samples([]*tables.Study{s})
	if err != nil {
		return nil, err
	}
	list := make([]DynamicEffect, len(sides)-1)
	parallel(ctx, len(list), func(k int) {
		m := matchSeeds(sides[0], sides[k+1])
		m.place = k + 1
		list[k] = m.dynamics(ctx, i, months, 1, confidence, s.Seed)
	})
	return list, ctx.Err()
}

// dynamics is the effect on an indicator, in every so many months. A month in which a
// replication has no number has the difference of the others, and no band.
func (m *matched) dynamics(ctx context.Context, i sim.Indicator, months, every int, confidence float64, seed uint64) DynamicEffect {
	out := DynamicEffect{Metric: i.String(), Arm: m.name, Unit: i.Info().Unit, Band: bandMethod, Months: []int{}}
	var a, b [][]float64 // by month
	var means []float64
	for month := every; month <= months; month += every {
		out.Months = append(out.Months, month)
		a, b = append(a, m.a.WindowMeans(i, month, month)), append(b, m.b.WindowMeans(i, month, month))
		before, after, _ := m.values(i, Window{month, month})
		means = append(means, stats.Mean(after)-stats.Mean(before))
	}
	bandOf := stats.WelchBand
	if m.paired {
		bandOf = stats.PairedBand
	}
	band := bandOf(ctx, a, b, confidence, source(seed, m.address("band of "+i.String())))
	out.Difference, out.CILow, out.CIHigh = stats.Numbers(band.Mean), stats.Numbers(band.Low), stats.Numbers(band.High)
	for t, mean := range means {
		if math.IsNaN(band.Mean[t]) {
			out.Difference[t] = stats.Number(mean)
		}
	}
	return out
}

// parallel calls f for 0 to n-1 on all processors, and no more once the context is cancelled. The calls must not
// depend on each other.
func parallel(ctx context.Context, n int, f func(k int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for k := int(next.Add(1)) - 1; k < n && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				f(k)
			}
		})
	}
	workers.Wait()
}

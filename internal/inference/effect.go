package inference

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Effect is the difference between an arm and the control in one indicator.
// Absent numbers are NaN, and null in JSON.
type Effect struct {
	Arm        string  // the treatment
	Metric     string  // identifier of the indicator
	Unit       string  // of Control, Treatment, Difference and the interval
	Control    float64 // mean over replications of the mean over the window
	Treatment  float64
	Difference float64 // Treatment - Control
	Percent    float64 // 100 Difference / |Control|; NaN where Control is 0 and for shares, whose Difference is in points already
	CILow      float64 // Student-t interval of Difference, paired by seed; NaN when N < 2
	CIHigh     float64
	N          int // pairs
}

// MarshalJSON implements [json.Marshaler].
func (e Effect) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Arm        string       `json:"arm"`
		Metric     string       `json:"metric"`
		Unit       string       `json:"unit"`
		Control    stats.Number `json:"control"`
		Treatment  stats.Number `json:"treatment"`
		Difference stats.Number `json:"difference"`
		Percent    stats.Number `json:"percent"`
		CILow      stats.Number `json:"ci_low"`
		CIHigh     stats.Number `json:"ci_high"`
		N          int          `json:"n"`
	}{
		e.Arm, e.Metric, e.Unit, stats.Number(e.Control), stats.Number(e.Treatment), stats.Number(e.Difference),
		stats.Number(e.Percent), stats.Number(e.CILow), stats.Number(e.CIHigh), e.N,
	})
}

// Effects compares the mean over the months from to to (from 1, both included)
// of every indicator, pair by pair: replication r of treatment with replication
// r of control. The most telling effect comes first: the one with the largest
// moderated t, see mostTelling. Effects of a single pair come last, the largest
// |difference| first. Differences count in percentage points for rates and
// shares and relative to the control's level for all others.
func Effects(arm string, control, treatment tables.Panel, from, to int, confidence float64) []Effect {
	var effects []Effect
	var scaled []scaledEffect
	for i := range sim.NumIndicators {
		var a, b []float64
		for r := range min(len(control), len(treatment)) {
			before, after := tables.WindowMean(control[r][i], from, to), tables.WindowMean(treatment[r][i], from, to)
			if math.IsNaN(before) || math.IsNaN(after) {
				continue
			}
			a, b = append(a, before), append(b, after)
		}
		effect := PairedEffect(a, b, confidence)
		info := i.Info()
		effect.Arm, effect.Metric, effect.Unit = arm, info.Name, info.Unit
		if tables.IsShare(i) {
			effect.Percent = math.NaN()
		}
		effects = append(effects, effect)
		scale := scaleOf(i, effect.Control, effect.Treatment)
		scaled = append(
			scaled,
			scaledEffect{effect.Difference / scale, stats.StdDev(stats.Differences(a, b)) / scale, effect.N},
		)
	}
	paired, plain := mostTelling(scaled)
	order := make([]int, len(effects))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		if c := descending(paired[x], paired[y]); c != 0 {
			return c
		}
		return descending(plain[x], plain[y])
	})
	ordered := make([]Effect, len(effects))
	for i, o := range order {
		ordered[i] = effects[o]
	}
	return ordered
}

// Differences is how far a treatment is from its control, month by month.
type Differences struct {
	Mean, Low, High []float64 // over the pairs, with Student-t intervals, NaN for fewer than two
}

// MonthlyDifferences compares two arms in one indicator month by month, pair by
// pair: treatment less control, or, if relative, their difference as a share of
// the control's absolute value.
func MonthlyDifferences(i sim.Indicator, control, treatment tables.Panel, relative bool, confidence float64) Differences {
	var out Differences
	pairs := min(len(control), len(treatment))
	if pairs == 0 {
		return out
	}
	values, interval := make([]float64, pairs), stats.MeanIntervals(confidence)
	for m := range min(len(control[0][i]), len(treatment[0][i])) {
		for r := range values {
			before := control[r][i][m]
			values[r] = treatment[r][i][m] - before
			if relative {
				values[r] /= math.Abs(before)
			}
		}
		iv := interval(stats.Defined(values))
		out.Mean, out.Low, out.High = append(out.Mean, iv.Mean), append(out.Low, iv.Low), append(out.High, iv.High)
	}
	return out
}

// PairedEffect is the effect of a treatment with outcomes b on a control with
// outcomes a, where a[r] and b[r] share their seed.
func PairedEffect(a, b []float64, confidence float64) Effect {
	interval := stats.PairedInterval(a, b, confidence)
	effect := Effect{
		Control:    stats.Mean(a),
		Treatment:  stats.Mean(b),
		Difference: interval.Mean,
		Percent:    math.NaN(),
		CILow:      interval.Low,
		CIHigh:     interval.High,
		N:          interval.N,
	}
	if effect.Control != 0 {
		effect.Percent = 100 * effect.Difference / math.Abs(effect.Control)
	}
	return effect
}

// descending orders larger numbers first and NaN last.
func descending(x, y float64) int { return cmp.Compare(y, x) }

// GroupEffect is a metric of one group, over replications: its mean in the control (or the
// only arm) over the months that have it, NaN where none has; and the paired difference of the
// treatment over the pairs that have it in all months of both arms, NaN without a treatment.
type GroupEffect struct {
	Control    float64
	Difference stats.Interval
}

// GroupEffects compares a metric of a group between replications that are paired in order;
// treatment may be nil.
func GroupEffects(control, treatment []*tables.GroupMeans, grouping, metric string, group int, confidence float64) GroupEffect {
	var levels, a, b []float64
	for r, m := range control {
		if level := m.DefinedMean(grouping, metric, group); !math.IsNaN(level) {
			levels = append(levels, level)
		}
		if treatment == nil {
			continue
		}
		x, y := m.Mean(grouping, metric, group), treatment[r].Mean(grouping, metric, group)
		if !math.IsNaN(x) && !math.IsNaN(y) {
			a, b = append(a, x), append(b, y)
		}
	}
	return GroupEffect{stats.Mean(levels), stats.PairedInterval(a, b, confidence)}
}

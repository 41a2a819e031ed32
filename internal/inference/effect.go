package inference

import (
	"cmp"
	"context"
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
	CILow      float64 // interval of Difference, paired by seed: see [stats.PairedInterval]; NaN when N < 2
	CIHigh     float64
	Relative   stats.Interval // of Percent, with the uncertainty of Control: see [stats.Relative]
	N          int            // pairs
	Window     Window         // zero = the one that was asked for

	// What may be said of it, among all effects that are told at once; filled in by [JudgeEffects].
	PAdjusted float64
	Smallest  float64 // smallest effect of interest, in Unit
	Verdict   Verdict // "" = it was not judged
	Tiny      bool    // there is a difference, and it is too small to matter
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
// moderated t, see moderate. Effects of a single pair come last, the largest
// |difference| first. Differences count in percentage points for rates and
// shares and relative to the control's level for all others.
func Effects(arm string, control, treatment tables.Panel, from, to int, confidence float64) []Effect {
	var list []scaledEffect
	for i := range sim.NumIndicators {
		a, b := stats.DefinedPairs(control.WindowMeans(i, from, to), treatment.WindowMeans(i, from, to))
		effect := PairedEffect(a, b, confidence)
		info := i.Info()
		effect.Arm, effect.Metric, effect.Unit = arm, info.Name, info.Unit
		if tables.IsShare(i) {
			effect.Percent, effect.Relative = math.NaN(), stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
		}
		scale := scaleOf(i, effect.Control, effect.Treatment)
		list = append(list, scaledEffect{
			Effect: effect, size: math.Abs(effect.Difference / scale), sd: stats.StdDev(stats.Differences(a, b)) / scale,
		})
	}
	moderate(list)
	slices.SortStableFunc(list, func(x, y scaledEffect) int {
		return cmp.Or(descending(x.t, y.t), descending(x.size, y.size))
	})
	effects := make([]Effect, len(list))
	for k := range list {
		effects[k] = list[k].Effect
	}
	return effects
}

// JudgeEffects judges effects of an experiment that was not registered, over one window: all of them are one family,
// and exploratory. It returns how p-values were adjusted and the notes of the comparison.
func JudgeEffects(ctx context.Context, effects []Effect, s *tables.Study, w Window, confidence float64) (Method, []Note, error) {
	c := Choice{Windows: []Window{w}, Confidence: confidence}
	for i := range sim.NumIndicators {
		c.Metrics = append(c.Metrics, i)
	}
	out, err := Compare(ctx, []*tables.Study{s}, c)
	if err != nil {
		return Method{}, nil, err
	}
	for k := range effects {
		e := &effects[k]
		for r := range out.Rows {
			if row := &out.Rows[r]; row.Metric == e.Metric && row.Arm == e.Arm {
				e.PAdjusted, e.Smallest, e.Verdict = float64(row.PAdjusted), float64(row.SmallestEffect), row.Verdict
				e.Tiny = row.Negligible(confidence)
			}
		}
	}
	notes := slices.DeleteFunc(out.Notes, func(n Note) bool { return n.Kind == DynamicsLeftOut }) // paths are not told here
	return out.Method, notes, nil
}

// percentOf is a difference in percent of the control's size; NaN where that is 0.
func percentOf(difference, control float64) float64 {
	if control == 0 {
		return math.NaN()
	}
	return 100 * difference / math.Abs(control)
}

// PairedEffect is the effect of a treatment with outcomes b on a control with
// outcomes a, where a[r] and b[r] share their seed.
func PairedEffect(a, b []float64, confidence float64) Effect {
	interval := stats.PairedInterval(a, b, confidence)
	relative := relativeInterval(a, b, interval, confidence)
	return Effect{
		Control:    stats.Mean(a),
		Treatment:  stats.Mean(b),
		Difference: interval.Mean,
		Percent:    percentOf(interval.Mean, stats.Mean(a)),
		CILow:      interval.Low,
		CIHigh:     interval.High,
		Relative:   stats.Interval{Mean: 100 * relative.Mean, Low: 100 * relative.Low, High: 100 * relative.High, N: interval.N},
		N:          interval.N,
	}
}

// relativeInterval is a difference of pairs as a share of the control's mean, which has no interval where the difference has none.
func relativeInterval(a, b []float64, difference stats.Interval, confidence float64) stats.Interval {
	x, y := stats.Relative(a, b)
	relative := stats.PairedInterval(x, y, confidence)
	if math.IsNaN(difference.Low) {
		relative.Low, relative.High = math.NaN(), math.NaN()
	}
	return relative
}

// descending orders larger numbers first and NaN last.
func descending(x, y float64) int { return cmp.Compare(y, x) }

// GroupEffect is a metric of one group, over replications: its mean in the control (or the
// only arm) over the months that have it, NaN where none has; and the paired difference of the
// treatment over the pairs that have it in all months of both arms, NaN without a treatment.
type GroupEffect struct {
	Control    float64
	Difference stats.Interval
	Relative   stats.Interval // as a share of the control's mean, with its uncertainty: see [stats.Relative]
}

// GroupEffects compares a metric of a group between replications that are paired in order;
// treatment may be nil.
func GroupEffects(control, treatment []*tables.GroupMeans, grouping, metric string, group int, confidence float64) GroupEffect {
	var levels []float64
	for _, m := range control {
		levels = append(levels, m.DefinedMean(grouping, metric, group))
	}
	a, b := stats.DefinedPairs(groupMeans(control, grouping, metric, group), groupMeans(treatment, grouping, metric, group))
	difference := stats.PairedInterval(a, b, confidence)
	return GroupEffect{stats.DefinedMean(levels), difference, relativeInterval(a, b, difference, confidence)}
}

// groupMeans are a metric of a group, by replication; NaN where a month lacks it.
func groupMeans(list []*tables.GroupMeans, grouping, metric string, group int) (values []float64) {
	for _, m := range list {
		values = append(values, m.Mean(grouping, metric, group))
	}
	return values
}

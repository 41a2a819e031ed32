package analysis

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"econ-mcp/internal/stats"
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
	Percent    float64 // 100 Difference / |Control|; NaN where Control is 0
	CILow      float64 // Student-t interval of Difference, paired by seed; NaN when N < 2
	CIHigh     float64
	N          int // pairs
}

// MarshalJSON implements [json.Marshaler].
func (e Effect) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Arm        string `json:"arm"`
		Metric     string `json:"metric"`
		Unit       string `json:"unit"`
		Control    Number `json:"control"`
		Treatment  Number `json:"treatment"`
		Difference Number `json:"difference"`
		Percent    Number `json:"percent"`
		CILow      Number `json:"ci_low"`
		CIHigh     Number `json:"ci_high"`
		N          int    `json:"n"`
	}{
		e.Arm, e.Metric, e.Unit, Number(e.Control), Number(e.Treatment), Number(e.Difference),
		Number(e.Percent), Number(e.CILow), Number(e.CIHigh), e.N,
	})
}

// Panel holds the monthly indicators of each replication of an arm, in the
// order of the seeds.
type Panel []*[sim.NumIndicators][]float64

// Effects compares the mean over the months from to to (from 1, both included)
// of every indicator, pair by pair: replication r of treatment with replication
// r of control. The most telling effect comes first: the one with the largest
// |difference| relative to the standard error of the paired differences.
// Effects without an interval come last, the largest percentage first.
func Effects(arm string, control, treatment Panel, from, to int, confidence float64) []Effect {
	type ranked struct {
		Effect
		tells float64 // |t|; NaN without an interval
	}
	var found []ranked
	for i := range sim.NumIndicators {
		var a, b []float64
		for r := range min(len(control), len(treatment)) {
			before, after := windowMean(control[r][i], from, to), windowMean(treatment[r][i], from, to)
			if math.IsNaN(before) || math.IsNaN(after) {
				continue
			}
			a, b = append(a, before), append(b, after)
		}
		effect := PairedEffect(a, b, confidence)
		info := i.Info()
		effect.Arm, effect.Metric, effect.Unit = arm, info.Name, info.Unit
		found = append(found, ranked{effect, tStatistic(effect)})
	}
	slices.SortStableFunc(found, func(x, y ranked) int {
		if c := descending(x.tells, y.tells); c != 0 {
			return c
		}
		return descending(math.Abs(x.Percent), math.Abs(y.Percent))
	})
	effects := make([]Effect, len(found))
	for i, f := range found {
		effects[i] = f.Effect
	}
	return effects
}

// PairedEffect is the effect of a treatment with outcomes b on a control with
// outcomes a, where a[r] and b[r] share their seed.
func PairedEffect(a, b []float64, confidence float64) Effect {
	interval := stats.PairedInterval(a, b, confidence)
	effect := Effect{
		Control:    mean(a),
		Treatment:  mean(b),
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

// tStatistic is proportional to |difference| over its standard error for
// effects with the same number of pairs.
func tStatistic(e Effect) float64 {
	switch half := (e.CIHigh - e.CILow) / 2; {
	case e.Difference == 0 && half == 0:
		return 0
	default:
		return math.Abs(e.Difference) / half
	}
}

// descending orders larger numbers first and NaN last.
func descending(x, y float64) int { return cmp.Compare(y, x) }

// windowMean is the mean of the defined months of a window; NaN if there are
// none.
func windowMean(series []float64, from, to int) float64 {
	var defined []float64
	for _, v := range series[max(0, from-1):min(to, len(series))] {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			defined = append(defined, v)
		}
	}
	return mean(defined)
}

// mean is NaN without values, and where one of them is.
func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

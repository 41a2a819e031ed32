package design

import (
	"math"
	"slices"

	"econ-mcp/sim"
)

// usualSpan is the length, in months, of what the question calls gradual or temporary
// without saying how long.
const usualSpan = 12

// mostMonths that can be simulated, by the catalogue.
var mostMonths = func() int {
	row, err := sim.Lookup("num_iterations")
	if err != nil {
		panic(err) // of the catalogue
	}
	return int(row.Max)
}()

// timing reads when a lever is moved.
func (r *reading) timing(it *item, l *Lever) {
	last := r.plan.base.Params.NumIterations
	for _, q := range it.timing {
		months := int(math.Round(min(max(q.x, 1), float64(mostMonths))))
		switch q.role {
		case rampRole:
			l.RampMonths = months
		case afterRole:
			l.StartMonth = months + 1
		case atRole:
			l.StartMonth = months
		case horizonRole:
			if r.has(gradualMeaning) && l.RampMonths == 0 {
				l.RampMonths = months
				continue
			}
			r.plan.Months = months
		default:
			if r.has(gradualMeaning) && l.RampMonths == 0 {
				l.RampMonths = months
			} else {
				l.DurationMonths = months
			}
		}
	}
	if it.hi == 0 {
		return
	}
	if r.has(gradualMeaning) && l.RampMonths == 0 {
		l.RampMonths = usualSpan
	}
	if r.has(brieflyMeaning) && l.DurationMonths == 0 {
		l.DurationMonths = usualSpan
	}
	if l.DurationMonths > 0 && l.RampMonths > l.DurationMonths {
		l.RampMonths = l.DurationMonths
	}
	if end := l.StartMonth - 1 + max(l.RampMonths, 1); end > max(last, r.plan.Months) {
		r.plan.Months = min(mostMonths, end+5*12)
	}
}

func (r *reading) has(m meaning) bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.is(m) })
}

// time says what a question asks of time that has no place: calendar years.
func (r *reading) time() {
	for i, t := range r.tokens {
		if t.kind == numberToken && t.number >= 1900 && t.number <= 2200 && t.number == math.Trunc(t.number) && t.to-t.from == 4 {
			if _, isYear := r.tokens.skip(i+1, "年"); isYear || r.tokens.is(i-1, "by") || r.tokens.is(i-1, "in") ||
				r.tokens.is(i-1, "from") ||
				r.tokens.is(i-1, "until") ||
				r.tokens.is(i-1, "since") {
				r.unmapped(t.text, "months count from the start of the experiment: the economy has no calendar", "月份从实验开始计数：模型没有日历年份")
			}
		}
	}
}

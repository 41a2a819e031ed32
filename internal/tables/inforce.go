package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/sim"
)

// InForce is when an intervention of a plan was in force.
type InForce struct {
	Intervention sim.Intervention
	Number       int          // in the plan, from 1
	Spans        [][]sim.Span // of months, by replication
}

// NewInForce says of each intervention of a plan when it was in force up to a month. began has its first
// months by replication, 0 = it did not begin. Of rules the panel must have the indicators that they
// watch, see [sim.Intervention.Watched].
func NewInForce(plan []sim.Intervention, began [][]int, panel Panel, last int) (list []InForce) {
	for k, v := range plan {
		f := InForce{Intervention: v, Number: k + 1, Spans: make([][]sim.Span, len(began))}
		for r, months := range began {
			if k >= len(months) {
				continue
			}
			f.Spans[r] = v.InForce(months[k], last, func(i sim.Indicator, month int) float64 {
				if r >= len(panel) || month > len(panel[r][i]) {
					return math.NaN()
				}
				return panel[r][i][month-1]
			})
		}
		list = append(list, f)
	}
	return list
}

// InForce says when the interventions of an arm were in force, up to the last month of its panel.
func (a *StudyArm) InForce() []InForce {
	return NewInForce(a.Interventions, a.Began, a.Panel, a.Panel.Months())
}

// Months is the last month that all replications have; 0 without any.
func (p Panel) Months() int {
	n := 0
	for r, series := range p {
		months := 0
		for _, values := range series {
			months = max(months, len(values))
		}
		if n = min(n, months); r == 0 {
			n = months
		}
	}
	return n
}

// Replications counts those in which it was in force.
func (f InForce) Replications() (n int) {
	for _, spans := range f.Spans {
		if len(spans) > 0 {
			n++
		}
	}
	return n
}

// Mean is for how many months it was in force, on average over the replications in which it was; NaN
// where it was in none.
func (f InForce) Mean() float64 {
	months := 0
	for _, spans := range f.Spans {
		for _, s := range spans {
			months += s.Months()
		}
	}
	return float64(months) / float64(f.Replications())
}

// Any are the months in which it was in force in any replication.
func (f InForce) Any() (list []sim.Span) {
	all := slices.Concat(f.Spans...)
	slices.SortFunc(all, func(a, b sim.Span) int { return a.From - b.From })
	for _, s := range all {
		if n := len(list); n > 0 && s.From <= list[n-1].To+1 {
			list[n-1].To = max(list[n-1].To, s.To)
		} else {
			list = append(list, s)
		}
	}
	return list
}

// MonthsText says spans of months, such as "4–9, 14"; of many the first ones.
func MonthsText(spans []sim.Span) string {
	const most = 8
	var list []string
	for _, s := range spans[:min(most, len(spans))] {
		text := fmt.Sprintf("%d–%d", s.From, s.To)
		if s.From == s.To {
			text = fmt.Sprint(s.From)
		}
		list = append(list, text)
	}
	if len(spans) > most {
		list = append(list, fmt.Sprintf("… %d", spans[len(spans)-1].To))
	}
	return strings.Join(list, ", ")
}

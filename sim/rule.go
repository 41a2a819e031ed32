package sim

import (
	"cmp"
	"slices"

	"econ-mcp/internal/fault"
)

// IsRule says whether it is switched on and off by two conditions. It is on from the month after one
// in which When holds and Until does not, and off from the month after one in which Until holds;
// in between it stays as it is. Each time it is switched on, a ramp and a shock begin anew.
func (v *Intervention) IsRule() bool { return v.Until != "" }

// ReadConditions puts the canonical form of its conditions in the place of what a caller wrote. Its
// errors are those of [ParseCondition], and that the conditions of a rule contradict each other.
func (v *Intervention) ReadConditions() (err error) {
	when, until := v.When, v.Until
	if when != "" {
		if when, err = ParseCondition(when); err != nil {
			return err
		}
	}
	if until != "" {
		if until, err = ParseCondition(until); err != nil {
			return fault.In("until", err)
		}
	}
	if when != "" && until != "" {
		if err := contradiction(when, until); err != nil {
			return err
		}
	}
	v.When, v.Until = when, until
	return nil
}

// checkRule refuses a rule that cannot be evaluated.
func (v *Intervention) checkRule() error {
	if v.When == "" {
		return fault.Missing("when", "a rule with until needs a condition that switches it on")
	}
	if v.DurationMonths != 0 {
		return fault.New(fault.Conflict, "duration_months", "a rule lasts until its condition holds").WithHint("leave duration_months out")
	}
	_, err := compileCondition(v.Until)
	return fault.In("until", err)
}

// contradiction refuses conditions of which the second takes back what the first does. Of one
// indicator they must leave a gap, in which the rule stays as it is.
func contradiction(when, until string) error {
	g, ok := newGrid(when, until)
	if !ok {
		return nil // too involved to tell
	}
	refused := func(format string, args ...any) error {
		return fault.New(fault.Conflict, "until", format, args...).
			WithHint("leave a gap between the two, such as when: unemployment_rate > 8%, until: unemployment_rate < 6.5%")
	}
	if whole, _ := g.every(func(met []bool) bool { return met[1] || !met[0] }); whole {
		return refused("until %q holds wherever when %q does: the rule would never be on", until, when)
	}
	names := namesIn(when)
	if len(names) != 1 || !slices.Equal(names, namesIn(until)) {
		return nil // until goes before when where both hold
	}
	if apart, at := g.every(func(met []bool) bool { return !met[0] || !met[1] }); !apart {
		return refused("when %q and until %q overlap: both hold where %s", when, until, g.at(at))
	}
	if touching, _ := g.everyInside(func(met []bool) bool { return met[0] || met[1] }); touching {
		return refused("there is no gap between when %q and until %q: the rule could change every month", when, until)
	}
	return nil
}

// watch looks at the conditions of the plan after a month: what begins or ends by them does so in the
// next month.
func (e *Economy) watch() {
	var env map[string]any // made where there is a condition to look at
	month := e.experimentMonth()
	for i := range e.plan {
		v := &e.plan[i]
		if v.Cancelled || month < v.TargetMonth || v.Began > 0 && !v.IsRule() {
			continue
		}
		if env == nil {
			env = conditionEnv(&e.record)
		}
		v.look(month, env)
	}
}

// look takes note of the conditions of an intervention after a month.
func (v *planned) look(month int, env map[string]any) {
	switch on := v.On > 0 && v.Off == 0; {
	case !v.IsRule():
		if v.when.holds(env) {
			v.Began = month + 1
		}
	case v.until.holds(env):
		if on {
			v.Off = month + 1
		}
	case !on && v.when.holds(env):
		v.On, v.Off = month+1, 0
		v.Began = cmp.Or(v.Began, month+1)
	}
}

// Span is the months from From to To.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Months counts them.
func (s Span) Months() int { return s.To - s.From + 1 }

// Watched are the indicators in the conditions of a rule, in the order of [Indicators]; none of what is
// no rule.
func (v Intervention) Watched() []Indicator {
	if !v.IsRule() {
		return nil
	}
	list := slices.Concat(watched(v.When), watched(v.Until))
	slices.Sort(list)
	return slices.Compact(list)
}

// InForce are the months up to last in which an intervention was in force in a run in which it began
// in a month, 0 = it did not. When a rule was on follows from the indicators that it watches, whose
// values in the months of the run are asked for.
func (v Intervention) InForce(began, last int, value func(i Indicator, month int) float64) (list []Span) {
	state := planned{Intervention: v, Began: began}
	if v.Cancelled || began == 0 {
		return nil
	}
	if !v.IsRule() {
		span := Span{began, last}
		if months := v.duration(); months > 0 {
			span.To = min(last, began+months-1)
		}
		if span.Months() > 0 {
			list = append(list, span)
		}
		return list
	}
	state.when, _ = compileCondition(v.When)
	state.until, _ = compileCondition(v.Until)
	watches, env := v.Watched(), map[string]any{}
	for month := v.TargetMonth; month <= last; month++ {
		switch n := len(list); {
		case state.age(month) == 0:
		case n > 0 && list[n-1].To == month-1 && list[n-1].From >= state.On:
			list[n-1].To = month
		default:
			list = append(list, Span{month, month})
		}
		for _, i := range watches {
			env[i.String()] = value(i, month)
		}
		env[monthVariable] = float64(month)
		state.look(month, env)
	}
	return list
}

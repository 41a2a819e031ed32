package sim

import (
	"fmt"
	"iter"
	"strings"
)

// String says what is planned, such as "from month 13 to 36, in 6 steps: vat_rate 0.15".
func (v Intervention) String() string { return v.months() + ": " + v.What() }

// What says what it does, without when, such as "policy minimum_wage 0.5".
func (v Intervention) What() string {
	var changes []string
	switch v.Type {
	case TypePolicy:
		changes = append(changes, fmt.Sprintf("policy %s %v", v.Policy.Policy, v.Policy.Level))
	case TypeShock:
		shock := v.Shock.Shock
		if v.Shock.Industry != "" {
			shock += " of industry " + v.Shock.Industry
		}
		changes = append(changes, fmt.Sprintf("shock %s %v, persistence %v", shock, v.Shock.Size, v.Shock.Persistence))
	case TypeInjection:
		changes = append(changes, fmt.Sprintf("%v a head to %s", v.Injection.Amount, v.Injection.Group))
	}
	for _, change := range v.Parameters {
		changes = append(changes, fmt.Sprintf("%s %v", change.Name, change.Value))
	}
	return strings.Join(changes, ", ")
}

// months says when it acts.
func (v *Intervention) months() string {
	when := fmt.Sprintf("from month %d", v.TargetMonth)
	switch {
	case v.IsRule():
		when = fmt.Sprintf("on after a month from %d on with %s, off after one with %s", v.TargetMonth, ConditionInPercent(v.When),
			ConditionInPercent(v.Until))
	case v.When != "":
		when = fmt.Sprintf("after a month from %d on with %s", v.TargetMonth, ConditionInPercent(v.When))
		if v.DurationMonths > 0 {
			when += fmt.Sprintf(", for %d months", v.DurationMonths)
		}
	case v.DurationMonths == 0 && v.OneMonth():
		when = fmt.Sprintf("in month %d", v.TargetMonth)
	case v.DurationMonths > 0:
		when += fmt.Sprintf(" to %d", v.TargetMonth+v.DurationMonths-1)
	}
	if v.RampMonths > 1 {
		when += fmt.Sprintf(", in %d steps", v.RampMonths)
	}
	if v.Cancelled {
		when = "cancelled, " + when
	}
	return when
}

// Action is what the intervention does, under the names by which callers give it and in
// their order: a policy and its level, a shock, an injection, or parameters and their values.
func (v Intervention) Action() iter.Seq2[string, any] {
	action := v.Parameters
	switch v.Type {
	case TypePolicy:
		action = []ParameterChange{{"policy", v.Policy.Policy}, {"level", v.Policy.Level}}
	case TypeShock:
		action = []ParameterChange{{"shock", v.Shock.Shock}, {"size", v.Shock.Size}, {"persistence", v.Shock.Persistence}}
		if v.Shock.Industry != "" {
			action = append(action, ParameterChange{"industry", v.Shock.Industry})
		}
	case TypeInjection:
		action = []ParameterChange{{"group", v.Injection.Group}, {"amount", v.Injection.Amount}}
	}
	return func(yield func(name string, value any) bool) {
		for _, x := range action {
			if !yield(x.Name, x.Value) {
				return
			}
		}
	}
}

package lab

import (
	"cmp"
	"fmt"
	"slices"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// Lever is one change that an arm of an inquiry makes.
type Lever struct {
	Arm       string
	Kind      sim.InterventionType // [sim.TypeParameterChange] of a parameter that is set, too
	Name      string               // parameter, policy, shock, group, or preset that the arm is
	From      any                  // of a parameter: in the control; else nil
	Value     any
	Unit      string
	Month     int
	Months    int // 0 = for good
	Ramp      int
	Condition string // once it holds; "" = none
	Until     string // of a rule; "" = none

	Pointer string           // to the value in the JSON of the inquiry (RFC 6901); "" = there is none
	Event   sim.Intervention // that brings it about; the zero value of what holds from month 1 on
}

// Bounds are the numbers that the value may be, both included. ok is false of what is no number.
func (l Lever) Bounds() (low, high float64, ok bool) {
	if _, number := amount(l.Value); !number {
		return 0, 0, false
	}
	switch l.Kind {
	case sim.TypeInjection:
		return inquiry.SmallestAmount, inquiry.LargestAmount, true
	case sim.TypePolicy, sim.TypeShock:
		pack, err := sim.PackageByID(l.Kind, l.Name)
		return pack.Min, pack.Max, err == nil
	}
	row, err := sim.Lookup(l.Name)
	return row.Min, row.Max, err == nil
}

// Direction says which way it goes: increase, decrease, or set for what is no number or has no value
// before.
func (l Lever) Direction() string {
	from, known := amount(l.From)
	to, number := amount(l.Value)
	switch {
	case number && !known && l.From == nil && l.Kind != sim.TypeParameterChange && to != 0:
		from = 0
	case !number || !known || from == to:
		return "set"
	}
	if to > from {
		return "increase"
	}
	return "decrease"
}

func amount(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int:
		return float64(x), true
	}
	return 0, false
}

// atStart are the parameters of a scenario in month 1, as far as they are planned for good.
func atStart(params sim.Params, planned []sim.Intervention) sim.Params {
	for _, v := range planned {
		if v.Type == sim.TypeParameterChange && v.TargetMonth == 1 && v.DurationMonths == 0 && v.When == "" {
			params = v.Applied(params)
		}
	}
	return params
}

// Levers lists what the arms change, in their order; a dose is one of its parameter.
func (q Inquired) Levers() []Lever {
	if len(q.Scenarios) == 0 {
		return nil
	}
	first := q.Scenarios[0].Scenario
	control := atStart(first.Params, first.Interventions)
	var list []Lever
	parameter := func(arm string, c sim.ParameterChange, v sim.Intervention, at string) {
		row, _ := sim.Lookup(c.Name)
		from, _ := control.Get(c.Name)
		list = append(list, Lever{
			arm, sim.TypeParameterChange, c.Name, from, c.Value, row.Unit, v.TargetMonth, v.DurationMonths, v.RampMonths, v.When, v.Until, at, v,
		})
	}
	for _, a := range q.Inquiry.Arms {
		at := "/arms/" + a.Name // names have no characters that a pointer would escape
		if a.Base != "" || a.Text != "" {
			list = append(list, Lever{Arm: a.Name, Kind: sim.TypeParameterChange, Name: cmp.Or(a.Base, "scenario"), Month: 1})
		}
		for _, s := range a.Set {
			parameter(a.Name, sim.ParameterChange(s), sim.Intervention{TargetMonth: 1}, at+"/set/"+s.Name)
		}
		for k, v := range slices.Concat(a.Events, a.Rules) {
			event := fmt.Sprintf("%s/events/%d", at, k)
			if k >= len(a.Events) {
				event = fmt.Sprintf("%s/rules/%d/do", at, k-len(a.Events))
			}
			l := Lever{a.Name, v.Type, "", nil, nil, "", v.TargetMonth, v.DurationMonths, v.RampMonths, v.When, v.Until, event, v}
			switch v.Type {
			case sim.TypePolicy:
				l.Name, l.Value, l.Pointer = v.Policy.Policy, v.Policy.Level, event+"/level"
			case sim.TypeShock:
				l.Name, l.Value, l.Pointer = v.Shock.Shock, v.Shock.Size, event+"/size"
			case sim.TypeInjection:
				l.Name, l.Value, l.Pointer = v.Injection.Group, v.Injection.Amount, event+"/amount"
				l.Unit = "currency units a head and month"
			default:
				for _, c := range v.Parameters {
					parameter(a.Name, c, v, event+"/set/"+c.Name)
				}
				continue
			}
			if pack, err := sim.PackageByID(v.Type, l.Name); err == nil {
				l.Unit = pack.Unit
			}
			list = append(list, l)
		}
		if a.Doses != nil {
			for k, x := range a.Doses.Values {
				dose := fmt.Sprintf("%s/doses/values/%d", at, k)
				parameter(a.Name, sim.ParameterChange{Name: a.Doses.Parameter, Value: x}, sim.Intervention{TargetMonth: 1}, dose)
			}
		}
	}
	return list
}

// Recommended are the parameters that make of the defaults the first arm with all its changes in force;
// num_iterations where there are none.
func (q Inquired) Recommended() []sim.ParameterChange {
	if len(q.Scenarios) == 0 {
		return nil
	}
	s := q.Scenarios[min(1, len(q.Scenarios)-1)].Scenario
	params := s.Params
	for _, v := range s.Interventions {
		params = v.Applied(params)
	}
	var list []sim.ParameterChange
	for _, name := range sim.Diff(sim.Defaults(), params) {
		v, _ := params.Get(name)
		list = append(list, sim.ParameterChange{Name: name, Value: v})
	}
	if !slices.ContainsFunc(list, func(c sim.ParameterChange) bool { return c.Name != "random_state" }) {
		list = append(list, sim.ParameterChange{Name: "num_iterations", Value: params.NumIterations})
	}
	return list
}

// Watched are the outcomes of an inquiry, the primary one first.
func Watched(q inquiry.Inquiry) (names []string) {
	for _, o := range q.Outcomes {
		names = append(names, o.Metric.String())
	}
	return names
}

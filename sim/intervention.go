package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/fault"
)

// Intervention is a planned change of live parameters while an economy lives: a
// step, with a ramp a gradual one, with a duration a pulse. It is a value; what it
// does to a month follows from that month alone.
type Intervention struct {
	Description    string
	TargetMonth    int // of the experiment, from 1: the first in which it is in force
	DurationMonths int // how long it is in force, after which parameters return; 0 = to the end
	RampMonths     int // over which numbers move in equal steps; 0 and 1 = at once
	Parameters     []ParameterChange
}

// ParameterChange is the value that a parameter has under an intervention, as
// int, float64, bool or string by the parameter's type.
type ParameterChange struct {
	Name  string
	Value any
}

// NewParameterChange checks a value as [Params.Set] does, and that the parameter
// may change while an economy lives.
func NewParameterChange(name string, value any) (ParameterChange, error) {
	row, err := Lookup(name)
	if err != nil {
		return ParameterChange{}, err
	}
	if !row.Live {
		e := fault.New(fault.Conflict, name, "%s cannot change while an economy lives", name)
		e.Hint = "set it for the whole experiment"
		return ParameterChange{}, e
	}
	if name == "confidence_shock" {
		e := fault.New(fault.Conflict, name, "confidence_shock falls in month 1 and has no effect later")
		e.Hint = "set it for the whole experiment"
		return ParameterChange{}, e
	}
	v, err := row.parse(value)
	if err != nil {
		return ParameterChange{}, err
	}
	if f, ok := v.(float64); ok {
		v = f + 0 // no negative zero
	}
	return ParameterChange{name, v}, row.check(v)
}

// inForce says whether an intervention acts in a month of the experiment.
func (v Intervention) inForce(month int) bool {
	return month >= v.TargetMonth && (v.DurationMonths == 0 || month < v.TargetMonth+v.DurationMonths)
}

// reached is the part of a change, from 0 to 1, that a ramp of a number of months
// has made in its nth month, counted from 1.
func reached(n, ramp int) float64 {
	return math.Min(1, float64(n)/float64(max(1, ramp)))
}

// moved is the value between from and to that a change has reached. Numbers move
// in proportion, integers to the nearest; others change at once.
func moved(from, to any, share float64) any {
	if share >= 1 {
		return to
	}
	switch to := to.(type) {
	case float64:
		return from.(float64) + float64(share*(to-from.(float64)))
	case int:
		return from.(int) + int(math.Round(share*float64(to-from.(int))))
	}
	return to
}

// planned are the parameters in force in a month of the experiment. Where
// interventions meet, the later in the list starts from what the earlier made.
func planned(p Params, list []Intervention, month int) Params {
	for _, v := range list {
		if !v.inForce(month) {
			continue
		}
		share := reached(month-v.TargetMonth+1, v.RampMonths)
		for _, change := range v.Parameters {
			row := catalogue[parameterIndex[change.Name]]
			row.store(&p, moved(row.Value(&p), change.Value, share))
		}
	}
	return p
}

// MaxInterventions is the largest number of interventions in a plan.
const MaxInterventions = 1000

// CheckInterventions refuses a list that cannot act. The error names the
// intervention by its place in the list, from 1. Each value is within its range, and
// so is what a ramp passes; no rule ties live parameters together.
func CheckInterventions(list []Intervention) error {
	if n := len(list); n > MaxInterventions {
		return fault.New(fault.LimitExceeded, "interventions", "%d interventions; at most %d are allowed", n, MaxInterventions)
	}
	for i, v := range list {
		if err := v.Check(); err != nil {
			return fmt.Errorf("intervention %d: %w", i+1, err)
		}
	}
	return nil
}

// Check refuses an intervention that cannot act.
func (v Intervention) Check() error {
	last, _ := Lookup("num_iterations")
	for _, field := range []struct {
		name         string
		value, least int
	}{{"target_month", v.TargetMonth, 1}, {"duration_months", v.DurationMonths, 0}, {"ramp_months", v.RampMonths, 0}} {
		if field.value < field.least || float64(field.value) > last.Max {
			return fault.Range(field.name, fmt.Sprint(field.value), fmt.Sprintf("%d to %g", field.least, last.Max))
		}
	}
	if v.DurationMonths > 0 && v.RampMonths > v.DurationMonths {
		e := fault.New(fault.Conflict, "ramp_months", "a ramp of %d months does not end within a duration of %d", v.RampMonths, v.DurationMonths)
		e.Hint = "lower ramp_months, or raise duration_months"
		return e
	}
	if len(v.Parameters) == 0 {
		e := fault.New(fault.WrongType, "parameters", "it changes no parameter")
		e.Hint = "name at least one, such as {vat_rate: 0.1}"
		return e
	}
	seen := map[string]bool{}
	for _, change := range v.Parameters {
		if seen[change.Name] {
			return fault.New(fault.Conflict, change.Name, "%s stands twice", change.Name)
		}
		seen[change.Name] = true
		typed, err := NewParameterChange(change.Name, change.Value)
		if err != nil {
			return err
		}
		if typed.Value != change.Value {
			row, _ := Lookup(change.Name)
			return fault.Type(change.Name, fmt.Sprintf("%v (%T)", change.Value, change.Value), string(row.Type))
		}
	}
	return nil
}

// Plan puts interventions into force from the next month on, in place of those
// planned before. A list that [CheckInterventions] refuses changes nothing.
func (e *Economy) Plan(list []Intervention) error {
	if err := CheckInterventions(list); err != nil {
		return err
	}
	e.p, e.plan = e.base, slices.Clone(list)
	for i := range e.plan {
		e.plan[i].Parameters = slices.Clone(e.plan[i].Parameters)
	}
	e.intervene(e.experimentMonth())
	return nil
}

// intervene puts the parameters of a month of the experiment into force. Where
// something is planned, it allocates a few words.
func (e *Economy) intervene(month int) {
	if len(e.plan) > 0 {
		e.p = planned(e.base, e.plan, month)
	}
}

// encodePlan and decodePlan write and read the section of a snapshot.
func encodePlan(list []Intervention) []byte {
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // plain values always encode
	}
	return data
}

func decodePlan(data string) ([]Intervention, error) {
	var list []Intervention
	if err := json.Unmarshal([]byte(data), &list); err != nil {
		return nil, err
	}
	for _, v := range list {
		for i, change := range v.Parameters {
			var err error
			if v.Parameters[i], err = NewParameterChange(change.Name, change.Value); err != nil {
				return nil, err
			}
		}
	}
	return list, CheckInterventions(list)
}

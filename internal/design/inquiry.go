package design

import (
	"slices"

	"econ-mcp/internal/inquiry"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// TreatmentArm is the arm of a question that was read.
const TreatmentArm = "treatment"

// Inquiry writes the experiment of a reading as an inquiry with a design, whose months decide the
// window. More is what both arms have beside, such as a number of households. It is for readings
// that have levers.
func (p Reading) Inquiry(d inquiry.Design, more []inquiry.Setting) inquiry.Inquiry {
	q := inquiry.Inquiry{Question: p.Question, Control: inquiry.ControlBackground, Design: d}
	if p.base.Name != Baseline {
		q.Background.Base = p.base.Name
	}
	c := p.base.Params
	var start []sim.ParameterChange // in both arms from month 1 on, and not in the burn-in
	both := func(name string, value any, burnIn bool) {
		if row, err := sim.Lookup(name); err == nil && row.Live && !burnIn {
			start = append(start, sim.ParameterChange{Name: name, Value: value})
		} else {
			q.Background.Set = append(q.Background.Set, inquiry.Setting{Name: name, Value: value})
		}
		_ = c.Set(name, value) // it was checked when it was read
	}
	q.Background.Set = append(q.Background.Set, more...)
	for _, need := range p.Context {
		both(need.Name, need.Value, false)
	}
	arm := inquiry.Arm{Name: TreatmentArm}
	for _, l := range p.Levers {
		if now, err := c.Get(l.Parameter); l.Kind == KindParameter && err == nil && now != l.From {
			both(l.Parameter, l.From, levers[l.row].unit != monthlyUnit)
		}
		arm.Set = append(arm.Set, l.settings()...)
		arm.Events = append(arm.Events, l.interventions()...)
	}
	// What both arms have from month 1 on hides what is set, and not what happens after it.
	var first []sim.ParameterChange
	arm.Set = slices.DeleteFunc(arm.Set, func(s inquiry.Setting) bool {
		hidden := slices.ContainsFunc(start, func(c sim.ParameterChange) bool { return c.Name == s.Name })
		if hidden {
			first = append(first, sim.ParameterChange(s))
		}
		return hidden
	})
	if len(first) > 0 {
		arm.Events = append([]sim.Intervention{{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: first}}, arm.Events...)
	}
	if len(start) > 0 {
		q.Background.Events = []sim.Intervention{{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: start}}
	}
	for i := range arm.Events { // whose words are not the experiment's
		arm.Events[i].Description = ""
	}
	q.Arms = []inquiry.Arm{arm}
	q.Compare = []inquiry.Pair{{Arm: TreatmentArm, With: inquiry.ControlArm}}
	from, to := p.window(d.Months)
	primary, sign := p.Expectation()
	for _, i := range append([]sim.Indicator{primary}, p.Outcomes...) {
		o := inquiry.Outcome{Metric: i, Windows: []inquiry.Window{{From: from, To: to}}}
		if len(q.Outcomes) == 0 {
			o.Expect = sign
		} else if i == primary {
			continue
		}
		q.Outcomes = append(q.Outcomes, o)
	}
	return q
}

// settings are the values that a lever sets in the treatment for good, from month 1 on.
func (l Lever) settings() (list []inquiry.Setting) {
	switch {
	case l.Kind == KindPreset:
		s, err := presets.Load(l.Parameter)
		if err != nil {
			panic(err) // a row names a preset that there is not
		}
		for _, name := range sim.Diff(sim.Defaults(), s.Params) {
			v, _ := s.Params.Get(name)
			list = append(list, inquiry.Setting{Name: name, Value: v})
		}
	case !l.planned():
		list = append(list, inquiry.Setting{Name: l.Parameter, Value: l.Value})
	}
	return list
}

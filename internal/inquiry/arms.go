package inquiry

import (
	"cmp"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Scenarios finds what a preset or a config is.
type Scenarios interface {
	Scenario(name string) (scenario.Scenario, error)
}

// Scenarios are the arms of the inquiry as they are simulated: the control first, where there is
// one, then each arm, with an arm for each dose. What is wrong in them is told by where it stands.
func (q Inquiry) Scenarios(find Scenarios) ([]Scenario, error) {
	list, err := q.Economies(find)
	if err != nil {
		return nil, err
	}
	return list, q.distinct(list)
}

// Economies are the scenarios, of which two may be the same: at a point of a sweep an arm may change nothing.
func (q Inquiry) Economies(find Scenarios) ([]Scenario, error) {
	background, err := q.scenario(find, q.Background, nil)
	if err != nil {
		return nil, fault.In("background", err)
	}
	if !q.compares() {
		return []Scenario{{ControlBackground, background}}, nil
	}
	var list []Scenario
	switch q.Control {
	case ControlNone:
	case ControlBackground:
		list = append(list, Scenario{ControlArm, background})
	case ControlBurnIn:
		rest := scenario.Scenario{Name: ControlBurnIn, Params: background.BurnIn, BurnIn: background.BurnIn}
		list = append(list, Scenario{ControlArm, rest})
	default:
		control, err := q.scenario(find, Economy{Base: q.Control, Set: sizes(background)}, nil)
		if err != nil {
			return nil, fault.In("control", err)
		}
		list = append(list, Scenario{ControlArm, control})
	}
	for _, a := range q.Arms {
		e, under := a.Economy, &background
		if a.own() {
			under, e.Set = nil, append(sizes(background), a.Set...)
		}
		s, err := q.scenario(find, e, under)
		if err != nil {
			return nil, fault.In("arms."+a.Name, err)
		}
		if a.Doses == nil {
			list = append(list, Scenario{a.Name, s})
			continue
		}
		for k, v := range a.Doses.Values {
			set := []Setting{{a.Doses.Parameter, v}}
			dose, err := with(s, set, false)
			if err == nil {
				err = unmasked(set, s.Interventions)
			}
			if err != nil {
				return nil, fault.In("arms."+a.Name+".doses", err)
			}
			list = append(list, Scenario{a.names()[k], dose})
		}
	}
	if q.Find != nil {
		names := q.Find.Arms()
		for i, x := range q.Find.Points() {
			set := []Setting{{q.Find.Parameter, x}}
			point, err := with(background, set, false)
			if err == nil {
				err = unmasked(set, background.Interventions)
			}
			if err != nil {
				return nil, fault.In("find", err)
			}
			list = append(list, Scenario{names[i], point})
		}
	}
	return list, nil
}

// scenario is an economy of its own, or what an arm makes of the background.
func (q Inquiry) scenario(find Scenarios, e Economy, background *scenario.Scenario) (s scenario.Scenario, err error) {
	inBurnIn := background == nil // an economy of its own has always been so
	if background != nil {
		s = *background
	} else if e.Text != "" {
		if s, err = scenario.Decode("scenario", []byte(e.Text)); err != nil {
			return s, err
		}
	} else if s, err = find.Scenario(cmp.Or(e.Base, "baseline")); err != nil {
		return s, err
	}
	s.Bands = nil
	if s, err = with(s, e.Set, inBurnIn); err != nil {
		return s, err
	}
	if err := unmasked(e.Set, s.Interventions); err != nil {
		return s, err
	}
	design := []Setting{{"num_iterations", q.Design.Months}, {"burn_in_months", q.Design.BurnIn}, {"random_state", q.Design.Seed}}
	if s, err = with(s, design, true); err != nil {
		return s, err
	}
	s.Interventions = slices.Concat(s.Interventions, e.Events, e.Rules)
	for i := len(s.Interventions) - len(e.Events) - len(e.Rules); i < len(s.Interventions); i++ { // an inquiry may have been made, not read
		if err := s.Interventions[i].ReadConditions(); err != nil {
			return s, err
		}
	}
	if err := sim.CheckInterventions(s.Interventions); err != nil {
		return s, err
	}
	for i, v := range s.Interventions {
		if err := v.CheckFits(s.Params); err != nil {
			return s, err
		}
		if v.TargetMonth > q.Design.Months {
			return s, fault.Range("from", fmt.Sprint(v.TargetMonth), fmt.Sprintf("1 to %d, the last month of the design", q.Design.Months)).
				WithHint(fmt.Sprintf("event %d begins after the end: give from a month of 1 to %d, or raise design.months", i+1, q.Design.Months))
		}
	}
	return s, s.Validate()
}

// unmasked refuses values that would never be in force, because an event that is planned already
// sets the same parameter from month 1 on.
func unmasked(set []Setting, planned []sim.Intervention) error {
	for _, s := range set {
		for _, v := range planned {
			masks := v.Type == sim.TypeParameterChange && v.TargetMonth == 1 && v.DurationMonths == 0 && v.RampMonths <= 1 && v.When == ""
			if masks && slices.ContainsFunc(v.Parameters, func(c sim.ParameterChange) bool { return c.Name == s.Name }) {
				return fault.New(fault.Conflict, s.Name, "an event sets %s from month 1 on, and hides what is set here", s.Name).
					WithHint("leave that event out, or write this as an event, too: {set: {" + s.Name + ": …}}")
			}
		}
	}
	return nil
}

// sizes are what all arms share, or the difference between them would be one of size.
func sizes(background scenario.Scenario) []Setting {
	return []Setting{{"num_households", background.Params.NumHouseholds}}
}

// with is a scenario with other values: from month 1 on, and in the burn-in where they hold there,
// too, or cannot change while the economy lives.
func with(s scenario.Scenario, set []Setting, inBurnIn bool) (scenario.Scenario, error) {
	for _, v := range set {
		row, err := sim.Lookup(v.Name)
		if err == nil {
			err = s.Params.Set(v.Name, v.Value)
		}
		if err == nil && (inBurnIn || !row.Live) {
			err = s.BurnIn.Set(v.Name, v.Value)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// effective is a scenario without what sets only what is so already, whatever else of the plan is in force.
func effective(s scenario.Scenario) scenario.Scenario {
	plan := s.Interventions
	s.Interventions = nil
	for i, v := range plan {
		idle := v.Type != sim.TypeInjection && v.Applied(s.Params) == s.Params
		for k, other := range plan {
			if p := other.Applied(s.Params); idle && k != i {
				idle = v.Applied(p) == p
			}
		}
		if !idle {
			s.Interventions = append(s.Interventions, v)
		}
	}
	return s
}

// distinct refuses two arms that are the same economy: nothing would differ.
func (q Inquiry) distinct(list []Scenario) error {
	named := map[string]string{}
	looked := 0 // the last so many are those of a find, of which one may be as the economy is
	if q.Find != nil {
		looked = len(q.Find.Points())
	}
	for i, a := range list {
		hash := effective(a.Scenario).Hash()
		if other, ok := named[hash]; ok && i < len(list)-looked {
			return fault.New(fault.Conflict, "arms."+a.Name, "arms %q and %q are the same economy", other, a.Name).
				WithHint("change something in one of them, or leave it out")
		}
		named[hash] = a.Name
	}
	return nil
}

package lab

import (
	"cmp"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// flag is the one of econ-mcp ask that it is tried by.
func (p *Perturbation) flag() string {
	if p.Draw > 0 {
		return "--posterior"
	}
	return "--robust"
}

// parameters are those that a draw sets.
func (p *Perturbation) parameters() (names []string) {
	for part := range strings.SplitSeq(p.Set, ", ") {
		name, _, _ := strings.Cut(part, "=")
		names = append(names, name)
	}
	return names
}

// DrawsFit refuses to try an inquiry under draws of parameters where the draws could not reach both arms alike: its control is a
// scenario of its own ([fault.InvalidState]), or it says itself what one of the parameters is ([fault.Conflict]). An effect of
// the parameter itself would change its meaning with each draw, and what is set for all arms would be replaced.
func DrawsFit(to Inquired, parameters []string) error {
	const flag = "--posterior"
	q := to.Inquiry
	if q.Control != inquiry.ControlBackground {
		return fault.New(fault.InvalidState, flag, "the control is no part of the inquiry, so draws cannot change it").
			WithHint("ask with the background as control")
	}
	for _, name := range parameters {
		changed := says(q.Background, name) || q.Find != nil && q.Find.Parameter == name
		for _, a := range q.Arms {
			changed = changed || says(a.Economy, name) || a.Doses != nil && a.Doses.Parameter == name
		}
		if changed {
			return fault.New(fault.Conflict, flag, "the question changes %s, which the draws vary", name).
				WithHint("leave the column out of the file")
		}
	}
	return nil
}

// EstimatedElsewhere is the scenario in which draws were estimated, where that is not what an inquiry is about; "" = it is. A file
// is known by its name alone, so that draws of one always count as estimated elsewhere.
func EstimatedElsewhere(q inquiry.Inquiry, scenario string) string {
	if q.Background.Text == "" && scenario == cmp.Or(q.Background.Base, "baseline") {
		return ""
	}
	return scenario
}

// says tells whether an economy has a value of its own for a parameter, at the beginning or later.
func says(e inquiry.Economy, name string) bool {
	if slices.ContainsFunc(e.Set, func(s inquiry.Setting) bool { return s.Name == name }) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(e.Events, e.Rules), func(i sim.Intervention) bool {
		return slices.ContainsFunc(i.Parameters, func(c sim.ParameterChange) bool { return c.Name == name }) ||
			slices.ContainsFunc(sim.Policies(), func(p sim.Package) bool { // a shock moves what is there, and fits a draw
				return p.ID == i.Policy.Policy && slices.Contains(p.Parameters, name)
			})
	})
}

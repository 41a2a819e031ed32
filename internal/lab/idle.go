package lab

import (
	"fmt"
	"slices"
	"strings"

	"econ-mcp/sim"
)

// mostWarnings keeps the answer short.
const mostWarnings = 20

// Warnings say what the experiment holds that can do nothing.
func (x Experiment) Warnings() []string { return idle(x.Arms) }

// idle says what the arms of an experiment hold that can do nothing: interventions, and parameters in
// which an arm differs from the first. What is so in all arms is said once.
func idle(arms []Arm) (list []string) {
	var reasons []string
	in := map[string][]string{} // arms by reason
	note := func(reason, arm string) {
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
		if !slices.Contains(in[reason], arm) {
			in[reason] = append(in[reason], arm)
		}
	}
	for k, arm := range arms {
		p := arm.Scenario.Params
		for _, v := range sim.IdleInterventions(p, arm.Scenario.Interventions) {
			note(v.Reason, arm.Name)
		}
		if k == 0 {
			continue
		}
		first, all := arms[0].Scenario.Params, p
		for _, v := range arm.Scenario.Interventions {
			all = v.Applied(all)
		}
		for _, name := range sim.Diff(first, p) {
			needs := sim.Dormant(p, name)
			if needs != "" && sim.Dormant(first, name) != "" && sim.Dormant(all, name) != "" {
				note(name+" does nothing without "+needs, arm.Name)
			}
		}
	}
	for _, reason := range reasons {
		if of := in[reason]; len(of) < len(arms) {
			reason = fmt.Sprintf("arm %s: %s", strings.Join(of, ", "), reason)
		}
		list = append(list, reason)
	}
	if n := len(list); n > mostWarnings {
		list = append(list[:mostWarnings], fmt.Sprintf("and %d more of this kind", n-mostWarnings))
	}
	return list
}

package lab

import (
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// mostWarnings keeps the answer short.
const mostWarnings = 20

// cautionWords are those around what is said.
var cautionWords = map[string]struct{ arm, more string }{
	report.English: {"arm %s: %s", "and %d more of this kind"},
	report.Chinese: {"组 %s：%s", "另有同类提示%d条"},
}

// Warnings say what the experiment holds that can do nothing, or lies outside of what was estimated.
func (x Experiment) Warnings() []string { return cautions(x.Arms, report.English) }

// cautions say in a language what the arms of an experiment hold that can do nothing: interventions, and
// parameters in which an arm differs from the first; and which parameters lie outside the ranges in which they
// were estimated. What is so in all arms is said once.
func cautions(arms []Arm, language string) (list []string) {
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
			note(v.Reason.In(language), arm.Name)
		}
		all := p
		for _, v := range arm.Scenario.Interventions {
			all = v.Applied(all)
		}
		for _, name := range sim.Diff(sim.Defaults(), all) {
			if r := sim.Extrapolation(all, name); r.EN != "" {
				note(r.In(language), arm.Name)
			}
		}
		if k == 0 {
			continue
		}
		first := arms[0].Scenario.Params
		for _, name := range sim.Diff(first, p) {
			if sim.Dormant(p, name) != "" && sim.Dormant(first, name) != "" && sim.Dormant(all, name) != "" {
				note(sim.DormantReason(p, name).In(language), arm.Name)
			}
		}
	}
	for _, reason := range reasons {
		if of := in[reason]; len(of) < len(arms) {
			reason = fmt.Sprintf(cautionWords[language].arm, strings.Join(of, ", "), reason)
		}
		list = append(list, reason)
	}
	if n := len(list); n > mostWarnings {
		list = append(list[:mostWarnings], fmt.Sprintf(cautionWords[language].more, n-mostWarnings))
	}
	return list
}

package main

import (
	"fmt"
	"strings"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// owner is the principal of all commands: who owns the process.
const owner = ""

// registered says by what an experiment is judged, as it was said before its first month.
func (p page) registered(r lab.Registration) {
	p.line(p.say("watched", "观察"), outcomeNames(r.Outcomes, p.language))
	name, sign := r.Expected()
	primary, _ := sim.IndicatorByName(name)
	text := fmt.Sprintf(p.say("means of months %d to %d, %s; above all %s", "第%d至%d个月的均值，%s；首要指标：%s"),
		r.Window[0], r.Window[1], p.family(r.Family), analysis.Label(primary, p.language))
	switch sign {
	case 1:
		text += p.say(", expected to be higher", "，预期更高")
	case -1:
		text += p.say(", expected to be lower", "，预期更低")
	}
	if x := r.SmallestEffect; x != nil {
		size := strings.TrimLeft(analysis.FormatDifference(primary, *x), "+")
		text += fmt.Sprintf(p.say("; an effect of less than %s counts as none", "；小于%s的效应视为没有"), size)
	}
	p.line(p.say("judged by", "判断依据"), text)
}

// family names the tests of a plan.
func (p page) family(test analysis.Test) string {
	switch test {
	case analysis.TestRank:
		return p.say("rank tests", "秩检验")
	case analysis.TestPermutation:
		return p.say("permutation tests", "置换检验")
	}
	return p.say("t tests", "t检验")
}

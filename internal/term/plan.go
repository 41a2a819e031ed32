package term

import (
	"fmt"
	"io"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// Plan says what will be done to answer a question.
func Plan(w io.Writer, proposal lab.Proposal) {
	p := page{w, proposal.Language}
	r := proposal.Reading
	if r.Question != "" {
		p.paragraph(r.Question)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, p.say("Plan", "计划"))
	p.line(p.say("experiment", "实验"), proposal.Inquiry.ReadBack(p.language))
	p.lines(p.say("assumed", "所作假定"), r.Assumed)
	p.lines(p.say("left out", "未采用"), leftOver(r))
	p.lines(p.say("warnings", "警告"), proposal.Warnings)
	if registered := proposal.Registration(); registered.FromQuestion() {
		p.line(p.say("hypothesis", "假设"), registered.HypothesisIn(p.language))
	}
	p.line(p.say("power", "功效"), proposal.Registration().PowerText(p.language))
	p.line(p.say("takes", "预计用时"),
		fmt.Sprintf(
			p.say("about %.0f s on an idle machine, less where burnt-in states are kept", "空闲机器上约 %.0f 秒；已有预热状态时更短"),
			max(1, proposal.EstimatedSeconds),
		))
	p.line(p.say("plan hash", "计划哈希"), shortHash(proposal.PlanHash))
	fmt.Fprintln(w)
}

// leftOver is what a reading does not rest on.
func leftOver(r question.Reading) (list []string) {
	for _, l := range r.LeftOver {
		list = append(list, fmt.Sprintf("“%s”: %s", l.Text, l.Why))
	}
	return list
}

// AskBack says what is asked back, with the choices, or why a question is out of scope and what can be
// asked instead.
func AskBack(w io.Writer, r question.Reading, language string) {
	p := page{w, language}
	if r.Status == question.OutOfScope {
		p.paragraph(p.say("This is beyond what the model can say. Nothing was simulated.", "这超出了模型所能回答的范围。未进行任何模拟。"))
		p.lines(p.say("why", "原因"), leftOver(r))
		fmt.Fprintf(w, "\n%s\n", p.say("What can be asked, for example:", "可以这样问，例如："))
		for _, text := range r.Nearest {
			fmt.Fprintf(w, "  econ-mcp ask %q\n", text)
		}
		return
	}
	p.paragraph(p.say("This can be read in more than one way. Nothing was simulated.", "这个问题有不止一种理解。未进行任何模拟。"))
	p.lines(p.say("left over", "未能理解"), leftOver(r))
	for _, q := range r.Questions {
		fmt.Fprintln(w)
		p.paragraph(q.Ask)
		for k, c := range q.Choices {
			fmt.Fprintln(w, Wrap(c.Said, lineWidth, fmt.Sprintf("  %d  ", k+1), "     "))
		}
	}
	fmt.Fprintln(w)
	p.paragraph(p.say(
		"Ask again in words that decide it; or take what is proposed first: --assume. With --dry-run --json each choice is a ready inquiry.",
		"请换一种明确的说法再问；或加 --assume 采用首选项。加 --dry-run --json 时，每个选项都是可直接运行的提问。",
	))
}

func outcomeNames(names []string, language string) string {
	var list []string
	for _, name := range names {
		if i, ok := sim.IndicatorByName(name); ok {
			list = append(list, report.Label(i, language))
		}
	}
	return strings.Join(list, Say(language, ", ", "、"))
}

// registered says by what an experiment is judged, as it was said before its first month.
func (p page) registered(r lab.Registration) {
	p.line(p.say("watched", "观察"), outcomeNames(r.Outcomes, p.language))
	name, sign := r.Expected()
	primary, _ := sim.IndicatorByName(name)
	text := fmt.Sprintf(p.say("means of months %d to %d, %s; above all %s", "第%d至%d个月的均值，%s；首要指标：%s"),
		r.Window[0], r.Window[1], p.family(r.Family), report.Label(primary, p.language))
	switch sign {
	case 1:
		text += p.say(", expected to be higher", "，预期更高")
	case -1:
		text += p.say(", expected to be lower", "，预期更低")
	}
	if x := r.SmallestEffect; x != nil {
		size := strings.TrimLeft(report.FormatDifference(primary, *x), "+")
		text += fmt.Sprintf(p.say("; an effect of less than %s counts as none", "；小于%s的效应视为没有"), size)
	}
	p.line(p.say("judged by", "判断依据"), text)
}

// family names the tests of a plan.
func (p page) family(test inference.Test) string {
	switch test {
	case inference.TestRank:
		return p.say("rank tests", "秩检验")
	case inference.TestPermutation:
		return p.say("permutation tests", "置换检验")
	}
	return p.say("t tests", "t检验")
}

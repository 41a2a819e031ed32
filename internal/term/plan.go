package term

import (
	"econ-mcp/internal/design"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
	"fmt"
	"io"
	"strings"
)

// Plan says what will be done to answer a question.
func Plan(w io.Writer, proposal lab.Proposal) {
	r := proposal.Registration
	p := page{w, r.Language}
	p.paragraph(r.Question)
	fmt.Fprintf(w, "\n%s\n", p.say("Plan", "计划"))
	kind := fmt.Sprintf(p.say("%s (%s), confidence %s", "%s（%s），置信度 %s"), proposal.Plan.Subject(), r.Type,
		report.FormatShare(proposal.Plan.Confidence, 0))
	if c := proposal.Plan.Candidates; len(c) > 1 {
		kind += fmt.Sprintf(p.say("; else %s, %s", "；其次 %s，%s"), c[1].Type, report.FormatShare(c[1].Confidence, 0))
	}
	p.line(p.say("about", "主题"), kind)
	var changes, inBoth []string
	for _, l := range proposal.Plan.Levers {
		changes = append(changes, leverText(l, p.language))
	}
	for _, s := range r.BothArms {
		inBoth = append(inBoth, fmt.Sprintf("%s = %v", s.Parameter, s.Value))
	}
	p.lines(p.say("changes", "改变"), changes)
	p.lines(p.say("in both", "两组均设"), inBoth)
	if held := proposal.Plan.Held; len(held) > 0 {
		p.line(p.say("left alone", "保持不变"), strings.Join(held, ", "))
	}
	p.lines(p.say("not mapped", "无法映射"), r.Unmapped)
	p.line(p.say("hypothesis", "假设"), r.Hypothesis)
	p.registered(r)
	if p.language == report.Chinese {
		p.line("设计",
			fmt.Sprintf("对照组与处理组各%s，每个经济体%d户家庭，预热%d个月后模拟%d个月，基础种子%d", replicationsText(r, p.language), r.Households, r.BurnIn, r.Months, r.Seed))
	} else {
		p.line("design", fmt.Sprintf("control and treatment, %s, %s, %d months after a burn-in of %d, base seed %d",
			replicationsText(r, p.language), report.Plural(r.Households, "household"), r.Months, r.BurnIn, r.Seed))
	}
	p.line(p.say("takes", "预计用时"),
		fmt.Sprintf(
			p.say("about %.0f s on an idle machine, less where burnt-in states are kept", "空闲机器上约 %.0f 秒；已有预热状态时更短"),
			max(1, proposal.EstimatedSeconds),
		))
	p.line(p.say("plan hash", "计划哈希"), shortHash(proposal.Hash))
	fmt.Fprintln(w)
}

// replicationsText is how many replications there will be, and until when they are added.
func replicationsText(r lab.Registration, language string) string {
	if r.MaxReplications == nil {
		return Say(language, report.Plural(r.Replications, "replication")+" of each", fmt.Sprintf("%d次重复", r.Replications))
	}
	return fmt.Sprintf(Say(
		language, "%d to %d replications of each (until the interval of the effect on %s is within ±%s of it)", "%d至%d次重复（直至对%s的影响的区间在其±%s之内）",
	),
		r.Replications, *r.MaxReplications, outcomeNames(r.Outcomes[:1], language), report.FormatShare(*r.HalfWidth, 0))
}

// leverText says what a lever does and where its size comes from.
func leverText(l design.Lever, language string) string {
	text := l.Title(language == report.Chinese)
	switch {
	case l.Assumed && l.Why != "":
		if language == report.Chinese {
			text += "；问题未给出可用的幅度，采用默认幅度（理由见 --json 的 why）"
		} else {
			text += "; the question gives no size that fits, so a usual one: " + l.Why
		}
	case l.FromText != "":
		text += fmt.Sprintf(Say(language, "; from “%s”", "；来自“%s”"), l.FromText)
	}
	if l.Note != "" {
		text += Say(language, "; ", "；") + l.Note
	}
	return text
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

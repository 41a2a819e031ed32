package lab

import (
	"encoding/json"
	"fmt"
	"strings"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// background is what a report of an answered question tells beside the analysis.
func (a *Answer) background() analysis.Background {
	r := a.Registration
	claim := r.claim(a.Language)
	b := analysis.Background{
		Claim: &claim, Hypothesis: r.HypothesisIn(a.Language), Plan: r.said(a.Language), PlanHash: a.PlanHash, Robustness: a.Robustness,
	}
	if r.Base == "" && r.Perturbation == nil {
		b.Repeat = fmt.Sprintf("econ-mcp ask %s --households %d --months %d --replications %d --seed %d --lang %s", quoted(r.Question), r.Households, r.Months, r.Replications, r.Seed, r.Language)
	}
	return b
}

// plannedOnly is that of an experiment that was not made from a question.
func plannedOnly(x store.Experiment, language string) (b analysis.Background) {
	var p Plan
	if hash := PlanHash(x.Plan); hash != "" && json.Unmarshal(x.Plan, &p) == nil {
		b.PlanHash, b.Plan = hash, p.said(language)
	}
	return b
}

// claim is what the hypothesis says, in a language.
func (r Registration) claim(language string) analysis.Claim {
	return analysis.Claim{Change: r.ChangeIn(language), Outcome: r.Expected.Outcome, Sign: r.Expected.Sign}
}

// quoted is a word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// plain chooses between two languages.
func plain(language, en, zh string) string {
	if language == analysis.Chinese {
		return zh
	}
	return en
}

// said are the lines of a plan.
func (p Plan) said(language string) (lines []analysis.Said) {
	add := func(en, zh, text string) {
		if text != "" {
			lines = append(lines, analysis.Said{Label: plain(language, en, zh), Text: text})
		}
	}
	var names []string
	for _, name := range p.Outcomes {
		if i, ok := sim.IndicatorByName(name); ok {
			names = append(names, analysis.Label(i, language))
		}
	}
	add("outcomes", "指标", strings.Join(names, plain(language, ", ", "、")))
	if len(p.Window) == 2 {
		add("judged by", "判断依据", fmt.Sprintf(plain(language, "means of months %d to %d", "第%d至%d个月的均值"), p.Window[0], p.Window[1]))
	}
	if p.SmallestEffect != nil && len(p.Outcomes) > 0 {
		i, _ := sim.IndicatorByName(p.Outcomes[0])
		add("smallest effect of interest", "值得关注的最小效应", strings.TrimLeft(analysis.FormatDifference(i, *p.SmallestEffect), "+"))
	}
	add("tests", "检验", p.Family)
	return lines
}

// said are the lines of what was registered for a question.
func (r Registration) said(language string) (lines []analysis.Said) {
	add := func(en, zh, text string) {
		if text != "" {
			lines = append(lines, analysis.Said{Label: plain(language, en, zh), Text: text})
		}
	}
	add("treatment", "处理", r.ChangeIn(language))
	for _, l := range r.Levers {
		if l.Assumed {
			add("size assumed", "采用的默认幅度", fmt.Sprintf(plain(language, "%s: the question gives no size that fits, so a usual one: %s", "%s：问题未给出可用的幅度，采用文献中的常用幅度（%s）"), l.Parameter, l.Why))
		}
	}
	var both []string
	for _, s := range r.BothArms {
		both = append(both, fmt.Sprintf("%s = %v", s.Parameter, s.Value))
	}
	add("in both arms", "两组均设", strings.Join(both, "; "))
	if p := r.Perturbation; p != nil {
		add("in both arms", "两组均设", fmt.Sprintf("%s × %g", p.Parameter, p.Factor))
	}
	add("base", "基准情景", r.Base)
	add("not covered", "未涵盖", strings.Join(r.Unmapped, plain(language, "; ", "；")))
	lines = append(lines, r.Plan.said(language)...)
	add("size", "规模", fmt.Sprintf(plain(language,
		"%d replications of each arm, %d households, %d months after a burn-in of %d, base seed %d",
		"每组%d次重复，%d户家庭，预热%[4]d个月后模拟%[3]d个月，基础种子%[5]d"), r.Replications, r.Households, r.Months, r.BurnIn, r.Seed))
	add("confidence", "置信水平", analysis.FormatShare(r.Confidence, 0))
	return lines
}

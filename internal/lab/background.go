package lab

import (
	"fmt"
	"log/slog"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// background is what a report tells beside the analysis of an experiment with this
// registration, of which planHash is the hash; "" = nothing was registered.
func (r Registration) background(planHash, language string) report.Background {
	if planHash == "" {
		return report.Background{}
	}
	b := report.Background{Plan: r.said(language), PlanHash: planHash}
	if q, err := inquiry.Decode([]byte(r.Inquiry)); err == nil && r.Inquiry != "" {
		b.Plan = []report.Said{
			{Label: plain(language, "inquiry", "提问"), Text: q.ReadBack(language)},
			{Label: plain(language, "hash of the inquiry", "提问的哈希"), Text: r.InquiryHash},
		}
		for _, said := range []report.Said{
			{Label: plain(language, "assumed", "所作假定"), Text: strings.Join(r.Assumed, plain(language, "; ", "；"))},
			{Label: plain(language, "not covered", "未涵盖"), Text: strings.Join(r.Unmapped, plain(language, "; ", "；"))},
		} {
			if said.Text != "" {
				b.Plan = append(b.Plan, said)
			}
		}
	}
	if text := r.PowerText(language); text != "" {
		b.Plan = append(b.Plan, report.Said{Label: plain(language, "power", "功效"), Text: text})
	}
	if !r.FromQuestion() {
		return b
	}
	claim := r.claim(language)
	b.Claim, b.Hypothesis = &claim, r.HypothesisIn(language)
	if r.Inquiry != "" {
		b.Repeat = "econ-mcp ask " + inquiryFile
	}
	return b
}

// Foreseen is what the experiment will be able to find, told before its first month; empty where there is nothing to compare.
func (r Registration) Foreseen() []inference.Foreseen {
	p, err := r.planned()
	if err != nil || len(r.Arms) < 2 || r.Replications < 2 {
		return nil
	}
	p.Confidence = r.Confidence
	list, err := p.Foresee(len(r.Arms)-1, r.Households, r.Replications)
	if err != nil {
		slog.Warn("the power of a plan could not be told", "error", err)
	}
	return list
}

// PowerText says [Registration.Foreseen] in a language.
func (r Registration) PowerText(language string) string {
	return report.PowerText(r.Foreseen(), r.Replications, language)
}

// claim is what the hypothesis says, in a language.
func (r Registration) claim(language string) report.Claim {
	outcome, sign := r.Expected()
	return report.Claim{Change: r.ChangeIn(language), Outcome: outcome, Sign: sign}
}

// plain chooses between two languages.
func plain(language, en, zh string) string {
	if language == report.Chinese {
		return zh
	}
	return en
}

// said are the lines of a completed plan.
func (p Plan) said(language string) (lines []report.Said) {
	add := func(en, zh, text string) {
		lines = append(lines, report.Said{Label: plain(language, en, zh), Text: text})
	}
	var names []string
	for _, name := range p.Outcomes {
		if i, ok := sim.IndicatorByName(name); ok {
			names = append(names, report.Label(i, language))
		}
	}
	outcome, sign := p.Expected()
	primary, known := sim.IndicatorByName(outcome)
	if !known || len(p.Window) != 2 {
		return nil
	}
	add("primary outcome", "主要指标", names[0]+map[int]string{
		-1: plain(language, ", expected to fall", "，预期下降"), 0: plain(language, ", in either direction", "，不预设方向"),
		1: plain(language, ", expected to rise", "，预期上升"),
	}[sign])
	if len(names) > 1 {
		add("other outcomes", "其他指标", strings.Join(names[1:], plain(language, ", ", "、")))
	}
	add("judged by", "判断依据", fmt.Sprintf(plain(language, "means of months %d to %d", "第%d至%d个月的均值"), p.Window[0], p.Window[1]))
	smallest := plain(language, "the usual ones, see Results", "采用惯例值，见结果")
	if p.SmallestEffect != nil {
		smallest = fmt.Sprintf(
			plain(language, "%s of the primary outcome; the usual ones of the others, see Results", "主要指标为%s；其他指标采用惯例值，见结果"),
			strings.TrimLeft(report.FormatDifference(primary, *p.SmallestEffect), "+"),
		)
	}
	add("smallest effects of interest", "最小关注效应", smallest)
	family, ok := families[p.Family]
	if !ok {
		family = families[inference.TestT]
	}
	add("tests", "检验", plain(language, family[0], family[1]))
	return lines
}

// families name the families of tests, in English and Chinese.
var families = map[inference.Test][2]string{
	inference.TestT:           {"t tests, of pairs", "配对t检验"},
	inference.TestRank:        {"rank tests, of pairs", "配对秩检验"},
	inference.TestPermutation: {"permutation tests, of pairs", "配对置换检验"},
}

// said are the lines of what was registered for a question.
func (r Registration) said(language string) (lines []report.Said) {
	add := func(en, zh, text string) {
		if text != "" {
			lines = append(lines, report.Said{Label: plain(language, en, zh), Text: text})
		}
	}
	add("treatment", "处理", r.ChangeIn(language))
	for _, l := range r.Levers {
		if l.Assumed {
			add(
				"size assumed", "采用的默认幅度",
				fmt.Sprintf(
					plain(language, "%s: the question gives no size that fits, so a usual one: %s", "%s：问题未给出可用的幅度，采用文献中的常用幅度（%s）"), l.Parameter, l.Why,
				),
			)
		}
	}
	add("assumed", "所作假定", strings.Join(r.Assumed, plain(language, "; ", "；")))
	var both []string
	for _, s := range r.BothArms {
		both = append(both, fmt.Sprintf("%s = %v", s.Parameter, s.Value))
	}
	add("in both arms", "两组均设", strings.Join(both, "; "))
	if p := r.Perturbation; p != nil {
		add("in both arms", "两组均设", p.Text())
	}
	add("base", "基准情景", r.Base)
	add("not covered", "未涵盖", strings.Join(r.Unmapped, plain(language, "; ", "；")))
	lines = append(lines, r.Plan.said(language)...)
	add("size", "规模", fmt.Sprintf(plain(language,
		"%d replications of each arm, %s households, %d months after a burn-in of %d, base seed %d",
		"每组%d次重复，%s户家庭，预热%[4]d个月后模拟%[3]d个月，基础种子%[5]d"), r.Replications, report.FormatNumber(float64(r.Households), 0), r.Months, r.BurnIn,
		r.Seed))
	if r.auto() {
		add("more replications", "追加重复", fmt.Sprintf(plain(language,
			"added until the 95 %% interval of the primary outcome's effect is within ±%s of it, at most %d in all; no p-value is looked at",
			"追加至主要指标效应的95 %%区间不超过效应的±%s为止，总数至多%d；不看p值"), report.FormatShare(*r.HalfWidth, 0), *r.MaxReplications))
	}
	add("confidence", "置信水平", report.FormatShare(r.Confidence, 0))
	return lines
}

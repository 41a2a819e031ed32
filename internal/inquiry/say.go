package inquiry

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/sim"
)

// Languages in which an inquiry says itself back.
const (
	English = "en"
	Chinese = "zh"
)

// words is the same in both languages.
type words struct{ en, zh string }

func (w words) in(language string) string {
	if language == Chinese {
		return w.zh
	}
	return w.en
}

// sayf fills in words that have the same values in the same order.
func sayf(language, en, zh string, values ...any) string {
	return fmt.Sprintf(words{en, zh}.in(language), values...)
}

func joined(list []string, language string) string {
	return strings.Join(list, words{", ", "、"}.in(language))
}

// ReadBack says in one plain paragraph what will be done: arms, control, background, windows, size.
func (q Inquiry) ReadBack(language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	background := q.Background.said(language)
	if background == "" {
		background = say("the baseline economy", "基准经济")
	}
	var b strings.Builder
	if !q.compares() {
		b.WriteString(say("One economy, without a comparison: %s. ", "一个经济，不作比较：%s。", background))
	} else {
		b.WriteString(say("In every arm: %s. ", "各组共同：%s。", background))
		for _, a := range q.Arms {
			b.WriteString(say("Arm %s: %s. ", "组 %s：%s。", a.Name, a.saidWhole(language)))
		}
		b.WriteString(q.saidControl(language))
	}
	b.WriteString(q.saidEqualCost(language))
	b.WriteString(q.saidFind(language))
	b.WriteString(q.saidCompare(language))
	b.WriteString(say("Of each, %s, %s after a burn-in of %s, seed %d. ", "每组%s，预热%[3]s后模拟%[2]s，种子%[4]d。", q.Design.saidReplications(language),
		counted(q.Design.Months, "month", "个月", language), counted(q.Design.BurnIn, "month", "个月", language), q.Design.Seed))
	b.WriteString(q.saidOutcomes(language))
	if len(q.Compare) > 0 {
		b.WriteString(say(" Tests: %s, at %s confidence.", "检验：%s，置信水平%s。", q.Design.saidFamily(language), percent(q.Design.Confidence)))
	}
	return strings.TrimSpace(b.String())
}

// saidWhole is an arm with its doses.
func (a Arm) saidWhole(language string) string {
	var parts []string
	if text := a.said(language); text != "" {
		parts = append(parts, text)
	}
	if a.Doses != nil {
		parts = append(parts, a.saidDoses(language))
	}
	return strings.Join(parts, words{"; ", "；"}.in(language))
}

func (a Arm) saidDoses(language string) string {
	row, _ := sim.Lookup(a.Doses.Parameter)
	var doses []string
	for _, v := range a.Doses.Values {
		doses = append(doses, number(v, row.Unit))
	}
	name := parameterLabel(a.Doses.Parameter, language)
	return sayf(language, "%s at %s, an arm each", "%s 取 %s，各为一组", name, joined(doses, language))
}

func (q Inquiry) saidControl(language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	switch q.Control {
	case ControlNone:
		return say("There is no control. ", "没有对照组。")
	case ControlBackground:
		return say("The control is the background alone. ", "对照组仅有共同背景。")
	case ControlBurnIn:
		return say("The control is the burnt-in economy, which goes on as it was. ", "对照组为预热后照旧延续的经济。")
	}
	return say("The control is %s. ", "对照组为 %s。", q.Control)
}

// said is what an economy is and what happens in it; empty where it is the baseline.
func (e Economy) said(language string) string {
	var parts []string
	if e.Base != "" {
		parts = append(parts, sayf(language, "the scenario %s", "情景 %s", e.Base))
	}
	if e.Text != "" {
		parts = append(parts, sayf(language, "a scenario of its own", "一个自带的情景"))
	}
	for _, s := range e.Set {
		row, _ := sim.Lookup(s.Name)
		parts = append(parts, sayf(language, "%s is %s", "%s 为 %s", parameterLabel(s.Name, language), number(s.Value, row.Unit)))
	}
	for _, v := range slices.Concat(e.Events, e.Rules) {
		parts = append(parts, SaidEvent(v, language))
	}
	return strings.Join(parts, words{"; ", "；"}.in(language))
}

// SaidEvent is an event in words, with its months.
func SaidEvent(v sim.Intervention, language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	var what string
	switch v.Type {
	case sim.TypePolicy:
		what = say("the policy %s at %s", "政策 %s，力度 %s", packageLabel(sim.TypePolicy, v.Policy.Policy, language),
			number(v.Policy.Level, unitOf(v.Type, v.Policy.Policy)))
	case sim.TypeShock:
		what = say("a shock to %s of %s", "%s 冲击，幅度 %s", packageLabel(sim.TypeShock, v.Shock.Shock, language),
			number(v.Shock.Size, unitOf(v.Type, v.Shock.Shock)))
		if v.Shock.Industry != "" {
			what += say(" in industry %s", "（行业 %s）", v.Shock.Industry)
		}
		if v.Shock.Persistence > 0 {
			what += say(", of which %s is left each month", "，每月保留 %s", percent(v.Shock.Persistence))
		}
	case sim.TypeInjection:
		what = say("%s a head and month to %s", "每月每人 %s，发给 %s", text(v.Injection.Amount), GroupLabel(v.Injection.Group, language))
	default:
		var changes []string
		for _, c := range v.Parameters {
			row, _ := sim.Lookup(c.Name)
			changes = append(changes, say("%s becomes %s", "%s 变为 %s", parameterLabel(c.Name, language), number(c.Value, row.Unit)))
		}
		what = joined(changes, language)
	}
	return what + saidMonths(v, language)
}

func saidMonths(v sim.Intervention, language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	when := say(" from month %d on", "，自第%d个月起", v.TargetMonth)
	condition := sim.ConditionInPercent(v.When)
	switch {
	case v.IsRule():
		when = say(" while a rule is on: from the month after %s until %s, again and again", "，规则开启期间：自 %s 的次月起，至 %s 为止，可反复开启",
			condition, sim.ConditionInPercent(v.Until))
		if v.TargetMonth > 1 {
			when += say(", looked at from month %d on", "（自第%d个月起每月检查）", v.TargetMonth)
		}
	case v.When != "":
		when = say(" once %s, looked at from month %d on", "，一旦 %s（自第%d个月起每月检查）", condition, v.TargetMonth)
		if v.DurationMonths > 0 {
			when += say(", for %d months", "，持续%d个月", v.DurationMonths)
		}
	case v.DurationMonths > 1:
		when = say(" in months %d to %d", "，第%d至%d个月", v.TargetMonth, v.TargetMonth+v.DurationMonths-1)
	case v.DurationMonths == 1 || v.OneMonth():
		when = say(" in month %d", "，第%d个月", v.TargetMonth)
	}
	if v.RampMonths > 1 {
		when += say(", in %d equal steps", "，分%d步", v.RampMonths)
	}
	return when
}

// counted is a number of things.
func counted(n int, thing, zh, language string) string {
	if language == Chinese {
		return fmt.Sprint(n) + zh
	}
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func (d Design) saidFamily(language string) string {
	return map[string]words{
		"t": {"t tests", "t检验"}, "rank": {"rank tests", "秩检验"}, "permutation": {"permutation tests", "置换检验"},
	}[d.Family].in(language)
}

// saidCompare is what is compared, where that is not each arm with the control.
func (q Inquiry) saidCompare(language string) string {
	var steps []string
	if q.Find != nil {
		steps = StepArms()
	}
	names := slices.DeleteFunc(q.names(), func(name string) bool { return slices.Contains(steps, name) })
	each := len(names) > 0 && len(q.Compare) == len(names)-1
	var list []string
	for k, p := range q.Compare {
		each = each && p == Pair{names[k+1], ControlArm}
		list = append(list, p.Arm+" - "+p.With)
	}
	if each || len(list) == 0 {
		return ""
	}
	return sayf(language, "Compared: %s. ", "比较：%s。", joined(list, language))
}

func (d Design) saidReplications(language string) string {
	if d.Replications != Auto {
		return counted(d.Replications, "replication", "次重复", language)
	}
	return sayf(language, "up to %d replications, until the first outcome is known to ±%s", "至多%d次重复（首要指标的区间收窄至±%s为止）", d.MaxReplications,
		percent(d.HalfWidth))
}

func (q Inquiry) saidOutcomes(language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	in := func(o Outcome) string {
		var spans []string
		for _, w := range o.Windows {
			spans = append(spans, fmt.Sprintf("%d–%d", w.From, w.To))
		}
		if !q.compares() && len(o.Windows) > 1 {
			return ""
		}
		return say(" in months %s", "（第%s个月）", strings.Join(spans, words{" and ", "和"}.in(language)))
	}
	common := in(q.Outcomes[0]) // the months of all outcomes, which are said once; "" = they differ
	for _, o := range q.Outcomes {
		if in(o) != common {
			common = ""
		}
	}
	var list []string
	for _, o := range q.Outcomes {
		text := o.Metric.String()
		if common == "" {
			text += in(o)
		}
		text += map[int]string{-1: say(", expected to fall", "，预期下降"), 1: say(", expected to rise", "，预期上升")}[o.Expect]
		if o.Effect > 0 {
			size := o.saidSmallest()
			text += say(" (less than %s does not matter)", "（小于%s视为无关紧要）", size)
		}
		list = append(list, text)
	}
	separator := words{"; ", "；"}
	if common != "" {
		separator = words{", ", "、"}
	}
	return say("Judged%[2]s by %[1]s.", "判断依据%[2]s：%[1]s。", strings.Join(list, separator.in(language)), common)
}

// saidSmallest is a smallest effect with its unit.
func (o Outcome) saidSmallest() string {
	switch {
	case o.Relative:
		return percent(o.Effect)
	case isShare(o.Metric.Info().Unit):
		return strings.TrimSuffix(percent(o.Effect), "%") + "pp"
	}
	return text(o.Effect)
}

// number is a value for people: shares in percent.
func number(v any, unit string) string {
	if x, ok := v.(float64); ok && isShare(unit) && math.Abs(x) <= 10 {
		return percent(math.Round(x*1e8) / 1e8)
	}
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', 8, 64)
	}
	return fmt.Sprint(v)
}

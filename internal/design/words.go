package design

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Describe says in words what the plan is, what it assumes and what it cannot do.
func (p Reading) Describe() string {
	if p.Type == Other && len(p.Levers) == 0 {
		return p.describeOther()
	}
	row := rowOf(p.Type)
	var b strings.Builder
	fmt.Fprintf(&b, p.either("A question about %s (%s).", "关于%s的问题（%s）。"), p.either(row.en, row.zh), p.Type)
	end, semicolon := p.either(".", "。"), p.either("; ", "；")
	sentence(&b, p.either(" It changes ", "改变："), p.changes(p.Chinese), semicolon, end)
	sentence(&b, p.either(" Both arms have ", "两组同时设定："), p.contextWords(), p.either(", ", "，"), end)
	sentence(&b, p.either(" Left alone: ", "保持不变："), p.Held, p.either(", ", "、"), end)
	sentence(&b, p.either(" Cannot be mapped: ", "无法映射："), p.Missing(), semicolon, end)
	return b.String()
}

func sentence(b *strings.Builder, begin string, list []string, between, end string) {
	if len(list) > 0 {
		b.WriteString(begin + strings.Join(list, between) + end)
	}
}

func (p Reading) describeOther() string {
	var list []string
	for _, t := range typeTable {
		if t.name == Other {
			continue
		}
		var ids []string
		for _, r := range levers {
			if r.of == t.name && len(r.en) > 0 && r.name == "" && len(ids) < 5 {
				ids = append(ids, r.id)
			}
		}
		list = append(list, string(t.name)+": "+strings.Join(ids, ", "))
	}
	return fmt.Sprintf(p.either(
		"The question names nothing that this economy has. Levers exist for %s. get_all_parameters lists all of them; ask, for example: "+
			"what happens if VAT rises from 8%% to 15%%?",
		"未能在问题中识别出该经济模型所具有的政策工具。可用的工具（部分）：%s。get_all_parameters 列出全部参数；可以这样问：把增值税从8%%提高到15%%会怎样？",
	), strings.Join(list, p.either("; ", "；")))
}

// changes says each lever in words.
func (p Reading) changes(chinese bool) []string {
	var list []string
	for _, l := range p.Levers {
		list = append(list, l.words(chinese))
	}
	return list
}

// words says what a lever does, and when.
func (l Lever) words(chinese bool) string {
	say := func(en, zh string) string { return inLanguage(chinese, en, zh) }
	text := fmt.Sprintf(say("%s from %s to %s", "%s 由 %s 变为 %s"), l.Parameter, plainValue(l.From), plainValue(l.Value))
	switch l.Kind {
	case KindPreset:
		text = fmt.Sprintf(say("all that the preset %s plans", "预设情景 %s 的全部内容"), l.Parameter)
	case KindPolicy, KindShock, KindInjection:
		kind := map[Kind]string{
			KindPolicy: say("the policy", "政策"), KindShock: say("the shock", "冲击"), KindInjection: say("the payment to", "发放资金给"),
		}[l.Kind]
		text = fmt.Sprintf(say("%s %s at %s (%s)", "%s %s = %s（%s）"), kind, l.Parameter, plainValue(l.Value), l.Unit)
	}
	if l.Industry != "" {
		text += " [" + l.Industry + "]"
	}
	text += say(l.times())
	if l.Assumed && l.Why != "" {
		text += say(" (the question gives no size; this one: "+l.Why+")", "（问题未给出幅度，采用默认幅度）")
	}
	if l.Note != "" {
		text += say(", ", "，") + l.Note
	}
	return text
}

// times says when a lever is moved, in both languages; "" for from the start and for good.
func (l Lever) times() (en, zh string) {
	if l.When != "" {
		en, zh = " once "+l.When, "，当 "+l.When+" 时"
	}
	if l.StartMonth > 1 {
		en += fmt.Sprintf(" from month %d", l.StartMonth)
		zh += fmt.Sprintf("，自第 %d 个月起", l.StartMonth)
	}
	if l.RampMonths > 1 {
		en += fmt.Sprintf(" in equal steps over %d months", l.RampMonths)
		zh += fmt.Sprintf("，在 %d 个月内等步到位", l.RampMonths)
	}
	if l.DurationMonths > 0 {
		en += fmt.Sprintf(" for %d months", l.DurationMonths)
		zh += fmt.Sprintf("，持续 %d 个月", l.DurationMonths)
	}
	return en, zh
}

func plainValue(v any) string {
	if x, ok := v.(float64); ok {
		return short(x)
	}
	return fmt.Sprint(v)
}

func (p Reading) contextWords() []string {
	var list []string
	for _, c := range p.Context {
		list = append(list, c.Name+" = "+plainValue(c.Value))
	}
	return list
}

// Missing says in words what cannot be mapped.
func (p Reading) Missing() []string {
	var list []string
	for _, u := range p.Unmapped {
		if u.Text == "" {
			list = append(list, u.Reason)
			continue
		}
		list = append(list, "“"+u.Text+"”: "+u.Reason)
	}
	return list
}

// Hypothesis is a sentence that the experiment may support or contradict.
func (p Reading) Hypothesis() string {
	if len(p.Levers) == 0 {
		return p.either("No hypothesis: the question moves no lever of this economy.", "无假设：问题未涉及该经济模型的政策工具。")
	}
	outcome, sign := p.Expectation()
	verb := map[int]string{
		-1: p.either("lowers", "下降"), 0: p.either("changes", "发生变化"), 1: p.either("raises", "上升"),
	}[sign]
	return fmt.Sprintf(
		p.either(
			"Compared with the same economy, with the same random draws, without the change: %s %[3]s %[2]s.",
			"与未作改变、随机因素相同的同一经济体相比，%s使 %s %s。",
		),
		strings.Join(p.shortChanges(p.Chinese), p.either(" and ", "、")), outcome, verb,
	)
}

func isNegative(v any) bool {
	x, ok := toFloat(v)
	return ok && x < 0
}

// shortChanges says each lever without its reasons.
func (p Reading) shortChanges(chinese bool) []string {
	var list []string
	for _, l := range p.Levers {
		l.Assumed, l.Note = false, ""
		list = append(list, l.words(chinese))
	}
	return list
}

func (p Reading) either(en, zh string) string { return inLanguage(p.Chinese, en, zh) }

func inLanguage(chinese bool, en, zh string) string {
	if chinese {
		return zh
	}
	return en
}

// describeArm says what an arm is, in both languages, for its file.
func (p Reading) describeArm(treatment bool) (en, zh string) {
	if !treatment {
		return fmt.Sprintf("Control of %s: %s without the change.", p.Name, p.base.Name),
			fmt.Sprintf("%s 的对照组：未作改变的 %s。", p.Name, p.base.Name)
	}
	return fmt.Sprintf("Treatment: %s with %s.", p.base.Name, strings.Join(p.shortChanges(false), "; ")),
		fmt.Sprintf("实验组：%s，%s。", p.base.Name, strings.Join(p.shortChanges(true), "；"))
}

// Guidance says what to do with the two configurations.
func (g Generated) Guidance(saved bool) string {
	if !saved {
		return g.Plan.either(
			"Nothing was saved: call again with save=true, or set the parameters and inject the interventions yourself.",
			"未保存：请以 save=true 再次调用，或自行设置参数并注入干预。",
		)
	}
	criteria, err := json.Marshal(g.Plan.Criteria(g.Treatment.Params.NumIterations))
	if err != nil {
		panic(err) // plain values always encode
	}
	return fmt.Sprintf(
		g.Plan.either(
			"load_yaml_config(config_name=%q), then start_simulation(control=%q, replications=%d, plan=%s): both arms share seeds and "+
				"burnt-in states, and the plan says before the run by what the hypothesis is judged. get_experiment_workflow lists all "+
				"calls up to the report.",
			"先 load_yaml_config(config_name=%q)，再 start_simulation(control=%q, replications=%d, plan=%s)：两组共用种子与预热状态；plan "+
				"在运行之前写明以什么判断假设。get_experiment_workflow 列出直到报告的全部调用。",
		),
		g.Treatment.Name,
		g.Control.Name,
		Replications,
		criteria,
	)
}

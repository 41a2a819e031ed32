package term

import (
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Answer prints the page that answers a question: the sentence, the effects, what it
// rests on and how to repeat it.
func Answer(w io.Writer, a lab.Answer, files []string) {
	p := page{w, a.Language}
	r := a.Registration
	fmt.Fprintln(w, p.say("Answer", "回答"))
	p.paragraph(a.Answered.Sentence)
	for _, text := range []string{a.Answered.Between, a.Answered.Others, a.Answered.Groups} {
		if text != "" {
			p.paragraph(text)
		}
	}
	fmt.Fprintf(w, "\n%s\n", p.say("Hypothesis", "假设"))
	p.paragraph(r.HypothesisIn(a.Language) + p.say(" ", "") + a.Answered.VerdictText)
	fmt.Fprintf(w, "\n%s\n",
		p.say("Effects: treatment less control, means over the months named", "效应：处理组减对照组，所列月份的均值"))
	p.effects(a.Analysis.Treatment, a.Analysis.Confidence, a.Analysis.Method)
	p.paths(a)
	fmt.Fprintf(w, "\n%s\n", p.say("What it rests on", "依据"))
	p.grounds(a)
	fmt.Fprintf(w, "\n%s\n", p.say("To repeat it, and to read on", "如何重复与进一步阅读"))
	name := a.Experiment.Name
	for _, c := range []struct{ command, en, zh string }{
		{"econ-mcp rerun " + name, "the same bits again, or it says which differ", "逐位重现，或指出差异所在"},
		{"econ-mcp report " + name + " --format html --out report.html", "the whole report with figures", "含图表的完整报告"},
		{"econ-mcp export " + name + " --out DIR", "report, figures, tables, scenarios and metadata", "报告、图、表、情景与元数据"},
	} {
		fmt.Fprintf(w, "  %s\n      %s\n", c.command, p.say(c.en, c.zh))
	}
	if len(files) > 0 {
		fmt.Fprintf(w, "\n%s\n", fmt.Sprintf(p.say("Written: %d files, from %s on", "已写入%d个文件，首个为 %s"), len(files), files[0]))
	}
	fmt.Fprintln(w)
}

// Robustness says under which perturbations the verdict stays.
func Robustness(w io.Writer, a lab.Answer) {
	list := a.Robustness
	if len(list) == 0 {
		return
	}
	p := page{w, a.Language}
	fmt.Fprintln(w, p.say("The verdict under other behaviour", "行为参数改变时的结论"))
	if s := report.SpreadOf(list); s != nil {
		p.paragraph(s.Sentence(a.Language))
	}
	kept := 0
	list = slices.DeleteFunc(slices.Clone(list), func(r report.Robustness) bool { return r.Draw > 0 })
	for _, r := range list {
		if r.Kept {
			kept++
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(w)
		return
	}
	how := p.say(
		"The verdict on the hypothesis (%s) stays in %d of %d cases, in which both arms have their size or the country changed, from "+
			"their burn-in on:",
		"对假设的结论（%s）在%[3]d种情形中的%[2]d种保持不变；每种情形下两组自预热起改变经济规模或国家预设：",
	)
	if report.TriesBehaviour(list) {
		how = p.say(
			"The verdict on the hypothesis (%s) stays in %d of %d cases, in which both arms have one behavioural parameter, their size or "+
				"the country changed, from their burn-in on:",
			"对假设的结论（%s）在%[3]d种情形中的%[2]d种保持不变；每种情形下两组自预热起改变一个行为参数、经济规模或国家预设：",
		)
	}
	p.paragraph(fmt.Sprintf(how, report.VerdictWord(a.Answered.Verdict, a.Language), kept, len(list)))
	for _, r := range list {
		difference, interval := r.Texts(a.Language)
		fmt.Fprintf(w, "  %s  %s  %s  (%s)\n", Left(report.PerturbationText(r.Parameter, r.Factor, r.Preset), 36),
			Left(report.VerdictWord(r.Verdict, a.Language), 29),
			Right(difference, 10), interval)
	}
	fmt.Fprintln(w)
}

// effectColumns are those of the table of effects that a terminal has room for, beside the
// outcome: control, treatment, difference, interval and adjusted p.
var effectColumns = []int{1, 2, 3, 4, 7}

// effectMark stands before a row.
func effectMark(row *inference.ComparisonRow) string {
	switch {
	case row.Found():
		return "*"
	case row.Verdict == inference.EquivalentToZero:
		return "="
	}
	return " "
}

// effects prints the table, with a mark at differences and where there is none that matters.
func (p page) effects(effects []inference.ComparisonRow, confidence float64, method inference.Method) {
	effects = report.Arranged(effects)
	heads, cells := report.EffectTable(effects, confidence, p.language)
	rows := append([][]string{heads}, cells...)
	width := make([]int, len(heads))
	for _, row := range rows {
		for k, cell := range row {
			width[k] = max(width[k], Width(cell))
		}
	}
	for n, row := range rows {
		line := " "
		if n > 0 {
			line = effectMark(&effects[n-1])
		}
		line += " " + Left(row[0], width[0])
		for _, k := range effectColumns {
			line += "  " + Right(row[k], width[k])
		}
		fmt.Fprintln(p.w, strings.TrimRight(line, " "))
	}
	p.paragraph(fmt.Sprintf(p.say(
		"* there is a difference: its adjusted p is below %[1]s; = there is none that matters: so is that of two one-sided tests. All else "+
			"is not known. %[2]s",
		"* 存在差异：校正后的 p 低于 %[1]s；= 无值得关注的差异：两个单侧检验校正后的 p 低于 %[1]s。其余尚不确定。%[2]s",
	),
		report.FormatNumber(1-confidence, 2), report.MethodText(method, p.language)))
}

// pathsDrawn is how many outcomes are drawn over time.
const pathsDrawn = 2

// paths draws the first outcomes of both arms over time on a common scale.
func (p page) paths(a lab.Answer) {
	if len(a.Study.Arms) < 2 {
		return
	}
	fmt.Fprintf(p.w, "\n%s\n",
		fmt.Sprintf(
			p.say("Over time: months 1 to %d, mean of the replications, both arms on one scale", "随时间的变化：第1至%d个月，各次重复的均值，两组同一刻度"),
			a.Study.LastMonth(),
		))
	var drawn []sim.Indicator
	for _, row := range a.Analysis.Treatment {
		i, ok := sim.IndicatorByName(row.Metric)
		if !ok || len(drawn) == pathsDrawn || slices.Contains(drawn, i) {
			continue
		}
		drawn = append(drawn, i)
		var means [2][]float64
		for k, arm := range []*tables.StudyArm{&a.Study.Arms[0], &a.Study.Arms[len(a.Study.Arms)-1]} {
			c := arm.Panel.Curves(a.Study.LastMonth(), a.Analysis.Confidence)
			means[k] = buckets(c.Mean[i], pathWidth)
		}
		low, high := bounds(slices.Concat(means[0], means[1]))
		for k, name := range []string{p.say("control", "对照"), p.say("treatment", "处理")} {
			label := ""
			if k == 0 {
				label = report.Label(i, p.language)
			}
			fmt.Fprintf(p.w, "  %s%s%s  %s → %s\n", Left(label, 22), Left(name, 11), onScale(means[k], low, high),
				report.FormatValue(i, means[k][0]), report.FormatValue(i, last(means[k])))
		}
	}
}

// pathWidth is the width of a path in characters.
const pathWidth = 30

// grounds says what an answer rests on, and what it does not cover.
func (p page) grounds(a lab.Answer) {
	r, x := a.Registration, a.Experiment
	p.line(p.say("experiment", "实验"), x.Name)
	p.line(p.say("arms", "组"), fmt.Sprintf(p.say(
		"control %s and treatment %s: %d pairs of economies of %s and %s, burnt in for %d months; each pair shares state and seed, and "+
			"differs only in %s",
		"对照 %s，处理 %s：%d对经济体，每个%s、%s，预热%d个月；每对共用初始状态与种子，差别仅在于：%s"),
		shortHash(x.Arms[0].Hash), shortHash(x.Arms[len(x.Arms)-1].Hash), x.Replications,
		p.counted(x.Households, "household", "户家庭"), p.counted(x.Firms, "firm", "家企业"), r.BurnIn, r.ChangeIn(a.Language)))
	if apart := x.Arms[len(x.Arms)-1].BurntInApart; len(apart) > 0 {
		p.line("",
			fmt.Sprintf(
				p.say(
					"%s cannot change while an economy lives: each arm was burnt in by itself, so part of the difference is there before month 1",
					"%s 无法在模拟中改变：两组分别预热，部分差异在第1个月之前已存在",
				),
				strings.Join(apart, ", "),
			))
	}
	p.line(p.say("seeds", "种子"), fmt.Sprintf(p.say("%d, and %d derived from it", "%d 及由其派生的%d个"), x.Seed, x.Replications-1))
	if r.MaxReplications != nil {
		p.line(p.say("precision", "精度"), x.Message)
	}
	p.line(p.say("model", "模型"), x.ModelVersion+p.say("; code ", "；代码 ")+x.CodeVersion)
	p.line(p.say("plan", "计划"),
		fmt.Sprintf(p.say("SHA-256 %s, stored before the first month", "SHA-256 %s，于第1个月之前存档"), a.PlanHash))
	other := p.say("; econ-mcp ask --robust tries other behaviour.", "；econ-mcp ask --robust 可检验其他行为参数。")
	if len(a.Robustness) > 0 {
		other = p.say("; below, other behaviour is tried.", "；其他行为参数下的结论见下文。")
	}
	p.line(p.say("intervals", "区间"), p.say(
		"of 95 % over replications: they cover chance, and nothing else. Whether the model, its parameters and the usual sizes assumed above "+
			"are right is not in them",
		"95 % 区间基于各次重复，只涵盖随机性。模型、参数以及上述默认幅度是否正确，不在其内")+other)
	p.lines(p.say("note", "注意"), report.Cautions(&a.Analysis.Diagnostics, p.language))
	p.lines(p.say("left out", "未涵盖"), r.Unmapped)
}

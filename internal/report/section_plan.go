package report

import (
	"cmp"
	"fmt"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

func (w *reportWriter) question() Section {
	out := Section{Title: w.say("Question", "研究问题")}
	out.say(
		w.line(w.say("Question", "问题"), w.s.Question),
		w.line(w.say("Hypothesis", "假设"), cmp.Or(w.b.Hypothesis, w.noted(w.s.Hypothesis))),
		w.line(w.say("Expected outcome", "预期结果"), w.noted(w.s.Expected)),
		w.line(w.say("Notes", "备注"), w.s.Notes),
	)
	if out.Paragraphs == nil {
		return Section{}
	}
	return out
}

// noted is what somebody noted of an experiment, which no plan is, with the time, and that of the first look at results.
func (w *reportWriter) noted(text string) string {
	if text == "" {
		return ""
	}
	first := w.say("results are first read with this report", "结果随本报告首次被查看")
	if !w.s.FirstRead.IsZero() {
		first = fmt.Sprintf(w.say("results were first read %s", "结果首次被查看于%s"), timeText(w.s.FirstRead))
	}
	return fmt.Sprintf(w.say("%s (noted %s; %s)", "%s（记于%s；%s）"), text, timeText(w.s.NotedAt), first)
}

// plan is what was said before the first month.
func (w *reportWriter) plan() Section {
	if w.b.PlanHash == "" {
		return Section{}
	}
	out := Section{
		Title: w.say("The plan, before the first month", "实验前登记的计划"),
		Heads: []string{w.say("what", "项目"), w.say("planned", "计划")},
		Paragraphs: []string{fmt.Sprintf(w.say(
			"Stored %s, before anything was simulated, under the SHA-256 hash %s. What it names is judged as it says; all else is "+
				"exploratory.",
			"于%s模拟开始前存档，SHA-256 哈希为 %s。计划中的内容按计划判断，其余均属探索性分析。",
		), w.s.CreatedAt.UTC().Format("2006-01-02 15:04 UTC"), w.b.PlanHash)},
	}
	for _, n := range w.a.Diagnostics.Notes {
		if n.Kind == inference.PlanAfterLook || n.Kind == inference.PlanAmended {
			out.say(capital(NoteText(n, w.language)) + w.say(".", "。"))
		}
	}
	for _, said := range w.b.Plan {
		out.Rows = append(out.Rows, []string{said.Label, said.Text})
	}
	return out
}

// seeds lists the first ones.
func (w *reportWriter) seeds() string {
	var list []string
	for _, seed := range w.s.Seeds[:min(seedsShown, len(w.s.Seeds))] {
		list = append(list, fmt.Sprint(seed))
	}
	if n := len(w.s.Seeds); n > seedsShown {
		list = append(list, fmt.Sprintf(w.say("… (%d in all, each follows from the base seed)", "……（共%d个，均由基础种子派生）"), n))
	}
	return strings.Join(list, ", ")
}

func (w *reportWriter) design() Section {
	s := w.s
	out := Section{
		Title: w.say("Design", "实验设计"),
		Heads: []string{
			w.say("arm", "实验组"),
			w.say("replications", "重复次数"),
			w.say("scenario hash", "情景哈希"),
			w.say("difference from the first arm; what is planned in it", "与第一组的不同之处；本组计划"),
		},
		Paragraphs: []string{
			fmt.Sprintf(
				w.say(
					"Experiment %s: economies of %s households and %s firms, %d of %d months after a burn-in of %d. Base seed %d; "+
						"seeds of the replications: %s.",
					"实验%s：每个经济体%s户家庭、%s家企业，共模拟%d个月（计划%d个月），预热%d个月。基础种子%d；各次重复的种子：%s。",
				),
				s.Name,
				FormatNumber(float64(s.Households), 0),
				FormatNumber(float64(s.Firms), 0),
				s.LastMonth(),
				s.Months,
				s.Arms[0].Params.BurnInMonths,
				s.Seed,
				w.seeds(),
			),
			fmt.Sprintf(w.say("Model %s, code %s, on %s. Run status: %s. Created %s.", "模型版本%s，代码版本%s，平台%s。运行状态：%s。创建时间：%s。"),
				s.ModelVersion, s.CodeVersion, s.Arch, StateText(w.s.RunStatus, w.language), s.CreatedAt.UTC().Format("2006-01-02 15:04:05 UTC")),
		},
	}
	if len(s.Arms) > 1 {
		out.say(w.say(
			"All arms share their seeds: a replication of one arm and the same replication of another meet the same random draws, "+
				"and differ by what the arms differ in.",
			"各组共享随机种子：同一编号的重复在各组中经历同样的随机抽取，差异只来自组间的不同设置。",
		))
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		if len(arm.BurntInApart) > 0 {
			out.say(fmt.Sprintf(
				w.say(
					"%s cannot change while an economy lives: %s was burnt in by itself, so part of the difference is there before "+
						"month 1.",
					"%s 无法在模拟中改变：%s 单独预热，部分差异在第1个月之前已存在。",
				),
				strings.Join(arm.BurntInApart, ", "),
				arm.Name,
			))
		}
		out.Rows = append(
			out.Rows,
			[]string{w.arm(arm.Name), fmt.Sprint(len(arm.Panel)), arm.ScenarioHash[:min(hashShown, len(arm.ScenarioHash))], w.changes(arm)},
		)
	}
	return out
}

// StateText is the state of an experiment's runs in words.
func StateText(state, language string) string {
	words := map[string]note{
		"queued": {"queued", "排队中"}, "burn_in": {"burn-in", "预热中"}, "running": {"running", "运行中"}, "paused": {"paused", "已暂停"},
		"stopped": {"stopped", "已停止"}, "interrupted": {"interrupted", "已中断"}, "completed": {"completed", "已完成"}, "failed": {"failed", "失败"},
	}[state]
	return cmp.Or(words.in(language), state)
}

// changes lists the parameters in which an arm differs from the first, and how many
// interventions it has.
func (w *reportWriter) changes(arm *tables.StudyArm) string {
	var list []string
	first := &w.s.Arms[0]
	for _, name := range sim.Diff(first.Params, arm.Params) {
		row, err := sim.Lookup(name)
		if err != nil || row.Technical {
			continue
		}
		list = append(list, fmt.Sprintf("%s: %v → %v", name, row.Value(&first.Params), row.Value(&arm.Params)))
	}
	if n := len(arm.Interventions); n > 0 {
		list = append(list, fmt.Sprintf(w.say("%d planned intervention(s)", "%d项计划干预"), n))
	}
	if len(list) == 0 {
		return Absent
	}
	return strings.Join(list, "; ")
}

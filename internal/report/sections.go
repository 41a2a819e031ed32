package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// reportWriter writes the sections of a report. A section without a title is left out.
type reportWriter struct {
	s        *tables.Study
	a        *inference.Analysis
	b        Background
	language string
	r        *Report
	drawn    []NamedFigure
}

// place puts those of the figures that were drawn here, with what stands under them.
func (w *reportWriter) place(names ...string) (captions []Caption) {
	for _, f := range w.drawn {
		if slices.Contains(names, f.Name) {
			w.r.figures = append(w.r.figures, f)
			captions = append(captions, Caption{f.Name, f.Caption(w.language)})
		}
	}
	return captions
}

func (w *reportWriter) say(en, zh string) string { return word(w.language, en, zh) }

// line is a paragraph under a label; empty without a text.
func (w *reportWriter) line(label, text string) string {
	if text == "" {
		return ""
	}
	return label + w.say(": ", "：") + text
}

// answer says what was found: the sentence that answers the question, where there is one,
// and what became of the hypothesis.
func (w *reportWriter) answer() Section {
	out := Section{Title: w.say("What was found", "主要发现")}
	if w.b.Claim == nil || w.a.Control == "" {
		w.r.Answer = word(w.language, w.a.Conclusion, w.a.ConclusionZH)
		out.Paragraphs = []string{w.r.Answer}
		return out
	}
	found := Answer(w.a, *w.b.Claim, w.language)
	w.r.Answer, w.r.Verdict = found.Sentence, found.Verdict
	out.Title = w.say("Answer", "回答")
	verdict := found.VerdictText + w.say(" ", "") + w.meaning(found.Verdict)
	out.say(found.Sentence, found.Others, found.Groups, w.line(w.say("Verdict on the hypothesis", "对假设的结论"), verdict))
	if kept, tried := w.kept(); tried > 0 {
		out.say(fmt.Sprintf(
			w.say("The verdict stays in %d of %d cases with other behaviour, see below.", "行为参数改变的%[2]d种情形中，结论在%[1]d种保持不变，见下文。"),
			kept,
			tried,
		))
	}
	return out
}

// meaning says what a verdict means.
func (w *reportWriter) meaning(v inference.Verdict) string {
	rare := FormatShare(1-w.a.Confidence, 0)
	switch v {
	case inference.Supported:
		return fmt.Sprintf(w.say(
			"Supported means: there is a difference, in the direction that was expected. If the change did nothing to any of the "+
				"planned outcomes, chance alone would make one of them differ so clearly in fewer than %s of such experiments.",
			"“得到支持”是指：存在差异，且方向与预期一致。若该改变对计划中的各项指标均无作用，仅凭运气使其中任一项出现如此明显差异的实验不到%s。",
		), rare)
	case inference.Contradicted:
		return fmt.Sprintf(w.say(
			"Contradicted means: there is a difference, so clear that chance alone would make one in fewer than %s of such "+
				"experiments, and it goes against what was expected.",
			"“被否定”是指：存在仅凭运气在不到%s的实验中才会出现的明显差异，且方向与预期相反。",
		), rare)
	case inference.EquivalentToZero:
		return fmt.Sprintf(w.say(
			"Equivalent to zero means: the difference is smaller, either way, than the smallest effect of interest; were it not, "+
				"chance alone would make it seem so in fewer than %s of such experiments.",
			"“等效于零”是指：无论方向，差异均小于最小关注效应；若非如此，仅凭运气造成这一表象的实验不到%s。",
		), rare)
	case inference.Inconclusive:
		return w.say(
			"Inconclusive means: these replications can tell neither that there is an effect nor that there is none worth speaking of. "+
				"It is no sign of either.",
			"“尚无定论”是指：现有重复次数既不能说明存在效应，也不能说明不存在值得关注的效应；它不是任何一方的证据。",
		)
	}
	return ""
}

// kept counts the cases in which the verdict stays.
func (w *reportWriter) kept() (kept, tried int) {
	for _, r := range w.b.Robustness {
		if r.Kept {
			kept++
		}
	}
	return kept, len(w.b.Robustness)
}

func (w *reportWriter) question() Section {
	out := Section{Title: w.say("Question", "研究问题")}
	out.say(
		w.line(w.say("Question", "问题"), w.s.Question),
		w.line(w.say("Hypothesis", "假设"), cmp.Or(w.b.Hypothesis, w.s.Hypothesis)),
		w.line(w.say("Expected outcome", "预期结果"), w.s.Expected),
		w.line(w.say("Notes", "备注"), w.s.Notes),
	)
	if out.Paragraphs == nil {
		return Section{}
	}
	return out
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
	for _, said := range w.b.Plan {
		out.Rows = append(out.Rows, []string{said.Label, said.Text})
	}
	return out
}

// seedsShown is how many seeds the report lists.
const seedsShown = 3

// hashShown is how many digits of a hash tables show.
const hashShown = 16

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
			w.say("differs from the first arm in", "与第一组的不同之处"),
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
				s.ModelVersion, s.CodeVersion, s.Arch, w.status(), s.CreatedAt.UTC().Format("2006-01-02 15:04:05 UTC")),
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

// arm is the name of an arm; the usual ones are translated.
func (w *reportWriter) arm(name string) string { return armName(name).in(w.language) }

// status is where the runs stand.
func (w *reportWriter) status() string {
	return word(w.language, w.s.RunStatus, cmp.Or(map[string]string{
		"queued": "排队中", "burn_in": "预热中", "running": "运行中", "paused": "已暂停", "stopped": "已停止", "interrupted": "已中断", "completed": "已完成",
		"failed": "失败",
	}[w.s.RunStatus], w.s.RunStatus))
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

func (w *reportWriter) window() string {
	return fmt.Sprintf(w.say("months %d to %d", "第%d至%d个月"), w.a.From, w.a.To)
}

func (w *reportWriter) results() Section {
	out := Section{Title: w.say("Results", "结果")}
	if w.a.Control == "" {
		t := w.levels()
		out.Paragraphs = []string{
			fmt.Sprintf(
				w.say("Means of %s, then over %s, with %s intervals.", "%s的均值，再对%s取均值，附%s区间。"),
				w.window(),
				replicationText(w.a.Replications, w.language),
				FormatShare(w.a.Confidence, 0),
			),
		}
		out.Heads, out.Rows = t.heads, t.rows
		return out
	}
	t := comparisonTable(w.a.Treatment, w.a.Confidence, w.language)
	out.Heads, out.Rows = t.heads, t.rows
	out.Paragraphs = []string{fmt.Sprintf(w.say(
		"Means of %s, then over replications; the treatment less the control. %s",
		"先对%s取均值，再对各次重复取均值；差异为处理组减对照组。%s"),
		w.window(), MethodText(w.a.Method, w.language)), w.legend()}
	out.Figures = w.place("effects")
	return out
}

// legend says how numbers are written.
func (w *reportWriter) legend() string {
	return w.say(
		"Numbers: k, M and G are a thousand, a million and a thousand million; pp are percentage points; money is in the currency "+
			"units of the model.",
		"数字写法：k、M、G 分别为千、百万、十亿；pp 为百分点；金额为模型中的货币单位。",
	)
}

// levels is the table of the outcomes of a single arm.
func (w *reportWriter) levels() table {
	t := table{
		heads: []string{
			w.say("outcome", "指标"),
			w.say("mean", "均值"),
			FormatShare(w.a.Confidence, 0) + w.say(" interval", " 区间"),
			w.say("unit", "单位"),
		},
	}
	for _, i := range inference.Outcomes {
		e := tables.NewEstimate(w.s.Main().Panel.WindowMeans(i, w.a.From, w.a.To), w.a.Confidence)
		value := func(x stats.Number) string { return FormatValue(i, float64(x)) }
		t.rows = append(t.rows, []string{Label(i, w.language), value(e.Mean), w.interval(value, e.CILow, e.CIHigh), Unit(i, w.language)})
	}
	return t
}

func (w *reportWriter) figures() Figures {
	s, a := w.s, w.a
	f := Figures{
		Title: s.Name, Language: w.language, Confidence: a.Confidence, From: a.From, To: a.To,
		Source: Source{
			What:         "experiment",
			Name:         s.Name,
			Replications: a.Replications,
			Seed:         s.Seed,
			ModelVersion: s.ModelVersion,
			Months:       s.LastMonth(),
			Households:   s.Households,
		},
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		f.Arms = append(f.Arms, FigureArm{Name: arm.Name, Panel: arm.Panel, Groups: arm.Groups(), Sizes: arm.Sizes, Began: arm.Began})
	}
	for k := range a.Treatment {
		row := &a.Treatment[k]
		f.Effects = append(f.Effects, inference.Effect{
			Arm: row.Arm, Metric: row.Metric, Unit: row.Unit, Control: float64(row.Control), Treatment: float64(row.Treatment),
			Difference: float64(
				row.Difference,
			), Percent: float64(row.Percent), CILow: float64(row.CILow), CIHigh: float64(row.CIHigh), N: row.N,
		})
	}
	return f
}

// drawings is a section of nothing but figures.
func (w *reportWriter) drawings(title string, names ...string) Section {
	if figures := w.place(names...); figures != nil {
		return Section{Title: title, Figures: figures}
	}
	return Section{}
}

func (w *reportWriter) overTime() Section {
	return w.drawings(w.say("Over time", "随时间的变化"), "overview", "differences")
}

// budget is left out where there is no figure of it.
func (w *reportWriter) budget() Section {
	out := w.drawings(w.say("The public budget", "公共预算"), "budget")
	if out.Figures == nil {
		return out
	}
	out.say(fmt.Sprintf(w.say(
		"What the government receives counts up and what it spends counts down, in currency units a month, %s; the rows add up to the "+
			"balance. Interest follows from the debt of the years before. Each p is adjusted over the rows.",
		"政府收入为正、支出为负，单位为货币单位/月，取%s的均值；各行相加为财政余额。利息取决于以往累积的债务。p值对各行校正。",
	), w.window()), beyondText(w.a, w.language))
	t := budgetTable(w.a, w.language)
	out.Heads, out.Rows = t.heads, t.rows
	return out
}

// relations between the indicators, and the firms.
func (w *reportWriter) relations() Section {
	return w.drawings(w.say("How this economy works", "经济的运行规律"), "relations", "firm_sizes")
}

func (w *reportWriter) distribution() Section {
	out := Section{
		Title: w.say("Who gains, who loses", "谁受益，谁受损"),
		Heads: []string{
			w.say("households", "家庭"),
			w.say("control", "对照"),
			w.say("treatment", "处理"),
			w.say("difference", "差异"),
			FormatShare(w.a.Confidence, 0) + w.say(" interval", " 区间"),
			w.say("relative", "相对差异"),
			w.say("p adjusted", "校正后 p"),
			w.say("verdict", "结论"),
		},
		Paragraphs: []string{
			w.say(
				"Real disposable income of households by where they stood in the month before month 1, the same households in both "+
					"arms, currency units a month at prices of the base month: tenths by smoothed disposable income and by net worth, "+
					"work, and thirds by skill.",
				"按第1个月之前的位置分组的家庭的实际可支配收入（两组为同一批家庭），单位为基期价格下的货币单位/月：平滑可支配收入与净财富的十分位、就业状况、技能三分位。",
			),
		},
	}
	out.Figures = w.place("deciles", "lorenz")
	switch {
	case len(w.s.Main().Window) == 0:
		return Section{}
	case w.a.Control == "":
		return Section{Title: w.say("The distribution", "分配"), Figures: out.Figures}
	}
	out.say(beyondText(w.a, w.language))
	for _, row := range w.a.Distribution.Rows {
		group := groupingText(row.Grouping, w.language) + w.say(": ", "：") + groupText(row.Group, w.language)
		out.Rows = append(
			out.Rows,
			[]string{
				ofArm(len(w.s.Arms) > 2, row.Arm, group),
				FormatAmount(float64(row.Control)),
				FormatAmount(float64(row.Treatment)),
				moneyText(row.Difference),
				w.interval(moneyText, row.CILow, row.CIHigh),
				FormatShare(float64(row.Percent)/100, 2),
				pValue(row.PAdjusted),
				word(w.language, row.Verdict, gainVerdicts[row.Verdict]),
			},
		)
	}
	return out
}

func (w *reportWriter) interval(text func(stats.Number) string, low, high stats.Number) string {
	return interval(low, high, text, w.language)
}

// robustness is the verdict under other behaviour.
func (w *reportWriter) robustness() Section {
	kept, tried := w.kept()
	if tried == 0 {
		return Section{}
	}
	outcome := Absent
	if i, ok := sim.IndicatorByName(w.b.Robustness[0].Outcome); ok {
		outcome = Label(i, w.language)
	}
	out := Section{
		Title: w.say("The verdict under other behaviour", "行为参数改变时的结论"),
		Heads: []string{
			w.say("in both arms", "两组均设"),
			w.say("verdict", "结论"),
			outcome + w.say(", difference", "，差异"),
			FormatShare(w.a.Confidence, 0) + w.say(" interval", " 区间"),
			w.say("experiment", "实验"),
		},
		Paragraphs: []string{fmt.Sprintf(w.say(
			"The experiment was made again with one behavioural parameter changed, in control and treatment alike, from their burn-in "+
				"on. The verdict on the hypothesis stays in %d of %d cases. Each parameter was calibrated rather than observed, and is "+
				"moved by about as much as the literature leaves open.",
			"在对照组与处理组中自预热起同样改变一个行为参数，重做实验。对假设的结论在%[2]d种情形中的%[1]d种保持不变。这些参数均为校准值而非观测值，改变幅度约为文献所容许的范围。",
		), kept, tried)},
	}
	for _, r := range w.b.Robustness {
		i, _ := sim.IndicatorByName(r.Outcome)
		difference := func(x stats.Number) string { return FormatDifference(i, float64(x)) }
		verdict := VerdictWord(r.Verdict, w.language)
		if !r.Kept {
			verdict += w.say(" (changed)", "（改变）")
		}
		out.Rows = append(out.Rows, []string{
			fmt.Sprintf(
				"%s × %s",
				r.Parameter,
				strconv.FormatFloat(r.Factor, 'g', -1, 64),
			), verdict, difference(r.Difference), w.interval(difference, r.CILow, r.CIHigh), r.ExperimentName,
		})
	}
	return out
}

func (w *reportWriter) innovation() Section {
	m := w.a.Innovation
	if m == nil || !(m.TotalEvents > 0) {
		return Section{}
	}
	out := Section{Title: w.say("Innovation", "创新")}
	out.say(fmt.Sprintf(
		w.say("%s innovations from month 1 on in the mean of the replications of %s.", "自第1个月起，“%[2]s”组各次重复平均有%[1]s次创新。"),
		FormatNumber(float64(m.TotalEvents), 0),
		w.arm(w.a.Arm),
	))
	if len(m.ShareCorrelations) == 0 {
		out.say(w.say("What they did to market shares was not kept with this run.", "本次运行未保存创新对市场份额的影响。"))
		return out
	}
	out.say(w.say(
		"Market shares of innovators beside those of matched firms of the same industry without an innovation.",
		"创新企业的市场份额与同行业中未创新的匹配企业相比。",
	))
	out.Heads = []string{
		w.say("months after", "之后月数"),
		w.say("share after / before", "份额之比"),
		w.say("of others", "其他企业"),
		w.say("correlation", "相关系数"),
		w.say("interval", "区间"),
		w.say("pairs", "配对数"),
	}
	correlation := func(x stats.Number) string { return FormatNumber(float64(x), 3) }
	for _, h := range tables.ShareHorizons {
		r := m.ShareCorrelations[fmt.Sprint(h)]
		out.Rows = append(
			out.Rows,
			[]string{
				fmt.Sprint(h),
				FormatNumber(float64(r.AvgRatio), 4),
				FormatNumber(float64(r.OthersRatio), 4),
				correlation(r.Correlation),
				w.interval(correlation, r.CILow, r.CIHigh),
				FormatNumber(float64(r.DataPoints), 0),
			},
		)
	}
	return out
}

func (w *reportWriter) interventions() Section {
	out := Section{
		Title: w.say("Interventions", "干预"),
		Heads: []string{
			w.say("arm", "实验组"),
			w.say("what", "内容"),
			w.say("description", "说明"),
			w.say("began in month (by replication)", "开始月份（按重复）"),
		},
	}
	for k := range w.s.Arms {
		arm := &w.s.Arms[k]
		for n, v := range arm.Interventions {
			var began []string
			for _, months := range arm.Began {
				if n < len(months) && months[n] > 0 {
					began = append(began, fmt.Sprint(months[n]))
				} else {
					began = append(began, Absent)
				}
			}
			if same := slices.Compact(slices.Clone(began)); len(same) == 1 {
				began = same
			}
			out.Rows = append(out.Rows, []string{w.arm(arm.Name), v.String(), v.Description, strings.Join(began, ", ")})
		}
	}
	if out.Rows == nil {
		return Section{}
	}
	return out
}

func (w *reportWriter) trust() Section {
	d := &w.a.Diagnostics
	out := Section{Title: w.say("How far to trust it", "可信程度")}
	steady := map[string]string{
		"steady":   w.say("Rates do not drift in the window beyond half a percentage point a year.", "窗口内各比率每年的漂移不超过0.5个百分点。"),
		"drifting": w.say("Some rates still drift in the window.", "窗口内部分比率仍在漂移。"),
		"unclear": w.say(
			"Of some rates it is not clear whether they drift in the window by more than half a percentage point a year.",
			"部分比率在窗口内每年的漂移是否超过0.5个百分点尚不明确。",
		),
		"not judged": w.say(
			"Whether rates drift was not judged: that needs two replications and a window of two years.",
			"未判断是否漂移：需要至少两次重复和两年的窗口。",
		),
	}
	var moving []string
	for _, check := range d.SteadyState.Checks {
		if i, ok := sim.IndicatorByName(check.Metric); ok && check.Verdict == d.SteadyState.Verdict && check.Verdict != "steady" &&
			check.Verdict != "not judged" {
			moving = append(
				moving,
				fmt.Sprintf(
					w.say("%s, %s %s a year", "%s：%s，每年 %s"),
					w.arm(check.Arm),
					Label(i, w.language),
					FormatDifference(i, float64(check.DriftPerYear)),
				),
			)
		}
	}
	drift := steady[d.SteadyState.Verdict]
	if len(moving) > 0 {
		drift += w.say(" ", "") + listed(moving, "; ", w.language) + w.say(".", "。")
	}
	out.say(w.rests()...)
	out.say(drift)
	out.say(settlingText(&d.Settling, w.language)...)
	for _, text := range Cautions(d, w.language) {
		out.say(w.say("Note: "+text+".", "注意："+text+"。"))
	}
	w.power(&out)
	return out
}

// power adds what the experiment could have found, where that is known.
func (w *reportWriter) power(out *Section) {
	rows := w.a.Diagnostics.Power
	if len(rows) == 0 || math.IsNaN(float64(rows[0].Detectable)) {
		return
	}
	out.say(w.say(
		"The smallest true differences that four of five such experiments would find, and the replications that nine of ten "+
			"would need for the smallest effect of interest, each outcome alone:",
		"此类实验中五分之四能够发现的最小真实差异，以及十分之九能发现最小关注效应所需的重复次数（各指标单独）：",
	))
	out.Heads = []string{
		w.say("outcome", "指标"),
		w.say("detectable", "可检出差异"),
		w.say("relative", "相对"),
		w.say("smallest effect of interest", "最小关注效应"),
		w.say("replications for 90 % power", "90 %功效所需重复"),
	}
	for _, row := range rows {
		i, _ := sim.IndicatorByName(row.Metric)
		out.Rows = append(
			out.Rows,
			[]string{
				ofArm(len(w.s.Arms) > 2, row.Arm, Label(i, w.language)),
				FormatSize(i, float64(row.Detectable)),
				FormatShare(float64(row.Percent)/100, 2),
				FormatSize(i, float64(row.SmallestEffect)),
				FormatNumber(float64(row.Replications90), 0),
			},
		)
	}
}

// rests says what intervals cover, and what they do not.
func (w *reportWriter) rests() []string {
	out := []string{w.say(
		"Intervals, p and verdicts are over replications: they cover chance, and nothing else. Whether the model, its parameters and "+
			"the sizes assumed are right is not in them. An artificial economy says what follows from its rules, not what any country "+
			"would see.",
		"区间、p 值与结论均基于各次重复，只涵盖随机性。模型、参数以及所设幅度是否正确不在其内。人工经济只说明由其规则所推出的结果，而非任何国家的实际情形。",
	)}
	if _, tried := w.kept(); tried == 0 && w.b.Claim != nil {
		out = append(
			out,
			w.say(
				"Other behaviour was not tried: econ-mcp ask --robust tries the verdict under five perturbations of behavioural "+
					"parameters.",
				"未检验其他行为参数：econ-mcp ask --robust 可在五种行为参数扰动下检验结论。",
			),
		)
	}
	return out
}

// outcomes are those that the results are about.
func (w *reportWriter) outcomes() (list []sim.Indicator) {
	for k := range w.a.Treatment {
		if i, ok := sim.IndicatorByName(w.a.Treatment[k].Metric); ok && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	if list == nil {
		return inference.Outcomes
	}
	return list
}

func (w *reportWriter) method() Section {
	out := Section{
		Title: w.say("How each number was computed", "各数值的计算方法"),
		Heads: []string{w.say("outcome", "指标"), w.say("identifier", "标识符"), w.say("unit", "单位"), w.say("formula (of a month)", "公式（每月）")},
		Paragraphs: []string{
			fmt.Sprintf(
				w.say(
					"Each outcome is the mean of its months %d to %d in a run (one number a replication); the query below, on "+
						"econ-mcp.db, gives these numbers for the first outcome. The replication is the unit of analysis; the test and "+
						"the adjustment are named beside the results, and results.csv has every number in full.",
					"每个指标先在一次运行中对第%d至%d个月取均值（每次重复一个数）；对 econ-mcp.db 执行下面的查询即得第一个指标的这些数。分析单位为重复；检验与校正方法见结果一节，完整数值见 results.csv。",
				),
				w.a.From,
				w.a.To,
			),
		},
	}
	list := w.outcomes()
	for _, i := range list {
		out.Rows = append(out.Rows, []string{Label(i, w.language), i.String(), Unit(i, w.language), Formula(i, w.language)})
	}
	out.Code = fmt.Sprintf(
		"SELECT a.name, r.replication, avg(m.%s) FROM monthly m\nJOIN run r ON r.id = m.run JOIN arm a ON a.id = r.arm JOIN experiment "+
			"e ON e.id = a.experiment\nWHERE e.name = '%s' AND m.month BETWEEN %d AND %d\nGROUP BY a.number, r.replication;",
		list[0],
		strings.ReplaceAll(w.s.Name, "'", "''"),
		w.a.From,
		w.a.To,
	)
	return out
}

func (w *reportWriter) reproduction() Section {
	commands := []string{
		"econ-mcp rerun " + w.s.Name,
		fmt.Sprintf("econ-mcp report %s --format html --lang %s --out report.html", w.s.Name, w.language),
		"econ-mcp export " + w.s.Name + " --out DIR",
	}
	text := w.say(
		"The scenario, the seeds and the versions above determine every bit. The first command simulates it all again and says whether "+
			"the bits are the same; the others write this report, and everything about the experiment, again.",
		"上述情景、种子与版本决定每一位结果。第一条命令重新模拟并核对是否逐位一致；其余命令重新写出本报告及实验的全部材料。",
	)
	if w.b.Repeat != "" {
		commands = append(commands, w.b.Repeat)
		text += w.say(
			" The last one makes the same experiment from nothing, elsewhere too: its plan has the same hash.",
			"最后一条可在任何机器上从头重做同一实验：其计划的哈希相同。",
		)
	}
	return Section{Title: w.say("To repeat it", "如何重现"), Paragraphs: []string{text}, Code: strings.Join(commands, "\n")}
}

package report

import (
	"cmp"
	"fmt"
	"slices"
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
		out.Paragraphs = Conclusion(w.a, w.s, w.language)
		w.r.Answer = joinedParagraphs(out.Paragraphs, w.language)
		return out
	}
	found := Answer(w.a, *w.b.Claim, w.language)
	w.r.Answer, w.r.Verdict = found.Sentence, found.Verdict
	out.Title = w.say("Answer", "回答")
	verdict := found.VerdictText + w.say(" ", "") + w.meaning(found.Verdict)
	out.say(found.Sentence, found.Between, found.Others, found.Groups, w.line(w.say("Verdict on the hypothesis", "对假设的结论"), verdict))
	if kept, tried := w.kept(); tried > 0 {
		where := w.say("The verdict on the first outcome stays in %d of %d cases with another size or country, see below.",
			"在改变规模或国家的%[2]d种情形中，首要指标的结论在%[1]d种保持不变，见下文。")
		if TriesBehaviour(w.b.Robustness) {
			where = w.say("The verdict on the first outcome stays in %d of %d cases with other behaviour, size or country, see below.",
				"在改变行为参数、规模或国家的%[2]d种情形中，首要指标的结论在%[1]d种保持不变，见下文。")
		}
		out.say(fmt.Sprintf(where, kept, tried))
	}
	return out
}

// meaning says what a verdict means.
func (w *reportWriter) meaning(v inference.Verdict) string {
	rare := FormatShare(1-w.a.Confidence, 0)
	switch v {
	case inference.Supported:
		way := w.say("; no direction was predicted", "，计划未预言方向")
		if w.b.Claim.Sign != 0 {
			way = w.say(", in the direction that was expected", "，且方向与预期一致")
		}
		return fmt.Sprintf(w.say(
			"Supported means: there is a difference%s. If the change did nothing to any of the "+
				"planned outcomes, chance alone would make one of them differ so clearly in fewer than %s of such experiments.",
			"“得到支持”是指：存在差异%s。若该改变对计划中的各项指标均无作用，仅凭运气使其中任一项出现如此明显差异的实验不到%s。",
		), way, rare)
	case inference.Contradicted:
		return fmt.Sprintf(w.say(
			"Refuted means: there is a difference, so clear that chance alone would make one in fewer than %s of such "+
				"experiments, and it goes against what was expected.",
			"“被否定”是指：存在仅凭运气在不到%s的实验中才会出现的明显差异，且方向与预期相反。",
		), rare)
	case inference.EquivalentToZero:
		return fmt.Sprintf(w.say(
			"Refuted means here: the difference is smaller, either way, than the smallest effect of interest; were it not, "+
				"chance alone would make it seem so in fewer than %s of such experiments.",
			"此处“被否定”是指：无论方向，差异均小于最小关注效应；若非如此，仅凭运气造成这一表象的实验不到%s。",
		), rare)
	case inference.Inconclusive:
		return w.say(
			"Not decided means: these replications can tell neither that there is an effect nor that there is none worth speaking of. "+
				"It is no sign of either.",
			"“未定”是指：现有重复次数既不能说明存在效应，也不能说明不存在值得关注的效应；它不是任何一方的证据。",
		)
	}
	return ""
}

// seedsShown is how many seeds the report lists.
const seedsShown = 3

// hashShown is how many digits of a hash tables show.
const hashShown = 16

// arm is the name of an arm; the usual ones are translated.
func (w *reportWriter) arm(name string) string { return armName(name).in(w.language) }

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
	head := ""
	if !rowNamesOf(w.a.Treatment, w.language).windows {
		head = fmt.Sprintf(w.say(
			"Means of %s, then over replications; the treatment less the control. ", "先对%s取均值，再对各次重复取均值；差异为处理组减对照组。",
		), w.window())
	} else {
		head = w.say(
			"Means of the months beside each outcome, then over replications; the treatment less the control. ",
			"先对各指标旁所列月份取均值，再对各次重复取均值；差异为处理组减对照组。",
		)
	}
	out.Paragraphs = []string{head + MethodText(w.a.Method, w.language), w.legend()}
	out.Figures = w.place("effects", "doses")
	return out
}

// beside shows several arms beside each other, and against each other.
func (w *reportWriter) beside() Section {
	if w.a.Control == "" || !severalArms(w.a.Treatment) {
		return Section{}
	}
	t := besideTable(w.a.Treatment, w.a.Confidence, w.language)
	return Section{Title: w.say("The arms beside each other", "各组并列"), Heads: t.heads, Rows: t.rows, Paragraphs: []string{w.say(
		"Differences to the control, and of one arm to another. * there is a difference; = none that matters; *= a difference that is too "+
			"small to matter; no mark: not known. Their intervals and p-values, of one family of tests, follow.",
		"与对照组之差，以及组与组之差。* 存在差异；= 无值得关注的差异；*= 存在差异但过小、不值得关注；无标记：尚不确定。区间与p值（同一组检验）见下文。",
	)}}
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
		Title: cmp.Or(s.Question, s.Name), Language: w.language, Confidence: a.Confidence, From: a.From, To: a.To,
		Threshold: w.b.Found.Threshold,
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
	f.Doses = DosesOf(s)
	for k := range a.Treatment {
		if i, ok := sim.IndicatorByName(a.Treatment[k].Metric); ok && !a.Treatment[k].Exploratory && len(f.Outcomes) < mostSpoken &&
			!slices.Contains(f.Outcomes, i) {
			f.Outcomes = append(f.Outcomes, i)
		}
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		f.Arms = append(f.Arms, FigureArm{
			Name: arm.Name, Panel: arm.Panel, Groups: arm.Groups(), Sizes: arm.Sizes, Began: arm.Began, InForce: arm.InForce(),
		})
	}
	for k := range a.Treatment {
		row := &a.Treatment[k]
		f.Effects = append(f.Effects, inference.Effect{
			Arm: row.Arm, Metric: row.Metric, Unit: row.Unit, Control: float64(row.Control), Treatment: float64(row.Treatment),
			Difference: float64(row.Difference), Percent: float64(row.Percent), Relative: row.Relative(),
			CILow: float64(row.CILow), CIHigh: float64(row.CIHigh), N: row.N, Window: row.Window,
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
	names := []string{"overview", "differences"}
	for _, f := range w.drawn {
		if strings.HasPrefix(f.Name, outcomeFigure) {
			names = append(names, f.Name)
		}
	}
	return w.drawings(w.say("Over time", "随时间的变化"), names...)
}

// budget is left out where there is no figure of it.
func (w *reportWriter) budget() Section {
	out := w.drawings(w.say("The public budget", "公共预算"), "budget")
	if out.Figures == nil {
		return out
	}
	out.say(fmt.Sprintf(w.say(
		"What the government receives counts up and what it spends counts down, in currency units a month, %s; the rows add up to the "+
			"balance. Interest follows the debt and, at once, the policy rate. Each p is adjusted over the rows (Romano-Wolf, or Holm with few replications) and for their part of the level.",
		"政府收入为正、支出为负，单位为货币单位/月，取%s的均值；各行相加为财政余额。利息取决于债务，并随政策利率即时变动。p值对各行校正（Romano-Wolf法，重复少时用Holm法），并按其所分得的显著性水平折算。",
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
					"work, and thirds by skill. A change that is surely below 1 % of the control's income, by two one-sided tests at the rows' part of the level, is too small.",
				"按第1个月之前的位置分组的家庭的实际可支配收入（两组为同一批家庭），单位为基期价格下的货币单位/月：平滑可支配收入与净财富的十分位、就业状况、"+
					"技能三分位。按各行所分得的显著性水平作双单侧检验、确定小于对照组收入1%的变动记为“过小”。",
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
				gainText(&row, w.language),
			},
		)
	}
	return out
}

func (w *reportWriter) interval(text func(stats.Number) string, low, high stats.Number) string {
	return interval(low, high, text, w.language)
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
			w.say("in force", "生效情况"),
		},
	}
	for k := range w.s.Arms {
		arm := &w.s.Arms[k]
		inForce := arm.InForce()
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
			out.Rows = append(out.Rows, []string{
				w.arm(arm.Name), v.String(), v.Description, strings.Join(began, ", "), InForceText(inForce[n], w.language),
			})
		}
	}
	if out.Rows == nil {
		return Section{}
	}
	out.Figures = w.place("conditions")
	return out
}

// InForceText says in how many replications an intervention was in force, for how long and when.
func InForceText(f tables.InForce, language string) string {
	on, of := f.Replications(), len(f.Spans)
	if on == 0 {
		return word(language, "never", "从未生效")
	}
	mean, months := strings.TrimSuffix(FormatNumber(f.Mean(), 1), ".0"), tables.MonthsText(f.Any())
	if of == 1 {
		return wordf(language, "for %s months: %s", "共%s个月：第%s个月", mean, months)
	}
	return wordf(language, "on in %d of %d replications, for %s months on average; months %s", "%[2]d次重复中有%[1]d次生效，平均%[3]s个月；第%[4]s个月",
		on, of, mean, months)
}

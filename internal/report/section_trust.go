package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// kept counts the cases in which the verdict stays, draws of a posterior aside: see [Spread].
func (w *reportWriter) kept() (kept, tried int) {
	for _, r := range w.b.Robustness {
		if r.Draw > 0 {
			continue
		}
		if tried++; r.Kept {
			kept++
		}
	}
	return kept, tried
}

// TriesBehaviour says whether a single behavioural parameter was changed in one of the cases: with draws of a posterior only size and
// country are.
func TriesBehaviour(list []Robustness) bool {
	return slices.ContainsFunc(list, func(r Robustness) bool { return r.Draw == 0 && !r.Structure })
}

// robustness is the verdict under other behaviour.
func (w *reportWriter) robustness() Section {
	if len(w.b.Robustness) == 0 {
		return Section{}
	}
	kept, tried := w.kept()
	if tried == 0 {
		return Section{Title: w.say("The verdict under other behaviour", "行为参数改变时的结论"), Paragraphs: w.draws()}
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
	}
	how := w.say(
		"The experiment was made again at another size, or in the economy of a country preset, in control and treatment alike, from "+
			"their burn-in on. The verdict on the hypothesis stays in %d of %d cases.",
		"在对照组与处理组中自预热起同样改变经济规模或改用某一国家预设，重做实验。对假设的结论在%[2]d种情形中的%[1]d种保持不变。",
	)
	if TriesBehaviour(w.b.Robustness) {
		how = w.say(
			"The experiment was made again with one behavioural parameter changed, at another size, or in the economy of a country preset, in "+
				"control and treatment alike, from their burn-in on. The verdict on the hypothesis stays in %d of %d cases. Each parameter was "+
				"calibrated rather than observed, and is moved by about as much as the literature leaves open.",
			"在对照组与处理组中自预热起同样改变一个行为参数、经济规模或改用某一国家预设，重做实验。对假设的结论在%[2]d种情形中的%[1]d种保持不变。"+
				"这些参数均为校准值而非观测值，改变幅度约为文献所容许的范围。",
		)
	}
	out.say(fmt.Sprintf(how, kept, tried))
	out.say(w.draws()...)
	for _, r := range w.b.Robustness {
		if r.Draw > 0 {
			continue
		}
		difference, interval := r.Texts(w.language)
		verdict := VerdictWord(r.Verdict, w.language)
		if !r.Kept {
			verdict += w.say(" (changed)", "（改变）")
		}
		out.Rows = append(out.Rows, []string{
			PerturbationText(r.Parameter, r.Factor, r.Preset), verdict, difference, interval, r.ExperimentName,
		})
	}
	return out
}

// PerturbationText names what is changed in both arms.
func PerturbationText(parameter string, factor float64, preset string) string {
	if preset != "" {
		return preset
	}
	return parameter + " × " + strconv.FormatFloat(factor, 'g', -1, 64)
}

// Texts are the difference and its interval: of amounts and indices in percent of the control, so that economies of different sizes
// and countries can be compared.
func (r *Robustness) Texts(language string) (difference, interval string) {
	row := r.row()
	if difference = sizedText(&row, row.Difference, row.Percent); math.IsNaN(float64(row.CILow)) {
		return difference, Absent
	}
	return difference, sizedText(&row, row.CILow, row.PercentLow) + word(language, " to ", " 至 ") +
		sizedText(&row, row.CIHigh, row.PercentHigh)
}

// row is what a row of a comparison would be.
func (r *Robustness) row() inference.ComparisonRow {
	return inference.ComparisonRow{
		Metric: r.Outcome, Difference: r.Difference, CILow: r.CILow, CIHigh: r.CIHigh,
		Percent: r.Percent, PercentLow: r.PercentLow, PercentHigh: r.PercentHigh,
	}
}

// sizedText is a difference in the unit in which a row tells its own.
func sizedText(row *inference.ComparisonRow, difference, percent stats.Number) string {
	i, _ := sim.IndicatorByName(row.Metric)
	if isRelative(i, row.Percent) {
		return signed(float64(percent), relativeText(float64(percent)/100))
	}
	return FormatDifference(i, float64(difference))
}

// uncertainty is the table of what an effect may be wrong by: chance, parameters, and structure.
func (w *reportWriter) uncertainty() Section {
	if len(w.a.Treatment) == 0 {
		return Section{}
	}
	row := &w.a.Treatment[0]
	for k := range w.a.Treatment {
		if len(w.b.Robustness) > 0 && w.a.Treatment[k].Metric == w.b.Robustness[0].Outcome {
			row = &w.a.Treatment[k]
			break
		}
	}
	i, _ := sim.IndicatorByName(row.Metric)
	out := Section{
		Title: w.say("Three kinds of uncertainty", "三类不确定性"),
		Heads: []string{
			w.say("kind", "类别"), w.say("what was varied", "改变了什么"), Label(i, w.language) + w.say(", difference", "，差异"),
			w.say("verdict stays", "结论不变"),
		},
		Rows: [][]string{{
			w.say("chance", "偶然性"), fmt.Sprintf(w.say("random draws: %d replications", "随机抽样：%d次重复"), row.N),
			sizedText(row, row.Difference, row.Percent) + " (" + rangeText(row, w.language) + ")", Absent,
		}},
	}
	drawn := SpreadOf(w.b.Robustness)
	if drawn != nil {
		out.Rows = append(out.Rows, []string{
			w.say("parameters", "参数"), drawn.What(w.language), drawn.Interval(row, w.language),
			fmt.Sprintf(w.say("%d of %d", "%[2]d种中%[1]d种"), drawn.Kept, drawn.Draws),
		})
	}
	for _, kind := range []struct {
		structure      bool
		name, untested string
	}{
		{false, w.say("parameters", "参数"), w.say("not tried: econ-mcp ask --robust changes five of them, one at a time; --posterior draws from what data say of them",
			"未检验：econ-mcp ask --robust 逐一改变五个参数；--posterior 按数据所示的后验抽样")},
		{true, w.say("structure", "结构"), w.say("not tried: econ-mcp ask --robust has another size and the economies of countries",
			"未检验：econ-mcp ask --robust 改变经济规模并改用国家预设")},
	} {
		if !kind.structure && drawn != nil {
			continue
		}
		var what []string
		kept, low, high := 0, inference.ComparisonRow{}, inference.ComparisonRow{}
		for _, r := range w.b.Robustness {
			if r.Structure != kind.structure || r.Draw > 0 || math.IsNaN(float64(r.Difference)) {
				continue
			}
			told := r.row()
			size := func(told *inference.ComparisonRow) stats.Number {
				if isRelative(i, row.Percent) {
					return told.Percent
				}
				return told.Difference
			}
			if what == nil || size(&told) < size(&low) {
				low = told
			}
			if what == nil || size(&told) > size(&high) {
				high = told
			}
			what = append(what, PerturbationText(r.Parameter, r.Factor, r.Preset))
			if r.Kept {
				kept++
			}
		}
		if what == nil {
			out.Rows = append(out.Rows, []string{kind.name, kind.untested, Absent, Absent})
			continue
		}
		out.Rows = append(out.Rows, []string{
			kind.name, strings.Join(what, ", "), sizedText(&low, low.Difference, low.Percent) + w.say(" to ", " 至 ") +
				sizedText(&high, high.Difference, high.Percent),
			fmt.Sprintf(w.say("%d of %d", "%[2]d种中%[1]d种"), kept, len(what)),
		})
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
	rows := w.a.Diagnostics.PowerByWindow
	if len(rows) == 0 || math.IsNaN(float64(rows[0].Detectable)) {
		return
	}
	out.say(w.say(
		"The smallest true differences that four of five such experiments would find, and the replications that nine of ten "+
			"would need for the smallest effect of interest, each outcome at the part of the level that it has among all that were tested:",
		"此类实验中五分之四能够发现的最小真实差异，以及十分之九能发现最小关注效应所需的重复次数（各指标按其在全部检验中所占的显著性水平）：",
	))
	out.Heads = []string{
		w.say("outcome", "指标"),
		w.say("detectable", "可检出差异"),
		w.say("relative", "相对"),
		w.say("smallest effect of interest", "最小关注效应"),
		w.say("replications in all for 90 % power", "90 %功效共需重复"),
	}
	names := rowNamesOf(w.a.Treatment, w.language)
	for _, row := range rows {
		i, _ := sim.IndicatorByName(row.Metric)
		out.Rows = append(
			out.Rows,
			[]string{
				names.of(&inference.ComparisonRow{Arm: row.Arm, Window: row.Window}, Label(i, w.language)),
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
	if len(w.b.Robustness) == 0 && w.b.Claim != nil {
		out = append(
			out,
			w.say(
				"Other behaviour was not tried: econ-mcp ask --robust tries the verdict under five perturbations of behavioural "+
					"parameters, at another size and in the economies of countries.",
				"未检验其他行为参数：econ-mcp ask --robust 可在五种行为参数扰动、其他经济规模与国家预设下检验结论。",
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
					"Each outcome is the mean of the months of its window in a run (one number a replication); the query below, on "+
						"econ-mcp.db, gives these numbers for the first outcome and months %d to %d. The replication is the unit of analysis; the test and "+
						"the adjustment are named beside the results, and results.csv has every number in full.",
					"每个指标先在一次运行中对其窗口内各月取均值（每次重复一个数）；对 econ-mcp.db 执行下面的查询即得第一个指标在第%d至%d个月的这些数。分析单位为重复；检验与校正方法见结果一节，完整数值见 results.csv。",
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

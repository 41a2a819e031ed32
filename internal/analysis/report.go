package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/plot"
	"econ-mcp/sim"
)

// ReportFormats and ReportLanguages are what a report may be written in.
var (
	ReportFormats   = []string{"markdown", "html", "json"}
	ReportLanguages = []string{English, Chinese}
)

// Report is an experiment told for people: a list of sections in one language.
type Report struct {
	Experiment string        `json:"experiment_name"`
	Language   string        `json:"language"`
	Title      string        `json:"title"`
	Sections   []Section     `json:"sections"`
	Analysis   Analysis      `json:"analysis"`
	figures    []NamedFigure // by the sections' names
}

// Section is a part of a report: paragraphs, then a table, then figures.
type Section struct {
	Title      string     `json:"title"`
	Paragraphs []string   `json:"paragraphs"`
	Heads      []string   `json:"heads,omitempty"`
	Rows       [][]string `json:"rows,omitempty"`
	Code       string     `json:"code,omitempty"`
	Figures    []Caption  `json:"figures,omitempty"`
}

// Caption names a figure and tells what stands under it.
type Caption struct {
	Name    string `json:"name"` // of [Report.Figures]
	Caption string `json:"caption"`
}

// NewReport analyses a study and tells it in English ("en") or Chinese ("zh"). Texts in
// figures are English in both.
func NewReport(s *Study, c Choice, language string) (*Report, error) {
	if !slices.Contains(ReportLanguages, language) {
		return nil, fault.Range("language", fmt.Sprintf("%q", language), ReportLanguages...)
	}
	a, err := Analyse(s, c, []string{})
	if err != nil {
		return nil, err
	}
	r := &Report{Experiment: s.Name, Language: language, Title: s.Name, Analysis: a}
	if s.Question != "" {
		r.Title = s.Question
	}
	w := reportWriter{s: s, a: &a, language: language, r: r}
	w.drawn = w.figures().Report()
	r.Sections = slices.DeleteFunc([]Section{
		w.answer(), w.question(), w.design(), w.results(), w.overTime(), w.distribution(), w.budget(), w.relations(), w.innovation(), w.interventions(),
		w.trust(), w.method(), w.reproduction(),
	}, func(s Section) bool { return s.Title == "" })
	return r, nil
}

// reportWriter writes the sections of a report. A section without a title is left out.
type reportWriter struct {
	s        *Study
	a        *Analysis
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

func (w *reportWriter) answer() Section {
	return Section{Title: w.say("What was found", "主要发现"), Paragraphs: []string{word(w.language, w.a.Conclusion, w.a.ConclusionZH)}}
}

func (w *reportWriter) question() Section {
	out := Section{Title: w.say("Question", "研究问题")}
	for _, part := range []struct{ label, text string }{
		{w.say("Question", "问题"), w.s.Question}, {w.say("Hypothesis", "假设"), w.s.Hypothesis},
		{w.say("Expected outcome", "预期结果"), w.s.Expected}, {w.say("Notes", "备注"), w.s.Notes}, {w.say("Tags", "标签"), strings.Join(w.s.Tags, ", ")},
	} {
		if part.text != "" {
			out.Paragraphs = append(out.Paragraphs, part.label+w.say(": ", "：")+part.text)
		}
	}
	if out.Paragraphs == nil {
		out.Title = ""
	}
	return out
}

func (w *reportWriter) design() Section {
	s := w.s
	seeds := make([]string, len(s.Seeds))
	for k, seed := range s.Seeds {
		seeds[k] = fmt.Sprint(seed)
	}
	if len(seeds) > 12 {
		seeds = append(seeds[:12], fmt.Sprintf(w.say("… (%d in all)", "……（共%d个）"), len(s.Seeds)))
	}
	out := Section{
		Title: w.say("Design", "实验设计"),
		Heads: []string{w.say("arm", "实验组"), w.say("replications", "重复次数"), w.say("scenario hash", "情景哈希"), w.say("differs from the first arm in", "与第一组的不同之处")},
		Paragraphs: []string{
			fmt.Sprintf(w.say("Experiment %s: %s households, %s firms, %d of %d months after a burn-in of %d. Base seed %d; seeds of the replications: %s.", "实验%s：%s户家庭，%s家企业，共模拟%d个月（计划%d个月），预热%d个月。基础种子%d；各次重复的种子：%s。"),
				s.Name, FormatNumber(float64(s.Households), 0), FormatNumber(float64(s.Firms), 0), s.LastMonth(), s.Months, s.Arms[0].Params.BurnInMonths, s.Seed, strings.Join(seeds, ", ")),
			fmt.Sprintf(w.say("Model %s, code %s, %s, %s. Run status: %s. Created %s.", "模型版本%s，代码版本%s，%s，%s。运行状态：%s。创建时间：%s。"),
				s.ModelVersion, s.CodeVersion, s.GoVersion, s.Arch, s.RunStatus, s.CreatedAt.UTC().Format("2006-01-02 15:04:05 UTC")),
		},
	}
	if len(s.Arms) > 1 {
		out.Paragraphs = append(out.Paragraphs, w.say("All arms share their seeds: a replication of one arm and the same replication of another live through the same luck, and differ by what the arms differ in.",
			"各组共享随机种子：同一编号的重复在各组中经历同样的随机抽取，差异只来自组间的不同设置。"))
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		out.Rows = append(out.Rows, []string{arm.Name, fmt.Sprint(len(arm.Panel)), arm.ScenarioHash, w.changes(arm)})
	}
	return out
}

// changes lists the parameters in which an arm differs from the first, and how many
// interventions it has.
func (w *reportWriter) changes(arm *StudyArm) string {
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
		out.Paragraphs = []string{fmt.Sprintf(w.say("Means of %s, then over %s, with %s intervals.", "%s的均值，再对%s取均值，附%s区间。"), w.window(), replicationText(w.a.Replications, w.language), FormatShare(w.a.Confidence, 0))}
		out.Heads, out.Rows = t.heads, t.rows
		return out
	}
	t := comparisonTable(w.a.Treatment, w.a.Confidence, w.language)
	out.Heads, out.Rows = t.heads, t.rows
	out.Paragraphs = []string{fmt.Sprintf(w.say(
		"Means of %s, then over replications; the treatment less the control. %s",
		"先对%s取均值，再对各次重复取均值；差异为处理组减对照组。%s"),
		w.window(), w.a.Method.In(w.language))}
	out.Figures = w.place("effects")
	return out
}

// levels is the table of the outcomes of a single arm.
func (w *reportWriter) levels() table {
	t := table{heads: []string{w.say("outcome", "指标"), w.say("mean", "均值"), FormatShare(w.a.Confidence, 0) + w.say(" interval", " 区间"), w.say("unit", "单位")}}
	for _, i := range Outcomes {
		var values []float64
		for _, series := range w.s.main().Panel {
			values = append(values, windowMean(series[i], w.a.From, w.a.To))
		}
		e := NewEstimate(values, w.a.Confidence)
		interval := Absent
		if !math.IsNaN(float64(e.CILow)) {
			interval = FormatValue(i, float64(e.CILow)) + w.say(" to ", " 至 ") + FormatValue(i, float64(e.CIHigh))
		}
		t.rows = append(t.rows, []string{Label(i, w.language), FormatValue(i, float64(e.Mean)), interval, i.Info().Unit})
	}
	return t
}

func (w *reportWriter) figures() Figures {
	s, a := w.s, w.a
	f := Figures{
		Title: s.Name, Confidence: a.Confidence, From: a.From, To: a.To,
		Source: Source{What: "experiment " + s.Name, Replications: a.Replications, Seed: s.Seed, ModelVersion: s.ModelVersion, Months: s.LastMonth(), Households: s.Households},
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		figure := FigureArm{Name: arm.Name, Panel: arm.Panel, Sizes: arm.Sizes, Began: arm.Began}
		for _, m := range arm.Window {
			figure.Groups = append(figure.Groups, &m.Groups)
		}
		f.Arms = append(f.Arms, figure)
	}
	for k := range a.Treatment {
		row := &a.Treatment[k]
		f.Effects = append(f.Effects, Effect{
			Arm: row.Arm, Metric: row.Metric, Unit: row.Unit, Control: float64(row.Control), Treatment: float64(row.Treatment),
			Difference: float64(row.Difference), Percent: float64(row.Percent), CILow: float64(row.CILow), CIHigh: float64(row.CIHigh), N: row.N,
		})
	}
	return f
}

func (w *reportWriter) overTime() Section {
	out := Section{Title: w.say("Over time", "随时间的变化"), Figures: w.place("overview", "differences")}
	if out.Figures == nil {
		return Section{}
	}
	return out
}

// budget is left out where there is no figure of it.
func (w *reportWriter) budget() Section {
	out := Section{Title: w.say("The public budget", "公共预算"), Figures: w.place("budget")}
	if out.Figures == nil {
		return Section{}
	}
	return out
}

// relations between the indicators, and the firms.
func (w *reportWriter) relations() Section {
	out := Section{Title: w.say("How this economy works", "经济的运行规律"), Figures: w.place("relations", "firm_sizes")}
	if out.Figures == nil {
		return Section{}
	}
	return out
}

func (w *reportWriter) distribution() Section {
	d := &w.a.Distribution
	out := Section{
		Title: w.say("Who gains, who loses", "谁受益，谁受损"),
		Heads: []string{w.say("tenth of the households", "家庭十分位"), w.say("control", "对照"), w.say("treatment", "处理"), w.say("difference", "差异"), w.say("relative", "相对差异"), w.say("p adjusted", "校正后 p"), w.say("verdict", "结论")},
		Paragraphs: []string{w.say("Real disposable income of each tenth of the households by income, currency units a month at prices of the base month. A tenth is a place in the distribution, not the households that were in it at the start.",
			"按收入划分的各十分位家庭的实际可支配收入，单位为基期价格下的货币单位/月。十分位指分布中的位置，而非期初处于该位置的家庭。")},
	}
	out.Figures = w.place("deciles", "lorenz")
	switch {
	case len(w.s.main().Window) == 0:
		return Section{}
	case w.a.Control == "":
		return Section{Title: w.say("The distribution", "分配"), Figures: out.Figures}
	}
	verdicts := map[string]string{"gains": "受益", "loses": "受损", "no clear change": "无明显变化", "not judged": "无法判断"}
	for _, row := range d.Rows {
		group := groupText(row.Group, w.language)
		if len(w.s.Arms) > 2 {
			group = row.Arm + ": " + group
		}
		relative := FormatShare(float64(row.Percent)/100, 2)
		out.Rows = append(out.Rows, []string{group, FormatAmount(float64(row.Control)), FormatAmount(float64(row.Treatment)), FormatDifference(sim.RealGDP, float64(row.Difference)), relative, pValue(row.PAdjusted), word(w.language, row.Verdict, verdicts[row.Verdict])})
	}
	return out
}

func (w *reportWriter) innovation() Section {
	m := w.a.Innovation
	if m == nil || !(m.TotalEvents > 0) {
		return Section{}
	}
	out := Section{Title: w.say("Innovation", "创新")}
	out.Paragraphs = []string{fmt.Sprintf(w.say("%s innovations from month 1 on in the mean of the replications of %s.", "自第1个月起，“%[2]s”组各次重复平均有%[1]s次创新。"), FormatNumber(float64(m.TotalEvents), 0), w.a.Arm)}
	if len(m.ShareCorrelations) == 0 {
		out.Paragraphs = append(out.Paragraphs, w.say("What they did to market shares was not kept with this run.", "本次运行未保存创新对市场份额的影响。"))
		return out
	}
	out.Paragraphs = append(out.Paragraphs, w.say("Market shares of innovators beside those of matched firms of the same industry without an innovation.", "创新企业的市场份额与同行业中未创新的匹配企业相比。"))
	out.Heads = []string{w.say("months after", "之后月数"), w.say("share after / before", "份额之比"), w.say("of others", "其他企业"), w.say("correlation", "相关系数"), w.say("interval", "区间"), w.say("pairs", "配对数")}
	for _, h := range ShareHorizons {
		r := m.ShareCorrelations[fmt.Sprint(h)]
		interval := Absent
		if !math.IsNaN(float64(r.CILow)) {
			interval = FormatNumber(float64(r.CILow), 3) + w.say(" to ", " 至 ") + FormatNumber(float64(r.CIHigh), 3)
		}
		out.Rows = append(out.Rows, []string{fmt.Sprint(h), FormatNumber(float64(r.AvgRatio), 4), FormatNumber(float64(r.OthersRatio), 4), FormatNumber(float64(r.Correlation), 3), interval, FormatNumber(float64(r.DataPoints), 0)})
	}
	return out
}

func (w *reportWriter) interventions() Section {
	out := Section{Title: w.say("Interventions", "干预"), Heads: []string{w.say("arm", "实验组"), w.say("what", "内容"), w.say("description", "说明"), w.say("began in month (by replication)", "开始月份（按重复）")}}
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
			out.Rows = append(out.Rows, []string{arm.Name, v.String(), v.Description, strings.Join(began, ", ")})
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
		"steady":     w.say("Rates do not drift in the window beyond half a percentage point a year.", "窗口内各比率每年的漂移不超过0.5个百分点。"),
		"drifting":   w.say("Some rates still drift in the window.", "窗口内部分比率仍在漂移。"),
		"unclear":    w.say("Some rates move in the window by more than half a percentage point a year, but not beyond chance.", "窗口内部分比率每年变动超过0.5个百分点，但未超出偶然范围。"),
		"not judged": w.say("Whether rates drift was not judged: that needs two replications and a window of two years.", "未判断是否漂移：需要至少两次重复和两年的窗口。"),
	}
	out.Paragraphs = append(out.Paragraphs, steady[d.SteadyState.Verdict])
	for _, check := range d.SteadyState.Checks {
		if i, ok := sim.IndicatorByName(check.Metric); ok && (check.Verdict == "drifting" || check.Verdict == "unclear") {
			out.Paragraphs = append(out.Paragraphs, fmt.Sprintf(w.say("%s, %s: %s a year.", "%s，%s：每年 %s。"), check.Arm, Label(i, w.language), FormatDifference(i, float64(check.DriftPerYear))))
		}
	}
	for _, n := range d.notes {
		out.Paragraphs = append(out.Paragraphs, w.say("Note: "+n.en+".", "注意："+n.zh+"。"))
	}
	if len(d.Power) > 0 && !math.IsNaN(float64(d.Power[0].Detectable)) {
		out.Paragraphs = append(out.Paragraphs, w.say("The smallest true differences that four of five such experiments would find, each outcome alone:", "此类实验中五分之四能够发现的最小真实差异（各指标单独）："))
		out.Heads = []string{w.say("outcome", "指标"), w.say("detectable", "可检出差异"), w.say("relative", "相对")}
		several := len(w.s.Arms) > 2
		for _, row := range d.Power {
			i, _ := sim.IndicatorByName(row.Metric)
			label := Label(i, w.language)
			if several {
				label = row.Arm + ": " + label
			}
			out.Rows = append(out.Rows, []string{label, strings.TrimLeft(FormatDifference(i, float64(row.Detectable)), "+"), FormatShare(float64(row.Percent)/100, 2)})
		}
	}
	return out
}

func (w *reportWriter) method() Section {
	out := Section{
		Title: w.say("How each number was computed", "各数值的计算方法"),
		Heads: []string{w.say("outcome", "指标"), w.say("identifier", "标识符"), w.say("unit", "单位"), w.say("formula (of a month)", "公式（每月）")},
		Paragraphs: []string{
			fmt.Sprintf(w.say("Each outcome is the mean of its months %d to %d in a run (one number a replication); the query below gives these numbers. Differences are between replications of the same seed. Intervals and p are those of Student's t with the replication as the unit of analysis.",
				"每个指标先在一次运行中对第%d至%d个月取均值（每次重复一个数），下面的查询给出这些数。差异在同一种子的重复之间计算。区间与p值来自以重复为分析单位的学生t检验。"), w.a.From, w.a.To),
		},
	}
	list := Outcomes
	for _, i := range list {
		info := i.Info()
		out.Rows = append(out.Rows, []string{Label(i, w.language), info.Name, info.Unit, info.Formula})
	}
	out.Code = fmt.Sprintf("SELECT a.name, r.replication, avg(m.real_gdp) FROM monthly m\nJOIN run r ON r.id = m.run JOIN arm a ON a.id = r.arm JOIN experiment e ON e.id = a.experiment\nWHERE e.name = '%s' AND m.month BETWEEN %d AND %d\nGROUP BY a.number, r.replication;", strings.ReplaceAll(w.s.Name, "'", "''"), w.a.From, w.a.To)
	return out
}

func (w *reportWriter) reproduction() Section {
	return Section{
		Title:      w.say("To repeat it", "如何重现"),
		Paragraphs: []string{w.say("The scenario, the seeds and the versions above determine every bit. The first command simulates it all again and says whether the bits are the same.", "上述情景、种子与版本决定每一位结果。第一条命令重新模拟并核对是否逐位一致。")},
		Code:       fmt.Sprintf("econ-mcp rerun %s\necon-mcp call generate_experiment_report experiment_name=%s format=html language=%s", w.s.Name, w.s.Name, w.language),
	}
}

// Figures lists the figures of the report, in their order.
func (r *Report) Figures() []NamedFigure { return slices.Clone(r.figures) }

// Encode writes the report in one of [ReportFormats]. Markdown names its figures as
// links relative to it (figures/NAME.svg), HTML holds them.
func (r *Report) Encode(format string) (string, error) {
	switch format {
	case "markdown":
		return r.markdown(), nil
	case "html":
		return r.html()
	case "json":
		data, err := json.MarshalIndent(r, "", "  ")
		return string(data), err
	}
	return "", fault.Range("format", fmt.Sprintf("%q", format), ReportFormats...)
}

func (r *Report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escapeCell(r.Title))
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, p := range s.Paragraphs {
			fmt.Fprintf(&b, "\n%s\n", escapeCell(p))
		}
		if len(s.Rows) > 0 {
			b.WriteString("\n")
			table{s.Heads, s.Rows}.markdown(&b)
		}
		if s.Code != "" {
			fmt.Fprintf(&b, "\n```\n%s\n```\n", s.Code)
		}
		for _, f := range s.Figures {
			fmt.Fprintf(&b, "\n![%s](figures/%s.svg)\n\n*%s*\n", f.Name, f.Name, f.Caption)
		}
	}
	return b.String()
}

const reportStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{line-height:1.2}h2{margin-top:2.2rem;border-bottom:1px solid #ddd}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem;border-bottom:1px solid #e6e6e6;text-align:left;vertical-align:top}
.n{text-align:right;white-space:nowrap}th{background:#f6f6f6}
td{overflow-wrap:anywhere}pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.86rem}
figure{margin:1.5rem 0}figure svg{height:auto}figcaption{color:#555;font-size:.9rem}`

func (r *Report) html() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		r.Language, html.EscapeString(r.Title), reportStyle, html.EscapeString(r.Title))
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "<section>\n<h2>%s</h2>\n", html.EscapeString(s.Title))
		for _, p := range s.Paragraphs {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
		}
		writeHTMLTable(&b, s)
		if s.Code != "" {
			fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(s.Code))
		}
		for _, f := range s.Figures {
			svg, err := r.SVG(f.Name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<figure>\n%s\n<figcaption>%s</figcaption>\n</figure>\n", onScreen(svg), html.EscapeString(f.Caption))
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return b.String(), nil
}

// writeHTMLTable writes a section's table, with columns of numbers aligned to the right.
func writeHTMLTable(b *strings.Builder, s Section) {
	if len(s.Rows) == 0 {
		return
	}
	b.WriteString("<div class=\"scroll\"><table>\n")
	numeric := table{s.Heads, s.Rows}.numeric()
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for k, cell := range cells {
			class := ""
			if numeric[k] {
				class = " class=\"n\""
			}
			fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, html.EscapeString(cell), tag)
		}
		b.WriteString("</tr>\n")
	}
	line("th", s.Heads)
	for _, row := range s.Rows {
		line("td", row)
	}
	b.WriteString("</table></div>\n")
}

// SVG is a figure as an element that may stand in a page, or alone in a file. One that
// the report does not have is [fault.NotFound].
func (r *Report) SVG(name string) ([]byte, error) {
	for _, f := range r.figures {
		if f.Name == name {
			data, err := plot.SVG(f.Figure)
			if err != nil {
				return nil, err
			}
			if at := bytes.Index(data, []byte("<svg")); at > 0 { // no XML declaration inside a page
				data = data[at:]
			}
			return bytes.TrimSpace(data), nil
		}
	}
	var names []string
	for _, f := range r.figures {
		names = append(names, f.Name)
	}
	e := fault.Unknown(fault.NotFound, name, names)
	e.Field = "figure"
	return nil, e
}

// svgSize is the size on paper of a figure.
var svgSize = regexp.MustCompile(`width="([0-9.]+)pt" height="[0-9.]+pt"`)

// screenScale is how much larger than on paper a figure is in a page, where there is room.
const screenScale = 1.35

// onScreen lets a figure take the width of its page, up to screenScale.
func onScreen(svg []byte) []byte {
	size := svgSize.FindSubmatch(svg)
	if size == nil {
		return svg
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	return bytes.Replace(svg, size[0], fmt.Appendf(nil, `role="img" style="width:100%%;max-width:%.0fpt"`, screenScale*width), 1)
}

package web

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// joinedWords puts a list into words.
func joinedWords(list []string, language string) string {
	return strings.Join(list, inLanguage(language, ", ", "、"))
}

// lasting says how long something takes.
func lasting(seconds float64, language string) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf(inLanguage(language, "%.0f s", "%.0f 秒"), max(1, seconds))
	case seconds < 5400:
		return fmt.Sprintf(inLanguage(language, "%.0f min", "%.0f 分钟"), seconds/60)
	}
	return fmt.Sprintf(inLanguage(language, "%.1f h", "%.1f 小时"), seconds/3600)
}

type sensitivityArgs struct {
	sweepArgs
	Metric string     `json:"metric,omitempty" max:"100" doc:"of the outcomes; default all"`
	Arm    tools.Name `json:"arm,omitempty" doc:"default all"`
	Limit  int        `json:"limit,omitempty" default:"60" min:"1" max:"200" doc:"outcomes"`
}

type sensitivityAnswer struct {
	Name     string               `json:"sweep_name"`
	Count    int                  `json:"count" doc:"outcomes that there are"`
	Outcomes []outcomeSensitivity `json:"outcomes"`
}

type outcomeSensitivity struct {
	outcomeAnswer
	Least    stats.Number        `json:"least" doc:"of all points"`
	Most     stats.Number        `json:"most"`
	Mean     stats.Number        `json:"mean"`
	Positive float64             `json:"share_positive" doc:"of the points"`
	Method   string              `json:"method" doc:"sobol: shares of variance; morris: mu_star, the mean size of the effect over the range; pawn: shift of the distribution, 0 to 1; main_effects: last value less first; one_at_a_time; none"`
	Factors  []sweep.FactorIndex `json:"factors" doc:"the strongest first"`
	Pairs    []pairAnswer        `json:"pairs" doc:"second order: share of the variance that two factors have together only"`
	Flips    []regionAnswer      `json:"regions" doc:"where the sign flips: parts of the space, none where it does not"`
	Note     string              `json:"note"`
}

type pairAnswer struct {
	Factor string         `json:"factor"`
	Other  string         `json:"other"`
	Second sweep.Estimate `json:"second"`
}

// regionAnswer is a part of the space of the factors.
type regionAnswer struct {
	Conditions []conditionAnswer `json:"conditions" doc:"all of them hold"`
	Points     int               `json:"points"`
	Positive   float64           `json:"share_positive"`
}

type conditionAnswer struct {
	Factor    string  `json:"factor"`
	Above     bool    `json:"above" doc:"above the threshold, else at or below it"`
	Threshold float64 `json:"threshold"`
}

func (s *Site) readSensitivity(_ context.Context, _ *tools.Call, in sensitivityArgs) (sensitivityAnswer, error) {
	name := string(in.Name)
	doc, err := s.Sweeps.Found(name)
	if err != nil {
		return sensitivityAnswer{}, err
	}
	d, err := s.Sweeps.Design(name)
	if err != nil {
		return sensitivityAnswer{}, err
	}
	out := sensitivityAnswer{Name: name}
	var metrics, arms []string
	for k, found := range doc.Sensitivity {
		metrics, arms = append(metrics, found.Metric), append(arms, found.Arm)
		if in.Metric != "" && found.Metric != in.Metric || in.Arm != "" && found.Arm != string(in.Arm) {
			continue
		}
		if out.Count++; out.Count > in.Limit {
			continue
		}
		said := outcomeSensitivity{
			outcomeAnswer: outcomeOf(d, k, found.Quantity, in.Language), Least: found.Least, Most: found.Most, Mean: found.Mean, Positive: found.Positive,
			Method: found.Method, Factors: ranked(found.Factors), Flips: regionsOf(found.Flip, nil), Note: found.Note,
		}
		for _, p := range found.Pairs {
			said.Pairs = append(said.Pairs, pairAnswer{p.Factors[0], p.Factors[1], p.Second})
		}
		out.Outcomes = append(out.Outcomes, said)
	}
	switch {
	case in.Metric != "" && !slices.Contains(metrics, in.Metric):
		return out, fault.In("metric", fault.Unknown(fault.NotFound, "metric", in.Metric, slices.Compact(metrics)))
	case in.Arm != "" && !slices.Contains(arms, string(in.Arm)):
		return out, fault.In("arm", fault.Unknown(fault.NotFound, "arm", string(in.Arm), slices.Compact(slices.Sorted(slices.Values(arms)))))
	}
	return out, nil
}

func ranked(list []sweep.FactorIndex) []sweep.FactorIndex {
	return slices.SortedStableFunc(slices.Values(list), func(a, b sweep.FactorIndex) int { return cmp.Compare(b.Size(), a.Size()) })
}

// regionsOf are the leaves of a tree, each with the conditions on the way to it.
func regionsOf(n *sweep.FlipCondition, way []conditionAnswer) []regionAnswer {
	switch {
	case n == nil:
		return nil
	case n.Factor == "":
		return []regionAnswer{{way, n.Points, n.Positive}}
	}
	and := func(above bool) []conditionAnswer {
		return append(slices.Clone(way), conditionAnswer{n.Factor, above, n.Threshold})
	}
	return append(regionsOf(n.Below, and(false)), regionsOf(n.Above, and(true))...)
}

// sensitivityTable is what people see of an outcome.
type sensitivityTable struct {
	outcomeAnswer
	Range string // from the lowest to the highest, and how often it is above zero
	Heads []string
	Rows  [][]string
	About string // what the numbers mean
	Pairs []string
	Flips []string
	Note  string
}

// tablesOf are those of all outcomes.
func tablesOf(doc *sweep.Document, d *sweep.Design, language string) (list []sensitivityTable) {
	factors := map[string]figures.Factor{}
	for k, f := range figures.Factors(d, nil, language) {
		factors[d.Factors[k].Name] = f
	}
	for k := range doc.Sensitivity {
		list = append(list, tableOf(outcomeOf(d, k, doc.Sensitivity[k].Quantity, language), &doc.Sensitivity[k], factors, language))
	}
	return list
}

func tableOf(o outcomeAnswer, found *sweep.Sensitivity, factors map[string]figures.Factor, language string) sensitivityTable {
	w := quantityWords{found.Quantity, language}
	out := sensitivityTable{outcomeAnswer: o, Note: found.Note, About: methodWords[found.Method].in(language)}
	out.Range = fmt.Sprintf(inLanguage(language, "%s to %s over the points, mean %s", "各点为 %s 至 %s，均值 %s"),
		w.value(float64(found.Least)), w.value(float64(found.Most)), w.value(float64(found.Mean)))
	if found.With != "" {
		out.Range += fmt.Sprintf(inLanguage(language, "; above zero at %s of them", "；其中 %s 高于零"), report.FormatShare(found.Positive, 0))
	}
	for k, f := range ranked(found.Factors) {
		heads, cells := w.columns(f, factors[f.Factor])
		if k == 0 {
			out.Heads = append([]string{inLanguage(language, "factor", "因素")}, heads...)
		}
		out.Rows = append(out.Rows, append([]string{factors[f.Factor].Label}, cells...))
	}
	if found.Dummy != nil {
		out.About += fmt.Sprintf(inLanguage(language, " A factor that changes nothing comes to a total of %s.", "无影响因素的总阶为 %s。"),
			w.index(&found.Dummy.Total))
	}
	for _, p := range found.Pairs {
		if p.Second.Low > 0 {
			out.Pairs = append(out.Pairs, factors[p.Factors[0]].Label+" × "+factors[p.Factors[1]].Label+inLanguage(language, ": ", "：")+w.index(&p.Second))
		}
	}
	for _, r := range regionsOf(found.Flip, nil) {
		var where []string
		for _, c := range r.Conditions {
			f := factors[c.Factor]
			where = append(where, f.Label+map[bool]string{true: " > ", false: " ≤ "}[c.Above]+f.Text(c.Threshold))
		}
		out.Flips = append(out.Flips, fmt.Sprintf(inLanguage(language, "%s: above zero at %s of %s", "%s：%[3]s中有 %[2]s 高于零"),
			joinedWords(where, language), report.FormatShare(r.Positive, 0), inLanguage(language, report.Plural(r.Points, "point"), fmt.Sprintf("%d个点", r.Points))))
	}
	return out
}

var methodWords = map[string]text{
	"sobol": {
		"Shares of the variance of the outcome: first order of the factor alone, total with all interactions; delta, from 0 to 1, how far the distribution moves. 95 % bootstrap intervals.",
		"结果方差的份额：一阶为因素单独作用，总阶含全部交互作用；delta（0至1）为分布的移动幅度。95 % 自助法区间。",
	},
	"morris": {
		"Effects over the factor's whole range: μ* is the mean size, μ the mean, σ how much it depends on where the others are. 95 % bootstrap intervals.",
		"因素在全范围内的效应：μ*为平均幅度，μ为均值，σ为对其他因素取值的依赖程度。95 % 自助法区间。",
	},
	"pawn": {
		"PAWN and delta, from 0 to 1: how far the distribution of the outcome moves where the factor is known. 95 % bootstrap intervals.",
		"PAWN 与 delta（0至1）：已知因素取值时结果分布的移动幅度。95 % 自助法区间。",
	},
	"main_effects": {
		"The mean of the outcome where the factor is at its last value less that at its first.", "因素取末值时结果的均值减去取首值时的均值。",
	},
	"one_at_a_time": {
		"The others stay at their base. Swing: the highest outcome less the lowest, with an interval over pairs of replications with the same seed.",
		"其余因素保持基准值。摆幅为最高与最低结果之差，区间取自相同种子的成对重复。",
	},
	"none": {"The design measures no indices.", "此设计不测量指数。"},
}

// measuredIndicator is that of a name which was checked when it was measured.
func measuredIndicator(metric string) sim.Indicator {
	i, _ := sim.IndicatorByName(metric)
	return i
}

// quantityWords write values of a quantity.
type quantityWords struct {
	sweep.Quantity
	language string
}

func (w quantityWords) value(x float64) string {
	switch i := measuredIndicator(w.Metric); {
	case w.Share && x > 0:
		return "+" + report.FormatShare(x, 2)
	case w.Share:
		return report.FormatShare(x, 2)
	case w.With != "":
		return report.FormatDifference(i, x)
	default:
		return report.FormatValue(i, x)
	}
}

// size writes how large a difference of two values is.
func (w quantityWords) size(x float64) string {
	if w.Share {
		return strings.Replace(report.FormatShare(x, 2), " %", " pp", 1)
	}
	return report.FormatSize(measuredIndicator(w.Metric), x)
}

// index writes an index, which has no unit.
func (w quantityWords) index(e *sweep.Estimate) string {
	number := func(x stats.Number) string { return report.FormatNumber(float64(x), 3) }
	return w.between(e, number)
}

// effect writes an index that is in the unit of the outcome.
func (w quantityWords) effect(e *sweep.Estimate) string {
	return w.between(e, func(x stats.Number) string { return w.size(float64(x)) })
}

func (w quantityWords) between(e *sweep.Estimate, write func(stats.Number) string) string {
	if math.IsNaN(float64(e.Low)) {
		return write(e.Value)
	}
	return write(e.Value) + inLanguage(w.language, " (", "（") + write(e.Low) + inLanguage(w.language, " to ", " 至 ") + write(e.High) +
		inLanguage(w.language, ")", "）")
}

// columns are those of the design's method.
func (w quantityWords) columns(f sweep.FactorIndex, of figures.Factor) (heads, cells []string) {
	add := func(en, zh, cell string) {
		heads, cells = append(heads, inLanguage(w.language, en, zh)), append(cells, cell)
	}
	if f.Total != nil {
		add("total", "总阶", w.index(f.Total))
		add("first order", "一阶", w.index(f.First))
	}
	if f.MeanAbs != nil {
		add("μ*", "μ*", w.effect(f.MeanAbs))
		add("μ", "μ", w.size(float64(*f.Effect)))
		add("σ", "σ", w.size(float64(*f.Scatter)))
	} else if f.Effect != nil {
		add("last less first value", "末值减首值", w.size(float64(*f.Effect)))
	}
	if f.Shift != nil {
		add("PAWN", "PAWN", w.index(f.Shift))
	}
	if f.Delta != nil {
		add("delta", "delta", w.index(f.Delta))
	}
	if len(f.Curve) > 0 {
		at := func(p sweep.CurvePoint) string {
			return w.value(float64(p.Value)) + inLanguage(w.language, " at ", "，取值 ") + of.Text(p.At)
		}
		byValue := func(a, b sweep.CurvePoint) int { return cmp.Compare(a.Value, b.Value) }
		add("lowest", "最低", at(slices.MinFunc(f.Curve, byValue)))
		add("highest", "最高", at(slices.MaxFunc(f.Curve, byValue)))
		swing, elasticity := report.Absent, report.Absent
		if f.Swing != nil {
			swing = w.effect(f.Swing)
		}
		if f.Elasticity != nil {
			elasticity = report.FormatNumber(float64(*f.Elasticity), 3)
		}
		add("swing", "摆幅", swing)
		add("elasticity", "弹性", elasticity)
	}
	if f.Matters != nil {
		add("matters", "是否重要", map[bool]string{
			true: inLanguage(w.language, "yes", "是"), false: inLanguage(w.language, "no more than a factor that changes nothing", "不高于无影响因素"),
		}[*f.Matters])
	}
	return heads, cells
}

type pointsArgs struct {
	sweepArgs
	Outcome int `json:"outcome,omitempty" default:"0" min:"0" max:"100000" doc:"its number, as read_sweep has it"`
	From    int `json:"from_point,omitempty" default:"1" min:"1" max:"1000000" doc:"first point"`
	Limit   int `json:"limit,omitempty" default:"5000" min:"1" max:"5000" doc:"points"`
}

type pointsAnswer struct {
	Total   int            `json:"total" doc:"points that there are"`
	From    int            `json:"from_point"`
	Outcome outcomeAnswer  `json:"outcome"`
	Factors []factorAnswer `json:"factors"`
	Points  [][]float64    `json:"points" doc:"the values of the factors, a row a point"`
	Values  []stats.Number `json:"values" doc:"of the outcome at the points"`
	Errors  []stats.Number `json:"standard_errors"`
}

// measured is a completed sweep with one of its outcomes.
type measured struct {
	design *sweep.Design
	sweep.Measured
	quantity sweep.Quantity
}

func (s *Site) measured(name string, outcome int) (m measured, err error) {
	doc, err := s.Sweeps.Found(name)
	if err != nil {
		return m, err
	}
	if m.design, err = s.Sweeps.Design(name); err != nil {
		return m, err
	}
	if m.Measured, err = s.Sweeps.Measured(name, m.design); err != nil {
		return m, err
	}
	if outcome < 0 || outcome >= min(len(doc.Sensitivity), len(m.Values)) {
		return m, fault.Range("outcome", strconv.Itoa(outcome), fmt.Sprintf("0 to %d", len(doc.Sensitivity)-1))
	}
	m.quantity = doc.Sensitivity[outcome].Quantity
	return m, nil
}

func (s *Site) readPoints(_ context.Context, _ *tools.Call, in pointsArgs) (pointsAnswer, error) {
	m, err := s.measured(string(in.Name), in.Outcome)
	if err != nil {
		return pointsAnswer{}, err
	}
	out := pointsAnswer{
		Total: len(m.Points), From: in.From, Outcome: outcomeOf(m.design, in.Outcome, m.quantity, in.Language),
		Factors: factorsOf(m.design, m.Points, in.Language),
	}
	from := min(in.From-1, len(m.Points))
	to := min(from+in.Limit, len(m.Points))
	out.Points = m.Points[from:to]
	out.Values, out.Errors = stats.Numbers(m.Values[in.Outcome][from:to]), stats.Numbers(m.Errors[in.Outcome][from:to])
	return out, nil
}

type mapArgs struct {
	sweepArgs
	Outcome int    `json:"outcome,omitempty" default:"0" min:"0" max:"100000" doc:"its number, as read_sweep has it"`
	X       string `json:"x,omitempty" max:"200" doc:"factor; default the first"`
	Y       string `json:"y,omitempty" max:"200" doc:"another factor; default none"`
}

type mapAnswer struct {
	Outcome outcomeAnswer `json:"outcome"`
	X       axisAnswer    `json:"x"`
	Y       axisAnswer    `json:"y" doc:"without values where there is one factor"`
	Rows    []mapRow      `json:"rows" doc:"a row for each cell of y, from its lowest, or one"`
}

type axisAnswer struct {
	Factor string    `json:"factor"`
	Values []float64 `json:"values" doc:"in ascending order: each value has a cell, or cells lie between them"`
	Bins   bool      `json:"bins" doc:"the values are bounds of cells"`
}

type mapRow struct {
	Cells []mapCell `json:"cells" doc:"one for each cell of x, from its lowest"`
}

type mapCell struct {
	Points   int          `json:"points"`
	Positive int          `json:"positive" doc:"of them, above zero"`
	Mean     stats.Number `json:"mean" doc:"times the outcome's scale"`
	Least    stats.Number `json:"least"`
	Most     stats.Number `json:"most"`
}

func (s *Site) readMap(_ context.Context, _ *tools.Call, in mapArgs) (mapAnswer, error) {
	m, err := s.measured(string(in.Name), in.Outcome)
	if err != nil {
		return mapAnswer{}, err
	}
	x, y := 0, figures.NoFactor
	if in.X != "" {
		if x, err = factorAt(m.design, "x", in.X); err != nil {
			return mapAnswer{}, err
		}
	}
	if in.Y != "" {
		if y, err = factorAt(m.design, "y", in.Y); err != nil {
			return mapAnswer{}, err
		}
	}
	over, err := figures.Over(m.design, m.Points, m.quantity, m.Values[in.Outcome], x, y)
	if err != nil {
		return mapAnswer{}, err
	}
	out := mapAnswer{
		Outcome: outcomeOf(m.design, in.Outcome, m.quantity, in.Language), X: axisAnswer{m.design.Factors[x].Name, over.X.Values, over.X.Bins},
	}
	if y != figures.NoFactor {
		out.Y = axisAnswer{m.design.Factors[y].Name, over.Y.Values, over.Y.Bins}
	}
	for _, row := range over.Cells {
		var cells []mapCell
		for _, c := range row {
			cells = append(cells, mapCell{c.Points, c.Positive, stats.Number(c.Mean), stats.Number(c.Least), stats.Number(c.Most)})
		}
		out.Rows = append(out.Rows, mapRow{cells})
	}
	return out, nil
}

func factorAt(d *sweep.Design, field, name string) (int, error) {
	var names []string
	for k, f := range d.Factors {
		if f.Name == name {
			return k, nil
		}
		names = append(names, f.Name)
	}
	return 0, fault.In(field, fault.Unknown(fault.NotFound, "factor", name, names))
}

type sweepFileArgs struct {
	Name tools.Name `json:"sweep_name"`
	File string     `json:"file" enum:"design.yaml,points.csv,results.parquet,sensitivity.json"`
}

func (s *Site) readSweepFile(_ context.Context, w http.ResponseWriter, _ *tools.Call, in sweepFileArgs) error {
	data, err := s.Sweeps.File(string(in.Name), in.File)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream") // it is saved, not shown
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s"`, in.Name, in.File))
	_, err = w.Write(data)
	return err
}

type figureAnswer struct {
	Name    string `json:"figure"`
	Caption string `json:"caption"`
}

type figuresAnswer struct {
	Figures []figureAnswer `json:"figures"`
	Left    []string       `json:"left_out" doc:"outcomes without figures, and why"`
}

func (s *Site) listSweepFigures(ctx context.Context, _ *tools.Call, in sweepArgs) (figuresAnswer, error) {
	drawn, err := s.drawn.of(ctx, s, string(in.Name), in.Language)
	if err != nil {
		return figuresAnswer{}, err
	}
	out := figuresAnswer{Left: drawn.left}
	for _, f := range drawn.list {
		out.Figures = append(out.Figures, figureAnswer{f.Name, f.Caption})
	}
	return out, nil
}

type sweepFigureArgs struct {
	sweepArgs
	Figure string `json:"figure" max:"200"`
}

func (s *Site) readSweepFigure(ctx context.Context, w http.ResponseWriter, _ *tools.Call, in sweepFigureArgs) error {
	drawn, err := s.drawn.of(ctx, s, string(in.Name), in.Language)
	if err != nil {
		return err
	}
	k := slices.IndexFunc(drawn.list, func(f figures.Figure) bool { return f.Name == in.Figure })
	if k < 0 {
		var names []string
		for _, f := range drawn.list {
			names = append(names, f.Name)
		}
		return fault.In("figure", fault.Unknown(fault.NotFound, "figure", in.Figure, names))
	}
	svg, err := plot.SVG(drawn.list[k].Figure)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, err = w.Write(plot.InPage(svg, drawn.list[k].Caption))
	return err
}

package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

func (s *Site) comparePages() []shown {
	return []shown{{Pattern: "/compare", Template: "compare", Here: "/compare", Script: "compare.js", Style: "compare.css", Data: s.comparePage}}
}

// compareData is what the page shows. The address holds the choice.
type compareData struct {
	Chosen      []string // experiments
	Suggested   []string // other ones, the newest first
	Arms        []armChoice
	Groups      []indicatorGroup
	Metric      string
	MetricLabel string
	From, To    string // of the window that was chosen; empty = as planned
	Months      int

	Problem  *fault.Error // why nothing is compared
	NoSeries *fault.Error // why no indicator is shown
	Table    *effectsTable
	Doses    []doseTable
	Judge    string // address that judges the indicator, too; empty where it is judged
	JudgeNow string // address that judges what goes on; empty where nothing does, or it was asked for
	GoesOn   bool   // each look at the table is counted
	ByPlan   string // address without what was asked beyond the plan; empty where nothing was
}

type armChoice struct {
	Name    string
	Control bool
	Chosen  bool
}

type indicatorGroup struct {
	Label      string
	Indicators []indicatorChoice
}

// effectsTable are the rows of a comparison for people.
type effectsTable struct {
	Control string
	About   string
	Found   string // what was looked for and found
	Level   string // of the intervals
	Rows    []effectRow
	Notes   []string
}

type effectRow struct {
	Metric, Arm, Months, Control, Treatment, Difference, Interval, Percent, P, Verdict string
	Exploratory                                                                        bool
	Class                                                                              string // good news is nobody's to say: found, none or open
}

// doseTable are the effects on an indicator by dose, in one window.
type doseTable struct {
	Title, Parameter, Unit, YUnit string
	Control                       float64 // its dose, as it is shown
	ControlText                   string
	Rows                          []doseRow
}

type doseRow struct {
	Dose, Arm, Effect, Interval string
	X, Y, Low, High             float64 // as they are drawn
}

// given are the values of an address, without the empty ones of forms.
func given(query url.Values, name string) []string {
	return slices.DeleteFunc(slices.Clone(query[name]), func(v string) bool { return v == "" })
}

func (s *Site) comparePage(r *http.Request, p *page) (any, error) {
	p.Title = p.T("Compare", "比较")
	query := r.URL.Query()
	d := compareData{Metric: query.Get("metric")}
	if err := s.suggest(r.Context(), &d, given(query, "experiment")); err != nil {
		return nil, err
	}
	if len(d.Chosen) == 0 {
		return d, nil
	}
	in := compareArgs{comparedArgs: comparedArgs{Arms: given(query, "arm")}, Metrics: given(query, "metrics"), Language: p.Language}
	for _, name := range d.Chosen {
		in.Experiments = append(in.Experiments, tools.Name(name))
	}
	if len(d.Chosen) > 1 {
		in.Arms = nil
	}
	if len(d.Chosen) > mostCompared {
		d.Problem = fault.Range("experiment", strconv.Itoa(len(d.Chosen)), "1 with several arms", "2 to 8")
		return d, nil
	}
	if err := s.windowOf(given(query, "window"), &in, &d); err != nil {
		return d, keptProblem(&d, err)
	}
	sides, err := s.sides(r.Context(), in.comparedArgs)
	if err != nil {
		return d, keptProblem(&d, err)
	}
	if err := s.armChoices(r.Context(), &d, sides); err != nil {
		return nil, err
	}
	var found inference.Comparison
	if !d.GoesOn || query.Has("judge") {
		if found, err = s.judgeCompared(r.Context(), s.call(p.Caller), &d, in); err != nil {
			return nil, err
		}
	}
	if d.Metric == "" {
		d.Metric = sim.RealGDP.String()
	}
	metrics, err := inference.ParseMetrics([]string{d.Metric})
	if err != nil {
		return d, keptNoSeries(&d, fault.In("metric", err))
	}
	d.MetricLabel = report.Label(metrics[0], p.Language)
	d.Groups = indicatorGroups(p.Language, metrics[0])
	s.links(&d, query, found)
	return d, nil
}

// judgeCompared fills in the effects, or why there are none.
func (s *Site) judgeCompared(ctx context.Context, c *tools.Call, d *compareData, in compareArgs) (found inference.Comparison, err error) {
	if found, err = s.compared(ctx, c, in); err != nil {
		return found, keptProblem(d, err)
	}
	d.Table = effectsOf(found, in.Language)
	if d.Metric == "" && len(found.Rows) > 0 {
		d.Metric = found.Rows[0].Metric
	}
	d.Doses, err = s.doseTables(ctx, in.comparedArgs, found, d.Metric, in.Language)
	return found, err
}

// keptProblem shows why nothing is compared in the page itself, where people can choose something else. What nobody may be told is no
// part of it.
func keptProblem(d *compareData, err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		d.Problem = e
		return nil
	}
	return err
}

func keptNoSeries(d *compareData, err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		d.NoSeries = e
		return nil
	}
	return err
}

// suggest lists the experiments that were chosen, each once, and others.
func (s *Site) suggest(ctx context.Context, d *compareData, chosen []string) error {
	for _, name := range chosen {
		if !slices.Contains(d.Chosen, name) {
			d.Chosen = append(d.Chosen, name)
		}
	}
	list, _, _, err := s.Lab.List(ctx, store.Filter{Limit: 20})
	if err != nil {
		return err
	}
	for _, x := range list {
		if !slices.Contains(d.Chosen, x.Name) {
			d.Suggested = append(d.Suggested, x.Name)
		}
	}
	return nil
}

func (s *Site) windowOf(window []string, in *compareArgs, d *compareData) error {
	if len(window) == 0 {
		return nil
	}
	for _, text := range window {
		month, err := strconv.Atoi(text)
		if err != nil {
			return fault.Type("window", text, "month")
		}
		in.Window = append(in.Window, month)
	}
	d.From = window[0]
	if len(window) > 1 {
		d.To = window[1]
	}
	return nil
}

// armChoices are the arms that one experiment has.
func (s *Site) armChoices(ctx context.Context, d *compareData, sides []side) error {
	for k, name := range d.Chosen {
		x, err := s.Lab.Store.Experiment(ctx, name)
		if err != nil {
			return err
		}
		d.GoesOn = d.GoesOn || x.Month > 0 && !lab.Judgeable(x)
		if d.Months == 0 || x.Month < d.Months {
			d.Months = x.Month
		}
		if k > 0 || len(d.Chosen) > 1 {
			continue
		}
		for i, arm := range x.Arms {
			chosen := slices.ContainsFunc(sides, func(s side) bool { return s.arm == arm.Name })
			d.Arms = append(d.Arms, armChoice{arm.Name, i == 0, chosen})
		}
	}
	return nil
}

// indicatorGroups are all headline indicators, and the one that is shown where it is none.
func indicatorGroups(language string, shown sim.Indicator) []indicatorGroup {
	var list []indicatorChoice
	for i := range sim.NumIndicators {
		list = append(list, indicatorChoice{i.String(), report.Label(i, language)})
	}
	groups := []indicatorGroup{{inLanguage(language, "Headline indicators", "主要指标"), list}}
	if shown.IsBreakdown() {
		groups = append(groups, indicatorGroup{inLanguage(language, "Other outcomes", "其他指标"),
			[]indicatorChoice{{shown.String(), report.Label(shown, language)}}})
	}
	return groups
}

// links are addresses with another choice.
func (s *Site) links(d *compareData, query url.Values, found inference.Comparison) {
	with := func(change func(url.Values)) string {
		q := url.Values{}
		for name := range query {
			if name != "lang" {
				q[name] = given(query, name)
			}
		}
		change(q)
		return "/compare?" + q.Encode()
	}
	judged := slices.ContainsFunc(found.Rows, func(r inference.ComparisonRow) bool { return r.Metric == d.Metric })
	if d.Table != nil && !judged {
		d.Judge = with(func(q url.Values) { q["metrics"] = append(given(query, "metrics"), d.Metric) })
	}
	if d.GoesOn && !query.Has("judge") {
		d.JudgeNow = with(func(q url.Values) { q.Set("judge", "now") })
	}
	if len(given(query, "metrics"))+len(given(query, "window")) > 0 {
		d.ByPlan = with(func(q url.Values) { q.Del("metrics"); q.Del("window") })
	}
}

// effectsOf are the rows of a comparison in words.
func effectsOf(c inference.Comparison, language string) *effectsTable {
	stop := inLanguage(language, ". ", "。")
	out := &effectsTable{
		Control: c.Control, Level: report.FormatShare(c.Confidence, 0), Notes: c.Warnings,
		About: report.ComparedText(&c, language) + stop + report.MethodText(c.Method, language),
	}
	if c.Found != nil {
		out.Found = report.FoundText(*c.Found, language)
	}
	for _, row := range report.Arranged(c.Rows) {
		_, cells := report.EffectTable([]inference.ComparisonRow{row}, c.Confidence, language)
		e := effectRow{
			Metric: report.Label(measuredIndicator(row.Metric), language), Arm: row.Arm, Months: strconv.Itoa(row.Window.From) + "–" + strconv.Itoa(row.Window.To),
			Control: cells[0][1], Treatment: cells[0][2], Difference: cells[0][3], Interval: cells[0][4], Percent: cells[0][5], P: cells[0][7],
			Verdict: cells[0][len(cells[0])-1], Exploratory: row.Exploratory, Class: "open",
		}
		switch {
		case row.Found():
			e.Class = "found"
		case row.Verdict == inference.EquivalentToZero:
			e.Class = "none"
		}
		out.Rows = append(out.Rows, e)
	}
	return out
}

// doseTables are the effects on an indicator by dose, of each window that there is. Where the indicator is not among the rows, the first
// one is shown.
func (s *Site) doseTables(ctx context.Context, in comparedArgs, c inference.Comparison, metric, language string) (list []doseTable, err error) {
	doses, err := s.doses(ctx, in, language)
	if err != nil || doses == nil || len(c.Rows) == 0 {
		return nil, err
	}
	if !slices.ContainsFunc(c.Rows, func(r inference.ComparisonRow) bool { return r.Metric == metric }) {
		metric = c.Rows[0].Metric
	}
	i := measuredIndicator(metric)
	var windows []inference.Window
	for _, r := range c.Rows {
		if r.Metric == metric && !slices.Contains(windows, r.Window) {
			windows = append(windows, r.Window)
		}
	}
	for _, w := range windows {
		t := doseTable{
			Title: report.Label(i, language) + inLanguage(language, ", months ", "，第") + strconv.Itoa(w.From) + "–" + strconv.Itoa(w.To) +
				inLanguage(language, "", "个月"),
			Parameter: doses.Label, Unit: doses.Unit, Control: shownDose(doses.Scale * doses.Control), ControlText: doses.Text(doses.Control),
		}
		for _, dose := range doses.Values {
			for _, row := range c.Rows {
				if row.Arm == dose.Arm && row.Metric == metric && row.Window == w {
					t.add(row, dose, doses, i, language)
				}
			}
		}
		if len(t.Rows) > 1 {
			list = append(list, t)
		}
	}
	return list, nil
}

// add draws amounts and indices in percent of the control, shares in percentage points, and all else as it is.
func (t *doseTable) add(row inference.ComparisonRow, dose armDose, doses *doseAnswer, i sim.Indicator, language string) {
	_, cells := report.EffectTable([]inference.ComparisonRow{row}, .95, language)
	r := doseRow{
		Dose: doses.Text(dose.Value), Arm: dose.Arm, X: shownDose(doses.Scale * dose.Value), Effect: cells[0][3], Interval: cells[0][4],
		Y: float64(row.Difference), Low: float64(row.CILow), High: float64(row.CIHigh),
	}
	t.YUnit = inLanguage(language, "difference, ", "差异，") + report.Unit(i, language)
	switch {
	case tables.IsShare(i):
		r.Y, r.Low, r.High = 100*r.Y, 100*r.Low, 100*r.High
		t.YUnit = inLanguage(language, "difference, percentage points", "差异，百分点")
	case !math.IsNaN(float64(row.Percent)):
		relative := row.Relative()
		r.Y, r.Low, r.High = relative.Mean, relative.Low, relative.High
		t.YUnit = inLanguage(language, "difference, % of the control", "差异，占对照组的百分比")
		r.Effect, r.Interval = percentText(relative.Mean), report.Absent
		if !math.IsNaN(relative.Low) {
			r.Interval = percentText(relative.Low) + inLanguage(language, " to ", " 至 ") + percentText(relative.High)
		}
	}
	t.Rows = append(t.Rows, r)
}

func percentText(x float64) string {
	s := report.FormatShare(x/100, 2)
	if x > 0 {
		return "+" + s
	}
	return s
}

// shownDose is 55 and not 55.00000000000001.
func shownDose(x float64) float64 { return math.Round(x*1e6) / 1e6 }

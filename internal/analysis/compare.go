package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Outcomes are the indicators that a comparison is about where none are asked for.
var Outcomes = []sim.Indicator{
	sim.RealGDP, sim.UnemploymentRate, sim.Inflation, sim.RealWageMean, sim.LabourShare, sim.RealConsumption, sim.RealInvestment,
	sim.LabourProductivity, sim.IncomeGini, sim.WealthGini, sim.PovertyRate, sim.DebtToGDP, sim.Bankruptcies, sim.HHI,
}

// Choice says what is compared or analysed, and how.
type Choice struct {
	Metrics    []sim.Indicator // empty = Outcomes
	From, To   int             // months from 1, both included; 0, 0 = the second half
	Confidence float64         // 0 = DefaultConfidence
	Test       Test
	Adjustment Adjustment
	Plan       *Planned
	Ledger     func(asked []Asked) (all []Asked, err error)
}

func (c Choice) Needed() []sim.Indicator {
	list := slices.Clone(c.Metrics)
	if c.Plan != nil {
		list = append(list, c.Plan.Outcomes...)
	} else if len(list) == 0 {
		list = Outcomes
	}
	return list
}

// ParseMetrics finds indicators by their identifiers.
func ParseMetrics(names []string) ([]sim.Indicator, error) {
	var list []sim.Indicator
	for _, name := range names {
		i, err := sim.LookupIndicator(name)
		if e, ok := errors.AsType[*fault.Error](err); ok {
			e.Field = "metrics"
			return nil, e
		}
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list, nil
}

// Over is the choice with a window as callers give it: the first and the last month, both
// from 1; an empty list leaves the choice as it is.
func (c Choice) Over(window []int) (Choice, error) {
	switch {
	case len(window) == 0:
		return c, nil
	case len(window) != 2 || window[0] < 1 || window[1] < window[0]:
		return c, fault.Range("window", fmt.Sprint(window), "two months from 1 on, the first and the last, such as [13, 24]")
	}
	c.From, c.To = window[0], window[1]
	return c, nil
}

// resolve fills in what was not said, for runs of a number of months.
func (c Choice) resolve(months int) (Choice, error) {
	if len(c.Metrics) == 0 && c.Plan != nil {
		c.Metrics = c.Plan.Outcomes
	}
	if len(c.Metrics) == 0 {
		c.Metrics = Outcomes
	}
	if c.From == 0 && c.To == 0 && c.Plan != nil && c.Plan.To <= months {
		c.From, c.To = c.Plan.From, c.Plan.To
	}
	if c.Confidence == 0 {
		c.Confidence = DefaultConfidence
	}
	if !(0 < c.Confidence && c.Confidence < 1) {
		return c, fault.Range("confidence", fmt.Sprint(c.Confidence), "above 0 and below 1")
	}
	if months < 1 {
		err := fault.New(fault.InvalidState, "experiment_name", "no month has been simulated yet")
		err.Hint = "wait until the experiment runs: get_simulation_status"
		return c, err
	}
	if c.From == 0 && c.To == 0 {
		c.From, c.To = months/2+1, months
	}
	c.To = cmp.Or(c.To, months)
	c.From = max(1, c.From)
	if c.From > c.To || c.To > months {
		return c, fault.Range("window", fmt.Sprintf("%d to %d", c.From, c.To), fmt.Sprintf("months 1 to %d", months))
	}
	return c, nil
}

// Comparison is how arms or experiments differ from the first of them.
type Comparison struct {
	Control        string          `json:"control"`
	From           int             `json:"from_month"`
	To             int             `json:"to_month"`
	Confidence     float64         `json:"confidence"`
	Rows           []ComparisonRow `json:"rows"`
	DynamicEffects []DynamicEffect `json:"dynamic_effects"`
	Warnings       []string        `json:"warnings"`
	Text           string          `json:"text" doc:"Markdown"`
	notes          []note          // Warnings in both languages
}

// ComparisonRow is the difference in one indicator, of its means over the window.
type ComparisonRow struct {
	Metric     string `json:"metric"`
	Unit       string `json:"unit"`
	Arm        string `json:"arm" doc:"compared with the control"`
	Control    Number `json:"control"`
	Treatment  Number `json:"treatment"`
	Difference Number `json:"difference"`
	Percent    Number `json:"percent" doc:"of the control; null for shares, whose difference is in points already"`
	CILow      Number `json:"ci_low"`
	CIHigh     Number `json:"ci_high"`
	P          Number `json:"p_value"`
	PAdjusted  Number `json:"p_adjusted" doc:"Holm, over all rows"`
	EffectSize Number `json:"effect_size" doc:"d_z of pairs, Hedges g of two samples"`
	Paired     bool   `json:"paired" doc:"by seed"`
	N          int    `json:"n" doc:"pairs, or runs of both"`
	Verdict    string `json:"verdict"`
	Supported  bool   `json:"supported" doc:"p_adjusted is below 1 - confidence"`
}

// DynamicEffect is a difference month by month, with pointwise intervals.
type DynamicEffect struct {
	Metric     string   `json:"metric"`
	Arm        string   `json:"arm"`
	Unit       string   `json:"unit"`
	Months     []int    `json:"months"`
	Difference []Number `json:"difference"`
	CILow      []Number `json:"ci_low"`
	CIHigh     []Number `json:"ci_high"`
}

// The dynamic effects of a comparison hold a number of numbers at most, and are told at
// months far enough apart for that. A comparison of many rows goes without them.
const (
	dynamicNumbers  = 1500
	mostDynamicRows = 30
)

// sample is one side of a comparison.
type sample struct {
	name  string
	panel Panel
	seeds []uint64
}

// Compare holds the arms of one experiment against its first arm, or several experiments
// against the first of them, each by its last arm. The numbers compared are the means of
// an indicator over the window, one of each replication. Where each seed of the side with
// fewer replications is also one of the other's, replications are paired by seed
// (Student's paired t test); else the sides count as independent samples (Welch's t
// test). p_adjusted is Holm's, over all rows.
func Compare(studies []*Study, c Choice) (Comparison, error) {
	sides, months, notes, err := samples(studies)
	if err != nil {
		return Comparison{}, err
	}
	if c, err = c.resolve(months); err != nil {
		return Comparison{}, err
	}
	out := Comparison{
		Control: sides[0].name, From: c.From, To: c.To, Confidence: c.Confidence,
		Rows: []ComparisonRow{}, DynamicEffects: []DynamicEffect{}, notes: notes,
	}
	rows, every := len(c.Metrics)*(len(sides)-1), 1
	for rows*4*(months/every) > dynamicNumbers && every < months {
		every++
	}
	if rows > mostDynamicRows {
		out.notes = append(out.notes, notef("dynamic effects are left out of a comparison of %d rows: name fewer metrics or experiments", "比较共%d行，未列出动态效应：请减少指标或实验", rows))
	}
	for _, side := range sides[1:] {
		match := matchSeeds(sides[0], side)
		if !match.paired {
			out.notes = append(out.notes, notef("%s and %s do not share their seeds: compared as independent samples (Welch)", "%s与%s的种子不同：按独立样本比较（Welch）", side.name, sides[0].name))
		} else if n := match.left; n > 0 {
			out.notes = append(out.notes, notef("%d replications without a partner of the same seed are left out", "%d次重复没有同种子的配对，未计入", n))
		}
		for _, i := range c.Metrics {
			out.Rows = append(out.Rows, match.row(i, side.name, c))
			if rows <= mostDynamicRows {
				out.DynamicEffects = append(out.DynamicEffects, match.dynamics(i, side.name, months, every, c.Confidence))
			}
		}
		if n := min(len(match.a), len(match.b)); n < fewReplications {
			out.notes = append(out.notes, fewNote(n))
		}
	}
	adjust(out.Rows, c.Confidence)
	slices.SortFunc(out.notes, func(a, b note) int { return cmp.Compare(a.en, b.en) })
	out.notes = slices.Compact(out.notes)
	out.Warnings = english(out.notes)
	out.Text = out.markdown()
	return out, nil
}

// fewReplications is how many replications a comparison should have at least.
const fewReplications = 10

func fewNote(n int) note {
	if n < 2 {
		return note{"one replication a side: there are no intervals, and a difference may be luck; use replications=10 or more",
			"每组只有一次重复：没有区间，差异可能出于偶然；请使用 replications=10 或更多"}
	}
	return notef("%d replications a side are few: intervals are wide and rest on normality; 10 or more are better",
		"每组%d次重复偏少：区间较宽且依赖正态性；最好10次以上", n)
}

// samples lists the sides, the months that all have, and what makes them hard to compare.
func samples(studies []*Study) (sides []sample, months int, notes []note, err error) {
	if len(studies) == 1 {
		s := studies[0]
		if len(s.Arms) < 2 {
			err := fault.New(fault.InvalidState, "experiment_names", "%s has one arm: there is nothing to compare it with", s.Name)
			err.Hint = "name a second experiment, or start one with control=\"baseline\""
			return nil, 0, nil, err
		}
		for _, arm := range s.Arms {
			sides = append(sides, sample{arm.Name, arm.Panel, s.Seeds})
			if len(arm.BurntInApart) > 0 {
				notes = append(notes, notef("%s was burnt in apart, because it differs in %s: part of the difference was there before month 1", "%s因%s不同而单独预热：部分差异在第1个月之前已存在", arm.Name, strings.Join(arm.BurntInApart, ", ")))
			}
		}
		return sides, s.LastMonth(), notes, nil
	}
	if len(studies) < 1 || len(studies) > 8 {
		return nil, 0, nil, fault.Range("experiment_names", plural(len(studies), "experiment"), "1 with several arms", "2 to 8")
	}
	months = math.MaxInt
	for _, s := range studies {
		if len(s.Arms) == 0 {
			return nil, 0, nil, fault.New(fault.InvalidState, "experiment_names", "%s has no arms", s.Name)
		}
		name := s.Name
		if len(s.Arms) > 1 {
			name += "/" + s.main().Name
			notes = append(notes, notef("of %s, the arm %s is compared", "实验%s中比较的是%s组", s.Name, s.main().Name))
		}
		sides = append(sides, sample{name, s.main().Panel, s.Seeds})
		months = min(months, s.LastMonth())
		first := studies[0]
		for _, unlike := range []struct {
			en, zh string
			a, b   any
		}{
			{"model version", "模型版本", first.ModelVersion, s.ModelVersion},
			{"number of households", "家庭数", first.Households, s.Households},
			{"simulated months", "已模拟月数", first.LastMonth(), s.LastMonth()},
		} {
			if unlike.a != unlike.b {
				notes = append(notes, note{
					fmt.Sprintf("%s and %s differ in %s (%v and %v)", first.Name, s.Name, unlike.en, unlike.a, unlike.b),
					fmt.Sprintf("%s与%s的%s不同（%v与%v）", first.Name, s.Name, unlike.zh, unlike.a, unlike.b),
				})
			}
		}
	}
	return sides, months, notes, nil
}

// matched are two sides, replication by replication where they are paired.
type matched struct {
	a, b   Panel
	paired bool
	left   int // replications without a partner
}

// matchSeeds pairs the replications of two sides where each seed of the smaller side is
// one of the other's.
func matchSeeds(control, treatment sample) matched {
	small, large := control, treatment
	if len(large.panel) < len(small.panel) {
		small, large = large, small
	}
	var a, b Panel
	for r := range control.panel {
		if r >= len(control.seeds) {
			continue
		}
		k := slices.Index(treatment.seeds[:min(len(treatment.seeds), len(treatment.panel))], control.seeds[r])
		if k >= 0 {
			a, b = append(a, control.panel[r]), append(b, treatment.panel[k])
		}
	}
	if len(a) == len(small.panel) {
		return matched{a, b, true, len(large.panel) - len(a)}
	}
	return matched{control.panel, treatment.panel, false, 0}
}

// test compares what a function takes from the replications. Those for which it has no
// number are left out, with their partners.
func (m matched) test(of func(series *[sim.NumIndicators][]float64) float64, confidence float64) (before, after []float64, t stats.TTest) {
	for r := range m.a {
		before = append(before, of(m.a[r]))
	}
	for r := range m.b {
		after = append(after, of(m.b[r]))
	}
	if !m.paired {
		before, after = defined(before), defined(after)
		return before, after, stats.WelchTTest(before, after, confidence)
	}
	var a, b []float64
	for r := range before {
		if !math.IsNaN(before[r]) && !math.IsNaN(after[r]) {
			a, b = append(a, before[r]), append(b, after[r])
		}
	}
	return a, b, stats.PairedTTest(a, b, confidence)
}

func (m matched) row(i sim.Indicator, arm string, c Choice) ComparisonRow {
	a, b, t := m.test(func(s *[sim.NumIndicators][]float64) float64 { return windowMean(s[i], c.From, c.To) }, c.Confidence)
	row := newRow(a, b, t, m.paired)
	info := i.Info()
	row.Metric, row.Unit, row.Arm = info.Name, info.Unit, arm
	if IsShare(i) {
		row.Percent = absent
	}
	return row
}

// newRow is a row of samples and their test, without the verdict.
func newRow(a, b []float64, t stats.TTest, paired bool) ComparisonRow {
	row := ComparisonRow{
		Control: Number(mean(a)), Treatment: Number(mean(b)), Difference: Number(t.Difference.Mean), Percent: absent,
		CILow: Number(t.Difference.Low), CIHigh: Number(t.Difference.High), P: Number(t.P), PAdjusted: absent,
		EffectSize: Number(t.Effect), Paired: paired, N: t.Difference.N,
	}
	if row.Control != 0 {
		row.Percent = 100 * row.Difference / Number(math.Abs(float64(row.Control)))
	}
	return row
}

func (m matched) dynamics(i sim.Indicator, arm string, months, every int, confidence float64) DynamicEffect {
	out := DynamicEffect{Metric: i.String(), Arm: arm, Unit: i.Info().Unit, Months: []int{}, Difference: []Number{}, CILow: []Number{}, CIHigh: []Number{}}
	for month := every; month <= months; month += every {
		_, _, t := m.test(func(s *[sim.NumIndicators][]float64) float64 { return s[i][month-1] }, confidence)
		d := t.Difference
		out.Months = append(out.Months, month)
		out.Difference, out.CILow, out.CIHigh = append(out.Difference, Number(d.Mean)), append(out.CILow, Number(d.Low)), append(out.CIHigh, Number(d.High))
	}
	return out
}

// adjust computes Holm's p-values over the rows and gives each its verdict.
func adjust(rows []ComparisonRow, confidence float64) {
	p := make([]float64, len(rows))
	for k := range rows {
		p[k] = float64(rows[k].P)
	}
	for k, adjusted := range stats.Holm(p) {
		rows[k].PAdjusted = Number(adjusted)
		rows[k].Supported = adjusted < 1-confidence
		rows[k].Verdict = verdict(&rows[k], confidence)
	}
}

// verdict puts a row into words. It is the one place that decides what a comparison may
// be said to show.
func verdict(row *ComparisonRow, confidence float64) string {
	alpha := Number(1 - confidence)
	switch {
	case math.IsNaN(float64(row.Difference)):
		return "not measured"
	case row.Difference == 0 && (math.IsNaN(float64(row.P)) || row.P >= alpha):
		return "no difference"
	case math.IsNaN(float64(row.CILow)):
		return "not judged: one replication"
	case row.PAdjusted < alpha && row.Difference > 0:
		return "supported: higher"
	case row.PAdjusted < alpha:
		return "supported: lower"
	case row.P < alpha:
		return "suggestive: not after adjustment"
	}
	return "no clear difference"
}

// markdown is the table for people.
func (c *Comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Means of months %d to %d over replications, compared with %s. Intervals are %s; p is adjusted over all rows (Holm).\n\n",
		c.From, c.To, c.Control, FormatShare(c.Confidence, 0))
	comparisonTable(c.Rows, c.Confidence, English).markdown(&b)
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, "\nNote: %s.", w)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

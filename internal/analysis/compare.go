package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Comparison is how arms or experiments differ from the first of them.
type Comparison struct {
	Control    string  `json:"control"`
	From       int     `json:"from_month"`
	To         int     `json:"to_month"`
	Confidence float64 `json:"confidence"`
	Method
	Rows           []ComparisonRow `json:"rows"`
	DynamicEffects []DynamicEffect `json:"dynamic_effects"`
	Warnings       []string        `json:"warnings"`
	Text           string          `json:"text" doc:"Markdown"`
	notes          []note          // Warnings in both languages
}

// ComparisonRow is the difference in one indicator, of its means over the window.
type ComparisonRow struct {
	Metric            string  `json:"metric"`
	Unit              string  `json:"unit"`
	Arm               string  `json:"arm" doc:"compared with the control"`
	Control           Number  `json:"control"`
	Treatment         Number  `json:"treatment"`
	Difference        Number  `json:"difference"`
	Percent           Number  `json:"percent" doc:"of the control; null for shares"`
	CILow             Number  `json:"ci_low"`
	CIHigh            Number  `json:"ci_high"`
	P                 Number  `json:"p_value"`
	PAdjusted         Number  `json:"p_adjusted"`
	PEquivalence      Number  `json:"p_equivalence" doc:"to zero: TOST within smallest_effect, Holm"`
	SmallestEffect    Number  `json:"smallest_effect"`
	EffectSize        Number  `json:"effect_size" doc:"Hedges g_z of pairs, else g; with ranks Vargha-Delaney A"`
	VarianceReduction Number  `json:"variance_reduction" doc:"by pairing"`
	Paired            bool    `json:"paired" doc:"by seed"`
	N                 int     `json:"n" doc:"pairs, or runs of both"`
	Test              string  `json:"test"`
	Exploratory       bool    `json:"exploratory"`
	Verdict           Verdict `json:"verdict"`
	MoreReplications  Number  `json:"more_replications" doc:"a side"`
}

// Method is how the hypotheses of a comparison were tested. Its sentence is [Method.In].
type Method struct {
	Adjustment Adjustment `json:"adjustment" doc:"of planned rows, if any; of others Holm"`
	Family     int        `json:"family" doc:"hypotheses of planned rows"`
	Asked      int        `json:"asked" doc:"hypotheses ever beyond the plan"`
	planned    bool       // there was a plan
	test       Test
	paired     []bool // whether there are pairs, independent samples, or both
	confidence float64
}

// In says the method in a few sentences.
func (m Method) In(language string) string {
	var tests, sizes []string
	for _, paired := range m.paired {
		name := m.test.name(paired)
		tests = append(tests, word(language, name.en, name.zh))
		switch {
		case paired:
			sizes = append(sizes, word(language, "Hedges g_z of pairs", "配对的Hedges g_z"))
		case m.test == TestRank:
			sizes = append(sizes, word(language, "Vargha and Delaney's A of independent samples", "独立样本的Vargha-Delaney A"))
		default:
			sizes = append(sizes, word(language, "Hedges g of independent samples", "独立样本的Hedges g"))
		}
	}
	by := adjustmentNames[m.Adjustment]
	var adjusted string
	switch {
	case m.Family+m.Asked == 0:
		adjusted = word(language, "nothing could be tested", "没有可检验的内容")
	case m.planned && m.Family > 0:
		adjusted = fmt.Sprintf(word(language, "p is adjusted by %s over the %d hypotheses of the plan", "p值按%s对计划中的%d个假设校正"), word(language, by.en, by.zh), m.Family)
		if m.Asked > 0 {
			adjusted += fmt.Sprintf(word(language, ", and that of exploratory rows by Holm over all %d that were ever asked beyond it", "；探索性的行按Holm法对计划外曾提出的全部%d个假设校正"), m.Asked)
		}
	case m.planned:
		adjusted = fmt.Sprintf(word(language, "no row is as planned: all are exploratory, and p is adjusted by %s over all %d hypotheses that were ever asked beyond the plan", "没有一行与计划一致，均为探索性：p值按%s对计划外曾提出的全部%d个假设校正"), word(language, by.en, by.zh), m.Asked)
	default:
		adjusted = fmt.Sprintf(word(language, "nothing was planned: all rows are exploratory, and p is adjusted by %s over %d hypotheses", "事先没有计划，各行均为探索性：p值按%s对%d个假设校正"), word(language, by.en, by.zh), m.Family+m.Asked)
	}
	interval, equivalence := word(language, "Student's", "学生t"), ""
	if m.test != TestT {
		equivalence = word(language, " Equivalence to zero is tested by two one-sided t tests all the same.", "对零的等效性仍用双单侧t检验判断。")
		interval = word(language, "of the bootstrap (BCa)", "自助法（BCa）")
	}
	return fmt.Sprintf(word(language,
		"Test: %s; %s. Intervals are %s, %s, and not adjusted. Effect size: %s. %s.%s",
		"检验：%s；%s。区间为%s，%s，未校正。效应量：%s。%s。%s"),
		listed(tests, ", ", language), adjusted, FormatShare(m.confidence, 0), interval, listed(sizes, ", ", language), word(language, smallestEffectsNote.en, smallestEffectsNote.zh), equivalence)
}

// sample is one side of a comparison.
type sample struct {
	name  string // for people
	id    string // the same in every comparison
	panel Panel
	seeds []uint64
}

// Compare holds the arms of one experiment against its first arm, or several experiments
// against the first of them, each by its last arm. The numbers compared are the means of
// an indicator over the window, one of each replication.
//
// Replications that share their seed are paired and never count as independent: see
// matchSeeds. The rows that are as planned are adjusted among themselves, with the planned
// outcomes that are not shown; all others by Holm over everything that the ledger has
// counted. Without a plan and a ledger, all rows are one family. Where the method that was
// chosen cannot be used, Holm's is, and a warning says why. Benjamini and Hochberg's is of
// exploratory rows only: it lets some false findings pass, which no plan has foreseen.
func Compare(studies []*Study, c Choice) (Comparison, error) {
	out, _, err := compare(studies, c, nil)
	return out, err
}

// compare is [Compare] with families of other rows that are asked at once: see adjustAsked.
func compare(studies []*Study, c Choice, families []Asked) (out Comparison, atLeast []float64, err error) {
	sides, months, notes, err := samples(studies)
	if err != nil {
		return Comparison{}, nil, err
	}
	if c, err = c.resolve(months); err != nil {
		return Comparison{}, nil, err
	}
	out = Comparison{Control: sides[0].name, From: c.From, To: c.To, Confidence: c.Confidence, Rows: []ComparisonRow{}, DynamicEffects: []DynamicEffect{}, notes: notes}
	if p := c.Plan; p != nil && p.To > months {
		out.notes = append(out.notes, notef("the planned window, months %d to %d, is not simulated yet", "计划的窗口（第%d至%d个月）尚未模拟完", p.From, p.To))
	}
	if c.Plan != nil && c.Plan.Unfinished {
		out.notes = append(out.notes, note{"the plan adds replications until its rule is met, which it is not: who stops when the numbers please finds effects everywhere, so all rows are exploratory", "计划在满足其规则之前会继续增加重复，目前尚未满足：见好就收处处都会“发现”效应，因此各行均为探索性"})
	}
	var matches []*matched
	for k, side := range sides[1:] {
		m := matchSeeds(sides[0], side)
		m.place = k + 1
		matches = append(matches, m)
		out.notes = append(out.notes, m.notes()...)
	}
	all := hypotheses(matches, c)
	parallel(len(all), func(k int) { all[k].compute(c, studies[0].Seed) })
	if atLeast, err = out.adjust(all, families, c, studies[0].Seed); err != nil {
		return Comparison{}, nil, err
	}
	for _, h := range all {
		if slices.Contains(c.Metrics, h.indicator) {
			out.Rows = append(out.Rows, h.row)
		}
	}
	out.dynamics(matches, c, months, studies[0].Seed)
	slices.SortFunc(out.notes, func(a, b note) int { return cmp.Compare(a.en, b.en) })
	out.notes = slices.Compact(out.notes)
	out.Warnings = english(out.notes)
	out.Text = out.markdown()
	return out, atLeast, nil
}

// hypotheses are those of the rows, side by side and each in the order of the metrics, and
// then those that were planned and are not shown.
func hypotheses(matches []*matched, c Choice) []*hypothesis {
	var shown, hidden []*hypothesis
	for _, m := range matches {
		for _, i := range c.Needed() {
			h := &hypothesis{match: m, test: c.Test, indicator: i, name: m.id + ": " + c.about(i)}
			switch {
			case slices.Contains(c.Metrics, i):
				shown = append(shown, h)
			case c.confirms(i):
				hidden = append(hidden, h)
			}
		}
	}
	return append(shown, hidden...)
}

// compute fills the row, up to what depends on other rows.
func (h *hypothesis) compute(c Choice, seed uint64) {
	h.a, h.b, h.whole = h.match.values(func(s *[sim.NumIndicators][]float64) float64 { return windowMean(s[h.indicator], c.From, c.To) })
	paired, info := h.match.paired, h.indicator.Info()
	h.row = newRow(h.a, h.b, h.test.of(h.a, h.b, paired, c.Confidence, source(seed, h.match.address(c.about(h.indicator)))), paired)
	h.row.Metric, h.row.Unit, h.row.Arm = info.Name, info.Unit, h.match.name
	h.row.Test, h.row.Exploratory = h.test.name(paired).en, !c.confirms(h.indicator)
	if IsShare(h.indicator) {
		h.row.Percent = absent
	}
	margin := c.smallest(h.indicator, float64(h.row.Control))
	h.row.SmallestEffect = Number(margin)
	if paired {
		h.row.VarianceReduction = Number(stats.VarianceReduction(h.a, h.b))
		h.row.PEquivalence = Number(stats.PairedTOST(h.a, h.b, margin).P)
	} else {
		h.row.PEquivalence = Number(stats.WelchTOST(h.a, h.b, margin).P)
	}
}

// adjust adjusts all p-values and gives each row its verdict; families are as adjustAsked
// has them.
func (c *Comparison) adjust(all []*hypothesis, families []Asked, choice Choice, seed uint64) (atLeast []float64, err error) {
	planned, asked := all, []*hypothesis(nil)
	if choice.counted() {
		exploratory := func(h *hypothesis) bool { return h.row.Exploratory }
		planned = slices.DeleteFunc(slices.Clone(all), exploratory)
		asked = slices.DeleteFunc(slices.Clone(all), func(h *hypothesis) bool { return !exploratory(h) })
	}
	used, why := adjustPlanned(planned, choice.Adjustment, choice.Confidence, source(seed, "romano-wolf"))
	if why != nil {
		c.notes = append(c.notes, *why)
	}
	byAsked := AdjustHolm // rearrangements of what was asked before are not to be had
	if choice.Adjustment == AdjustBenjaminiHochberg {
		byAsked = choice.Adjustment
	}
	among, atLeast, err := adjustAsked(asked, families, byAsked, choice.Ledger)
	if err != nil {
		return nil, err
	}
	c.Method = Method{Adjustment: used, Asked: among, planned: choice.Plan != nil, test: choice.Test, confidence: choice.Confidence}
	if len(planned) == 0 {
		c.Adjustment = byAsked
	}
	for _, h := range planned {
		c.Family = max(c.Family, h.among)
	}
	for _, h := range all {
		if !slices.Contains(c.paired, h.match.paired) {
			c.paired = append(c.paired, h.match.paired)
		}
		h.row.Verdict = h.row.judge(choice.expected(h.indicator), choice.Confidence)
		if h.row.Verdict == Inconclusive {
			h.row.MoreReplications = Number(h.moreReplications(choice.Confidence))
		}
	}
	return atLeast, nil
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
			sides = append(sides, sample{arm.Name, s.Name + "/" + arm.Name, arm.Panel, s.Seeds})
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
		sides = append(sides, sample{name, s.Name + "/" + s.main().Name, s.main().Panel, s.Seeds})
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
	name, control string // of the sides
	id            string // of the pair of sides, whichever comes first
	place         int    // of the treatment among the sides
	a, b          Panel
	paired        bool
	seeds         []uint64 // of the pairs
	left          int      // replications of the larger side that do not count
}

// matchSeeds pairs replications by seed where at least half of those of the smaller side have
// a partner; what has none is left out. Where fewer have one, the sides are independent
// samples, without the treatment's replications that the control has too: replications of the
// same seed share their luck and are never taken as independent.
func matchSeeds(control, treatment sample) *matched {
	m := &matched{name: treatment.name, control: control.name, id: min(control.id, treatment.id) + " and " + max(control.id, treatment.id)}
	seeds := func(s sample) []uint64 { return s.seeds[:min(len(s.seeds), len(s.panel))] }
	for r, seed := range seeds(control) {
		if k := slices.Index(seeds(treatment), seed); k >= 0 {
			m.a, m.b, m.seeds = append(m.a, control.panel[r]), append(m.b, treatment.panel[k]), append(m.seeds, seed)
		}
	}
	if n := len(m.b); n > 0 && 2*n >= min(len(control.panel), len(treatment.panel)) {
		m.paired, m.left = true, max(len(control.panel), len(treatment.panel))-n
		return m
	}
	m.left = len(m.b)
	m.a, m.b = control.panel, nil
	for r, series := range treatment.panel {
		if r >= len(treatment.seeds) || !slices.Contains(m.seeds, treatment.seeds[r]) {
			m.b = append(m.b, series)
		}
	}
	m.seeds = nil
	return m
}

// address is where the luck of a computation comes from: not from names, so that an
// experiment that is run again under another one has the same answer.
func (m *matched) address(what string) string { return fmt.Sprintf("side %d: %s", m.place, what) }

// notes say what is unusual about the match.
func (m *matched) notes() (notes []note) {
	if !m.paired {
		notes = append(notes, notef("%s and %s do not share their seeds: compared as independent samples", "%s与%s的种子不同：按独立样本比较", m.name, m.control))
	}
	if m.left > 0 && m.paired {
		notes = append(notes, notef("%d replications without a partner of the same seed are left out", "%d次重复没有同种子的配对，未计入", m.left))
	} else if m.left > 0 {
		notes = append(notes, notef("%d replications of %s share the seed of one of %s and are left out of the independent samples", "%[2]s有%[1]d次重复与%[3]s的种子相同，未计入独立样本", m.left, m.name, m.control))
	}
	if n := min(len(m.a), len(m.b)); n < fewReplications {
		notes = append(notes, fewNote(n))
	}
	return notes
}

// values are what a function takes from the replications. Those for which it has no number
// are left out, with their partners; whole says that there are none.
func (m *matched) values(of func(series *[sim.NumIndicators][]float64) float64) (a, b []float64, whole bool) {
	for r := range m.a {
		a = append(a, of(m.a[r]))
	}
	for r := range m.b {
		b = append(b, of(m.b[r]))
	}
	n := len(a) + len(b)
	if !m.paired {
		a, b = defined(a), defined(b)
		return a, b, len(a)+len(b) == n
	}
	kept := 0
	for r := range a {
		if !math.IsNaN(a[r]) && !math.IsNaN(b[r]) {
			a[kept], b[kept] = a[r], b[r]
			kept++
		}
	}
	return a[:kept], b[:kept], 2*kept == n
}

// newRow is a row of samples and their test, without the verdict.
func newRow(a, b []float64, t stats.TTest, paired bool) ComparisonRow {
	row := ComparisonRow{
		Control: Number(mean(a)), Treatment: Number(mean(b)), Difference: Number(t.Difference.Mean), Percent: absent,
		CILow: Number(t.Difference.Low), CIHigh: Number(t.Difference.High), P: Number(t.P), PAdjusted: absent, PEquivalence: absent,
		SmallestEffect: absent, EffectSize: Number(t.Effect), VarianceReduction: absent, Paired: paired, N: t.Difference.N, MoreReplications: absent,
	}
	if row.Control != 0 {
		row.Percent = 100 * row.Difference / Number(math.Abs(float64(row.Control)))
	}
	return row
}

// markdown is the table for people.
func (c *Comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Means of months %d to %d over replications, compared with %s. %s\n\n", c.From, c.To, c.Control, c.In(English))
	comparisonTable(c.Rows, c.Confidence, English).markdown(&b)
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, "\nNote: %s.", w)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

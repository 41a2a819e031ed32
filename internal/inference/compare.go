package inference

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Comparison is how arms or experiments differ from the first of them.
type Comparison struct {
	Control    string  `json:"control"`
	From       int     `json:"from_month"` // of the main window; each row has its own
	To         int     `json:"to_month"`
	Confidence float64 `json:"confidence"`
	Method
	Rows           []ComparisonRow `json:"rows"`
	DynamicEffects []DynamicEffect `json:"dynamic_effects"`
	Between        []ComparisonRow `json:"-"`                   // effects in the months between the windows, which nothing judges
	Warnings       []string        `json:"warnings"`            // Notes in words; empty here, see [report.Compare]
	Text           string          `json:"text" doc:"Markdown"` // likewise
	Language       string          `json:"-"`                   // of both; empty here
	Found          *Found          `json:"found,omitempty"`     // before the experiment, and what became of it: see [Found]; not filled in here
	Notes          []Note          `json:"-"`
}

// ComparisonRow is the difference in one indicator, of its means over one window.
type ComparisonRow struct {
	Metric             string       `json:"metric"`
	Unit               string       `json:"unit"`
	Arm                string       `json:"arm" doc:"compared with the control"`
	Window                          // that the means are of
	Control            stats.Number `json:"control"`
	Treatment          stats.Number `json:"treatment"`
	Difference         stats.Number `json:"difference"`
	Percent            stats.Number `json:"percent" doc:"of the control; null for shares"` // ratio of the means less 1
	PercentLow         stats.Number `json:"-"`                                             // interval, with the control's uncertainty
	PercentHigh        stats.Number `json:"-"`
	CILow              stats.Number `json:"ci_low"`
	CIHigh             stats.Number `json:"ci_high"`
	P                  stats.Number `json:"p_value"`
	PAdjusted          stats.Number `json:"p_adjusted"`
	PEquivalence       stats.Number `json:"p_equivalence" doc:"to zero: TOST, Holm"`
	SmallestEffect     stats.Number `json:"smallest_effect"`
	EffectSize         stats.Number `json:"effect_size" doc:"Hedges g_z, g; of ranks A"`
	VarianceReduction  stats.Number `json:"variance_reduction" doc:"by pairing"`
	Paired             bool         `json:"paired" doc:"by seed"`
	N                  int          `json:"n" doc:"pairs, or runs of both"`
	Differing          int          `json:"-"` // pairs whose sides are not equal; of samples, runs that are not as the control's first
	Test               string       `json:"test"`
	Exploratory        bool         `json:"exploratory"`
	Verdict            Verdict      `json:"verdict"`
	ReplicationsNeeded stats.Number `json:"replications_needed" doc:"a side, of a new plan"` // of rows as planned, or where nothing was
	Level              float64      `json:"-"`                                               // part of the level that it has, shared out evenly
	Expected           int          `json:"-"`                                               // 1 = it was planned to rise, -1 = to fall, 0 = either
}

// Relative is the difference in percent of the control, with its interval.
func (r *ComparisonRow) Relative() stats.Interval {
	return stats.Interval{Mean: float64(r.Percent), Low: float64(r.PercentLow), High: float64(r.PercentHigh), N: r.N}
}

// Method is how the hypotheses of a comparison were tested. Its sentence is [report.MethodText].
type Method struct {
	Adjustment Adjustment `json:"adjustment" doc:"of planned rows; of others Holm"`
	Family     int        `json:"family" doc:"hypotheses of planned rows"`
	Share      float64    `json:"-"` // of the level, that the family has
	Asked      int        `json:"asked" doc:"hypotheses ever beyond plans"`
	Questions  int        `json:"-"`               // with which they were asked
	ByOthers   int        `json:"asked_by_others"` // which correct nothing here
	Planned    bool       `json:"-"`               // there was a plan
	Later      bool       `json:"-"`               // its owner had registered others for the same arms before
	Test       Test       `json:"-"`
	Paired     []bool     `json:"-"` // whether there are pairs, independent samples, or both
	Level      float64    `json:"-"` // confidence of the intervals
	Primary    string     `json:"-"` // the first outcome of the plan; "" = there was no plan
}

// sample is one side of a comparison.
type sample struct {
	name  string // for people
	id    string // the same in every comparison
	panel tables.Panel
	seeds []uint64
}

// Compare holds the arms of one experiment against its first arm, or several experiments
// against the first of them, each by its last arm. The numbers compared are the means of
// an indicator over a window, one of each replication. There is a row for each arm, indicator
// and window, in this order, and all of them are tested at once: more windows, like more
// indicators, make a larger family.
//
// Replications that share their seed are paired and never count as independent: see
// matchSeeds. The rows that are as planned are adjusted among themselves, with the planned
// outcomes and windows that are not shown; all others by Holm over the question with which the same
// asker asked them first. Each has a share of the level: see spending.go. Without a plan and a ledger, all rows
// are one family. Where the method that was
// chosen cannot be used, Holm's is, and a warning says why. Benjamini and Hochberg's is of
// exploratory rows only: it lets some false findings pass, which no plan has foreseen.
//
// A cancelled context ends it early, with the context's error; nothing is then counted by the
// ledger, unless it was cancelled after that.
func Compare(ctx context.Context, studies []*tables.Study, c Choice) (Comparison, error) {
	out, _, err := compare(ctx, studies, c, nil)
	return out, err
}

// compare is [Compare] with families of other rows that are asked at once: see adjustAsked.
func compare(ctx context.Context, studies []*tables.Study, c Choice, families []Asked) (out Comparison, levels []float64, err error) {
	sides, months, notes, err := samples(studies)
	if err != nil {
		return Comparison{}, nil, err
	}
	if c, err = c.resolve(months); err != nil {
		return Comparison{}, nil, err
	}
	out = Comparison{
		Control:        sides[0].name,
		From:           c.main().From,
		To:             c.main().To,
		Confidence:     c.Confidence,
		Rows:           []ComparisonRow{},
		DynamicEffects: []DynamicEffect{},
		Notes:          notes,
	}
	if p := c.Plan; p != nil {
		for _, w := range p.ahead {
			out.Notes = append(out.Notes, Note{PlannedWindowAhead, []any{w.From, w.To}})
		}
		if p.Unfinished {
			out.Notes = append(out.Notes, Note{Kind: PlanUnfinished})
		}
		if p.Looked != nil {
			out.Notes = append(out.Notes, Note{PlanAfterLook, []any{*p.Looked}})
		}
		for _, a := range p.Amended {
			out.Notes = append(out.Notes, Note{PlanAmended, []any{a}})
		}
	}
	var matches []*matched
	for k, side := range sides[1:] {
		m := matchSeeds(sides[0], side)
		m.place = k + 1
		matches = append(matches, m)
		out.Notes = append(out.Notes, m.notes()...)
	}
	against, err := c.pairs(sides)
	if err != nil {
		return Comparison{}, nil, err
	}
	all, shown := hypotheses(append(matches, against...), c)
	parallel(ctx, len(all), func(k int) { all[k].compute(ctx, c, studies[0].Seed) })
	if levels, err = out.adjust(ctx, all, families, c, studies[0].Seed); err != nil {
		return Comparison{}, nil, err
	}
	var wide []sim.Indicator
	split := 0 // rows with two groups, of which the first are told
	for _, h := range all[:shown] {
		out.Rows = append(out.Rows, h.row)
		if g, ok := stats.TwoGroups(stats.Differences(h.pairs())); ok && !h.rare && split < mostSplit {
			split++
			out.Notes = append(out.Notes, Note{TwoGroupsFound, []any{TwoGroups{h.row, g}}})
		}
		if h.row.Verdict == EquivalentToZero && !h.row.Same() && float64(h.row.SmallestEffect) > stats.StdDev(h.a) {
			wide = withNew(wide, h.indicator)
		}
		if h.indicator.IsBreakdown() && len(h.a) == 0 && len(h.b) == 0 {
			out.Notes = append(out.Notes, Note{NotRecorded, []any{h.indicator.String()}})
		}
	}
	out.Notes = append(out.Notes, rareNotes(all[:shown], studies, c.Confidence)...)
	if wide != nil {
		out.Notes = append(out.Notes, Note{MarginsWide, []any{wide}})
	}
	if skewed := fewAndSkewed(all[:shown]); skewed != nil {
		out.Notes = append(out.Notes, Note{FewAndSkewed, []any{skewed, enoughIfSkewed}})
	}
	if !c.RowsOnly {
		out.dynamics(ctx, matches, c, months, studies[0].Seed)
		out.between(ctx, matches, c, studies[0].Seed)
	}
	out.Notes = sorted(out.Notes)
	return out, levels, ctx.Err()
}

// between measures the effects in the months between windows that are shown, where there are several: means over windows hide what
// passes. They are of no family, and have no verdict.
func (c *Comparison) between(ctx context.Context, matches []*matched, choice Choice, seed uint64) {
	if choice.Test != TestT {
		return
	}
	for _, i := range choice.Metrics {
		var shown []Window
		for _, w := range choice.Windows {
			if choice.shows(i, w) {
				shown = append(shown, w)
			}
		}
		for _, w := range gapsOf(shown) {
			for _, m := range matches {
				h := hypothesis{match: m, test: choice.Test, indicator: i, window: w}
				h.compute(ctx, choice, seed)
				c.Between = append(c.Between, h.row)
			}
		}
	}
}

// shortestGap is of so many months.
const shortestGap = 3

// gapsOf are the months between windows.
func gapsOf(windows []Window) (gaps []Window) {
	windows = slices.SortedFunc(slices.Values(windows), func(a, b Window) int { return cmp.Compare(a.From, b.From) })
	end := 0
	for k, w := range windows {
		if k > 0 && w.From-end > shortestGap {
			gaps = append(gaps, Window{end + 1, w.From - 1})
		}
		end = max(end, w.To)
	}
	return gaps
}

// mostSplit is of how many rows it is told that they have two groups.
const mostSplit = 3

// A sample of few replications does not know how skewed it is: of ten pairs of a skewness of 2 the interval covers 90 %, of twenty
// 93 to 95 (docs/VALIDATION.md).
const (
	enoughIfSkewed = 20
	clearlySkewed  = 1.2
)

// fewAndSkewed are indicators of rows whose intervals may be too narrow for that.
func fewAndSkewed(rows []*hypothesis) (list []sim.Indicator) {
	for _, h := range rows {
		a, b := h.pairs()
		skewed := math.Abs(stats.Skewness(stats.Differences(a, b))) > clearlySkewed
		if skewed && len(a) < enoughIfSkewed && !h.rare && h.test == TestT {
			list = withNew(list, h.indicator)
		}
	}
	return list
}

// rareNotes say of which outcomes so few replications differ that only their number is told. What no arm has, such as the
// revenue of a tax that nobody levies, cannot differ, and says nothing.
func rareNotes(rows []*hypothesis, studies []*tables.Study, confidence float64) (notes []Note) {
	there := func(i sim.Indicator) bool {
		return slices.ContainsFunc(studies, func(s *tables.Study) bool {
			return slices.ContainsFunc(s.Arms, func(a tables.StudyArm) bool {
				_, has := i.In(a.Params, a.Interventions)
				return has
			})
		})
	}
	type count struct {
		arm           string
		window        Window
		differing, of int
	}
	found := map[count][]sim.Indicator{}
	for _, h := range rows {
		if h.rare && there(h.indicator) {
			k := count{h.row.Arm, h.row.Window, h.row.Differing, min(len(h.a), len(h.b))}
			found[k] = withNew(found[k], h.indicator)
		}
	}
	for k, indicators := range found {
		share := stats.Interval{Mean: float64(k.differing) / float64(k.of), N: k.of}
		share.Low, share.High = stats.ProportionInterval(k.differing, k.of, confidence)
		notes = append(notes, Note{DifferencesRare, []any{Rare{k.arm, k.window, indicators}, k.differing, k.of, share}})
	}
	return notes
}

// hypotheses are those of the rows, side by side, each in the order of the metrics and of the
// windows, and after these shown ones those that were planned and are not shown.
func hypotheses(matches []*matched, c Choice) (all []*hypothesis, shown int) {
	var hidden []*hypothesis
	for _, m := range matches {
		for _, i := range c.Needed() {
			for _, w := range c.judged() {
				h := &hypothesis{match: m, test: c.Test, indicator: i, window: w, name: m.id + ": " + c.about(i, w)}
				switch {
				case c.shows(i, w) && (!c.byPlan || c.compares(m)):
					all = append(all, h)
				case c.confirms(i, w) && c.compares(m):
					hidden = append(hidden, h)
				}
			}
		}
	}
	return append(all, hidden...), len(all)
}

// pairs are the arms that the plan holds against each other.
func (c Choice) pairs(sides []sample) (list []*matched, err error) {
	if c.Plan == nil {
		return nil, nil
	}
	find := func(name string) int { return slices.IndexFunc(sides, func(s sample) bool { return s.name == name }) }
	for k, p := range c.Plan.Pairs {
		arm, with := find(p.Arm), find(p.With)
		if arm < 0 || with < 0 {
			return nil, fmt.Errorf("the plan compares %s, of which one is no arm", p)
		}
		m := matchSeeds(sides[with], sides[arm])
		m.name, m.place, m.against = p.String(), len(sides)+k, true
		list = append(list, m)
	}
	return list, nil
}

// compute fills the row, up to what depends on other rows.
func (h *hypothesis) compute(ctx context.Context, c Choice, seed uint64) {
	h.a, h.b, h.whole = h.match.values(h.indicator, h.window)
	paired, info := h.match.paired, h.indicator.Info()
	random := source(seed, h.match.address(c.about(h.indicator, h.window)))
	difference, p, effect := h.test.of(ctx, h.a, h.b, paired, c.Confidence, random)
	control := stats.Mean(h.a)
	margin := c.smallest(h.indicator, control)
	h.row = ComparisonRow{
		Metric: info.Name, Unit: info.Unit, Arm: h.match.name, Window: h.window,
		Control: stats.Number(control), Treatment: stats.Number(stats.Mean(h.b)),
		Difference: stats.Number(difference.Mean), Percent: stats.Absent, PercentLow: stats.Absent, PercentHigh: stats.Absent,
		CILow: stats.Number(difference.Low), CIHigh: stats.Number(difference.High),
		P: stats.Number(p), PAdjusted: stats.Absent, SmallestEffect: stats.Number(margin), EffectSize: stats.Number(effect),
		VarianceReduction: stats.Absent, Paired: paired, N: difference.N, Test: h.test.Name(paired),
		Exploratory: !c.confirms(h.indicator, h.window) || !c.compares(h.match), ReplicationsNeeded: stats.Absent,
	}
	if !tables.IsShare(h.indicator) {
		x, y := stats.Relative(h.a, h.b)
		relative, _, _ := h.test.of(ctx, x, y, paired, c.Confidence, random)
		h.row.Percent = stats.Number(percentOf(difference.Mean, control))
		h.row.PercentLow, h.row.PercentHigh = stats.Number(100*relative.Low), stats.Number(100*relative.High)
	}
	if paired {
		h.row.VarianceReduction = stats.Number(stats.VarianceReduction(h.a, h.b))
		h.row.PEquivalence = stats.Number(stats.PairedTOST(h.a, h.b, margin))
		h.row.Differing, h.rare = stats.Differing(stats.Differences(h.a, h.b))
	} else {
		h.row.PEquivalence = stats.Number(stats.WelchTOST(h.a, h.b, margin))
		n := min(len(h.a), len(h.b))
		if n > 0 {
			h.row.Differing = differing(h.a, h.b)
		}
		if n > 1 && h.row.Differing == 0 { // they have no scatter to judge by
			h.rare, h.row.CILow, h.row.CIHigh = true, stats.Absent, stats.Absent
			h.row.PEquivalence = stats.Number(stats.PairedTOST(h.a[:n], h.a[:n], margin))
		}
	}
	if math.IsNaN(float64(h.row.CILow)) { // what has no interval has none in percent
		h.row.PercentLow, h.row.PercentHigh = stats.Absent, stats.Absent
	}
	if c.estimates(h.match.name) {
		h.row.P, h.row.PEquivalence = stats.Absent, stats.Absent
	}
}

// differing are the observations of two samples that are not as the first.
func differing(a, b []float64) (n int) {
	for _, x := range slices.Concat(a, b) {
		if x != a[0] {
			n++
		}
	}
	return n
}

// adjust adjusts all p-values and gives each row its verdict; families are as adjustAsked
// has them.
func (c *Comparison) adjust(
	ctx context.Context, all []*hypothesis, families []Asked, choice Choice, seed uint64,
) (levels []float64, err error) {
	var planned, asked []*hypothesis
	for _, h := range all {
		if choice.counted() && h.row.Exploratory {
			asked = append(asked, h)
		} else {
			planned = append(planned, h)
		}
	}
	share, again := 1., 1. // of what is planned, and how much of that a new plan like this one has
	if choice.counted() && choice.Plan != nil {
		share = choice.Plan.share() * ofOutcomes
		again = choice.Plan.next().share() / choice.Plan.share()
	}
	used, why := adjustPlanned(ctx, planned, share, choice.Adjustment, choice.Confidence, source(seed, "romano-wolf"))
	if why != nil {
		c.Notes = append(c.Notes, *why)
	}
	byAsked := AdjustHolm // what was asked before cannot be rearranged
	if choice.Adjustment == AdjustBenjaminiHochberg {
		byAsked = choice.Adjustment
	}
	count, levels, err := adjustAsked(ctx, asked, families, byAsked, choice.Ledger)
	if err != nil {
		return nil, err
	}
	c.Method = Method{
		Adjustment: used, Share: share, Asked: count.hypotheses, Questions: count.questions, ByOthers: count.byOthers,
		Planned: choice.Plan != nil, Later: choice.Plan != nil && choice.Plan.Earlier > 0, Test: choice.Test, Level: choice.Confidence,
	}
	if choice.Plan != nil {
		c.Primary = choice.planned()[0].String()
	}
	if len(planned) == 0 {
		c.Adjustment = byAsked
	}
	for _, h := range planned {
		if h.tested() {
			c.Family++
		}
	}
	for _, h := range all {
		c.Paired = withNew(c.Paired, h.match.paired)
		h.row.Level = cmp.Or(h.level, 1)
		expected := choice.expected(h.indicator)
		if h.match.against { // what is expected is expected of arms against the control
			expected = 0
		}
		h.row.Expected, h.row.Verdict = expected, h.row.Judge(expected, choice.Confidence)
		if h.row.Verdict == Inconclusive && !(choice.counted() && h.row.Exploratory) { // what was seen needs other seeds, and a plan
			h.row.ReplicationsNeeded = stats.Number(h.replicationsNeeded(1 - (1-choice.Confidence)*cmp.Or(h.level, 1)*again))
		}
	}
	return levels, nil
}

// fewReplications is how many replications a comparison should have at least.
const fewReplications = 10

func fewNote(n int) Note {
	if n < 2 {
		return Note{Kind: OneReplication}
	}
	return Note{FewReplications, []any{n}}
}

// samples lists the sides, the months that all have, and what makes them hard to compare.
func samples(studies []*tables.Study) (sides []sample, months int, notes []Note, err error) {
	if len(studies) == 1 {
		s := studies[0]
		if len(s.Arms) < 2 {
			return nil, 0, nil, fault.New(fault.InvalidState, "experiment_names", "%s has one arm: there is nothing to compare it with", s.Name).
				WithHint("name a second experiment, or start one with control=\"baseline\"")
		}
		for _, arm := range s.Arms {
			sides = append(sides, sample{arm.Name, cmp.Or(arm.Data, s.Name+"/"+arm.Name), arm.Panel, s.Seeds})
			if len(arm.BurntInApart) > 0 {
				notes = append(notes, Note{BurntInApart, []any{arm.Name, strings.Join(arm.BurntInApart, ", ")}})
			}
			notes = append(notes, conditionNotes(&arm)...)
			notes = append(notes, ImplausibleNotes(arm.Name, arm.Implausible)...)
		}
		return sides, s.LastMonth(), notes, nil
	}
	if len(studies) < 1 || len(studies) > 8 {
		return nil, 0, nil, fault.Range("experiment_names", fmt.Sprintf("%d experiments", len(studies)), "1 with several arms", "2 to 8")
	}
	months = math.MaxInt
	for _, s := range studies {
		if len(s.Arms) == 0 {
			return nil, 0, nil, fault.New(fault.InvalidState, "experiment_names", "%s has no arms", s.Name)
		}
		name := s.Name
		if len(s.Arms) > 1 {
			name += "/" + s.Main().Name
			notes = append(notes, Note{LastArmCompared, []any{s.Name, s.Main().Name}})
		}
		sides = append(sides, sample{name, cmp.Or(s.Main().Data, s.Name+"/"+s.Main().Name), s.Main().Panel, s.Seeds})
		notes = append(notes, ImplausibleNotes(name, s.Main().Implausible)...)
		months = min(months, s.LastMonth())
		first := studies[0]
		for _, unlike := range []struct {
			kind NoteKind
			a, b any
		}{
			{UnlikeModel, first.ModelVersion, s.ModelVersion},
			{UnlikeHouseholds, first.Households, s.Households},
			{UnlikeMonths, first.LastMonth(), s.LastMonth()},
		} {
			if unlike.a != unlike.b {
				notes = append(notes, Note{unlike.kind, []any{first.Name, s.Name, unlike.a, unlike.b}})
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
	a, b          tables.Panel
	paired        bool
	seeds         []uint64 // of the pairs
	left          int      // replications of the larger side that do not count
	against       bool     // no side is the control
}

// matchSeeds pairs replications by seed where at least half of those of the smaller side have
// a partner; what has none is left out. Where fewer have one, the sides are independent
// samples, without the treatment's replications that the control has too: replications of the
// same seed share their random draws and are never taken as independent.
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

// address is where the random draws of a computation come from: not from names, so that an
// experiment that is run again under another one has the same answer.
func (m *matched) address(what string) string { return fmt.Sprintf("side %d: %s", m.place, what) }

// notes say what is unusual about the match.
func (m *matched) notes() (notes []Note) {
	if !m.paired {
		notes = append(notes, Note{NotPaired, []any{m.name, m.control}})
	}
	if m.left > 0 && m.paired {
		notes = append(notes, Note{WithoutPartner, []any{m.left}})
	} else if m.left > 0 {
		notes = append(notes, Note{SharedSeeds, []any{m.left, m.name, m.control}})
	}
	if n := min(len(m.a), len(m.b)); n < fewReplications {
		notes = append(notes, fewNote(n))
	}
	return notes
}

// values are the means of an indicator over a window, by replication. Replications without a
// mean are left out, with their partners; whole says that none was.
func (m *matched) values(i sim.Indicator, w Window) (a, b []float64, whole bool) {
	a, b = m.a.WindowMeans(i, w.From, w.To), m.b.WindowMeans(i, w.From, w.To)
	all := len(a) + len(b)
	if m.paired {
		a, b = stats.DefinedPairs(a, b)
	} else {
		a, b = stats.Defined(a), stats.Defined(b)
	}
	return a, b, len(a)+len(b) == all
}

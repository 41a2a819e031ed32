package analysis

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// DistributionEffects say who gains and who loses: the real disposable income of
// households by where they stood before month 1. Arms that began in one burnt-in economy
// have the same households in the same group, whatever becomes of them.
type DistributionEffects struct {
	Measure    string    `json:"measure"`
	Adjustment string    `json:"adjustment" doc:"of all rows"`
	Rows       []GainRow `json:"rows"`
	Winners    []string  `json:"winners"`
	Losers     []string  `json:"losers"`
}

// GainRow is who or what gains or loses in the mean over the window: a group of households
// of a grouping, or an item of the public budget of one kind. The difference is the
// treatment's less the control's of the same seed, with an interval for the row alone;
// without a control there is the mean alone, under treatment.
type GainRow struct {
	Grouping   string `json:"grouping"`
	Group      string `json:"group"`
	Arm        string `json:"arm"`
	Control    Number `json:"control"`
	Treatment  Number `json:"treatment"`
	Difference Number `json:"difference"`
	Percent    Number `json:"percent"`
	CILow      Number `json:"ci_low"`
	CIHigh     Number `json:"ci_high"`
	P          Number `json:"p_value"`
	PAdjusted  Number `json:"p_adjusted"`
	Verdict    string `json:"verdict" enum:"gains,loses,no clear change,not judged"`
}

// gainVerdicts are the verdicts of a [GainRow] in Chinese.
var gainVerdicts = map[string]string{"gains": "受益", "loses": "受损", "no clear change": "无明显变化", "not judged": "无法判断"}

// gainRow is a row of pairs, not judged yet. A pair of which one side is missing is left out.
func gainRow(grouping, group, arm string, a, b []float64, confidence float64) (GainRow, pairs) {
	p := pairsOf(a, b)
	t := stats.PairedTTest(p.a, p.b, confidence)
	row := GainRow{
		Grouping: grouping, Group: group, Arm: arm, Control: Number(mean(p.a)), Treatment: Number(mean(p.b)), Difference: Number(t.Difference.Mean),
		Percent: absent, CILow: Number(t.Difference.Low), CIHigh: Number(t.Difference.High), P: Number(t.P), PAdjusted: absent, Verdict: "not judged",
	}
	if row.Control != 0 {
		row.Percent = 100 * row.Difference / Number(math.Abs(float64(row.Control)))
	}
	return row, p
}

// loneRow is a row without a control.
func loneRow(grouping, group, arm string, x []float64) GainRow {
	return GainRow{grouping, group, arm, absent, Number(mean(defined(x))), absent, absent, absent, absent, absent, absent, "not judged"}
}

// pairs are the numbers of two sides, replication by replication.
type pairs struct{ a, b []float64 }

func pairsOf(a, b []float64) (p pairs) {
	for r := range min(len(a), len(b)) {
		if !math.IsNaN(a[r]) && !math.IsNaN(b[r]) {
			p.a, p.b = append(p.a, a[r]), append(p.b, b[r])
		}
	}
	return p
}

// gains are rows whose p-values are adjusted over all of them: a family of its own beside
// the outcomes of a plan. Who asks for them at another window than the planned one, or
// without a plan, could look for rows that please at every window that there is; then the
// family is a hypothesis of the ledger, by the smallest of its adjusted p-values, and no row
// of it is clearer than the family is among all that were ever asked.
type gains struct {
	about      string // the hypothesis of the ledger, without experiment and window
	rows       []GainRow
	of         []pairs // of each row
	adjustment Adjustment
	atLeast    float64 // p-value of the family, below which no row goes; 0 as planned
}

// asked is the family as one hypothesis; its p is NaN where no row could be tested.
func (g *gains) asked(s *Study, c Choice) Asked {
	least := math.NaN()
	for _, row := range g.rows {
		if p := float64(row.PAdjusted); !(least <= p) {
			least = p
		}
	}
	return Asked{fmt.Sprintf("%s: %s, months %d to %d, %s", s.Name, g.about, c.From, c.To, TestT.name(true).en), least}
}

// adjust adjusts the p-values of the rows over all of them.
func (g *gains) adjust(seed uint64, confidence float64) {
	rows, of := g.rows, g.of
	p := make([]float64, len(rows))
	for k := range rows {
		p[k] = float64(rows[k].P)
	}
	var adjusted []float64
	g.adjustment, adjusted = AdjustHolm, stats.Holm(p)
	if canFlip(of, confidence) {
		g.adjustment, adjusted = AdjustRomanoWolf, stepDownOf(of, seed)
	}
	for k := range rows {
		if rows[k].PAdjusted = Number(max(p[k], adjusted[k])); math.IsNaN(p[k]) {
			rows[k].PAdjusted = absent
		}
	}
}

// judge judges each row, by a p-value of at least that of the family.
func (g *gains) judge(confidence float64) {
	for k := range g.rows {
		row := &g.rows[k]
		switch {
		case math.IsNaN(float64(row.PAdjusted)):
			if row.Difference == 0 && row.CILow == 0 && row.CIHigh == 0 { // the same in all pairs
				row.Verdict = "no clear change"
			}
			continue
		case float64(row.PAdjusted) < g.atLeast:
			row.PAdjusted = Number(g.atLeast)
		}
		switch {
		case float64(row.PAdjusted) >= 1-confidence:
			row.Verdict = "no clear change"
		case row.Difference > 0:
			row.Verdict = "gains"
		default:
			row.Verdict = "loses"
		}
	}
}

// canFlip says whether [stats.PairedRomanoWolf] can find anything: all rows rest on the same
// pairs, and the rarest of the flips of their signs is rarer than the level.
func canFlip(of []pairs, confidence float64) bool {
	return len(of) > 0 && smallestP(true, len(of[0].a), len(of[0].a)) < 1-confidence &&
		!slices.ContainsFunc(of, func(p pairs) bool { return len(p.a) != len(of[0].a) })
}

func stepDownOf(of []pairs, seed uint64) []float64 {
	a, b := make([][]float64, len(of[0].a)), make([][]float64, len(of[0].a))
	for r := range a {
		for _, p := range of {
			a[r], b[r] = append(a[r], p.a[r]), append(b[r], p.b[r])
		}
	}
	return stats.PairedRomanoWolf(a, b, source(seed, "gains"))
}

// incomeGains are the real incomes of groups of households, not judged yet.
func incomeGains(s *Study, confidence float64) gains {
	out := gains{about: "real incomes of groups of households", rows: []GainRow{}}
	arms, compared := s.Arms, s.control() != nil
	if compared {
		arms = arms[1:]
	}
	for k := range arms {
		arm := &arms[k]
		for _, grouping := range standings {
			for g, name := range grouping.groups(arm.Params) {
				b := groupValues(arm, grouping.name, "real_income", g)
				if !compared {
					if len(defined(b)) > 0 {
						out.rows = append(out.rows, loneRow(grouping.name, name, arm.Name, b))
					}
					continue
				}
				row, p := gainRow(grouping.name, name, arm.Name, groupValues(s.control(), grouping.name, "real_income", g), b, confidence)
				if len(p.a) > 0 {
					out.rows, out.of = append(out.rows, row), append(out.of, p)
				}
			}
		}
	}
	if compared {
		out.adjust(s.Seed, confidence)
	}
	return out
}

// distributionEffects are those gains once they are judged. Beyond is how many hypotheses
// were ever asked beyond the plan where these are among them, and else 0.
func distributionEffects(s *Study, g gains, beyond int) DistributionEffects {
	out := DistributionEffects{
		Measure: "real disposable income, currency units a month at prices of the base month, of households by where they stood before month 1",
		Rows:    g.rows, Winners: []string{}, Losers: []string{}, Adjustment: string(g.adjustment),
	}
	if beyond > 0 {
		out.Adjustment += fmt.Sprintf("; exploratory, as is the budget: no p below that of the family by Holm over the %d ever asked beyond the plan", beyond)
	}
	for k := range out.Rows {
		row := &out.Rows[k]
		name := row.Grouping + " " + row.Group
		if len(s.Arms) > 2 {
			name = row.Arm + ": " + name
		}
		switch row.Verdict {
		case "gains":
			out.Winners = append(out.Winners, name)
		case "loses":
			out.Losers = append(out.Losers, name)
		}
	}
	return out
}

// tilt is how the relative changes of the poorest and the richest tenth of an arm differ.
type tilt struct {
	poorest, richest float64 // mean over pairs of the change in percent of the control
	clear            bool    // that they differ
}

// tiltOf tests, pair by pair, the relative change of the richest tenth by income less that of
// the poorest (paired t); where the rows are not as planned, by a p-value of at least that of
// their family.
func (g *gains) tiltOf(arm string, confidence float64) (out tilt) {
	change := func(group string) (percent []float64) {
		for k, row := range g.rows {
			if row.Arm == arm && row.Grouping == "income_decile" && row.Group == group && k < len(g.of) {
				for r, a := range g.of[k].a {
					percent = append(percent, 100*(g.of[k].b[r]-a)/math.Abs(a))
				}
			}
		}
		return percent
	}
	poorest, richest := change(deciles[0]), change(deciles[9])
	out.poorest, out.richest = mean(poorest), mean(richest)
	if len(poorest) == len(richest) {
		out.clear = max(stats.PairedTTest(poorest, richest, confidence).P, g.atLeast) < 1-confidence
	}
	return out
}

// beyondText says that gains and budget are not as planned; empty where they are.
func (a *Analysis) beyondText(language string) string {
	if a.beyond == 0 {
		return ""
	}
	return fmt.Sprintf(word(language,
		"Exploratory, not as planned: no p is below that of the whole family by Holm over the %d hypotheses that were ever asked beyond the plan.",
		"属探索性分析，与计划不一致：各p值不低于整组假设按Holm法对计划外曾提出的全部%d个假设校正后的p值。"), a.beyond)
}

// groupValues are a metric of a group over the window, by replication; NaN where it was
// not measured.
func groupValues(arm *StudyArm, grouping, metric string, g int) (values []float64) {
	found, _ := GroupingByName(grouping)
	if g >= len(found.Groups(arm.Params)) {
		return nil
	}
	for _, m := range arm.Window {
		x := math.NaN()
		if m.Groups.Months > 0 {
			x = m.Groups.Mean(grouping, metric, g)
		}
		values = append(values, x)
	}
	return values
}

// standingNotes say what makes the groups other than the same households in all arms.
func standingNotes(s *Study, measured bool) (notes []note) {
	if !measured {
		if len(s.main().Window) > 0 {
			notes = append(notes, note{"who gains and who loses is not known: the months were stored before households were followed; run the experiment again for it", "无法判断谁受益、谁受损：这些月份存储于开始跟踪家庭之前；请重新运行该实验"})
		}
		return notes
	}
	for _, arm := range s.Arms {
		if len(arm.BurntInApart) > 0 && len(s.Arms) > 1 {
			notes = append(notes, notef("%s was burnt in apart: its groups are places in its own burnt-in economy, not the households of the control's", "%s单独预热：其分组为自身预热经济中的位置，并非对照组的同一批家庭", arm.Name))
		}
	}
	if s.main().Params.EnableDemography {
		notes = append(notes, note{"in groups of households, an heir follows in the place of the dead; households that came later are in no group", "家庭分组中，继承人沿用逝者的位置；之后到来的家庭不属于任何组"})
	}
	return notes
}

// By are the rows of a grouping.
func (d *DistributionEffects) By(grouping string) (rows []GainRow) {
	for _, row := range d.Rows {
		if row.Grouping == grouping {
			rows = append(rows, row)
		}
	}
	return rows
}

// sentences tell who gains and who loses, of all groupings.
func (d *DistributionEffects) sentences(language string) (text string) {
	for _, part := range []struct{ verdict, en, zh string }{
		{"gains", "Real incomes rise, of households by where they stood before month 1: ", "实际收入上升（按第1个月之前的位置分组）："},
		{"loses", "Real incomes fall, of households by where they stood before month 1: ", "实际收入下降（按第1个月之前的位置分组）："},
	} {
		var clauses []string
		for _, grouping := range standings {
			rows := d.By(grouping.name)
			several := severalGainArms(rows)
			var names []string
			for _, row := range rows {
				if row.Verdict == part.verdict {
					name := groupText(row.Group, language)
					if several {
						name = row.Arm + " " + name
					}
					names = append(names, name)
				}
			}
			by := word(language, grouping.en, grouping.zh)
			switch {
			case len(names) == 0:
			case len(names) == len(rows):
				clauses = append(clauses, by+word(language, " in all groups", "：所有组"))
			default:
				clauses = append(clauses, by+word(language, " ", "：")+listed(names, ", ", language))
			}
		}
		if len(clauses) > 0 {
			text += word(language, part.en, part.zh) + listed(clauses, "; ", language) + word(language, ". ", "。")
		}
	}
	return text
}

func severalGainArms(rows []GainRow) bool {
	return slices.ContainsFunc(rows, func(row GainRow) bool { return row.Arm != rows[0].Arm })
}

// groupingText names a grouping of [GainRow] for people.
func groupingText(grouping, language string) string {
	for _, s := range standings {
		if s.name == grouping {
			return word(language, s.en, s.zh)
		}
	}
	return grouping
}

// groupTexts name groups of households for people: in English, and in Chinese.
var groupTexts = map[string]note{
	deciles[0]:                      {deciles[0], "1（最贫）"},
	deciles[9]:                      {deciles[9], "10（最富）"},
	sim.Employed.String():           {"employed", "就业"},
	sim.Unemployed.String():         {"unemployed", "失业"},
	sim.OutsideLabourForce.String(): {"outside the labour force", "不在劳动力中"},
	skillGroups[0]:                  {"low", "低"},
	skillGroups[1]:                  {"middle", "中"},
	skillGroups[2]:                  {"high", "高"},
}

// groupText names a group of households for people.
func groupText(group, language string) string {
	if n, ok := groupTexts[group]; ok {
		return word(language, n.en, n.zh)
	}
	return group
}

// moneyText writes a difference of amounts of money with its sign.
func moneyText(x Number) string { return FormatDifference(sim.RealGDP, float64(x)) }

// pointsText writes a difference of shares of GDP.
func pointsText(x Number, language string) string {
	text := FormatNumber(100*float64(x), 2)
	if x > 0 {
		text = "+" + text
	}
	return fmt.Sprintf(word(language, "%s %% of GDP", "GDP的 %s %%"), text)
}

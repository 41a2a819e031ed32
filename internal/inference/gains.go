package inference

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
)

// DistributionEffects say who gains and who loses: the real disposable income of
// households by where they stood before month 1. Arms that began in one burnt-in economy
// have the same households in the same group, whatever becomes of them.
type DistributionEffects struct {
	Measure    string    `json:"measure"` // in words; empty here, see [report.AnalyseInWords]
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
	Grouping   string       `json:"grouping"`
	Group      string       `json:"group"`
	Arm        string       `json:"arm"`
	Control    stats.Number `json:"control"`
	Treatment  stats.Number `json:"treatment"`
	Difference stats.Number `json:"difference"`
	Percent    stats.Number `json:"percent"`
	CILow      stats.Number `json:"ci_low"`
	CIHigh     stats.Number `json:"ci_high"`
	P          stats.Number `json:"p_value"`
	PAdjusted  stats.Number `json:"p_adjusted"`
	Verdict    string       `json:"verdict" enum:"gains,loses,no clear change,not judged"`
}

// gainRow is a row of pairs, not judged yet. A pair of which one side is missing is left out.
func gainRow(grouping, group, arm string, a, b []float64, confidence float64) (GainRow, pairs) {
	p := pairsOf(a, b)
	t := stats.PairedTTest(p.a, p.b, confidence)
	row := GainRow{
		Grouping: grouping, Group: group, Arm: arm, Control: stats.Number(stats.Mean(p.a)), Treatment: stats.Number(stats.Mean(p.b)),
		Difference: stats.Number(t.Difference.Mean),
		Percent:    stats.Absent, CILow: stats.Number(t.Difference.Low), CIHigh: stats.Number(t.Difference.High), P: stats.Number(t.P),
		PAdjusted: stats.Absent, Verdict: "not judged",
	}
	if row.Control != 0 {
		row.Percent = 100 * row.Difference / stats.Number(math.Abs(float64(row.Control)))
	}
	return row, p
}

// loneRow is a row without a control.
func loneRow(grouping, group, arm string, x []float64) GainRow {
	return GainRow{
		grouping,
		group,
		arm,
		stats.Absent,
		stats.Number(stats.Mean(stats.Defined(x))),
		stats.Absent,
		stats.Absent,
		stats.Absent,
		stats.Absent,
		stats.Absent,
		stats.Absent,
		"not judged",
	}
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
func (g *gains) asked(s *tables.Study, c Choice) Asked {
	least := math.NaN()
	for _, row := range g.rows {
		if p := float64(row.PAdjusted); !(least <= p) {
			least = p
		}
	}
	return Asked{fmt.Sprintf("%s: %s, months %d to %d, %s", s.Name, g.about, c.main().From, c.main().To, TestT.Name(true)), least}
}

// adjust adjusts the p-values of the rows over all of them.
func (g *gains) adjust(ctx context.Context, seed uint64, confidence float64) {
	rows, of := g.rows, g.of
	p := make([]float64, len(rows))
	for k := range rows {
		p[k] = float64(rows[k].P)
	}
	var adjusted []float64
	g.adjustment, adjusted = AdjustHolm, stats.Holm(p)
	if canFlip(of, confidence) {
		g.adjustment, adjusted = AdjustRomanoWolf, stepDownOf(ctx, of, seed)
	}
	for k := range rows {
		if rows[k].PAdjusted = stats.Number(max(p[k], adjusted[k])); math.IsNaN(p[k]) {
			rows[k].PAdjusted = stats.Absent
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
			row.PAdjusted = stats.Number(g.atLeast)
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

func stepDownOf(ctx context.Context, of []pairs, seed uint64) []float64 {
	a, b := make([][]float64, len(of[0].a)), make([][]float64, len(of[0].a))
	for r := range a {
		for _, p := range of {
			a[r], b[r] = append(a[r], p.a[r]), append(b[r], p.b[r])
		}
	}
	return stats.PairedRomanoWolf(ctx, a, b, source(seed, "gains"))
}

// incomeGains are the real incomes of groups of households, not judged yet.
func incomeGains(ctx context.Context, s *tables.Study, confidence float64) gains {
	out := gains{about: "real incomes of groups of households", rows: []GainRow{}}
	arms, compared := s.Arms, s.Control() != nil
	if compared {
		arms = arms[1:]
	}
	for k := range arms {
		arm := &arms[k]
		for _, grouping := range tables.Standings {
			for g, name := range grouping.Groups(arm.Params) {
				b := groupValues(arm, grouping.Name, "real_income", g)
				if !compared {
					if len(stats.Defined(b)) > 0 {
						out.rows = append(out.rows, loneRow(grouping.Name, name, arm.Name, b))
					}
					continue
				}
				row, p := gainRow(grouping.Name, name, arm.Name, groupValues(s.Control(), grouping.Name, "real_income", g), b, confidence)
				if len(p.a) > 0 {
					out.rows, out.of = append(out.rows, row), append(out.of, p)
				}
			}
		}
	}
	if compared {
		out.adjust(ctx, s.Seed, confidence)
	}
	return out
}

// distributionEffects are those gains once they are judged.
func distributionEffects(s *tables.Study, g gains) DistributionEffects {
	out := DistributionEffects{Rows: g.rows, Winners: []string{}, Losers: []string{}, Adjustment: string(g.adjustment)}
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

// Tilt is how the relative changes of the poorest and the richest tenth of an arm differ.
type Tilt struct {
	Poorest, Richest float64 // mean over pairs of the change in percent of the control
	Clear            bool    // that they differ
}

// tiltOf tests, pair by pair, the relative change of the richest tenth by income less that of
// the poorest (paired t); where the rows are not as planned, by a p-value of at least that of
// their family.
func (g *gains) tiltOf(arm string, confidence float64) (out Tilt) {
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
	poorest, richest := change(tables.Deciles[0]), change(tables.Deciles[9])
	out.Poorest, out.Richest = stats.Mean(poorest), stats.Mean(richest)
	if len(poorest) == len(richest) {
		out.Clear = max(stats.PairedTTest(poorest, richest, confidence).P, g.atLeast) < 1-confidence
	}
	return out
}

// groupValues are a metric of a group over the window, by replication; NaN where it was
// not measured.
func groupValues(arm *tables.StudyArm, grouping, metric string, g int) (values []float64) {
	found, _ := tables.GroupingByName(grouping)
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
func standingNotes(s *tables.Study, measured bool) (notes []Note) {
	if !measured {
		if len(s.Main().Window) > 0 {
			notes = append(notes, Note{Kind: GroupsNotFollowed})
		}
		return notes
	}
	for _, arm := range s.Arms {
		if len(arm.BurntInApart) > 0 && len(s.Arms) > 1 {
			notes = append(notes, Note{GroupsBurntInApart, []any{arm.Name}})
		}
	}
	if s.Main().Params.EnableDemography {
		notes = append(notes, Note{Kind: HeirsFollow})
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

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
	Measure    string    `json:"measure"` // in words; empty here, see [report.Analyse]
	Adjustment string    `json:"adjustment" doc:"of all rows"`
	Rows       []GainRow `json:"rows"`
	Winners    []string  `json:"winners"`
	Losers     []string  `json:"losers"`
}

// GainRow is who or what gains or loses in the mean over the window: a group of households
// of a grouping, or an item of the public budget of one kind. A change that is surely smaller than the
// smallest effect of interest, 1 % of the control's income or .1 % of its GDP, is too small, whether or not it is clear; where
// neither is sure there is no clear change. The difference is the
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
	Verdict    string       `json:"verdict" enum:"gains,loses,too small,no clear change,not judged"`
}

// gains are rows whose p-values are adjusted over all of them: a family of its own beside
// the outcomes of a plan, with a share of the plan's level. At another window than the planned one, or
// without a plan, windows could be tried until some rows look good; then the family is a hypothesis of
// the ledger, by the smallest of its adjusted p-values, and its rows share the level that this has.
type gains struct {
	about      string // the hypothesis of the ledger, without experiment and window
	compared   bool   // with a control
	confidence float64
	rows       []GainRow
	a, b       [][]float64 // of each row that is compared: the numbers of both sides, pair by pair
	smallest   []float64   // of each such row: the smallest effect of interest; NaN = there is none
	adjustment Adjustment
	share      float64 // of the level, that the rows have; 0 = none of them could be tested
	tilt       float64 // and that [gains.tiltOf] has
}

func newGains(about string, s *tables.Study, confidence float64) gains {
	return gains{about: about, compared: s.Control() != nil, confidence: confidence, rows: []GainRow{}}
}

// treated are the arms that rows are about: those that are compared with the control, or the
// only one.
func treated(s *tables.Study, c Choice) []tables.StudyArm {
	return slices.DeleteFunc(slices.Clone(s.Arms[min(1, len(s.Arms)-1):]), func(a tables.StudyArm) bool { return c.estimates(a.Name) })
}

// add appends a row of the numbers of the control and the treatment, or of the only arm, by
// replication. A pair of which one side is missing is left out. Smallest is the smallest effect of interest.
func (g *gains) add(grouping, group, arm string, a, b []float64, smallest float64) {
	row := GainRow{
		Grouping: grouping, Group: group, Arm: arm, Control: stats.Absent, Treatment: stats.Number(stats.DefinedMean(b)),
		Difference: stats.Absent, Percent: stats.Absent, CILow: stats.Absent, CIHigh: stats.Absent, P: stats.Absent,
		PAdjusted: stats.Absent, Verdict: "not judged",
	}
	if g.compared {
		a, b = stats.DefinedPairs(a, b)
		t, control := stats.PairedTTest(a, b, g.confidence), stats.Mean(a)
		row.Control, row.Treatment, row.Difference = stats.Number(control), stats.Number(stats.Mean(b)), stats.Number(t.Difference.Mean)
		row.Percent = stats.Number(percentOf(t.Difference.Mean, control))
		row.CILow, row.CIHigh, row.P = stats.Number(t.Difference.Low), stats.Number(t.Difference.High), stats.Number(t.P)
		g.a, g.b, g.smallest = append(g.a, a), append(g.b, b), append(g.smallest, smallest)
	}
	g.rows = append(g.rows, row)
}

// asked is the family as one hypothesis; its p is NaN where no row could be tested.
func (g *gains) asked(s *tables.Study, c Choice) Asked {
	least := math.NaN()
	for _, row := range g.rows {
		if p := float64(row.PAdjusted); !math.IsNaN(p) && !(least <= p) {
			least = p
		}
	}
	about := s.Name
	if a, b := s.Arms[0].Data, s.Main().Data; a != "" {
		about = a + " and " + b
	}
	return Asked{
		Hypothesis: fmt.Sprintf("%s: %s, months %d to %d, %s", about, g.about, c.main().From, c.main().To, TestT.Name(true)),
		P:          least,
	}
}

// adjust adjusts the p-values of the rows over all of them, which have a share of the level; 0 = it is not known yet.
func (g *gains) adjust(ctx context.Context, share float64, seed uint64) {
	p := make([]float64, len(g.rows))
	for k := range g.rows {
		p[k] = float64(g.rows[k].P)
	}
	var adjusted []float64
	if g.canFlip(share * (1 - g.confidence)) {
		g.adjustment, adjusted = AdjustRomanoWolf, stats.PairedRomanoWolf(ctx, g.a, g.b, source(seed, "gains"))
	} else {
		g.adjustment, adjusted = AdjustHolm, stats.Holm(p)
	}
	for k := range g.rows {
		g.rows[k].PAdjusted = stats.Number(max(p[k], adjusted[k]))
	}
	g.share = share
}

// judge judges each row by the share of the level that the family has.
func (g *gains) judge() {
	var within []float64 // p-values of a change that is smaller than that of interest
	for k := range g.a {
		within = append(within, stats.PairedTOST(g.a[k], g.b[k], g.smallest[k]))
	}
	within = stats.Holm(within)
	for k := range g.rows {
		row := &g.rows[k]
		if g.share > 0 {
			row.PAdjusted = stats.Number(shared(float64(row.PAdjusted), g.share))
		}
		switch {
		case g.share == 0: // none of them could be tested
		case g.compared && shared(within[k], g.share) < 1-g.confidence:
			row.Verdict = "too small"
		case row.Difference == 0, float64(row.PAdjusted) >= 1-g.confidence:
			row.Verdict = "no clear change"
		case math.IsNaN(float64(row.PAdjusted)):
		case row.Difference > 0:
			row.Verdict = "gains"
		default:
			row.Verdict = "loses"
		}
	}
}

// canFlip says whether [stats.PairedRomanoWolf] can find anything: all rows rest on the same
// pairs, and the rarest of the flips of their signs is rarer than a level.
func (g *gains) canFlip(level float64) bool {
	return len(g.a) > 0 && stats.SmallestPairedP(len(g.a[0])) < level &&
		!slices.ContainsFunc(g.a, func(a []float64) bool { return len(a) != len(g.a[0]) })
}

// incomeGains are the real incomes of groups of households, neither adjusted nor judged yet.
func incomeGains(s *tables.Study, c Choice) gains {
	out := newGains("real incomes of groups of households", s, c.Confidence)
	for _, arm := range treated(s, c) {
		for _, grouping := range tables.Standings {
			for g, name := range grouping.Groups(arm.Params) {
				var a []float64
				smallest := math.NaN()
				b := groupMeans(arm.Groups(), grouping.Name, "real_income", g)
				if out.compared {
					a, b = stats.DefinedPairs(groupMeans(s.Control().Groups(), grouping.Name, "real_income", g), b)
					smallest = smallestRelativeEffect * math.Abs(stats.Mean(a))
				}
				if len(stats.Defined(b)) > 0 {
					out.add(grouping.Name, name, arm.Name, a, b, smallest)
				}
			}
		}
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
	Poorest, Richest float64 // change of the mean in percent of the control's
	Clear            bool    // that they differ
}

// tiltOf tests, pair by pair, the relative change of the richest tenth by income less that of
// the poorest (paired t of the terms of the ratios, see [stats.Relative]), with a part of the level of its own.
func (g *gains) tiltOf(arm string) (out Tilt) {
	change := func(group string) (percent []float64) {
		for k, row := range g.rows {
			if row.Arm == arm && row.Grouping == "income_decile" && row.Group == group {
				x, y := stats.Relative(g.a[k], g.b[k])
				for _, share := range stats.Differences(x, y) {
					percent = append(percent, 100*share)
				}
			}
		}
		return percent
	}
	poorest, richest := change(tables.Deciles[0]), change(tables.Deciles[9])
	out.Poorest, out.Richest = stats.Mean(poorest), stats.Mean(richest)
	if len(poorest) == len(richest) {
		out.Clear = g.tilt > 0 && shared(stats.PairedTTest(poorest, richest, g.confidence).P, g.tilt) < 1-g.confidence
	}
	return out
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

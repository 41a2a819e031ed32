package inference

import (
	"context"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Diagnostics say how far the numbers of an analysis can be trusted.
type Diagnostics struct {
	Replications int         `json:"replications"`
	SteadyState  SteadyState `json:"steady_state"`
	Settling     Settling    `json:"settling" doc:"of the control"`
	BurnIn       BurnInNote  `json:"burn_in"`
	Power        []PowerRow  `json:"power" doc:"difference found with 80 % power"`
	Warnings     []string    `json:"warnings"` // Notes in English; empty here, see [report.Analyse]
	Notes        []Note      `json:"-"`

	PowerByWindow []PowerRow `json:"-"` // those of Power, which are of the main window, and of the others
}

// SteadyState says whether rates still drift in the window.
type SteadyState struct {
	Verdict string       `json:"verdict"` // steady, drifting, unclear, not judged
	Checks  []DriftCheck `json:"checks"`
}

// DriftCheck is the trend of an indicator over the window: the slope of a straight line
// in each replication, tested over replications.
type DriftCheck struct {
	Arm          string       `json:"arm"`
	Metric       string       `json:"metric"`
	DriftPerYear stats.Number `json:"drift_per_year"`
	CILow        stats.Number `json:"ci_low"`
	CIHigh       stats.Number `json:"ci_high"`
	PAdjusted    stats.Number `json:"p_adjusted"` // of a trend beyond the tolerance
	Verdict      string       `json:"verdict"`    // as that of the whole
}

// BurnInNote says how the economies came into being.
type BurnInNote struct {
	Months int      `json:"months"`
	Apart  []string `json:"apart" doc:"parameters with a burn-in of their own"`
}

// PowerRow is what an experiment of this size can find in one outcome.
type PowerRow struct {
	Metric     string       `json:"metric"`
	Arm        string       `json:"arm"`
	Window     Window       `json:"-"`
	Detectable stats.Number `json:"detectable"` // in the outcome's unit
	Percent    stats.Number `json:"percent"`    // of the control; absent for shares

	SmallestEffect stats.Number `json:"-"` // of interest; the rows of treatment effects have it
	Replications90 stats.Number `json:"replications_90" doc:"for smallest_effect, 90 % power"`
}

// Settings of the diagnostics.
const (
	DriftTolerance = .005 // a year: half a percentage point, or as much of a Gini coefficient
	driftMonthsMin = 24   // of a window in which a drift can be told from a cycle
	powerWanted    = .8
)

// driftIndicators are rates that have no trend in an economy that has settled.
var driftIndicators = []sim.Indicator{
	sim.UnemploymentRate,
	sim.Inflation,
	sim.LabourShare,
	sim.SavingRate,
	sim.DebtToGDP,
	sim.IncomeGini,
	sim.WealthGini,
}

// diagnose is left unfinished where the context is cancelled.
func diagnose(ctx context.Context, s *tables.Study, c Choice, rows []ComparisonRow, notes []Note) Diagnostics {
	out := Diagnostics{
		Replications: len(
			s.Main().Panel,
		), SteadyState: steadyState(s, c), Settling: settle(ctx, s, c), Power: []PowerRow{}, Warnings: []string{}, Notes: notes,
		BurnIn: BurnInNote{Months: s.Arms[0].Params.BurnInMonths, Apart: []string{}},
	}
	for k := range s.Arms {
		out.BurnIn.Apart = append(out.BurnIn.Apart, s.Arms[k].BurntInApart...)
	}
	if last := s.LastMonth(); last < s.Months {
		out.Notes = append(out.Notes, Note{NotAllSimulated, []any{last, s.Months}})
	}
	switch out.SteadyState.Verdict {
	case "unclear":
		out.Notes = append(out.Notes, Note{Kind: SteadyUnclear})
	case "drifting":
		out.Notes = append(out.Notes, Note{Kind: StillDrifting})
	}
	out.Notes = append(out.Notes, out.Settling.notes()...)
	if len(s.Arms) < 2 {
		return out
	}
	for _, arm := range s.Arms[1:] {
		for _, i := range c.Metrics {
			if ctx.Err() != nil {
				return out
			}
			for _, w := range c.Windows {
				if !c.shows(i, w) {
					continue
				}
				level := 1.
				for k := range rows {
					if rows[k].Metric == i.String() && rows[k].Arm == arm.Name && rows[k].Window == w {
						level = rows[k].Level
					}
				}
				row := powerRow(i, w, s.Arms[0].Panel, &arm, c, 1-(1-c.Confidence)*level)
				if w == c.main() {
					out.Power = append(out.Power, row)
				}
				out.PowerByWindow = append(out.PowerByWindow, row)
			}
		}
	}
	return out
}

// powerRow says what the pairs of an arm and the control can find in an indicator over a window, at the confidence at
// which its verdict is judged.
func powerRow(i sim.Indicator, w Window, control tables.Panel, arm *tables.StudyArm, c Choice, confidence float64) PowerRow {
	a, b := stats.DefinedPairs(control.WindowMeans(i, w.From, w.To), arm.Panel.WindowMeans(i, w.From, w.To))
	detectable := stats.PairedInterval(a, b, confidence).Detectable(confidence, powerWanted)
	level := stats.Mean(a)
	smallest := c.smallest(i, level)
	row := PowerRow{
		Metric:         i.String(),
		Arm:            arm.Name,
		Window:         w,
		Detectable:     stats.Number(detectable),
		Percent:        stats.Number(percentOf(detectable, level)),
		SmallestEffect: stats.Number(smallest),
		Replications90: replicationsFor(smallest, a, b, confidence),
	}
	if tables.IsShare(i) {
		row.Percent = stats.Absent
	}
	return row
}

// replicationsFor is the number of pairs that would find a true difference with high power
// in this outcome, if pairs scatter as they did; where differences are rare, that which shows that
// they are, and absent where no number does or there are too few to tell.
func replicationsFor(difference float64, a, b []float64, confidence float64) stats.Number {
	d := stats.Differences(a, b)
	if n, rare := stats.Differing(d); rare && difference > 0 {
		return stats.Number(stats.RareReplications(n, confidence))
	}
	if n, ok := stats.ReplicationsLike(d, difference, powerToSettle, confidence); ok {
		return stats.Number(n)
	}
	return stats.Absent
}

// beyond is the p-value of a trend that is steeper than the tolerance, whichever way the mean of the slopes goes: 1 where it is not.
func beyond(slopes []float64, mean, confidence float64) float64 {
	if !(math.Abs(mean) > DriftTolerance) {
		return 1
	}
	edge := slices.Repeat([]float64{math.Copysign(DriftTolerance, mean)}, len(slopes))
	return stats.PairedTTest(edge, slopes, confidence).P
}

// driftVerdicts are ordered from the least to the most telling; that of the whole is the
// most telling of its checks.
var driftVerdicts = []string{"not judged", "steady", "unclear", "drifting"}

// steadyState tests the drift of rates over the window in the first and the last arm. A
// rate is steady where two one-sided tests say that its trend is within the tolerance, which
// is where the interval of confidence 1 - 2 alpha lies within. It drifts where a test says that its trend is beyond the
// tolerance (Holm over all checks): where it is only clear that there is one, what drifts by less would be called
// drifting in one A/A experiment of nine. Else nothing is clear: a
// small trend that few replications show is no evidence of none.
func steadyState(s *tables.Study, c Choice) SteadyState {
	out := SteadyState{Verdict: "not judged", Checks: []DriftCheck{}}
	arms := []*tables.StudyArm{s.Main()}
	if s.Control() != nil {
		arms = []*tables.StudyArm{s.Control(), s.Main()}
	}
	window := c.main()
	if window.To-window.From+1 < driftMonthsMin {
		return out
	}
	years := make([]float64, window.To-window.From+1)
	for m := range years {
		years[m] = float64(m) / tables.MonthsPerYear
	}
	var p, within []float64
	for _, arm := range arms {
		for _, i := range driftIndicators {
			var slopes []float64
			for _, series := range arm.Panel {
				if x := stats.Slope(years, series[i][window.From-1:window.To]); !math.IsNaN(x) {
					slopes = append(slopes, x)
				}
			}
			none := make([]float64, len(slopes))
			t := stats.PairedTTest(none, slopes, c.Confidence)
			smaller := stats.PairedTOST(none, slopes, DriftTolerance)
			if n, _ := stats.Differing(slopes); n == 0 && len(slopes) >= 2 { // a rate that does not move at all is no rare event
				smaller = 0
			}
			p, within = append(p, beyond(slopes, t.Difference.Mean, c.Confidence)), append(within, smaller)
			out.Checks = append(
				out.Checks,
				DriftCheck{
					arm.Name,
					i.String(),
					stats.Number(t.Difference.Mean),
					stats.Number(t.Difference.Low),
					stats.Number(t.Difference.High),
					stats.Absent,
					"not judged",
				},
			)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		check := &out.Checks[k]
		check.PAdjusted = stats.Number(adjusted)
		switch {
		case math.IsNaN(within[k]):
			continue
		case within[k] < 1-c.Confidence:
			check.Verdict = "steady"
		case adjusted < 1-c.Confidence:
			check.Verdict = "drifting"
		default:
			check.Verdict = "unclear"
		}
		out.Verdict = moreTelling(driftVerdicts, out.Verdict, check.Verdict)
	}
	return out
}

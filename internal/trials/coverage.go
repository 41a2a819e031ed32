package trials

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// coverageSizes are the numbers of pairs of which coverage is measured, and coverageJudged those of them that have a target.
var coverageSizes, coverageJudged = []int{5, 10, 20, 40}, []int{10, 20}

// CoverageCell is how often the interval of an effect covers the truth, which is its mean over all pairs. A cell is outside if its
// exact 99.9 % interval lies wholly outside 93 to 97 %.
type CoverageCell struct {
	Policy   string  `json:"policy"`
	Metric   string  `json:"metric"`
	From     int     `json:"from_month"`
	To       int     `json:"to_month"`
	N        int     `json:"n"`
	Rate     float64 `json:"rate"`
	Outside  bool    `json:"outside"`
	Skewness float64 `json:"skewness"` // of the differences, over all pairs
}

// judged says that the coverage of the cell has a target.
func (c CoverageCell) judged() bool { return slices.Contains(coverageJudged, c.N) }

// Pass says whether the cell is within its target, where it has one.
func (c CoverageCell) Pass() bool { return !c.judged() || !c.Outside }

// thirds are the two windows that an answer tells by default: the transition and the end.
func (t *placeboTrial) thirds() [2]inference.Window {
	months := t.Scenario.Params.NumIterations
	third := max(1, months/3)
	return [2]inference.Window{{From: 1, To: third}, {From: months - third + 1, To: months}}
}

// differences are those of a policy in an outcome over a window, and the levels of the control; varies is false where
// most pairs do not differ at all.
func (t *placeboTrial) differences(policy int, i sim.Indicator, w inference.Window) (d, control []float64, varies bool) {
	control = t.panels[armControl].WindowMeans(i, w.From, w.To)
	d = stats.Differences(control, t.panels[firstPolicy+policy].WindowMeans(i, w.From, w.To))
	n, _ := stats.Differing(d)
	return d, control, 2*n > len(d) && stats.StdDev(d) > 0
}

// coverage measures each outcome under each policy in both windows.
func (t *placeboTrial) coverage() (cells []CoverageCell) {
	for k, policy := range policies {
		for _, i := range inference.Outcomes {
			for _, w := range t.thirds() {
				d, _, varies := t.differences(k, i, w)
				if !varies {
					continue
				}
				truth, random := stats.Mean(d), rand.New(rand.NewPCG(uint64(k), uint64(i)<<8+uint64(w.From)))
				for _, n := range coverageSizes {
					covered, none, some := 0, make([]float64, n), make([]float64, n)
					for range t.Sequences {
						for r := range some {
							some[r] = d[random.IntN(len(d))]
						}
						if iv := stats.PairedInterval(none, some, tables.DefaultConfidence); iv.Low <= truth && truth <= iv.High {
							covered++
						}
					}
					low, high := stats.ProportionInterval(covered, t.Sequences, .999)
					cells = append(cells, CoverageCell{
						Policy: policy.parameter, Metric: i.String(), From: w.From, To: w.To, N: n, Skewness: stats.Skewness(d),
						Rate: float64(covered) / float64(t.Sequences), Outside: high < .93 || low > .97,
					})
				}
			}
		}
	}
	return cells
}

// StoppingRow is what becomes of intervals where replications are added until they are narrow: see [inference.WidthRule].
type StoppingRow struct {
	Target    float64 `json:"half_width"`
	Sequences int     `json:"sequences"`
	Covered   float64 `json:"covered"` // share of all
	Stopped   float64 `json:"stopped"` // share that ended before the cap
	Mean      float64 `json:"mean_replications"`
}

// stoppingCap is the most replications that the rule adds.
const stoppingCap = 100

// stopping draws sequences of pairs of real effects, one after the other of all outcomes, windows and policies.
func (t *placeboTrial) stopping() (rows []StoppingRow) {
	for _, target := range []float64{.1, .3, inference.WidestHalfWidth} {
		row := StoppingRow{Target: target}
		for row.Sequences < t.Sequences {
			before := row.Sequences
			for k := range policies {
				for _, i := range inference.Outcomes {
					for _, w := range t.thirds() {
						if d, control, varies := t.differences(k, i, w); varies {
							t.stopAt(&row, i, d, control)
						}
					}
				}
			}
			if row.Sequences == before {
				return rows
			}
		}
		n := float64(row.Sequences)
		row.Covered, row.Stopped, row.Mean = row.Covered/n, row.Stopped/n, row.Mean/n
		rows = append(rows, row)
	}
	return rows
}

// sequencesAtOnce are drawn of an effect before the next one.
const sequencesAtOnce = 20

// stopAt counts some sequences of an effect.
func (t *placeboTrial) stopAt(row *StoppingRow, i sim.Indicator, d, control []float64) {
	truth := stats.Mean(d)
	for range sequencesAtOnce {
		random := rand.New(rand.NewPCG(uint64(row.Sequences), uint64(1e4*row.Target)))
		x, level := make([]float64, stoppingCap), 0.0
		for r := range x {
			place := random.IntN(len(d))
			x[r] = d[place]
			if r < inference.FirstReplications {
				level += control[place] / inference.FirstReplications
			}
		}
		rule := inference.WidthRule{Outcome: i, Target: row.Target, Smallest: inference.SmallestEffect(i, level), Most: stoppingCap}
		n, why := rule.Wanted([][]float64{x})
		iv := stats.PairedInterval(make([]float64, n), x[:n], tables.DefaultConfidence)
		row.Sequences++
		row.Mean += float64(n)
		if strings.HasPrefix(why, "stopped") {
			row.Stopped++
		}
		if iv.Low <= truth && truth <= iv.High {
			row.Covered++
		}
	}
}

// PlaceboShare is in how many A/A experiments something is found, and how many may.
type PlaceboShare struct {
	What        string  `json:"what"`
	Rate        float64 `json:"rate"`
	Experiments int     `json:"experiments"`
	High        float64 `json:"high"` // of the target
}

// Pass says whether it is within its target.
func (s PlaceboShare) Pass() bool { return s.Rate <= s.High }

// questionsAsked is how many questions are asked one by one in each experiment.
const questionsAsked = 20

// asking is in how many A/A experiments something is found by who reads what was planned and then asks about one outcome
// after the other, each in the ledger.
func (t *placeboTrial) asking(ctx context.Context) (PlaceboShare, error) {
	var beyond []sim.Indicator
	for i := range sim.NumIndicators {
		d := stats.Differences(t.panels[armControl].WindowMeans(i, 1, 1), t.panels[armAgain].WindowMeans(i, 1, 1))
		if stats.StdDev(d) > 0 && len(beyond) < questionsAsked && !slices.Contains(inference.Outcomes, i) {
			beyond = append(beyond, i)
		}
	}
	out := PlaceboShare{
		What:        fmt.Sprintf("A plan, then %d questions one by one about other outcomes: something is found", len(beyond)),
		Experiments: t.Experiments, High: .072,
	}
	found := make([]bool, t.Experiments)
	err := t.each(ctx, "asked", func(ctx context.Context, k int) error {
		l := t.draw(k, t.Replications, 0).overWindow()
		var asked []inference.Asked
		ledger := func(now []inference.Asked) ([]inference.Asked, int, error) {
			question := 1
			for _, a := range asked {
				question = max(question, a.Question+1)
			}
			for _, a := range now {
				a.Question = question
				asked = append(asked, a)
			}
			return asked, 0, nil
		}
		plan := inference.Planned{}
		for q := -1; q < len(beyond); q++ {
			choice := inference.Choice{Plan: &plan, Ledger: ledger}
			if q >= 0 {
				choice.Metrics = beyond[q : q+1]
			}
			c, err := triedTests[0].compareBy(ctx, l[first], l[second], choice)
			if err != nil {
				return err
			}
			found[k] = found[k] || anyOf(c.Rows, isEffect) > 0
		}
		return nil
	})
	out.Rate = shareOf(found, func(f *bool) bool { return *f })
	return out, err
}

// mostWithGroups is of how many pairs the groups of households are measured too: they are simulated once more.
const mostWithGroups = 400

// tables is in how many A/A experiments a group of households is said to gain or lose, or the public budget to change.
func (t *placeboTrial) tables(ctx context.Context) ([]PlaceboShare, error) {
	n, months := min(t.N, mostWithGroups), t.Scenario.Params.NumIterations
	var windows [2][]*tables.RecordMeans
	for a := range windows {
		for range n {
			windows[a] = append(windows[a], new(tables.RecordMeans))
		}
	}
	arms, err := t.arms()
	if err != nil {
		return nil, err
	}
	if _, err := (run.Simulation{
		Arms: arms[:firstPolicy], Seeds: t.population.seeds[:n], Months: months, Threads: t.Threads,
		Observe: func(arm, replication int, e *sim.Economy) error {
			if e.Month() > months/2 {
				windows[arm][replication].Add(e.Latest(), e.Params())
			}
			return nil
		},
	}).Run(ctx); err != nil {
		return nil, err
	}
	out := []PlaceboShare{
		{What: "A group of households is said to gain or to lose", High: .025},
		{What: "The poorest and the richest tenth are said to differ", High: .025},
		{What: "The public budget is said to change", High: .025},
		{What: "A rate is called drifting that drifts by less than half a point a year in the mean over all pairs", High: .072},
		{What: "A rate is called steady that drifts by more", High: .072},
	}
	truth := t.drifts(months/2 + 1)
	found := make([][]bool, t.Experiments)
	err = t.each(ctx, "tables judged", func(ctx context.Context, k int) error {
		random := rand.New(rand.NewPCG(uint64(k), 2))
		s := &tables.Study{Name: "x", Seed: uint64(k), Months: months, Arms: []tables.StudyArm{{Name: "control"}, {Name: "treatment"}}}
		for _, place := range random.Perm(n)[:min(n, t.Replications)] {
			s.Seeds = append(s.Seeds, t.population.seeds[place])
			coin := random.IntN(2)
			for a := range s.Arms {
				from := (a + coin) % 2
				s.Arms[a].Params = t.Scenario.Params
				s.Arms[a].Panel = append(s.Arms[a].Panel, t.panels[armControl+from][place])
				s.Arms[a].Window = append(s.Arms[a].Window, windows[from][place])
			}
		}
		a, err := inference.Analyse(ctx, s, inference.Choice{Plan: &inference.Planned{}}, nil)
		if err != nil {
			return err
		}
		changes := func(r *inference.GainRow) bool { return r.Verdict == "gains" || r.Verdict == "loses" }
		drifting, steady := false, false
		for _, check := range a.Diagnostics.SteadyState.Checks {
			beyond := math.Abs(truth[check.Metric]) > inference.DriftTolerance
			drifting = drifting || check.Verdict == "drifting" && !beyond
			steady = steady || check.Verdict == "steady" && beyond
		}
		found[k] = []bool{anyOf(a.Distribution.Rows, changes) > 0, a.Tilt.Clear, anyOf(a.Budget, changes) > 0, drifting, steady}
		return nil
	})
	for k := range out {
		out[k].Experiments = t.Experiments
		out[k].Rate = shareOf(found, func(f *[]bool) bool { return *f != nil && (*f)[k] })
	}
	return out, err
}

// drifts are the slopes a year of the indicators from a month on, in the mean over all controls.
func (t *placeboTrial) drifts(from int) map[string]float64 {
	out := map[string]float64{}
	for i := range sim.NumIndicators {
		var years, slopes []float64
		for m := from; m <= t.Scenario.Params.NumIterations; m++ {
			years = append(years, float64(m)/tables.MonthsPerYear)
		}
		for _, series := range t.panels[armControl] {
			if slope := stats.Slope(years, series[i][from-1:]); !math.IsNaN(slope) {
				slopes = append(slopes, slope)
			}
		}
		out[i.String()] = stats.Mean(slopes)
	}
	return out
}

// policyText names the policies with their values.
func policyText() string {
	var list []string
	for _, p := range policies {
		list = append(list, fmt.Sprintf("`%s` %g", p.parameter, p.to))
	}
	return strings.Join(list, ", ")
}

// count counts the rates with a target, and those within it. Of coverage each cell has one.
func (r *PlaceboReport) count() {
	judge := func(pass bool) {
		r.Total++
		if pass {
			r.Passed++
		}
	}
	for _, rate := range r.Rates {
		if !math.IsNaN(float64(rate.High)) {
			judge(rate.Pass())
		}
	}
	for _, share := range append([]PlaceboShare{r.Asking}, r.Tables...) {
		judge(share.Pass())
	}
	for _, cell := range r.Coverage {
		if cell.judged() {
			judge(!cell.Outside)
		}
	}
	for _, row := range r.Stopping {
		judge(row.pass())
	}
}

func (s StoppingRow) pass() bool { return math.Abs(s.Covered-tables.DefaultConfidence) <= .005 }

// coverageMarkdown writes a table for each window: an outcome a row, a policy a column.
func (r *PlaceboReport) coverageMarkdown(b *strings.Builder) {
	if len(r.Coverage) == 0 {
		return
	}
	fmt.Fprintf(b, "### Coverage of real effects\n\nHow often the 95 %% interval of an effect covers the truth, the mean over all %d pairs, in %d experiments "+
		"of so many pairs drawn from them, in %%. A cell is an outcome in a window under a policy; it is outside where its exact 99.9 %% interval lies "+
		"wholly outside 93 to 97. What most pairs do not differ in has no interval, and no cell. With %d and with %d pairs no cell should be "+
		"outside.\n\n| pairs | mean over cells | least | most | cells outside |\n|---|---|---|---|---|\n",
		r.Pairs, r.Sequences, coverageJudged[0], coverageJudged[1])
	for _, n := range coverageSizes {
		var rates []float64
		outside := 0
		for _, c := range r.Coverage {
			if c.N == n {
				rates = append(rates, c.Rate)
				if c.Outside {
					outside++
				}
			}
		}
		fmt.Fprintf(b, "| %d | %.2f | %.1f | %.1f | %d of %d |\n", n, 100*stats.Mean(rates), 100*slices.Min(rates), 100*slices.Max(rates), outside, len(rates))
	}
	fmt.Fprintf(b, "\nBy outcome, with %d and with %d pairs; cells outside are bold:\n\n", coverageJudged[0], coverageJudged[1])
	var windows []inference.Window
	for _, c := range r.Coverage {
		w := inference.Window{From: c.From, To: c.To}
		if !slices.Contains(windows, w) {
			windows = append(windows, w)
		}
	}
	for _, w := range windows {
		fmt.Fprintf(b, "| months %d to %d |", w.From, w.To)
		for _, p := range policies {
			fmt.Fprintf(b, " `%s` |", p.parameter)
		}
		fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(policies)))
		for _, i := range inference.Outcomes {
			fmt.Fprintf(b, "| `%s` |", i)
			for _, p := range policies {
				fmt.Fprintf(b, " %s |", r.cellText(p.parameter, i.String(), w))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
}

// cellText is the coverage of an effect by the number of pairs.
func (r *PlaceboReport) cellText(policy, metric string, w inference.Window) string {
	var cells []string
	for _, c := range r.Coverage {
		if c.judged() && c.Policy == policy && c.Metric == metric && c.From == w.From && c.To == w.To {
			text := fmt.Sprintf("%.1f", 100*c.Rate)
			if c.Outside {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
	}
	if cells == nil {
		return "–"
	}
	return strings.Join(cells, ", ")
}

// stoppingMarkdown writes what becomes of intervals and of verdicts by rules.
func (r *PlaceboReport) stoppingMarkdown(b *strings.Builder) {
	b.WriteString("### Rules that look more than once\n\n| | target | rate, % |\n|---|---|---|\n")
	bold := func(text string, pass bool) string {
		if pass {
			return text
		}
		return "**" + text + "**"
	}
	for _, s := range r.Stopping {
		fmt.Fprintf(b, "| `replications=auto` until a relative half-width of %g or half of the smallest effect, at most %d: %d sequences of real "+
			"effects, %.0f replications in the mean, %.0f %% end before that: intervals that cover the truth | 94.5 to 95.5 | %s |\n",
			s.Target, stoppingCap, s.Sequences, s.Mean, 100*s.Stopped, bold(fmt.Sprintf("%.1f", 100*s.Covered), s.pass()))
	}
	for _, s := range append([]PlaceboShare{r.Asking}, r.Tables...) {
		fmt.Fprintf(b, "| %s, in %d A/A experiments | at most %.3g | %s |\n", s.What, s.Experiments, 100*s.High,
			bold(fmt.Sprintf("%.1f", 100*s.Rate), s.Pass()))
	}
	b.WriteString("\n")
}

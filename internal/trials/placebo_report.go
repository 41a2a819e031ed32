package trials

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// PlaceboReport is what the tests said of experiments whose truth is known.
type PlaceboReport struct {
	Passed       int            `json:"passed"` // rates within their targets
	Total        int            `json:"total"`  // rates with a target
	Tests        []string       `json:"tests"`
	Rates        []PlaceboRate  `json:"rates"`
	ByOutcome    []PlaceboCalls `json:"by_outcome"`
	Coverage     []CoverageCell `json:"coverage"` // of the policies' effects
	Stopping     []StoppingRow  `json:"stopping"`
	Asking       PlaceboShare   `json:"asking"`
	Tables       []PlaceboShare `json:"tables"`
	Pairs        int            `json:"pairs"`
	Sequences    int            `json:"sequences"` // drawn from them for the coverage of each effect, and for each rule
	Scenario     string         `json:"scenario"`
	ScenarioHash string         `json:"scenario_hash"`
	ModelVersion string         `json:"model_version"`
	Experiments  int            `json:"experiments"`
	Replications int            `json:"replications"` // of each side
	Households   int            `json:"households"`
	BurnInMonths int            `json:"burn_in_months"`
	Months       int            `json:"months"`
	From         int            `json:"from_month"` // of the window
	Seed         uint64         `json:"seed"`
	Confidence   float64        `json:"confidence"`
	Command      string         `json:"-"` // that made it, for Markdown; the caller's
}

// PlaceboRate is how often something happens, over all experiments.
type PlaceboRate struct {
	Measure       string       `json:"measure"`
	Test          string       `json:"test"`
	Rate          float64      `json:"rate"`           // share
	StandardError float64      `json:"standard_error"` // by the scatter between experiments
	Predicted     stats.Number `json:"predicted"`      // by the package's formula for the power; null without one
	Low           stats.Number `json:"low"`            // of the target; null where there is none
	High          stats.Number `json:"high"`
}

// Pass says whether a rate lies within its target. What has no target passes.
func (r PlaceboRate) Pass() bool {
	return !(r.Rate < float64(r.Low)) && !(r.Rate > float64(r.High))
}

// MarshalJSON implements [json.Marshaler].
func (r PlaceboRate) MarshalJSON() ([]byte, error) {
	type plain PlaceboRate
	return json.Marshal(struct {
		plain
		Pass bool `json:"pass"`
	}{plain(r), r.Pass()})
}

// PlaceboCalls is how often an effect on an outcome is called without one, before
// adjustment.
type PlaceboCalls struct {
	Metric string    `json:"metric"`
	Rates  []float64 `json:"rates"` // of each test
}

// measures are the rows of the table. What is not promised of a rate is NaN.
var measures = [numMeasures]struct {
	id, name  string
	low, high float64
}{
	falseCalls: {"false_calls", "Effects that are not there: called before adjustment, of all (experiment, outcome) " +
		"pairs", .03, .07},
	falseVerdictsRomanoWolf: {"false_verdicts_romano_wolf", "… in one outcome or more of an experiment, after Romano–Wolf: verdict " +
		"“supported” or “contradicted”", 0, .072},
	falseVerdictsHolm: {"false_verdicts_holm", "… the same after Holm", 0, .072},
	zeroCovered:       {"zero_covered", "Intervals that cover the true difference, zero", .93, .97},
	pathCovered:       {"path_covered", "Bands that hold the whole true path, zero in each month", .93, .97},
	falseEquivalence:  {"false_equivalence", "A difference as large as the smallest effect of interest is called smaller", 0, .07},
	powerKnown:        {"power_known", "Power: a known effect of one standard deviation is called", absentTarget, absentTarget},
	powerReal:         {"power_real", "Power: the effects of the policies are called", absentTarget, absentTarget},
	realCovered:       {"real_covered", "Intervals that cover a policy's true effect", .93, .97},
	realWrong:         {"real_wrong", "Experiments that support an effect of a policy with the wrong sign", 0, .072},
}

var absentTarget = math.NaN()

// powerTolerance is how far the power of a t test may be from the one that is predicted: the
// prediction supposes normal numbers.
const powerTolerance = .05

// report puts the scores together.
func (t *placeboTrial) report() *PlaceboReport {
	s := t.Scenario
	out := &PlaceboReport{
		Tests: t.names, Pairs: t.N, Sequences: t.Sequences,
		Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion,
		Experiments: t.Experiments, Replications: t.Replications, Households: s.Params.NumHouseholds,
		BurnInMonths: s.BurnIn.BurnInMonths, Months: s.Params.NumIterations, From: s.Params.NumIterations/2 + 1,
		Seed: uint64(s.Params.RandomState), Confidence: tables.DefaultConfidence,
	}
	for m, row := range measures {
		for j, test := range triedTests {
			each := make([]float64, t.Experiments)
			for k := range each {
				each[k] = t.scores[k][j][m]
			}
			rate := stats.Mean(each)
			if math.IsNaN(rate) {
				continue
			}
			r := PlaceboRate{
				Measure: row.id, Test: t.names[j], Rate: rate, StandardError: stats.StdDev(each) / math.Sqrt(float64(len(each))),
				Predicted: stats.Number(t.predicted(measure(m), test)), Low: stats.Number(row.low), High: stats.Number(row.high),
			}
			if !math.IsNaN(float64(r.Predicted)) {
				r.Low, r.High = r.Predicted-powerTolerance, r.Predicted+powerTolerance
			}
			out.Rates = append(out.Rates, r)
		}
	}
	for n, i := range inference.Outcomes {
		calls := PlaceboCalls{Metric: i.String()}
		for j := range triedTests {
			calls.Rates = append(calls.Rates, shareOf(t.calls, func(tests *[][]bool) bool { return (*tests)[j][n] }))
		}
		out.ByOutcome = append(out.ByOutcome, calls)
	}
	return out
}

// predicted is the power that the package's formulas predict of a t test; NaN of anything
// else.
func (t *placeboTrial) predicted(m measure, test tried) float64 {
	if test.family != inference.TestT {
		return math.NaN()
	}
	n, confidence := t.Replications, tables.DefaultConfidence
	power := func(effect, ofPairs, control, treated float64) float64 {
		if test.paired {
			return stats.PairedPower(n, effect, ofPairs, confidence)
		}
		return stats.WelchPower(n, n, effect, control, treated, confidence)
	}
	switch m {
	case powerKnown:
		return power(knownEffect, 1, 1, 1)
	case powerReal:
		var mean float64
		for _, of := range t.real {
			for _, i := range inference.Outcomes {
				e := of[i]
				if e.ofPairs > 0 {
					mean += power(e.mean, e.ofPairs, e.control, e.treated) / float64(len(inference.Outcomes)*len(t.real))
				}
			}
		}
		return mean
	}
	return math.NaN()
}

// Rate finds a rate; ok is false where the measure does not concern the test.
func (r *PlaceboReport) Rate(measure, test string) (rate PlaceboRate, ok bool) {
	for _, rate := range r.Rates {
		if rate.Measure == measure && rate.Test == test {
			return rate, true
		}
	}
	return PlaceboRate{}, false
}

// Markdown is the section of docs/VALIDATION.md. It holds no times, so that the same command
// on the same model gives the same text.
func (r *PlaceboReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Tests, intervals and verdicts\n\n**%d of %d** rates lie within their targets.\n\n", r.Passed, r.Total)
	if r.Command != "" {
		fmt.Fprintf(&b, "Generated by `%s`; do not edit.\n\n", r.Command)
	}
	fmt.Fprintf(&b, "| setting | value |\n|---|---|\n")
	fmt.Fprintf(&b, "| model version; scenario | %s; `%s` |\n| scenario hash | `%s` |\n", r.ModelVersion, r.Scenario, r.ScenarioHash)
	fmt.Fprintf(&b, "| experiments of each kind, from seed %d | %d |\n| replications a side | %d |\n", r.Seed, r.Experiments, r.Replications)
	fmt.Fprintf(
		&b, "| households | %d |\n| months after a burn-in of %d; window | %d; %d to %d |\n", r.Households, r.BurnInMonths, r.Months, r.From,
		r.Months,
	)
	fmt.Fprintf(&b, "| outcomes | %d, those of a plan that names none |\n", len(r.ByOutcome))
	fmt.Fprintf(&b, "| pairs of real economies, from which the experiments are drawn | %d, each under %s |\n\n", r.Pairs, policyText())
	b.WriteString("Rates in %, with the standard error of the simulation: of experiments, because the outcomes of one depend on each " +
		"other. What misses its target is bold.\n\n")
	fmt.Fprintf(&b, "| | target | %s |\n|---|---|%s\n", strings.Join(r.Tests, " | "), strings.Repeat("---|", len(r.Tests)))
	for _, row := range r.Table() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", row.Name, row.Target, strings.Join(row.Cells, " | "))
	}
	b.WriteString("\nIn the experiments of the first five rows nothing differs but the random draws: both arms go on from the " +
		"same burnt-in states, or for independent samples from as many others, each with draws of its own, and the same comparison that " +
		"answers users says what it finds. ")
	b.WriteString("A test within its targets errs as often as it says and no more, its interval covers what it promises to, and the " +
		"number of replications that is advised for 90 % power gives about that (in brackets: the power predicted, for normal numbers). ")
	b.WriteString("Nothing here says that the model is right: it says that what a verdict calls an effect is one of the model and not " +
		"of chance.\n\n")
	r.coverageMarkdown(&b)
	r.stoppingMarkdown(&b)
	fmt.Fprintf(&b, "Effects that are not there, by outcome, in %% of experiments before adjustment (a rate of 5 %% has a standard "+
		"error of %.1f):\n\n", 100*math.Sqrt(.05*.95/float64(r.Experiments)))
	fmt.Fprintf(&b, "| outcome | %s |\n|---|%s\n", strings.Join(r.Tests, " | "), strings.Repeat("---|", len(r.Tests)))
	for _, calls := range r.ByOutcome {
		var cells []string
		for _, rate := range calls.Rates {
			cells = append(cells, fmt.Sprintf("%.1f", 100*rate))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", calls.Metric, strings.Join(cells, " | "))
	}
	return b.String()
}

// PlaceboRow is a row of the table for people: a cell for each test.
type PlaceboRow struct {
	Name, Target string
	Cells        []string
}

// Table is the table for people, in per cent.
func (r *PlaceboReport) Table() []PlaceboRow {
	var rows []PlaceboRow
	for _, m := range measures {
		row := PlaceboRow{Name: m.name, Target: targetText(m.low, m.high)}
		for _, test := range r.Tests {
			rate, ok := r.Rate(m.id, test)
			row.Cells = append(row.Cells, rate.text(ok))
		}
		rows = append(rows, row)
	}
	return rows
}

func targetText(low, high float64) string {
	switch {
	case math.IsNaN(high):
		return fmt.Sprintf("predicted ± %g", 100*powerTolerance)
	case low == 0:
		return fmt.Sprintf("at most %.3g", 100*high)
	}
	return fmt.Sprintf("%.3g to %.3g", 100*low, 100*high)
}

func (r PlaceboRate) text(ok bool) string {
	if !ok {
		return "–"
	}
	text := fmt.Sprintf("%.1f ± %.1f", 100*r.Rate, 100*r.StandardError)
	if !math.IsNaN(float64(r.Predicted)) {
		text += fmt.Sprintf(" (%.1f)", 100*float64(r.Predicted))
	}
	if !r.Pass() {
		text = "**" + text + "**"
	}
	return text
}

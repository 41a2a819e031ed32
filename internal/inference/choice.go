package inference

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Outcomes are the indicators that a comparison is about where none are asked for.
var Outcomes = []sim.Indicator{
	sim.RealGDP, sim.UnemploymentRate, sim.Inflation, sim.RealWageMean, sim.LabourShare, sim.RealConsumption, sim.RealInvestment,
	sim.LabourProductivity, sim.IncomeGini, sim.WealthGini, sim.PovertyRate, sim.DebtToGDP, sim.Bankruptcies, sim.HHI,
}

// Choice says what is compared or analysed, and how. The zero value is a comparison of
// which nothing was registered, with the usual settings.
type Choice struct {
	Metrics    []sim.Indicator // empty = the plan's outcomes, else [Outcomes]
	Windows    []Window        // the first is the main one; empty = the plan's windows, else the second half
	Confidence float64         // of intervals, and 1 less the level of tests; 0 = the plan's, else DefaultConfidence
	Test       Test            // "" = the plan's, else TestT
	Adjustment Adjustment      // of the hypotheses that were planned; "" = AdjustRomanoWolf
	Plan       *Planned        // what was registered before the experiment ran; nil = nothing was

	Ledger Ledger // nil = nothing else was asked

	RowsOnly bool // without effects over time and between windows, which take longest

	byPlan   bool // neither metrics nor windows were chosen: what was planned is shown
	resolved bool // what was left open is filled in
}

// Ledger notes what somebody asks beyond plans. It returns all that the same one ever asked beyond them about the same
// arms, these included, each with the number of its question, and how many hypotheses others did, which correct
// nothing here. An error of it is that of the comparison.
type Ledger func(asked []Asked) (own []Asked, byOthers int, err error)

// Window is a span of months from 1, both included. A From of 0 is the first month, a To of 0
// the last one that was simulated.
type Window struct {
	From int `json:"from_month"`
	To   int `json:"to_month"`
}

// Planned is what was registered of an experiment before it ran. A row of a comparison is
// confirmatory if its outcome, window and test are the plan's, all planned windows have been
// simulated, and it is judged at no less than the plan's level against a false finding among
// all planned outcomes and windows; else it is exploratory. A milder level or adjustment that
// is chosen after a look would turn what was not found into a finding.
type Planned struct {
	Outcomes   []sim.Indicator            // the first is the primary one; empty = [Outcomes]
	Windows    []Window                   // empty = the second half
	Of         map[sim.Indicator][]Window // those of Windows that an outcome is judged in; absent = all
	Arms       []string                   // that are held against the control; nil = all
	Pairs      []Pair                     // arms that are held against each other
	Test       Test                       // "" = TestT
	Smallest   map[sim.Indicator]Smallest // effects of interest; absent = the default of [SmallestEffect]
	Expected   map[sim.Indicator]int      // 1 = it rises, -1 = it falls; absent = either
	Confidence float64                    // 0 = DefaultConfidence
	Estimated  []string                   // arms that looks at the data chose: they have intervals, and no p-value
	Unfinished bool                       // its rule for the number of replications has not been met: nothing is confirmatory yet
	Earlier    int                        // other plans that its owner had registered before for the same arms
	Looked     *Look                      // at its data, before it was made: nothing is confirmatory
	Amended    []Amendment                // what it does not say and was done all the same: nothing is confirmatory

	ahead []Window // those of its windows that have not been simulated to their end
}

// Look is that somebody saw results.
type Look struct {
	At         time.Time
	Experiment string // as it was called
}

// Amendment is something that was done to an experiment beyond its plan.
type Amendment struct {
	At    time.Time
	By    string
	Month int // last one simulated when it was done
	Arm   string
	What  string
}

// Smallest is a smallest effect of interest.
type Smallest struct {
	Effect   float64 // above 0, in the unit of the indicator or
	Relative bool    // as a share of the control's mean
}

// In is the effect in the unit of the indicator, where the control's mean is control.
func (s Smallest) In(control float64) float64 {
	if s.Relative {
		return s.Effect * math.Abs(control)
	}
	return s.Effect
}

// Pair is an arm that is held against another, by their names.
type Pair struct{ Arm, With string }

// String is how the pair is called where an arm is: treatment - other.
func (p Pair) String() string { return p.Arm + " - " + p.With }

// ParseMetrics finds indicators by their identifiers.
func ParseMetrics(names []string) ([]sim.Indicator, error) {
	var list []sim.Indicator
	for _, name := range names {
		i, err := sim.LookupIndicator(name)
		if e, ok := errors.AsType[*fault.Error](err); ok {
			e.Field = "metrics"
			return nil, e
		}
		list = withNew(list, i)
	}
	return list, nil
}

// withNew appends what a list does not have yet.
func withNew[T comparable](list []T, more ...T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
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
	c.Windows = []Window{{window[0], window[1]}}
	return c, nil
}

// Needed are the indicators that a comparison reads, without repetition: those that it
// shows, and the other outcomes of the plan, because p-values are adjusted over all of them.
func (c Choice) Needed() []sim.Indicator {
	return withNew(slices.Clone(c.metrics()), c.planned()...)
}

// Breakdowns are those of them that are no headline indicators.
func (c Choice) Breakdowns() []sim.Indicator {
	return slices.DeleteFunc(c.Needed(), func(i sim.Indicator) bool { return !i.IsBreakdown() })
}

// metrics are the indicators that are shown.
func (c Choice) metrics() []sim.Indicator {
	switch {
	case len(c.Metrics) > 0:
		return c.Metrics
	case c.Plan != nil:
		return c.planned()
	}
	return Outcomes
}

// planned are the outcomes of the plan.
func (c Choice) planned() []sim.Indicator {
	switch {
	case c.Plan == nil:
		return nil
	case len(c.Plan.Outcomes) == 0:
		return Outcomes
	}
	return c.Plan.Outcomes
}

// resolve fills in what was not said, for runs of a number of months.
func (c Choice) resolve(months int) (Choice, error) {
	if !c.resolved {
		c.byPlan, c.resolved = len(c.Metrics) == 0 && len(c.Windows) == 0, true
	}
	c.Metrics = c.metrics()
	if c.Confidence == 0 && c.Plan != nil {
		c.Confidence = c.Plan.Confidence
	}
	if c.Confidence == 0 {
		c.Confidence = tables.DefaultConfidence
	}
	if !(0 < c.Confidence && c.Confidence < 1) {
		return c, fault.Range("confidence", fmt.Sprint(c.Confidence), "above 0 and below 1")
	}
	if months < 1 {
		return c, fault.New(fault.InvalidState, "experiment_name", "no month has been simulated yet").
			WithHint("wait until the experiment runs: get_simulation_status")
	}
	secondHalf := []Window{{months/2 + 1, months}}
	if c.Plan != nil {
		plan := *c.Plan
		plan.Outcomes, plan.Test, plan.Confidence = c.planned(), cmp.Or(plan.Test, TestT), cmp.Or(plan.Confidence, tables.DefaultConfidence)
		if len(plan.Windows) == 0 {
			plan.Windows = secondHalf
		}
		plan.ahead = slices.DeleteFunc(slices.Clone(plan.Windows), func(w Window) bool { return w.To <= months })
		c.Plan = &plan
		c.Test = cmp.Or(c.Test, plan.Test)
		if len(c.Windows) == 0 && len(plan.ahead) == 0 {
			c.Windows = plan.Windows
		}
	}
	c.Test, c.Adjustment = cmp.Or(c.Test, TestT), cmp.Or(c.Adjustment, AdjustRomanoWolf)
	if !slices.Contains(Tests, c.Test) {
		return c, fault.Range("test", fmt.Sprintf("%q", c.Test), texts(Tests)...)
	}
	if !slices.Contains(Adjustments, c.Adjustment) {
		return c, fault.Range("adjustment", fmt.Sprintf("%q", c.Adjustment), texts(Adjustments)...)
	}
	if len(c.Windows) == 0 {
		c.Windows = secondHalf
	}
	var windows []Window // without repetition
	for _, w := range c.Windows {
		w = Window{max(1, w.From), cmp.Or(w.To, months)}
		if w.From > w.To || w.To > months {
			return c, fault.Range("window", fmt.Sprintf("%d to %d", w.From, w.To), fmt.Sprintf("months 1 to %d", months))
		}
		windows = withNew(windows, w)
	}
	c.Windows = windows
	return c, nil
}

// Main is the main window that the choice means in a study, in months from 1: the one that
// [tables.StudyArm].Window must hold the means of.
func (c Choice) Main(s *tables.Study) (Window, error) {
	c, err := c.resolve(s.LastMonth())
	if err != nil {
		return Window{}, err
	}
	return c.main(), nil
}

// main is the window that levels, gains, the public budget and diagnostics are about.
func (c Choice) main() Window { return c.Windows[0] }

// judged are the windows in which outcomes are judged: those that are shown and, where one of
// them is as planned, all that were planned, because p-values are adjusted over all of them.
func (c Choice) judged() []Window {
	if slices.ContainsFunc(c.Windows, c.asPlanned) {
		return withNew(slices.Clone(c.Windows), c.Plan.Windows...)
	}
	return c.Windows
}

// confirms says whether a row on the indicator in the window is confirmatory.
func (c Choice) confirms(i sim.Indicator, w Window) bool {
	if !c.asPlanned(w) || !slices.Contains(c.Plan.Outcomes, i) {
		return false
	}
	of, own := c.Plan.Of[i]
	return !own || slices.Contains(of, w)
}

// compares says whether the plan compares the sides of a match.
func (c Choice) compares(m *matched) bool {
	return m.against || c.Plan == nil || c.Plan.Arms == nil || slices.Contains(c.Plan.Arms, m.name)
}

// estimates says whether an arm is one that looks at the data chose, of which no test holds its level.
func (c Choice) estimates(arm string) bool {
	return c.Plan != nil && slices.Contains(c.Plan.Estimated, arm)
}

// shows says whether a comparison has a row on the indicator in the window. By the plan it has none
// in the window of another outcome.
func (c Choice) shows(i sim.Indicator, w Window) bool {
	return slices.Contains(c.Metrics, i) && slices.Contains(c.Windows, w) && !(c.byPlan && c.asPlanned(w) && !c.confirms(i, w))
}

// asPlanned says whether a window, the test and the level are the plan's, and there is nothing
// that the plan still waits for.
func (c Choice) asPlanned(w Window) bool {
	p := c.Plan
	return p != nil && !p.Unfinished && p.Looked == nil && len(p.Amended) == 0 && len(p.ahead) == 0 && slices.Contains(p.Windows, w) &&
		c.Test == p.Test && c.Confidence >= p.Confidence && c.Adjustment != AdjustBenjaminiHochberg
}

// counted says whether there is anything that tells what was planned from what was not.
func (c Choice) counted() bool { return c.Plan != nil || c.Ledger != nil }

// about names what is asked of an indicator in a window.
func (c Choice) about(i sim.Indicator, w Window) string {
	return fmt.Sprintf("%s, months %d to %d, %s", i, w.From, w.To, c.Test)
}

// smallest is the smallest effect of interest on the indicator: the plan's, and else the default.
func (c Choice) smallest(i sim.Indicator, control float64) float64 {
	if c.Plan != nil {
		if s, planned := c.Plan.Smallest[i]; planned {
			return s.In(control)
		}
	}
	return SmallestEffect(i, control)
}

// expected is the direction that the plan expects of an indicator; 0 = either.
func (c Choice) expected(i sim.Indicator) int {
	if c.Plan == nil {
		return 0
	}
	return c.Plan.Expected[i]
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for k, x := range list {
		out[k] = string(x)
	}
	return out
}

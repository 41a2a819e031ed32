package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"econ-mcp/internal/fault"
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
	From, To   int             // months from 1, both included; 0, 0 = the plan's window, else the second half
	Confidence float64         // of intervals, and 1 less the level of tests; 0 = DefaultConfidence
	Test       Test            // "" = the plan's, else TestT
	Adjustment Adjustment      // of the hypotheses that were planned; "" = AdjustRomanoWolf
	Plan       *Planned        // what was registered before the experiment ran; nil = nothing was

	// Ledger notes what is asked beyond the plan and returns all that was ever asked beyond
	// it, these included; nil = nothing else was asked. An error of it is that of the comparison.
	Ledger func(asked []Asked) (all []Asked, err error)
}

// Planned is what was registered of an experiment before it ran. A row of a comparison is
// confirmatory if its outcome, window and test are the plan's, and it is judged at no less
// than the plan's level against a false finding among all; else it is exploratory. A milder
// level or adjustment that is chosen after a look would turn what was not found into a finding.
type Planned struct {
	Outcomes   []sim.Indicator       // the first is the primary one; empty = [Outcomes]
	From, To   int                   // 0, 0 = the second half
	Test       Test                  // "" = TestT
	Smallest   float64               // effect of interest on the primary outcome, in its unit; 0 = the default of [SmallestEffect]
	Expected   map[sim.Indicator]int // 1 = it rises, -1 = it falls; absent = either
	Confidence float64               // 0 = DefaultConfidence
	Unfinished bool                  // its rule for the number of replications has not been met: nothing is confirmatory yet
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

// Needed are the indicators that a comparison reads, without repetition: those that it
// shows, and the other outcomes of the plan, because p-values are adjusted over all of them.
func (c Choice) Needed() []sim.Indicator {
	list := slices.Clone(c.metrics())
	for _, i := range c.planned() {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
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
	c.Metrics = c.metrics()
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
	if c.Plan != nil {
		plan := *c.Plan
		plan.Outcomes, plan.Test, plan.Confidence = c.planned(), cmp.Or(plan.Test, TestT), cmp.Or(plan.Confidence, DefaultConfidence)
		if plan.From == 0 && plan.To == 0 {
			plan.From, plan.To = months/2+1, months
		}
		plan.Expected = maps.Clone(plan.Expected)
		c.Plan = &plan
		c.Test = cmp.Or(c.Test, plan.Test)
		if c.From == 0 && c.To == 0 && plan.To <= months {
			c.From, c.To = plan.From, plan.To
		}
	}
	c.Test, c.Adjustment = cmp.Or(c.Test, TestT), cmp.Or(c.Adjustment, AdjustRomanoWolf)
	if !slices.Contains(Tests, c.Test) {
		return c, fault.Range("test", fmt.Sprintf("%q", c.Test), texts(Tests)...)
	}
	if !slices.Contains(Adjustments, c.Adjustment) {
		return c, fault.Range("adjustment", fmt.Sprintf("%q", c.Adjustment), texts(Adjustments)...)
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

// confirms says whether a row on the indicator is confirmatory.
func (c Choice) confirms(i sim.Indicator) bool {
	return c.asPlanned() && slices.Contains(c.Plan.Outcomes, i)
}

// asPlanned says whether window, test and level are the plan's.
func (c Choice) asPlanned() bool {
	p := c.Plan
	return p != nil && !p.Unfinished && c.From == p.From && c.To == p.To && c.Test == p.Test &&
		c.Confidence >= p.Confidence && c.Adjustment != AdjustBenjaminiHochberg
}

// counted says whether there is anything that tells what was planned from what was not.
func (c Choice) counted() bool { return c.Plan != nil || c.Ledger != nil }

// about names what is asked of an indicator.
func (c Choice) about(i sim.Indicator) string {
	return fmt.Sprintf("%s, months %d to %d, %s", i, c.From, c.To, c.Test)
}

// smallest is the smallest effect of interest on the indicator: the plan's for its primary
// outcome, and else the default.
func (c Choice) smallest(i sim.Indicator, control float64) float64 {
	if p := c.Plan; p != nil && p.Smallest > 0 && i == p.Outcomes[0] {
		return p.Smallest
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

package lab

import (
	"cmp"
	"fmt"
	"runtime"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// checked returns x with its defaults filled in, or says what is wrong with it
// before anything is simulated.
func (x Experiment) checked() (Experiment, error) {
	if len(x.Arms) == 0 {
		return x, fault.New(fault.InvalidState, "arms", "an experiment needs at least one arm")
	}
	if x.Replications < 1 {
		return x, fault.Range("--replications", strconv.Itoa(x.Replications), "1 or more")
	}
	if x.Months < 1 {
		return x, fault.Range("--months", strconv.Itoa(x.Months), "1 or more")
	}
	if x.Threads < 0 {
		return x, fault.Range("--threads", strconv.Itoa(x.Threads), "0 or more")
	}
	if x.Seed >= 1<<seedBits {
		return x, fault.Range("--seed", strconv.FormatUint(x.Seed, 10), fmt.Sprintf("0 to %d", uint64(1)<<seedBits-1))
	}
	x.Threads = cmp.Or(x.Threads, runtime.GOMAXPROCS(0))
	x.Confidence = cmp.Or(x.Confidence, DefaultConfidence)
	if !(0 < x.Confidence && x.Confidence < 1) {
		return x, fault.Range("--confidence", fmt.Sprint(x.Confidence), "above 0 and below 1")
	}
	if x.From == 0 && x.To == 0 {
		x.From, x.To = 1, x.Months
	}
	if x.From < 1 || x.To < x.From || x.To > x.Months {
		return x, fault.Range("--window", fmt.Sprintf("%d:%d", x.From, x.To), fmt.Sprintf("1:1 to %d:%d, FROM not after TO", x.Months, x.Months))
	}
	named := make(map[string]bool)
	for _, arm := range x.Arms {
		if named[arm.Name] {
			err := fault.New(fault.Conflict, "arms", "two arms are named %q", arm.Name)
			err.Hint = "give each arm a name of its own"
			return x, err
		}
		named[arm.Name] = true
		if err := arm.Scenario.Params.Validate(); err != nil {
			return x, fmt.Errorf("arm %q: %w", arm.Name, err)
		}
		if err := sim.CheckInterventions(arm.Scenario.Interventions); err != nil {
			return x, fmt.Errorf("arm %q: %w", arm.Name, err)
		}
		if _, err := bandsOf(arm.Scenario); err != nil {
			return x, fmt.Errorf("arm %q, bands: %w", arm.Name, err)
		}
		for i, v := range arm.Scenario.Interventions {
			if err := v.CheckFits(arm.Scenario.Params); err != nil {
				return x, fmt.Errorf("arm %q, intervention %d: %w", arm.Name, i+1, err)
			}
			if v.TargetMonth > x.Months {
				return x, fmt.Errorf("arm %q, intervention %d: %w", arm.Name, i+1,
					fault.Range("target_month", strconv.Itoa(v.TargetMonth), fmt.Sprintf("1 to %d, the last month of the experiment", x.Months)))
			}
		}
		if err := arm.Scenario.BurnIn.Validate(); err != nil {
			return x, fmt.Errorf("arm %q, burn-in: %w", arm.Name, err)
		}
		if fixed := sim.DiffNotLive(arm.Scenario.BurnIn, arm.Scenario.Params); len(fixed) > 0 {
			return x, fault.New(fault.Conflict, fixed[0], "arm %q: %s cannot change at the end of burn-in; give burn-in the same value", arm.Name, fixed[0])
		}
	}
	return x, nil
}

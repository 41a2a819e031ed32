package lab

import (
	"cmp"
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/tables"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// checked returns x with its defaults filled in, or says what is wrong with it
// before anything is simulated.
func (x Experiment) checked() (Experiment, error) {
	s, err := x.simulation().Checked()
	if err != nil {
		return x, err
	}
	x.Threads = s.Threads
	x.Confidence = cmp.Or(x.Confidence, tables.DefaultConfidence)
	if !(0 < x.Confidence && x.Confidence < 1) {
		return x, fault.Range("--confidence", fmt.Sprint(x.Confidence), "above 0 and below 1")
	}
	if x.From == 0 && x.To == 0 {
		x.From, x.To = 1, x.Months
	}
	if x.From < 1 || x.To < x.From || x.To > x.Months {
		return x, fault.Range("--window", fmt.Sprintf("%d:%d", x.From, x.To), fmt.Sprintf("1:1 to %d:%d, FROM not after TO", x.Months, x.Months))
	}
	for _, arm := range x.Arms {
		if _, err := trials.Bands(arm.Scenario.Bands); err != nil {
			return x, fmt.Errorf("arm %q, bands: %w", arm.Name, err)
		}
	}
	return x, nil
}

// simulation is the experiment for the engine.
func (x Experiment) simulation() run.Simulation {
	return run.Simulation{
		Arms: x.Arms, Seeds: run.Seeds(x.Seed, x.Replications), Months: x.Months, Threads: x.Threads, Cache: x.Cache,
		Kept: 8 * int64(sim.NumOutcomes) * int64(x.Months), Progress: x.Progress,
	}
}

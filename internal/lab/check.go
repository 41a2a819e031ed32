package lab

import (
	"cmp"
	"fmt"
	"runtime"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
)

// checked returns x with its defaults filled in, or says what is wrong with it
// before anything is simulated.
func (x Experiment) checked() (Experiment, error) {
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
	if err := run.CheckArms(x.Arms, x.Months); err != nil {
		return x, err
	}
	for _, arm := range x.Arms {
		if _, err := bandsOf(arm.Scenario); err != nil {
			return x, fmt.Errorf("arm %q, bands: %w", arm.Name, err)
		}
	}
	return x, nil
}

package run

import (
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
)

// Replications may come in batches: those of one advance in lockstep from burn-in to the
// last month, and when they have ended, [Recorder.More] says whether there is another. Complete
// replications do not change any more; once there are some, the status and all that can be read
// are about these alone.

// batch is how many replications are simulated at present.
func (x *experiment) batch() int { return len(x.task.Seeds) - x.complete }

// lineUp makes the runs of the batch.
func (x *experiment) lineUp() {
	x.runs = nil
	for a := range x.task.Arms {
		for r := x.complete; r < len(x.task.Seeds); r++ {
			x.runs = append(x.runs, singleRun{arm: a, replication: r})
		}
	}
	x.economies = len(x.runs)
}

// past is the month up to which nothing can be changed any more, and which is on record.
func (x *experiment) past() int {
	if x.complete > 0 {
		return x.task.Months
	}
	return x.recorded
}

// unchangeable refuses a change of what is planned when some replications have ended.
func (x *experiment) unchangeable(field string) error {
	if x.complete == 0 {
		return x.unprepared()
	}
	e := fault.New(fault.InvalidState, field, "%d replications of %q have ended, and all have the same interventions", x.complete, x.task.Name)
	e.Hint = "start another experiment with other interventions"
	return e
}

// more asks for further replications, when all have ended, and says whether there are any.
func (x *experiment) more() (bool, error) {
	seeds, why, err := x.task.Recorder.More()
	if err != nil {
		return false, recording(err)
	}
	if len(seeds) > 0 || x.complete > 0 {
		x.retireBatch()
	}
	if len(seeds) == 0 {
		x.message = why
		return false, nil
	}
	seeds = seeds[:x.m.resize(x, len(seeds))]
	if err := x.task.Recorder.Record(Extended{seeds}); err != nil {
		return false, recording(err)
	}
	x.task.Seeds = append(slices.Clip(x.task.Seeds), seeds...)
	x.m.mu.Lock()
	defer x.m.mu.Unlock()
	x.m.pool.join(-x.economies)
	x.lineUp()
	x.m.pool.join(x.economies)
	return true, nil
}

// retireBatch keeps of the runs that have ended what the status shows.
func (x *experiment) retireBatch() {
	for i := range x.runs {
		r := &x.runs[i]
		x.began[r.arm] = append(x.began[r.arm], r.begun(x.month))
		if x.simulated && x.last != nil {
			x.last[r.arm] = append(x.last[r.arm], r.latest)
		} else {
			x.last = nil
		}
		r.economy.Close()
	}
	x.runs, x.complete = nil, len(x.task.Seeds)
	x.month, x.recorded, x.pauseAt, x.simulated, x.task.From = 0, 0, 0, false, nil
	x.checkpoint.worked = 0
}

// underWay says which replications are simulated, beside those that are complete.
func (x *experiment) underWay() string {
	which := fmt.Sprintf("replications %d to %d are", x.complete+1, len(x.task.Seeds))
	if x.batch() == 1 {
		which = fmt.Sprintf("replication %d is", len(x.task.Seeds))
	}
	if x.recorded == 0 {
		return which + " burnt in"
	}
	return fmt.Sprintf("%s simulated: month %d of %d", which, x.recorded, x.task.Months)
}

// drops says whether replications under way are dropped in a state: those that stay have
// all months.
func (x *experiment) drops(s State) bool {
	return (s == StateStopped || s == StateFailed) && x.complete > 0 && x.batch() > 0
}

// joined are two sentences, of which either may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// Fit is how many of the replications of a task can be alive at the same time in the
// memory that experiments may take; 0 = not even one.
func (m *Manager) Fit(p Task) int {
	groups := Groups(p.Arms)
	n := len(p.Seeds)
	for n > 0 && p.lockstepMemory(groups, n, m.Threads) > m.MemoryBytes {
		n--
	}
	return n
}

// resize gives an experiment whose economies were released memory for further
// replications: as many of n as fit beside what others have, but one at least, which does.
func (m *Manager) resize(x *experiment, n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserve(-x.bytes)
	for n > 1 && m.reserved+x.task.lockstepMemory(x.groups, n, m.Threads) > m.MemoryBytes {
		n--
	}
	x.bytes = x.task.lockstepMemory(x.groups, n, m.Threads)
	m.reserve(x.bytes)
	m.admit()
	return n
}

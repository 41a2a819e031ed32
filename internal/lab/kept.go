package lab

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"econ-mcp/internal/report"
)

// mostKept is how many reports are kept.
const mostKept = 8

// keptReports are the reports that were used last, by the state of what they rest on and by
// language. The zero value is ready for use.
type keptReports struct {
	start  sync.Once
	making *semaphore.Weighted // held while a report is made: who asks for the same waits and finds it
	mu     sync.Mutex
	list   []keptReport // the latest at the end
}

type keptReport struct {
	state  string
	report *report.Report
}

// report returns the report of a state, or has it made, with the state that it turned out to
// rest on, under which it is kept.
func (k *keptReports) report(
	ctx context.Context, state string, write func() (r *report.Report, rested string, err error),
) (*report.Report, error) {
	if r := k.find(state); r != nil {
		return r, nil
	}
	k.start.Do(func() { k.making = semaphore.NewWeighted(1) })
	if err := k.making.Acquire(ctx, 1); err != nil { // a cancelled call does not wait for the reports of others
		return nil, err
	}
	defer k.making.Release(1)
	if r := k.find(state); r != nil {
		return r, nil
	}
	r, rested, err := write()
	if err != nil {
		return nil, err
	}
	k.keep(rested, r)
	return r, nil
}

// find returns the report of a state, which then is the latest; nil where it is not kept.
func (k *keptReports) find(state string) *report.Report {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(x keptReport) bool { return x.state == state })
	if i < 0 {
		return nil
	}
	found := k.list[i]
	k.list = append(slices.Delete(k.list, i, i+1), found)
	return found.report
}

// keep adds a report and gives up the one that was not used for longest.
func (k *keptReports) keep(state string, r *report.Report) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, keptReport{state, r})
	k.list = k.list[max(0, len(k.list)-mostKept):]
}

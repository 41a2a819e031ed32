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

// report returns the report of the present state, or has it made, with the state that it turned
// out to rest on, under which it is kept. Who has waited for another report asks for the state
// again: that report may have changed it.
func (k *keptReports) report(
	ctx context.Context, state func() (string, error), write func() (r *report.Report, rested string, err error),
) (*report.Report, error) {
	if r, err := k.present(state); r != nil || err != nil {
		return r, err
	}
	k.start.Do(func() { k.making = semaphore.NewWeighted(1) })
	if err := k.making.Acquire(ctx, 1); err != nil { // a cancelled call does not wait for the reports of others
		return nil, err
	}
	defer k.making.Release(1)
	if r, err := k.present(state); r != nil || err != nil {
		return r, err
	}
	r, rested, err := write()
	if err != nil {
		return nil, err
	}
	k.keep(rested, r)
	return r, nil
}

// present finds the report of the present state.
func (k *keptReports) present(state func() (string, error)) (*report.Report, error) {
	now, err := state()
	if err != nil {
		return nil, err
	}
	return k.find(now), nil
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

package lab

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
)

// mostKept is how many reports, and how many analyses for further languages, are kept.
const mostKept = 8

// keptReports are the reports that were made last, by the state of what they rest on and by
// language. Those who ask for one that is being made wait for it together. The zero value is
// ready for use.
type keptReports struct {
	mu       sync.Mutex
	reports  recent[*report.Report]
	findings recent[*findings]
	underWay map[string]*making
}

// findings are what a report tells, without its words.
type findings struct {
	analysis   inference.Analysis
	robustness []report.Robustness
}

// making is a report under way.
type making struct {
	waiting int // callers; guarded by the mutex of all
	cancel  context.CancelFunc
	done    chan struct{} // closed once the rest is set
	report  *report.Report
	err     error
	panic   any
}

// report returns the report of a state, or has it written, with the state that it turned out to
// rest on, under which it is kept. It is given up when all who wait for it have been cancelled,
// and the last of them returns when nothing is left that works on it.
func (k *keptReports) report(
	ctx context.Context, state string, write func(ctx context.Context) (r *report.Report, rested string, err error),
) (*report.Report, error) {
	k.mu.Lock()
	if r, ok := k.reports.get(state); ok {
		k.mu.Unlock()
		return r, nil
	}
	m := k.underWay[state]
	if m == nil {
		m = k.begin(ctx, state, write)
	}
	m.waiting++
	k.mu.Unlock()

	select {
	case <-m.done:
	case <-ctx.Done():
		k.mu.Lock()
		m.waiting--
		last := m.waiting == 0
		if last && k.underWay[state] == m { // whoever comes now begins anew
			delete(k.underWay, state)
		}
		k.mu.Unlock()
		if last {
			m.cancel()
			<-m.done
		}
		return nil, ctx.Err()
	}
	if m.panic != nil {
		panic(m.panic)
	}
	return m.report, m.err
}

// begin makes a report for all who will wait for it: none of them alone can cancel it. The
// caller has the mutex.
func (k *keptReports) begin(
	ctx context.Context, state string, write func(ctx context.Context) (*report.Report, string, error),
) *making {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	m := &making{cancel: cancel, done: make(chan struct{})}
	if k.underWay == nil {
		k.underWay = map[string]*making{}
	}
	k.underWay[state] = m
	go func() {
		var rested string
		defer func() {
			if p := recover(); p != nil { // as if whoever waits had made it
				m.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			k.mu.Lock()
			if k.underWay[state] == m {
				delete(k.underWay, state)
			}
			if m.report != nil && m.err == nil {
				k.reports.keep(rested, m.report)
			}
			k.mu.Unlock()
			cancel()
			close(m.done)
		}()
		m.report, rested, m.err = write(ctx)
	}()
	return m
}

// found returns what was found in a state; nil where it is not kept.
func (k *keptReports) found(state string) *findings {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, _ := k.findings.get(state)
	return f
}

// find keeps what was found.
func (k *keptReports) find(state string, f *findings) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.findings.keep(state, f)
}

// recent are the values that were used last, up to mostKept, the latest at the end.
type recent[T any] []kept[T]

type kept[T any] struct {
	key   string
	value T
}

// get finds a value, which then is the latest.
func (list *recent[T]) get(key string) (value T, ok bool) {
	i := slices.IndexFunc(*list, func(x kept[T]) bool { return x.key == key })
	if i < 0 {
		return value, false
	}
	x := (*list)[i]
	*list = append(slices.Delete(*list, i, i+1), x)
	return x.value, true
}

// keep adds a value, or replaces that of the key, and gives up the one that was not used for longest.
func (list *recent[T]) keep(key string, value T) {
	if _, ok := list.get(key); ok {
		(*list)[len(*list)-1].value = value
		return
	}
	if len(*list) == mostKept {
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, kept[T]{key, value})
}

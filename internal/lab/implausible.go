package lab

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Implausible says of each arm what makes its economies implausible. Without a result there is nothing to say.
func (r *Result) Implausible() (list []string) {
	if r == nil {
		return nil
	}
	for _, arm := range r.Arms {
		var found [][]sim.Implausible
		for k := range arm.Replications {
			found = append(found, arm.Replications[k].plausibility.Found())
		}
		list = append(list, report.ImplausibleText(arm.Name, found, report.English)...)
	}
	return list
}

// Implausible says of each arm of an experiment what makes its economies implausible, up to the last month that
// all its runs have, in a language; "" is that of the question.
func (l *Laboratory) Implausible(ctx context.Context, name, language string) (list []string, err error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	for i, arm := range x.Arms {
		found, err := l.implausible(ctx, x, i)
		if err != nil {
			return nil, err
		}
		list = append(list, report.ImplausibleText(arm.Name, found, cmp.Or(language, languageOf(x)))...)
	}
	return list, nil
}

// mostLooked is of how many arms is kept what was found.
const mostLooked = 64

// lookedAt is what makes the economies of arms implausible, by the months that were read: it takes all records of
// an arm to know, and clients ask for the status again and again. The zero value is ready for use.
type lookedAt struct {
	mu    sync.Mutex
	found map[string][][]sim.Implausible
}

func (k *lookedAt) find(key string) ([][]sim.Implausible, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.found[key]
	return found, ok
}

func (k *lookedAt) keep(key string, found [][]sim.Implausible) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil || len(k.found) >= mostLooked {
		k.found = map[string][][]sim.Implausible{}
	}
	k.found[key] = found
}

// implausible is what makes the economies of an arm implausible, by replication.
func (l *Laboratory) implausible(ctx context.Context, x store.Experiment, arm int) (list [][]sim.Implausible, err error) {
	key := fmt.Sprintf("%s %d, arm %d, month %d of %d runs", x.Name, x.CreatedAt.UnixNano(), arm, x.Month, x.Replications)
	if found, ok := l.looked.find(key); ok {
		return found, nil
	}
	for r := range x.Replications {
		var p sim.Plausibility
		err := l.Store.EachRecord(ctx, x.Name, x.Arms[arm].Name, r+1, 1, x.Month, 1, func(r *sim.Record) error {
			p.Observe(r)
			return nil
		})
		if err != nil {
			return nil, err
		}
		list = append(list, p.Found())
	}
	l.looked.keep(key, list)
	return list, nil
}

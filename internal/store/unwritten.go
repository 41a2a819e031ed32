package store

import (
	"slices"

	"econ-mcp/sim"
)

// unwritten is what this process has of an experiment and the disk may not have yet.
// Who reads takes it before the rows: what is written meanwhile is then in both, and
// nothing in neither. So nobody who reads has to wait for the disk.
type unwritten struct {
	months [2][]pendingMonth // in the order of each run's months
	runs   []journalRun      // arm by arm
}

// unwritten of an experiment; empty where this process has no journal of it.
func (s *Store) unwritten(name string) unwritten {
	j := s.journal(name)
	if j == nil {
		return unwritten{}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return unwritten{[2][]pendingMonth{j.flying.months, j.pending.months}, slices.Concat(j.runs...)}
}

func (u *unwritten) empty() bool { return len(u.months[0])+len(u.months[1]) == 0 }

// each calls f with the months of a run after the month last, in their order, that are
// every-th of those from the month from to the month to.
func (u *unwritten) each(run int64, last, from, to, every int, f func(r *sim.Record)) {
	for _, months := range u.months {
		for i := range months {
			m := &months[i]
			if month := m.record.Month; m.run == run && month > last && month >= from && month <= to && (month-from)%every == 0 {
				f(&m.record)
			}
		}
	}
}

// addTo brings an experiment that was read up to date.
func (u *unwritten) addTo(x *Experiment) {
	if len(u.runs) != len(x.Runs) || len(u.runs) == 0 {
		return
	}
	common := u.runs[0].last
	for i := range u.runs {
		run := &u.runs[i]
		common = min(common, run.last)
		x.Runs[i].Month = max(x.Runs[i].Month, run.last)
		if run.noted != nil {
			x.Runs[i].StateHash, x.Runs[i].Began = run.noted.stateHash, run.noted.began
		}
	}
	x.Month = max(x.Month, common)
}

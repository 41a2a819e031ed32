package store

import "econ-mcp/sim"

// unwritten is what this process has of an experiment and the disk may not have yet.
// A reader takes it before it reads rows: what is written meanwhile is then in both, and
// nothing is missed. So no reader waits for the disk.
type unwritten struct {
	months   [2][]pendingMonth // in the order of each run's months
	runs     []journalRun      // that count, arm by arm
	underWay []journalRun      // arm by arm
}

// unwritten of an experiment; empty where this process has no journal of it.
func (s *Store) unwritten(name string) unwritten {
	j := s.journal(name)
	if j == nil {
		return unwritten{}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	u := unwritten{months: [2][]pendingMonth{j.flying.months, j.pending.months}}
	for _, runs := range j.runs {
		u.runs, u.underWay = append(u.runs, runs[:j.counted]...), append(u.underWay, runs[j.counted:]...)
	}
	return u
}

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
	x.Month = max(x.Month, bring(x.Runs, u.runs))
	bring(x.Underway, u.underWay)
}

// bring has runs that were read be as new as those of a journal, and returns the month
// that all have; 0 where they are not the same runs, because meanwhile some came to count
// or were added: then all that was pending is on disk, too.
func bring(read []Run, newest []journalRun) (common int) {
	if len(newest) != len(read) || len(newest) == 0 {
		return 0
	}
	common = newest[0].last
	for i := range newest {
		run := &newest[i]
		common = min(common, run.last)
		read[i].Month = max(read[i].Month, run.last)
		if run.noted != nil {
			read[i].StateHash, read[i].Began = run.noted.stateHash, run.noted.began
		}
	}
	return common
}

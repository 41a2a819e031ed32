package store

import (
	"database/sql"
	"errors"
	"log/slog"
)

// An experiment may add replications to those that it began with, in batches. The runs of
// a batch are under way until all have ended and [Journal.Complete] has them count; until
// then, everything that is read of the experiment is of the replications before them,
// which are complete: its month, its series, its runs. Those under way stand apart, in
// [Experiment.Underway], for whoever goes on with them.

// Of the runs of an experiment, as SQL: those that count, and those that are under way.
const (
	counts           = "run.replication <= experiment.replications"
	underWay         = "run.replication > experiment.replications"
	runsOfExperiment = " FROM run JOIN arm ON arm.id = run.arm JOIN experiment ON experiment.id = arm.experiment "
)

// Complete has all runs count, which have ended. It is durable when it returns, and so is
// all that came before it.
func (j *Journal) Complete() error {
	j.mu.Lock()
	all := len(j.runs[0])
	j.mu.Unlock()
	err := j.commit(func(tx *sql.Tx) error {
		if _, err := tx.Exec("UPDATE experiment SET replications = ? WHERE id = ?", all, j.id); err != nil {
			return err
		}
		_, err := tx.Exec("UPDATE experiment SET month = "+commonMonth+" WHERE id = ?", j.id)
		return err
	})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.counted = all
	return nil
}

// Extend adds a run to each arm for each of further seeds, when all runs have ended and
// count. They are durable when it returns. The checkpoint, of runs that have ended, is
// given up.
func (j *Journal) Extend(seeds []uint64) error {
	j.mu.Lock()
	all, counted := len(j.runs[0]), j.counted
	j.mu.Unlock()
	if all > counted {
		return errors.New("experiment " + j.name + " has replications under way already")
	}
	var added [][]journalRun
	err := j.commit(func(tx *sql.Tx) error {
		arms, err := column[int64](tx, "SELECT id FROM arm WHERE experiment = ? ORDER BY number", j.id)
		if err != nil {
			return err
		}
		added = make([][]journalRun, len(arms))
		for i, arm := range arms {
			if added[i], err = insertReplications(tx, arm, all, seeds); err != nil {
				return err
			}
		}
		if _, err := tx.Exec("UPDATE experiment SET bytes = bytes + ? WHERE id = ?", len(arms)*len(seeds)*runBytes, j.id); err != nil {
			return err
		}
		_, err = tx.Exec("DELETE FROM checkpoint WHERE experiment = ?", j.id)
		return err
	})
	if err != nil {
		return err
	}
	j.mu.Lock()
	for i := range j.runs {
		j.runs[i] = append(j.runs[i], added[i]...)
	}
	j.mu.Unlock()
	if err := j.s.sweep(j.id); err != nil { // the next checkpoint tries again
		slog.Warn("an old checkpoint could not be removed", "experiment", j.name, "error", err)
	}
	return nil
}

// dropUnderWay removes the runs of an experiment that do not count.
func (s *Store) dropUnderWay(tx *sql.Tx, id int64) error {
	const dropped = "(SELECT run.id" + runsOfExperiment + "WHERE experiment.id = ? AND " + underWay + ")"
	if err := s.dropMonths(tx, id, "run IN "+dropped, id); err != nil {
		return err
	}
	freed := int64(0)
	sizes, err := column[int](tx, "DELETE FROM detail WHERE run IN "+dropped+" RETURNING octet_length(data)", id)
	for _, size := range sizes {
		freed += s.room(size + detailHead)
	}
	began, errRuns := column[int](tx, "DELETE FROM run WHERE id IN "+dropped+" RETURNING octet_length(began)", id)
	if err := errors.Join(err, errRuns); err != nil {
		return err
	}
	for _, size := range began {
		freed += runBytes + s.runRoom(size) - s.runRoom(nothingBegan)
	}
	return grow(tx, id, -freed)
}

// dropMonths removes rows of monthly that are of an experiment.
func (s *Store) dropMonths(tx *sql.Tx, id int64, where string, args ...any) error {
	sizes, err := column[int](tx, "DELETE FROM monthly WHERE "+where+" RETURNING octet_length(record)", args...)
	freed := int64(0)
	for _, size := range sizes {
		freed += s.room(size+headBytes+valueBytes) + indexBytes
	}
	if err != nil || freed == 0 {
		return err
	}
	_, err = tx.Exec("UPDATE experiment SET bytes = max(0, bytes - ?) WHERE id = ?", freed, id) // they may come again
	return err
}

// execEach runs statements that have an experiment's number as their one argument.
func execEach(tx *sql.Tx, id int64, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.Exec(statement, id); err != nil {
			return err
		}
	}
	return nil
}
